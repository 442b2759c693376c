package blockeddates

import (
	"context"
	"fmt"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/render"
)

func find(ctx context.Context, store Store, by identity.Caller, now calendar.Clock, in listInput) (list, error) {
	day, err := today(by, now)
	if err != nil {
		return list{}, err
	}
	f := Filter{Nights: calendar.Range{From: in.Start}, Reason: in.Reason}
	if in.Start.IsZero() && in.End.IsZero() {
		f.Nights.From = day
	}
	if !in.End.IsZero() {
		f.Nights.To = in.End.AddDays(1)
	}
	if in.Room != "" {
		units, err := store.Units(ctx, by)
		if err != nil {
			return list{}, err
		}
		chosen, err := choose([]string{in.Room}, units)
		if err != nil {
			return list{}, err
		}
		f.Units = codes(chosen)
	}
	blocks, err := store.List(ctx, by, f)
	l := list{Blocks: []line{}, when: when(f.Nights)}
	for _, b := range blocks {
		l.Blocks = append(l.Blocks, newLine(b))
	}
	return l, err
}

func when(n calendar.Range) string {
	last := n.To.AddDays(-1)
	switch {
	case n.From.IsZero() && n.To.IsZero():
		return ""
	case n.To.IsZero():
		return " from " + n.From.Show() + " on"
	case n.From.IsZero():
		return " until " + last.Show()
	}
	return " from " + n.From.Show() + " to " + last.Show()
}

// line is a block as people see it.
type line struct {
	Code   string        `json:"code"`
	Rooms  []string      `json:"rooms"` // codes of the units
	First  calendar.Date `json:"firstNight"`
	Last   calendar.Date `json:"lastNight"`
	Nights int           `json:"nights"`
	Reason Reason        `json:"reason"`
	Note   string        `json:"note,omitempty"`
}

func newLine(b Block) line {
	return line{
		Code: b.Code, Rooms: b.Units, First: b.Nights.From, Last: b.Nights.To.AddDays(-1), Nights: b.Nights.Days(),
		Reason: b.Reason, Note: b.Note,
	}
}

type list struct {
	Blocks []line `json:"blocks"`

	when string
}

// Table lays the list out.
func (l list) Table() render.Table {
	t := render.Table{Title: "Blocked dates" + l.when, Columns: []render.Column{
		{Key: "rooms", Label: "Rooms"}, {Key: "first", Label: "First night"}, {Key: "last", Label: "Last night"},
		{Key: "nights", Label: "Nights", Right: true}, {Key: "reason", Label: "Reason"}, {Key: "note", Label: "Note"},
		{Key: "code", Label: "Code"},
	}}
	for _, b := range l.Blocks {
		t.Rows = append(t.Rows, []render.Cell{
			render.Text(strings.Join(b.Rooms, ", ")), render.Day(b.First), render.Day(b.Last), render.Int(b.Nights),
			render.Text(b.Reason.Words()), render.Text(b.Note), render.Text(b.Code),
		})
	}
	return t
}

// Summarize says how many there are.
func (l list) Summarize() string {
	switch len(l.Blocks) {
	case 0:
		return fmt.Sprintf("Nothing is blocked%s.", l.when)
	case 1:
		return fmt.Sprintf("One period is blocked%s.", l.when)
	}
	return fmt.Sprintf("%d periods are blocked%s.", len(l.Blocks), l.when)
}
