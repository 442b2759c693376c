package views

import "github.com/bellhop-ai/bellhop/pkg/chart"

func purchases() map[string]view {
	return merged(map[string]view{
		"get_bills": {title: "{$status|word} bills{$vendor! of %}" + period, rows: "bills", sum: "Total",
			columns: documentColumns("vendor", "Vendor", "get_bill", "get_vendor"),
			next: []choice{
				{"", "What is to be paid next", opens("get_upcoming_payments")},
				{"", "What we owe to whom", opens("get_aged_payables_report")},
			}},
		"get_all_purchase_debit_notes": {title: "Debit notes{$vendor! of %}" + period, rows: "debit_notes",
			sum:     "Total",
			columns: documentColumns("vendor", "Vendor", "", "get_vendor")},
		"get_aged_payables_report": {title: "What we owe on {as_of|date}", rows: "contacts",
			columns: ageing("Vendor", "vendor", "get_bills", ""),
			note:    "Total: {total|rs}. Overdue: {totals.overdue|rs}. Not due: {totals.not_due|rs}.",
			charts:  []graph{{title: "Owed to vendors, by age", form: chart.Bars, points: buckets()}},
			next: []choice{
				{"total", "Bill by bill", opens("get_ap_aging", "as_of?=$as_of")},
				{"totals.overdue>0", "Overdue bills", opens("get_bills", "status='overdue'")},
				{"total", "What is to be paid next", opens("get_upcoming_payments")},
			}},
		"get_ap_aging": {title: "Open bills on {as_of|date}", rows: "bills",
			columns: agedColumns("Vendor", "vendor", "get_bill", "get_vendor"),
			note:    "Total: {total|rs}. Overdue: {overdue|rs}.",
			next:    []choice{{"", "By vendor", opens("get_aged_payables_report", "as_of?=$as_of")}}},
		"get_upcoming_payments": {title: "Bills to pay next", rows: "bills", sum: "Open",
			columns: agedColumns("Vendor", "vendor", "get_bill", "get_vendor"),
			next: []choice{
				{"", "What we owe to whom", opens("get_aged_payables_report")},
				{"", "Cash in bank and hand", opens("get_cash_position")},
			}},
		"get_all_vendors": {title: "Vendors", rows: "vendors", columns: contactColumns("vendor", "Vendor", "We owe"),
			next: []choice{{"", "What we owe to whom", opens("get_aged_payables_report")}}},
		"list_expenses": {title: "Expenses{$account! on %}" + period, rows: "expenses", sum: "Total",
			columns: []column{
				{"number", "Number", words, opens("get_expense", "number=number")},
				{"description", "Description", words, opens("get_expense", "number=number")},
				{"total", "Total", rupee, opens("get_expense", "number=number")},
				{"date", "Date", day, call{}},
				{"account", "Account", words, opens("get_account_ledger", "account=account_code")},
				{"vendor", "Vendor", words, call{}},
				{"amount", "Without GST", rupee, call{}},
				{"gst_rate", "GST rate", percent, call{}},
				{"paid_from", "Paid from", words, call{}},
				{"status", "Status", code, call{}},
			}, next: []choice{{"", "Expenses by account", opens("get_expense_breakdown")}}},
	},
		written(document("bill", "Bill", "Vendor", "get_bills", "vendor"), "get_bill", "create_bill",
			"update_bill", "void_bill"),
		written(document("debit_note", "Debit note", "Vendor", "get_all_purchase_debit_notes", "vendor"),
			"create_purchase_debit_note"),
		written(contact("vendor", "Vendor", "We owe", []choice{
			{"", "Bills", opens("get_bills", "vendor=vendor.name")},
			{"", "Payments", opens("get_all_payments", "contact=vendor.name")},
		}), "get_vendor", "create_vendor", "update_vendor"),
		written(view{title: "Expense {expense.number}", figures: []figure{
			{"expense.number", "Number", words}, {"expense.description", "Description", words},
			{"expense.date", "Date", day}, {"expense.account", "Account", words}, {"expense.vendor", "Vendor", words},
			{"expense.amount", "Without GST", rupee}, {"expense.gst_rate", "GST rate", percent},
			{"expense.cgst", "CGST", rupee}, {"expense.sgst", "SGST", rupee}, {"expense.igst", "IGST", rupee},
			{"expense.total", "Total", rupee}, {"expense.paid_from", "Paid from", words}, {"expense.status",
				"Status", code},
		}, next: []choice{{"", "All on {expense.account}", opens("get_account_ledger",
			"account=expense.account_code")}}},
			"get_expense", "create_expense", "delete_expense"),
	)
}
