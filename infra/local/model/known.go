package model

import (
	"slices"
	"strings"
)

// choices offers values that results of this conversation hold for a field.
func (pl *planner) choices(p property) []string {
	var out []string
	for _, v := range pl.values() {
		if fieldFits(v.key, p.name) && !slices.Contains(out, v.text) && len(out) < 4 {
			out = append(out, v.text)
		}
	}
	return out
}

// stated is a text value that a result holds, and the row that it is part of.
type stated struct {
	key, text string
	row       fields
}

// values lists the short texts in all results of the conversation, newest first.
func (pl *planner) values() []stated {
	var out []stated
	for i := len(pl.messages) - 1; i >= 0; i-- {
		if pl.messages[i].role == "tool" {
			collect(parse(pl.messages[i].text), &out)
		}
	}
	return out
}

func collect(v any, out *[]stated) {
	switch v := v.(type) {
	case fields:
		for _, f := range v {
			if s, ok := f.value.(string); ok && s != "" && len(s) <= 60 {
				*out = append(*out, stated{key: f.key, text: s, row: v})
			}
			collect(f.value, out)
		}
	case []any:
		for _, one := range v {
			collect(one, out)
		}
	}
}

// fieldFits says whether a result's key and a parameter name one thing.
func fieldFits(key, param string) bool {
	k, p := spoken(key), spoken(param)
	return k == p || strings.HasSuffix(p, " "+k) || strings.HasSuffix(k, " "+p)
}

// knownFor returns the value for p from the row of a result that text names
// by any of its short texts.
func (pl *planner) knownFor(text string, p property) string {
	low := " " + strings.Join(pl.wordsIn(text), " ") + " "
	for _, v := range pl.values() {
		name := strings.Join(pl.wordsIn(v.text), " ")
		if len(name) < 3 || stopped[name] || !strings.Contains(low, " "+name+" ") || !nameOrCode(v.key) {
			continue
		}
		for _, f := range v.row {
			if s, ok := f.value.(string); ok && fieldFits(f.key, p.name) {
				return s
			}
		}
		if nameOrCode(p.name) || strings.Contains(strings.ToLower(p.description), "name") {
			return v.text
		}
	}
	return ""
}

func nameOrCode(key string) bool { return nameProp.MatchString(key) || codeProp.MatchString(key) }

// knownIn lists the codes, else the names, of rows that text names.
func (pl *planner) knownIn(text string) []string {
	var out []string
	for _, v := range pl.statedIn(text) {
		if !slices.Contains(out, v.text) {
			out = append(out, v.text)
		}
	}
	return out
}

// statedIn lists the codes and names of results that text holds.
func (pl *planner) statedIn(text string) []stated {
	low := " " + strings.Join(pl.wordsIn(text), " ") + " "
	return slices.DeleteFunc(pl.values(), func(v stated) bool {
		name := strings.Join(pl.wordsIn(v.text), " ")
		return len(name) < 3 || !nameOrCode(v.key) || !strings.Contains(low, " "+name+" ")
	})
}

// leaning says whether the last user message continues an earlier one.
func (pl *planner) followsUp() bool { return len(pl.goal) > 1 }

// argOfLastCall returns the argument of the same name of the last call.
func (pl *planner) argOfLastCall(param string) (any, bool) {
	c, _ := pl.lastCall() // none has no arguments
	args, _ := parse(c.args).(fields)
	for _, f := range args {
		if s, ok := f.value.(string); ok && f.key == param {
			return s, true
		}
	}
	return nil, false
}

// spokenOf returns what the conversation spoke of last that p may name: in a call, in
// a result that holds only one, or in an answer. It does not choose among several.
func (pl *planner) spokenOf(p property) (any, bool) {
	for _, one := range slices.Backward(pl.messages) {
		var found []string
		put := func(v string) {
			if v != "" && !slices.Contains(found, v) {
				found = append(found, v)
			}
		}
		switch one.role {
		case "tool":
			var all []stated
			collect(parse(one.text), &all)
			for _, v := range all {
				if fieldFits(v.key, p.name) && likeness(v.text, p.description) >= 0 {
					put(v.text)
				}
			}
		case "assistant":
			for _, c := range one.calls {
				args, _ := parse(c.args).(fields)
				for _, f := range args {
					if s, ok := f.value.(string); ok && fieldFits(f.key, p.name) {
						put(s)
					}
				}
			}
			for _, at := range codeShape.FindAllStringIndex(one.text, -1) {
				// A code of letters alone is known by the word before it.
				code, word := one.text[at[0]:at[1]], spoken(p.name)
				if len(one.calls) == 0 && (likeness(code, p.description) >= 1.5 ||
					precededBy(one.text, at[0], word, word+" is")) {
					put(code)
				}
			}
		}
		switch len(found) {
		case 0:
		case 1:
			return found[0], true
		default:
			return nil, false
		}
	}
	return nil, false
}
