package blockeddates

import (
	"context"
	"fmt"
	"slices"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/render"
	"github.com/bellhop-ai/bellhop/pkg/tool"
)

func previewUnblock(ctx context.Context, store Store, by identity.Caller, in unblockInput) (tool.Preview, error) {
	units, err := store.Units(ctx, by)
	if err != nil {
		return tool.Preview{}, err
	}
	chosen, err := choose(in.Rooms, units)
	if err != nil {
		return tool.Preview{}, err
	}
	span := Span{Units: codes(chosen), Nights: nights(in.Start, in.End)}
	blocks, err := store.List(ctx, by, Filter{Nights: span.Nights, Units: span.Units})
	if err != nil {
		return tool.Preview{}, err
	}
	if len(blocks) == 0 {
		return tool.Preview{}, fault.New(fault.NotFound, "Nothing is blocked in %s %s, so there is nothing to free.",
			show(chosen), stretch(span.Nights)).WithCode("not_blocked")
	}
	p := tool.Preview{Title: fmt.Sprintf("Free %s from %s to %s", short(chosen), in.Start.Show(), in.End.Show()),
		Lines: []tool.Line{{Label: "Property", After: by.Entity.Name}}}
	total := 0
	for _, b := range blocks {
		hit := Span{Units: common(b.Units, span.Units), Nights: b.Nights.Clip(span.Nights)}
		total += hit.nights()
		p.Lines = append(p.Lines, tool.Line{
			Label:  b.Code + " (" + b.Reason.Words() + ")",
			Before: show(among(units, b.Units)) + " blocked " + stretch(b.Nights),
			After:  show(among(units, hit.Units)) + " free " + stretch(hit.Nights) + rest(b, hit),
		})
		p.Targets = addTarget(p.Targets, b)
	}
	p.Lines = append(p.Lines, tool.Line{Label: "To free", After: count(total, "room-night")})
	if missing := span.nights() - total; missing > 0 {
		p.Warnings = append(p.Warnings, fmt.Sprintf("%s of those asked for are not blocked; nothing changes there.",
			count(missing, "room-night")))
	}
	return p, nil
}

// rest says what of a block stays blocked.
func rest(b Block, hit Span) string {
	if b.nights() == hit.nights() {
		return ""
	}
	return fmt.Sprintf("; the other %s of it stay blocked", count(b.nights()-hit.nights(), "room-night"))
}

func unblock(ctx context.Context, store Store, by identity.Caller, in unblockInput) (freed, error) {
	units, err := store.Units(ctx, by)
	if err != nil {
		return freed{}, err
	}
	chosen, err := choose(in.Rooms, units)
	if err != nil {
		return freed{}, err
	}
	spans, err := store.Unblock(ctx, by, Span{Units: codes(chosen), Nights: nights(in.Start, in.End)})
	if err != nil {
		return freed{}, err
	}
	f := freed{Freed: []stretchLine{}}
	for _, s := range spans {
		f.Freed = append(f.Freed, stretchLine{
			Rooms: s.Units, First: s.Nights.From, Last: s.Nights.To.AddDays(-1), Nights: s.Nights.Days(),
			shown: show(among(units, s.Units)),
		})
		f.RoomNights += s.nights()
	}
	return f, nil
}

// freed is what was done.
type freed struct {
	Freed      []stretchLine `json:"freed"`
	RoomNights int           `json:"roomNights"`
}

type stretchLine struct {
	Rooms  []string      `json:"rooms"`
	First  calendar.Date `json:"firstNight"`
	Last   calendar.Date `json:"lastNight"`
	Nights int           `json:"nights"`

	shown string
}

// Summarize says what is free now.
func (f freed) Summarize() string {
	text := "Freed"
	for i, l := range f.Freed {
		if i > 0 {
			text += ";"
		}
		text += " " + l.shown + " " + stretch(calendar.Range{From: l.First, To: l.Last.AddDays(1)})
	}
	return text + ". These nights can be booked again."
}

// Count is the number of stretches freed.
func (f freed) Count() int { return len(f.Freed) }

// Table lays the stretches out.
func (f freed) Table() render.Table {
	t := render.Table{Title: "Freed", Columns: []render.Column{
		{Key: "rooms", Label: "Rooms"}, {Key: "first", Label: "First night"}, {Key: "last", Label: "Last night"},
		{Key: "nights", Label: "Nights", Right: true},
	}}
	for _, l := range f.Freed {
		t.Rows = append(t.Rows, []render.Cell{render.Text(l.shown), render.Day(l.First), render.Day(l.Last),
			render.Int(l.Nights)})
	}
	return t
}

func common(a, b []string) []string {
	return slices.DeleteFunc(slices.Clone(a), func(s string) bool { return !slices.Contains(b, s) })
}
