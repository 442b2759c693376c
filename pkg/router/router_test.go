package router_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/history"
	"github.com/bellhop-ai/bellhop/pkg/llm"
	"github.com/bellhop-ai/bellhop/pkg/prompt"
	"github.com/bellhop-ai/bellhop/pkg/router"
)

const persona = `You route.
{{range .Agents}}- {{.Name}}: {{.About}}
{{end}}{{if .Last}}Last: {{.Last}}{{end}}
Place: {{.Facts}}`

func agents() []router.Agent {
	return []router.Agent{
		{Name: "inventory", Label: "Inventory Agent", About: "what the hotel offers"},
		{Name: "reservations", Label: "Reservations Agent", About: "new bookings"},
		{Name: "edit_reservations", Label: "Edit Reservations Agent", About: "changes of bookings"},
	}
}

func newRouter(t *testing.T) *router.Router {
	t.Helper()
	p, err := prompt.Parse("router", persona)
	if err != nil {
		t.Fatal(err)
	}
	cold := 0.1
	r, err := router.New(router.Config{Persona: p, Agents: agents(), Window: 20,
		Settings: llm.Settings{Temperature: &cold, MaxTokens: 200}})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// model answers with what it is given and keeps what it was asked.
type model struct {
	answer llm.Answer
	err    error
	asked  []llm.Request
}

func (m *model) Answer(_ context.Context, r llm.Request, show func(string) error) (llm.Answer, error) {
	m.asked = append(m.asked, r)
	if show != nil {
		return llm.Answer{}, errors.New("the router's words are not shown before they are whole")
	}
	return m.answer, m.err
}

func said(role llm.Role, text string) history.Entry { return history.Entry{Role: role, Text: text} }

func spoke(agent, text string, asked bool) history.Entry {
	return history.Entry{Role: llm.Assistant, Text: text, State: &history.State{Agent: agent, Asked: asked}}
}

func conversation(entries ...history.Entry) history.Conversation {
	return history.Conversation{Entries: entries}
}

func route(arguments string) llm.Call {
	return llm.Call{ID: "c", Name: "route_to_agent", Arguments: arguments}
}

const question = "I am not sure what you would like to do. Could you say it in a few more words?"

// S0-4, S0-5, S0-6, S0-9
func TestTheModelsChoiceBecomesARoute(t *testing.T) {
	tests := map[string]struct {
		answer llm.Answer
		want   router.Route
	}{
		"an agent": {llm.Answer{Calls: []llm.Call{route(`{"agent":"inventory","reasoning":"a cabin"}`)}},
			router.Route{Agent: "inventory", Label: "Inventory Agent", How: router.Model, Reasoning: "a cabin"}},
		"an agent, and words beside it": {llm.Answer{Text: "COCO costs 100.",
			Calls: []llm.Call{route(`{"agent":"inventory","reasoning":"x"}`)}},
			router.Route{Agent: "inventory", Label: "Inventory Agent", How: router.Model, Reasoning: "x"}},
		"no reasoning": {llm.Answer{Calls: []llm.Call{route(`{"agent":"reservations"}`)}},
			router.Route{Agent: "reservations", Label: "Reservations Agent", How: router.Model}},
		"two agents": {llm.Answer{Calls: []llm.Call{route(`{"agent":"reservations","reasoning":"1"}`),
			route(`{"agent":"inventory","reasoning":"2"}`)}},
			router.Route{Agent: "reservations", Label: "Reservations Agent", How: router.Model, Reasoning: "1"}},
		"two, of which the first is nobody": {llm.Answer{Calls: []llm.Call{route(`{"agent":"chef","reasoning":"1"}`),
			route(`{"agent":"inventory","reasoning":"2"}`)}},
			router.Route{Agent: "inventory", Label: "Inventory Agent", How: router.Model, Reasoning: "2"}},
		"two, of which the first is broken": {llm.Answer{Calls: []llm.Call{route(`{"agent":"inv`),
			route(`{"agent":"inventory","reasoning":"2"}`)}},
			router.Route{Agent: "inventory", Label: "Inventory Agent", How: router.Model, Reasoning: "2"}},
		"a greeting": {llm.Answer{Text: "Good day!"}, router.Route{How: router.Greeting,
			Text: "Good day!"}},
		"a refusal": {llm.Answer{Refusal: " I cannot help with that. "}, router.Route{How: router.Greeting,
			Text: "I cannot help with that."}},
		"nobody": {llm.Answer{Calls: []llm.Call{route(`{"agent":"chef","reasoning":"x"}`)}},
			router.Route{How: router.Greeting, Text: question}},
		"nobody by case": {llm.Answer{Calls: []llm.Call{route(`{"agent":"Inventory","reasoning":"x"}`)}},
			router.Route{How: router.Greeting, Text: question}},
		"broken arguments": {llm.Answer{Calls: []llm.Call{route(`{"agent":"inventory"`)}},
			router.Route{How: router.Greeting, Text: question}},
		"arguments of no shape": {llm.Answer{Calls: []llm.Call{route(`["inventory"]`)}},
			router.Route{How: router.Greeting, Text: question}},
		"no arguments": {llm.Answer{Calls: []llm.Call{route(``)}}, router.Route{How: router.Greeting,
			Text: question}},
		"another tool": {llm.Answer{Calls: []llm.Call{{ID: "c", Name: "create_extra",
			Arguments: `{"agent":"inventory","reasoning":"x"}`}}},
			router.Route{How: router.Greeting, Text: question}},
		"nothing at all":    {llm.Answer{}, router.Route{How: router.Greeting, Text: question}},
		"nothing but space": {llm.Answer{Text: " \n"}, router.Route{How: router.Greeting, Text: question}},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			tc.answer.Usage, tc.answer.Model = llm.Usage{In: 7, Out: 2, Cached: 5}, "m-1"
			tc.want.Usage, tc.want.Model = llm.Usage{In: 7, Out: 2, Cached: 5, Calls: 1}, "m-1"
			m := &model{answer: tc.answer}
			got, err := newRouter(t).Route(t.Context(), m, "Sojourn", conversation(said(llm.User, "edit COCO cabin")))
			if err != nil || got != tc.want {
				t.Errorf("got  %+v, %v\nwant %+v", got, err, tc.want)
			}
			if len(m.asked) != 1 {
				t.Errorf("the model was asked %d times", len(m.asked))
			}
		})
	}
}

func TestAModelThatFailsIsNotGuessedFor(t *testing.T) {
	for _, want := range []error{fault.New(fault.Limited, "Later."), context.DeadlineExceeded} {
		got, err := newRouter(t).Route(t.Context(), &model{err: want, answer: llm.Answer{Text: "half"}}, nil,
			conversation(said(llm.User, "hi")))
		if !errors.Is(err, want) || got != (router.Route{}) {
			t.Errorf("got %+v, %v", got, err)
		}
	}
}

// S0-3, S0-4
func TestTheModelIsOfferedOneToolWithTheAgentsNames(t *testing.T) {
	m := &model{}
	if _, err := newRouter(t).Route(t.Context(), m, "Sojourn", conversation(said(llm.User, "hi"))); err != nil {
		t.Fatal(err)
	}
	asked := m.asked[0]
	if *asked.Temperature != 0.1 || asked.MaxTokens != 200 || asked.Choice != llm.Auto || asked.JSON {
		t.Errorf("the settings are %+v, the choice is %q", asked.Settings, asked.Choice)
	}
	tools := asked.Tools.Tools()
	if len(tools) != 1 || tools[0].Name != "route_to_agent" || tools[0].Description == "" {
		t.Fatalf("the tools are %+v", tools)
	}
	var schema struct {
		Properties struct {
			Agent     struct{ Enum []string }
			Reasoning struct{ Type string }
		}
		Required             []string
		AdditionalProperties *bool
	}
	if err := json.Unmarshal(tools[0].Parameters, &schema); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(schema.Properties.Agent.Enum, []string{"inventory", "reservations", "edit_reservations"}) ||
		schema.Properties.Reasoning.Type != "string" ||
		!slices.Equal(schema.Required, []string{"agent", "reasoning"}) || schema.AdditionalProperties == nil ||
		*schema.AdditionalProperties {
		t.Errorf("the parameters are %s", tools[0].Parameters)
	}
}

// S0-3, S0-58: the router reads the last twenty messages, and only words.
func TestTheModelReadsOnlyWordsAndNotMoreThanItsWindow(t *testing.T) {
	entries := []history.Entry{said(llm.User, "the first wish")}
	for i := range 40 {
		entries = append(entries, history.Entry{Role: llm.Assistant,
			Text: fmt.Sprintf("answer %d<table><tr><td>canary cell</td></tr></table>", i), State: &history.State{
				Agent: "inventory",
				Steps: []history.Step{{Calls: []llm.Call{{ID: "x", Name: "list_extras", Arguments: "{}"}},
					Results: []history.Result{{CallID: "x", Text: "canary result"}}}},
			}}, said(llm.User, fmt.Sprintf("question %d", i)))
	}
	m := &model{}
	if _, err := newRouter(t).Route(t.Context(), m, "Sojourn", conversation(entries...)); err != nil {
		t.Fatal(err)
	}
	asked := m.asked[0].Messages
	if asked[0].Role != llm.System || len(asked) > 21 || len(asked) < 11 {
		t.Errorf("the model reads %d messages, the first as %s", len(asked), asked[0].Role)
	}
	for _, msg := range asked {
		if msg.Role == llm.ToolRole || len(msg.Calls) > 0 || msg.CallID != "" || strings.Contains(msg.Text, "canary") {
			t.Errorf("the model reads %+v", msg)
		}
	}
	if last := asked[len(asked)-1]; last.Role != llm.User || last.Text != "question 39" {
		t.Errorf("it reads last: %+v", last)
	}
	if asked[1].Text != "the first wish" {
		t.Errorf("the goal of the conversation is lost; it reads first: %+v", asked[1])
	}
}

// S0-7: who spoke last is stamped by the server, and only a seal says so.
func TestThePromptSaysWhoSpokeLast(t *testing.T) {
	tests := map[string]struct {
		conversation history.Conversation
		want         string
	}{
		"nobody": {conversation(said(llm.User, "hi")), ""},
		"a specialist": {conversation(said(llm.User, "hi"), spoke("reservations", "Which dates?", true),
			said(llm.User, "and extras?")), "Last: reservations"},
		"a text without a seal": {conversation(said(llm.User, "hi"), said(llm.Assistant, "I am reservations"),
			said(llm.User, "go on")), ""},
		"the router itself": {conversation(said(llm.User, "hi"), spoke("", "Good day!", false),
			said(llm.User, "go on")), ""},
		"the last one, not an older": {conversation(spoke("inventory", "a", false), said(llm.User, "b"),
			spoke("reservations", "c", false), said(llm.User, "d")), "Last: reservations"},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			m := &model{}
			if _, err := newRouter(t).Route(t.Context(), m, "Sojourn", tc.conversation); err != nil {
				t.Fatal(err)
			}
			system := m.asked[0].Messages[0].Text
			if _, last, found := strings.Cut(system, "Last: "); found != (tc.want != "") || found && "Last: "+
				strings.TrimSpace(strings.Split(last, "\n")[0]) != tc.want {
				t.Errorf("the prompt is %q, want %q in it", system, tc.want)
			}
			if !strings.Contains(system, "- inventory: what the hotel offers") ||
				!strings.Contains(system, "Place: Sojourn") {
				t.Errorf("the prompt is %q", system)
			}
		})
	}
}

// S0-7: what answers a specialist's question goes to that specialist without a
// model; a change of subject does not.
func TestAnAnswerGoesToWhoAsked(t *testing.T) {
	asked := spoke("reservations", "For which name?", true)
	tests := map[string]struct {
		last     history.Entry
		text     string
		explicit string
		want     router.Route
		settled  bool
	}{
		"a name": {asked, "John Smith", "", router.Route{Agent: "reservations",
			Label: "Reservations Agent", How: router.Sticky}, true},
		"a yes": {asked, "yes", "", router.Route{Agent: "reservations",
			Label: "Reservations Agent", How: router.Sticky}, true},
		"none": {asked, "no extras", "", router.Route{Agent: "reservations",
			Label: "Reservations Agent", How: router.Sticky}, true},
		"a date": {asked, "15 January 2026", "", router.Route{Agent: "reservations",
			Label: "Reservations Agent", How: router.Sticky}, true},
		"a question back":  {asked, "John, is it free?", "", router.Route{}, false},
		"an order":         {asked, "List all cabins.", "", router.Route{}, false},
		"a change of mind": {asked, "Actually, forget the booking", "", router.Route{}, false},
		"a long story": {asked, "my name is John and I come with two children in May", "",
			router.Route{}, false},
		"nothing": {asked, "", "", router.Route{}, false},
		"nobody asked": {spoke("reservations", "It is done.", false), "John Smith", "",
			router.Route{}, false},
		"somebody without a seal asked": {said(llm.Assistant, "For which name?"), "John Smith", "", router.Route{},
			false},
		"an agent that is gone asked": {spoke("chef", "Which dish?", true), "soup", "", router.Route{}, false},
		"the client names the agent": {asked, "John Smith", "inventory", router.Route{Agent: "inventory",
			Label: "Inventory Agent", How: router.Explicit}, true},
		"the client names it for an order": {asked, "List all cabins.", "edit_reservations",
			router.Route{Agent: "edit_reservations", Label: "Edit Reservations Agent", How: router.Explicit}, true},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			got, settled, err := newRouter(t).Settled(tc.explicit, conversation(said(llm.User, "book a cabin"),
				tc.last, said(llm.User, tc.text)))
			if err != nil || settled != tc.settled || settled && got != tc.want {
				t.Errorf("got %+v, %v, %v", got, settled, err)
			}
		})
	}
	if _, _, err := newRouter(t).Settled("chef", conversation(said(llm.User, "hi"))); !fault.Is(err, fault.Invalid) {
		t.Errorf("an agent that there is not: %v", err)
	}
	if _, settled, err := newRouter(t).Settled("", conversation(said(llm.User, "hi"))); settled || err != nil {
		t.Errorf("at the beginning: %v, %v", settled, err)
	}
}

func TestARouterNeedsSomebodyToRouteTo(t *testing.T) {
	p, err := prompt.Parse("router", persona)
	if err != nil {
		t.Fatal(err)
	}
	for name, cfg := range map[string]router.Config{
		"no persona": {Agents: agents(), Window: 20}, "no agents": {Persona: p, Window: 20},
		"no window": {Persona: p, Agents: agents()},
	} {
		if _, err := router.New(cfg); err == nil {
			t.Errorf("%s, and nobody minds", name)
		}
	}
	r := newRouter(t)
	if r.Agents() != 3 || r.Label("inventory") != "Inventory Agent" || r.Label("chef") != "" {
		t.Errorf("it knows %d agents, %q and %q", r.Agents(), r.Label("inventory"), r.Label("chef"))
	}
}

func TestAPersonaThatCannotBeFilledIsAnError(t *testing.T) {
	p, err := prompt.Parse("router", "{{.Nobody}}")
	if err != nil {
		t.Fatal(err)
	}
	r, err := router.New(router.Config{Persona: p, Agents: agents(), Window: 20})
	if err != nil {
		t.Fatal(err)
	}
	m := &model{}
	if _, err := r.Route(t.Context(), m, nil, conversation(said(llm.User, "hi"))); err == nil || len(m.asked) > 0 {
		t.Errorf("got %v after %d calls", err, len(m.asked))
	}
}
