package hospitality

import (
	"context"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/hospitality/selections"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/supabase"
)

// Selections is a selections.Store.
type Selections struct{ client *supabase.Client }

var _ selections.Store = Selections{}

// NewSelections returns the store in the project of client.
func NewSelections(client *supabase.Client) Selections { return Selections{client} }

// List returns selections; see selections.Store.
func (s Selections) List(ctx context.Context, by identity.Caller, today calendar.Date,
	f selections.Filter) (selections.Found, error) {
	if _, err := inProperty(by); err != nil {
		return selections.Found{}, err
	}
	args := supabase.Args{"p_entity": by.Entity.ID, "p_today": today, "p_limit": f.Limit,
		"p_offset": f.Offset}
	for name, text := range map[string]string{"p_code": f.Code, "p_reservation": f.Reservation, "p_extra": f.Extra} {
		if text != "" {
			args[name] = text
		}
	}
	if len(f.Statuses) > 0 {
		args["p_status"] = words(f.Statuses)
	}
	if !f.From.IsZero() {
		args["p_from"] = f.From
	}
	if !f.To.IsZero() {
		args["p_to"] = f.To
	}
	type match struct {
		selections.Selection
		Matches int
	}
	rows, err := supabase.Read[[]row[match]](ctx, s.client.As(by), "selection_list", args)
	if err != nil {
		return selections.Found{}, err
	}
	found := selections.Found{Selections: make([]selections.Selection, len(rows))}
	for i, r := range rows {
		found.Selections[i], found.Matches = r.Value.Selection, r.Value.Matches
		found.Selections[i].Version = r.Version
	}
	return found, nil
}

const selectionColumns = "code,status,service_date,choices,preferences,version"

// Extras returns the extras; see selections.Store.
func (s Selections) Extras(ctx context.Context, by identity.Caller) ([]selections.Extra, error) {
	return records[selections.Extra](ctx, s.client, by, "extra_list", supabase.Args{"p_inactive": true})
}

// Dishes returns the menu; see selections.Store.
func (s Selections) Dishes(ctx context.Context, by identity.Caller) ([]selections.Dish, error) {
	return records[selections.Dish](ctx, s.client, by, "chef_menu_list", nil)
}

// Update changes one selection; see selections.Store.
func (s Selections) Update(ctx context.Context, by identity.Caller, code string, from []selections.Status,
	c selections.Change) (selections.Selection, error) {
	where, err := inProperty(by)
	if err != nil {
		return selections.Selection{}, err
	}
	changes, err := columns{of: c}.members()
	if err != nil {
		return selections.Selection{}, err
	}
	switch c.To {
	case selections.Completed:
		changes["completed_at"] = c.At
	case selections.Submitted:
		changes["submitted_at"] = c.At
	}
	r, err := supabase.Update[row[selections.Selection]](ctx, s.client.As(by), supabase.Query{
		Table: "extra_selections", Columns: selectionColumns,
		Where: append(where, supabase.Eq("code", code), supabase.In("status", words(from))),
	}, changes)
	if fault.Is(err, fault.NotFound) {
		return selections.Selection{}, fault.Wrap(fault.Conflict, err,
			"The selection %s has changed in the meantime, so nothing was done.", code).WithCode("changed")
	}
	r.Value.Version = r.Version
	return r.Value, err
}

// words returns a list of words as plain texts.
func words[T ~string](list []T) []string {
	texts := make([]string, len(list))
	for i, w := range list {
		texts[i] = string(w)
	}
	return texts
}
