// Package export wires the handler through which conversations and tables leave
// as files. It stands apart, since only two functions should carry what it takes
// to write them.
package export

import (
	"context"

	"github.com/bellhop-ai/bellhop/pkg/api/export"
	"github.com/bellhop-ai/bellhop/pkg/boot"
	"github.com/bellhop-ai/bellhop/pkg/boot/backend"
)

// New builds the handler on the backend, which must have seal keys.
func New(ctx context.Context, b *backend.Backend) (*export.Handler, error) {
	var cfg boot.ExportConfig
	if err := b.Env.Decode(ctx, &cfg); err != nil {
		return nil, err
	}
	return export.New(export.Config{
		Assistants: b.Profiles, Default: b.DefaultAssistant, Keys: b.Keys, Conversations: b.Conversations,
		Files:    b.Files,
		Identify: b.Identify, Now: b.Now,
		Gate: b.Gate("export", cfg.RateUser, cfg.RateOrg),
	})
}
