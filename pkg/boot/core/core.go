// Package core builds what the handlers of a process share: the Supabase
// client, the token verifier, the seal keys, the limits, and where reports go.
package core

import (
	"context"
	"crypto/rand"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/boot"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/history"
	"github.com/bellhop-ai/bellhop/pkg/httpx"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/limit"
	"github.com/bellhop-ai/bellhop/pkg/supabase"
	"github.com/bellhop-ai/bellhop/pkg/supabase/control"
)

// Core is built once, by a function's main, and is immutable from then on. The
// main owns it; handlers keep what they need of it for as long as the process
// lives, and nothing in it has to be closed.
type Core struct {
	*boot.Service
	Client *supabase.Client
	Limits control.Limits

	// Keys seal what is said, for SealTTL. They are nil in a Core of New.
	Keys    *history.Keys
	SealTTL time.Duration
	// DefaultAssistant answers requests that name none; "" in a Core of New.
	DefaultAssistant string

	verifier *supabase.Verifier
}

// New returns a Core without seal keys, for functions that read no history.
// Nothing is sent yet.
func New(s *boot.Service) (*Core, error) {
	cfg := Config(s)
	var err error
	// The database judges proofs by its own clock, so ours is the real one, too.
	if cfg.Proof, err = supabase.NewProver(identity.Secret(s.ProofKeys), time.Now, rand.Reader); err != nil {
		return nil, err
	}
	client, err := supabase.New(cfg)
	if err != nil {
		return nil, err
	}
	verifier, err := supabase.NewVerifier(supabase.VerifierConfig{
		URL: s.SupabaseURL, JWKS: s.JWKS, Secret: identity.Secret(s.JWTSecret), Now: s.Now,
	})
	if err != nil {
		return nil, err
	}
	return &Core{Service: s, Client: client, Limits: control.NewLimits(client), verifier: verifier}, nil
}

// NewSealed returns a Core with the seal keys of the environment.
func NewSealed(ctx context.Context, s *boot.Service) (*Core, error) {
	var cfg boot.HistoryConfig
	if err := s.Env.Decode(ctx, &cfg); err != nil {
		return nil, err
	}
	c, err := New(s)
	if err != nil {
		return nil, err
	}
	c.SealTTL, c.DefaultAssistant = cfg.SealTTL, cfg.DefaultAssistant
	c.Keys, err = history.NewKeys(history.KeysConfig{Spec: cfg.SealKeys, TTL: cfg.SealTTL, Now: s.Now})
	return c, err
}

// Config is how the Supabase project of the environment is reached.
func Config(s *boot.Service) supabase.Config {
	return supabase.Config{
		URL: s.SupabaseURL, PublishableKey: identity.Secret(s.PublishableKey), RequestID: httpx.RequestID,
		Log: func(ctx context.Context, event string, fields map[string]any) {
			s.Log.Warn().Str("request_id", httpx.RequestID(ctx)).Fields(fields).Msg(event)
		},
	}
}

// Verify returns the user of a token, who may be a member of nothing.
func (c *Core) Verify(ctx context.Context, token string) (userID string, err error) {
	claims, err := c.verifier.Verify(ctx, identity.Secret(token))
	return claims.UserID, err
}

// Claimed returns the caller as a token says; see supabase.Verifier.Caller.
func (c *Core) Claimed(ctx context.Context, token string) (identity.Caller, error) {
	return c.verifier.Caller(ctx, token)
}

// Identify returns the caller of a token, with the role that the database knows
// now.
func (c *Core) Identify(ctx context.Context, token string) (identity.Caller, error) {
	if _, err := c.Verify(ctx, token); err != nil {
		return identity.Caller{}, err
	}
	return c.Client.Whoami(ctx, identity.Secret(token))
}

// Gate bounds the requests to one handler to so many per minute.
func (c *Core) Gate(handler string, user, org uint16) limit.Gate {
	return limit.Gate{Counter: c.Limits, Door: handler, Rate: identity.Rate{User: int(user), Org: int(org)}}
}

// Meter takes what a model's calls use from a budget, and reports what could
// not be settled.
func (c *Core) Meter(budget limit.Budget, model string) limit.Meter {
	return limit.Meter{Budget: budget, Model: model, Report: func(ctx context.Context, err error) {
		c.Warn(ctx, err, "a budget was not settled")
	}}
}

// Warn reports, in one line of the log, what went wrong without a request having
// failed of it.
func (c *Core) Warn(ctx context.Context, err error, what string) {
	c.Log.Warn().Str("request_id", httpx.RequestID(ctx)).Str("cause", fault.Trace(err)).Msg(what)
}
