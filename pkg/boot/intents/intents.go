// Package intents wires the handler with which administrators keep intents.
package intents

import (
	"cmp"
	"context"

	"github.com/bellhop-ai/bellhop/pkg/api/intents"
	"github.com/bellhop-ai/bellhop/pkg/assistants/phrases"
	"github.com/bellhop-ai/bellhop/pkg/assistants/profiles"
	"github.com/bellhop-ai/bellhop/pkg/boot"
	"github.com/bellhop-ai/bellhop/pkg/boot/core"
	"github.com/bellhop-ai/bellhop/pkg/boot/model"
	"github.com/bellhop-ai/bellhop/pkg/supabase/business"
	store "github.com/bellhop-ai/bellhop/pkg/supabase/intents"
)

// Config is the environment of the intents function.
type Config struct {
	boot.ModelsConfig
	boot.IntentsConfig
}

// New builds the handler on the core. Nothing is sent yet.
func New(ctx context.Context, c *core.Core) (*intents.Handler, error) {
	var cfg Config
	if err := c.Env.Decode(ctx, &cfg); err != nil {
		return nil, err
	}
	models, err := model.ForCallers(c, cfg.ModelsConfig, nil)
	if err != nil {
		return nil, err
	}
	all := profiles.All()
	return intents.New(intents.Config{
		Assistants: all, Default: cmp.Or(c.DefaultAssistant, all[0].Name), Base: phrases.Model,
		Store: store.New(c.Client), Business: business.New(c.Client),
		Suggestions: business.NewSuggestions(c.Client), Models: models,
		Meter:    c.Meter(c.Limits, cmp.Or(cfg.CheapModel, cfg.Model)),
		Identify: c.Identify, Now: c.Now, Gate: c.Gate("intents", cfg.RateUser, cfg.RateOrg),
	})
}
