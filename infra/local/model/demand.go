package model

import (
	"regexp"
	"slices"
	"strings"
)

// demand adds to what is missing by what descriptions say and what a call without it
// would mean: a change of nothing, or of nobody knows what.
func (f *filler) demand(p *candidate) {
	adds := f.adds()
	var refs, others []property
	given := 0 // of what is no reference
	for _, each := range f.tool.params.props {
		_, has := p.args[each.name]
		switch {
		case f.roleOf(each, f.tool.params.needs(each.name)) == refers:
			refs = append(refs, each)
		default:
			others = append(others, each)
			if has {
				given++
			}
		}
		if !has && !f.tool.params.needs(each.name) && (adds && forNew.MatchString(each.description) ||
			f.mustBeKnown(each)) {
			p.missing = append(p.missing, each)
		}
	}
	for _, each := range f.tool.params.props {
		// What is switched has to be said, unless it is only turned round.
		if _, has := p.args[each.name]; !has && each.is("boolean") && f.tool.verb == "toggle" &&
			!turnedRound.MatchString(f.texts[0].text) {
			p.missing = append(p.missing, each)
		}
	}
	named := slices.ContainsFunc(refs, func(r property) bool { _, has := p.args[r.name]; return has })
	missing := func(r property) {
		if !slices.ContainsFunc(p.missing, func(m property) bool { return m.name == r.name }) {
			p.missing = append(p.missing, r)
		}
	}
	switch {
	case len(p.missing) > 0 || len(refs) == 0:
	case !named && (!f.tool.reads && f.tool.verb != "create" && !adds || f.tool.reads &&
		aboutOne.MatchString(firstLine(f.tool.description))) &&
		!slices.ContainsFunc(refs, func(r property) bool { return strings.Contains(r.description, "left out") }):
		if last, ok := f.planner.argOfLastCall(refs[0].name); ok && f.tool.reads && len(f.texts[0].mentions) == 0 {
			// "How many people fit in" is asked of the one that was shown.
			p.args[refs[0].name], p.order = last, append(p.order, refs[0].name)
			return
		}
		missing(refs[0])
	case !f.tool.reads && f.tool.verb == "update" && len(others) > 1 && given == 0 && !f.changesRef(p, refs):
		missing(property{name: "change", schema: &schema{types: []string{"string"},
			description: "what should become different"}})
	}
}

// changesRef says whether one of the later references is given, such as the new room
// of a booking.
func (f *filler) changesRef(p *candidate, refs []property) bool {
	return slices.ContainsFunc(refs[1:], func(r property) bool { _, has := p.args[r.name]; return has })
}

var (
	aboutOne    = regexp.MustCompile(`(?i)\b(?:shows|gives|describes|tells)\b.* one\b`)
	forNew      = regexp.MustCompile(`(?i)\brequired for a new\b`)
	turnedRound = regexp.MustCompile(`(?i)\b(?:toggle|flip|switch)\b`)
	leftOut     = regexp.MustCompile(`(?i)\bto change; leave it out to add\b`)
	mustBe      = regexp.MustCompile(`(?i)([\w ,]+) must be known`)
)

// adds says whether a tool that adds and changes is asked to add.
func (f *filler) adds() bool {
	if !slices.ContainsFunc(f.tool.params.props, func(p property) bool { return leftOut.MatchString(p.description) }) {
		return false
	}
	return f.planner.conceptsIn(f.texts[0].text)["create"]
}

// mustBeKnown says whether the tool's description asks for the argument: "Name,
// price and kind must be known".
func (f *filler) mustBeKnown(p property) bool {
	found := mustBe.FindStringSubmatch(f.tool.description)
	return found != nil && slices.Contains(f.planner.wordsIn(found[1]), p.name) && isNumeric(p)
}
