package reservations

import (
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/part"
	"github.com/bellhop-ai/bellhop/pkg/tool"
)

// Candidate is a reservation that people may mean by a guest's name or a room.
type Candidate struct {
	Code      string        `json:"code"`
	GroupCode string        `json:"groupCode"`
	Guest     string        `json:"guest"`
	Rooms     []string      `json:"rooms"` // codes of the units
	CheckIn   calendar.Date `json:"checkIn"`
	CheckOut  calendar.Date `json:"checkOut"`
	Status    Status        `json:"status"`
}

// Finder finds the reservation that is meant.
type Finder interface {
	// Meant returns the reservations, at most nine, that are called by the words:
	// a code, a group's code, (part of) the guest's name, a unit's or room type's
	// code or the type's name. act is what is to be done: the status to come,
	// "pay", or "show". What may not be done to is named only when there is
	// nothing else.
	Meant(ctx context.Context, by identity.Caller, words, act string, today calendar.Date) ([]Candidate, error)
}

var codeShape = regexp.MustCompile(`^(GRP-)?[A-HJ-NP-Z2-9]{6}$`)

// tidyWords tidies what a reservation is called by: a code, a guest's name or a
// room.
func tidyWords(words *string) error {
	*words = strings.Join(strings.Fields(*words), " ")
	if *words == "" || utf8.RuneCountInString(*words) > 160 {
		return fault.New(fault.Invalid,
			"Which reservation? Give its code such as K7QMPX, the guest's name or the room.")
	}
	return nil
}

// meant returns the code of the reservation that the words name. call is the
// tool that asks, with its other arguments: where several fit, the error offers
// it for each of them.
func (c service) meant(ctx context.Context, by identity.Caller, words, act string, call call) (string, error) {
	today, err := c.today(by)
	if err != nil {
		return "", err
	}
	list, err := c.store.Meant(ctx, by, words, act, today)
	if err != nil {
		return "", err
	}
	key := strings.ToUpper(words)
	if act == "pay" || act == "show" {
		list = whoIsHere(list)
	}
	switch {
	case len(list) == 1:
		return list[0].Code, nil
	case len(list) == 0 && codeShape.MatchString(key):
		return key, nil // the next look-up says that there is none
	case len(list) == 0:
		return "", fault.New(fault.NotFound,
			"No reservation goes by %.60q in %s: neither a code, a guest's name nor a room has it.", words,
			by.Entity.Name)
	}
	return "", which(words, list, call)
}

// call is a tool with arguments to which the code is added under the name code.
type call struct {
	tool      string
	arguments map[string]any
}

func (c call) with(code string) json.RawMessage {
	all := map[string]any{"code": code}
	for name, value := range c.arguments {
		all[name] = value
	}
	raw, err := json.Marshal(all)
	if err != nil {
		return nil // texts and amounts always encode
	}
	return raw
}

// which asks which of several reservations is meant.
func which(words string, list []Candidate, c call) error {
	choices := part.Choices{Title: fmt.Sprintf("Several reservations go by “%.60s”. Which one?", words)}
	var told []string
	for _, each := range list {
		label := each.label()
		told = append(told, label)
		if len(choices.Choices) < 8 {
			choices.Choices = append(choices.Choices, part.Choice{Label: cut(label, 80), Tool: c.tool,
				Arguments: c.with(each.Code)})
		}
	}
	sentence := choices.Title + " " + strings.Join(told, "; ") + "."
	if group := list[0].GroupCode; group != "" && sameGroup(list) {
		sentence += fmt.Sprintf(" %s means all of them.", group)
		whole := part.Choice{Label: "All of the group " + group, Tool: c.tool, Arguments: c.with(group)}
		choices.Choices = append([]part.Choice{whole}, choices.Choices[:min(7, len(choices.Choices))]...)
	}
	return tool.Ask(choices, sentence)
}

// whoIsHere keeps the one that is checked in, where there is exactly one.
func whoIsHere(list []Candidate) []Candidate {
	here := []Candidate{}
	for _, each := range list {
		if each.Status == "checked_in" {
			here = append(here, each)
		}
	}
	if len(here) == 1 {
		return here
	}
	return list
}

func sameGroup(list []Candidate) bool {
	for _, each := range list {
		if each.GroupCode != list[0].GroupCode {
			return false
		}
	}
	return true
}

// label is the reservation in a line.
func (c Candidate) label() string {
	parts := []string{c.Guest}
	if len(c.Rooms) > 0 {
		parts = append(parts, strings.Join(c.Rooms, ", "))
	}
	return fmt.Sprintf("%s, %s to %s (%s, %s)", strings.Join(parts, ", "), c.CheckIn.Show(), c.CheckOut.Show(), c.Code,
		c.Status.Words())
}
