package server

import (
	"context"
)

type expenseFilter struct {
	Span
	Account string `json:"account,omitempty" jsonschema:"only on this account: its code or name"`
	Search  string `json:"search,omitempty" jsonschema:"part of the number, description or vendor"`
	Page
}

type createExpense struct {
	Account     string `json:"account" jsonschema:"expense account by code or name, such as Travel and conveyance"`
	Amount      Money  `json:"amount" jsonschema:"without GST"`
	Description string `json:"description"`
	Date        Date   `json:"date,omitempty" jsonschema:"YYYY-MM-DD; default today"`
	PaidFrom    string `json:"paid_from,omitempty" jsonschema:"bank or cash account; default the bank"`
	Vendor      string `json:"vendor,omitempty" jsonschema:"code, name or GSTIN"`
	GSTRate     Rate   `json:"gst_rate,omitempty" jsonschema:"per cent; default 0. It becomes part of the cost; enter a bill to claim input credit"`
	Reference
}

type deleteByNumber struct {
	Number string `json:"number" jsonschema:"the number as it is printed"`
	Reference
}

type challanFilter struct {
	Span
	Customer string `json:"customer,omitempty" jsonschema:"code, name or GSTIN of the customer"`
	Status   string `json:"status,omitempty" jsonschema:"open, delivered, invoiced, returned or cancelled"`
	Page
}

type challanLine struct {
	Product     string   `json:"product,omitempty" jsonschema:"code or name of a product"`
	Description string   `json:"description,omitempty" jsonschema:"needed without a product"`
	HSNSAC      string   `json:"hsn_sac,omitempty"`
	Quantity    Quantity `json:"quantity,omitempty" jsonschema:"default 1"`
	Unit        string   `json:"unit,omitempty"`
	Rate        Money    `json:"rate,omitempty" jsonschema:"default the sale price"`
}

type createChallan struct {
	Customer string        `json:"customer" jsonschema:"code, name or GSTIN of the customer"`
	Date     Date          `json:"date,omitempty" jsonschema:"YYYY-MM-DD; default today"`
	Purpose  string        `json:"purpose,omitempty" jsonschema:"supply (default), job_work, approval, return, exhibition or other"`
	Vehicle  string        `json:"vehicle,omitempty" jsonschema:"registration of the vehicle"`
	Lines    []challanLine `json:"lines"`
	Notes    string        `json:"notes,omitempty"`
	Reference
}

type setChallanStatus struct {
	Number        string `json:"number" jsonschema:"number of the delivery challan"`
	Status        string `json:"status" jsonschema:"delivered, invoiced, returned or cancelled"`
	InvoiceNumber string `json:"invoice_number,omitempty" jsonschema:"of the invoice, for invoiced"`
	Reference
}

func expenseTools() []tool {
	return []tool{
		define("list_expenses", "expenses", reads, "List expenses that were paid at once, newest first.",
			listExpenses),
		define("get_expense", "expenses", reads, "One expense by number.",
			func(ctx context.Context, c *call, in byNumber) (result, error) {
				o, err := c.object(ctx, "", "select ledger.expense($1, ledger.expense_id($1, $2))", c.companyID,
					in.Number)
				if err != nil {
					return result{}, err
				}
				return one("expense", o, "%s of %s: ₹%s for %s.", field(o, "number"), field(o, "date"),
					field(o, "total"),
					field(o, "description")), nil
			}),
		define("create_expense", "expenses", writes, "Record an expense that was paid from a bank or cash account.",
			func(ctx context.Context, c *call, in createExpense) (result, error) {
				o, err := c.make(ctx, "create_expense", in)
				if err != nil {
					return result{}, err
				}
				return one("expense", o, "%s over ₹%s was recorded.", field(o, "number"), field(o, "total")), nil
			}),
		define("delete_expense", "expenses", destroys,
			"Delete an expense whose period is open: its posting is reversed.",
			func(ctx context.Context, c *call, in deleteByNumber) (result, error) {
				o, err := c.object(ctx, "", "select ledger.delete_expense($1, ledger.expense_id($1, $2))", c.companyID,
					in.Number)
				if err != nil {
					return result{}, err
				}
				return one("expense", o, "%s was deleted.", field(o, "number")), nil
			}),
		define("get_all_delivery_challans", "delivery_challans", reads, "List delivery challans, newest first.",
			listChallans),
		define("get_delivery_challan", "delivery_challans", reads, "One delivery challan with its lines, by number.",
			func(ctx context.Context, c *call, in byNumber) (result, error) {
				o, err := c.object(ctx, "", "select ledger.challan($1, ledger.challan_id($1, $2))", c.companyID,
					in.Number)
				if err != nil {
					return result{}, err
				}
				return one("delivery_challan", o, "%s of %s for %s is %s.", field(o, "number"), field(o, "date"),
					field(o, "customer"), field(o, "status")), nil
			}),
		define("create_delivery_challan", "delivery_challans", writes, "Issue a delivery challan. It posts nothing.",
			func(ctx context.Context, c *call, in createChallan) (result, error) {
				o, err := c.make(ctx, "create_challan", in)
				if err != nil {
					return result{}, err
				}
				return one("delivery_challan", o, "%s for %s was issued.", field(o, "number"), field(o, "customer")),
					nil
			}),
		define("update_delivery_challan", "delivery_challans", writes, "Say what became of a delivery challan.",
			func(ctx context.Context, c *call, in setChallanStatus) (result, error) {
				if in.InvoiceNumber != "" {
					if err := c.tx.QueryRow(ctx, `select number from ledger.documents
						where id = ledger.find_document($1, 'invoice', $2)`, c.companyID, in.InvoiceNumber).Scan(
						&in.InvoiceNumber); err != nil {
						return result{}, err
					}
				}
				o, err := c.object(ctx, "", "select ledger.set_challan_status($1, ledger.challan_id($1, $2), $3, $4)",
					c.companyID, in.Number, in.Status, orNil(in.InvoiceNumber))
				if err != nil {
					return result{}, err
				}
				return one("delivery_challan", o, "%s is %s now.", field(o, "number"), field(o, "status")), nil
			}),
	}
}

func listExpenses(ctx context.Context, c *call, in expenseFilter) (result, error) {
	if err := in.check(); err != nil {
		return result{}, err
	}
	var account any
	if in.Account != "" {
		id, err := c.id(ctx, "select ledger.account_id($1, $2)", c.companyID, in.Account)
		if err != nil {
			return result{}, err
		}
		account = id
	}
	return c.list(ctx, in.Page, listing{
		noun: "expenses",
		query: `select to_char(e.date, 'YYYY-MM-DD') || ' ' || e.number as key, ledger.expense($1, e.id) as row
			from ledger.expenses e left join ledger.contacts v on v.id = e.vendor_id
			where e.company_id = $1 and e.deleted_at is null and ($2::date is null or e.date >= $2)
			and ($3::date is null or e.date <= $3) and ($4::uuid is null or e.account_id = $4)
			and ($5 = '' or strpos(lower(concat_ws(' ', e.number, e.description, v.name)), lower($5)) > 0)`,
		args:  []any{c.companyID, orNil(in.From), orNil(in.To), account, in.Search},
		total: "coalesce(sum((row->>'total')::numeric), 0)",
	})
}

func listChallans(ctx context.Context, c *call, in challanFilter) (result, error) {
	if err := in.check(); err != nil {
		return result{}, err
	}
	var of any
	if in.Customer != "" {
		id, err := c.findContact(ctx, "customer", in.Customer)
		if err != nil {
			return result{}, err
		}
		of = id
	}
	return c.list(ctx, in.Page, listing{
		noun: "delivery_challans",
		query: `select to_char(d.date, 'YYYY-MM-DD') || ' ' || d.number as key,
				ledger.challan($1, d.id) - '{lines,notes}'::text[] as row
			from ledger.challans d where d.company_id = $1 and ($2::date is null or d.date >= $2)
			and ($3::date is null or d.date <= $3) and ($4::uuid is null or d.customer_id = $4)
			and ($5 = '' or d.status = $5)`,
		args:  []any{c.companyID, orNil(in.From), orNil(in.To), of, in.Status},
		total: "coalesce(sum((row->>'value')::numeric), 0)",
	})
}
