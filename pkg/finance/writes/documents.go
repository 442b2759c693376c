package writes

import (
	"math/big"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/finance/gst"
	"github.com/bellhop-ai/bellhop/pkg/finance/rupees"
	"github.com/bellhop-ai/bellhop/pkg/money"
)

// lineArguments is a line of an invoice or a bill.
type lineArguments struct {
	Description string  `json:"description,omitempty"`
	HSN         string  `json:"hsn_sac,omitempty"`
	Quantity    number  `json:"quantity"`
	Unit        string  `json:"unit,omitempty"`
	Rate        *paise  `json:"rate,omitempty"`
	Discount    number  `json:"discount_percent"`
	GST         number  `json:"gst_rate"`
	Account     string  `json:"account,omitempty"`
	Product     string  `json:"product,omitempty"`
	ITC         *bool   `json:"itc,omitempty"`
	Line        int     `json:"line,omitempty"` // of a note: which line it corrects
	product     product // what Product names
}

// document is what the books compute of an invoice, a bill or a note.
type document struct {
	kind          string // invoice, bill, credit_note or debit_note
	number        string // "" for one that is made
	date, due     calendar.Date
	contact       contact
	gstin         string // the contact's at that time
	place         string // code of the place of supply
	supply        string // intra, inter or export
	reverseCharge bool
	tdsSection    string
	lines         []documentLine

	taxable, cgst, sgst, igst     paise
	roundOff, total, tds, payable paise
}

type documentLine struct {
	lineArguments
	quantity, discount, gst   *big.Rat
	rate                      paise
	taxable, cgst, sgst, igst paise
	itc                       bool
	account                   account
}

func (v *document) sales() bool { return v.kind == "invoice" || v.kind == "credit_note" }
func (v *document) note() bool  { return v.kind == "credit_note" || v.kind == "debit_note" }

func (v *document) tax() paise { return v.cgst + v.sgst + v.igst }

// side is what the party's line is of the total: 1 for a debit.
func (v *document) side() paise {
	if v.kind == "invoice" || v.kind == "debit_note" {
		return 1
	}
	return -1
}

// kindName is how people call a kind.
func kindName(kind string) string { return strings.ReplaceAll(kind, "_", " ") }

// partyKind says who stands on the other side of a document.
func (v *document) partyKind() string {
	if v.sales() {
		return "customer"
	}
	return "vendor"
}

// compute computes the lines and the totals, as the books do: each tax rounded to
// the paisa by line (CGST Act, sections 8 and 9), the total to the rupee where the
// company rounds (section 170), TDS on the taxable value in whole rupees (CBDT
// circular 23/2017). rateDay is the day on which the rates of GST must be in
// force.
func (d *draft) compute(v *document, given []lineArguments, rateDay calendar.Date) error {
	c, err := d.ours()
	if err != nil {
		return err
	}
	if len(given) == 0 || len(given) > 200 {
		return fault.New(fault.Invalid, "The %s needs 1 to 200 lines.", kindName(v.kind))
	}
	// A vendor without a GSTIN charges no GST.
	taxed := v.sales() || v.gstin != "" || v.reverseCharge
	for i, g := range given {
		l := documentLine{lineArguments: g, itc: g.ITC == nil || *g.ITC}
		if strings.TrimSpace(g.Description) == "" || g.Rate == nil {
			return fault.New(fault.Invalid, "Line %d needs a description and a rate.", i+1)
		}
		l.quantity, l.discount, l.rate = g.Quantity.or(1), g.Discount.or(0), *g.Rate
		if l.gst = g.GST.or(18); !taxed && g.GST.v == nil {
			l.gst = new(big.Rat)
		}
		hundred := big.NewRat(100, 1)
		if !new(big.Rat).Mul(l.discount, hundred).IsInt() {
			return fault.New(fault.Invalid, "A discount has at most two decimals, and %s has more.",
				percent(l.discount))
		}
		if l.quantity.Sign() <= 0 || l.rate < 0 || l.discount.Sign() < 0 || l.discount.Cmp(hundred) > 0 {
			return fault.New(fault.Invalid, "The quantity, rate or discount of %q is out of range.", g.Description)
		}
		value := new(big.Rat).Mul(l.quantity, l.rate.rat())
		value.Mul(value, new(big.Rat).Sub(hundred, l.discount)).Quo(value, hundred)
		if l.taxable, err = rounded(value, 2); err != nil {
			return err
		}
		switch v.supply {
		case "intra":
			l.cgst, err = l.taxable.at(l.gst, 200, 2)
			l.sgst = l.cgst
		case "inter":
			l.igst, err = l.taxable.at(l.gst, 100, 2)
		}
		if err != nil {
			return err
		}
		if l.account, err = d.account(l.accountOf(v)); err != nil {
			return err
		}
		if err := d.checkLine(v, &l, i+1, taxed, rateDay); err != nil {
			return err
		}
		v.taxable, v.cgst, v.sgst, v.igst = v.taxable+l.taxable, v.cgst+l.cgst, v.sgst+l.sgst, v.igst+l.igst
		v.lines = append(v.lines, l)
	}
	exact := v.taxable
	if !v.reverseCharge {
		exact += v.tax()
	}
	v.total = exact
	if c.RoundOff {
		if v.total, err = rounded(exact.rat(), 0); err != nil {
			return err
		}
	}
	v.roundOff = v.total - exact
	if v.total <= 0 {
		return fault.New(fault.Invalid, "The total of the %s is zero.", kindName(v.kind))
	}
	if v.kind == "bill" && v.tdsSection != "" {
		if err := d.deduct(v); err != nil {
			return err
		}
	}
	v.payable = v.total - v.tds
	return nil
}

// accountOf returns the account that a line is posted to, where it names none by
// the kind of what is sold or bought.
func (l documentLine) accountOf(v *document) string {
	service := gst.Service(l.HSN)
	switch {
	case strings.TrimSpace(l.Account) != "":
		return l.Account
	case !v.sales() && service:
		return "office"
	case !v.sales():
		return "purchases"
	case v.supply == "export":
		return "exports"
	case service:
		return "services"
	}
	return "sales"
}

// deduct computes the tax that is deducted from a bill.
func (d *draft) deduct(v *document) error {
	rates, err := d.ratesOn(v.date)
	if err != nil {
		return err
	}
	for _, r := range rates.TDS {
		if strings.EqualFold(r.Section, v.tdsSection) {
			v.tdsSection = r.Section
			v.tds, err = v.taxable.at(r.Rate.or(0), 100, 0)
			return err
		}
	}
	return fault.New(fault.Unprocessable, "There is no section %s for deducting tax on %s.", v.tdsSection,
		rupees.Date(v.date))
}

// checkLine warns of what speaks against a line.
func (d *draft) checkLine(v *document, l *documentLine, n int, taxed bool, rateDay calendar.Date) error {
	for _, f := range gst.CheckHSN(l.HSN) {
		d.warn("Line %d: %s", n, f.Text)
	}
	for _, f := range checkRate(l.gst, rateDay) {
		d.warn("Line %d: %s The books will refuse this.", n, f.Text)
	}
	if l.gst.Sign() > 0 && !taxed {
		d.warn("Line %d: %s has no GSTIN and so charges no GST: the books will refuse this.", n, v.contact.Name)
	}
	if l.gst.Sign() > 0 && v.supply == "export" {
		d.warn("Line %d: an export bears no GST (letter of undertaking); the rate of %s has no effect.", n,
			percent(l.gst))
	}
	if l.Product == "" {
		return nil
	}
	p, err := d.product(l.Product)
	if fault.KindOf(err) == fault.Unprocessable || fault.KindOf(err) == fault.NotFound {
		d.warn("Line %d: there is no product %q; no stock moves.", n, l.Product)
		return nil
	} else if err != nil {
		return err
	}
	if !strings.EqualFold(p.Code, strings.TrimSpace(l.Product)) {
		d.warn("Line %d names the product %s by its name: only its code, %s, moves stock.", n, p.Name, p.Code)
		return nil
	}
	l.product = p
	if p.GST.or(0).Cmp(l.gst) != 0 && v.supply != "export" && (taxed || v.sales()) {
		d.warn("Line %d: %s has GST of %s in the list of products, this line %s.", n, p.Name, percent(p.GST.or(0)),
			percent(l.gst))
	}
	if p.HSN != "" && l.HSN != "" && p.HSN != l.HSN {
		d.warn("Line %d: %s has the HSN or SAC %s in the list of products, this line %s.", n, p.Name, p.HSN, l.HSN)
	}
	return nil
}

// checkRate says what is wrong with a rate of GST.
func checkRate(rate *big.Rat, on calendar.Date) []gst.Finding {
	r, err := money.Parse(short(rate))
	if err != nil {
		return nil
	}
	return gst.CheckRate(r, on)
}

func (d *draft) warnHSN(code string) {
	for _, f := range gst.CheckHSN(code) {
		d.warn("%s", f.Text)
	}
}

func (d *draft) warnRate(rate *big.Rat, on calendar.Date) {
	for _, f := range checkRate(rate, on) {
		d.warn("%s", f.Text)
	}
}

// postDocument posts a document: the party on one side, the lines, taxes and
// rounding on the other. Of a note applied is what it settles of its document.
func (d *draft) postDocument(v *document, applied paise, p *posting) error {
	party, advance, tax := "receivable", "customer_advance", "output_"
	if !v.sales() {
		party, advance, tax = "payable", "vendor_advance", "input_"
	}
	s := v.side()
	var posts []post
	put := func(to string, amount paise) { posts = append(posts, post{to, amount}) }
	if v.note() {
		put(party, s*applied)
		put(advance, s*(v.payable-applied))
	} else {
		put(party, s*v.payable)
		put("tds_payable", s*v.tds)
	}
	var cgst, sgst, igst paise
	for _, l := range v.lines {
		amount := l.taxable
		if l.itc || v.sales() {
			cgst, sgst, igst = cgst+l.cgst, sgst+l.sgst, igst+l.igst
		} else {
			amount += l.cgst + l.sgst + l.igst
		}
		put(l.account.Code, -s*amount)
	}
	put(tax+"cgst", -s*cgst)
	put(tax+"sgst", -s*sgst)
	put(tax+"igst", -s*igst)
	put("round_off", -s*v.roundOff)
	if v.reverseCharge {
		put("reverse_charge", s*v.tax())
	}
	return d.post(p, posts...)
}

// dueDate returns the day on which a document is due by the contact's terms: with a
// micro or small enterprise at most 45 days (MSMED Act, section 15).
func dueDate(date calendar.Date, c contact) calendar.Date {
	days := c.Terms
	if c.MSME {
		days = min(days, 45)
	}
	return date.AddDays(days)
}
