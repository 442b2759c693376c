package model

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// result is what a tool said since the user spoke.
type result struct {
	call call
	text string
}

// results pairs the calls of this turn with their results.
func (m *mind) results() []result {
	var out []result
	for _, one := range m.since {
		for _, c := range one.calls {
			for _, answer := range m.since {
				if answer.role == "tool" && answer.callID == c.id {
					out = append(out, result{call: c, text: answer.text})
				}
			}
		}
	}
	return out
}

var (
	failText    = regexp.MustCompile(`(?i)^\s*(?:error\b|unknown tool|invalid\b|failed\b|refused\b|not found\b)`)
	consentText = regexp.MustCompile(`(?i)\b(?:needs?|requires?|awaiting|waiting for|pending|ask(?:s|ed)? for)\b[^.]{0,40}\b(?:consent|confirmation|approval)\b|\bnot (?:yet )?confirmed\b`)
	consentKey  = regexp.MustCompile(`(?i)^(?:confirmation|proposal|consent|needs_?confirmation|needs_?consent|requires_?(?:confirmation|consent|approval)|confirmation_?required|consent_?required)$`)
	consentWord = regexp.MustCompile(`(?i)^(?:needs|requires|awaiting|pending)[_ ](?:consent|confirmation|approval)$|^(?:confirmation|consent|approval)[_ ](?:required|needed|pending)$`)
)

// failure returns what an error result says.
func (r result) failure() (string, bool) {
	if failText.MatchString(r.text) {
		return strings.TrimSpace(r.text), true
	}
	object, ok := parse(r.text).(fields)
	if !ok {
		return "", false
	}
	for _, f := range object {
		switch strings.ToLower(f.key) {
		case "error", "err":
			switch v := f.value.(type) {
			case string:
				if v != "" {
					if more := object.text("message", "detail", "details"); more != "" && more != v {
						return v + ": " + more, true
					}
					return v, true
				}
			case fields:
				return cmpText(v.text("message", "detail", "title"), r.text), true
			case bool:
				if v {
					return cmpText(object.text("message", "detail", "title"), r.text), true
				}
			}
		case "ok", "success":
			if v, isBool := f.value.(bool); isBool && !v {
				return cmpText(object.text("message", "detail", "reason", "error"), r.text), true
			}
		}
	}
	return "", false
}

func cmpText(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

// consent says whether the result asks the person to agree first.
func (r result) consent() bool {
	object, ok := parse(r.text).(fields)
	if !ok {
		return consentText.MatchString(r.text)
	}
	for _, f := range object {
		s, isText := f.value.(string)
		off, isBool := f.value.(bool)
		switch {
		case consentKey.MatchString(f.key) && f.value != nil && (!isBool || off):
			return true
		case isText && (consentWord.MatchString(s) || consentText.MatchString(s)):
			return true
		}
	}
	return false
}

// mustStop returns the final text, and true when nothing more may be called:
// a person has to agree first, or a tool failed.
func (m *mind) mustStop(done []result) (string, bool) {
	stop := false
	for _, r := range done {
		_, failed := r.failure()
		stop = stop || failed || r.consent()
	}
	return m.report(done), stop
}

// report says what the tools said, and no more than that.
func (m *mind) report(done []result) string {
	var parts []string
	for _, r := range done {
		// A look-up that only served another call is not news.
		if len(done) > 1 && m.wasLookup(r, done) {
			continue
		}
		parts = append(parts, m.reportOne(r))
	}
	return strings.Join(slices.Compact(parts), "\n\n")
}

func (m *mind) reportOf(done []result) string {
	if len(done) == 0 {
		return ""
	}
	return m.report(done)
}

// wasLookup says whether r read something that a later call needed.
func (m *mind) wasLookup(r result, done []result) bool {
	for _, o := range m.offer {
		if o.name == r.call.name && !o.reads {
			return false
		}
	}
	for _, other := range done {
		if other.call.id == r.call.id {
			continue
		}
		for _, t := range m.tools {
			if t.name != other.call.name {
				continue
			}
			for _, p := range t.params.props {
				if strings.Contains(p.description, r.call.name) {
					return true
				}
			}
		}
	}
	return false
}

func (m *mind) reportOne(r result) string {
	name := upperFirst(spoken(r.call.name))
	if text, failed := r.failure(); failed {
		return name + " did not work. The tool said: " + strings.TrimSpace(text)
	}
	v := parse(r.text)
	object, isObject := v.(fields)
	if r.consent() {
		text := name + " needs your confirmation first; nothing has happened yet."
		if more := object.text("message", "preview", "summary"); isObject && more != "" {
			text += " " + more
		}
		return text
	}
	switch v := v.(type) {
	case nil:
		text := strings.TrimSpace(r.text)
		if text == "" || text == "null" {
			return name + " returned nothing."
		}
		return text // prose or a table is shown as the tool made it
	case string:
		return v
	case fields:
		if ref := v.text("table"); ref != "" && m.placesTables() {
			return m.tableLine(name, v, ref)
		}
		return name + ": " + summary(v) + "."
	case []any:
		return name + ": " + countOfList(nounOf(r.call.name), v) + "."
	}
	return name + ": " + plainValue(v) + "."
}

var tableRule = regexp.MustCompile(`\[\[table:`)

// placesTables says whether the prompt explains table references.
func (m *mind) placesTables() bool {
	return slices.ContainsFunc(m.messages, func(one message) bool { return one.role == "system" && tableRule.MatchString(one.text) })
}

func (m *mind) tableLine(name string, v fields, ref string) string {
	line := name + ":"
	if text := v.text("summary", "text", "message", "note"); text != "" {
		line = strings.TrimRight(text, ".:") + ":"
	} else if n := v.count(); n != "" {
		line = name + ", " + n + ":"
	}
	return line + "\n\n[[table:" + ref + "]]"
}

// lookup finds the call that can fill what p lacks: a description that names
// an offered tool, "the code that list_rooms returned", says where to look.
func (m *mind) lookup(p plan, done []result) (call, bool) {
	for _, miss := range p.missing {
		for _, o := range m.offer {
			if o.name == p.tool.name || !strings.Contains(miss.description+" "+p.tool.description, o.name) || !o.reads {
				continue
			}
			text := strings.Join(m.goal, "\n")
			q := m.fill(o, clause{text: text, full: text})
			next := call{name: o.name, args: q.json()}
			if len(q.missing) == 0 && !repeated(next, done) && !calledBefore(o.name, done) {
				return next, true
			}
		}
	}
	return call{}, false
}

func calledBefore(name string, done []result) bool {
	return slices.ContainsFunc(done, func(r result) bool { return r.call.name == name })
}

// question asks for the first thing that is missing, in plain words.
func (m *mind) question(p plan) string {
	miss := p.missing[0]
	q := upperFirst(questionFor(miss))
	if noun := nounOf(p.tool.name); noun != "" && !strings.Contains(spoken(miss.name), noun) {
		q += " for " + withArticle(p.tool, noun)
	}
	if len(miss.enum) > 0 {
		var options []string
		for _, e := range miss.enum {
			options = append(options, spoken(plainValue(e)))
		}
		q += " (" + list(options, "or") + ")"
	} else if known := m.choices(miss); len(known) > 1 {
		q += " (for example " + list(known, "or") + ")"
	}
	return q + "?"
}

func withArticle(t tool, noun string) string {
	if strings.HasPrefix(t.name, "create") || strings.HasPrefix(t.name, "add") {
		return "the new " + noun
	}
	return "the " + noun
}

// label drops what people do not say: "room_type_id" is the room type.
func label(name string) string {
	words := strings.Fields(spoken(name))
	if n := len(words); n > 1 && (words[n-1] == "id" || words[n-1] == "key") {
		words = words[:n-1]
	}
	return strings.Join(words, " ")
}

// nounOf is the tool's name without its verb.
func nounOf(name string) string {
	words := strings.Fields(spoken(name))
	if len(words) > 1 {
		return strings.Join(words[1:], " ")
	}
	return ""
}

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

// fields is a JSON object that keeps its order, so that a summary reads in
// the order in which the tool wrote.
type fields []field

type field struct {
	key   string
	value any
}

// text returns the first of keys that holds a string.
func (f fields) text(keys ...string) string {
	for _, k := range keys {
		for _, one := range f {
			if s, ok := one.value.(string); ok && strings.EqualFold(one.key, k) {
				return s
			}
		}
	}
	return ""
}

// count reads how many rows an object speaks of.
func (f fields) count() string {
	for _, one := range f {
		if n, ok := one.value.(json.Number); ok && slices.Contains([]string{"count", "total", "rows"}, strings.ToLower(one.key)) {
			return n.String() + " found"
		}
		if rows, ok := one.value.([]any); ok {
			return fmt.Sprintf("%d found", len(rows))
		}
	}
	return ""
}

// parse reads JSON with objects as fields; text that is no JSON gives nil.
func parse(text string) any {
	dec := json.NewDecoder(bytes.NewReader([]byte(text)))
	dec.UseNumber()
	v, err := parseNext(dec)
	if err != nil || dec.More() {
		return nil
	}
	return v
}

func parseNext(dec *json.Decoder) (any, error) {
	t, err := dec.Token()
	if err != nil {
		return nil, err
	}
	switch t {
	case json.Delim('{'):
		out := fields{}
		for dec.More() {
			key, err := dec.Token()
			if err != nil {
				return nil, err
			}
			v, err := parseNext(dec)
			if err != nil {
				return nil, err
			}
			out = append(out, field{key: fmt.Sprint(key), value: v})
		}
		_, err := dec.Token()
		return out, err
	case json.Delim('['):
		out := []any{}
		for dec.More() {
			v, err := parseNext(dec)
			if err != nil {
				return nil, err
			}
			out = append(out, v)
		}
		_, err := dec.Token()
		return out, err
	}
	return t, nil
}
