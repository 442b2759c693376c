package analytics

import (
	"context"
	_ "embed"
	"fmt"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/tool"
)

//go:embed tools/get_occupancy_stats.md
var getOccupancyStatsText string

//go:embed tools/get_revenue_stats.md
var getRevenueStatsText string

//go:embed tools/get_client_analytics.md
var getClientAnalyticsText string

//go:embed tools/compare_periods.md
var comparePeriodsText string

const maxDays = 3 * 366

type periodInput struct {
	Start calendar.Date `json:"start_date,omitzero" jsonschema:"the first day of the period, YYYY-MM-DD; the current month when both days are left out"`
	End   calendar.Date `json:"end_date,omitzero" jsonschema:"the last day of the period, included, YYYY-MM-DD; the 31st for the whole of January"`
}

// Check refuses a period that ends before it begins or is only half given.
func (in *periodInput) Check() error {
	return checkPeriod("start_date", in.Start, "end_date", in.End, "for the current month")
}

func checkPeriod(startName string, start calendar.Date, endName string, end calendar.Date, neither string) error {
	days := start.Until(end) + 1
	switch {
	case start.IsZero() && end.IsZero():
		return nil
	case start.IsZero() || end.IsZero():
		return fault.New(fault.Invalid, "%s and %s must both be given, or both be left out %s.", startName, endName,
			neither)
	case days < 1:
		return fault.New(fault.Invalid, "%s (%s) must not come before %s (%s).", endName, end.Show(), startName,
			start.Show())
	case days > maxDays:
		return fault.New(fault.Invalid, "That is a period of %d days; at most %d days can be reported at once.", days,
			maxDays)
	}
	return nil
}

// Tools returns the tools with which an assistant sees a hotel's figures. now
// decides which month is the current one.
func Tools(store Store, now calendar.Clock) []tool.Tool {
	return []tool.Tool{
		tool.New(tool.Spec{Name: "get_occupancy_stats", Effect: tool.Reads, Description: getOccupancyStatsText,
			Shows: []string{"chart", "choices"}},
			func(ctx context.Context, by identity.Caller, in periodInput) (report, error) {
				p, err := in.period(by, now)
				if err != nil {
					return report{}, err
				}
				found, err := store.Occupancy(ctx, by, p.Range)
				if err != nil {
					return report{}, err
				}
				days, err := daysOf(ctx, store, by, p)
				if err != nil {
					return report{}, err
				}
				return newReport(p, by.Entity.Currency, found, days)
			}),
		tool.New(tool.Spec{Name: "get_revenue_stats", Effect: tool.Reads, Description: getRevenueStatsText,
			Shows: []string{"chart", "choices"}},
			func(ctx context.Context, by identity.Caller, in revenueInput) (revenueReport, error) {
				p, err := in.period(by, now)
				if err != nil {
					return revenueReport{}, err
				}
				parts, err := store.Revenue(ctx, by, p.Range, in.By)
				if err != nil {
					return revenueReport{}, err
				}
				r, err := newRevenueReport(p, by.Entity.Currency, in.By, parts)
				if err == nil && in.By == ByDay {
					r.days, err = daysOf(ctx, store, by, p)
				}
				return r, err
			}),
		tool.New(tool.Spec{Name: "get_client_analytics", Effect: tool.Reads, Description: getClientAnalyticsText},
			func(ctx context.Context, by identity.Caller, in clientsInput) (clientReport, error) {
				p, err := in.period(by, now)
				if err != nil {
					return clientReport{}, err
				}
				c, err := store.Clients(ctx, by, p.Range, in.Top)
				if err != nil {
					return clientReport{}, err
				}
				return newClientReport(p, by.Entity.Currency, c)
			}),
		tool.New(tool.Spec{Name: "compare_periods", Effect: tool.Reads, Description: comparePeriodsText,
			Shows: []string{"chart", "choices"}},
			func(ctx context.Context, by identity.Caller, in compareInput) (comparison, error) {
				return compare(ctx, store, by, now, in)
			}),
	}
}

// daysOf returns the nights for a calendar, or none where there are too many for one.
func daysOf(ctx context.Context, store Store, by identity.Caller, p period) ([]Day, error) {
	if p.Days() > MaxDays {
		return nil, nil
	}
	return store.Days(ctx, by, p.Range)
}

// period is a range of days, and whether some of them are still to come.
type period struct {
	calendar.Range
	open bool
}

func (in periodInput) period(by identity.Caller, now calendar.Clock) (period, error) {
	zone, err := by.Entity.Location()
	if err != nil {
		return period{}, err
	}
	today := calendar.Today(now(), zone)
	p := period{Range: calendar.Month(today)}
	if !in.Start.IsZero() {
		// People name the last day; a range ends before its To.
		p.Range = calendar.Range{From: in.Start, To: in.End.AddDays(1)}
	}
	p.open = p.To.After(today)
	return p, nil
}

// span names the period by its first and last night.
func (p period) span() string {
	return fmt.Sprintf("%s to %s (%s)", p.From.Show(), p.To.AddDays(-1).Show(), count(p.Days(), "day"))
}

// unfinished is what a note says of a period that is not over.
func (p period) unfinished() string {
	if !p.open {
		return ""
	}
	return " The period is not over: nights to come count as they are booked now."
}
