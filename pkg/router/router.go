// Package router decides which specialist answers. Most turns settle
// themselves: the client names an agent, or the person answers a question that
// an agent asked. Only the others cost a model call.
package router

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/history"
	"github.com/bellhop-ai/bellhop/pkg/llm"
	"github.com/bellhop-ai/bellhop/pkg/prompt"
)

// toolName is the one tool that the router's model has.
const toolName = "route_to_agent"

// How says how a route was found.
type How string

// The ways to a route.
const (
	Explicit How = "explicit" // the client named the agent
	Sticky   How = "sticky"   // the person answers what the agent asked
	Matched  How = "matched"  // the person's words are those of an agent
	Goes     How = "goes_on"  // the person goes on with the last agent
	Model    How = "model"    // the router's model chose
	Greeting How = "greeting" // the router answered by itself
)

// Agent is one possible destination.
type Agent struct {
	Name  string
	Label string
	About string // what it does, for the router's model
}

// Config configures New.
type Config struct {
	Persona  *prompt.Template // filled with Prompt
	Agents   []Agent
	Settings llm.Settings
	Window   int // messages of history that the model reads
	Budget   int // tokens of history, as package history estimates them; 0 = its default
	// Intents, if not nil, returns what recognises sentences without a model; nil for
	// nothing. It is called for each turn that isn't settled otherwise.
	Intents func() Intents
}

// Prompt is the data of the router's persona.
type Prompt struct {
	Agents []Agent
	Last   string // the agent that spoke last; "" when none is known to have
	Facts  any    // the assistant's own data, such as the property's name
}

// Route is a decision. Either Agent is set, or Text is the router's own answer.
type Route struct {
	Agent     string
	Label     string
	How       How
	Reasoning string // for the log and the steps panel
	// Confidence is how sure a Matched route is, from 0 to 1: the share of such
	// routes that were right in cross-validation.
	Confidence float64
	// Guess is what intents made of the sentence, whatever chose the agent; nil where none
	// looked at it, or where it leans on what was said before.
	Guess *Guess
	Text  string
	Usage llm.Usage
	Model string
}

// Router is immutable and shared by all requests.
type Router struct {
	cfg   Config
	tools *llm.Toolset
}

// New returns a router among the agents.
func New(cfg Config) (*Router, error) {
	if cfg.Persona == nil || len(cfg.Agents) == 0 || cfg.Window < 1 {
		return nil, errors.New("router: it needs a persona, agents and a window")
	}
	names := make([]string, len(cfg.Agents))
	for i, a := range cfg.Agents {
		names[i] = a.Name
	}
	parameters, err := json.Marshal(map[string]any{
		"type": "object",
		"properties": map[string]any{
			"agent": map[string]any{"type": "string", "enum": names,
				"description": "the agent that should answer"},
			"reasoning": map[string]any{"type": "string", "description": "why, in a few words; for the log"},
		},
		"required": []string{"agent", "reasoning"}, "additionalProperties": false,
	})
	if err != nil {
		return nil, fmt.Errorf("router: %w", err)
	}
	return &Router{cfg: cfg, tools: llm.NewToolset(llm.Tool{
		Name: toolName, Description: "Hands the conversation to the agent that should answer the person's last " +
			"message.", Parameters: parameters,
	})}, nil
}

// Among returns a router that knows the named agents only.
func (r *Router) Among(names ...string) (*Router, error) {
	cfg := r.cfg
	cfg.Agents = nil
	for _, a := range r.cfg.Agents {
		if slices.Contains(names, a.Name) {
			cfg.Agents = append(cfg.Agents, a)
		}
	}
	return New(cfg)
}

// Settled returns the route of a turn that needs no model: to the agent that
// the client names, to the one whose question the person answers, or to the one
// whose intents the person's words express. An agent that does not exist is a
// fault.Invalid error.
func (r *Router) Settled(explicit string, c history.Conversation) (Route, bool, error) {
	return r.SettledBy(r.cfg.Intents, explicit, c)
}

// SettledBy is Settled with intents that find returns; it is called where the route is
// not settled otherwise. A route that is not settled may have a Guess.
func (r *Router) SettledBy(find func() Intents, explicit string, c history.Conversation) (Route, bool, error) {
	if explicit != "" {
		a, ok := r.find(explicit)
		if !ok {
			return Route{}, false, fault.New(fault.Invalid, "There is no agent %q.", explicit)
		}
		return Route{Agent: a.Name, Label: a.Label, How: Explicit}, true, nil
	}
	last, ok := c.Last(llm.Assistant)
	if !ok || last.State == nil || !last.State.Asked || !readsAsAnswer(c.LastUserText()) {
		route, ok := r.matched(find, c)
		return route, ok, nil
	}
	if route, ok := r.turnsAway(find, c, last.State.Agent); ok {
		return route, true, nil
	}
	a, ok := r.find(last.State.Agent)
	return Route{Agent: a.Name, Label: a.Label, How: Sticky}, ok, nil
}

// leastWords is how many words a sentence has at least that is taken for another subject
// although it may be the answer to a question.
const leastWords = 4

// turnsAway returns the route of a sentence that could be an answer to what the last agent
// asked, where its words surely express what another agent does: "revenue by room in
// October".
func (r *Router) turnsAway(find func() Intents, c history.Conversation, last string) (Route, bool) {
	if len(wordsOf(c.LastUserText())) < leastWords {
		return Route{}, false
	}
	route, ok := r.matched(find, c)
	return route, ok && route.How == Matched && route.Agent != last
}

// Route asks the model.
func (r *Router) Route(ctx context.Context, model llm.Model, facts any, c history.Conversation) (Route, error) {
	data := Prompt{Agents: r.cfg.Agents, Facts: facts}
	if last, ok := c.Last(llm.Assistant); ok && last.State != nil {
		data.Last = last.State.Agent
	}
	system, err := r.cfg.Persona.Fill(data)
	if err != nil {
		return Route{}, err
	}
	ask := func(w history.Window) ([]llm.Message, llm.Answer, error) {
		words := c.Words(w)
		messages := append([]llm.Message{{Role: llm.System, Text: system}}, words...)
		a, err := model.Answer(ctx, llm.Request{Settings: r.cfg.Settings, Messages: messages, Tools: r.tools}, nil)
		return words, a, err
	}
	words, answer, err := ask(history.Window{Messages: r.cfg.Window, Tokens: r.cfg.Budget})
	if f := fault.From(err); f != nil && f.Code == llm.ContextLength {
		// The last words decide most of it.
		_, answer, err = ask(history.Window{Messages: max(1, len(words)/2), Tokens: history.Size(words) / 3})
	}
	if err != nil {
		return Route{}, err
	}
	answer.Usage.Calls = 1
	route := Route{How: Greeting, Text: answer.Text, Usage: answer.Usage, Model: answer.Model}
	for _, call := range answer.Calls {
		var choice struct{ Agent, Reasoning string }
		if call.Name != toolName || json.Unmarshal([]byte(call.Arguments), &choice) != nil {
			continue
		}
		if a, ok := r.find(choice.Agent); ok {
			route.Agent, route.Label, route.How, route.Reasoning, route.Text = a.Name, a.Label, Model,
				choice.Reasoning, ""
			return route, nil
		}
	}
	if strings.TrimSpace(route.Text) == "" {
		route.Text = strings.TrimSpace(answer.Refusal)
	}
	if route.Text == "" {
		// A route to nowhere and no words: ask rather than guess.
		route.Text = "I am not sure what you would like to do. Could you say it in a few more words?"
	}
	return route, nil
}

// Label returns the label of an agent; "" for an unknown one.
func (r *Router) Label(name string) string {
	a, _ := r.find(name)
	return a.Label
}

// Agents returns how many there are.
func (r *Router) Agents() int { return len(r.cfg.Agents) }

func (r *Router) find(name string) (Agent, bool) {
	for _, a := range r.cfg.Agents {
		if a.Name == name {
			return a, true
		}
	}
	return Agent{}, false
}

// readsAsAnswer reports whether a sentence can only be the answer to a
// question: it is short, asks nothing and orders nothing. When in doubt the
// model decides, so a change of subject is not held back.
func readsAsAnswer(text string) bool {
	words := strings.Fields(strings.ToLower(text))
	if len(words) == 0 || len(words) > 8 || strings.Contains(text, "?") {
		return false
	}
	first, _, _ := strings.Cut(strings.Trim(words[0], ".,!;:"), "'")
	switch first {
	case "what", "which", "who", "whom", "when", "where", "why", "how", "is", "are", "was", "were", "do", "does",
		"did", "can", "could", "will", "would", "should", "has", "have", "show", "list", "give", "tell", "find",
		"search", "get", "add", "create", "make", "new", "book", "reserve", "edit", "change", "update", "set",
		"delete", "remove", "cancel", "block", "unblock", "check", "compare", "simulate", "calculate", "send", "move",
		"rename", "raise", "lower", "increase", "reduce", "put", "mark", "any", "hi", "hello", "hey", "thanks",
		"actually", "instead", "also", "help", "stop", "kya":
		return false
	}
	return !slices.ContainsFunc(words, func(w string) bool { // asks or orders wherever it stands
		switch strings.Trim(w, ".,!;:") {
		case "kitne", "kitna", "kitni", "kaun", "kaunsa", "kab", "kahan", "kaise", "kyon", "kyun", "batao", "bataiye",
			"dikhao", "dikhaiye", "कितने", "कितना", "कितनी", "कौन", "कब", "कहाँ", "कैसे", "क्यों", "बताओ", "दिखाओ":
			return true
		}
		return false
	})
}
