package reservations

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/hospitality/names"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/render"
)

const maxNights = 365

type datesInput struct {
	CheckIn  calendar.Date `json:"check_in" jsonschema:"the day of arrival"`
	CheckOut calendar.Date `json:"check_out" jsonschema:"the day of departure; its night is not stayed"`
	Guests   int           `json:"guests,omitempty" jsonschema:"how many people, children included"`
}

// Check refuses dates in the wrong order and stays beyond a year.
func (in *datesInput) Check() error {
	nights := in.CheckIn.Until(in.CheckOut)
	switch {
	case in.CheckIn.IsZero() || in.CheckOut.IsZero():
		return fault.New(fault.Invalid, "check_in and check_out are both needed, in the form YYYY-MM-DD.")
	case nights < 1:
		return fault.New(fault.Invalid, "The check-out (%s) must come after the check-in (%s).", in.CheckOut.Show(),
			in.CheckIn.Show())
	case nights > maxNights:
		return fault.New(fault.Invalid, "That is a stay of %d nights; at most %d nights can be looked at.", nights,
			maxNights)
	case in.Guests < 0 || in.Guests > 200:
		return fault.New(fault.Invalid, "guests must be from 1 to 200.")
	}
	return nil
}

type roomInput struct {
	Room     string        `json:"room" jsonschema:"the room type's code or name"`
	CheckIn  calendar.Date `json:"check_in" jsonschema:"the day of arrival"`
	CheckOut calendar.Date `json:"check_out" jsonschema:"the day of departure; its night is not stayed"`
	Guests   int           `json:"guests,omitempty" jsonschema:"how many people, children included"`
}

// Check refuses what datesInput refuses.
func (in *roomInput) Check() error {
	dates := in.dates()
	return dates.Check()
}

func (in roomInput) dates() datesInput {
	return datesInput{CheckIn: in.CheckIn, CheckOut: in.CheckOut, Guests: in.Guests}
}

// availability is how the rooms stand for one stay.
type availability struct {
	CheckIn  calendar.Date `json:"checkIn"`
	CheckOut calendar.Date `json:"checkOut"`
	Nights   int           `json:"nights"`
	Guests   int           `json:"guests,omitempty"`
	InPast   bool          `json:"inPast,omitempty"`
	Rooms    []verdict     `json:"rooms"`
	today    calendar.Date
	tape     *tape // what people see beside the table; nil for nothing
}

// verdict says whether a room can be booked, and if not, why.
type verdict struct {
	Room
	Available bool     `json:"available"`
	Reasons   []string `json:"reasons"`
}

func look(ctx context.Context, store Store, by identity.Caller, now calendar.Clock, in datesInput) (availability,
	error) {
	zone, err := by.Entity.Location()
	if err != nil {
		return availability{}, err
	}
	rooms, err := store.Availability(ctx, by, calendar.Range{From: in.CheckIn, To: in.CheckOut})
	if err != nil {
		return availability{}, err
	}
	today := calendar.Today(now(), zone)
	a := availability{
		today:   today,
		CheckIn: in.CheckIn, CheckOut: in.CheckOut, Nights: in.CheckIn.Until(in.CheckOut), Guests: in.Guests,
		InPast: in.CheckIn.Before(today), Rooms: []verdict{},
	}
	for _, r := range rooms {
		reasons := why(r, in)
		a.Rooms = append(a.Rooms, verdict{Room: r, Available: len(reasons) == 0, Reasons: reasons})
	}
	return a, nil
}

// only keeps the one room that is asked for.
func (a availability) only(wanted string) (availability, error) {
	v, err := names.Find(a.Rooms, wanted, "room type")
	a.Rooms = []verdict{v}
	return a, err
}

// why lists what stands against booking the room, in sentences without a stop.
func why(r Room, in datesInput) []string {
	reasons := []string{}
	nights := in.CheckIn.Until(in.CheckOut)
	if r.FreeUnits == 0 {
		reasons = append(reasons, taken(r))
	}
	if r.Units > 0 && in.Guests > r.Capacity*max(1, r.FreeUnits) {
		reasons = append(reasons, fmt.Sprintf("it sleeps %s", sleeps(r)))
	}
	if nights < r.MinStay {
		reasons = append(reasons, fmt.Sprintf("the shortest stay is %s", count(r.MinStay, "night")))
	}
	if nights > r.MaxStay {
		reasons = append(reasons, fmt.Sprintf("the longest stay is %s", count(r.MaxStay, "night")))
	}
	if r.ClosedArrival {
		reasons = append(reasons, "nobody may arrive on "+in.CheckIn.Show())
	}
	if r.ClosedDeparture {
		reasons = append(reasons, "nobody may leave on "+in.CheckOut.Show())
	}
	return reasons
}

func taken(r Room) string {
	if r.Units == 0 {
		return "it has no unit that is let"
	}
	var by []string
	for _, b := range r.Bookings {
		by = append(by, fmt.Sprintf("booking %s (%s to %s)", b.Code, b.From.Show(), b.To.Show()))
	}
	for _, b := range r.Blocks {
		by = append(by, fmt.Sprintf("a block for %s (%s to %s)", forReason(b.Reason), b.From.Show(), b.To.Show()))
	}
	if len(by) > 4 {
		by = append(by[:4], "others")
	}
	return "it is taken by " + strings.Join(by, ", ")
}

func sleeps(r Room) string {
	if r.FreeUnits > 1 {
		return fmt.Sprintf("%d in each of %s", r.Capacity, count(r.FreeUnits, "free unit"))
	}
	return fmt.Sprintf("at most %d", r.Capacity)
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// Table lays the rooms out.
func (a availability) Table() render.Table {
	t := render.Table{
		Title: fmt.Sprintf("Availability from %s to %s (%s)", a.CheckIn.Show(), a.CheckOut.Show(),
			count(a.Nights, "night")),
		Columns: []render.Column{
			render.Column{Key: "room", Label: "Room", Priority: 1}.Opens("get_room_type_details", "room", "code"),
			render.Column{Key: "code", Label: "Code"}.Opens("get_room_type_details", "room", ""),
			{Key: "guests", Label: "Guests", Right: true}, {Key: "available", Label: "Available", Priority: 1},
			{Key: "free", Label: "Free units", Right: true},
			{Key: "weekday", Label: "Weekday", Right: true, Priority: 1},
			{Key: "weekend", Label: "Weekend", Right: true, Priority: 1},
			{Key: "why", Label: "Why not", Priority: 1}, {Key: "next", Label: "Free from"},
		},
		Note: "Prices are base prices per night; seasons and demand may change them.",
	}
	for _, v := range a.Rooms {
		t.Rows = append(t.Rows, []render.Cell{
			render.Text(v.Name), render.Text(v.Code), render.Int(v.Capacity), render.Yes(v.Available),
			{Text: fmt.Sprintf("%d of %d", v.FreeUnits, v.Units), Value: v.FreeUnits},
			render.Money(v.WeekdayPrice, v.Currency), render.Money(v.WeekendPrice, v.Currency),
			render.Text(strings.Join(v.Reasons, "; ")), render.Day(v.NextFree),
		})
	}
	return t
}

// Summarize says which rooms can be booked; for a single one also why not and when.
func (a availability) Summarize() string {
	stay := fmt.Sprintf("from %s to %s (%s)", a.CheckIn.Show(), a.CheckOut.Show(), count(a.Nights, "night"))
	var text string
	if len(a.Rooms) == 1 {
		text = a.Rooms[0].tell(stay, a.CheckIn)
	} else {
		var free []string
		for _, v := range a.Rooms {
			if v.Available {
				free = append(free, v.Name+" ("+v.Code+")")
			}
		}
		people := ""
		if a.Guests > 0 {
			people = " for " + count(a.Guests, "guest")
		}
		text = fmt.Sprintf("%d of %d room types can be booked%s %s", len(free), len(a.Rooms), people, stay)
		if len(free) > 0 {
			text += ": " + strings.Join(free, ", ")
		}
		text += "." + a.together()
	}
	if a.InPast {
		text += " Mind that the check-in lies in the past."
	}
	return text
}

// together names free rooms that take the guests among them, where no single
// room type does; "" otherwise.
func (a availability) together() string {
	var free []verdict
	for _, v := range a.Rooms {
		if v.Available {
			return ""
		}
		if v.FreeUnits > 0 && len(v.Reasons) == 1 && a.Guests > v.Capacity*v.FreeUnits {
			free = append(free, v)
		}
	}
	slices.SortStableFunc(free, func(a, b verdict) int { return b.Capacity*b.FreeUnits - a.Capacity*a.FreeUnits })
	places := 0
	var by []string
	for _, v := range free {
		places += v.Capacity * v.FreeUnits
		by = append(by, v.Name)
		if places >= a.Guests {
			return fmt.Sprintf(" Together %s take %d.", strings.Join(by, " and "), places)
		}
	}
	return ""
}

func (v verdict) tell(stay string, from calendar.Date) string {
	if v.Available {
		return fmt.Sprintf("%s (%s) is available %s.", v.Name, v.Code, stay)
	}
	text := fmt.Sprintf("%s (%s) is not available %s: %s.", v.Name, v.Code, stay, strings.Join(v.Reasons, "; "))
	if v.FreeUnits == 0 && v.NextFree.After(from) {
		text += fmt.Sprintf(" It is free for as many nights from %s.", v.NextFree.Show())
	}
	return text
}

// Count is the number of rooms looked at.
func (a availability) Count() int { return len(a.Rooms) }

func forReason(reason string) string {
	if reason == "other" {
		return "another reason"
	}
	return strings.ReplaceAll(reason, "_", " ")
}
