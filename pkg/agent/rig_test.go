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
	"github.com/bellhop-ai/bellhop/pkg/assistants/hospitality"
	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/consent"
	"github.com/bellhop-ai/bellhop/pkg/effect"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/llm"
	"github.com/bellhop-ai/bellhop/pkg/money"
	"github.com/bellhop-ai/bellhop/pkg/render"
	"github.com/bellhop-ai/bellhop/pkg/tool"
	"github.com/bellhop-ai/bellhop/pkg/vocabulary"
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
	case broken:
		if show != nil && a.text != "" {
			if err := show(a.text); err != nil {
				return llm.Answer{}, err
			}
		}
		return llm.Answer{}, a.err
	}
	panic("neither an answer nor an error")
}

// broken is an answer that breaks off after some text.
type broken struct {
	text string
	err  error
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
	proposals
	notes   string   // what a user of another organisation wrote into every extra
	said    []string // what the person typed
	earlier []string // what tools answered before
}

// proposals is a consent.Store that keeps what is proposed, and what was done.
type proposals struct {
	drafts []consent.Draft
	before time.Time // when the same was done
}

func (d *proposals) Propose(_ context.Context, _ identity.Caller, draft consent.Draft) (consent.Proposal, error) {
	d.drafts = append(d.drafts, draft)
	return consent.Proposal{Draft: draft, State: consent.Pending}, nil
}

func (d *proposals) Done(context.Context, identity.Caller, consent.Act, time.Duration) (time.Time, bool, error) {
	return d.before, !d.before.IsZero(), nil
}

func (*proposals) Proposals(context.Context, identity.Caller, consent.Query) ([]consent.Proposal, error) {
	return nil, errors.New("a run lists no proposals")
}

func (*proposals) Reject(context.Context, identity.Caller, string) (consent.Proposal, error) {
	return consent.Proposal{}, errors.New("a run rejects no proposals")
}

func (*proposals) Renew(context.Context, identity.Caller, consent.Proposal, tool.Preview) error {
	return errors.New("a run renews no proposals")
}

func (d *proposals) open() *consent.Service {
	return &consent.Service{Store: d, NewID: func() string { return "11111111-2222-4333-8444-555555555555" },
		Code: func() string { return "K7QM" }}
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

type named struct {
	Name string `json:"name" jsonschema:"what it is called"`
}

type due struct {
	Name   string        `json:"name" jsonschema:"what it is called"`
	From   calendar.Date `json:"from,omitzero" jsonschema:"the first day"`
	Amount money.Amount  `json:"amount,omitzero" jsonschema:"what it costs"`
}

// remover is a tool that asks.
func remover(name string, effect tool.Effect, h *hotel) tool.Tool {
	return tool.New(tool.Spec{Name: name, Effect: effect,
		Description: "Changes what is known of an extra, or deletes it."},
		func(_ context.Context, _ identity.Caller, in due) (map[string]string, error) {
			h.wrote = append(h.wrote, name+" "+in.Name)
			return map[string]string{"done": in.Name}, nil
		},
		tool.Previewed(func(_ context.Context, _ identity.Caller, in due) (tool.Preview, error) {
			p := tool.Preview{Title: "Change it", Lines: []tool.Line{{Label: "House", After: "Test House"},
				{Label: "Name", After: in.Name}}}
			if !in.From.IsZero() {
				p.Lines = append(p.Lines, tool.Line{Label: "From", After: in.From.Show()})
			}
			if !in.Amount.IsZero() {
				p.Lines = append(p.Lines, tool.Line{Label: "Price", Before: "₹10.00", After: in.Amount.Format("INR")})
			}
			return p, nil
		}))
}

func (h *hotel) set(t *testing.T) *tool.Set {
	t.Helper()
	set, err := tool.NewSet(
		tool.New(tool.Spec{Name: "list_extras", Effect: tool.Reads,
			Description: "Lists the extras that guests can book."},
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
		tool.New(tool.Spec{Name: "find_extra", Effect: tool.Reads, Description: "Finds an extra by its name.",
			Untrusted: []string{"notes"}},
			func(_ context.Context, _ identity.Caller, in named) (map[string]any, error) {
				if in.Name == "panic" {
					panic("a broken tool")
				}
				return map[string]any{"name": in.Name, "code": "X" + in.Name, "notes": h.notes}, nil
			}),
		remover("delete_extra", tool.Destroys, h), remover("rename_extra", tool.Changes, h),
		tool.New(tool.Spec{Name: "break_down", Effect: tool.Reads,
			Description: "Fails with a cause that nobody may see."},
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

// play runs a turn in a bubble of its own time, every other one live.
func play(t *testing.T, h *hotel, j *memory, rounds int, answers ...any) outcome {
	t.Helper()
	return run(t, h, j, rounds, len(answers)%2 == 0, answers...)
}

func playLive(t *testing.T, h *hotel, answers ...any) outcome {
	t.Helper()
	return run(t, h, nil, 8, true, answers...)
}

func run(t *testing.T, h *hotel, j *memory, rounds int, live bool, answers ...any) outcome {
	t.Helper()
	return runAs(t, hospitality.Words(), h, j, rounds, live, answers...)
}

// runAs is run with the words of an assistant.
func runAs(
	t *testing.T, words vocabulary.Words, h *hotel, j *memory, rounds int, live bool, answers ...any,
) (out outcome) {
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
			Messages: []llm.Message{{Role: llm.User, Text: "go"}}, Model: out.model, Journal: j, Now: time.Now,
			Live: live, Consent: h.open(),
			Sources: func() (said, results []string) { return h.said, h.earlier },
			Claims:  agent.NewClaims(words), Authors: words.Authors,
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
