// Package people builds the users door. It alone holds the project's secret key.
package people

import (
	"context"
	"crypto/rand"
	"net/http"

	"github.com/bellhop-ai/bellhop/pkg/api/users"
	"github.com/bellhop-ai/bellhop/pkg/boot"
	"github.com/bellhop-ai/bellhop/pkg/boot/project"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/supabase"
	store "github.com/bellhop-ai/bellhop/pkg/supabase/users"
	desk "github.com/bellhop-ai/bellhop/pkg/users"
)

// New returns the door, or an error when the secret key is not set.
func New(ctx context.Context, s *boot.Service) (http.Handler, error) {
	var cfg boot.UsersConfig
	if err := s.Env.Decode(ctx, &cfg); err != nil {
		return nil, err
	}
	admin, err := supabase.NewAdmin(project.Config(s), identity.Secret(cfg.SecretKey))
	if err != nil {
		return nil, err
	}
	p, err := project.New(s)
	if err != nil {
		return nil, err
	}
	return users.New(users.Config{Identify: p.Identify, Verify: p.Verify, Desk: &desk.Desk{
		Members: store.NewMembers(p.Client), Accounts: store.NewAccounts(p.Client, admin), Random: rand.Reader, FirstPasswords: cfg.FirstPasswords,
	}})
}

// Configured reports whether the environment has the secret key.
func Configured(s *boot.Service) bool {
	_, ok := s.Env.Lookup("SUPABASE_SECRET_KEY")
	return ok
}
