// Package mcp wires the handler that serves tools by the Model Context Protocol.
package mcp

import (
	"context"

	"github.com/bellhop-ai/bellhop/pkg/api/mcp"
	"github.com/bellhop-ai/bellhop/pkg/boot"
	"github.com/bellhop-ai/bellhop/pkg/boot/backend"
	"github.com/bellhop-ai/bellhop/pkg/boot/runtimes"
)

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
	return mcp.New(mcp.Config{
		Assistants: assistants, Consent: b.Consent, Identify: b.Identify, NewID: b.NewID,
		Gate: b.Gate("tools", cfg.RateUser, cfg.RateOrg), Origins: b.Origins,
		AuthorizationServers: cfg.AuthorizationServers,
	})
}
