package frontdesk

import (
	"context"
	_ "embed"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/hospitality/pages"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/tool"
)

//go:embed tools/get_today_checkins.md
var getTodayCheckinsText string

//go:embed tools/get_today_checkouts.md
var getTodayCheckoutsText string

//go:embed tools/list_arrivals_departures.md
var listArrivalsDeparturesText string

//go:embed tools/get_change_history.md
var getChangeHistoryText string

type dayInput struct {
	Date calendar.Date `json:"date,omitzero" jsonschema:"the day; today when left out"`
}

type historyInput struct {
	Code   string `json:"code" jsonschema:"the record's code"`
	Limit  int    `json:"limit,omitempty" jsonschema:"how many to list; 30 when left out"`
	Offset int    `json:"offset,omitempty" limits:"max=100000" jsonschema:"how many of the newest to pass over"`
}

// Check fills the limit, and refuses pages that there cannot be.
func (in *historyInput) Check() error {
	in.Code = strings.ToUpper(strings.TrimSpace(in.Code))
	if in.Code == "" {
		return fault.New(fault.Invalid, "The code of the record is needed.")
	}
	return pages.Check(&in.Limit, in.Offset, 30, 200)
}

// Tools returns the tools of the front desk. now decides which day is today.
func Tools(store Store, now calendar.Clock) []tool.Tool {
	look := func(ctx context.Context, by identity.Caller, in dayInput) (calendar.Date, Day, error) {
		day, err := in.day(by, now)
		if err != nil {
			return day, Day{}, err
		}
		sheet, err := store.Day(ctx, by, day)
		if today, _ := (dayInput{}).day(by, now); day.After(today) {
			sheet.Overdue = nil // who is late today is not late on a day to come
		}
		return day, sheet, err
	}
	return append(cleaningTools(store, now),
		tool.New(tool.Spec{Name: "get_today_checkins", Effect: tool.Reads, Description: getTodayCheckinsText},
			func(ctx context.Context, by identity.Caller, in dayInput) (arrivals, error) {
				day, sheet, err := look(ctx, by, in)
				return arrivals{Date: day, CheckIns: sheet.Arriving, Staying: len(sheet.Staying)}, err
			}),
		tool.New(tool.Spec{Name: "get_today_checkouts", Effect: tool.Reads, Description: getTodayCheckoutsText},
			func(ctx context.Context, by identity.Caller, in dayInput) (departures, error) {
				day, sheet, err := look(ctx, by, in)
				return departures{Date: day, CheckOuts: sheet.Leaving, Overdue: sheet.Overdue}, err
			}),
		tool.New(tool.Spec{Name: "list_arrivals_departures", Effect: tool.Reads,
			Description: listArrivalsDeparturesText,
			Extension: "Housekeeping works from one list of the day: which rooms are left, taken, cleaned or " +
				"free. The two lists of the source do not say it."},
			func(ctx context.Context, by identity.Caller, in dayInput) (sheet, error) {
				day, found, err := look(ctx, by, in)
				if err != nil {
					return sheet{}, err
				}
				today, err := dayInput{}.day(by, now)
				return newSheet(day, found, day == today), err
			}),
		tool.New(tool.Spec{Name: "get_change_history", Effect: tool.Reads, Description: getChangeHistoryText,
			Extension: "Every change is recorded with person and time; without a tool nobody who asks \"who changed " +
				"this?\" gets an answer."},
			func(ctx context.Context, by identity.Caller, in historyInput) (history, error) {
				zone, err := by.Entity.Location()
				if err != nil {
					return history{}, err
				}
				found, err := store.Changes(ctx, by, in.Code, in.Limit, in.Offset)
				if err != nil {
					return history{}, err
				}
				if len(found.Changes) == 0 && in.Offset > 0 {
					return history{}, fault.New(fault.NotFound, "No further change of %.40q is recorded.", in.Code)
				}
				if len(found.Changes) == 0 {
					return history{}, fault.New(fault.NotFound,
						"No change of %.40q is recorded in %s. Is the code right?", in.Code, by.Entity.Name)
				}
				return newHistory(in, found, zone, by.Entity.Currency), nil
			}),
		morningTool(store, now), inHouseTool(store, now), needsTool(store, now), mealsTool(store, now),
		houseFactsTool(store), setHouseFactsTool(store))
}

func (in dayInput) day(by identity.Caller, now calendar.Clock) (calendar.Date, error) {
	if !in.Date.IsZero() {
		return in.Date, nil
	}
	zone, err := by.Entity.Location()
	if err != nil {
		return calendar.Date{}, err
	}
	return calendar.Today(now(), zone), nil
}
