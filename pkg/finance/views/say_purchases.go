package views

func purchaseSayings() map[string]spoken {
	return map[string]spoken{
		"get_aged_payables_report": {"total", tell{
			"You owe {@owing?# vendor|# vendors} " +
				"{total|short}{$as_of|date! on %}{totals.overdue|short!; % of it is overdue}" +
				"{@oldest|date!, the oldest since %}.",
			"{$as_of|date!% ko }{@owing?# vendor|# vendors} ko {total|short} dena baaki " +
				"hai{totals.overdue|short!; isme se % overdue hai}" +
				"{@oldest|date!, sabse purana % se}.",
			"{$as_of|date!% को }{@owing?# विक्रेता|# विक्रेताओं} को {total|short} देना बाकी " +
				"है{totals.overdue|short!; इसमें से % ओवरड्यू है}" +
				"{@oldest|date!, सबसे पुराना % से}।",
		}, tell{"You owe no vendor anything.", "Kisi vendor ko kuch dena baaki nahi hai.",
			"किसी विक्रेता को कुछ देना बाकी नहीं है।"}},
		"get_ap_aging": {"total", tell{
			"{#bills?# bill is|# bills are} open, {total|short} in all{overdue|short!; % of it is overdue}.",
			"{#bills?# bill|# bills} baaki {#bills?hai|hain}, kul " +
				"{total|short}{overdue|short!; isme se % overdue hai}.",
			"{#bills} बिल बाकी {#bills?है|हैं}, कुल {total|short}{overdue|short!; इसमें से % ओवरड्यू है}।",
		}, tell{"No bill is open.", "Koi bill baaki nahi hai.", "कोई बिल बाकी नहीं है।"}},
		"get_upcoming_payments": {"total", tell{
			"{total?# bill is|# bills are} to be paid next, {total_amount|short} in all." +
				"{bills.0.number! First %}{bills.0.contact! of %}{bills.0.balance|rs!, %}" +
				"{bills.0.due_date|date!, due on %.}",
			"Aage {total?# bill|# bills} {total?dena hai|dene hain}, kul " +
				"{total_amount|short}.{bills.0.number! Pehla %}" +
				"{bills.0.contact! (%)}{bills.0.balance|rs!, %}{bills.0.due_date|date!, due date %.}",
			"आगे {total|n} बिल {total?देना है|देने हैं}, कुल {total_amount|short}।{bills.0.number! पहला: %}" +
				"{bills.0.contact! (%)}{bills.0.balance|rs!, %}{bills.0.due_date|date!, देय तिथि %।}",
		}, tell{"No bill is to be paid in that time.", "Is samay mein koi bill dena nahi hai.",
			"इस अवधि में कोई बिल देना नहीं है।"}},
		"get_bills": {"total", tell{
			"{total|n} {$status|filter}{total?bill|bills}{$vendor! of %}" + period + ", {total_amount|short} in all." +
				"{bills.0.number! The newest here is %}{bills.0.vendor! of %}{bills.0.total|rs!, %}" +
				"{bills.0.date|date!, of %.}",
			periodHinglish + "{$vendor!% ke }{total|n} {$status|filter}{total?bill|bills}, kul {total_amount|short}." +
				"{bills.0.number! Yahan sabse naya %}{bills.0.vendor! (%)}{bills.0.total|rs!, %}" +
				"{bills.0.date|date!, % ka.}",
			periodHindi + "{$vendor!% के }{total|n} {$status|filter}बिल, कुल {total_amount|short}।" +
				"{bills.0.number! यहाँ सबसे नया %}{bills.0.vendor! (%)}{bills.0.total|rs!, %}" +
				"{bills.0.date|date!, % का।}",
		}, tell{"No {$status|filter}bill was found.", "Koi {$status|filter}bill nahi mila.",
			"कोई {$status|filter}बिल नहीं मिला।"}},
		"get_bill": {"bill", tell{
			"Bill {bill.number} of {bill.contact} of {bill.date|date} is " +
				"{bill.total|rs}{bill.balance|rs!; % is open}, " +
				"due on {bill.due_date|date}, {bill.state|inline}.",
			"Bill {bill.number}, {bill.contact}, {bill.date|date}: {bill.total|rs}{bill.balance|rs!; % baaki}, " +
				"due date {bill.due_date|date}, {bill.state|inline}.",
			"बिल {bill.number}, {bill.contact}, {bill.date|date}: {bill.total|rs}{bill.balance|rs!; % बाकी}, " +
				"देय तिथि {bill.due_date|date}, {bill.state|inline}।",
		}, tell{}},
		"get_all_purchase_debit_notes": {"total", tell{
			"{total?# debit note|# debit notes}{$vendor! to %}, {total_amount|short} in all.",
			"{$vendor!% ke }{total?# debit note|# debit notes}, kul {total_amount|short}.",
			"{$vendor!% के }{total|n} डेबिट नोट, कुल {total_amount|short}।",
		}, tell{"No debit note was found.", "Koi debit note nahi mila.", "कोई डेबिट नोट नहीं मिला।"}},
		"get_all_vendors": {"total", tell{
			"{total?# vendor|# vendors}.{@open vendors! You owe % of those shown}{@vendors sum|short! %.}",
			"{total?# vendor|# vendors}.{@open vendors! Inme se % ko}{@vendors sum|short! % dena baaki hai.}",
			"{total|n} विक्रेता।{@open vendors! इनमें से % को}{@vendors sum|short! % देना बाकी है।}",
		}, tell{"No vendor was found.", "Koi vendor nahi mila.", "कोई विक्रेता नहीं मिला।"}},
		"get_vendor": {"vendor.balance>0", tell{
			"You owe {vendor.name} {vendor.balance|rs}.",
			"{vendor.name} ko {vendor.balance|rs} dena baaki hai.",
			"{vendor.name} को {vendor.balance|rs} देना बाकी है।",
		}, tell{"You owe {vendor.name} nothing.", "{vendor.name} ko kuch dena baaki nahi hai.",
			"{vendor.name} को कुछ देना बाकी नहीं है।"}},
		"list_expenses": {"total", tell{
			"{total?# expense|# expenses} paid at once{$account! on %}" + period + ", {total_amount|rs} in all.",
			periodHinglish + "{$account!% par }{total?# turant chukaya kharcha|# turant chukaye kharche}, kul " +
				"{total_amount|rs}.",
			periodHindi + "{$account!% पर }{total|n} तुरंत चुकाए खर्च, कुल {total_amount|rs}।",
		}, tell{"No expense was found.", "Koi kharcha nahi mila.", "कोई खर्च नहीं मिला।"}},
		"get_expense": {"expense", tell{
			"Expense {expense.number} of {expense.date|date}: {expense.total|rs} for {expense.description}, on " +
				"{expense.account}, paid from {expense.paid_from}.",
			"Kharcha {expense.number}, {expense.date|date}: {expense.description} ke liye {expense.total|rs}, " +
				"khata {expense.account}, {expense.paid_from} se.",
			"खर्च {expense.number}, {expense.date|date}: {expense.description} के लिए {expense.total|rs}, " +
				"खाता {expense.account}, {expense.paid_from} से।",
		}, tell{}},
	}
}
