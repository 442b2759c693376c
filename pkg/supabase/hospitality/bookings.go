package hospitality

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/bellhop-ai/bellhop/pkg/effect"
	"github.com/bellhop-ai/bellhop/pkg/hospitality/reservations"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/supabase"
)

// Bookable returns what can be booked; see reservations.Booker.
func (s Reservations) Bookable(ctx context.Context, by identity.Caller) (reservations.Bookable, error) {
	return read[reservations.Bookable](ctx, s, by, "bookable", nil)
}

// Offer returns what Book would do; see reservations.Booker.
func (s Reservations) Offer(ctx context.Context, by identity.Caller, o reservations.Order) (reservations.Offer,
	error) {
	request, err := document(o)
	if err != nil {
		return reservations.Offer{}, err
	}
	return read[reservations.Offer](ctx, s, by, "booking_preview", supabase.Args{"p_request": request})
}

// Book makes reservations; see reservations.Booker.
func (s Reservations) Book(ctx context.Context, by identity.Caller, o reservations.Order) ([]reservations.Record,
	error) {
	request, err := document(o)
	if err != nil {
		return nil, err
	}
	return s.act(ctx, by, "create_booking", supabase.Args{"p_request": request},
		func(r effect.Row) bool { return r.Action == "insert" })
}

// act calls a function that changes reservations and answers with their
// summaries. A repeated call answers with the summaries of those rows that are
// mine: an act may have ended another guest's hold as well.
func (s Reservations) act(ctx context.Context, by identity.Caller, function string, args supabase.Args,
	mine func(effect.Row) bool,
) ([]reservations.Record, error) {
	if _, err := inProperty(by); err != nil {
		return nil, err
	}
	args["p_entity"] = by.Entity.ID
	return supabase.Call(ctx, s.client.As(by), function, args, func(did effect.Outcome) ([]reservations.Record,
		error) {
		return read[[]reservations.Record](ctx, s, by, "reservation_summaries",
			supabase.Args{"p_codes": keys(did, "reservations", mine)})
	})
}

// actOn is act for the reservations of a code, a single one's or a group's.
func (s Reservations) actOn(ctx context.Context, by identity.Caller, function, code string,
	args supabase.Args) ([]reservations.Record, error) {
	args["p_code"] = code
	return s.act(ctx, by, function, args, func(r effect.Row) bool {
		return r.Key == code ||
			r.After["group_code"] == code
	})
}

// keys returns the human keys of the table's rows that an effect wrote.
func keys(did effect.Outcome, table string, mine func(effect.Row) bool) []string {
	list := []string{}
	for _, row := range did.Rows {
		if row.Table == table && mine(row) {
			list = append(list, row.Key)
		}
	}
	return list
}

// read calls a stable function for the caller's property.
func read[T any](ctx context.Context, s Reservations, by identity.Caller, function string, args supabase.Args) (T,
	error) {
	var none T
	if _, err := inProperty(by); err != nil {
		return none, err
	}
	if args == nil {
		args = supabase.Args{}
	}
	args["p_entity"] = by.Entity.ID
	return supabase.Read[T](ctx, s.client.As(by), function, args)
}

// document is an argument that holds a whole JSON document.
func document(v any) (json.RawMessage, error) {
	text, err := json.Marshal(v)
	if err != nil {
		return nil, fmt.Errorf("encode a request: %w", err)
	}
	return text, nil
}
