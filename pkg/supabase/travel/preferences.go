package travel

import (
	"cmp"
	"context"
	"encoding/json"

	"github.com/bellhop-ai/bellhop/pkg/effect"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/supabase"
	"github.com/bellhop-ai/bellhop/pkg/travel/preferences"
)

// Preferences is a preferences.Store. Where the context has a claim, a write happens
// once under it. What it reads is not among what a preview keeps.
type Preferences struct{ client *supabase.Client }

var _ preferences.Store = Preferences{}

// NewPreferences returns the store in the project of client.
func NewPreferences(client *supabase.Client) Preferences { return Preferences{client} }

// own returns the connection for what is written; see preferences.Store. Both kinds of
// it bear the proof.
func (s Preferences) own(ctx context.Context, by identity.Caller) (supabase.Conn, error) {
	c := s.client.As(by)
	if by.Visitor != "" {
		return c, errVisitor()
	}
	if _, ok := effect.From(ctx); !ok {
		c = c.Control()
	}
	return c, nil
}

// Get returns the preferences; see preferences.Store. A visitor has none.
func (s Preferences) Get(ctx context.Context, by identity.Caller) (preferences.Preferences, bool, error) {
	if by.Visitor != "" {
		return preferences.Preferences{}, false, nil
	}
	p, err := supabase.Read[*preferences.Preferences](ctx, s.client.As(by).Control(), "preferences_get", nil)
	if err != nil || p == nil {
		return preferences.Preferences{KeepSearches: true}, false, err
	}
	return *p, true, nil
}

// Update changes the preferences; see preferences.Store.
func (s Preferences) Update(ctx context.Context, by identity.Caller, version int,
	c preferences.Changes) (preferences.Preferences, error) {
	conn, err := s.own(ctx, by)
	if err != nil {
		return preferences.Preferences{}, err
	}
	raw, err := json.Marshal(c)
	if err != nil {
		return preferences.Preferences{}, err
	}
	return supabase.Call(ctx, conn, "preferences_update", supabase.Args{"p_version": version,
		"p": json.RawMessage(raw)}, func(effect.Outcome) (preferences.Preferences, error) {
		p, _, err := s.Get(ctx, by)
		return p, err
	})
}

// Forget deletes all that was learned of the caller; see preferences.Store.
func (s Preferences) Forget(ctx context.Context, by identity.Caller) error {
	return s.gone(ctx, by, "preferences_forget", nil)
}

// gone calls a function that deletes. Under a claim that was used before it is done.
func (s Preferences) gone(ctx context.Context, by identity.Caller, function string, args supabase.Args) error {
	conn, err := s.own(ctx, by)
	if err != nil {
		return err
	}
	_, err = supabase.Call(ctx, conn, function, args, func(effect.Outcome) (json.RawMessage, error) {
		return json.RawMessage("null"), nil
	})
	return err
}

// Decisions returns what the caller has decided; see preferences.Store.
func (s Preferences) Decisions(ctx context.Context, by identity.Caller, text string,
	limit int) ([]preferences.Decision, error) {
	if by.Visitor != "" {
		return nil, nil
	}
	return supabase.Read[[]preferences.Decision](ctx, s.client.As(by).Control(), "decision_list",
		supabase.Args{"p_text": text, "p_limit": cmp.Or(limit, 200)})
}

// Decide keeps a decision; see preferences.Store.
func (s Preferences) Decide(ctx context.Context, by identity.Caller, d preferences.Decision) (preferences.Decision,
	error) {
	conn, err := s.own(ctx, by)
	if err != nil {
		return d, err
	}
	raw, err := json.Marshal(d)
	if err != nil {
		return d, err
	}
	return supabase.Call(ctx, conn, "decision_save", supabase.Args{"p": json.RawMessage(raw)},
		func(did effect.Outcome) (preferences.Decision, error) {
			all, err := s.Decisions(ctx, by, "", 0)
			if err != nil {
				return d, err
			}
			for _, row := range did.Rows {
				for _, kept := range all {
					if row.Table == "travel_decisions" && row.Key == kept.Code {
						return kept, nil
					}
				}
			}
			for _, kept := range all {
				if kept.Text == d.Text {
					return kept, nil
				}
			}
			return d, fault.New(fault.Gone, "This decision was kept, and has been deleted since.").
				WithCode("unknown_decision")
		})
}

// Undecide deletes a decision; see preferences.Store.
func (s Preferences) Undecide(ctx context.Context, by identity.Caller, code string) error {
	return s.gone(ctx, by, "decision_delete", supabase.Args{"p_code": code})
}
