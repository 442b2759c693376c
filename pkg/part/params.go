package part

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// Params is the content of a part of the kind params: what is known of something
// that is being made or changed, and what is still wanted.
type Params struct {
	Title   string    `json:"title,omitempty"`
	Applied []Applied `json:"applied"`
	Pending []Pending `json:"pending"`
}

// Applied is a field with its value.
type Applied struct {
	Name  string `json:"name"`  // of the tool's argument
	Label string `json:"label"` // for people
	Value string `json:"value"`
	// Source is where the value comes from: "said" by the person, "default", or
	// "looked_up" in the records; "" where that is not known.
	Source string `json:"source,omitempty"`
}

// Pending is a field that is still wanted, with a hint at what to say.
type Pending struct {
	Name  string `json:"name"`
	Label string `json:"label"`
	Hint  string `json:"hint,omitempty"`
}

// Sources of values.
const (
	Said     = "said"
	Default  = "default"
	LookedUp = "looked_up"
)

// maxFields is how many fields a form has, maxOptions how many options a question.
const (
	maxFields  = 30
	maxOptions = 30
)

// Kind is "params".
func (Params) Kind() string { return "params" }

// Text lists the fields.
func (p Params) Text() string {
	var lines []string
	if p.Title != "" {
		lines = append(lines, p.Title)
	}
	for _, a := range p.Applied {
		note := map[string]string{Default: " (default)", LookedUp: " (from the records)"}[a.Source]
		lines = append(lines, fmt.Sprintf("- %s: %s%s", a.Label, a.Value, note))
	}
	for _, w := range p.Pending {
		line := "- " + w.Label + ": still needed"
		if w.Hint != "" {
			line += ". " + w.Hint
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
}

// Check requires labels of one line and known sources.
func (p Params) Check() error {
	if n := len(p.Applied) + len(p.Pending); n == 0 || n > maxFields {
		return errors.New("there are no fields, or too many")
	}
	if len(p.Title) > 0 && !short(p.Title, maxSent) {
		return errors.New("the title is long or has several lines")
	}
	for _, a := range p.Applied {
		if a.Name == "" || !short(a.Label, maxLabel) || !short(a.Value, maxSent) ||
			!slices.Contains([]string{"", Said, Default, LookedUp}, a.Source) {
			return fmt.Errorf("the field %q has no label, value or source, or long ones", a.Name)
		}
	}
	for _, w := range p.Pending {
		if w.Name == "" || !short(w.Label, maxLabel) || w.Hint != "" && !short(w.Hint, maxSent) {
			return fmt.Errorf("the field %q has no label, or a long one", w.Name)
		}
	}
	return nil
}

// Cut leaves out the last of the known values; what is wanted stays.
func (p Params) Cut(share float64) Data {
	keep := int(share * float64(len(p.Applied)))
	if keep < len(p.Applied) {
		p.Applied = append(slices.Clone(p.Applied[:keep]), Applied{Name: "…", Label: "And more",
			Value: fmt.Sprintf("%d more values are not shown", len(p.Applied)-keep), Source: Default})
	}
	return p
}

// short reports whether a text is one line of some words.
func short(text string, most int) bool {
	return strings.TrimSpace(text) != "" && utf8.RuneCountInString(text) <= most && !strings.ContainsAny(text, "\r\n")
}

// Clarification is the content of a part of the kind clarification: a question with
// a choice of answers. An answer is an ordinary message of the person, of the
// question and the chosen options.
type Clarification struct {
	Question string   `json:"question"`
	Type     string   `json:"type"`    // radio, dropdown or checkbox
	Options  []string `json:"options"` // 2 to 30, no two alike
}

// Ask returns a question with one answer: as buttons where there are a few options,
// else as a list to choose from. Options that are too many are left out.
func Ask(question string, options ...string) Clarification {
	c := Clarification{Question: question, Type: "radio", Options: options[:min(len(options), maxOptions)]}
	if len(options) > maxChoices {
		c.Type = "dropdown"
	}
	return c
}

// Kind is "clarification".
func (Clarification) Kind() string { return "clarification" }

// Text lists the options.
func (c Clarification) Text() string {
	return c.Question + "\n- " + strings.Join(c.Options, "\n- ")
}

// Check requires a type and different options.
func (c Clarification) Check() error {
	if !short(c.Question, maxSent) || !slices.Contains([]string{"radio", "dropdown", "checkbox"}, c.Type) {
		return errors.New("the question is missing or long, or its type is unknown")
	}
	if len(c.Options) < 2 || len(c.Options) > maxOptions {
		return errors.New("a question has 2 to 30 options")
	}
	for i, o := range c.Options {
		if !short(o, maxSent) || slices.Contains(c.Options[:i], o) {
			return fmt.Errorf("the option %.40q is long, or stands there twice", o)
		}
	}
	return nil
}
