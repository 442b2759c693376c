// Package rooms holds what a hotel lets: its room types.
package rooms

import (
	"context"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/money"
)

// Weekday is a day of the week as people write it.
type Weekday string

// Values returns the closed set, Monday first.
func (Weekday) Values() []string {
	return []string{"monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"}
}

// Type is a kind of room that guests book. Its units are the rooms of that
// kind. Amounts are per night, in Currency.
type Type struct {
	Code                string        `json:"code"`
	Name                string        `json:"name"`
	Description         string        `json:"description"`
	Capacity            int           `json:"capacity"`
	IncludedGuests      int           `json:"includedGuests"`
	ExtraGuestPrice     money.Amount  `json:"extraGuestPrice"`
	WeekdayPrice        money.Amount  `json:"weekdayPrice"`
	WeekendPrice        money.Amount  `json:"weekendPrice"`
	FloorPrice          *money.Amount `json:"floorPrice,omitempty"`   // no night costs less; nil for no limit
	CeilingPrice        *money.Amount `json:"ceilingPrice,omitempty"` // no night costs more; nil for no limit
	Currency            string        `json:"currency"`
	MinStay             int           `json:"minStay"` // nights
	MaxStay             int           `json:"maxStay"` // nights
	ClosedArrivalDays   []Weekday     `json:"closedArrivalDays,omitempty"`
	ClosedDepartureDays []Weekday     `json:"closedDepartureDays,omitempty"`
	Amenities           []string      `json:"amenities"`
	Units               []string      `json:"units"` // codes of the active ones
	Active              bool          `json:"active"`
	Version             int           `json:"-"`
}

// Naming returns the code and the name.
func (t Type) Naming() (code, name string) { return t.Code, t.Name }

// Limit is a field that can be without a value.
type Limit string

// The fields that can be cleared.
const (
	Floor   Limit = "floor_price"
	Ceiling Limit = "ceiling_price"
)

// Values returns the closed set.
func (Limit) Values() []string { return []string{string(Floor), string(Ceiling)} }

// Changes are the fields of a room type that change; nil leaves one as it is.
type Changes struct {
	Name                *string       `json:"name,omitempty" jsonschema:"what guests call it"`
	Description         *string       `json:"description,omitempty" limits:"note" jsonschema:"text for guests"`
	Capacity            *int          `json:"capacity,omitempty" jsonschema:"how many guests fit in"`
	IncludedGuests      *int          `json:"included_guests,omitempty" jsonschema:"guests that the price includes"`
	ExtraGuestPrice     *money.Amount `json:"extra_guest_price,omitempty" jsonschema:"per night of each further guest"`
	WeekdayPrice        *money.Amount `json:"weekday_price,omitempty" jsonschema:"price of a night, Sunday to Thursday"`
	WeekendPrice        *money.Amount `json:"weekend_price,omitempty" jsonschema:"price of a Friday or Saturday night"`
	MinStay             *int          `json:"min_stay,omitempty" jsonschema:"shortest stay in nights"`
	MaxStay             *int          `json:"max_stay,omitempty" jsonschema:"longest stay in nights"`
	FloorPrice          *money.Amount `json:"floor_price,omitempty" jsonschema:"the least a night may cost"`
	CeilingPrice        *money.Amount `json:"ceiling_price,omitempty" jsonschema:"the most a night may cost"`
	ClosedArrivalDays   *[]Weekday    `json:"closed_arrival_days,omitempty" jsonschema:"weekdays on which nobody may arrive"`
	ClosedDepartureDays *[]Weekday    `json:"closed_departure_days,omitempty" jsonschema:"weekdays on which nobody may leave"`
	Amenities           *[]string     `json:"amenities,omitempty" jsonschema:"all it offers, such as wifi"`
	Active              *bool         `json:"active,omitempty" jsonschema:"false takes it out of use, true brings it back"`
	Units               *int          `json:"units,omitempty" jsonschema:"how many rooms of this type"`
	Clear               []Limit       `json:"clear,omitempty" jsonschema:"limits to remove"`
}

// Use is what depends on a room type from today on.
type Use struct {
	Upcoming  int      // bookings
	BusyUnits []string // codes of units that are booked or blocked
	Seasons   []string // codes of seasons whose own prices hold for it
	Removed   []string // codes of packages, coupons and seasons that a deletion takes it from
	Obstacle  string   // a sentence on why it cannot be deleted; "" when it can
}

// Cleaning is whether a unit is clean.
type Cleaning struct {
	Unit  string `json:"unit"`
	State string `json:"state"` // clean or to_clean
}

// Move is a stay that makes room when there are to be fewer units: it moves to another
// unit of its type.
type Move struct {
	Code     string        `json:"code"` // of the reservation
	Guest    string        `json:"guest"`
	CheckIn  calendar.Date `json:"check_in"`
	CheckOut calendar.Date `json:"check_out"`
	From     string        `json:"unit"`
	To       string        `json:"to_unit"`
}

// Store keeps the room types of properties. Each method acts for by and sees
// only what by may see, in by's chosen property. Under an effect's claim a write
// happens once: a second call gives the answer of the first.
type Store interface {
	// List returns the room types ordered by name; only active ones unless
	// inactive ones are asked for too.
	List(ctx context.Context, by identity.Caller, inactive bool) ([]Type, error)

	// Create adds a room type with so many units and returns it as it now is.
	// The database makes the codes of the type and of its units; those of t are
	// ignored. A name that is taken is a fault.Conflict error with the code
	// "duplicate".
	Create(ctx context.Context, by identity.Caller, t Type, units int) (Type, error)

	// Use tells what depends on the room type of that code.
	Use(ctx context.Context, by identity.Caller, code string, today calendar.Date) (Use, error)

	// Update changes the given fields and returns the type as it now is. No
	// such code is a fault.NotFound error. A name that is taken is a
	// fault.Conflict one with the code "duplicate"; more units that are booked
	// or blocked from today on than are to stay, one with "units_in_use".
	Update(ctx context.Context, by identity.Caller, code string, c Changes, today calendar.Date) (Type, error)

	// Cleaning returns whether these units are clean, by code.
	Cleaning(ctx context.Context, by identity.Caller, units []string) ([]Cleaning, error)

	// UnitMoves returns the stays that Update moves to other units of the type when it is
	// to have so many, by arrival; none where enough units are free. Too few units that
	// can go is a fault.Conflict with the code "units_in_use".
	UnitMoves(ctx context.Context, by identity.Caller, code string, units int, today calendar.Date) ([]Move, error)
	// Delete removes a room type and its units for good and returns its code.
	// It returns a fault.Conflict error with the code "in_use" while something
	// depends on it.
	Delete(ctx context.Context, by identity.Caller, code string) (string, error)
}
