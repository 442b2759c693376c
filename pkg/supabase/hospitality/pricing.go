package hospitality

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/hospitality/pricing"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/money"
	"github.com/bellhop-ai/bellhop/pkg/supabase"
)

// Pricing is a pricing.Store.
type Pricing struct{ client *supabase.Client }

var _ pricing.Store = Pricing{}

// NewPricing returns the store in the project of client.
func NewPricing(client *supabase.Client) Pricing { return Pricing{client} }

type tierRow struct {
	Code       string       `json:"code"`
	Name       string       `json:"name"`
	Min        money.Amount `json:"min_occupancy"`
	Max        money.Amount `json:"max_occupancy"`
	Adjustment money.Amount `json:"adjustment_percent"`
	LeadMin    int          `json:"lead_days_min"`
	LeadMax    *int         `json:"lead_days_max"`
	Version    int          `json:"version"`
}

const tierColumns = "code,name,min_occupancy,max_occupancy,adjustment_percent,lead_days_min,lead_days_max,version"

func (r tierRow) tier() pricing.Tier { return pricing.Tier(r) }

// Models returns the models; see pricing.Store.
func (s Pricing) Models(ctx context.Context, by identity.Caller) ([]pricing.Model, error) {
	where, err := inProperty(by)
	if err != nil {
		return nil, err
	}
	rows, err := supabase.Select[struct {
		Code        string    `json:"code"`
		Name        string    `json:"name"`
		Description string    `json:"description"`
		Default     bool      `json:"is_default"`
		Active      bool      `json:"active"`
		Version     int       `json:"version"`
		Tiers       []tierRow `json:"pricing_tiers"`
		Rooms       []roomID  `json:"room_types"`
	}](ctx, s.client.As(by), supabase.Query{
		Table: "pricing_models", Columns: "code,name,description,is_default,active,version,pricing_tiers(" + tierColumns + "),room_types(id,code,name,active)",
		Where: where, Order: []supabase.Order{supabase.Desc("is_default"), supabase.Asc("name"), supabase.Asc("code")},
	})
	if err != nil {
		return nil, err
	}
	models := make([]pricing.Model, len(rows))
	for i, r := range rows {
		m := pricing.Model{Code: r.Code, Name: r.Name, Description: r.Description, Default: r.Default, Active: r.Active, Version: r.Version,
			Tiers: make([]pricing.Tier, len(r.Tiers)), Rooms: make([]pricing.Room, len(r.Rooms))}
		for j, t := range r.Tiers {
			m.Tiers[j] = t.tier()
		}
		slices.SortFunc(m.Tiers, func(a, b pricing.Tier) int {
			if by := a.Min.Cmp(b.Min); by != 0 {
				return by
			}
			return a.LeadMin - b.LeadMin
		})
		for j, room := range r.Rooms {
			m.Rooms[j] = room.room()
		}
		models[i] = m
	}
	return models, nil
}

// roomID is a room type as seasons refer to it.
type roomID struct {
	ID       string `json:"id"`
	Code     string `json:"code"`
	Name     string `json:"name"`
	Active   bool   `json:"active"`
	Capacity int    `json:"capacity"`
}

func (r roomID) room() pricing.Room {
	return pricing.Room{Code: r.Code, Name: r.Name, Active: r.Active, Beds: r.Capacity}
}

// things returns what a table sells, by name.
func (s Pricing) things(ctx context.Context, by identity.Caller, table, columns string) ([]roomID, error) {
	where, err := inProperty(by)
	if err != nil {
		return nil, err
	}
	return supabase.Select[roomID](ctx, s.client.As(by), supabase.Query{
		Table: table, Columns: columns, Where: where, Order: []supabase.Order{supabase.Asc("name"), supabase.Asc("code")},
	})
}

func (s Pricing) rooms(ctx context.Context, by identity.Caller) ([]roomID, error) {
	return s.things(ctx, by, "room_types", "id,code,name,active,capacity")
}

// Sold returns what can be asked for; see pricing.Store.
func (s Pricing) Sold(ctx context.Context, by identity.Caller) (sold pricing.Sold, err error) {
	for _, each := range []struct {
		table, columns string
		into           *[]pricing.Room
	}{
		{"room_types", "id,code,name,active,capacity", &sold.Rooms},
		{"packages", "id,code,name,active", &sold.Packages},
		{"extras", "id,code,name,active", &sold.Extras},
	} {
		rows, err := s.things(ctx, by, each.table, each.columns)
		if err != nil {
			return pricing.Sold{}, err
		}
		for _, r := range rows {
			*each.into = append(*each.into, r.room())
		}
	}
	return sold, nil
}

// Quotes prices stays; see pricing.Store.
func (s Pricing) Quotes(ctx context.Context, by identity.Caller, requests []pricing.Request) ([]pricing.Quote, error) {
	if _, err := inProperty(by); err != nil {
		return nil, err
	}
	text, err := json.Marshal(requests)
	if err != nil {
		return nil, fmt.Errorf("encode requests for quotes: %w", err)
	}
	quotes, err := supabase.Read[[]pricing.Quote](ctx, s.client.As(by), "quotes", supabase.Args{"p_entity": by.Entity.ID, "p_requests": string(text)})
	if err == nil && len(quotes) != len(requests) {
		err = fault.New(fault.Upstream, "The database answered %d quotes for %d stays.", len(quotes), len(requests))
	}
	return quotes, err
}

type seasonRow struct {
	Code            string        `json:"code"`
	Name            string        `json:"name"`
	RoomType        *string       `json:"room_type_id"`
	Starts          calendar.Date `json:"starts_on"`
	Ends            calendar.Date `json:"ends_on"`
	Weekday         *money.Amount `json:"weekday_price"`
	Weekend         *money.Amount `json:"weekend_price"`
	MinStay         *int          `json:"min_stay"`
	ClosedArrival   bool          `json:"closed_arrival"`
	ClosedDeparture bool          `json:"closed_departure"`
	Priority        int           `json:"priority"`
	Active          bool          `json:"active"`
	Version         int           `json:"version"`
}

const seasonColumns = "code,name,room_type_id,starts_on,ends_on,weekday_price,weekend_price,min_stay,closed_arrival,closed_departure,priority,active,version"

func (r seasonRow) season(by identity.Caller, rooms []roomID) pricing.Season {
	season := pricing.Season{Code: r.Code, Name: r.Name, Starts: r.Starts, Ends: r.Ends, Weekday: r.Weekday, Weekend: r.Weekend, MinStay: r.MinStay,
		ClosedArrival: r.ClosedArrival, ClosedDeparture: r.ClosedDeparture, Priority: r.Priority, Active: r.Active, Currency: by.Entity.Currency, Version: r.Version}
	for _, room := range rooms {
		if r.RoomType != nil && *r.RoomType == room.ID {
			found := room.room()
			season.Room = &found
		}
	}
	return season
}

// Seasons returns the seasons; see pricing.Store.
func (s Pricing) Seasons(ctx context.Context, by identity.Caller) ([]pricing.Season, error) {
	rooms, err := s.rooms(ctx, by)
	if err != nil {
		return nil, err
	}
	where, err := inProperty(by)
	if err != nil {
		return nil, err
	}
	rows, err := supabase.Select[seasonRow](ctx, s.client.As(by), supabase.Query{Table: "seasonal_pricing", Columns: seasonColumns, Where: where,
		Order: []supabase.Order{supabase.Asc("starts_on"), supabase.Asc("code")}})
	seasons := make([]pricing.Season, len(rows))
	for i, r := range rows {
		seasons[i] = r.season(by, rooms)
	}
	return seasons, err
}

// seasonPatch turns changes into columns.
func seasonPatch(c pricing.SeasonChanges, rooms []roomID) (map[string]any, error) {
	row := map[string]any{}
	set := func(column string, value any, given bool) {
		if given {
			row[column] = value
		}
	}
	set("name", c.Name, c.Name != nil)
	set("starts_on", c.Starts, c.Starts != nil)
	set("ends_on", c.Ends, c.Ends != nil)
	set("weekday_price", c.Weekday, c.Weekday != nil)
	set("weekend_price", c.Weekend, c.Weekend != nil)
	set("min_stay", c.MinStay, c.MinStay != nil)
	set("closed_arrival", c.ClosedArrival, c.ClosedArrival != nil)
	set("closed_departure", c.ClosedDeparture, c.ClosedDeparture != nil)
	set("priority", c.Priority, c.Priority != nil)
	set("active", c.Active, c.Active != nil)
	if c.Room == nil {
		return row, nil
	}
	row["room_type_id"] = nil
	if *c.Room == "" {
		return row, nil
	}
	for _, r := range rooms {
		if r.Code == *c.Room {
			row["room_type_id"] = r.ID
			return row, nil
		}
	}
	return nil, fault.New(fault.NotFound, "There is no room type %s.", *c.Room)
}

// AddSeason adds a season; see pricing.Store.
func (s Pricing) AddSeason(ctx context.Context, by identity.Caller, c pricing.SeasonChanges) (pricing.Season, error) {
	return s.writeSeason(ctx, by, c, func(row map[string]any) (seasonRow, error) {
		row["org_id"], row["entity_id"] = by.OrgID, by.Entity.ID
		return supabase.Insert[seasonRow](ctx, s.client.As(by), "seasonal_pricing", seasonColumns, row)
	})
}

// ChangeSeason changes a season; see pricing.Store.
func (s Pricing) ChangeSeason(ctx context.Context, by identity.Caller, code string, version int, c pricing.SeasonChanges) (pricing.Season, error) {
	return s.writeSeason(ctx, by, c, func(row map[string]any) (seasonRow, error) {
		q, err := versioned(by, "seasonal_pricing", seasonColumns, code, version)
		if err != nil {
			return seasonRow{}, err
		}
		return supabase.Update[seasonRow](ctx, s.client.As(by), q, row)
	})
}

func (s Pricing) writeSeason(ctx context.Context, by identity.Caller, c pricing.SeasonChanges, write func(map[string]any) (seasonRow, error)) (pricing.Season, error) {
	rooms, err := s.rooms(ctx, by)
	if err != nil {
		return pricing.Season{}, err
	}
	row, err := seasonPatch(c, rooms)
	if err != nil {
		return pricing.Season{}, err
	}
	written, err := write(row)
	return written.season(by, rooms), err
}

// versioned means the row of a code as it was read; version 0 means any.
func versioned(by identity.Caller, table, columns, code string, version int) (supabase.Query, error) {
	where, err := inProperty(by)
	where = append(where, supabase.Eq("code", code))
	if version != 0 {
		where = append(where, supabase.Version(version))
	}
	return supabase.Query{Table: table, Columns: columns, Where: where}, err
}

// RemoveSeason deletes a season; see pricing.Store.
func (s Pricing) RemoveSeason(ctx context.Context, by identity.Caller, code string, version int) error {
	return s.remove(ctx, by, "seasonal_pricing", code, version)
}

// RemoveTier deletes a tier; see pricing.Store.
func (s Pricing) RemoveTier(ctx context.Context, by identity.Caller, code string, version int) error {
	return s.remove(ctx, by, "pricing_tiers", code, version)
}

func (s Pricing) remove(ctx context.Context, by identity.Caller, table, code string, version int) error {
	q, err := versioned(by, table, "code", code, version)
	if err != nil {
		return err
	}
	_, err = supabase.Delete[struct{}](ctx, s.client.As(by), q)
	return err
}

// AddTier adds a tier; see pricing.Store.
func (s Pricing) AddTier(ctx context.Context, by identity.Caller, model string, t pricing.Tier) (pricing.Tier, error) {
	where, err := inProperty(by)
	if err != nil {
		return pricing.Tier{}, err
	}
	m, err := supabase.One[roomID](ctx, s.client.As(by), supabase.Query{Table: "pricing_models", Columns: "id,code,name",
		Where: append(where, supabase.Eq("code", model))})
	if err != nil {
		return pricing.Tier{}, err
	}
	row := tierPatch(t)
	row["org_id"], row["entity_id"], row["model_id"] = by.OrgID, by.Entity.ID, m.ID
	made, err := supabase.Insert[tierRow](ctx, s.client.As(by), "pricing_tiers", tierColumns, row)
	return made.tier(), err
}

// ChangeTier changes a tier; see pricing.Store.
func (s Pricing) ChangeTier(ctx context.Context, by identity.Caller, t pricing.Tier) (pricing.Tier, error) {
	q, err := versioned(by, "pricing_tiers", tierColumns, t.Code, t.Version)
	if err != nil {
		return pricing.Tier{}, err
	}
	made, err := supabase.Update[tierRow](ctx, s.client.As(by), q, tierPatch(t))
	return made.tier(), err
}

func tierPatch(t pricing.Tier) map[string]any {
	return map[string]any{"name": t.Name, "min_occupancy": t.Min, "max_occupancy": t.Max, "adjustment_percent": t.Adjustment,
		"lead_days_min": t.LeadMin, "lead_days_max": t.LeadMax}
}
