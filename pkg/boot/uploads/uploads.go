// Package uploads wires the handler for files.
package uploads

import (
	"context"

	api "github.com/bellhop-ai/bellhop/pkg/api/uploads"
	"github.com/bellhop-ai/bellhop/pkg/boot"
	"github.com/bellhop-ai/bellhop/pkg/boot/core"
	"github.com/bellhop-ai/bellhop/pkg/supabase/uploads"
	"github.com/bellhop-ai/bellhop/pkg/uploads/photo"
)

// New builds the handler on the core. Nothing is sent yet.
func New(ctx context.Context, c *core.Core) (*api.Handler, error) {
	var cfg boot.UploadsConfig
	if err := c.Env.Decode(ctx, &cfg); err != nil {
		return nil, err
	}
	service := uploads.NewService(c.Client)
	service.Photos = photo.New()
	return api.New(api.Config{
		Identify: c.Identify, Service: service, Now: c.Now,
		Gate: c.Gate("uploads", cfg.RateUser, cfg.RateOrg),
	})
}
