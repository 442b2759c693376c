package tools

import (
	"context"
	"fmt"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/planner/guide"
	"github.com/bellhop-ai/bellhop/pkg/planner/options"
	"github.com/bellhop-ai/bellhop/pkg/planner/plans"
	"github.com/bellhop-ai/bellhop/pkg/planner/specialists"
	"github.com/bellhop-ai/bellhop/pkg/tool"
	"github.com/bellhop-ai/bellhop/pkg/travel/itinerary"
)

type optionInput struct {
	tripArgument
	Run    int    `json:"run,omitempty" jsonschema:"number of the run that made the plans; left out for the newest"`
	Option string `json:"option" jsonschema:"the plan: opt-1, opt-2 or opt-3"`
}

// Check tidies the arguments.
func (in *optionInput) Check() error {
	in.Option = strings.TrimSpace(in.Option)
	if in.Run < 0 {
		return fault.New(fault.Invalid, "A run has a number from 1.")
	}
	return in.tripArgument.Check()
}

// target is what a preview of a plan is about.
func target(p plans.Plan) tool.Target {
	return tool.Target{Table: "trip_plans", Key: p.Trip, Version: p.Version}
}

// owned refuses what a companion may only look at.
func owned(p plans.Plan) error {
	if !p.Mine {
		return fault.New(fault.Forbidden, "Only the person whose trip it is can change its plans.").
			WithCode("not_the_owner")
	}
	return nil
}

// chosen returns a plan, its run and the named option.
func (t *set) chosen(ctx context.Context, by identity.Caller, in optionInput) (plans.Plan, plans.Run, options.Option,
	error) {
	p, r, err := t.whole(ctx, by, in.Trip, in.Run)
	if err == nil {
		err = owned(p)
	}
	if err != nil {
		return p, r, options.Option{}, err
	}
	o, err := option(r, in.Option)
	return p, r, o, err
}

func (t *set) choose() tool.Tool {
	return tool.New(tool.Spec{Name: "select_trip_option", Effect: tool.Changes, Target: tool.Own,
		Description: text("select_trip_option"), Extension: "the source's selection of an option, by words",
		Category: "plans", Component: "PlansCard", Shows: []string{"plans", "itinerary"},
		Untrusted: writtenByModels()},
		func(ctx context.Context, by identity.Caller, in optionInput) (shown, error) {
			p, r, o, err := t.chosen(ctx, by, in)
			if err != nil {
				return shown{}, err
			}
			items := options.Items(o, r.Context)
			p, err = t.Plans.Select(ctx, by, p.Trip, p.Version, p.Run, o.ID, items)
			if err != nil {
				return shown{}, err
			}
			return shown{p, r, fmt.Sprintf("%s is selected. %s in the itinerary of %s; nothing is booked.", o.Title,
				entries(len(items)), p.Trip)}, nil
		},
		tool.Previewed(func(ctx context.Context, by identity.Caller, in optionInput) (tool.Preview, error) {
			p, r, o, err := t.chosen(ctx, by, in)
			if err != nil {
				return tool.Preview{}, err
			}
			if p.Option == o.ID {
				return tool.Preview{}, fault.New(fault.Conflict, "%s is selected already.", o.Title).
					WithCode("selected_already")
			}
			items := options.Items(o, r.Context)
			preview := tool.Preview{Title: "Take “" + o.Title + "” for " + p.Title, Targets: []tool.Target{target(p)},
				Lines: []tool.Line{{Label: "Estimated cost", After: o.EstimatedTotalCost},
					{Label: "Itinerary", After: written(items)}},
				Warnings: append([]string{"Nothing is booked or held by this."}, o.Gaps...)}
			if p.Option != "" {
				preview.Warnings = append(preview.Warnings, "It takes the place of the plan that is selected now. "+
					"What you added or booked yourself stays.")
			}
			return preview, nil
		}))
}

func entries(n int) string {
	if n == 1 {
		return "One entry stands"
	}
	return fmt.Sprintf("%d entries stand", n)
}

// written says what is written into the itinerary.
func written(items []itinerary.Item) string {
	count := map[itinerary.Type]int{}
	for _, i := range items {
		count[i.Type]++
	}
	var list []string
	for _, n := range []struct {
		of        itinerary.Type
		one, many string
	}{{itinerary.Flight, "flight", "flights"}, {itinerary.Travel, "journey", "journeys"},
		{itinerary.Hotel, "stay", "stays"}, {itinerary.Activity, "activity or meal", "activities and meals"},
		{itinerary.Note, "note", "notes"}} {
		switch count[n.of] {
		case 0:
		case 1:
			list = append(list, "1 "+n.one)
		default:
			list = append(list, fmt.Sprintf("%d %s", count[n.of], n.many))
		}
	}
	return strings.Join(list, ", ")
}

type swapInput struct {
	optionInput
	Day  int    `json:"day,omitempty" jsonschema:"number of the day in the plan, from 1; for a meal or a day"`
	Meal string `json:"meal,omitempty" jsonschema:"breakfast, lunch or dinner; for a meal"`
	With string `json:"with,omitempty" jsonschema:"code or name of an alternative; left out for the next best"`
}

// Check tidies the arguments.
func (in *swapInput) Check() error {
	in.Meal, in.With = strings.ToLower(strings.TrimSpace(in.Meal)), strings.ToUpper(strings.TrimSpace(in.With))
	if in.Day < 0 {
		return fault.New(fault.Invalid, "Days are counted from 1.")
	}
	return in.optionInput.Check()
}

func (t *set) swap(what options.Swapped) tool.Tool {
	name := "swap_trip_" + string(what)
	return tool.New(tool.Spec{Name: name, Effect: tool.Writes, Target: tool.Own, Description: text(name),
		Extension: "one part of a plan without planning anew", Category: "plans", Component: "PlansCard",
		Shows: []string{"plans"}, Untrusted: writtenByModels(), Repeatable: true},
		func(ctx context.Context, by identity.Caller, in swapInput) (shown, error) {
			p, r, o, err := t.chosen(ctx, by, in.optionInput)
			if err != nil {
				return shown{}, err
			}
			changed, err := options.Swap(r.Context, *r.Options, o.ID, options.SwapRequest{What: what, Day: in.Day,
				Meal: in.Meal, With: in.With}, found(r), guide.Of)
			if err != nil {
				return shown{}, err
			}
			var items []itinerary.Item
			before := o.EstimatedTotalCost
			for _, other := range changed.Options {
				if other.ID == o.ID {
					o = other
				}
			}
			if p.Option == o.ID {
				items = options.Items(o, r.Context)
			}
			p, err = t.Plans.Revise(ctx, by, p.Trip, p.Version, p.Run, changed, items)
			if err != nil {
				return shown{}, err
			}
			r.Options = &changed
			said := "Swapped in " + o.Title + "."
			if before != o.EstimatedTotalCost {
				said += " It costs " + o.EstimatedTotalCost + " now, in the place of " + before + "."
			}
			return shown{p, r, said}, nil
		})
}

// found returns what the specialists of a run brought.
func found(r plans.Run) []specialists.Output {
	out := make([]specialists.Output, len(r.Messages))
	for i, m := range r.Messages {
		out[i] = m.Output
	}
	return out
}
