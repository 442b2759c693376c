package model

import (
	"regexp"
	"slices"
	"strings"
)

// result is what a tool said since the user spoke.
type result struct {
	call call
	text string
}

// notRun is how a call is answered that was not made, for one before it failed.
var notRun = regexp.MustCompile(`(?i)^\s*"?not done\b`)

// results pairs the calls of this turn with their results. A call that was not made has
// none.
func (pl *planner) results() []result {
	var out []result
	for _, one := range pl.since {
		for _, c := range one.calls {
			for _, answer := range pl.since {
				if answer.role == "tool" && answer.callID == c.id && !notRun.MatchString(answer.text) {
					out = append(out, result{call: c, text: answer.text})
				}
			}
		}
	}
	return out
}

var (
	failText    = regexp.MustCompile(`(?i)^\s*(?:error\b|unknown tool|invalid\b|failed\b|refused\b|not found\b)`)
	consentText = regexp.MustCompile(`(?i)\b(?:needs?|requires?|awaiting|waiting for|pending|ask(?:s|ed)? ` +
		`for)\b[^.]{0,40}\b(?:consent|confirmation|approval)\b|\bnot (?:yet )?confirmed\b`)
	consentKey  = regexp.MustCompile(`(?i)^(?:confirmation|proposal|consent|needs_?confirmation|needs_?consent|requires_?(?:confirmation|consent|approval)|confirmation_?required|consent_?required)$`)
	consentWord = regexp.MustCompile(`(?i)^(?:needs|requires|awaiting|pending)[_ ` +
		`](?:consent|confirmation|approval)$|^(?:confirmation|consent|approval)[_ ](?:required|needed|pending)$`)
)

var errorMark = regexp.MustCompile(`(?i)^\s*error\s*:\s*`)

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
func (pl *planner) mustStop(done []result) (string, bool) {
	stop := false
	for _, r := range done {
		if next, ok := pl.correctionOf(r); ok && repeated(next, done) {
			continue
		}
		_, failed := r.failure()
		stop = stop || failed || r.consent()
	}
	return pl.report(done), stop
}

// report says what the tools said, and no more than that.
func (pl *planner) report(done []result) string {
	var parts []string
	for _, r := range done {
		if next, ok := pl.correctionOf(r); ok && repeated(next, done) {
			continue // what it should have said was done instead
		}
		// A look-up that only served another call is not news.
		if len(done) > 1 && pl.wasLookup(r, done) {
			continue
		}
		parts = append(parts, pl.reportOne(r))
	}
	return strings.Join(slices.Compact(parts), "\n\n")
}

func (pl *planner) reportOf(done []result) string {
	if len(done) == 0 {
		return ""
	}
	return pl.report(done)
}

// wasLookup says whether r read something that a later call needed.
func (pl *planner) wasLookup(r result, done []result) bool {
	for _, o := range pl.indexed {
		if o.name == r.call.name && !o.reads {
			return false
		}
	}
	for _, other := range done {
		if other.call.id == r.call.id {
			continue
		}
		for _, t := range pl.tools {
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

func (pl *planner) reportOne(r result) string {
	name := upperFirst(spoken(r.call.name))
	if text, failed := r.failure(); failed {
		text = strings.TrimSpace(errorMark.ReplaceAllString(text, ""))
		// Of what was tried several times there is an object.
		if told, ok := parse(text).(fields); ok && told.text("message") != "" {
			text = told.text("message")
		}
		return "That did not work: " + pl.withoutNames(text)
	}
	v := parse(r.text)
	object, isObject := v.(fields)
	if r.consent() {
		text := "That needs your confirmation first; nothing has happened yet."
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
		if ref := v.text("table"); ref != "" && pl.placesTables() {
			return pl.tableLine(name, v, ref)
		}
		if text := v.text("said"); text != "" {
			return text // the tool's own sentence
		}
		return name + ": " + summary(v) + "."
	case []any:
		return name + ": " + countOfList(nounOf(r.call.name), v) + "."
	}
	return name + ": " + plainValue(v) + "."
}

// withoutNames leaves out sentences that tell a model which tool to call next:
// people do not know tools. A text of nothing else gets plain words instead.
func (pl *planner) withoutNames(text string) string {
	kept, plain := "", text
	for part := range strings.SplitAfterSeq(text, ". ") {
		named := false
		for _, t := range pl.tools {
			if strings.Contains(t.name, "_") && strings.Contains(part, t.name) {
				named = true
				plain = strings.ReplaceAll(plain, t.name, spoken(t.name))
			}
		}
		if !named {
			kept += part
		}
	}
	return cmpText(strings.TrimSpace(kept), plain)
}

var tableRule = regexp.MustCompile(`\[\[table:`)

// placesTables says whether the prompt explains table references.
func (pl *planner) placesTables() bool {
	return slices.ContainsFunc(pl.messages, func(one message) bool {
		return one.role == "system" &&
			tableRule.MatchString(one.text)
	})
}

func (pl *planner) tableLine(name string, v fields, ref string) string {
	line := name + ":"
	if text := v.text("said"); text != "" {
		line = text
	} else if text := v.text("summary", "text", "message", "note"); text != "" {
		line = strings.TrimRight(text, ".:") + ":"
	} else if n := v.count(); n != "" {
		line = name + ", " + n + ":"
	}
	return line + "\n\n[[table:" + ref + "]]"
}

// lookup finds the call that can fill what p lacks: a description that names
// an offered tool, "the code that list_rooms returned", says where to look.
func (pl *planner) lookup(p candidate, done []result) (call, bool) {
	for _, miss := range p.missing {
		for _, o := range pl.indexed {
			if o.name == p.tool.name || !strings.Contains(miss.description+" "+p.tool.description, o.name) ||
				!o.reads {
				continue
			}
			text := strings.Join(pl.goal, "\n")
			q := pl.fill(o, clause{text: text, full: text})
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
func (pl *planner) question(p candidate) string {
	miss := p.missing[0]
	q := upperFirst(pl.questionFor(miss))
	if told := toldBy(miss); told != "" {
		q = "Could you tell me " + told
	} else if noun := nounOf(p.tool.name); noun != "" && !isDate(miss) && !strings.Contains(spoken(miss.name), noun) {
		q += " for " + withArticle(p.tool, noun)
	}
	if len(miss.enum) > 0 {
		var options []string
		for _, e := range miss.enum {
			options = append(options, spoken(plainValue(e)))
		}
		q += " (" + list(options, "or") + ")"
	} else if known := pl.choices(miss); len(known) > 1 {
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
