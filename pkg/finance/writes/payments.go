package writes

import (
	"fmt"
	"slices"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/finance/rupees"
)

type allocationArguments struct {
	Document string `json:"document"`
	Amount   *paise `json:"amount,omitempty"`
}

type paymentArguments struct {
	Number        string                 `json:"number,omitempty"`
	Kind          string                 `json:"kind,omitempty"`
	Contact       string                 `json:"contact,omitempty"`
	Date          string                 `json:"date,omitempty"`
	Amount        *paise                 `json:"amount,omitempty"`
	TDS           *paise                 `json:"tds,omitempty"`
	Account       string                 `json:"account,omitempty"`
	Mode          string                 `json:"mode,omitempty"`
	BankReference string                 `json:"bank_reference,omitempty"`
	Allocations   *[]allocationArguments `json:"allocations,omitempty"`
	Notes         string                 `json:"notes,omitempty"`
}

// open is an invoice or a bill that a payment may settle.
type open struct {
	Number    string        `json:"number"`
	Date      calendar.Date `json:"date"`
	Due       calendar.Date `json:"due_date"`
	Balance   paise         `json:"balance"`
	State     string        `json:"state"`
	ContactID string        `json:"contact_id"`
	Code      string        `json:"contact_code"`
	Version   int           `json:"version"`
}

// allocation is what a payment settles of a document.
type allocation struct {
	open
	amount *paise // nil takes what is open
}

// payment is what the books compute of a payment.
type payment struct {
	kind      string // receipt or payment
	number    string
	date      calendar.Date
	contact   contact
	account   account
	amount    paise
	tds       paise
	mode      string
	reference string
	given     []allocation
	later     []settlement // settled from the advance, as their dates are after the payment's
	direct    paise
	left      paise // what is an advance
}

type settlement struct {
	open
	amount paise
}

// kinds returns what a kind of payment settles: the kind of document, the contact's
// kind, the accounts of the party and of advances, and the side of the money.
func (p *payment) kinds() (document, contact, party, advance string, sign paise) {
	if p.kind == "payment" {
		return "bill", "vendor", "payable", "vendor_advance", -1
	}
	return "invoice", "customer", "receivable", "customer_advance", 1
}

// openDocument reads one invoice or bill.
func (d *draft) openDocument(kind, number string) (open, error) {
	found, err := ask[map[string]open](d, "get_"+kind, map[string]any{"number": number})
	return found[kind], err
}

// openDocuments returns what a contact has open up to a day, due first.
func (d *draft) openDocuments(kind, code string, until calendar.Date) ([]open, error) {
	name, noun, by := "get_all_invoices", "invoices", "customer"
	if kind == "bill" {
		name, noun, by = "get_bills", "bills", "vendor"
	}
	var out []open
	for _, status := range []string{"overdue", "partly_paid", "unpaid"} {
		rows, err := all[open](d, name, noun, map[string]any{by: code, "to": until.String(), "status": status})
		if err != nil {
			return nil, err
		}
		out = append(out, rows...)
	}
	slices.SortFunc(out, func(a, b open) int {
		if a.Due != b.Due {
			return strings.Compare(a.Due.String(), b.Due.String())
		}
		return strings.Compare(a.Number, b.Number)
	})
	return out, nil
}

// pay computes a payment from its arguments.
func (d *draft) pay(in paymentArguments) (*payment, error) {
	p := &payment{kind: strings.TrimSpace(in.Kind), mode: strings.TrimSpace(in.Mode), reference: in.BankReference}
	if p.kind == "" {
		p.kind = "receipt"
	}
	if p.kind != "receipt" && p.kind != "payment" {
		return nil, fault.New(fault.Invalid, "The kind of a payment is receipt or payment.")
	}
	if p.mode == "" {
		p.mode = "NEFT"
	}
	document, party, _, _, _ := p.kinds()
	var err error
	if p.date, err = day("Date", in.Date, d.today); err != nil {
		return nil, err
	}
	if in.Amount == nil || *in.Amount <= 0 {
		return nil, fault.New(fault.Invalid, "The amount of a payment is more than zero.")
	}
	p.amount = *in.Amount
	if in.TDS != nil {
		p.tds = *in.TDS
	}
	if p.tds < 0 || p.tds > 0 && p.kind == "payment" {
		return nil, fault.New(fault.Invalid,
			"Tax deducted belongs to a receipt; on a bill it is deducted when the bill is entered.")
	}
	who := in.Contact
	if in.Allocations != nil {
		for _, a := range *in.Allocations {
			o, err := d.openDocument(document, a.Document)
			if err != nil {
				return nil, err
			}
			p.given = append(p.given, allocation{o, a.Amount})
			if strings.TrimSpace(who) == "" {
				who = o.Code
			}
		}
	}
	if p.contact, err = d.contact(party, who); err != nil {
		return nil, err
	}
	words := strings.TrimSpace(in.Account)
	if words == "" {
		words = "bank"
		if strings.EqualFold(p.mode, "cash") {
			words = "cash"
		}
	}
	if p.account, err = d.account(words); err != nil {
		return nil, err
	}
	if !p.account.Cash {
		return nil, fault.New(fault.Invalid, "%s is no bank or cash account.", p.account.Name)
	}
	if in.Allocations == nil {
		found, err := d.openDocuments(document, p.contact.Code, p.date)
		if err != nil {
			return nil, err
		}
		rest := p.amount + p.tds
		for _, o := range found {
			if rest <= 0 {
				break
			}
			amount := min(o.Balance, rest)
			rest -= amount
			p.given = append(p.given, allocation{o, &amount})
		}
	}
	return p, nil
}

// settle shows what a payment settles, and computes what remains of it.
func (d *draft) settle(p *payment) error {
	kind, _, _, _, _ := p.kinds()
	total := p.amount + p.tds
	p.left = total
	for _, a := range p.given {
		if !a.Date.After(p.date) {
			amount := a.Balance
			if a.amount != nil {
				amount = min(*a.amount, amount)
			}
			p.direct += amount
		}
	}
	p.direct = min(p.direct, total)
	// Those that are not later than the payment come first.
	given := slices.Clone(p.given)
	slices.SortStableFunc(given, func(a, b allocation) int {
		return map[bool]int{true: 1}[a.Date.After(p.date)] - map[bool]int{true: 1}[b.Date.After(p.date)]
	})
	open := map[string]paise{}
	for _, a := range given {
		if _, ok := open[a.Number]; !ok {
			open[a.Number] = a.Balance
		}
		amount := min(open[a.Number], p.left)
		if a.amount == nil && p.left == 0 {
			continue
		}
		if a.amount != nil {
			amount = *a.amount
		}
		refusal := ""
		switch {
		case a.State == "void":
			refusal = a.Number + " is void"
		case a.Code != "" && a.Code != p.contact.Code:
			refusal = a.Number + " belongs to another customer or vendor"
		case open[a.Number] == 0:
			refusal = a.Number + " is paid already"
		case amount > open[a.Number]:
			refusal = fmt.Sprintf("only %s of %s is open", open[a.Number], a.Number)
		case amount > p.left:
			refusal = fmt.Sprintf("only %s is left for %s", p.left, a.Number)
		}
		if refusal != "" {
			d.warn("The books will refuse this: %s.", refusal)
			continue
		}
		before := open[a.Number]
		open[a.Number] -= amount
		p.left -= amount
		after := "settled with " + amount.String()
		if rest := open[a.Number]; rest > 0 {
			after = fmt.Sprintf("%s settled, %s stays open", amount, rest)
		}
		d.p.Lines = append(d.p.Lines, line(fmt.Sprintf("%s %s, due %s", title(kind), a.Number, rupees.Date(a.Due)),
			before.String()+" open", after))
		if a.Date.After(p.date) {
			p.later = append(p.later, settlement{a.open, amount})
		}
		d.target(kind, a.Number, a.Version)
	}
	if p.left > 0 {
		d.line("Advance", p.left.String()+" is not for an open "+kind)
	}
	return nil
}

// postPayment posts a payment, and what settles later documents out of the advance.
func (d *draft) postPayment(p *payment, to *posting) error {
	_, _, party, advance, sign := p.kinds()
	direct, rest := p.direct, p.amount+p.tds-p.direct
	for _, l := range p.later {
		direct, rest = direct+l.amount, rest-l.amount
	}
	return d.post(to, post{p.account.Code, sign * p.amount}, post{"tds_receivable", p.tds},
		post{party, -sign * direct}, post{advance, -sign * rest})
}

func createPayment(d *draft, in paymentArguments) error {
	p, err := d.pay(in)
	if err != nil {
		return err
	}
	prefix, who := "RCT", "from"
	if p.kind == "payment" {
		prefix, who = "PAY", "to"
	}
	d.p.Title = fmt.Sprintf("Record a %s of %s %s %s", p.kind, p.amount, who, p.contact.Name)
	d.numbered(prefix, p.date)
	d.line("Date", rupees.Date(p.date))
	d.line(title(who), p.contact.Name+" ("+p.contact.Code+")")
	d.line("Amount", p.amount.String())
	d.line("In words", rupees.Words(p.amount.amount()))
	if p.tds > 0 {
		d.line("TDS that the customer deducted", p.tds.String())
	}
	d.line("Account", p.account.Code+" "+p.account.Name)
	d.line("Mode", p.mode)
	d.optional("Bank reference", p.reference)
	if err := d.settle(p); err != nil {
		return err
	}
	d.optional("Notes", in.Notes)
	if strings.EqualFold(p.mode, "cash") {
		d.checkCash(p)
	}
	if err := d.on(p.date); err != nil {
		return err
	}
	if err := d.postPayment(p, &d.new); err != nil {
		return err
	}
	return d.likePayments(p)
}

// Limits of cash, in rupees a day and person: the Income-tax Act forbids to take
// two lakh or more (section 269ST) and disallows an expense that was paid with
// more than ten thousand (section 40A(3)).
const (
	cashTaken = 200_000_00
	cashPaid  = 10_000_00
)

func (d *draft) checkCash(p *payment) {
	if p.kind == "receipt" && p.amount >= cashTaken {
		d.warn("%s in cash: two lakh rupees or more may not be taken in cash (Income-tax Act, section 269ST).",
			p.amount)
	}
	if p.kind == "payment" && p.amount > cashPaid {
		d.warn("%s in cash: an expense of which more than ₹10,000 is paid in cash on a day is disallowed "+
			"(Income-tax Act, section 40A(3)).", p.amount)
	}
}

// paid is a payment as lists show it.
type paid struct {
	Number        string        `json:"number"`
	Kind          string        `json:"kind"`
	Date          calendar.Date `json:"date"`
	Contact       string        `json:"contact"`
	Amount        paise         `json:"amount"`
	BankReference string        `json:"bank_reference"`
	Status        string        `json:"status"`
}

const sameReference = "Possible duplicate: %s of %s over %s has the same bank reference %s."

// likePayments warns of payments with the same bank reference, or of the same
// contact and amount a few days apart.
func (d *draft) likePayments(p *payment) error {
	arguments := ofDays(p.date.AddDays(-alikeDays), p.date.AddDays(alikeDays))
	arguments["kind"], arguments["contact"] = p.kind, p.contact.Name
	near, err := all[paid](d, "get_all_payments", "payments", arguments)
	if err != nil {
		return err
	}
	if p.reference != "" {
		same, err := all[paid](d, "get_all_payments", "payments", map[string]any{"kind": p.kind,
			"search": p.reference})
		if err != nil {
			return err
		}
		for _, r := range same {
			if r.Status != "void" && numberKey(r.BankReference) == numberKey(p.reference) && r.Number != p.number {
				d.warn(sameReference, r.Number, rupees.Date(r.Date), r.Amount, p.reference)
			}
		}
	}
	for _, r := range near {
		if r.Status == "void" || r.Contact != p.contact.Name || r.Number == p.number {
			continue
		}
		if p.reference != "" && numberKey(r.BankReference) == numberKey(p.reference) {
			d.warn(sameReference, r.Number, rupees.Date(r.Date), r.Amount, p.reference)
		} else if r.Amount == p.amount {
			d.warn("Possible duplicate: %s of %s has the same amount (%s).", r.Number, rupees.Date(r.Date), r.Amount)
		}
	}
	return nil
}
