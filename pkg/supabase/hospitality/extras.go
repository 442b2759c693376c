package hospitality

import (
	"context"

	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/hospitality/extras"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/money"
	"github.com/bellhop-ai/bellhop/pkg/supabase"
)

// Extras is an extras.Store.
type Extras struct{ client *supabase.Client }

var _ extras.Store = Extras{}

// NewExtras returns the store in the project of client.
func NewExtras(client *supabase.Client) Extras { return Extras{client} }

type extraRow struct {
	Code              string       `json:"code"`
	Name              string       `json:"name"`
	Description       string       `json:"description"`
	Category          string       `json:"category"`
	Price             money.Amount `json:"price"`
	Per               extras.Per   `json:"per"`
	TaxRate           money.Amount `json:"tax_rate"`
	SelectionRequired bool         `json:"selection_required"`
	Active            bool         `json:"active"`
	Version           int          `json:"version"`
}

const extraColumns = "code,name,description,category,price,per,tax_rate,selection_required,active,version"

// extraPatch is extras.Changes with the names of the columns.
type extraPatch struct {
	Name              *string       `json:"name,omitempty"`
	Price             *money.Amount `json:"price,omitempty"`
	Per               extras.Per    `json:"per,omitempty"`
	Category          *string       `json:"category,omitempty"`
	Description       *string       `json:"description,omitempty"`
	TaxRate           *money.Amount `json:"tax_rate,omitempty"`
	SelectionRequired *bool         `json:"selection_required,omitempty"`
	Active            *bool         `json:"active,omitempty"`
}

func (r extraRow) extra(by identity.Caller) extras.Extra {
	return extras.Extra{
		Code: r.Code, Name: r.Name, Description: r.Description, Category: r.Category, Price: r.Price,
		Currency: by.Entity.Currency, Per: r.Per, TaxRate: r.TaxRate, SelectionRequired: r.SelectionRequired, Active: r.Active,
		Version: r.Version,
	}
}

// List returns the extras; see extras.Store.
func (s Extras) List(ctx context.Context, by identity.Caller, inactive bool) ([]extras.Extra, error) {
	where, err := inProperty(by)
	if err != nil {
		return nil, err
	}
	if !inactive {
		where = append(where, supabase.IsTrue("active"))
	}
	rows, err := supabase.Select[extraRow](ctx, s.client.As(by), supabase.Query{
		Table: "extras", Columns: extraColumns, Where: where,
		Order: []supabase.Order{supabase.Asc("name"), supabase.Asc("code")},
	})
	if err != nil {
		return nil, err
	}
	list := make([]extras.Extra, len(rows))
	for i, r := range rows {
		list[i] = r.extra(by)
	}
	return list, nil
}

// Create adds an extra; see extras.Store.
func (s Extras) Create(ctx context.Context, by identity.Caller, e extras.Extra) (extras.Extra, error) {
	if _, err := inProperty(by); err != nil {
		return extras.Extra{}, err
	}
	row, err := supabase.Call(ctx, s.client.As(by), "create_extra", supabase.Args{"p_entity": by.Entity.ID, "p_extra": extraPatch{
		Name: &e.Name, Description: &e.Description, Category: &e.Category, Price: &e.Price, Per: e.Per, TaxRate: &e.TaxRate,
		SelectionRequired: &e.SelectionRequired,
	}}, rowIn[extraRow]("extras"))
	return row.extra(by), err
}

// Use tells what depends on an extra; see extras.Store.
func (s Extras) Use(ctx context.Context, by identity.Caller, code string) (extras.Use, error) {
	if _, err := inProperty(by); err != nil {
		return extras.Use{}, err
	}
	use, err := supabase.Read[*extras.Use](ctx, s.client.As(by), "extra_use", supabase.Args{"p_entity": by.Entity.ID, "p_code": code})
	if err != nil {
		return extras.Use{}, err
	}
	if use == nil {
		return extras.Use{}, fault.New(fault.NotFound, "There is no extra %s.", code)
	}
	return *use, nil
}

// Update changes an extra; see extras.Store.
func (s Extras) Update(ctx context.Context, by identity.Caller, code string, c extras.Changes) (extras.Extra, error) {
	if _, err := inProperty(by); err != nil {
		return extras.Extra{}, err
	}
	row, err := supabase.Call(ctx, s.client.As(by), "update_extra", supabase.Args{
		"p_entity": by.Entity.ID, "p_code": code, "p_changes": extraPatch(c),
	}, rowIn[extraRow]("extras"))
	return row.extra(by), err
}

// Delete removes an extra; see extras.Store.
func (s Extras) Delete(ctx context.Context, by identity.Caller, code string) (string, error) {
	if _, err := inProperty(by); err != nil {
		return "", err
	}
	return supabase.Call(ctx, s.client.As(by), "delete_extra", supabase.Args{"p_entity": by.Entity.ID, "p_code": code}, keyIn("extras"))
}
