package selections

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/hospitality/pages"
	"github.com/bellhop-ai/bellhop/pkg/part"
	"github.com/bellhop-ai/bellhop/pkg/render"
)

// line is a selection in a list.
type line struct {
	Code        string        `json:"code"`
	Extra       string        `json:"extra"`
	ExtraCode   string        `json:"extraCode"`
	Status      Status        `json:"status"`
	Reservation string        `json:"reservation"`
	Guest       string        `json:"guest"`
	Rooms       []string      `json:"rooms"`
	CheckIn     calendar.Date `json:"checkIn"`
	CheckOut    calendar.Date `json:"checkOut"`
	ServiceDate calendar.Date `json:"serviceDate,omitzero"`
	Meals       int           `json:"meals"` // chosen so far
	Preferences string        `json:"preferences,omitempty"`
}

func newLine(s Selection) line {
	return line{
		Code: s.Code, Extra: s.Extra, ExtraCode: s.ExtraCode, Status: s.Status, Reservation: s.Reservation,
		Guest: s.Guest, Rooms: s.Rooms,
		CheckIn: s.CheckIn, CheckOut: s.CheckOut, ServiceDate: s.ServiceDate, Meals: len(s.Choices),
		Preferences: s.Preferences,
	}
}

type list struct {
	Selections []line `json:"selections"`
	Matches    int    `json:"matches"` // in all; the list may be shorter

	input listInput
}

func (l list) page() pages.Page {
	return pages.Page{Offset: l.input.Offset, Shown: len(l.Selections), Matches: l.Matches}
}

const listOrder = "those to be served next, then the past ones"

func newList(f Found, in listInput) list {
	l := list{Selections: []line{}, Matches: f.Matches, input: in}
	for _, s := range f.Selections {
		l.Selections = append(l.Selections, newLine(s))
	}
	return l
}

// Table lays the list out.
func (l list) Table() render.Table {
	t := render.Table{Title: "Extra selections", Columns: []render.Column{
		{Key: "code", Label: "Code"}, {Key: "extra", Label: "Extra"}, {Key: "status", Label: "Status"},
		{Key: "served", Label: "Served on"},
		{Key: "meals", Label: "Meals chosen", Right: true},
		render.Column{Key: "guest", Label: "Guest"}.Opens("get_reservation_details", "code", "reservation"),
		render.Column{Key: "reservation", Label: "Reservation"}.Opens("get_reservation_details", "code", ""),
		{Key: "rooms", Label: "Rooms"}, {Key: "in", Label: "Check-in"}, {Key: "out", Label: "Check-out"},
	}}
	for _, s := range l.Selections {
		t.Rows = append(t.Rows, []render.Cell{
			render.Text(s.Code), render.Text(s.Extra), render.Text(s.Status.Words()), render.Day(s.ServiceDate),
			render.Int(s.Meals),
			render.Text(s.Guest), render.Text(s.Reservation), render.Text(strings.Join(s.Rooms, ", ")),
			render.Day(s.CheckIn), render.Day(s.CheckOut),
		})
	}
	if len(l.Selections) > 0 {
		t.Note = l.page().Note(listOrder)
	}
	return t
}

// Show offers the next page.
func (l list) Show() []part.Data {
	if next, more := l.page().Next("list_extra_selections", l.input, l.input.Limit); more {
		return part.Next(next)
	}
	return nil
}

// Summarize says how many there are, by status.
func (l list) Summarize() string {
	if l.Matches == 0 && l.input.Offset > 0 {
		return fmt.Sprintf("There are no more than %d.", l.input.Offset)
	}
	if l.Matches == 0 {
		return "No selection matches."
	}
	text := fmt.Sprintf("%s found", count(l.Matches, "selection"))
	if !l.page().Whole() {
		return text + ". " + l.page().Note(listOrder)
	}
	var parts []string
	for _, status := range Status("").Values() {
		n := 0
		for _, s := range l.Selections {
			if s.Status == Status(status) {
				n++
			}
		}
		if n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, Status(status).Words()))
		}
	}
	return text + ": " + strings.Join(parts, ", ") + "."
}

// dish is one chosen dish; one that left the menu bears its code as its name.
type dish struct {
	Code      string `json:"code"`
	Name      string `json:"name"`
	Available bool   `json:"available"`
}

type meal struct {
	Date   calendar.Date `json:"date,omitzero"`
	Meal   string        `json:"meal,omitempty"`
	Guest  string        `json:"guest,omitempty"`
	Dishes []dish        `json:"dishes"`
}

type details struct {
	line
	ReservationStatus string `json:"reservationStatus"`
	Adults            int    `json:"adults"`
	Children          int    `json:"children"`
	SpecialRequests   string `json:"specialRequests,omitempty"`
	Choices           []meal `json:"choices"`

	selection Selection
	menu      []Dish
}

func newDetails(s Selection, menu []Dish) details {
	d := details{
		line: newLine(s), ReservationStatus: s.ReservationStatus, Adults: s.Adults, Children: s.Children,
		SpecialRequests: s.SpecialRequests,
		Choices:         []meal{}, selection: s, menu: menu,
	}
	for _, c := range s.Choices {
		m := meal{Date: c.Date, Meal: c.Meal, Guest: c.Guest, Dishes: []dish{}}
		for _, code := range c.Dishes {
			m.Dishes = append(m.Dishes, served(code, menu))
		}
		d.Choices = append(d.Choices, m)
	}
	return d
}

func served(code string, menu []Dish) dish {
	for _, d := range menu {
		if d.Code == code {
			return dish{Code: d.Code, Name: d.Name, Available: d.Available}
		}
	}
	return dish{Code: code, Name: code}
}

// label heads a meal: "Dinner on 05-Feb-2031 for Asha".
func (c Choice) label() string {
	text := "Meal"
	if c.Meal != "" {
		first, size := utf8.DecodeRuneInString(c.Meal)
		text = string(unicode.ToUpper(first)) + c.Meal[size:]
	}
	if !c.Date.IsZero() {
		text += " on " + c.Date.Show()
	}
	if c.Guest != "" {
		text += " for " + c.Guest
	}
	return text
}

// dishes names what is eaten, and what of it is not to be had at present.
func (c Choice) dishes(menu []Dish) string {
	var parts []string
	for _, code := range c.Dishes {
		d := served(code, menu)
		if d.Available {
			parts = append(parts, d.Name)
		} else {
			parts = append(parts, d.Name+" (not available at present)")
		}
	}
	return strings.Join(parts, ", ")
}

func (s Selection) reservation() string {
	return fmt.Sprintf("%s of %s in %s, %s to %s", s.Reservation, s.Guest, strings.Join(s.Rooms, ", "),
		s.CheckIn.Show(), s.CheckOut.Show())
}

// Table lays the facts out, one a row.
func (d details) Table() render.Table {
	s := d.selection
	t := render.Table{Title: "Selection " + s.Code, Columns: []render.Column{{Key: "what", Label: "What"},
		{Key: "value", Label: "Value"}}}
	add := func(label string, value render.Cell) {
		if value.Text != "" {
			t.Rows = append(t.Rows, []render.Cell{render.Text(label), value})
		}
	}
	add("Extra", render.Text(s.Extra+" ("+s.ExtraCode+")"))
	add("Status", render.Text(s.Status.Words()))
	add("Reservation", render.Text(s.reservation()))
	add("Adults", render.Int(s.Adults))
	add("Children", render.Int(s.Children))
	add("Served on", render.Day(s.ServiceDate))
	for _, c := range s.Choices {
		add(c.label(), render.Text(c.dishes(d.menu)))
	}
	add("Preferences", render.Text(s.Preferences))
	add("Special requests", render.Text(s.SpecialRequests))
	return t
}

// Summarize says the gist.
func (d details) Summarize() string {
	s := d.selection
	text := fmt.Sprintf("The selection %s for %s is %s: reservation %s", s.Code, s.Extra, s.Status.Words(),
		s.reservation())
	if !s.ServiceDate.IsZero() {
		text += ", to be served on " + s.ServiceDate.Show()
	}
	if len(s.Choices) == 0 {
		return text + ". No meals are recorded."
	}
	return text + ". " + count(len(s.Choices), "meal") + " recorded."
}

// Count is one: a selection.
func (d details) Count() int { return 1 }

type updated struct{ details }

// Summarize says what it is now.
func (u updated) Summarize() string {
	s := u.selection
	text := fmt.Sprintf("The selection %s for %s (reservation %s, %s) is now %s", s.Code, s.Extra, s.Reservation,
		s.Guest, s.Status.Words())
	if !s.ServiceDate.IsZero() {
		text += ", to be served on " + s.ServiceDate.Show()
	}
	if n := len(s.Choices); n > 0 {
		text += ", with " + count(n, "meal")
	}
	return text + "."
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
