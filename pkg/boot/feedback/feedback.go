// Package feedback wires the handler through which people rate answers.
package feedback

import (
	"context"

	"github.com/bellhop-ai/bellhop/pkg/api/feedback"
	"github.com/bellhop-ai/bellhop/pkg/boot"
	"github.com/bellhop-ai/bellhop/pkg/boot/backend"
)

// New builds the handler on the backend, which must have seal keys.
func New(ctx context.Context, b *backend.Backend) (*feedback.Handler, error) {
	var cfg boot.FeedbackConfig
	if err := b.Env.Decode(ctx, &cfg); err != nil {
		return nil, err
	}
	return feedback.New(feedback.Config{
		Assistants: b.Profiles, Default: b.DefaultAssistant, Keys: b.Keys, Store: b.Feedback, Answers: b.Feedback,
		Identify: b.Identify, Now: b.Now,
		Gate: b.Gate("feedback", cfg.RateUser, cfg.RateOrg),
	})
}
