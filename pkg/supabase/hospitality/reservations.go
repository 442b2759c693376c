package hospitality

import (
	"context"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/hospitality/reservations"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/money"
	"github.com/bellhop-ai/bellhop/pkg/supabase"
)

// Reservations is a reservations.Store.
type Reservations struct{ client *supabase.Client }

var _ reservations.Store = Reservations{}

// NewReservations returns the store in the project of client.
func NewReservations(client *supabase.Client) Reservations { return Reservations{client} }

// Search finds reservations; see reservations.Store.
func (s Reservations) Search(ctx context.Context, by identity.Caller, f reservations.Filter) (reservations.Found, error) {
	if _, err := inProperty(by); err != nil {
		return reservations.Found{}, err
	}
	args := supabase.Args{"p_entity": by.Entity.ID, "p_limit": f.Limit}
	if f.Words != "" {
		args["p_query"] = f.Words
	}
	if len(f.Statuses) > 0 {
		statuses := make([]string, len(f.Statuses))
		for i, status := range f.Statuses {
			statuses[i] = string(status)
		}
		args["p_status"] = statuses
	}
	if !f.From.IsZero() {
		args["p_from"] = f.From
	}
	if !f.To.IsZero() {
		args["p_to"] = f.To
	}
	rows, err := supabase.Read[[]struct {
		Code      string              `json:"code"`
		GroupCode string              `json:"group_code"`
		Guest     string              `json:"guest_name"`
		Email     string              `json:"guest_email"`
		Rooms     []string            `json:"room_codes"`
		CheckIn   calendar.Date       `json:"check_in"`
		CheckOut  calendar.Date       `json:"check_out"`
		Nights    int                 `json:"nights"`
		Adults    int                 `json:"adults"`
		Children  int                 `json:"children"`
		Status    reservations.Status `json:"status"`
		Total     money.Amount        `json:"total"`
		Currency  string              `json:"currency"`
		Balance   money.Amount        `json:"balance"`
		Matches   int                 `json:"matches"`
	}](ctx, s.client.As(by), "reservation_search", args)
	if err != nil {
		return reservations.Found{}, err
	}
	found := reservations.Found{Reservations: make([]reservations.Summary, len(rows))}
	for i, r := range rows {
		found.Matches = r.Matches
		found.Reservations[i] = reservations.Summary{
			Code: r.Code, GroupCode: r.GroupCode, Guest: r.Guest, Email: r.Email, Rooms: r.Rooms,
			CheckIn: r.CheckIn, CheckOut: r.CheckOut, Nights: r.Nights, Adults: r.Adults, Children: r.Children,
			Status: r.Status, Total: r.Total, Balance: r.Balance, Currency: r.Currency,
		}
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
			"There is no reservation %.20q in %s. search_reservations finds it by the guest's name or the dates.", code, by.Entity.Name)
	}
	return *d, nil
}

// Availability returns how the rooms stand; see reservations.Store.
func (s Reservations) Availability(ctx context.Context, by identity.Caller, nights calendar.Range) ([]reservations.Room, error) {
	if _, err := inProperty(by); err != nil {
		return nil, err
	}
	rows, err := supabase.Read[[]struct {
		Code            string                 `json:"room_code"`
		Name            string                 `json:"room_name"`
		Capacity        int                    `json:"capacity"`
		Units           int                    `json:"units"`
		FreeUnits       int                    `json:"free_units"`
		MinStay         int                    `json:"min_stay"`
		MaxStay         int                    `json:"max_stay"`
		WeekdayPrice    money.Amount           `json:"weekday_price"`
		WeekendPrice    money.Amount           `json:"weekend_price"`
		Currency        string                 `json:"currency"`
		Bookings        []reservations.Booking `json:"bookings"`
		Blocks          []reservations.Block   `json:"blocks"`
		ClosedArrival   bool                   `json:"closed_arrival"`
		ClosedDeparture bool                   `json:"closed_departure"`
		NextFree        calendar.Date          `json:"next_free"`
	}](ctx, s.client.As(by), "availability", supabase.Args{"p_entity": by.Entity.ID, "p_from": nights.From, "p_to": nights.To})
	if err != nil {
		return nil, err
	}
	rooms := make([]reservations.Room, len(rows))
	for i, r := range rows {
		rooms[i] = reservations.Room{
			Code: r.Code, Name: r.Name, Capacity: r.Capacity, Units: r.Units, FreeUnits: r.FreeUnits, MinStay: r.MinStay,
			MaxStay: r.MaxStay, WeekdayPrice: r.WeekdayPrice, WeekendPrice: r.WeekendPrice, Currency: r.Currency,
			Bookings: r.Bookings, Blocks: r.Blocks, ClosedArrival: r.ClosedArrival, ClosedDeparture: r.ClosedDeparture, NextFree: r.NextFree,
		}
	}
	return rooms, nil
}
