package hospitality

import (
	"context"
	"encoding/json"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
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
	return supabase.Read[frontdesk.Day](ctx, s.client.As(by), "day_sheet", supabase.Args{"p_entity": by.Entity.ID, "p_date": day})
}

// Changes returns what was recorded; see frontdesk.Store.
func (s FrontDesk) Changes(ctx context.Context, by identity.Caller, code string, limit int) (frontdesk.History, error) {
	if _, err := inProperty(by); err != nil {
		return frontdesk.History{}, err
	}
	rows, err := supabase.Read[[]struct {
		At       time.Time                  `json:"at"`
		Who      string                     `json:"who"`
		Member   bool                       `json:"member"`
		Assisted bool                       `json:"assisted"`
		Table    string                     `json:"table_name"`
		Action   string                     `json:"action"`
		Thing    string                     `json:"thing"`
		Before   map[string]json.RawMessage `json:"before"`
		After    map[string]json.RawMessage `json:"after"`
		Matches  int                        `json:"matches"`
	}](ctx, s.client.As(by), "change_history", supabase.Args{"p_entity": by.Entity.ID, "p_code": code, "p_limit": limit})
	if err != nil {
		return frontdesk.History{}, err
	}
	h := frontdesk.History{Changes: make([]frontdesk.Change, len(rows))}
	for i, r := range rows {
		h.Matches = r.Matches
		h.Changes[i] = frontdesk.Change{
			At: r.At, Who: r.Who, Left: !r.Member, Assisted: r.Assisted, Table: r.Table, Action: r.Action, Thing: r.Thing,
			Before: r.Before, After: r.After,
		}
	}
	return h, nil
}
