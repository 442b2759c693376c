package agent_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/agent"
	"github.com/bellhop-ai/bellhop/pkg/effect"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/llm"
	"github.com/bellhop-ai/bellhop/pkg/render"
	"github.com/bellhop-ai/bellhop/pkg/tool"
)

// scripted is a model that gives its answers in order and keeps what it read.
type scripted struct {
	answers []any // llm.Answer or error
	read    []llm.Request
}

func (m *scripted) Answer(_ context.Context, r llm.Request, show func(string) error) (llm.Answer, error) {
	r.Messages = slices.Clone(r.Messages)
	m.read = append(m.read, r)
	if len(m.read) > len(m.answers) {
		return llm.Answer{}, fmt.Errorf("the script has no answer %d", len(m.read))
	}
	switch a := m.answers[len(m.read)-1].(type) {
	case llm.Answer:
		for _, piece := range strings.SplitAfter(a.Text, " ") {
			if show == nil {
				break
			}
			if err := show(piece); err != nil {
				return a, err
			}
		}
		return a, nil
	case error:
		return llm.Answer{}, a
	}
	panic("neither an answer nor an error")
}

func says(text string) llm.Answer { return llm.Answer{Text: text, Finish: llm.Stopped} }

func calls(c ...llm.Call) llm.Answer { return llm.Answer{Calls: c, Finish: llm.ToolCall} }

func call(name, args string) llm.Call { return llm.Call{ID: "same", Name: name, Arguments: args} }

// memory is a journal; saving fails when broken is set.
type memory struct {
	steps  map[int]llm.Answer
	fresh  []int
	saved  []int
	broken error
}

func (*memory) Turn() string { return "turn-1" }
func (m *memory) Recall(step int) (llm.Answer, bool, error) {
	a, ok := m.steps[step]
	return a, ok, nil
}
func (m *memory) Remember(step int, _ llm.Answer) error {
	m.fresh = append(m.fresh, step)
	return nil
}
func (m *memory) Save(context.Context) error {
	if m.broken == nil {
		m.saved, m.fresh = append(m.saved, m.fresh...), nil
	}
	return m.broken
}

// hotel is a set of small tools that record what they did.
type hotel struct {
	wrote   []string
	reading atomic.Int32
	most    atomic.Int32
	lost    error // what adding a note returns
}

type listing struct {
	Names []string `json:"names"`
}

func (l listing) Table() render.Table {
	t := render.Table{Columns: []render.Column{{Key: "name", Label: "Name"}}}
	for _, n := range l.Names {
		t.Rows = append(t.Rows, []render.Cell{render.Text(n)})
	}
	return t
}

type noted struct {
	Text string `json:"text" jsonschema:"what to note"`
}

func (h *hotel) set(t *testing.T) *tool.Set {
	t.Helper()
	set, err := tool.NewSet(
		tool.New(tool.Spec{Name: "list_extras", Effect: tool.Reads, Description: "Lists the extras that guests can book."},
			func(context.Context, identity.Caller, struct{}) (listing, error) {
				h.most.Store(max(h.most.Load(), h.reading.Add(1)))
				defer h.reading.Add(-1)
				<-time.After(time.Second) // in a bubble: all reads overlap without waiting
				return listing{[]string{"Picnic", "Sauna"}}, nil
			}),
		tool.New(tool.Spec{Name: "add_note", Effect: tool.Writes, Description: "Adds a small note to the day's log."},
			func(ctx context.Context, _ identity.Caller, in noted) (map[string]string, error) {
				claim, _ := effect.From(ctx)
				h.wrote = append(h.wrote, in.Text+" "+claim.Key)
				return map[string]string{"noted": in.Text}, h.lost
			}),
		tool.New(tool.Spec{Name: "break_down", Effect: tool.Reads, Description: "Fails with a cause that nobody may see."},
			func(context.Context, identity.Caller, struct{}) (int, error) {
				return 0, errors.New("pq: relation secrets does not exist")
			}),
	)
	if err != nil {
		t.Fatal(err)
	}
	return set
}

type outcome struct {
	agent.Outcome
	events []agent.Event
	err    error
	model  *scripted
}

// play runs a turn in a bubble of its own time.
func play(t *testing.T, h *hotel, j *memory, rounds int, answers ...any) (out outcome) {
	t.Helper()
	if j == nil {
		j = &memory{}
	}
	set := h.set(t)
	out.model = &scripted{answers: answers}
	synctest.Test(t, func(t *testing.T) {
		run := agent.Run{
			Agent: &agent.Agent{Name: "inventory", Label: "Inventory Agent", Tools: set, Rounds: rounds, Window: 40},
			By:    identity.Caller{Role: identity.Manager}, System: "You are Bernard.",
			Messages: []llm.Message{{Role: llm.User, Text: "go"}}, Model: out.model, Journal: j, Now: time.Now, Live: len(answers)%2 == 0,
		}
		for e, err := range run.Events(t.Context()) {
			if err != nil {
				out.err = err
				break
			}
			out.events = append(out.events, e)
			if d, ok := e.(agent.Done); ok {
				out.Outcome = d.Outcome
			}
		}
	})
	return out
}

func text(events []agent.Event) string {
	var b strings.Builder
	for _, e := range events {
		if t, ok := e.(agent.Text); ok {
			b.WriteString(t.Text)
		}
	}
	return b.String()
}

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
	if !strings.Contains(out.Reply, "<table") || !strings.Contains(out.Reply, "Sauna") || text(out.events) != out.Reply {
		t.Errorf("the reply is %q", out.Reply)
	}
}

func TestATableThatIsNotPlacedIsAppended(t *testing.T) {
	out := play(t, &hotel{}, nil, 8, calls(call("list_extras", "{}")), says("Here you are."))
	if !strings.HasPrefix(out.Reply, "Here you are.\n\n<table") {
		t.Errorf("the reply is %q", out.Reply)
	}
}

// F-24: reads run together, ids are made unique, results keep their order.
func TestReadsRunTogetherAndEffectsInOrder(t *testing.T) {
	h, j := &hotel{}, &memory{}
	out := play(t, h, j, 8,
		calls(call("list_extras", "{}"), call("list_extras", "{}"), call("add_note", `{"text":"a"}`), call("add_note", `{"text":"b"}`)), says("ok"))
	if out.err != nil || h.most.Load() != 2 {
		t.Errorf("at most %d reads overlapped, error %v", h.most.Load(), out.err)
	}
	if want := []string{"a " + effect.Key("", "turn-1", 0, 2), "b " + effect.Key("", "turn-1", 0, 3)}; !slices.Equal(h.wrote, want) {
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
	out := play(t, h, &memory{broken: fault.New(fault.Unavailable, "The database is away.")}, 8, calls(call("add_note", `{"text":"a"}`)))
	if !fault.Is(out.err, fault.Unavailable) || len(h.wrote) != 0 {
		t.Errorf("written %v, error %v", h.wrote, out.err)
	}
}

// A turn that is run again takes its earlier choice and does not ask for it.
func TestARememberedStepIsNotChosenAnew(t *testing.T) {
	h := &hotel{}
	j := &memory{steps: map[int]llm.Answer{0: calls(call("add_note", `{"text":"first choice"}`))}}
	out := play(t, h, j, 8, says("ok"))
	if out.err != nil || len(h.wrote) != 1 || !strings.HasPrefix(h.wrote[0], "first choice") || len(out.model.read) != 1 {
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
			if replayed.Name == "" || strings.Contains(replayed.Arguments, `"a`) && !strings.HasSuffix(replayed.Arguments, "}") {
				t.Errorf("the replayed call is %+v", replayed)
			}
		})
	}
}

// S0-11, S0-14, F-25: rounds are counted, and the end is honest.
func TestRoundsUsedUpAreSaid(t *testing.T) {
	h := &hotel{}
	answers := []any{calls(call("add_note", `{"text":"a"}`))}
	for range 8 {
		answers = append(answers, calls(call("list_extras", "{}")))
	}
	out := play(t, h, nil, 5, answers...)
	if out.Finish != agent.Rounds || len(out.model.read) != 6 || len(out.Steps) != 5 {
		t.Fatalf("finish %q after %d calls and %d steps: %v", out.Finish, len(out.model.read), len(out.Steps), out.err)
	}
	for _, want := range []string{"had to stop before this was finished", "Done: Add note: done.", "Not done: list extras."} {
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
		"empty after a tool is Done":     {[]any{calls(call("add_note", `{"text":"a"}`)), says("")}, "Done.", "", ""}, // S0-14
		"empty without one is a failure": {[]any{says("")}, "", fault.Upstream, ""},                                   // F-26
		"a refusal is said":              {[]any{llm.Answer{Refusal: "I cannot.", Finish: llm.Stopped}}, "I cannot.", "", ""},
		"a cut answer says so":           {[]any{llm.Answer{Text: "One, two", Finish: llm.Length}}, "One, two … (the answer was too long and is cut here)", "", "answer_cut"},
		"a withheld one says so":         {[]any{llm.Answer{Finish: llm.Filtered}}, "The model's provider withheld the answer. Please ask in other words.", "", "answer_withheld"},
		"a model that is away":           {[]any{fault.New(fault.Unavailable, "The model is away.")}, "", fault.Unavailable, ""},
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
	out := play(t, &hotel{}, j, 8, calls(call("list_extras", "{}")), calls(call("add_note", `{"text":"a"}`)), says("ok"))
	if out.err != nil || !slices.Equal(j.saved, []int{0, 1}) {
		t.Errorf("saved %v, error %v", j.saved, out.err)
	}
}

// F-27
func TestAClaimWithoutAnEffectIsCorrected(t *testing.T) {
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

// What nobody knows is not handed to a model that would try again.
func TestAnUnknownOutcomeEndsTheTurn(t *testing.T) {
	h := &hotel{lost: fault.New(fault.Unavailable, "It is not known whether this was done.").WithCode("outcome_unknown")}
	out := play(t, h, nil, 8, calls(call("add_note", `{"text":"a"}`), call("add_note", `{"text":"b"}`)))
	if out.err != nil || out.Finish != agent.Failed || len(h.wrote) != 1 || out.Reply != "It is not known whether this was done." || len(out.model.read) != 1 {
		t.Errorf("finish %q, wrote %v, reply %q, error %v", out.Finish, h.wrote, out.Reply, out.err)
	}
}

// What was written reaches the person even when the model fails afterwards.
func TestAModelThatFailsAfterAnEffectLeavesAReceipt(t *testing.T) {
	out := play(t, &hotel{}, nil, 8, calls(call("add_note", `{"text":"a"}`)), fault.New(fault.Upstream, "The model stumbled."))
	if out.err != nil || out.Finish != agent.Failed || !strings.Contains(out.Reply, "Add note: done.") || !strings.Contains(out.Reply, "The model stumbled.") {
		t.Errorf("finish %q, reply %q, error %v", out.Finish, out.Reply, out.err)
	}
}

func TestAReaderWhoLeavesEndsTheRun(t *testing.T) {
	h := &hotel{}
	set := h.set(t)
	model := &scripted{answers: []any{calls(call("add_note", `{"text":"a"}`)), calls(call("add_note", `{"text":"b"}`)), says("ok")}}
	run := agent.Run{Agent: &agent.Agent{Tools: set, Rounds: 8}, By: identity.Caller{Role: identity.Manager}, Model: model, Journal: &memory{}, Now: time.Now}
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
		model := &scripted{answers: []any{calls(call("list_extras", "{}")), calls(call("list_extras", "{}")), says("ok")}}
		run := agent.Run{Agent: &agent.Agent{Tools: set, Rounds: 8}, Model: model, Journal: &memory{}, Now: time.Now, Reserve: 2 * time.Second}
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
	run := agent.Run{Agent: &agent.Agent{Tools: set, Rounds: 8}, By: identity.Caller{Role: identity.Admin}, Model: model, Journal: &memory{}, Now: time.Now,
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
