package supabase

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/supabase-community/gotrue-go"
	"github.com/supabase-community/gotrue-go/types"

	"github.com/bellhop-ai/bellhop/pkg/identity"
)

// Session is what a person gets for signing in.
type Session struct {
	AccessToken  identity.Secret
	RefreshToken identity.Secret
	ExpiresIn    time.Duration
	UserID       string // uuid
	Email        string
}

// SignIn exchanges an e-mail address and a password for a session. Wrong ones
// are a fault.Unauthorized error with the code "invalid_credentials".
func (c *Client) SignIn(ctx context.Context, email string, password identity.Secret) (Session, error) {
	return c.token(ctx, func(auth gotrue.Client) (*types.TokenResponse, error) {
		return auth.SignInWithEmailPassword(email, password.Reveal())
	})
}

// KeyOpened is the answer to an API key.
type KeyOpened struct {
	Email   string `json:"email"`
	Expired bool   `json:"expired"`
	WaitMs  *int64 `json:"waitMs"` // of a wrong key; 0 where there were not too many
}

// OpenKey calls api_key_open with a user's id and the digest of a secret. The
// key itself says for which organisation.
func (c *Client) OpenKey(ctx context.Context, id, digest string) (KeyOpened, error) {
	return Call[KeyOpened](ctx, c.Ours(), "api_key_open", Args{"p_user": id, "p_digest": digest})
}

// Refresh exchanges a refresh token for a new session; the old token ends.
func (c *Client) Refresh(ctx context.Context, refresh identity.Secret) (Session, error) {
	return c.token(ctx, func(auth gotrue.Client) (*types.TokenResponse, error) {
		return auth.RefreshToken(refresh.Reveal())
	})
}

func (c *Client) token(ctx context.Context, ask func(gotrue.Client) (*types.TokenResponse, error)) (Session, error) {
	d := &transport{client: c, ctx: ctx, accept: mediaJSON, control: true}
	// WithClient returns a copy: nothing of this person stays in the client.
	answer, err := ask(c.auth.WithClient(http.Client{Transport: d}))
	if errors.Is(err, types.ErrInvalidTokenRequest) {
		return Session{}, (&Error{Status: http.StatusBadRequest, Code: "invalid_credentials"}).fault()
	}
	if err != nil {
		return Session{}, asFault(ctx, err)
	}
	return Session{
		AccessToken:  identity.Secret(answer.AccessToken),
		RefreshToken: identity.Secret(answer.RefreshToken),
		ExpiresIn:    time.Duration(answer.ExpiresIn) * time.Second,
		UserID:       answer.User.ID.String(),
		Email:        answer.User.Email,
	}, nil
}

// Health reports whether the project's Auth answers.
func (c *Client) Health(ctx context.Context) error {
	d := &transport{client: c, ctx: ctx, accept: mediaJSON}
	_, err := c.auth.WithClient(http.Client{Transport: d}).HealthCheck()
	return asFault(ctx, err)
}
