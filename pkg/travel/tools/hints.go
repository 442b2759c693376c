package tools

import (
	"context"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/tool"
)

// hintsInput are the arguments of travel_hints.
type hintsInput struct {
	Trip      string   `json:"trip,omitempty" jsonschema:"code of the trip, such as TR-0001; the next one when left out"`
	Latitude  *float64 `json:"latitude,omitempty" jsonschema:"where the person is now, only when they gave it for this request; it is not kept" limits:"free"`
	Longitude *float64 `json:"longitude,omitempty" jsonschema:"where the person is now, only when they gave it for this request; it is not kept" limits:"free"`
}

// Check tidies the code.
func (in *hintsInput) Check() error { in.Trip = codeOf(in.Trip); return nil }

func (t *set) travelHints() tool.Tool {
	return tool.New(tool.Spec{Name: "travel_hints", Effect: tool.Reads, Description: text("travel_hints"),
		Extension: "what is due on a trip: check-in, connections, passports, nights without a bed",
		Category:  "itinerary",
		Component: "HintCard"},
		func(ctx context.Context, by identity.Caller, in hintsInput) (hinted, error) {
			trip, err := t.trip(ctx, by, in.Trip)
			return hinted{Trip: trip.Code, Hints: []string{}}, err
		})
}

// hinted is the answer of travel_hints.
type hinted struct {
	Trip  string   `json:"trip"`
	Hints []string `json:"hints"`
}

// Count is how many hints there are.
func (h hinted) Count() int { return len(h.Hints) }

// Summarize lists them.
func (h hinted) Summarize() string {
	if len(h.Hints) == 0 {
		return "Nothing is due on " + h.Trip + " at the moment."
	}
	return strings.Join(h.Hints, " ")
}
