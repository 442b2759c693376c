package views

// ownSayings are those of our own tools, which have an English sentence themselves.
func ownSayings() map[string]spoken {
	return map[string]spoken{
		"calculate_gst": {"interstate", tell{"",
			"{taxable|rs} par {rate|pct} GST: IGST {tax.igst|rs}, kul {total|rs}.{@findings! %}",
			"{taxable|rs} पर {rate|pct} GST: IGST {tax.igst|rs}, कुल {total|rs}।{@findings! %}",
		}, tell{"",
			"{taxable|rs} par {rate|pct} GST: CGST {tax.cgst|rs}, {state_tax} {tax.sgst|rs}, kul " +
				"{total|rs}.{@findings! %}",
			"{taxable|rs} पर {rate|pct} GST: CGST {tax.cgst|rs}, {state_tax} {tax.sgst|rs}, कुल " +
				"{total|rs}।{@findings! %}",
		}},
		"email_invoice": {"number", tell{"",
			"Invoice {number} {to} ko mail kar diya.", "इनवॉइस {number} {to} को मेल कर दिया।"}, tell{}},
		"email_payment_reminder": {"earlier", tell{"",
			"Invoice {number} ka yeh reminder {at|date} ko mail ho chuka hai; dobara nahi bheja.",
			"इनवॉइस {number} का यह रिमाइंडर {at|date} को मेल हो चुका है; दोबारा नहीं भेजा।",
		}, tell{"", "Invoice {number} ka reminder {to} ko mail kar diya.",
			"इनवॉइस {number} का रिमाइंडर {to} को मेल कर दिया।"}},
		"check_tax_details": {}, // they have said all that they found
		"read_bill":         {},
		"export_to_tally": {"file", tell{"",
			"{from|date} se {to|date} tak ki entries Tally ke liye {file} mein hain. Link {link_valid_minutes} " +
				"minute tak chalega.",
			"{from|date} से {to|date} तक की प्रविष्टियाँ Tally के लिए {file} में हैं। लिंक {link_valid_minutes} " +
				"मिनट तक चलेगा।",
		}, tell{}},
	}
}
