package server

import "slices"

// Categories are the names by which tools are grouped, in the order of the
// documentation.
func Categories() []string {
	return []string{"invoices", "bills", "payments", "customers", "vendors", "credit_notes", "accounts",
		"transactions",
		"aging_reports", "delivery_challans", "expenses", "banking", "inventory", "journal", "gst_actions",
		"reports_pnl",
		"reports_balance", "reports_cashflow", "reports_payables", "reports_gst", "kpi_dashboard", "trends_analysis"}
}

func catalogue() []tool {
	return slices.Concat(documentTools(), paymentTools(), contactTools(), accountTools(), bankTools(), stockTools(),
		expenseTools(), ageingTools(), gstTools(), reportTools(), analysisTools())
}
