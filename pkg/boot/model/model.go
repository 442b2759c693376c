// Package model builds clients of the model provider. It stands apart from core,
// so that a function that asks no model does not carry one.
package model

import (
	"context"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/boot"
	"github.com/bellhop-ai/bellhop/pkg/boot/core"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/httpx"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/openai"
)

// New returns a client that asks for the named model where a request names
// none. An answer's stream may stand still for idle; 0 is the client's default.
// Failed calls are reported in c's log. It refuses what cfg.Check refuses.
func New(c *core.Core, cfg boot.ProviderConfig, name string, idle time.Duration) (*openai.Client, error) {
	if err := cfg.Check(c.Env); err != nil {
		return nil, err
	}
	return client(c, openai.Config{
		APIKey: identity.Secret(cfg.APIKey), BaseURL: cfg.BaseURL, Model: name, Profile: cfg.Profile,
		IdleTimeout: idle,
	})
}

// client returns a client whose failed calls are reported in c's log.
func client(c *core.Core, cfg openai.Config) (*openai.Client, error) {
	cfg.Report = func(ctx context.Context, a openai.Attempt) {
		if a.Dropped > 0 {
			c.Log.Info().Str("request_id", httpx.RequestID(ctx)).Int("bytes", a.Dropped).
				Msg("reasoning was too long to be carried")
		}
		if a.Err != nil {
			c.Log.Warn().Str("request_id", httpx.RequestID(ctx)).Int("attempt", a.Number).Dur("took", a.Took).
				Bool("again", a.Again).Str("cause", fault.Trace(a.Err)).Msg("a model call failed")
		}
	}
	return openai.New(cfg)
}
