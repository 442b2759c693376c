package analytics

import (
	"fmt"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/money"
	"github.com/bellhop-ai/bellhop/pkg/render"
)

const note = "Occupancy = occupied ÷ available nights, ADR = room revenue ÷ occupied nights, RevPAR = room revenue " +
	"÷ available nights, TRevPAR = room and other revenue ÷ available nights, ALOS = occupied nights in the period " +
	"÷ bookings that touch it. Available nights = days × units − blocked nights. Revenue is net of discounts and " +
	"without tax; cancelled bookings and no-shows do not count. Day use counts as revenue, never as a night or in " +
	"ALOS."

const severalTypes = " A booking over several room types stands in the row of each, and once in the total."

type line struct {
	Nights
	Figures
}

type report struct {
	From     calendar.Date `json:"from"`
	To       calendar.Date `json:"to"` // the first day after the period
	Days     int           `json:"days"`
	Currency string        `json:"currency"`
	Rooms    []line        `json:"rooms"`
	Total    line          `json:"total"`
	Note     string        `json:"note"`

	period period
	days   []Day // of the calendar; none where the period is too long for one
}

func newReport(p period, currency string, found Occupancy, days []Day) (report, error) {
	r := report{From: p.From, To: p.To, Days: p.Days(), Currency: currency, Rooms: []line{}, Note: note, period: p,
		days: days}
	bookings := 0
	for _, n := range found.Rooms {
		f, err := n.Figures()
		if err != nil {
			return report{}, fmt.Errorf("figures of %s: %w", n.Code, err)
		}
		bookings += n.Bookings
		r.Rooms = append(r.Rooms, line{n, f})
	}
	total, err := found.Total()
	if err != nil {
		return report{}, fmt.Errorf("sum the figures: %w", err)
	}
	if bookings != found.Bookings {
		r.Note += severalTypes
	}
	r.Note += p.unfinished()
	f, err := total.Figures()
	r.Total = line{total, f}
	return r, err
}

// Table lays the report out: a row for each room type, and the total.
func (r report) Table() render.Table {
	t := render.Table{
		Title: "Occupancy, " + r.period.span(),
		Columns: []render.Column{
			{Key: "room", Label: "Room", Priority: 1}, {Key: "occupied", Label: "Occupied", Right: true, Priority: 1},
			{Key: "blocked", Label: "Blocked", Right: true},
			{Key: "available", Label: "Available nights", Right: true},
			{Key: "occupancy", Label: "Occupancy %", Right: true, Priority: 1},
			{Key: "adr", Label: "ADR", Right: true, Priority: 1},
			{Key: "revpar", Label: "RevPAR", Right: true, Priority: 1},
			{Key: "trevpar", Label: "TRevPAR", Right: true}, {Key: "alos", Label: "ALOS", Right: true},
		},
		About: note, Note: strings.TrimSpace(strings.TrimPrefix(r.Note, note)),
	}
	amount := func(a money.Amount) render.Cell { return render.Money(a, r.Currency) }
	for _, l := range append(r.Rooms[:len(r.Rooms):len(r.Rooms)], r.Total) {
		t.Rows = append(t.Rows, []render.Cell{
			render.Text(l.Name), render.Int(l.Occupied), render.Int(l.Blocked), render.Int(l.Available),
			cell(l.Occupancy, render.Percent), cell(l.ADR, amount), cell(l.RevPAR, amount), cell(l.TRevPAR, amount),
			cell(l.ALOS, number),
		})
	}
	return t
}

func cell(a *money.Amount, show func(money.Amount) render.Cell) render.Cell {
	if a == nil {
		return render.NotAvailable()
	}
	return show(*a)
}

// number shows a figure that is neither money nor a share.
func number(a money.Amount) render.Cell { return render.Cell{Text: a.String(), Value: a} }

// Summarize says the total and names its denominator.
func (r report) Summarize() string {
	t := r.Total
	text := fmt.Sprintf("%s: %d of %d available nights occupied", r.period.span(), t.Occupied, t.Available)
	if t.Occupancy != nil {
		text += " (" + render.Percent(*t.Occupancy).Text + ")"
	}
	return text + "."
}

// Count is the number of room types reported.
func (r report) Count() int { return len(r.Rooms) }
