package finance

import "github.com/bellhop-ai/bellhop/pkg/vocabulary"

// Words are how people and models talk of a company's books.
func Words() vocabulary.Words {
	return vocabulary.Words{
		Nouns: []vocabulary.Noun{
			{Object: "invoice", Said: []string{"invoice", "sales bill", "बिल", "इनवॉइस"}},
			{Object: "bill", Said: []string{"bill", "purchase bill"}},
			{Object: "payment", Said: []string{"payment", "receipt", "bhugtan", "भुगतान"}},
			{Object: "customer", Said: []string{"customer", "client", "buyer", "grahak", "ग्राहक"}},
			{Object: "vendor", Said: []string{"vendor", "supplier"}},
			{Object: "expense", Said: []string{"expense", "kharcha", "खर्चा"}},
			{Object: "journal entry", Said: []string{"journal entry", "entry"}},
			{Object: "payment reminders", Said: []string{"reminder", "reminders"}},
		},
		Verbs: []vocabulary.Verb{
			{Tools: []string{"create_invoice"}, English: []string{"invoice", "raise", "issue"},
				Done: []string{"invoiced", "raised", "issued"}, Backed: []string{"create", "generate"}},
			{Tools: []string{"create_payment", "create_expense", "create_journal_entry"},
				English: []string{"record", "book", "enter", "post"}, Loans: []string{"एंट्री", "दर्ज"},
				Done:   []string{"recorded", "booked", "entered", "posted"},
				Backed: []string{"create", "import", "apply", "match", "update", "adjust"}},
			{Tools: []string{"void"}, English: []string{"void"}, Done: []string{"voided"}, Backed: []string{"void"}},
			{Tools: []string{"file"}, English: []string{"file"}, Done: []string{"filed"}, Backed: []string{"file"}},
			{Tools: []string{"reconcile", "match"}, English: []string{"reconcile", "match"},
				Done: []string{"reconciled", "matched"}, Backed: []string{"reconcile", "match", "import"}},
			{Tools: []string{"send_payment_reminders", "email"}, English: []string{"remind"},
				Done:   []string{"reminded"},
				Backed: []string{"send", "email"}},
		},
		Confirmed: []string{"invoice", "payment"},
		Authors:   "customers, vendors or others",
	}
}
