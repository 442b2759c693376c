// Package admin builds the client that holds the project's secret key. It stands
// apart from core, so that only the functions that need the key carry it.
package admin

import (
	"context"

	"github.com/bellhop-ai/bellhop/pkg/boot"
	"github.com/bellhop-ai/bellhop/pkg/boot/core"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/supabase"
)

// New returns the client, or an error when the secret key is not set.
func New(ctx context.Context, s *boot.Service) (*supabase.Admin, error) {
	var cfg boot.AdminConfig
	if err := s.Env.Decode(ctx, &cfg); err != nil {
		return nil, err
	}
	return supabase.NewAdmin(core.Config(s), identity.Secret(cfg.SecretKey))
}

// Configured reports whether the environment has the secret key.
func Configured(s *boot.Service) bool {
	_, ok := s.Env.Lookup("SUPABASE_SECRET_KEY")
	return ok
}
