package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/agent"
	"github.com/bellhop-ai/bellhop/pkg/assistants"
	"github.com/bellhop-ai/bellhop/pkg/flow"
	"github.com/bellhop-ai/bellhop/pkg/flow/routed"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/llm"
	"github.com/bellhop-ai/bellhop/pkg/prompt"
	"github.com/bellhop-ai/bellhop/pkg/render"
	"github.com/bellhop-ai/bellhop/pkg/router"
	"github.com/bellhop-ai/bellhop/pkg/tool"
)

// The bench's own assistant, which serves no domain that ships.
const (
	assistantName = "bench"
	entityKind    = "property"
)

// toolName names the tools: the model calls the first three of them.
func toolName(i int) string {
	switch i {
	case 0:
		return "find_free_items"
	case 1:
		return "price_item"
	case 2:
		return "show_item"
	}
	return fmt.Sprintf("look_up_thing_%d", i)
}

type freeInput struct {
	From   string `json:"from" jsonschema:"the first day, as 2026-05-03"`
	To     string `json:"to" jsonschema:"the day after the last, as 2026-05-07"`
	People int    `json:"people,omitempty" jsonschema:"how many people will come, children included"`
}

type priceInput struct {
	Item string `json:"item" jsonschema:"the code or the name of the item type, such as ACER"`
	From string `json:"from" jsonschema:"the first day, as 2026-05-03"`
	To   string `json:"to" jsonschema:"the day after the last, as 2026-05-07"`
}

type itemInput struct {
	Item   string `json:"item" jsonschema:"the code or the name of the item type, such as ACER"`
	People int    `json:"people,omitempty" jsonschema:"how many people will come, children included"`
}

type thingInput struct {
	Key    string `json:"key" jsonschema:"the key of the thing as people of the property call it"`
	From   string `json:"from,omitempty" jsonschema:"the first day of the period that is asked for"`
	To     string `json:"to,omitempty" jsonschema:"the last day of the period that is asked for"`
	Status string `json:"status,omitempty" jsonschema:"only things of this status; all of them when left out"`
	Text   string `json:"text,omitempty" jsonschema:"words that must stand in the name or in the description"`
	Limit  int    `json:"limit,omitempty" jsonschema:"how many at most, twenty when left out"`
}

type item struct {
	Code     string `json:"code"`
	Name     string `json:"name"`
	Capacity int    `json:"capacity"`
	Free     int    `json:"free"`
	Price    int    `json:"price"`
	Currency string `json:"currency"`
}

type freeItems struct {
	Items []item `json:"items"`
}

// Table lays the items out for people.
func (f freeItems) Table() render.Table {
	t := render.Table{Title: "Free items", Columns: []render.Column{{Key: "code", Label: "Code"},
		{Key: "name", Label: "Name"},
		{Key: "capacity", Label: "People", Right: true}, {Key: "free", Label: "Free", Right: true},
		{Key: "price", Label: "Price", Right: true}}}
	for _, r := range f.Items {
		t.Rows = append(t.Rows, []render.Cell{render.Text(r.Code), render.Text(r.Name), render.Int(r.Capacity),
			render.Int(r.Free), render.Int(r.Price)})
	}
	return t
}

type itemPrice struct {
	Item   string `json:"item"`
	Months int    `json:"months"`
	Total  int    `json:"total"`
}

// The work of the tools, the same for both sides.

func findFreeItems() freeItems {
	var out freeItems
	for i, code := range []string{"ACER", "PALM", "FERN", "LOTUS", "DELUXE"} {
		out.Items = append(out.Items, item{Code: code, Name: "Thing " + code, Capacity: 2 + i%3, Free: 1 + i,
			Price: 4200 + 300*i, Currency: "INR"})
	}
	return out
}

func priceItem(name string) itemPrice { return itemPrice{Item: name, Months: 4, Total: 4 * 4200} }

func showItem(name string) item {
	return item{Code: name, Name: "Thing " + name, Capacity: 3, Free: 2, Price: 4500, Currency: "INR"}
}

// newTools returns the specialist's tools, at least three.
func newTools(count int) (*tool.Set, error) {
	about := strings.Repeat("Looks up what the property keeps about it and returns it as it now is. ", 3)
	reads := func(i int) tool.Spec {
		return tool.Spec{Name: toolName(i), Effect: tool.Reads, Description: about}
	}
	tools := []tool.Tool{
		tool.New(reads(0), func(context.Context, identity.Caller, freeInput) (freeItems,
			error) {
			return findFreeItems(), nil
		}),
		tool.New(reads(1), func(_ context.Context, _ identity.Caller, in priceInput) (itemPrice, error) {
			return priceItem(in.Item), nil
		}),
		tool.New(reads(2), func(_ context.Context, _ identity.Caller, in itemInput) (item,
			error) {
			return showItem(in.Item), nil
		}),
	}
	for i := len(tools); i < count; i++ {
		tools = append(tools, tool.New(reads(i), func(_ context.Context, _ identity.Caller, in thingInput) (item,
			error) {
			return showItem(in.Key), nil
		}))
	}
	return tool.NewSet(tools...)
}

const (
	routerPersona = "You decide who answers at a large store.{{range .Agents}}\n- {{.Name}}: " +
		"{{.About}}{{end}}\nLast: {{.Last}}. Property: {{.Facts.Property}}, today {{.Facts.Today}}."
	deskPersona = "\nYou work for {{.Property}}. Today is {{.Today}}."
)

// rules is the part of the specialist's prompt that never changes.
func rules() string { return strings.Repeat("You work at the front desk of a store. ", 60) }

type facts struct{ Property, Today string }

// newAssistant returns a router in front of eight agents; one of them has the
// tools, as it is with the assistants that ship.
func newAssistant(tools int) (*flow.Runtime, error) {
	set, err := newTools(tools)
	if err != nil {
		return nil, err
	}
	persona, err := prompt.Parse("desk", rules()+deskPersona)
	if err != nil {
		return nil, err
	}
	decide, err := prompt.Parse("router", routerPersona)
	if err != nil {
		return nil, err
	}
	r := flow.Runtime{Profile: assistants.Profile{Name: assistantName, Title: "Bench", EntityKind: entityKind,
		Parts: []string{"table"}},
		Facts: func(_ context.Context, by identity.Caller, now time.Time) (any, error) { return factsOf(by, now) }}
	var routes []router.Agent
	for i, name := range agentNames() {
		g := &agent.Agent{Name: name, Label: "Agent " + name, About: agentAbout(name), Persona: persona, Rounds: 8,
			Window: 40}
		if i == 0 {
			g.Tools = set
		}
		r.Agents = append(r.Agents, g)
		r.AgentNames = append(r.AgentNames, assistants.AgentName{Name: g.Name, Label: g.Label})
		routes = append(routes, router.Agent{Name: g.Name, Label: g.Label, About: g.About})
	}
	who, err := router.New(router.Config{Persona: decide, Agents: routes, Window: 20,
		Settings: llm.Settings{MaxTokens: 200}})
	if err != nil {
		return nil, err
	}
	r.Flow = &routed.Flow{Router: who, Facts: factsOf}
	return flow.New(r)
}

func factsOf(by identity.Caller, now time.Time) (any, error) {
	zone, err := by.Entity.Location()
	if err != nil {
		return nil, err
	}
	return facts{Property: by.Entity.Name, Today: now.In(zone).Format(time.DateOnly)}, nil
}

func agentNames() []string {
	return []string{"desk", "projects", "changes", "figures", "prices", "storage", "extras", "blocks"}
}

func agentAbout(name string) string {
	return "everything about " + name + ": lists, shows, adds, edits and deletes; availability, deliveries and " +
		"returns."
}
