package intent_test

import (
	"math/rand/v2"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/intent"
)

// Texts of any letters are answered: with figures from 0 to 1, entities within the
// text, and the same answer each time.
func TestTextsOfAnyLettersAreAnswered(t *testing.T) {
	m := model(t)
	rng := rand.New(rand.NewPCG(11, 12))
	today := calendar.Date{Year: 2026, Month: time.February, Day: 28}
	pieces := []string{"show", "my", "expenses", "खर्चा", "दिखाओ", "₹2,50,000", "$", "12/05/26", "kal", "FY 2025-26",
		"K7QMPX",
		"\u200d", "\u0301", "é", "ß", "🙂", "шоу", "\xff", "-", "--", "1.2.3.4", "q4", "''", "a'b", "dhai lakh", "٣",
		"क्ष",
		"31 Feb", "99999999999999999999 crore", "Z", ".", "\x00"}
	for range 3000 {
		var b strings.Builder
		for range rng.IntN(12) {
			if rng.IntN(4) == 0 {
				b.WriteRune(rune(rng.IntN(utf8.MaxRune)))
			} else {
				b.WriteString(pieces[rng.IntN(len(pieces))])
			}
			if rng.IntN(3) > 0 {
				b.WriteByte(' ')
			}
		}
		said := b.String()
		r := m.Match(said)
		if r != m.Match(said) || r.Confidence < 0 || r.Confidence > 1 || r.Accepted && r.Intent < 0 ||
			r.Nearest < 0 || r.Nearest > 1.001 || r.Votes < 0 || r.Votes > 1.001 || r.Literal > 0.95 {
			t.Fatalf("%q is %+v", said, r)
		}
		for _, e := range intent.Entities(said, today) {
			if e.From < 0 || e.To > len(said) || e.From >= e.To || said[e.From:e.To] != e.Text {
				t.Fatalf("%q has %+v", said, e)
			}
		}
	}
}
