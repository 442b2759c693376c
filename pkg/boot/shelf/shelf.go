// Package shelf builds the door for files.
package shelf

import (
	"context"
	"net/http"

	api "github.com/bellhop-ai/bellhop/pkg/api/uploads"
	"github.com/bellhop-ai/bellhop/pkg/boot"
	"github.com/bellhop-ai/bellhop/pkg/boot/project"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/limit"
	"github.com/bellhop-ai/bellhop/pkg/supabase/control"
	"github.com/bellhop-ai/bellhop/pkg/supabase/uploads"
)

// New builds the door. Nothing is sent yet.
func New(ctx context.Context, s *boot.Service) (http.Handler, error) {
	var cfg boot.UploadsConfig
	if err := s.Env.Decode(ctx, &cfg); err != nil {
		return nil, err
	}
	home, err := project.New(s)
	if err != nil {
		return nil, err
	}
	return api.New(api.Config{
		Identify: home.Identify, Desk: uploads.NewDesk(home.Client), Now: s.Now,
		Gate: limit.Gate{Counter: control.NewLimits(home.Client), Door: "uploads", Rate: identity.Rate{User: int(cfg.RateUser), Org: int(cfg.RateOrg)}},
	})
}
