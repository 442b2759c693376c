package part

import (
	"encoding/json"
	"errors"
	"strings"
	"unicode/utf8"
)

// Choices is the content of a part of the kind choices: buttons to continue
// with.
type Choices struct {
	Title   string   `json:"title,omitempty"`
	Choices []Choice `json:"choices"`
}

// Choice is one of them. Pressing it sends Words as if the user had typed them,
// or runs Tool with Arguments at the tools endpoint, where consent applies.
type Choice struct {
	Label     string          `json:"label"`
	Words     string          `json:"words,omitempty"`
	Tool      string          `json:"tool,omitempty"`
	Arguments json.RawMessage `json:"arguments,omitempty"`
	// Now says that a small change is made as soon as it is pressed, without a form.
	Now bool `json:"now,omitempty"`
}

// Limits of choices.
const (
	maxChoices = 8
	maxLabel   = 80
	maxSent    = 500
)

// Kind is "choices".
func (Choices) Kind() string { return "choices" }

// Text lists the labels.
func (c Choices) Text() string {
	var lines []string
	if c.Title != "" {
		lines = append(lines, c.Title)
	}
	for _, choice := range c.Choices {
		lines = append(lines, "- "+choice.Label)
	}
	return strings.Join(lines, "\n")
}

// Check requires each choice to have either words or a tool.
func (c Choices) Check() error {
	if len(c.Choices) == 0 || len(c.Choices) > maxChoices {
		return errors.New("there are no choices, or too many")
	}
	return checkEach(c.Choices)
}

// checkEach checks choices that another kind has; none are fine.
func checkEach(choices []Choice) error {
	for _, choice := range choices {
		if err := choice.check(); err != nil {
			return err
		}
	}
	return nil
}

func (c Choice) check() error {
	switch {
	case strings.TrimSpace(c.Label) == "" || utf8.RuneCountInString(c.Label) > maxLabel:
		return errors.New("a choice has no label, or a long one")
	case (c.Words == "") == (c.Tool == ""):
		return errors.New("a choice has either words or a tool")
	case utf8.RuneCountInString(c.Words) > maxSent:
		return errors.New("the words of a choice are too long")
	case c.Tool == "" && c.Arguments != nil:
		return errors.New("arguments are for a tool")
	case c.Arguments != nil && !(json.Valid(c.Arguments) && c.Arguments[0] == '{'):
		return errors.New("the arguments of a choice are no object")
	}
	return nil
}
