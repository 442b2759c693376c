package intent_test

import (
	"bytes"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/intent"
)

// household is a small set of phrases for tests.
func household() intent.Set {
	of := func(name, phrases string) intent.Intent {
		return intent.Intent{Name: name, Phrases: strings.Split(phrases, "|")}
	}
	return intent.Set{Intents: []intent.Intent{
		of("list_expenses", "show my expenses|list all expenses|what did I spend this month|kharcha dikhao|"+
			"mera kharcha batao|how much have I spent|expenses of last week|show the spending of March|"+
			"give me a list of what we spent|खर्चा दिखाओ|where did the money go|all spending since Monday"),
		of("create_invoice", "create an invoice|make a new invoice for Meera|invoice banao|naya invoice banao|"+
			"write an invoice of 2,000|I need an invoice for the repair|raise an invoice for the customer|"+
			"invoice banaiye please|please create the invoice|draw up an invoice|इनवॉइस बनाओ|bill the client"),
		of("show_balance", "what is my balance|show the account balance|bank mein kitna paisa hai|kitna baaki hai|"+
			"how much money do I have|balance batao|current balance please|is there money in the account|"+
			"tell me the balance|खाते में कितना पैसा है|account balance dikhao|funds available now"),
		of("find_shop", "where is the shop|dukaan kahaan hai|kahaan hai|tell me where the store is|"+
			"which way to the shop|address of the shop|how do I get to the store|दुकान कहाँ है|"+
			"directions to the shop|find the nearest store|shop ka pata batao|route to the store"),
		of("agree", "haan|yes please|ji haan|okay do it|sure go ahead|theek hai|हाँ|yes that is right|"+
			"correct|go ahead please|yes do that|bilkul"),
	}}
}

// trained is the model of household, which tests share.
var trained = sync.OnceValues(func() (*intent.Model, error) {
	return intent.Train(household(), intent.DefaultGoal())
})

func model(t testing.TB) *intent.Model {
	t.Helper()
	m, err := trained()
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// S2-17: what comparing texts alone makes of a sentence.
func TestLiteralScores(t *testing.T) {
	m := model(t)
	tests := map[string]struct {
		said   string
		intent string
		low    float64
		high   float64
	}{
		"a phrase":                  {"Show my expenses!", "list_expenses", 0.95, 0.95},
		"a phrase in small letters": {"what is my BALANCE", "show_balance", 0.95, 0.95},
		"most of a phrase":          {"give me a list of what we", "list_expenses", 0.85, 0.949},
		"a phrase in a long sentence": {"well now tell me the balance of that old thing there", "show_balance",
			0.70, 0.80},
		"a phrase of two words":           {"invoice banao abhi", "create_invoice", 0.70, 0.75},
		"the name of an intent":           {"a list expenses thing", "list_expenses", 0.60, 0.60},
		"a word inside a word is nothing": {"kahaanhaan", "", 0, 0},
		"nothing":                         {"purple elephants", "", 0, 0},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			r := m.Match(tc.said)
			if r.Literal < tc.low || r.Literal > tc.high || m.Name(r.LiteralIntent) != tc.intent {
				t.Errorf("%q is %q with %.3f, want %q with %.2f to %.2f", tc.said, m.Name(r.LiteralIntent), r.Literal,
					tc.intent, tc.low, tc.high)
			}
		})
	}
}

// The likeliest intent is right in both scripts, in Hinglish and in near spellings.
func TestSentencesFindTheirIntent(t *testing.T) {
	m := model(t)
	for said, want := range map[string]string{
		"show me all my expenses":      "list_expenses",
		"kharchaa dikhaao":             "list_expenses",
		"mera kharch dikhaiye":         "list_expenses",
		"खर्चा दिखाओ ना":               "list_expenses",
		"how much did we spend":        "list_expenses",
		"please make an invoyce":       "create_invoice",
		"ek naya invoice bana do":      "create_invoice",
		"what's the balence":           "show_balance",
		"baaki kitna hai":              "show_balance",
		"dukan kahan hai":              "find_shop",
		"kahaan":                       "find_shop",
		"haan ji":                      "agree",
		"ѕhow my expenses":             "list_expenses", // a Cyrillic letter
		"show my\u200b exp\u200benses": "list_expenses",
		"ｓｈｏｗ my expenses":             "list_expenses",
	} {
		if r := m.Match(said); m.Name(r.Intent) != want {
			t.Errorf("%q is %q (%v), want %q", said, m.Name(r.Intent), r, want)
		}
	}
}

// "haan" stands in "kahaan", and agrees to nothing there.
func TestAWordInsideAWordDoesNotMatch(t *testing.T) {
	m := model(t)
	if r := m.Match("kahaan hai"); !r.Accepted || m.Name(r.Intent) != "find_shop" {
		t.Errorf("“kahaan hai” is %q: %v", m.Name(r.Intent), r)
	}
	for _, said := range []string{"kahaan", "kahaan gaya wo", "yahaan aao"} {
		if r := m.Match(said); r.Accepted && m.Name(r.Intent) == "agree" {
			t.Errorf("%q agrees: %v", said, r)
		}
	}
}

// Whatever is sent is answered, and what says nothing is rejected.
func TestBadInputIsRejected(t *testing.T) {
	m := model(t)
	for name, said := range map[string]string{
		"nothing":               "",
		"blanks":                " \t\n ",
		"points":                "?!...",
		"one emoji":             "🙂",
		"10,000 letters":        strings.Repeat("a", 10_000),
		"10,000 words":          strings.Repeat("show my expenses ", 10_000),
		"zero-width letters":    "\u200b\u200c\u200d\ufeff",
		"a broken encoding":     "\xff\xfe show \xc3",
		"marks alone":           "\u0301\u0302\u094d",
		"scripts in one word":   "шоuनमbla",
		"control characters":    "\x00\x01\x02",
		"numbers":               "1 2 3 4 5",
		"a long story":          strings.Repeat("and then we went to the sea and ate fish there ", 8),
		"who knows what":        "colourless green ideas sleep furiously",
		"a question for others": "who painted the mona lisa",
	} {
		if r := m.Match(said); r.Accepted || r.Confidence > 1 || r.Confidence < 0 {
			t.Errorf("%s: %v", name, r)
		}
	}
}

func TestASetThatCannotBeLearntIsRefusedWithASentence(t *testing.T) {
	two := func(a, b intent.Intent) intent.Set { return intent.Set{Intents: []intent.Intent{a, b}} }
	good := intent.Intent{Name: "good", Phrases: []string{"show it"}}
	for name, tc := range map[string]struct {
		set  intent.Set
		says string
	}{
		"nothing":             {intent.Set{}, "two intents"},
		"no phrases":          {two(good, intent.Intent{Name: "empty"}), "no phrases"},
		"no name":             {two(good, intent.Intent{Phrases: []string{"x"}}), "needs a name"},
		"a phrase of no word": {two(good, intent.Intent{Name: "b", Phrases: []string{"?!"}}), "without a word"},
		"a name twice":        {two(good, intent.Intent{Name: "good", Phrases: []string{"y"}}), "called"},
		"one phrase in two intents": {two(good, intent.Intent{Name: "b", Phrases: []string{"Show IT!"}}),
			"stands in two intents"},
		"the same phrase with a lookalike letter": {two(good, intent.Intent{Name: "b", Phrases: []string{"ѕhow it"}}),
			"stands in two intents"},
		"a phrase too long": {two(good, intent.Intent{Name: "b", Phrases: []string{strings.Repeat("x ", 400)}}),
			"longer"},
		"a name that nobody can read": {two(good, intent.Intent{Name: "a\u200bb", Phrases: []string{"x"}}),
			"nobody sees"},
	} {
		_, err := intent.Train(tc.set, intent.DefaultGoal())
		if !fault.Is(err, fault.Invalid) || !strings.Contains(fmt.Sprint(err), tc.says) {
			t.Errorf("%s: %v, want a sentence with %q", name, err, tc.says)
		}
	}
}

func TestAPhraseThatIsAddedIsKnownAtOnce(t *testing.T) {
	m := model(t)
	const said = "zebra gizmo kholo"
	more, err := m.Add("show_balance", said)
	if err != nil {
		t.Fatal(err)
	}
	if r := more.Match(said); !r.Accepted || r.Reason != intent.Exact || more.Name(r.Intent) != "show_balance" {
		t.Errorf("the new phrase is %q: %v", more.Name(r.Intent), r)
	}
	if r := more.Match("zebra gizmo"); more.Name(r.Intent) != "show_balance" {
		t.Errorf("a part of it is %q: %v", more.Name(r.Intent), r)
	}
	if r := m.Match(said); r.Accepted {
		t.Errorf("the model that was there before knows it too: %v", r)
	}
	// Two that branch off the same model don't see each other's phrases.
	other, err := more.Add("agree", "purple monkey")
	if err != nil {
		t.Fatal(err)
	}
	third, err := more.Add("find_shop", "orange monkey")
	if err != nil {
		t.Fatal(err)
	}
	if r := other.Match("purple monkey"); other.Name(r.Intent) != "agree" || r.Reason != intent.Exact {
		t.Errorf("“purple monkey” is %q: %v", other.Name(r.Intent), r)
	}
	if r := third.Match("purple monkey"); r.Reason == intent.Exact {
		t.Errorf("the third model knows the second's phrase: %v", r)
	}
	if _, err := more.Add("agree", "Zebra, gizmo kholo!"); !fault.Is(err, fault.Invalid) {
		t.Errorf("the phrase goes into a second intent: %v", err)
	}
	if same, err := more.Add("show_balance", said); err != nil || same != more {
		t.Errorf("a phrase that it knows makes another model: %v", err)
	}
	if _, err := m.Add("nobody", "hello there"); !fault.Is(err, fault.Invalid) {
		t.Errorf("an unknown intent: %v", err)
	}
	if _, err := m.Add("agree", "…"); !fault.Is(err, fault.Invalid) {
		t.Errorf("a phrase without a word: %v", err)
	}
}

func TestAnArtefactIsTheModel(t *testing.T) {
	m := model(t)
	artefact := m.Encode()
	back, err := intent.Decode(artefact)
	if err != nil {
		t.Fatal(err)
	}
	for _, in := range household().Intents {
		for _, p := range in.Phrases {
			for _, said := range []string{p, p + " today", "please " + p, strings.ToUpper(p)} {
				if a, b := m.Match(said), back.Match(said); a != b {
					t.Errorf("%q is %v, and %v from the artefact", said, a, b)
				}
			}
		}
	}
	if !bytes.Equal(back.Encode(), artefact) {
		t.Error("what is read and written again is another artefact")
	}
	if more, err := back.Add("agree", "of course it is so"); err != nil ||
		more.Match("of course it is so").Reason != intent.Exact {
		t.Errorf("a model that was read learns nothing: %v", err)
	}
	again, err := intent.Train(household(), intent.DefaultGoal())
	if err != nil || !bytes.Equal(again.Encode(), artefact) {
		t.Errorf("training twice makes two models: %v", err)
	}
}

func TestADamagedArtefactIsAnError(t *testing.T) {
	artefact := model(t).Encode()
	for n := 0; n < len(artefact); n += len(artefact)/60 + 1 {
		if _, err := intent.Decode(artefact[:n]); err == nil {
			t.Errorf("the first %d of %d bytes are read", n, len(artefact))
		}
	}
	// Bytes that changed give an error or a model that answers, never a panic.
	for at := 4; at < len(artefact); at += len(artefact)/90 + 1 {
		broken := bytes.Clone(artefact)
		broken[at] ^= 0xff
		if m, err := intent.Decode(broken); err == nil {
			m.Match("show my expenses of last week")
		}
	}
}

func TestManyMayAskAtOnce(t *testing.T) {
	m := model(t)
	want := m.Match("show me what we spent")
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 200 {
				if got := m.Match("show me what we spent"); got != want {
					t.Errorf("got %v, want %v", got, want)
					return
				}
				m.Match("invoice banao please")
			}
		})
	}
	wg.Wait()
}

// A match of a plain sentence allocates nothing; one with other letters at most
// twice.
func TestAMatchHardlyAllocates(t *testing.T) {
	if underRace {
		t.Skip("the race detector allocates")
	}
	m := model(t)
	for said, most := range map[string]float64{
		"show me the expenses of the last three weeks": 0,
		"खर्चा दिखाओ पिछले महीने का":                   2,
	} {
		if n := testing.AllocsPerRun(200, func() { m.Match(said) }); n > most {
			t.Errorf("%q costs %.1f allocations, want at most %.0f", said, n, most)
		}
	}
}
