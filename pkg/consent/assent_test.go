package consent_test

import (
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/bellhop-ai/bellhop/pkg/assistants/hospitality"
	"github.com/bellhop-ai/bellhop/pkg/consent"
	"github.com/bellhop-ai/bellhop/pkg/vocabulary"
)

const code = "K7QM"

// example is one thing that a person may type.
type example struct {
	text, tool string
	want       consent.Answer
	line       int
}

func examples(t testing.TB) []example {
	t.Helper()
	raw, err := os.ReadFile("testdata/answers.txt")
	if err != nil {
		t.Fatal(err)
	}
	meanings := map[string]consent.Answer{"yes": consent.Yes, "no": consent.No, "neither": consent.Neither}
	var out []example
	var e example
	for i, line := range strings.Split(string(raw), "\n") {
		if heading, ok := strings.CutPrefix(line, "== "); ok {
			meaning, tool, _ := strings.Cut(heading, " ")
			want, known := meanings[meaning]
			if !known {
				t.Fatalf("line %d: no such meaning %q", i+1, meaning)
			}
			e.want, e.tool = want, strings.TrimPrefix(tool, "-")
			continue
		}
		if line == "" || strings.HasPrefix(line, "# ") {
			continue
		}
		e.text, e.line = line, i+1
		if strings.Contains(line, `\`) {
			if e.text, err = strconv.Unquote(`"` + strings.ReplaceAll(line, `"`, `\"`) + `"`); err != nil {
				t.Fatalf("line %d: %v", i+1, err)
			}
		}
		out = append(out, e)
	}
	return out
}

// F-38, F-61, S2-33: no false yes and no false no; of the true ones at most
// one in fifty is missed.
func TestAnswersAreReadByAClosedGrammar(t *testing.T) {
	t.Parallel()
	list := examples(t)
	given, missed := 0, 0
	for _, e := range list {
		got, _ := consent.Words(e.text, code, e.tool, hospitality.Words())
		if e.want != consent.Neither {
			given++
		}
		switch {
		case got == e.want:
		case got == consent.Neither:
			missed++
			t.Logf("line %d: %q is missed", e.line, e.text)
		default:
			t.Errorf("line %d: %q is read as %v, want %v", e.line, e.text, got, e.want)
		}
	}
	if missed*50 > given {
		t.Errorf("%d of %d answers are missed", missed, given)
	}
	t.Logf("%d examples, %d of them answers, %d missed", len(list), given, missed)
	if len(list) < 400 {
		t.Errorf("there are only %d examples", len(list))
	}
}

func TestACodeNamesItsProposal(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"yes k7qm": true, "K7QM": true, "yes (K7QM)": true, "no K7QM": true, "ｋ７ｑｍ yes": true,
		"yes": false, "yes AB12": false, "yes K7QMX": false, "yes (K7QM": false, "yes K7QM?": false,
	} {
		answer, named := consent.Words(text, code, "", vocabulary.Words{})
		if counts := named && answer != consent.Neither || text == "K7QM" && named; counts != want {
			t.Errorf("%q: answer %v, named %v", text, answer, named)
		}
	}
	// A word of the grammar stays what it is, even where a code is spelled so.
	if answer, named := consent.Words("halt", "HALT", "", vocabulary.Words{}); answer != consent.No || named {
		t.Errorf("got %v, %v", answer, named)
	}
}

// What a domain calls its acts and things is the assistant's own: a garage's words
// answer a garage's questions, and a hotel's do not.
func TestAnAssistantsWordsAreItsOwn(t *testing.T) {
	t.Parallel()
	garage := vocabulary.Words{
		Names: []string{"otto"},
		Nouns: []vocabulary.Noun{{Object: "reservation", Said: []string{"slot", "lift"}}},
		Verbs: []vocabulary.Verb{{Tools: []string{"create_reservation"}, English: []string{"schedule"},
			Loans: []string{"शेड्यूल"}}},
	}
	hotel := hospitality.Words()
	for text, want := range map[string][2]consent.Answer{ // to the garage, to the hotel
		"schedule it":                 {consent.Yes, consent.Neither},
		"Yes Otto, schedule the slot": {consent.Yes, consent.Neither},
		"yesss ottooo":                {consent.Yes, consent.Neither},
		"slot kar do":                 {consent.Yes, consent.Neither},
		"शेड्यूल कर दो":               {consent.Yes, consent.Neither},
		"don't schedule it":           {consent.No, consent.Neither},
		"go ahead with the lift":      {consent.Yes, consent.Neither},
		"book it":                     {consent.Neither, consent.Yes},
		"Yes Bernard":                 {consent.Neither, consent.Yes},
		"confirm the booking":         {consent.Neither, consent.Yes},
		"बुक मत करो":                  {consent.Neither, consent.No},
		"create the reservation":      {consent.Yes, consent.Yes},
		"yes":                         {consent.Yes, consent.Yes},
		"haan kar do":                 {consent.Yes, consent.Yes},
		"schedule it tomorrow":        {consent.Neither, consent.Neither},
	} {
		for i, own := range []vocabulary.Words{garage, hotel} {
			if got, _ := consent.Words(text, code, "create_reservation", own); got != want[i] {
				t.Errorf("%q is %v to %v, want %v", text, got, own.Names, want[i])
			}
		}
	}
	// A name cannot take a refusal's place.
	if got, _ := consent.Words("yes no", code, "", vocabulary.Words{Names: []string{"no"}}); got != consent.Neither {
		t.Errorf("an assistant called No hears %v", got)
	}
}

// BenchmarkWords reads all that people were ever found to answer.
func BenchmarkWords(b *testing.B) {
	all := examples(b)
	own := hospitality.Words()
	b.ReportAllocs()
	for b.Loop() {
		for _, e := range all {
			consent.Words(e.text, code, e.tool, own)
		}
	}
	b.ReportMetric(float64(len(all)), "answers/op")
}

// F-38: a yes is made of the grammar's words alone, and never of a denial.
func FuzzWords(f *testing.F) {
	for _, e := range examples(f) {
		f.Add(e.text, e.tool)
	}
	own := hospitality.Words()
	denials := []string{"no", "not", "don't", "dont", "never", "nahi", "mat", "nahin", "na", "cancel", "stop", "wait",
		"नहीं", "मत", "but", "par", "lekin", "kal", "पर", "कल"}
	f.Fuzz(func(t *testing.T, text, tool string) {
		answer, _ := consent.Words(text, code, tool, own)
		if answer != consent.Yes {
			return
		}
		for _, mark := range []string{"?", `"`, "“", "'yes'", "‘", ">", "/", "<", "=", "\u200b", "\u202e"} {
			if strings.Contains(text, mark) {
				t.Errorf("%q is a yes in spite of %q", text, mark)
			}
		}
		for _, word := range strings.FieldsFunc(strings.ToLower(text),
			func(r rune) bool { return strings.ContainsRune(" ,.!;…–—-।\n\t\r*~", r) }) {
			for _, d := range denials {
				if word == d && !strings.HasPrefix(tool, "cancel") {
					t.Errorf("%q of %q is a yes in spite of %q", text, tool, d)
				}
			}
		}
		// One word more than the grammar has makes it something else.
		for _, more := range []string{"kahaan", "tomorrow", "x", "50", "?"} {
			if again, _ := consent.Words(text+" "+more, code, tool, own); again == consent.Yes &&
				!strings.Contains(tool, more) {
				t.Errorf("%q with %q is still a yes to %q", text, more, tool)
			}
		}
		if again, _ := consent.Words("no "+text, code, tool, own); again == consent.Yes {
			t.Errorf("%q is still a yes after a no", text)
		}
	})
}
