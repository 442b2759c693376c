package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/agent"
	"github.com/bellhop-ai/bellhop/pkg/assistants"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/llm"
	"github.com/bellhop-ai/bellhop/pkg/prompt"
	"github.com/bellhop-ai/bellhop/pkg/render"
	"github.com/bellhop-ai/bellhop/pkg/router"
	"github.com/bellhop-ai/bellhop/pkg/tool"
)

const assistantName = "bench"

// toolName names the tools: the model calls the first three of them.
func toolName(i int) string {
	switch i {
	case 0:
		return "find_free_rooms"
	case 1:
		return "price_stay"
	case 2:
		return "show_room"
	}
	return fmt.Sprintf("look_up_thing_%d", i)
}

type freeInput struct {
	From   string `json:"from" jsonschema:"the first night, as 2026-05-03"`
	To     string `json:"to" jsonschema:"the day of departure, as 2026-05-07"`
	Guests int    `json:"guests,omitempty" jsonschema:"how many people will stay, children included"`
}

type priceInput struct {
	Room string `json:"room" jsonschema:"the code or the name of the room type, such as COCO"`
	From string `json:"from" jsonschema:"the first night, as 2026-05-03"`
	To   string `json:"to" jsonschema:"the day of departure, as 2026-05-07"`
}

type roomInput struct {
	Room   string `json:"room" jsonschema:"the code or the name of the room type, such as COCO"`
	Guests int    `json:"guests,omitempty" jsonschema:"how many people will stay, children included"`
}

type thingInput struct {
	Key    string `json:"key" jsonschema:"the key of the thing as people of the property call it"`
	From   string `json:"from,omitempty" jsonschema:"the first day of the period that is asked for"`
	To     string `json:"to,omitempty" jsonschema:"the last day of the period that is asked for"`
	Status string `json:"status,omitempty" jsonschema:"only things of this status; all of them when left out"`
	Text   string `json:"text,omitempty" jsonschema:"words that must stand in the name or in the description"`
	Limit  int    `json:"limit,omitempty" jsonschema:"how many at most, twenty when left out"`
}

type room struct {
	Code     string `json:"code"`
	Name     string `json:"name"`
	Capacity int    `json:"capacity"`
	Free     int    `json:"free"`
	Price    int    `json:"price"`
	Currency string `json:"currency"`
}

type freeRooms struct {
	Rooms []room `json:"rooms"`
}

// Table lays the rooms out for people.
func (f freeRooms) Table() render.Table {
	t := render.Table{Title: "Free rooms", Columns: []render.Column{{Key: "code", Label: "Code"}, {Key: "name", Label: "Name"},
		{Key: "capacity", Label: "Guests", Right: true}, {Key: "free", Label: "Free", Right: true}, {Key: "price", Label: "Price", Right: true}}}
	for _, r := range f.Rooms {
		t.Rows = append(t.Rows, []render.Cell{render.Text(r.Code), render.Text(r.Name), render.Int(r.Capacity), render.Int(r.Free), render.Int(r.Price)})
	}
	return t
}

type stayPrice struct {
	Room   string `json:"room"`
	Nights int    `json:"nights"`
	Total  int    `json:"total"`
}

// The work of the tools, the same for both sides.

func findFreeRooms() freeRooms {
	var out freeRooms
	for i, code := range []string{"COCO", "PALM", "FERN", "LOTUS", "DELUXE"} {
		out.Rooms = append(out.Rooms, room{Code: code, Name: "Cabin " + code, Capacity: 2 + i%3, Free: 1 + i, Price: 4200 + 300*i, Currency: "INR"})
	}
	return out
}

func priceStay(name string) stayPrice { return stayPrice{Room: name, Nights: 4, Total: 4 * 4200} }

func showRoom(name string) room {
	return room{Code: name, Name: "Cabin " + name, Capacity: 3, Free: 2, Price: 4500, Currency: "INR"}
}

// newTools returns the specialist's tools, at least three.
func newTools(count int) (*tool.Set, error) {
	about := strings.Repeat("Looks up what the property keeps about it and returns it as it now is. ", 3)
	reads := func(i int) tool.Spec {
		return tool.Spec{Name: toolName(i), Effect: tool.Reads, Description: about}
	}
	tools := []tool.Tool{
		tool.New(reads(0), func(context.Context, identity.Caller, freeInput) (freeRooms, error) { return findFreeRooms(), nil }),
		tool.New(reads(1), func(_ context.Context, _ identity.Caller, in priceInput) (stayPrice, error) {
			return priceStay(in.Room), nil
		}),
		tool.New(reads(2), func(_ context.Context, _ identity.Caller, in roomInput) (room, error) { return showRoom(in.Room), nil }),
	}
	for i := len(tools); i < count; i++ {
		tools = append(tools, tool.New(reads(i), func(_ context.Context, _ identity.Caller, in thingInput) (room, error) { return showRoom(in.Key), nil }))
	}
	return tool.NewSet(tools...)
}

const (
	routerPersona = "You decide who answers at a cabin hotel.{{range .Agents}}\n- {{.Name}}: {{.About}}{{end}}\nLast: {{.Last}}. Property: {{.Facts.Property}}, today {{.Facts.Today}}."
	deskPersona   = "\nYou work for {{.Property}}. Today is {{.Today}}."
)

// rules is the part of the specialist's prompt that never changes.
func rules() string { return strings.Repeat("You work at the front desk of a hotel. ", 60) }

type facts struct{ Property, Today string }

// newAssistant returns a router in front of eight agents; one of them has the
// tools, as it is with the assistants that ship.
func newAssistant(tools int) (*assistants.Assistant, error) {
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
	a := &assistants.Assistant{Name: assistantName, Title: "Bench", EntityKind: "property",
		Facts: func(by identity.Caller, now time.Time) (any, error) {
			zone, err := by.Entity.Location()
			if err != nil {
				return nil, err
			}
			return facts{Property: by.Entity.Name, Today: now.In(zone).Format(time.DateOnly)}, nil
		}}
	var routes []router.Agent
	for i, name := range agentNames() {
		g := &agent.Agent{Name: name, Label: "Agent " + name, About: agentAbout(name), Persona: persona, Rounds: 8, Window: 40}
		if i == 0 {
			g.Tools = set
		}
		a.Agents = append(a.Agents, g)
		routes = append(routes, router.Agent{Name: g.Name, Label: g.Label, About: g.About})
	}
	a.Router, err = router.New(router.Config{Persona: decide, Agents: routes, Window: 20, Settings: llm.Settings{MaxTokens: 200}})
	return a, err
}

func agentNames() []string {
	return []string{"desk", "bookings", "changes", "figures", "prices", "kitchen", "extras", "blocks"}
}

func agentAbout(name string) string {
	return "everything about " + name + ": lists, shows, adds, edits and deletes; availability, check-ins and check-outs."
}
