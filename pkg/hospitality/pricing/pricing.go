// Package pricing shows how prices come about: models with tiers, seasons, and
// what a stay would cost and why. The price itself is computed in the database,
// by the same function that bookings use; docs/prices.md prints its rules.
package pricing

import (
	"context"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/money"
)

// Model is a set of tiers that room types follow.
type Model struct {
	Code        string `json:"code"`
	Name        string `json:"name"`
	Description string `json:"description,omitempty"`
	Default     bool   `json:"default"` // room types that name no model follow it
	Active      bool   `json:"active"`  // an inactive model adjusts nothing
	Tiers       []Tier `json:"tiers"`   // by occupancy, then by days before arrival
	Rooms       []Room `json:"rooms"`   // that name this model
	Version     int    `json:"-"`
}

// Naming returns the code and the name.
func (m Model) Naming() (code, name string) { return m.Code, m.Name }

// Tier adjusts the price of nights whose occupancy is in [Min, Max), or in
// [Min, ∞) when Max is 100, if the days until arrival fit too.
type Tier struct {
	Code       string       `json:"code"`
	Name       string       `json:"name"`
	Min        money.Amount `json:"minOccupancy"`
	Max        money.Amount `json:"maxOccupancy"`
	Adjustment money.Amount `json:"adjustmentPercent"` // below zero for a reduction
	LeadMin    int          `json:"leadDaysMin"`
	LeadMax    *int         `json:"leadDaysMax"` // nil = open
	Version    int          `json:"-"`
}

// Naming returns the code and the name.
func (t Tier) Naming() (code, name string) { return t.Code, t.Name }

// Season replaces base prices, or restricts stays, from Starts to Ends, both
// included. A nil price falls back to the room type's own.
type Season struct {
	Code            string        `json:"code"`
	Name            string        `json:"name"`
	Room            *Room         `json:"room"` // nil = all room types
	Starts          calendar.Date `json:"startsOn"`
	Ends            calendar.Date `json:"endsOn"`
	Weekday         *money.Amount `json:"weekdayPrice"`
	Weekend         *money.Amount `json:"weekendPrice"`
	MinStay         *int          `json:"minStay"`
	ClosedArrival   bool          `json:"closedArrival"`
	ClosedDeparture bool          `json:"closedDeparture"`
	Priority        int           `json:"priority"`
	Active          bool          `json:"active"`
	Currency        string        `json:"currency"`
	Version         int           `json:"-"`
}

// Naming returns the code and the name.
func (s Season) Naming() (code, name string) { return s.Code, s.Name }

// Room is a room type, or anything else that has a code and a name.
type Room struct {
	Code   string `json:"code"`
	Name   string `json:"name"`
	Active bool   `json:"-"`
	Beds   int    `json:"-"` // of a room type's unit
}

// Naming returns the code and the name.
func (r Room) Naming() (code, name string) { return r.Code, r.Name }

// Sold are the things of a property that a quote may name, all of them with
// those that are not sold at present.
type Sold struct{ Rooms, Packages, Extras []Room }

// SeasonChanges are the fields of a season that are set; nil ones stay as they are.
// Room is the code of a room type, or "" for all.
type SeasonChanges struct {
	Name            *string        `json:"name,omitempty"`
	Room            *string        `json:"-"`
	Starts          *calendar.Date `json:"starts_on,omitempty"`
	Ends            *calendar.Date `json:"ends_on,omitempty"`
	Weekday         *money.Amount  `json:"weekday_price,omitempty"`
	Weekend         *money.Amount  `json:"weekend_price,omitempty"`
	MinStay         *int           `json:"min_stay,omitempty"`
	ClosedArrival   *bool          `json:"closed_arrival,omitempty"`
	ClosedDeparture *bool          `json:"closed_departure,omitempty"`
	Priority        *int           `json:"priority,omitempty"`
	Active          *bool          `json:"active,omitempty"`
}

// Store keeps the prices of properties. Each method acts for by and sees only
// what by may see, in by's chosen property. Under an effect's claim a write
// happens once: a second call gives the answer of the first. Writes to a row
// name the version that was read; another one is a fault.Conflict error with
// the code "changed". Version 0 means any, for a repeated call that no longer
// finds the row.
type Store interface {
	// Models returns the models with their tiers, the default one first, then by name.
	Models(ctx context.Context, by identity.Caller) ([]Model, error)

	// Seasons returns the seasons by their first day, inactive ones too.
	Seasons(ctx context.Context, by identity.Caller) ([]Season, error)

	// Sold returns what can be asked for, each kind by name.
	Sold(ctx context.Context, by identity.Caller) (Sold, error)

	// Quotes returns one quote for each request, at most 100. An unknown code
	// is a fault.NotFound error.
	Quotes(ctx context.Context, by identity.Caller, requests []Request) ([]Quote, error)

	// AddSeason adds a season and returns it; its code is made from the name.
	AddSeason(ctx context.Context, by identity.Caller, c SeasonChanges) (Season, error)

	// ChangeSeason changes a season and returns it as it now is.
	ChangeSeason(ctx context.Context, by identity.Caller, code string, version int, c SeasonChanges) (Season, error)

	// RemoveSeason deletes a season.
	RemoveSeason(ctx context.Context, by identity.Caller, code string, version int) error

	// AddTier adds a tier to the model of that code and returns it.
	AddTier(ctx context.Context, by identity.Caller, model string, t Tier) (Tier, error)

	// ChangeTier sets all fields of a tier but its code, and returns it.
	ChangeTier(ctx context.Context, by identity.Caller, t Tier) (Tier, error)

	// RemoveTier deletes a tier.
	RemoveTier(ctx context.Context, by identity.Caller, code string, version int) error
}
