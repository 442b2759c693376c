// Package tools wires the handler that runs tools without a model.
package tools

import (
	"context"

	"github.com/bellhop-ai/bellhop/pkg/api/tools"
	"github.com/bellhop-ai/bellhop/pkg/boot"
	"github.com/bellhop-ai/bellhop/pkg/boot/backend"
	"github.com/bellhop-ai/bellhop/pkg/boot/runtimes"
)

// New builds the handler on the backend.
func New(ctx context.Context, b *backend.Backend) (*tools.Handler, error) {
	var cfg boot.ToolsConfig
	if err := b.Env.Decode(ctx, &cfg); err != nil {
		return nil, err
	}
	assistants, err := runtimes.New(ctx, b)
	if err != nil {
		return nil, err
	}
	return tools.New(tools.Config{
		Assistants: assistants, Consent: b.Consent, Identify: b.Identify, Open: b.OpenProposal, NewID: b.NewID,
		Gate: b.Gate("tools", cfg.RateUser, cfg.RateOrg),
	})
}
