package rest

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net/http"
	"slices"
	"strings"
	"time"
)

// TokenError says why Verify refused a token. Any other error of Verify is
// answered as PGRST301.
type TokenError struct {
	Code    string // PGRST301 for a token that cannot be read or trusted, PGRST303 for a claim that does not hold
	Message string
	Details string
}

func (e *TokenError) Error() string { return e.Message }

// BadToken is the error of a token that cannot be read or whose signature does
// not hold, with PostgREST's wording as message.
func BadToken(message string) *TokenError { return &TokenError{Code: "PGRST301", Message: message} }

// BadClaim is the error of a token whose claims refuse it.
func BadClaim(message string) *TokenError { return &TokenError{Code: "PGRST303", Message: message} }

// clockSkew is how far clocks may differ, as in PostgREST.
const clockSkew = 30 * time.Second

// CheckClaims checks exp, nbf, iat and aud as PostgREST does: a claim that is
// absent passes, one of the wrong type does not. An empty audience accepts any.
func CheckClaims(claims map[string]any, now time.Time, audience string) error {
	checks := []struct {
		name, failure string
		fails         func(time.Time) bool
	}{
		{"exp", "JWT expired", func(t time.Time) bool { return now.Add(-clockSkew).After(t) }},
		{"nbf", "JWT not yet valid", func(t time.Time) bool { return now.Add(clockSkew).Before(t) }},
		{"iat", "JWT issued at future", func(t time.Time) bool { return now.Add(clockSkew).Before(t) }},
	}
	for _, c := range checks {
		v, ok := claims[c.name]
		if !ok || v == nil {
			continue
		}
		seconds, ok := number(v)
		if !ok {
			return BadClaim(fmt.Sprintf("The JWT '%s' claim must be a number", c.name))
		}
		if c.fails(time.Unix(int64(math.Floor(seconds)), 0)) {
			return BadClaim(c.failure)
		}
	}
	return checkAudience(claims["aud"], audience)
}

func number(v any) (float64, bool) {
	switch n := v.(type) {
	case float64:
		return n, true
	case int64:
		return float64(n), true
	case int:
		return float64(n), true
	case json.Number:
		f, err := n.Float64()
		return f, err == nil
	}
	return 0, false
}

func checkAudience(claim any, audience string) error {
	var given []string
	switch a := claim.(type) {
	case nil:
		return nil
	case string:
		given = []string{a}
	case []string:
		given = a
	case []any:
		for _, x := range a {
			s, ok := x.(string)
			if !ok {
				return BadClaim("The JWT 'aud' claim must be a string or an array of strings")
			}
			given = append(given, s)
		}
		if len(a) == 0 {
			return nil
		}
	default:
		return BadClaim("The JWT 'aud' claim must be a string or an array of strings")
	}
	if audience != "" && !slices.Contains(given, audience) {
		return BadClaim("JWT not in audience")
	}
	return nil
}

// identity is who the request acts as.
type identity struct {
	role      string
	claims    map[string]any
	anonymous bool
}

// authenticate reads the bearer token. Without one, or with one that names no
// role, the anonymous role acts.
func (s *Server) authenticate(r *http.Request) (identity, error) {
	token, given := bearer(r.Header.Get("Authorization"))
	claims := map[string]any{}
	if given {
		if token == "" {
			return identity{}, tokenRefused(BadToken("Empty JWT is sent in Authorization header"))
		}
		if s.cfg.Verify == nil {
			return identity{}, &Error{Status: http.StatusInternalServerError, Code: "PGRST300",
				Message: "Server lacks JWT secret"}
		}
		verified, err := s.cfg.Verify(token)
		if err != nil {
			return identity{}, tokenRefused(err)
		}
		for k, v := range verified {
			claims[k] = v
		}
	}
	id := identity{role: s.cfg.AnonRole, claims: claims}
	if role, ok := s.rolePath.role(claims); ok && role != "" {
		id.role = role
	}
	if id.role == "" {
		return identity{}, &Error{Status: http.StatusUnauthorized, Code: "PGRST302",
			Message: "Anonymous access is disabled",
			Headers: map[string]string{"WWW-Authenticate": "Bearer"}}
	}
	id.anonymous = id.role == s.cfg.AnonRole
	claims["role"] = id.role
	return id, nil
}

func bearer(header string) (token string, given bool) {
	scheme, token, _ := strings.Cut(header, " ")
	if !strings.EqualFold(scheme, "Bearer") {
		return "", false
	}
	return strings.TrimSpace(token), true
}

func tokenRefused(err error) *Error {
	var t *TokenError
	if !errors.As(err, &t) {
		t = BadToken("JWT couldn't be decoded")
	}
	return &Error{Status: http.StatusUnauthorized, Code: t.Code, Message: t.Message, Details: t.Details,
		Headers: map[string]string{"WWW-Authenticate": fmt.Sprintf("Bearer error=\"invalid_token\", "+
			"error_description=%q", t.Message)}}
}
