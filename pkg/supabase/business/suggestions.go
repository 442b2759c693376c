package business

import (
	"context"
	"encoding/json"

	"github.com/bellhop-ai/bellhop/pkg/business"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/supabase"
)

// Suggestions is an business.Suggestions.
type Suggestions struct{ client *supabase.Client }

var _ business.Suggestions = Suggestions{}

// NewSuggestions returns the store in the project of client.
func NewSuggestions(client *supabase.Client) Suggestions { return Suggestions{client} }

// Own returns the organisation's questions; see business.Suggestions.
func (s Suggestions) Own(ctx context.Context, by identity.Caller) ([]business.OwnSuggestion, error) {
	rows, err := supabase.Select[struct {
		Assistant string  `json:"assistant"`
		EntityID  *string `json:"entity_id"`
		Text      string  `json:"text"`
		Changes   bool    `json:"changes"`
	}](ctx, s.client.As(by), supabase.Query{Table: "quick_suggestions",
		Columns: "assistant,entity_id,text,changes",
		Order:   []supabase.Order{supabase.Asc("assistant"), supabase.Asc("position"), supabase.Asc("code")}})
	if err != nil {
		return nil, err
	}
	var list []business.OwnSuggestion
	for _, r := range rows {
		own := business.OwnSuggestion{Suggestion: business.Suggestion{Text: r.Text, Changes: r.Changes},
			Assistant: r.Assistant}
		for _, e := range by.Entities {
			if r.EntityID != nil && e.ID == *r.EntityID {
				own.Entity = e.Key
			}
		}
		if r.EntityID == nil || own.Entity != "" {
			list = append(list, own)
		}
	}
	return list, nil
}

// Set replaces questions; see business.Suggestions.
func (s Suggestions) Set(ctx context.Context, by identity.Caller, assistant, entity string,
	list []business.Suggestion) error {
	raw, err := json.Marshal(list)
	if err != nil {
		return err
	}
	args := supabase.Args{"p_assistant": assistant, "p_entity": nil, "p_suggestions": json.RawMessage(raw)}
	for _, e := range by.Entities {
		if entity != "" && e.Key == entity {
			args["p_entity"] = e.ID
		}
	}
	if entity != "" && args["p_entity"] == nil {
		return fault.New(fault.NotFound, "Your organisation has no %q.", entity).WithCode("unknown_entity")
	}
	_, err = supabase.Call[any](ctx, s.client.As(by), "quick_suggestions_set", args)
	return err
}
