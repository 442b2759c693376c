// Package tools has the tools of the trip planner: they show plans, take one into the
// itinerary, swap parts of it, and share it by a link. Plans themselves are made by the
// assistant's turns, never by a tool.
package tools

import (
	"context"
	"embed"
	"errors"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/part"
	"github.com/bellhop-ai/bellhop/pkg/planner/options"
	"github.com/bellhop-ai/bellhop/pkg/planner/plans"
	"github.com/bellhop-ai/bellhop/pkg/tool"
)

// Config is what the tools need.
type Config struct {
	Plans plans.Store
	Now   calendar.Clock
	// Token returns an unguessable token for a link: at least 128 bits in letters and
	// digits.
	Token func() string
	// Base is the address before "/t/…" of a link: "https://planner.example".
	Base string
}

//go:embed texts/*.md
var texts embed.FS

// text returns what models read of a tool.
func text(name string) string {
	raw, err := texts.ReadFile("texts/" + name + ".md")
	if err != nil {
		return "" // Check reports it
	}
	return strings.Join(strings.Fields(string(raw)), " ")
}

// Tools returns the tools. None is named by the source document, which has endpoints for
// some of them.
func Tools(c Config) ([]tool.Tool, error) {
	if c.Plans == nil || c.Now == nil || c.Token == nil {
		return nil, errors.New("planner tools: a store, a clock and tokens are required")
	}
	t := &set{c}
	return []tool.Tool{t.show(), t.list(), t.choose(), t.swap(options.SwapStay), t.swap(options.SwapTransport),
		t.swap(options.SwapMeal), t.swap(options.SwapDay), t.share(), t.shares(), t.revoke()}, nil
}

// set makes the tools of one Config.
type set struct{ Config }

// writtenByModels names the members of answers in which models' and suppliers' text stands.
func writtenByModels() []string {
	return []string{"title", "days", "highlights", "stay", "transport", "alternatives", "gaps"}
}

type tripKey struct{}

// WithTrip returns the context of a turn about a trip, by its code: tools whose arguments
// name none are about that one.
func WithTrip(ctx context.Context, code string) context.Context {
	return context.WithValue(ctx, tripKey{}, code)
}

// plan returns the plan of a trip: of the code, else that of the turn, else the one that
// was planned last.
func (t *set) plan(ctx context.Context, by identity.Caller, code string) (plans.Plan, error) {
	if code == "" {
		code, _ = ctx.Value(tripKey{}).(string)
	}
	if code != "" {
		return t.Plans.Plan(ctx, by, code)
	}
	list, err := t.Plans.Plans(ctx, by)
	if err != nil {
		return plans.Plan{}, err
	}
	if len(list) == 0 {
		return plans.Plan{}, none()
	}
	return list[0], nil
}

func none() error {
	return fault.New(fault.NotFound, "No trip is planned yet. Say where you want to go, when and with how many.").
		WithCode("plan_not_found")
}

// whole returns a plan and the run of its options. run is the number that a card names, 0
// for the current one; an older one is refused.
func (t *set) whole(ctx context.Context, by identity.Caller, code string, run int) (plans.Plan, plans.Run, error) {
	p, err := t.plan(ctx, by, code)
	if err != nil {
		return p, plans.Run{}, err
	}
	if p.Run == 0 {
		return p, plans.Run{}, fault.New(fault.Conflict, "There are no plans of this trip yet. They are made once "+
			"everything that is needed is known.").WithCode("no_plans")
	}
	if run != 0 && run != p.Run {
		return p, plans.Run{}, Replaced()
	}
	r, err := t.Plans.Run(ctx, by, p.Trip, p.Run)
	if err == nil && r.Options == nil {
		err = none()
	}
	return p, r, err
}

// Replaced is the refusal of a card whose plans newer ones have replaced.
func Replaced() error {
	return fault.New(fault.Conflict, "These plans were replaced by newer ones. Look at the newest plans of the "+
		"trip.").WithCode("replaced")
}

// option returns the option of a run by its id or its number.
func option(r plans.Run, name string) (options.Option, error) {
	for n, o := range r.Options.Options {
		if strings.EqualFold(o.ID, name) || strings.EqualFold(o.Title, name) || name == string(rune('1'+n)) {
			return o, nil
		}
	}
	var ids []string
	for _, o := range r.Options.Options {
		ids = append(ids, o.ID+" ("+o.Title+")")
	}
	return options.Option{}, fault.New(fault.NotFound, "There is no such plan. There are %s.",
		strings.Join(ids, ", ")).WithCode("option_not_found")
}

// page returns what people see of a plan.
func page(p plans.Plan, r plans.Run) part.Plans {
	return options.View(options.Viewed{Trip: p.Trip, Run: p.Run, Context: r.Context, Set: *r.Options,
		Selected: p.Option, Research: plans.Research(r.Messages), Document: Document(p.Trip),
		Closed: !p.Mine})
}

// Document is the address of the PDF of a trip's plans.
func Document(trip string) string { return "/api/trips/" + trip + "/plan.pdf" }
