// Package talk builds the chat door for the functions that hold conversations.
package talk

import (
	"context"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/api/chat"
	"github.com/bellhop-ai/bellhop/pkg/api/feedback"
	"github.com/bellhop-ai/bellhop/pkg/boot"
	"github.com/bellhop-ai/bellhop/pkg/boot/parts"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/history"
	"github.com/bellhop-ai/bellhop/pkg/httpx"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/limit"
	"github.com/bellhop-ai/bellhop/pkg/openai"
)

// reserve is kept back of a request's time for sealing, storing and saying
// what was not finished.
const reserve = 3 * time.Second

// Config is the environment of a function that talks.
type Config struct {
	boot.ModelConfig
	boot.ChatConfig
}

// New builds the door and the parts that it stands on.
func New(ctx context.Context, s *boot.Service) (*chat.Handler, *parts.Parts, error) {
	var cfg Config
	if err := s.Env.Decode(ctx, &cfg); err != nil {
		return nil, nil, err
	}
	if err := cfg.Check(s.Env); err != nil {
		return nil, nil, err
	}
	p, err := parts.New(s, cfg.LinkHosts)
	if err != nil {
		return nil, nil, err
	}
	keys, err := history.NewKeys(history.KeysConfig{Spec: cfg.SealKeys, TTL: cfg.SealTTL, Now: s.Now})
	if err != nil {
		return nil, nil, err
	}
	model, err := openai.New(openai.Config{
		APIKey: identity.Secret(cfg.APIKey), BaseURL: cfg.BaseURL, Model: cfg.Model, Profile: cfg.Profile,
		Report: func(ctx context.Context, a openai.Attempt) {
			if a.Err != nil {
				s.Log.Warn().Str("request_id", httpx.RequestID(ctx)).Int("attempt", a.Number).Dur("took", a.Took).Bool("again", a.Again).Str("cause", fault.Trace(a.Err)).Msg("a model call failed")
			}
		},
	})
	if err != nil {
		return nil, nil, err
	}
	door := chat.Config{
		Assistants: p.Assistants, Default: cfg.DefaultAssistant, Model: model, Keys: keys, Strict: cfg.SealStrict, Turns: p.Turns, Desk: p.Desk, Files: p.Files, Recorder: p.Talks,
		Identify: p.Identify, Now: s.Now, NewID: s.NewID, Reserve: reserve, Leaving: s.Leaving, Gate: p.Gate("chat", cfg.RateUser, cfg.RateOrg),
		Purse: limit.Purse{Budget: p.Limits, Model: cfg.Model, Report: func(ctx context.Context, err error) {
			s.Log.Warn().Str("request_id", httpx.RequestID(ctx)).Str("cause", fault.Trace(err)).Msg("a budget was not settled")
		}},
		Report: func(ctx context.Context, tool string, err error) {
			f := fault.From(err)
			line := s.Log.Info()
			if f.Kind == fault.Internal || f.Kind == fault.Unavailable || f.Kind == fault.Upstream {
				line = s.Log.Error()
			}
			line.Str("request_id", httpx.RequestID(ctx)).Str("tool", tool).Str("code", f.PublicCode()).Str("cause", fault.Trace(err)).Msg("a tool failed")
		},
	}
	if cfg.Signals {
		door.Ended = feedback.NewListener(p.Assistants, p.Feedback, func(ctx context.Context, err error) {
			s.Log.Warn().Str("request_id", httpx.RequestID(ctx)).Str("cause", fault.Trace(err)).Msg("a signal was not written down")
		}).Ended
	}
	if err := admit(ctx, s, p, keys, cfg.SealTTL, &door); err != nil {
		return nil, nil, err
	}
	h, err := chat.New(door)
	return h, p, err
}
