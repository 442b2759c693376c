package tools

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/money"
	"github.com/bellhop-ai/bellhop/pkg/tool"
	"github.com/bellhop-ai/bellhop/pkg/travel/bookings"
	"github.com/bellhop-ai/bellhop/pkg/travel/flights"
	"github.com/bellhop-ai/bellhop/pkg/travel/itinerary"
	"github.com/bellhop-ai/bellhop/pkg/travel/places"
)

// blockTime are the arguments of block_travel_time: the source document's, and the trip.
type blockTime struct {
	Origin      string        `json:"origin" jsonschema:"where it begins: a city, an airport or any place"`
	Destination string        `json:"destination" jsonschema:"where it ends"`
	Date        calendar.Date `json:"date" jsonschema:"day on which it begins"`
	StartTime   string        `json:"startTime" jsonschema:"approximate local departure, HH:MM"`
	EndTime     string        `json:"endTime" jsonschema:"approximate local arrival, HH:MM; before the departure means the next day"`
	Notes       string        `json:"notes,omitempty" jsonschema:"what the person wants to remember of it" limits:"note"`
	Trip        string        `json:"trip,omitempty" jsonschema:"code of the trip; left out for the one of these days"`
}

// Check tidies the texts.
func (in *blockTime) Check() error {
	in.Trip = codeOf(in.Trip)
	for _, c := range []*string{&in.StartTime, &in.EndTime} {
		if *c = strings.TrimSpace(*c); len(*c) == 4 {
			*c = "0" + *c
		}
		if !isClock(*c) {
			return fault.New(fault.Invalid, "%q is no time of day; write HH:MM, such as 18:00.", cut(*c, 20)).
				WithCode("time_malformed")
		}
	}
	return nil
}

// end is one end of an item: a place that is known, or words.
func end(by identity.Caller, ask asking, path, name string) (label, zone string, err error) {
	p, err := ask.place(path, name)
	if err == nil {
		return placeLabel(p), p.Zone, nil
	}
	if fault.From(err).Code != "place_unknown" {
		return "", "", err
	}
	return cut(name, 120), homeZone(by), nil
}

func placeLabel(p places.Place) string {
	if p.Code == "" {
		return p.Name
	}
	return p.Name + " (" + p.Code + ")"
}

// homeZone is the zone in which a place of unknown zone is taken to be.
func homeZone(by identity.Caller) string {
	if by.Entity.TimeZone != "" {
		return by.Entity.TimeZone
	}
	return "UTC"
}

func (t *set) blockTravelTime() tool.Tool {
	spec := own("block_travel_time", "", "itinerary", "ItineraryCard", "itinerary")
	return tool.New(spec, func(ctx context.Context, by identity.Caller, in blockTime) (tripShown, error) {
		ask := asking{spec.Name, in}
		from, fromZone, err := end(by, ask, "origin", in.Origin)
		if err != nil {
			return tripShown{}, err
		}
		to, toZone, err := end(by, ask, "destination", in.Destination)
		if err != nil {
			return tripShown{}, err
		}
		item := itinerary.Item{Type: itinerary.Travel, Status: itinerary.Planned, Title: "Travel from " + from +
			" to " + to,
			Origin: from, Destination: to, Starts: clockOn(in.Date, in.StartTime), Ends: clockOn(in.Date, in.EndTime),
			StartZone: fromZone, EndZone: toZone, Notes: strings.TrimSpace(in.Notes)}
		item = forward(item)
		return t.put(ctx, by, ask, in.Trip, "Trip to "+to, []itinerary.Item{item})
	})
}

// clockOn is a time of day, which was checked, on a day.
func clockOn(d calendar.Date, clock string) calendar.DateTime {
	when, err := time.Parse("15:04", clock)
	if err != nil {
		return calendar.DateTime{Date: d}
	}
	return calendar.DateTime{Date: d, Hour: when.Hour(), Minute: when.Minute()}
}

// forward lets an item whose end would be before its start end a day later.
func forward(i itinerary.Item) itinerary.Item {
	if starts, ends, err := i.Moments(); err == nil && ends.Before(starts) {
		i.Ends.Date = i.Ends.Date.AddDays(1)
	}
	return i
}

// addHotelInput are the arguments of add_hotel_to_itinerary: the source document's, the
// currency of the price, and the trip.
type addHotelInput struct {
	HotelName          string        `json:"hotelName" jsonschema:"name of the hotel"`
	Location           string        `json:"location" jsonschema:"city or address"`
	CheckIn            calendar.Date `json:"checkIn" jsonschema:"first night"`
	CheckOut           calendar.Date `json:"checkOut" jsonschema:"day of departure"`
	HotelID            string        `json:"hotelId,omitempty" jsonschema:"code of the hotel in a search, such as H4T9-2"`
	RoomType           string        `json:"roomType,omitempty" jsonschema:"kind of room"`
	Price              *money.Amount `json:"price,omitempty" jsonschema:"price of the whole stay"`
	Currency           string        `json:"currency,omitempty" jsonschema:"currency of the price, such as EUR"`
	ConfirmationNumber string        `json:"confirmationNumber,omitempty" jsonschema:"the hotel's confirmation; it counts as booked then"`
	Trip               string        `json:"trip,omitempty" jsonschema:"code of the trip; left out for the one of these days"`
}

// Check tidies the texts.
func (in *addHotelInput) Check() error {
	in.Trip, in.HotelID, in.Currency = codeOf(in.Trip), codeOf(in.HotelID), codeOf(in.Currency)
	if !in.CheckIn.Before(in.CheckOut) {
		return fault.New(fault.Invalid, "The departure on %s is not after the arrival on %s.", day(in.CheckOut),
			day(in.CheckIn)).WithCode("checkout_before_checkin")
	}
	if in.Currency != "" && (len(in.Currency) != 3 || strings.Trim(in.Currency, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") != "") {
		return fault.New(fault.Invalid, "%q is no currency; write its code of three letters, such as EUR.",
			cut(in.Currency, 20)).WithCode("currency_unknown")
	}
	return nil
}

func (t *set) addHotel() tool.Tool {
	spec := own("add_hotel_to_itinerary", "", "itinerary", "ItineraryCard", "itinerary")
	return tool.New(spec, func(ctx context.Context, by identity.Caller, in addHotelInput) (tripShown, error) {
		ask := asking{spec.Name, in}
		where, zone, err := end(by, ask, "location", in.Location)
		if err != nil {
			return tripShown{}, err
		}
		item := itinerary.Item{Type: itinerary.Hotel, Status: itinerary.Planned, Title: cut(in.HotelName, 160),
			Place:  where,
			Starts: calendar.DateTime{Date: in.CheckIn}, Ends: calendar.DateTime{Date: in.CheckOut}, AllDay: true,
			StartZone: zone, EndZone: zone, Reference: cut(in.ConfirmationNumber, 60), Notes: cut(in.RoomType, 200)}
		currency := in.Currency
		if in.HotelID != "" {
			_, hotel, err := t.hotel(ctx, by, in.HotelID)
			if err != nil {
				return tripShown{}, err
			}
			item.Title = cut(hotel.Name, 160)
			if hotel.Address != "" {
				item.Place = cut(hotel.Address, 200)
			}
			if in.Price == nil {
				item.Price = &hotel.Total
			}
			if currency == "" {
				currency = hotel.Total.Currency
			}
			item.Starts, item.Ends = atOr(item.Starts, hotel.CheckIn), atOr(item.Ends, hotel.CheckOut)
			item.AllDay = item.Starts.Clock() == "00:00"
		}
		if currency == "" {
			currency = by.Entity.Currency
		}
		if in.Price != nil && currency != "" {
			item.Price = &money.Price{Amount: *in.Price, Currency: currency}
		}
		if item.Reference != "" {
			item.Status = itinerary.Booked
		}
		return t.put(ctx, by, ask, in.Trip, "Trip to "+where, []itinerary.Item{item})
	})
}

// atOr is a time with a hotel's time of day, where it is known.
func atOr(d calendar.DateTime, clock string) calendar.DateTime {
	if isClock(clock) {
		return clockOn(d.Date, clock)
	}
	return d
}

// addFlightInput are the arguments of add_flight_to_itinerary.
type addFlightInput struct {
	Offer   string `json:"offer,omitempty" jsonschema:"code of the offer, such as K7M2-3"`
	Booking string `json:"booking,omitempty" jsonschema:"code of the booking, such as TB-0001, instead of an offer"`
	Trip    string `json:"trip,omitempty" jsonschema:"code of the trip; left out for the one of these days"`
}

// Check requires one of both.
func (in *addFlightInput) Check() error {
	in.Offer, in.Booking, in.Trip = codeOf(in.Offer), codeOf(in.Booking), codeOf(in.Trip)
	if (in.Offer == "") == (in.Booking == "") {
		return fault.New(fault.Invalid, "Write the code of an offer or of a booking.").WithCode("offer_missing")
	}
	return nil
}

func (t *set) addFlight() tool.Tool {
	spec := own("add_flight_to_itinerary", "an offer that is not booked yet, or a booking, into a trip", "itinerary",
		"ItineraryCard", "itinerary")
	return tool.New(spec, func(ctx context.Context, by identity.Caller, in addFlightInput) (tripShown, error) {
		var items []itinerary.Item
		var title string
		if in.Booking != "" {
			b, err := t.Bookings.Get(ctx, by, in.Booking)
			if err != nil {
				return tripShown{}, err
			}
			items, title = itinerary.OfBooking(b), b.Title
			in.Trip = cmp.Or(in.Trip, b.Trip)
		} else {
			_, o, err := t.keptOffer(ctx, by, in.Offer)
			if err != nil {
				return tripShown{}, err
			}
			items, title = itinerary.OfLegs(o.Slices), flightTitle(o)
			for i := range items {
				leg := o.Slices[i]
				items[i].StartZone = zoneOf(leg.Origin, items[i].StartZone)
				items[i].EndZone = zoneOf(leg.Destination, items[i].EndZone)
			}
			if len(items) > 0 {
				items[0].Price = &o.Total
			}
			b, booked, err := t.bookingOf(ctx, by, o.ID)
			if err != nil {
				return tripShown{}, err
			}
			if booked {
				items, title = itinerary.OfBooking(b), b.Title
				in.Trip = cmp.Or(in.Trip, b.Trip)
			}
		}
		if len(items) == 0 {
			return tripShown{}, fault.New(fault.Unprocessable, "It is not known when this is.").
				WithCode("time_missing")
		}
		return t.put(ctx, by, asking{spec.Name, in}, in.Trip, cut(title, 120), items)
	})
}

// bookingOf returns the caller's booking that was made of an offer, where there is one that
// was not cancelled.
func (t *set) bookingOf(ctx context.Context, by identity.Caller, offerID string) (bookings.Booking, bool, error) {
	list, err := t.Bookings.List(ctx, by, bookings.Filter{Upcoming: true, Type: bookings.Flight, Limit: 50})
	if err != nil {
		return bookings.Booking{}, false, err
	}
	i := slices.IndexFunc(list, func(b bookings.Booking) bool {
		return b.OfferID == offerID && b.State != flights.Cancelled && b.State != flights.Failed
	})
	if i < 0 {
		return bookings.Booking{}, false, nil
	}
	return list[i], true, nil
}

// addActivityInput are the arguments of add_activity_to_itinerary.
type addActivityInput struct {
	Title     string        `json:"title" jsonschema:"what it is, such as Dinner at Ramiro"`
	Place     string        `json:"place" jsonschema:"city or address"`
	Date      calendar.Date `json:"date" jsonschema:"day"`
	StartTime string        `json:"startTime,omitempty" jsonschema:"local start, HH:MM; left out for the whole day"`
	EndTime   string        `json:"endTime,omitempty" jsonschema:"local end, HH:MM; an hour later when left out"`
	Notes     string        `json:"notes,omitempty" jsonschema:"what the person wants to remember of it" limits:"note"`
	Reference string        `json:"reference,omitempty" jsonschema:"confirmation number; it counts as booked then"`
	Trip      string        `json:"trip,omitempty" jsonschema:"code of the trip; left out for the one of these days"`
}

// Check tidies the times.
func (in *addActivityInput) Check() error {
	in.Trip = codeOf(in.Trip)
	for _, c := range []*string{&in.StartTime, &in.EndTime} {
		if *c = strings.TrimSpace(*c); len(*c) == 4 {
			*c = "0" + *c
		}
		if *c != "" && !isClock(*c) {
			return fault.New(fault.Invalid, "%q is no time of day; write HH:MM, such as 18:00.", cut(*c, 20)).
				WithCode("time_malformed")
		}
	}
	return nil
}

func (t *set) addActivity() tool.Tool {
	spec := own("add_activity_to_itinerary", "activities are the third type of the source document", "itinerary",
		"ItineraryCard", "itinerary")
	return tool.New(spec, func(ctx context.Context, by identity.Caller, in addActivityInput) (tripShown, error) {
		ask := asking{spec.Name, in}
		where, zone, err := end(by, ask, "place", in.Place)
		if err != nil {
			return tripShown{}, err
		}
		item := itinerary.Item{Type: itinerary.Activity, Status: itinerary.Planned, Title: cut(in.Title, 160),
			Place:  where,
			Starts: calendar.DateTime{Date: in.Date}, Ends: calendar.DateTime{Date: in.Date},
			AllDay:    in.StartTime == "",
			StartZone: zone, EndZone: zone, Notes: strings.TrimSpace(in.Notes), Reference: cut(in.Reference, 60)}
		if !item.AllDay {
			item.Starts = clockOn(in.Date, in.StartTime)
			if item.Ends = later(item.Starts, time.Hour); in.EndTime != "" {
				item.Ends = clockOn(in.Date, in.EndTime)
			}
			item = forward(item)
		}
		if item.Reference != "" {
			item.Status = itinerary.Booked
		}
		return t.put(ctx, by, ask, in.Trip, "Trip to "+where, []itinerary.Item{item})
	})
}

// later is what a clock shows some time later, without a change of clocks.
func later(d calendar.DateTime, by time.Duration) calendar.DateTime {
	return calendar.DateTimeOf(d.In(time.UTC).Add(by))
}
