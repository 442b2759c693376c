package writes

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/finance/gst"
	"github.com/bellhop-ai/bellhop/pkg/finance/rupees"
)

type monthArguments struct {
	Month  string `json:"month"`
	Status string `json:"status,omitempty"`
}

// month reads a month: its first day, and its name for people.
func month(text string) (calendar.Date, string, error) {
	t, err := time.Parse("2006-01", text)
	if err != nil {
		return calendar.Date{}, "", fault.New(fault.Invalid, "The month is to be written as 2026-04, not %q.", text)
	}
	return calendar.Of(t), t.Format("January 2006"), nil
}

// status returns what the books of a month are: open, locked or filed.
func (c *company) status(month string) string {
	for _, m := range c.Closed {
		if m.Month == month {
			return m.Status
		}
	}
	return "open"
}

func setPeriod(d *draft, in monthArguments) error {
	_, name, err := month(in.Month)
	if err != nil {
		return err
	}
	c, err := d.ours()
	if err != nil {
		return err
	}
	if in.Status != "locked" && in.Status != "open" {
		return fault.New(fault.Invalid,
			"The books of a month are locked or opened; filed they are by filing its returns.")
	}
	now := c.status(in.Month)
	d.p.Title = map[string]string{"locked": "Lock", "open": "Open"}[in.Status] + " the books of " + name
	d.change("Books of "+name, now, in.Status)
	switch {
	case now == "filed":
		d.warn("The returns for %s are filed: the books will refuse this, they stay closed.", name)
	case now == in.Status:
		d.line("Books of "+name, now)
		d.warn("Nothing would change: the books of %s are %s already.", name, now)
	case in.Status == "locked":
		d.warn("Nothing can be posted, changed or voided in %s until it is opened again.", name)
	}
	d.target("month", in.Month, 0)
	return nil
}

// filed is a return with its state.
type filed struct {
	Form   string        `json:"form"`
	Period string        `json:"period"`
	Due    calendar.Date `json:"due"`
	Status string        `json:"status"`
	ARN    string        `json:"arn"`
}

// returns reads the returns of a month.
func (d *draft) returns(first calendar.Date) (map[string]filed, error) {
	found, err := ask[struct {
		Dates []filed `json:"due_dates"`
	}](d, "get_compliance_calendar", ofDays(first, first.AddDays(92)))
	out := map[string]filed{}
	for _, f := range found.Dates {
		if f.Period == first.String()[:7] {
			out[f.Form] = f
		}
	}
	return out, err
}

// fileReturn shows the figures of a return, and what filing it does to the books.
func fileReturn(d *draft, form string, in monthArguments) error {
	first, name, err := month(in.Month)
	if err != nil {
		return err
	}
	if calendar.Month(first).To.After(d.today) {
		return fault.New(fault.Conflict, "%s is not over yet.", name)
	}
	c, err := d.ours()
	if err != nil {
		return err
	}
	returns, err := d.returns(first)
	if err != nil {
		return err
	}
	this := returns[form]
	if this.Status == "filed" {
		return fault.New(fault.Conflict, "%s of %s is filed already, with the acknowledgement %s.", form, name,
			this.ARN)
	}
	d.p.Title = fmt.Sprintf("File %s of %s", form, name)
	d.line("Our GSTIN", d.gstin(c.GSTIN, "none"))
	if !this.Due.IsZero() {
		d.line("Due date", rupees.Date(this.Due))
		if late := this.Due.Until(d.today); late > 0 {
			d.warn("%s of %s was due on %s, %s ago: a late fee and interest may be due.", form, name,
				rupees.Date(this.Due), days(late))
		}
	}
	if form == "GSTR-1" {
		if err := d.gstr1(in.Month); err != nil {
			return err
		}
		d.change("Books of "+name, c.status(in.Month), "locked")
	} else {
		if err := d.gstr3b(in.Month); err != nil {
			return err
		}
		if returns["GSTR-1"].Status != "filed" {
			d.warn("GSTR-1 of %s is to be filed first: the books will refuse this.", name)
		}
		d.change("Books of "+name, c.status(in.Month), "filed, for good")
	}
	d.warn("Filing cannot be undone. What is wrong in %s is then corrected in a later month.", name)
	d.target("month", in.Month, 0)
	return nil
}

func (d *draft) gstr1(month string) error {
	found, err := ask[struct {
		Totals struct {
			Taxable paise `json:"taxable"`
			IGST    paise `json:"igst"`
			CGST    paise `json:"cgst"`
			SGST    paise `json:"sgst"`
			Tax     paise `json:"tax"`
		} `json:"totals"`
		HSN []struct {
			Code    string `json:"hsn_sac"`
			Taxable paise  `json:"taxable"`
		} `json:"hsn"`
		Rows []struct {
			Section string `json:"section"`
			Number  string `json:"number"`
			Contact string `json:"contact"`
			GSTIN   string `json:"gstin"`
			Taxable paise  `json:"taxable"`
		} `json:"rows"`
	}](d, "get_gstr1_data", map[string]any{"month": month})
	if err != nil {
		return err
	}
	var sections []string
	taxable, documents := map[string]paise{}, map[string]map[string]bool{}
	for _, r := range found.Rows {
		if documents[r.Section] == nil {
			sections = append(sections, r.Section)
			documents[r.Section] = map[string]bool{}
		}
		taxable[r.Section] += r.Taxable
		documents[r.Section][r.Number] = true
		if r.GSTIN == "" {
			continue
		}
		if _, findings, err := gst.CheckGSTIN(r.GSTIN); err != nil || len(findings) > 0 {
			d.warn("%s: the GSTIN of %s, %s, does not fit.", r.Number, r.Contact, r.GSTIN)
		}
	}
	for _, s := range sections {
		n := len(documents[s])
		d.line(strings.ToUpper(s), fmt.Sprintf("%s taxable in %d document%s", taxable[s], n, plural(n)))
	}
	for _, h := range found.HSN {
		if h.Code == "" && h.Taxable != 0 {
			d.warn("%s taxable are without HSN or SAC.", h.Taxable)
		}
	}
	t := found.Totals
	d.line("Taxable value", t.Taxable.String())
	d.line("IGST", t.IGST.String())
	d.line("CGST", t.CGST.String())
	d.line("SGST", t.SGST.String())
	d.line("Tax", t.Tax.String())
	return nil
}

func plural(n int) string {
	if n == 1 {
		return ""
	}
	return "s"
}

func (d *draft) gstr3b(month string) error {
	found, err := ask[struct {
		Totals struct {
			Output        paise `json:"output"`
			ReverseCharge paise `json:"reverse_charge"`
			Credit        paise `json:"credit"`
			Net           paise `json:"net"`
		} `json:"totals"`
	}](d, "get_gstr3b_data", map[string]any{"month": month})
	if err != nil {
		return err
	}
	t := found.Totals
	d.line("Output tax", t.Output.String())
	d.line("Tax on reverse charge", t.ReverseCharge.String())
	d.line("Input credit", t.Credit.String())
	d.line("To be paid", t.Net.String())
	d.line("In words", rupees.Words(max(t.Net, 0).amount()))
	return nil
}

type numberArguments struct {
	Number string `json:"number"`
}

// registered reads the invoice or credit note of an e-invoice.
func (d *draft) registered(number string) (string, record, error) {
	r, err := d.record("invoice", number)
	if fault.KindOf(err) == fault.Unprocessable {
		if note, other := d.record("credit_note", number); other == nil {
			return "credit_note", note, nil
		}
	}
	return "invoice", r, err
}

func generateEinvoice(d *draft, in numberArguments) error {
	kind, r, err := d.registered(in.Number)
	if err != nil {
		return err
	}
	c, err := d.ours()
	if err != nil {
		return err
	}
	if r.State == "void" {
		return fault.New(fault.Conflict, "%s is void.", r.Number)
	}
	if r.GSTIN == "" || c.GSTIN == "" {
		return fault.New(fault.Conflict, "An e-invoice is between companies with a GSTIN; %s or we have none.",
			r.Contact)
	}
	d.p.Title = fmt.Sprintf("Register %s of %s as an e-invoice", r.Number, r.Contact)
	d.line(title(kind), r.Number)
	d.line("Date", rupees.Date(r.Date))
	d.line("Customer", r.Contact+" ("+r.Code+")")
	d.line("Customer's GSTIN", d.gstin(r.GSTIN, ""))
	d.line("Our GSTIN", d.gstin(c.GSTIN, ""))
	d.line("Place of supply", state(r.Place))
	d.line("Taxable value", r.Taxable.String())
	d.line("CGST", r.CGST.String())
	d.line(gst.StateTax(r.Place), r.SGST.String())
	d.line("IGST", r.IGST.String())
	d.line("Total", r.Total.String())
	for i, l := range r.Lines {
		for _, f := range gst.CheckHSN(l.HSN) {
			d.warn("Line %d: %s", i+1, f.Text)
		}
	}
	d.warn("%s is reported to the tax portal. It can be cancelled within 24 hours; after that only a credit note "+
		"corrects it.", r.Number)
	d.target(kind, r.Number, r.Version)
	return nil
}

func cancelEinvoice(d *draft, in numberArguments) error {
	kind, r, err := d.registered(in.Number)
	if err != nil {
		return err
	}
	d.p.Title = fmt.Sprintf("Cancel the e-invoice of %s", r.Number)
	d.line(title(kind), r.Number)
	d.line("Customer", r.Contact+" ("+r.Code+")")
	d.line("Total", r.Total.String())
	d.warn("The registration is cancelled at the tax portal, within 24 hours of it; the %s itself stays in the books.",
		kindName(kind))
	d.target(kind, r.Number, r.Version)
	return nil
}

type reminderArguments struct {
	Invoice  string `json:"invoice,omitempty"`
	Customer string `json:"customer,omitempty"`
}

// steps are the days after the due date at which the books remind, each once.
func steps() []int { return []int{-3, 0, 7, 15, 30, 60} }

func sendReminders(d *draft, in reminderArguments) error {
	due, err := d.toRemind(in)
	if err != nil {
		return err
	}
	customers, err := all[struct {
		Name  string `json:"name"`
		Email string `json:"email"`
	}](d, "get_all_customers", "customers", map[string]any{})
	if err != nil {
		return err
	}
	email := map[string]string{}
	for _, c := range customers {
		email[c.Name] = c.Email
	}
	arguments := map[string]any{}
	if in.Invoice != "" {
		arguments["invoice"] = in.Invoice
	}
	sent, err := all[struct {
		Day     calendar.Date `json:"day"`
		Invoice string        `json:"invoice"`
		Step    int           `json:"step"`
	}](d, "get_payment_reminders", "reminders", arguments)
	if err != nil {
		return err
	}
	count, sum := 0, paise(0)
	for _, o := range due {
		late := o.Due.Until(d.today)
		step, ok := 0, false
		for _, s := range steps() {
			if s <= late {
				step, ok = s, true
			}
		}
		why := ""
		switch {
		case email[o.Customer] == "":
			why = o.Customer + " has no e-mail address"
		case !ok:
			why = "it is not due yet"
		}
		for _, s := range sent {
			if s.Invoice == o.Number && (s.Step == step || s.Day == d.today) && why == "" {
				why = "it was reminded of on " + rupees.Date(s.Day)
			}
		}
		if why != "" {
			d.warn("%s is left out: %s.", o.Number, why)
			continue
		}
		when := fmt.Sprintf("%s overdue", days(late))
		if late <= 0 {
			when = "due on " + rupees.Date(o.Due)
		}
		d.line(o.Number+", "+o.Customer, fmt.Sprintf("%s, %s, to %s", o.Balance, when, email[o.Customer]))
		if count < maxTargets {
			d.target("invoice", o.Number, 0)
		}
		count, sum = count+1, sum+o.Balance
	}
	if count == 0 {
		return fault.New(fault.Unprocessable, "No reminder is due: %s", strings.Join(append(d.p.Warnings,
			"no invoice is open "+
				"and due."), " "))
	}
	d.p.Title = fmt.Sprintf("Remind of %d invoice%s over %s", count, plural(count), sum)
	return nil
}

// maxTargets is how many records one question may be about.
const maxTargets = 100

// owed is an open invoice with its customer.
type owed struct {
	open
	Customer string `json:"customer"`
}

// toRemind returns the open invoices that the books would remind of: one, or those
// of a customer or of all that are due within three days.
func (d *draft) toRemind(in reminderArguments) ([]owed, error) {
	if in.Invoice != "" {
		r, err := d.record("invoice", in.Invoice)
		if err != nil || r.Balance <= 0 {
			return nil, err
		}
		return []owed{{open{Number: r.Number, Due: r.Due, Balance: r.Balance}, r.Contact}}, nil
	}
	var out []owed
	for _, status := range []string{"overdue", "partly_paid", "unpaid"} {
		arguments := map[string]any{"status": status}
		if in.Customer != "" {
			arguments["customer"] = in.Customer
		}
		rows, err := all[owed](d, "get_all_invoices", "invoices", arguments)
		if err != nil {
			return nil, err
		}
		out = append(out, rows...)
	}
	out = slices.DeleteFunc(out, func(o owed) bool { return o.Due.After(d.today.AddDays(3)) })
	slices.SortFunc(out, func(a, b owed) int {
		if a.Due != b.Due {
			return strings.Compare(a.Due.String(), b.Due.String())
		}
		return strings.Compare(a.Number, b.Number)
	})
	return out, nil
}
