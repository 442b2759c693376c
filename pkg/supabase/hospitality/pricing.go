package hospitality

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/hospitality/pricing"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/supabase"
)

// Pricing is a pricing.Store.
type Pricing struct{ client *supabase.Client }

var _ pricing.Store = Pricing{}

// NewPricing returns the store in the project of client.
func NewPricing(client *supabase.Client) Pricing { return Pricing{client} }

const tierColumns = "code,name,min_occupancy,max_occupancy,adjustment_percent,lead_days_min,lead_days_max,version"

func tier(r row[pricing.Tier]) pricing.Tier {
	r.Value.Version = r.Version
	return r.Value
}

// modelRow is a model with its tiers and the room types that name it.
type modelRow struct {
	pricing.Model
	IsDefault    bool
	PricingTiers []row[pricing.Tier]
	RoomTypes    []roomID
}

func model(r row[modelRow], _ identity.Caller) pricing.Model {
	m := r.Value.Model
	m.Default, m.Version = r.Value.IsDefault, r.Version
	m.Tiers, m.Rooms = make([]pricing.Tier, len(r.Value.PricingTiers)), make([]pricing.Room, len(r.Value.RoomTypes))
	for i, t := range r.Value.PricingTiers {
		m.Tiers[i] = tier(t)
	}
	slices.SortFunc(m.Tiers, func(a, b pricing.Tier) int {
		if by := a.Min.Cmp(b.Min); by != 0 {
			return by
		}
		return a.LeadMin - b.LeadMin
	})
	for i, room := range r.Value.RoomTypes {
		m.Rooms[i] = room.room()
	}
	return m
}

// Models returns the models; see pricing.Store.
func (s Pricing) Models(ctx context.Context, by identity.Caller) ([]pricing.Model, error) {
	return listed(ctx, s.client, by, "pricing_model_list", nil, model)
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

// sold returns what can be asked for of one kind, by name.
func (s Pricing) sold(ctx context.Context, by identity.Caller, function string) ([]roomID, error) {
	return records[roomID](ctx, s.client, by, function, supabase.Args{"p_inactive": true})
}

func (s Pricing) rooms(ctx context.Context, by identity.Caller) ([]roomID, error) {
	return s.sold(ctx, by, "room_type_list")
}

// Sold returns what can be asked for; see pricing.Store.
func (s Pricing) Sold(ctx context.Context, by identity.Caller) (sold pricing.Sold, err error) {
	for _, each := range []struct {
		function string
		into     *[]pricing.Room
	}{
		{"room_type_list", &sold.Rooms},
		{"package_list", &sold.Packages},
		{"extra_list", &sold.Extras},
	} {
		rows, err := s.sold(ctx, by, each.function)
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
	quotes, err := supabase.Read[[]pricing.Quote](ctx, s.client.As(by), "quotes",
		supabase.Args{"p_entity": by.Entity.ID, "p_requests": string(text)})
	if err == nil && len(quotes) != len(requests) {
		err = fault.New(fault.Upstream, "The database answered %d quotes for %d stays.", len(quotes), len(requests))
	}
	return quotes, err
}

// seasonRow is a season with the id of its room type, "" for all.
type seasonRow struct {
	pricing.Season
	RoomTypeID string
}

const seasonColumns = "code,name,room_type_id,starts_on,ends_on,weekday_price,weekend_price,min_stay,closed_arrival," +
	"closed_departure,priority,active,version"

// season makes a season of a row, with one of these room types.
func season(r row[seasonRow], by identity.Caller, rooms []roomID) pricing.Season {
	season := r.Value.Season
	season.Currency, season.Version = by.Entity.Currency, r.Version
	for _, room := range rooms {
		if r.Value.RoomTypeID == room.ID {
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
	return listed(ctx, s.client, by, "season_list", nil, func(r row[seasonRow], by identity.Caller) pricing.Season {
		return season(r, by, rooms)
	})
}

// seasonFields returns the changes by column, with the id of the room type.
func seasonFields(c pricing.SeasonChanges, rooms []roomID) (map[string]any, error) {
	fields, err := columns{of: c}.members()
	if err != nil || c.Room == nil {
		return fields, err
	}
	fields["room_type_id"] = nil
	if *c.Room == "" {
		return fields, nil
	}
	for _, r := range rooms {
		if r.Code == *c.Room {
			fields["room_type_id"] = r.ID
			return fields, nil
		}
	}
	return nil, fault.New(fault.NotFound, "There is no room type %s.", *c.Room)
}

// AddSeason adds a season; see pricing.Store.
func (s Pricing) AddSeason(ctx context.Context, by identity.Caller, c pricing.SeasonChanges) (pricing.Season, error) {
	return s.writeSeason(ctx, by, c, func(changes map[string]any) (row[seasonRow], error) {
		changes["org_id"], changes["entity_id"] = by.OrgID, by.Entity.ID
		return supabase.Insert[row[seasonRow]](ctx, s.client.As(by), "seasonal_pricing", seasonColumns, changes)
	})
}

// ChangeSeason changes a season; see pricing.Store.
func (s Pricing) ChangeSeason(ctx context.Context, by identity.Caller, code string, version int,
	c pricing.SeasonChanges) (pricing.Season, error) {
	return s.writeSeason(ctx, by, c, func(changes map[string]any) (row[seasonRow], error) {
		q, err := versioned(by, "seasonal_pricing", seasonColumns, code, version)
		if err != nil {
			return row[seasonRow]{}, err
		}
		return supabase.Update[row[seasonRow]](ctx, s.client.As(by), q, changes)
	})
}

func (s Pricing) writeSeason(
	ctx context.Context, by identity.Caller, c pricing.SeasonChanges,
	write func(map[string]any) (row[seasonRow], error),
) (pricing.Season, error) {
	rooms, err := s.rooms(ctx, by)
	if err != nil {
		return pricing.Season{}, err
	}
	changes, err := seasonFields(c, rooms)
	if err != nil {
		return pricing.Season{}, err
	}
	written, err := write(changes)
	return season(written, by, rooms), err
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
	m, err := supabase.One[roomID](ctx, s.client.As(by), supabase.Query{Table: "pricing_models",
		Columns: "id,code,name",
		Where:   append(where, supabase.Eq("code", model))})
	if err != nil {
		return pricing.Tier{}, err
	}
	fields, err := tierFields(t)
	if err != nil {
		return pricing.Tier{}, err
	}
	fields["org_id"], fields["entity_id"], fields["model_id"] = by.OrgID, by.Entity.ID, m.ID
	made, err := supabase.Insert[row[pricing.Tier]](ctx, s.client.As(by), "pricing_tiers", tierColumns, fields)
	return tier(made), err
}

// ChangeTier changes a tier; see pricing.Store.
func (s Pricing) ChangeTier(ctx context.Context, by identity.Caller, t pricing.Tier) (pricing.Tier, error) {
	q, err := versioned(by, "pricing_tiers", tierColumns, t.Code, t.Version)
	if err != nil {
		return pricing.Tier{}, err
	}
	fields, err := tierFields(t)
	if err != nil {
		return pricing.Tier{}, err
	}
	made, err := supabase.Update[row[pricing.Tier]](ctx, s.client.As(by), q, fields)
	return tier(made), err
}

// tierFields returns a tier by column. Its code is the database's.
func tierFields(t pricing.Tier) (map[string]any, error) {
	fields, err := columns{of: t}.members()
	delete(fields, "code")
	return fields, err
}
