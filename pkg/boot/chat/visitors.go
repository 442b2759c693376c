package chat

import (
	"context"
	"errors"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/api/chat"
	"github.com/bellhop-ai/bellhop/pkg/boot"
	"github.com/bellhop-ai/bellhop/pkg/boot/backend"
	"github.com/bellhop-ai/bellhop/pkg/flow"
	"github.com/bellhop-ai/bellhop/pkg/httpx/visitors"
	"github.com/bellhop-ai/bellhop/pkg/identity"
)

// cookieKeys names what keys for visitors' cookies are derived for.
const cookieKeys = "bellhop visitor cookie 1"

// admit lets visitors use the handler where the environment names the
// organisation that they visit.
func admit(ctx context.Context, b *backend.Backend, handler *chat.Config) error {
	var cfg boot.VisitorsConfig
	if err := b.Env.Decode(ctx, &cfg); err != nil {
		return err
	}
	if err := cfg.Check(); err != nil || cfg.Org == "" {
		return err
	}
	var err error
	if handler.ForVisitors, err = forVisitors(handler.Assistants, cfg.Tools); err != nil {
		return err
	}
	signing, err := b.Keys.Derive(cookieKeys)
	if err != nil {
		return err
	}
	handler.Visitors, err = visitors.New(visitors.Config{
		Org: cfg.Org, Keys: signing, Lasts: b.SealTTL, Now: b.Now, Identify: b.Identify, Counter: b.Limits,
		Origins: b.Origins,
		Rates:   visitors.Rates{Each: int(cfg.RateEach), All: int(cfg.RateAll)},
		SignIn: func(ctx context.Context) (identity.Secret, time.Duration, error) {
			session, err := b.Client.SignIn(ctx, cfg.Email, identity.Secret(cfg.Password))
			return session.AccessToken, session.ExpiresIn, err
		},
	})
	return err
}

// forVisitors returns the assistants as visitors may use them: with the tools
// that are named, or with those that each declares as public; those that only talk
// to visitors need none. A list of an
// operator's is checked now, for which all assistants are built; what the
// assistants declare is checked by a test.
func forVisitors(all []*flow.Assistant, tools []string) ([]*flow.Assistant, error) {
	var out []*flow.Assistant
	found := len(tools) == 0
	for _, a := range all {
		if len(tools) == 0 {
			if len(a.Public) > 0 || len(a.Talk) > 0 {
				out = append(out, a.Restrict(a.Public...))
			}
			continue
		}
		r, err := a.Runtime()
		if err != nil {
			return nil, err
		}
		has := r.HasAny(tools...)
		if !has && len(a.Talk) == 0 {
			continue // the list may be meant for several assistants
		}
		found = found || has
		restricted := a.Restrict(tools...)
		if _, err := restricted.Runtime(); err != nil {
			return nil, err
		}
		out = append(out, restricted)
	}
	if !found || len(out) == 0 {
		return nil, errors.New("ANONYMOUS_TOOLS names no tool that an assistant has")
	}
	return out, nil
}
