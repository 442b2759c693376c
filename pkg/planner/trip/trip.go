// Package trip says what is known of a trip that is being planned: the trip context. It
// grows from message to message and is cleared only when the person asks for it (S4-16).
// It holds nothing that says who travels.
package trip

import (
	"slices"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/money"
)

// Bounds of a trip that can be planned.
const (
	MaxDays         = 30 // from the first to the last, both counted
	MaxDestinations = 4
	MaxTravellers   = 20
	MaxAhead        = 500 // days from today to the first day
	MaxWishes       = 12  // interests, must-dos, constraints: of each
	MaxText         = 120 // letters of each
)

// Field names what may be known of a trip. Questions are about one field each.
type Field string

// The fields. The first five are critical: without them nothing is planned.
const (
	Destinations Field = "destinations"
	Dates        Field = "dates"
	Party        Field = "travelers"
	BudgetLevel  Field = "budget"
	Origin       Field = "origin"
	PaceOf       Field = "pace"
	Interests    Field = "interests"
	Dietary      Field = "dietary"
	HotelStyle   Field = "hotel_style"
	MustDos      Field = "must_dos"
	Constraints  Field = "constraints"
)

// Budget is how much the trip may cost, and the tier of what is recommended.
type Budget string

// The budgets.
const (
	Low  Budget = "low"
	Mid  Budget = "mid"
	High Budget = "high"
)

// Values returns the budgets.
func (Budget) Values() []string { return []string{string(Low), string(Mid), string(High)} }

// Pace is how much is done in a day.
type Pace string

// The paces.
const (
	Relaxed  Pace = "relaxed"
	Moderate Pace = "moderate"
	Packed   Pace = "packed"
)

// Values returns the paces.
func (Pace) Values() []string { return []string{string(Relaxed), string(Moderate), string(Packed)} }

// Specialist is who researches a part of the trip.
type Specialist string

// The specialists, in the order of their tasks.
const (
	Transport Specialist = "transport"
	Stay      Specialist = "stay"
	Food      Specialist = "food"
)

// Values returns the specialists.
func (Specialist) Values() []string { return []string{string(Transport), string(Stay), string(Food)} }

// Specialists returns all of them in the order of their tasks.
func Specialists() []Specialist { return []Specialist{Transport, Stay, Food} }

// Place is a city of the trip.
type Place struct {
	Name    string  `json:"name"`              // "Boston"
	Code    string  `json:"code,omitempty"`    // IATA city or airport code, "" where none is known
	Country string  `json:"country,omitempty"` // ISO 3166: "US"
	Zone    string  `json:"zone,omitempty"`    // IANA
	Lat     float64 `json:"lat,omitempty"`
	Lon     float64 `json:"lon,omitempty"`
}

// DateRange is when the trip is. Dates are local to the destination.
type DateRange struct {
	Start calendar.Date `json:"start,omitzero"`
	End   calendar.Date `json:"end,omitzero"` // the last day, on which they leave
	// Nights is how long it takes where the dates are not known; 0 for unknown.
	Nights int `json:"nights,omitempty"`
}

// Known reports whether both dates are known.
func (d DateRange) Known() bool { return !d.Start.IsZero() && !d.End.IsZero() }

// Days counts the days from the first to the last, both counted; 0 where they are not known.
func (d DateRange) Days() int {
	if !d.Known() {
		return 0
	}
	return d.Start.Until(d.End) + 1
}

// Travellers are how many travel.
type Travellers struct {
	Adults   int   `json:"adults"`
	Children []int `json:"children,omitempty"` // ages in years on the first day
}

// Count returns how many they are.
func (t Travellers) Count() int { return t.Adults + len(t.Children) }

// Preferences are wishes that shape options and never stop them.
type Preferences struct {
	Pace       Pace     `json:"pace,omitempty"`
	Interests  []string `json:"interests,omitempty"`  // "history", "food"
	Dietary    []string `json:"dietary,omitempty"`    // "vegetarian"
	HotelStyle string   `json:"hotelStyle,omitempty"` // "boutique"
}

// Context is what is known of a trip. The zero Context knows nothing. It is a value: what
// changes it returns another.
type Context struct {
	Origin       *Place      `json:"origin,omitempty"`
	Destinations []Place     `json:"destinations,omitempty"` // in the order of the journey
	Dates        DateRange   `json:"dateRange,omitzero"`
	Travellers   *Travellers `json:"travelers,omitempty"`
	Budget       Budget      `json:"budget,omitempty"`
	// Most is what all of it may cost at most for all, where the person says so.
	Most        *money.Price `json:"budgetLimit,omitempty"`
	Preferences Preferences  `json:"preferences,omitzero"`
	MustDos     []string     `json:"mustDos,omitempty"`
	Constraints []string     `json:"constraints,omitempty"` // "no flights", "step-free"
	// LocalOnly says that no journey to the destination is wanted: the origin is not asked.
	LocalOnly bool `json:"localOnly,omitempty"`
	// OwnCar says that they have a car at the destination, which is local transport (S4-18).
	OwnCar bool `json:"ownCar,omitempty"`
	// Excluded are specialists of whom the person wants nothing.
	Excluded []Specialist `json:"excluded,omitempty"`
}

// Critical returns the critical fields that are not known, in the order in which they are
// asked. The origin is one unless the trip is local or nothing of transport is wanted.
func (c Context) Critical() []Field {
	var missing []Field
	if len(c.Destinations) == 0 {
		missing = append(missing, Destinations)
	}
	if !c.Dates.Known() {
		missing = append(missing, Dates)
	}
	if c.Travellers == nil || c.Travellers.Count() == 0 {
		missing = append(missing, Party)
	}
	if c.Budget == "" {
		missing = append(missing, BudgetLevel)
	}
	if c.Origin == nil && c.WantsOrigin() {
		missing = append(missing, Origin)
	}
	return missing
}

// WantsOrigin reports whether plans need to know where the journey begins.
func (c Context) WantsOrigin() bool { return !c.LocalOnly && !slices.Contains(c.Excluded, Transport) }

// Ready reports whether everything critical is known.
func (c Context) Ready() bool { return len(c.Critical()) == 0 }
