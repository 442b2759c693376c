// Package projects wires the handler for projects and their public pages.
package projects

import (
	"context"

	api "github.com/bellhop-ai/bellhop/pkg/api/projects"
	"github.com/bellhop-ai/bellhop/pkg/boot"
	"github.com/bellhop-ai/bellhop/pkg/boot/core"
	"github.com/bellhop-ai/bellhop/pkg/supabase/portfolio"
)

// assistant is the one that works on projects.
const assistant = "portfolio"

// New builds the handler on the core. Nothing is sent yet.
func New(ctx context.Context, c *core.Core) (*api.Handler, error) {
	var cfg boot.ProjectsConfig
	if err := c.Env.Decode(ctx, &cfg); err != nil {
		return nil, err
	}
	var pages boot.PagesConfig
	if err := c.Env.Decode(ctx, &pages); err != nil {
		return nil, err
	}
	origin, err := pages.Origin()
	if err != nil {
		return nil, err
	}
	return api.New(api.Config{
		Assistant: assistant, Store: portfolio.New(c.Client), Pages: portfolio.NewPages(c.Client),
		Base: origin, Identify: c.Identify, NewID: c.NewID,
		Gate: c.Gate("projects", cfg.RateUser, cfg.RateOrg),
	})
}
