// Command tools is the function that runs tools without a model and settles
// questions of consent.
package main

import (
	"context"
	"net/http"

	"github.com/bellhop-ai/bellhop/pkg/api/tools"
	"github.com/bellhop-ai/bellhop/pkg/boot"
	"github.com/bellhop-ai/bellhop/pkg/boot/parts"
)

func main() { boot.Run("tools", boot.Options{}, build) }

func build(ctx context.Context, s *boot.Service) (http.Handler, error) {
	var cfg boot.ToolsConfig
	if err := s.Env.Decode(ctx, &cfg); err != nil {
		return nil, err
	}
	p, err := parts.New(s, nil)
	if err != nil {
		return nil, err
	}
	return tools.New(tools.Config{Assistants: p.Assistants, Desk: p.Desk, Identify: p.Identify, NewID: s.NewID, Gate: p.Gate("tools", cfg.RateUser, cfg.RateOrg)})
}
