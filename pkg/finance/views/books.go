package views

import "github.com/bellhop-ai/bellhop/pkg/chart"

// ledgerOf opens an account, by a member of its row, for the period of a report.
func ledgerOf(member string) call {
	return opens("get_account_ledger", "account="+member, "from?=^from", "to?=^to")
}

// statementColumns are those of a statement: accounts, and lines that sum them.
func statementColumns(group string) []column {
	return []column{
		{"name", "Account", words, ledgerOf("code")},
		{"amount", "Amount", rupee, ledgerOf("code")},
		{group, "Group", code, call{}},
		{"line", "Line", words, call{}},
	}
}

func journal() view {
	return view{title: "Journal entry {journal_entry.number}", rows: "journal_entry.lines", columns: []column{
		{"name", "Account", words, opens("get_account_ledger", "account=account")},
		{"debit", "Debit", rupee, call{}},
		{"credit", "Credit", rupee, call{}},
	}, figures: []figure{
		{"journal_entry.number", "Number", words}, {"journal_entry.date", "Date", day},
		{"journal_entry.narration", "Narration", words}, {"journal_entry.source", "Made by", code},
		{"journal_entry.status", "Status", code},
	}}
}

func books() map[string]view {
	return merged(map[string]view{
		"get_profit_loss": {title: "Profit and loss, {from|date} to {to|date}", rows: "accounts",
			columns: statementColumns("group"),
			sections: []section{
				{"revenue", "Revenue", "totals.revenue"}, {"cost_of_sales", "Cost of sales", "totals.cost_of_sales"},
				{"", "Gross profit", "totals.gross_profit"}, {"other_income", "Other income", "totals.other_income"},
				{"expenses", "Expenses", "totals.expenses"}, {"", "Net profit", "totals.net_profit"},
			},
			charts: []graph{{title: "Profit and loss", form: chart.Bars, points: []figure{
				{"totals.revenue", "Revenue", rupee}, {"totals.cost_of_sales", "Cost of sales", rupee},
				{"totals.gross_profit", "Gross profit", rupee}, {"totals.expenses", "Expenses", rupee},
				{"totals.net_profit", "Net profit", rupee}}}},
			next: []choice{
				{"", "Revenue by customer", opens("get_revenue_breakdown", "from?=from", "to?=to")},
				{"", "Expenses by account", opens("get_expense_breakdown", "from?=from", "to?=to")},
				{"", "Compare with last year", opens("compare_periods", "mode='yoy'", "as_of?=to")},
			}},
		"get_balance_sheet": {title: "Balance sheet on {as_of|date}", rows: "accounts", columns: []column{
			{"name", "Account", words, opens("get_account_ledger", "account=code", "to?=^as_of")},
			{"amount", "Amount", rupee, opens("get_account_ledger", "account=code", "to?=^as_of")},
			{"group", "Group", words, call{}},
			{"line", "Line", words, call{}},
		}, sections: []section{
			{"assets", "Assets", "totals.assets"}, {"liabilities", "Liabilities", "totals.liabilities"},
			{"equity", "Equity", "totals.equity"},
		}, charts: []graph{{title: "Balance sheet", form: chart.Bars, points: []figure{{"totals.assets", "Assets",
			rupee},
			{"totals.liabilities", "Liabilities", rupee}, {"totals.equity", "Equity", rupee}}}}},
		"get_cash_flow_statement": {title: "Cash flow, {from|date} to {to|date}", rows: "accounts",
			columns: statementColumns("activity"),
			sections: []section{
				{"", "Cash at the start", "totals.opening"}, {"operating", "Operating activities", "totals.operating"},
				{"investing", "Investing activities", "totals.investing"}, {"financing", "Financing activities",
					"totals.financing"},
				{"", "Change of cash", "totals.net"}, {"", "Cash at the end", "totals.closing"},
			},
			charts: []graph{{title: "Cash flow by activity", form: chart.Bars, points: []figure{
				{"totals.operating", "Operating", rupee}, {"totals.investing", "Investing", rupee},
				{"totals.financing", "Financing", rupee}, {"totals.net", "Change of cash", rupee}}}}},
		"get_trial_balance": {title: "Trial balance, {from|date} to {to|date}", rows: "accounts", columns: []column{
			{"name", "Account", words, ledgerOf("name")},
			{"closing", "Closing", rupee, ledgerOf("name")},
			{"group", "Group", words, call{}},
			{"opening", "Opening", rupee, call{}},
			{"debit", "Debit", rupee, call{}},
			{"credit", "Credit", rupee, call{}},
			{"code", "Code", words, call{}},
		}, note: "Debits: {totals.debit|rs}. Credits: {totals.credit|rs}. A debit balance is positive."},
		"get_charts_of_accounts": {title: "Chart of accounts", rows: "accounts", columns: []column{
			{"name", "Account", words, opens("get_account_ledger", "account=code")},
			{"balance", "Balance", rupee, opens("get_account_ledger", "account=code")},
			{"group", "Group", words, call{}},
			{"type", "Type", code, call{}},
			{"code", "Code", words, call{}},
		}, note: "A debit balance is positive."},
		"get_account_ledger": {title: "{account.name}, {account.from|date} to {account.to|date}",
			rows: "postings", columns: []column{
				{"date", "Date", day, call{}},
				{"narration", "Narration", words, opens("get_journal_entry", "number=number")},
				{"debit", "Debit", rupee, call{}},
				{"credit", "Credit", rupee, call{}},
				{"balance", "Balance", rupee, call{}},
				{"number", "Number", words, opens("get_journal_entry", "number=number")},
				{"contact", "Customer or vendor", words, call{}},
			}, note: "Opening: {account.opening|rs}. Closing: {account.closing|rs}. A debit balance is positive."},
		"get_journal_entries": {title: "Journal entries{$account! on %}" + period, rows: "journal_entries",
			columns: []column{
				{"number", "Number", words, opens("get_journal_entry", "number=number")},
				{"narration", "Narration", words, opens("get_journal_entry", "number=number")},
				{"amount", "Amount", rupee, call{}},
				{"date", "Date", day, call{}},
				{"source", "Made by", code, call{}},
			}},
		"get_day_book": {title: "Day book of {date|date}", rows: "entries", columns: []column{
			{"number", "Number", words, opens("get_journal_entry", "number=number")},
			{"narration", "Narration", words, opens("get_journal_entry", "number=number")},
			{"lines.0.name", "First account", words, call{}},
			{"lines.0.debit", "Debit", rupee, call{}},
			{"lines.0.credit", "Credit", rupee, call{}},
			{"#lines", "Lines", number, call{}},
			{"source", "Made by", code, call{}},
			{"status", "Status", code, call{}},
		}, note: "Debits in all: {debits|rs}."},
		"create_account": {title: "Account {account.name}", figures: []figure{
			{"account.name", "Name", words}, {"account.code", "Code", words}, {"account.type", "Type", code},
			{"account.group", "Group", words},
		}},
		"set_period_status": {title: "Books of {period.period|month}", figures: []figure{
			{"period.period", "Month", month}, {"period.status", "Books", code}, {"period.fy", "Financial year",
				words}}},
		"get_company": {title: "{company.name}", figures: []figure{
			{"company.name", "Name", words}, {"company.gstin", "GSTIN", words}, {"company.state", "State", words},
			{"company.address", "Address", words}, {"company.books_begin", "Books begin", day},
		}, parts: []view{{title: "Months whose books are closed", rows: "company.closed_months", columns: []column{
			{"month", "Month", month, call{}},
			{"status", "Books", code, call{}},
		}}}},
		"find_by_reference": {title: "Look-up by reference", figures: []figure{
			{"found", "Recorded", yes}, {"number", "Number", words}, {"created_at", "On", day}}},
	},
		written(journal(), "get_journal_entry", "create_journal_entry", "delete_journal_entry"),
	)
}
