// Package reservations holds bookings, and what is free to be booked.
package reservations

import (
	"context"
	"encoding/json"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/money"
)

// Status is where a reservation stands.
type Status string

// Values returns the closed set.
func (Status) Values() []string {
	return []string{"pending", "confirmed", "checked_in", "checked_out", "cancelled", "no_show"}
}

// Words returns the status as people say it.
func (s Status) Words() string {
	switch s {
	case "checked_in":
		return "checked in"
	case "checked_out":
		return "checked out"
	case "no_show":
		return "no-show"
	}
	return string(s)
}

// Filter says which reservations are looked for. Empty fields select all.
type Filter struct {
	Words    string // code, group code, guest's name or e-mail, digits of the phone number
	Statuses []Status
	From, To calendar.Date // stays with a night in [From, To); either may be open
	Offset   int           // how many are passed over
	Limit    int           // 1 to 200
}

// Summary is one reservation in a list. Amounts are in Currency.
type Summary struct {
	Code      string        `json:"code"`
	GroupCode string        `json:"groupCode,omitempty"`
	Guest     string        `json:"guest"`
	Email     string        `json:"email,omitempty"`
	Rooms     []string      `json:"rooms"` // codes of the units
	CheckIn   calendar.Date `json:"checkIn"`
	CheckOut  calendar.Date `json:"checkOut"`
	Nights    int           `json:"nights"`
	Adults    int           `json:"adults"`
	Children  int           `json:"children"`
	Status    Status        `json:"status"`
	Total     money.Amount  `json:"total"`
	Balance   money.Amount  `json:"balance"` // total less payments; owed unless cancelled or a no-show
	Currency  string        `json:"currency"`
}

// Found is a part of a search's result, ordered by arrival and code.
type Found struct {
	Reservations []Summary `json:"reservations"`
	Matches      int       `json:"matches"` // how many there are in all
}

// Room is how one active room type stands for a range of nights.
type Room struct {
	Code            string       `json:"code"`
	Name            string       `json:"name"`
	Capacity        int          `json:"capacity"`
	Units           int          `json:"units"`
	FreeUnits       int          `json:"freeUnits"`
	MinStay         int          `json:"minStay"` // nights
	MaxStay         int          `json:"maxStay"` // nights
	WeekdayPrice    money.Amount `json:"weekdayPrice"`
	WeekendPrice    money.Amount `json:"weekendPrice"`
	Currency        string       `json:"currency"`
	Bookings        []Booking    `json:"bookings"` // those that touch the range
	Blocks          []Block      `json:"blocks"`
	ClosedArrival   bool         `json:"closedToArrival"`
	ClosedDeparture bool         `json:"closedToDeparture"`
	// NextFree is the first day from which a unit is free for as many nights;
	// the zero Date where there is no unit.
	NextFree calendar.Date `json:"nextFree,omitzero"`
}

// Naming returns the code and the name.
func (r Room) Naming() (code, name string) { return r.Code, r.Name }

// Booking is a reservation that takes nights of a room.
type Booking struct {
	Code   string        `json:"code"`
	From   calendar.Date `json:"from"`
	To     calendar.Date `json:"to"`
	Status Status        `json:"status"`
}

// Block is a period in which a unit is not let.
type Block struct {
	Reason string        `json:"reason"`
	From   calendar.Date `json:"from"`
	To     calendar.Date `json:"to"` // the first night that is free again
}

// Store keeps the reservations of properties. Each method acts for by and sees
// only what by may see, in by's chosen property.
type Store interface {
	Booker
	Editor
	Finder
	Lifecycle
	Payments

	// Search returns the reservations that match f.
	Search(ctx context.Context, by identity.Caller, f Filter) (Found, error)

	// Details returns everything about one reservation. It returns a
	// fault.NotFound error when the property has none of that code.
	Details(ctx context.Context, by identity.Caller, code string) (Details, error)

	// Tape returns what takes the nights of each active unit; at most 62 of them.
	Tape(ctx context.Context, by identity.Caller, nights calendar.Range) (Tape, error)

	// Availability returns how each active room type stands for the nights,
	// ordered by name.
	Availability(ctx context.Context, by identity.Caller, nights calendar.Range) ([]Room, error)
}

// Details is everything about one reservation. Amounts are in Currency.
type Details struct {
	Code      string        `json:"code"`
	GroupCode string        `json:"groupCode,omitempty"`
	Status    Status        `json:"status"`
	Channel   string        `json:"channel"`
	CheckIn   calendar.Date `json:"checkIn"`
	CheckOut  calendar.Date `json:"checkOut"`
	Nights    int           `json:"nights"`
	Guest     struct {
		Name             string `json:"name"`
		Email            string `json:"email,omitempty"`
		PhoneCountryCode string `json:"phoneCountryCode,omitempty"`
		Phone            string `json:"phone,omitempty"`
		Country          string `json:"country,omitempty"`
	} `json:"guest"`
	Adults            int          `json:"adults"`
	Children          int          `json:"children"`
	SpecialRequests   string       `json:"specialRequests,omitempty"`
	Notes             string       `json:"notes,omitempty"`
	Package           *Reference   `json:"package,omitempty"`
	CouponCode        string       `json:"couponCode,omitempty"`
	Currency          string       `json:"currency"`
	RoomTotal         money.Amount `json:"roomTotal"`
	ExtraGuestTotal   money.Amount `json:"extraGuestTotal"`
	PackageOtherTotal money.Amount `json:"packageOtherTotal"`
	DiscountTotal     money.Amount `json:"discountTotal"`
	ExtrasTotal       money.Amount `json:"extrasTotal"`
	TaxTotal          money.Amount `json:"taxTotal"`
	Total             money.Amount `json:"total"`
	DepositDue        money.Amount `json:"depositDue"`
	Paid              money.Amount `json:"paid"` // completed payments less refunds
	Balance           money.Amount `json:"balance"`
	Rooms             []struct {
		Unit     string `json:"unit"`
		RoomCode string `json:"roomCode"`
		RoomName string `json:"roomName"`
	} `json:"rooms"`
	Nightly []struct {
		Night       calendar.Date `json:"night"`
		Unit        string        `json:"unit"`
		Source      string        `json:"source"`
		Season      string        `json:"season,omitempty"`
		Tier        string        `json:"tier,omitempty"`
		TierPercent money.Amount  `json:"tierPercent"`
		Amount      money.Amount  `json:"amount"`
		ExtraGuests money.Amount  `json:"extraGuests"`
		Discount    money.Amount  `json:"discount"`
	} `json:"nightly"`
	Extras []struct {
		Code      string       `json:"code"`
		Name      string       `json:"name"`
		Quantity  int          `json:"quantity"`
		UnitPrice money.Amount `json:"unitPrice"`
		Per       string       `json:"per"`
		Factor    int          `json:"factor"`
		TaxRate   money.Amount `json:"taxRate"`
		Amount    money.Amount `json:"amount"`
	} `json:"extras"`
	Payments []struct {
		Code       string        `json:"code"`
		Kind       string        `json:"kind"`
		Method     string        `json:"method"`
		Status     string        `json:"status"`
		Amount     money.Amount  `json:"amount"`
		ReceivedOn calendar.Date `json:"receivedOn"`
		Reference  string        `json:"reference,omitempty"`
	} `json:"payments"`
	Selections []struct {
		Code        string          `json:"code"`
		Extra       string          `json:"extra"`
		ExtraCode   string          `json:"extraCode"`
		Status      string          `json:"status"`
		ServiceDate calendar.Date   `json:"serviceDate,omitzero"`
		Choices     json.RawMessage `json:"choices,omitempty"`
		Preferences string          `json:"preferences,omitempty"`
	} `json:"selections"`
	// HoldUntil ends a pending reservation; HoldOver says that it did. Its nights
	// are then offered to others.
	HoldUntil *time.Time `json:"holdUntil,omitempty"`
	HoldOver  bool       `json:"holdOver,omitempty"`
	// FreeCancelUntil is the last day on which cancelling costs nothing; zero
	// where the property has no such rule.
	FreeCancelUntil    calendar.Date `json:"freeCancelUntil,omitzero"`
	CancellationReason string        `json:"cancellationReason,omitempty"`
	Version            int           `json:"version"`
	Changes            int           `json:"history"` // how often it was written since it was made
}

// Reference names something by its code.
type Reference struct {
	Code string `json:"code"`
	Name string `json:"name"`
}
