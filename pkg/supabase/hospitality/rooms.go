// Package hospitality keeps a hotel's records in Supabase. Every store sends
// the caller's own token, so the row policies decide what is seen; the chosen
// property narrows it further.
package hospitality

import (
	"cmp"
	"context"
	"slices"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/effect"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/hospitality/rooms"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/money"
	"github.com/bellhop-ai/bellhop/pkg/supabase"
)

// Rooms is a rooms.Store.
type Rooms struct{ client *supabase.Client }

var _ rooms.Store = Rooms{}

// NewRooms returns the store in the project of client.
func NewRooms(client *supabase.Client) Rooms { return Rooms{client} }

type roomRow struct {
	Code                string        `json:"code"`
	Name                string        `json:"name"`
	Description         string        `json:"description"`
	Capacity            int           `json:"capacity"`
	IncludedGuests      int           `json:"included_guests"`
	ExtraGuestPrice     money.Amount  `json:"extra_guest_price"`
	WeekdayPrice        money.Amount  `json:"weekday_price"`
	WeekendPrice        money.Amount  `json:"weekend_price"`
	FloorPrice          *money.Amount `json:"floor_price"`
	CeilingPrice        *money.Amount `json:"ceiling_price"`
	MinStay             int           `json:"min_stay"`
	MaxStay             int           `json:"max_stay"`
	ClosedArrivalDays   []int         `json:"closed_arrival_days"`
	ClosedDepartureDays []int         `json:"closed_departure_days"`
	Amenities           []string      `json:"amenities"`
	Active              bool          `json:"active"`
	Version             int           `json:"version"`
	Units               []struct {
		Code   string `json:"code"`
		Active bool   `json:"active"`
	} `json:"rooms"`
}

const roomColumns = "code,name,description,capacity,included_guests,extra_guest_price,weekday_price,weekend_price,floor_price,ceiling_price," +
	"min_stay,max_stay,closed_arrival_days,closed_departure_days,amenities,active,version,rooms(code,active)"

func (r roomRow) room(by identity.Caller) rooms.Type {
	t := rooms.Type{
		Code: r.Code, Name: r.Name, Description: r.Description, Capacity: r.Capacity, IncludedGuests: r.IncludedGuests,
		ExtraGuestPrice: r.ExtraGuestPrice, WeekdayPrice: r.WeekdayPrice, WeekendPrice: r.WeekendPrice, FloorPrice: r.FloorPrice,
		CeilingPrice: r.CeilingPrice, Currency: by.Entity.Currency, MinStay: r.MinStay, MaxStay: r.MaxStay,
		ClosedArrivalDays: weekdays(r.ClosedArrivalDays), ClosedDepartureDays: weekdays(r.ClosedDepartureDays),
		Amenities: r.Amenities, Active: r.Active, Version: r.Version, Units: []string{},
	}
	for _, u := range r.Units {
		if u.Active {
			t.Units = append(t.Units, u.Code)
		}
	}
	// COCO-10 comes after COCO-9.
	slices.SortFunc(t.Units, func(a, b string) int { return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b)) })
	return t
}

// weekdays names ISO weekdays; 1 is Monday.
func weekdays(numbers []int) []rooms.Weekday {
	names := rooms.Weekday("").Values()
	days := []rooms.Weekday{}
	for _, n := range numbers {
		days = append(days, rooms.Weekday(names[n-1]))
	}
	return days
}

func isoNumbers(days []rooms.Weekday) []int {
	numbers := []int{}
	for _, d := range days {
		numbers = append(numbers, slices.Index(d.Values(), string(d))+1)
	}
	slices.Sort(numbers)
	return slices.Compact(numbers)
}

// List returns the room types; see rooms.Store.
func (s Rooms) List(ctx context.Context, by identity.Caller, inactive bool) ([]rooms.Type, error) {
	where, err := inProperty(by)
	if err != nil {
		return nil, err
	}
	if !inactive {
		where = append(where, supabase.IsTrue("active"))
	}
	rows, err := supabase.Select[roomRow](ctx, s.client.As(by), supabase.Query{
		Table: "room_types", Columns: roomColumns, Where: where,
		Order: []supabase.Order{supabase.Asc("name"), supabase.Asc("code")},
	})
	if err != nil {
		return nil, err
	}
	types := make([]rooms.Type, len(rows))
	for i, r := range rows {
		types[i] = r.room(by)
	}
	return types, nil
}

// Create adds a room type; see rooms.Store.
func (s Rooms) Create(ctx context.Context, by identity.Caller, t rooms.Type, units int) (rooms.Type, error) {
	if _, err := inProperty(by); err != nil {
		return rooms.Type{}, err
	}
	row, err := supabase.Call(ctx, s.client.As(by), "create_room_type", supabase.Args{
		"p_entity": by.Entity.ID, "p_units": units, "p_type": map[string]any{
			"name": t.Name, "description": t.Description, "capacity": t.Capacity, "included_guests": t.IncludedGuests,
			"extra_guest_price": t.ExtraGuestPrice, "weekday_price": t.WeekdayPrice, "weekend_price": t.WeekendPrice,
			"floor_price": t.FloorPrice, "ceiling_price": t.CeilingPrice, "min_stay": t.MinStay, "max_stay": t.MaxStay,
			"closed_arrival_days": isoNumbers(t.ClosedArrivalDays), "closed_departure_days": isoNumbers(t.ClosedDepartureDays),
			"amenities": t.Amenities,
		}}, s.again(ctx, by))
	return row.room(by), err
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
func (s Rooms) Update(ctx context.Context, by identity.Caller, code string, c rooms.Changes, today calendar.Date) (rooms.Type, error) {
	if _, err := inProperty(by); err != nil {
		return rooms.Type{}, err
	}
	changes := map[string]any{}
	set(changes, "name", c.Name)
	set(changes, "description", c.Description)
	set(changes, "capacity", c.Capacity)
	set(changes, "included_guests", c.IncludedGuests)
	set(changes, "extra_guest_price", c.ExtraGuestPrice)
	set(changes, "weekday_price", c.WeekdayPrice)
	set(changes, "weekend_price", c.WeekendPrice)
	set(changes, "min_stay", c.MinStay)
	set(changes, "max_stay", c.MaxStay)
	set(changes, "floor_price", c.FloorPrice)
	set(changes, "ceiling_price", c.CeilingPrice)
	set(changes, "amenities", c.Amenities)
	set(changes, "active", c.Active)
	if c.ClosedArrivalDays != nil {
		changes["closed_arrival_days"] = isoNumbers(*c.ClosedArrivalDays)
	}
	if c.ClosedDepartureDays != nil {
		changes["closed_departure_days"] = isoNumbers(*c.ClosedDepartureDays)
	}
	for _, field := range c.Clear {
		changes[string(field)] = nil
	}
	row, err := supabase.Call(ctx, s.client.As(by), "update_room_type", supabase.Args{
		"p_entity": by.Entity.ID, "p_code": code, "p_changes": changes, "p_units": c.Units, "p_today": today,
	}, s.again(ctx, by))
	return row.room(by), err
}

// Delete removes a room type; see rooms.Store.
func (s Rooms) Delete(ctx context.Context, by identity.Caller, code string) (string, error) {
	if _, err := inProperty(by); err != nil {
		return "", err
	}
	return supabase.Call(ctx, s.client.As(by), "delete_room_type", supabase.Args{"p_entity": by.Entity.ID, "p_code": code}, keyIn("room_types"))
}

// again answers a repeated call with the type as it is now.
func (s Rooms) again(ctx context.Context, by identity.Caller) func(effect.Outcome) (roomRow, error) {
	return func(did effect.Outcome) (roomRow, error) {
		code, err := keyIn("room_types")(did)
		if err != nil {
			return roomRow{}, err
		}
		return supabase.One[roomRow](ctx, s.client.As(by), supabase.Query{
			Table: "room_types", Columns: roomColumns, Where: []supabase.Cond{supabase.Eq("entity_id", by.Entity.ID), supabase.Eq("code", code)},
		})
	}
}

// set adds a column that changes.
func set[T any](changes map[string]any, column string, value *T) {
	if value != nil {
		changes[column] = *value
	}
}

// inProperty narrows to the caller's chosen property.
func inProperty(by identity.Caller) ([]supabase.Cond, error) {
	if by.Entity.ID == "" {
		return nil, fault.New(fault.Invalid, "No property is chosen.")
	}
	return []supabase.Cond{supabase.Eq("entity_id", by.Entity.ID)}, nil
}
