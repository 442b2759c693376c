package flow

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/agent"
	"github.com/bellhop-ai/bellhop/pkg/assistants"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/tool"
	"github.com/bellhop-ai/bellhop/pkg/vocabulary"
)

// Runtime runs the turns and the tools of an assistant. It is immutable and
// shared by all requests; New makes it.
type Runtime struct {
	assistants.Profile
	// Flow answers its turns.
	Flow Flow
	// Agents are those that the flow may run. Profile.AgentNames has the same
	// names and labels.
	Agents []*agent.Agent
	// Facts, if not nil, returns the data of the personas: what every prompt
	// may say about the caller, the entity and the day. It may read data, with
	// the caller's token, until ctx ends. An error ends the turn, unless facts
	// are returned with it; then the answer reports that they are incomplete.
	Facts func(ctx context.Context, by identity.Caller, now time.Time) (any, error)

	// Adds, if not nil, returns the tools that an agent has for the caller when
	// these are known only at run time, such as those of a server of the caller's
	// own: the agent's own and others, as tool.Sets makes them. nil leaves the
	// agent its own.
	Adds func(ctx context.Context, by identity.Caller, a *agent.Agent) (*tool.Set, error)

	// Words are how its domain talks: by them, besides the common ones, answers to
	// its questions are understood and its agents' claims are checked.
	Words vocabulary.Words

	entries []Entry
	claims  *agent.Claims
}

// Entry is a tool and the agents that have it.
type Entry struct {
	Tool   tool.Tool
	Agents []string
}

// New returns a runtime, or an error that names what is missing or duplicate.
func New(r Runtime) (*Runtime, error) {
	problems := []error{r.Profile.Check()}
	if r.Flow == nil {
		problems = append(problems, fmt.Errorf("assistant %s: it needs a flow", r.Name))
	}
	if len(r.Agents) != len(r.AgentNames) {
		problems = append(problems, fmt.Errorf("assistant %s: the profile names %d agents, and there are %d",
			r.Name, len(r.AgentNames), len(r.Agents)))
	}
	for _, a := range r.Agents {
		if label, ok := r.Label(a.Name); !ok || label != a.Label {
			problems = append(problems, fmt.Errorf("assistant %s: the profile does not name the agent %s, %q", r.Name,
				a.Name, a.Label))
		}
		if a.Persona == nil || a.Rounds < 1 || a.Window < 1 {
			problems = append(problems, fmt.Errorf("assistant %s: agent %s needs a persona, rounds and a window",
				r.Name, a.Name))
		}
	}
	r.entries, r.claims = entries(r.Agents), agent.NewClaims(r.Words)
	problems = append(problems, r.checkParts())
	for _, e := range r.entries {
		for _, name := range e.Agents {
			// The required consent is the same for every agent, and without
			// one.
			a, _ := r.Agent(name)
			if t, _ := a.Tools.Find(e.Tool.Name()); t.Effect() != e.Tool.Effect() {
				problems = append(problems, fmt.Errorf("assistant %s: the tool %s has two effects", r.Name,
					e.Tool.Name()))
			}
		}
	}
	return &r, errors.Join(problems...)
}

// For returns the runtime with the tools that its agents have for the caller: r
// itself where these are the same for all callers. Every handler calls it once,
// when the caller is known.
func (r *Runtime) For(ctx context.Context, by identity.Caller) (*Runtime, error) {
	if r.Adds == nil {
		return r, nil
	}
	own := *r
	own.Agents = make([]*agent.Agent, len(r.Agents))
	for i, a := range r.Agents {
		set, err := r.Adds(ctx, by, a)
		if err != nil {
			return nil, fmt.Errorf("tools of %s for the agent %s: %w", r.Name, a.Name, err)
		}
		if own.Agents[i] = a; set != nil {
			more := *a
			more.Tools = set
			own.Agents[i] = &more
		}
	}
	own.entries = entries(own.Agents)
	return &own, own.checkParts()
}

// Shows reports whether the profile names a kind of parts.
func (r *Runtime) Shows(kind string) bool { return slices.Contains(r.Parts, kind) }

// checkParts returns an error for each tool that may show a kind of parts that
// the profile does not name.
func (r *Runtime) checkParts() error {
	var problems []error
	for _, e := range r.entries {
		for _, kind := range e.Tool.Kinds() {
			if !r.Shows(kind) {
				problems = append(problems, fmt.Errorf("assistant %s: the tool %s shows parts of the kind %s, which "+
					"the profile does not name",
					r.Name, e.Tool.Name(), kind))
			}
		}
	}
	return errors.Join(problems...)
}

// Agent returns the agent of that name.
func (r *Runtime) Agent(name string) (*agent.Agent, bool) {
	i := slices.IndexFunc(r.Agents, func(a *agent.Agent) bool { return a.Name == name })
	if i < 0 {
		return nil, false
	}
	return r.Agents[i], true
}

// Tools returns every tool once, in the order in which agents name them. The
// list is the runtime's own.
func (r *Runtime) Tools() []Entry { return r.entries }

// Tool returns the tool of that name.
func (r *Runtime) Tool(name string) (Entry, bool) {
	i := slices.IndexFunc(r.entries, func(e Entry) bool { return e.Tool.Name() == name })
	if i < 0 {
		return Entry{}, false
	}
	return r.entries[i], true
}

// HasAny reports whether one of the names, which may include EveryRead, is a
// tool of the assistant.
func (r *Runtime) HasAny(names ...string) bool {
	return slices.ContainsFunc(r.entries, func(e Entry) bool {
		return slices.Contains(names, e.Tool.Name()) || slices.Contains(names, EveryRead) &&
			e.Tool.Effect() == tool.Reads
	})
}

func entries(agents []*agent.Agent) []Entry {
	var list []Entry
	for _, a := range agents {
		for _, t := range a.Tools.All() {
			i := slices.IndexFunc(list, func(e Entry) bool { return e.Tool.Name() == t.Name() })
			if i < 0 {
				list = append(list, Entry{Tool: t})
				i = len(list) - 1
			}
			list[i].Agents = append(list[i].Agents, a.Name)
		}
	}
	return list
}
