package billfile

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/finance/gst"
	"github.com/bellhop-ai/bellhop/pkg/finance/rupees"
	"github.com/bellhop-ai/bellhop/pkg/money"
)

func (d *Draft) problem(format string, args ...any) {
	if text := fmt.Sprintf(format, args...); !slices.Contains(d.Problems, text) {
		d.Problems = append(d.Problems, text)
	}
}

func (d *Draft) findings(prefix string, list []gst.Finding) {
	for _, f := range list {
		d.problem("%s%s", prefix, f.Text)
	}
}

// check finds what is missing and what does not fit together.
func (d *Draft) check(company Company, today calendar.Date) {
	for _, need := range []struct {
		name string
		ok   bool
	}{{"the vendor's name", d.Vendor.Value != ""}, {"the vendor's GSTIN", d.GSTIN.Value != ""},
		{"the bill's number", d.Number.Value != ""}, {"the date", d.Date.From != ""}, {"the lines", len(d.Lines) > 0},
		{"the total", d.Total.there()}} {
		if !need.ok {
			d.Missing = append(d.Missing, need.name)
		}
	}
	if d.GSTIN.Value != "" {
		_, findings, err := gst.CheckGSTIN(d.GSTIN.Value)
		if err != nil {
			d.problem("%s", fault.From(err).Message)
		}
		d.findings("", findings)
	}
	if d.Number.Value != "" {
		d.findings("", gst.CheckNumber(d.Number.Value))
	}
	if d.Date.From != "" && d.Date.Value.After(today) {
		d.problem("The date %s is in the future.", rupees.Date(d.Date.Value))
	}
	if d.DueDate.From != "" && d.DueDate.Value.Before(d.Date.Value) {
		d.problem("The due date %s is before the date of the bill.", rupees.Date(d.DueDate.Value))
	}
	for i, l := range d.Lines {
		prefix := fmt.Sprintf("Line %d: ", i+1)
		switch {
		case !l.GSTRate.there():
			d.Missing = append(d.Missing, fmt.Sprintf("the rate of GST of line %d", i+1))
		case d.Date.From != "":
			d.findings(prefix, gst.CheckRate(l.GSTRate.Value, d.Date.Value))
		}
		d.findings(prefix, gst.CheckHSN(l.HSN))
	}
	if len(d.Lines) > 0 {
		d.sums(company)
	}
}

// sums checks that the amounts tie.
func (d *Draft) sums(company Company) {
	net := money.Zero
	for _, l := range d.Lines {
		var err error
		if net, err = net.Add(l.Taxable); err != nil {
			d.problem("The sum of the lines is too large.")
			return
		}
	}
	if d.Taxable.there() && d.Taxable.Value.Cmp(net) != 0 {
		d.problem("The lines add up to %s, but the bill says %s before tax: a line may be missing.",
			rupees.Format(net), rupees.Format(d.Taxable.Value))
	}
	sum := net
	for _, a := range []Amount{d.CGST, d.SGST, d.IGST, d.RoundOff} {
		var err error
		if sum, err = sum.Add(a.Value); err != nil {
			d.problem("The sum of the bill is too large.")
			return
		}
	}
	if d.Total.there() && sum.Cmp(d.Total.Value) != 0 {
		d.problem("Lines, tax and round-off add up to %s, but the total is %s.", rupees.Format(sum),
			rupees.Format(d.Total.Value))
	}
	d.tax(company)
}

// tax checks the heads of tax against the rates and the places.
func (d *Draft) tax(company Company) {
	stated := gst.Tax{CGST: d.CGST.Value, SGST: d.SGST.Value, IGST: d.IGST.Value}
	interstate, known := d.interstate(company)
	if !known {
		interstate = d.IGST.there()
	}
	if d.ReverseCharge.Value == "yes" {
		if total, err := stated.Total(); err == nil && !total.IsZero() {
			d.problem("The bill is under reverse charge and still charges GST.")
		}
		return
	}
	// Bills round each line, or each rate: both are seen.
	var byLine, byRate gst.Tax
	rates := map[string]money.Amount{}
	for _, l := range d.Lines {
		if !l.GSTRate.there() || l.GSTRate.Value.Cmp(money.FromInt(100)) >= 0 || l.GSTRate.Value.Negative() {
			return
		}
		byLine = plus(byLine, gst.Split(l.Taxable, l.GSTRate.Value, interstate))
		key := l.GSTRate.Value.Round(2).String()
		sum, err := rates[key].Add(l.Taxable)
		if err != nil {
			return
		}
		rates[key] = sum
	}
	for rate, taxable := range rates {
		byRate = plus(byRate, gst.Split(taxable, money.MustParse(rate), interstate))
	}
	switch {
	case same(stated, byLine) || same(stated, byRate):
	case !interstate && !stated.IGST.IsZero(), interstate && !(stated.CGST.IsZero() && stated.SGST.IsZero()):
		d.findings("", gst.CheckTax(money.Zero, money.Zero, interstate, stated))
	default:
		d.problem("The tax on the lines is CGST %s, SGST %s, IGST %s, but the bill says %s, %s, %s.",
			rupees.Format(byRate.CGST), rupees.Format(byRate.SGST), rupees.Format(byRate.IGST),
			rupees.Format(stated.CGST), rupees.Format(stated.SGST), rupees.Format(stated.IGST))
	}
}

// interstate reports whether the supply is between states, and whether that is known.
func (d *Draft) interstate(company Company) (between, known bool) {
	g, _, err := gst.CheckGSTIN(d.GSTIN.Value)
	place := d.Place.Value
	if place == "" {
		place = company.State
	}
	if err != nil || g.State == "" || place == "" {
		return false, false
	}
	return gst.Interstate(g.State, place), true
}

func plus(a, b gst.Tax) gst.Tax {
	add := func(x, y money.Amount) money.Amount {
		sum, err := x.Add(y)
		if err != nil {
			return x // no sum of taxes is that large; the total is compared as well
		}
		return sum
	}
	return gst.Tax{CGST: add(a.CGST, b.CGST), SGST: add(a.SGST, b.SGST), IGST: add(a.IGST, b.IGST)}
}

func same(a, b gst.Tax) bool {
	return a.CGST.Cmp(b.CGST) == 0 && a.SGST.Cmp(b.SGST) == 0 && a.IGST.Cmp(b.IGST) == 0
}

// optional are what a bill may be entered without: it is said, and not waited for.
func optional(missing string) bool {
	return missing == "the vendor's GSTIN" || missing == "the total" || missing == "the vendor's name"
}

// Arguments returns the arguments of the books' tool create_bill; nil while something
// that it needs is missing. vendor is the code or name under which the books know the
// vendor; "" takes the GSTIN, or the name that was read.
func (d Draft) Arguments(vendor string) json.RawMessage {
	if vendor == "" {
		vendor = d.GSTIN.Value
	}
	if vendor == "" {
		vendor = d.Vendor.Value
	}
	if vendor == "" || slices.ContainsFunc(d.Missing, func(m string) bool { return !optional(m) }) {
		return nil
	}
	type billLine struct {
		Description string       `json:"description"`
		HSN         string       `json:"hsn_sac,omitempty"`
		Quantity    money.Amount `json:"quantity"`
		Unit        string       `json:"unit,omitempty"`
		Rate        money.Amount `json:"rate"`
		GSTRate     money.Amount `json:"gst_rate"`
	}
	bill := struct {
		Vendor  string        `json:"vendor"`
		Number  string        `json:"vendor_number"`
		Date    calendar.Date `json:"date"`
		Due     calendar.Date `json:"due_date,omitzero"`
		Lines   []billLine    `json:"lines"`
		Reverse bool          `json:"reverse_charge,omitempty"`
	}{Vendor: vendor, Number: d.Number.Value, Date: d.Date.Value, Due: d.DueDate.Value,
		Reverse: d.ReverseCharge.Value == "yes"}
	for _, l := range d.Lines {
		bill.Lines = append(bill.Lines, billLine{l.Description, strings.TrimSpace(l.HSN), l.Quantity, l.Unit, l.Rate,
			l.GSTRate.Value})
	}
	raw, err := json.Marshal(bill)
	if err != nil {
		return nil
	}
	return raw
}
