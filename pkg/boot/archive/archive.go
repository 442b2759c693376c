// Package archive builds the door to conversations that are kept.
package archive

import (
	"context"

	"github.com/bellhop-ai/bellhop/pkg/api/conversations"
	"github.com/bellhop-ai/bellhop/pkg/boot"
	"github.com/bellhop-ai/bellhop/pkg/boot/parts"
	"github.com/bellhop-ai/bellhop/pkg/history"
)

// New builds the door on the parts.
func New(ctx context.Context, s *boot.Service, p *parts.Parts) (*conversations.Handler, error) {
	var cfg boot.ConversationsConfig
	if err := s.Env.Decode(ctx, &cfg); err != nil {
		return nil, err
	}
	keys, err := history.NewKeys(history.KeysConfig{Spec: cfg.SealKeys, TTL: cfg.SealTTL, Now: s.Now})
	if err != nil {
		return nil, err
	}
	return conversations.New(conversations.Config{
		Assistants: p.Assistants, Default: cfg.DefaultAssistant, Keys: keys, Store: p.Talks, Identify: p.Identify, Questions: p.Desk,
		Gate: p.Gate("conversations", cfg.RateUser, cfg.RateOrg),
	})
}
