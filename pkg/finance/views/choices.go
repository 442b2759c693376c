package views

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/bellhop-ai/bellhop/pkg/part"
)

// choice is a call that is offered below an answer. Where When does not hold it is left
// out; see shown.meets.
type choice struct {
	when, label string // the label may have values in braces
	call        call
}

// maxChoices is how many are offered: package part allows as many.
const maxChoices = 8

// maxLabel is the length of a label in package part, in runes.
const maxLabel = 80

// choices returns what can be pressed below an answer: first the next page of a list.
func (s shown) choices(v view) []part.Choice {
	var out []part.Choice
	if more, ok := s.more(); ok {
		out = append(out, more)
	}
	for _, c := range v.next {
		if len(out) == maxChoices || c.when != "" && !s.meets(s.answer, c.when) {
			continue
		}
		label := strings.TrimSpace(s.plain(s.answer, c.label))
		if arguments, whole := s.fillArguments(s.answer, c.call); whole && label != "" {
			out = append(out, pressed(label, c.call.tool, arguments))
		}
	}
	return out
}

func pressed(label, tool string, arguments json.RawMessage) part.Choice {
	if utf8.RuneCountInString(label) > maxLabel {
		label = string([]rune(label)[:maxLabel-1]) + "…"
	}
	return part.Choice{Label: label, Tool: tool, Arguments: arguments}
}

// more returns the choice that shows the records after these.
func (s shown) more() (part.Choice, bool) {
	cursor, _ := at(s.answer, "cursor").(string)
	if more, said := at(s.answer, "more").(bool); cursor == "" || len(cursor) > maxArgument || said && !more {
		return part.Choice{}, false
	}
	arguments := map[string]any{}
	if given, ok := s.arguments.(map[string]any); ok {
		for name, v := range given {
			arguments[name] = v
		}
	}
	arguments["cursor"] = cursor
	raw, err := json.Marshal(arguments)
	if err != nil || len(raw) > maxNext {
		return part.Choice{}, false
	}
	label := "Show more"
	if total, ok := amount(at(s.answer, "total")); ok && total.Decimals() == 0 {
		label = fmt.Sprintf("Show more of %s", trimmed(total))
	}
	return part.Choice{Label: label, Tool: s.tool, Arguments: raw}, true
}

// maxNext is the size of the arguments of the next page.
const maxNext = 4 << 10
