// Package plans says what is kept of planning a trip: a run for each message, the options
// of the last one, which of them the person selected, and links that show it to others.
package plans

import (
	"context"
	"encoding/json"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/planner/options"
	"github.com/bellhop-ai/bellhop/pkg/planner/specialists"
	"github.com/bellhop-ai/bellhop/pkg/planner/trip"
	"github.com/bellhop-ai/bellhop/pkg/travel/itinerary"
)

// Status is how far the planning of a trip is.
type Status string

// The statuses of a plan.
const (
	Planning Status = "planning" // no options yet
	Proposed Status = "proposed" // there are options, and none is selected
	Selected Status = "selected"
)

// Outcome is how a run ended.
type Outcome string

// The outcomes of a run.
const (
	Succeeded Outcome = "success"
	Partly    Outcome = "partial" // options with gaps
	Errored   Outcome = "error"
)

// Plan is what is kept of planning a trip. Its itinerary is the trip of that code in
// package travel/itinerary.
type Plan struct {
	Trip    string       `json:"trip"` // "TR-0001"
	Title   string       `json:"title"`
	Status  Status       `json:"status"`
	Context trip.Context `json:"context"`
	// Run is the number of the run whose options are current, 0 for none, and Option the
	// one that was selected among them, "" for none.
	Run       int       `json:"run"`
	Option    string    `json:"option,omitempty"`
	Version   int       `json:"version"`
	Mine      bool      `json:"mine"`
	UpdatedAt time.Time `json:"updatedAt"`
}

// Run is what one message led to (S4-29).
type Run struct {
	Number      int          `json:"number"` // within its trip, from 1
	UserMessage string       `json:"userMessage"`
	Mode        string       `json:"mode"` // CLARIFY, CONFIRM, DISPATCH, FINALIZE
	Status      Outcome      `json:"status"`
	Error       string       `json:"error,omitempty"` // for people
	Context     trip.Context `json:"context"`
	// Output is what the master put out in its mode, as JSON.
	Output json.RawMessage `json:"output,omitempty"`
	// Messages are those of the specialists (S4-40), in the order of their tasks.
	Messages  []Message    `json:"messages,omitempty"`
	Options   *options.Set `json:"options,omitempty"`
	CreatedAt time.Time    `json:"createdAt"`
}

// Message is what a specialist was asked and answered.
type Message struct {
	Task   specialists.Task   `json:"task"`
	Output specialists.Output `json:"output"`
	Millis int                `json:"millis"`
}

// Share is a link that shows the selected or the current options of a plan to people
// who have it, without names and without what it takes to change anything.
type Share struct {
	Code    string    `json:"code"`            // "SH-1" within the trip
	Token   string    `json:"token,omitempty"` // only when it is made
	Expires time.Time `json:"expires"`
	Revoked bool      `json:"revoked"`
	Made    time.Time `json:"made"`
}

// Public is what a link shows. Of the context, wishes in the person's own words, needs and
// ages are left out; with children, who travels is left out as a whole.
type Public struct {
	Title   string       `json:"title"`
	Context trip.Context `json:"context"`
	Option  string       `json:"option,omitempty"` // the selected one
	Options options.Set  `json:"options"`
	Expires time.Time    `json:"expires"`
}

// Store keeps plans for their owner and the companions of the trip, who may read them.
// Methods that change take the version that the caller saw, 0 for any, and refuse another
// with fault.Conflict and the code changed.
type Store interface {
	// Record stores a run under a key, once, and makes the trip where trip is "". Options
	// of the run become the current ones: an earlier selection is void then. It is
	// book-keeping of a turn and needs no consent.
	Record(ctx context.Context, by identity.Caller, key, trip string, r Run) (Plan, error)
	Plans(ctx context.Context, by identity.Caller) ([]Plan, error)
	Plan(ctx context.Context, by identity.Caller, trip string) (Plan, error)
	// Runs returns the runs without outputs, messages and options, the newest first; Run one
	// with all of it, the current one where number is 0. fault.NotFound says that there is
	// none. Companions see neither what the owner wrote nor outputs and messages.
	Runs(ctx context.Context, by identity.Caller, trip string) ([]Run, error)
	Run(ctx context.Context, by identity.Caller, trip string, number int) (Run, error)
	// Revise replaces the options of the current run, as a swap does. Where an option is
	// selected, the items of the itinerary that planning wrote are replaced by items, in the
	// same transaction; nil leaves them. The selected option must be among set.
	Revise(ctx context.Context, by identity.Caller, trip string, version, run int, set options.Set,
		items []itinerary.Item) (Plan, error)
	// Select records the choice, and replaces the items of the itinerary that planning wrote
	// by these, in one transaction. Items that the person added, changed or booked stay.
	// Options of a run that is not the current one are refused with fault.Conflict and the
	// code replaced. What is selected already is returned as it is, in any version.
	Select(ctx context.Context, by identity.Caller, trip string, version, run int, option string,
		items []itinerary.Item) (Plan, error)
	// Reset forgets the context of the planning and which options are current, not its runs
	// and not the itinerary.
	Reset(ctx context.Context, by identity.Caller, trip string) (Plan, error)
	// Share makes a link that works until expires, at most 180 days; only the owner may, and
	// at most 20 links of a trip work at once. The token is random, made by the caller; it is
	// returned this once and stored as its hash. Shares lists the links, Revoke ends one.
	Share(ctx context.Context, by identity.Caller, trip, token string, expires time.Time) (Share, error)
	Shares(ctx context.Context, by identity.Caller, trip string) ([]Share, error)
	Revoke(ctx context.Context, by identity.Caller, trip, code string) (Share, error)
}

// Links shows what a link leads to, to people who are not signed in. fault.NotFound says
// that it never was, was revoked or has expired, without saying which.
type Links interface {
	Open(ctx context.Context, token string) (Public, error)
}
