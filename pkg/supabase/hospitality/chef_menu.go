package hospitality

import (
	"cmp"
	"context"
	"slices"

	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/hospitality/chefmenu"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/money"
	"github.com/bellhop-ai/bellhop/pkg/supabase"
)

// ChefMenu is a chefmenu.Store.
type ChefMenu struct{ client *supabase.Client }

var _ chefmenu.Store = ChefMenu{}

// NewChefMenu returns the store in the project of client.
func NewChefMenu(client *supabase.Client) ChefMenu { return ChefMenu{client} }

type dishRow struct {
	Code        string            `json:"code"`
	Name        string            `json:"name"`
	Description string            `json:"description"`
	Category    chefmenu.Category `json:"category"`
	Price       money.Amount      `json:"price"`
	Dietary     []string          `json:"dietary"`
	Available   bool              `json:"available"`
	Version     int               `json:"version"`
}

const dishColumns = "code,name,description,category,price,dietary,available,version"

// dishPatch is chefmenu.Changes with the names of the columns.
type dishPatch struct {
	Name        *string           `json:"name,omitempty"`
	Description *string           `json:"description,omitempty"`
	Category    chefmenu.Category `json:"category,omitempty"`
	Price       *money.Amount     `json:"price,omitempty"`
	Dietary     *[]string         `json:"dietary,omitempty"`
	Available   *bool             `json:"available,omitempty"`
}

func (r dishRow) item(by identity.Caller) chefmenu.Item {
	return chefmenu.Item{
		Code: r.Code, Name: r.Name, Description: r.Description, Category: r.Category, Price: r.Price, Currency: by.Entity.Currency,
		Dietary: r.Dietary, Available: r.Available, Version: r.Version,
	}
}

// List returns the dishes; see chefmenu.Store.
func (s ChefMenu) List(ctx context.Context, by identity.Caller) ([]chefmenu.Item, error) {
	where, err := inProperty(by)
	if err != nil {
		return nil, err
	}
	rows, err := supabase.Select[dishRow](ctx, s.client.As(by), supabase.Query{
		Table: "chef_menu_items", Columns: dishColumns, Where: where, Order: []supabase.Order{supabase.Asc("name"), supabase.Asc("code")},
	})
	if err != nil {
		return nil, err
	}
	items := make([]chefmenu.Item, len(rows))
	for i, r := range rows {
		items[i] = r.item(by)
	}
	order := chefmenu.Categories()
	slices.SortStableFunc(items, func(a, b chefmenu.Item) int {
		return cmp.Compare(slices.Index(order, a.Category), slices.Index(order, b.Category))
	})
	return items, nil
}

// Create adds a dish; see chefmenu.Store.
func (s ChefMenu) Create(ctx context.Context, by identity.Caller, i chefmenu.Item) (chefmenu.Item, error) {
	return s.write(ctx, by, "create_chef_menu_item", supabase.Args{"p_item": dishPatch{
		Name: &i.Name, Description: &i.Description, Category: i.Category, Price: &i.Price, Dietary: &i.Dietary, Available: &i.Available,
	}})
}

// Update changes a dish; see chefmenu.Store.
func (s ChefMenu) Update(ctx context.Context, by identity.Caller, code string, c chefmenu.Changes) (chefmenu.Item, error) {
	return s.write(ctx, by, "update_chef_menu_item", supabase.Args{"p_code": code, "p_changes": dishPatch(c)})
}

// Toggle offers a dish or takes it off the menu; see chefmenu.Store.
func (s ChefMenu) Toggle(ctx context.Context, by identity.Caller, code string, available *bool) (chefmenu.Item, error) {
	return s.write(ctx, by, "toggle_chef_menu_item", supabase.Args{"p_code": code, "p_available": available})
}

func (s ChefMenu) write(ctx context.Context, by identity.Caller, function string, args supabase.Args) (chefmenu.Item, error) {
	if _, err := inProperty(by); err != nil {
		return chefmenu.Item{}, err
	}
	args["p_entity"] = by.Entity.ID
	row, err := supabase.Call(ctx, s.client.As(by), function, args, rowIn[dishRow]("chef_menu_items"))
	return row.item(by), err
}

// Chosen counts the selections that name a dish; see chefmenu.Store.
func (s ChefMenu) Chosen(ctx context.Context, by identity.Caller, code string) (int, error) {
	if _, err := inProperty(by); err != nil {
		return 0, err
	}
	n, err := supabase.Read[*int](ctx, s.client.As(by), "chef_menu_item_use", supabase.Args{"p_entity": by.Entity.ID, "p_code": code})
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
	return supabase.Call(ctx, s.client.As(by), "delete_chef_menu_item", supabase.Args{"p_entity": by.Entity.ID, "p_code": code}, keyIn("chef_menu_items"))
}
