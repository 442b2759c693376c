package server

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/bellhop-ai/bellhop/infra/local/ledger"
)

type ofMonth struct {
	Month Month `json:"month" jsonschema:"YYYY-MM"`
}

type fileReturn struct {
	ofMonth
	Reference
}

type registerInvoice struct {
	Number string `json:"number" jsonschema:"number of the invoice or credit note"`
	Reference
}

type calendarFilter struct {
	Period
	Status string `json:"status,omitempty" jsonschema:"filed, overdue, due (within a week) or upcoming"`
}

type setPeriod struct {
	ofMonth
	Status string `json:"status" jsonschema:"locked or open; the books of a filed month stay closed"`
	Reference
}

func gstTools() []tool {
	return []tool{
		define("file_gstr1", "gst_actions", destroys,
			"File GSTR-1 of a month that is over. It locks the books of the month.",
			func(ctx context.Context, c *call, in fileReturn) (result, error) {
				return c.file(ctx, "GSTR-1", in.Month, "gstr1_totals")
			}),
		define("file_gstr3b", "gst_actions", destroys,
			"File GSTR-3B of a month, after its GSTR-1. It closes the books of the month for good.",
			func(ctx context.Context, c *call, in fileReturn) (result, error) {
				return c.file(ctx, "GSTR-3B", in.Month, "gstr3b_totals")
			}),
		define("generate_einvoice", "gst_actions", destroys,
			"Register an invoice or a credit note to a customer with a GSTIN as an e-invoice. "+
				"It can be cancelled within 24 hours.",
			func(ctx context.Context, c *call, in registerInvoice) (result, error) {
				o, err := c.object(ctx, "", "select ledger.generate_einvoice($1, ledger.find_document($1, null, $2))",
					c.companyID, in.Number)
				if err != nil {
					return result{}, err
				}
				return one("einvoice", o, "%s is registered; IRN %s.", field(o, "number"), field(o, "irn")), nil
			}),
		define("cancel_einvoice", "gst_actions", destroys, "Cancel the registration of an e-invoice within 24 hours.",
			func(ctx context.Context, c *call, in registerInvoice) (result, error) {
				o, err := c.object(ctx, "", "select ledger.cancel_einvoice($1, ledger.find_document($1, null, $2))",
					c.companyID,
					in.Number)
				if err != nil {
					return result{}, err
				}
				return one("einvoice", o, "The e-invoice of %s is cancelled.", field(o, "number")), nil
			}),
		define("get_compliance_calendar", "gst_actions", reads,
			"What falls due in a period (GSTR-1, GSTR-3B, TDS, PF, advance tax …) and what is filed. "+
				"Default: three months from today.",
			calendar),
		define("set_period_status", "journal", destroys, "Lock the books of a month, or open them again.",
			func(ctx context.Context, c *call, in setPeriod) (result, error) {
				first, _, err := in.Month.days()
				if err != nil {
					return result{}, err
				}
				if in.Status == "filed" {
					return result{}, refuse("A month becomes filed by filing its returns.")
				}
				o, err := c.object(ctx, "", "select ledger.set_period($1, $2, $3)", c.companyID, first, in.Status)
				if err != nil {
					return result{}, err
				}
				return one("period", o, "%s is %s.", field(o, "period"), field(o, "status")), nil
			}),
		define("get_tax_rates", "reports_gst", reads,
			"The rates of GST and of tax deducted at source that are in force on a day.",
			func(ctx context.Context, c *call, in dayBook) (result, error) {
				day, err := c.day("date", in.Date)
				if err != nil {
					return result{}, err
				}
				o, err := c.object(ctx, "", "select ledger.tax_rates($1)", day)
				if err != nil {
					return result{}, err
				}
				return result{fmt.Sprintf("Rates of GST on %s: %s.", day, field(o, "gst")), o}, nil
			}),
		define("get_gst_summary", "reports_gst", reads, "Output GST, input credit and what is to be paid in a period.",
			func(ctx context.Context, c *call, in Period) (result, error) {
				from, to, err := c.period(in)
				if err != nil {
					return result{}, err
				}
				o, err := c.object(ctx, "", `select jsonb_build_object('from', $2::date, 'to', $3::date,
						'heads', jsonb_agg(to_jsonb(g)), 'output', sum(output), 'reverse_charge', sum(reverse_charge),
						'credit', sum(credit), 'net', sum(net)) from ledger.gst_summary($1, $2, $3) g`, c.companyID,
					from, to)
				if err != nil {
					return result{}, err
				}
				return result{fmt.Sprintf("%s to %s: output ₹%s, input credit ₹%s, net ₹%s.", from, to,
					field(o, "output"),
					field(o, "credit"), field(o, "net")), o}, nil
			}),
		define("get_gstr1_data", "reports_gst", reads, "The figures of GSTR-1 of a month: by section and by HSN.",
			func(ctx context.Context, c *call, in ofMonth) (result, error) {
				from, to, err := in.Month.days()
				if err != nil {
					return result{}, err
				}
				totals, err := c.returnTotals(ctx, "gstr1_totals", from, to)
				if err != nil {
					return result{}, err
				}
				hsn, err := c.rows(ctx, "select * from ledger.gstr1_hsn($1, $2, $3)", c.companyID, from, to)
				if err != nil {
					return result{}, err
				}
				return c.table(ctx, fmt.Sprintf("GSTR-1 of %s: taxable ₹%s, tax ₹%s.", in.Month,
					field(totals, "taxable"),
					field(totals, "tax")), map[string]any{"month": in.Month, "totals": totals, "hsn": hsn}, "rows",
					"select * from ledger.gstr1($1, $2, $3)", c.companyID, from, to)
			}),
		define("get_gstr3b_data", "reports_gst", reads, "The figures of GSTR-3B of a month.",
			func(ctx context.Context, c *call, in ofMonth) (result, error) {
				from, to, err := in.Month.days()
				if err != nil {
					return result{}, err
				}
				totals, err := c.returnTotals(ctx, "gstr3b_totals", from, to)
				if err != nil {
					return result{}, err
				}
				return c.table(ctx, fmt.Sprintf("GSTR-3B of %s: ₹%s to pay.", in.Month, field(totals, "net")),
					map[string]any{"month": in.Month, "totals": totals}, "rows",
					"select * from ledger.gstr3b($1, $2, $3)", c.companyID, from, to)
			}),
		define("get_itc_summary", "reports_gst", reads, "Input tax credit of a period by vendor.",
			func(ctx context.Context, c *call, in Period) (result, error) {
				from, to, err := c.period(in)
				if err != nil {
					return result{}, err
				}
				o, err := c.object(ctx, "", `select jsonb_build_object('from', $2::date, 'to', $3::date,
						'vendors', coalesce(jsonb_agg(to_jsonb(i)), '[]'), 'eligible', coalesce(sum(eligible), 0),
						'blocked', coalesce(sum(blocked), 0)) from ledger.itc_summary($1, $2, $3) i`, c.companyID,
					from, to)
				if err != nil {
					return result{}, err
				}
				return result{fmt.Sprintf("%s to %s: ₹%s of input credit.", from, to, field(o, "eligible")), o}, nil
			}),
	}
}

// returnTotals is what is kept of a return when it is filed.
func (c *call) returnTotals(ctx context.Context, name, from, to string) (json.RawMessage, error) {
	query := `select jsonb_build_object('taxable', coalesce(sum(taxable), 0), 'igst', coalesce(sum(igst), 0),
			'cgst', coalesce(sum(cgst), 0), 'sgst', coalesce(sum(sgst), 0), 'tax', coalesce(sum(igst + cgst + sgst),
				0))
		from ledger.gstr1($1, $2, $3)`
	if name == "gstr3b_totals" {
		query = `select jsonb_build_object('output', sum(output), 'reverse_charge', sum(reverse_charge),
			'credit', sum(credit), 'net', sum(net)) from ledger.gst_summary($1, $2, $3)`
	}
	return c.object(ctx, "", query, c.companyID, from, to)
}

func (c *call) file(ctx context.Context, form string, month Month, totals string) (result, error) {
	if c.role != ledger.Owner {
		return result{}, refuse("Only an owner of the company files returns.")
	}
	from, to, err := month.days()
	if err != nil {
		return result{}, err
	}
	figures, err := c.returnTotals(ctx, totals, from, to)
	if err != nil {
		return result{}, err
	}
	o, err := c.object(ctx, "", "select ledger.file_return($1, $2, $3, $4)", c.companyID, form, from, figures)
	if err != nil {
		return result{}, err
	}
	return one("filing", o, "%s of %s is filed; ARN %s.", form, month, field(o, "arn")), nil
}

func calendar(ctx context.Context, c *call, in calendarFilter) (result, error) {
	if in.From == "" {
		in.From = Date(c.today.Format("2006-01-02"))
	}
	if in.To == "" {
		in.To = Date(c.today.AddDate(0, 3, 0).Format("2006-01-02"))
	}
	from, to, err := c.period(in.Period)
	if err != nil {
		return result{}, err
	}
	return c.table(ctx, fmt.Sprintf("Due dates from %s to %s.", from, to), map[string]any{"from": from, "to": to},
		"due_dates", `select form, title, to_char(period, 'YYYY-MM') as period, due, status, arn, filed_on, source
		from ledger.due_dates($1, $2, $3) where $4 = '' or status = $4 order by due, form`, c.companyID, from, to,
		in.Status)
}
