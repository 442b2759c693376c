// Package analytics computes a hotel's figures: occupancy, average rates,
// revenue, what is known of guests, and how two periods compare.
package analytics

import (
	"context"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/money"
)

// Nights are one room type's counts and sums for a period. Nights are
// room-nights inside the period; cancelled bookings and no-shows do not count.
// Revenue is net of discounts and without tax; that of day use counts, although it
// has no night.
type Nights struct {
	Code         string       `json:"code"`
	Name         string       `json:"name"`
	Units        int          `json:"units"`
	Occupied     int          `json:"occupiedNights"`
	Blocked      int          `json:"blockedNights"`
	Available    int          `json:"availableNights"` // days × units − blocked, never below 0
	Bookings     int          `json:"bookings"`        // with a night in the period
	RoomRevenue  money.Amount `json:"roomRevenue"`
	OtherRevenue money.Amount `json:"otherRevenue"` // extras, and packages beside the room
}

// Occupancy is a property's counts for a period.
type Occupancy struct {
	Rooms []Nights // per room type, ordered by name
	// Bookings with a night in the period, each once; a booking over two types
	// stands in the rows of both.
	Bookings int
}

// Day is one night of a property: how many of its units are let, how many of these
// are blocked, and how many room-nights are sold. It counts as Nights does.
type Day struct {
	Day     calendar.Date `json:"day"`
	Units   int           `json:"units"`
	Blocked int           `json:"blocked"`
	Sold    int           `json:"sold"`
}

// Figures are the ratios of Nights, rounded half away from zero to two
// decimals. A ratio whose denominator is zero is not defined and nil.
type Figures struct {
	Occupancy *money.Amount `json:"occupancyPercent"` // occupied ÷ available × 100
	ADR       *money.Amount `json:"adr"`              // room revenue ÷ occupied
	RevPAR    *money.Amount `json:"revPar"`           // room revenue ÷ available
	TRevPAR   *money.Amount `json:"tRevPar"`          // all revenue ÷ available
	ALOS      *money.Amount `json:"alos"`             // occupied ÷ bookings
}

// By says what revenue is parted by.
type By string

// What revenue can be parted by.
const (
	ByRoom    By = "room"
	ByChannel By = "channel"
	ByDay     By = "day"
	ByWeek    By = "week"
	ByMonth   By = "month"
)

// Values returns the closed set.
func (By) Values() []string {
	return []string{string(ByRoom), string(ByChannel), string(ByDay), string(ByWeek), string(ByMonth)}
}

// Revenue is one part of a period's revenue: of a room type, a channel, or a
// stretch of time. Amounts are without tax, but for Tax itself.
type Revenue struct {
	Key          string       // the room type's code, the channel, or the first day, YYYY-MM-DD
	Name         string       // of the room type or channel; "" for a stretch of time
	Nights       int          // room-nights
	Room         money.Amount // before discount
	Discount     money.Amount
	Extras       money.Amount
	PackageOther money.Amount `json:"package_other"` // packages beside the room
	Tax          money.Amount
}

// Clients is what is known of the guests who arrive in a period. Bookings are
// those that count unless it says otherwise; their value is without tax.
type Clients struct {
	Bookings   int          `json:"bookings"` // all, cancelled ones and no-shows too
	Cancelled  int          `json:"cancelled"`
	NoShows    int          `json:"noShows"`
	Nights     int          `json:"nights"`     // room-nights of the whole stays
	StayNights int          `json:"stayNights"` // nights of the whole stays, however many rooms
	People     int          `json:"people"`
	Value      money.Amount `json:"value"`
	Guests     int          `json:"guests"`
	// Overnight are the bookings with a night, OvernightGuests those whose they
	// are. Day use counts in what stands above, and in none of the next four.
	Overnight       int   `json:"overnight"`
	OvernightGuests int   `json:"overnightGuests"`
	RepeatGuests    int   `json:"repeatGuests"`
	LeadDays        int   `json:"leadDays"` // from booking to arrival, summed up
	LeadMedian      *int  `json:"leadMedian"`
	Leads           []int `json:"leads"` // bookings by days before: up to 1, 7, 30, 90, and more

	Channels  []Share `json:"channels"`
	Countries []Share `json:"countries"` // "" where it is not known
	Top       []Share `json:"top"`       // guests by value, by name alone
}

// Share is a part of the bookings.
type Share struct {
	Name      string       `json:"name"`
	Bookings  int          `json:"bookings"`
	Nights    int          `json:"nights"`
	Value     money.Amount `json:"value"`
	Cancelled int          `json:"cancelled,omitempty"`
}

// Store counts a property's nights and guests. Each method acts for by and sees
// only what by may see, in by's chosen property.
type Store interface {
	// Occupancy returns the counts of a period per room type: those that are
	// let, and others that were sold in the period.
	Occupancy(ctx context.Context, by identity.Caller, period calendar.Range) (Occupancy, error)

	// Days returns the nights of a period of at most MaxDays, in their order.
	Days(ctx context.Context, by identity.Caller, period calendar.Range) ([]Day, error)

	// Revenue returns a period's revenue in parts: room types and channels by
	// name, days, weeks and months in their order, those without revenue too.
	Revenue(ctx context.Context, by identity.Caller, period calendar.Range, parts By) ([]Revenue, error)

	// Clients returns what is known of the guests who arrive in a period, with
	// at most top of them by name.
	Clients(ctx context.Context, by identity.Caller, period calendar.Range, top int) (Clients, error)
}

const digits = 2

// Figures computes the ratios.
func (n Nights) Figures() (Figures, error) { return n.figures(digits) }

func (n Nights) figures(digits int) (Figures, error) {
	all, err := n.RoomRevenue.Add(n.OtherRevenue)
	if err != nil {
		return Figures{}, err
	}
	hundredfold, err := money.FromInt(n.Occupied).Mul(money.FromInt(100))
	if err != nil {
		return Figures{}, err
	}
	available, occupied := money.FromInt(n.Available), money.FromInt(n.Occupied)
	return Figures{
		Occupancy: ratio(hundredfold, available, digits),
		ADR:       ratio(n.RoomRevenue, occupied, digits),
		RevPAR:    ratio(n.RoomRevenue, available, digits),
		TRevPAR:   ratio(all, available, digits),
		ALOS:      ratio(occupied, money.FromInt(n.Bookings), digits),
	}, nil
}

func ratio(a, b money.Amount, digits int) *money.Amount {
	q, ok := a.Quo(b, digits)
	if !ok {
		return nil
	}
	return &q
}

// Total adds the counts of all rooms up; each booking counts once.
func (o Occupancy) Total() (Nights, error) {
	sum := Nights{Name: "Total", Bookings: o.Bookings}
	for _, r := range o.Rooms {
		var err error
		sum.Units += r.Units
		sum.Occupied += r.Occupied
		sum.Blocked += r.Blocked
		sum.Available += r.Available
		if sum.RoomRevenue, err = sum.RoomRevenue.Add(r.RoomRevenue); err != nil {
			return Nights{}, err
		}
		if sum.OtherRevenue, err = sum.OtherRevenue.Add(r.OtherRevenue); err != nil {
			return Nights{}, err
		}
	}
	return sum, nil
}
