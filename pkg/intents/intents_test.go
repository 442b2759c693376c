package intents_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/assistants/phrases"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/intent"
	"github.com/bellhop-ai/bellhop/pkg/intents"
)

const hotel = "hospitality"

func base(t *testing.T) *intent.Model {
	t.Helper()
	m, err := phrases.Model(hotel)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func of(name, agent string, texts ...string) intents.Intent {
	in := intents.Intent{Name: name, Agent: agent, Version: 1}
	for _, text := range texts {
		in.Phrases = append(in.Phrases, intents.Phrase{Text: text})
	}
	return in
}

// S2-57, with the ruling: from the default each time, and by the bucket that would be
// admitted.
func TestThresholds(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		usual        float64
		below, above intents.Count
		want         float64
	}{
		"nothing is known":                 {0.85, intents.Count{}, intents.Count{}, 0.85},
		"many right below":                 {0.85, intents.Count{Total: 66}, intents.Count{}, 0.80},
		"right, but too few to be sure":    {0.85, intents.Count{Total: 65}, intents.Count{}, 0.85},
		"95 % right is too little to act":  {0.85, intents.Count{Total: 200, Failed: 10}, intents.Count{}, 0.85},
		"one wrong of many":                {0.85, intents.Count{Total: 133, Failed: 1}, intents.Count{}, 0.80},
		"not below 0.70":                   {0.72, intents.Count{Total: 100}, intents.Count{}, 0.70},
		"never up by going down":           {0.60, intents.Count{Total: 100}, intents.Count{}, 0.60},
		"too many wrong above":             {0.85, intents.Count{}, intents.Count{Total: 10, Failed: 4}, 0.90},
		"seven of ten is not less than 70": {0.85, intents.Count{}, intents.Count{Total: 10, Failed: 3}, 0.85},
		"nine turns are too few":           {0.85, intents.Count{}, intents.Count{Total: 9, Failed: 9}, 0.85},
		"not above 0.95":                   {0.93, intents.Count{}, intents.Count{Total: 20, Failed: 20}, 0.95},
		"wrong above outweighs right below": {0.85, intents.Count{Total: 500},
			intents.Count{Total: 20, Failed: 10}, 0.90},
		"above 0.95, phrases alone": {0.96, intents.Count{}, intents.Count{Total: 20, Failed: 20}, 1},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := intents.Threshold(tt.usual, tt.below, tt.above); got < tt.want-1e-9 || got > tt.want+1e-9 {
				t.Errorf("the threshold is %v, want %v", got, tt.want)
			}
		})
	}
}

// S2-17: an organisation's phrases count beside the assistant's, and thresholds by
// intent.
func TestAnOrganisationsMatcher(t *testing.T) {
	t.Parallel()
	const said = "please polish the moonlight lantern set"
	plain := intents.NewMatcher(base(t), intents.Own{})
	if r := plain.Match(said); r.Accepted {
		t.Fatalf("it is known without being taught: %v", r)
	}
	own := intents.Own{Intents: []intents.Intent{of("lanterns", "inventory", said, "show the lanterns")}}
	m := intents.NewMatcher(base(t), own)
	if r := m.Match("Please polish the moonlight LANTERN set!"); !r.Accepted || m.Name(r.Intent) != "inventory" ||
		m.Own(said) != "lanterns" {
		t.Errorf("the own phrase is %v of %q", r, m.Own(said))
	}
	// What the assistant's own files say of another agent stays so.
	taken := intents.NewMatcher(base(t), intents.Own{Intents: []intents.Intent{
		of("mine", "analytics", "What extras do we have?", "count the lanterns")}})
	if r := taken.Match("What extras do we have?"); taken.Name(r.Intent) != "inventory" {
		t.Errorf("a phrase of the files was moved to %s", taken.Name(r.Intent))
	}

	var sure, unsure string
	for _, s := range []string{"show me all the cabins we have got", "which extras can guests book with us",
		"list of cabins and what they cost please", "tell me about our coupons and codes",
		"do we sell any extras at all",
		"which packages do we sell just now", "our cabins, please", "add something to what we sell"} {
		r := plain.Match(s)
		if r.Reason == intent.Sure && sure == "" && plain.Name(r.Intent) == "inventory" {
			sure = s
		}
		if !r.Accepted && r.Confidence > 0.5 && unsure == "" && plain.Name(r.Intent) == "inventory" {
			unsure = s
		}
	}
	if sure == "" || unsure == "" {
		t.Fatalf("there is no sentence to try: %q, %q", sure, unsure)
	}
	low := intents.NewMatcher(base(t), intents.Own{Thresholds: map[string]float64{"inventory": 0.5}})
	if r := low.Match(unsure); !r.Accepted || r.Reason != intent.Learnt {
		t.Errorf("a lower threshold: %v", r)
	}
	none := intents.NewMatcher(base(t), intents.Own{Thresholds: map[string]float64{"inventory": 1}})
	if r := none.Match(sure); r.Accepted {
		t.Errorf("phrases alone: %v", r)
	}
	if r := none.Match("What extras do we have?"); !r.Accepted {
		t.Errorf("a phrase is a phrase: %v", r)
	}
}

// Bad input is refused with a sentence.
func TestWhatIsNoIntent(t *testing.T) {
	t.Parallel()
	others := []intents.Intent{of("treats", "inventory", "show me the treats")}
	tests := map[string]struct {
		in   intents.Intent
		code string
		says string
	}{
		"no phrases":                    {of("x", "inventory"), "no_phrases", `The intent "x" has no phrases.`},
		"no name":                       {of("", "inventory", "a phrase"), "bad_name", ""},
		"a human name":                  {of("Show Extras", "inventory", "a phrase"), "bad_name", ""},
		"no agent":                      {of("x", "oracle", "a phrase"), "unknown_agent", "inventory"},
		"an emoji":                      {of("x", "inventory", "🙂"), "phrase_without_word", ""},
		"nothing but invisible letters": {of("x", "inventory", "\u200b\u200d\ufeff"), "phrase_without_word", ""},
		"a long sentence": {of("x", "inventory", strings.Repeat("a word ", 1500)), "phrase_too_long",
			""},
		"broken text":                  {of("x", "inventory", "a\xffb"), "bad_phrase", ""},
		"another intent's phrase":      {of("x", "inventory", "Show me the TREATS!"), "phrase_taken", `"treats"`},
		"with letters that look alike": {of("x", "inventory", "shоw mе the treаts"), "phrase_taken", `"treats"`},
		"with invisible letters": {of("x", "inventory", "sh\u200bow me the tre\u200dats"), "phrase_taken",
			`"treats"`},
		"another agent's phrase": {of("x", "analytics", "What extras do we have?"), "phrase_taken",
			`"inventory"`},
		"too many": {of("x", "inventory", make([]string, 101)...), "too_many_phrases", "100"},
		"a long description": {intents.Intent{Name: "x", Agent: "inventory", Description: strings.Repeat("ü", 301),
			Phrases: []intents.Phrase{{Text: "a"}}}, "description_too_long", "300"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := intents.Check(tt.in, base(t), others)
			if f := fault.From(err); err == nil || f.Code != tt.code || !strings.Contains(f.Message, tt.says) {
				t.Errorf("it says %v", err)
			}
		})
	}
	// The same phrase twice, in two scripts too, is kept once, and clean.
	in, err := intents.Check(of("x", "inventory", " Show  the\u200b goodies ", "show the GOODIES",
		"सारे गुडीज़ दिखाओ"),
		base(t), others)
	if err != nil || len(in.Phrases) != 2 || in.Phrases[0].Text != "Show the goodies" ||
		in.Phrases[0].Source != intents.Written {
		t.Errorf("kept is %+v, %v", in.Phrases, err)
	}
}

// shelf is a store that counts how often it is read.
type shelf struct {
	intents.Store
	own   intents.Own
	err   error
	reads int
	known []string
}

func (s *shelf) Read(_ context.Context, _ identity.Caller, _, known string, _ float64) (intents.Own, error) {
	s.reads++
	s.known = append(s.known, known)
	own := s.own
	if known == own.Version {
		own.Intents = nil
	}
	return own, s.err
}

// A turn costs one read at most, and none while what was read is fresh; a store that
// is down costs no turn.
func TestPhrasesAreReadOnce(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 2, 9, 0, 0, 0, time.UTC)
	s := &shelf{own: intents.Own{Version: "v1", Intents: []intents.Intent{of("lanterns", "inventory",
		"polish the lantern")}}}
	reported := 0
	l := &intents.Library{Store: s, Base: phrases.Model, Now: func() time.Time { return now },
		Report: func(context.Context, error) { reported++ }}
	by := identity.Caller{OrgID: "one"}
	accepted := func(by identity.Caller) bool {
		return l.For(t.Context(), by, hotel).Match("polish the lantern").Accepted
	}
	for range 5 {
		if !accepted(by) {
			t.Fatal("the phrase is not known")
		}
	}
	now = now.Add(time.Minute)
	s.own.Thresholds = map[string]float64{"pricing": 0.9}
	if !accepted(by) || l.For(t.Context(), by, hotel).Threshold("pricing") != 0.9 {
		t.Error("an unchanged version loses phrases or thresholds")
	}
	now = now.Add(time.Minute)
	s.err = errors.New("down")
	first := accepted(by)
	if second := accepted(by); !first || !second || reported != 1 {
		t.Errorf("while the store is down: %d reports", reported)
	}
	if s.reads != 3 || s.known[0] == "" || s.known[1] != "v1" {
		t.Errorf("it was read %d times, with %q", s.reads, s.known)
	}
	if accepted(identity.Caller{OrgID: "one", Visitor: "v"}) || s.reads != 3 {
		t.Error("a visitor is matched by the organisation's phrases")
	}
	if l.For(t.Context(), by, "oracle") != nil {
		t.Error("there is a matcher of an assistant without phrases")
	}
	s.err = nil
	s.own = intents.Own{}
	if accepted(identity.Caller{OrgID: "two"}) {
		t.Error("one organisation's phrase is known to another")
	}
	for i := range 200 { // more than are kept
		l.For(t.Context(), identity.Caller{OrgID: strings.Repeat("x", i+1)}, hotel)
	}
}

// BenchmarkCold is the first turn of an organisation with as many phrases as it may
// have, and one more phrase.
func BenchmarkCold(b *testing.B) {
	m, err := phrases.Model(hotel)
	if err != nil {
		b.Fatal(err)
	}
	own := intents.Own{}
	words := []string{"moon", "lantern", "polish", "garden", "swing", "fire", "pit", "blanket", "canoe", "paddle"}
	for i := range 10 {
		in := intents.Intent{Name: "i", Agent: m.Name(i % 8)}
		for j := range 100 {
			in.Phrases = append(in.Phrases, intents.Phrase{Text: "bring the " + words[i] + " " + words[j%10] + " " +
				words[j/10] + " over please"})
		}
		own.Intents = append(own.Intents, in)
	}
	for name, n := range map[string]int{"1 phrase": 1, "100 phrases": 100, "1000 phrases": 1000} {
		b.Run(name, func(b *testing.B) {
			some := own
			if n <= 100 {
				first := own.Intents[0]
				first.Phrases = first.Phrases[:n]
				some.Intents = []intents.Intent{first}
			}
			for b.Loop() {
				intents.NewMatcher(m, some)
			}
		})
	}
}

// A suspended bucket is rejected; whole phrases and other buckets are not.
func TestASuspendedBucket(t *testing.T) {
	t.Parallel()
	said := surest(t)
	usual := intents.NewMatcher(base(t), intents.Own{})
	r := usual.Match(said)
	if r.Reason != intent.Sure || usual.Name(r.Intent) != "inventory" {
		t.Fatalf("the sentence is no longer known without being a phrase: %+v", r)
	}
	slot := intents.SlotOf("inventory", r.Confidence, usual.Usual())
	if slot.Basis != intents.Above || slot.Bucket > r.Confidence || slot.Bucket < r.Confidence-intents.Step {
		t.Errorf("%v lies in %+v", r.Confidence, slot)
	}
	slot.Bucket += 1e-12 // as a decimal may come back
	doubted := intents.NewMatcher(base(t), intents.Own{Suspended: []intents.Slot{slot}})
	if got := doubted.Match(said); got.Accepted || got.Reason != intent.Suspended || got.Confidence != r.Confidence {
		t.Errorf("in a suspended bucket it is %+v", got)
	}
	if got := doubted.Match("What extras do we have?"); !got.Accepted || got.Reason != intent.Exact {
		t.Errorf("a phrase is %+v", got)
	}
	slot.Bucket -= intents.Step
	if got := intents.NewMatcher(base(t), intents.Own{Suspended: []intents.Slot{slot}}).Match(said); !got.Accepted {
		t.Errorf("with another bucket suspended it is %+v", got)
	}
}

// surest returns the sentence about inventory, none of the phrases, of which the matcher
// of the assistant's own phrases is most certain.
func surest(t *testing.T) string {
	t.Helper()
	set, _, err := phrases.Set("hospitality")
	if err != nil {
		t.Fatal(err)
	}
	m, err := phrases.Model("hospitality")
	if err != nil {
		t.Fatal(err)
	}
	best, said := 0.0, ""
	for _, in := range set.Intents {
		for _, p := range in.Phrases {
			text := "please " + strings.ToLower(p)
			if r := m.Match(text); in.Name == "inventory" && m.Name(r.Intent) == in.Name && r.Reason == intent.Sure &&
				r.Confidence > best {
				best, said = r.Confidence, text
			}
		}
	}
	if said == "" {
		t.Fatal("no sentence is sure without being a phrase")
	}
	return said
}
