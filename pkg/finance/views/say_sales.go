package views

// The days to which a list was narrowed.
const (
	period         = "{$from|date! from %}{$to|date! to %}"
	periodHinglish = "{$from|date!% se }{$to|date!% tak }"
	periodHindi    = "{$from|date!% से }{$to|date!% तक }"
)

func salesSayings() map[string]spoken {
	return map[string]spoken{
		"get_aged_receivables_report": {"total", tell{
			"{@owing?# customer owes|# customers owe} you {total|short}{$as_of|date! on %}" +
				"{totals.overdue|short!; % of it is overdue}{@oldest|date!, the oldest since %}.",
			"{$as_of|date!% ko }{@owing?# customer|# customers} se {total|short} lena baaki " +
				"hai{totals.overdue|short!; isme se % overdue hai}" +
				"{@oldest|date!, sabse purana % se}.",
			"{$as_of|date!% को }{@owing?# ग्राहक|# ग्राहकों} से {total|short} लेना बाकी " +
				"है{totals.overdue|short!; इसमें से % ओवरड्यू है}" +
				"{@oldest|date!, सबसे पुराना % से}।",
		}, tell{"No customer owes you anything.", "Kisi customer se kuch lena baaki nahi hai.",
			"किसी ग्राहक से कुछ लेना बाकी नहीं है।"}},
		"get_overdue_invoices": {"total", tell{
			"{total?# invoice|# invoices}{$customer! of %} {total?is|are} overdue{$as_of|date! on %}, " +
				"{total_amount|short} in all." +
				"{invoices.0.number! The first is %}{invoices.0.contact! of %}{invoices.0.balance|rs!, %}" +
				"{invoices.0.due_date|date!, due on %.}",
			"{$customer!% ke }{total?# invoice|# invoices} overdue {total?hai|hain}, kul " +
				"{total_amount|short}.{invoices.0.number! Pehla %}" +
				"{invoices.0.contact! (%)}{invoices.0.balance|rs!, %}{invoices.0.due_date|date!, due date %.}",
			"{$customer!% के }{total|n} इनवॉइस ओवरड्यू {total?है|हैं}, कुल " +
				"{total_amount|short}।{invoices.0.number! पहला: %}" +
				"{invoices.0.contact! (%)}{invoices.0.balance|rs!, %}{invoices.0.due_date|date!, देय तिथि %।}",
		}, tell{"No invoice{$customer! of %} is overdue.", "Koi invoice overdue nahi hai{$customer! (%)}.",
			"कोई इनवॉइस ओवरड्यू नहीं है{$customer! (%)}।"}},
		"get_all_invoices": {"total", tell{
			"{total|n} {$status|filter}{total?invoice|invoices}{$customer! of %}" + period +
				", {total_amount|short} in all." +
				"{invoices.0.number! The newest here is %}{invoices.0.customer! for %}{invoices.0.total|rs!, %}" +
				"{invoices.0.date|date!, of %.}",
			periodHinglish + "{$customer!% ke }{total|n} {$status|filter}{total?invoice|invoices}, kul " +
				"{total_amount|short}." +
				"{invoices.0.number! Yahan sabse naya %}{invoices.0.customer! (%)}{invoices.0.total|rs!, %}" +
				"{invoices.0.date|date!, % ka.}",
			periodHindi + "{$customer!% के }{total|n} {$status|filter}इनवॉइस, कुल {total_amount|short}।" +
				"{invoices.0.number! यहाँ सबसे नया %}{invoices.0.customer! (%)}{invoices.0.total|rs!, %}" +
				"{invoices.0.date|date!, % का।}",
		}, tell{"No {$status|filter}invoice was found.", "Koi {$status|filter}invoice nahi mila.",
			"कोई {$status|filter}इनवॉइस नहीं मिला।"}},
		"get_invoice": {"invoice", tell{
			"Invoice {invoice.number} for {invoice.contact} of {invoice.date|date} is {invoice.total|rs}" +
				"{invoice.balance|rs!; % is open}, due on {invoice.due_date|date}, {invoice.state|inline}.",
			"Invoice {invoice.number}, {invoice.contact}, {invoice.date|date}: {invoice.total|rs}" +
				"{invoice.balance|rs!; % baaki}, due date {invoice.due_date|date}, {invoice.state|inline}.",
			"इनवॉइस {invoice.number}, {invoice.contact}, {invoice.date|date}: {invoice.total|rs}" +
				"{invoice.balance|rs!; % बाकी}, देय तिथि {invoice.due_date|date}, {invoice.state|inline}।",
		}, tell{}},
		"get_payment_reminders": {"total", tell{
			"{total?# reminder is|# reminders are} recorded.{reminders.0.invoice! The newest is for %}" +
				"{reminders.0.customer! of %}{reminders.0.day|date!, of %.}",
			"{total?# reminder|# reminders} darj " +
				"{total?hai|hain}.{reminders.0.invoice! Sabse naya % ka}{reminders.0.customer! (%)}" +
				"{reminders.0.day|date!, %.}",
			"{total|n} रिमाइंडर दर्ज {total?है|हैं}।{reminders.0.invoice! सबसे नया % का}{reminders.0.customer! (%)}" +
				"{reminders.0.day|date!, %।}",
		}, tell{"No reminder is recorded.", "Koi reminder darj nahi hai.", "कोई रिमाइंडर दर्ज नहीं है।"}},
		"get_all_sales_credit_notes": {"total", tell{
			"{total?# credit note|# credit notes}{$customer! of %}" + period + ", {total_amount|short} in all.",
			periodHinglish + "{$customer!% ke }{total?# credit note|# credit notes}, kul {total_amount|short}.",
			periodHindi + "{$customer!% के }{total|n} क्रेडिट नोट, कुल {total_amount|short}।",
		}, tell{"No credit note was found.", "Koi credit note nahi mila.", "कोई क्रेडिट नोट नहीं मिला।"}},
		"get_credit_note": {"credit_note", tell{
			"Credit note {credit_note.number} for {credit_note.contact} of {credit_note.date|date} is " +
				"{credit_note.total|rs}{credit_note.against!, against %}, {credit_note.state|inline}.",
			"Credit note {credit_note.number}, {credit_note.contact}, {credit_note.date|date}: " +
				"{credit_note.total|rs}{credit_note.against!, % ke against}, {credit_note.state|inline}.",
			"क्रेडिट नोट {credit_note.number}, {credit_note.contact}, {credit_note.date|date}: " +
				"{credit_note.total|rs}{credit_note.against!, % के विरुद्ध}, {credit_note.state|inline}।",
		}, tell{}},
		"get_all_customers": {"total", tell{
			"{total?# customer|# customers}.{@open customers! % of those shown}" +
				"{@customers sum|short! owe %.}",
			"{total?# customer|# customers}.{@open customers! Inme se % par}{@customers sum|short! % baaki hai.}",
			"{total|n} ग्राहक।{@open customers! इनमें से % पर}{@customers sum|short! % बाकी है।}",
		}, tell{"No customer was found.", "Koi customer nahi mila.", "कोई ग्राहक नहीं मिला।"}},
		"get_customer": {"customer.balance>0", tell{
			"{customer.name} owes you {customer.balance|rs}{customer.terms_days!; invoices are due after % days}.",
			"{customer.name} se {customer.balance|rs} lena baaki " +
				"hai{customer.terms_days!; payment ke liye % din milte hain}.",
			"{customer.name} से {customer.balance|rs} लेना बाकी " +
				"है{customer.terms_days!; भुगतान के लिए % दिन मिलते हैं}।",
		}, tell{
			"{customer.name} owes you nothing.",
			"{customer.name} se kuch lena baaki nahi hai.", "{customer.name} से कुछ लेना बाकी नहीं है।",
		}},
		"get_all_delivery_challans": {"total", tell{
			"{total|n} {$status|filter}{total?delivery challan|delivery challans}, goods of {total_amount|short} " +
				"in all.",
			"{total|n} {$status|filter}{total?delivery challan|delivery challans}, kul {total_amount|short} ka maal.",
			"{total|n} {$status|filter}डिलीवरी चालान, कुल {total_amount|short} का माल।",
		}, tell{"No {$status|filter}delivery challan was found.", "Koi {$status|filter}delivery challan nahi mila.",
			"कोई {$status|filter}डिलीवरी चालान नहीं मिला।"}},
		"get_delivery_challan": {"delivery_challan", tell{
			"Delivery challan {delivery_challan.number} for {delivery_challan.customer} of " +
				"{delivery_challan.date|date}: " +
				"goods of {delivery_challan.value|rs}, {delivery_challan.status|inline}.",
			"Delivery challan {delivery_challan.number}, {delivery_challan.customer}, {delivery_challan.date|date}: " +
				"{delivery_challan.value|rs} ka maal, {delivery_challan.status|inline}.",
			"डिलीवरी चालान {delivery_challan.number}, {delivery_challan.customer}, {delivery_challan.date|date}: " +
				"{delivery_challan.value|rs} का माल, {delivery_challan.status|inline}।",
		}, tell{}},
	}
}
