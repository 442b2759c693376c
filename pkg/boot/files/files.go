// Package files builds the door through which conversations and tables leave as
// files. It stands apart, since only two functions should carry what it takes
// to write them.
package files

import (
	"context"

	"github.com/bellhop-ai/bellhop/pkg/api/export"
	"github.com/bellhop-ai/bellhop/pkg/boot"
	"github.com/bellhop-ai/bellhop/pkg/boot/parts"
	"github.com/bellhop-ai/bellhop/pkg/history"
)

// New builds the door on the parts.
func New(ctx context.Context, s *boot.Service, p *parts.Parts) (*export.Handler, error) {
	var cfg boot.ExportConfig
	if err := s.Env.Decode(ctx, &cfg); err != nil {
		return nil, err
	}
	keys, err := history.NewKeys(history.KeysConfig{Spec: cfg.SealKeys, TTL: cfg.SealTTL, Now: s.Now})
	if err != nil {
		return nil, err
	}
	return export.New(export.Config{
		Assistants: p.Assistants, Default: cfg.DefaultAssistant, Keys: keys, Talks: p.Talks, Shelf: p.Files, Identify: p.Identify, Now: s.Now,
		Gate: p.Gate("export", cfg.RateUser, cfg.RateOrg),
	})
}
