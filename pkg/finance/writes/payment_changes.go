package writes

import (
	"fmt"
	"slices"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/finance/rupees"
)

// paymentRecord is a payment as the books have it.
type paymentRecord struct {
	Number        string        `json:"number"`
	Kind          string        `json:"kind"`
	Date          calendar.Date `json:"date"`
	Contact       string        `json:"contact"`
	Code          string        `json:"contact_code"`
	Account       string        `json:"account"`
	AccountName   string        `json:"account_name"`
	Amount        paise         `json:"amount"`
	TDS           paise         `json:"tds"`
	Unapplied     paise         `json:"unapplied"`
	Mode          string        `json:"mode"`
	BankReference string        `json:"bank_reference"`
	Status        string        `json:"status"`
	Notes         string        `json:"notes"`
	Version       int           `json:"version"`
	Allocations   []struct {
		Document string        `json:"document"`
		Amount   paise         `json:"amount"`
		Date     calendar.Date `json:"date"`
	} `json:"allocations"`
}

func (d *draft) paymentRecord(number string) (paymentRecord, error) {
	found, err := ask[struct{ Payment paymentRecord }](d, "get_payment", map[string]any{"number": number})
	return found.Payment, err
}

// days are those on which a payment posted.
func (r paymentRecord) days() []calendar.Date {
	out := []calendar.Date{r.Date}
	for _, a := range r.Allocations {
		out = append(out, a.Date)
	}
	return out
}

func voidPayment(d *draft, in voidArguments) error {
	r, err := d.paymentRecord(in.Number)
	if err != nil {
		return err
	}
	if r.Status == "void" {
		return fault.New(fault.Conflict, "%s is void already.", r.Number)
	}
	d.p.Title = fmt.Sprintf("Void the %s %s of %s over %s", r.Kind, r.Number, r.Contact, r.Amount)
	d.line("Number", r.Number)
	d.line("Of", r.Contact+" ("+r.Code+")")
	d.line("Date", rupees.Date(r.Date))
	d.line("Amount", r.Amount.String())
	d.line("Reason", in.Reason)
	p := payment{kind: r.Kind}
	document, _, _, _, _ := p.kinds()
	for _, a := range r.Allocations {
		o, err := d.openDocument(document, a.Document)
		if err != nil {
			return err
		}
		d.change(title(document)+" "+a.Document, o.Balance.String()+" open", (o.Balance+a.Amount).String()+" open")
		d.target(document, a.Document, o.Version)
	}
	d.target("payment", r.Number, r.Version)
	d.warn("Voiding cannot be undone. What it settled is open again.")
	if err := d.closed(r.Date); err != nil {
		return err
	}
	if err := d.standing(r.Number, r.days()...); err != nil {
		return err
	}
	d.reverse()
	return nil
}

func updatePayment(d *draft, in paymentArguments) error {
	r, err := d.paymentRecord(in.Number)
	if err != nil {
		return err
	}
	p := payment{kind: r.Kind, number: r.Number, amount: r.Amount, tds: r.TDS, mode: r.Mode,
		reference: r.BankReference}
	document, party, _, _, _ := p.kinds()
	if p.date, err = day("Date", in.Date, r.Date); err != nil {
		return err
	}
	if in.Amount != nil {
		p.amount = *in.Amount
	}
	if in.TDS != nil {
		p.tds = *in.TDS
	}
	for to, value := range map[*string]string{&p.mode: in.Mode, &p.reference: in.BankReference} {
		if s := strings.TrimSpace(value); s != "" {
			*to = s
		}
	}
	if p.amount <= 0 || p.tds < 0 || p.tds > 0 && p.kind == "payment" {
		return fault.New(fault.Invalid, "The amount of a payment is more than zero, and only customers deduct tax.")
	}
	if p.contact, err = d.contact(party, r.Code); err != nil {
		return err
	}
	words := r.Account
	if in.Account != "" {
		words = in.Account
	}
	if p.account, err = d.account(words); err != nil {
		return err
	}
	if p.given, err = d.reallocated(r, &p, document, in); err != nil {
		return err
	}
	d.p.Title = fmt.Sprintf("Change the %s %s of %s", r.Kind, r.Number, r.Contact)
	d.changes = true
	d.change("Date", rupees.Date(r.Date), rupees.Date(p.date))
	d.change("Amount", r.Amount.String(), p.amount.String())
	d.change("TDS", r.TDS.String(), p.tds.String())
	d.change("Account", r.AccountName, p.account.Name)
	d.change("Mode", r.Mode, p.mode)
	d.change("Bank reference", r.BankReference, p.reference)
	if s := strings.TrimSpace(in.Notes); s != "" {
		d.change("Notes", r.Notes, s)
	}
	if err := d.settle(&p); err != nil {
		return err
	}
	if r.Status == "void" {
		d.warn("%s is void: the books will refuse this.", r.Number)
	}
	if rupees.YearOf(r.Date) != rupees.YearOf(p.date) {
		d.warn("The financial year of %s stays: the books will refuse this. Void it and make another.", r.Number)
	}
	if err := d.closed(r.Date); err != nil {
		return err
	}
	if p.date != r.Date {
		if err := d.on(p.date); err != nil {
			return err
		}
	}
	d.target("payment", r.Number, r.Version)
	if err := d.standing(r.Number, r.days()...); err != nil {
		return err
	}
	return d.postPayment(&p, &d.new)
}

// reallocated returns what a changed payment settles. What it settled is open again
// first. Without other allocations it settles the same documents; of another
// amount in their order, as far as it goes. What was applied of it later, as an
// advance, is taken back.
func (d *draft) reallocated(r paymentRecord, p *payment, document string, in paymentArguments) ([]allocation, error) {
	back := map[string]paise{}
	for _, a := range r.Allocations {
		back[a.Document] += a.Amount
	}
	read := func(number string) (open, error) {
		o, err := d.openDocument(document, number)
		o.Balance += back[o.Number]
		return o, err
	}
	var out []allocation
	if in.Allocations != nil {
		for _, a := range *in.Allocations {
			o, err := read(a.Document)
			if err != nil {
				return nil, err
			}
			out = append(out, allocation{o, a.Amount})
		}
		return out, nil
	}
	for _, a := range r.Allocations {
		o, err := read(a.Document)
		if err != nil {
			return nil, err
		}
		if a.Date.After(r.Date) && !o.Date.After(r.Date) {
			d.warn("%s of %s was applied to %s later; that is taken back.", a.Amount, r.Number, a.Document)
			continue
		}
		take := allocation{o, &a.Amount}
		if in.Amount != nil || in.TDS != nil {
			take.amount = nil
		}
		out = append(out, take)
	}
	slices.SortStableFunc(out, func(a, b allocation) int { return strings.Compare(a.Due.String(), b.Due.String()) })
	return out, nil
}

type advanceArguments struct {
	Payment  string `json:"payment,omitempty"`
	Note     string `json:"note,omitempty"`
	Document string `json:"document"`
	Amount   *paise `json:"amount,omitempty"`
	Date     string `json:"date,omitempty"`
}

func applyAdvance(d *draft, in advanceArguments) error {
	date, err := day("Date", in.Date, d.today)
	if err != nil {
		return err
	}
	p := payment{kind: "receipt"}
	var number, code string
	var left paise
	var from calendar.Date
	if in.Payment != "" {
		r, err := d.paymentRecord(in.Payment)
		if err != nil {
			return err
		}
		p.kind, number, code, left, from = r.Kind, r.Number, r.Code, r.Unapplied, r.Date
		d.target("payment", r.Number, r.Version)
	} else {
		r, err := d.record("credit_note", in.Note)
		if err != nil {
			// There is no tool that reads one debit note.
			return fault.New(fault.Unprocessable, "There is no credit note %s.", in.Note)
		}
		number, code, left, from = r.Number, r.Code, r.Balance, r.Date
		d.target("credit_note", r.Number, r.Version)
	}
	document, _, party, advance, sign := p.kinds()
	o, err := d.openDocument(document, in.Document)
	if err != nil {
		return err
	}
	amount := min(o.Balance, left)
	if in.Amount != nil {
		amount = *in.Amount
	}
	switch {
	case left == 0:
		return fault.New(fault.Conflict, "Nothing of %s is left.", number)
	case o.Balance == 0:
		return fault.New(fault.Conflict, "%s is paid already.", o.Number)
	case amount <= 0 || amount > o.Balance || amount > left:
		return fault.New(fault.Invalid, "%s of %s is open, and %s of %s is left: %s is not between.", o.Balance,
			o.Number, left, number, amount)
	case date.Before(from) || date.Before(o.Date):
		return fault.New(fault.Invalid, "An advance is applied on or after the dates of both documents (%s, %s).",
			rupees.Date(from), rupees.Date(o.Date))
	}
	if o.Code != code {
		d.warn("%s and %s belong to different contacts: the books will refuse this.", number, o.Number)
	}
	d.p.Title = fmt.Sprintf("Settle %s of %s from %s", amount, o.Number, number)
	d.line("Date", rupees.Date(date))
	d.change(title(document)+" "+o.Number, o.Balance.String()+" open", (o.Balance-amount).String()+" open")
	d.change("Left of "+number, left.String(), (left - amount).String())
	d.target(document, o.Number, o.Version)
	if err := d.on(date); err != nil {
		return err
	}
	return d.post(&d.new, post{advance, sign * amount}, post{party, -sign * amount})
}
