package reservations

import (
	"context"
	"strings"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/hospitality/names"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/money"
)

// Record is a reservation as an act left it. Amounts are in Currency.
type Record struct {
	Summary
	Deposit   money.Amount `json:"deposit"`             // agreed at booking
	HoldUntil *time.Time   `json:"holdUntil,omitempty"` // of a pending one; none for a hold without an end
}

// Guest is who a reservation is for. Texts are kept exactly as they were typed.
type Guest struct {
	Name             string `json:"name"`
	Email            string `json:"email,omitempty"`
	PhoneCountryCode string `json:"phoneCountryCode,omitempty"` // "+91"
	Phone            string `json:"phone,omitempty"`            // digits, spaces and hyphens
	Country          string `json:"country,omitempty"`          // ISO 3166, two letters
}

// ExtraWanted is an extra by its code.
type ExtraWanted struct {
	Code     string `json:"code"`
	Quantity int    `json:"quantity"`
}

// RoomWanted is one room of an order. Each becomes a reservation of its own.
type RoomWanted struct {
	Room      string        `json:"room"`           // code of the type
	Unit      string        `json:"unit,omitempty"` // code of the unit; "" takes any
	Adults    int           `json:"adults"`
	Children  int           `json:"children"`
	GuestName string        `json:"guestName,omitempty"` // where it differs from the order's guest
	Extras    []ExtraWanted `json:"extras,omitempty"`
}

// Order is what shall be booked, all of it or nothing.
type Order struct {
	Today           calendar.Date `json:"today"` // the property's date
	CheckIn         calendar.Date `json:"checkIn"`
	CheckOut        calendar.Date `json:"checkOut"`
	Group           bool          `json:"group,omitempty"` // gives the reservations one group code
	Rooms           []RoomWanted  `json:"rooms"`
	Guest           Guest         `json:"guest"`
	Package         string        `json:"package,omitempty"` // code
	Coupon          string        `json:"coupon,omitempty"`  // code
	Channel         Channel       `json:"channel,omitempty"`
	SpecialRequests string        `json:"specialRequests,omitempty"`
	Notes           string        `json:"notes,omitempty"`
	// HoldHours makes the reservations pending for as long, 0 without an end;
	// nil confirms them.
	HoldHours *int `json:"holdHours,omitempty"`
	// Override sets aside restrictions of length, days and notice.
	Override bool `json:"override,omitempty"`
}

// Offer is what an order would come to.
type Offer struct {
	Currency string       `json:"currency"`
	Total    money.Amount `json:"total"`
	Deposit  money.Amount `json:"deposit"`
	Rooms    []OfferRoom  `json:"rooms"`
	SetAside []string     `json:"setAside"` // sentences of the restrictions that Override sets aside
	Alike    []struct {   // bookings of the same guest in these nights
		Code     string        `json:"code"`
		Guest    string        `json:"guest"`
		CheckIn  calendar.Date `json:"checkIn"`
		CheckOut calendar.Date `json:"checkOut"`
	} `json:"alike"`
}

// OfferRoom is one room of an offer with its price.
type OfferRoom struct {
	Unit     string `json:"unit"` // "" where the order names none
	RoomCode string `json:"roomCode"`
	RoomName string `json:"roomName"`
	Quote    Quote  `json:"quote"`
}

// Quote is the price of a stay as the price engine made it.
type Quote struct {
	Money
	Lines []struct {
		Night  calendar.Date `json:"night"`
		Amount money.Amount  `json:"amount"`
	} `json:"lines"`
	Package *Reference `json:"package"`
	Coupon  *struct {
		Code string `json:"code"`
	} `json:"coupon"`
	Extras []ExtraPrice `json:"extras"`
}

// Money is how a reservation's total comes about.
type Money struct {
	RoomTotal         money.Amount `json:"roomTotal"`
	ExtraGuestTotal   money.Amount `json:"extraGuestTotal"`
	PackageOtherTotal money.Amount `json:"packageOtherTotal"`
	DiscountTotal     money.Amount `json:"discountTotal"`
	ExtrasTotal       money.Amount `json:"extrasTotal"`
	TaxTotal          money.Amount `json:"taxTotal"`
	Total             money.Amount `json:"total"`
	DepositDue        money.Amount `json:"depositDue"`
}

// ExtraPrice is an extra with its price.
type ExtraPrice struct {
	Code      string       `json:"code"`
	Name      string       `json:"name"`
	Quantity  int          `json:"quantity"`
	UnitPrice money.Amount `json:"unitPrice"`
	Factor    int          `json:"factor"`
	Amount    money.Amount `json:"amount"`
}

// Bookable is what can be booked in a property, by codes and names.
type Bookable struct {
	Rooms    []BookableRoom    `json:"rooms"`
	Extras   []Sold            `json:"extras"`
	Packages []BookablePackage `json:"packages"`
}

// Sold is something with a code and a name that is sold or not.
type Sold struct {
	Code   string `json:"code"`
	Name   string `json:"name"`
	Active bool   `json:"active"`
}

// Naming returns the code and the name.
func (s Sold) Naming() (code, name string) { return s.Code, s.Name }

// BookableRoom is a room type with the codes of its active units.
type BookableRoom struct {
	Sold
	Units []string `json:"units"`
}

// BookablePackage is a package with the codes of the room types it is for.
type BookablePackage struct {
	Sold
	Rooms []string `json:"rooms"`
}

// Booker makes reservations.
type Booker interface {
	// Bookable returns what can be booked, inactive things included.
	Bookable(ctx context.Context, by identity.Caller) (Bookable, error)

	// Offer returns what Book would do. Its errors are those of Book.
	Offer(ctx context.Context, by identity.Caller, o Order) (Offer, error)

	// Book makes the reservations of o, all or none, and returns them ordered
	// by code. It returns a fault.Conflict error with the code "not_available"
	// when a room is taken, whose sentence offers others, or "proposal_changed"
	// when the price is not the one that the proposal's preview showed; and a
	// fault.Unprocessable one for restrictions. Under a claim it happens once.
	Book(ctx context.Context, by identity.Caller, o Order) ([]Record, error)
}

// Channel is the way by which a booking came.
type Channel string

func channels() []Channel {
	return []Channel{"direct", "website", "phone", "email", "walk_in", "booking_com", "airbnb", "expedia", "agent",
		"other"}
}

// Words returns the channel as people say it.
func (c Channel) Words() string { return strings.ReplaceAll(string(c), "_", " ") }

// channel reads a channel as people write it: "Walk-in", "booking.com".
func channel(wanted string) (Channel, error) {
	if strings.TrimSpace(wanted) == "" {
		return "", nil
	}
	all := channels()
	words := make([]string, len(all))
	for i, c := range all {
		if names.Fold(strings.ReplaceAll(wanted, ".", " ")) == names.Fold(string(c)) {
			return c, nil
		}
		words[i] = string(c)
	}
	return "", fault.New(fault.Invalid, "%q is none of the ways in which a booking comes: %s.", clip(wanted),
		join(words))
}
