package tools

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/part"
	"github.com/bellhop-ai/bellhop/pkg/tool"
	"github.com/bellhop-ai/bellhop/pkg/travel/places"
)

func itoa(n int) string { return strconv.Itoa(n) }

// asking is a call whose arguments name places.
type asking struct {
	tool  string
	input any // the checked arguments
}

// place finds the place that an argument names by its name or its IATA code. The error of
// a name that fits several is a question with one call for each; path names the argument,
// as "origin" or "multiCity.0.origin".
func (a asking) place(path, name string) (places.Place, error) {
	name = strings.TrimSpace(name)
	if name == "" {
		return places.Place{}, fault.New(fault.Invalid, "Which city or airport is meant? %s is missing.", path).
			WithCode("place_missing")
	}
	if len(name) == 3 && strings.ToUpper(name) == name {
		if p, ok := places.ByCode(name); ok {
			return p, nil
		}
	}
	switch found := places.Lookup(name); len(found) {
	case 0:
		return places.Place{}, fault.New(fault.Invalid,
			"No city or airport called %q is known. Write its usual name or its IATA code, such as LHR.",
			cut(name, 60)).
			WithCode("place_unknown")
	case 1:
		return found[0], nil
	default:
		return places.Place{}, a.which(path, name, found)
	}
}

// which asks which of several places is meant.
func (a asking) which(path, name string, found []places.Place) error {
	var choices []part.Choice
	var labels []string
	for _, p := range found[:min(len(found), 8)] {
		if p.Code == "" && a.tool != "search_hotels" {
			continue
		}
		labels = append(labels, p.Label())
		// A city may have the code of an airport that is elsewhere, so it goes by its label.
		value := p.Label()
		if named, ok := places.ByCode(p.Code); ok && named.Kind == p.Kind {
			value = p.Code
		}
		if arguments, err := a.with(path, value); err == nil {
			choices = append(choices, part.Choice{Label: cut(p.Label(), 80), Tool: a.tool, Arguments: arguments})
		}
	}
	if len(choices) == 0 {
		return fault.New(fault.Invalid, "%q fits several places, and none of them has an airport. Name the nearest "+
			"large city.", cut(name, 60)).WithCode("place_unknown")
	}
	return tool.Ask(part.Choices{Title: "Which " + cut(name, 40) + "?", Choices: choices},
		fmt.Sprintf("%q fits several places: %s. Ask which one is meant, and write it as it stands here.",
			cut(name, 60), strings.Join(labels, "; ")))
}

// with returns the arguments with another value of one of them.
func (a asking) with(path, value string) (json.RawMessage, error) {
	raw, err := json.Marshal(a.input)
	if err != nil {
		return nil, err
	}
	var root any
	if err := json.Unmarshal(raw, &root); err != nil {
		return nil, err
	}
	at := root
	steps := strings.Split(path, ".")
	for i, step := range steps {
		switch holder := at.(type) {
		case map[string]any:
			if i == len(steps)-1 {
				holder[step] = value
			}
			at = holder[step]
		case []any:
			n, err := strconv.Atoi(step)
			if err != nil || n >= len(holder) {
				return nil, fmt.Errorf("no argument %s", path)
			}
			at = holder[n]
		default:
			return nil, fmt.Errorf("no argument %s", path)
		}
	}
	return json.Marshal(root)
}

// cut shortens a text for a sentence, on one line.
func cut(text string, most int) string {
	text = strings.Join(strings.Fields(text), " ")
	if r := []rune(text); len(r) > most {
		return string(r[:most-1]) + "…"
	}
	return text
}
