package forms

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/money"
	"github.com/bellhop-ai/bellhop/pkg/tool"
)

// Diff is what an update would change: one line for each field that would
// differ, as people read it. Hint is said when nothing would.
type Diff struct {
	Lines []tool.Line
	Hint  string
}

// Changed adds a line when after is given and reads otherwise than before. It
// reports whether it did.
func Changed[T any](d *Diff, label string, before T, after *T, show func(T) string) bool {
	if after == nil {
		return false
	}
	was, is := cmp.Or(show(before), "none"), cmp.Or(show(*after), "none")
	if was == is {
		return false
	}
	d.Lines = append(d.Lines, tool.Line{Label: label, Before: was, After: is})
	return true
}

// Preview shows the change of an item that is called name (code). It is a
// fault.Invalid error with the code "nothing_to_change" when the diff is empty.
// kind is what such an item is called, target the row that changes.
func (d *Diff) Preview(kind, name string, target tool.Target, warnings []string) (tool.Preview, error) {
	if len(d.Lines) == 0 {
		hint := strings.TrimSpace("Say what is to be different. " + d.Hint)
		return tool.Preview{}, fault.New(fault.Invalid,
			"Nothing would change: the %s %s (%s) is like that already. %s", kind, name, target.Key,
			hint).WithCode("nothing_to_change")
	}
	return tool.Preview{
		Title: "Change the " + kind + " " + name + " (" + target.Key + ")", Lines: d.Lines, Warnings: warnings,
		Targets: []tool.Target{target},
	}, nil
}

// Plain shows a text as it is.
func Plain(s string) string { return s }

// Whole shows a whole number.
func Whole(n int) string { return strconv.Itoa(n) }

// Yes shows a truth.
func Yes(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}

// Joined shows a list of words.
func Joined(words []string) string { return strings.Join(words, ", ") }

// In returns a function that shows an amount of the currency.
func In(currency string) func(money.Amount) string {
	return func(a money.Amount) string { return a.Format(currency) }
}

// Rate shows a tax or another percentage of which 0 is none.
func Rate(rate money.Amount) string {
	if rate.IsZero() {
		return "none"
	}
	return Percentage(rate)
}

// Percentage shows a percentage.
func Percentage(rate money.Amount) string { return rate.Round(rate.Decimals()).String() + " %" }
