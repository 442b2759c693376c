package views

import (
	"encoding/json"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/finance/language"
	"github.com/bellhop-ai/bellhop/pkg/money"
)

// derivations are figures that the answer does not state, by the name behind "@".
func derivations() map[string]func(s shown) any {
	return map[string]func(s shown) any{
		// owing is how many customers or vendors have an open balance.
		"owing":   func(s shown) any { return countOf(at(s.answer, "contacts"), "total") },
		"overdue": func(s shown) any { return countOf(at(s.answer, "contacts"), "overdue") },
		"oldest":  func(s shown) any { return earliest(at(s.answer, "contacts"), "overdue", "oldest_due") },
		// open is how much of a list of contacts is open, and how many of them owe.
		"open customers": func(s shown) any { return countOf(at(s.answer, "customers"), "balance") },
		"open vendors":   func(s shown) any { return countOf(at(s.answer, "vendors"), "balance") },
		"customers sum":  func(s shown) any { return sumOf(at(s.answer, "customers"), "balance") },
		"vendors sum":    func(s shown) any { return sumOf(at(s.answer, "vendors"), "balance") },
		"statement sum":  func(s shown) any { return sumOf(at(s.answer, "bank_accounts"), "statement_balance") },
		"book sum":       func(s shown) any { return sumOf(at(s.answer, "bank_accounts"), "book_balance") },
		"low":            func(s shown) any { return countOf(at(s.answer, "products"), "low") },
		"stock value":    func(s shown) any { return sumOf(at(s.answer, "products"), "value") },
		"not filed":      func(s shown) any { return len(open(at(s.answer, "due_dates"))) },
		"late":           func(s shown) any { return countWhere(at(s.answer, "due_dates"), "status", "overdue") },
		"next due":       func(s shown) any { return firstOf(open(at(s.answer, "due_dates"))) },
		"next return": func(s shown) any {
			for _, r := range open(at(s.answer, "due_dates")) {
				if form, _ := at(r, "form").(string); strings.HasPrefix(form, "GSTR-1") || form == "GSTR-3B" {
					return r
				}
			}
			return nil
		},
		"budget":       func(s shown) any { return sumWhere(at(s.answer, "accounts"), "budget", "revenue", true) },
		"actual":       func(s shown) any { return sumWhere(at(s.answer, "accounts"), "actual", "revenue", true) },
		"cost budget":  func(s shown) any { return sumWhere(at(s.answer, "accounts"), "budget", "revenue", false) },
		"cost actual":  func(s shown) any { return sumWhere(at(s.answer, "accounts"), "actual", "revenue", false) },
		"forecast sum": func(s shown) any { return sumOf(at(s.answer, "months"), "amount") },
		"postings":     func(s shown) any { return countOf(at(s.answer, "suggestions"), "postings") },
		"highest row":  func(s shown) any { return highest(at(s.answer, "rows"), "amount") },
		"highest":      func(s shown) any { return highest(at(s.answer, "months"), "amount") },
		"lowest cash":  func(s shown) any { return lowest(at(s.answer, "months"), "closing") },
		"payments title": func(s shown) any {
			return map[string]string{"receipt": "Receipts from customers", "payment": "Payments to vendors",
				"": "Receipts and payments"}[scalar(at(s.arguments, "kind"))]
		},
		"findings": func(s shown) any {
			var out []string
			for _, f := range list(at(s.answer, "findings")) {
				out = append(out, clean(scalar(at(f, "text")), maxName))
			}
			return strings.Join(out, " ")
		},
		// runway is how long the cash lasts, where it shrinks.
		"runway": func(s shown) any {
			switch months := scalar(at(s.answer, "runway_months")); {
			case months != "":
				return months + " months"
			case scalar(at(s.answer, "cash")) != "":
				return "it does not shrink"
			}
			return nil
		},
		"rates": func(s shown) any { return percents(at(s.answer, "gst")) },
	}
}

func countOf(v any, member string) any {
	n := 0
	for _, r := range list(v) {
		if holds(at(r, member)) {
			n++
		}
	}
	return n
}

func countWhere(v any, member, value string) any {
	n := 0
	for _, r := range list(v) {
		if at(r, member) == value {
			n++
		}
	}
	return n
}

// sumOf adds a member of all records; nil where one of them is no amount.
func sumOf(v any, member string) any {
	sum := money.Zero
	for _, r := range list(v) {
		a, ok := amount(at(r, member))
		if !ok {
			return nil
		}
		var err error
		if sum, err = sum.Add(a); err != nil {
			return nil
		}
	}
	return json.Number(sum.String())
}

// sumWhere adds a member of the accounts of a section, or of all others but of other
// income.
func sumWhere(v any, member, section string, in bool) any {
	var chosen []any
	for _, r := range list(v) {
		if sec := at(r, "section"); (sec == section) == in && (in || sec != "other_income") {
			chosen = append(chosen, r)
		}
	}
	return sumOf(chosen, member)
}

func earliest(v any, member, day string) any {
	var out any
	for _, r := range list(v) {
		d, ok := date(at(r, day))
		if before, _ := date(out); ok && holds(at(r, member)) && (out == nil || d.Before(before)) {
			out = at(r, day)
		}
	}
	return out
}

func open(v any) []any {
	var out []any
	for _, r := range list(v) {
		if at(r, "status") != "filed" {
			out = append(out, r)
		}
	}
	return out
}

func firstOf(l []any) any {
	if len(l) == 0 {
		return nil
	}
	return l[0]
}

func highest(v any, member string) any { return extreme(v, member, 1) }
func lowest(v any, member string) any  { return extreme(v, member, -1) }

func extreme(v any, member string, sign int) any {
	var out any
	var best money.Amount
	for _, r := range list(v) {
		if a, ok := amount(at(r, member)); ok && (out == nil || a.Cmp(best)*sign > 0) {
			out, best = r, a
		}
	}
	return out
}

// percents lists rates: "5 %, 18 %".
func percents(v any) any {
	var out []string
	for _, r := range list(v) {
		if a, ok := amount(r); ok {
			out = append(out, percent.figure(language.English, a))
		}
	}
	return strings.Join(out, ", ")
}
