package agent

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/llm"
)

// sources of the cases: what the person said, what a tool answered, and what an
// earlier verified answer had.
var (
	factsSaid = "What would Coco cost from 12 to 15 January for 4 people? I have 2.5 lakh, and Meera comes on 3 " +
		"March 2027."
	factsResult = `Found 3. {"quotes":[{"room":"COCO","code":"SC-0042","check_in":"2027-01-12",` +
		`"check_out":"2027-01-15","nights":3,"guests":4,"weekday_price":"1250.00","extra_guests":"300.00",` +
		`"total":"4650.00","gst_percent":18},{"room":"MOSS","code":"SC-0057","weekday_price":"999.50",` +
		`"total":"2998.50"},{"room":"FERN","weekday_price":"80.00"}]}`
	factsEarlier = "The deposit is ₹1,474.20, by 20-Feb-2027."
)

func answering(text string) (string, []string) {
	l := &loop{texts: []string{text}, yield: func(Event, error) bool { return true }}
	l.Now = func() time.Time { return time.Date(2026, 11, 22, 9, 0, 0, 0, time.UTC) }
	l.messages = []llm.Message{{Role: llm.System, Text: "Check-in is at 14:00. A late check-out costs ₹500."},
		{Role: llm.Assistant, Text: "Moss is ₹77,777 and the code is FAKE99."},
		{Role: llm.User, Text: factsSaid}, {Role: llm.ToolRole, Text: factsResult}}
	l.Heard = func() []string { return []string{factsEarlier} }
	if err := l.checkFacts(); err != nil {
		return err.Error(), nil
	}
	return l.reply.String(), l.out.Degraded
}

// S0-62: what an answer states is compared with the results, the person's words
// and what can be computed from them.
func TestStatedFactsHaveASource(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"Coco costs ₹4,650 for the three nights.",
		"Coco is 1250 per night, ₹1,250.00 on weekdays.",
		"Coco (SC-0042) is free from 12 January to 15 January 2027, so you leave on the 15th.",
		"You would stay on 13-Jan-2027, too.",
		"That is Rs. 3,750 for the room and Rs 900 for the guests.", // 3 × 1250, 3 × 300
		"Coco is ₹1,651.50 dearer than Moss.",                       // 4650 − 2998.50
		"All together they cost ₹7,648.50.",                         // 4650 + 2998.50
		"With 18 % GST it is INR 5,487.00.",                         // 4650 × 1.18
		"Each of you pays ₹1,162.50.",                               // 4650 ÷ 4
		// rounded, and 2.5 lakh
		"It is about ₹4,700, within your ₹2,50,000.",
		"Your 2.5 lakh is enough, Meera comes on March 3rd.", //
		// earlier, and the house's
		"The deposit of ₹1,474.20 is due on 20 February 2027, and a late check-out is ₹500.",
		"Today is 22 November 2026, and the weekend is 28 November.",                            // near today
		"Prices may change, for example to ₹9,999 at Christmas.",                                // an example
		"Shall I book it from 5 August for ₹8,000?",                                             // a question
		"If you stay until 5 August I can ask.",                                                 //
		"Check-in is at 14:00 (GST18, WIFI, COVID-19, 24x7), room 101, 4 guests, 30 % off, A4.", // nothing of the kind
		"Room COCO and MOSS are yours, PLEASE call.",
	} {
		if reply, degraded := answering(text); reply != "" || degraded != nil {
			t.Errorf("%q: %q, %q", text, reply, degraded)
		}
	}
	for text, missing := range map[string]string{
		"Coco costs ₹4,560 for the three nights.":                       "₹4,560",
		"Moss is ₹77,777, as I said.":                                   "₹77,777",
		"It is 1,375 per night.":                                        "1,375 per night",
		"You owe 12345 rupees.":                                         "12345 rupees",
		"It comes to 3.5 lakh rupees.":                                  "3.5 lakh rupees",
		"Coco is free from 17 June 2027.":                               "17 June 2027",
		"It is booked until Aug 9th.":                                   "Aug 9th",
		"The season begins on 2027-05-01.":                              "2027-05-01",
		"Your booking is SC-0099.":                                      "SC-0099",
		"Use the coupon WELCOME for less.":                              "WELCOME",
		"The code is FAKE99.":                                           "FAKE99",
		"COCO is ₹4,650. The key is at ₹6,111, on 9 May, ref. SC-1234.": "₹6,111, 9 May, SC-1234",
		"Is that all? It was ₹8,123.":                                   "₹8,123",
		"₹1,111 ₹2,222 ₹3,333 ₹5,551 ₹6,661 ₹7,771 ₹8,881 each thing is": "₹1,111, ₹2,222, ₹3,333, ₹5,551, ₹6,661, " +
			"₹7,771, ₹8,881.",
	} {
		reply, degraded := answering(text)
		if !strings.Contains(reply, "shows "+missing) || !slices.Equal(degraded, []string{"unsupported_facts"}) {
			t.Errorf("%q: %q, %q", text, reply, degraded)
		}
	}
}

// Amounts are known by their form, whatever an assistant's trade calls them; counts
// and percentages are none.
func TestAmountsAreKnownByTheirForm(t *testing.T) {
	t.Parallel()
	f := newFigures([]string{`{"premium":"8123.00","fare":941.50,"weekday":"1250.00","price":6000,"nights":731,` +
		`"occupancyPercent":48.39,"seats":7777,"latitude":51.5071}`}, nil)
	for amount, known := range map[cents]bool{812300: true, 94150: true, 125000: true, 600000: true, 73100: false,
		4839: false, 777700: false, 5150: false} {
		if slices.Contains(f.money, amount) != known {
			t.Errorf("an amount of %d: %t, of %v", amount, !known, f.money)
		}
	}
}

// BenchmarkFacts is what an answer with a price, a date and a code pays, beside a
// long result.
func BenchmarkFacts(b *testing.B) {
	for name, text := range map[string]string{
		"found":   "Coco (SC-0042) costs ₹4,650 for three nights from 2027-01-12.",
		"missing": "Coco (SC-0099) costs ₹4,561 for three nights from 2027-06-12.",
	} {
		b.Run(name, func(b *testing.B) {
			result := strings.Repeat(factsResult, 40)
			for b.Loop() {
				l := &loop{texts: []string{text}, yield: func(Event, error) bool { return true }}
				l.Now = time.Now
				l.messages = []llm.Message{{Role: llm.ToolRole, Text: result}}
				if err := l.checkFacts(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
