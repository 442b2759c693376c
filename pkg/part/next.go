package part

import (
	"encoding/json"
	"unicode/utf8"
)

// Call returns the choice that calls a tool with arguments, a value that encodes
// to one JSON object; nil for none. A label that is too long is cut. What does
// not encode is no choice: New refuses it.
func Call(label, tool string, arguments any) Choice {
	label = labelOf(label)
	if arguments == nil {
		arguments = struct{}{}
	}
	raw, err := json.Marshal(arguments)
	if err != nil {
		return Choice{Label: label}
	}
	return Choice{Label: label, Tool: tool, Arguments: raw}
}

// Do is Call for a small change that a press makes at once.
func Do(label, tool string, arguments any) Choice {
	c := Call(label, tool, arguments)
	c.Now = true
	return c
}

// labelOf returns a text as a label, which is cut where it is too long.
func labelOf(text string) string {
	if utf8.RuneCountInString(text) <= maxLabel {
		return text
	}
	return string([]rune(text)[:maxLabel-1]) + "…"
}

// Next returns the choices as the parts of an answer that offers them to go on
// with; none for none.
func Next(choices ...Choice) []Data {
	if len(choices) == 0 {
		return nil
	}
	return []Data{Choices{Choices: choices}}
}

// Offers reports whether the part only offers to go on with something, as choices
// without a title do. Where nothing can be pressed it is left out.
func (p Part) Offers() bool {
	var c struct {
		Title string `json:"title"`
	}
	return p.Kind == (Choices{}).Kind() && json.Unmarshal(p.Data, &c) == nil && c.Title == ""
}
