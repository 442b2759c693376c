package hospitality

import (
	"context"

	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/hospitality/extras"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/supabase"
)

// Extras is an extras.Store.
type Extras struct{ client *supabase.Client }

var _ extras.Store = Extras{}

// NewExtras returns the store in the project of client.
func NewExtras(client *supabase.Client) Extras { return Extras{client} }

func extra(r row[extras.Extra], by identity.Caller) extras.Extra {
	r.Value.Currency, r.Value.Version = by.Entity.Currency, r.Version
	return r.Value
}

// List returns the extras; see extras.Store.
func (s Extras) List(ctx context.Context, by identity.Caller, inactive bool) ([]extras.Extra, error) {
	return listed(ctx, s.client, by, "extra_list", supabase.Args{"p_inactive": inactive}, extra)
}

// Create adds an extra; see extras.Store.
func (s Extras) Create(ctx context.Context, by identity.Caller, e extras.Extra) (extras.Extra, error) {
	if _, err := inProperty(by); err != nil {
		return extras.Extra{}, err
	}
	r, err := supabase.Call(ctx, s.client.As(by), "create_extra",
		supabase.Args{"p_entity": by.Entity.ID, "p_extra": columns{of: e}}, rowIn[row[extras.Extra]]("extras"))
	return extra(r, by), err
}

// Use tells what depends on an extra; see extras.Store.
func (s Extras) Use(ctx context.Context, by identity.Caller, code string) (extras.Use, error) {
	if _, err := inProperty(by); err != nil {
		return extras.Use{}, err
	}
	use, err := supabase.Read[*extras.Use](ctx, s.client.As(by), "extra_use", supabase.Args{"p_entity": by.Entity.ID,
		"p_code": code})
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
	r, err := supabase.Call(ctx, s.client.As(by), "update_extra", supabase.Args{
		"p_entity": by.Entity.ID, "p_code": code, "p_changes": c,
	}, rowIn[row[extras.Extra]]("extras"))
	return extra(r, by), err
}

// Delete removes an extra; see extras.Store.
func (s Extras) Delete(ctx context.Context, by identity.Caller, code string) (string, error) {
	if _, err := inProperty(by); err != nil {
		return "", err
	}
	return supabase.Call(ctx, s.client.As(by), "delete_extra", supabase.Args{"p_entity": by.Entity.ID, "p_code": code},
		keyIn("extras"))
}
