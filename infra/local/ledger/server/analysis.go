package server

import (
	"context"
	"fmt"
)

type comparePeriods struct {
	Mode string `json:"mode,omitempty" jsonschema:"mom (month), qoq (quarter) or yoy (financial year, default), each up to as_of"`
	AsOf Date   `json:"as_of,omitempty" jsonschema:"YYYY-MM-DD; default today"`
	Period
	PreviousFrom Date `json:"previous_from,omitempty" jsonschema:"with from and to: first day of the period to compare with"`
	PreviousTo   Date `json:"previous_to,omitempty" jsonschema:"with from and to: last day of the period to compare with"`
}

type trendOf struct {
	Metric string `json:"metric,omitempty" jsonschema:"revenue (default), other_income, cost_of_sales, gross_profit, expenses, net_profit, cash_in, cash_out or cash_flow"`
	Months int    `json:"months,omitempty" jsonschema:"how many months; default 12 for a trend and 3 for a forecast"`
	AsOf   Date   `json:"as_of,omitempty" jsonschema:"YYYY-MM-DD; default today"`
}

type anomalies struct {
	Months int `json:"months,omitempty" jsonschema:"look at so many months up to now; default 6"`
}

func analysisTools() []tool {
	return []tool{
		define("get_revenue_kpi", "kpi_dashboard", reads, "Revenue, margins and growth of a period.",
			func(ctx context.Context, c *call, in Period) (result, error) {
				return c.kpis(ctx, in, `(select jsonb_object_agg(key, value) from jsonb_each(k) where key in ('from', 'to',
					'revenue', 'gross_profit', 'net_profit', 'gross_margin_percent', 'net_margin_percent',
					'revenue_growth_percent', 'profit_growth_percent'))`)
			}),
		define("get_kpi_dashboard", "kpi_dashboard", reads,
			"All key figures of a period: revenue, expenses, profit, cash flow, receivables, payables, growth, "+
				"runway.",
			func(ctx context.Context, c *call, in Period) (result, error) { return c.kpis(ctx, in, "k") }),
		define("compare_periods", "trends_analysis", reads,
			"Compare the month, quarter or financial year so far with the one before, or any two periods.", compare),
		define("trend", "trends_analysis", reads,
			"A figure month by month over the last whole months, with the change.",
			func(ctx context.Context, c *call, in trendOf) (result, error) { return c.trend(ctx, "trend", 12, in) }),
		define("forecast", "trends_analysis", reads,
			"A figure continued in a straight line through the last 12 months.",
			func(ctx context.Context, c *call, in trendOf) (result, error) { return c.trend(ctx, "forecast", 3, in) }),
		define("anomaly_detection", "trends_analysis", reads,
			"Expenses of a month that are at least twice the average of the six months before.",
			func(ctx context.Context, c *call, in anomalies) (result, error) {
				months := orDefault(in.Months, 6)
				if months < 1 || months > 24 {
					return result{}, refuse("months is to be between 1 and 24.")
				}
				return c.table(ctx, fmt.Sprintf("Unusual expenses of the last %d months.", months),
					map[string]any{"months": months}, "anomalies",
					`select to_char(month, 'YYYY-MM') as month, code, name, amount,
					average, times from ledger.anomalies($1, $2, $3)`, c.companyID, months, c.today)
			}),
		define("budget_vs_actual", "trends_analysis", reads, "Budget and actual figures of whole months, by account.",
			func(ctx context.Context, c *call, in Period) (result, error) {
				from, to, err := c.period(in)
				if err != nil {
					return result{}, err
				}
				return c.table(ctx, fmt.Sprintf("Budget and actual figures, %s to %s.", from, to),
					map[string]any{"from": from, "to": to}, "accounts",
					"select * from ledger.budget_vs_actual($1, $2, $3)",
					c.companyID, from, to)
			}),
	}
}

func (c *call) kpis(ctx context.Context, in Period, which string) (result, error) {
	from, to, err := c.period(in)
	if err != nil {
		return result{}, err
	}
	o, err := c.object(ctx, "", "select "+which+" from ledger.kpis($1, $2, $3) k", c.companyID, from, to)
	if err != nil {
		return result{}, err
	}
	return result{fmt.Sprintf("%s to %s: revenue ₹%s, net profit ₹%s.", from, to, field(o, "revenue"),
		field(o, "net_profit")), o}, nil
}

func compare(ctx context.Context, c *call, in comparePeriods) (result, error) {
	if (in.PreviousFrom == "") != (in.PreviousTo == "") {
		return result{}, refuse("Give both previous_from and previous_to, or neither.")
	}
	if in.PreviousFrom != "" {
		from, to, err := c.period(in.Period)
		if err != nil {
			return result{}, err
		}
		previousFrom, previousTo, err := c.period(Period{From: in.PreviousFrom, To: in.PreviousTo})
		if err != nil {
			return result{}, err
		}
		return c.table(ctx, fmt.Sprintf("%s to %s compared with %s to %s.", from, to, previousFrom, previousTo),
			map[string]any{"from": from, "to": to, "previous_from": previousFrom, "previous_to": previousTo},
			"metrics",
			"select * from ledger.compare($1, $2, $3, $4, $5)", c.companyID, from, to, previousFrom, previousTo)
	}
	day, err := c.day("as_of", in.AsOf)
	if err != nil {
		return result{}, err
	}
	mode := in.Mode
	if mode == "" {
		mode = "yoy"
	}
	o, err := c.object(ctx, "", `select jsonb_build_object('mode', $2::text, 'from', min(from_date), 'to',
		min(to_date),
			'previous_from', min(previous_from), 'previous_to', min(previous_to), 'metrics', jsonb_agg(
				to_jsonb(p) - '{from_date,to_date,previous_from,previous_to}'::text[]))
		from ledger.compare_periods($1, $2, $3) p`, c.companyID, mode, day)
	if err != nil {
		return result{}, err
	}
	return result{fmt.Sprintf("%s to %s compared with %s to %s.", field(o, "from"), field(o, "to"),
		field(o, "previous_from"), field(o, "previous_to")), o}, nil
}

func (c *call) trend(ctx context.Context, function string, months int, in trendOf) (result, error) {
	day, err := c.day("as_of", in.AsOf)
	if err != nil {
		return result{}, err
	}
	metric := in.Metric
	if metric == "" {
		metric = "revenue"
	}
	return c.table(ctx, fmt.Sprintf("The %s of %s, month by month.", function, metric),
		map[string]any{"metric": metric},
		"months", "select to_char(t.month, 'YYYY-MM') as period, t.* from ledger."+function+"($1, $2, $3, $4) t",
		c.companyID, metric, orDefault(in.Months, months), day)
}
