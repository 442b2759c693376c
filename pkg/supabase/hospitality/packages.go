package hospitality

import (
	"cmp"
	"context"
	"slices"

	"github.com/bellhop-ai/bellhop/pkg/effect"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/hospitality/packages"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/supabase"
)

// Packages is a packages.Store.
type Packages struct{ client *supabase.Client }

var _ packages.Store = Packages{}

// NewPackages returns the store in the project of client.
func NewPackages(client *supabase.Client) Packages { return Packages{client} }

// packageRow is a package with its parts, which are rows of other tables.
type packageRow struct {
	packages.Package
	PackagesRooms  []struct{ RoomTypes packages.Part }
	PackagesExtras []struct {
		Quantity int
		Extras   packages.Part
	}
}

const packageColumns = "code,name,description,price,per,room_share_percent,min_nights,max_nights,included_guests," +
	"valid_from,valid_to,active,version,packages_rooms(room_types(code,name)),packages_extras(quantity,extras(code," +
	"name))"

func pack(r row[packageRow], by identity.Caller) packages.Package {
	p := r.Value.Package
	p.Currency, p.Version, p.Rooms, p.Extras = by.Entity.Currency, r.Version, []packages.Part{}, []packages.Part{}
	for _, part := range r.Value.PackagesRooms {
		p.Rooms = append(p.Rooms, part.RoomTypes)
	}
	for _, part := range r.Value.PackagesExtras {
		part.Extras.Quantity = part.Quantity
		p.Extras = append(p.Extras, part.Extras)
	}
	byName := func(a, b packages.Part) int { return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.Code, b.Code)) }
	slices.SortFunc(p.Rooms, byName)
	slices.SortFunc(p.Extras, byName)
	return p
}

// List returns the packages; see packages.Store.
func (s Packages) List(ctx context.Context, by identity.Caller, inactive bool) ([]packages.Package, error) {
	return listed(ctx, s.client, by, "package_list", supabase.Args{"p_inactive": inactive}, pack)
}

// Create adds a package; see packages.Store.
func (s Packages) Create(ctx context.Context, by identity.Caller, p packages.Package) (packages.Package, error) {
	return s.write(ctx, by, "create_package",
		supabase.Args{"p_package": columns{of: p}, "p_rooms": roomCodes(p.Rooms), "p_extras": p.Extras})
}

// Update changes a package; see packages.Store.
func (s Packages) Update(ctx context.Context, by identity.Caller, code string, c packages.Changes) (packages.Package,
	error) {
	args := supabase.Args{
		"p_code": code, "p_changes": columns{of: c, clear: words(c.Clear)}, "p_rooms": nil, "p_extras": c.Extras,
	}
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

func (s Packages) write(ctx context.Context, by identity.Caller, function string,
	args supabase.Args) (packages.Package, error) {
	if _, err := inProperty(by); err != nil {
		return packages.Package{}, err
	}
	args["p_entity"] = by.Entity.ID
	r, err := supabase.Call(ctx, s.client.As(by), function, args, func(did effect.Outcome) (row[packageRow], error) {
		// Its parts stand in other tables, so it is answered as it is now.
		code, err := keyIn("packages")(did)
		if err != nil {
			return row[packageRow]{}, err
		}
		return supabase.One[row[packageRow]](ctx, s.client.As(by), supabase.Query{
			Table: "packages", Columns: packageColumns, Where: []supabase.Cond{supabase.Eq("entity_id", by.Entity.ID),
				supabase.Eq("code", code)},
		})
	})
	return pack(r, by), err
}

// Use tells what depends on a package; see packages.Store.
func (s Packages) Use(ctx context.Context, by identity.Caller, code string) (packages.Use, error) {
	if _, err := inProperty(by); err != nil {
		return packages.Use{}, err
	}
	use, err := supabase.Read[*packages.Use](ctx, s.client.As(by), "package_use",
		supabase.Args{"p_entity": by.Entity.ID, "p_code": code})
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
	return supabase.Call(ctx, s.client.As(by), "delete_package", supabase.Args{"p_entity": by.Entity.ID,
		"p_code": code}, keyIn("packages"))
}
