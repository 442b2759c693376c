package views

func cashSayings() map[string]spoken {
	return map[string]spoken{
		"get_all_payments": {"total", tell{
			"{total?# receipt or payment|# receipts and payments}{$contact! of %}" + period + "." + newestPayment,
			periodHinglish + "{$contact!% ke }{total?# receipt ya payment|# receipts aur payments}." +
				newestPaymentHinglish,
			periodHindi + "{$contact!% के }{total?# प्राप्ति या भुगतान|# प्राप्तियाँ और भुगतान}।" + newestPaymentHindi,
		}, tell{"No receipt or payment was found.", "Koi receipt ya payment nahi mila.", "कोई भुगतान नहीं मिला।"}},
		"get_all_payments receipt": {"total", tell{
			"{total?# receipt|# receipts}{$contact! of %}" + period + ", {total_amount|short} in all." + newestPayment,
			periodHinglish + "{$contact!% ke }{total?# receipt|# receipts}, kul {total_amount|short}." +
				newestPaymentHinglish,
			periodHindi + "{$contact!% के }{total?# प्राप्ति|# प्राप्तियाँ}, कुल {total_amount|short}।" +
				newestPaymentHindi,
		}, tell{"No receipt was found.", "Koi receipt nahi mila.", "कोई भुगतान नहीं मिला।"}},
		"get_all_payments payment": {"total", tell{
			"{total?# payment|# payments}{$contact! of %}" + period + ", {total_amount|short} in all." + newestPayment,
			periodHinglish + "{$contact!% ke }{total?# payment|# payments}, kul {total_amount|short}." +
				newestPaymentHinglish,
			periodHindi + "{$contact!% के }{total|n} भुगतान, कुल {total_amount|short}।" + newestPaymentHindi,
		}, tell{"No payment was found.", "Koi payment nahi mila.", "कोई भुगतान नहीं मिला।"}},
		"get_payment": {"payment", tell{
			"{payment.kind|word} {payment.number} of {payment.date|date}, {payment.contact}: {payment.amount|rs}" +
				"{payment.tds|rs!, and % TDS}{payment.unapplied|rs!; % of it is not applied}.",
			"{payment.kind|word} {payment.number}, {payment.date|date}, {payment.contact}: {payment.amount|rs}" +
				"{payment.tds|rs!, aur % TDS}{payment.unapplied|rs!; % abhi lagana baaki hai}.",
			"{payment.kind|word} {payment.number}, {payment.date|date}, {payment.contact}: {payment.amount|rs}" +
				"{payment.tds|rs!, और % TDS}{payment.unapplied|rs!; % का समायोजन बाकी है}।",
		}, tell{}},
		"get_cash_position": {"accounts", tell{
			"You have {total|rs} in bank and cash on {as_of|date}" +
				"{accounts.0.name!: %}{accounts.0.balance|rs! %}{accounts.1.name!, %}{accounts.1.balance|rs! %}" +
				"{accounts.2.name!, %}{accounts.2.balance|rs! %}.",
			"{as_of|date} ko bank aur cash mein {total|rs} hai" +
				"{accounts.0.name!: %}{accounts.0.balance|rs! %}{accounts.1.name!, %}{accounts.1.balance|rs! %}" +
				"{accounts.2.name!, %}{accounts.2.balance|rs! %}.",
			"{as_of|date} को बैंक और नकद में {total|rs} है" +
				"{accounts.0.name!: %}{accounts.0.balance|rs! %}{accounts.1.name!, %}{accounts.1.balance|rs! %}" +
				"{accounts.2.name!, %}{accounts.2.balance|rs! %}।",
		}, tell{"There are no bank or cash accounts.", "Koi bank ya cash khata nahi hai.",
			"कोई बैंक या नकद खाता नहीं है।"}},
		"forecast_cash_flow": {"months", tell{
			"At the end of {months.0.month|month} {months.0.closing|short} are expected in bank and cash: " +
				"{months.0.receipts|short} to come in, {months.0.payments|short} to pay." +
				"{months.-1.month|month! At the end of %} it is {months.-1.closing|short}.",
			"{months.0.month|month} ke ant mein bank aur cash mein {months.0.closing|short} hone ki ummeed hai: " +
				"{months.0.receipts|short} aana hai, {months.0.payments|short} dena hai." +
				"{months.-1.month|month! % ke ant mein} {months.-1.closing|short}.",
			"{months.0.month|month} के अंत में बैंक और नकद में {months.0.closing|short} होने का अनुमान है: " +
				"{months.0.receipts|short} आना है, {months.0.payments|short} देना है।" +
				"{months.-1.month|month! % के अंत में} {months.-1.closing|short}।",
		}, tell{"There is no forecast.", "Koi anumaan nahi hai.", "कोई अनुमान नहीं है।"}},
		"get_bank_accounts": {"bank_accounts", tell{
			"{total?# bank account|# bank accounts}: {@statement sum|rs} at the bank, {@book sum|rs} in the books." +
				"{bank_accounts.0.unmatched! % lines are not matched.}",
			"{total?# bank khata|# bank khate}: bank mein {@statement sum|rs}, books mein {@book sum|rs}." +
				"{bank_accounts.0.unmatched! % lines match nahi hui hain.}",
			"{total?# बैंक खाता|# बैंक खाते}: बैंक में {@statement sum|rs}, बही में {@book sum|rs}।" +
				"{bank_accounts.0.unmatched! % लाइनों का मिलान बाकी है।}",
		}, tell{"There is no bank account.", "Koi bank khata nahi hai.", "कोई बैंक खाता नहीं है।"}},
		"get_bank_reconciliation": {"bank_account", tell{
			"{bank_account} on {as_of|date}: {statement_balance|rs} at the bank, {book_balance|rs} in the books. " +
				"{unmatched_lines?# line|# lines} of the statement and {unmatched_postings?# posting|# postings} " +
				"are not matched" +
				"{difference|rs!; % is not explained}.",
			"{bank_account}, {as_of|date}: bank mein {statement_balance|rs}, books mein {book_balance|rs}. " +
				"{unmatched_lines?# line|# lines} aur {unmatched_postings?# entry|# entries} match nahi hui hain" +
				"{difference|rs!; % ka hisaab nahi milta}.",
			"{bank_account}, {as_of|date}: बैंक में {statement_balance|rs}, बही में {book_balance|rs}। " +
				"{unmatched_lines|n} लाइनों और {unmatched_postings|n} प्रविष्टियों का मिलान बाकी है" +
				"{difference|rs!; % का हिसाब नहीं मिलता}।",
		}, tell{}},
		"get_all_transactions": {"total", tell{
			"{total|n} {$status|filter}{total?bank line|bank lines}" + period +
				".{transactions.0.date|date! The newest here is of %}" +
				"{transactions.0.amount|rs!: %}{transactions.0.narration!, %.}",
			periodHinglish + "{total|n} " +
				"{$status|filter}{total?bank line|bank lines}.{transactions.0.date|date! Yahan sabse nayi % ki}" +
				"{transactions.0.amount|rs!: %}{transactions.0.narration!, %.}",
			periodHindi + "{total|n} " +
				"{$status|filter}{total?बैंक लाइन|बैंक लाइनें}।{transactions.0.date|date! यहाँ सबसे नई % की}" +
				"{transactions.0.amount|rs!: %}{transactions.0.narration!, %।}",
		}, tell{"No bank line was found.", "Koi bank line nahi mili.", "कोई बैंक लाइन नहीं मिली।"}},
		"get_transaction": {"transaction", tell{
			"The bank line of {transaction.date|date} is {transaction.amount|rs}, {transaction.narration}: " +
				"{transaction.status|inline}.",
			"{transaction.date|date} ki bank line: {transaction.amount|rs}, {transaction.narration}, " +
				"{transaction.status|inline}.",
			"{transaction.date|date} की बैंक लाइन: {transaction.amount|rs}, {transaction.narration}, " +
				"{transaction.status|inline}।",
		}, tell{}},
		"suggest_bank_matches": {"total", tell{
			"{total?# bank line is|# bank lines are} not matched; {@postings} of those shown have an entry in the " +
				"books of " +
				"the same amount.",
			"{total?# bank line match nahi hui|# bank lines match nahi hui hain}; yahan ki {@postings} ke liye " +
				"books mein utni hi rakam ki entry hai.",
			"{total|n} बैंक लाइनों का मिलान बाकी है; यहाँ की {@postings} के लिए बही में उतनी ही राशि की प्रविष्टि है।",
		}, tell{"All bank lines are matched.", "Sab bank lines match ho chuki hain.",
			"सभी बैंक लाइनों का मिलान हो चुका है।"}},
	}
}

const (
	newestPayment = "{payments.0.number! The newest here is %}{payments.0.contact!, %}{payments.0.amount|rs!, %}" +
		"{payments.0.date|date!, of %.}"
	newestPaymentHinglish = "{payments.0.number! Yahan sabse naya %}{payments.0.contact! (%)}" +
		"{payments.0.amount|rs!, %}" +
		"{payments.0.date|date!, % ka.}"
	newestPaymentHindi = "{payments.0.number! यहाँ सबसे नया %}{payments.0.contact! (%)}{payments.0.amount|rs!, %}" +
		"{payments.0.date|date!, % का।}"
)
