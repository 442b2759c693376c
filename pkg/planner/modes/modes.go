// Package modes is the mode machine of the planner: which mode a message leads to, decided
// from what is known of the trip, and what is put out in each mode.
package modes

import (
	"slices"

	"github.com/bellhop-ai/bellhop/pkg/planner/options"
	"github.com/bellhop-ai/bellhop/pkg/planner/questions"
	"github.com/bellhop-ai/bellhop/pkg/planner/specialists"
	"github.com/bellhop-ai/bellhop/pkg/planner/trip"
)

// Mode is what the planner is doing.
type Mode string

// The modes (S4-1).
const (
	Clarify  Mode = "CLARIFY"  // asks for what is missing
	Confirm  Mode = "CONFIRM"  // says what it knows and asks whether that is right
	Dispatch Mode = "DISPATCH" // gives tasks to the specialists
	Finalize Mode = "FINALIZE" // shows the options
)

// Values returns the modes.
func (Mode) Values() []string {
	return []string{string(Clarify), string(Confirm), string(Dispatch), string(Finalize)}
}

// From returns the modes that may follow on one, "" being the start (S4-14). From
// FINALIZE the way leads back to CLARIFY alone, when the person wants something else.
func From(m Mode) []Mode {
	switch m {
	case Confirm:
		return []Mode{Clarify, Dispatch}
	case Dispatch:
		return []Mode{Finalize}
	case Finalize:
		return []Mode{Clarify}
	}
	return []Mode{Clarify, Confirm, Dispatch}
}

// Legal reports whether a mode may follow on another.
func Legal(from, to Mode) bool { return slices.Contains(From(from), to) }

// Facts are what decides about the mode of a turn.
type Facts struct {
	Context trip.Context
	// Found says that the specialists have answered in this turn.
	Found bool
	// Confirmed says that the person agreed to the summary of a CONFIRM, and said nothing
	// else.
	Confirmed bool
	// Sure says that each critical field was given in this message (S4-41).
	Sure bool
	// Rejected says that the person wants something else and has not said what.
	Rejected bool
	// Open says that a question which is worth a turn was not asked yet.
	Open bool
	// Unclear says that something of the message has to be asked back: an ambiguous place,
	// contradictory dates.
	Unclear bool
}

// Determine returns the mode (S4-12 with the ruling on its order): FINALIZE once the
// specialists have answered; DISPATCH when everything critical is known and confirmed, or
// all of it was given at once; CONFIRM when everything is known; else CLARIFY.
func Determine(f Facts) Mode {
	switch {
	case f.Found:
		return Finalize
	case f.Rejected || f.Unclear || !f.Context.Ready():
		return Clarify
	case f.Confirmed || f.Sure:
		return Dispatch
	case f.Open:
		return Clarify
	}
	return Confirm
}

// Path returns the legal steps from a mode to the one that was determined, without the
// first and with the last: a change after FINALIZE goes through CLARIFY, and so does one
// after CONFIRM that is to be confirmed again.
func Path(from, to Mode) []Mode {
	if Legal(from, to) {
		return []Mode{to}
	}
	return append([]Mode{Clarify}, to)
}

// Known is the context of a trip with the questions that were asked about it (S4-15).
type Known struct {
	trip.Context
	Ledger questions.Ledger `json:"questionLedger"`
}

// Output is what a turn puts out (S4-2). Which of the members after NextStep are there
// depends on the mode.
type Output struct {
	Mode      Mode     `json:"mode"`
	Context   Known    `json:"updatedTripContext"`
	Questions []string `json:"questions"` // none in DISPATCH and FINALIZE
	Summary   string   `json:"shortSummary"`
	Next      string   `json:"nextStep"`
	// ContextSummary is that of CONFIRM (S4-4).
	ContextSummary string `json:"contextSummary,omitempty"`
	// Tasks are those of DISPATCH (S4-5).
	Tasks []specialists.Task `json:"tasks,omitempty"`
	// Itineraries are those of FINALIZE (S4-8).
	Itineraries *options.Set `json:"multipleItineraries,omitempty"`
	// Assumptions are what was taken for granted (S4-34).
	Assumptions []string `json:"assumptions,omitempty"`
}
