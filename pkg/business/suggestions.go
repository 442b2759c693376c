package business

import (
	"context"

	"github.com/bellhop-ai/bellhop/pkg/identity"
)

// Suggestion is a question that a new conversation offers.
type Suggestion struct {
	Text string `json:"text"`
	// Changes says that it is for people who may change data.
	Changes bool `json:"changes"`
}

// OwnSuggestion is one of an organisation's own.
type OwnSuggestion struct {
	Suggestion
	Assistant string
	Entity    string // key of the entity for which it is; "" = all
}

// Suggestions keeps the questions of organisations.
type Suggestions interface {
	// Own returns those of by's organisation, in their order.
	Own(ctx context.Context, by identity.Caller) ([]OwnSuggestion, error)
	// Set replaces those of an assistant for an entity, by its key, "" for all. Only
	// administrators may.
	Set(ctx context.Context, by identity.Caller, assistant, entity string, list []Suggestion) error
}

// Offered returns the questions of an organisation that a new conversation with the
// assistant offers the caller: those of the entity with which it begins, else those
// of all entities. Those that change something are for people who may. It reports
// false where the organisation has none.
func Offered(by identity.Caller, assistant string, own []OwnSuggestion) ([]string, bool) {
	for _, entity := range []string{by.Entity.Key, ""} {
		list, has := []string{}, false
		for _, s := range own {
			if s.Assistant != assistant || s.Entity != entity {
				continue
			}
			has = true
			if !s.Changes || by.Role.Writes() {
				list = append(list, s.Text)
			}
		}
		if has {
			return list, true
		}
	}
	return nil, false
}
