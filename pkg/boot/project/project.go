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

// Project is the project with what checks its tokens.
type Project struct {
	Client   *supabase.Client
	verifier *supabase.Verifier
}

// New returns the project. Nothing is sent yet.
func New(s *boot.Service) (*Project, error) {
	client, err := supabase.New(Config(s))
	if err != nil {
		return nil, err
	}
	verifier, err := supabase.NewVerifier(supabase.VerifierConfig{
		URL: s.SupabaseURL, JWKS: s.JWKS, Secret: identity.Secret(s.JWTSecret), Now: s.Now,
	})
	if err != nil {
		return nil, err
	}
	return &Project{client, verifier}, nil
}

// Verify returns the user of a token, who may be a member of nothing.
func (p *Project) Verify(ctx context.Context, token string) (userID string, err error) {
	claims, err := p.verifier.Verify(ctx, identity.Secret(token))
	return claims.UserID, err
}

// Identify returns the caller of a token, with the role that the database knows
// now.
func (p *Project) Identify(ctx context.Context, token string) (identity.Caller, error) {
	if _, err := p.Verify(ctx, token); err != nil {
		return identity.Caller{}, err
	}
	return p.Client.Whoami(ctx, identity.Secret(token))
}
