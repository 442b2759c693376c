package followup_test

import (
	"testing"

	"github.com/bellhop-ai/bellhop/pkg/finance/followup"
)

// S2-37, S2-38: what refers to the message before, in three languages, and what only
// looks like it.
func TestFollowUpsAreAClosedSet(t *testing.T) {
	t.Parallel()
	tests := map[string]followup.FollowUp{
		"show more":                      {Kind: followup.More},
		"Next page, please":              {Kind: followup.More},
		"aur dikhao":                     {Kind: followup.More},
		"Aur dikhaao!":                   {Kind: followup.More},
		"और दिखाओ।":                      {Kind: followup.More},
		"send it":                        {Kind: followup.Send},
		"Please send it to ca@acme.in":   {Kind: followup.Send, Rest: "ca@acme.in"},
		"bhej do":                        {Kind: followup.Send},
		"ise bhej do ji":                 {Kind: followup.Send},
		"इसे भेज दो":                     {Kind: followup.Send},
		"do the same for Konkan Stores":  {Kind: followup.Same, Rest: "Konkan Stores"},
		"same for \"Mandovi Hotels\"":    {Kind: followup.Same, Rest: "Mandovi Hotels"},
		"Konkan Stores ke liye bhi":      {Kind: followup.Same, Rest: "Konkan Stores"},
		"wahi Konkan Stores ke liye bhi": {Kind: followup.Same, Rest: "Konkan Stores"},
		"filter by Mandovi":              {Kind: followup.Filter, Rest: "Mandovi"},
		"only overdue":                   {Kind: followup.Filter, Rest: "overdue"},
		"sirf October wale dikhao":       {Kind: followup.Filter, Rest: "October"},
		"aur pichle saal?":               {Kind: followup.Filter, Rest: "pichle saal"},
		"and last month?":                {Kind: followup.Filter, Rest: "last month"},
		"mat bhejo":                      {},
		"abhi mat bhejo":                 {},
		"don't send it":                  {},
		"kahaan bhejoge?":                {},
		"send an invoice to Acme":        {},
		"how much more is due?":          {},
		"aur kitna baaki hai":            {},
		"who is the next customer":       {},
		"":                               {},
	}
	for text, want := range tests {
		if got := followup.Of(text); got != want {
			t.Errorf("%q is %+v, want %+v", text, got, want)
		}
	}
}
