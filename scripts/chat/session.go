package main

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/supabase"
)

// login is how the user signs in: with a token that is there already, or at a
// Supabase project.
type login struct{ project, key, email, password, token string }

// session is a person who is signed in.
type session struct {
	id, name string
	auth     *supabase.Client // nil with a token that is there already
	now      func() time.Time
	kept     supabase.Session
	until    time.Time
}

// demo is what scripts/dev tells at /dev.json, as far as we need it.
type demo struct {
	Supabase struct {
		URL            string `json:"url"`
		PublishableKey string `json:"publishableKey"`
	} `json:"supabase"`
	Users []struct{ Email, Password, Name, Org, Role string } `json:"users"`
}

// signIn signs in with what the flags and the environment say, else as a demo
// user of the development server.
func signIn(ctx context.Context, client *http.Client, o options, now func() time.Time) (*session, error) {
	l := o.login
	if l.token != "" {
		id, err := subject(l.token)
		if err != nil {
			return nil, errors.New("BELLHOP_TOKEN is not an access token")
		}
		return &session{id: id, name: "the holder of the token", now: now,
			kept: supabase.Session{AccessToken: identity.Secret(l.token)}}, nil
	}
	name := l.email
	if l.email == "" {
		found, err := demoUser(ctx, client, o)
		if err != nil {
			return nil, err
		}
		l, name = found.login, found.name
	}
	if l.project == "" || l.key == "" || l.password == "" {
		return nil, errors.New("to sign in it takes -supabase, -key, -email and the password in BELLHOP_PASSWORD, " +
			"or a token in BELLHOP_TOKEN")
	}
	auth, err := supabase.New(supabase.Config{URL: l.project, PublishableKey: identity.Secret(l.key)})
	if err != nil {
		return nil, err
	}
	s := &session{auth: auth, name: name, now: now}
	signed, err := auth.SignIn(ctx, l.email, identity.Secret(l.password))
	if err != nil {
		return nil, fmt.Errorf("sign in as %s: %w", l.email, err)
	}
	s.id = signed.UserID
	s.keep(signed)
	return s, nil
}

type demoLogin struct {
	login login
	name  string
}

func demoUser(ctx context.Context, client *http.Client, o options) (demoLogin, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, o.url+"/dev.json", nil)
	if err != nil {
		return demoLogin{}, fmt.Errorf("%s is no address", o.url)
	}
	resp, err := client.Do(r)
	if err != nil {
		return demoLogin{}, fmt.Errorf("nobody answers at %s. Is `go run ./scripts/dev` running? (%w)", o.url, err)
	}
	defer resp.Body.Close()
	var d demo
	if resp.StatusCode != http.StatusOK || json.NewDecoder(io.LimitReader(resp.Body, 1<<20)).Decode(&d) != nil {
		return demoLogin{}, fmt.Errorf("%s has no demo users: sign in with -supabase, -key, -email and "+
			"BELLHOP_PASSWORD, or BELLHOP_TOKEN", o.url)
	}
	var known []string
	for _, u := range d.Users {
		if strings.EqualFold(u.Email, o.user) || strings.EqualFold(u.Name, o.user) ||
			strings.EqualFold(u.Role, o.user) {
			return demoLogin{login{project: d.Supabase.URL, key: d.Supabase.PublishableKey, email: u.Email,
				password: u.Password}, u.Name + ", " + u.Role + " of " + u.Org}, nil
		}
		known = append(known, u.Email)
	}
	return demoLogin{}, fmt.Errorf("there is no demo user %q, but %s", o.user, strings.Join(known, ", "))
}

func (s *session) keep(signed supabase.Session) {
	s.kept, s.until = signed, s.now().Add(signed.ExpiresIn-time.Minute)
}

// token returns an access token that still lasts.
func (s *session) token(ctx context.Context) (string, error) {
	if s.auth != nil && s.now().After(s.until) {
		signed, err := s.auth.Refresh(ctx, s.kept.RefreshToken)
		if err != nil {
			return "", fmt.Errorf("stay signed in: %w", err)
		}
		s.keep(signed)
	}
	return s.kept.AccessToken.Reveal(), nil
}

// subject reads whose a token is. The server checks it; here it only tells
// whose file is whose.
func subject(token string) (string, error) {
	parts := strings.Split(token, ".")
	if len(parts) != 3 {
		return "", errors.New("not a token")
	}
	raw, err := base64.RawURLEncoding.DecodeString(parts[1])
	if err != nil {
		return "", err
	}
	var claims struct{ Sub string }
	if err := json.Unmarshal(raw, &claims); err != nil || claims.Sub == "" {
		return "", errors.New("nobody's token")
	}
	return claims.Sub, nil
}
