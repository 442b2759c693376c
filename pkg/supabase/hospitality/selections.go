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
func (s Selections) List(ctx context.Context, by identity.Caller, today calendar.Date, f selections.Filter) (selections.Found, error) {
	if _, err := inProperty(by); err != nil {
		return selections.Found{}, err
	}
	args := supabase.Args{"p_entity": by.Entity.ID, "p_today": today, "p_limit": f.Limit}
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
	rows, err := supabase.Read[[]struct {
		selectionRow
		ExtraCode         string        `json:"extra_code"`
		Extra             string        `json:"extra_name"`
		Reservation       string        `json:"reservation_code"`
		ReservationStatus string        `json:"reservation_status"`
		Guest             string        `json:"guest_name"`
		Rooms             []string      `json:"rooms"`
		CheckIn           calendar.Date `json:"check_in"`
		CheckOut          calendar.Date `json:"check_out"`
		Adults            int           `json:"adults"`
		Children          int           `json:"children"`
		SpecialRequests   string        `json:"special_requests"`
		Matches           int           `json:"matches"`
	}](ctx, s.client.As(by), "selection_list", args)
	if err != nil {
		return selections.Found{}, err
	}
	found := selections.Found{Selections: make([]selections.Selection, len(rows))}
	for i, r := range rows {
		one := r.selection()
		one.ExtraCode, one.Extra, one.Reservation, one.ReservationStatus, one.Guest = r.ExtraCode, r.Extra, r.Reservation, r.ReservationStatus, r.Guest
		one.Rooms, one.CheckIn, one.CheckOut, one.Adults, one.Children = r.Rooms, r.CheckIn, r.CheckOut, r.Adults, r.Children
		one.SpecialRequests = r.SpecialRequests
		found.Selections[i], found.Matches = one, r.Matches
	}
	return found, nil
}

// selectionRow is what the table itself knows.
type selectionRow struct {
	Code        string              `json:"code"`
	Status      selections.Status   `json:"status"`
	ServiceDate calendar.Date       `json:"service_date"`
	Choices     []selections.Choice `json:"choices"`
	Preferences string              `json:"preferences"`
	Version     int                 `json:"version"`
}

const selectionColumns = "code,status,service_date,choices,preferences,version"

func (r selectionRow) selection() selections.Selection {
	return selections.Selection{
		Code: r.Code, Status: r.Status, ServiceDate: r.ServiceDate, Choices: r.Choices, Preferences: r.Preferences, Version: r.Version,
	}
}

// Extras returns the extras; see selections.Store.
func (s Selections) Extras(ctx context.Context, by identity.Caller) ([]selections.Extra, error) {
	where, err := inProperty(by)
	if err != nil {
		return nil, err
	}
	return supabase.Select[selections.Extra](ctx, s.client.As(by), supabase.Query{
		Table: "extras", Columns: "code,name", Where: where, Order: []supabase.Order{supabase.Asc("name"), supabase.Asc("code")},
	})
}

// Dishes returns the menu; see selections.Store.
func (s Selections) Dishes(ctx context.Context, by identity.Caller) ([]selections.Dish, error) {
	where, err := inProperty(by)
	if err != nil {
		return nil, err
	}
	return supabase.Select[selections.Dish](ctx, s.client.As(by), supabase.Query{
		Table: "chef_menu_items", Columns: "code,name,available,version", Where: where,
		Order: []supabase.Order{supabase.Asc("name"), supabase.Asc("code")},
	})
}

// Update changes one selection; see selections.Store.
func (s Selections) Update(ctx context.Context, by identity.Caller, code string, from []selections.Status, c selections.Change) (selections.Selection, error) {
	where, err := inProperty(by)
	if err != nil {
		return selections.Selection{}, err
	}
	changes := map[string]any{"status": c.To}
	if len(c.Choices) > 0 {
		changes["choices"] = c.Choices
	}
	if c.Preferences != "" {
		changes["preferences"] = c.Preferences
	}
	if !c.ServiceDate.IsZero() {
		changes["service_date"] = c.ServiceDate
	}
	switch c.To {
	case selections.Completed:
		changes["completed_at"] = c.At
	case selections.Submitted:
		changes["submitted_at"] = c.At
	}
	row, err := supabase.Update[selectionRow](ctx, s.client.As(by), supabase.Query{
		Table: "extra_selections", Columns: selectionColumns,
		Where: append(where, supabase.Eq("code", code), supabase.In("status", words(from))),
	}, changes)
	if fault.Is(err, fault.NotFound) {
		return selections.Selection{}, fault.Wrap(fault.Conflict, err, "The selection %s has changed in the meantime, so nothing was done.", code).WithCode("changed")
	}
	return row.selection(), err
}

// words returns a list of words as plain texts.
func words[T ~string](list []T) []string {
	texts := make([]string, len(list))
	for i, w := range list {
		texts[i] = string(w)
	}
	return texts
}
