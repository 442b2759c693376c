package specialists

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/planner/trip"
	"github.com/bellhop-ai/bellhop/pkg/travel/flights"
)

// refusal is what stands before a mode of transport that is not wanted: "no", "I don't
// want to take a", "without trains or".
const refusal = `(?i)\b(?:no|not|never|without|avoid(?:ing)?|don'?t|won'?t|can(?:no|')t|hates?)\b` +
	`(?:[\s,]+(?:want|wish|any|a|an|the|to|by|take|taking|go|going|use|using|like|or|more)\b)*` +
	`(?:[\s,]+\w+[\s,]+(?:or|and|nor)\b)?[\s,]+`

// Words of constraints by which a mode of transport is not wanted.
var (
	noFlights = regexp.MustCompile(refusal + `(?:flights?|fly(?:ing)?|planes?|air(?:craft|planes?| travel))\b`)
	noTrains  = regexp.MustCompile(refusal + `(?:trains?|rail(?:way)?s?)\b`)
	noBuses   = regexp.MustCompile(refusal + `(?:bus(?:es)?|coach(?:es)?)\b`)
	noCars    = regexp.MustCompile(refusal + `(?:cars?|driv(?:e|ing))\b`)
	noFerries = regexp.MustCompile(refusal + `(?:ferr(?:y|ies)|boats?|ships?)\b`)
)

// refusalOf returns the words that refuse a mode, nil for local transport.
func refusalOf(mode string) *regexp.Regexp {
	switch mode {
	case flightMode:
		return noFlights
	case trainMode:
		return noTrains
	case busMode:
		return noBuses
	case carMode:
		return noCars
	case ferryMode:
		return noFerries
	}
	return nil
}

// only are words of constraints by which one mode alone is wanted.
var only = regexp.MustCompile(`(?i)\b(?:only (?:by )?(train|bus|car|ferry)s?|(?:by )?(train|bus|car|ferry)s? only)\b`)

// bounds are words after a mode that bound it and do not refuse it: "no flights before 9".
var bounds = regexp.MustCompile(`(?i)^\s*(?:that|which|before|after|earlier|later|until|till|from|at|over|longer|` +
	`under|with|without|via|through|between|in|on|leaving|departing|arriving|landing|more)\b`)

// Allows reports whether the constraints of a trip leave a mode of transport open.
func Allows(c trip.Context, mode string) bool {
	for _, text := range c.Constraints {
		if r := refusalOf(mode); r != nil {
			if at := r.FindStringIndex(text); at != nil && !bounds.MatchString(text[at[1]:]) {
				return false
			}
		}
		if m := only.FindStringSubmatch(text); m != nil && mode != localMode &&
			!strings.EqualFold(cmp.Or(m[1], m[2]), mode) {
			return false
		}
	}
	return true
}

// Wishes about flights.
var (
	nonStop = regexp.MustCompile(`(?i)\b(?:direct|non[- ]?stop)\b|` +
		`\bno (?:connect\w*|stops?|stop ?overs?|lay ?overs?)\b`)
	checkedBag   = regexp.MustCompile(`(?i)\bchecked (?:bags?|luggage|baggage)\b|\bhold luggage\b|\bsuitcases?\b`)
	noNights     = regexp.MustCompile(`(?i)\bno (?:night|overnight)\b|\bno red[- ]?eyes?\b`)
	noMornings   = regexp.MustCompile(`(?i)\b(?:no|not|without) (?:too )?early\b|\blate starts?\b`)
	premiumCabin = regexp.MustCompile(`(?i)\bpremium economy\b`)
	businessSeat = regexp.MustCompile(`(?i)\bbusiness[- ]class\b|\bfly(?:ing)? business\b`)
	firstCabin   = regexp.MustCompile(`(?i)\bfirst[- ]class\b|\bfly(?:ing)? first\b`)
)

// wants reports whether the person's constraints or must-dos have words of a kind.
func wants(c trip.Context, words *regexp.Regexp) bool {
	return slices.ContainsFunc(slices.Concat(c.Constraints, c.MustDos), words.MatchString)
}

// cabin returns the class in which flights are searched for.
func cabin(c trip.Context) flights.Cabin {
	switch {
	case wants(c, premiumCabin):
		return flights.PremiumEconomy
	case wants(c, businessSeat):
		return flights.Business
	case wants(c, firstCabin):
		return flights.First
	}
	return flights.Economy
}
