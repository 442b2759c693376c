package billfile

import (
	"regexp"
	"slices"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/finance/gst"
	"github.com/bellhop-ai/bellhop/pkg/money"
)

// maxItems is how many lines of goods and services are read.
const maxItems = 200

// items reads the lines between the heading of the table and its sums.
func (r *reading) items() {
	inside, codes := false, false
	for _, l := range r.lines {
		switch {
		case itemHeader.MatchString(l.text) && len(figures(tokens(l.text))) == 0:
			inside = true
			codes = codes || hsnHeading.MatchString(l.text)
		case totals.MatchString(l.text):
			inside = false
		case inside && len(r.d.Lines) < maxItems:
			if item, ok := r.item(l, codes); ok {
				r.d.Lines = append(r.d.Lines, item)
			}
		}
	}
	// One rate for all lines may stand only beside the heads of tax.
	rate, ok := r.rateOfHeads()
	for i := range r.d.Lines {
		if ok && !r.d.Lines[i].GSTRate.there() {
			r.d.Lines[i].GSTRate = Amount{rate, r.headsAt}
		}
	}
}

var (
	hsnHeading = regexp.MustCompile(`(?i)\b(?:hsn|sac)\b`)
	hsnShape   = regexp.MustCompile(`^(?:\d{4}|\d{6}|\d{8})$`)
	gluedCode  = regexp.MustCompile(`^(.*\pL)(\d{4}|\d{6}|\d{8})$`)
	unitWord   = regexp.MustCompile(`(?i)^(?:nos?|pcs?|pieces?|kgs?|g|gms?|ltrs?|l|ml|` +
		`mtrs?|m|sets?|box(?:es)?|bags?|pkts?|pairs?|` +
		`dozen|units?|hrs?|hours?|days?|months?|years?|tons?|rolls?|sqft|sqm)\.?$`)
)

// item reads a line of the table: words, a code, and figures of which one is the
// product of two others. Without such figures, one amount alone is the price of one.
func (r *reading) item(l line, codes bool) (Line, bool) {
	words := tokens(l.text)
	if len(words) > 1 {
		// A number before the words is the line's own.
		if f, ok := number(strings.TrimSuffix(words[0], ".")); ok && f.bare && f.value.Cmp(money.FromInt(1000)) < 0 {
			if _, ok := number(words[1]); !ok {
				words = words[1:]
			}
		}
	}
	begin := len(words)
	for begin > 0 && (isFigure(words[begin-1]) || unitWord.MatchString(words[begin-1])) {
		begin--
	}
	if begin == 0 || begin == len(words) {
		return Line{}, false
	}
	item := Line{From: r.from(l)}
	rest := words[begin:]
	about := slices.Clone(words[:begin])
	// What stands before the code belongs to the words: "Cooker 5 L 7323 10 …".
	if i := slices.IndexFunc(rest, hsnShape.MatchString); codes && i >= 0 && i < len(rest)-1 {
		item.HSN = rest[i]
		about, rest = append(about, rest[:i]...), rest[i+1:]
	} else if m := gluedCode.FindStringSubmatch(about[len(about)-1]); codes && m != nil {
		about[len(about)-1], item.HSN = m[1], m[2]
	}
	list := figures(rest)
	var amounts []figure
	for _, f := range list {
		if f.percent {
			item.GSTRate = Amount{f.value, item.From}
		} else {
			amounts = append(amounts, f)
		}
	}
	q, p, a, ok := product(amounts)
	switch {
	case ok:
		item.Quantity, item.Rate, item.Taxable = amounts[q].value, amounts[p].value, amounts[a].value
		if at := amounts[q].at + 1; at < len(rest) && unitWord.MatchString(rest[at]) {
			item.Unit = strings.ToLower(strings.TrimSuffix(rest[at], "."))
		}
		if item.HSN == "" && q > 0 {
			about = append(about, rest[:amounts[q].at]...)
		}
		if !item.GSTRate.there() {
			r.rate(&item, slices.Concat(amounts[:q], amounts[q+1:p], amounts[p+1:a], amounts[a+1:]))
		}
	case len(amounts) == 1:
		item.Quantity, item.Rate, item.Taxable = money.FromInt(1), amounts[0].value, amounts[0].value
	default:
		r.d.Problems = append(r.d.Problems, "The line “"+cut(l.text, 60)+"” ("+item.From+
			") is not read: none of its figures is the product of two others.")
		return Line{}, false
	}
	item.Description = cut(strings.Join(about, " "), 120)
	return item, item.Rate.Round(2).Cmp(item.Rate) == 0
}

func isFigure(token string) bool {
	_, ok := number(token)
	return ok
}

// maxFigures is how many figures of a line are tried.
const maxFigures = 24

// product finds quantity, price and amount, in this order, so that the amount is their
// product to the paisa.
func product(list []figure) (quantity, price, amount int, ok bool) {
	list = list[:min(maxFigures, len(list))]
	for q := range list {
		for p := q + 1; p < len(list); p++ {
			is, err := list[q].value.Mul(list[p].value)
			if err != nil || is.IsZero() {
				continue
			}
			for a := p + 1; a < len(list); a++ {
				if is.Round(2).Cmp(list[a].value) == 0 {
					return q, p, a, true
				}
			}
		}
	}
	return 0, 0, 0, false
}

// rate takes a figure that is left for the rate of GST, where it is one on the bill's
// date and no other figure could be.
func (r *reading) rate(item *Line, left []figure) {
	var found []money.Amount
	for _, f := range left {
		if !f.value.IsZero() && f.value.Cmp(money.FromInt(100)) < 0 &&
			len(gst.CheckRate(f.value, r.d.Date.Value)) == 0 {
			found = append(found, f.value)
		}
	}
	if len(found) == 1 {
		item.GSTRate = Amount{found[0], item.From}
	}
}

// rateOfHeads is the rate of the whole bill where its heads of tax name one: that of
// IGST, or twice that of CGST.
func (r *reading) rateOfHeads() (money.Amount, bool) {
	if len(r.heads) == 0 {
		return money.Zero, false
	}
	first := r.heads[0].value
	for _, f := range r.heads[1:] {
		if f.value.Cmp(first) != 0 {
			return money.Zero, false
		}
	}
	if r.d.IGST.there() {
		return first, !r.d.CGST.there()
	}
	rate, err := first.Add(first)
	return rate, err == nil
}
