// Package packages holds what a hotel sells at one price: a stay in certain
// room types with certain extras.
package packages

import (
	"context"
	"strconv"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/money"
)

// Per is what the price of a package counts for.
type Per string

// The units of a price.
const (
	Stay  Per = "stay"
	Night Per = "night"
)

// Values returns the closed set.
func (Per) Values() []string { return []string{string(Stay), string(Night)} }

// Words returns the unit as people say it.
func (p Per) Words() string { return "per " + string(p) }

// Part is a room type or an extra of a package.
type Part struct {
	Code     string `json:"code"`
	Name     string `json:"name"`
	Quantity int    `json:"quantity,omitempty"` // of an extra
}

// Package is a stay at one price. Price is for one room, in Currency; the room
// share of it counts as room revenue, the rest as other revenue.
type Package struct {
	Code             string         `json:"code"`
	Name             string         `json:"name"`
	Description      string         `json:"description"`
	Price            money.Amount   `json:"price"`
	Currency         string         `json:"currency"`
	Per              Per            `json:"per"`
	RoomSharePercent money.Amount   `json:"roomSharePercent"`
	MinNights        int            `json:"minNights"`
	MaxNights        *int           `json:"maxNights,omitempty"` // nil for no limit
	IncludedGuests   int            `json:"includedGuests"`      // per room
	ValidFrom        *calendar.Date `json:"validFrom,omitempty"` // the first night; nil for no limit
	ValidTo          *calendar.Date `json:"validTo,omitempty"`   // the last night; nil for no limit
	Rooms            []Part         `json:"rooms"`               // none: every room type
	Extras           []Part         `json:"extras"`
	Active           bool           `json:"active"`
	Version          int            `json:"-"`
}

// Naming returns the code and the name.
func (p Package) Naming() (code, name string) { return p.Code, p.Name }

func (p Package) costs() string { return p.Price.Format(p.Currency) + " " + p.Per.Words() }

func (p Package) nights() string {
	switch {
	case p.MaxNights == nil:
		return strconv.Itoa(p.MinNights) + " or more"
	case *p.MaxNights == p.MinNights:
		return strconv.Itoa(p.MinNights)
	}
	return strconv.Itoa(p.MinNights) + " to " + strconv.Itoa(*p.MaxNights)
}

func (p Package) validity() string {
	switch {
	case p.ValidFrom != nil && p.ValidTo != nil:
		return p.ValidFrom.Show() + " to " + p.ValidTo.Show()
	case p.ValidFrom != nil:
		return "from " + p.ValidFrom.Show()
	case p.ValidTo != nil:
		return "until " + p.ValidTo.Show()
	}
	return "always"
}

// Limit is a field that can be without a value.
type Limit string

// The fields that can be cleared.
const (
	MaxNights Limit = "max_nights"
	ValidFrom Limit = "valid_from"
	ValidTo   Limit = "valid_to"
)

// Values returns the closed set.
func (Limit) Values() []string {
	return []string{string(MaxNights), string(ValidFrom), string(ValidTo)}
}

// Changes are the fields of a package that change; nil and "" (of Per) leave one
// as it is. Parts are whole lists, by code.
type Changes struct {
	Name             *string        `json:"name,omitempty"`
	Price            *money.Amount  `json:"price,omitempty"`
	Per              Per            `json:"per,omitempty"`
	Description      *string        `json:"description,omitempty"`
	RoomSharePercent *money.Amount  `json:"room_share_percent,omitempty"`
	MinNights        *int           `json:"min_nights,omitempty"`
	MaxNights        *int           `json:"max_nights,omitempty"`
	IncludedGuests   *int           `json:"included_guests,omitempty"`
	ValidFrom        *calendar.Date `json:"valid_from,omitempty"`
	ValidTo          *calendar.Date `json:"valid_to,omitempty"`
	Active           *bool          `json:"active,omitempty"`
	Clear            []Limit        `json:"clear,omitempty"`
	Rooms            *[]Part        `json:"-"`
	Extras           *[]Part        `json:"-"`
}

// Use is what depends on a package.
type Use struct {
	Bookings int
	Coupons  []string // codes of those that name it
	Obstacle string   // a sentence on why it cannot be deleted; "" when it can
}

// Store keeps the packages of properties. Each method acts for by and sees only
// what by may see, in by's chosen property. Under an effect's claim a write
// happens once: a second call gives the answer of the first.
type Store interface {
	// List returns the packages ordered by name; only active ones unless
	// inactive ones are asked for too.
	List(ctx context.Context, by identity.Caller, inactive bool) ([]Package, error)

	// Create adds a package and returns it as it now is. The database makes its
	// code; that of p is ignored. A name that is taken is a fault.Conflict
	// error with the code "duplicate", an unknown part a fault.NotFound one.
	Create(ctx context.Context, by identity.Caller, p Package) (Package, error)

	// Use tells what depends on the package of that code.
	Use(ctx context.Context, by identity.Caller, code string) (Use, error)

	// Update changes the given fields and parts and returns the package as it
	// now is. No such code or part is a fault.NotFound error, a name that is
	// taken a fault.Conflict one with the code "duplicate".
	Update(ctx context.Context, by identity.Caller, code string, c Changes) (Package, error)

	// Delete removes a package for good and returns its code. It returns a
	// fault.Conflict error with the code "in_use" while something depends on it.
	Delete(ctx context.Context, by identity.Caller, code string) (string, error)
}
