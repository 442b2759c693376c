package hospitality

import "github.com/bellhop-ai/bellhop/pkg/vocabulary"

// Words returns how a hotel talks of what it does.
func Words() vocabulary.Words {
	return vocabulary.Words{
		Names: []string{"bernard", "mr bernard", "बर्नार्ड"},
		Nouns: []vocabulary.Noun{
			{Object: "reservation", Said: []string{"booking", "stay", "cabin", "room"}},
			{Object: "room type", Said: []string{"cabin", "room"}},
		},
		Verbs: []vocabulary.Verb{
			{
				Tools:   []string{"create_reservation", "create_group_reservation", "create_package_reservation"},
				English: []string{"book", "reserve"}, Loans: []string{"बुक"},
				Done: []string{"booked", "reserved"}, Backed: []string{"create", "add", "update", "edit", "set"},
			},
			{
				Tools: []string{"block"}, English: []string{"block"}, Loans: []string{"ब्लॉक"},
				Done: []string{"blocked"}, Backed: []string{"block"},
			},
			{
				Tools: []string{"unblock"}, English: []string{"unblock"},
				Done: []string{"unblocked"}, Backed: []string{"unblock", "delete", "remove"},
			},
			{Done: []string{"deleted", "removed"}, Backed: []string{"unblock"}},
			{Done: []string{"rescheduled"}, Backed: []string{"update", "edit", "set", "toggle", "cancel"}},
			{Done: []string{"refunded"}, Backed: []string{"update", "cancel"}},
		},
		Confirmed: []string{"booking", "reservation", "order"},
		Authors:   "guests or others",
	}
}
