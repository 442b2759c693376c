package control

import (
	"context"
	"encoding/json"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/effect"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/supabase"
)

// Outbox is an effect.Outbox.
type Outbox struct{ client *supabase.Client }

var _ effect.Outbox = Outbox{}

// NewOutbox returns the store in the project of client.
func NewOutbox(client *supabase.Client) Outbox { return Outbox{client} }

// entry is an act as the database's functions write it.
type entry struct {
	Key       string       `json:"key"`
	Kind      string       `json:"kind"`
	State     effect.State `json:"state"`
	Reference string       `json:"reference"`
	Reason    string       `json:"reason"`
	StartedAt time.Time    `json:"startedAt"`
	WaitMs    int          `json:"waitMs"`
}

func (e entry) entry() effect.Entry {
	return effect.Entry{
		Key: e.Key, Kind: e.Kind, State: e.State, Reference: e.Reference, Reason: e.Reason,
		At: e.StartedAt, Wait: time.Duration(e.WaitMs) * time.Millisecond,
	}
}

// Begin writes an act down; see effect.Outbox.
func (s Outbox) Begin(ctx context.Context, by identity.Caller, kind string, payload json.RawMessage) (effect.Entry,
	bool, error) {
	mine := true
	e, err := supabase.Call(ctx, s.client.As(by), "outbox_begin", supabase.Args{
		"p_kind": kind, "p_payload": payload, "p_window_ms": effect.Window.Milliseconds(),
	}, func(did effect.Outcome) (entry, error) {
		mine = false
		known, err := supabase.Call[*entry](ctx, s.client.As(by).Control(), "outbox_read",
			supabase.Args{"p_key": did.Key})
		if err != nil {
			return entry{}, err
		}
		if known == nil {
			return entry{}, fault.New(fault.Conflict,
				"Something else was done under this name before, so nothing was done.").WithCode("effect_mismatch")
		}
		return *known, nil
	})
	return e.entry(), mine && err == nil, err
}

// Settle says how an act ended; see effect.Outbox.
func (s Outbox) Settle(ctx context.Context, by identity.Caller, e effect.Entry) (effect.Entry, error) {
	now, err := supabase.Call[entry](ctx, s.client.As(by).Control(), "outbox_settle", supabase.Args{
		"p_key": e.Key, "p_state": e.State, "p_reference": e.Reference, "p_reason": e.Reason,
	})
	return now.entry(), err
}
