package infra_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
)

const faultsHead = `# Faults

What may go wrong, what has to come of it, and the tests that show it. This file is made by ` +
	"`go test ./infra -run TestFaults -update`" + `
from the comments "F-nn" of the tests; what stands open is written by hand in ` + "`infra/faults_rows_test.go`" +
	`. A test counts when it drives the
product: tests of the stand-ins in ` + "`infra/local`" + ` do not.

`

// TestFaults holds docs/faults.md to the tests.
func TestFaults(t *testing.T) {
	var rows []shownRow
	for _, r := range faultRows() {
		rows = append(rows, shownRow{id: r.id, cells: []string{r.fault, r.outcome}, open: r.open})
	}
	shownPage{
		file: "docs/faults.md", test: "TestFaults", head: faultsHead, rows: rows,
		columns: "| | fault | required | state | tests, and what is open |",
		id:      regexp.MustCompile(`\bF-[0-9]{2}\b`),
		judge: func(row shownRow, tests []string) (state, wrong string) {
			switch {
			case len(tests) == 0 && row.open == "":
				return standsOpen, "no test names it, and nothing says why"
			case len(tests) == 0 && strings.HasPrefix(row.open, "comes with"):
				return notYet, ""
			case len(tests) == 0:
				return standsOpen, ""
			case row.open != "":
				return partly, ""
			}
			return shown, ""
		},
		count: func(states map[string]int) string {
			return fmt.Sprintf("%d rows: %d shown, %d partly, %d open, %d not yet, for want of what they are about.",
				len(rows), states[shown], states[partly], states[standsOpen], states[notYet])
		},
	}.check(t)
}
