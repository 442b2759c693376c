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
	Version           int          `json:"-"`
}

// Naming returns the code and the name.
func (e Extra) Naming() (code, name string) { return e.Code, e.Name }

// Changes are the fields of an extra that change; nil and "" (of Per) leave one
// as it is.
type Changes struct {
	Name              *string       `json:"name,omitempty" jsonschema:"what guests call it"`
	Price             *money.Amount `json:"price,omitempty" jsonschema:"the price without tax"`
	Per               Per           `json:"per,omitempty" jsonschema:"what the price counts for"`
	Category          *string       `json:"category,omitempty" jsonschema:"one word for its kind, such as food"`
	Description       *string       `json:"description,omitempty" limits:"note" jsonschema:"text for guests"`
	TaxRate           *money.Amount `json:"tax_rate,omitempty" jsonschema:"tax in percent"`
	SelectionRequired *bool         `json:"selection_required,omitempty" jsonschema:"whether guests choose something for it, such as a meal"`
	Active            *bool         `json:"active,omitempty" jsonschema:"false takes it out of use, true brings it back"`
}

// Use is what depends on an extra.
type Use struct {
	Bookings int      // that have it, or a guest's choice for it
	Packages []string // codes of those that contain it
	Obstacle string   // a sentence on why it cannot be deleted; "" when it can
}

// Store keeps the extras of properties. Each method acts for by and sees only
// what by may see, in by's chosen property. Under an effect's claim a write
// happens once: a second call gives the answer of the first.
type Store interface {
	// List returns the extras ordered by name; only active ones unless
	// inactive ones are asked for too.
	List(ctx context.Context, by identity.Caller, inactive bool) ([]Extra, error)

	// Create adds an extra and returns it as it now is. The database makes its
	// code and takes the property's currency; both of e are ignored. A name
	// that is taken is a fault.Conflict error with the code "duplicate".
	Create(ctx context.Context, by identity.Caller, e Extra) (Extra, error)

	// Use tells what depends on the extra of that code.
	Use(ctx context.Context, by identity.Caller, code string) (Use, error)

	// Update changes the given fields and returns the extra as it now is. No
	// such code is a fault.NotFound error, a name that is taken a
	// fault.Conflict one with the code "duplicate".
	Update(ctx context.Context, by identity.Caller, code string, c Changes) (Extra, error)

	// Delete removes an extra for good and returns its code. It returns a
	// fault.Conflict error with the code "in_use" while something depends on it.
	Delete(ctx context.Context, by identity.Caller, code string) (string, error)
}
