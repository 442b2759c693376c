package tools

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/tool"
	"github.com/bellhop-ai/bellhop/pkg/travel/itinerary"
)

// itemArgument names an item of a trip.
type itemArgument struct {
	Trip    string `json:"trip" jsonschema:"code of the trip, such as TR-0001"`
	Item    string `json:"item" jsonschema:"code of the item in the trip, such as I3"`
	Version int    `json:"version,omitempty" jsonschema:"version of the trip that was seen; left out for any" limits:"max=1000000"`
}

func (a *itemArgument) tidy() { a.Trip, a.Item = codeOf(a.Trip), codeOf(a.Item) }

// item returns an item of a trip.
func (t *set) item(ctx context.Context, by identity.Caller, a itemArgument) (itinerary.Trip, itinerary.Item, error) {
	trip, err := t.Trips.Trip(ctx, by, a.Trip)
	if err != nil {
		return trip, itinerary.Item{}, err
	}
	i := slices.IndexFunc(trip.Items, func(i itinerary.Item) bool { return i.Code == a.Item })
	if i < 0 {
		return trip, itinerary.Item{}, fault.New(fault.NotFound, "%s has no item %q.", trip.Code, cut(a.Item, 20)).
			WithCode("item_not_found")
	}
	return trip, trip.Items[i], nil
}

// moveInput are the arguments of move_itinerary_item.
type moveInput struct {
	itemArgument
	Date      *calendar.Date `json:"date,omitempty" jsonschema:"new day; the same when left out"`
	StartTime string         `json:"startTime,omitempty" jsonschema:"new local start, HH:MM; the same when left out"`
	EndTime   string         `json:"endTime,omitempty" jsonschema:"new local end, HH:MM; as long as before when left out"`
}

// Check tidies the codes and the times.
func (in *moveInput) Check() error {
	in.tidy()
	for _, c := range []*string{&in.StartTime, &in.EndTime} {
		if *c = strings.TrimSpace(*c); len(*c) == 4 {
			*c = "0" + *c
		}
		if *c != "" && !isClock(*c) {
			return fault.New(fault.Invalid, "%q is no time of day; write HH:MM, such as 18:00.", cut(*c, 20)).
				WithCode("time_malformed")
		}
	}
	if in.Date == nil && in.StartTime == "" && in.EndTime == "" {
		return fault.New(fault.Invalid, "Write a new day or a new time.").WithCode("time_missing")
	}
	return nil
}

func (t *set) moveItem() tool.Tool {
	spec := own("move_itinerary_item", "another day or time for something of a trip", "itinerary", "ItineraryCard",
		"itinerary")
	return tool.New(spec, func(ctx context.Context, by identity.Caller, in moveInput) (tripShown, error) {
		_, item, err := t.item(ctx, by, in.itemArgument)
		if err != nil {
			return tripShown{}, err
		}
		if item.Booking != "" || item.Type == itinerary.Flight && item.Status != itinerary.Planned {
			return tripShown{}, fault.New(fault.Unprocessable, "%s is booked, so moving it here would not move the "+
				"booking. Change or cancel %s instead.", item.Code, item.Booking).WithCode("item_booked")
		}
		trip, err := t.Trips.Put(ctx, by, in.Trip, in.Version, moved(item, in))
		return t.tripShown(trip, item.Code+" is moved."), err
	})
}

// moved is an item at its new time. It lasts as long as before by the clock, unless the end
// is named.
func moved(i itinerary.Item, in moveInput) itinerary.Item {
	lasts := i.Ends.In(time.UTC).Sub(i.Starts.In(time.UTC))
	if in.Date != nil {
		i.Starts.Date = *in.Date
	}
	if in.StartTime != "" {
		i.Starts, i.AllDay = clockOn(i.Starts.Date, in.StartTime), false
	}
	i.Ends = later(i.Starts, lasts)
	if in.EndTime != "" {
		i.Ends = clockOn(i.Ends.Date, in.EndTime)
		i = forward(i)
	}
	return i
}

// removeInput are the arguments of remove_itinerary_item.
type removeInput struct{ itemArgument }

// Check tidies the codes.
func (in *removeInput) Check() error { in.tidy(); return nil }

func (t *set) removeItem() tool.Tool {
	spec := own("remove_itinerary_item", "take something out of a trip", "itinerary", "ItineraryCard", "itinerary")
	return tool.New(spec, func(ctx context.Context, by identity.Caller, in removeInput) (tripShown, error) {
		trip, err := t.Trips.Remove(ctx, by, in.Trip, in.Version, in.Item)
		return t.tripShown(trip, in.Item+" is removed from the itinerary; a booking of it stays as it is."), err
	})
}

// renameInput are the arguments of rename_trip.
type renameInput struct {
	Trip    string `json:"trip" jsonschema:"code of the trip, such as TR-0001"`
	Title   string `json:"title" jsonschema:"its new title"`
	Version int    `json:"version,omitempty" jsonschema:"version of the trip that was seen; left out for any" limits:"max=1000000"`
}

// Check tidies the texts.
func (in *renameInput) Check() error {
	in.Trip, in.Title = codeOf(in.Trip), cut(in.Title, 120)
	if in.Title == "" {
		return fault.New(fault.Invalid, "A trip has a title.").WithCode("title_required")
	}
	return nil
}

func (t *set) renameTrip() tool.Tool {
	spec := own("rename_trip", "another title for a trip", "itinerary", "ItineraryCard", "itinerary")
	return tool.New(spec, func(ctx context.Context, by identity.Caller, in renameInput) (tripShown, error) {
		trip, err := t.Trips.Rename(ctx, by, in.Trip, in.Version, in.Title)
		return t.tripShown(trip, ""), err
	})
}
