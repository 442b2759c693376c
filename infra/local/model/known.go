package model

import (
	"slices"
	"strings"
)

// choices offers values that results of this talk hold for a field.
func (m *mind) choices(p property) []string {
	var out []string
	for _, v := range m.values() {
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

// values lists the short texts in all results of the talk, newest first.
func (m *mind) values() []stated {
	var out []stated
	for i := len(m.messages) - 1; i >= 0; i-- {
		if m.messages[i].role == "tool" {
			collect(parse(m.messages[i].text), &out)
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
func (m *mind) knownFor(text string, p property) string {
	low := " " + strings.Join(words(text), " ") + " "
	for _, v := range m.values() {
		name := strings.Join(words(v.text), " ")
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
func (m *mind) knownIn(text string) []string {
	low := " " + strings.Join(words(text), " ") + " "
	var out []string
	for _, v := range m.values() {
		name := strings.Join(words(v.text), " ")
		if len(name) >= 3 && nameOrCode(v.key) && strings.Contains(low, " "+name+" ") && !slices.Contains(out, v.text) {
			out = append(out, v.text)
		}
	}
	return out
}

// leaning says whether the last user message continues an earlier one.
func (m *mind) leaning() bool { return len(m.goal) > 1 }

// lastArg returns the newest earlier argument of the same name.
func (m *mind) lastArg(param string) (any, bool) {
	for i := len(m.messages) - 1; i >= 0; i-- {
		for _, c := range m.messages[i].calls {
			args, _ := parse(c.args).(fields)
			for _, f := range args {
				if s, ok := f.value.(string); ok && fieldFits(f.key, param) {
					return s, true
				}
			}
		}
	}
	return nil, false
}
