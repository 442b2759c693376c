package infra_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
)

const acceptanceHead = `# Acceptance lines

What the sources of the assistants ask for, and the tests that show it: S0 is the hotel's assistant, S1 travel, S2
finance, S3 portfolio, S4 the trip planner, SB what they share. This file is made by
` + "`go test ./infra -run TestAcceptance -update`" +
	` from the comments "Sn-nn" of the tests; statements, states and what
is missing are written by hand in ` + "`infra/acceptance_rows_test.go`" +
	` and the file beside it. A line is *shown* when
a door shows it: a function's handler, a tool's JSON form on the real database, the page in a browser, or what is
deployed. It is *partly* shown when something of it is missing or only machinery shows it, and *not yet* when no test
may name it. What the assistants share counts when the hotel's doors show it.

`

// TestAcceptance holds docs/acceptance.md to the tests.
func TestAcceptance(t *testing.T) {
	rows := append(hotelLines(), otherLines()...)
	// The folders whose tests come in where people and programs do.
	door := regexp.MustCompile("^`((pkg/api|pkg/boot|functions|scripts|infra)[/`]|pkg/supabase/" +
		"(hospitality|finance|portfolio)`)")
	shownPage{
		file: "docs/acceptance.md", test: "TestAcceptance", head: acceptanceHead, rows: rows,
		columns: "| | asked for | state | tests, and what is missing |",
		id:      regexp.MustCompile(`\bS[0-4B]-[0-9]+\b`),
		judge: func(row shownRow, tests []string) (state, wrong string) {
			atDoor := false
			for _, test := range tests {
				atDoor = atDoor || door.MatchString(test)
			}
			switch {
			case row.state == notYet && len(tests) > 0:
				wrong = fmt.Sprintf("%v name what is not there yet", tests)
			case row.state != notYet && len(tests) == 0:
				wrong = "no test names it"
			case row.state == shown && !atDoor:
				wrong = fmt.Sprintf("of %v none comes in by a door", tests)
			case (row.state == shown) != (row.open == ""):
				wrong = "what is missing is said of lines that are not shown, and of these only"
			}
			return row.state, wrong
		},
		count: func(states map[string]int) string {
			return fmt.Sprintf("%d lines: %d shown, %d partly, %d not yet.",
				len(rows), states[shown], states[partly], states[notYet])
		},
	}.check(t)
	numbers := map[string]int{}
	for _, row := range rows {
		family, _, _ := strings.Cut(row.id, "-")
		if numbers[family]++; row.id != fmt.Sprintf("%s-%d", family, numbers[family]) {
			t.Errorf("%s stands where %s-%d is due", row.id, family, numbers[family])
		}
	}
	for family, want := range map[string]int{"S0": 62, "S1": 37, "S2": 74, "S3": 33, "S4": 43, "SB": 6} {
		if numbers[family] != want {
			t.Errorf("%s has %d lines, want %d", family, numbers[family], want)
		}
	}
}
