package frontdesk

import (
	"context"
	_ "embed"
	"fmt"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/hospitality/pages"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/money"
	"github.com/bellhop-ai/bellhop/pkg/part"
	"github.com/bellhop-ai/bellhop/pkg/render"
	"github.com/bellhop-ai/bellhop/pkg/tool"
)

//go:embed tools/list_in_house.md
var listInHouseText string

//go:embed tools/list_guest_needs.md
var listGuestNeedsText string

//go:embed tools/count_meals.md
var countMealsText string

// inHouse are the guests who are checked in.
type inHouse struct {
	Date  calendar.Date `json:"date"`
	Stays []Stay        `json:"stays"`
}

func inHouseTool(store Store, now calendar.Clock) tool.Tool {
	return tool.New(tool.Spec{Name: "list_in_house", Effect: tool.Reads, Description: listInHouseText,
		Extension: "who is in the house now is asked for every hour, and neither arrivals nor departures say it"},
		func(ctx context.Context, by identity.Caller, _ noInput) (inHouse, error) {
			today, err := dayInput{}.day(by, now)
			if err != nil {
				return inHouse{}, err
			}
			day, err := store.Day(ctx, by, today)
			h := inHouse{Date: today, Stays: []Stay{}}
			for _, list := range [][]Stay{day.Overdue, day.Leaving, day.Arriving, day.Staying} {
				for _, s := range list {
					if s.Status == "checked_in" && !h.has(s.Code) {
						h.Stays = append(h.Stays, s)
					}
				}
			}
			return h, err
		})
}

// has reports whether a stay is listed: day use arrives and leaves on one day.
func (h inHouse) has(code string) bool {
	for _, s := range h.Stays {
		if s.Code == code {
			return true
		}
	}
	return false
}

// Table lays the guests out.
func (h inHouse) Table() render.Table {
	return stays("In house on "+h.Date.Show(), h.Stays, render.Column{Key: "out", Label: "Check-out"},
		func(s Stay) calendar.Date { return s.CheckOut })
}

// Summarize counts guests, rooms, and what they owe.
func (h inHouse) Summarize() string {
	if len(h.Stays) == 0 {
		return "Nobody is checked in at the moment."
	}
	people, rooms, owing := 0, 0, 0
	var sum money.Amount
	for _, s := range h.Stays {
		people, rooms = people+s.Adults+s.Children, rooms+len(s.Rooms)
		if !s.Balance.IsZero() && !s.Balance.Negative() {
			owing++
			sum, _ = sum.Add(s.Balance) // amounts of a business do not reach the digits at which a sum fails
		}
	}
	text := fmt.Sprintf("%s in %s are in the house: %s.", count(people, "guest"), count(rooms, "room"),
		count(len(h.Stays), "reservation"))
	if owing > 0 {
		text += fmt.Sprintf(" Still to pay: %s, of %d of them.", sum.Format(h.Stays[0].Currency), owing)
	}
	return text
}

// NeedsFilter says whose wishes are looked for: those of guests who stay at any
// time from From to To, both included.
type NeedsFilter struct {
	From, To calendar.Date
	About    string // only wishes with this text; "" for all
	Limit    int    // 1 to 200
	Offset   int    // how many to pass over
}

// Needs is what guests asked for, by arrival.
type Needs struct {
	Matches int    `json:"matches"` // in all; the list may be shorter
	Stays   int    `json:"stays"`   // bookings of those days
	Needs   []Need `json:"needs"`
}

// Need is what the guests of one reservation asked for.
type Need struct {
	Code            string        `json:"code"`
	Guest           string        `json:"guest"`
	Rooms           []string      `json:"rooms"`
	CheckIn         calendar.Date `json:"checkIn"`
	CheckOut        calendar.Date `json:"checkOut"`
	People          int           `json:"people"`
	SpecialRequests string        `json:"specialRequests,omitempty"`
	Preferences     []struct {
		Extra       string        `json:"extra"`
		Preferences string        `json:"preferences"`
		Date        calendar.Date `json:"date,omitzero"`
	} `json:"preferences"`
}

type needsInput struct {
	From   calendar.Date `json:"from,omitzero" jsonschema:"the first day; today when left out"`
	To     calendar.Date `json:"to,omitzero" jsonschema:"the last day; six days after the first when left out"`
	About  string        `json:"about,omitempty" jsonschema:"only wishes with this word, such as nuts; left out, all of them"`
	Limit  int           `json:"limit,omitempty" jsonschema:"how many to list; 50 when left out"`
	Offset int           `json:"offset,omitempty" limits:"max=100000" jsonschema:"how many to pass over"`
}

// Check fills the limit, and refuses pages that there cannot be.
func (in *needsInput) Check() error {
	in.About = strings.ToLower(strings.TrimSpace(in.About))
	return pages.Check(&in.Limit, in.Offset, 50, 200)
}

type needs struct {
	Needs
	From  calendar.Date `json:"from"`
	To    calendar.Date `json:"to"`
	input needsInput
}

func (n needs) page() pages.Page {
	return pages.Page{Offset: n.input.Offset, Shown: len(n.Needs.Needs), Matches: n.Matches}
}

func needsTool(store Store, now calendar.Clock) tool.Tool {
	return tool.New(tool.Spec{Name: "list_guest_needs", Effect: tool.Reads, Description: listGuestNeedsText,
		Extension: "allergies stand in bookings and in selections of meals; the kitchen needs one list of them"},
		func(ctx context.Context, by identity.Caller, in needsInput) (needs, error) {
			today, err := dayInput{Date: in.From}.day(by, now)
			if err != nil {
				return needs{}, err
			}
			n := needs{From: today, To: in.To}
			if n.To.IsZero() {
				n.To = n.From.AddDays(6)
			}
			if days := n.From.Until(n.To); days < 0 || days > 92 {
				return needs{}, fault.New(fault.Invalid, "From %s to %s are not 1 to 93 days.", n.From.Show(),
					n.To.Show())
			}
			in.From, in.To = n.From, n.To
			n.input = in
			n.Needs, err = store.Needs(ctx, by, NeedsFilter(in))
			return n, err
		})
}

func (n Need) preferences() string {
	var parts []string
	for _, p := range n.Preferences {
		parts = append(parts, p.Extra+": "+p.Preferences)
	}
	return strings.Join(parts, "; ")
}

// Table lays the wishes out.
func (n needs) Table() render.Table {
	t := render.Table{Title: fmt.Sprintf("Wishes of guests from %s to %s", n.From.Show(), n.To.Show()),
		Columns: []render.Column{
			render.Column{Key: "guest", Label: "Guest"}.Opens("get_reservation_details", "code", "code"),
			render.Column{Key: "code", Label: "Code"}.Opens("get_reservation_details", "code", ""),
			render.Column{Key: "rooms", Label: "Rooms"}.Opens("get_room_type_details", "room", ""),
			{Key: "in", Label: "Check-in"}, {Key: "out", Label: "Check-out"},
			{Key: "requests", Label: "Special requests"}, {Key: "preferences", Label: "At meals and extras"},
		}}
	for _, each := range n.Needs.Needs {
		t.Rows = append(t.Rows, []render.Cell{render.Text(each.Guest), render.Text(each.Code),
			render.Text(strings.Join(each.Rooms, ", ")), render.Day(each.CheckIn), render.Day(each.CheckOut),
			render.Text(each.SpecialRequests), render.Text(each.preferences())})
	}
	t.Note = n.page().Note("by arrival")
	return t
}

// Summarize says how many asked for something.
func (n needs) Summarize() string {
	what := "something special"
	if n.input.About != "" {
		what = "something with “" + n.input.About + "”"
	}
	text := fmt.Sprintf("From %s to %s %d of %s asked for %s.", n.From.Show(), n.To.Show(), n.Matches,
		count(n.Stays, "booking"), what)
	if n.page().Whole() {
		return text
	}
	return text + " " + n.page().Note("by arrival")
}

// Meals is who eats on a day.
type Meals struct {
	Date   calendar.Date `json:"date"`
	People int           `json:"people"` // who slept here the night before
	Stays  int           `json:"stays"`
	Meals  []Meal        `json:"meals"` // by extra and guest
}

// Meal is an extra of a reservation that is served on the day.
type Meal struct {
	Extra           string   `json:"extra"`
	ExtraCode       string   `json:"extraCode"`
	Code            string   `json:"code"`
	Guest           string   `json:"guest"`
	Rooms           []string `json:"rooms"`
	Heads           int      `json:"heads"`
	SpecialRequests string   `json:"specialRequests,omitempty"`
}

func mealsTool(store Store, now calendar.Clock) tool.Tool {
	return tool.New(tool.Spec{Name: "count_meals", Effect: tool.Reads, Description: countMealsText,
		Extension: "the kitchen asks for tomorrow's breakfast heads, which no list of bookings adds up"},
		func(ctx context.Context, by identity.Caller, in dayInput) (Meals, error) {
			day, err := in.day(by, now)
			if err != nil {
				return Meals{}, err
			}
			return store.Meals(ctx, by, day)
		})
}

// Table lays the meals out.
func (m Meals) Table() render.Table {
	t := render.Table{Title: "Meals on " + m.Date.Show(), Columns: []render.Column{
		{Key: "meal", Label: "Meal"}, {Key: "heads", Label: "Heads", Right: true},
		render.Column{Key: "guest", Label: "Guest"}.Opens("get_reservation_details", "code", "code"),
		render.Column{Key: "code", Label: "Code"}.Opens("get_reservation_details", "code", ""),
		render.Column{Key: "rooms", Label: "Rooms"}.Opens("get_room_type_details", "room", ""),
		{Key: "requests", Label: "Special requests"},
	}}
	for _, each := range m.Meals {
		t.Rows = append(t.Rows, []render.Cell{render.Text(each.Extra), render.Int(each.Heads), render.Text(each.Guest),
			render.Text(each.Code), render.Text(strings.Join(each.Rooms, ", ")), render.Text(each.SpecialRequests)})
	}
	return t
}

// Summarize says how many eat what, and how many slept here.
func (m Meals) Summarize() string {
	heads := map[string]int{}
	var order, parts []string
	for _, each := range m.Meals {
		if heads[each.Extra] == 0 {
			order = append(order, each.Extra)
		}
		heads[each.Extra] += each.Heads
	}
	for _, extra := range order {
		parts = append(parts, fmt.Sprintf("%s for %d", extra, heads[extra]))
	}
	booked := "No meal is booked"
	if len(parts) > 0 {
		booked = "Booked: " + strings.Join(parts, ", ")
	}
	return fmt.Sprintf("%s: %s. %s in %s sleep here the night before.", m.Date.Show(), booked,
		count(m.People, "guest"), count(m.Stays, "booking"))
}

// Show offers the guests' wishes of the day.
func (m Meals) Show() []part.Data {
	return part.Next(part.Call("Allergies and wishes of that day", "list_guest_needs",
		map[string]calendar.Date{"from": m.Date, "to": m.Date}),
		part.Call("Meals of the next day", "count_meals", dayInput{m.Date.AddDays(1)}))
}

// Show offers the next page, and the meals of the first day.
func (n needs) Show() []part.Data {
	var list []part.Choice
	if next, more := n.page().Next("list_guest_needs", n.input, n.input.Limit); more {
		list = append(list, next)
	}
	return part.Next(append(list, part.Call("Meals on "+n.From.Show(), "count_meals", dayInput{n.From}))...)
}

// Show offers who leaves, and what is to be eaten tomorrow.
func (h inHouse) Show() []part.Data {
	return part.Next(part.Call("Who leaves today", "get_today_checkouts", dayInput{h.Date}),
		part.Call("Meals tomorrow", "count_meals", dayInput{h.Date.AddDays(1)}))
}
