package rooms

import (
	"context"
	_ "embed"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/hospitality/names"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/render"
	"github.com/bellhop-ai/bellhop/pkg/tool"
)

//go:embed tools/list_room_types.md
var listRoomTypesText string

//go:embed tools/get_room_type_details.md
var getRoomTypeDetailsText string

type listInput struct {
	IncludeInactive bool   `json:"include_inactive,omitempty" jsonschema:"with those that are out of use"`
	Amenity         string `json:"amenity,omitempty" jsonschema:"only those that have it, such as kitchen or wifi"`
}

type detailsInput struct {
	Room string `json:"room" jsonschema:"the room type's code or name"`
}

// Tools returns the tools with which an assistant sees, adds, changes and
// removes room types. The clock says which bookings are still to come.
func Tools(store Store, now calendar.Clock) []tool.Tool {
	return []tool.Tool{
		tool.New(tool.Spec{Name: "list_room_types", Effect: tool.Reads, Description: listRoomTypesText},
			func(ctx context.Context, by identity.Caller, in listInput) (list, error) {
				types, err := store.List(ctx, by, in.IncludeInactive)
				l := list{Rooms: types, inactive: in.IncludeInactive}
				if in.Amenity != "" && err == nil {
					return l.with(in.Amenity)
				}
				return l, err
			}),
		tool.New(tool.Spec{Name: "get_room_type_details", Effect: tool.Reads, Description: getRoomTypeDetailsText},
			func(ctx context.Context, by identity.Caller, in detailsInput) (details, error) {
				t, err := Find(ctx, store, by, in.Room)
				if err != nil || len(t.Units) == 0 {
					return details{Type: t}, err
				}
				cleaning, err := store.Cleaning(ctx, by, t.Units)
				return details{t, cleaning}, err
			}),
		createTool(store),
		updateTool(store, now),
		deleteTool(store, now),
	}
}

// Find returns the room type of that code or name, active or not. It returns a
// fault.NotFound error that names near misses when there is none.
func Find(ctx context.Context, store Store, by identity.Caller, wanted string) (Type, error) {
	types, err := store.List(ctx, by, true)
	if err != nil {
		return Type{}, err
	}
	found, err := names.Find(types, wanted, "room type")
	if fault.Is(err, fault.NotFound) {
		for _, t := range types {
			if slices.Contains(t.Units, strings.ToUpper(strings.TrimSpace(wanted))) {
				return t, nil // by one of its units
			}
		}
	}
	return found, err
}

type list struct {
	Rooms    []Type `json:"rooms"`
	inactive bool
	amenity  string // that all of them have; "" for no such filter
}

// with keeps the room types that have an amenity of that name, or of one that
// contains it: kitchen finds kitchenette.
func (l list) with(amenity string) (list, error) {
	wanted := names.Fold(amenity)
	kept := list{Rooms: []Type{}, inactive: l.inactive, amenity: strings.TrimSpace(amenity)}
	var all []string
	for _, t := range l.Rooms {
		if slices.ContainsFunc(t.Amenities, func(a string) bool { return strings.Contains(names.Fold(a), wanted) }) {
			kept.Rooms = append(kept.Rooms, t)
		}
		all = append(all, t.Amenities...)
	}
	if len(kept.Rooms) == 0 {
		slices.Sort(all)
		return list{}, fault.New(fault.NotFound, "No room type has %q. Amenities are: %s.", kept.amenity,
			strings.Join(slices.Compact(all), ", "))
	}
	return kept, nil
}

// Table lays the list out.
func (l list) Table() render.Table {
	t := render.Table{Title: "Room types", Columns: []render.Column{
		render.Column{Key: "name", Label: "Room"}.Opens("get_room_type_details", "room", "code"),
		render.Column{Key: "code", Label: "Code"}.Opens("get_room_type_details", "room", ""),
		{Key: "guests", Label: "Guests", Right: true},
		{Key: "units", Label: "Units", Right: true}, {Key: "weekday", Label: "Weekday", Right: true},
		{Key: "weekend", Label: "Weekend", Right: true}, {Key: "stay", Label: "Nights"},
	}}
	if l.amenity != "" {
		t.Columns = append(t.Columns, render.Column{Key: "amenities", Label: "Amenities"})
	}
	if l.inactive {
		t.Columns = append(t.Columns, render.Column{Key: "active", Label: "Active"})
	}
	for _, r := range l.Rooms {
		row := []render.Cell{
			render.Text(r.Name), render.Text(r.Code), render.Int(r.Capacity), render.Int(len(r.Units)),
			render.Money(r.WeekdayPrice, r.Currency), render.Money(r.WeekendPrice, r.Currency), render.Text(r.stay()),
		}
		if l.amenity != "" {
			row = append(row, render.Text(strings.Join(r.Amenities, ", ")))
		}
		if l.inactive {
			row = append(row, render.Yes(r.Active))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// Summarize says how many there are.
func (l list) Summarize() string {
	if l.amenity != "" {
		var names []string
		for _, r := range l.Rooms {
			names = append(names, r.Name+" ("+r.Code+")")
		}
		return fmt.Sprintf("With %s: %s.", l.amenity, strings.Join(names, ", "))
	}
	switch len(l.Rooms) {
	case 0:
		return "The property has no room types."
	case 1:
		return "The property has one room type."
	}
	return fmt.Sprintf("The property has %d room types.", len(l.Rooms))
}

type details struct {
	Type
	Cleaning []Cleaning `json:"cleaning"` // by unit
}

// Table lays the facts out, one a row.
func (d details) Table() render.Table {
	t := render.Table{Title: d.Name + " (" + d.Code + ")", Columns: []render.Column{{Key: "what", Label: "What"},
		{Key: "value", Label: "Value"}}}
	add := func(label string, value render.Cell) {
		if value.Text != "" {
			t.Rows = append(t.Rows, []render.Cell{render.Text(label), value})
		}
	}
	add("Description", render.Text(d.Description))
	add("Guests at most", render.Int(d.Capacity))
	add("Guests included", render.Int(d.IncludedGuests))
	add("Each further guest per night", render.Money(d.ExtraGuestPrice, d.Currency))
	add("Weekday night", render.Money(d.WeekdayPrice, d.Currency))
	add("Weekend night", render.Money(d.WeekendPrice, d.Currency))
	add("Nights", render.Text(d.stay()))
	add("No night below", render.Text(d.show(d.FloorPrice)))
	add("No night above", render.Text(d.show(d.CeilingPrice)))
	add("No arrivals on", render.Text(days(d.ClosedArrivalDays)))
	add("No departures on", render.Text(days(d.ClosedDepartureDays)))
	add("Amenities", render.Text(strings.Join(d.Amenities, ", ")))
	add("Units", render.Text(strings.Join(d.Units, ", ")))
	add("To clean", render.Text(strings.Join(d.dirty(), ", ")))
	add("Active", render.Yes(d.Active))
	return t
}

// Summarize says what it is in a sentence.
func (d details) Summarize() string {
	text := fmt.Sprintf("%s (%s) sleeps up to %d and costs %s on weekdays and %s on weekend nights.",
		d.Name, d.Code, d.Capacity, d.WeekdayPrice.Format(d.Currency), d.WeekendPrice.Format(d.Currency))
	if !d.Active {
		text += " It is not let at present."
	}
	if dirty := d.dirty(); len(dirty) > 0 {
		text += " Still to be cleaned: " + strings.Join(dirty, ", ") + "."
	}
	return text
}

// dirty are the units that are to be cleaned.
func (d details) dirty() []string {
	var units []string
	for _, c := range d.Cleaning {
		if c.State == "to_clean" {
			units = append(units, c.Unit)
		}
	}
	return units
}

// Count is one: a room type.
func (d details) Count() int { return 1 }

func (t Type) stay() string {
	if t.MinStay == t.MaxStay {
		return strconv.Itoa(t.MinStay)
	}
	return fmt.Sprintf("%d to %d", t.MinStay, t.MaxStay)
}
