package auth

import (
	"bytes"
	"errors"
	"fmt"
	"time"

	"github.com/golang-jwt/jwt/v5"
	"github.com/google/uuid"
)

// audience is claim aud of every token, as Supabase has it.
const audience = "authenticated"

// JWKS returns the public key set as JSON. The caller owns the bytes.
func (s *Server) JWKS() []byte { return bytes.Clone(s.key.set) }

// Verify returns the claims of a token that this server signed. It accepts
// ES256 alone, and checks issuer, audience and expiry by the server's clock.
// It does not ask whether the session still lives.
func (s *Server) Verify(token string) (map[string]any, error) {
	claims := jwt.MapClaims{}
	_, err := jwt.ParseWithClaims(token, claims,
		func(t *jwt.Token) (any, error) {
			if t.Header["kid"] != s.key.id {
				return nil, errors.New("the key id is unknown")
			}
			return &s.key.private.PublicKey, nil
		},
		jwt.WithValidMethods([]string{jwt.SigningMethodES256.Alg()}),
		jwt.WithIssuer(s.issuer),
		jwt.WithAudience(audience),
		jwt.WithExpirationRequired(),
		jwt.WithTimeFunc(s.now),
	)
	if err != nil {
		return nil, fmt.Errorf("verify the token: %w", err)
	}
	return claims, nil
}

// Mint returns a token that lives for a minute and carries role but no user.
// The gateway uses it in place of an API key, so that what stands behind the
// gateway sees tokens only.
func (s *Server) Mint(role string) (string, error) {
	if role == "" {
		return "", errors.New("auth: a token needs a role")
	}
	now := s.now()
	return s.sign(jwt.MapClaims{
		"iss": s.issuer, "aud": audience, "role": role,
		"iat": now.Unix(), "exp": now.Add(internalTTL).Unix(),
	})
}

// accessToken returns a token for u and the time it ends.
func (s *Server) accessToken(u user, session uuid.UUID, signedIn time.Time) (string, time.Time, error) {
	now := s.now()
	ends := now.Add(s.accessTTL)
	token, err := s.sign(jwt.MapClaims{
		"iss":           s.issuer,
		"aud":           u.Aud,
		"sub":           u.ID,
		"role":          u.Role,
		"email":         u.Email,
		"phone":         "",
		"iat":           now.Unix(),
		"exp":           ends.Unix(),
		"session_id":    session,
		"app_metadata":  u.AppMetadata,
		"user_metadata": u.UserMetadata,
		"aal":           "aal1",
		"amr":           []any{map[string]any{"method": "password", "timestamp": signedIn.Unix()}},
		"is_anonymous":  false,
	})
	return token, ends, err
}

func (s *Server) sign(claims jwt.MapClaims) (string, error) {
	token := jwt.NewWithClaims(jwt.SigningMethodES256, claims)
	token.Header["kid"] = s.key.id
	text, err := token.SignedString(s.key.private)
	if err != nil {
		return "", fmt.Errorf("sign the token: %w", err)
	}
	return text, nil
}
