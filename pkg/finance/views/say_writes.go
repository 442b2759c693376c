package views

// writeSayings say what a write recorded.
func writeSayings() map[string]spoken {
	return merged(
		done("invoice", "Invoice {invoice.number} for {invoice.contact}, "+
			"{invoice.total|rs}{invoice.due_date|date!, due %},",
			"Invoice {invoice.number} ({invoice.contact}), {invoice.total|rs}{invoice.due_date|date!, due date %},",
			"इनवॉइस {invoice.number} ({invoice.contact}), {invoice.total|rs}{invoice.due_date|date!, देय तिथि %},",
			"create_invoice", "update_invoice", "void_invoice"),
		done("bill", "Bill {bill.number} of {bill.contact}, {bill.total|rs}{bill.due_date|date!, due %},",
			"Bill {bill.number} ({bill.contact}), {bill.total|rs}{bill.due_date|date!, due date %},",
			"बिल {bill.number} ({bill.contact}), {bill.total|rs}{bill.due_date|date!, देय तिथि %},",
			"create_bill", "update_bill", "void_bill"),
		done("credit_note", "Credit note {credit_note.number} for {credit_note.contact}, {credit_note.total|rs}"+
			"{credit_note.against!, against %},",
			"Credit note {credit_note.number} ({credit_note.contact}), "+
				"{credit_note.total|rs}{credit_note.against!, % ke against},",
			"क्रेडिट नोट {credit_note.number} ({credit_note.contact}), "+
				"{credit_note.total|rs}{credit_note.against!, % के विरुद्ध},",
			"create_sales_credit_note", "update_credit_note", ""),
		done("debit_note", "Debit note {debit_note.number} for {debit_note.contact}, {debit_note.total|rs}"+
			"{debit_note.against!, against %},",
			"Debit note {debit_note.number} ({debit_note.contact}), "+
				"{debit_note.total|rs}{debit_note.against!, % ke against},",
			"डेबिट नोट {debit_note.number} ({debit_note.contact}), "+
				"{debit_note.total|rs}{debit_note.against!, % के विरुद्ध},",
			"create_purchase_debit_note", "", ""),
		done("payment", "{payment.kind|word} {payment.number}, {payment.contact}, {payment.amount|rs}, "+
			"{payment.date|date}"+
			"{payment.unapplied|rs!, % of it not applied},",
			"{payment.kind|word} {payment.number}, {payment.contact}, {payment.amount|rs}, {payment.date|date}"+
				"{payment.unapplied|rs!, isme se % lagana baaki},",
			"{payment.kind|word} {payment.number}, {payment.contact}, {payment.amount|rs}, {payment.date|date}"+
				"{payment.unapplied|rs!, जिसमें से % का समायोजन बाकी},",
			"create_payment", "update_payment", "void_payment"),
		done("expense", "Expense {expense.number}, {expense.description}, {expense.total|rs} from "+
			"{expense.paid_from},",
			"Kharcha {expense.number}, {expense.description}, {expense.total|rs}, {expense.paid_from} se,",
			"खर्च {expense.number}, {expense.description}, {expense.total|rs}, {expense.paid_from} से,",
			"create_expense", "", "delete_expense"),
		done("journal_entry", "Journal entry {journal_entry.number} of {journal_entry.date|date}, "+
			"{journal_entry.narration},",
			"Journal entry {journal_entry.number}, {journal_entry.date|date}, {journal_entry.narration},",
			"जर्नल प्रविष्टि {journal_entry.number}, {journal_entry.date|date}, {journal_entry.narration},",
			"create_journal_entry", "", "delete_journal_entry"),
		done("delivery_challan", "Delivery challan {delivery_challan.number} for {delivery_challan.customer}, "+
			"{delivery_challan.value|rs},",
			"Delivery challan {delivery_challan.number} ({delivery_challan.customer}), {delivery_challan.value|rs},",
			"डिलीवरी चालान {delivery_challan.number} ({delivery_challan.customer}), {delivery_challan.value|rs},",
			"create_delivery_challan", "", ""),
		done("customer", "Customer {customer.name}{customer.gstin!, GSTIN %,}",
			"Customer {customer.name}{customer.gstin!, GSTIN %,}",
			"ग्राहक {customer.name}{customer.gstin!, GSTIN %,}", "create_customer", "update_customer", ""),
		done("vendor", "Vendor {vendor.name}{vendor.gstin!, GSTIN %,}",
			"Vendor {vendor.name}{vendor.gstin!, GSTIN %,}",
			"विक्रेता {vendor.name}{vendor.gstin!, GSTIN %,}", "create_vendor", "update_vendor", ""),
		done("product", "Product {product.name}{product.sale_price|rs!, sale price %,}",
			"Product {product.name}{product.sale_price|rs!, sale price %,}",
			"उत्पाद {product.name}{product.sale_price|rs!, बिक्री मूल्य %,}", "create_product", "update_product", ""),
		done("account", "Account {account.code} {account.name}", "Khata {account.code} {account.name}",
			"खाता {account.code} {account.name}", "create_account", "", ""),
		done("bank_account", "Bank account {bank_account.name}", "Bank khata {bank_account.name}",
			"बैंक खाता {bank_account.name}", "create_bank_account", "", ""),
		actSayings(),
	)
}

// done returns the sayings of the tools that make, change and take back something under a
// member of the answer; "" where there is no such tool. The texts name it, up to a comma.
func done(member, english, hinglish, hindi, made, changed, undone string) map[string]spoken {
	out := map[string]spoken{}
	say := func(tool, en, hinglishVerb, hindiVerb string) {
		if tool != "" {
			out[tool] = spoken{when: member, some: tell{english + " " + en, hinglish + " " + hinglishVerb, hindi +
				" " + hindiVerb}}
		}
	}
	switch member {
	case "customer", "vendor", "product", "account", "bank_account":
		say(made, "is added.", "jud gaya.", "जोड़ दिया गया।")
	default:
		say(made, "is made.", "ban gaya.", "दर्ज हो गया।")
	}
	say(changed, "is changed.", "badal gaya.", "बदल दिया गया।")
	if member == "expense" || member == "journal_entry" {
		say(undone, "is deleted.", "hata diya gaya.", "हटा दिया गया।")
	} else {
		say(undone, "is void.", "radd ho gaya.", "रद्द हो गया।")
	}
	return out
}

// actSayings are those of tools that do something else than make, change or void.
func actSayings() map[string]spoken {
	return map[string]spoken{
		"update_delivery_challan": {"delivery_challan", tell{
			"Delivery challan {delivery_challan.number} for {delivery_challan.customer} is " +
				"{delivery_challan.status|inline} now.",
			"Delivery challan {delivery_challan.number} ({delivery_challan.customer}) ab " +
				"{delivery_challan.status|inline} hai.",
			"डिलीवरी चालान {delivery_challan.number} ({delivery_challan.customer}) अब " +
				"{delivery_challan.status|inline} है।",
		}, tell{}},
		"update_transaction": {"transaction", tell{
			"The bank line of {transaction.date|date}, {transaction.amount|rs}, is {transaction.status|inline}" +
				"{transaction.note!, with the note: %}.",
			"{transaction.date|date} ki bank line, {transaction.amount|rs}, {transaction.status|inline} hai" +
				"{transaction.note!, note: %}.",
			"{transaction.date|date} की बैंक लाइन, {transaction.amount|rs}, {transaction.status|inline} है" +
				"{transaction.note!, टिप्पणी: %}।",
		}, tell{}},
		"apply_advance": {"document", tell{
			"{document.number} has {document.balance|rs} open now.",
			"{document.number} par ab {document.balance|rs} baaki hai.",
			"{document.number} पर अब {document.balance|rs} बाकी है।",
		}, tell{}},
		"send_payment_reminders": {"recorded", tell{
			"{#recorded?# reminder is|# reminders are} recorded{recorded.0.customer!, the first for %}" +
				"{#skipped?; # invoice is left out|; # invoices are left out|}.",
			"{#recorded?# reminder|# reminders} darj {#recorded?hua|hue}{recorded.0.customer!, pehla % ko}" +
				"{#skipped?; # invoice chhoda gaya|; # invoices chhode gaye|}.",
			"{#recorded} रिमाइंडर दर्ज {#recorded?हुआ|हुए}{recorded.0.customer!, पहला % को}" +
				"{#skipped?; # इनवॉइस छोड़ा गया|; # इनवॉइस छोड़े गए|}।",
		}, tell{
			"No reminder is recorded{skipped.0.number!: %}{skipped.0.why!, %}.",
			"Koi reminder darj nahi hua{skipped.0.number! (%)}.", "कोई रिमाइंडर दर्ज नहीं हुआ{skipped.0.number! (%)}।",
		}},
		"import_bank_statement": {"added", tell{
			"{added|n} of {lines?# line|# lines} were added to {bank_account}{known!; % were there before}" +
				"{before_opening!; % are before the account opens}.",
			"{bank_account} mein {lines|n} mein se {added|n} line judi{known!; % pehle se thi}" +
				"{before_opening!; % khata khulne se pehle ki hain}.",
			"{bank_account} में {lines|n} में से {added|n} लाइनें जुड़ीं{known!; % पहले से थीं}" +
				"{before_opening!; % खाता खुलने से पहले की हैं}।",
		}, tell{
			"No line of {lines|n} was added to {bank_account}{known!; % were there before}.",
			"{bank_account} mein koi line nahi judi{known!; % pehle se thi}.",
			"{bank_account} में कोई लाइन नहीं जुड़ी{known!; % पहले से थीं}।",
		}},
		"reconcile_bank_account": {"", tell{
			"{matched?# bank line is|# bank lines are} matched{left!; % are left}.",
			"{matched?# bank line|# bank lines} match hui{left!; % baaki hain}.",
			"{matched?#|#} बैंक लाइनों का मिलान हुआ{left!; % बाकी हैं}।",
		}, tell{}},
		"match_bank_transaction": {"transaction", tell{
			"The bank line of {transaction.date|date}, {transaction.amount|rs}, is " +
				"matched{transaction.matches.0.number! with %}.",
			"{transaction.date|date} ki bank line, {transaction.amount|rs}, match ho " +
				"gayi{transaction.matches.0.number!: %}.",
			"{transaction.date|date} की बैंक लाइन, {transaction.amount|rs}, का मिलान हो " +
				"गया{transaction.matches.0.number!: %}।",
		}, tell{}},
		"unmatch_bank_transaction": {"transaction", tell{
			"The bank line of {transaction.date|date}, {transaction.amount|rs}, is no longer matched.",
			"{transaction.date|date} ki bank line, {transaction.amount|rs}, ka match hata diya.",
			"{transaction.date|date} की बैंक लाइन, {transaction.amount|rs}, का मिलान हटा दिया गया।",
		}, tell{}},
		"adjust_stock": {"movement", tell{
			"The stock of {movement.name} is changed by {movement.quantity|n}{product.quantity|n!; % are there now}.",
			"{movement.name} ka stock {movement.quantity|n} se badla{product.quantity|n!; ab % hai}.",
			"{movement.name} का स्टॉक {movement.quantity|n} से बदला{product.quantity|n!; अब % है}।",
		}, tell{}},
		"set_period_status": {"period", tell{
			"The books of {period.period|month} are {period.status|inline} now.",
			"{period.period|month} ki books ab {period.status|inline} hain.",
			"{period.period|month} का लेखा अब {period.status|inline} है।",
		}, tell{}},
		"file_gstr1":  filed(),
		"file_gstr3b": filed(),
		"generate_einvoice": {"einvoice", tell{
			"{einvoice.number}{einvoice.customer! for %}{einvoice.total|rs!, %,} is registered as an e-invoice.",
			"{einvoice.number}{einvoice.customer! (%)}{einvoice.total|rs!, %,} ka e-invoice ban gaya.",
			"{einvoice.number}{einvoice.customer! (%)}{einvoice.total|rs!, %,} का ई-इनवॉइस बन गया।",
		}, tell{}},
		"cancel_einvoice": {"einvoice", tell{
			"The e-invoice of {einvoice.number} is cancelled.", "{einvoice.number} ka e-invoice radd ho gaya.",
			"{einvoice.number} का ई-इनवॉइस रद्द हो गया।",
		}, tell{}},
	}
}

func filed() spoken {
	return spoken{"filing", tell{
		"{filing.form} of {filing.period|month} is filed{filing.arn!, acknowledgement %}.",
		"{filing.period|month} ka {filing.form} file ho gaya{filing.arn!, ARN %}.",
		"{filing.period|month} का {filing.form} दाखिल हो गया{filing.arn!, ARN %}।",
	}, tell{}}
}
