package model

import (
	"encoding/json"
	"regexp"
	"strings"
	"unicode/utf8"
)

// A prompt may hand over its material as JSON objects, one on each line, with a
// "text" and perhaps a number "n". Asked to summarise such items, we extract: the
// first words of some of them, with their numbers.

// passage is one of these items.
type passage struct {
	N    *int   `json:"n"`
	Text string `json:"text"`
}

// passages returns the items of the last message of the user that has any.
func (pl *planner) passages() []passage {
	for i := len(pl.messages) - 1; i >= 0; i-- {
		if pl.messages[i].role != "user" {
			continue
		}
		var found []passage
		for line := range strings.Lines(pl.messages[i].text) {
			var p passage
			if line = strings.TrimSpace(line); strings.HasPrefix(line, "{") &&
				json.Unmarshal([]byte(line), &p) == nil && p.Text != "" {
				found = append(found, p)
			}
		}
		if len(found) > 0 {
			return found
		}
	}
	return nil
}

// extracted fills a form of lists of passages, if the prompt asks for a summary and
// the form is one: each list gets extracts, those whose elements stand for facts
// only such that hold a figure or a code and are no questions.
func (pl *planner) extracted(s *schema) (map[string]any, bool) {
	if !pl.systemAsks("summarise") || !s.is("object") {
		return nil, false
	}
	material := pl.passages()
	if len(material) == 0 {
		return nil, false
	}
	out := map[string]any{}
	for _, p := range s.props {
		text, number := lineProps(p.items)
		if !p.is("array") || text == "" {
			return nil, false
		}
		facts := strings.Contains(strings.ToLower(p.name), "fact")
		list := []any{}
		for _, one := range chosen(material, facts) {
			line := map[string]any{text: one.Text}
			if number != "" {
				line[number] = []any{}
				if one.N != nil {
					line[number] = []any{*one.N}
				}
			}
			list = append(list, line)
		}
		out[p.name] = list
	}
	return out, true
}

// lineProps returns the names of the text and of the list of numbers that the
// elements of a list have.
func lineProps(s *schema) (text, numbers string) {
	if !s.is("object") {
		return "", ""
	}
	for _, p := range s.props {
		switch {
		case p.is("string") && text == "":
			text = p.name
		case p.is("array") && p.items.is("integer"):
			numbers = p.name
		}
	}
	return text, numbers
}

const (
	extracts    = 10
	extractSize = 180 // letters
)

var (
	telling  = regexp.MustCompile(`\p{Nd}|\b[A-Z][A-Z0-9-]{2,}\b`)
	fullStop = regexp.MustCompile(`[.!?।]\s`)
)

// chosen returns the beginnings of at most ten passages: the first three and the
// last ones, or of those with figures the last ones.
func chosen(material []passage, facts bool) []passage {
	var out []passage
	for _, p := range material {
		p.Text = firstSentence(p.Text)
		if p.Text != "" && (!facts || telling.MatchString(p.Text) && !strings.HasSuffix(p.Text, "?")) {
			out = append(out, p)
		}
	}
	if len(out) <= extracts {
		return out
	}
	if facts {
		return out[len(out)-extracts:]
	}
	return append(out[:3:3], out[len(out)-extracts+3:]...)
}

// firstSentence returns the first sentence that is more than a greeting. One
// that is too long ends behind a word.
func firstSentence(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	for text != "" {
		one, rest := text, ""
		if at := fullStop.FindStringIndex(text); at != nil {
			one, rest = text[:at[1]-1], text[at[1]:]
		}
		if !greets(one) {
			if utf8.RuneCountInString(one) > extractSize {
				one = string([]rune(one)[:extractSize])
				one = one[:max(strings.LastIndexByte(one, ' '), 0)]
			}
			return one
		}
		text = rest
	}
	return ""
}
