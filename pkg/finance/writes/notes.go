package writes

import (
	"fmt"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/finance/rupees"
)

// noteLine is a line of a credit or debit note: which line of its document it
// corrects, and by how much.
type noteLine struct {
	Line     int    `json:"line"`
	Quantity number `json:"quantity"`
	Rate     *paise `json:"rate,omitempty"`
}

type noteArguments struct {
	Number  string     `json:"number,omitempty"`
	Invoice string     `json:"invoice,omitempty"`
	Bill    string     `json:"bill,omitempty"`
	Date    string     `json:"date,omitempty"`
	Reason  string     `json:"reason,omitempty"`
	Lines   []noteLine `json:"lines,omitempty"`
	Notes   *string    `json:"notes,omitempty"`
	Version int        `json:"version,omitempty"`
}

// note computes a credit or debit note from the document that it corrects. given is
// what stands on it where the arguments have no lines; nil is the whole document.
func (d *draft) note(kind string, against record, in noteArguments, given []lineArguments) (*document, error) {
	v := &document{kind: kind, place: against.Place, supply: against.Supply, reverseCharge: against.ReverseCharge}
	var err error
	if v.date, err = day("Date", in.Date, d.today); err != nil {
		return nil, err
	}
	if v.date.Before(against.Date) {
		return nil, fault.New(fault.Invalid, "%s is of %s; its note cannot be earlier (%s).", against.Number,
			rupees.Date(against.Date), rupees.Date(v.date))
	}
	v.due = v.date
	if v.contact, err = d.contact(v.partyKind(), against.Code); err != nil {
		return nil, err
	}
	v.gstin = v.contact.GSTIN
	if in.Lines != nil {
		given = nil
		for i, n := range in.Lines {
			at := n.Line
			if at == 0 {
				at = i + 1
			}
			if at < 1 || at > len(against.Lines) {
				return nil, fault.New(fault.Invalid, "%s has no line %d.", against.Number, at)
			}
			l := against.lines()[at-1]
			if n.Quantity.v != nil {
				l.Quantity = n.Quantity
			}
			if n.Rate != nil {
				l.Rate = n.Rate
			}
			given = append(given, l)
		}
	} else if given == nil {
		given = against.lines()
	}
	return v, d.compute(v, given, against.Date)
}

// applied is what a note settles of its document: at most what is open of it. The
// rest is an advance.
func applied(v *document, open paise) paise { return max(0, min(v.payable, open)) }

func createNote(d *draft, kind string, in noteArguments) error {
	of, prefix, number := "invoice", "CN", in.Invoice
	if kind == "debit_note" {
		of, prefix, number = "bill", "DN", in.Bill
	}
	against, err := d.record(of, number)
	if err != nil {
		return err
	}
	v, err := d.note(kind, against, in, nil)
	if err != nil {
		return err
	}
	d.p.Title = fmt.Sprintf("Issue a %s of %s against %s of %s", kindName(kind), v.total, against.Number,
		against.Contact)
	d.numbered(prefix, v.date)
	d.line("Date", rupees.Date(v.date))
	d.line(title(of), fmt.Sprintf("%s of %s over %s", against.Number, rupees.Date(against.Date), against.Total))
	reason := strings.TrimSpace(in.Reason)
	if reason == "" {
		reason = "Return"
	}
	d.line("Reason", reason)
	if err := d.showParties(v); err != nil {
		return err
	}
	d.showLines(v)
	if in.Notes != nil {
		d.optional("Notes", *in.Notes)
	}
	settles := applied(v, against.Balance)
	d.change("Open of "+against.Number, against.Balance.String(), (against.Balance - settles).String())
	if rest := v.payable - settles; rest > 0 {
		d.line("Advance", rest.String()+" is left over")
	}
	if against.State == "void" {
		d.warn("%s is void: the books will refuse this.", against.Number)
	}
	if err := d.notesOf(v, against, ""); err != nil {
		return err
	}
	if err := d.on(v.date); err != nil {
		return err
	}
	d.target(of, against.Number, against.Version)
	if err := d.postDocument(v, settles, &d.new); err != nil {
		return err
	}
	return d.moveStock(v)
}

// notesOf warns where the notes against a document would take back more than it was
// for, and names the earlier ones. but is the number of the one that is changed.
func (d *draft) notesOf(v *document, against record, but string) error {
	name, noun, by := "get_all_sales_credit_notes", "credit_notes", "customer"
	if v.kind == "debit_note" {
		name, noun, by = "get_all_purchase_debit_notes", "debit_notes", "vendor"
	}
	rows, err := all[struct {
		Number  string `json:"number"`
		Against string `json:"against"`
		Total   paise  `json:"total"`
		Status  string `json:"status"`
	}](d, name, noun, map[string]any{by: against.Code})
	if err != nil {
		return err
	}
	sum := v.total
	for _, r := range rows {
		if r.Against != against.Number || r.Status == "void" || r.Number == but {
			continue
		}
		sum += r.Total
		d.warn("%s over %s was issued against %s before.", r.Number, r.Total, against.Number)
	}
	if sum > against.Total {
		d.warn("The notes would take back %s, more than %s was for (%s): the books will refuse this.", sum,
			against.Number, against.Total)
	}
	return nil
}

func updateCreditNote(d *draft, in noteArguments) error {
	r, err := d.record("credit_note", in.Number)
	if err != nil {
		return err
	}
	against, err := d.record("invoice", r.Against)
	if err != nil {
		return err
	}
	if in.Date == "" {
		in.Date = r.Date.String()
	}
	v, err := d.note("credit_note", against, in, r.lines())
	if err != nil {
		return err
	}
	v.number = r.Number
	settled := paise(0)
	for _, a := range against.Allocations {
		if a.By == r.Number {
			settled += a.Amount
		}
	}
	if settled != r.Settled {
		d.warn("A part of %s was applied to another document: the books will refuse this.", r.Number)
	}
	reason := r.Reason
	if s := strings.TrimSpace(in.Reason); s != "" {
		reason = s
	}
	d.change("Reason", r.Reason, reason)
	open := against.Balance + settled
	settles := applied(v, open)
	r.Settled, r.Balance = 0, v.payable // what is open is shown of the invoice
	d.showChange(r, v, in.Notes, "")
	d.change("Open of "+against.Number, against.Balance.String(), (open - settles).String())
	if err := d.notesOf(v, against, r.Number); err != nil {
		return err
	}
	d.target("invoice", against.Number, against.Version)
	d.checkVersion(in.Version, r.Version, r.Number)
	return d.changed(r, v, settles)
}
