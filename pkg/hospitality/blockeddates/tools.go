package blockeddates

import (
	"context"
	_ "embed"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/tool"
)

//go:embed tools/block_dates.md
var blockDatesText string

//go:embed tools/unblock_dates.md
var unblockDatesText string

//go:embed tools/list_blocked_dates.md
var listBlockedDatesText string

const maxNights = 1100

type blockInput struct {
	Rooms  []string      `json:"rooms" jsonschema:"codes or names of the rooms, such as COCO; [\"ALL\"] for every room. A room type means all its units; one unit of several has a number, such as COCO-2"`
	Start  calendar.Date `json:"start_date" jsonschema:"the first night to block, YYYY-MM-DD"`
	End    calendar.Date `json:"end_date" jsonschema:"the last night to block, included, YYYY-MM-DD; the same as start_date for a single night"`
	Reason Reason        `json:"reason" jsonschema:"why; never guess it, ask"`
	Note   string        `json:"note,omitempty" limits:"note" jsonschema:"what staff should know about it, in a few words"`
}

// Check tidies the note and refuses dates in the wrong order.
func (in *blockInput) Check() error {
	in.Note = strings.TrimSpace(in.Note)
	if utf8.RuneCountInString(in.Note) > 2000 {
		return fault.New(fault.Invalid, "The note is longer than 2,000 letters.")
	}
	return checkSpan(in.Rooms, in.Start, in.End)
}

type unblockInput struct {
	Rooms []string      `json:"rooms" jsonschema:"codes or names of the rooms, such as COCO; [\"ALL\"] for every room. A room type means all its units; one unit of several has a number, such as COCO-2"`
	Start calendar.Date `json:"start_date" jsonschema:"the first night to free, YYYY-MM-DD"`
	End   calendar.Date `json:"end_date" jsonschema:"the last night to free, included, YYYY-MM-DD; the same as start_date for a single night"`
}

// Check refuses dates in the wrong order.
func (in *unblockInput) Check() error { return checkSpan(in.Rooms, in.Start, in.End) }

func checkSpan(rooms []string, start, end calendar.Date) error {
	nights := start.Until(end) + 1
	switch {
	case len(rooms) == 0 || slices.ContainsFunc(rooms, func(r string) bool { return strings.TrimSpace(r) == "" }):
		return fault.New(fault.Invalid, `rooms must name at least one room, such as ["COCO"], or ["ALL"] for every `+
			`room.`)
	case len(rooms) > 200:
		return fault.New(fault.Invalid, `At most 200 rooms can be named; ["ALL"] means every room.`)
	case start.IsZero() || end.IsZero():
		return fault.New(fault.Invalid, "start_date and end_date are both needed, in the form YYYY-MM-DD.")
	case nights < 1:
		return fault.New(fault.Invalid, "end_date (%s) must not come before start_date (%s).", end.Show(),
			start.Show())
	case nights > maxNights:
		return fault.New(fault.Invalid, "These are %d nights; at most %d can be blocked or freed at once.", nights,
			maxNights)
	}
	return nil
}

// nights makes the half-open range of two nights that people name.
func nights(first, last calendar.Date) calendar.Range {
	return calendar.Range{From: first, To: last.AddDays(1)}
}

type listInput struct {
	Start  calendar.Date `json:"start_date,omitzero" jsonschema:"only blocks with a night on or after this day, YYYY-MM-DD; today when both days are left out"`
	End    calendar.Date `json:"end_date,omitzero" jsonschema:"only blocks with a night on or before this day, YYYY-MM-DD"`
	Room   string        `json:"room,omitempty" jsonschema:"only blocks of this room, by code or name"`
	Reason Reason        `json:"reason,omitempty" jsonschema:"only blocks for this reason"`
}

// Check refuses dates in the wrong order.
func (in *listInput) Check() error {
	if !in.Start.IsZero() && !in.End.IsZero() && in.End.Before(in.Start) {
		return fault.New(fault.Invalid, "end_date (%s) must not come before start_date (%s).", in.End.Show(),
			in.Start.Show())
	}
	return nil
}

// Tools returns the tools with which an assistant blocks rooms and frees them.
// now decides what lies in the past.
func Tools(store Store, now calendar.Clock) []tool.Tool {
	return []tool.Tool{
		tool.New(tool.Spec{Name: "list_blocked_dates", Effect: tool.Reads, Description: listBlockedDatesText},
			func(ctx context.Context, by identity.Caller, in listInput) (list, error) {
				return find(ctx, store, by, now, in)
			}),
		tool.New(tool.Spec{Name: "block_dates", Effect: tool.Changes, Description: blockDatesText},
			func(ctx context.Context, by identity.Caller, in blockInput) (blocked, error) {
				return block(ctx, store, by, in)
			},
			tool.Previewed(func(ctx context.Context, by identity.Caller, in blockInput) (tool.Preview, error) {
				return previewBlock(ctx, store, by, now, in)
			})),
		tool.New(tool.Spec{Name: "unblock_dates", Effect: tool.Changes, Description: unblockDatesText},
			func(ctx context.Context, by identity.Caller, in unblockInput) (freed, error) {
				return unblock(ctx, store, by, in)
			},
			tool.Previewed(func(ctx context.Context, by identity.Caller, in unblockInput) (tool.Preview, error) {
				return previewUnblock(ctx, store, by, in)
			})),
	}
}

func today(by identity.Caller, now calendar.Clock) (calendar.Date, error) {
	zone, err := by.Entity.Location()
	if err != nil {
		return calendar.Date{}, err
	}
	return calendar.Today(now(), zone), nil
}
