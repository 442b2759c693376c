package writes

import (
	"fmt"
	"math/big"
	"slices"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/finance/gst"
	"github.com/bellhop-ai/bellhop/pkg/finance/rupees"
)

// showParties shows whom a document is of, and where it is supplied.
func (d *draft) showParties(v *document) error {
	c, err := d.ours()
	if err != nil {
		return err
	}
	who := "Customer"
	if !v.sales() {
		who = "Vendor"
	}
	d.line(who, v.contact.Name+" ("+v.contact.Code+")")
	if !v.contact.Active && v.contact.Code != "" {
		d.warn("%s is marked as inactive.", v.contact.Name)
	}
	d.line(who+"'s GSTIN", d.gstin(v.gstin, "none: not registered"))
	d.line("Our GSTIN", d.gstin(c.GSTIN, "none"))
	if c.GSTIN == "" && v.sales() && v.tax() > 0 {
		d.warn("The company has no GSTIN in the books: without a registration no GST may be charged.")
	}
	place, _ := gst.StateName(v.place)
	var why string
	switch v.supply {
	case "export":
		why = "export without GST (letter of undertaking)"
	case "intra":
		why = "inside the state: CGST and " + gst.StateTax(v.place)
	default:
		why = "between states: IGST"
	}
	d.line("Place of supply", fmt.Sprintf("%s (%s), %s", place, v.place, why))
	d.checkPlace(v, c)
	if v.reverseCharge {
		d.line("Reverse charge", "yes: "+v.tax().String()+" is ours to pay and not in the total")
	} else {
		d.line("Reverse charge", "no")
	}
	return nil
}

// gstin shows a GSTIN with what its check says, and warns.
func (d *draft) gstin(number, none string) string {
	if number == "" {
		return none
	}
	_, findings, err := gst.CheckGSTIN(number)
	if err != nil {
		d.warn("%s", fault.From(err).Message)
		return number + " (not a GSTIN)"
	}
	for _, f := range findings {
		d.warn("%s", f.Text)
	}
	if len(findings) > 0 {
		return number + " (does not fit, see the warning)"
	}
	return number + " (check character fits)"
}

// checkPlace warns of a place of supply that contradicts the registrations: IGST
// inside a state, CGST across.
func (d *draft) checkPlace(v *document, c *company) {
	g, _, err := gst.CheckGSTIN(v.gstin)
	if v.gstin == "" || err != nil || g.State == "" {
		return
	}
	name := func(code string) string { n, _ := gst.StateName(code); return fmt.Sprintf("%s (%s)", n, code) }
	if v.contact.StateCode != "" && g.State != v.contact.StateCode {
		d.warn("%s is in %s in the books, but its GSTIN is of %s.", v.contact.Name, name(v.contact.StateCode),
			name(g.State))
	}
	switch {
	case v.supply == "inter" && g.State == c.StateCode:
		d.warn("IGST is charged although %s and we are both registered in %s: inside a state CGST and %s are due, "+
			"unless the supply is really to %s.", v.contact.Name, name(g.State), gst.StateTax(g.State), name(v.place))
	case v.supply == "intra" && g.State != c.StateCode:
		d.warn("CGST and %s are charged although %s is registered in %s: between states IGST is due, unless the "+
			"supply is really in %s.", gst.StateTax(c.StateCode), v.contact.Name, name(g.State), name(v.place))
	}
}

// showLines shows the lines, the taxes by rate, and the totals.
func (d *draft) showLines(v *document) {
	for i, l := range v.lines {
		unit := l.Unit
		if unit == "" {
			unit = "nos"
		}
		text := fmt.Sprintf("%s %s × %s = %s", short(l.quantity), unit, l.rate, l.taxable)
		if l.discount.Sign() > 0 {
			text += fmt.Sprintf(" after %s discount", percent(l.discount))
		}
		code := "HSN"
		if gst.Service(l.HSN) {
			code = "SAC"
		}
		if l.HSN == "" {
			text += "; no HSN or SAC"
		} else {
			text += "; " + code + " " + l.HSN
		}
		text += "; GST " + percent(l.gst)
		if !l.itc && !v.sales() {
			text += ", no input credit"
		}
		if l.product.Code != "" {
			text += "; product " + l.product.Code
		}
		d.line(fmt.Sprintf("%d. %s", i+1, l.Description), text)
	}
	d.line("Taxable value", v.taxable.String())
	var rates []*big.Rat
	for _, l := range v.lines {
		if !slices.ContainsFunc(rates, func(r *big.Rat) bool { return r.Cmp(l.gst) == 0 }) {
			rates = append(rates, l.gst)
		}
	}
	slices.SortFunc(rates, func(a, b *big.Rat) int { return a.Cmp(b) })
	for _, r := range rates {
		var taxable, cgst, sgst, igst paise
		for _, l := range v.lines {
			if l.gst.Cmp(r) == 0 {
				taxable, cgst, sgst, igst = taxable+l.taxable, cgst+l.cgst, sgst+l.sgst, igst+l.igst
			}
		}
		half := percent(new(big.Rat).Quo(r, big.NewRat(2, 1)))
		for _, t := range []struct {
			label  string
			amount paise
		}{{"CGST " + half, cgst}, {gst.StateTax(v.place) + " " + half, sgst}, {"IGST " + percent(r), igst}} {
			if t.amount != 0 {
				d.line(t.label+" on "+taxable.String(), t.amount.String())
			}
		}
	}
	if v.roundOff != 0 {
		d.line("Round off", v.roundOff.String())
	}
	d.line("Total", v.total.String())
	d.line("In words", rupees.Words(v.total.amount()))
	if v.tds != 0 {
		d.line("TDS "+v.tdsSection+" on "+v.taxable.String(), v.tds.String())
		d.line("To be paid", v.payable.String())
	}
}

// showDates shows the date and when a document is due.
func (d *draft) showDates(v *document) {
	d.line("Date", rupees.Date(v.date))
	text := rupees.Date(v.due)
	if n := v.date.Until(v.due); n > 0 {
		text += fmt.Sprintf(" (%d days)", n)
	}
	d.line("Due date", text)
}

// numbered shows which number a document gets. The books count without gaps in
// each financial year; another document may come between the preview and the write,
// so the number itself is not foretold.
func (d *draft) numbered(prefix string, date calendar.Date) {
	d.line("Number", fmt.Sprintf("the next of %s/%s", prefix, rupees.YearOf(date).String()[2:]))
}
