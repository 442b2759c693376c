package feedback_test

import (
	"strings"
	"testing"

	"github.com/bellhop-ai/bellhop/pkg/feedback"
)

// answered is a question that was answered from the records.
func answered(question string) feedback.Turn {
	return feedback.Turn{Question: question, Read: true, Known: true}
}

// S2-60: more than 60 % of the keywords again, or a few words that build on the
// answer, in English, Hindi and Hinglish.
func TestSignalsOfTwoQuestions(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		before, now string
		want        feedback.Signal
	}{
		"the same words": {"Which rooms are free tomorrow?", "which rooms are free tomorrow",
			feedback.Rephrase},
		"the same in other small words": {"Which rooms are free tomorrow?",
			"Please tell me the free rooms for tomorrow", feedback.Rephrase},
		"singular and plural": {"show bookings of Asha Verma", "Asha Verma's booking",
			feedback.Rephrase},
		"an apostrophe": {"the month's revenue", "what's the month in revenue",
			feedback.Rephrase},
		"three of four keywords: 75 %": {"revenue march coco suite", "revenue march coco lantern",
			feedback.Rephrase},
		"three of five keywords: 60 % is not more": {"revenue march coco suite weekend",
			"revenue march coco lantern nightly", feedback.NoSignal},
		"seven of eleven: 63 %": {"one two three four five six seven eight nine ten eleven",
			"one two three four five six seven alpha beta gamma delta", feedback.Rephrase},
		"half of the keywords": {"free rooms tomorrow night", "free tables tomorrow evening please soon",
			feedback.NoSignal},
		"a much longer question": {"coco suite",
			"may the coco suite be booked together with breakfast for asha", feedback.NoSignal},
		"another date": {"Which rooms are free on 12 March?", "Which rooms are free on 13 March?",
			feedback.NoSignal},
		"the year added": {"Which rooms are free on 12 March?",
			"Which rooms are free on 12 March 2026?", feedback.Rephrase},
		"something else": {"Which rooms are free tomorrow?",
			"How much did the restaurant earn last week", feedback.NoSignal},
		"only small words in common": {"What is there to do?", "what is there to see", feedback.NoSignal},
		"Hinglish again": {"kal kaun se kamre khali hain", "mujhe kal ke khali kamre dikhao",
			feedback.Rephrase},
		"Hindi again":           {"कल कौन से कमरे खाली हैं", "मुझे कल के खाली कमरे दिखाओ", feedback.Rephrase},
		"Hindi, something else": {"कल कौन से कमरे खाली हैं", "इस महीने की कमाई कितनी है", feedback.NoSignal},
		"and":                   {"Which rooms are free tomorrow?", "And on Sunday?", feedback.FollowUp},
		"a keyword of before": {"Which rooms are free tomorrow?", "rooms with breakfast?",
			feedback.FollowUp},
		"more":           {"Show the bookings of March", "show more", feedback.FollowUp},
		"Hinglish more":  {"March ki bookings dikhao", "aur dikhao", feedback.FollowUp},
		"Hinglish of it": {"Coco Suite kab khali hai", "uska daam kya hai", feedback.FollowUp},
		"Hindi and":      {"कल कौन से कमरे खाली हैं", "और परसों?", feedback.FollowUp},
		"four words":     {"Which rooms are free tomorrow?", "and the day after", feedback.FollowUp},
		"five words": {"Which rooms are free tomorrow?", "and the day after that",
			feedback.NoSignal},
		"short, about something else":   {"Which rooms are free tomorrow?", "wifi password", feedback.NoSignal},
		"assent":                        {"Which rooms are free tomorrow?", "yes", feedback.NoSignal},
		"Hinglish assent":               {"Coco Suite kab khali hai", "haan theek hai", feedback.NoSignal},
		"thanks":                        {"Which rooms are free tomorrow?", "thanks for that", feedback.NoSignal},
		"a complaint":                   {"Which rooms are free tomorrow?", "that is wrong", feedback.NoSignal},
		"a complaint in Hindi":          {"कल कौन से कमरे खाली हैं", "यह गलत है", feedback.NoSignal},
		"nothing said":                  {"Which rooms are free tomorrow?", "", feedback.NoSignal},
		"nothing said before":           {"", "which rooms are free", feedback.NoSignal},
		"signs alone":                   {"???", "!!!", feedback.NoSignal},
		"a small word before another":   {"just coco", "try coco", feedback.Rephrase},
		"a pasted book, then its start": {strings.Repeat("lorem ipsum ", 100_000), "lorem ipsum", feedback.Rephrase},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			about, got := feedback.Signals([]feedback.Turn{answered("hello"), answered(tc.before)},
				feedback.Turn{Question: tc.now})
			if got != tc.want {
				t.Errorf("%q after %q is %q, want %q", tc.now, tc.before, got, tc.want)
			}
			if want := map[bool]int{true: -1, false: 1}[tc.want == feedback.NoSignal]; about != want {
				t.Errorf("it is about %d, want %d", about, want)
			}
		})
	}
}

// S2-60: a write after a read is about the answer that was read, however many
// questions of consent stood between.
func TestASignalIsAboutTheRightAnswer(t *testing.T) {
	t.Parallel()
	read, asked := answered("Which rooms are free tomorrow?"), feedback.Turn{Question: "book it", Known: true,
		Asked: true}
	wrote := feedback.Turn{Question: "yes", Known: true, Read: true, Wrote: true}
	unknown := feedback.Turn{Question: "Which rooms are free tomorrow?", Read: true}
	talked := feedback.Turn{Question: "Which rooms are free tomorrow?", Known: true}
	tests := map[string]struct {
		earlier []feedback.Turn
		now     feedback.Turn
		about   int
		want    feedback.Signal
	}{
		"a write at once": {[]feedback.Turn{read},
			feedback.Turn{Question: "block room 4 for cleaning", Wrote: true}, 0, feedback.Action},
		"a write in the words of the question": {[]feedback.Turn{read}, feedback.Turn{Question: "free rooms tomorrow",
			Wrote: true}, 0, feedback.Action},
		"consent to what was proposed": {[]feedback.Turn{read, asked}, feedback.Turn{Question: "yes",
			Wrote: true}, 0, feedback.Action},
		"by button": {[]feedback.Turn{read, asked}, feedback.Turn{Wrote: true}, 0,
			feedback.Action},
		"asked twice": {[]feedback.Turn{read, asked, asked},
			feedback.Turn{Question: "yes K7QM", Wrote: true}, 0, feedback.Action},
		"proposed only": {[]feedback.Turn{read}, feedback.Turn{Question: "book it",
			Asked: true}, -1, feedback.NoSignal},
		"refused": {[]feedback.Turn{read, asked},
			feedback.Turn{Question: "and the other one?"}, -1, feedback.NoSignal},
		"a write after a write": {[]feedback.Turn{wrote}, feedback.Turn{Question: "block room 4",
			Wrote: true}, -1, feedback.NoSignal},
		"a write after mere talk": {[]feedback.Turn{talked}, feedback.Turn{Question: "block room 4",
			Wrote: true}, -1, feedback.NoSignal},
		"a write at the beginning": {nil, feedback.Turn{Question: "block room 4", Wrote: true}, -1,
			feedback.NoSignal},
		"a write behind what is not proven": {[]feedback.Turn{unknown}, feedback.Turn{Question: "block room 4",
			Wrote: true}, -1, feedback.NoSignal},
		"a write behind a question not proven": {[]feedback.Turn{read, {Asked: true}}, feedback.Turn{Question: "yes",
			Wrote: true}, -1, feedback.NoSignal},
		"a repetition of what is not proven": {[]feedback.Turn{unknown},
			feedback.Turn{Question: "which rooms are free tomorrow"}, -1, feedback.NoSignal},
		"a repetition of what was mere talk": {[]feedback.Turn{read, talked},
			feedback.Turn{Question: "which rooms are free tomorrow"}, 1, feedback.Rephrase},
		"a first question": {nil, feedback.Turn{Question: "and more?"}, -1, feedback.NoSignal},
		"a repetition of the one before alone": {[]feedback.Turn{read, answered("wifi password")},
			feedback.Turn{Question: "which rooms are free tomorrow"}, -1, feedback.NoSignal},
		"a follow-up after something was done": {[]feedback.Turn{wrote},
			feedback.Turn{Question: "and the other one?"}, 0, feedback.FollowUp},
		"a repetition that then asks consent": {[]feedback.Turn{read}, feedback.Turn{Question: "free rooms tomorrow",
			Asked: true}, -1, feedback.NoSignal},
		"a write though consent is asked, too": {[]feedback.Turn{read}, feedback.Turn{Question: "do both",
			Wrote: true, Asked: true}, 0, feedback.Action},
		"a short word that points to the reply": {[]feedback.Turn{talked}, feedback.Turn{Question: "more"}, 0,
			feedback.FollowUp},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if about, got := feedback.Signals(tc.earlier, tc.now); about != tc.about || got != tc.want {
				t.Errorf("%q about %d, want %q about %d", got, about, tc.want, tc.about)
			}
		})
	}
	weights := map[feedback.Signal]int{feedback.Rephrase: -1, feedback.FollowUp: 1, feedback.Action: 2,
		feedback.NoSignal: 0}
	for s, want := range weights {
		if s.Weight() != want {
			t.Errorf("%q weighs %d, want %d", s, s.Weight(), want)
		}
	}
}

func BenchmarkSignals(b *testing.B) {
	earlier := []feedback.Turn{answered("Which rooms are free tomorrow for two adults and a child, with sea view if " +
		"possible?")}
	for b.Loop() {
		feedback.Signals(earlier, feedback.Turn{Question: "How much would the Coco Suite be for three nights from " +
			"12 March?"})
	}
}
