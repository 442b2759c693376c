// Package hospitality keeps a hotel's records in Supabase. Every store sends
// the caller's own token, so the row policies decide what is seen; the chosen
// property narrows it further.
package hospitality

import (
	"context"

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
	Code            string       `json:"code"`
	Name            string       `json:"name"`
	Description     string       `json:"description"`
	Capacity        int          `json:"capacity"`
	IncludedGuests  int          `json:"included_guests"`
	ExtraGuestPrice money.Amount `json:"extra_guest_price"`
	WeekdayPrice    money.Amount `json:"weekday_price"`
	WeekendPrice    money.Amount `json:"weekend_price"`
	MinStay         int          `json:"min_stay"`
	MaxStay         int          `json:"max_stay"`
	Amenities       []string     `json:"amenities"`
	Active          bool         `json:"active"`
	Units           []struct {
		Code   string `json:"code"`
		Active bool   `json:"active"`
	} `json:"rooms"`
}

const roomColumns = "code,name,description,capacity,included_guests,extra_guest_price,weekday_price,weekend_price," +
	"min_stay,max_stay,amenities,active,rooms(code,active)"

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
		types[i] = rooms.Type{
			Code: r.Code, Name: r.Name, Description: r.Description, Capacity: r.Capacity, IncludedGuests: r.IncludedGuests,
			ExtraGuestPrice: r.ExtraGuestPrice, WeekdayPrice: r.WeekdayPrice, WeekendPrice: r.WeekendPrice,
			Currency: by.Entity.Currency, MinStay: r.MinStay, MaxStay: r.MaxStay, Amenities: r.Amenities, Active: r.Active,
			Units: []string{},
		}
		for _, u := range r.Units {
			if u.Active {
				types[i].Units = append(types[i].Units, u.Code)
			}
		}
	}
	return types, nil
}

// inProperty narrows to the caller's chosen property.
func inProperty(by identity.Caller) ([]supabase.Cond, error) {
	if by.Entity.ID == "" {
		return nil, fault.New(fault.Invalid, "No property is chosen.")
	}
	return []supabase.Cond{supabase.Eq("entity_id", by.Entity.ID)}, nil
}
