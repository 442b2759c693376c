package hospitality

import (
	"context"

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
}

const extraColumns = "code,name,description,category,price,per,tax_rate,selection_required,active"

func (r extraRow) extra(by identity.Caller) extras.Extra {
	return extras.Extra{
		Code: r.Code, Name: r.Name, Description: r.Description, Category: r.Category, Price: r.Price,
		Currency: by.Entity.Currency, Per: r.Per, TaxRate: r.TaxRate, SelectionRequired: r.SelectionRequired, Active: r.Active,
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
	row, err := supabase.Insert[extraRow](ctx, s.client.As(by), "extras", extraColumns, map[string]any{
		"org_id": by.OrgID, "entity_id": by.Entity.ID, "name": e.Name, "description": e.Description, "category": e.Category,
		"price": e.Price, "per": e.Per, "tax_rate": e.TaxRate, "selection_required": e.SelectionRequired, "active": e.Active,
	})
	if err != nil {
		return extras.Extra{}, err
	}
	return row.extra(by), nil
}
