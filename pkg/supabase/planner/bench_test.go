package planner_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/bellhop-ai/bellhop/pkg/planner/options"
	"github.com/bellhop-ai/bellhop/pkg/planner/plans"
	"github.com/bellhop-ai/bellhop/pkg/planner/specialists"
)

// week is a run with three options of seven days.
func week() plans.Run {
	r := finalized()
	entry := options.Entry{Code: "A4", Name: "Museum of the harbour", Detail: "ships and their crews", Starts: "10:00",
		Ends: "12:00", Walk: 12, Area: "Seaport", Lat: 42.3519, Lon: -71.0446, Source: specialists.Listed}
	stay := specialists.Recommendation{Code: "S2", Source: specialists.Listed, City: "Boston", Name: "Harbour rooms",
		EstimatedCost: "$140–180 a night", Pros: []string{"near the water", "breakfast"}, Type: "Hotel"}
	r.Options.Options = slices.Repeat(r.Options.Options[:1], 3)
	for i := range r.Options.Options {
		o := &r.Options.Options[i]
		o.ID = fmt.Sprint("opt-", i+1)
		o.Itinerary.Days = nil
		for d := range 7 {
			o.Itinerary.Days = append(o.Itinerary.Days, options.Day{Number: d + 1, Date: on("2027-02-12").AddDays(d),
				City: "Boston", Title: "By the water", Accommodation: &entry,
				Meals:      slices.Repeat([]options.Entry{entry}, 3),
				Activities: slices.Repeat([]options.Entry{entry}, 3)})
		}
		o.Itinerary.AlternativeOptions.Stays = slices.Repeat([]specialists.Recommendation{stay}, 6)
	}
	r.Messages = slices.Repeat(r.Messages, 3)
	for i := range r.Messages {
		r.Messages[i].Output.Recommendations = slices.Repeat([]specialists.Recommendation{stay}, 12)
	}
	return r
}

// What a turn keeps, what opening a plan costs, and a choice of 56 items.
func BenchmarkPlansOfAWeek(b *testing.B) {
	a := newAgency(b)
	ctx, by := b.Context(), a.viewer
	p := must[plans.Plan](b)(a.store.Record(ctx, by, "first", "", week()))
	turns := 0
	b.Run("record", func(b *testing.B) {
		for b.Loop() {
			turns++
			p = must[plans.Plan](b)(a.store.Record(ctx, by, fmt.Sprint("turn ", turns), p.Trip, week()))
		}
	})
	b.Run("run", func(b *testing.B) {
		for b.Loop() {
			must[plans.Run](b)(a.store.Run(ctx, by, p.Trip, 0))
		}
	})
	b.Run("list", func(b *testing.B) {
		for b.Loop() {
			must[[]plans.Plan](b)(a.store.Plans(ctx, by))
		}
	})
	b.Run("select", func(b *testing.B) {
		list := slices.Repeat(items("Museum"), 56)
		for n := 0; b.Loop(); n++ {
			p = must[plans.Plan](b)(a.store.Select(ctx, by, p.Trip, 0, p.Run, fmt.Sprint("opt-", n%2+1), list))
		}
	})
	must[plans.Share](b)(a.store.Share(ctx, by, p.Trip, p.Trip+by.UserID, days(1)))
	b.Run("open", func(b *testing.B) {
		for b.Loop() {
			must[plans.Public](b)(a.links.Open(ctx, p.Trip+by.UserID))
		}
	})
}
