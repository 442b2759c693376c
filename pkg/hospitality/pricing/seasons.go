package pricing

import (
	"cmp"
	"context"
	_ "embed"
	"fmt"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/hospitality/forms"
	"github.com/bellhop-ai/bellhop/pkg/hospitality/names"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/money"
	"github.com/bellhop-ai/bellhop/pkg/tool"
)

//go:embed tools/set_seasonal_price.md
var setSeasonalPriceText string

//go:embed tools/remove_seasonal_price.md
var removeSeasonalPriceText string

type setSeasonInput struct {
	Season          string         `json:"season,omitempty" jsonschema:"the code or name of a season to change; leave it out to add one"`
	Name            *string        `json:"name,omitempty" jsonschema:"what the season is called, such as Diwali; required for a new one"`
	Room            *string        `json:"room,omitempty" jsonschema:"the room type's code or name, or ALL; all rooms when left out of a new season"`
	Start           *calendar.Date `json:"start_date,omitempty" jsonschema:"the first night, YYYY-MM-DD; required for a new season"`
	End             *calendar.Date `json:"end_date,omitempty" jsonschema:"the last night, included, YYYY-MM-DD; required for a new season"`
	Weekday         *money.Amount  `json:"weekday_price,omitempty" jsonschema:"the price of a weekday night; the room's own when never given"`
	Weekend         *money.Amount  `json:"weekend_price,omitempty" jsonschema:"the price of a weekend night; the room's own when never given"`
	MinStay         *int           `json:"min_stay,omitempty" jsonschema:"the fewest nights for arrivals in the season"`
	ClosedArrival   *bool          `json:"closed_arrival,omitempty" jsonschema:"true when nobody may arrive in the season"`
	ClosedDeparture *bool          `json:"closed_departure,omitempty" jsonschema:"true when nobody may leave in the season"`
	Priority        *int           `json:"priority,omitempty" limits:"signed" jsonschema:"which of several seasons wins: the higher number; 0 when never given"`
	Active          *bool          `json:"active,omitempty" jsonschema:"false to suspend the season, true to use it again"`
}

// Check tidies what is given and refuses what the database would refuse.
func (in *setSeasonInput) Check() error {
	var errs []error
	if in.Name != nil {
		errs = append(errs, forms.Name("season", in.Name))
	}
	for what, price := range map[string]*money.Amount{"weekday price": in.Weekday, "weekend price": in.Weekend} {
		if price != nil {
			errs = append(errs, forms.Price(what, *price))
		}
	}
	if in.MinStay != nil {
		errs = append(errs, forms.Between("min_stay", *in.MinStay, 1, 365))
	}
	if in.Priority != nil {
		errs = append(errs, forms.Between("priority", *in.Priority, -1000, 1000))
	}
	if in.Season == "" {
		if in.Name == nil || in.Start == nil || in.End == nil {
			errs = append(errs, fault.New(fault.Invalid, "A new season needs a name, start_date and end_date."))
		}
		if in.Weekday == nil && in.Weekend == nil && in.MinStay == nil && in.ClosedArrival == nil &&
			in.ClosedDeparture == nil {
			errs = append(errs, fault.New(fault.Invalid,
				"A new season needs a price or a restriction, or it would change nothing."))
		}
	}
	if in.Start != nil && in.End != nil {
		errs = append(errs, inOrder(*in.Start, *in.End))
	}
	return cmp.Or(errs...)
}

func inOrder(start, end calendar.Date) error {
	switch {
	case end.Before(start):
		return fault.New(fault.Invalid, "The season would end on %s, before it starts on %s.", end.Show(),
			start.Show())
	case start.Until(end) > 1100:
		return fault.New(fault.Invalid, "A season lasts at most 1,100 days.")
	}
	return nil
}

// changes resolves the room and returns what the store is to set.
func (in setSeasonInput) changes(ctx context.Context, store Store, by identity.Caller) (c SeasonChanges, room string,
	err error) {
	c = SeasonChanges{Name: in.Name, Starts: in.Start, Ends: in.End, Weekday: in.Weekday, Weekend: in.Weekend,
		MinStay:       in.MinStay,
		ClosedArrival: in.ClosedArrival, ClosedDeparture: in.ClosedDeparture, Priority: in.Priority, Active: in.Active}
	if err := forms.Cents(by.Entity.Currency, in.Weekday, in.Weekend); err != nil || in.Room == nil {
		return c, "all rooms", err
	}
	if names.Fold(*in.Room) == "all" || names.Fold(*in.Room) == "" {
		c.Room = new(string)
		return c, "all rooms", nil
	}
	sold, err := store.Sold(ctx, by)
	if err != nil {
		return c, "", err
	}
	found, err := names.Find(sold.Rooms, *in.Room, "room type")
	c.Room = &found.Code
	return c, found.Name, err
}

func setSeasonTool(store Store) tool.Tool {
	return tool.New(tool.Spec{Name: "set_seasonal_price", Effect: tool.Changes, Description: setSeasonalPriceText,
		Extension: "The pricing agent manages seasonal pricing, but the source's tools only read."},
		func(ctx context.Context, by identity.Caller, in setSeasonInput) (setSeason, error) {
			c, _, err := in.changes(ctx, store, by)
			if err != nil {
				return setSeason{}, err
			}
			if in.Season == "" {
				s, err := store.AddSeason(ctx, by, c)
				return setSeason{Season: s, added: true}, err
			}
			all, err := store.Seasons(ctx, by)
			if err != nil {
				return setSeason{}, err
			}
			return names.Act(all, in.Season, "season", func(code string) (setSeason, error) {
				s, err := store.ChangeSeason(ctx, by, code, versionOf(all, code), c)
				return setSeason{Season: s}, err
			})
		},
		tool.Previewed(func(ctx context.Context, by identity.Caller, in setSeasonInput) (tool.Preview, error) {
			c, room, err := in.changes(ctx, store, by)
			if err != nil {
				return tool.Preview{}, err
			}
			if in.Season == "" {
				return in.previewNew(by, room), nil
			}
			was, err := findSeason(ctx, store, by, in.Season)
			if err != nil {
				return tool.Preview{}, err
			}
			return previewSeason(was, c, room)
		}))
}

func findSeason(ctx context.Context, store Store, by identity.Caller, wanted string) (Season, error) {
	all, err := store.Seasons(ctx, by)
	if err != nil {
		return Season{}, err
	}
	return names.Find(all, wanted, "season")
}

func (in setSeasonInput) previewNew(by identity.Caller, room string) tool.Preview {
	s := Season{Weekday: in.Weekday, Weekend: in.Weekend, Currency: by.Entity.Currency, MinStay: in.MinStay,
		ClosedArrival: in.ClosedArrival != nil && *in.ClosedArrival, ClosedDeparture: in.ClosedDeparture != nil &&
			*in.ClosedDeparture}
	p := tool.Preview{Title: "Add the season " + *in.Name, Lines: []tool.Line{
		{Label: "Property", After: by.Entity.Name}, {Label: "Room", After: room},
		{Label: "First night", After: in.Start.Show()}, {Label: "Last night", After: in.End.Show()},
		{Label: "Weekday night", After: s.price(in.Weekday)}, {Label: "Weekend night", After: s.price(in.Weekend)},
	}}
	if rules := s.rules(); rules != "" {
		p.Lines = append(p.Lines, tool.Line{Label: "Restrictions", After: rules})
	}
	if in.Priority != nil {
		p.Lines = append(p.Lines, tool.Line{Label: "Priority", After: forms.Whole(*in.Priority)})
	}
	if in.Active != nil && !*in.Active {
		p.Lines = append(p.Lines, tool.Line{Label: "Active", After: "no"})
	}
	p.Warnings = append(p.Warnings, keepsPrices)
	return p
}

const keepsPrices = "Bookings that exist keep the price that was agreed."

func previewSeason(was Season, c SeasonChanges, room string) (tool.Preview, error) {
	start, end := was.Starts, was.Ends
	if c.Starts != nil {
		start = *c.Starts
	}
	if c.Ends != nil {
		end = *c.Ends
	}
	if err := inOrder(start, end); err != nil {
		return tool.Preview{}, err
	}
	var d forms.Diff
	forms.Changed(&d, "Name", was.Name, c.Name, forms.Plain)
	if c.Room != nil {
		forms.Changed(&d, "Room", was.room(), &room, forms.Plain)
	}
	forms.Changed(&d, "First night", was.Starts, c.Starts, calendar.Date.Show)
	forms.Changed(&d, "Last night", was.Ends, c.Ends, calendar.Date.Show)
	priced := func(p *money.Amount) string { return was.price(p) }
	if c.Weekday != nil {
		forms.Changed(&d, "Weekday night", was.Weekday, &c.Weekday, priced)
	}
	if c.Weekend != nil {
		forms.Changed(&d, "Weekend night", was.Weekend, &c.Weekend, priced)
	}
	if c.MinStay != nil {
		before := 1
		if was.MinStay != nil {
			before = *was.MinStay
		}
		forms.Changed(&d, "Nights at least", before, c.MinStay, forms.Whole)
	}
	forms.Changed(&d, "Closed to arrival", was.ClosedArrival, c.ClosedArrival, forms.Yes)
	forms.Changed(&d, "Closed to departure", was.ClosedDeparture, c.ClosedDeparture, forms.Yes)
	forms.Changed(&d, "Priority", was.Priority, c.Priority, forms.Whole)
	forms.Changed(&d, "Active", was.Active, c.Active, forms.Yes)
	return d.Preview("season", was.Name, was.target(), []string{keepsPrices})
}

func (s Season) target() tool.Target {
	return tool.Target{Table: "seasonal_pricing", Key: s.Code, Version: s.Version}
}

type setSeason struct {
	Season
	added bool
}

// Summarize says what holds now.
func (s setSeason) Summarize() string {
	verb := "Changed"
	if s.added {
		verb = "Added"
	}
	text := fmt.Sprintf("%s the season %s (%s) for %s, %s to %s: weekday %s, weekend %s", verb, s.Name, s.Code,
		s.room(), s.Starts.Show(), s.Ends.Show(),
		s.price(s.Weekday), s.price(s.Weekend))
	if rules := s.rules(); rules != "" {
		text += "; " + rules
	}
	if !s.Active {
		text += ". It is suspended"
	}
	return text + "."
}

// Count is one: the season.
func (s setSeason) Count() int { return 1 }

type removeSeasonInput struct {
	Season string `json:"season" jsonschema:"the code or name of the season to remove"`
}

func removeSeasonTool(store Store) tool.Tool {
	return tool.New(tool.Spec{Name: "remove_seasonal_price", Effect: tool.Destroys,
		Description: removeSeasonalPriceText,
		Extension:   "Seasons that can be set must be removable, too."},
		func(ctx context.Context, by identity.Caller, in removeSeasonInput) (removed, error) {
			all, err := store.Seasons(ctx, by)
			if err != nil {
				return removed{}, err
			}
			return names.Act(all, in.Season, "season", func(code string) (removed, error) {
				return removed{Code: code, what: "season"}, store.RemoveSeason(ctx, by, code, versionOf(all, code))
			})
		},
		tool.Previewed(func(ctx context.Context, by identity.Caller, in removeSeasonInput) (tool.Preview, error) {
			s, err := findSeason(ctx, store, by, in.Season)
			if err != nil {
				return tool.Preview{}, err
			}
			return tool.Preview{Title: "Remove the season " + s.Name + " (" + s.Code + ")", Lines: []tool.Line{
				{Label: "Room", Before: s.room(), After: "the room's own prices"},
				{Label: "Nights", Before: s.Starts.Show() + " to " + s.Ends.Show(), After: "none"},
				{Label: "Weekday night", Before: s.price(s.Weekday), After: "the room's own"},
				{Label: "Weekend night", Before: s.price(s.Weekend), After: "the room's own"},
			}, Warnings: []string{"It cannot be brought back. To only suspend it, set it inactive instead.",
				keepsPrices},
				Targets: []tool.Target{s.target()}}, nil
		}))
}

// versionOf is the version that was read, or 0 for what was not found.
func versionOf(all []Season, code string) int {
	for _, s := range all {
		if s.Code == code {
			return s.Version
		}
	}
	return 0
}

type removed struct {
	Code string `json:"removed"`
	what string
}

// Summarize says what is gone.
func (r removed) Summarize() string { return "Removed the " + r.what + " " + r.Code + "." }
