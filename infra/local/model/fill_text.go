package model

import (
	"regexp"
	"slices"
	"strings"
	"time"
)

var (
	emailProp = regexp.MustCompile(`(?i)e-?mail`)
	phoneProp = regexp.MustCompile(`(?i)phone|mobile|telephone`)
	dialProp  = regexp.MustCompile(`(?i)(?:country|dial\w*|calling)[_ ]?code`)
	nameProp  = regexp.MustCompile(`(?i)(?:^|[_ ])(?:name|title|label|person|who)$|Name$`)
	newProp   = regexp.MustCompile(`(?i)^new[_A-Z]`)
	codeProp  = regexp.MustCompile(`(?i)(?:^|[_ ` +
		`])(?:code|reference|ref|id|number|no|key|sku|handle)s?$|(?:Code|Id|ID|Number|Ref)$`)
	searchProp = regexp.MustCompile(`(?i)^(?:q|query|search|term|keyword|keywords|text|filter|search_\w+)$`)
	noteProp   = regexp.MustCompile(`(?i)note|comment|reason|description|message|request|remark|memo|instruction|content|body|question`)
	priceProp  = regexp.MustCompile(`(?i)price|cost|rate|amount|fee|total|budget|charge|value|discount|percent|tax`)
	startProp  = regexp.MustCompile(`(?i)check_?in|^from|_from$|start|begin|arriv|since|after|depart(?:ure)?_date$`)
	endProp    = regexp.MustCompile(`(?i)check_?out|^to$|^to_|_to$|end|until|till|through|leav|before|return|thru`)
	dateProp   = regexp.MustCompile(`(?i)date|(?:^|_)(?:day|on|from|until|since|arrival|departure)$|check_?(?:in|out)|_at$`)
	dateText   = regexp.MustCompile(`(?i)YYYY-MM-DD|ISO 8601|\bdate\b|\bdays?\b|yyyy`)
	monthText  = regexp.MustCompile(`YYYY-MM(?:[^-]|$)`)
	otherProp  = regexp.MustCompile(`(?i)^(?:other|second|compare\w*|previous)_`)
	exclusive  = regexp.MustCompile(`(?i)exclusive|excluded|not included|half-open|day after|not counted`)
	because    = regexp.MustCompile(`(?i)\b(?:because(?: of)?|reason(?: is)?:?|due to|note(?: ` +
		`is)?:?|saying|noting(?: that)?|with the (?:note|message|reason)|message:)\s+(.+)$`)
	pronoun = regexp.MustCompile(`(?i)\b(?:it|that|this|them|those|these|same|its|there|him|her|uska|use|woh)\b`)
)

func isDate(p property) bool {
	if !p.is("string") || len(p.enum) > 0 {
		return false
	}
	if p.format == "date" || p.format == "date-time" {
		return true
	}
	return dateProp.MatchString(p.name) && !strings.Contains(p.name, "update") ||
		(startProp.MatchString(p.name) || endProp.MatchString(p.name)) && dateText.MatchString(p.description) ||
		p.name == "month" && monthText.MatchString(p.description)
}

// isDecimal says whether a string holds an amount.
func isDecimal(p property) bool {
	return p.is("string") && len(p.enum) == 0 && p.format != "date" && priceProp.MatchString(p.name) &&
		!codeProp.MatchString(p.name) && !noteProp.MatchString(p.name) &&
		(strings.Contains(p.pattern, `\d`) || strings.Contains(p.pattern, "0-9") || p.format == "decimal" ||
			regexp.MustCompile(`(?i)decimal|amount|price|number|money|per cent|percent`).MatchString(p.description))
}

// date fills one end of a stretch of days, or a single day.
func (f *filler) date(p property, required bool) (any, bool) {
	if !required && f.belongsToSibling(p) {
		return nil, false
	}
	sources := f.texts
	if required || pronoun.MatchString(f.clause.full) || elliptic.MatchString(f.clause.text) {
		sources = slices.Concat(f.texts, f.older)
	}
	isEnd := isLast(p)
	isStart := startProp.MatchString(p.name) && !isEnd
	stay := regexp.MustCompile(`(?i)check_?(?:in|out)|depart|leav`).MatchString(p.name)
	for i, entities := range sources {
		if len(entities.spans) == 0 {
			continue
		}
		s := entities.spans[0]
		if stay && s.period && s.until.Sub(s.from) > 14*24*time.Hour {
			continue // nobody stays for a month
		}
		if otherProp.MatchString(p.name) {
			if len(entities.spans) < 2 || f.choiceSays(entities, entities.spans[1]) {
				continue
			}
			s = entities.spans[1]
		}
		// Two separate days in one text are the two ends.
		if s.day && isEnd && len(entities.spans) > 1 && entities.spans[1].day {
			return stamp(p, entities.spans[1].from.Format(isoDate)), true
		}
		switch {
		case p.name == "month" && monthText.MatchString(p.description):
			return s.from.Format("2006-01"), true
		case !isStart && !isEnd && !s.day && entities == f.texts[0]:
			return nil, false // a period is no day
		case !isStart && !isEnd:
			return stamp(p, s.from.Format(isoDate)), true
		case isStart && s.day && f.onlyEnd(entities.text):
			continue
		case isStart:
			return stamp(p, s.from.Format(isoDate)), true
		}
		if !s.day {
			if s.period && (stay || exclusive.MatchString(p.description)) {
				return stamp(p, s.until.Format(isoDate)), true
			}
			return stamp(p, s.last().Format(isoDate)), true
		}
		if n := nightsOfAll(sources[i:], f.texts); n > 0 {
			return stamp(p, s.from.AddDate(0, 0, n).Format(isoDate)), true
		}
		switch {
		case f.onlyEnd(entities.text):
			return stamp(p, s.from.Format(isoDate)), true
		case stay && !f.tool.reads, stay && !required:
			continue // how long is not for us to guess when something is written
		case stay, exclusive.MatchString(p.description):
			return stamp(p, s.until.Format(isoDate)), true
		case required || f.tool.reads:
			return stamp(p, s.from.Format(isoDate)), true
		}
	}
	return nil, false
}

// belongsToSibling says whether days are rather those of another argument for the same end
// of a stretch: of "valid_to" and "stay_to" the one whose word was said, else the first.
func (f *filler) belongsToSibling(p property) bool {
	said := f.planner.conceptsIn(f.texts[0].text)
	own := func(o property) bool {
		terms := f.planner.terms(spoken(o.name))
		return len(terms) > 0 && said[terms[0].concept]
	}
	if otherProp.MatchString(p.name) || own(p) {
		return false
	}
	isEarlier := false
	for _, o := range f.tool.params.props {
		switch {
		case o.name == p.name:
			isEarlier = true
		case !isDate(o) || otherProp.MatchString(o.name) || isLast(o) != isLast(p) ||
			startProp.MatchString(o.name) != startProp.MatchString(p.name):
		case own(o), !isEarlier:
			return true
		}
	}
	return false
}

// choiceSays says whether the words of a span choose a value of an enum: "last year"
// is no second period where compare_with has last_year.
func (f *filler) choiceSays(e *entities, s span) bool {
	said := strings.ToLower(strings.TrimSpace(e.text[s.start:s.end]))
	return slices.ContainsFunc(f.tool.params.props, func(p property) bool {
		return slices.ContainsFunc(p.enum, func(v any) bool { return spoken(str(v)) == said })
	})
}

func nightsOfAll(lists ...[]*entities) int {
	for _, list := range lists {
		for _, entities := range list {
			if entities.nights > 0 {
				return entities.nights
			}
		}
	}
	return 0
}

// onlyEnd says whether a single day in text is the last one: the text has the
// words of an argument for the last day, and of none for the first.
func (f *filler) onlyEnd(text string) bool {
	said := f.planner.conceptsIn(text)
	var first, last bool
	for _, p := range f.tool.params.props {
		named := isDate(p) && overlap(said, f.planner.conceptsIn(spoken(p.name))) > 0
		first, last = first || named && startProp.MatchString(p.name), last || named && isLast(p)
	}
	text = latin(text)
	return last && !first || untilDay.MatchString(text) || takWord.MatchString(text) && !seWord.MatchString(text)
}

// isLast says whether an argument is the last day of a stretch.
func isLast(p property) bool {
	return endProp.MatchString(p.name) && !startProp.MatchString(p.name) || lastDay.MatchString(p.name)
}

var lastDay = regexp.MustCompile(`(?i)_(?:until|till|to|end)$`)

var takWord, seWord = regexp.MustCompile(`(?i)\btak\b`), regexp.MustCompile(`(?i)\bse\b`)

var untilDay = regexp.MustCompile(`(?i)\b(?:ends? on|ending on|until|till|through|up to|by|extend\w*(?: \S+){0,4} ` +
	`to)\s+(?:the\s+)?(?:\d|mon|tue|wed|thu|fri|sat|sun|tom|next|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)`)

func stamp(p property, day string) string {
	if p.format == "date-time" {
		return day + "T00:00:00Z"
	}
	return day
}

// text fills a string by what its name and description say it is.
func (f *filler) text(p property, required bool) (any, bool) {
	named := func(pick func(*entities) []string) (any, bool) {
		for _, entities := range f.evidence(required) {
			if list := pick(entities); len(list) > 0 {
				return list[0], true
			}
		}
		return nil, false
	}
	switch {
	case emailProp.MatchString(p.name) || p.format == "email":
		return named(func(t *entities) []string { return t.emails })
	case dialProp.MatchString(p.name):
		v, ok := named(func(t *entities) []string { return t.phones })
		if dial, _, found := strings.Cut(str(v), " "); ok && found && strings.HasPrefix(dial, "+") {
			return dial, true
		}
		return nil, false
	case phoneProp.MatchString(p.name):
		v, ok := named(func(t *entities) []string { return t.phones })
		if dial, rest, found := strings.Cut(str(v), " "); ok && found && strings.HasPrefix(dial, "+") &&
			f.hasProp(dialProp) {
			return strings.TrimSpace(rest), true
		}
		return v, ok
	case isDecimal(p):
		return nil, false // assigned with the numbers
	case newProp.MatchString(p.name), p.name == "name" && f.tool.verb != "create":
		return f.newName()
	}
	switch f.roleOf(p, required) {
	case refers:
		return f.earlier(p, required)
	case queries:
		return named(func(t *entities) []string { return slices.Concat(t.emails, t.phones) })
	case coins:
		return nil, false // named, and assigned, or not there
	}
	if noteProp.MatchString(p.name) {
		return f.note(p, required)
	}
	return nil, false
}

var colon = regexp.MustCompile(`:\s+(\S.*)$`)

// note takes what somebody wants to be written down: behind a word that says so, or
// behind a colon where the argument's own word stands before it.
func (f *filler) note(p property, required bool) (any, bool) {
	for _, e := range f.texts {
		m := colon.FindStringSubmatchIndex(e.text)
		isOf := func(o property) bool {
			return noteProp.MatchString(o.name) && f.planner.mentions(e.text[:m[0]], o)
		}
		if m != nil && !f.planner.mentions(e.text[:m[0]], p) && slices.ContainsFunc(f.tool.params.props, isOf) {
			continue // what stands behind the colon is another argument's
		}
		if found := because.FindStringSubmatch(e.text); found != nil && m == nil {
			return strings.TrimRight(found[1], " ."), true
		}
		if m := colon.FindStringSubmatchIndex(e.text); m != nil && f.planner.mentions(e.text[:m[0]], p) {
			for i := range e.mentions {
				e.mentions[i].isTaken = e.mentions[i].isTaken || e.mentions[i].start >= m[2]
			}
			return strings.TrimRight(e.text[m[2]:], " ."), true
		}
		if required && len(e.quoted) > 0 {
			return e.quoted[0], true
		}
	}
	return nil, false
}

// isFirst says whether p is what the tool is about: its first reference.
func (f *filler) isFirst(p property) bool {
	for _, each := range f.tool.params.props {
		if f.roleOf(each, f.tool.params.needs(each.name)) == refers {
			return each.name == p.name
		}
	}
	return false
}

// earlier finds what a text speaks of without naming it: "it" after a result or a
// call, and what a result knows by another of its values.
func (f *filler) earlier(p property, required bool) (any, bool) {
	for _, e := range f.texts {
		if known := f.planner.knownFor(e.text, p); known != "" && (required || f.planner.mentions(e.text, p)) {
			return known, true
		}
	}
	if !required && pronoun.MatchString(f.clause.text) && f.isFirst(p) {
		return f.planner.argOfLastCall(p.name)
	}
	if !required && !f.planner.mentions(f.clause.full, p) {
		return nil, false
	}
	if pronoun.MatchString(f.clause.full) || f.planner.followsUp() {
		if v, ok := f.planner.spokenOf(p); ok {
			return v, true
		}
		for _, e := range f.older {
			for _, m := range e.mentions {
				if m.how == byCode && likeness(m.text, p.description) >= 0 {
					return m.text, true
				}
			}
		}
	}
	return nil, false
}

func str(v any) string { s, _ := v.(string); return s }

func (f *filler) hasProp(shape *regexp.Regexp) bool {
	return slices.ContainsFunc(f.tool.params.props, func(p property) bool { return shape.MatchString(p.name) })
}

// evidence is where plain entities may come from: the goal, and for a required
// field or after a pronoun also what the user wrote earlier.
func (f *filler) evidence(required bool) []*entities {
	if required || pronoun.MatchString(f.clause.full) {
		return slices.Concat(f.texts, f.older)
	}
	return f.texts
}

// newName is a name that the user gives to something.
func (f *filler) newName() (any, bool) {
	for _, entities := range f.texts {
		if entities.renamed != "" {
			return entities.renamed, true
		}
	}
	return nil, false
}
