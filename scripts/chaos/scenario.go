package main

import (
	"fmt"
	"strings"
)

// scenario is all that the rig knows of one assistant's domain. Everything else
// is read from the catalogue of its tools and from the database.
type scenario struct {
	assistant string
	tasks     func() []task // what an honest model can do beside lookups

	// free is a query for the first of four days that a task may use, given today,
	// $1, and our organisation, $2.
	free string
	// made is a query for the code of what the task of a reference, $1, made in
	// our organisation, $2. "" makes no $code.
	made string

	tables []string // whose codes an attacker has seen or guesses; the first is the most wanted
	code   string   // one of our codes
	codes  []codesOf
	// pairs are arguments that are days, the second after the first, beside those
	// that every domain has.
	pairs [][2]string
	days  []string            // parts of the names of further arguments that are days
	fixed map[string][]string // what arguments take, where guessing would be in vain
	upTo  map[string]int      // what counts an attacker with arguments that fit keeps to

	asks  []string // what a person says who consents to nothing
	words []string // what is typed where any text fits
	lies  []string // what a model claims to have done
	// keeps are prefixes of tools to which the person never agrees, or there would
	// soon be nothing left to work on.
	keeps []string
}

// codesOf says of which tables the codes in an argument are.
type codesOf struct {
	argument string   // a part of its name
	tools    []string // parts of the names of its tools; none = any
	tables   []string
}

// scenarios returns those of the assistants that are attacked.
func scenarios() []scenario { return []scenario{hospitality()} }

// chosen returns the scenario of the named assistant, or all for "".
func chosen(assistant string) ([]scenario, error) {
	if assistant == "" {
		return scenarios(), nil
	}
	for _, s := range scenarios() {
		if s.assistant == assistant {
			return []scenario{s}, nil
		}
	}
	return nil, fmt.Errorf("there is no scenario for an assistant %q", assistant)
}

// tablesFor returns the tables whose codes an argument of a tool takes.
func (s scenario) tablesFor(tool, argument string) []string {
	for _, c := range s.codes {
		if strings.Contains(argument, c.argument) && (len(c.tools) == 0 || holdsAny(tool, c.tools)) {
			return c.tables
		}
	}
	return nil
}

// pairsOfDays are arguments of which the second is a later day than the first.
func (s scenario) pairsOfDays() [][2]string {
	return append([][2]string{{"start_date", "end_date"}}, s.pairs...)
}

// day reports whether an argument is a day, and whether it is the end of a span.
func (s scenario) day(argument string) (is, end bool) {
	for _, p := range s.pairsOfDays() {
		if argument == p[0] || argument == p[1] {
			return true, argument == p[1]
		}
	}
	end = strings.HasPrefix(argument, "end") || strings.HasSuffix(argument, "_to")
	return end || strings.Contains(argument, "date") || strings.HasSuffix(argument, "from") || argument == "start" ||
		holdsAny(argument, s.days), end
}

func holdsAny(text string, parts []string) bool {
	for _, p := range parts {
		if strings.Contains(text, p) {
			return true
		}
	}
	return false
}
