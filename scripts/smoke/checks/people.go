package checks

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"

	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/supabase"
)

// people asks who may sign in and what the project knows of them.
func people() []check {
	return []check{
		{name: "health", says: "Auth answers.", alone: true, run: func(ctx context.Context,
			v *visit) error {
			return v.client.Health(ctx)
		}},
		{name: "wrong password", says: "A wrong password is refused with the code invalid_credentials.", alone: true,
			run: wrongPassword},
		{name: "sign-in", says: "A password gives a session.", alone: true, run: signIn},
		{name: "whoami and guard", says: "The person is a member of an organisation, and every request passes the " +
			"pre-request function.", alone: true, run: whoami},
		{name: "token", says: "The access token verifies against the public key set, a changed one does not.",
			run: verifyToken},
		{name: "refresh", says: "A refresh token gives a new session of the same person.", run: refresh},
		{name: "user", says: "Auth tells the bearer of a token who they are.", run: user},
	}
}

// farewell ends the session, so that nothing stays of a run that only read.
func farewell() []check {
	return []check{{name: "sign-out", says: "After a sign-out the refresh token gives no session any more.",
		tidies: true, run: signOut}}
}

func wrongPassword(ctx context.Context, v *visit) error {
	_, err := v.client.SignIn(ctx, v.target.Email, v.target.Password+"-wrong")
	if f := fault.From(err); f == nil || f.Kind != fault.Unauthorized || f.Code != "invalid_credentials" {
		return fmt.Errorf("a wrong password ends with: %w", orNone(err))
	}
	return nil
}

func signIn(ctx context.Context, v *visit) error {
	session, err := v.client.SignIn(ctx, v.target.Email, v.target.Password)
	if err != nil {
		return err
	}
	if session.AccessToken == "" || session.RefreshToken == "" || session.UserID == "" || session.ExpiresIn <= 0 {
		return fmt.Errorf("the session is incomplete: user %q, %s to live", session.UserID, session.ExpiresIn)
	}
	v.session = session
	return nil
}

func whoami(ctx context.Context, v *visit) error {
	if v.session.AccessToken == "" {
		return skip("nobody is signed in")
	}
	by, err := v.client.Whoami(ctx, v.session.AccessToken)
	if err != nil {
		return err
	}
	if by.UserID != v.session.UserID || by.OrgID == "" || by.Role == "" {
		return fmt.Errorf("user %s signed in, and whoami tells of user %q, organisation %q, role %q", v.session.UserID,
			by.UserID, by.OrgID, by.Role)
	}
	if len(by.Entities) > 0 {
		by.Entity = by.Entities[0]
	}
	if property, ok := by.Choose("", "property"); ok {
		by = property
	}
	v.by = by
	return nil
}

func verifyToken(ctx context.Context, v *visit) error {
	verifier, err := supabase.NewVerifier(supabase.VerifierConfig{URL: v.base, HTTP: v.http})
	if err != nil {
		return err
	}
	claims, err := verifier.Verify(ctx, v.session.AccessToken)
	if err != nil {
		return errors.Join(errors.New("the token does not verify; a project with the legacy shared secret has to "+
			"move to signing keys"), errors.Unwrap(err))
	}
	if claims.UserID != v.by.UserID || claims.OrgID != v.by.OrgID {
		return fmt.Errorf("the token is of user %s in organisation %q, whoami of %s in %s", claims.UserID,
			claims.OrgID, v.by.UserID, v.by.OrgID)
	}
	if _, err := verifier.Verify(ctx, forged(v.session.AccessToken)); !fault.Is(err, fault.Unauthorized) {
		return fmt.Errorf("a token with another signature ends with: %w", orNone(err))
	}
	return nil
}

func refresh(ctx context.Context, v *visit) error {
	session, err := v.client.Refresh(ctx, v.session.RefreshToken)
	if err != nil {
		return err
	}
	if session.UserID != v.by.UserID || session.RefreshToken == v.session.RefreshToken {
		return fmt.Errorf("the new session is of user %s, and its refresh token is new: %v", session.UserID,
			session.RefreshToken != v.session.RefreshToken)
	}
	v.session, v.by.Token = session, session.AccessToken
	return nil
}

func user(ctx context.Context, v *visit) error {
	a, err := v.ask(ctx, request{path: "/auth/v1/user", token: v.by.Token})
	if err := all(err, a.hasStatus(http.StatusOK)); err != nil {
		return err
	}
	var who struct{ ID, Email, Role, Aud string }
	if err := json.Unmarshal(a.body, &who); err != nil {
		return err
	}
	if who.ID != v.by.UserID || who.Role != "authenticated" || who.Aud != "authenticated" {
		return fmt.Errorf("the bearer is %+v and not %s", who, v.by.UserID)
	}
	a, err = v.ask(ctx, request{path: "/auth/v1/user", token: forged(v.by.Token)})
	if err == nil && a.status != http.StatusForbidden && a.status != http.StatusUnauthorized {
		err = fmt.Errorf("a token with another signature ends with %d: %s", a.status, a.excerpt())
	}
	return err
}

func signOut(ctx context.Context, v *visit) error {
	a, err := v.ask(ctx, request{method: http.MethodPost, path: "/auth/v1/logout?scope=local", token: v.by.Token})
	if err := all(err, a.hasStatus(http.StatusNoContent)); err != nil {
		return err
	}
	if _, err := v.client.Refresh(ctx, v.session.RefreshToken); err == nil {
		return errors.New("the refresh token still gives a session")
	}
	return nil
}

// forged returns the token with another signature of the same length.
func forged(token identity.Secret) identity.Secret {
	text := []byte(token.Reveal())
	// The last character may hold bits that no decoder looks at.
	for i := len(text) - 12; i >= 0 && i < len(text)-4; i++ {
		if text[i] = 'A'; token.Reveal()[i] == 'A' {
			text[i] = 'B'
		}
	}
	return identity.Secret(text)
}

// orNone gives a missing error words.
func orNone(err error) error {
	if err == nil {
		return errors.New("no error")
	}
	return err
}
