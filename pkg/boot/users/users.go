// Package users wires the handler that manages users.
package users

import (
	"context"
	"crypto/rand"

	"github.com/bellhop-ai/bellhop/pkg/api/users"
	"github.com/bellhop-ai/bellhop/pkg/boot"
	"github.com/bellhop-ai/bellhop/pkg/boot/core"
	"github.com/bellhop-ai/bellhop/pkg/supabase"
	store "github.com/bellhop-ai/bellhop/pkg/supabase/users"
	userservice "github.com/bellhop-ai/bellhop/pkg/users"
)

// New builds the handler on the core and the client with the secret key.
func New(ctx context.Context, c *core.Core, admin *supabase.Admin) (*users.Handler, error) {
	var cfg boot.UsersConfig
	if err := c.Env.Decode(ctx, &cfg); err != nil {
		return nil, err
	}
	return users.New(users.Config{Identify: c.Identify, Verify: c.Verify, Service: &userservice.Service{
		Members: store.NewMembers(c.Client), Accounts: store.NewAccounts(admin),
		Keys: store.NewKeys(c.Client), Random: rand.Reader, FirstPasswords: cfg.FirstPasswords,
	}})
}
