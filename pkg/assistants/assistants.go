// Package assistants says what an assistant is: a persona and a sum of agents,
// each with its tools. The folders below make the ones that ship.
package assistants

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/agent"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/router"
	"github.com/bellhop-ai/bellhop/pkg/tool"
)

// Assistant is immutable and shared by all requests. Check it once at start.
type Assistant struct {
	Name        string // in addresses: "hospitality"
	Title       string // for people: "Bernard"
	Greeting    string
	Suggestions []string // questions that a new conversation offers
	EntityKind  string   // what it works for: "property"
	// Records says that turns whose client names their conversation are kept
	// with it, and Prefix begins the numbers that people see: "SC" of "#SC-0001".
	Records bool
	Prefix  string
	Router  *router.Router
	Agents  []*agent.Agent
	// Facts returns the data of the personas: what every prompt of this
	// assistant may say of the caller, the place and the day.
	Facts func(by identity.Caller, now time.Time) (any, error)
	// Hosts are those to which links in replies may lead.
	Hosts []string
	// Public names the tools that visitors may use where an operator admits them
	// and says nothing else: they read, and answer nothing about people.
	Public []string
	// Variants are the other ways of working that a request may choose; an
	// assistant without any has one way.
	Variants []Variant
}

var prefixShape = regexp.MustCompile(`^[A-Z]{2,3}$`)

// Entry is a tool and the agents that have it.
type Entry struct {
	Tool   tool.Tool
	Agents []string
}

// Check reports what is missing or stands twice.
func (a *Assistant) Check() error {
	var problems []error
	if a.Name == "" || a.Router == nil || len(a.Agents) == 0 || a.Facts == nil {
		problems = append(problems, fmt.Errorf("assistant %q: it needs a name, a router, agents and facts", a.Name))
	}
	if a.Records && !prefixShape.MatchString(a.Prefix) {
		problems = append(problems, fmt.Errorf("assistant %s: whose conversations are kept needs a prefix of two or three capitals", a.Name))
	}
	for i, g := range a.Agents {
		if slices.ContainsFunc(a.Agents[:i], func(o *agent.Agent) bool { return o.Name == g.Name }) {
			problems = append(problems, fmt.Errorf("assistant %s: two agents are called %s", a.Name, g.Name))
		}
		if g.Persona == nil || g.Rounds < 1 || g.Window < 1 {
			problems = append(problems, fmt.Errorf("assistant %s: agent %s needs a persona, rounds and a window", a.Name, g.Name))
		}
	}
	for _, e := range a.Tools() {
		for _, name := range e.Agents {
			// Whichever agent asks, and without one, the same consent is needed.
			g, _ := a.Agent(name)
			if t, _ := g.Tools.Find(e.Tool.Name()); t.Effect() != e.Tool.Effect() {
				problems = append(problems, fmt.Errorf("assistant %s: the tool %s has two effects", a.Name, e.Tool.Name()))
			}
		}
	}
	return errors.Join(append(problems, a.checkVariants())...)
}

// Find returns the assistant of that name, or a fault.NotFound error with the
// code "unknown_assistant".
func Find(all []*Assistant, name string) (*Assistant, error) {
	i := slices.IndexFunc(all, func(a *Assistant) bool { return a.Name == name })
	if i < 0 {
		return nil, fault.New(fault.NotFound, "There is no such assistant here.").WithCode("unknown_assistant")
	}
	return all[i], nil
}

// Agent returns the agent of that name.
func (a *Assistant) Agent(name string) (*agent.Agent, bool) {
	i := slices.IndexFunc(a.Agents, func(g *agent.Agent) bool { return g.Name == name })
	if i < 0 {
		return nil, false
	}
	return a.Agents[i], true
}

// Tools returns every tool once, in the order in which agents name them.
func (a *Assistant) Tools() []Entry {
	var entries []Entry
	for _, g := range a.Agents {
		for _, t := range g.Tools.All() {
			i := slices.IndexFunc(entries, func(e Entry) bool { return e.Tool.Name() == t.Name() })
			if i < 0 {
				entries = append(entries, Entry{Tool: t})
				i = len(entries) - 1
			}
			entries[i].Agents = append(entries[i].Agents, g.Name)
		}
	}
	return entries
}

// Tool returns the tool of that name.
func (a *Assistant) Tool(name string) (Entry, bool) {
	for _, e := range a.Tools() {
		if e.Tool.Name() == name {
			return e, true
		}
	}
	return Entry{}, false
}
