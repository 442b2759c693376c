// Package rooms holds what a hotel lets: its room types.
package rooms

import (
	"context"

	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/money"
)

// Type is a kind of room that guests book. Its units are the rooms of that
// kind. Amounts are per night, in Currency.
type Type struct {
	Code            string       `json:"code"`
	Name            string       `json:"name"`
	Description     string       `json:"description"`
	Capacity        int          `json:"capacity"`
	IncludedGuests  int          `json:"includedGuests"`
	ExtraGuestPrice money.Amount `json:"extraGuestPrice"`
	WeekdayPrice    money.Amount `json:"weekdayPrice"`
	WeekendPrice    money.Amount `json:"weekendPrice"`
	Currency        string       `json:"currency"`
	MinStay         int          `json:"minStay"` // nights
	MaxStay         int          `json:"maxStay"` // nights
	Amenities       []string     `json:"amenities"`
	Units           []string     `json:"units"` // codes of the active ones
	Active          bool         `json:"active"`
}

// Naming returns the code and the name.
func (t Type) Naming() (code, name string) { return t.Code, t.Name }

// Store keeps the room types of properties. Each method acts for by and sees
// only what by may see, in by's chosen property.
type Store interface {
	// List returns the room types ordered by name; only active ones unless
	// inactive ones are asked for too.
	List(ctx context.Context, by identity.Caller, inactive bool) ([]Type, error)
}
