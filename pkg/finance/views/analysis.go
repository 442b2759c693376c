package views

import "github.com/bellhop-ai/bellhop/pkg/chart"

// kpis are the key figures of a period.
func kpis() []figure {
	return []figure{
		{"revenue", "Revenue", rupee}, {"revenue_growth_percent",
			"Growth of revenue, against as many days before", trend},
		{"gross_profit", "Gross profit", rupee}, {"gross_margin_percent", "Gross margin", percent},
		{"expenses", "Expenses with cost of sales", rupee}, {"net_profit", "Net profit", rupee},
		{"net_margin_percent", "Net margin", percent}, {"profit_growth_percent",
			"Growth of profit, against as many days before", trend},
		{"cash", "Cash", rupee}, {"cash_flow", "Change of cash", rupee}, {"@runway", "Cash lasts", words},
		{"receivables", "Customers owe", rupee}, {"receivables_overdue", "Of it overdue", rupee},
		{"dso_days", "Days until customers pay", number}, {"payables", "We owe vendors", rupee},
		{"payables_overdue", "Of it overdue", rupee},
	}
}

// breakdown is the view of an amount by something: by is what its rows open.
func breakdown(title string, by map[string]call, next []choice) view {
	return view{title: title + " by {by|inline}, {from|date} to {to|date}", rows: "rows", columns: []column{
		{"label", "{by|word}", label, call{}},
		{"amount", "Amount", rupee, call{}},
		{"share_percent", "Share", percent, call{}},
		{"documents", "Documents", number, call{}},
	}, note: "Total: {total|rs}.", charts: []graph{{title: title + " by {by|inline}", form: chart.Bars, rows: "rows",
		label: "label", format: label, series: []series{{"Amount", "amount"}}}}, next: next, by: by}
}

func analysis() map[string]view {
	return map[string]view{
		"get_kpi_dashboard": {title: "Key figures, {from|date} to {to|date}", figures: kpis(),
			charts: []graph{{title: "Revenue, expenses and profit", form: chart.Bars, points: []figure{
				{"revenue", "Revenue", rupee}, {"expenses", "Expenses with cost of sales", rupee},
				{"gross_profit", "Gross profit", rupee}, {"net_profit", "Net profit", rupee}}}},
			next: []choice{
				{"", "Profit and loss", opens("get_profit_loss", "from?=from", "to?=to")},
				{"receivables", "Who owes how much", opens("get_aged_receivables_report")},
				{"payables", "What we owe to whom", opens("get_aged_payables_report")},
				{"", "Cash in bank and hand", opens("get_cash_position")},
				{"", "Revenue month by month", opens("trend", "metric='revenue'")},
			}},
		"get_revenue_kpi": {title: "Revenue, {from|date} to {to|date}", figures: kpis(), next: []choice{
			{"", "By customer", opens("get_revenue_breakdown", "from?=from", "to?=to")},
			{"", "Month by month", opens("trend", "metric='revenue'")},
		}},
		"get_revenue_breakdown": breakdown("Revenue", map[string]call{
			"customer": opens("get_all_invoices", "customer=label", "from?=^from", "to?=^to"),
			"month":    opens("get_all_invoices", "from=<label", "to=>label"),
		}, []choice{
			{"", "By customer", opens("get_revenue_breakdown", "by='customer'", "from?=from", "to?=to")},
			{"", "By product", opens("get_revenue_breakdown", "by='product'", "from?=from", "to?=to")},
			{"", "By month", opens("get_revenue_breakdown", "by='month'", "from?=from", "to?=to")},
			{"", "By state", opens("get_revenue_breakdown", "by='state'", "from?=from", "to?=to")},
		}),
		"get_expense_breakdown": breakdown("Expenses", map[string]call{
			"account": opens("get_account_ledger", "account=label", "from?=^from", "to?=^to"),
			"month":   opens("get_profit_loss", "from=<label", "to=>label"),
			"vendor":  opens("get_bills", "vendor=label", "from?=^from", "to?=^to"),
		}, []choice{
			{"", "By account", opens("get_expense_breakdown", "by='account'", "from?=from", "to?=to")},
			{"", "By month", opens("get_expense_breakdown", "by='month'", "from?=from", "to?=to")},
			{"", "By vendor", opens("get_expense_breakdown", "by='vendor'", "from?=from", "to?=to")},
			{"", "Unusual expenses", opens("anomaly_detection")},
		}),
		"compare_periods": {title: "{from|date} to {to|date}, compared with {previous_from|date} to " +
			"{previous_to|date}", rows: "metrics",
			columns: []column{
				{"metric", "Figure", code, call{}},
				{"current", "Now", rupee, opens("get_profit_loss", "from=^from", "to=^to")},
				{"change_percent", "Change", trend, call{}},
				{"previous", "Before", rupee, opens("get_profit_loss", "from=^previous_from", "to=^previous_to")},
				{"change", "Difference", rupee, call{}},
			}, charts: []graph{{title: "Now and before", form: chart.Bars, rows: "metrics", label: "metric",
				format: code,
				series: []series{{"Now", "current"}, {"Before", "previous"}}}},
			next: []choice{
				{"", "Profit and loss now", opens("get_profit_loss", "from=from", "to=to")},
				{"", "Profit and loss before", opens("get_profit_loss", "from=previous_from", "to=previous_to")},
			}},
		"trend": {title: "{metric|word} month by month", rows: "months", columns: []column{
			{"period", "Month", month, opens("get_profit_loss", "from=<period", "to=>period")},
			{"amount", "Amount", rupee, opens("get_profit_loss", "from=<period", "to=>period")},
			{"change_percent", "Change", trend, call{}},
		}, charts: []graph{{title: "{metric|word} month by month", form: chart.Lines, rows: "months",
			label: "period", format: month,
			series: []series{{"Amount", "amount"}}}},
			next: []choice{{"", "How it may go on", opens("forecast", "metric=metric")}}},
		"forecast": {title: "{metric|word}, continued in a straight line", rows: "months", columns: []column{
			{"period", "Month", month, call{}},
			{"amount", "Expected", rupee, call{}},
		}, note: "A straight line through the last 12 months.",
			charts: []graph{{title: "{metric|word}, expected", form: chart.Lines, rows: "months", label: "period",
				format: month,
				series: []series{{"Expected", "amount"}}}},
			next: []choice{{"", "The last months", opens("trend", "metric=metric")}}},
		"anomaly_detection": {title: "Unusual expenses", rows: "anomalies", columns: []column{
			{"name", "Account", words, opens("get_account_ledger", "account=code")},
			{"month", "Month", month, call{}},
			{"amount", "Amount", rupee, opens("get_account_ledger", "account=code")},
			{"average", "Average before", rupee, call{}},
			{"times", "Times the average", number, call{}},
		}, note: "At least twice the average of the six months before."},
		"budget_vs_actual": {title: "Budget and actual, {from|date} to {to|date}", rows: "accounts", columns: []column{
			{"name", "Account", words, ledgerOf("name")},
			{"actual", "Actual", rupee, ledgerOf("name")},
			{"budget", "Budget", rupee, call{}},
			{"variance", "Difference", rupee, call{}},
			{"variance_percent", "In per cent", trend, call{}},
			{"section", "Section", code, call{}},
		}, charts: []graph{{title: "Budget and actual", form: chart.Bars, rows: "accounts", label: "name",
			series: []series{{"Budget", "budget"}, {"Actual", "actual"}}}}},
	}
}
