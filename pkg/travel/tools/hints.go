package tools

import (
	"context"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/tool"
	"github.com/bellhop-ai/bellhop/pkg/travel/bookings"
	"github.com/bellhop-ai/bellhop/pkg/travel/flights"
	"github.com/bellhop-ai/bellhop/pkg/travel/hints"
	"github.com/bellhop-ai/bellhop/pkg/travel/itinerary"
)

// hintsInput are the arguments of travel_hints.
type hintsInput struct {
	Trip string `json:"trip,omitempty" jsonschema:"code of the trip, such as TR-0001; the one that is going on or comes next when left out"`
}

// Check tidies the code.
func (in *hintsInput) Check() error { in.Trip = codeOf(in.Trip); return nil }

func (t *set) travelHints() tool.Tool {
	return tool.New(tool.Spec{Name: "travel_hints", Effect: tool.Reads, Description: text("travel_hints"),
		Extension: "what is due on a trip: check-in, connections, passports, nights without a bed",
		Category:  "itinerary",
		Component: "HintCard", Untrusted: []string{"hints"}},
		func(ctx context.Context, by identity.Caller, in hintsInput) (hinted, error) {
			trip, err := t.trip(ctx, by, in.Trip)
			// Holds end without a trip, too.
			if err != nil && (in.Trip != "" || !fault.Is(err, fault.NotFound)) {
				return hinted{}, err
			}
			o, err := t.hintOptions(ctx, by, trip)
			if err != nil {
				return hinted{}, err
			}
			o.At = hints.LocationOf(ctx)
			out := hinted{Trip: trip.Code, Hints: []string{}}
			for _, h := range hints.Of(trip, o) {
				out.Hints = append(out.Hints, h.Text)
			}
			return out, nil
		})
}

// hintOptions reads the bookings of a trip and who travels by them: the person alone
// where no booking says it.
func (t *set) hintOptions(ctx context.Context, by identity.Caller, trip itinerary.Trip) (hints.Options, error) {
	o := hints.Options{Now: t.Now()}
	list, err := t.Bookings.List(ctx, by, bookings.Filter{Upcoming: true, Limit: 50})
	if err != nil {
		return o, err
	}
	known, err := t.Travellers.Summaries(ctx, by, trip.To)
	if err != nil {
		return o, err
	}
	along := map[string]bool{}
	for _, b := range list {
		if b.Trip == trip.Code || b.Trip == "" && b.State == flights.Held {
			o.Bookings = append(o.Bookings, b)
			for _, code := range b.Travellers {
				along[code] = true
			}
		}
	}
	if trip.Code == "" {
		return o, nil
	}
	for _, p := range known {
		if along[p.Code] || len(along) == 0 && p.Self {
			o.Travellers = append(o.Travellers, p)
		}
	}
	return o, nil
}

// hinted is the answer of travel_hints.
type hinted struct {
	Trip  string   `json:"trip"`
	Hints []string `json:"hints"`
}

// hintsForModel is how many hints models see, and hintsSaid how many are said.
const (
	hintsForModel = 12
	hintsSaid     = 4
)

// MarshalJSON writes the short form for models.
func (h hinted) MarshalJSON() ([]byte, error) {
	return short(hintsForModel, func(n int) any {
		out := []string{}
		for _, text := range h.Hints[:min(len(h.Hints), n)] {
			out = append(out, cut(text, 240))
		}
		return map[string]any{"trip": h.Trip, "hints": out, "total": len(h.Hints)}
	})
}

// Count is how many hints there are.
func (h hinted) Count() int { return len(h.Hints) }

// Summarize lists them.
func (h hinted) Summarize() string {
	if len(h.Hints) == 0 {
		if h.Trip == "" {
			return "No trip is to come, and nothing is due."
		}
		return "Nothing is due on " + h.Trip + " at the moment."
	}
	return cut(strings.Join(h.Hints[:min(len(h.Hints), hintsSaid)], " "), 800)
}
