package reservations

import (
	"context"
	_ "embed"
	"fmt"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/hospitality/pages"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/money"
	"github.com/bellhop-ai/bellhop/pkg/part"
	"github.com/bellhop-ai/bellhop/pkg/render"
	"github.com/bellhop-ai/bellhop/pkg/tool"
)

//go:embed tools/record_payment.md
var recordPaymentText string

//go:embed tools/record_refund.md
var recordRefundText string

//go:embed tools/list_balances_due.md
var listBalancesDueText string

// Payment is money that came in or went back for a reservation, in the
// reservation's currency.
type Payment struct {
	Reservation string        // code
	Kind        string        // payment or refund
	Amount      money.Amount  // above zero
	Method      Method        // how
	On          calendar.Date // when
	Reference   string
	Note        string
	Beyond      bool // a payment may exceed what is owed
}

// Receipt is a payment that was written down.
type Receipt struct {
	Payment struct {
		Code       string        `json:"code"`
		Kind       string        `json:"kind"`
		Method     Method        `json:"method"`
		Status     string        `json:"status"`
		Amount     money.Amount  `json:"amount"`
		Currency   string        `json:"currency"`
		ReceivedOn calendar.Date `json:"receivedOn"`
		Reference  string        `json:"reference,omitempty"`
	} `json:"payment"`
	Reservation Record `json:"reservation"`
}

// Owed is a part of the reservations that still owe money, by arrival.
type Owed struct {
	Reservations []Record     `json:"reservations"`
	Matches      int          `json:"matches"` // in all; the list may be shorter
	Balance      money.Amount `json:"balance"` // of all of them
}

// Payments keeps the payments of reservations.
type Payments interface {
	// PreviewPayment returns the reservation. Its errors are those of RecordPayment.
	PreviewPayment(ctx context.Context, by identity.Caller, p Payment) (Details, error)

	// RecordPayment writes a payment or refund down. It returns a
	// fault.Unprocessable error for more than is owed or was paid. Under a claim
	// it happens once.
	RecordPayment(ctx context.Context, by identity.Caller, p Payment) (Receipt, error)

	// Owed returns up to limit reservations, after the first offset ones, that owe
	// money and arrive until the day; the zero Date means any.
	Owed(ctx context.Context, by identity.Caller, arrivalUntil calendar.Date, limit, offset int) (Owed, error)
}

// Method is how money is paid.
type Method string

// Values returns the closed set.
func (Method) Values() []string {
	return []string{"cash", "card", "bank_transfer", "upi", "online", "other"}
}

type paymentInput struct {
	Code              string        `json:"code" jsonschema:"its code or its group's, the guest's name, or the room"`
	Amount            money.Amount  `json:"amount" jsonschema:"how much, in the reservation's currency"`
	Method            Method        `json:"method" jsonschema:"how it was paid"`
	ReceivedOn        calendar.Date `json:"received_on,omitzero" jsonschema:"the day; today when left out"`
	Reference         string        `json:"reference,omitempty" jsonschema:"of the receipt or transfer"`
	Note              string        `json:"note,omitempty" limits:"note" jsonschema:"a note of the staff"`
	AllowMoreThanOwed bool          `json:"allow_more_than_owed,omitempty" jsonschema:"only on the person's word"`
}

type refundInput struct {
	Code      string        `json:"code" jsonschema:"its code or its group's, the guest's name, or the room"`
	Amount    money.Amount  `json:"amount" jsonschema:"how much, in the reservation's currency"`
	Method    Method        `json:"method" jsonschema:"how it was paid"`
	GivenOn   calendar.Date `json:"given_on,omitzero" jsonschema:"the day; today when left out"`
	Reference string        `json:"reference,omitempty" jsonschema:"of the receipt or transfer"`
	Note      string        `json:"note,omitempty" limits:"note" jsonschema:"why, in the person's words"`
}

type owedInput struct {
	ArrivalUntil calendar.Date `json:"arrival_until,omitzero" jsonschema:"only guests who arrive by this day"`
	Limit        int           `json:"limit,omitempty" jsonschema:"how many to list; 50 when left out"`
	Offset       int           `json:"offset,omitempty" limits:"max=100000" jsonschema:"how many to pass over"`
}

// Check refuses amounts that no payment has.
func (in *paymentInput) Check() error {
	return checkPayment(&in.Code, in.Amount, in.Reference, in.Note)
}

// Check refuses amounts that no refund has.
func (in *refundInput) Check() error {
	return checkPayment(&in.Code, in.Amount, in.Reference, in.Note)
}

// Check fills the limit, and refuses pages that there cannot be.
func (in *owedInput) Check() error {
	return pages.Check(&in.Limit, in.Offset, 50, 200)
}

func checkPayment(code *string, amount money.Amount, reference, note string) error {
	if amount.IsZero() || amount.Negative() {
		return fault.New(fault.Invalid, "The amount must be above zero. Record money that goes back as a refund.")
	}
	if amount.Cmp(money.FromInt(99999999)) > 0 {
		return fault.New(fault.Invalid, "The amount must not be above 99999999.")
	}
	if err := checkText("reference", reference, 120); err != nil {
		return err
	}
	if err := checkText("note", note, 1000); err != nil {
		return err
	}
	if strings.HasPrefix(strings.ToUpper(strings.TrimSpace(*code)), "GRP-") {
		return single(code)
	}
	return tidyWords(code)
}

func (in paymentInput) payment() Payment {
	return Payment{Reservation: in.Code, Kind: "payment", Amount: in.Amount, Method: in.Method, On: in.ReceivedOn,
		Reference: in.Reference, Note: in.Note, Beyond: in.AllowMoreThanOwed}
}

func (in refundInput) payment() Payment {
	return Payment{Reservation: in.Code, Kind: "refund", Amount: in.Amount, Method: in.Method, On: in.GivenOn,
		Reference: in.Reference, Note: in.Note}
}

func (c service) payTools() []tool.Tool {
	return []tool.Tool{
		paying(c, tool.Spec{Name: "record_payment", Effect: tool.Changes, Description: recordPaymentText,
			Extension: "what a booking still owes is shown everywhere, so money that comes in must be written down"},
			paymentInput.payment),
		paying(c, tool.Spec{Name: "record_refund", Effect: tool.Destroys, Description: recordRefundText,
			Extension: "a cancelled booking's money goes back, and the books must say so"}, refundInput.payment),
		tool.New(tool.Spec{Name: "list_balances_due", Effect: tool.Reads, Description: listBalancesDueText,
			Extension: "who still owes money is asked for every day, and no search by status finds it"},
			func(ctx context.Context, by identity.Caller, in owedInput) (owed, error) {
				o, err := c.store.Owed(ctx, by, in.ArrivalUntil, in.Limit, in.Offset)
				return owed{Owed: o, Currency: by.Entity.Currency, input: in}, err
			}),
	}
}

// paying makes a tool that writes down the payment of its input.
func paying[In any](c service, spec tool.Spec, payment func(In) Payment) tool.Tool {
	complete := func(ctx context.Context, by identity.Caller, in In) (Payment, error) {
		p := payment(in)
		today, err := c.today(by)
		if err != nil {
			return p, err
		}
		act := "pay"
		if p.Kind == "refund" {
			act = "show"
		}
		if p.Reservation, err = c.meant(ctx, by, p.Reservation, act, call{spec.Name, p.arguments()}); err != nil {
			return p, err
		}
		switch {
		case p.On.IsZero():
			p.On = today
		case p.On.After(today):
			return p, fault.New(fault.Invalid, "The day (%s) lies in the future; today is %s.", p.On.Show(),
				today.Show())
		}
		if digits := money.Digits(by.Entity.Currency); p.Amount.Decimals() > digits {
			return p, fault.New(fault.Invalid, "An amount in %s has at most %d decimals.", by.Entity.Currency, digits)
		}
		return p, nil
	}
	return tool.New(spec,
		func(ctx context.Context, by identity.Caller, in In) (receipt, error) {
			p, err := complete(ctx, by, in)
			if err != nil {
				return receipt{}, err
			}
			r, err := c.store.RecordPayment(ctx, by, p)
			return receipt{r}, err
		},
		tool.Previewed(func(ctx context.Context, by identity.Caller, in In) (tool.Preview, error) {
			p, err := complete(ctx, by, in)
			if err != nil {
				return tool.Preview{}, err
			}
			d, err := c.store.PreviewPayment(ctx, by, p)
			if err != nil {
				return tool.Preview{}, err
			}
			return p.preview(d)
		}))
}

// arguments are those of the tool that writes p down, but its reservation.
func (p Payment) arguments() map[string]any {
	all := map[string]any{"amount": p.Amount, "method": p.Method}
	for name, text := range map[string]string{"reference": p.Reference, "note": p.Note} {
		if text != "" {
			all[name] = text
		}
	}
	return all
}

func (p Payment) preview(d Details) (tool.Preview, error) {
	after, err := d.Balance.Sub(p.Amount)
	if p.Kind == "refund" {
		after, err = d.Balance.Add(p.Amount)
	}
	if err != nil {
		return tool.Preview{}, fault.Wrap(fault.Invalid, err, "The amount is too large.")
	}
	s := sheet{tool.Preview{Title: fmt.Sprintf("Record a %s of %s for %s", p.Kind, p.Amount.Format(d.Currency),
		d.Code)}}
	s.show(d)
	s.add("Amount", p.Amount.Format(d.Currency))
	s.add("Method", p.Method.words())
	s.add("Day", p.On.Show())
	s.add("Reference", p.Reference)
	s.add("Note", p.Note)
	if d.Status.over() {
		paid, err := d.Total.Sub(after)
		if err != nil {
			return tool.Preview{}, fault.Wrap(fault.Invalid, err, "The amount is too large.")
		}
		s.line("Paid", d.Paid.Format(d.Currency), paid.Format(d.Currency))
	} else {
		s.line("To pay", d.Balance.Format(d.Currency), after.Format(d.Currency))
	}
	if d.Status == "cancelled" && p.Kind == "payment" {
		s.warn("Reservation %s is cancelled.", d.Code)
	}
	if after.Negative() {
		s.warn("The guest has then paid more than the total.")
	}
	s.Warnings = append(s.Warnings, "This only writes the money down; nothing is charged or sent.")
	return s.Preview, nil
}

func (m Method) words() string { return strings.ReplaceAll(string(m), "_", " ") }

type receipt struct{ Receipt }

// Summarize is the receipt in a sentence.
func (r receipt) Summarize() string {
	p := r.Payment
	text := fmt.Sprintf("Recorded a %s of %s by %s on %s (%s) for reservation %s of %s.", p.Kind,
		p.Amount.Format(p.Currency),
		p.Method.words(), p.ReceivedOn.Show(), p.Code, r.Reservation.Code, r.Reservation.Guest)
	if r.Reservation.Status.over() {
		return text
	}
	return text + " To pay: " + r.Reservation.Balance.Format(p.Currency) + "."
}

type owed struct {
	Owed
	Currency string `json:"currency"`
	input    owedInput
}

func (o owed) page() pages.Page {
	return pages.Page{Offset: o.input.Offset, Shown: len(o.Reservations), Matches: o.Matches}
}

// Show offers to write down what the first ones pay, and the next page.
func (o owed) Show() []part.Data {
	var list []part.Choice
	for _, r := range o.Reservations[:min(2, len(o.Reservations))] {
		list = append(list, pays(r.Code, r.Guest, r.Balance, r.Currency))
	}
	if next, more := o.page().Next("list_balances_due", o.input, o.input.Limit); more {
		list = append(list, next)
	}
	return part.Next(list...)
}

// Table lays the list out.
func (o owed) Table() render.Table {
	t := recorded{o.Reservations}.Table()
	t.Title = "Balances due"
	t.Note = o.page().Note("by arrival")
	return t
}

// Summarize says how much is owed in all.
func (o owed) Summarize() string {
	if o.Matches == 0 {
		return "Nobody owes anything."
	}
	verb := "owe"
	if o.Matches == 1 {
		verb = "owes"
	}
	text := fmt.Sprintf("%s %s %s in all.", count(o.Matches, "reservation"), verb, o.Balance.Format(o.Currency))
	return strings.TrimSpace(text + " " + o.page().Note("by arrival"))
}
