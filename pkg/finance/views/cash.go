package views

import "github.com/bellhop-ai/bellhop/pkg/chart"

// bankLine are the figures of a line of a statement.
func bankLine() view {
	return view{title: "Bank line of {transaction.date|date}", figures: []figure{
		{"transaction.bank_account", "Bank account", words}, {"transaction.date", "Date", day},
		{"transaction.amount", "Amount", rupee}, {"transaction.narration", "Narration", words},
		{"transaction.reference", "Reference", words}, {"transaction.balance", "Balance after it", rupee},
		{"transaction.status", "Status", code}, {"transaction.note", "Note", words},
	}, rows: "transaction.matches", columns: []column{
		{"number", "Posting", words, opens("get_journal_entry", "number=number")},
		{"narration", "Narration", words, call{}},
		{"amount", "Amount", rupee, call{}},
		{"date", "Date", day, call{}},
	}}
}

// payment is the view of one receipt or payment.
func payment() view {
	return view{title: "{payment.kind|word} {payment.number}", rows: "payment.allocations", columns: []column{
		{"document", "Settles", words, opens("get_journal_entry", "number=document")},
		{"amount", "Amount", rupee, call{}},
		{"date", "Date", day, call{}},
	}, figures: []figure{
		{"payment.number", "Number", words}, {"payment.kind", "Kind", code},
		{"payment.contact", "Customer or vendor", words},
		{"payment.date", "Date", day}, {"payment.amount", "Amount", rupee}, {"payment.tds", "TDS", rupee},
		{"payment.applied", "Applied", rupee}, {"payment.unapplied", "Not applied", rupee},
		{"payment.account_name", "Account", words}, {"payment.mode", "Mode", words},
		{"payment.bank_reference", "Bank reference", words}, {"payment.status", "Status", code},
		{"payment.notes", "Notes", words},
	}, next: []choice{{"", "All payments of {payment.contact}", opens("get_all_payments", "contact=payment.contact")}}}
}

func cash() map[string]view {
	return merged(map[string]view{
		"get_all_payments": {title: "{@payments title}{$contact! of %}" + period, rows: "payments", sum: "Total",
			sumWhen: "$kind", columns: []column{
				{"number", "Number", words, opens("get_payment", "number=number")},
				{"contact", "Customer or vendor", words, opens("get_all_payments", "contact=contact")},
				{"amount", "Amount", rupee, opens("get_payment", "number=number")},
				{"kind", "Kind", code, call{}},
				{"date", "Date", day, call{}},
				{"tds", "TDS", rupee, call{}},
				{"unapplied", "Not applied", rupee, call{}},
				{"mode", "Mode", words, call{}},
				{"account", "Account", words, call{}},
				{"bank_reference", "Bank reference", words, call{}},
				{"status", "Status", code, call{}},
			}, next: []choice{
				{"!$kind", "Receipts from customers", opens("get_all_payments", "kind='receipt'",
					"contact?=$contact")},
				{"!$kind", "Payments to vendors", opens("get_all_payments", "kind='payment'", "contact?=$contact")},
			}},
		"get_cash_position": {title: "Cash on {as_of|date}", rows: "accounts", columns: []column{
			{"name", "Account", words, opens("get_account_ledger", "account=code")},
			{"balance", "Balance", rupee, opens("get_account_ledger", "account=code")},
		}, note: "Total: {total|rs}.", next: []choice{
			{"", "Cash in the next months", opens("forecast_cash_flow")},
			{"", "Bank accounts", opens("get_bank_accounts")},
		}},
		"forecast_cash_flow": {title: "Expected cash", rows: "months", columns: []column{
			{"month", "Month", month, call{}},
			{"closing", "At the end", rupee, call{}},
			{"receipts", "Receipts", rupee, call{}},
			{"payments", "Payments", rupee, call{}},
			{"other", "Other, on average", rupee, call{}},
			{"opening", "At the start", rupee, call{}},
		}, note: "Open invoices and bills by due date, and the average of other movements.", charts: []graph{
			{title: "Expected cash at the end of the month", form: chart.Lines, rows: "months", label: "month",
				format: month,
				series: []series{{"Cash", "closing"}}},
			{title: "Expected receipts and payments", form: chart.Bars, rows: "months", label: "month", format: month,
				series: []series{{"Receipts", "receipts"}, {"Payments", "payments"}}},
		}, next: []choice{
			{"", "Who owes how much", opens("get_aged_receivables_report")},
			{"", "What is to be paid next", opens("get_upcoming_payments")},
		}},
		"get_bank_accounts": {title: "Bank accounts", rows: "bank_accounts", columns: []column{
			{"name", "Account", words, opens("get_bank_reconciliation", "bank_account=name")},
			{"statement_balance", "At the bank", rupee, opens("get_all_transactions", "bank_account=name")},
			{"book_balance", "In the books", rupee, opens("get_account_ledger", "account=account")},
			{"unmatched", "Lines not matched", number, opens("suggest_bank_matches", "bank_account=name")},
			{"last_line", "Statement up to", day, call{}},
			{"bank", "Bank", words, call{}},
			{"number", "Number", account, call{}},
			{"ifsc", "IFSC", words, call{}},
		}},
		"get_bank_reconciliation": {title: "{bank_account} on {as_of|date}", figures: []figure{
			{"statement_balance", "At the bank", rupee},
			{"lines_not_in_books", "Less: lines that are not in the books", rupee},
			{"book_balance", "In the books", rupee},
			{"postings_not_on_statement", "Less: postings that are not on the statement", rupee},
			{"difference", "Difference", rupee}, {"unmatched_lines", "Lines not matched", number},
			{"unmatched_postings", "Postings not matched", number}, {"lines", "Lines of the statement", number},
			{"last_line", "Statement up to", day},
		}, next: []choice{
			{"unmatched_lines", "Lines that are not matched", opens("get_all_transactions", "status='unmatched'",
				"bank_account?=bank_account")},
			{"unmatched_lines", "What they could be", opens("suggest_bank_matches", "bank_account=bank_account")},
			{"unmatched_lines", "Match what clearly fits", opens("reconcile_bank_account",
				"bank_account=bank_account")},
		}},
		"get_all_transactions": {title: "Bank lines{$status|word! (%)}" + period, rows: "transactions",
			sum: "In less out", columns: []column{
				{"date", "Date", day, call{}},
				{"narration", "Narration", words, call{}},
				{"amount", "Amount", rupee, call{}},
				{"status", "Status", code, call{}},
				{"balance", "Balance after it", rupee, call{}},
				{"bank_reference", "Reference", words, call{}},
				{"bank_account", "Bank account", words, opens("get_bank_reconciliation", "bank_account=bank_account")},
				{"note", "Note", words, call{}},
			}, next: []choice{{"", "What unmatched lines could be", opens("suggest_bank_matches",
				"bank_account?=$bank_account")}}},
		"suggest_bank_matches": {title: "What unmatched bank lines could be", rows: "suggestions", columns: []column{
			{"date", "Date", day, call{}},
			{"narration", "Narration", words, call{}},
			{"amount", "Amount", rupee, call{}},
			{"postings.0.number", "Best posting", words, opens("get_journal_entry", "number=postings.0.number")},
			{"postings.0.date", "Its date", day, call{}},
			{"postings.0.narration", "Its narration", words, call{}},
			{"open_documents.0.number", "Open document", words, call{}},
			{"open_documents.0.contact", "Customer or vendor", words, call{}},
			{"open_documents.0.due_date", "Due", day, call{}},
		}, next: []choice{{"@postings", "Match what clearly fits", opens("reconcile_bank_account",
			"bank_account?=$bank_account")}}},
		"import_bank_statement": {title: "Import into {bank_account}", figures: []figure{
			{"bank_account", "Bank account", words}, {"from", "From", day}, {"to", "To", day},
			{"lines", "Lines of the file", number}, {"added", "Added", number}, {"known", "There before", number},
			{"before_opening", "Before the opening", number},
		}, next: []choice{
			{"added", "Lines that are not matched", opens("get_all_transactions", "status='unmatched'",
				"bank_account=bank_account")},
			{"added", "Match what clearly fits", opens("reconcile_bank_account", "bank_account=bank_account")},
		}},
		"reconcile_bank_account": {title: "Matched bank lines", figures: []figure{{"matched", "Matched", number},
			{"left", "Left", number}},
			next: []choice{{"left", "What the others could be", opens("suggest_bank_matches",
				"bank_account?=$bank_account")}}},
		"create_bank_account": {title: "Bank account {bank_account.name}", figures: []figure{{"bank_account.name",
			"Name", words}}},
		"apply_advance": {title: "{document.number}", figures: []figure{
			{"document.number", "Number", words}, {"document.contact", "Customer or vendor", words},
			{"document.total", "Total", rupee}, {"document.settled", "Settled", rupee}, {"document.balance",
				"Open", rupee},
			{"document.state", "Status", code},
		}},
	},
		written(bankLine(), "get_transaction", "update_transaction", "match_bank_transaction",
			"unmatch_bank_transaction"),
		written(payment(), "get_payment", "create_payment", "update_payment", "void_payment"),
	)
}
