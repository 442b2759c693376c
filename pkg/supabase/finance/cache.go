// Package finance keeps what the finance assistant stores in the project's
// database.
package finance

import (
	"context"
	"encoding/json"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/finance/cache"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/supabase"
)

// Responses is a cache.Store. It acts with the caller's own token.
type Responses struct{ client *supabase.Client }

var _ cache.Store = Responses{}

// NewResponses returns the store in the project of client.
func NewResponses(client *supabase.Client) Responses { return Responses{client} }

func (s Responses) as(by identity.Caller) supabase.Conn { return s.client.As(by).Control() }

// Read returns an answer; see cache.Store.
func (s Responses) Read(ctx context.Context, by identity.Caller, keys, known []string) (*cache.Kept, int64, error) {
	found, err := supabase.Read[struct {
		Generation int64           `json:"generation"`
		ID         string          `json:"id"`
		Answer     json.RawMessage `json:"answer"`
		CreatedAt  time.Time       `json:"createdAt"`
	}](ctx, s.as(by), "response_cache_read", supabase.Args{"p_keys": keys, "p_known": known})
	if err != nil || found.ID == "" {
		return nil, found.Generation, err
	}
	return &cache.Kept{ID: found.ID, Answer: found.Answer, CreatedAt: found.CreatedAt}, found.Generation, nil
}

// Write keeps an answer; see cache.Store.
func (s Responses) Write(ctx context.Context, by identity.Caller, w cache.Write) (bool, error) {
	p := map[string]any{"key": w.Key, "assistant": w.Assistant, "own": w.Own, "tools": list(w.Tools),
		"generation": w.Generation, "seconds": int(w.TTL.Seconds()), "answer": w.Answer}
	if w.Entity != "" {
		p["entity"] = w.Entity
	}
	return supabase.CallAgain[bool](ctx, s.as(by), "response_cache_write", supabase.Args{"p": p})
}

// Drop drops answers; see cache.Store.
func (s Responses) Drop(ctx context.Context, by identity.Caller, tools []string) error {
	_, err := supabase.CallAgain[any](ctx, s.as(by), "response_cache_drop", supabase.Args{"p_tools": list(tools)})
	return err
}

// list returns a list that is never null in JSON.
func list(names []string) []string {
	if names == nil {
		return []string{}
	}
	return names
}
