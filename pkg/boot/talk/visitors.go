package talk

import (
	"context"
	"errors"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/api/chat"
	"github.com/bellhop-ai/bellhop/pkg/boot"
	"github.com/bellhop-ai/bellhop/pkg/boot/parts"
	"github.com/bellhop-ai/bellhop/pkg/history"
	"github.com/bellhop-ai/bellhop/pkg/httpx/visitors"
	"github.com/bellhop-ai/bellhop/pkg/identity"
)

// cookieKeys names what keys for visitors' cookies are derived for.
const cookieKeys = "bellhop visitor cookie 1"

// admit lets visitors through the door where the environment names the
// organisation that they visit.
func admit(ctx context.Context, s *boot.Service, p *parts.Parts, keys *history.Keys, lasts time.Duration, door *chat.Config) error {
	var cfg boot.VisitorsConfig
	if err := s.Env.Decode(ctx, &cfg); err != nil {
		return err
	}
	if err := cfg.Check(); err != nil || cfg.Org == "" {
		return err
	}
	for _, a := range p.Assistants {
		tools := cfg.Tools
		if len(tools) == 0 {
			tools = a.Public
		}
		narrow, ok, err := a.Narrow(tools...)
		if err != nil {
			return err
		}
		if ok {
			door.ForVisitors = append(door.ForVisitors, narrow)
		}
	}
	if len(door.ForVisitors) == 0 {
		return errors.New("ANONYMOUS_TOOLS names no tool that an assistant has")
	}
	signing, err := keys.Derive(cookieKeys)
	if err != nil {
		return err
	}
	door.Visitors, err = visitors.New(visitors.Config{
		Org: cfg.Org, Keys: signing, Lasts: lasts, Now: s.Now, Identify: p.Identify, Counter: p.Limits, Origins: s.Origins,
		Rates: visitors.Rates{Each: int(cfg.RateEach), All: int(cfg.RateAll)},
		SignIn: func(ctx context.Context) (identity.Secret, time.Duration, error) {
			session, err := p.SignIn(ctx, cfg.Email, identity.Secret(cfg.Password))
			return session.AccessToken, session.ExpiresIn, err
		},
	})
	return err
}
