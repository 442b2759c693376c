package places_test

import (
	"os"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/bellhop-ai/bellhop/pkg/travel/places"
)

// Sentences name the places that testdata/sentences.txt says, and ordinary words are
// none.
func TestSentences(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("testdata/sentences.txt")
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		n++
		sentence, want, _ := strings.Cut(line, " =")
		var got []string
		for _, m := range places.Find(sentence) {
			p := m.Candidates[0]
			code := p.Code
			if code == "" {
				code = p.Name
			}
			got = append(got, sentence[m.Start:m.End]+" "+code)
		}
		if found := strings.Join(got, ", "); found != strings.TrimSpace(want) {
			t.Errorf("%s: %q, want %q", sentence, found, strings.TrimSpace(want))
		}
	}
	if n < 40 {
		t.Errorf("%d sentences are tried", n)
	}
}

// Codes that are words are not found in small letters, whatever stands before them.
func TestWordsAreNoCodes(t *testing.T) {
	t.Parallel()
	for _, word := range []string{"the", "and", "may", "for", "sun", "are", "you", "but", "can", "her", "has"} {
		for _, sentence := range []string{word, "from " + word + " to that", "go to " + word, "in " + word +
			" there"} {
			if got := places.Find(sentence); len(got) > 0 {
				t.Errorf("%s: %+v", sentence, got)
			}
		}
	}
	// A place is found after them all the same.
	if got := places.Find("the best for me and you may be Rome"); len(got) != 1 || got[0].Candidates[0].Code != "ROM" {
		t.Errorf("%+v", got)
	}
}

// Of any text what is found lies in it, in order, and Lookup returns what it may.
func FuzzFind(f *testing.F) {
	for _, text := range []string{"", "from Mumbai to New York", "\xff\xfe to Paris", "a (LON", "(LHR)",
		"Portland, ,,", "'s",
		"从孟买到纽约", "İstanbul’dan", "St. St. St.", strings.Repeat("to nice ", 900), "मुंबई\u200dसे", "x, y (BOM) z"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		last := 0
		for _, m := range places.Find(text) {
			if m.Start < last || m.End <= m.Start || m.End > len(text) || len(m.Candidates) == 0 {
				t.Fatalf("%q: %d to %d after %d, %d candidates", text, m.Start, m.End, last, len(m.Candidates))
			}
			if utf8.ValidString(text) && !utf8.ValidString(text[m.Start:m.End]) {
				t.Fatalf("%q: a letter is cut at %d or %d", text, m.Start, m.End)
			}
			last = m.End
		}
		for _, p := range places.Lookup(text) {
			if p.Name == "" || p.Zone == "" || p.Label() == "" {
				t.Fatalf("%q: %+v", text, p)
			}
		}
	})
}

func BenchmarkLookup(b *testing.B) {
	places.Lookup("London")
	for _, name := range []string{"BOM", "Mumbai", "मुंबई", "Portland, Maine", "Barcelna", "Tiruvananthapuram",
		"asdfghjkl"} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				places.Lookup(name)
			}
		})
	}
}

func BenchmarkFind(b *testing.B) {
	places.Lookup("London")
	b.ReportAllocs()
	for b.Loop() {
		places.Find("a family of three from Mumbai to New York next Friday evening, back Sunday")
	}
}

func BenchmarkNearest(b *testing.B) {
	places.Lookup("London")
	b.ReportAllocs()
	for b.Loop() {
		places.Nearest(47.56, 13.65, 5)
	}
}
