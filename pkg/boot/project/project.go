// Package project reaches the Supabase project of the environment.
package project

import (
	"context"

	"github.com/bellhop-ai/bellhop/pkg/boot"
	"github.com/bellhop-ai/bellhop/pkg/httpx"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/supabase"
)

// Config is how the project is reached.
func Config(s *boot.Service) supabase.Config {
	return supabase.Config{
		URL: s.SupabaseURL, PublishableKey: identity.Secret(s.PublishableKey), RequestID: httpx.RequestID,
		Log: func(ctx context.Context, event string, fields map[string]any) {
			s.Log.Warn().Str("request_id", httpx.RequestID(ctx)).Fields(fields).Msg(event)
		},
	}
}

// New returns the project's client, and who is calling with a token.
func New(s *boot.Service) (*supabase.Client, func(ctx context.Context, token string) (identity.Caller, error), error) {
	client, err := supabase.New(Config(s))
	if err != nil {
		return nil, nil, err
	}
	verifier, err := supabase.NewVerifier(supabase.VerifierConfig{
		URL: s.SupabaseURL, JWKS: s.JWKS, Secret: identity.Secret(s.JWTSecret), Now: s.Now,
	})
	if err != nil {
		return nil, nil, err
	}
	return client, func(ctx context.Context, token string) (identity.Caller, error) {
		if _, err := verifier.Verify(ctx, identity.Secret(token)); err != nil {
			return identity.Caller{}, err
		}
		return client.Whoami(ctx, identity.Secret(token))
	}, nil
}
