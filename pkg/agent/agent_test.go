package agent_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/agent"
	"github.com/bellhop-ai/bellhop/pkg/effect"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/llm"
)

// S0-10, S0-12, S0-15: calls are answered by tool messages and fed back.
func TestACallIsAnsweredAndTheModelIsAskedAgain(t *testing.T) {
	out := play(t, &hotel{}, nil, 8, calls(call("list_extras", "{}")), says("Two: [[table:t1a]]"))
	if out.err != nil || out.Finish != agent.Stop {
		t.Fatalf("finish %q, error %v", out.Finish, out.err)
	}
	m := out.model.read[1].Messages
	if len(m) != 4 || m[0].Role != llm.System || m[2].Calls[0].ID != m[3].CallID || m[3].Role != llm.ToolRole {
		t.Errorf("the second prompt is %+v", m)
	}
	if !strings.Contains(m[3].Text, `"table":"t1a"`) || !strings.Contains(m[3].Text, "Picnic") {
		t.Errorf("the model read %s", m[3].Text)
	}
	if !strings.Contains(out.Reply, "<table") || !strings.Contains(out.Reply, "Sauna") ||
		text(out.events) != out.Reply {
		t.Errorf("the reply is %q", out.Reply)
	}
}

func TestATableThatIsNotPlacedIsAppended(t *testing.T) {
	out := play(t, &hotel{}, nil, 8, calls(call("list_extras", "{}")), says("Here you are."))
	if !strings.HasPrefix(out.Reply, "Here you are.\n\n<table") {
		t.Errorf("the reply is %q", out.Reply)
	}
}

// S1-30, F-24: reads run together, ids are made unique, results keep their order.
func TestReadsRunTogetherAndEffectsInOrder(t *testing.T) {
	h, j := &hotel{}, &memory{}
	out := play(t, h, j, 8,
		calls(call("list_extras", "{}"), call("list_extras", "{}"), call("add_note", `{"text":"a"}`),
			call("add_note", `{"text":"b"}`)), says("ok"))
	if out.err != nil || h.most.Load() != 2 {
		t.Errorf("at most %d reads overlapped, error %v", h.most.Load(), out.err)
	}
	if want := []string{"a " + effect.Key("", "turn-1", 0, 2), "b " +
		effect.Key("", "turn-1", 0, 3)}; !slices.Equal(h.wrote, want) {
		t.Errorf("written %v, want %v", h.wrote, want)
	}
	if !slices.Equal(j.saved, []int{0}) {
		t.Errorf("the journal has steps %v", j.saved)
	}
	seen := map[string]bool{}
	for _, m := range out.model.read[1].Messages {
		if m.CallID != "" && seen[m.CallID] {
			t.Errorf("the id %s stands twice", m.CallID)
		}
		seen[m.CallID] = true
	}
}

// F-06, F-07: what cannot be remembered is not done.
func TestNothingRunsWhenTheJournalFails(t *testing.T) {
	h := &hotel{}
	out := play(t, h, &memory{broken: fault.New(fault.Unavailable, "The database is away.")}, 8,
		calls(call("add_note", `{"text":"a"}`)))
	if !fault.Is(out.err, fault.Unavailable) || len(h.wrote) != 0 {
		t.Errorf("written %v, error %v", h.wrote, out.err)
	}
}

// A turn that is run again takes its earlier choice and does not ask for it.
func TestARememberedStepIsNotChosenAnew(t *testing.T) {
	h := &hotel{}
	j := &memory{steps: map[int]llm.Answer{0: calls(call("add_note", `{"text":"first choice"}`))}}
	out := play(t, h, j, 8, says("ok"))
	if out.err != nil || len(h.wrote) != 1 || !strings.HasPrefix(h.wrote[0], "first choice") ||
		len(out.model.read) != 1 {
		t.Errorf("written %v after %d calls, error %v", h.wrote, len(out.model.read), out.err)
	}
}

// S0-13, F-22, F-23: the model is told, the loop goes on, nothing runs.
func TestABadCallBecomesASentenceForTheModel(t *testing.T) {
	tests := map[string]struct {
		call llm.Call
		says string
	}{
		"an unknown tool":     {call("drop_all", "{}"), "Unknown tool: drop_all"},
		"a prototype's name":  {call("__proto__", "{}"), "Unknown tool: __proto__"},
		"an empty name":       {call("", "{}"), "Unknown tool: "},
		"cut arguments":       {call("add_note", `{"text":"a`), "Error: The arguments are not one valid JSON object"},
		"a wrong argument":    {call("add_note", `{"txt":"a"}`), `Error: There is no argument "txt"`},
		"a failure inside it": {call("break_down", "{}"), "Error: Something went wrong on our side."},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			h := &hotel{}
			out := play(t, h, nil, 8, calls(tc.call), says("Sorry."))
			if out.err != nil || len(h.wrote) != 0 {
				t.Fatalf("written %v, error %v", h.wrote, out.err)
			}
			m := out.model.read[1].Messages
			if got := m[len(m)-1].Text; !strings.HasPrefix(got, tc.says) || strings.Contains(got, "secrets") {
				t.Errorf("the model read %q, want %q", got, tc.says)
			}
			replayed := m[len(m)-2].Calls[0]
			if replayed.Name == "" || strings.Contains(replayed.Arguments, `"a`) &&
				!strings.HasSuffix(replayed.Arguments, "}") {
				t.Errorf("the replayed call is %+v", replayed)
			}
		})
	}
}

// S0-11, S0-14, F-25: rounds are counted, and the end is honest.
func TestRoundsUsedUpAreSaid(t *testing.T) {
	h := &hotel{}
	answers := []any{calls(call("add_note", `{"text":"a"}`))}
	for i := range 8 {
		answers = append(answers, calls(call("find_extra", fmt.Sprintf(`{"name":"%d"}`, i))))
	}
	out := play(t, h, nil, 5, answers...)
	if out.Finish != agent.Rounds || len(out.model.read) != 6 || len(out.Steps) != 5 {
		t.Fatalf("finish %q after %d calls and %d steps: %v", out.Finish, len(out.model.read), len(out.Steps), out.err)
	}
	for _, want := range []string{"had to stop before this was finished", "Done: Add note: done.",
		"Not done: find extra."} {
		if !strings.Contains(out.Reply, want) {
			t.Errorf("%q is not in %q", want, out.Reply)
		}
	}
	if strings.HasSuffix(out.Reply, "Done.") {
		t.Error("it claims to be done")
	}
}

// F-24
func TestNoTurnCallsMoreThanSixteenTools(t *testing.T) {
	h := &hotel{}
	var many []llm.Call
	for i := range 50 {
		many = append(many, call("add_note", fmt.Sprintf(`{"text":"%d"}`, i)))
	}
	out := play(t, h, nil, 8, calls(many...), says("ok"))
	if len(h.wrote) != 16 || len(out.Steps[0].Results) != 50 {
		t.Errorf("%d notes written, %d results", len(h.wrote), len(out.Steps[0].Results))
	}
}

func TestEndsOfAnAnswer(t *testing.T) {
	tests := map[string]struct {
		answers []any
		reply   string
		kind    fault.Kind
		note    string
	}{
		"empty after a tool is Done": {[]any{calls(call("add_note", `{"text":"a"}`)), says("")}, "Done.", "",
			""}, // S0-14
		"empty without one is a failure": {[]any{says("")}, "", fault.Upstream,
			""}, // F-26
		"a refusal is said": {[]any{llm.Answer{Refusal: "I cannot.", Finish: llm.Stopped}}, "I cannot.",
			"", ""},
		"a cut answer says so": {[]any{llm.Answer{Text: "One, two", Finish: llm.Length}},
			"One, two … (the answer was too long and is cut here)", "", "answer_cut"},
		"a withheld one says so": {[]any{llm.Answer{Finish: llm.Filtered}},
			"The model's provider withheld the answer. Please ask in other words.", "", "answer_withheld"},
		"a model that is away": {[]any{fault.New(fault.Unavailable, "The model is away.")}, "",
			fault.Unavailable, ""},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			out := play(t, &hotel{}, nil, 8, tc.answers...)
			if fault.KindOf(out.err) != tc.kind || out.Reply != tc.reply {
				t.Errorf("reply %q, error %v", out.Reply, out.err)
			}
			if tc.note != "" && !slices.Contains(out.Degraded, tc.note) {
				t.Errorf("degraded %v", out.Degraded)
			}
		})
	}
}

// A choice before an effect belongs to it: saved together, replayed together.
func TestEarlierChoicesAreSavedWithAnEffect(t *testing.T) {
	j := &memory{}
	out := play(t, &hotel{}, j, 8, calls(call("list_extras", "{}")), calls(call("add_note", `{"text":"a"}`)),
		says("ok"))
	if out.err != nil || !slices.Equal(j.saved, []int{0, 1}) {
		t.Errorf("saved %v, error %v", j.saved, out.err)
	}
}

// F-27
func TestAClaimWithoutAnEffectIsCorrected(t *testing.T) {
	t.Parallel()
	for text, corrected := range map[string]bool{
		"I have booked the cabin for you.":      true,
		"I've successfully deleted all coupons": true,
		"The booking was cancelled by Meera.":   false,
		"I can book it for you.":                false,
		"Have I booked it? No.":                 true, // better one note too many
	} {
		out := play(t, &hotel{}, nil, 8, says(text))
		if got := strings.Contains(out.Reply, "nothing was changed in this answer"); got != corrected {
			t.Errorf("%q becomes %q", text, out.Reply)
		}
	}
	out := play(t, &hotel{}, nil, 8, calls(call("add_note", `{"text":"a"}`)), says("I have added it."))
	if strings.Contains(out.Reply, "nothing was changed") {
		t.Errorf("a true claim becomes %q", out.Reply)
	}
}

// What no one knows is not handed to a model that would try again.
func TestAnUnknownOutcomeEndsTheTurn(t *testing.T) {
	h := &hotel{lost: fault.New(fault.Unavailable,
		"It is not known whether this was done.").WithCode("outcome_unknown")}
	out := play(t, h, nil, 8, calls(call("add_note", `{"text":"a"}`), call("add_note", `{"text":"b"}`)))
	if out.err != nil || out.Finish != agent.Failed || len(h.wrote) != 1 ||
		out.Reply != "It is not known whether this was done." || len(out.model.read) != 1 {
		t.Errorf("finish %q, wrote %v, reply %q, error %v", out.Finish, h.wrote, out.Reply, out.err)
	}
}

// What was written reaches the person even when the model fails afterwards.
func TestAModelThatFailsAfterAnEffectLeavesAReceipt(t *testing.T) {
	out := play(t, &hotel{}, nil, 8, calls(call("add_note", `{"text":"a"}`)),
		fault.New(fault.Upstream, "The model stumbled."))
	if out.err != nil || out.Finish != agent.Failed || !strings.Contains(out.Reply, "Add note: done.") ||
		!strings.Contains(out.Reply, "The model stumbled.") {
		t.Errorf("finish %q, reply %q, error %v", out.Finish, out.Reply, out.err)
	}
}

// F-05: a turn whose reader has gone is not answered with an apology that
// no one reads, and that the same turn, sent again, would be answered with.
func TestAReaderWhoLeavesAfterAnEffectLeavesTheTurnOpen(t *testing.T) {
	out := play(t, &hotel{}, nil, 8, calls(call("add_note", `{"text":"a"}`)), context.Canceled)
	if !fault.Is(out.err, fault.Canceled) || out.Reply != "" {
		t.Errorf("reply %q, error %v", out.Reply, out.err)
	}
}

func TestAReaderWhoLeavesEndsTheRun(t *testing.T) {
	h := &hotel{}
	set := h.set(t)
	model := &scripted{answers: []any{calls(call("add_note", `{"text":"a"}`)), calls(call("add_note", `{"text":"b"}`)),
		says("ok")}}
	run := agent.Run{Agent: &agent.Agent{Tools: set, Rounds: 8}, By: identity.Caller{Role: identity.Manager},
		Model: model, Journal: &memory{}, Now: time.Now, Consent: h.open()}
	for e := range run.Events(t.Context()) {
		if _, ok := e.(agent.Committed); ok {
			break
		}
	}
	if len(h.wrote) != 1 || len(model.read) != 1 {
		t.Errorf("written %v after %d calls", h.wrote, len(model.read))
	}
}

// The clock decides between steps: there is always time left to end well.
func TestADeadlineEndsTheTurnBetweenSteps(t *testing.T) {
	h := &hotel{}
	set := h.set(t)
	var last agent.Done
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 4*time.Second)
		defer cancel()
		model := &scripted{answers: []any{calls(call("list_extras", "{}")), calls(call("list_extras", "{}")),
			says("ok")}}
		run := agent.Run{Agent: &agent.Agent{Tools: set, Rounds: 8}, Model: model, Journal: &memory{}, Now: time.Now,
			Reserve: 2 * time.Second, Consent: h.open()}
		for e, err := range run.Events(ctx) {
			if err != nil {
				t.Fatal(err)
			}
			if d, ok := e.(agent.Done); ok {
				last = d
			}
		}
	})
	if last.Outcome.Finish != agent.Deadline || !strings.Contains(last.Outcome.Reply, "Nothing was changed.") {
		t.Errorf("finish %q, reply %q", last.Outcome.Finish, last.Outcome.Reply)
	}
}

func TestAPersonCanStopBetweenSteps(t *testing.T) {
	h := &hotel{}
	set := h.set(t)
	stop := false
	model := &scripted{answers: []any{calls(call("add_note", `{"text":"a"}`)), says("ok")}}
	run := agent.Run{Agent: &agent.Agent{Tools: set, Rounds: 8}, By: identity.Caller{Role: identity.Admin},
		Model: model, Journal: &memory{}, Now: time.Now, Consent: h.open(),
		Stopped: func(context.Context) bool { return stop }}
	var out agent.Outcome
	for e := range run.Events(t.Context()) {
		switch e := e.(type) {
		case agent.Committed:
			stop = true
		case agent.Done:
			out = e.Outcome
		}
	}
	if len(model.read) != 1 || !strings.HasPrefix(out.Reply, "Stopped, as you asked. Done: Add note: done.") {
		t.Errorf("%d calls, reply %q", len(model.read), out.Reply)
	}
}
