package intent_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/intent"
)

// Domain rules 3: amounts and dates as people in India write them.
func TestEntities(t *testing.T) {
	today := calendar.Date{Year: 2026, Month: time.November, Day: 22} // a Sunday
	for said, want := range map[string]string{
		"2.5 lakh bhejo":                   "amount 250000",
		"pay 2,50,000 now":                 "amount 250000",
		"₹2.5L received":                   "amount 250000",
		"25 hazaar":                        "amount 25000",
		"dedh lakh":                        "amount 150000",
		"dhai crore ka order":              "amount 25000000",
		"sawa do lakh":                     "amount 225000",
		"paune teen lakh":                  "amount 275000",
		"saadhe teen lakh":                 "amount 350000",
		"साढ़े तीन लाख":                    "amount 350000",
		"2 lakh 50 hazaar ka kharcha":      "amount 250000",
		"ek lakh pachaas hazaar bhejo":     "amount 150000",
		"do hazaar paanch sau rupaye mile": "amount 2500",
		"paanch sau":                       "amount 500",
		"dhai hazaar":                      "amount 2500",
		"बीस हज़ार":                        "amount 20000",
		"5 lakh 2 lakh":                    "amount 500000; amount 200000",
		"5 lakh ₹500":                      "amount 500000; amount 500",
		"saath mein 3 log":                 "",
		"₹१,००० दो":                        "amount 1000",
		"500 rupees":                       "amount 500",
		"three rooms, 5 guests":            "",
		"15/01/2026":                       "date 2026-01-15..2026-01-16",
		"on 2026-02-28":                    "date 2026-02-28..2026-03-01",
		"31/02/2026":                       "",
		"3rd December":                     "date 2026-12-03..2026-12-04",
		"January 5":                        "date 2027-01-05..2027-01-06",
		"revenue of March 2026":            "date 2026-03-01..2026-04-01",
		"FY 2025-26":                       "date 2025-04-01..2026-04-01",
		"report for 2025-26":               "date 2025-04-01..2026-04-01",
		"FY26":                             "date 2025-04-01..2026-04-01",
		"Q1 FY 2025-26":                    "date 2025-04-01..2025-07-01",
		"Q4 of FY26":                       "date 2026-01-01..2026-04-01",
		"last financial year":              "date 2025-04-01..2026-04-01",
		"this month":                       "date 2026-11-01..2026-12-01",
		"pichhle mahine ka":                "date 2026-10-01..2026-11-01",
		"last week":                        "date 2026-11-09..2026-11-16",
		"tomorrow":                         "date 2026-11-23..2026-11-24",
		"kal kitni bikri hui":              "date 2026-11-21..2026-11-22",
		"kal aayenge":                      "date 2026-11-23..2026-11-24",
		"kal":                              "date 2026-11-23..2026-11-24 or 2026-11-21..2026-11-22",
		"parso kya tha":                    "date 2026-11-20..2026-11-21",
		"कल कितनी बिक्री हुई": "date 2026-11-21..2026-11-22",
		"kalam ka kamra":                  "",
		"next friday":                     "date 2026-11-27..2026-11-28",
		"cancel K7QMPX":                   "code K7QMPX",
		"GSTIN 32AADCK5978M1Z0":           "document 32AADCK5978M1Z0",
		"PAN ABCPK1234L of the firm":      "document ABCPK1234L",
		"send INV-2026/017":               "document INV-2026/017",
		"book for Meera Nair":             "name for Meera Nair",
		"write to meera@example.org":      "email meera@example.org",
		"K7QMPX on 3 December, 2,500 INR": "code K7QMPX; date 2026-12-03..2026-12-04; amount 2500",
		"may I ask":                       "",
		"":                                "",
	} {
		var got []string
		for _, e := range intent.Entities(said, today) {
			text := e.Text
			switch e.Kind {
			case intent.DateEntity:
				text = fmt.Sprintf("%s..%s", e.Days.From, e.Days.To)
				if e.Or.Days() > 0 {
					text += fmt.Sprintf(" or %s..%s", e.Or.From, e.Or.To)
				}
			case intent.AmountEntity:
				text = e.Amount.Round(0).String()
			}
			got = append(got, string(e.Kind)+" "+text)
			if said[e.From:e.To] != e.Text {
				t.Errorf("%q: the place of %q is wrong", said, e.Text)
			}
		}
		if all := strings.Join(got, "; "); all != want {
			t.Errorf("%q has %q, want %q", said, all, want)
		}
	}
}
