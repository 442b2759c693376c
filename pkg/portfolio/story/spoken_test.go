package story_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/bellhop-ai/bellhop/pkg/portfolio/privacy"
	"github.com/bellhop-ai/bellhop/pkg/portfolio/projects"
	"github.com/bellhop-ai/bellhop/pkg/portfolio/story"
)

// score counts what was found of a field: found and right, found and wrong, and missed.
type score struct{ right, wrong, missed int }

func (s score) precision() float64 { return ratio(s.right, s.right+s.wrong) }
func (s score) recall() float64    { return ratio(s.right, s.right+s.missed) }

func ratio(a, b int) float64 {
	if b == 0 {
		return 1
	}
	return float64(a) / float64(b)
}

// floors are a precision and a recall.
type floors struct{ precision, recall float64 }

// Spoken minutes become fields that are right: what is wrong costs more than what is
// missed, so that precision is held higher than recall. The rules were made by the first
// file, and mended by the next two after their first reading; at the errors in the last
// one nobody looked, but it was written before the word lists, by the same person. At their
// first reading values had a precision and a recall of 0.81
// and 0.79 in the second file and 0.83 and 0.69 in the third, words of the story 0.82 and
// 0.61, and 0.78 and 0.68: that is what new speakers are to be expected to get.
func TestReadsSpokenMinutes(t *testing.T) {
	t.Parallel()
	for _, set := range []struct {
		file          string
		values, texts floors
	}{
		{"spoken_dev.txt", floors{0.97, 0.95}, floors{0.94, 0.93}},
		{"spoken_more.txt", floors{0.95, 0.9}, floors{0.92, 0.84}},
		{"spoken_fresh.txt", floors{0.93, 0.82}, floors{0.81, 0.76}},
		{"spoken_held.txt", floors{0.91, 0.86}, floors{0.92, 0.92}},
	} {
		t.Run(set.file, func(t *testing.T) {
			scores := map[string]*score{}
			for _, one := range readSpoken(t, "testdata/"+set.file) {
				one.judge(t, scores, set.file != "spoken_held.txt" && testing.Verbose())
			}
			var all score
			for _, f := range fieldNames() {
				s := scores[f]
				if s == nil {
					continue
				}
				t.Logf("%-10s precision %.3f recall %.3f (%d right, %d wrong, %d missed)", f, s.precision(),
					s.recall(),
					s.right, s.wrong, s.missed)
				if slices.Contains([]string{"problem", "challenge", "solution", "result", "detail"}, f) {
					continue
				}
				all.right, all.wrong, all.missed = all.right+s.right, all.wrong+s.wrong, all.missed+s.missed
			}
			var texts score
			for _, f := range []string{"problem", "challenge", "solution", "result", "detail"} {
				s := scores[f]
				texts.right, texts.wrong, texts.missed = texts.right+s.right, texts.wrong+s.wrong,
					texts.missed+s.missed
			}
			t.Logf("values: precision %.3f recall %.3f; words of the story: precision %.3f recall %.3f",
				all.precision(), all.recall(), texts.precision(), texts.recall())
			for name, s := range map[string]struct {
				got  score
				want floors
			}{"values": {all, set.values}, "texts": {texts, set.texts}} {
				if s.got.precision() < s.want.precision || s.got.recall() < s.want.recall {
					t.Errorf("%s: precision %.3f and recall %.3f, want %.2f and %.2f", name, s.got.precision(),
						s.got.recall(), s.want.precision, s.want.recall)
				}
			}
		})
	}
}

func fieldNames() []string {
	return []string{"type", "city", "district", "street", "materials", "techniques", "duration", "completed", "size",
		"problem", "challenge", "solution", "result", "detail"}
}

// spoken is a spoken minute with what it says.
type spoken struct {
	name   string
	want   map[string][]string // by field; alternatives are parted by "|" or "/"
	text   string
	words  []string
	labels []string // of each word: the letters of the fields that it may be in
}

func readSpoken(t *testing.T, path string) []spoken {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var out []spoken
	for _, part := range strings.Split(string(content), "\n== ")[1:] {
		name, rest, _ := strings.Cut(part, "\n")
		head, text, ok := strings.Cut(rest, "\n--\n")
		if !ok {
			t.Fatalf("%s has no text", name)
		}
		s := spoken{name: name, want: map[string][]string{}}
		for line := range strings.SplitSeq(head, "\n") {
			field, values, _ := strings.Cut(line, ":")
			for v := range strings.SplitSeq(values, ";") {
				if v = strings.TrimSpace(v); v != "" {
					s.want[field] = append(s.want[field], v)
				}
			}
		}
		var b strings.Builder
		for i, piece := range strings.Split(strings.TrimSpace(text), "{") {
			label, inner := "", piece
			if i > 0 {
				var after string
				label, after, _ = strings.Cut(piece, "|")
				inner, after, _ = strings.Cut(after, "}")
				s.add(&b, inner, label)
				inner, label = after, ""
			}
			s.add(&b, inner, label)
		}
		s.text = b.String()
		out = append(out, s)
	}
	return out
}

func (s *spoken) add(b *strings.Builder, text, label string) {
	b.WriteString(text)
	for _, w := range plainWords(text) {
		s.words, s.labels = append(s.words, w), append(s.labels, label)
	}
}

// plainWords are the words of a text without noises.
func plainWords(text string) []string {
	words := strings.FieldsFunc(strings.ToLower(text),
		func(r rune) bool { return strings.ContainsRune(" .,!?;:\n\"()", r) })
	return slices.DeleteFunc(words, func(w string) bool { return slices.Contains([]string{"uh", "um"}, w) })
}

// same reports whether a found value is the wanted one, of which alternatives are
// parted by "/" and "|".
func same(found, want string) bool {
	for _, w := range strings.FieldsFunc(strings.TrimPrefix(want, "?"), func(r rune) bool {
		return r == '/' ||
			r == '|'
	}) {
		a, b := " "+singular(found)+" ", " "+singular(strings.TrimSpace(w))+" "
		if strings.Contains(a, b) || strings.Contains(b, a) {
			return true
		}
	}
	return false
}

func singular(s string) string {
	var out []string
	for _, w := range strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return r == ' ' || r == '-' }) {
		out = append(out, strings.TrimSuffix(w, "s"))
	}
	return strings.Join(out, " ")
}

func (s spoken) judge(t *testing.T, scores map[string]*score, verbose bool) {
	r := story.Read(projects.Project{}, s.text, "")
	got := map[string][]string{}
	one := func(field, value string) {
		if value != "" {
			got[field] = append(got[field], value)
		}
	}
	texts := projects.Story{}
	if c := r.Changes; true {
		if c.Type != nil {
			one("type", *c.Type)
		}
		if c.Place != nil {
			one("city", c.Place.City)
			one("district", c.Place.District)
			one("street", c.Place.Street)
		}
		if c.Materials != nil {
			got["materials"] = *c.Materials
		}
		if c.Techniques != nil {
			got["techniques"] = *c.Techniques
		}
		if c.Story != nil {
			texts = *c.Story
			one("duration", c.Story.Duration)
			one("completed", c.Story.Completed)
			one("size", c.Story.Size)
		}
	}
	at := func(field string) *score {
		if scores[field] == nil {
			scores[field] = &score{}
		}
		return scores[field]
	}
	tell := func(format string, args ...any) {
		if verbose {
			t.Logf("%s: "+format, append([]any{s.name}, args...)...)
		}
	}
	for _, field := range []string{"type", "city", "district", "street", "materials", "techniques", "duration",
		"completed", "size"} {
		sc := at(field)
		wants := slices.Clone(s.want[field])
		for _, g := range got[field] {
			i := slices.IndexFunc(wants, func(w string) bool { return same(g, w) })
			// One wanted value may be said in two ways.
			if i < 0 && slices.ContainsFunc(s.want[field], func(w string) bool { return same(g, w) }) {
				continue
			}
			switch {
			case i < 0:
				sc.wrong++
				tell("%s wrong: %q (want %q)", field, g, s.want[field])
			default:
				if !strings.HasPrefix(wants[i], "?") {
					sc.right++
				}
				wants = slices.Delete(wants, i, i+1)
			}
		}
		for _, w := range wants {
			if !strings.HasPrefix(w, "?") {
				sc.missed++
				tell("%s missed: %q (got %q)", field, w, got[field])
			}
		}
	}
	for letter, f := range map[string]struct{ name, text string }{"p": {"problem", texts.Problem},
		"c": {"challenge", texts.Challenge}, "s": {"solution", texts.Solution}, "r": {"result", texts.Result},
		"d": {"detail", texts.Detail}} {
		sc := at(f.name)
		taken := s.place(f.text)
		var wrong, missed []string
		for i, w := range s.words {
			switch {
			case slices.Contains([]string{"and", "so", "but", "then", "because"}, w):
			case taken[i] && strings.Contains(s.labels[i], letter):
				sc.right++
			case taken[i]:
				sc.wrong++
				wrong = append(wrong, w)
			case s.labels[i] == letter:
				sc.missed++
				missed = append(missed, w)
			}
		}
		if len(wrong) > 0 {
			tell("%s has wrongly: %s", f.name, strings.Join(wrong, " "))
		}
		if len(missed) > 0 {
			tell("%s misses: %s", f.name, strings.Join(missed, " "))
		}
	}
}

// place finds which words of what was said stand in a text that was made of them.
func (s spoken) place(text string) map[int]bool {
	taken := map[int]bool{}
	words := plainWords(text)
	for i := 0; i < len(words); {
		best, at := 0, 0
		for from := range s.words {
			n := 0
			for i+n < len(words) && from+n < len(s.words) && words[i+n] == s.words[from+n] {
				n++
			}
			if n > best {
				best, at = n, from
			}
		}
		for n := range best {
			taken[at+n] = true
		}
		i += max(1, best)
	}
	return taken
}

// In an hour of talk only the addresses and numbers that were said are private.
func TestAnHourOfTalkHasFewPrivateThings(t *testing.T) {
	t.Parallel()
	var found []string
	for _, file := range []string{"spoken_dev.txt", "spoken_more.txt", "spoken_held.txt"} {
		for _, one := range readSpoken(t, "testdata/"+file) {
			for _, f := range privacy.Find(one.text) {
				found = append(found, string(f.Kind)+" "+f.Text)
			}
		}
	}
	want := []string{"address 14 Rosewood Lane", "phone 07700 900123", "phone (503) 555-0142", "phone 07911 123456"}
	if !slices.Equal(found, want) {
		t.Errorf("found %q, want %q", found, want)
	}
}
