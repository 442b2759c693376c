package tools

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/effect"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/part"
	"github.com/bellhop-ai/bellhop/pkg/tool"
	"github.com/bellhop-ai/bellhop/pkg/travel/bookings"
	"github.com/bellhop-ai/bellhop/pkg/travel/flights"
	"github.com/bellhop-ai/bellhop/pkg/travel/places"
	"github.com/bellhop-ai/bellhop/pkg/travel/stays"
	"github.com/bellhop-ai/bellhop/pkg/travel/travellers"
)

// bookHotelInput are the arguments of book_hotel.
type bookHotelInput struct {
	Rate       string   `json:"rate" jsonschema:"code of the rate, such as H4T9-2B"`
	Travellers []string `json:"travellers,omitempty" jsonschema:"codes of the guests, the one who is asked for first; left out for the person who asks"`
	Trip       string   `json:"trip,omitempty" jsonschema:"code of the trip in whose itinerary it is put, such as TR-0001"`
}

// Check tidies the codes.
func (in *bookHotelInput) Check() error {
	in.Rate, in.Trip, in.Travellers = codeOf(in.Rate), codeOf(in.Trip), codesOf(in.Travellers)
	return nil
}

func (t *set) bookHotel() tool.Tool {
	return tool.New(tool.Spec{Name: "book_hotel", Effect: tool.Destroys, Target: tool.Outside,
		Description: text("book_hotel"), Extension: "buy what was found", Category: "hotels",
		Component: "BookingCard", Shows: []string{"booking"}, Untrusted: hotelTexts()},
		t.orderStay, tool.Previewed(t.previewStay), tool.ThroughOutbox[bookHotelInput]())
}

// quotedStay is a rate of a kept search at its price of now.
type quotedStay struct {
	query keptStay
	hotel stays.Hotel
	was   stays.Rate
	now   stays.Rate
	id    string // of the quote
	who   party
}

func (t *set) quotedStay(ctx context.Context, by identity.Caller, in bookHotelInput) (quotedStay, error) {
	var q quotedStay
	supplier, err := t.stays()
	if err != nil {
		return q, err
	}
	if q.query, q.hotel, err = t.hotel(ctx, by, in.Rate); err != nil {
		return q, err
	}
	i := slices.IndexFunc(q.hotel.Rates, func(r stays.Rate) bool { return r.Code == in.Rate })
	if i < 0 {
		return q, fault.New(fault.NotFound, "%q is no rate of %s. Look at its rates.", cut(in.Rate, 20),
			q.hotel.Code).WithCode("rate_not_found")
	}
	q.was = q.hotel.Rates[i]
	if q.id, q.now, err = supplier.Quote(ctx, by, q.was.ID); err != nil {
		return q, err
	}
	q.now.Code = q.was.Code
	if q.now.Room == "" {
		q.now.Room, q.now.Board, q.now.Beds = q.was.Room, q.was.Board, q.was.Beds
	}
	q.who, err = t.guests(ctx, by, q.query, in.Travellers)
	return q, err
}

// guests finds those in whose names a stay is booked: those that are named, or else the
// person who asks, or the only adult who is entered.
func (t *set) guests(ctx context.Context, by identity.Caller, q keptStay, codes []string) (party, error) {
	known, err := t.Travellers.Summaries(ctx, by, q.CheckIn)
	if err != nil {
		return nil, err
	}
	var who party
	if len(codes) > 0 {
		kinds := make([]flights.Kind, len(q.Ages))
		if who, err = choose(known, kinds, codes); err != nil {
			return nil, err
		}
	} else {
		adults := slices.DeleteFunc(slices.Clone(known),
			func(s travellers.Summary) bool { return s.Kind != flights.AdultKind })
		i := slices.IndexFunc(adults, func(s travellers.Summary) bool { return s.Self })
		switch {
		case i >= 0:
			who = adults[i : i+1]
		case len(adults) == 1:
			who = adults
		case len(adults) > 1:
			return nil, fault.New(fault.Invalid, "In whose name is it booked? Name one of %s.", party(adults)).
				WithCode("travellers_missing")
		}
	}
	if len(who) == 0 {
		return nil, askForTravellers(part.Travellers{Title: "Who stays?",
			Wanted: []part.WantedTraveller{{Kind: "adult"}}})
	}
	if who[0].Kind != flights.AdultKind {
		return nil, fault.New(fault.Invalid, "The first guest is an adult; %s is not.", who[0].Code).
			WithCode("travellers_misfit")
	}
	var wanted []part.WantedTraveller
	for _, s := range who {
		if !s.Complete {
			wanted = append(wanted, part.WantedTraveller{Code: s.Code, Kind: s.Kind.String(), Missing: s.Missing})
		}
	}
	if wanted != nil {
		return nil, askForTravellers(part.Travellers{Title: "Who stays?", Wanted: wanted})
	}
	return who, nil
}

func (t *set) previewStay(ctx context.Context, by identity.Caller, in bookHotelInput) (tool.Preview, error) {
	q, err := t.quotedStay(ctx, by, in)
	if err != nil {
		return tool.Preview{}, err
	}
	if err := t.knownTrip(ctx, by, in.Trip); err != nil {
		return tool.Preview{}, err
	}
	shown := tool.Preview{Title: "Book a room at " + cut(q.hotel.Name, 100)}
	add := func(label, value string) {
		if value != "" {
			shown.Lines = append(shown.Lines, tool.Line{Label: label, After: value})
		}
	}
	add("Rate", q.now.Code)
	add("Address", cut(q.hotel.Address, 200))
	add("Arrival", day(q.query.CheckIn))
	add("Departure", day(q.query.CheckOut))
	add("Nights", itoa(q.query.Nights()))
	add("Rooms", itoa(q.query.Rooms))
	add("Room", cut(q.now.Room, 100))
	add("Board", q.now.BoardWords())
	add("Guests", flights.AgeWords(q.query.Ages))
	add("In the name of", q.who.String())
	add(totalLabel, q.now.Total.String())
	add("Payment", q.now.PayWords())
	add("Cancellation", q.now.RefundWords())
	add("Trip", in.Trip)
	for _, term := range q.now.Terms[:min(len(q.now.Terms), 3)] {
		add("The hotel's terms", cut(term, 300))
	}
	if q.was.Total.String() != q.now.Total.String() {
		shown.Warnings = append(shown.Warnings, fmt.Sprintf("The price was %s when it was found, and is %s now.",
			q.was.Total, q.now.Total))
	}
	return shown, nil
}

func (t *set) orderStay(ctx context.Context, by identity.Caller, in bookHotelInput) (reserved, error) {
	code := ""
	receipt, err := effect.Once(ctx, t.Outbox, by, effect.Outside{
		Kind: supplierName, Within: orderTime,
		Payload: map[string]any{"tool": "book_hotel", "rate": in.Rate, "total": shownTotal(ctx),
			"travellers": in.Travellers},
		Attempt: func(ctx context.Context, key string) (string, error) {
			return t.attemptStay(ctx, by, in, key, &code)
		},
		LookUp: func(ctx context.Context, key string) (string, bool, error) { return t.lookUp(ctx, by, key) },
	})
	if err != nil {
		return reserved{}, unknownOf(err, code)
	}
	return t.reserved(ctx, by, receipt.Reference)
}

// attemptStay is attemptOrder for a stay.
func (t *set) attemptStay(ctx context.Context, by identity.Caller, in bookHotelInput, key string,
	code *string) (string, error) {
	q, err := t.quotedStay(ctx, by, in)
	if err != nil {
		return "", effect.NotDone(err)
	}
	if err := approved(ctx, q.now.Total.String()); err != nil {
		return "", effect.NotDone(err)
	}
	b, err := stayBooking(q)
	if err != nil {
		return "", effect.NotDone(err)
	}
	b.Key, b.Trip = key, in.Trip
	if b, err = t.Bookings.Open(ctx, by, b); err != nil {
		return "", effect.NotDone(err)
	}
	*code = b.Code
	persons, err := t.people(ctx, by, q.who)
	if err != nil {
		return "", t.failed(ctx, by, b, effect.NotDone(err))
	}
	made, err := t.Stays.Book(ctx, by, key, q.id, persons)
	if err != nil && !effect.IsNotDone(err) {
		again, cancel := context.WithTimeout(context.WithoutCancel(ctx), lookUpTime)
		found, ok, lookErr := t.Stays.Find(again, by, key)
		cancel()
		if lookErr != nil || !ok {
			return "", err // not known
		}
		made, err = found, nil
	}
	if err != nil {
		return "", t.failed(ctx, by, b, err)
	}
	t.settle(ctx, by, fromStay(b, made))
	return b.Code, nil
}

// stayDetails are the details of a hotel's booking.
type stayDetails struct {
	Room   string `json:"room"`
	Board  string `json:"board"`
	Nights int    `json:"nights"`
	Rooms  int    `json:"rooms"`
	Guests string `json:"guests"`
	Refund string `json:"refund"`
	Pay    string `json:"pay"`
	// PaidNow says that it was paid from the balance when it was booked.
	PaidNow bool `json:"paidNow"`
}

// stayBooking is the booking of a rate before it is booked.
func stayBooking(q quotedStay) (bookings.Booking, error) {
	details, err := json.Marshal(stayDetails{cut(q.now.Room, 200), q.now.BoardWords(), q.query.Nights(), q.query.Rooms,
		flights.AgeWords(q.query.Ages), q.now.RefundWords(), q.now.PayWords(), q.now.PayNow})
	zone := "UTC"
	if near := places.Nearest(q.hotel.Lat, q.hotel.Lon, 1); len(near) > 0 {
		zone = near[0].Zone
	}
	total := q.now.Total
	place := cut(q.hotel.Address, 200)
	if place == "" {
		place = q.query.Place
	}
	return bookings.Booking{Type: bookings.Hotel, State: flights.Pending, Title: cut(q.hotel.Name, 120),
		Starts: at(q.query.CheckIn, q.hotel.CheckIn, 15), Ends: at(q.query.CheckOut, q.hotel.CheckOut, 11),
		StartZone: zone, EndZone: zone, Place: place, Total: &total, Travellers: q.who.codes(), Details: details,
		Supplier: supplierName, OfferID: q.id}, err
}

// at is a time of day on a date, or an hour where none is known.
func at(d calendar.Date, clock string, hour int) calendar.DateTime {
	if when, err := calendar.ParseDateTime(d.String() + "T" + strings.TrimSpace(clock)); err == nil {
		return when
	}
	return calendar.DateTime{Date: d, Hour: hour}
}

// fromStay puts what the supplier tells into a booking.
func fromStay(b bookings.Booking, s stays.Booking) bookings.Booking {
	b.SupplierID, b.State = s.ID, s.State
	var stay stayDetails
	if b.State == flights.Confirmed && json.Unmarshal(b.Details, &stay) == nil {
		b.Paid = stay.PaidNow
	}
	if s.Reference != "" {
		b.Reference = s.Reference
	}
	if s.Total.Currency != "" {
		b.Total = &s.Total
	}
	if s.Refunded != nil {
		b.Refunded = s.Refunded
	}
	return b
}

func (t *set) refreshStay(ctx context.Context, by identity.Caller, b bookings.Booking) (bookings.Booking, error) {
	supplier, err := t.stays()
	if err != nil {
		return b, err
	}
	if b.SupplierID != "" {
		s, err := supplier.Get(ctx, by, b.SupplierID)
		if err != nil {
			return b, err
		}
		return fromStay(b, s), nil
	}
	s, found, err := supplier.Find(ctx, by, b.Key)
	switch {
	case err != nil:
		return b, err
	case found:
		return fromStay(b, s), nil
	case t.Now().Sub(b.CreatedAt) > lost:
		b.State = flights.Failed
	}
	return b, nil
}

// quoteStay says what cancelling a stay gives back now.
func (t *set) quoteStay(ctx context.Context, by identity.Caller, b bookings.Booking) (cancellation, error) {
	supplier, err := t.stays()
	if err != nil {
		return cancellation{}, err
	}
	s, err := supplier.Get(ctx, by, b.SupplierID)
	if err != nil {
		return cancellation{}, err
	}
	if s.State == flights.Cancelled {
		return cancellation{}, fault.New(fault.Conflict, "%s is cancelled already.", b.Code).
			WithCode("already_cancelled")
	}
	return cancellation{booking: b, refund: refundWords(s.Rate.RefundAt(t.Now())),
		to: "the organisation's balance"}, nil
}

// cancelStay cancels a stay. An answer that does not come is looked up.
func (t *set) cancelStay(ctx context.Context, by identity.Caller, b bookings.Booking) (bookings.Booking, error) {
	before := t.Now()
	s, err := t.Stays.Cancel(ctx, by, b.SupplierID)
	if err != nil && !effect.IsNotDone(err) {
		again, cancel := context.WithTimeout(context.WithoutCancel(ctx), lookUpTime)
		defer cancel()
		if found, lookErr := t.Stays.Get(again, by, b.SupplierID); lookErr == nil && found.State == flights.Cancelled {
			s, err = found, nil
		}
	}
	if err != nil {
		return b, err
	}
	b.State = flights.Cancelled
	if b.Refunded = s.Refunded; b.Refunded == nil && s.Rate.Total.Currency != "" {
		refund := s.Rate.RefundAt(before)
		b.Refunded = &refund
	}
	return b, nil
}
