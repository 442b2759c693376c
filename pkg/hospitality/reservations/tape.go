package reservations

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/part"
	"github.com/bellhop-ai/bellhop/pkg/render"
	"github.com/bellhop-ai/bellhop/pkg/tool"
)

//go:embed tools/get_tape_chart.md
var getTapeChartText string

// Tape is what takes the nights of each active unit, by room type and unit.
type Tape struct {
	Units []TapeUnit `json:"units"`
	Spans []TapeSpan `json:"spans"`
}

// TapeUnit is a unit of a room type.
type TapeUnit struct {
	Unit     string `json:"unit"`
	Room     string `json:"room"`
	RoomCode string `json:"roomCode"`
	State    string `json:"state"` // clean or to_clean, as it is now
}

// TapeSpan is a stay, a hold that is not over, or a block of a unit. Code, Guest
// and Status are those of a reservation, Reason is that of a block.
type TapeSpan struct {
	Unit   string        `json:"unit"`
	From   calendar.Date `json:"from"`
	To     calendar.Date `json:"to"` // the first night that is free again
	Kind   string        `json:"kind"`
	Code   string        `json:"code,omitempty"`
	Guest  string        `json:"guest,omitempty"`
	Status Status        `json:"status,omitempty"`
	Reason string        `json:"reason,omitempty"`
	Pinned bool          `json:"pinned,omitempty"` // to its unit, as whoever is here is
}

// How many days a chart shows, and how many before a stay that is asked for.
const (
	usualTapeDays = 14
	tapeBefore    = 3
)

type tapeInput struct {
	From calendar.Date `json:"from,omitzero" jsonschema:"the first day; today when left out"`
	Days int           `json:"days,omitempty" jsonschema:"how many days, at most 62; 14 when left out"`
	Room string        `json:"room,omitempty" jsonschema:"only this room type, by its code or name"`
}

// Check fills the days.
func (in *tapeInput) Check() error {
	if in.Days == 0 {
		in.Days = usualTapeDays
	}
	if in.Days < 1 || in.Days > part.MaxTapeDays {
		return fault.New(fault.Invalid, "days must be from 1 to %d.", part.MaxTapeDays)
	}
	return nil
}

func (c service) tapeTool() tool.Tool {
	return tool.New(tool.Spec{Name: "get_tape_chart", Effect: tool.Reads, Description: getTapeChartText,
		Shows:     []string{"tape"},
		Extension: "staff look at rooms against days before they say yes to anybody; no list shows the gaps"},
		func(ctx context.Context, by identity.Caller, in tapeInput) (tape, error) {
			today, err := c.today(by)
			if err != nil {
				return tape{}, err
			}
			if in.From.IsZero() {
				in.From = today
			}
			t := tape{From: in.From, Days: in.Days, today: today}
			if t.Tape, err = c.store.Tape(ctx, by, calendar.Range{From: t.From, To: t.to()}); err != nil {
				return tape{}, err
			}
			if in.Room == "" {
				return t, nil
			}
			return t.only(in.Room)
		})
}

// tape is the chart of some days.
type tape struct {
	Tape
	From  calendar.Date `json:"from"`
	Days  int           `json:"days"`
	today calendar.Date
}

func (t tape) to() calendar.Date { return t.From.AddDays(t.Days) }

// only keeps the units of one room type, or one unit.
func (t tape) only(wanted string) (tape, error) {
	all := make([]BookableRoom, 0, len(t.Units))
	for _, u := range t.Units {
		if n := len(all); n > 0 && all[n-1].Code == u.RoomCode {
			all[n-1].Units = append(all[n-1].Units, u.Unit)
			continue
		}
		var r BookableRoom
		r.Code, r.Name, r.Units, r.Active = u.RoomCode, u.Room, []string{u.Unit}, true
		all = append(all, r)
	}
	room, unit, err := Bookable{Rooms: all}.room(wanted, "")
	if err != nil {
		return tape{}, err
	}
	kept := Tape{}
	for _, u := range t.Units {
		if u.RoomCode == room.Code && (unit == "" || u.Unit == unit) {
			kept.Units = append(kept.Units, u)
		}
	}
	for _, s := range t.Spans {
		for _, u := range kept.Units {
			if u.Unit == s.Unit {
				kept.Spans = append(kept.Spans, s)
			}
		}
	}
	t.Tape = kept
	return t, nil
}

// free counts the nights of a unit that nothing takes.
func (t tape) free(unit string) int {
	n := t.Days
	for _, s := range t.Spans {
		if s.Unit == unit {
			from, to := max(0, t.From.Until(s.From)), min(t.Days, t.From.Until(s.To))
			n -= max(0, to-from)
		}
	}
	return n
}

func (s TapeSpan) label() string {
	if s.Kind == "block" {
		return forReason(s.Reason)
	}
	return s.Guest
}

// Table lays the units out with what takes them.
func (t tape) Table() render.Table {
	out := render.Table{Title: t.title(), Columns: []render.Column{
		render.Column{Key: "unit", Label: "Unit"}.Opens("get_room_type_details", "room", ""),
		{Key: "room", Label: "Room"}, {Key: "state", Label: "Now"}, {Key: "free", Label: "Free nights", Right: true},
		{Key: "taken", Label: "Taken"},
	}}
	for _, u := range t.Units {
		var taken []string
		for _, s := range t.Spans {
			if s.Unit == u.Unit {
				words := fmt.Sprintf("%s to %s %s", s.From.Show(), s.To.Show(), s.label())
				if s.Code != "" {
					words += " (" + s.Code + ")"
				}
				if s.Kind != "stay" {
					words += ", " + s.Kind
				}
				taken = append(taken, words)
			}
		}
		out.Rows = append(out.Rows, []render.Cell{render.Text(u.Unit), render.Text(u.Room),
			render.Text(strings.ReplaceAll(u.State, "_", " ")),
			render.Int(t.free(u.Unit)),
			render.Text(strings.Join(taken, "; "))})
	}
	return out
}

func (t tape) title() string {
	return fmt.Sprintf("Rooms from %s to %s", t.From.Show(), t.to().AddDays(-1).Show())
}

// Summarize says how much is free.
func (t tape) Summarize() string {
	free := 0
	for _, u := range t.Units {
		free += t.free(u.Unit)
	}
	return fmt.Sprintf("From %s to %s %d of %d nights are free, in %s.", t.From.Show(), t.to().AddDays(-1).Show(),
		free,
		t.Days*len(t.Units), count(len(t.Units), "unit"))
}

// Count is the number of units.
func (t tape) Count() int { return len(t.Units) }

// Show draws the chart.
func (t tape) Show() []part.Data {
	if len(t.Units) == 0 {
		return nil
	}
	return []part.Data{t.chart()}
}

func (t tape) chart() part.Tape {
	out := part.Tape{Title: t.title(), From: t.From, Days: t.Days, Today: t.today, Spans: []part.Span{},
		Open: part.Press{Tool: "get_reservation_details", Argument: "code"},
		Free: part.FreeDays{Tool: "create_reservation", From: "check_in", To: "check_out"}}
	rows := map[string]int{}
	for i, u := range t.Units {
		rows[u.Unit] = i
		row := part.TapeRow{Key: u.Unit, Arguments: u.arguments()}
		if u.Unit != strings.ToUpper(u.Room) {
			row.Label = u.Room
		}
		if u.State == "to_clean" {
			row.Note = "to clean"
		}
		out.Rows = append(out.Rows, row)
	}
	for _, s := range t.Spans {
		row, known := rows[s.Unit]
		if !known || !s.From.Before(t.to()) || !t.From.Before(s.To) {
			continue
		}
		out.Spans = append(out.Spans, part.Span{Row: row, At: t.From.Until(s.From), Days: max(1, s.From.Until(s.To)),
			Kind: s.Kind, Label: s.label(), Key: s.Code,
			Pinned: s.Pinned && (s.Status == "confirmed" || s.Status == "pending")})
	}
	return out
}

// arguments are those of a booking of the unit.
func (u TapeUnit) arguments() json.RawMessage {
	arguments := map[string]string{"room": u.RoomCode}
	if u.Unit != u.RoomCode {
		arguments["unit"] = u.Unit
	}
	raw, err := json.Marshal(arguments)
	if err != nil {
		return nil // texts always encode
	}
	return raw
}

// charted adds the chart around the stay.
func (a availability) charted(ctx context.Context, store Store, by identity.Caller) (availability, error) {
	t := &tape{From: a.CheckIn.AddDays(-tapeBefore), today: a.today}
	t.Days = min(part.MaxTapeDays, max(usualTapeDays, a.Nights+2*tapeBefore))
	var err error
	if t.Tape, err = store.Tape(ctx, by, calendar.Range{From: t.From, To: t.to()}); err != nil {
		return availability{}, err
	}
	if len(a.Rooms) == 1 {
		one, err := t.only(a.Rooms[0].Code)
		if err != nil {
			return a, nil // it has no unit that is let, as the answer says
		}
		t = &one
	}
	a.tape = t
	return a, nil
}

// Show draws the chart around the stay and offers to book.
func (a availability) Show() []part.Data {
	if a.tape == nil {
		return a.next()
	}
	return append(a.tape.Show(), a.next()...)
}
