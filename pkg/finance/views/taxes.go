package views

import "github.com/bellhop-ai/bellhop/pkg/chart"

// filing is the view of a filed return.
func filing() view {
	return view{title: "{filing.form} of {filing.period|month}", figures: []figure{
		{"filing.form", "Return", words}, {"filing.period", "Month", month}, {"filing.arn", "Acknowledgement", words},
		{"filing.filed_on", "Filed on", day}, {"filing.figures.taxable", "Taxable", rupee}, {"filing.figures.tax",
			"Tax", rupee},
		{"filing.figures.output", "Output GST", rupee}, {"filing.figures.credit", "Input credit", rupee},
		{"filing.figures.net", "To pay", rupee},
	}}
}

func einvoice() view {
	return view{title: "E-invoice of {einvoice.number}", figures: []figure{
		{"einvoice.number", "Number", words}, {"einvoice.irn", "IRN", words}, {"einvoice.ack_number",
			"Acknowledgement", words},
		{"einvoice.status", "Status", code},
	}, next: []choice{{"", "{einvoice.number}", opens("get_invoice", "number=einvoice.number")}}}
}

func taxes() map[string]view {
	return merged(map[string]view{
		"get_gst_summary": {title: "GST, {from|date} to {to|date}", rows: "heads", columns: []column{
			{"head", "Head", code, call{}},
			{"net", "To pay", rupee, call{}},
			{"output", "Output GST", rupee, call{}},
			{"credit", "Input credit", rupee, call{}},
			{"reverse_charge", "Reverse charge", rupee, call{}},
		}, note: "Output: {output|rs}. Input credit: {credit|rs}. Reverse charge: {reverse_charge|rs}. Net: {net|rs}.",
			charts: []graph{{title: "Output GST and input credit", form: chart.Bars, rows: "heads", label: "head",
				format: code,
				series: []series{{"Output GST", "output"}, {"Input credit", "credit"}}}},
			next: []choice{
				{"", "Input credit by vendor", opens("get_itc_summary", "from?=from", "to?=to")},
				{"", "What is due by when", opens("get_compliance_calendar")},
			}},
		"get_itc_summary": {title: "Input credit, {from|date} to {to|date}", rows: "vendors", columns: []column{
			{"contact", "Vendor", words, opens("get_bills", "vendor=contact", "from?=^from", "to?=^to")},
			{"eligible", "Input credit", rupee, opens("get_bills", "vendor=contact", "from?=^from", "to?=^to")},
			{"taxable", "Without GST", rupee, call{}},
			{"blocked", "No credit", rupee, call{}},
			{"cgst", "CGST", rupee, call{}},
			{"sgst", "SGST", rupee, call{}},
			{"igst", "IGST", rupee, call{}},
			{"gstin", "GSTIN", words, call{}},
			{"documents", "Documents", number, call{}},
		}, note: "Input credit: {eligible|rs}. GST without credit: {blocked|rs}."},
		"get_gstr1_data": {title: "GSTR-1 of {month|month}", rows: "rows", columns: []column{
			{"number", "Number", words, opens("get_journal_entry", "number=number")},
			{"contact", "Customer", words, call{}},
			{"taxable", "Taxable", rupee, call{}},
			{"section", "Section", code, call{}},
			{"rate", "Rate", percent, call{}},
			{"cgst", "CGST", rupee, call{}},
			{"sgst", "SGST", rupee, call{}},
			{"igst", "IGST", rupee, call{}},
			{"value", "Value", rupee, call{}},
			{"date", "Date", day, call{}},
			{"gstin", "GSTIN", words, call{}},
			{"place_of_supply", "Place of supply", place, call{}},
			{"against", "Corrects", words, call{}},
		}, note: "Taxable: {totals.taxable|rs}. CGST: {totals.cgst|rs}. SGST: {totals.sgst|rs}. IGST: " +
			"{totals.igst|rs}. " +
			"Tax: {totals.tax|rs}.",
			parts: []view{{title: "By HSN or SAC", rows: "hsn", columns: []column{
				{"hsn_sac", "HSN or SAC", words, call{}},
				{"taxable", "Taxable", rupee, call{}},
				{"quantity", "Quantity", number, call{}},
				{"rate", "Rate", percent, call{}},
				{"unit", "Unit", words, call{}},
				{"cgst", "CGST", rupee, call{}},
				{"sgst", "SGST", rupee, call{}},
				{"igst", "IGST", rupee, call{}},
			}}},
			next: []choice{{"", "GSTR-3B of {month|month}", opens("get_gstr3b_data", "month=month")}}},
		"get_gstr3b_data": {title: "GSTR-3B of {month|month}", rows: "rows", columns: []column{
			{"description", "Line", words, call{}},
			{"taxable", "Taxable", rupee, call{}},
			{"igst", "IGST", rupee, call{}},
			{"cgst", "CGST", rupee, call{}},
			{"sgst", "SGST", rupee, call{}},
			{"line", "Table", words, call{}},
		}, note: "Output: {totals.output|rs}. Input credit: {totals.credit|rs}. Reverse charge: " +
			"{totals.reverse_charge|rs}. " +
			"Net: {totals.net|rs}.",
			next: []choice{{"", "GSTR-1 of {month|month}", opens("get_gstr1_data", "month=month")}}},
		"get_compliance_calendar": {title: "What falls due, {from|date} to {to|date}", rows: "due_dates",
			columns: []column{
				{"due", "Due", day, call{}},
				{"title", "What", words, call{}},
				{"status", "Status", code, call{}},
				{"form", "Form", words, call{}},
				{"period", "Period", month, call{}},
				{"filed_on", "Filed on", day, call{}},
				{"arn", "Acknowledgement", words, call{}},
				{"source", "Rule", words, call{}},
			}, next: []choice{
				{"@next return.period", "GSTR-1 of {@next return.period|month}", opens("get_gstr1_data",
					"month=@next return.period")},
				{"@next return.period", "GSTR-3B of {@next return.period|month}", opens("get_gstr3b_data",
					"month=@next return.period")},
				{"", "GST of this year", opens("get_gst_summary")},
			}},
		"get_tax_rates": {title: "Tax deducted at source", rows: "tds", columns: []column{
			{"section", "Section", words, call{}},
			{"description", "On", words, call{}},
			{"rate", "Rate", percent, call{}},
		}},
	},
		written(filing(), "file_gstr1", "file_gstr3b"),
		written(einvoice(), "generate_einvoice", "cancel_einvoice"),
	)
}
