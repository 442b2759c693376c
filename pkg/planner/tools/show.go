package tools

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/part"
	"github.com/bellhop-ai/bellhop/pkg/planner/plans"
	"github.com/bellhop-ai/bellhop/pkg/planner/trip"
	"github.com/bellhop-ai/bellhop/pkg/render"
	"github.com/bellhop-ai/bellhop/pkg/tool"
)

// tripArgument are the arguments of tools about one trip.
type tripArgument struct {
	Trip string `json:"trip,omitempty" jsonschema:"code of the trip, such as TR-0001; left out for that of the conversation"`
}

// Check tidies the code.
func (in *tripArgument) Check() error {
	in.Trip = strings.ToUpper(strings.TrimSpace(in.Trip))
	return nil
}

// shown is the answer of tools about the plans of a trip.
type shown struct {
	plan plans.Plan
	run  plans.Run
	said string
}

// Show lays the plans out side by side.
func (s shown) Show() []part.Data { return []part.Data{page(s.plan, s.run)} }

// Summarize says what was done, or which plans there are.
func (s shown) Summarize() string {
	if s.said != "" {
		return s.said
	}
	var list []string
	for _, o := range s.run.Options.Options {
		list = append(list, o.Title+" ("+o.EstimatedTotalCost+")")
	}
	text := fmt.Sprintf("%s: %s.", s.plan.Title, strings.Join(list, "; "))
	if s.plan.Option != "" {
		if o, err := option(s.run, s.plan.Option); err == nil {
			text += " " + o.Title + " is selected."
		}
	}
	return text
}

// Count is how many plans there are.
func (s shown) Count() int { return len(s.run.Options.Options) }

// Bounds of what models read of plans.
const (
	namesForModel = 6
	gapsForModel  = 4
)

// MarshalJSON writes the plans for models: short, and with every sum.
func (s shown) MarshalJSON() ([]byte, error) {
	type day struct {
		Date string   `json:"date"`
		Does []string `json:"does"`
	}
	type line struct {
		ID           string   `json:"option"`
		Title        string   `json:"title"`
		Tier         string   `json:"tier"`
		Total        string   `json:"total"`
		Stay         []string `json:"stay,omitempty"`
		Transport    []string `json:"transport,omitempty"`
		Days         []day    `json:"days"`
		Gaps         []string `json:"gaps,omitempty"`
		Alternatives []string `json:"alternatives,omitempty"`
	}
	out := struct {
		Trip     string   `json:"trip"`
		Run      int      `json:"run"`
		Selected string   `json:"selected,omitempty"`
		Options  []line   `json:"options"`
		Compared string   `json:"compared,omitempty"`
		Risks    []string `json:"risks,omitempty"`
	}{Trip: s.plan.Trip, Run: s.plan.Run, Selected: s.plan.Option, Compared: s.run.Options.ComparisonNote,
		Risks: first(s.run.Options.Risks, gapsForModel)}
	for _, o := range s.run.Options.Options {
		l := line{ID: o.ID, Title: o.Title, Tier: string(o.Tier), Total: o.EstimatedTotalCost,
			Gaps: first(o.Gaps, gapsForModel)}
		for _, d := range o.Itinerary.Days {
			does := day{Date: d.Date.String()}
			for _, e := range d.Transport {
				l.Transport = add(l.Transport, e.Name)
			}
			if d.Accommodation != nil {
				l.Stay = add(l.Stay, d.Accommodation.Name)
			}
			for _, e := range d.Activities {
				does.Does = add(does.Does, e.Name)
			}
			l.Days = append(l.Days, does)
		}
		for _, r := range o.Itinerary.AlternativeOptions.Stays {
			l.Alternatives = add(l.Alternatives, r.Code+" "+r.Name)
		}
		out.Options = append(out.Options, l)
	}
	return json.Marshal(out)
}

func first(list []string, most int) []string { return list[:min(len(list), most)] }

// add appends a name that is not there yet, while there is room.
func add(list []string, name string) []string {
	for _, n := range list {
		if n == name {
			return list
		}
	}
	if len(list) == namesForModel {
		return list
	}
	return append(list, name)
}

func (t *set) show() tool.Tool {
	return tool.New(tool.Spec{Name: "show_trip_plans", Effect: tool.Reads, Description: text("show_trip_plans"),
		Extension: "plans of a trip again", Category: "plans", Component: "PlansCard", Shows: []string{"plans"},
		Untrusted: writtenByModels()},
		func(ctx context.Context, by identity.Caller, in tripArgument) (shown, error) {
			p, r, err := t.whole(ctx, by, in.Trip, 0)
			return shown{plan: p, run: r}, err
		})
}

type listPlans struct{}

func (t *set) list() tool.Tool {
	return tool.New(tool.Spec{Name: "list_trip_plans", Effect: tool.Reads, Description: text("list_trip_plans"),
		Extension: "all trips that are planned", Category: "plans"},
		func(ctx context.Context, by identity.Caller, _ listPlans) (planList, error) {
			list, err := t.Plans.Plans(ctx, by)
			return planList{list}, err
		})
}

// planList is the answer of list_trip_plans.
type planList struct{ list []plans.Plan }

// MarshalJSON writes the short form for models.
func (l planList) MarshalJSON() ([]byte, error) {
	type line struct {
		Trip   string `json:"trip"`
		Title  string `json:"title"`
		Status string `json:"status"`
		Option string `json:"selected,omitempty"`
	}
	out := struct {
		Plans []line `json:"plans"`
		Total int    `json:"total"`
	}{[]line{}, len(l.list)}
	for _, p := range l.list[:min(len(l.list), 20)] {
		out.Plans = append(out.Plans, line{p.Trip, p.Title, string(p.Status), p.Option})
	}
	return json.Marshal(out)
}

// Summarize says how many there are.
func (l planList) Summarize() string {
	switch len(l.list) {
	case 0:
		return "No trip is planned yet."
	case 1:
		return "One trip is planned."
	}
	return fmt.Sprintf("%d trips are planned.", len(l.list))
}

// Table lays the plans out.
func (l planList) Table() render.Table {
	table := render.Table{Title: "Trips", Columns: []render.Column{
		render.Column{Key: "trip", Label: "Trip", Priority: 1}.Opens("show_trip_plans", "trip", ""),
		{Key: "title", Label: "Title", Priority: 1}, {Key: "status", Label: "Status"},
		{Key: "travellers", Label: "Travellers"},
	}}
	for _, p := range l.list {
		table.Rows = append(table.Rows, []render.Cell{render.Text(p.Trip), render.Text(p.Title),
			render.Text(statusWords(p.Status)), render.Text(party(p.Context.Travellers))})
	}
	return table
}

func statusWords(s plans.Status) string {
	switch s {
	case plans.Proposed:
		return "plans made"
	case plans.Selected:
		return "plan selected"
	}
	return "being planned"
}

func party(t *trip.Travellers) string {
	if t == nil {
		return ""
	}
	return fmt.Sprint(t.Count())
}
