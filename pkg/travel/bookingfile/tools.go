package bookingfile

import (
	"cmp"
	"context"
	_ "embed"
	"fmt"
	"strings"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/part"
	"github.com/bellhop-ai/bellhop/pkg/render"
	"github.com/bellhop-ai/bellhop/pkg/tool"
	"github.com/bellhop-ai/bellhop/pkg/travel/itinerary"
	"github.com/bellhop-ai/bellhop/pkg/travel/places"
)

var (
	//go:embed texts/read_booking_document.md
	readText string
	//go:embed texts/add_booking_to_itinerary.md
	addText string
)

// Names of the tools.
const (
	ReadName = "read_booking_document"
	AddName  = "add_booking_to_itinerary"
)

// Files are the files that people uploaded.
type Files interface {
	// ReadText returns the name and the text of a file of by's that is ready, by the id
	// that stands beside it in the conversation. Of a picture there is no text. It
	// returns fault.NotFound for a file that is not there or is another user's.
	ReadText(ctx context.Context, by identity.Caller, id string) (name, text string, picture bool, err error)
}

type readInput struct {
	File string `json:"file" jsonschema:"id of the attached confirmation, from its attached_file mark"`
	Text string `json:"text,omitempty" limits:"note" jsonschema:"of a picture: all that stands in it, by line"`
}

type addInput struct {
	Trip      string        `json:"trip,omitempty" jsonschema:"code of the trip; a new trip when left out"`
	Reference string        `json:"reference,omitempty" jsonschema:"booking reference"`
	Flights   []addedFlight `json:"flights,omitempty" jsonschema:"flights of the booking"`
	Hotel     *addedHotel   `json:"hotel,omitempty" jsonschema:"hotel of the booking"`
}

type addedFlight struct {
	Number      string `json:"number" jsonschema:"number of the flight, such as BA117"`
	Origin      string `json:"origin" jsonschema:"IATA code of the airport of departure"`
	Destination string `json:"destination" jsonschema:"IATA code of the airport of arrival"`
	Departs     string `json:"departs" jsonschema:"local time of departure, YYYY-MM-DDTHH:MM"`
	Arrives     string `json:"arrives" jsonschema:"local time of arrival, YYYY-MM-DDTHH:MM"`
}

type addedHotel struct {
	Name     string        `json:"name" jsonschema:"name of the hotel"`
	Location string        `json:"location" jsonschema:"city or address"`
	CheckIn  calendar.Date `json:"checkIn" jsonschema:"check-in date"`
	CheckOut calendar.Date `json:"checkOut" jsonschema:"check-out date"`
}

// Tools returns the tools that read a confirmation and put it into an itinerary.
func Tools(files Files, trips itinerary.Store, now calendar.Clock) []tool.Tool {
	return []tool.Tool{
		tool.New(tool.Spec{Name: ReadName, Effect: tool.Reads, Description: readText, Untrusted: []string{"*"},
			Component: "ItineraryCard", Shows: []string{"choices"},
			Extension: "a photo or a PDF of a booking becomes a draft of the itinerary (S1-27)"},
			func(ctx context.Context, by identity.Caller, in readInput) (Draft, error) {
				return read(ctx, by, in, files, now)
			}),
		tool.New(tool.Spec{Name: AddName, Effect: tool.Writes, Target: tool.Own, Description: addText,
			Component: "ItineraryCard", Shows: []string{"itinerary"},
			Extension: "what was booked elsewhere stands in the itinerary with what is booked here"},
			func(ctx context.Context, by identity.Caller, in addInput) (Added, error) {
				return add(ctx, by, in, trips)
			}),
	}
}

func read(ctx context.Context, by identity.Caller, in readInput, files Files, now calendar.Clock) (Draft, error) {
	name, text, picture, err := files.ReadText(ctx, by, in.File)
	if err != nil {
		return Draft{}, err
	}
	if picture {
		if text = in.Text; strings.TrimSpace(text) == "" {
			return Draft{}, fault.New(fault.Invalid, "“%s” is a picture. Give all that stands in it as text, line by "+
				"line; if you cannot see it, ask the person for a PDF.", name)
		}
	}
	return Read(name, text, calendar.Of(now().UTC())), nil
}

// Summarize says how far the draft is.
func (d Draft) Summarize() string {
	var s strings.Builder
	fmt.Fprintf(&s, "Draft from “%s”; nothing is saved yet.", render.Escape(d.File))
	for _, m := range append(append([]string{}, d.Missing...), d.Problems...) {
		s.WriteString(" " + render.Escape(m))
	}
	return s.String()
}

// Count is the number of items that were read.
func (d Draft) Count() int { return len(d.Table().Rows) }

// Table lists the items with the line where each was read.
func (d Draft) Table() render.Table {
	t := render.Table{Title: "Draft of a booking", Columns: []render.Column{{Key: "item", Label: "Item"},
		{Key: "from", Label: "From"}, {Key: "to", Label: "To"}, {Key: "read", Label: "Read from"}}}
	row := func(cells ...string) {
		var out []render.Cell
		for _, c := range cells {
			out = append(out, render.Text(c))
		}
		t.Rows = append(t.Rows, out)
	}
	at := func(code string, w calendar.DateTime) string {
		if w.IsZero() {
			return code + ", time missing"
		}
		return code + ", " + w.Date.Show() + " " + w.Clock()
	}
	for _, f := range d.Flights {
		row(f.Number, at(f.Origin, f.Departs), at(f.Destination, f.Arrives), fmt.Sprintf("line %d", f.Line))
	}
	if h := d.Hotel; h != nil {
		row(h.Name, h.CheckIn.Show(), h.CheckOut.Show(), fmt.Sprintf("line %d", h.Line))
	}
	if d.Reference != "" && len(t.Rows) > 0 {
		row("Reference", d.Reference, "", "")
	}
	return t
}

// Show offers to add a draft that is complete.
func (d Draft) Show() []part.Data {
	if !d.Complete() {
		return nil
	}
	in := addInput{Reference: d.Reference}
	for _, f := range d.Flights {
		in.Flights = append(in.Flights, addedFlight{f.Number, f.Origin, f.Destination, f.Departs.String(),
			f.Arrives.String()})
	}
	if h := d.Hotel; h != nil {
		in.Hotel = &addedHotel{h.Name, h.Location, h.CheckIn, h.CheckOut}
	}
	return part.Next(part.Call("Add to my itinerary", AddName, in))
}

// Added is the trip into which a booking was put.
type Added struct {
	Trip  string   `json:"trip"`
	Items []string `json:"items"` // titles
	trip  itinerary.Trip
}

// Summarize says what was added.
func (a Added) Summarize() string {
	return fmt.Sprintf("Added to %s: %s.", a.Trip, render.Escape(strings.Join(a.Items, "; ")))
}

// Show shows the trip.
func (a Added) Show() []part.Data { return []part.Data{itinerary.Shown(a.trip, nil)} }

func add(ctx context.Context, by identity.Caller, in addInput, trips itinerary.Store) (Added, error) {
	items, err := in.items()
	if err != nil {
		return Added{}, err
	}
	var out Added
	for _, i := range items {
		out.Items = append(out.Items, i.Title)
	}
	if in.Trip != "" {
		out.trip, err = trips.Put(ctx, by, in.Trip, 0, items...)
	} else {
		last := items[len(items)-1]
		place := last.Place
		if place == "" {
			place = items[0].Destination
			if p, ok := places.ByCode(place); ok {
				place = cmp.Or(p.City, p.Name)
			}
		}
		out.trip, err = trips.Create(ctx, by, fmt.Sprintf("file:%s:%s:%s", in.Reference, items[0].Title,
			items[0].Starts), itinerary.Trip{Title: "Trip to " + place, Items: items})
	}
	out.Trip = out.trip.Code
	return out, err
}

// items returns the items of an input, or a fault.Invalid error that says what is wrong.
func (in addInput) items() ([]itinerary.Item, error) {
	var out []itinerary.Item
	for _, f := range in.Flights {
		from, ok := places.ByCode(f.Origin)
		to, known := places.ByCode(f.Destination)
		if !ok || !known {
			return nil, fault.New(fault.Invalid, "%s to %s: one of these is no airport's code.", f.Origin,
				f.Destination)
		}
		i := itinerary.Item{Type: itinerary.Flight, Status: itinerary.Booked, Number: f.Number,
			Reference: in.Reference, Title: fmt.Sprintf("%s %s to %s", f.Number, from.City, to.City),
			Origin: from.Code, Destination: to.Code, StartZone: from.Zone, EndZone: to.Zone,
			International: from.Country != to.Country}
		var err error
		if i.Starts, err = calendar.ParseDateTime(f.Departs); err == nil {
			i.Ends, err = calendar.ParseDateTime(f.Arrives)
		}
		if err != nil {
			return nil, fault.New(fault.Invalid, "%s: %s.", f.Number, err)
		}
		if starts, ends, err := i.Moments(); err != nil || !starts.Before(ends) || ends.Sub(starts) > 30*time.Hour {
			return nil, fault.New(fault.Invalid, "%s cannot arrive at %s when it departs at %s, by the clocks of its "+
				"airports.", f.Number, i.Ends, i.Starts)
		}
		out = append(out, i)
	}
	if h := in.Hotel; h != nil {
		found := places.Lookup(h.Location)
		zone := "UTC"
		if len(found) > 0 {
			zone = found[0].Zone
		} else if len(out) > 0 {
			zone = out[0].EndZone
		}
		if !h.CheckIn.Before(h.CheckOut) {
			return nil, fault.New(fault.Invalid, "The stay at %s ends before it begins.", h.Name)
		}
		out = append(out, itinerary.Item{Type: itinerary.Hotel, Status: itinerary.Booked, Title: h.Name,
			Place: h.Location, Starts: calendar.DateTime{Date: h.CheckIn},
			Ends: calendar.DateTime{Date: h.CheckOut}, AllDay: true,
			StartZone: zone, EndZone: zone, Reference: in.Reference})
	}
	if len(out) == 0 {
		return nil, fault.New(fault.Invalid, "Name at least one flight or a hotel.")
	}
	return out, nil
}
