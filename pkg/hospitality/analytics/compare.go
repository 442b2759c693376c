package analytics

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/money"
	"github.com/bellhop-ai/bellhop/pkg/render"
)

const compareNote = "Change = (this − other) ÷ other × 100, computed before rounding; n/a where the other is zero. "

// Against says what a period is compared with.
type Against string

// The periods that need no dates of their own.
const (
	Previous Against = "previous"
	LastYear Against = "last_year"
)

// Values returns the closed set.
func (Against) Values() []string { return []string{string(Previous), string(LastYear)} }

type compareInput struct {
	periodInput
	With       Against       `json:"compare_with,omitempty" jsonschema:"previous: as many days right before; last_year: the same dates a year before; previous when no other period is given"`
	OtherStart calendar.Date `json:"other_start_date,omitzero" jsonschema:"the first day of the period to compare with, YYYY-MM-DD, instead of compare_with"`
	OtherEnd   calendar.Date `json:"other_end_date,omitzero" jsonschema:"the last day of the period to compare with, included, YYYY-MM-DD"`
}

// Check refuses periods that are half given, and two ways to say the same.
func (in *compareInput) Check() error {
	if err := in.periodInput.Check(); err != nil {
		return err
	}
	if err := checkPeriod("other_start_date", in.OtherStart, "other_end_date", in.OtherEnd,
		"where compare_with says what is meant"); err != nil {
		return err
	}
	if in.With != "" && !in.OtherStart.IsZero() {
		return fault.New(fault.Invalid, "Give either compare_with or the dates of the other period, not both.")
	}
	return nil
}

// other returns the period to compare with.
func (in compareInput) other(this calendar.Range) calendar.Range {
	switch {
	case !in.OtherStart.IsZero():
		return calendar.Range{From: in.OtherStart, To: in.OtherEnd.AddDays(1)}
	case in.With == LastYear:
		return calendar.Range{From: yearBefore(this.From), To: yearBefore(this.To.AddDays(-1)).AddDays(1)}
	}
	return calendar.Range{From: this.From.AddDays(-this.Days()), To: this.From}
}

// yearBefore returns the same date a year before; the 28th for a 29 February.
func yearBefore(d calendar.Date) calendar.Date {
	if d.Month == time.February && d.Day == 29 {
		d.Day = 28
	}
	d.Year--
	return d
}

// measure is one figure in both periods.
type measure struct {
	Figure string        `json:"figure"`
	This   *money.Amount `json:"this"`
	Other  *money.Amount `json:"other"`
	Change *money.Amount `json:"changePercent"`

	show   func(money.Amount) render.Cell
	counts bool // it is a whole number
	rising int
}

type comparison struct {
	Currency string         `json:"currency"`
	This     calendar.Range `json:"this"`
	Other    calendar.Range `json:"other"`
	Figures  []measure      `json:"figures"`
	Note     string         `json:"note"`

	this, other period
}

func compare(ctx context.Context, store Store, by identity.Caller, now calendar.Clock, in compareInput) (comparison,
	error) {
	this, err := in.period(by, now)
	if err != nil {
		return comparison{}, err
	}
	other := period{Range: in.other(this.Range)}
	var both [2]Nights
	for i, p := range []period{this, other} {
		found, err := store.Occupancy(ctx, by, p.Range)
		if err != nil {
			return comparison{}, err
		}
		if both[i], err = found.Total(); err != nil {
			return comparison{}, err
		}
	}
	c := comparison{Currency: by.Entity.Currency, This: this.Range, Other: other.Range, this: this, other: other,
		Note: compareNote + note + this.unfinished()}
	if this.Days() != other.Days() {
		c.Note += fmt.Sprintf(" The periods differ in length: %d and %d days.", this.Days(), other.Days())
	}
	c.Figures, err = measures(both[0], both[1], by.Entity.Currency)
	return c, err
}

// exact is how many decimals a ratio has before it is compared.
const exact = 8

func measures(this, other Nights, currency string) ([]measure, error) {
	a, err := this.figures(exact)
	if err != nil {
		return nil, err
	}
	b, err := other.figures(exact)
	if err != nil {
		return nil, err
	}
	all := func(n Nights) (*money.Amount, error) {
		sum, err := n.RoomRevenue.Add(n.OtherRevenue)
		return &sum, err
	}
	total, err := all(this)
	if err != nil {
		return nil, err
	}
	otherTotal, err := all(other)
	if err != nil {
		return nil, err
	}
	whole := func(n int) *money.Amount { a := money.FromInt(n); return &a }
	amount := func(a money.Amount) render.Cell { return render.Money(a, currency) }
	list := []measure{
		{Figure: "Occupied nights", This: whole(this.Occupied), Other: whole(other.Occupied), show: number,
			counts: true},
		{Figure: "Available nights", This: whole(this.Available), Other: whole(other.Available), show: number,
			counts: true},
		{Figure: "Occupancy %", This: a.Occupancy, Other: b.Occupancy, show: render.Percent},
		{Figure: "ADR", This: a.ADR, Other: b.ADR, show: amount},
		{Figure: "RevPAR", This: a.RevPAR, Other: b.RevPAR, show: amount},
		{Figure: "TRevPAR", This: a.TRevPAR, Other: b.TRevPAR, show: amount},
		{Figure: "ALOS", This: a.ALOS, Other: b.ALOS, show: number},
		{Figure: "Bookings", This: whole(this.Bookings), Other: whole(other.Bookings), show: number, counts: true},
		{Figure: "Room revenue", This: &this.RoomRevenue, Other: &other.RoomRevenue, show: amount},
		{Figure: "Other revenue", This: &this.OtherRevenue, Other: &other.OtherRevenue, show: amount},
		{Figure: "Revenue", This: total, Other: otherTotal, show: amount},
	}
	for i := range list {
		if err := list[i].compare(); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// compare computes the change, then rounds what is shown.
func (m *measure) compare() error {
	if m.This != nil && m.Other != nil {
		m.rising = m.This.Cmp(*m.Other)
		difference, err := m.This.Sub(*m.Other)
		if err != nil {
			return err
		}
		if difference, err = difference.Mul(money.FromInt(100)); err != nil {
			return err
		}
		m.Change = ratio(difference, *m.Other, digits)
	}
	for _, a := range []**money.Amount{&m.This, &m.Other} {
		if *a != nil && !m.counts {
			rounded := (*a).Round(digits)
			*a = &rounded
		}
	}
	return nil
}

// Table lays the figures out side by side.
func (c comparison) Table() render.Table {
	t := render.Table{Title: fmt.Sprintf("%s compared with %s", c.this.span(), c.other.span()), About: compareNote +
		note,
		Note: strings.TrimSpace(strings.TrimPrefix(c.Note, compareNote+note)),
		Columns: []render.Column{
			{Key: "figure", Label: "Figure"}, {Key: "this", Label: c.this.short(), Right: true},
			{Key: "other", Label: c.other.short(), Right: true},
			{Key: "change", Label: "Change", Right: true},
		}}
	for _, m := range c.Figures {
		t.Rows = append(t.Rows, []render.Cell{render.Text(m.Figure), cell(m.This, m.show), cell(m.Other, m.show),
			m.change()})
	}
	return t
}

func (p period) short() string {
	return fmt.Sprintf("%s – %s", p.From.Show(), p.To.AddDays(-1).Show())
}

// change shows which way a figure went, and by how much.
func (m measure) change() render.Cell {
	c := cell(m.Change, render.Percent)
	arrow := ""
	switch {
	case m.This == nil || m.Other == nil:
	case m.rising > 0:
		arrow = "▲ "
	case m.rising < 0:
		arrow, c.Text = "▼ ", strings.TrimLeft(c.Text, "-−") // the arrow is the sign
	default:
		arrow = "= "
	}
	c.Text = arrow + c.Text
	return c
}

// Summarize says how occupancy and revenue went.
func (c comparison) Summarize() string {
	text := fmt.Sprintf("%s compared with %s:", c.this.span(), c.other.span())
	for i, name := range []string{"Occupancy %", "RevPAR", "Revenue"} {
		for _, m := range c.Figures {
			if m.Figure == name {
				text += fmt.Sprintf("%s %s %s against %s (%s)", []string{"", ",", ","}[i],
					cmp.Or(map[string]string{"Occupancy %": "occupancy", "Revenue": "revenue"}[name], name),
					cell(m.This, m.show).Text, cell(m.Other, m.show).Text, m.change().Text)
			}
		}
	}
	return text + "."
}

// Count is the number of figures compared.
func (c comparison) Count() int { return len(c.Figures) }
