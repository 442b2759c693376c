package finance

import (
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/agent"
	"github.com/bellhop-ai/bellhop/pkg/finance/cache"
	"github.com/bellhop-ai/bellhop/pkg/history"
	"github.com/bellhop-ai/bellhop/pkg/part"
	"github.com/bellhop-ai/bellhop/pkg/tool"
)

// Cache keeps answers; *cache.Cache is one.
type Cache interface {
	Get(ctx context.Context, q cache.Question) (*cache.Entry, *cache.Asked, error)
	Put(ctx context.Context, asked *cache.Asked, turn cache.Turn, e cache.Entry) (bool, error)
}

// details are what an entry has besides its text and its parts.
type details struct {
	Understanding agent.Understanding `json:"understanding"`
	Steps         []history.Step      `json:"steps,omitempty"`
	Asked         bool                `json:"asked,omitempty"`
}

// keeps reports whether the answer depends on nothing but the question, so that it may
// be kept and taken from what was kept.
func (w way) keeps() bool {
	return w.f.cfg.Cache != nil && w.q.typed && w.t.Choice.Pipeline != realtime && w.t.Choice.MaxTokens == 0 &&
		(!w.q.earlier || w.q.accepted && !w.q.pointsBack())
}

// kept returns what was answered before to the same question, nil for nothing, and
// what keeps a new answer.
func (w way) kept(ctx context.Context, books *agent.Agent) (*cache.Entry, *cache.Asked) {
	if !w.keeps() {
		return nil, nil
	}
	var offered strings.Builder
	for _, t := range books.Tools.All() {
		fmt.Fprintf(&offered, "%s %d %s\n", t.Name(), t.Effect(), t.Spec().Description)
	}
	q := cache.Question{By: w.t.By, Assistant: w.t.Profile().Name, Pipeline: "api " + w.t.Form(),
		Language: string(w.q.language), Tools: offered.String(), Text: w.q.text, Today: w.q.today}
	entry, asked, err := w.f.cfg.Cache.Get(ctx, q)
	if err != nil {
		w.f.report(ctx, "the kept answers", err)
		return nil, nil
	}
	return entry, asked
}

// repeat gives an answer that was kept.
func (w way) repeat(entry *cache.Entry) (events, bool) {
	var d details
	var parts []part.Part
	if json.Unmarshal(entry.Details, &d) != nil || len(entry.Parts) > 0 && json.Unmarshal(entry.Parts, &parts) != nil {
		return nil, false
	}
	names := map[string]string{}
	for i := range parts {
		name := agent.PartName(len(w.t.History.Entries), i)
		names[parts[i].ID], parts[i].ID = name, name
	}
	for i := range parts {
		parts[i].Beside = names[parts[i].Beside]
	}
	for i := range d.Steps {
		for j := range d.Steps[i].Calls {
			id := history.CallID(len(w.t.History.Entries), i, j)
			d.Steps[i].Calls[j].ID, d.Steps[i].Results[j].CallID = id, id
		}
	}
	return func(yield func(agent.Event, error) bool) {
		why := "the same was asked before, and nothing has changed since"
		if !w.routed(agent.PathCached, unified, why, "cached", yield) || !yield(agent.Text{Text: entry.Text}, nil) {
			return
		}
		for _, p := range parts {
			if !yield(agent.Shown{Part: p}, nil) {
				return
			}
		}
		o := agent.Outcome{Understanding: d.Understanding, Reply: entry.Text, Finish: agent.Stop, Steps: d.Steps,
			Parts: parts, Sources: entry.Sources, Asked: d.Asked}
		o.Path, o.Reasoning = agent.PathCached, why
		yield(agent.Done{Outcome: o}, nil)
	}, true
}

// keeping keeps the answer of a turn that only read.
func (w way) keeping(ctx context.Context, asked *cache.Asked, books *agent.Agent, worded bool, answer events) events {
	if asked == nil {
		return answer
	}
	return func(yield func(agent.Event, error) bool) {
		for e, err := range answer {
			if done, ok := e.(agent.Done); ok && err == nil {
				w.keep(ctx, asked, books, worded, done.Outcome)
			}
			if !yield(e, err) {
				return
			}
		}
	}
}

func (w way) keep(ctx context.Context, asked *cache.Asked, books *agent.Agent, worded bool, o agent.Outcome) {
	if o.Finish != agent.Stop || len(o.Degraded) > 0 || o.Proposal != nil || len(o.Used) == 0 || o.Asked {
		return
	}
	e := cache.Entry{Text: o.Reply, Worded: worded || o.Model != ""}
	for _, u := range o.Used {
		t, ok := books.Tools.Find(u.Tool)
		if !ok || !u.OK || u.Effect || t.Effect() != tool.Reads {
			return
		}
		if !slices.Contains(e.Tools, u.Tool) {
			e.Tools = append(e.Tools, u.Tool)
		}
	}
	e.Sources = e.Tools
	d := details{Understanding: o.Understanding, Steps: withoutHandles(o.Steps)}
	d.Understanding.Guess = nil
	var err error
	if e.Parts, err = json.Marshal(o.Parts); err == nil {
		e.Details, err = json.Marshal(d)
	}
	if err == nil {
		_, err = w.f.cfg.Cache.Put(ctx, asked, cache.Turn{Context: !w.keeps()}, e)
	}
	if err != nil {
		w.f.report(ctx, "an answer was not kept", err)
	}
}

// handles stand for ids of the books in one conversation.
var handles = regexp.MustCompile(`\bid-[a-z2-7]{6,52}\b`)

// withoutHandles returns steps as another conversation may have them.
func withoutHandles(steps []history.Step) []history.Step {
	out := make([]history.Step, len(steps))
	for i, s := range steps {
		out[i] = history.Step{Text: s.Text, Calls: slices.Clone(s.Calls), Results: slices.Clone(s.Results)}
		for j := range out[i].Results {
			out[i].Results[j].Text = handles.ReplaceAllString(out[i].Results[j].Text, "")
		}
	}
	return out
}
