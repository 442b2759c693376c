package analytics

import (
	"context"
	_ "embed"
	"fmt"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/money"
	"github.com/bellhop-ai/bellhop/pkg/render"
	"github.com/bellhop-ai/bellhop/pkg/tool"
)

//go:embed tools/get_occupancy_stats.md
var getOccupancyStatsText string

const (
	maxDays = 3 * 366
	note    = "Occupancy = occupied ÷ available nights, ADR = room revenue ÷ occupied nights, RevPAR = room revenue ÷ available nights, " +
		"TRevPAR = room and other revenue ÷ available nights, ALOS = occupied nights in the period ÷ bookings that touch it. " +
		"Available nights = days × units − blocked nights. Revenue is net of discounts and without tax; cancelled bookings and no-shows do not count."
	severalTypes = " A booking over several room types counts once for each of them, in the total too."
)

type periodInput struct {
	Start calendar.Date `json:"start_date,omitzero" jsonschema:"the first day of the period, YYYY-MM-DD; the current month when both days are left out"`
	End   calendar.Date `json:"end_date,omitzero" jsonschema:"the last day of the period, included, YYYY-MM-DD; the 31st for the whole of January"`
}

// Check refuses a period that ends before it begins or is only half given.
func (in *periodInput) Check() error {
	days := in.Start.Until(in.End) + 1
	switch {
	case in.Start.IsZero() && in.End.IsZero():
		return nil
	case in.Start.IsZero() || in.End.IsZero():
		return fault.New(fault.Invalid, "start_date and end_date must both be given, or both be left out for the current month.")
	case days < 1:
		return fault.New(fault.Invalid, "end_date (%s) must not come before start_date (%s).", in.End.Show(), in.Start.Show())
	case days > maxDays:
		return fault.New(fault.Invalid, "That is a period of %d days; at most %d days can be reported at once.", days, maxDays)
	}
	return nil
}

// Tools returns the tools with which an assistant sees a hotel's figures. now
// decides which month is the current one.
func Tools(store Store, now calendar.Clock) []tool.Tool {
	return []tool.Tool{
		tool.New(tool.Spec{Name: "get_occupancy_stats", Effect: tool.Reads, Description: getOccupancyStatsText},
			func(ctx context.Context, by identity.Caller, in periodInput) (report, error) {
				period, err := in.period(by, now)
				if err != nil {
					return report{}, err
				}
				rows, err := store.Occupancy(ctx, by, period)
				if err != nil {
					return report{}, err
				}
				return newReport(period, by.Entity.Currency, rows)
			}),
	}
}

func (in periodInput) period(by identity.Caller, now calendar.Clock) (calendar.Range, error) {
	if !in.Start.IsZero() {
		// People name the last day; a range ends before its To.
		return calendar.Range{From: in.Start, To: in.End.AddDays(1)}, nil
	}
	zone, err := by.Entity.Location()
	if err != nil {
		return calendar.Range{}, err
	}
	return calendar.Month(calendar.Today(now(), zone)), nil
}

type line struct {
	Nights
	Figures
}

type report struct {
	From     calendar.Date `json:"from"`
	To       calendar.Date `json:"to"`
	Days     int           `json:"days"`
	Currency string        `json:"currency"`
	Rooms    []line        `json:"rooms"`
	Total    line          `json:"total"`
	Note     string        `json:"note"`
}

func newReport(period calendar.Range, currency string, rows []Nights) (report, error) {
	r := report{From: period.From, To: period.To, Days: period.Days(), Currency: currency, Rooms: []line{}, Note: note}
	for _, n := range rows {
		f, err := n.Figures()
		if err != nil {
			return report{}, fmt.Errorf("figures of %s: %w", n.Code, err)
		}
		r.Rooms = append(r.Rooms, line{n, f})
	}
	total, err := Total(rows)
	if err != nil {
		return report{}, fmt.Errorf("sum the figures: %w", err)
	}
	if len(rows) > 1 {
		r.Note += severalTypes
	}
	f, err := total.Figures()
	r.Total = line{total, f}
	return r, err
}

// Table lays the report out: a row for each room type, and the total.
func (r report) Table() render.Table {
	t := render.Table{
		Title: "Occupancy, " + r.span(),
		Columns: []render.Column{
			{Key: "room", Label: "Room"}, {Key: "occupied", Label: "Occupied", Right: true}, {Key: "blocked", Label: "Blocked", Right: true},
			{Key: "available", Label: "Available nights", Right: true}, {Key: "occupancy", Label: "Occupancy %", Right: true},
			{Key: "adr", Label: "ADR", Right: true}, {Key: "revpar", Label: "RevPAR", Right: true},
			{Key: "trevpar", Label: "TRevPAR", Right: true}, {Key: "alos", Label: "ALOS", Right: true},
		},
		Note: r.Note,
	}
	for _, l := range append(r.Rooms[:len(r.Rooms):len(r.Rooms)], r.Total) {
		t.Rows = append(t.Rows, []render.Cell{
			render.Text(l.Name), render.Int(l.Occupied), render.Int(l.Blocked), render.Int(l.Available),
			cell(l.Occupancy, render.Percent),
			cell(l.ADR, r.amount), cell(l.RevPAR, r.amount), cell(l.TRevPAR, r.amount),
			cell(l.ALOS, func(a money.Amount) render.Cell { return render.Cell{Text: a.String(), Value: a} }),
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

func (r report) amount(a money.Amount) render.Cell { return render.Money(a, r.Currency) }

// span names the period by its first and last night.
func (r report) span() string {
	return fmt.Sprintf("%s to %s (%d days)", r.From.Show(), r.To.AddDays(-1).Show(), r.Days)
}

// Tell says the total and names its denominators.
func (r report) Tell() string {
	t := r.Total
	text := fmt.Sprintf("%s: %d of %d available nights occupied", r.span(), t.Occupied, t.Available)
	if t.Occupancy != nil {
		text += " (" + render.Percent(*t.Occupancy).Text + ")"
	}
	return text + "."
}

// Count is the number of room types reported.
func (r report) Count() int { return len(r.Rooms) }
