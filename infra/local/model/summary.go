package model

import (
	"encoding/json"
	"fmt"
	"strings"
)

// summary puts an object into one line: its own values, and for each list how
// many there are and what they are called.
func summary(v fields) string {
	var parts []string
	left := 0
	for _, f := range v {
		if len(parts) == 12 {
			left++
			continue
		}
		switch value := f.value.(type) {
		case nil:
			continue
		case []any:
			parts = append(parts, countOfList(spoken(f.key), value))
		case fields:
			parts = append(parts, spoken(f.key)+" ("+summary(value)+")")
		default:
			parts = append(parts, spoken(f.key)+" "+plainValue(value))
		}
	}
	if left > 0 {
		parts = append(parts, fmt.Sprintf("and %d more values", left))
	}
	if len(parts) == 0 {
		return "no values"
	}
	return strings.Join(parts, ", ")
}

// countOfList says how many there are and, where rows have names, which.
func countOfList(noun string, rows []any) string {
	if noun == "" {
		noun = "results"
	}
	if len(rows) == 0 {
		return "no " + noun
	}
	var names []string
	for _, r := range rows {
		if name := titleOf(r); name != "" {
			names = append(names, name)
		}
	}
	head := fmt.Sprintf("%d %s", len(rows), noun)
	switch {
	case len(names) < len(rows):
		return head
	case len(names) > 10:
		return head + " (" + strings.Join(names[:10], ", ") + fmt.Sprintf(" and %d more", len(names)-10) + ")"
	}
	return head + " (" + list(names, "and") + ")"
}

// titleOf picks the value by which people would call a row.
func titleOf(row any) string {
	switch row := row.(type) {
	case string, json.Number:
		return plainValue(row)
	case fields:
		for _, want := range []string{"name", "title", "label", "code", "number", "key", "id"} {
			for _, f := range row {
				words := strings.Fields(spoken(f.key))
				s := plainValue(f.value)
				if len(words) > 0 && words[len(words)-1] == want && s != "" {
					return s
				}
			}
		}
	}
	return ""
}

func plainValue(v any) string {
	switch v := v.(type) {
	case string:
		return clip(v, 200)
	case json.Number:
		return v.String()
	case bool:
		if v {
			return "yes"
		}
		return "no"
	}
	return ""
}
