package travel

import (
	"context"
	"net/http"

	api "github.com/bellhop-ai/bellhop/pkg/api/travel"
	"github.com/bellhop-ai/bellhop/pkg/boot"
	"github.com/bellhop-ai/bellhop/pkg/boot/admin"
	"github.com/bellhop-ai/bellhop/pkg/boot/core"
	"github.com/bellhop-ai/bellhop/pkg/duffel"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/supabase"
	"github.com/bellhop-ai/bellhop/pkg/supabase/travel"
)

// Hooks builds the handler for webhooks of Duffel on the client with the secret key. It
// returns nil where the environment has no secret of theirs.
func Hooks(ctx context.Context, s *boot.Service, key *supabase.Admin) (*api.Hooks, error) {
	var cfg boot.TravelHooksConfig
	if err := s.Env.Decode(ctx, &cfg); err != nil || cfg.Secret == "" {
		return nil, err
	}
	secret := identity.Secret(cfg.Secret)
	return api.NewHooks(api.HooksConfig{Read: duffel.Notice, Notices: travel.NewNotices(key),
		Verify: func(header http.Header, body []byte) error {
			return duffel.Verify(secret, header.Get(duffel.SignatureHeader), body, s.Now())
		}})
}

// Mount puts the handler for webhooks at its route.
func Mount(mux *http.ServeMux, hooks *api.Hooks) { mux.Handle("/api/webhooks/duffel", hooks) }

// NewFunction builds the function: the handler for people and, where the environment has
// the secret key and the webhooks' secret, that for webhooks.
func NewFunction(ctx context.Context, s *boot.Service) (http.Handler, error) {
	c, err := core.New(s)
	if err != nil {
		return nil, err
	}
	people, err := New(ctx, c)
	if err != nil || !admin.Configured(s) {
		return people, err
	}
	key, err := admin.New(ctx, s)
	if err != nil {
		return nil, err
	}
	hooks, err := Hooks(ctx, s, key)
	if err != nil || hooks == nil {
		return people, err
	}
	mux := http.NewServeMux()
	mux.Handle("/", people)
	Mount(mux, hooks)
	return mux, nil
}
