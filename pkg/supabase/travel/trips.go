package travel

import (
	"context"

	"github.com/bellhop-ai/bellhop/pkg/effect"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/supabase"
	"github.com/bellhop-ai/bellhop/pkg/travel/itinerary"
)

// Trips is an itinerary.Store. It acts with the caller's own token; where the context
// has a claim, a write happens once under it.
type Trips struct{ client *supabase.Client }

var _ itinerary.Store = Trips{}

// NewTrips returns the store in the project of client.
func NewTrips(client *supabase.Client) Trips { return Trips{client} }

// writes returns the connection for what is written: under the claim of the context,
// else as the server's own affair. Both bear the proof.
func writes(ctx context.Context, client *supabase.Client, by identity.Caller) supabase.Conn {
	c := client.As(by)
	if _, ok := effect.From(ctx); !ok {
		return c.Control()
	}
	return c
}

// again returns how the result of a write that was done before is made: by get, of the
// key of the row of a table that it wrote.
func again[T any](table string, get func(code string) (T, error)) func(effect.Outcome) (T, error) {
	return func(did effect.Outcome) (T, error) {
		for _, r := range did.Rows {
			if r.Table == table && r.Action != "delete" {
				return get(r.Key)
			}
		}
		var none T
		return none, fault.New(fault.Conflict, "This was done before and is not done twice.").
			WithCode("effect_claimed")
	}
}

// change calls a function that returns the trip as it is then. Under a claim that was
// used before, it is the trip as it is now.
func (s Trips) change(ctx context.Context, by identity.Caller, function string, args supabase.Args) (itinerary.Trip,
	error) {
	return supabase.Call(ctx, writes(ctx, s.client, by), function, args,
		again("trips", func(code string) (itinerary.Trip, error) { return s.Trip(ctx, by, code) }))
}

// Trips returns the caller's trips; see itinerary.Store.
func (s Trips) Trips(ctx context.Context, by identity.Caller) ([]itinerary.Trip, error) {
	return supabase.Read[[]itinerary.Trip](ctx, s.client.As(by), "trip_list", nil)
}

// Trip returns a trip; see itinerary.Store.
func (s Trips) Trip(ctx context.Context, by identity.Caller, code string) (itinerary.Trip, error) {
	return supabase.Read[itinerary.Trip](ctx, s.client.As(by), "trip_get", supabase.Args{"p_trip": code})
}

// Create makes a trip with its items; see itinerary.Store.
func (s Trips) Create(ctx context.Context, by identity.Caller, key string, t itinerary.Trip) (itinerary.Trip, error) {
	items, err := checked(t.Items)
	if err != nil {
		return itinerary.Trip{}, err
	}
	return s.change(ctx, by, "trip_create", supabase.Args{"p_key": key, "p": supabase.Args{
		"title": t.Title, "from": t.From, "to": t.To, "items": items}})
}

// Rename gives a trip another title; see itinerary.Store.
func (s Trips) Rename(ctx context.Context, by identity.Caller, code string, version int, title string) (itinerary.Trip,
	error) {
	return s.change(ctx, by, "trip_rename", supabase.Args{"p_trip": code, "p_version": version, "p_title": title})
}

// Delete deletes a trip; see itinerary.Store.
func (s Trips) Delete(ctx context.Context, by identity.Caller, code string, version int) error {
	_, err := supabase.Call(ctx, writes(ctx, s.client, by), "trip_delete",
		supabase.Args{"p_trip": code, "p_version": version}, func(effect.Outcome) (any, error) { return nil, nil })
	return err
}

// Put adds or changes items; see itinerary.Store.
func (s Trips) Put(ctx context.Context, by identity.Caller, code string, version int,
	list ...itinerary.Item) (itinerary.Trip, error) {
	items, err := checked(list)
	if err != nil {
		return itinerary.Trip{}, err
	}
	return s.change(ctx, by, "trip_put", supabase.Args{"p_trip": code, "p_version": version, "p_items": items})
}

// checked returns items with zones that both the database and we know.
func checked(list []itinerary.Item) ([]itinerary.Item, error) {
	items := make([]itinerary.Item, len(list))
	for n, i := range list {
		if _, _, err := i.Moments(); err != nil {
			return nil, fault.Wrap(fault.Unprocessable, err, "%q or %q is no time zone such as Europe/London.",
				i.StartZone, i.EndZone).WithCode("bad_zone")
		}
		items[n] = i
	}
	return items, nil
}

// Remove takes an item out; see itinerary.Store.
func (s Trips) Remove(ctx context.Context, by identity.Caller, code string, version int, item string) (itinerary.Trip,
	error) {
	return s.change(ctx, by, "trip_remove", supabase.Args{"p_trip": code, "p_version": version, "p_item": item})
}

// Share names a companion; see itinerary.Store.
func (s Trips) Share(ctx context.Context, by identity.Caller, code, email string) (itinerary.Trip, error) {
	return s.change(ctx, by, "trip_share", supabase.Args{"p_trip": code, "p_email": email})
}

// Unshare takes a companion back; see itinerary.Store. To a companion who left, the
// trip is the zero Trip.
func (s Trips) Unshare(ctx context.Context, by identity.Caller, code, name string) (itinerary.Trip, error) {
	return s.change(ctx, by, "trip_unshare", supabase.Args{"p_trip": code, "p_name": name})
}
