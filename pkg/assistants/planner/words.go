package planner

import "github.com/bellhop-ai/bellhop/pkg/vocabulary"

// Words are how people and models talk of plans of a trip.
func Words() vocabulary.Words {
	return vocabulary.Words{
		Names: []string{"planner"},
		Nouns: []vocabulary.Noun{
			{Object: "plan", Said: []string{"plan", "option", "itinerary", "trip"}},
			{Object: "share", Said: []string{"link", "share"}},
			{Object: "stay", Said: []string{"hotel", "stay", "hostel", "room"}},
		},
		Verbs: []vocabulary.Verb{
			{Tools: []string{"select"}, English: []string{"select", "choose", "take"}, Done: []string{"selected",
				"chosen"},
				Backed: []string{"select"}},
			{Tools: []string{"swap"}, English: []string{"swap", "change", "replace"}, Done: []string{"swapped",
				"replaced"},
				Backed: []string{"swap"}},
			{Tools: []string{"share"}, English: []string{"share"}, Done: []string{"shared"},
				Backed: []string{"share"}},
			{Tools: []string{"revoke"}, English: []string{"revoke", "end"}, Done: []string{"revoked"},
				Backed: []string{"revoke"}},
			{Tools: []string{"book"}, English: []string{"book", "reserve"}, Loans: []string{"book"},
				Done: []string{"booked", "reserved"}, Backed: []string{"book"}},
		},
		Confirmed: []string{"plan", "trip"},
		Authors:   "hotels, restaurants or others,",
	}
}
