package hospitality

import (
	"cmp"
	"context"
	"slices"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/effect"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/hospitality/packages"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/money"
	"github.com/bellhop-ai/bellhop/pkg/supabase"
)

// Packages is a packages.Store.
type Packages struct{ client *supabase.Client }

var _ packages.Store = Packages{}

// NewPackages returns the store in the project of client.
func NewPackages(client *supabase.Client) Packages { return Packages{client} }

type packageRow struct {
	Code             string         `json:"code"`
	Name             string         `json:"name"`
	Description      string         `json:"description"`
	Price            money.Amount   `json:"price"`
	Per              packages.Per   `json:"per"`
	RoomSharePercent money.Amount   `json:"room_share_percent"`
	MinNights        int            `json:"min_nights"`
	MaxNights        *int           `json:"max_nights"`
	IncludedGuests   int            `json:"included_guests"`
	ValidFrom        *calendar.Date `json:"valid_from"`
	ValidTo          *calendar.Date `json:"valid_to"`
	Active           bool           `json:"active"`
	Version          int            `json:"version"`
	Rooms            []struct {
		Room packages.Part `json:"room_types"`
	} `json:"packages_rooms"`
	Extras []struct {
		Quantity int           `json:"quantity"`
		Extra    packages.Part `json:"extras"`
	} `json:"packages_extras"`
}

const packageColumns = "code,name,description,price,per,room_share_percent,min_nights,max_nights,included_guests,valid_from,valid_to,active,version," +
	"packages_rooms(room_types(code,name)),packages_extras(quantity,extras(code,name))"

func (r packageRow) pack(by identity.Caller) packages.Package {
	p := packages.Package{
		Code: r.Code, Name: r.Name, Description: r.Description, Price: r.Price, Currency: by.Entity.Currency, Per: r.Per,
		RoomSharePercent: r.RoomSharePercent, MinNights: r.MinNights, MaxNights: r.MaxNights, IncludedGuests: r.IncludedGuests,
		ValidFrom: r.ValidFrom, ValidTo: r.ValidTo, Active: r.Active, Version: r.Version, Rooms: []packages.Part{}, Extras: []packages.Part{},
	}
	for _, part := range r.Rooms {
		p.Rooms = append(p.Rooms, part.Room)
	}
	for _, part := range r.Extras {
		part.Extra.Quantity = part.Quantity
		p.Extras = append(p.Extras, part.Extra)
	}
	byName := func(a, b packages.Part) int { return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.Code, b.Code)) }
	slices.SortFunc(p.Rooms, byName)
	slices.SortFunc(p.Extras, byName)
	return p
}

// List returns the packages; see packages.Store.
func (s Packages) List(ctx context.Context, by identity.Caller, inactive bool) ([]packages.Package, error) {
	where, err := inProperty(by)
	if err != nil {
		return nil, err
	}
	if !inactive {
		where = append(where, supabase.IsTrue("active"))
	}
	rows, err := supabase.Select[packageRow](ctx, s.client.As(by), supabase.Query{
		Table: "packages", Columns: packageColumns, Where: where, Order: []supabase.Order{supabase.Asc("name"), supabase.Asc("code")},
	})
	if err != nil {
		return nil, err
	}
	list := make([]packages.Package, len(rows))
	for i, r := range rows {
		list[i] = r.pack(by)
	}
	return list, nil
}

// Create adds a package; see packages.Store.
func (s Packages) Create(ctx context.Context, by identity.Caller, p packages.Package) (packages.Package, error) {
	return s.write(ctx, by, "create_package", supabase.Args{
		"p_package": map[string]any{
			"name": p.Name, "description": p.Description, "price": p.Price, "per": p.Per, "room_share_percent": p.RoomSharePercent,
			"min_nights": p.MinNights, "max_nights": p.MaxNights, "included_guests": p.IncludedGuests, "valid_from": p.ValidFrom, "valid_to": p.ValidTo,
		},
		"p_rooms": roomCodes(p.Rooms), "p_extras": p.Extras,
	})
}

// Update changes a package; see packages.Store.
func (s Packages) Update(ctx context.Context, by identity.Caller, code string, c packages.Changes) (packages.Package, error) {
	changes := map[string]any{}
	set(changes, "name", c.Name)
	set(changes, "description", c.Description)
	set(changes, "price", c.Price)
	set(changes, "room_share_percent", c.RoomSharePercent)
	set(changes, "min_nights", c.MinNights)
	set(changes, "max_nights", c.MaxNights)
	set(changes, "included_guests", c.IncludedGuests)
	set(changes, "valid_from", c.ValidFrom)
	set(changes, "valid_to", c.ValidTo)
	set(changes, "active", c.Active)
	if c.Per != "" {
		changes["per"] = c.Per
	}
	for _, field := range c.Clear {
		changes[string(field)] = nil
	}
	args := supabase.Args{"p_code": code, "p_changes": changes, "p_rooms": nil, "p_extras": c.Extras}
	if c.Rooms != nil {
		args["p_rooms"] = roomCodes(*c.Rooms)
	}
	return s.write(ctx, by, "update_package", args)
}

func roomCodes(parts []packages.Part) []string {
	codes := []string{}
	for _, p := range parts {
		codes = append(codes, p.Code)
	}
	return codes
}

func (s Packages) write(ctx context.Context, by identity.Caller, function string, args supabase.Args) (packages.Package, error) {
	if _, err := inProperty(by); err != nil {
		return packages.Package{}, err
	}
	args["p_entity"] = by.Entity.ID
	row, err := supabase.Call(ctx, s.client.As(by), function, args, func(did effect.Outcome) (packageRow, error) {
		// Its parts stand in other tables, so it is answered as it is now.
		code, err := keyIn("packages")(did)
		if err != nil {
			return packageRow{}, err
		}
		return supabase.One[packageRow](ctx, s.client.As(by), supabase.Query{
			Table: "packages", Columns: packageColumns, Where: []supabase.Cond{supabase.Eq("entity_id", by.Entity.ID), supabase.Eq("code", code)},
		})
	})
	return row.pack(by), err
}

// Use tells what depends on a package; see packages.Store.
func (s Packages) Use(ctx context.Context, by identity.Caller, code string) (packages.Use, error) {
	if _, err := inProperty(by); err != nil {
		return packages.Use{}, err
	}
	use, err := supabase.Read[*packages.Use](ctx, s.client.As(by), "package_use", supabase.Args{"p_entity": by.Entity.ID, "p_code": code})
	if err == nil && use == nil {
		err = fault.New(fault.NotFound, "There is no package %s.", code)
	}
	if err != nil {
		return packages.Use{}, err
	}
	return *use, nil
}

// Delete removes a package; see packages.Store.
func (s Packages) Delete(ctx context.Context, by identity.Caller, code string) (string, error) {
	if _, err := inProperty(by); err != nil {
		return "", err
	}
	return supabase.Call(ctx, s.client.As(by), "delete_package", supabase.Args{"p_entity": by.Entity.ID, "p_code": code}, keyIn("packages"))
}
