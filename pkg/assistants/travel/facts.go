package travel

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/travel/bookings"
	"github.com/bellhop-ai/bellhop/pkg/travel/itinerary"
	"github.com/bellhop-ai/bellhop/pkg/travel/places"
	"github.com/bellhop-ai/bellhop/pkg/travel/preferences"
	"github.com/bellhop-ai/bellhop/pkg/travel/travellers"
)

// saidKey carries the newest message to the facts: decisions are chosen by it.
type saidKey struct{}

func withSaid(ctx context.Context, text string) context.Context {
	return context.WithValue(ctx, saidKey{}, text)
}

// Facts is what the persona may say. It holds no name, birthday, address or document.
type Facts struct {
	Today  string // Friday 27-Nov-2026
	Role   identity.Role
	Spends bool // whether the role may hold and book
	// Context is the person's preferences, decisions and past trips in the form of the
	// source document (S1-19 to S1-21); "" where they have none.
	Context    string
	Learns     bool
	Travellers []string // "PAX-1: adult, complete"
	Trips      []string // "TR-0002: Lisbon, 2026-12-04 to 2026-12-06"
	Bookings   []string // "TB-0003: London to Lisbon, held until …"
}

// Bounds of what the prompt lists.
const (
	maxTrips     = 5
	maxBookings  = 8
	maxPast      = 3
	maxDecisions = 6
)

// known is what is read of a person for an answer, with model or without.
type known struct {
	preferences preferences.Preferences
	has         bool // whether there are preferences
	decisions   []preferences.Decision
	past        []bookings.Booking
	upcoming    []bookings.Booking
	trips       []itinerary.Trip
	travellers  []travellers.Summary
}

// look reads what is known of the caller, all at the same time. What cannot be read is left out, and returned
// as an error beside the rest.
func look(ctx context.Context, cfg Config, by identity.Caller, said string) (known, error) {
	var k known
	var all sync.WaitGroup
	var mu sync.Mutex
	var failed []error
	note := func(err error) {
		mu.Lock()
		defer mu.Unlock()
		if err != nil {
			failed = append(failed, err)
		}
	}
	for _, read := range []func() error{
		func() (err error) { k.preferences, k.has, err = cfg.Preferences.Get(ctx, by); return err },
		func() (err error) {
			k.decisions, err = cfg.Preferences.Decisions(ctx, by, said, maxDecisions)
			return err
		},
		func() (err error) {
			k.past, err = cfg.Bookings.List(ctx, by, bookings.Filter{Past: true, Limit: maxPast})
			return err
		},
		func() (err error) {
			k.upcoming, err = cfg.Bookings.List(ctx, by, bookings.Filter{Upcoming: true, Limit: maxBookings})
			return err
		},
		func() (err error) { k.trips, err = cfg.Trips.Trips(ctx, by); return err },
		func() (err error) { k.travellers, err = cfg.Travellers.Summaries(ctx, by, calendar.Date{}); return err },
	} {
		all.Go(func() { note(read()) })
	}
	all.Wait()
	return k, errors.Join(failed...)
}

// zone returns where the person's day begins and ends: at their home airport, or in UTC.
func (k known) zone() *time.Location {
	if home, ok := places.ByCode(k.preferences.Home); ok {
		if zone := home.Location(); zone != nil {
			return zone
		}
	}
	return time.UTC
}

func facts(ctx context.Context, cfg Config, by identity.Caller, now time.Time) (any, error) {
	said, _ := ctx.Value(saidKey{}).(string)
	k, err := look(ctx, cfg, by, said)
	today := calendar.Today(now, k.zone())
	f := Facts{Today: today.Weekday().String() + " " + today.Show(), Role: by.Role, Spends: by.Role.Writes(),
		Context: preferences.Context(k.preferences, k.has, k.decisions, k.past), Learns: k.preferences.Learn}
	for _, t := range k.travellers {
		what := []string{kindOf(t), map[bool]string{true: "complete", false: "incomplete"}[t.Complete]}
		if t.Self {
			what = append(what, "the person you speak with")
		}
		f.Travellers = append(f.Travellers, t.Code+": "+strings.Join(what, ", "))
	}
	for _, t := range k.trips[:min(len(k.trips), maxTrips)] {
		f.Trips = append(f.Trips, fmt.Sprintf("%s: %s, %s to %s", t.Code, oneLine(t.Title), t.From, t.To))
	}
	for _, b := range k.upcoming {
		line := fmt.Sprintf("%s: %s, %s, %s", b.Code, oneLine(b.Title), b.Starts.Date, b.State)
		if b.PayBy != nil {
			line += " until " + b.PayBy.In(k.zone()).Format("Mon 2 Jan 15:04")
		}
		f.Bookings = append(f.Bookings, line)
	}
	return f, err
}

// kindOf is what an airline takes a traveller for, for people.
func kindOf(t travellers.Summary) string {
	return strings.ReplaceAll(strings.TrimSuffix(string(t.Kind), "_without_seat"), "_", " ")
}

// oneLine returns the first 80 letters of a text without line breaks.
func oneLine(text string) string {
	letters := []rune(strings.Join(strings.Fields(text), " "))
	return string(letters[:min(len(letters), 80)])
}
