package server

import (
	"context"
	"fmt"
)

type overdueFilter struct {
	Customer string `json:"customer,omitempty" jsonschema:"code, name or GSTIN of the customer"`
	MinDays  int    `json:"min_days,omitempty" jsonschema:"only invoices that are overdue by at least so many days; default 1"`
	MaxDays  int    `json:"max_days,omitempty" jsonschema:"and by at most so many days; default any number"`
	AsOf     Date   `json:"as_of,omitempty" jsonschema:"YYYY-MM-DD; default today"`
	Page
}

type upcomingPayments struct {
	Days int `json:"days,omitempty" jsonschema:"bills that are due within so many days, and those overdue; default 30"`
	Page
}

type sendReminders struct {
	Invoice  string `json:"invoice,omitempty" jsonschema:"number of one invoice"`
	Customer string `json:"customer,omitempty" jsonschema:"or all of this customer; default all customers"`
	Reference
}

type reminderFilter struct {
	Span
	Invoice string `json:"invoice,omitempty" jsonschema:"number of the invoice; default all"`
	Page
}

func ageingTools() []tool {
	return []tool{
		define("get_aged_receivables_report", "aging_reports", reads,
			"What customers owe on a day, by how long it is overdue. Due today is not overdue.",
			func(ctx context.Context, c *call, in onDay) (result, error) { return c.aged(ctx, "receivable", in) }),
		define("get_aged_payables_report", "aging_reports", reads,
			"What vendors are owed on a day, by how long it is overdue.",
			func(ctx context.Context, c *call, in onDay) (result, error) { return c.aged(ctx, "payable", in) }),
		define("get_overdue_invoices", "aging_reports", reads, "List overdue invoices, the longest overdue first.",
			overdueInvoices),
		define("send_payment_reminders", "aging_reports", writes,
			"Record reminders by e-mail for invoices that are due or overdue: one a day and step for each invoice.",
			func(ctx context.Context, c *call, in sendReminders) (result, error) {
				o, err := c.make(ctx, "remind", in)
				if err != nil {
					return result{}, err
				}
				return result{"The reminders that were due are recorded.", o}, nil
			}),
		define("get_payment_reminders", "aging_reports", reads, "List reminders that were recorded, newest first.",
			listReminders),
		define("get_ap_aging", "reports_payables", reads,
			"Open bills on a day by how long they are overdue, bill by bill.",
			func(ctx context.Context, c *call, in onDay) (result, error) {
				day, err := c.day("as_of", in.AsOf)
				if err != nil {
					return result{}, err
				}
				o, err := c.object(ctx, "", `select jsonb_build_object('as_of', $2::date, 'total',
					coalesce(sum(i.balance), 0),
						'overdue', coalesce(sum(i.balance) filter (where i.bucket <> 'not_due'), 0),
						'bills', coalesce(jsonb_agg(to_jsonb(i) - '{contact_id,document_id}'::text[]
							order by i.due_date, i.number), '[]'))
					from ledger.aged_items($1, 'payable', $2) i`, c.companyID, day)
				if err != nil {
					return result{}, err
				}
				return result{fmt.Sprintf("Vendors are owed ₹%s on %s, ₹%s of it overdue.", field(o, "total"), day,
					field(o, "overdue")), o}, nil
			}),
		define("get_upcoming_payments", "reports_payables", reads,
			"List open bills by due date: what is to be paid next.",
			func(ctx context.Context, c *call, in upcomingPayments) (result, error) {
				days := orDefault(in.Days, 30)
				if days < 1 || days > 366 {
					return result{}, refuse("days is to be between 1 and 366.")
				}
				return c.list(ctx, in.Page, listing{
					noun: "bills", ascending: true,
					query: `select to_char(i.due_date, 'YYYY-MM-DD') || ' ' || i.number as key,
							to_jsonb(i) - '{contact_id,document_id}'::text[] as row
						from ledger.aged_items($1, 'payable', $2) i where i.due_date <= $2::date + $3::int`,
					args:  []any{c.companyID, c.today, days},
					total: "coalesce(sum((row->>'balance')::numeric), 0)",
				})
			}),
	}
}

func (c *call) aged(ctx context.Context, side string, in onDay) (result, error) {
	day, err := c.day("as_of", in.AsOf)
	if err != nil {
		return result{}, err
	}
	o, err := c.object(ctx, "", `select jsonb_build_object('as_of', $3::date, 'contacts',
		coalesce(jsonb_agg(to_jsonb(a)
				order by a.total desc, a.contact), '[]'),
			'totals', jsonb_build_object('not_due', coalesce(sum(not_due), 0), 'days_1_30', coalesce(sum(days_1_30),
				0),
				'days_31_60', coalesce(sum(days_31_60), 0), 'days_61_90', coalesce(sum(days_61_90), 0),
				'days_over_90', coalesce(sum(days_over_90), 0), 'overdue', coalesce(sum(overdue), 0)),
			'total', coalesce(sum(a.total), 0))
		from ledger.aged($1, $2, $3) a`, c.companyID, side, day)
	if err != nil {
		return result{}, err
	}
	who := "Customers owe"
	if side == "payable" {
		who = "Vendors are owed"
	}
	return result{fmt.Sprintf("%s ₹%s on %s.", who, field(o, "total"), day), o}, nil
}

func overdueInvoices(ctx context.Context, c *call, in overdueFilter) (result, error) {
	day, err := c.day("as_of", in.AsOf)
	if err != nil {
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
		noun: "invoices", ascending: true,
		query: `select to_char(i.due_date, 'YYYY-MM-DD') || ' ' || i.number as key,
				to_jsonb(i) - '{vendor_number}'::text[] as row
			from ledger.aged_items($1, 'receivable', $2) i
			where i.days_overdue >= greatest($3, 1) and ($4::uuid is null or i.contact_id = $4)
			and ($5 < 1 or i.days_overdue <= $5)`,
		args:  []any{c.companyID, day, in.MinDays, of, in.MaxDays},
		total: "coalesce(sum((row->>'balance')::numeric), 0)",
	})
}

func listReminders(ctx context.Context, c *call, in reminderFilter) (result, error) {
	if err := in.check(); err != nil {
		return result{}, err
	}
	var invoice any
	if in.Invoice != "" {
		id, err := c.id(ctx, "select ledger.find_document($1, 'invoice', $2)", c.companyID, in.Invoice)
		if err != nil {
			return result{}, err
		}
		invoice = id
	}
	return c.list(ctx, in.Page, listing{
		noun: "reminders",
		query: `select to_char(r.day, 'YYYY-MM-DD') || ' ' || r.id as key, jsonb_build_object('id', r.id, 'day', r.day,
				'invoice', d.number, 'customer', c.name, 'recipient', r.recipient, 'subject', r.subject, 'body',
					r.body,
				'balance', r.balance, 'step', r.step) as row
			from ledger.reminders r join ledger.documents d on d.id = r.document_id
			join ledger.contacts c on c.id = d.contact_id
			where r.company_id = $1 and ($2::date is null or r.day >= $2) and ($3::date is null or r.day <= $3)
			and ($4::uuid is null or r.document_id = $4)`,
		args: []any{c.companyID, orNil(in.From), orNil(in.To), invoice},
	})
}
