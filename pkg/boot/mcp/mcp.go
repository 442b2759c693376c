// Package mcp wires the handler that serves tools by the Model Context Protocol.
package mcp

import (
	"context"

	"github.com/bellhop-ai/bellhop/pkg/api/mcp"
	"github.com/bellhop-ai/bellhop/pkg/boot"
	"github.com/bellhop-ai/bellhop/pkg/boot/backend"
	"github.com/bellhop-ai/bellhop/pkg/boot/remote"
	"github.com/bellhop-ai/bellhop/pkg/boot/runtimes"
	"github.com/bellhop-ai/bellhop/pkg/httpx"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	store "github.com/bellhop-ai/bellhop/pkg/supabase/users"
	"github.com/bellhop-ai/bellhop/pkg/users"
)

// identify returns the caller of an access token, or of an API key: clients have
// one static credential.
func identify(b *backend.Backend) httpx.Identify {
	sessions := &users.Sessions{Keys: store.NewKeys(b.Client), Now: b.Now}
	return func(ctx context.Context, token string) (identity.Caller, error) {
		if users.IsKey(token) {
			opened, err := sessions.Token(ctx, identity.Secret(token))
			if err != nil {
				return identity.Caller{}, err
			}
			token = opened.Reveal()
		}
		return b.Identify(ctx, token)
	}
}

// New builds the handler on the backend. A call counts towards the rate of
// /api/tools.
func New(ctx context.Context, b *backend.Backend) (*mcp.Handler, error) {
	var cfg boot.MCPConfig
	if err := b.Env.Decode(ctx, &cfg); err != nil {
		return nil, err
	}
	assistants, err := runtimes.New(ctx, b)
	if err != nil {
		return nil, err
	}
	c := mcp.Config{
		Assistants: assistants, Consent: b.Consent, Identify: identify(b), NewID: b.NewID,
		Gate: b.Gate("tools", cfg.RateUser, cfg.RateOrg), Origins: b.Origins, Local: b.Local,
		AuthorizationServers: cfg.AuthorizationServers,
	}
	reached, err := remote.New(ctx, b)
	if err != nil {
		return nil, err
	}
	if reached != nil {
		c.Servers = servers{reached}
	}
	return mcp.New(c)
}
