// Package invoice makes documents for customers from the books: an invoice with
// the particulars of rule 46 of the CGST Rules, and reminders of what is overdue.
// They are read from the organisation's accounting product, mailed with the PDF,
// and nothing in them is a model's invention.
package invoice

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/finance/gst"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/money"
)

// Reader asks the accounting product: it calls a tool that reads, by the name that
// the product gives it, and returns its structured answer.
type Reader = func(ctx context.Context, by identity.Caller, tool string, arguments any) (json.RawMessage, error)

// Party is the supplier or the customer.
type Party struct {
	Name      string `json:"name"`
	GSTIN     string `json:"gstin"` // empty without a registration
	PAN       string `json:"pan"`
	State     string `json:"state"`
	StateCode string `json:"state_code"`
	Address   string `json:"address"`
	Email     string `json:"email"`
	Phone     string `json:"phone"`
}

// Line is a line of an invoice. Its taxes are amounts, not rates.
type Line struct {
	Number      int          `json:"line"`
	Description string       `json:"description"`
	HSN         string       `json:"hsn_sac"`
	Quantity    money.Amount `json:"quantity"`
	Unit        string       `json:"unit"`
	Rate        money.Amount `json:"rate"`
	Discount    money.Amount `json:"discount_percent"`
	Taxable     money.Amount `json:"taxable"`
	GST         money.Amount `json:"gst_rate"` // per cent
	gst.Tax
}

// Invoice is an invoice as it is in the books. Amounts are rupees.
type Invoice struct {
	Number        string        `json:"number"`
	Date          calendar.Date `json:"date"`
	Due           calendar.Date `json:"due_date"`
	CustomerCode  string        `json:"contact_code"`
	GSTIN         string        `json:"gstin"`           // the customer's when it was made
	Place         string        `json:"place_of_supply"` // code of the state
	Supply        string        `json:"supply"`          // intra, inter or export
	ReverseCharge bool          `json:"reverse_charge"`
	Lines         []Line        `json:"lines"`
	Taxable       money.Amount  `json:"taxable"`
	gst.Tax
	RoundOff    money.Amount `json:"round_off"`
	Total       money.Amount `json:"total"`
	Settled     money.Amount `json:"settled"` // by payments and credit notes
	Balance     money.Amount `json:"balance"`
	State       string       `json:"state"` // unpaid, partly_paid, overdue, paid or void
	DaysOverdue int          `json:"days_overdue"`
	Notes       string       `json:"notes"`
	Registered  struct {
		IRN       string `json:"irn"`
		AckNumber string `json:"ack_number"`
	} `json:"einvoice"`

	Supplier Party `json:"-"`
	Customer Party `json:"-"`
}

// Read reads an invoice by its number, with the company and the customer.
func Read(ctx context.Context, by identity.Caller, read Reader, number string) (Invoice, error) {
	var books struct{ Invoice *Invoice }
	if err := ask(ctx, by, read, "get_invoice", map[string]string{"number": number}, &books); err != nil {
		return Invoice{}, err
	}
	if books.Invoice == nil || books.Invoice.Number == "" {
		return Invoice{}, fault.New(fault.Upstream, "The books gave no invoice %s.", number)
	}
	v := *books.Invoice
	var own struct{ Company Party }
	if err := ask(ctx, by, read, "get_company", map[string]string{}, &own); err != nil {
		return Invoice{}, err
	}
	var other struct{ Customer Party }
	if err := ask(ctx, by, read, "get_customer", map[string]string{"customer": v.CustomerCode}, &other); err != nil {
		return Invoice{}, err
	}
	v.Supplier, v.Customer = own.Company, other.Customer
	v.Customer.GSTIN = v.GSTIN
	return v, nil
}

func ask(ctx context.Context, by identity.Caller, read Reader, tool string, arguments, into any) error {
	answer, err := read(ctx, by, tool, arguments)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(answer, into); err != nil {
		return fault.Wrap(fault.Upstream, fmt.Errorf("answer of %s: %w", tool, err),
			"The books gave an answer that could not be read.")
	}
	return nil
}

// Title is what the law calls the document: a tax invoice, or a bill of supply
// where no tax is charged. A supplier without a GSTIN writes an invoice.
func (v Invoice) Title() string {
	taxed := v.Supply == "export" || v.ReverseCharge
	for _, l := range v.Lines {
		taxed = taxed || !l.GST.IsZero()
	}
	switch {
	case v.Supplier.GSTIN == "":
		return "Invoice"
	case !taxed:
		return "Bill of supply"
	}
	return "Tax invoice"
}

// Interstate reports whether IGST is due: between states, and for exports.
func (v Invoice) Interstate() bool { return v.Supply != "intra" }

// Check returns what does not fit the rules in the particulars of an invoice.
func (v Invoice) Check() []gst.Finding {
	list := gst.CheckNumber(v.Number)
	for _, p := range []struct{ whose, gstin string }{
		{"supplier", v.Supplier.GSTIN}, {"customer", v.Customer.GSTIN},
	} {
		if p.gstin == "" {
			continue
		}
		_, findings, err := gst.CheckGSTIN(p.gstin)
		if err != nil {
			findings = []gst.Finding{{Code: "gstin_form", Text: "The GSTIN of the " + p.whose +
				" has not 15 letters and digits."}}
		}
		list = append(list, findings...)
	}
	if _, ok := gst.StateName(v.Place); !ok {
		list = append(list, gst.Finding{Code: "place_unknown",
			Text: "The place of supply is not the code of a state."})
	}
	for _, l := range v.Lines {
		findings := append(gst.CheckHSN(l.HSN), gst.CheckRate(l.GST, v.Date)...)
		// Exports bear IGST or none, and the tax of reverse charge is not in the lines.
		if v.Supply != "export" && !v.ReverseCharge && v.Supplier.GSTIN != "" {
			findings = append(findings, gst.CheckTax(l.Taxable, l.GST, v.Interstate(), l.Tax)...)
		}
		for _, f := range findings {
			f.Text = fmt.Sprintf("Line %d: %s", l.Number, f.Text)
			list = append(list, f)
		}
	}
	return list
}
