// Package listen builds the transcribe door.
package listen

import (
	"context"
	"net/http"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/api/transcribe"
	"github.com/bellhop-ai/bellhop/pkg/boot"
	"github.com/bellhop-ai/bellhop/pkg/boot/project"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/httpx"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/limit"
	"github.com/bellhop-ai/bellhop/pkg/openai"
	"github.com/bellhop-ai/bellhop/pkg/supabase/control"
	"github.com/bellhop-ai/bellhop/pkg/supabase/uploads"
)

// patience is how long a stream of a transcript may stand still: a model may
// listen to much of a recording before it writes.
const patience = 2 * time.Minute

// Config is the environment of a function that listens.
type Config struct {
	boot.ProviderConfig
	boot.TranscribeConfig
}

// New builds the door. Nothing is sent yet.
func New(ctx context.Context, s *boot.Service) (http.Handler, error) {
	var cfg Config
	if err := s.Env.Decode(ctx, &cfg); err != nil {
		return nil, err
	}
	if err := cfg.Check(s.Env); err != nil {
		return nil, err
	}
	home, err := project.New(s)
	if err != nil {
		return nil, err
	}
	model, err := openai.New(openai.Config{
		APIKey: identity.Secret(cfg.APIKey), BaseURL: cfg.BaseURL, Model: cfg.Model, Profile: cfg.Profile, IdleTimeout: patience,
		Report: func(ctx context.Context, a openai.Attempt) {
			if a.Err != nil {
				s.Log.Warn().Str("request_id", httpx.RequestID(ctx)).Int("attempt", a.Number).Dur("took", a.Took).Bool("again", a.Again).Str("cause", fault.Trace(a.Err)).Msg("a model call failed")
			}
		},
	})
	if err != nil {
		return nil, err
	}
	limits := control.NewLimits(home.Client)
	return transcribe.New(transcribe.Config{
		Identify: home.Identify, Speech: model, NewID: s.NewID, Files: uploads.NewDesk(home.Client),
		Gate: limit.Gate{Counter: limits, Door: "transcribe", Rate: identity.Rate{User: int(cfg.RateUser), Org: int(cfg.RateOrg)}},
		Purse: limit.Purse{Budget: limits, Model: cfg.Model, Report: func(ctx context.Context, err error) {
			s.Log.Warn().Str("request_id", httpx.RequestID(ctx)).Str("cause", fault.Trace(err)).Msg("a budget was not settled")
		}},
	})
}
