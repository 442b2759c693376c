// Package frontdesk holds what a hotel's desk looks at during the day: who
// arrives, who leaves, which rooms to clean, and who changed what.
package frontdesk

import (
	"context"
	"encoding/json"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/hospitality/reservations"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/money"
)

// Stay is a reservation as the desk sees it. Amounts are in Currency.
type Stay struct {
	Code            string              `json:"code"`
	GroupCode       string              `json:"groupCode,omitempty"`
	Guest           string              `json:"guest"`
	Rooms           []string            `json:"rooms"` // codes of the units
	CheckIn         calendar.Date       `json:"checkIn"`
	CheckOut        calendar.Date       `json:"checkOut"`
	Nights          int                 `json:"nights"`
	Adults          int                 `json:"adults"`
	Children        int                 `json:"children"`
	Status          reservations.Status `json:"status"`
	Total           money.Amount        `json:"total"`
	Balance         money.Amount        `json:"balance"` // still to be paid
	Currency        string              `json:"currency"`
	SpecialRequests string              `json:"specialRequests,omitempty"`
}

// Unit is how one room that is let stands on a day. Leaving, Arriving and
// Staying are codes of reservations, Block is the reason of a block; "" for none.
type Unit struct {
	Code     string `json:"unit"`
	Room     string `json:"room"`
	State    State  `json:"state,omitempty"` // whether it is clean now
	Leaving  string `json:"leaving,omitempty"`
	Arriving string `json:"arriving,omitempty"`
	Staying  string `json:"staying,omitempty"`
	Block    string `json:"block,omitempty"`
}

// Day is a property's day. Cancelled bookings and no-shows are not in it.
type Day struct {
	Arriving []Stay `json:"arriving"` // by guest
	Leaving  []Stay `json:"leaving"`
	Staying  []Stay `json:"staying"` // came before and leave later
	Overdue  []Stay `json:"overdue"` // checked in, although the stay ended before that day
	Units    []Unit `json:"units"`   // by room type and code
}

// Change is one recorded change of one record.
type Change struct {
	At       time.Time
	Who      string // the person's name; "" for the system
	Left     bool   // the person is no member any more
	Assisted bool   // it was done with an assistant's tool
	Table    string `json:"table_name"`
	Action   string // insert, update or delete
	Thing    string // the code of what a joining record joins, such as a unit's
	Before   map[string]json.RawMessage
	After    map[string]json.RawMessage
}

// History is a part of what was recorded, newest first.
type History struct {
	Changes []Change
	Matches int // how many there are in all
}

// Store keeps what the desk looks at. Each method acts for by and sees only what
// by may see, in by's chosen property.
type Store interface {
	// Day returns a day of the property.
	Day(ctx context.Context, by identity.Caller, day calendar.Date) (Day, error)

	// Morning returns what is to be done on a day; lists have at most limit
	// entries.
	Morning(ctx context.Context, by identity.Caller, day calendar.Date, limit int) (Morning, error)

	// States returns the units with these codes, or all that are let, by room type and
	// unit, with whether they are clean; Next is of that day.
	States(ctx context.Context, by identity.Caller, day calendar.Date, units []string) ([]UnitState, error)

	// SetStates sets whether units are clean and returns them as they are then. A unit that
	// is so already stays as it is. An unknown unit is a fault.NotFound error, one of
	// another version than was seen a fault.Conflict one with the code "unit_changed".
	// Under a claim it happens once.
	SetStates(ctx context.Context, by identity.Caller, units []SeenUnit, to State, day calendar.Date) ([]UnitState,
		error)

	// Needs returns what guests asked for.
	Needs(ctx context.Context, by identity.Caller, f NeedsFilter) (Needs, error)

	// Meals returns who eats on a day.
	Meals(ctx context.Context, by identity.Caller, day calendar.Date) (Meals, error)

	// House returns what the property tells its guests.
	House(ctx context.Context, by identity.Caller) (House, error)

	// SetHouse changes some of it; an empty text removes one. Whoever is no
	// administrator gets a fault.Forbidden error.
	SetHouse(ctx context.Context, by identity.Caller, facts map[Fact]string) (House, error)

	// Changes returns what was done to the record with that code, and to what
	// hangs on it: limit changes, the newest first, after the first offset ones.
	// Whoever is neither administrator nor manager gets a
	// fault.Forbidden error.
	Changes(ctx context.Context, by identity.Caller, code string, limit, offset int) (History, error)
}
