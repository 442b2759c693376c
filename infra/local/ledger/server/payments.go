package server

import (
	"context"
)

type paymentFilter struct {
	Span
	Kind    string `json:"kind,omitempty" jsonschema:"receipt (from a customer) or payment (to a vendor)"`
	Contact string `json:"contact,omitempty" jsonschema:"part of the name of the customer or vendor"`
	Search  string `json:"search,omitempty" jsonschema:"part of the number, bank reference or note"`
	Page
}

type allocation struct {
	Document string `json:"document" jsonschema:"number of the invoice or bill"`
	Amount   Money  `json:"amount,omitempty" jsonschema:"default all that is open"`
}

type createPayment struct {
	Kind          string        `json:"kind,omitempty" jsonschema:"receipt (from a customer, default) or payment (to a vendor)"`
	Contact       string        `json:"contact,omitempty" jsonschema:"the customer or vendor; default that of the first document"`
	Date          Date          `json:"date,omitempty" jsonschema:"YYYY-MM-DD; default today"`
	Amount        Money         `json:"amount" jsonschema:"the money that moved"`
	TDS           Money         `json:"tds,omitempty" jsonschema:"tax that the customer deducted; settles like money"`
	Account       string        `json:"account,omitempty" jsonschema:"bank or cash account; default the bank"`
	Mode          string        `json:"mode,omitempty" jsonschema:"NEFT (default), RTGS, UPI, cheque, cash …"`
	BankReference string        `json:"bank_reference,omitempty" jsonschema:"UTR or number of the cheque"`
	Allocations   *[]allocation `json:"allocations,omitempty" jsonschema:"what it settles; default the documents that are due first, an empty list is an advance"`
	Notes         string        `json:"notes,omitempty"`
	Reference
}

type updatePayment struct {
	Number        string        `json:"number" jsonschema:"number of the payment, such as RCT/26-27/0003"`
	Date          Date          `json:"date,omitempty"`
	Amount        Money         `json:"amount,omitempty"`
	TDS           Money         `json:"tds,omitempty"`
	Account       string        `json:"account,omitempty"`
	Mode          string        `json:"mode,omitempty"`
	BankReference string        `json:"bank_reference,omitempty"`
	Allocations   *[]allocation `json:"allocations,omitempty"`
	Notes         string        `json:"notes,omitempty"`
	Version       int           `json:"version,omitempty" jsonschema:"version that was read; a later one refuses the change"`
	Reference
}

type applyAdvance struct {
	Payment  string `json:"payment,omitempty" jsonschema:"number of the payment that left something over"`
	Note     string `json:"note,omitempty" jsonschema:"or number of a credit or debit note that did"`
	Document string `json:"document" jsonschema:"number of the invoice or bill to settle"`
	Amount   Money  `json:"amount,omitempty" jsonschema:"default all that is left or open"`
	Date     Date   `json:"date,omitempty" jsonschema:"default today"`
	Reference
}

func paymentTools() []tool {
	return []tool{
		define("get_all_payments", "payments", reads,
			"List receipts from customers and payments to vendors, newest first.",
			listPayments),
		define("get_payment", "payments", reads, "One payment with what it settled, by number.",
			func(ctx context.Context, c *call, in byNumber) (result, error) {
				o, err := c.object(ctx, "", "select ledger.payment($1, ledger.find_payment($1, $2))", c.companyID,
					in.Number)
				if err != nil {
					return result{}, err
				}
				return one("payment", o, "%s of %s, %s: ₹%s.", field(o, "number"), field(o, "date"),
					field(o, "contact"),
					field(o, "amount")), nil
			}),
		define("create_payment", "payments", writes, "Record a receipt from a customer or a payment to a vendor.",
			func(ctx context.Context, c *call, in createPayment) (result, error) {
				o, err := c.make(ctx, "create_payment", in)
				if err != nil {
					return result{}, err
				}
				return one("payment", o, "%s over ₹%s was recorded; ₹%s of it is not applied.", field(o, "number"),
					field(o, "amount"), field(o, "unapplied")), nil
			}),
		define("update_payment", "payments", writes, "Change a payment whose period is open. What is left out stays.",
			func(ctx context.Context, c *call, in updatePayment) (result, error) {
				id, err := c.id(ctx, "select ledger.find_payment($1, $2)", c.companyID, in.Number)
				if err != nil {
					return result{}, err
				}
				o, err := c.change(ctx, "update_payment", id, in)
				if err != nil {
					return result{}, err
				}
				return one("payment", o, "%s was changed.", field(o, "number")), nil
			}),
		define("void_payment", "payments", destroys,
			"Void a payment whose period is open; what it settled is open again.",
			func(ctx context.Context, c *call, in voidDocument) (result, error) {
				o, err := c.object(ctx, "", "select ledger.void_payment($1, ledger.find_payment($1, $2), $3)",
					c.companyID,
					in.Number, in.Reason)
				if err != nil {
					return result{}, err
				}
				return one("payment", o, "%s is void.", field(o, "number")), nil
			}),
		define("apply_advance", "payments", writes,
			"Settle an invoice or a bill from what a payment or a note left over.",
			func(ctx context.Context, c *call, in applyAdvance) (result, error) {
				o, err := c.make(ctx, "apply_advance", in)
				if err != nil {
					return result{}, err
				}
				return one("document", o, "%s has ₹%s open now.", field(o, "number"), field(o, "balance")), nil
			}),
	}
}

func listPayments(ctx context.Context, c *call, in paymentFilter) (result, error) {
	if err := in.check(); err != nil {
		return result{}, err
	}
	return c.list(ctx, in.Page, listing{
		noun: "payments",
		query: `select to_char(p.date, 'YYYY-MM-DD') || ' ' || p.number as key, jsonb_strip_nulls(jsonb_build_object(
				'id', p.id, 'number', p.number, 'kind', p.kind, 'date', p.date, 'contact', p.contact,
				'contact_id', p.contact_id, 'account', p.account_name, 'amount', p.amount, 'tds', nullif(p.tds, 0),
				'unapplied', p.unapplied, 'mode', p.mode, 'bank_reference', p.bank_reference, 'status', p.status)) as
					row
			from ledger.payment_list p
			where p.company_id = $1 and ($2::date is null or p.date >= $2) and ($3::date is null or p.date <= $3)
			and ($4 = '' or p.kind = $4) and ($5 = '' or strpos(lower(p.contact), lower($5)) > 0)
			and ($6 = '' or strpos(lower(concat_ws(' ', p.number, p.bank_reference, p.notes)), lower($6)) > 0)`,
		args:  []any{c.companyID, orNil(in.From), orNil(in.To), in.Kind, in.Contact, in.Search},
		total: "coalesce(sum((row->>'amount')::numeric), 0)",
	})
}
