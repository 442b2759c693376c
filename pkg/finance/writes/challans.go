package writes

import (
	"fmt"
	"math/big"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/finance/gst"
	"github.com/bellhop-ai/bellhop/pkg/finance/rupees"
)

type challanArguments struct {
	Customer string          `json:"customer"`
	Date     string          `json:"date,omitempty"`
	Purpose  string          `json:"purpose,omitempty"`
	Vehicle  string          `json:"vehicle,omitempty"`
	Lines    []lineArguments `json:"lines"`
	Notes    string          `json:"notes,omitempty"`
}

func createChallan(d *draft, in challanArguments) error {
	c, err := d.contact("customer", in.Customer)
	if err != nil {
		return err
	}
	date, err := day("Date", in.Date, d.today)
	if err != nil {
		return err
	}
	if len(in.Lines) == 0 {
		return fault.New(fault.Invalid, "A delivery challan needs at least one line.")
	}
	purpose := in.Purpose
	if purpose == "" {
		purpose = "supply"
	}
	d.p.Title = "Issue a delivery challan to " + c.Name
	d.numbered("DC", date)
	d.line("Date", rupees.Date(date))
	d.line("Customer", c.Name+" ("+c.Code+")")
	d.line("Purpose", strings.ReplaceAll(purpose, "_", " "))
	d.optional("Vehicle", strings.ToUpper(in.Vehicle))
	var sum paise
	for i, l := range in.Lines {
		var p product
		if l.Product != "" {
			if p, err = d.product(l.Product); err != nil {
				return err
			}
		}
		name, unit, rate, code := l.Description, l.Unit, paise(0), l.HSN
		for to, def := range map[*string]string{&name: p.Name, &unit: p.Unit, &code: p.HSN} {
			if strings.TrimSpace(*to) == "" {
				*to = def
			}
		}
		if l.Rate != nil {
			rate = *l.Rate
		} else if p.Sale != nil {
			rate = *p.Sale
		}
		if name == "" {
			return fault.New(fault.Invalid, "Line %d needs a product or a description.", i+1)
		}
		if unit == "" {
			unit = "NOS"
		}
		value, err := rounded(new(big.Rat).Mul(l.Quantity.or(1), rate.rat()), 2)
		if err != nil {
			return err
		}
		for _, f := range gst.CheckHSN(code) {
			d.warn("Line %d: %s", i+1, f.Text)
		}
		sum += value
		d.line(fmt.Sprintf("%d. %s", i+1, name), fmt.Sprintf("%s %s × %s = %s", short(l.Quantity.or(1)),
			strings.ToUpper(unit), rate, value))
	}
	d.line("Value", sum.String())
	d.optional("Notes", in.Notes)
	d.line("Postings", "none: a delivery challan posts nothing")
	return nil
}

func updateChallan(d *draft, in struct {
	Number  string `json:"number"`
	Status  string `json:"status"`
	Invoice string `json:"invoice_number,omitempty"`
}) error {
	found, err := ask[map[string]struct {
		Number   string        `json:"number"`
		Date     calendar.Date `json:"date"`
		Customer string        `json:"customer"`
		Status   string        `json:"status"`
		Value    paise         `json:"value"`
	}](d, "get_delivery_challan", map[string]any{"number": in.Number})
	if err != nil {
		return err
	}
	c := found["delivery_challan"]
	d.p.Title = fmt.Sprintf("Mark the delivery challan %s as %s", c.Number, in.Status)
	d.line("Customer", c.Customer)
	d.line("Value", c.Value.String())
	d.change("Status", c.Status, in.Status)
	if in.Status == "invoiced" {
		if in.Invoice == "" {
			return fault.New(fault.Invalid, "The number of the invoice is missing.")
		}
		r, err := d.record("invoice", in.Invoice)
		if err != nil {
			return err
		}
		d.line("Invoice", r.Number+" over "+r.Total.String())
		if r.Contact != c.Customer {
			d.warn("%s is of %s, the delivery challan of %s.", r.Number, r.Contact, c.Customer)
		}
	}
	if c.Status != "open" && c.Status != "delivered" || c.Status == "delivered" && in.Status != "invoiced" &&
		in.Status != "returned" {
		d.warn("%s is %s and cannot become %s: the books will refuse this.", c.Number, c.Status, in.Status)
	}
	d.target("challan", c.Number, 0)
	return nil
}

// others returns what shows the tools that people use less often.
func others(name string) show {
	switch name {
	case "create_sales_credit_note":
		return of(func(d *draft, in noteArguments) error { return createNote(d, "credit_note", in) })
	case "create_purchase_debit_note":
		return of(func(d *draft, in noteArguments) error { return createNote(d, "debit_note", in) })
	case "update_credit_note":
		return of(updateCreditNote)
	case "update_payment":
		return of(updatePayment)
	case "void_payment":
		return of(voidPayment)
	case "apply_advance":
		return of(applyAdvance)
	case "create_journal_entry":
		return of(createJournal)
	case "delete_journal_entry":
		return of(deleteJournal)
	case "delete_expense":
		return of(deleteExpense)
	case "create_account":
		return of(createAccount)
	case "create_product":
		return of(createProduct)
	case "update_product":
		return of(updateProduct)
	case "adjust_stock":
		return of(adjustStock)
	case "create_delivery_challan":
		return of(createChallan)
	case "update_delivery_challan":
		return of(updateChallan)
	}
	return outside(name)
}

// outside returns what shows the tools of banks, of closing and of the tax office.
func outside(name string) show {
	switch name {
	case "create_bank_account":
		return of(createBankAccount)
	case "import_bank_statement":
		return of(importStatement)
	case "match_bank_transaction":
		return of(matchTransaction)
	case "unmatch_bank_transaction":
		return of(unmatchTransaction)
	case "reconcile_bank_account":
		return of(reconcile)
	case "update_transaction":
		return of(updateTransaction)
	case "set_period_status":
		return of(setPeriod)
	case "file_gstr1":
		return of(func(d *draft, in monthArguments) error { return fileReturn(d, "GSTR-1", in) })
	case "file_gstr3b":
		return of(func(d *draft, in monthArguments) error { return fileReturn(d, "GSTR-3B", in) })
	case "generate_einvoice":
		return of(generateEinvoice)
	case "cancel_einvoice":
		return of(cancelEinvoice)
	case "send_payment_reminders":
		return of(sendReminders)
	}
	return nil
}
