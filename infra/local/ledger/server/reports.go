package server

import (
	"context"
	"encoding/json"
	"fmt"
)

type breakdown struct {
	Period
	By string `json:"by,omitempty" jsonschema:"revenue: customer (default), product, month, state or hsn; expenses: account (default), group, month or vendor"`
}

type cashForecast struct {
	Months int `json:"months,omitempty" jsonschema:"1 to 24; default 3"`
}

func reportTools() []tool {
	return []tool{
		define("get_profit_loss", "reports_pnl", reads, "Profit and loss of a period, by account.", profitLoss),
		define("get_revenue_breakdown", "reports_pnl", reads,
			"Revenue of a period without GST by customer, product, month, state or HSN.",
			func(ctx context.Context, c *call, in breakdown) (result, error) {
				return c.breakdown(ctx, "revenue", "customer", in)
			}),
		define("get_expense_breakdown", "reports_pnl", reads,
			"Expenses of a period by account, group, month or vendor.",
			func(ctx context.Context, c *call, in breakdown) (result, error) {
				return c.breakdown(ctx, "expense", "account", in)
			}),
		define("get_balance_sheet", "reports_balance", reads, "The balance sheet at the end of a day.", balanceSheet),
		define("get_trial_balance", "reports_balance", reads,
			"The trial balance of a period: opening, debits, credits and closing of each account.", trialBalance),
		define("get_cash_flow_statement", "reports_cashflow", reads,
			"Cash flow of a period by operating, investing and financing activity (direct method).", cashFlow),
		define("get_cash_position", "reports_cashflow", reads,
			"What is in bank and cash accounts at the end of a day.",
			cashPosition),
		define("forecast_cash_flow", "reports_cashflow", reads,
			"Expected cash by month: open invoices and bills by due date, and the average of other movements.",
			func(ctx context.Context, c *call, in cashForecast) (result, error) {
				return c.table(ctx, "Cash expected month by month.", nil, "months",
					"select * from ledger.forecast_cash_flow($1, $2, $3)", c.companyID, orDefault(in.Months, 3),
					c.today)
			}),
	}
}

func orDefault(n, def int) int {
	if n == 0 {
		return def
	}
	return n
}

// table is an answer with the rows of a query under a noun, beside head.
func (c *call) table(ctx context.Context, text string, head map[string]any, noun, query string, args ...any) (result,
	error) {
	rows, err := c.rows(ctx, query, args...)
	if err != nil {
		return result{}, err
	}
	data := map[string]any{noun: rows}
	for name, value := range head {
		data[name] = value
	}
	return result{text, data}, nil
}

func profitLoss(ctx context.Context, c *call, in Period) (result, error) {
	from, to, err := c.period(in)
	if err != nil {
		return result{}, err
	}
	o, err := c.object(ctx, "", "select to_jsonb(p) from ledger.profit($1, $2, $3) p", c.companyID, from, to)
	if err != nil {
		return result{}, err
	}
	text := fmt.Sprintf("%s to %s: revenue ₹%s, net profit ₹%s.", from, to, field(o, "revenue"),
		field(o, "net_profit"))
	return c.table(ctx, text, map[string]any{"from": from, "to": to, "totals": o}, "accounts",
		"select * from ledger.profit_loss($1, $2, $3)", c.companyID, from, to)
}

func (c *call) breakdown(ctx context.Context, of, by string, in breakdown) (result, error) {
	from, to, err := c.period(in.Period)
	if err != nil {
		return result{}, err
	}
	if in.By != "" {
		by = in.By
	}
	o, err := c.object(ctx, "", `select jsonb_build_object('from', $2::date, 'to', $3::date, 'by', $4::text,
			'total', coalesce(sum(b.amount), 0), 'rows', coalesce(jsonb_agg(to_jsonb(b)), '[]'))
		from ledger.`+of+`_breakdown($1, $2, $3, $4) b`, c.companyID, from, to, by)
	if err != nil {
		return result{}, err
	}
	return result{fmt.Sprintf("%s to %s, by %s: ₹%s in all.", from, to, by, field(o, "total")), o}, nil
}

func balanceSheet(ctx context.Context, c *call, in onDay) (result, error) {
	day, err := c.day("as_of", in.AsOf)
	if err != nil {
		return result{}, err
	}
	totals, err := c.object(ctx, "", `select jsonb_build_object(
			'assets', coalesce(sum(amount) filter (where section = 'assets'), 0),
			'liabilities', coalesce(sum(amount) filter (where section = 'liabilities'), 0),
			'equity', coalesce(sum(amount) filter (where section = 'equity'), 0))
		from ledger.balance_sheet($1, $2)`, c.companyID, day)
	if err != nil {
		return result{}, err
	}
	return c.table(ctx, fmt.Sprintf("On %s: assets ₹%s, liabilities ₹%s, equity ₹%s.", day, field(totals, "assets"),
		field(totals, "liabilities"), field(totals, "equity")), map[string]any{"as_of": day, "totals": totals},
		"accounts",
		"select * from ledger.balance_sheet($1, $2)", c.companyID, day)
}

func trialBalance(ctx context.Context, c *call, in Period) (result, error) {
	from, to, err := c.period(in)
	if err != nil {
		return result{}, err
	}
	o, err := c.object(ctx, "", `select jsonb_build_object('from', $2::date, 'to', $3::date,
			'accounts', coalesce(jsonb_agg(to_jsonb(t) order by t.code), '[]'), 'totals', jsonb_build_object(
				'debit', coalesce(sum(debit), 0), 'credit', coalesce(sum(credit), 0), 'closing',
					coalesce(sum(closing), 0)))
		from ledger.trial_balance($1, $2, $3) t`, c.companyID, from, to)
	if err != nil {
		return result{}, err
	}
	var totals struct{ Totals json.RawMessage }
	if err := json.Unmarshal(o, &totals); err != nil {
		return result{}, fmt.Errorf("read the totals: %w", err)
	}
	return result{fmt.Sprintf("%s to %s: debits ₹%s, credits ₹%s.", from, to, field(totals.Totals, "debit"),
		field(totals.Totals, "credit")), o}, nil
}

func cashFlow(ctx context.Context, c *call, in Period) (result, error) {
	from, to, err := c.period(in)
	if err != nil {
		return result{}, err
	}
	totals, err := c.object(ctx, "", `select jsonb_build_object(
			'operating', coalesce(sum(amount) filter (where activity = 'operating'), 0),
			'investing', coalesce(sum(amount) filter (where activity = 'investing'), 0),
			'financing', coalesce(sum(amount) filter (where activity = 'financing'), 0), 'net', coalesce(sum(amount),
				0),
			'opening', (select coalesce(sum(balance), 0) from ledger.cash_position($1, $2::date - 1)),
			'closing', (select coalesce(sum(balance), 0) from ledger.cash_position($1, $3)))
		from ledger.cash_flow($1, $2, $3)`, c.companyID, from, to)
	if err != nil {
		return result{}, err
	}
	return c.table(ctx, fmt.Sprintf("%s to %s: cash changed by ₹%s to ₹%s.", from, to, field(totals, "net"),
		field(totals, "closing")), map[string]any{"from": from, "to": to, "totals": totals}, "accounts",
		"select * from ledger.cash_flow($1, $2, $3)", c.companyID, from, to)
}

func cashPosition(ctx context.Context, c *call, in onDay) (result, error) {
	day, err := c.day("as_of", in.AsOf)
	if err != nil {
		return result{}, err
	}
	o, err := c.object(ctx, "", `select jsonb_build_object('as_of', $2::date, 'total', coalesce(sum(balance), 0),
		'accounts', coalesce(jsonb_agg(to_jsonb(p)), '[]')) from ledger.cash_position($1, $2) p`, c.companyID, day)
	if err != nil {
		return result{}, err
	}
	return result{fmt.Sprintf("₹%s in bank and cash on %s.", field(o, "total"), day), o}, nil
}
