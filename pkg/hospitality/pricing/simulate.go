package pricing

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/hospitality/names"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/money"
	"github.com/bellhop-ai/bellhop/pkg/render"
)

// most is how many stays one call compares.
const most = 60

type simulateInput struct {
	Room        string        `json:"room,omitempty" jsonschema:"the room type's code or name, such as COCO; left out, all rooms that are let are compared"`
	CheckIn     calendar.Date `json:"check_in" jsonschema:"the first night, YYYY-MM-DD"`
	CheckOut    calendar.Date `json:"check_out,omitzero" jsonschema:"the day of departure, YYYY-MM-DD; the day after check_in when left out"`
	Adults      int           `json:"adults,omitempty" jsonschema:"adults in all rooms together; 2 when left out, or 1 in a room for one"`
	Children    int           `json:"children,omitempty" jsonschema:"children in all rooms together; none when left out"`
	Units       int           `json:"units,omitempty" jsonschema:"how many units of the room type are taken; 1 when left out"`
	LeadDays    *int          `json:"lead_days,omitempty" jsonschema:"how long before arrival it would be booked, in days; counted from today when left out"`
	Package     string        `json:"package,omitempty" jsonschema:"the code or name of a package"`
	Coupon      string        `json:"coupon,omitempty" jsonschema:"a coupon code"`
	Extras      []extraInput  `json:"extras,omitempty" jsonschema:"extras to be booked with it"`
	CompareDays int           `json:"compare_days,omitempty" jsonschema:"to compare arrivals: the same stay for so many arrivals, one a day from check_in on; 1 when left out"`
}

type extraInput struct {
	Extra    string `json:"extra" jsonschema:"the extra's code or name"`
	Quantity int    `json:"quantity,omitempty" jsonschema:"how many of it; 1 when left out"`
}

// Check fills what is left out and refuses what makes no stay.
func (in *simulateInput) Check() error {
	if in.CheckOut.IsZero() {
		in.CheckOut = in.CheckIn.AddDays(1)
	}
	in.Units, in.CompareDays = cmp.Or(in.Units, 1), cmp.Or(in.CompareDays, 1)
	nights := in.CheckIn.Until(in.CheckOut)
	switch {
	case in.CheckOut.AddDays(most).Year > 9999:
		return fault.New(fault.Invalid, "Prices are computed for stays before the end of the year 9999.")
	case nights < 1:
		return fault.New(fault.Invalid, "The departure %s must come after the arrival %s.", in.CheckOut.Show(),
			in.CheckIn.Show())
	case nights > 730:
		return fault.New(fault.Invalid, "A stay has at most 730 nights; this one has %d.", nights)
	case in.Adults < 0 || in.Children < 0 || in.Adults > 200 || in.Children > 200:
		return fault.New(fault.Invalid, "There can be 0 to 200 adults and as many children.")
	case in.Units < 1 || in.Units > 50:
		return fault.New(fault.Invalid, "units must be from 1 to 50.")
	case in.LeadDays != nil && (*in.LeadDays < 0 || *in.LeadDays > 1000):
		return fault.New(fault.Invalid, "lead_days must be from 0 to 1000.")
	case in.CompareDays < 1 || in.CompareDays > most:
		return fault.New(fault.Invalid, "compare_days must be from 1 to %d.", most)
	}
	for i := range in.Extras {
		in.Extras[i].Quantity = cmp.Or(in.Extras[i].Quantity, 1)
		if in.Extras[i].Quantity < 1 || in.Extras[i].Quantity > 1000 {
			return fault.New(fault.Invalid, "The quantity of an extra must be from 1 to 1000.")
		}
	}
	return nil
}

func simulate(ctx context.Context, store Store, by identity.Caller, now calendar.Clock, in simulateInput) (simulated,
	error) {
	zone, err := by.Entity.Location()
	if err != nil {
		return simulated{}, err
	}
	sold, err := store.Sold(ctx, by)
	if err != nil {
		return simulated{}, err
	}
	requests, rooms, err := in.requests(sold, calendar.Today(now(), zone))
	if err != nil {
		return simulated{}, err
	}
	quotes, err := store.Quotes(ctx, by, requests)
	if err != nil {
		return simulated{}, err
	}
	models, err := store.Models(ctx, by)
	if err != nil {
		return simulated{}, err
	}
	seasons, err := store.Seasons(ctx, by)
	if err != nil {
		return simulated{}, err
	}
	tierNames, seasonNames := map[string]string{}, map[string]string{}
	for _, m := range models {
		for _, t := range m.Tiers {
			tierNames[t.Code] = t.Name
		}
	}
	for _, s := range seasons {
		seasonNames[s.Code] = s.Name
	}
	out := simulated{Quotes: make([]explained, len(quotes))}
	for i, q := range quotes {
		e := explained{Room: rooms[i], Units: in.Units, BookedOn: requests[i].Today, Quote: q}
		for _, l := range q.Lines {
			e.Why = append(e.Why, l.why(q.Currency, tierNames, seasonNames))
		}
		out.Quotes[i] = e
	}
	return out, nil
}

// requests makes one request for each room and arrival, in that order.
func (in simulateInput) requests(sold Sold, today calendar.Date) (requests []Request, rooms []Room, err error) {
	chosen := make([]Room, 0, len(sold.Rooms))
	if in.Room != "" && names.Fold(in.Room) != "all" {
		room, err := names.Find(sold.Rooms, in.Room, "room type")
		if err != nil {
			return nil, nil, err
		}
		chosen = append(chosen, room)
	} else {
		for _, r := range sold.Rooms {
			if r.Active {
				chosen = append(chosen, r)
			}
		}
		if len(chosen) == 0 {
			return nil, nil, fault.New(fault.NotFound, "The property has no room types that are let.")
		}
	}
	base := Request{Children: in.Children, Coupon: in.Coupon, Adults: in.Adults}
	if in.Package != "" {
		p, err := names.Find(sold.Packages, in.Package, "package")
		if err != nil {
			return nil, nil, err
		}
		base.Package = p.Code
	}
	for _, wanted := range in.Extras {
		x, err := names.Find(sold.Extras, wanted.Extra, "extra")
		if err != nil {
			return nil, nil, err
		}
		base.Extras = append(base.Extras, Wanted{Code: x.Code, Quantity: wanted.Quantity})
	}
	for _, room := range chosen {
		for n := range in.CompareDays {
			r, day := base, in.CheckIn.AddDays(n)
			r.CheckIn, r.CheckOut, r.Today = day, day.AddDays(in.CheckIn.Until(in.CheckOut)), today
			if in.LeadDays != nil {
				r.Today = day.AddDays(-*in.LeadDays)
			}
			for range in.Units {
				r.Rooms = append(r.Rooms, room.Code)
			}
			if r.Adults == 0 {
				r.Adults = min(2, room.Beds*in.Units)
			}
			requests, rooms = append(requests, r), append(rooms, room)
		}
	}
	if len(requests) > most {
		return nil, nil, fault.New(fault.Invalid,
			"These are %d stays; at most %d can be compared at once. Name a room or fewer days.", len(requests), most)
	}
	return requests, rooms, nil
}

// explained is a quote with a reason for each of its lines.
type explained struct {
	Room     Room          `json:"room"`
	Units    int           `json:"units"`
	BookedOn calendar.Date `json:"bookedOn"`
	Quote
	Why []string `json:"why"` // one for each line
}

type simulated struct {
	Quotes []explained `json:"quotes"`
}

// Table lays out the nights of one stay, or one row for each of several.
func (s simulated) Table() render.Table {
	if len(s.Quotes) != 1 {
		return s.compared()
	}
	q := s.Quotes[0]
	t := render.Table{Title: q.title(), Columns: []render.Column{
		{Key: "night", Label: "Night", Priority: 1}, {Key: "room", Label: "Room"},
		{Key: "why", Label: "How it comes about", Priority: 1},
		{Key: "price", Label: "Price", Right: true, Priority: 1}, {Key: "guests", Label: "Further guests",
			Right: true},
		{Key: "discount", Label: "Discount", Right: true},
	}}
	for i, l := range q.Lines {
		t.Rows = append(t.Rows, []render.Cell{
			render.Day(l.Night), render.Text(l.RoomCode), render.Text(q.Why[i]), render.Money(l.Amount, q.Currency),
			render.Money(l.ExtraGuests, q.Currency), render.Money(l.Discount, q.Currency),
		})
	}
	return t
}

// compared has a row for each stay. Of the amounts that make up the total, those
// that are zero in every row have no column; discounts are negative, so that each
// row adds up to its total.
func (s simulated) compared() render.Table {
	type amounts struct {
		column render.Column
		of     func(explained) money.Amount
	}
	all := []amounts{
		{render.Column{Key: "rooms", Label: "Rooms", Right: true},
			func(e explained) money.Amount { return e.RoomTotal }},
		{render.Column{Key: "guests", Label: "Further guests", Right: true},
			func(e explained) money.Amount { return e.ExtraGuestTotal }},
		{render.Column{Key: "package", Label: "Rest of the package", Right: true},
			func(e explained) money.Amount { return e.PackageOther }},
		{render.Column{Key: "discount", Label: "Discount", Right: true},
			func(e explained) money.Amount { return less(e.DiscountTotal) }},
		{render.Column{Key: "extras", Label: "Extras", Right: true},
			func(e explained) money.Amount { return e.ExtrasTotal }},
		{render.Column{Key: "tax", Label: "Tax", Right: true}, func(e explained) money.Amount { return e.TaxTotal }},
		{render.Column{Key: "total", Label: "Total", Right: true, Priority: 1},
			func(e explained) money.Amount { return e.Total }},
	}
	shown := slices.DeleteFunc(all, func(a amounts) bool {
		return a.column.Key != "rooms" && a.column.Key != "total" &&
			!slices.ContainsFunc(s.Quotes, func(e explained) bool { return !a.of(e).IsZero() })
	})
	t := render.Table{Title: "Prices compared", Columns: []render.Column{
		{Key: "room", Label: "Room", Priority: 1}, {Key: "arrival", Label: "Arrival", Priority: 1},
		{Key: "nights", Label: "Nights", Right: true},
	}}
	for _, a := range shown {
		t.Columns = append(t.Columns, a.column)
	}
	t.Columns = append(t.Columns, render.Column{Key: "problems", Label: "Not bookable because", Priority: 1})
	for _, q := range s.Quotes {
		row := []render.Cell{render.Text(q.Room.Name), render.Day(q.CheckIn), render.Int(q.Nights)}
		for _, a := range shown {
			row = append(row, render.Money(a.of(q), q.Currency))
		}
		t.Rows = append(t.Rows, append(row, render.Text(q.problems())))
	}
	return t
}

// less returns an amount with the other sign.
func less(a money.Amount) money.Amount {
	negative, err := money.FromInt(0).Sub(a)
	if err != nil {
		return a // no amount of a quote is so large
	}
	return negative
}

// Summarize says what one stay costs, or which of several is the cheapest.
func (s simulated) Summarize() string {
	if len(s.Quotes) == 1 {
		return s.Quotes[0].tell()
	}
	best := s.cheapest()
	text := fmt.Sprintf("Compared %d stays.", len(s.Quotes))
	if best == nil {
		return text + " None of them can be booked like this."
	}
	return text + fmt.Sprintf(" The cheapest is %s, arriving on %s: %s.", best.Room.Name, best.CheckIn.Show(),
		best.Total.Format(best.Currency))
}

// cheapest is the one of least total that can be booked; nil where none can.
func (s simulated) cheapest() *explained {
	var best *explained
	for i, q := range s.Quotes {
		if len(q.Problems) == 0 && (best == nil || q.Total.Cmp(best.Total) < 0) {
			best = &s.Quotes[i]
		}
	}
	return best
}

// Count is the number of stays.
func (s simulated) Count() int { return len(s.Quotes) }

func (e explained) title() string {
	return fmt.Sprintf("%s from %s to %s", e.Room.Name, e.CheckIn.Show(), e.CheckOut.Show())
}

func (e explained) problems() string {
	all := make([]string, len(e.Problems))
	for i, p := range e.Problems {
		all[i] = p.Sentence
	}
	return strings.Join(all, " ")
}

func (e explained) tell() string {
	parts := []string{"rooms " + e.RoomTotal.Format(e.Currency)}
	for _, p := range []struct {
		label  string
		amount money.Amount
	}{{"further guests", e.ExtraGuestTotal}, {"the rest of the package", e.PackageOther},
		{"less a discount of", e.DiscountTotal},
		{"extras", e.ExtrasTotal}, {"tax", e.TaxTotal}} {
		if !p.amount.IsZero() {
			parts = append(parts, p.label+" "+p.amount.Format(e.Currency))
		}
	}
	nights := fmt.Sprintf("%d nights", e.Nights)
	if e.Nights == 1 {
		nights = "1 night"
	}
	text := fmt.Sprintf("%s (%s, %d guests) costs %s: %s.", e.title(), nights, e.Guests, e.Total.Format(e.Currency),
		strings.Join(parts, ", "))
	if !e.DepositDue.IsZero() {
		text += fmt.Sprintf(" The deposit is %s, the rest %s.", e.DepositDue.Format(e.Currency),
			e.BalanceDue.Format(e.Currency))
	}
	if len(e.Problems) > 0 {
		text += " It cannot be booked like this: " + e.problems()
	}
	return text + " This is a simulation; nothing was booked or held."
}
