// Package uploads keeps what is known of people's files in the project's
// database.
package uploads

import (
	"cmp"
	"context"

	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/supabase"
	"github.com/bellhop-ai/bellhop/pkg/supabase/storage"
	"github.com/bellhop-ai/bellhop/pkg/uploads"
)

// How many days files are kept. A refused one stays a day, so that its reason
// can be read.
const (
	keepReady   = 30
	keepRefused = 1
)

// Store is an uploads.Store. It acts with the caller's own token.
type Store struct{ client *supabase.Client }

var (
	_ uploads.Store = Store{}
	_ uploads.Bytes = storage.Bucket{}
)

// NewService returns the service on the project of client: its table, and its bucket
// for the bytes.
func NewService(client *supabase.Client) *uploads.Service {
	return &uploads.Service{Store: Store{client}, Bytes: storage.New(client, "uploads")}
}

// Begin makes room for a file; see uploads.Store.
func (s Store) Begin(ctx context.Context, by identity.Caller, d uploads.Draft) (uploads.File, []string, error) {
	made, err := supabase.Call[struct {
		uploads.File
		Gone []string `json:"gone"`
	}](ctx, s.client.As(by).Control(), "upload_begin", supabase.Args{"p_name": d.Name, "p_kind": d.Kind,
		"p_type": d.Type, "p_size": d.Size, "p_purpose": cmp.Or(d.Purpose, uploads.ForChat)})
	return made.File, made.Gone, err
}

// Settle says what a look at a file brought; see uploads.Store.
func (s Store) Settle(ctx context.Context, by identity.Caller, id string, f uploads.Finding) (uploads.File, error) {
	state, days := uploads.Ready, keepReady
	if f.Refusal != "" {
		state, days = uploads.Refused, keepRefused
	}
	days = cmp.Or(f.Days, days)
	return supabase.Call[uploads.File](ctx, s.client.As(by).Control(), "upload_settle", supabase.Args{
		"p_id": id, "p_state": state, "p_kind": f.Kind, "p_type": f.Type, "p_size": f.Size, "p_reason": f.Refusal,
		"p_facts": f.Facts, "p_body": f.Body, "p_days": days,
	})
}

// Read returns files with their bodies; see uploads.Store.
func (s Store) Read(ctx context.Context, by identity.Caller, ids ...string) ([]uploads.File, error) {
	return supabase.Read[[]uploads.File](ctx, s.client.As(by).Control(), "upload_read", supabase.Args{"p_ids": ids})
}

// Forget removes a file; see uploads.Store.
func (s Store) Forget(ctx context.Context, by identity.Caller, id string) (uploads.File, error) {
	return supabase.Call[uploads.File](ctx, s.client.As(by).Control(), "upload_forget", supabase.Args{"p_id": id})
}
