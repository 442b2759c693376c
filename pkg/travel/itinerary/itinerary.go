// Package itinerary is the plan of a trip: what is when and where, with conflicts, gaps
// and arithmetic of time zones. An itinerary belongs to a person and named companions.
package itinerary

import (
	"context"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/money"
)

// Type is what an item of a trip is.
type Type string

// The types: flight, hotel and activity of the source, time that is blocked for
// travelling without a flight (S1-15), and a note.
const (
	Flight   Type = "flight"
	Hotel    Type = "hotel"
	Activity Type = "activity"
	Travel   Type = "travel"
	Note     Type = "note"
)

// Values returns the types.
func (Type) Values() []string {
	return []string{string(Flight), string(Hotel), string(Activity), string(Travel), string(Note)}
}

// Status is how firm an item is.
type Status string

// The statuses.
const (
	Planned   Status = "planned"
	Held      Status = "held"
	Booked    Status = "booked"
	Cancelled Status = "cancelled"
)

// Trip is a trip with its items in the order of time.
type Trip struct {
	Code  string        `json:"code"` // "TR-0001"
	Title string        `json:"title"`
	From  calendar.Date `json:"from"` // of its items, or as given
	To    calendar.Date `json:"to"`
	Items []Item        `json:"items"`
	// Companions are names of the people who see and change it besides its owner.
	Companions []string  `json:"companions,omitempty"`
	Mine       bool      `json:"mine"`
	Version    int       `json:"version"`
	UpdatedAt  time.Time `json:"updatedAt"`
}

// Item is one thing of a trip. Hotels start and end with their days; their clocks are
// check-in and check-out times where these are known.
type Item struct {
	Code   string `json:"code"` // within its trip: "I3"
	Type   Type   `json:"type"`
	Status Status `json:"status"`
	Title  string `json:"title"`
	// Origin and Destination are places of a flight or of blocked time; Place is where
	// anything else is.
	Origin      string            `json:"origin,omitempty"`
	Destination string            `json:"destination,omitempty"`
	Place       string            `json:"place,omitempty"`
	Starts      calendar.DateTime `json:"starts"` // local to where it starts
	Ends        calendar.DateTime `json:"ends"`   // local to where it ends
	AllDay      bool              `json:"allDay,omitempty"`
	StartZone   string            `json:"startZone"` // IANA
	EndZone     string            `json:"endZone"`
	Booking     string            `json:"booking,omitempty"`   // code of a booking
	Reference   string            `json:"reference,omitempty"` // confirmation number
	Price       *money.Price      `json:"price,omitempty"`
	Notes       string            `json:"notes,omitempty"`
	// Terms of a flight for hints: whether it is international, its number.
	Number        string `json:"number,omitempty"`
	International bool   `json:"international,omitempty"`
}

// Moments returns when the item starts and ends. Unknown zones are an error.
func (i Item) Moments() (starts, ends time.Time, err error) {
	from, err := time.LoadLocation(i.StartZone)
	if err != nil {
		return starts, ends, err
	}
	to, err := time.LoadLocation(i.EndZone)
	if err != nil {
		return starts, ends, err
	}
	return i.Starts.In(from), i.Ends.In(to), nil
}

// Store keeps trips. Every change raises the trip's version; methods that change take the
// version that the caller saw, 0 for any, and refuse another with fault.Conflict and the
// code changed.
type Store interface {
	// Trips returns the caller's trips and those in which the caller is a companion,
	// the next first, past ones last. Items are not among them.
	Trips(ctx context.Context, by identity.Caller) ([]Trip, error)
	Trip(ctx context.Context, by identity.Caller, code string) (Trip, error)
	// Create makes a trip with its items; the same key again returns the one that is
	// there.
	Create(ctx context.Context, by identity.Caller, key string, t Trip) (Trip, error)
	Rename(ctx context.Context, by identity.Caller, code string, version int, title string) (Trip, error)
	Delete(ctx context.Context, by identity.Caller, code string, version int) error
	// Put adds items (Code "") or changes those with that code, all of them in one
	// transaction: a flight there and back is two items.
	Put(ctx context.Context, by identity.Caller, code string, version int, items ...Item) (Trip, error)
	Remove(ctx context.Context, by identity.Caller, code string, version int, item string) (Trip, error)
	// Share names a companion by email, who must be a member of the organisation; Unshare
	// takes one back by name. The owner alone may.
	Share(ctx context.Context, by identity.Caller, code, email string) (Trip, error)
	Unshare(ctx context.Context, by identity.Caller, code, name string) (Trip, error)
}
