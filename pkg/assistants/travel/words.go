package travel

import "github.com/bellhop-ai/bellhop/pkg/vocabulary"

// Words are how people and models talk of travelling.
func Words() vocabulary.Words {
	return vocabulary.Words{
		Names: []string{"sword"},
		Nouns: []vocabulary.Noun{
			{Object: "flight", Said: []string{"flight", "fare", "ticket", "plane", "seat"}},
			{Object: "hotel", Said: []string{"hotel", "room", "stay"}},
			{Object: "booking", Said: []string{"booking", "reservation", "ticket", "flight", "hotel", "room"}},
			{Object: "itinerary", Said: []string{"itinerary", "trip", "calendar", "plan"}},
			{Object: "decision", Said: []string{"decision"}},
			{Object: "preferences", Said: []string{"preference", "preferences"}},
		},
		Verbs: []vocabulary.Verb{
			{Tools: []string{"book"}, English: []string{"book", "buy"}, Loans: []string{"book", "बुक"},
				Done: []string{"booked", "bought", "ticketed"}, Backed: []string{"book", "pay"}},
			{Tools: []string{"hold"}, English: []string{"hold", "reserve"}, Loans: []string{"hold"},
				Done: []string{"held", "on hold", "reserved"}, Backed: []string{"hold", "book"}},
			{Tools: []string{"pay"}, English: []string{"pay"}, Done: []string{"paid"}, Backed: []string{"pay",
				"book"}},
			{Tools: []string{"cancel"}, English: []string{"cancel"}, Loans: []string{"cancel", "कैंसल"},
				Done: []string{"cancelled", "canceled"}, Backed: []string{"cancel"}},
			{Tools: []string{"block"}, English: []string{"block"}, Done: []string{"blocked"},
				Backed: []string{"block"}},
			{Tools: []string{"remember"}, English: []string{"remember"}, Done: []string{"remembered"},
				Backed: []string{"remember", "update"}},
		},
		Confirmed: []string{"booking", "flight", "hotel", "reservation", "ticket"},
		Authors:   "airlines, hotels or others,",
	}
}
