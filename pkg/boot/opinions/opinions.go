// Package opinions builds the door through which people rate answers.
package opinions

import (
	"context"

	"github.com/bellhop-ai/bellhop/pkg/api/feedback"
	"github.com/bellhop-ai/bellhop/pkg/boot"
	"github.com/bellhop-ai/bellhop/pkg/boot/parts"
	"github.com/bellhop-ai/bellhop/pkg/history"
)

// New builds the door on the parts.
func New(ctx context.Context, s *boot.Service, p *parts.Parts) (*feedback.Handler, error) {
	var cfg boot.FeedbackConfig
	if err := s.Env.Decode(ctx, &cfg); err != nil {
		return nil, err
	}
	keys, err := history.NewKeys(history.KeysConfig{Spec: cfg.SealKeys, TTL: cfg.SealTTL, Now: s.Now})
	if err != nil {
		return nil, err
	}
	return feedback.New(feedback.Config{
		Assistants: p.Assistants, Default: cfg.DefaultAssistant, Keys: keys, Store: p.Feedback, Archive: p.Feedback, Identify: p.Identify, Now: s.Now,
		Gate: p.Gate("feedback", cfg.RateUser, cfg.RateOrg),
	})
}
