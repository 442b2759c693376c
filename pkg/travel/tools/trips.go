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
	"github.com/bellhop-ai/bellhop/pkg/render"
	"github.com/bellhop-ai/bellhop/pkg/tool"
	"github.com/bellhop-ai/bellhop/pkg/travel/itinerary"
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
	trip, err := t.Trips.Trip(ctx, by, code)
	if err != nil {
		return tripShown{}, err
	}
	if items = missing(trip, items); len(items) == 0 {
		return t.tripShown(trip, "It is in the itinerary already."), nil
	}
	trip, err = t.Trips.Put(ctx, by, code, 0, items...)
	return t.tripShown(trip, ""), err
}

// missing returns what is not in a trip yet. A flight of the same number and departure is
// there, and is linked where a booking of it comes now.
func missing(trip itinerary.Trip, items []itinerary.Item) []itinerary.Item {
	var left []itinerary.Item
	for _, i := range items {
		j := slices.IndexFunc(trip.Items, func(there itinerary.Item) bool {
			flight := i.Type == itinerary.Flight && there.Type == i.Type && i.Number != "" && there.Number == i.Number
			booking := i.Booking != "" && there.Booking == i.Booking
			return (flight || booking) && there.Status != itinerary.Cancelled && there.Starts == i.Starts
		})
		switch {
		case j < 0:
			left = append(left, i)
		case i.Booking != "" && trip.Items[j].Booking == "":
			i.Code = trip.Items[j].Code
			left = append(left, i)
		}
	}
	return left
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
			choices = append(choices, part.Choice{Label: cut(trip.Code+" "+trip.Title, 80), Tool: ask.tool,
				Arguments: arguments})
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
	return tripShown{trip: trip, note: note, page: itinerary.Shown(trip, nil)}
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

// How much of a trip models see at most.
const (
	itemsForModel    = 20
	warningsForModel = 4
)

// MarshalJSON writes the trip for models.
func (s tripShown) MarshalJSON() ([]byte, error) {
	type answer struct {
		Trip     string     `json:"trip"`
		Version  int        `json:"version"`
		Title    string     `json:"title"`
		From     string     `json:"from,omitempty"`
		To       string     `json:"to,omitempty"`
		Items    []itemLine `json:"items"`
		Total    int        `json:"totalItems"`
		Warnings []string   `json:"warnings,omitempty"`
	}
	return short(itemsForModel, func(n int) any {
		out := answer{s.trip.Code, s.trip.Version, cut(s.trip.Title, 120), s.trip.From.String(), s.trip.To.String(),
			[]itemLine{}, len(s.trip.Items), nil}
		for _, w := range s.page.Warnings[:min(len(s.page.Warnings), warningsForModel)] {
			out.Warnings = append(out.Warnings, cut(w, 160))
		}
		for _, i := range s.trip.Items[:min(len(s.trip.Items), n)] {
			line := itemLine{Code: i.Code, Type: i.Type, Status: i.Status, Title: cut(i.Title, 60),
				Starts: i.Starts.String(), Ends: i.Ends.String(), Booking: i.Booking, Notes: cut(i.Notes, 40)}
			if i.AllDay {
				line.Starts, line.Ends = i.Starts.Date.String(), i.Ends.Date.String()
			}
			out.Items = append(out.Items, line)
		}
		return out
	})
}

// Count is how many items there are.
func (s tripShown) Count() int { return len(s.trip.Items) }

// Summarize says what the trip is, and what does not fit in it.
func (s tripShown) Summarize() string {
	said := fmt.Sprintf("%s (%s) has %s.", cut(s.trip.Title, 120), s.trip.Code, plural(len(s.trip.Items), "item"))
	if s.note != "" {
		said = s.note + " " + said
	}
	warnings := s.page.Warnings[:min(len(s.page.Warnings), warningsForModel)]
	return strings.TrimSpace(said + " " + cut(strings.Join(warnings, " "), 600))
}

// Show lays the trip out by day.
func (s tripShown) Show() []part.Data { return []part.Data{s.page} }

// tripArgument are the arguments of tools about one trip.
type tripArgument struct {
	Trip string `json:"trip,omitempty" jsonschema:"code of the trip, such as TR-0001; left out for the one of now or next"`
}

// Check tidies the code.
func (in *tripArgument) Check() error { in.Trip = codeOf(in.Trip); return nil }

// trip returns the trip of a code, or else the one that is going on or comes next. A past
// one has to be named.
func (t *set) trip(ctx context.Context, by identity.Caller, code string) (itinerary.Trip, error) {
	if code != "" {
		return t.Trips.Trip(ctx, by, code)
	}
	list, err := t.Trips.Trips(ctx, by)
	if err != nil {
		return itinerary.Trip{}, err
	}
	today := calendar.Of(t.Now().UTC())
	if zone, err := by.Entity.Location(); err == nil {
		today = calendar.Today(t.Now(), zone)
	}
	i := slices.IndexFunc(list, func(trip itinerary.Trip) bool { return trip.To.IsZero() || !trip.To.Before(today) })
	switch {
	case i >= 0:
		return t.Trips.Trip(ctx, by, list[i].Code)
	case len(list) == 0:
		return itinerary.Trip{}, fault.New(fault.NotFound, "There is no trip yet. Adding a flight, a hotel or an "+
			"activity makes one.").WithCode("trip_not_found")
	}
	return itinerary.Trip{}, fault.New(fault.NotFound, "No trip is to come. Past ones are in the list of trips, "+
		"and are shown by their code.").WithCode("trip_not_found")
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
		out.Trips = append(out.Trips, line{trip.Code, cut(trip.Title, 80), trip.From.String(), trip.To.String(),
			trip.Mine})
	}
	return json.Marshal(out)
}

// Summarize says how many there are.
func (l tripList) Summarize() string {
	if len(l.list) == 0 {
		return "There are no trips yet."
	}
	return thereAre(len(l.list), "trip")
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
