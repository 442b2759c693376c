package model

import (
	"regexp"
	"slices"
	"strings"
)

var (
	emailProp  = regexp.MustCompile(`(?i)e-?mail`)
	phoneProp  = regexp.MustCompile(`(?i)phone|mobile|telephone`)
	dialProp   = regexp.MustCompile(`(?i)(?:country|dial\w*|calling)[_ ]?code`)
	nameProp   = regexp.MustCompile(`(?i)(?:^|[_ ])(?:name|title|label|guest|customer|person|who)$|Name$`)
	newProp    = regexp.MustCompile(`(?i)^new[_A-Z]`)
	codeProp   = regexp.MustCompile(`(?i)(?:^|[_ ])(?:code|reference|ref|id|number|no|key|sku|handle)s?$|(?:Code|Id|ID|Number|Ref)$`)
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
	because    = regexp.MustCompile(`(?i)\b(?:because(?: of)?|reason(?: is)?:?|due to|note(?: is)?:?|saying|noting(?: that)?|with the (?:note|message|reason)|message:)\s+(.+)$`)
	pronoun    = regexp.MustCompile(`(?i)\b(?:it|that|this|them|those|these|same|its|there|him|her|uska|use|woh)\b`)
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
	return p.is("string") && len(p.enum) == 0 && p.format != "date" && priceProp.MatchString(p.name) && !codeProp.MatchString(p.name) && !noteProp.MatchString(p.name) &&
		(strings.Contains(p.pattern, `\d`) || strings.Contains(p.pattern, "0-9") || p.format == "decimal" || regexp.MustCompile(`(?i)decimal|amount|price|number|money|per cent|percent`).MatchString(p.description))
}

// date fills one end of a stretch of days, or a single day.
func (f *filler) date(p property, required bool) (any, bool) {
	sources := f.texts
	if required || pronoun.MatchString(f.clause.full) {
		sources = slices.Concat(f.texts, f.older)
	}
	isEnd := endProp.MatchString(p.name) && !startProp.MatchString(p.name)
	isStart := startProp.MatchString(p.name) && !isEnd
	for i, facts := range sources {
		if len(facts.spans) == 0 {
			continue
		}
		s := facts.spans[0]
		if otherProp.MatchString(p.name) {
			if len(facts.spans) < 2 {
				continue
			}
			s = facts.spans[1]
		}
		// Two separate days in one text are the two ends.
		if s.day && isEnd && len(facts.spans) > 1 && facts.spans[1].day {
			return stamp(p, facts.spans[1].from.Format(isoDate)), true
		}
		switch {
		case p.name == "month" && monthText.MatchString(p.description):
			return s.from.Format("2006-01"), true
		case !isStart && !isEnd:
			return stamp(p, s.from.Format(isoDate)), true
		case isStart && s.day && onlyEnd(facts.text):
			continue
		case isStart:
			return stamp(p, s.from.Format(isoDate)), true
		}
		stay := regexp.MustCompile(`(?i)check_?out|depart|leav`).MatchString(p.name)
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
		case onlyEnd(facts.text):
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

func nightsOfAll(lists ...[]*facts) int {
	for _, list := range lists {
		for _, facts := range list {
			if facts.nights > 0 {
				return facts.nights
			}
		}
	}
	return 0
}

// onlyEnd says whether a single day in text is the last one.
func onlyEnd(text string) bool {
	c := conceptsIn(text)
	return c["checkout"] && !c["checkin"] || untilDay.MatchString(text)
}

var untilDay = regexp.MustCompile(`(?i)\b(?:until|till|through|up to|by)\s+(?:the\s+)?(?:\d|mon|tue|wed|thu|fri|sat|sun|tom|next|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)`)

func stamp(p property, day string) string {
	if p.format == "date-time" {
		return day + "T00:00:00Z"
	}
	return day
}

// text fills a string by what its name and description say it is.
func (f *filler) text(p property, required bool) (any, bool) {
	named := func(pick func(*facts) []string) (any, bool) {
		for _, facts := range f.evidence(required) {
			if list := pick(facts); len(list) > 0 {
				return list[0], true
			}
		}
		return nil, false
	}
	subject := strings.ToLower(p.name + " " + p.description)
	switch {
	case emailProp.MatchString(p.name) || p.format == "email":
		return named(func(t *facts) []string { return t.emails })
	case dialProp.MatchString(p.name):
		v, ok := named(func(t *facts) []string { return t.phones })
		if dial, _, found := strings.Cut(str(v), " "); ok && found && strings.HasPrefix(dial, "+") {
			return dial, true
		}
		return nil, false
	case phoneProp.MatchString(p.name):
		v, ok := named(func(t *facts) []string { return t.phones })
		if dial, rest, found := strings.Cut(str(v), " "); ok && found && strings.HasPrefix(dial, "+") && f.hasProp(dialProp) {
			return strings.TrimSpace(rest), true
		}
		return v, ok
	case isDecimal(p):
		return nil, false // assigned with the numbers
	case newProp.MatchString(p.name):
		return f.newName()
	case nameProp.MatchString(p.name) && !f.identifies(p, required):
		return f.newName()
	case searchProp.MatchString(p.name):
		if v, ok := named(func(t *facts) []string { return slices.Concat(t.quoted, t.codes, t.emails, t.proper) }); ok || !required {
			return v, ok
		}
		return f.leftover(p)
	case noteProp.MatchString(p.name):
		for _, facts := range f.texts {
			if m := because.FindStringSubmatch(facts.text); m != nil {
				return strings.TrimRight(m[1], " ."), true
			}
		}
		if required {
			return named(func(t *facts) []string { return t.quoted })
		}
		return nil, false
	case codeProp.MatchString(p.name), strings.Contains(subject, "code"), nameProp.MatchString(p.name), f.identifies(p, required):
		return f.identify(p, required)
	}
	if required {
		return f.identify(p, required)
	}
	return nil, false
}

func str(v any) string { s, _ := v.(string); return s }

func (f *filler) hasProp(shape *regexp.Regexp) bool {
	return slices.ContainsFunc(f.tool.params.props, func(p property) bool { return shape.MatchString(p.name) })
}

// evidence is where plain facts may come from: the goal, and for a required
// field or after a pronoun also what the user wrote earlier.
func (f *filler) evidence(required bool) []*facts {
	if required || pronoun.MatchString(f.clause.full) {
		return slices.Concat(f.texts, f.older)
	}
	return f.texts
}

// identifies says whether p names the thing that the call is about, rather
// than giving it a name: always when looking or deleting, and for an update
// only the required field.
func (f *filler) identifies(p property, required bool) bool {
	switch f.tool.verb {
	case "create", "record", "remember", "save", "add":
		// In a create, a name with another noun refers to something there is.
		return false
	case "update":
		return required
	}
	return required || mentions(f.clause.text, p)
}

// newName is a name that the user gives to something.
func (f *filler) newName() (any, bool) {
	for _, facts := range f.texts {
		if facts.renamed != "" {
			return facts.renamed, true
		}
	}
	if f.tool.verb == "update" {
		return nil, false
	}
	for _, facts := range f.texts {
		switch {
		case facts.named != "":
			return facts.named, true
		case len(facts.quoted) > 0:
			return facts.quoted[0], true
		case len(facts.proper) > 0:
			return facts.proper[0], true
		}
	}
	return nil, false
}
