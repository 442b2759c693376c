package model

import (
	"regexp"
	"slices"
	"strings"
)

var (
	negative = regexp.MustCompile(`(?i)बंद|खत्म|नहीं|\b(?:band|khatam|nahi|not|no|ran ` +
		`out|without|un|non|isn't|off|out of|finished|exclude|excluding|stop|never|sold ` +
		`out|disable[d]?|deactivate[d]?|unavailable|inactive)\b`)
	opposites = map[string][]string{
		"active":   {"inactive"},
		"availabl": {"unavailabl"}, "available": {"unavailabl"},
		"enable": {"disabl"},
	}
	positive = regexp.MustCompile(`(?i)चालू|वापस|फिर से|\b(?:chalu|wapas|phir ` +
		`se|on|enable[d]?|activate[d]?|active|available|include|including|with|also|back)\b`)
)

// boolean is set only when the words of the property, or their opposites, are
// there.
func (f *filler) boolean(p property) (any, bool) {
	if useProp.MatchString(p.name) && !f.tool.reads && f.tool.verb != "create" {
		switch text := latin(f.texts[0].text); {
		case outOfUse.MatchString(text):
			return false, true
		case intoUse.MatchString(text):
			return true, true
		}
	}
	for _, entities := range f.texts {
		low := strings.ToLower(entities.text)
		said := f.planner.conceptsIn(low)
		for _, t := range f.planner.terms(spoken(p.name)) {
			if slices.Contains([]string{"includ", "include", "is", "only", "show", "list"}, t.concept) {
				continue
			}
			raw := stem(t.raw)
			if raw == "inactiv" && f.tool.reads && outOfSale.MatchString(low) {
				return true, true
			}
			for _, w := range f.planner.wordsIn(low) {
				s := stem(w)
				if s == "in"+raw || s == "un"+raw || has(opposites[raw], s) {
					return false, true
				}
				if s == raw {
					return !deniedNear(low, w), true
				}
			}
			if t.concept == "available" || t.concept == "active" {
				if f.tool.verb == "toggle" && negative.MatchString(low) {
					return false, true
				}
				if f.tool.verb == "toggle" && positive.MatchString(low) {
					return true, true
				}
			}
			if said[t.concept] {
				return !negative.MatchString(low) || t.concept == "inactive", true
			}
		}
	}
	return nil, false
}

var (
	useProp  = regexp.MustCompile(`(?i)^(?:is_)?(?:active|enabled|available)$`)
	outOfUse = regexp.MustCompile(`(?i)\b(?:deactivat\w*|disabl\w*|suspend\w*|stop\w*|(?:switch|turn)(?:ed)? ` +
		`off|tak\w+ .*\b(?:off|out)|no longer|any ?more|inactive|unavailable|hide|pause\w*|band)\b`)
	outOfSale = regexp.MustCompile(`(?i)\b(?:disabled|deactivated|(?:switched|turned) off|no longer ` +
		`\w+|discontinued|retired|hidden)\b`)
	intoUse = regexp.MustCompile(`(?i)\b(?:re-?activat\w*|activat\w*|enabl\w*|resum\w*|(?:bring|put|is|are)\b.*\bback|back on|again|(?:switch|turn)(?:ed)? on|chalu|wapas|phir se)\b`)
)

// deniedNear says whether a negative word stands shortly before w.
func deniedNear(text, w string) bool {
	i := strings.Index(text, w)
	return negative.MatchString(text[max(0, i-14):i])
}
