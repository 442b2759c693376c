package views

func bookSayings() map[string]spoken {
	return map[string]spoken{
		"get_profit_loss": {"totals.net_profit>0", tell{
			"Net profit {from|date} to {to|date}: {totals.net_profit|short}, from revenue of " +
				"{totals.revenue|short}. " +
				"Gross profit is {totals.gross_profit|short}, other expenses are {totals.expenses|short}.",
			"{from|date} se {to|date} tak net profit {totals.net_profit|short}, revenue {totals.revenue|short}. " +
				"Gross profit {totals.gross_profit|short}, baaki kharche {totals.expenses|short}.",
			"{from|date} से {to|date} तक शुद्ध लाभ {totals.net_profit|short}, बिक्री {totals.revenue|short}। " +
				"सकल लाभ {totals.gross_profit|short}, अन्य खर्च {totals.expenses|short}।",
		}, tell{
			"Net loss {from|date} to {to|date}: {~totals.net_profit|short}, with revenue of {totals.revenue|short}. " +
				"Gross profit is {totals.gross_profit|short}, other expenses are {totals.expenses|short}.",
			"{from|date} se {to|date} tak net loss {~totals.net_profit|short}, revenue {totals.revenue|short}. " +
				"Gross profit {totals.gross_profit|short}, baaki kharche {totals.expenses|short}.",
			"{from|date} से {to|date} तक शुद्ध हानि {~totals.net_profit|short}, बिक्री {totals.revenue|short}। " +
				"सकल लाभ {totals.gross_profit|short}, अन्य खर्च {totals.expenses|short}।",
		}},
		"get_balance_sheet": {"", tell{
			"On {as_of|date} the assets are {totals.assets|short}, the liabilities {totals.liabilities|short} and " +
				"the equity " +
				"{totals.equity|short}.",
			"{as_of|date} ko assets {totals.assets|short}, liabilities {totals.liabilities|short} aur equity " +
				"{totals.equity|short} hai.",
			"{as_of|date} को संपत्ति {totals.assets|short}, देनदारियाँ {totals.liabilities|short} और पूँजी " +
				"{totals.equity|short} है।",
		}, tell{}},
		"get_cash_flow_statement": {"totals.net>0", tell{
			"Cash grew by {totals.net|short} from {from|date} to {to|date}, to {totals.closing|rs}. " + cashBy,
			"{from|date} se {to|date} tak cash {totals.net|short} badha, ab {totals.closing|rs}. " + cashByHinglish,
			"{from|date} से {to|date} तक नकदी {totals.net|short} बढ़ी, अब {totals.closing|rs}। " + cashByHindi,
		}, tell{
			"Cash fell by {~totals.net|short} from {from|date} to {to|date}, to {totals.closing|rs}. " + cashBy,
			"{from|date} se {to|date} tak cash {~totals.net|short} ghata, ab {totals.closing|rs}. " + cashByHinglish,
			"{from|date} से {to|date} तक नकदी {~totals.net|short} घटी, अब {totals.closing|rs}। " + cashByHindi,
		}},
		"get_trial_balance": {"", tell{
			"The trial balance of {from|date} to {to|date} has {#accounts?# account|# accounts}: debits " +
				"{totals.debit|rs}, " +
				"credits {totals.credit|rs}.",
			"{from|date} se {to|date} ka trial balance, {#accounts} khate: debit {totals.debit|rs}, credit " +
				"{totals.credit|rs}.",
			"{from|date} से {to|date} का तलपट, {#accounts} खाते: डेबिट {totals.debit|rs}, क्रेडिट {totals.credit|rs}।",
		}, tell{}},
		"get_charts_of_accounts": {"total", tell{
			"{total?# account|# accounts}.", "{total?# khata|# khate}.", "{total?# खाता|# खाते}।",
		}, tell{"No account was found.", "Koi khata nahi mila.", "कोई खाता नहीं मिला।"}},
		"get_account_ledger": {"account", tell{
			"{account.name} stands at {account.closing|rs} on {account.to|date}, after {account.opening|rs} before " +
				"{account.from|date}. {total?# entry|# entries}.",
			"{account.name}: {account.to|date} ko {account.closing|rs}, {account.from|date} se pehle " +
				"{account.opening|rs}. " +
				"{total?# entry|# entries}.",
			"{account.name}: {account.to|date} को {account.closing|rs}, {account.from|date} से पहले " +
				"{account.opening|rs}। " +
				"{total?# प्रविष्टि|# प्रविष्टियाँ}।",
		}, tell{}},
		"get_journal_entries": {"total", tell{
			"{total?# journal entry|# journal entries}{$account! on %}." +
				"{journal_entries.0.number! The newest here is %}" +
				"{journal_entries.0.amount|rs!, %}{journal_entries.0.date|date!, of %.}",
			"{total?# journal entry|# journal entries}.{journal_entries.0.number! Yahan sabse nayi %}" +
				"{journal_entries.0.amount|rs!, %}" +
				"{journal_entries.0.date|date!, % ki.}",
			"{total?# जर्नल प्रविष्टि|# जर्नल प्रविष्टियाँ}।{journal_entries.0.number! यहाँ सबसे नई %}" +
				"{journal_entries.0.amount|rs!, %}" +
				"{journal_entries.0.date|date!, % की।}",
		}, tell{"No journal entry was found.", "Koi journal entry nahi mili.", "कोई जर्नल प्रविष्टि नहीं मिली।"}},
		"get_journal_entry": {"journal_entry", tell{
			"Journal entry {journal_entry.number} of {journal_entry.date|date}: {journal_entry.narration}, " +
				"{#journal_entry.lines?# line|# lines}.",
			"Journal entry {journal_entry.number}, {journal_entry.date|date}: {journal_entry.narration}, " +
				"{#journal_entry.lines?# line|# lines}.",
			"जर्नल प्रविष्टि {journal_entry.number}, {journal_entry.date|date}: {journal_entry.narration}, " +
				"{#journal_entry.lines?# लाइन|# लाइनें}।",
		}, tell{}},
		"get_day_book": {"entries", tell{
			"{#entries?# entry|# entries} on {date|date}, {debits|rs} in all.",
			"{date|date} ko {#entries?# entry|# entries}, kul {debits|rs}.",
			"{date|date} को {#entries?# प्रविष्टि|# प्रविष्टियाँ}, कुल {debits|rs}।",
		}, tell{"There is no entry on {date|date}.", "{date|date} ko koi entry nahi hai.",
			"{date|date} को कोई प्रविष्टि नहीं है।"}},
		"get_company": {"company", tell{
			"These are the books of {company.name}{company.state!, %}{company.gstin!, GSTIN %}.",
			"Yeh {company.name} ki books hain{company.state!, %}{company.gstin!, GSTIN %}.",
			"ये {company.name} की बही हैं{company.state!, %}{company.gstin!, GSTIN %}।",
		}, tell{}},
		"find_by_reference": {"found", tell{
			"That was recorded{number! as %}.", "Woh darj ho gaya tha{number!: %}.", "वह दर्ज हो गया था{number!: %}।",
		}, tell{"Nothing was recorded for that.", "Uske liye kuch darj nahi hua.", "उसके लिए कुछ दर्ज नहीं हुआ।"}},
	}
}

const (
	cashBy = "Operating {totals.operating|short}, investing {totals.investing|short}, financing " +
		"{totals.financing|short}."

	cashByHinglish = "Operating {totals.operating|short}, investing {totals.investing|short}, financing " +
		"{totals.financing|short}."
	cashByHindi = "परिचालन {totals.operating|short}, निवेश {totals.investing|short}, वित्तीय {totals.financing|short}।"
)
