package intent_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/intent"
)

// large returns 150 intents of 100 phrases each, made of words that intents share
// and words of their own, with sentences to ask.
func large() (intent.Set, []string) {
	rng := rand.New(rand.NewPCG(7, 8))
	word := func(n int) string {
		const consonants, vowels = "bdfgklmnprstvz", "aeiou"
		var b strings.Builder
		for n++; n > 0; n /= 70 {
			b.WriteByte(consonants[n%14])
			b.WriteByte(vowels[n/14%5])
		}
		return b.String() + "n"
	}
	phrase := func(class int) string {
		var out []string
		for range 4 + rng.IntN(9) {
			switch n := rng.IntN(10); {
			case n < 4:
				out = append(out, word(int(float64(40)*rng.ExpFloat64()))) // words of everybody
			case n < 8:
				out = append(out, word(400+class*12+rng.IntN(12)))
			default:
				out = append(out, word(3000+rng.IntN(4000)))
			}
		}
		return strings.Join(out, " ")
	}
	var set intent.Set
	var asked []string
	for c := range 150 {
		in := intent.Intent{Name: fmt.Sprintf("intent_%d", c)}
		for range 100 {
			in.Phrases = append(in.Phrases, phrase(c))
		}
		set.Intents = append(set.Intents, in)
		asked = append(asked, phrase(c), phrase(c))
	}
	return set, asked
}

// BenchmarkTrain trains 15,000 phrases, and BenchmarkLarge measures the model.
//
//	go test -run=^$ -bench=. -benchmem ./pkg/intent
func BenchmarkTrain(b *testing.B) {
	set, _ := large()
	for b.Loop() {
		if _, err := intent.Train(set, intent.DefaultGoal()); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkLarge(b *testing.B) {
	set, asked := large()
	m, err := intent.Train(set, intent.DefaultGoal())
	if err != nil {
		b.Fatal(err)
	}
	artefact := m.Encode()
	b.Run("match", func(b *testing.B) {
		b.ReportAllocs()
		var took []time.Duration
		for i := 0; b.Loop(); i++ {
			from := time.Now()
			m.Match(asked[i%len(asked)])
			took = append(took, time.Since(from))
		}
		slices.Sort(took)
		b.ReportMetric(float64(took[len(took)*99/100].Nanoseconds()), "p99-ns")
	})
	b.Run("decode", func(b *testing.B) {
		for b.Loop() {
			if _, err := intent.Decode(artefact); err != nil {
				b.Fatal(err)
			}
		}
		b.ReportMetric(float64(len(artefact)), "bytes")
	})
	b.Run("add", func(b *testing.B) {
		for b.Loop() {
			if _, err := m.Add("intent_7", "one more phrase for this intent"); err != nil {
				b.Fatal(err)
			}
		}
	})
}
