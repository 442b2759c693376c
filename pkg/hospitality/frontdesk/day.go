package frontdesk

import (
	"fmt"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/part"
	"github.com/bellhop-ai/bellhop/pkg/render"
)

type arrivals struct {
	Date     calendar.Date `json:"date"`
	CheckIns []Stay        `json:"checkIns"`
	Staying  int           `json:"stayingOver"` // reservations that came before and leave later
}

// Table lays the arrivals out.
func (a arrivals) Table() render.Table {
	return stays("Check-ins on "+a.Date.Show(), a.CheckIns, render.Column{Key: "out", Label: "Check-out"},
		func(s Stay) calendar.Date { return s.CheckOut })
}

// Summarize says how many come, who is there already, and how many stay over.
func (a arrivals) Summarize() string {
	text := "Nobody checks in on " + a.Date.Show()
	if len(a.CheckIns) > 0 {
		text = fmt.Sprintf("%s on %s", count(len(a.CheckIns), "check-in"), a.Date.Show())
		if n := having(a.CheckIns, "checked_in", "checked_out"); n > 0 {
			text += fmt.Sprintf(", of which %d here already", n)
		}
	}
	text += "."
	if a.Staying > 0 {
		text += fmt.Sprintf(" Staying over from before: %s.", count(a.Staying, "reservation"))
	}
	return text
}

// Show offers who leaves that day, and how many eat the next morning.
func (a arrivals) Show() []part.Data {
	return part.Next(part.Call("Who leaves on "+a.Date.Show(), "get_today_checkouts", dayInput{a.Date}),
		part.Call("Meals of the next day", "count_meals", dayInput{a.Date.AddDays(1)}))
}

// Show offers the day's rooms, and who still has to pay.
func (d departures) Show() []part.Data {
	return part.Next(part.Call("Rooms on "+d.Date.Show(), "list_arrivals_departures", dayInput{d.Date}),
		part.Call("Who still has to pay", "list_balances_due", nil))
}

type departures struct {
	Date      calendar.Date `json:"date"`
	CheckOuts []Stay        `json:"checkOuts"`
	Overdue   []Stay        `json:"overdue,omitempty"` // should have left before that day
}

// Table lays the departures out.
func (d departures) Table() render.Table {
	t := stays("Check-outs on "+d.Date.Show(), d.CheckOuts, render.Column{Key: "in", Label: "Check-in"},
		func(s Stay) calendar.Date { return s.CheckIn })
	t.Note = overdue(d.Overdue)
	return t
}

// Summarize says how many leave, and who has left already.
func (d departures) Summarize() string {
	text := "Nobody checks out on " + d.Date.Show()
	if len(d.CheckOuts) > 0 {
		text = fmt.Sprintf("%s on %s", count(len(d.CheckOuts), "check-out"), d.Date.Show())
		if n := having(d.CheckOuts, "checked_out"); n > 0 {
			text += fmt.Sprintf(", of which %d left already", n)
		}
	}
	return strings.TrimSpace(text + ". " + overdue(d.Overdue))
}

func overdue(stays []Stay) string {
	if len(stays) == 0 {
		return ""
	}
	var each []string
	for _, s := range stays {
		each = append(each, fmt.Sprintf("%s of %s (until %s)", s.Code, s.Guest, s.CheckOut.Show()))
	}
	return "Still checked in after the end of the stay: " + strings.Join(each, ", ") + "."
}

func having(stays []Stay, statuses ...string) int {
	n := 0
	for _, s := range stays {
		for _, status := range statuses {
			if string(s.Status) == status {
				n++
			}
		}
	}
	return n
}

// stays lays reservations out, with one date beside the one in the title.
func stays(title string, list []Stay, other render.Column, date func(Stay) calendar.Date) render.Table {
	t := render.Table{Title: title, Columns: []render.Column{
		render.Column{Key: "guest", Label: "Guest", Priority: 1}.Opens("get_reservation_details", "code", "code"),
		render.Column{Key: "code", Label: "Code"}.Opens("get_reservation_details", "code", ""),
		render.Column{Key: "rooms", Label: "Rooms", Priority: 1}.Opens("get_room_type_details", "room", ""),
		{Key: "status", Label: "Status", Priority: 1}, other,
		{Key: "nights", Label: "Nights", Right: true}, {Key: "people", Label: "Guests", Right: true},
		{Key: "balance", Label: "To pay", Right: true, Priority: 1},
		{Key: "requests", Label: "Special requests", Priority: 1},
	}}
	for _, s := range list {
		t.Rows = append(t.Rows, []render.Cell{
			render.Text(s.Guest), render.Text(s.Code), render.Text(strings.Join(s.Rooms, ", ")),
			render.Text(s.Status.Words()),
			render.Day(date(s)), render.Int(s.Nights), render.Int(s.Adults + s.Children),
			render.Money(s.Balance, s.Currency),
			render.Text(s.SpecialRequests),
		})
	}
	return t
}

// sheet is the day as housekeeping reads it.
type sheet struct {
	Date     calendar.Date `json:"date"`
	Rooms    []roomLine    `json:"rooms"`
	Arriving []Stay        `json:"arriving"`
	Leaving  []Stay        `json:"leaving"`
	Staying  []Stay        `json:"staying"`
	Overdue  []Stay        `json:"overdue,omitempty"`
}

type roomLine struct {
	Unit
	Housekeeping string `json:"housekeeping"`
	clean        bool   // it is to be cleaned that day
}

// newSheet returns the day; today, rooms that were cleaned after their guests had left need
// nothing more, and those that are dirty do, whoever was in them.
func newSheet(date calendar.Date, day Day, today bool) sheet {
	s := sheet{Date: date, Rooms: []roomLine{}, Arriving: day.Arriving, Leaving: day.Leaving, Staying: day.Staying,
		Overdue: day.Overdue}
	gone := map[string]bool{}
	for _, stay := range day.Leaving {
		gone[stay.Code] = stay.Status == "checked_out"
	}
	for _, u := range day.Units {
		clean := u.Leaving != ""
		if today {
			clean = u.State == ToClean || u.Leaving != "" && !gone[u.Leaving]
		} else {
			u.State = "" // it is that of now
		}
		s.Rooms = append(s.Rooms, roomLine{u, u.work(clean), clean})
	}
	return s
}

// work says what there is to do in a room.
func (u Unit) work(clean bool) string {
	var parts []string
	if clean {
		parts = append(parts, "clean")
	}
	switch {
	case u.Arriving != "":
		parts = append(parts, "make ready")
	case u.Staying != "":
		parts = append(parts, "daily service")
	case u.Block != "":
		parts = append(parts, "blocked: "+strings.ReplaceAll(u.Block, "_", " "))
	case !clean:
		parts = append(parts, "free")
	}
	return strings.Join(parts, ", then ")
}

// Table lays the rooms out.
func (s sheet) Table() render.Table {
	t := render.Table{Title: "Day list, " + s.Date.Show(), Columns: []render.Column{
		render.Column{Key: "unit", Label: "Unit", Priority: 1}.Opens("get_room_type_details", "room", ""),
		{Key: "room", Label: "Room"}, {Key: "leaving", Label: "Leaving"},
		{Key: "arriving", Label: "Arriving", Priority: 1},
		{Key: "staying", Label: "Staying"}, {Key: "work", Label: "Housekeeping", Priority: 1},
	}, Note: overdue(s.Overdue)}
	guests := map[string]string{"": ""}
	for _, list := range [][]Stay{s.Leaving, s.Arriving, s.Staying} {
		for _, stay := range list {
			guests[stay.Code] = fmt.Sprintf("%s (%s)", stay.Guest, stay.Code)
		}
	}
	for _, r := range s.Rooms {
		t.Rows = append(t.Rows, []render.Cell{
			render.Text(r.Code), render.Text(r.Room), render.Text(guests[r.Unit.Leaving]),
			render.Text(guests[r.Unit.Arriving]),
			render.Text(guests[r.Unit.Staying]), render.Text(r.Housekeeping),
		})
	}
	return t
}

// Summarize counts the day.
func (s sheet) Summarize() string {
	clean, free, blocked := 0, 0, 0
	for _, r := range s.Rooms {
		switch {
		case r.clean:
			clean++
		case r.Block != "":
			blocked++
		case r.Unit.Arriving == "" && r.Unit.Staying == "":
			free++
		}
	}
	return strings.TrimSpace(fmt.Sprintf("%s: %d arriving, %d leaving, %d staying; %s to clean, %d free, %d "+
		"blocked. %s", s.Date.Show(),
		len(s.Arriving), len(s.Leaving), len(s.Staying), count(clean, "room"), free, blocked, overdue(s.Overdue)))
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
