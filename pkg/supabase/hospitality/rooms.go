// Package hospitality keeps a hotel's records in Supabase. Every store sends
// the caller's own token, so the row policies decide what is seen; the chosen
// property narrows it further.
package hospitality

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/effect"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/hospitality/rooms"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/supabase"
)

// Rooms is a rooms.Store.
type Rooms struct{ client *supabase.Client }

var _ rooms.Store = Rooms{}

// NewRooms returns the store in the project of client.
func NewRooms(client *supabase.Client) Rooms { return Rooms{client} }

// roomRow is a room type with its units. Its days stand for those of the type,
// which people read.
type roomRow struct {
	rooms.Type
	ClosedArrivalDays   weekdays `json:"closedArrivalDays"`
	ClosedDepartureDays weekdays `json:"closedDepartureDays"`
	Rooms               []unit   `json:"rooms,omitempty"`
}

type unit struct {
	Code   string
	Active bool
}

const roomColumns = "code,name,description,capacity,included_guests,extra_guest_price,weekday_price,weekend_price," +
	"floor_price,ceiling_price,min_stay,max_stay,closed_arrival_days,closed_departure_days,amenities,active,version," +
	"rooms(code,active)"

func room(r row[roomRow], by identity.Caller) rooms.Type {
	t := r.Value.Type
	t.Currency, t.Version, t.Units = by.Entity.Currency, r.Version, []string{}
	t.ClosedArrivalDays, t.ClosedDepartureDays = r.Value.ClosedArrivalDays, r.Value.ClosedDepartureDays
	for _, u := range r.Value.Rooms {
		if u.Active {
			t.Units = append(t.Units, u.Code)
		}
	}
	// COCO-10 comes after COCO-9.
	slices.SortFunc(t.Units, func(a, b string) int { return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b)) })
	return t
}

// weekdays are ISO weekdays in JSON; 1 is Monday.
type weekdays []rooms.Weekday

// MarshalJSON writes the numbers, each once.
func (w weekdays) MarshalJSON() ([]byte, error) {
	numbers := []int{}
	for _, d := range w {
		numbers = append(numbers, slices.Index(d.Values(), string(d))+1)
	}
	slices.Sort(numbers)
	return json.Marshal(slices.Compact(numbers))
}

// UnmarshalJSON reads the numbers.
func (w *weekdays) UnmarshalJSON(data []byte) error {
	var numbers []int
	if err := json.Unmarshal(data, &numbers); err != nil {
		return err
	}
	names := rooms.Weekday("").Values()
	*w = weekdays{}
	for _, n := range numbers {
		if n < 1 || n > len(names) {
			return fmt.Errorf("%d is no weekday", n)
		}
		*w = append(*w, rooms.Weekday(names[n-1]))
	}
	return nil
}

// List returns the room types; see rooms.Store.
func (s Rooms) List(ctx context.Context, by identity.Caller, inactive bool) ([]rooms.Type, error) {
	return listed(ctx, s.client, by, "room_type_list", supabase.Args{"p_inactive": inactive}, room)
}

// Create adds a room type; see rooms.Store.
func (s Rooms) Create(ctx context.Context, by identity.Caller, t rooms.Type, units int) (rooms.Type, error) {
	if _, err := inProperty(by); err != nil {
		return rooms.Type{}, err
	}
	r, err := supabase.Call(ctx, s.client.As(by), "create_room_type", supabase.Args{
		"p_entity": by.Entity.ID, "p_units": units,
		"p_type": columns{of: roomRow{
			Type: t, ClosedArrivalDays: t.ClosedArrivalDays, ClosedDepartureDays: t.ClosedDepartureDays,
		}},
	}, s.again(ctx, by))
	return room(r, by), err
}

// Use tells what depends on a room type; see rooms.Store.
func (s Rooms) Use(ctx context.Context, by identity.Caller, code string, today calendar.Date) (rooms.Use, error) {
	if _, err := inProperty(by); err != nil {
		return rooms.Use{}, err
	}
	use, err := supabase.Read[*rooms.Use](ctx, s.client.As(by), "room_type_use",
		supabase.Args{"p_entity": by.Entity.ID, "p_code": code, "p_today": today})
	if err == nil && use == nil {
		err = fault.New(fault.NotFound, "There is no room type %s.", code)
	}
	if err != nil {
		return rooms.Use{}, err
	}
	return *use, nil
}

// Update changes a room type; see rooms.Store.
func (s Rooms) Update(ctx context.Context, by identity.Caller, code string, c rooms.Changes,
	today calendar.Date) (rooms.Type, error) {
	if _, err := inProperty(by); err != nil {
		return rooms.Type{}, err
	}
	changes := struct {
		rooms.Changes
		ClosedArrivalDays   *weekdays `json:"closed_arrival_days,omitempty"`
		ClosedDepartureDays *weekdays `json:"closed_departure_days,omitempty"`
	}{c, (*weekdays)(c.ClosedArrivalDays), (*weekdays)(c.ClosedDepartureDays)}
	r, err := supabase.Call(ctx, s.client.As(by), "update_room_type", supabase.Args{
		"p_entity": by.Entity.ID, "p_code": code, "p_changes": columns{of: changes, clear: words(c.Clear)},
		"p_units": c.Units, "p_today": today,
	}, s.again(ctx, by))
	return room(r, by), err
}

// Cleaning returns whether units are clean; see rooms.Store.
func (s Rooms) Cleaning(ctx context.Context, by identity.Caller, units []string) ([]rooms.Cleaning, error) {
	if _, err := inProperty(by); err != nil {
		return nil, err
	}
	return supabase.Read[[]rooms.Cleaning](ctx, s.client.As(by), "unit_states",
		supabase.Args{"p_entity": by.Entity.ID, "p_codes": units})
}

// UnitMoves returns what moves when units go; see rooms.Store.
func (s Rooms) UnitMoves(ctx context.Context, by identity.Caller, code string, units int,
	today calendar.Date) ([]rooms.Move, error) {
	if _, err := inProperty(by); err != nil {
		return nil, err
	}
	return supabase.Read[[]rooms.Move](ctx, s.client.As(by), "unit_moves",
		supabase.Args{"p_entity": by.Entity.ID, "p_code": code, "p_units": units, "p_today": today})
}

// Delete removes a room type; see rooms.Store.
func (s Rooms) Delete(ctx context.Context, by identity.Caller, code string) (string, error) {
	if _, err := inProperty(by); err != nil {
		return "", err
	}
	return supabase.Call(ctx, s.client.As(by), "delete_room_type", supabase.Args{"p_entity": by.Entity.ID,
		"p_code": code}, keyIn("room_types"))
}

// again answers a repeated call with the type as it is now.
func (s Rooms) again(ctx context.Context, by identity.Caller) func(effect.Outcome) (row[roomRow], error) {
	return func(did effect.Outcome) (row[roomRow], error) {
		code, err := keyIn("room_types")(did)
		if err != nil {
			return row[roomRow]{}, err
		}
		return supabase.One[row[roomRow]](ctx, s.client.As(by), supabase.Query{
			Table: "room_types", Columns: roomColumns, Where: []supabase.Cond{supabase.Eq("entity_id", by.Entity.ID),
				supabase.Eq("code", code)},
		})
	}
}

// records calls a function that returns records of the caller's chosen property.
func records[T any](
	ctx context.Context, client *supabase.Client, by identity.Caller, function string, args supabase.Args,
) ([]T, error) {
	if _, err := inProperty(by); err != nil {
		return nil, err
	}
	all := supabase.Args{"p_entity": by.Entity.ID}
	maps.Copy(all, args)
	return supabase.Read[[]T](ctx, client.As(by), function, all)
}

// inProperty narrows to the caller's chosen property.
func inProperty(by identity.Caller) ([]supabase.Cond, error) {
	if by.Entity.ID == "" {
		return nil, fault.New(fault.Invalid, "No property is chosen.")
	}
	return []supabase.Cond{supabase.Eq("entity_id", by.Entity.ID)}, nil
}
