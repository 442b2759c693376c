package hospitality

import (
	"context"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/effect"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/hospitality/frontdesk"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/supabase"
)

// FrontDesk is a frontdesk.Store.
type FrontDesk struct{ client *supabase.Client }

var _ frontdesk.Store = FrontDesk{}

// NewFrontDesk returns the store in the project of client.
func NewFrontDesk(client *supabase.Client) FrontDesk { return FrontDesk{client} }

// Day returns a day of the property; see frontdesk.Store.
func (s FrontDesk) Day(ctx context.Context, by identity.Caller, day calendar.Date) (frontdesk.Day, error) {
	if _, err := inProperty(by); err != nil {
		return frontdesk.Day{}, err
	}
	return supabase.Read[frontdesk.Day](ctx, s.client.As(by), "day_sheet", supabase.Args{"p_entity": by.Entity.ID,
		"p_date": day})
}

// Changes returns what was recorded; see frontdesk.Store.
func (s FrontDesk) Changes(ctx context.Context, by identity.Caller, code string,
	limit, offset int) (frontdesk.History, error) {
	if _, err := inProperty(by); err != nil {
		return frontdesk.History{}, err
	}
	// No row: the names of columns in before and after are shown as they are.
	rows, err := supabase.Read[[]struct {
		frontdesk.Change
		Member  bool
		Matches int
	}](ctx, s.client.As(by), "change_history", supabase.Args{"p_entity": by.Entity.ID, "p_code": code,
		"p_limit": limit, "p_offset": offset})
	if err != nil {
		return frontdesk.History{}, err
	}
	h := frontdesk.History{Changes: make([]frontdesk.Change, len(rows))}
	for i, r := range rows {
		h.Changes[i], h.Matches = r.Change, r.Matches
		h.Changes[i].Left = !r.Member
	}
	return h, nil
}

// Morning returns what is to be done on a day; see frontdesk.Store.
func (s FrontDesk) Morning(ctx context.Context, by identity.Caller, day calendar.Date,
	limit int) (frontdesk.Morning, error) {
	return desk[frontdesk.Morning](ctx, s, by, "morning", supabase.Args{"p_date": day, "p_limit": limit})
}

// States returns whether units are clean; see frontdesk.Store.
func (s FrontDesk) States(ctx context.Context, by identity.Caller, day calendar.Date,
	units []string) ([]frontdesk.UnitState, error) {
	args := supabase.Args{"p_date": day}
	if len(units) > 0 {
		args["p_codes"] = units
	}
	return desk[[]frontdesk.UnitState](ctx, s, by, "unit_states", args)
}

// SetStates sets whether units are clean; see frontdesk.Store.
func (s FrontDesk) SetStates(ctx context.Context, by identity.Caller, units []frontdesk.SeenUnit,
	to frontdesk.State, day calendar.Date) ([]frontdesk.UnitState, error) {
	if _, err := inProperty(by); err != nil {
		return nil, err
	}
	document, err := document(units)
	if err != nil {
		return nil, err
	}
	set, err := supabase.Call(ctx, s.client.As(by), "set_unit_states", supabase.Args{"p_entity": by.Entity.ID,
		"p_units": document, "p_state": to, "p_date": day},
		func(did effect.Outcome) ([]frontdesk.UnitState, error) { return s.setBefore(ctx, by, did, day) })
	if f := fault.From(err); f != nil && f.Code == "units_unchanged" {
		codes := make([]string, len(units))
		for i, u := range units {
			codes[i] = u.Unit
		}
		return s.States(ctx, by, day, codes)
	}
	return set, err
}

// setBefore answers a repeated call with the units that the first one changed, as they are
// now.
func (s FrontDesk) setBefore(ctx context.Context, by identity.Caller, did effect.Outcome,
	day calendar.Date) ([]frontdesk.UnitState, error) {
	was := map[string]frontdesk.State{}
	var codes []string
	for _, r := range did.Rows {
		if state, known := r.Before["cleaning_state"].(string); known && r.Table == "rooms" {
			was[r.Key] = frontdesk.State(state)
			codes = append(codes, r.Key)
		}
	}
	if len(codes) == 0 {
		return nil, doneBefore()
	}
	states, err := s.States(ctx, by, day, codes)
	for i := range states {
		states[i].Was = was[states[i].Unit]
	}
	return states, err
}

// Needs returns what guests asked for; see frontdesk.Store.
func (s FrontDesk) Needs(ctx context.Context, by identity.Caller, f frontdesk.NeedsFilter) (frontdesk.Needs, error) {
	args := supabase.Args{"p_from": f.From, "p_to": f.To, "p_limit": f.Limit, "p_offset": f.Offset}
	if f.About != "" {
		args["p_about"] = f.About
	}
	return desk[frontdesk.Needs](ctx, s, by, "guest_needs", args)
}

// Meals returns who eats on a day; see frontdesk.Store.
func (s FrontDesk) Meals(ctx context.Context, by identity.Caller, day calendar.Date) (frontdesk.Meals, error) {
	return desk[frontdesk.Meals](ctx, s, by, "meals_of_day", supabase.Args{"p_date": day})
}

// house is a frontdesk.House with what only the store knows of it.
type house struct {
	frontdesk.House
	Key     string `json:"key"`
	Version int    `json:"version"`
}

func (h house) told() frontdesk.House {
	h.House.Key, h.House.Version = h.Key, h.Version
	return h.House
}

// House returns what guests are told; see frontdesk.Store.
func (s FrontDesk) House(ctx context.Context, by identity.Caller) (frontdesk.House, error) {
	h, err := desk[house](ctx, s, by, "house_facts", supabase.Args{})
	return h.told(), err
}

// SetHouse changes it; see frontdesk.Store.
func (s FrontDesk) SetHouse(ctx context.Context, by identity.Caller,
	facts map[frontdesk.Fact]string) (frontdesk.House, error) {
	if _, err := inProperty(by); err != nil {
		return frontdesk.House{}, err
	}
	document, err := document(facts)
	if err != nil {
		return frontdesk.House{}, err
	}
	h, err := supabase.Call(ctx, s.client.As(by), "set_house_facts", supabase.Args{"p_entity": by.Entity.ID,
		"p_facts": document}, func(effect.Outcome) (house, error) {
		return desk[house](ctx, s, by, "house_facts", supabase.Args{})
	})
	return h.told(), err
}

// desk calls a stable function for the caller's property.
func desk[T any](ctx context.Context, s FrontDesk, by identity.Caller, function string, args supabase.Args) (T,
	error) {
	return read[T](ctx, Reservations(s), by, function, args)
}
