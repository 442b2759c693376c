package reservations

import (
	"context"
	_ "embed"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/hospitality/pages"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/tool"
)

//go:embed tools/search_reservations.md
var searchReservationsText string

//go:embed tools/get_reservation_details.md
var getReservationDetailsText string

//go:embed tools/check_availability.md
var checkAvailabilityText string

//go:embed tools/check_all_availability.md
var checkAllAvailabilityText string

type searchInput struct {
	Query    string        `json:"query,omitempty" limits:"free" jsonschema:"a code, part of the guest's name or e-mail, or digits of the phone number"`
	Statuses []Status      `json:"statuses,omitempty" jsonschema:"only reservations with one of these statuses"`
	From     calendar.Date `json:"from,omitzero" jsonschema:"only stays with a night on or after this day"`
	To       calendar.Date `json:"to,omitzero" jsonschema:"only stays with a night on or before this day"`
	Limit    int           `json:"limit,omitempty" jsonschema:"how many to list; 20 when left out"`
	Offset   int           `json:"offset,omitempty" limits:"max=100000" jsonschema:"how many to pass over"`
}

// Check fills the limit and refuses dates in the wrong order.
func (in *searchInput) Check() error {
	in.Query = strings.TrimSpace(in.Query)
	if err := pages.Check(&in.Limit, in.Offset, 20, 100); err != nil {
		return err
	}
	switch {
	case utf8.RuneCountInString(in.Query) > 200:
		return fault.New(fault.Invalid, "The query is longer than 200 letters.")
	case !in.From.IsZero() && !in.To.IsZero() && in.To.Before(in.From):
		return fault.New(fault.Invalid, "to (%s) must not come before from (%s).", in.To.Show(), in.From.Show())
	}
	return nil
}

type detailsInput struct {
	Code string `json:"code" jsonschema:"its code, the guest's name, or the room"`
}

// Check tidies the words.
func (in *detailsInput) Check() error { return tidyWords(&in.Code) }

// Tools returns the tools with which an assistant sees and writes reservations.
// now decides what is in the past.
func Tools(store Store, now calendar.Clock) []tool.Tool {
	c := service{store: store, now: now}
	return slices.Concat(c.readTools(), c.createTools(), c.editTools(), c.lifecycleTools(), c.payTools())
}

func (c service) readTools() []tool.Tool {
	store, now := c.store, c.now
	return []tool.Tool{
		tool.New(tool.Spec{Name: "search_reservations", Effect: tool.Reads, Description: searchReservationsText},
			func(ctx context.Context, by identity.Caller, in searchInput) (results, error) {
				until := in.To
				if !until.IsZero() {
					until = until.AddDays(1) // people name the last day; the filter ends before its To
				}
				found, err := store.Search(ctx, by, Filter{Words: in.Query, Statuses: in.Statuses, From: in.From,
					To: until, Limit: in.Limit, Offset: in.Offset})
				return results{Found: found, input: in}, err
			}),
		tool.New(tool.Spec{Name: "get_reservation_details", Effect: tool.Reads,
			Description: getReservationDetailsText},
			func(ctx context.Context, by identity.Caller, in detailsInput) (Details, error) {
				code, err := c.meant(ctx, by, in.Code, "show", call{tool: "get_reservation_details"})
				if err != nil {
					return Details{}, err
				}
				if strings.HasPrefix(code, "GRP-") {
					return Details{}, fault.New(fault.NotFound,
						"%s is the code of a group. Search with this code to see the group's reservations.", code)
				}
				return store.Details(ctx, by, code)
			}),
		tool.New(tool.Spec{Name: "check_availability", Effect: tool.Reads, Description: checkAvailabilityText,
			Shows: []string{"tape", "choices"}},
			func(ctx context.Context, by identity.Caller, in roomInput) (availability, error) {
				all, err := look(ctx, store, by, now, in.dates())
				if err != nil {
					return availability{}, err
				}
				one, err := all.only(in.Room)
				if err != nil {
					return availability{}, err
				}
				return one.charted(ctx, store, by)
			}),
		tool.New(tool.Spec{Name: "check_all_availability", Effect: tool.Reads, Description: checkAllAvailabilityText,
			Shows: []string{"tape", "choices"}},
			func(ctx context.Context, by identity.Caller, in datesInput) (availability, error) {
				all, err := look(ctx, store, by, now, in)
				if err != nil {
					return availability{}, err
				}
				return all.charted(ctx, store, by)
			}),
		c.tapeTool(),
	}
}
