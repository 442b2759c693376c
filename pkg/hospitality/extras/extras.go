// Package extras holds what a hotel sells beside the room.
package extras

import (
	"context"

	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/money"
)

// Per is what the price of an extra counts for.
type Per string

// The units of a price.
const (
	Stay       Per = "stay"
	Night      Per = "night"
	Guest      Per = "guest"
	GuestNight Per = "guest_night"
)

// Values returns the closed set.
func (Per) Values() []string {
	return []string{string(Stay), string(Night), string(Guest), string(GuestNight)}
}

// Words returns the unit as people say it.
func (p Per) Words() string {
	switch p {
	case Night:
		return "per night"
	case Guest:
		return "per guest"
	case GuestNight:
		return "per guest and night"
	}
	return "per stay"
}

// Extra is something that guests can book beside the room. Price is in Currency
// and without tax.
type Extra struct {
	Code              string       `json:"code"`
	Name              string       `json:"name"`
	Description       string       `json:"description"`
	Category          string       `json:"category"`
	Price             money.Amount `json:"price"`
	Currency          string       `json:"currency"`
	Per               Per          `json:"per"`
	TaxRate           money.Amount `json:"taxRate"` // percent
	SelectionRequired bool         `json:"selectionRequired"`
	Active            bool         `json:"active"`
}

// Naming returns the code and the name.
func (e Extra) Naming() (code, name string) { return e.Code, e.Name }

// Store keeps the extras of properties. Each method acts for by and sees only
// what by may see, in by's chosen property.
type Store interface {
	// List returns the extras ordered by name; only active ones unless
	// inactive ones are asked for too.
	List(ctx context.Context, by identity.Caller, inactive bool) ([]Extra, error)

	// Create adds an extra and returns it as it now is. The database makes its
	// code and takes the property's currency; both of e are ignored. Under an
	// effect's claim it happens once: a second call returns the same extra.
	Create(ctx context.Context, by identity.Caller, e Extra) (Extra, error)
}
