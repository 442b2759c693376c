// Package transcribe wires the transcription handler.
package transcribe

import (
	"context"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/api/transcribe"
	"github.com/bellhop-ai/bellhop/pkg/boot"
	"github.com/bellhop-ai/bellhop/pkg/boot/core"
	"github.com/bellhop-ai/bellhop/pkg/boot/model"
	"github.com/bellhop-ai/bellhop/pkg/supabase/uploads"
	store "github.com/bellhop-ai/bellhop/pkg/supabase/users"
	"github.com/bellhop-ai/bellhop/pkg/users"
)

// patience is how long a stream of a transcript may stand still: a model may
// listen to much of a recording before it writes.
const patience = 2 * time.Minute

// Config is the environment of the transcribe function.
type Config struct {
	boot.ProviderConfig
	boot.TranscribeConfig
}

// New builds the handler on the core. Nothing is sent yet.
func New(ctx context.Context, c *core.Core) (*transcribe.Handler, error) {
	var cfg Config
	if err := c.Env.Decode(ctx, &cfg); err != nil {
		return nil, err
	}
	speech, err := model.New(c, cfg.ProviderConfig, cfg.Model, patience)
	if err != nil {
		return nil, err
	}
	return transcribe.New(transcribe.Config{
		Identify: c.Identify, Speech: speech, NewID: c.NewID, Files: uploads.NewService(c.Client),
		Sessions: &users.Sessions{Keys: store.NewKeys(c.Client), Now: c.Now},
		Gate:     c.Gate("transcribe", cfg.RateUser, cfg.RateOrg), Meter: c.Meter(c.Limits, cfg.Model),
	})
}
