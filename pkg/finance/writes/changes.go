package writes

import (
	"fmt"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/finance/gst"
	"github.com/bellhop-ai/bellhop/pkg/finance/rupees"
)

type voidArguments struct {
	Number string `json:"number"`
	Reason string `json:"reason"`
}

// record is a document as the books have it.
type record struct {
	Number        string        `json:"number"`
	VendorNumber  string        `json:"vendor_number"`
	Date          calendar.Date `json:"date"`
	Due           calendar.Date `json:"due_date"`
	Contact       string        `json:"contact"`
	Code          string        `json:"contact_code"`
	GSTIN         string        `json:"gstin"`
	Place         string        `json:"place_of_supply"`
	Supply        string        `json:"supply"`
	ReverseCharge bool          `json:"reverse_charge"`
	Against       string        `json:"against"`
	Reason        string        `json:"reason"`
	Taxable       paise         `json:"taxable"`
	CGST          paise         `json:"cgst"`
	SGST          paise         `json:"sgst"`
	IGST          paise         `json:"igst"`
	RoundOff      paise         `json:"round_off"`
	Total         paise         `json:"total"`
	TDS           paise         `json:"tds"`
	Payable       paise         `json:"due_amount"`
	Settled       paise         `json:"settled"`
	Balance       paise         `json:"balance"`
	State         string        `json:"state"`
	Notes         string        `json:"notes"`
	Version       int           `json:"version"`
	Lines         []recordLine  `json:"lines"`
	Allocations   []struct {
		By     string `json:"by"`
		Amount paise  `json:"amount"`
	} `json:"allocations"`
}

type recordLine struct {
	lineArguments
	Taxable paise `json:"taxable"`
	CGST    paise `json:"cgst"`
	SGST    paise `json:"sgst"`
	IGST    paise `json:"igst"`
}

// record reads a document by its number.
func (d *draft) record(kind, number string) (record, error) {
	found, err := ask[map[string]record](d, "get_"+kind, map[string]any{"number": number})
	return found[kind], err
}

func voidDocument(d *draft, kind string, in voidArguments) error {
	r, err := d.record(kind, in.Number)
	if err != nil {
		return err
	}
	d.p.Title = fmt.Sprintf("Void the %s %s of %s over %s", kind, r.Number, r.Contact, r.Total)
	d.line(title(kind), r.Number)
	d.line("Of", r.Contact+" ("+r.Code+")")
	d.line("Date", rupees.Date(r.Date))
	d.line("Total", r.Total.String())
	d.line("State", strings.ReplaceAll(r.State, "_", " "))
	d.line("Reason", in.Reason)
	d.target(kind, r.Number, r.Version)
	switch {
	case r.State == "void":
		return fault.New(fault.Conflict, "%s is void already.", r.Number)
	case r.Settled > 0:
		by := ""
		for _, a := range r.Allocations {
			by += ", " + a.By
		}
		d.warn("%s of %s is settled%s: the books will refuse this until that is void.", r.Settled, r.Number, by)
	}
	if err := d.closed(r.Date); err != nil {
		return err
	}
	d.warn("Voiding cannot be undone. A credit note corrects an invoice that the customer already has.")
	if kind == "bill" {
		d.p.Warnings[len(d.p.Warnings)-1] = "Voiding cannot be undone."
	}
	if err := d.standing(r.Number, r.Date); err != nil {
		return err
	}
	if err := d.standingStock(r); err != nil {
		return err
	}
	d.reverse()
	return nil
}

// closed warns where the month of a record takes no posting.
func (d *draft) closed(date calendar.Date) error {
	c, err := d.ours()
	if err != nil {
		return err
	}
	for _, m := range c.Closed {
		if m.Month == date.String()[:7] {
			d.warn("The books of %s are %s: they will refuse this.", date.Time().Format("January 2006"), m.Status)
		}
	}
	return nil
}

// section finds the section by which tax was deducted from a bill: its rate is the
// one that gives the amount; the vendor's usual one comes first.
func (d *draft) section(r record, usual string) (string, error) {
	if r.TDS == 0 {
		return "", nil
	}
	rates, err := d.ratesOn(r.Date)
	if err != nil {
		return "", err
	}
	found := ""
	for _, x := range rates.TDS {
		v := &document{kind: "bill", date: r.Date, taxable: r.Taxable, tdsSection: x.Section}
		if err := d.deduct(v); err != nil {
			return "", err
		}
		if v.tds == r.TDS && (found == "" || strings.EqualFold(x.Section, usual)) {
			found = x.Section
		}
	}
	return found, nil
}

// showChange shows what differs between a document and what it will be.
func (d *draft) showChange(r record, v *document, notes *string, vendorNumber string) {
	d.change("Date", rupees.Date(r.Date), rupees.Date(v.date))
	d.change("Due date", rupees.Date(r.Due), rupees.Date(v.due))
	if r.Code != v.contact.Code {
		d.change(title(v.partyKind()), r.Contact+" ("+r.Code+")", v.contact.Name+" ("+v.contact.Code+")")
		d.change(title(v.partyKind())+"'s GSTIN", r.GSTIN, d.gstin(v.gstin, "none: not registered"))
	}
	d.change("Place of supply", state(r.Place), state(v.place))
	if v.kind == "bill" {
		d.change("Vendor's number", r.VendorNumber, vendorNumber)
	}
	if notes != nil {
		d.change("Notes", r.Notes, strings.TrimSpace(*notes))
	}
	show := func(l documentLine, taxable paise) string {
		return fmt.Sprintf("%s: %s × %s = %s; HSN/SAC %s; GST %s", l.Description, short(l.quantity), l.rate, taxable,
			l.HSN, percent(l.gst))
	}
	for i := range max(len(r.Lines), len(v.lines)) {
		var before, after string
		if i < len(r.Lines) {
			l := r.Lines[i]
			before = show(documentLine{lineArguments: l.lineArguments, quantity: l.Quantity.or(1), gst: l.GST.or(18),
				rate: *l.Rate}, l.Taxable)
		}
		if i < len(v.lines) {
			after = show(v.lines[i], v.lines[i].taxable)
		}
		if after == "" {
			after = "taken out"
		}
		d.change(fmt.Sprintf("Line %d", i+1), before, after)
	}
	d.change("Taxable value", r.Taxable.String(), v.taxable.String())
	d.change("CGST", r.CGST.String(), v.cgst.String())
	d.change(gst.StateTax(v.place), r.SGST.String(), v.sgst.String())
	d.change("IGST", r.IGST.String(), v.igst.String())
	d.change("Round off", r.RoundOff.String(), v.roundOff.String())
	d.change("Total", r.Total.String(), v.total.String())
	d.change("TDS", r.TDS.String(), v.tds.String())
	if r.Total != v.total {
		d.line("In words", rupees.Words(v.total.amount()))
	}
	d.change("Open", r.Balance.String(), (v.payable - r.Settled).String())
	if v.payable < r.Settled {
		d.warn("%s of %s is paid already, more than the new total: the books will refuse this.", r.Settled, r.Number)
	}
	if r.State == "void" {
		d.warn("%s is void: the books will refuse this.", r.Number)
	}
	if rupees.YearOf(r.Date) != rupees.YearOf(v.date) {
		d.warn("%s belongs to the year %s: the books will refuse another one. Void it and make another.", r.Number,
			rupees.YearOf(r.Date))
	}
	if r.Settled > 0 && r.Code != v.contact.Code {
		d.warn("%s is settled in part, so its %s stays: the books will refuse this.", r.Number, v.partyKind())
	}
}

// lines returns a document's lines as arguments.
func (r record) lines() []lineArguments {
	var out []lineArguments
	for _, l := range r.Lines {
		l.Line = 0
		out = append(out, l.lineArguments)
	}
	return out
}

// changed finishes the preview of a change: its title, checks and postings. Of a
// note settles is what it settles of its document.
func (d *draft) changed(r record, v *document, settles paise) error {
	d.p.Title = fmt.Sprintf("Change the %s %s of %s", kindName(v.kind), r.Number, v.contact.Name)
	d.changes = true
	d.target(v.kind, r.Number, r.Version)
	if err := d.closed(r.Date); err != nil {
		return err
	}
	if v.date != r.Date {
		if err := d.on(v.date); err != nil {
			return err
		}
	}
	if err := d.standing(r.Number, r.Date); err != nil {
		return err
	}
	if err := d.postDocument(v, settles, &d.new); err != nil {
		return err
	}
	return d.restock(r, v)
}

// restock moves back what a document moved, and moves anew.
func (d *draft) restock(r record, v *document) error {
	if err := d.standingStock(r); err != nil {
		return err
	}
	return d.moveStock(v, r.Lines...)
}

func updateInvoice(d *draft, in invoiceArguments) error {
	r, err := d.record("invoice", in.Number)
	if err != nil {
		return err
	}
	date, due := r.Date.String(), in.DueDate
	if in.Date != "" {
		date = in.Date
	}
	if due == "" && in.Date == "" && in.Customer == "" {
		due = r.Due.String()
	}
	full := invoiceArguments{Customer: r.Code, Date: date, DueDate: due, Place: in.Place, Lines: in.Lines}
	if in.Customer != "" {
		full.Customer = in.Customer
	} else if full.Place == "" {
		full.Place = r.Place
	}
	if full.Lines == nil {
		full.Lines = r.lines()
	}
	v, err := d.invoice(full)
	if err != nil {
		return err
	}
	v.number = r.Number
	d.showChange(r, v, in.Notes, "")
	if err := d.changed(r, v, 0); err != nil {
		return err
	}
	d.checkVersion(in.Version, r.Version, r.Number)
	c, err := d.ours()
	if err != nil {
		return err
	}
	d.checkPlace(v, c)
	return nil
}

func (d *draft) checkVersion(read, now int, number string) {
	if read != 0 && read != now {
		d.warn("%s was changed since it was read: the books will refuse this.", number)
	}
}

func updateBill(d *draft, in billArguments) error {
	r, err := d.record("bill", in.Number)
	if err != nil {
		return err
	}
	date, due := r.Date.String(), in.DueDate
	if in.Date != "" {
		date = in.Date
	}
	if due == "" && in.Date == "" && in.Vendor == "" {
		due = r.Due.String()
	}
	full := billArguments{Vendor: r.Code, VendorNumber: r.VendorNumber, Date: date, DueDate: due, Lines: in.Lines,
		TDSSection: in.TDSSection, ReverseCharge: r.ReverseCharge}
	if in.Vendor != "" {
		full.Vendor = in.Vendor
	}
	if in.VendorNumber != "" {
		full.VendorNumber = in.VendorNumber
	}
	if full.Lines == nil {
		full.Lines = r.lines()
	}
	if full.TDSSection == "" {
		who, err := d.contact("vendor", r.Code)
		if err != nil {
			return err
		}
		if full.TDSSection, err = d.section(r, who.TDSSection); err != nil {
			return err
		}
		if full.TDSSection == "" {
			full.TDSSection = "none"
		}
	}
	v, err := d.bill(full)
	if err != nil {
		return err
	}
	v.number = r.Number
	d.showChange(r, v, in.Notes, full.VendorNumber)
	if err := d.changed(r, v, 0); err != nil {
		return err
	}
	d.checkVersion(in.Version, r.Version, r.Number)
	if full.VendorNumber != r.VendorNumber || in.Vendor != "" {
		return d.sameVendorNumber(v, full.VendorNumber)
	}
	return nil
}
