package hospitality

import (
	"context"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/hospitality/reservations"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/supabase"
)

// Reservations is a reservations.Store.
type Reservations struct{ client *supabase.Client }

var _ reservations.Store = Reservations{}

// NewReservations returns the store in the project of client.
func NewReservations(client *supabase.Client) Reservations { return Reservations{client} }

// Search finds reservations; see reservations.Store.
func (s Reservations) Search(ctx context.Context, by identity.Caller, f reservations.Filter) (reservations.Found,
	error) {
	if _, err := inProperty(by); err != nil {
		return reservations.Found{}, err
	}
	args := supabase.Args{"p_entity": by.Entity.ID, "p_limit": f.Limit, "p_offset": f.Offset}
	if f.Words != "" {
		args["p_query"] = f.Words
	}
	if len(f.Statuses) > 0 {
		args["p_status"] = words(f.Statuses)
	}
	if !f.From.IsZero() {
		args["p_from"] = f.From
	}
	if !f.To.IsZero() {
		args["p_to"] = f.To
	}
	type match struct {
		reservations.Summary
		GuestName, GuestEmail string
		RoomCodes             []string
		Matches               int
	}
	rows, err := supabase.Read[[]row[match]](ctx, s.client.As(by), "reservation_search", args)
	if err != nil {
		return reservations.Found{}, err
	}
	found := reservations.Found{Reservations: make([]reservations.Summary, len(rows))}
	for i, r := range rows {
		found.Matches = r.Value.Matches
		one := r.Value.Summary
		one.Guest, one.Email, one.Rooms = r.Value.GuestName, r.Value.GuestEmail, r.Value.RoomCodes
		found.Reservations[i] = one
	}
	return found, nil
}

// Details returns one reservation; see reservations.Store.
func (s Reservations) Details(ctx context.Context, by identity.Caller, code string) (reservations.Details, error) {
	if _, err := inProperty(by); err != nil {
		return reservations.Details{}, err
	}
	d, err := supabase.Read[*reservations.Details](ctx, s.client.As(by), "reservation_details",
		supabase.Args{"p_entity": by.Entity.ID, "p_code": code})
	if err != nil {
		return reservations.Details{}, err
	}
	if d == nil {
		return reservations.Details{}, fault.New(fault.NotFound,
			"There is no reservation %.20q in %s. Search for it by the guest's name or the dates.",
			code, by.Entity.Name)
	}
	return *d, nil
}

// Availability returns how the rooms stand; see reservations.Store.
func (s Reservations) Availability(ctx context.Context, by identity.Caller,
	nights calendar.Range) ([]reservations.Room, error) {
	if _, err := inProperty(by); err != nil {
		return nil, err
	}
	type room struct {
		reservations.Room
		RoomCode, RoomName             string
		ClosedArrival, ClosedDeparture bool
	}
	rows, err := supabase.Read[[]row[room]](ctx, s.client.As(by), "availability",
		supabase.Args{"p_entity": by.Entity.ID, "p_from": nights.From, "p_to": nights.To})
	if err != nil {
		return nil, err
	}
	rooms := make([]reservations.Room, len(rows))
	for i, r := range rows {
		one := r.Value.Room
		one.Code, one.Name = r.Value.RoomCode, r.Value.RoomName
		one.ClosedArrival, one.ClosedDeparture = r.Value.ClosedArrival, r.Value.ClosedDeparture
		rooms[i] = one
	}
	return rooms, nil
}

// Tape returns what takes the nights; see reservations.Store.
func (s Reservations) Tape(ctx context.Context, by identity.Caller, nights calendar.Range) (reservations.Tape, error) {
	return read[reservations.Tape](ctx, s, by, "tape_chart", supabase.Args{"p_from": nights.From, "p_to": nights.To})
}
