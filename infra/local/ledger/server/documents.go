package server

import (
	"context"
	"fmt"
	"strings"
)

// documentFilter narrows lists of documents.
type documentFilter struct {
	Span
	Status    string `json:"status,omitempty" jsonschema:"unpaid, partly_paid, overdue, paid or void; of notes unapplied, partly_applied, applied or void"`
	Search    string `json:"search,omitempty" jsonschema:"part of a number, name or note"`
	MinAmount Money  `json:"min_amount,omitempty" jsonschema:"only totals from this amount on"`
	MaxAmount Money  `json:"max_amount,omitempty" jsonschema:"only totals up to this amount"`
	Page
}

type invoiceFilter struct {
	Customer string `json:"customer,omitempty" jsonschema:"code, name or GSTIN of the customer"`
	documentFilter
}

type billFilter struct {
	Vendor string `json:"vendor,omitempty" jsonschema:"code, name or GSTIN of the vendor"`
	documentFilter
}

// documentLine is a line of an invoice or a bill.
type documentLine struct {
	Description     string   `json:"description" jsonschema:"what was sold or bought"`
	HSNSAC          string   `json:"hsn_sac,omitempty" jsonschema:"HSN of goods or SAC of services, 4 to 8 digits"`
	Quantity        Quantity `json:"quantity,omitempty" jsonschema:"default 1"`
	Unit            string   `json:"unit,omitempty"`
	Rate            Money    `json:"rate" jsonschema:"price of one without GST"`
	DiscountPercent Rate     `json:"discount_percent,omitempty"`
	GSTRate         Rate     `json:"gst_rate,omitempty" jsonschema:"per cent, one that is in force on the date; default 18"`
	Account         string   `json:"account,omitempty" jsonschema:"account by code or name; default by kind of goods or service"`
	Product         string   `json:"product,omitempty" jsonschema:"code of a product, whose stock it moves"`
	ITC             *bool    `json:"itc,omitempty" jsonschema:"of a bill: false when its GST gives no input credit"`
}

type createInvoice struct {
	Customer      string         `json:"customer" jsonschema:"code, name or GSTIN of the customer"`
	Date          Date           `json:"date,omitempty" jsonschema:"YYYY-MM-DD; default today"`
	DueDate       Date           `json:"due_date,omitempty" jsonschema:"default by the customer's terms"`
	PlaceOfSupply string         `json:"place_of_supply,omitempty" jsonschema:"state by name or code; default the customer's"`
	Lines         []documentLine `json:"lines"`
	Notes         string         `json:"notes,omitempty"`
	Reference
}

type updateInvoice struct {
	Number        string         `json:"number" jsonschema:"number of the invoice, such as INV/26-27/0012"`
	Customer      string         `json:"customer,omitempty"`
	Date          Date           `json:"date,omitempty"`
	DueDate       Date           `json:"due_date,omitempty"`
	PlaceOfSupply string         `json:"place_of_supply,omitempty"`
	Lines         []documentLine `json:"lines,omitempty" jsonschema:"all lines, which take the place of the present ones"`
	Notes         string         `json:"notes,omitempty"`
	Version       int            `json:"version,omitempty" jsonschema:"version that was read; a later one refuses the change"`
	Reference
}

type createBill struct {
	Vendor        string         `json:"vendor" jsonschema:"code, name or GSTIN of the vendor"`
	VendorNumber  string         `json:"vendor_number,omitempty" jsonschema:"the number on the vendor's bill"`
	Date          Date           `json:"date,omitempty" jsonschema:"YYYY-MM-DD; default today"`
	DueDate       Date           `json:"due_date,omitempty" jsonschema:"default by the vendor's terms"`
	Lines         []documentLine `json:"lines"`
	TDSSection    string         `json:"tds_section,omitempty" jsonschema:"section for deducting tax, such as 194J; none for no deduction"`
	ReverseCharge bool           `json:"reverse_charge,omitempty"`
	Notes         string         `json:"notes,omitempty"`
	Reference
}

type updateBill struct {
	Number       string         `json:"number" jsonschema:"our number, such as BILL/26-27/0007, or the vendor's"`
	Vendor       string         `json:"vendor,omitempty"`
	VendorNumber string         `json:"vendor_number,omitempty"`
	Date         Date           `json:"date,omitempty"`
	DueDate      Date           `json:"due_date,omitempty"`
	Lines        []documentLine `json:"lines,omitempty" jsonschema:"all lines, which take the place of the present ones"`
	TDSSection   string         `json:"tds_section,omitempty"`
	Notes        string         `json:"notes,omitempty"`
	Version      int            `json:"version,omitempty" jsonschema:"version that was read; a later one refuses the change"`
	Reference
}

// noteLine is a line of a credit or debit note.
type noteLine struct {
	Line     int      `json:"line" jsonschema:"number of the line on the invoice or bill, from 1"`
	Quantity Quantity `json:"quantity,omitempty" jsonschema:"default all of it"`
	Rate     Money    `json:"rate,omitempty" jsonschema:"default that of the line"`
}

type createCreditNote struct {
	Invoice string     `json:"invoice" jsonschema:"number of the invoice that it corrects"`
	Date    Date       `json:"date,omitempty" jsonschema:"YYYY-MM-DD; default today"`
	Reason  string     `json:"reason,omitempty" jsonschema:"why; default Return"`
	Lines   []noteLine `json:"lines,omitempty" jsonschema:"default the whole invoice"`
	Notes   string     `json:"notes,omitempty"`
	Reference
}

type updateCreditNote struct {
	Number  string     `json:"number" jsonschema:"number of the credit note, such as CN/26-27/0001"`
	Date    Date       `json:"date,omitempty"`
	Reason  string     `json:"reason,omitempty"`
	Lines   []noteLine `json:"lines,omitempty"`
	Notes   string     `json:"notes,omitempty"`
	Version int        `json:"version,omitempty" jsonschema:"version that was read; a later one refuses the change"`
	Reference
}

type createDebitNote struct {
	Bill   string     `json:"bill" jsonschema:"number of the bill that it corrects"`
	Date   Date       `json:"date,omitempty" jsonschema:"YYYY-MM-DD; default today"`
	Reason string     `json:"reason,omitempty" jsonschema:"why; default Return"`
	Lines  []noteLine `json:"lines,omitempty" jsonschema:"default the whole bill"`
	Notes  string     `json:"notes,omitempty"`
	Reference
}

type voidDocument struct {
	Number string `json:"number" jsonschema:"the number as it is printed"`
	Reason string `json:"reason" jsonschema:"why it is void"`
	Reference
}

type byReference struct {
	Reference string `json:"reference" jsonschema:"the reference that the write had"`
}

func documentTools() []tool {
	return []tool{
		define("get_all_invoices", "invoices", reads, "List sales invoices, newest first.",
			func(ctx context.Context, c *call, in invoiceFilter) (result, error) {
				return c.documents(ctx, "invoices", "customer", in.Customer, in.documentFilter)
			}),
		define("get_invoice", "invoices", reads, "One invoice with its lines and what settled it, by number.",
			func(ctx context.Context, c *call, in byNumber) (result, error) {
				return c.document(ctx, "invoice", in.Number)
			}),
		define("create_invoice", "invoices", writes,
			"Issue a sales invoice. It gets the next number, its GST by the place of supply, and is posted.",
			func(ctx context.Context, c *call, in createInvoice) (result, error) {
				return c.createDocument(ctx, "invoice", in)
			}),
		define("update_invoice", "invoices", writes, "Change an invoice whose period is open. What is left out stays.",
			func(ctx context.Context, c *call, in updateInvoice) (result, error) {
				return c.updateDocument(ctx, "invoice", in.Number, in)
			}),
		define("void_invoice", "invoices", destroys,
			"Void an invoice whose period is open and of which nothing is paid.",
			func(ctx context.Context, c *call, in voidDocument) (result, error) {
				return c.voidDocument(ctx, "invoice", in)
			}),
		define("get_bills", "bills", reads, "List bills of vendors, newest first.",
			func(ctx context.Context, c *call, in billFilter) (result, error) {
				return c.documents(ctx, "bills", "vendor", in.Vendor, in.documentFilter)
			}),
		define("get_bill", "bills", reads, "One bill with its lines and what settled it, by our number or the "+
			"vendor's.",
			func(ctx context.Context, c *call, in byNumber) (result, error) {
				return c.document(ctx, "bill", in.Number)
			}),
		define("create_bill", "bills", writes, "Enter a bill of a vendor, with input GST and tax deducted at source.",
			func(ctx context.Context, c *call, in createBill) (result, error) {
				return c.createDocument(ctx, "bill", in)
			}),
		define("update_bill", "bills", writes, "Change a bill whose period is open. What is left out stays.",
			func(ctx context.Context, c *call, in updateBill) (result, error) {
				return c.updateDocument(ctx, "bill", in.Number, in)
			}),
		define("void_bill", "bills", destroys, "Void a bill whose period is open and of which nothing is paid.",
			func(ctx context.Context, c *call, in voidDocument) (result, error) {
				return c.voidDocument(ctx, "bill", in)
			}),
		define("get_all_sales_credit_notes", "credit_notes", reads, "List credit notes to customers, newest first.",
			func(ctx context.Context, c *call, in invoiceFilter) (result, error) {
				return c.documents(ctx, "credit_notes", "customer", in.Customer, in.documentFilter)
			}),
		define("get_credit_note", "credit_notes", reads, "One credit note with its lines, by number.",
			func(ctx context.Context, c *call, in byNumber) (result, error) {
				return c.document(ctx, "credit_note", in.Number)
			}),
		define("create_sales_credit_note", "credit_notes", writes,
			"Correct an invoice by a credit note. The open part of the invoice is settled with it.",
			func(ctx context.Context, c *call, in createCreditNote) (result, error) {
				return c.createDocument(ctx, "credit_note", in)
			}),
		define("update_credit_note", "credit_notes", writes, "Change a credit note whose period is open.",
			func(ctx context.Context, c *call, in updateCreditNote) (result, error) {
				return c.updateDocument(ctx, "credit_note", in.Number, in)
			}),
		define("get_all_purchase_debit_notes", "credit_notes", reads, "List debit notes to vendors, newest first.",
			func(ctx context.Context, c *call, in billFilter) (result, error) {
				return c.documents(ctx, "debit_notes", "vendor", in.Vendor, in.documentFilter)
			}),
		define("create_purchase_debit_note", "credit_notes", writes, "Correct a bill by a debit note to its vendor.",
			func(ctx context.Context, c *call, in createDebitNote) (result, error) {
				return c.createDocument(ctx, "debit_note", in)
			}),
		define("find_by_reference", "transactions", reads,
			"What a write with a reference recorded. Use it when a write's answer was lost, before writing again.",
			func(ctx context.Context, c *call, in byReference) (result, error) {
				o, err := c.object(ctx, "", "select ledger.by_reference($1, $2)", c.companyID,
					strings.TrimSpace(in.Reference))
				if err != nil {
					return result{}, err
				}
				if field(o, "found") != "true" {
					return result{fmt.Sprintf("Nothing was written with the reference %s.", in.Reference), o}, nil
				}
				return result{fmt.Sprintf("%s was done with that reference: %s.", field(o, "tool"),
					field(o, "number")), o}, nil
			}),
	}
}

// documents lists one of the views over document_list.
func (c *call) documents(ctx context.Context, view, side, contact string, in documentFilter) (result, error) {
	if err := in.check(); err != nil {
		return result{}, err
	}
	var of any
	if contact != "" {
		id, err := c.findContact(ctx, side, contact)
		if err != nil {
			return result{}, err
		}
		of = id
	}
	return c.list(ctx, in.Page, listing{
		noun: view,
		query: `select to_char(d.date, 'YYYY-MM-DD') || ' ' || d.number as key, jsonb_strip_nulls(jsonb_build_object(
				'id', d.id, 'number', d.number, 'vendor_number', d.vendor_number, 'date', d.date, 'due_date',
					d.due_date,
				'` + side + `', d.contact, '` + side + `_id', d.contact_id, 'against', d.against, 'taxable', d.taxable,
				'gst', d.cgst + d.sgst + d.igst, 'total', d.total, 'balance', d.balance, 'status', d.state,
				'days_overdue', nullif(d.days_overdue, 0))) as row
			from ledger.` + view + ` d
			where d.company_id = $1 and ($2::date is null or d.date >= $2) and ($3::date is null or d.date <= $3)
			and ($4::uuid is null or d.contact_id = $4) and ($5 = '' or d.state = $5)
			and ($6 = '' or strpos(lower(concat_ws(' ', d.number, d.vendor_number, d.contact, d.notes)), lower($6)) > 0
				or ledger.number_key(d.number) = ledger.number_key($6))
			and ($7::numeric is null or d.total >= $7) and ($8::numeric is null or d.total <= $8)`,
		args: []any{c.companyID, orNil(in.From), orNil(in.To), of, in.Status, in.Search, orNil(in.MinAmount),
			orNil(in.MaxAmount)},
		total: "coalesce(sum((row->>'total')::numeric), 0)",
	})
}

func (c *call) document(ctx context.Context, kind, number string) (result, error) {
	o, err := c.object(ctx, "", "select ledger.document($1, ledger.find_document($1, $2, $3))", c.companyID, kind,
		number)
	if err != nil {
		return result{}, err
	}
	return one(kind, o, "%s of %s, %s: ₹%s, %s, ₹%s open.", field(o, "number"), field(o, "date"), field(o, "contact"),
		field(o, "total"), field(o, "state"), field(o, "balance")), nil
}

func (c *call) createDocument(ctx context.Context, kind string, in any) (result, error) {
	o, err := c.make(ctx, "create_"+kind, in)
	if err != nil {
		return result{}, err
	}
	return one(kind, o, "%s for %s over ₹%s was recorded.", field(o, "number"), field(o, "contact"),
		field(o, "total")), nil
}

func (c *call) updateDocument(ctx context.Context, kind, number string, in any) (result, error) {
	id, err := c.id(ctx, "select ledger.find_document($1, $2, $3)", c.companyID, kind, number)
	if err != nil {
		return result{}, err
	}
	o, err := c.change(ctx, "update_document", id, in)
	if err != nil {
		return result{}, err
	}
	return one(kind, o, "%s was changed; its total is ₹%s.", field(o, "number"), field(o, "total")), nil
}

func (c *call) voidDocument(ctx context.Context, kind string, in voidDocument) (result, error) {
	o, err := c.object(ctx, "", "select ledger.void_document($1, ledger.find_document($1, $2, $3), $4)", c.companyID,
		kind, in.Number, in.Reason)
	if err != nil {
		return result{}, err
	}
	return one(kind, o, "%s is void.", field(o, "number")), nil
}
