package hospitality

import (
	"cmp"
	"context"
	"slices"

	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/hospitality/chefmenu"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/supabase"
)

// ChefMenu is a chefmenu.Store.
type ChefMenu struct{ client *supabase.Client }

var _ chefmenu.Store = ChefMenu{}

// NewChefMenu returns the store in the project of client.
func NewChefMenu(client *supabase.Client) ChefMenu { return ChefMenu{client} }

func dish(r row[chefmenu.Item], by identity.Caller) chefmenu.Item {
	r.Value.Currency, r.Value.Version = by.Entity.Currency, r.Version
	return r.Value
}

// List returns the dishes; see chefmenu.Store.
func (s ChefMenu) List(ctx context.Context, by identity.Caller) ([]chefmenu.Item, error) {
	items, err := listed(ctx, s.client, by, "chef_menu_list", nil, dish)
	if err != nil {
		return nil, err
	}
	order := chefmenu.Categories()
	slices.SortStableFunc(items, func(a, b chefmenu.Item) int {
		return cmp.Compare(slices.Index(order, a.Category), slices.Index(order, b.Category))
	})
	return items, nil
}

// Create adds a dish; see chefmenu.Store.
func (s ChefMenu) Create(ctx context.Context, by identity.Caller, i chefmenu.Item) (chefmenu.Item, error) {
	return s.write(ctx, by, "create_chef_menu_item", supabase.Args{"p_item": columns{of: i}})
}

// Update changes a dish; see chefmenu.Store.
func (s ChefMenu) Update(ctx context.Context, by identity.Caller, code string, c chefmenu.Changes) (chefmenu.Item,
	error) {
	return s.write(ctx, by, "update_chef_menu_item", supabase.Args{"p_code": code, "p_changes": c})
}

// Toggle offers a dish or takes it off the menu; see chefmenu.Store.
func (s ChefMenu) Toggle(ctx context.Context, by identity.Caller, code string, available *bool) (chefmenu.Item,
	error) {
	return s.write(ctx, by, "toggle_chef_menu_item", supabase.Args{"p_code": code, "p_available": available})
}

func (s ChefMenu) write(ctx context.Context, by identity.Caller, function string, args supabase.Args) (chefmenu.Item,
	error) {
	if _, err := inProperty(by); err != nil {
		return chefmenu.Item{}, err
	}
	args["p_entity"] = by.Entity.ID
	r, err := supabase.Call(ctx, s.client.As(by), function, args, rowIn[row[chefmenu.Item]]("chef_menu_items"))
	return dish(r, by), err
}

// Chosen counts the selections that name a dish; see chefmenu.Store.
func (s ChefMenu) Chosen(ctx context.Context, by identity.Caller, code string) (int, error) {
	if _, err := inProperty(by); err != nil {
		return 0, err
	}
	n, err := supabase.Read[*int](ctx, s.client.As(by), "chef_menu_item_use", supabase.Args{"p_entity": by.Entity.ID,
		"p_code": code})
	if err == nil && n == nil {
		err = fault.New(fault.NotFound, "There is no dish %s.", code)
	}
	if err != nil {
		return 0, err
	}
	return *n, nil
}

// Delete removes a dish; see chefmenu.Store.
func (s ChefMenu) Delete(ctx context.Context, by identity.Caller, code string) (string, error) {
	if _, err := inProperty(by); err != nil {
		return "", err
	}
	return supabase.Call(ctx, s.client.As(by), "delete_chef_menu_item", supabase.Args{"p_entity": by.Entity.ID,
		"p_code": code}, keyIn("chef_menu_items"))
}
