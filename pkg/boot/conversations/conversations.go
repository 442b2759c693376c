// Package conversations wires the handler of stored conversations.
package conversations

import (
	"context"

	"github.com/bellhop-ai/bellhop/pkg/api/conversations"
	"github.com/bellhop-ai/bellhop/pkg/boot"
	"github.com/bellhop-ai/bellhop/pkg/boot/backend"
)

// New builds the handler on the backend, which must have seal keys.
func New(ctx context.Context, b *backend.Backend) (*conversations.Handler, error) {
	var cfg boot.ConversationsConfig
	if err := b.Env.Decode(ctx, &cfg); err != nil {
		return nil, err
	}
	return conversations.New(conversations.Config{
		Assistants: b.Profiles, Default: b.DefaultAssistant, Keys: b.Keys, Store: b.Conversations,
		Identify: b.Identify, Questions: b.Consent,
		Gate: b.Gate("conversations", cfg.RateUser, cfg.RateOrg),
	})
}
