package tools

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/effect"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/money"
	"github.com/bellhop-ai/bellhop/pkg/part"
	"github.com/bellhop-ai/bellhop/pkg/render"
	"github.com/bellhop-ai/bellhop/pkg/tool"
	"github.com/bellhop-ai/bellhop/pkg/travel/itinerary"
	"github.com/bellhop-ai/bellhop/pkg/travel/places"
)

// own declares a tool that writes the caller's own rows. Once more is meant so.
func own(name, extension, category, component string, shows ...string) tool.Spec {
	return tool.Spec{Name: name, Effect: tool.Writes, Target: tool.Own, Description: text(name), Extension: extension,
		Category: category, Component: component, Shows: shows, Untrusted: untrusted(hotelTexts(), noteTexts())}
}

// knownTrip refuses a trip that the caller does not have.
func (t *set) knownTrip(ctx context.Context, by identity.Caller, code string) error {
	if code == "" {
		return nil
	}
	_, err := t.Trips.Trip(ctx, by, code)
	return err
}

// near is how many days around its own a trip takes what has no trip named.
const near = 2

// plan puts items into a trip: the one that is named, or the only one of these days, or a
// new one. It is one write.
func (t *set) put(ctx context.Context, by identity.Caller, ask asking, code, title string,
	items []itinerary.Item) (tripShown, error) {
	if code == "" {
		list, err := t.Trips.Trips(ctx, by)
		if err != nil {
			return tripShown{}, err
		}
		fits := slices.DeleteFunc(slices.Clone(list), func(trip itinerary.Trip) bool { return !around(trip, items) })
		switch len(fits) {
		case 0:
			claim, _ := effect.From(ctx)
			trip, err := t.Trips.Create(ctx, by, claim.Key, itinerary.Trip{Title: cut(title, 120), Items: items})
			return t.tripShown(trip, "It is a new trip: "+trip.Code+"."), err
		case 1:
			code = fits[0].Code
		default:
			return tripShown{}, whichTrip(ask, fits)
		}
	}
	trip, err := t.Trips.Put(ctx, by, code, 0, items...)
	return t.tripShown(trip, ""), err
}

// around reports whether items are on the days of a trip or just before or after.
func around(trip itinerary.Trip, items []itinerary.Item) bool {
	if trip.From.IsZero() || trip.To.IsZero() {
		return false
	}
	first, last := trip.From.AddDays(-near), trip.To.AddDays(near)
	for _, i := range items {
		if i.Starts.Date.Before(first) || i.Starts.Date.After(last) {
			return false
		}
	}
	return true
}

func whichTrip(ask asking, fits []itinerary.Trip) error {
	var choices []part.Choice
	var names []string
	for _, trip := range fits[:min(len(fits), 8)] {
		names = append(names, trip.Code+" ("+cut(trip.Title, 60)+")")
		if arguments, err := ask.with("trip", trip.Code); err == nil {
			choices = append(choices, part.Choice{Label: cut(trip.Code+" "+trip.Title, 80), Tool: ask.tool, Arguments: arguments})
		}
	}
	return tool.Ask(part.Choices{Title: "Into which trip?", Choices: choices},
		"Several trips are on these days: "+strings.Join(names, ", ")+". Ask into which one it goes.")
}

// tripShown is the answer of tools about one trip.
type tripShown struct {
	trip itinerary.Trip
	note string
	page part.Itinerary
}

func (t *set) tripShown(trip itinerary.Trip, note string) tripShown {
	return tripShown{trip: trip, note: note, page: page(trip)}
}

// itemLine is an item as models see it.
type itemLine struct {
	Code    string           `json:"code"`
	Type    itinerary.Type   `json:"type"`
	Status  itinerary.Status `json:"status"`
	Title   string           `json:"title"`
	Starts  string           `json:"starts"`
	Ends    string           `json:"ends,omitempty"`
	Booking string           `json:"booking,omitempty"`
	Notes   string           `json:"notes,omitempty"`
}

// itemsForModel is how many items models see.
const itemsForModel = 20

// MarshalJSON writes the trip for models.
func (s tripShown) MarshalJSON() ([]byte, error) {
	out := struct {
		Trip     string     `json:"trip"`
		Version  int        `json:"version"`
		Title    string     `json:"title"`
		From     string     `json:"from,omitempty"`
		To       string     `json:"to,omitempty"`
		Items    []itemLine `json:"items"`
		Total    int        `json:"totalItems"`
		Warnings []string   `json:"warnings,omitempty"`
	}{s.trip.Code, s.trip.Version, cut(s.trip.Title, 120), s.trip.From.String(), s.trip.To.String(), []itemLine{},
		len(s.trip.Items), nil}
	for _, w := range s.page.Warnings[:min(len(s.page.Warnings), 6)] {
		out.Warnings = append(out.Warnings, cut(w, 160))
	}
	for _, i := range s.trip.Items[:min(len(s.trip.Items), itemsForModel)] {
		line := itemLine{Code: i.Code, Type: i.Type, Status: i.Status, Title: cut(i.Title, 60), Starts: i.Starts.String(),
			Ends: i.Ends.String(), Booking: i.Booking, Notes: cut(i.Notes, 40)}
		if i.AllDay {
			line.Starts, line.Ends = i.Starts.Date.String(), i.Ends.Date.String()
		}
		out.Items = append(out.Items, line)
	}
	return json.Marshal(out)
}

// Count is how many items there are.
func (s tripShown) Count() int { return len(s.trip.Items) }

// Summarize says what the trip is, and what does not fit in it.
func (s tripShown) Summarize() string {
	said := fmt.Sprintf("%s (%s) has %s.", cut(s.trip.Title, 120), s.trip.Code, plural(len(s.trip.Items), "item"))
	if s.note != "" {
		said = s.note + " " + said
	}
	return strings.TrimSpace(said + " " + strings.Join(s.page.Warnings, " "))
}

// Show lays the trip out by day.
func (s tripShown) Show() []part.Data { return []part.Data{s.page} }

// tripArgument are the arguments of tools about one trip.
type tripArgument struct {
	Trip string `json:"trip,omitempty" jsonschema:"code of the trip, such as TR-0001; the next one when left out"`
}

// Check tidies the code.
func (in *tripArgument) Check() error { in.Trip = codeOf(in.Trip); return nil }

// trip returns the trip of a code, or the next one.
func (t *set) trip(ctx context.Context, by identity.Caller, code string) (itinerary.Trip, error) {
	if code == "" {
		list, err := t.Trips.Trips(ctx, by)
		if err != nil {
			return itinerary.Trip{}, err
		}
		if len(list) == 0 {
			return itinerary.Trip{}, fault.New(fault.NotFound, "There is no trip yet. Adding a flight, a hotel or an "+
				"activity makes one.").WithCode("trip_not_found")
		}
		code = list[0].Code
	}
	return t.Trips.Trip(ctx, by, code)
}

func (t *set) showItinerary() tool.Tool {
	return tool.New(tool.Spec{Name: "show_itinerary", Effect: tool.Reads, Description: text("show_itinerary"),
		Extension: "a trip by day with conflicts and gaps", Category: "itinerary", Component: "ItineraryCard",
		Shows: []string{"itinerary"}, Untrusted: untrusted(hotelTexts(), noteTexts())},
		func(ctx context.Context, by identity.Caller, in tripArgument) (tripShown, error) {
			trip, err := t.trip(ctx, by, in.Trip)
			return t.tripShown(trip, ""), err
		})
}

type listTrips struct{}

func (t *set) listTrips() tool.Tool {
	return tool.New(tool.Spec{Name: "list_trips", Effect: tool.Reads, Description: text("list_trips"),
		Extension: "all trips of the person", Category: "itinerary", Component: "ItineraryCard"},
		func(ctx context.Context, by identity.Caller, _ listTrips) (tripList, error) {
			list, err := t.Trips.Trips(ctx, by)
			return tripList{list}, err
		})
}

// tripList is the answer of list_trips.
type tripList struct{ list []itinerary.Trip }

const tripsForModel = 20

// MarshalJSON writes the short form for models.
func (l tripList) MarshalJSON() ([]byte, error) {
	type line struct {
		Code  string `json:"code"`
		Title string `json:"title"`
		From  string `json:"from,omitempty"`
		To    string `json:"to,omitempty"`
		Mine  bool   `json:"mine"`
	}
	out := struct {
		Trips []line `json:"trips"`
		Total int    `json:"total"`
	}{[]line{}, len(l.list)}
	for _, trip := range l.list[:min(len(l.list), tripsForModel)] {
		out.Trips = append(out.Trips, line{trip.Code, cut(trip.Title, 80), trip.From.String(), trip.To.String(), trip.Mine})
	}
	return json.Marshal(out)
}

// Summarize says how many there are.
func (l tripList) Summarize() string {
	if len(l.list) == 0 {
		return "There are no trips yet."
	}
	return "There are " + plural(len(l.list), "trip") + "."
}

// Table lays the trips out.
func (l tripList) Table() render.Table {
	table := render.Table{Title: "Trips", Columns: []render.Column{
		render.Column{Key: "code", Label: "Trip", Priority: 1}.Opens("show_itinerary", "trip", ""),
		{Key: "title", Label: "Title", Priority: 1}, {Key: "from", Label: "From"}, {Key: "to", Label: "To"},
		{Key: "companions", Label: "With"},
	}}
	for _, trip := range l.list {
		table.Rows = append(table.Rows, []render.Cell{render.Text(trip.Code), render.Text(cut(trip.Title, 120)),
			render.Text(day(trip.From)), render.Text(day(trip.To)), render.Text(strings.Join(trip.Companions, ", "))})
	}
	return table
}

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
		item := itinerary.Item{Type: itinerary.Travel, Status: itinerary.Planned, Title: "Travel from " + from + " to " + to,
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
		item := itinerary.Item{Type: itinerary.Hotel, Status: itinerary.Planned, Title: cut(in.HotelName, 160), Place: where,
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
		}
		if len(items) == 0 {
			return tripShown{}, fault.New(fault.Unprocessable, "It is not known when this is.").WithCode("time_missing")
		}
		return t.put(ctx, by, asking{spec.Name, in}, in.Trip, cut(title, 120), items)
	})
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
		item := itinerary.Item{Type: itinerary.Activity, Status: itinerary.Planned, Title: cut(in.Title, 160), Place: where,
			Starts: calendar.DateTime{Date: in.Date}, Ends: calendar.DateTime{Date: in.Date}, AllDay: in.StartTime == "",
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

// itemArgument names an item of a trip.
type itemArgument struct {
	Trip    string `json:"trip" jsonschema:"code of the trip, such as TR-0001"`
	Item    string `json:"item" jsonschema:"code of the item in the trip, such as I3"`
	Version int    `json:"version,omitempty" jsonschema:"version of the trip that was seen; left out for any" limits:"max=1000000"`
}

func (a *itemArgument) tidy() { a.Trip, a.Item = codeOf(a.Trip), codeOf(a.Item) }

// item returns an item of a trip.
func (t *set) item(ctx context.Context, by identity.Caller, a itemArgument) (itinerary.Trip, itinerary.Item, error) {
	trip, err := t.Trips.Trip(ctx, by, a.Trip)
	if err != nil {
		return trip, itinerary.Item{}, err
	}
	i := slices.IndexFunc(trip.Items, func(i itinerary.Item) bool { return i.Code == a.Item })
	if i < 0 {
		return trip, itinerary.Item{}, fault.New(fault.NotFound, "%s has no item %q.", trip.Code, cut(a.Item, 20)).
			WithCode("item_not_found")
	}
	return trip, trip.Items[i], nil
}

// moveInput are the arguments of move_itinerary_item.
type moveInput struct {
	itemArgument
	Date      *calendar.Date `json:"date,omitempty" jsonschema:"new day; the same when left out"`
	StartTime string         `json:"startTime,omitempty" jsonschema:"new local start, HH:MM; the same when left out"`
	EndTime   string         `json:"endTime,omitempty" jsonschema:"new local end, HH:MM; as long as before when left out"`
}

// Check tidies the codes and the times.
func (in *moveInput) Check() error {
	in.tidy()
	for _, c := range []*string{&in.StartTime, &in.EndTime} {
		if *c = strings.TrimSpace(*c); len(*c) == 4 {
			*c = "0" + *c
		}
		if *c != "" && !isClock(*c) {
			return fault.New(fault.Invalid, "%q is no time of day; write HH:MM, such as 18:00.", cut(*c, 20)).
				WithCode("time_malformed")
		}
	}
	if in.Date == nil && in.StartTime == "" && in.EndTime == "" {
		return fault.New(fault.Invalid, "Write a new day or a new time.").WithCode("time_missing")
	}
	return nil
}

func (t *set) moveItem() tool.Tool {
	spec := own("move_itinerary_item", "another day or time for something of a trip", "itinerary", "ItineraryCard",
		"itinerary")
	return tool.New(spec, func(ctx context.Context, by identity.Caller, in moveInput) (tripShown, error) {
		_, item, err := t.item(ctx, by, in.itemArgument)
		if err != nil {
			return tripShown{}, err
		}
		if item.Booking != "" || item.Type == itinerary.Flight && item.Status != itinerary.Planned {
			return tripShown{}, fault.New(fault.Unprocessable, "%s is booked, so moving it here would not move the "+
				"booking. Change or cancel %s instead.", item.Code, item.Booking).WithCode("item_booked")
		}
		trip, err := t.Trips.Put(ctx, by, in.Trip, in.Version, moved(item, in))
		return t.tripShown(trip, item.Code+" is moved."), err
	})
}

// moved is an item at its new time. It lasts as long as before by the clock, unless the end
// is named.
func moved(i itinerary.Item, in moveInput) itinerary.Item {
	lasts := i.Ends.In(time.UTC).Sub(i.Starts.In(time.UTC))
	if in.Date != nil {
		i.Starts.Date = *in.Date
	}
	if in.StartTime != "" {
		i.Starts, i.AllDay = clockOn(i.Starts.Date, in.StartTime), false
	}
	i.Ends = later(i.Starts, lasts)
	if in.EndTime != "" {
		i.Ends = clockOn(i.Ends.Date, in.EndTime)
		i = forward(i)
	}
	return i
}

// removeInput are the arguments of remove_itinerary_item.
type removeInput struct{ itemArgument }

// Check tidies the codes.
func (in *removeInput) Check() error { in.tidy(); return nil }

func (t *set) removeItem() tool.Tool {
	spec := own("remove_itinerary_item", "take something out of a trip", "itinerary", "ItineraryCard", "itinerary")
	return tool.New(spec, func(ctx context.Context, by identity.Caller, in removeInput) (tripShown, error) {
		trip, err := t.Trips.Remove(ctx, by, in.Trip, in.Version, in.Item)
		return t.tripShown(trip, in.Item+" is removed from the itinerary; a booking of it stays as it is."), err
	})
}

// renameInput are the arguments of rename_trip.
type renameInput struct {
	Trip    string `json:"trip" jsonschema:"code of the trip, such as TR-0001"`
	Title   string `json:"title" jsonschema:"its new title"`
	Version int    `json:"version,omitempty" jsonschema:"version of the trip that was seen; left out for any" limits:"max=1000000"`
}

// Check tidies the texts.
func (in *renameInput) Check() error {
	in.Trip, in.Title = codeOf(in.Trip), cut(in.Title, 120)
	if in.Title == "" {
		return fault.New(fault.Invalid, "A trip has a title.").WithCode("title_required")
	}
	return nil
}

func (t *set) renameTrip() tool.Tool {
	spec := own("rename_trip", "another title for a trip", "itinerary", "ItineraryCard", "itinerary")
	return tool.New(spec, func(ctx context.Context, by identity.Caller, in renameInput) (tripShown, error) {
		trip, err := t.Trips.Rename(ctx, by, in.Trip, in.Version, in.Title)
		return t.tripShown(trip, ""), err
	})
}

func (t *set) exportCalendar() tool.Tool {
	return tool.New(tool.Spec{Name: "export_calendar", Effect: tool.Reads, Description: text("export_calendar"),
		Extension: "a trip as a calendar file", Category: "itinerary", Component: "ItineraryCard",
		Shows: []string{"link"}},
		func(ctx context.Context, by identity.Caller, in tripArgument) (calendarFile, error) {
			trip, err := t.trip(ctx, by, in.Trip)
			if err != nil {
				return calendarFile{}, err
			}
			if len(trip.Items) == 0 {
				return calendarFile{}, fault.New(fault.Unprocessable, "%s has nothing in it yet.", trip.Code).
					WithCode("trip_empty")
			}
			return calendarFile{Trip: trip.Code, Address: calendarAddress(trip.Code), Items: len(trip.Items),
				title: cut(trip.Title, 120)}, nil
		})
}

// calendarAddress is where the calendar file of a trip is.
func calendarAddress(code string) string { return "/api/trips/" + code + "/calendar.ics" }

// calendarFile is the answer of export_calendar.
type calendarFile struct {
	Trip    string `json:"trip"`
	Address string `json:"address"`
	Items   int    `json:"items"`
	title   string
}

// Summarize says where the file is.
func (c calendarFile) Summarize() string {
	return fmt.Sprintf("The calendar file of %s (%s) has %s. It opens in any calendar.", c.title, c.Trip,
		plural(c.Items, "item"))
}

// Show links to the file.
func (c calendarFile) Show() []part.Data {
	return []part.Data{part.NewLink("Calendar file of "+c.title, c.Address, nil)}
}
