package flow

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"regexp"
	"slices"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/agent"
	"github.com/bellhop-ai/bellhop/pkg/assistants"
	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/consent"
	"github.com/bellhop-ai/bellhop/pkg/history"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/llm"
	"github.com/bellhop-ai/bellhop/pkg/render"
	"github.com/bellhop-ai/bellhop/pkg/tool"
	"github.com/bellhop-ai/bellhop/pkg/turns"
)

// Choice has the options of a request among those that the assistant offers.
type Choice struct {
	Agent    string // of the assistant's own; "" leaves it to the flow
	Pipeline string // "realtime" or "api"; "" is the assistant's own
	Deep     bool
	// Entity says that the request names the entity; otherwise the caller's is the first
	// of its kind.
	Entity bool
	// MaxTokens lowers the limit on the length of the models' answers; 0 leaves
	// it unchanged.
	MaxTokens int
}

// Config has the dependencies of a turn. All of them are required, except the
// functions marked as optional.
type Config struct {
	Runtime *Runtime
	By      identity.Caller
	Thread  string
	// Location is where the person is now, where the request says so; nil otherwise.
	Location *Location
	// Project is the project that the conversation is about, by its id or code, as it is
	// recorded or as the request names it; "" for none.
	Project string
	History history.Conversation
	Choice  Choice
	// Models returns the organisation's model of a tier, limited by its budget
	// and cancelled with the process.
	Models  func(context.Context, llm.Tier) (llm.Model, error)
	Journal *turns.Journal
	Consent *consent.Service
	Now     calendar.Clock
	Reserve time.Duration // kept back of the context's time for ending well
	// Stopped reports whether the user asked to stop; optional.
	Stopped func(context.Context) bool
	// Live asks models to stream their text.
	Live bool
	// Layout lays tables out; optional, see agent.Run.
	Layout func(t render.Table, limit int) string
	// TextOnly says that the client shows text alone.
	TextOnly bool
	// Report is called for tools that failed; optional.
	Report func(ctx context.Context, tool string, err error)
}

// Turn is one request to an assistant, as its flow sees it. It belongs to the
// flow until the answer has ended; its methods may be called from several
// goroutines.
type Turn struct {
	By      identity.Caller
	History history.Conversation // opened; what the person said stands last
	Choice  Choice
	cfg     Config
	facts   facts
	account account
	handles *tool.Handles
}

// Location is a point on the earth, in degrees.
type Location struct{ Lat, Lon float64 }

// NewTurn returns the turn. The caller must close it.
func NewTurn(cfg Config) *Turn {
	var known []tool.Handle
	for _, h := range cfg.History.Handles() {
		known = append(known, tool.Handle{Name: h.Name, ID: json.RawMessage(h.ID)})
	}
	return &Turn{By: cfg.By, History: cfg.History, Choice: cfg.Choice, cfg: cfg,
		handles: tool.NewHandles(cfg.Thread, known)}
}

// Handles returns the handles that tools of third parties were given in this
// turn. They belong into its seal.
func (t *Turn) Handles() []history.Handle {
	var out []history.Handle
	for _, h := range t.handles.Fresh() {
		out = append(out, history.Handle{Name: h.Name, ID: string(h.ID)})
	}
	return out
}

// Close cancels pending reads of the turn, and waits for them.
func (t *Turn) Close() { t.facts.close() }

// Profile returns the assistant's profile.
func (t *Turn) Profile() assistants.Profile { return t.cfg.Runtime.Profile }

// Agents returns the agents that this turn may run; of a visitor's turn there
// may be fewer than the assistant has.
func (t *Turn) Agents() []*agent.Agent { return t.cfg.Runtime.Agents }

// Agent returns the agent of that name.
func (t *Turn) Agent(name string) (*agent.Agent, bool) { return t.cfg.Runtime.Agent(name) }

// Tools returns how many tools the assistant has in this turn.
func (t *Turn) Tools() int { return len(t.cfg.Runtime.entries) }

// Form is how tables stand in the reply: "html", or "text" for a client that shows
// text alone.
func (t *Turn) Form() string {
	if t.cfg.TextOnly {
		return "text"
	}
	return "html"
}

// Shows reports whether answers may have parts of a kind.
func (t *Turn) Shows(kind string) bool { return t.cfg.Runtime.Shows(kind) }

// Project returns the project that the conversation is about, by its id or code; "" for
// none. Where the conversation is not recorded, only the request names it.
func (t *Turn) Project() string { return t.cfg.Project }

// Location returns where the person is, where the request says so; nil otherwise. It is for
// this turn alone and is not kept with it.
func (t *Turn) Location() *Location { return t.cfg.Location }

// Name returns the name of the turn, the same in each attempt at it.
func (t *Turn) Name() string { return t.cfg.Journal.Turn() }

// Now returns the time.
func (t *Turn) Now() time.Time { return t.cfg.Now() }

// Last returns the agent of the last verified answer; "" when that is not
// known.
func (t *Turn) Last() string {
	if last, ok := t.History.Last(llm.Assistant); ok && last.State != nil {
		return last.State.Agent
	}
	return ""
}

// Recall returns what an earlier attempt of this turn chose under a name, or "".
func (t *Turn) Recall(name string) string { return t.cfg.Journal.RecallChoice(name) }

// Remember keeps a choice of the flow, so that an attempt after a crash repeats
// it. It is stored before the first write of this turn.
func (t *Turn) Remember(name, choice string) error { return t.cfg.Journal.RememberChoice(name, choice) }

// Filter returns a text of a model as users may see it: without images, scripts
// and links to hosts that are not allowed.
func (t *Turn) Filter(text string) string {
	f := render.Filter{Hosts: t.cfg.Runtime.Hosts}
	return f.Push(text) + f.Close()
}

// Model returns the organisation's model of a tier for questions of the flow
// itself. Its tokens are charged to the budget and counted in the answer's
// usage.
func (t *Turn) Model(ctx context.Context, tier llm.Tier) (llm.Model, error) {
	m, err := t.cfg.Models(ctx, tier)
	if err != nil {
		return nil, err
	}
	return counted{m, &t.account}, nil
}

// Beside returns the organisation's model of a tier for a question that has no part in
// the answer. Its tokens are charged to the budget, and not counted in the answer's
// usage.
func (t *Turn) Beside(ctx context.Context, tier llm.Tier) (llm.Model, error) {
	return t.cfg.Models(ctx, tier)
}

// Run runs an agent on the conversation. Its outcome names the agent, and says
// that a model answered; a flow can change that with Finally.
func (t *Turn) Run(ctx context.Context, a *agent.Agent, options ...RunOption) iter.Seq2[agent.Event, error] {
	return func(yield func(agent.Event, error) bool) {
		o := runOptions{tier: llm.Capable}
		for _, choose := range options {
			choose(&o)
		}
		r, err := t.prepare(ctx, a, o.tier)
		if err != nil {
			yield(nil, err)
			return
		}
		r.Enrich = o.enrich
		r.Events(tool.WithHandles(ctx, t.handles))(t.counting(yield))
	}
}

// RunOption adds to a run.
type RunOption func(*runOptions)

type runOptions struct {
	tier   llm.Tier
	enrich func(results []agent.Answered) agent.Enriched
}

// Enriched lets code find more in the results of a run; see agent.Run.Enrich.
func Enriched(find func(results []agent.Answered) agent.Enriched) RunOption {
	return func(o *runOptions) { o.enrich = find }
}

// On runs the agent on the organisation's model of a tier in the place of the
// capable one.
func On(tier llm.Tier) RunOption { return func(o *runOptions) { o.tier = tier } }

// Planned runs a plan with an agent's tools. No model is asked, and none need be
// there; the outcome has the path agent.PathFast.
func (t *Turn) Planned(ctx context.Context, a *agent.Agent, plan agent.Plan,
	options ...RunOption) iter.Seq2[agent.Event, error] {
	return func(yield func(agent.Event, error) bool) {
		var o runOptions
		for _, choose := range options {
			choose(&o)
		}
		r, err := t.prepare(ctx, a, "")
		if err != nil {
			yield(nil, err)
			return
		}
		r.Plan, r.Enrich = plan, o.enrich
		r.Events(tool.WithHandles(ctx, t.handles))(t.counting(yield))
	}
}

// Member is one of several runs of a turn.
type Member struct {
	Name  string // lower-case letters and digits, at most 16, no two alike
	Agent *agent.Agent
	// Within, if above zero, is how long it may take; the turn's deadline
	// applies as well.
	Within time.Duration
}

var nameShape = regexp.MustCompile(`^[a-z][a-z0-9]{0,15}$`)

// Parallel runs several agents on the conversation at the same time; see
// agent.Parallel. Its outcome says how each ended, and names no agent as the one
// that answered: the flow does, with Finally.
func (t *Turn) Parallel(ctx context.Context, members ...Member) iter.Seq2[agent.Event, error] {
	return func(yield func(agent.Event, error) bool) {
		runs := make([]agent.Run, len(members))
		for i, m := range members {
			if !nameShape.MatchString(m.Name) || slices.ContainsFunc(members[:i],
				func(o Member) bool { return o.Name == m.Name }) {
				yield(nil, fmt.Errorf("flow: %q does not name one run of several", m.Name))
				return
			}
			r, err := t.prepare(ctx, m.Agent, llm.Capable)
			if err != nil {
				yield(nil, err)
				return
			}
			r.Name, r.Within, r.Journal = m.Name, m.Within, t.cfg.Journal.Run(m.Name)
			runs[i] = r
		}
		agent.Parallel(tool.WithHandles(ctx, t.handles), runs)(t.counting(yield))
	}
}

// Approved executes the call that the user approved, and lets the agent that
// proposed it continue where it had requested more calls; see
// agent.Run.Approved.
func (t *Turn) Approved(ctx context.Context, a *agent.Agent, p consent.Proposal, acts tool.Tool,
	goOn bool) iter.Seq2[agent.Event, error] {
	return func(yield func(agent.Event, error) bool) {
		var tier llm.Tier
		if goOn {
			tier = llm.Capable
		}
		r, err := t.prepare(ctx, a, tier)
		if err != nil {
			yield(nil, err)
			return
		}
		r.Approved(tool.WithHandles(ctx, t.handles), p, acts, goOn)(t.counting(yield))
	}
}

// counting counts the calls of tools of a run for the turn.
func (t *Turn) counting(yield func(agent.Event, error) bool) func(agent.Event, error) bool {
	return func(e agent.Event, err error) bool {
		if done, ok := e.(agent.Done); ok {
			t.account.called(len(done.Outcome.Used))
		}
		return yield(e, err)
	}
}

// prepare returns the run of an agent with the dependencies of the turn.
// Without a tier no model will be asked, and the persona is left out.
func (t *Turn) prepare(ctx context.Context, a *agent.Agent, tier llm.Tier) (agent.Run, error) {
	c, system := t.cfg, ""
	var model llm.Model
	if tier != "" {
		var err error
		if model, err = c.Models(ctx, tier); err != nil {
			return agent.Run{}, err
		}
		facts, err := t.Facts(ctx)
		if err != nil {
			return agent.Run{}, err
		}
		if system, err = a.Persona.Fill(facts); err != nil {
			return agent.Run{}, err
		}
	}
	if most := t.Choice.MaxTokens; most > 0 && (a.Settings.MaxTokens == 0 || most < a.Settings.MaxTokens) {
		shorter := *a
		shorter.Settings.MaxTokens = most
		a = &shorter
	}
	return agent.Run{
		Agent: a, Assistant: c.Runtime.Name, Thread: c.Thread, By: t.By, System: system,
		Messages: c.History.Prompt(a.Reads()), Shorter: c.History.Prompt, Position: len(c.History.Entries),
		Model: model, Journal: c.Journal.Run(""), Consent: c.Consent, Hosts: c.Runtime.Hosts, Layout: c.Layout,
		TextOnly: c.TextOnly,
		Now:      c.Now,
		Reserve:  c.Reserve, Stopped: c.Stopped, Tainted: func() bool { return t.readUntrusted(a) }, Live: c.Live,
		Report: c.Report, Shows: c.Runtime.Shows,
		Calls: t.account.left(), Claims: c.Runtime.claims, Authors: c.Runtime.Words.Authors,
		Sources: func() (said, results []string) { return c.History.Said(), t.findings() }, Heard: c.History.Verified,
	}, nil
}

// resultAge is how long a tool result counts as a source of arguments.
const resultAge = 24 * time.Hour

// findings returns the results of the assistant's tools in earlier turns,
// without untrusted text.
func (t *Turn) findings() []string {
	var out []string
	for _, f := range t.cfg.History.Results(resultAge) {
		if used, ok := t.cfg.Runtime.Tool(f.Tool); ok {
			text, _ := used.Tool.Trusted(json.RawMessage(f.Text))
			out = append(out, string(text))
		}
	}
	return out
}

// Degraded returns the public codes of what the turn did without, besides those
// of its runs.
func (t *Turn) Degraded() []string {
	t.account.mu.Lock()
	defer t.account.mu.Unlock()
	return slices.Clone(t.account.degraded)
}

// Usage returns what the flow's own questions to models used.
func (t *Turn) Usage() llm.Usage {
	t.account.mu.Lock()
	defer t.account.mu.Unlock()
	return t.account.usage
}
