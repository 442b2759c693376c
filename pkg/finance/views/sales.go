package views

import "github.com/bellhop-ai/bellhop/pkg/chart"

// documentColumns are those of lists of invoices, bills and notes of a side: its column
// is named label, and its documents are opened by a tool.
func documentColumns(side, label, tool, contactTool string) []column {
	return []column{
		{"number", "Number", words, opens(tool, "number=number")},
		{side, label, words, opens(contactTool, side+"="+side)},
		{"total", "Total", rupee, opens(tool, "number=number")},
		{"balance", "Open", rupee, call{}},
		{"status", "Status", code, call{}},
		{"due_date", "Due", day, call{}},
		{"date", "Date", day, call{}},
		{"days_overdue", "Days overdue", number, call{}},
		{"taxable", "Without GST", rupee, call{}},
		{"gst", "GST", rupee, call{}},
		{"against", "Corrects", words, call{}},
		{"vendor_number", "Vendor's number", words, call{}},
	}
}

// ageing are the columns of a report by age of a side.
func ageing(label, side, list, overdue string) []column {
	late := func(days ...string) call {
		if overdue == "" {
			return opens(list, side+"=contact")
		}
		return opens(overdue, append([]string{side + "=contact", "as_of?=$as_of"}, days...)...)
	}
	return []column{
		{"contact", label, words, opens(list, side+"=contact")},
		{"total", "Open", rupee, opens(list, side+"=contact")},
		{"overdue", "Overdue", rupee, late()},
		{"oldest_due", "Oldest due", day, call{}},
		{"not_due", "Not due", rupee, call{}},
		{"days_1_30", "1–30 days", rupee, late("max_days=+30")},
		{"days_31_60", "31–60 days", rupee, late("min_days=+31", "max_days=+60")},
		{"days_61_90", "61–90 days", rupee, late("min_days=+61", "max_days=+90")},
		{"days_over_90", "Over 90 days", rupee, late("min_days=+91")},
		{"documents", "Documents", number, opens(list, side+"=contact")},
	}
}

// buckets are the points of the chart of an ageing report.
func buckets() []figure {
	return []figure{{"totals.not_due", "Not due", rupee}, {"totals.days_1_30", "1–30 days", rupee},
		{"totals.days_31_60", "31–60 days", rupee}, {"totals.days_61_90", "61–90 days", rupee},
		{"totals.days_over_90", "Over 90 days", rupee}}
}

// agedColumns are those of open documents one by one.
func agedColumns(label, side, tool, contactTool string) []column {
	return []column{
		{"number", "Number", words, opens(tool, "number=number")},
		{"contact", label, words, opens(contactTool, side+"=contact")},
		{"balance", "Open", rupee, opens(tool, "number=number")},
		{"due_date", "Due", day, call{}},
		{"days_overdue", "Days overdue", number, call{}},
		{"bucket", "Age", code, call{}},
		{"total", "Total", rupee, call{}},
		{"date", "Date", day, call{}},
		{"vendor_number", "Vendor's number", words, call{}},
	}
}

// lines are the columns of the lines of a document.
func lines() []column {
	return []column{
		{"description", "Description", words, call{}},
		{"quantity", "Quantity", number, call{}},
		{"taxable", "Amount without GST", rupee, call{}},
		{"rate", "Rate", rupee, call{}},
		{"unit", "Unit", words, call{}},
		{"discount_percent", "Discount", percent, call{}},
		{"hsn_sac", "HSN or SAC", words, call{}},
		{"gst_rate", "GST rate", percent, call{}},
		{"cgst", "CGST", rupee, call{}},
		{"sgst", "SGST", rupee, call{}},
		{"igst", "IGST", rupee, call{}},
		{"account_name", "Account", words, opens("get_account_ledger", "account=account")},
	}
}

// document is the view of one invoice, bill or note under a member of the answer.
func document(member, title, label, list, side string) view {
	at := func(name string) string { return member + "." + name }
	return view{
		title: title + " {" + at("number") + "}", rows: at("lines"), columns: lines(),
		figures: []figure{
			{at("number"), "Number", words}, {at("vendor_number"), "Vendor's number", words},
			{at("contact"), label, words}, {at("gstin"), "GSTIN", words}, {at("date"), "Date", day},
			{at("due_date"), "Due", day}, {at("state"), "Status", code}, {at("days_overdue"), "Days overdue", number},
			{at("against"), "Corrects", words}, {at("reason"), "Reason", words},
			{at("place_of_supply"), "Place of supply", place}, {at("reverse_charge"), "Reverse charge", yes},
			{at("taxable"), "Without GST", rupee}, {at("cgst"), "CGST", rupee}, {at("sgst"), "SGST", rupee},
			{at("igst"), "IGST", rupee}, {at("round_off"), "Round-off", rupee}, {at("total"), "Total", rupee},
			{at("tds"), "TDS", rupee}, {at("settled"), "Settled", rupee}, {at("balance"), "Open", rupee},
			{at("notes"), "Notes", words},
		},
		note: "Total: {" + at("total") + "|rs}.{" + at("balance") + "|rs! Open: %.}",
		parts: []view{{title: "What settled it", rows: at("allocations"), columns: []column{
			{"by", "Number", words, opens("get_journal_entry", "number=by")},
			{"amount", "Amount", rupee, call{}},
			{"date", "Date", day, call{}},
		}}},
		next: []choice{
			{"", "All of {" + at("contact") + "}", opens(list, side+"="+at("contact"))},
			{at("against"), "{" + at("against") + "}", opens(map[string]string{"customer": "get_invoice",
				"vendor": "get_bill"}[side],
				"number="+at("against"))},
		},
	}
}

// written returns the views of tools that write and answer with what they wrote.
func written(v view, tools ...string) map[string]view {
	out := map[string]view{}
	for _, t := range tools {
		out[t] = v
	}
	return out
}

func invoices() map[string]view {
	return merged(map[string]view{
		"get_all_invoices": {title: "{$status|word} invoices{$customer! of %}" + period, rows: "invoices",
			sum:     "Total",
			columns: documentColumns("customer", "Customer", "get_invoice", "get_customer"),
			next: []choice{
				{"!$status", "Overdue invoices", opens("get_overdue_invoices", "customer?=$customer")},
				{"", "Who owes how much", opens("get_aged_receivables_report")},
			}},
		"get_overdue_invoices": {title: "Overdue invoices{$customer! of %}", rows: "invoices", sum: "Open",
			columns: agedColumns("Customer", "customer", "get_invoice", "get_customer"),
			next: []choice{
				{"total", "Remind of what is due", opens("send_payment_reminders", "customer?=$customer")},
				{"", "Who owes how much", opens("get_aged_receivables_report", "as_of?=$as_of")},
			}},
		"get_aged_receivables_report": {title: "What customers owe on {as_of|date}", rows: "contacts",
			columns: ageing("Customer", "customer", "get_all_invoices", "get_overdue_invoices"),
			note:    "Total: {total|rs}. Overdue: {totals.overdue|rs}. Not due: {totals.not_due|rs}.",
			charts:  []graph{{title: "Owed by customers, by age", form: chart.Bars, points: buckets()}},
			next: []choice{
				{"totals.overdue>0", "All overdue invoices", opens("get_overdue_invoices", "as_of?=$as_of")},
				{"totals.days_1_30", "Overdue by 1 to 30 days", opens("get_overdue_invoices", "max_days=+30",
					"as_of?=$as_of")},
				{"totals.days_31_60", "Overdue by 31 to 60 days", opens("get_overdue_invoices", "min_days=+31",
					"max_days=+60", "as_of?=$as_of")},
				{"totals.days_61_90", "Overdue by 61 to 90 days", opens("get_overdue_invoices", "min_days=+61",
					"max_days=+90", "as_of?=$as_of")},
				{"totals.days_over_90", "Overdue by more than 90 days", opens("get_overdue_invoices",
					"min_days=+91", "as_of?=$as_of")},
				{"totals.not_due", "Invoices that are not due", opens("get_all_invoices", "status='unpaid'")},
				{"totals.overdue>0", "Remind of what is due", opens("send_payment_reminders")},
			}},
		"get_payment_reminders": {title: "Reminders", rows: "reminders", columns: []column{
			{"invoice", "Invoice", words, opens("get_invoice", "number=invoice")},
			{"customer", "Customer", words, opens("get_customer", "customer=customer")},
			{"balance", "Open", rupee, call{}},
			{"day", "Day", day, call{}},
			{"recipient", "To", words, call{}},
			{"subject", "Subject", words, call{}},
		}},
		"send_payment_reminders": {title: "Reminders", rows: "recorded", columns: []column{
			{"number", "Invoice", words, opens("get_invoice", "number=number")},
			{"customer", "Customer", words, opens("get_customer", "customer=customer")},
			{"balance", "Open", rupee, call{}},
			{"recipient", "To", words, call{}},
			{"subject", "Subject", words, call{}},
		}, parts: []view{{title: "Not reminded", rows: "skipped", columns: []column{
			{"number", "Invoice", words, opens("get_invoice", "number=number")},
			{"why", "Why", words, call{}},
		}}}},
		"get_all_sales_credit_notes": {title: "Credit notes{$customer! of %}" + period, rows: "credit_notes",
			sum:     "Total",
			columns: documentColumns("customer", "Customer", "get_credit_note", "get_customer")},
		"get_all_customers": {title: "Customers", rows: "customers", columns: contactColumns("customer",
			"Customer", "Owes"),
			next: []choice{{"", "Who owes how much", opens("get_aged_receivables_report")}}},
		"get_all_delivery_challans": {title: "Delivery challans{$customer! of %}" + period,
			rows: "delivery_challans", sum: "Value",
			columns: []column{
				{"number", "Number", words, opens("get_delivery_challan", "number=number")},
				{"customer", "Customer", words, opens("get_customer", "customer=customer")},
				{"value", "Value", rupee, call{}},
				{"date", "Date", day, call{}},
				{"status", "Status", code, call{}},
				{"purpose", "Purpose", code, call{}},
				{"vehicle", "Vehicle", words, call{}},
				{"invoice_number", "Invoice", words, opens("get_invoice", "number=invoice_number")},
			}},
	},
		written(document("invoice", "Invoice", "Customer", "get_all_invoices", "customer"),
			"get_invoice", "create_invoice", "update_invoice", "void_invoice"),
		written(document("credit_note", "Credit note", "Customer", "get_all_sales_credit_notes", "customer"),
			"get_credit_note", "create_sales_credit_note", "update_credit_note"),
		written(challan(), "get_delivery_challan", "create_delivery_challan", "update_delivery_challan"),
		written(contact("customer", "Customer", "Owes", []choice{
			{"", "Invoices", opens("get_all_invoices", "customer=customer.name")},
			{"customer.balance>0", "Overdue invoices", opens("get_overdue_invoices", "customer=customer.name")},
			{"", "Payments", opens("get_all_payments", "contact=customer.name")},
		}), "get_customer", "create_customer", "update_customer"),
	)
}

func challan() view {
	return view{
		title: "Delivery challan {delivery_challan.number}", rows: "delivery_challan.lines",
		columns: []column{
			{"description", "Description", words, call{}},
			{"quantity", "Quantity", number, call{}},
			{"value", "Value", rupee, call{}},
			{"rate", "Rate", rupee, call{}},
			{"unit", "Unit", words, call{}},
			{"hsn_sac", "HSN", words, call{}},
		},
		figures: []figure{
			{"delivery_challan.number", "Number", words}, {"delivery_challan.customer", "Customer", words},
			{"delivery_challan.date", "Date", day}, {"delivery_challan.value", "Value", rupee},
			{"delivery_challan.status", "Status", code}, {"delivery_challan.purpose", "Purpose", code},
			{"delivery_challan.vehicle", "Vehicle", words}, {"delivery_challan.invoice_number", "Invoice", words},
			{"delivery_challan.notes", "Notes", words},
		},
		next: []choice{{"delivery_challan.invoice_number", "{delivery_challan.invoice_number}",
			opens("get_invoice", "number=delivery_challan.invoice_number")}},
	}
}

// contactColumns are those of lists of customers and vendors.
func contactColumns(side, label, balance string) []column {
	list := map[string]string{"customer": "get_all_invoices", "vendor": "get_bills"}[side]
	return []column{
		{"name", label, words, opens("get_"+side, side+"=name")},
		{"balance", balance, rupee, opens(list, side+"=name")},
		{"terms_days", "Days to pay", number, call{}},
		{"state", "State", words, call{}},
		{"gstin", "GSTIN", words, call{}},
		{"email", "E-mail", words, call{}},
		{"phone", "Phone", words, call{}},
		{"code", "Code", words, call{}},
	}
}

// contact is the view of one customer or vendor.
func contact(member, label, balance string, next []choice) view {
	at := func(name string) string { return member + "." + name }
	return view{title: label + " {" + at("name") + "}", next: next, figures: []figure{
		{at("name"), label, words}, {at("balance"), balance, rupee}, {at("terms_days"), "Days to pay", number},
		{at("credit_limit"), "Credit limit", rupee}, {at("gstin"), "GSTIN", words},
		{at("state"), "State", words}, {at("email"), "E-mail", words}, {at("phone"), "Phone", words},
		{at("address"), "Address", words}, {at("tds_section"), "TDS section", words}, {at("msme"), "MSME", yes},
		{at("active"), "Active", yes}, {at("code"), "Code", words}, {at("notes"), "Notes", words},
	}}
}
