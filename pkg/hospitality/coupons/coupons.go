// Package coupons holds codes that make a stay cheaper. What a coupon takes off
// is computed in the database, with the price itself.
package coupons

import (
	"context"
	"fmt"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/money"
)

// Kind says what a coupon's amount is.
type Kind string

// Values returns the closed set.
func (Kind) Values() []string { return []string{"percent", "fixed"} }

// Coupon is a code that takes a percentage, or a fixed amount in Currency, off
// the price of the rooms. Dates are included on both sides; a zero one is open.
type Coupon struct {
	Code        string        `json:"code"`
	Name        string        `json:"name"`
	Description string        `json:"description"`
	Kind        Kind          `json:"kind"`
	Amount      money.Amount  `json:"amount"`
	MaxDiscount *money.Amount `json:"maxDiscount"`
	ValidFrom   calendar.Date `json:"validFrom,omitzero"` // days of booking
	ValidTo     calendar.Date `json:"validTo,omitzero"`
	StayFrom    calendar.Date `json:"stayFrom,omitzero"` // nights of the stay
	StayTo      calendar.Date `json:"stayTo,omitzero"`
	MinNights   *int          `json:"minNights"`
	MinAmount   *money.Amount `json:"minAmount"` // price of the rooms
	UsageLimit  *int          `json:"usageLimit"`
	Uses        int           `json:"uses"`
	Rooms       []string      `json:"rooms"`    // codes; none = all
	Packages    []string      `json:"packages"` // codes; none = all stays
	Active      bool          `json:"active"`
	Currency    string        `json:"currency"`
	Version     int           `json:"-"`
}

// Naming returns the code and the name.
func (c Coupon) Naming() (code, name string) { return c.Code, c.Name }

// worth says what the coupon takes off: "10 %, at most ₹2,500.00".
func (c Coupon) worth() string {
	text := c.Amount.Format(c.Currency)
	if c.Kind == "percent" {
		text = c.Amount.Round(c.Amount.Decimals()).String() + " %"
	}
	if c.MaxDiscount != nil {
		text += ", at most " + c.MaxDiscount.Format(c.Currency)
	}
	return text
}

// terms says under what conditions it holds.
func (c Coupon) terms() string {
	var terms []string
	add := func(given bool, format string, args ...any) {
		if given {
			terms = append(terms, fmt.Sprintf(format, args...))
		}
	}
	add(!c.ValidFrom.IsZero() || !c.ValidTo.IsZero(), "booked %s", span(c.ValidFrom, c.ValidTo))
	add(!c.StayFrom.IsZero() || !c.StayTo.IsZero(), "for nights %s", span(c.StayFrom, c.StayTo))
	if c.MinNights != nil {
		add(true, "at least %d nights", *c.MinNights)
	}
	if c.MinAmount != nil {
		add(true, "rooms for at least %s", c.MinAmount.Format(c.Currency))
	}
	add(len(c.Rooms) > 0, "only for %s", strings.Join(c.Rooms, ", "))
	add(len(c.Packages) > 0, "only with the package %s", strings.Join(c.Packages, ", "))
	return strings.Join(terms, "; ")
}

func span(from, to calendar.Date) string {
	switch {
	case from.IsZero():
		return "until " + to.Show()
	case to.IsZero():
		return "from " + from.Show() + " on"
	}
	return from.Show() + " to " + to.Show()
}

// used says how often it was used: "3 of 50".
func (c Coupon) used() string {
	if c.UsageLimit == nil {
		return fmt.Sprint(c.Uses)
	}
	return fmt.Sprintf("%d of %d", c.Uses, *c.UsageLimit)
}

// Fields are what is written of a coupon; nil ones are left out.
type Fields struct {
	Name        *string        `json:"name,omitempty" jsonschema:"what staff call it"`
	Description *string        `json:"description,omitempty" limits:"note" jsonschema:"a sentence for staff"`
	Kind        Kind           `json:"kind,omitempty" jsonschema:"percent of the room price, or a fixed amount"`
	Amount      *money.Amount  `json:"amount,omitempty" jsonschema:"how many percent, or how much"`
	MaxDiscount *money.Amount  `json:"max_discount,omitempty" jsonschema:"the most that a percentage takes off"`
	ValidFrom   *calendar.Date `json:"valid_from,omitempty" jsonschema:"first day of booking"`
	ValidTo     *calendar.Date `json:"valid_to,omitempty" jsonschema:"last day of booking"`
	StayFrom    *calendar.Date `json:"stay_from,omitempty" jsonschema:"first night for which it holds"`
	StayTo      *calendar.Date `json:"stay_to,omitempty" jsonschema:"last night for which it holds"`
	MinNights   *int           `json:"min_nights,omitempty" jsonschema:"shortest stay in nights"`
	MinAmount   *money.Amount  `json:"min_amount,omitempty" jsonschema:"the least that the rooms must cost"`
	UsageLimit  *int           `json:"usage_limit,omitempty" limits:"max=1000000" jsonschema:"how often it can be used in all"`
	Rooms       *[]string      `json:"rooms,omitempty" jsonschema:"codes or names of its room types; none for all"`
	Packages    *[]string      `json:"packages,omitempty" jsonschema:"codes or names of its packages; none for all stays"`
	Active      *bool          `json:"active,omitempty" jsonschema:"false takes it out of use, true brings it back"`
}

// Thing is a room type or a package.
type Thing struct{ Code, Name string }

// Naming returns the code and the name.
func (t Thing) Naming() (code, name string) { return t.Code, t.Name }

// Question asks whether a coupon would hold. What is not known is left zero.
type Question struct {
	Coupon   string
	Today    calendar.Date
	CheckIn  calendar.Date
	CheckOut calendar.Date
	Nights   int
	Room     string
	Package  string
	Amount   *money.Amount // price of the rooms
}

// Answer says whether it would, and if not, why. Discount is nil where the
// price of the rooms is not known.
type Answer struct {
	Code     string        `json:"code"`
	Valid    bool          `json:"valid"`
	Problem  string        `json:"problem,omitempty"`
	Reason   string        `json:"reason,omitempty"`
	Amount   *money.Amount `json:"amount"`
	Discount *money.Amount `json:"discount"`
}

// Store keeps the coupons of properties. Each method acts for by and sees only
// what by may see, in by's chosen property. Under an effect's claim a write
// happens once: a second call gives the answer of the first.
type Store interface {
	// List returns all coupons by code.
	List(ctx context.Context, by identity.Caller) ([]Coupon, error)

	// Things returns the room types and the packages of the property.
	Things(ctx context.Context, by identity.Caller) (rooms, packages []Thing, err error)

	// Create adds a coupon. A code that is taken is a fault.Conflict error with
	// the code "duplicate".
	Create(ctx context.Context, by identity.Caller, code string, f Fields) (Coupon, error)

	// Update changes the given fields and empties those that drop names.
	Update(ctx context.Context, by identity.Caller, code string, f Fields, drop []Field) (Coupon, error)

	// Delete removes a coupon that was never used, and takes one out of use
	// that was, and returns its code. deleted says which.
	Delete(ctx context.Context, by identity.Caller, code string) (removed string, deleted bool, err error)

	// Check says whether a coupon would hold. No such coupon is a
	// fault.NotFound error.
	Check(ctx context.Context, by identity.Caller, q Question) (Answer, error)
}
