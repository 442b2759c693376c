// Package auth stands in for Supabase Auth (GoTrue) on a laptop and in tests:
// password sign-in, refresh with rotation, the signed-in user, sign-out, user
// administration and the public key set. It keeps its users in schema auth of
// a real PostgreSQL, in the columns that GoTrue uses, so that the same seed
// serves both. Sign-up is off unless asked for; mail, phones, providers and
// factors are not here, so an address counts as confirmed at once.
package auth

import (
	"cmp"
	"context"
	"crypto/ecdsa"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"
	"golang.org/x/crypto/bcrypt"
)

// passwordCost is the bcrypt cost of every stored password. The seed hashes
// with the same cost; see Server.matches for why that matters.
const passwordCost = 6

// reuseInterval is how long a refresh token that was already exchanged may be
// exchanged again, for clients that refresh twice at once.
const reuseInterval = 10 * time.Second

// internalTTL is the life of a token that stands for an API key. It has to
// last for one request only.
const internalTTL = time.Minute

// Config says what a Server works with.
type Config struct {
	// Pool reaches the database as a role that may read and write the tables
	// users, sessions and refresh_tokens of schema auth. Required; stays
	// owned by the caller.
	Pool *pgxpool.Pool

	// Issuer is the public address of this server without a slash at its
	// end, such as http://127.0.0.1:8787/auth/v1. It becomes claim iss. Required.
	Issuer string

	// Now is the clock. The default is time.Now.
	Now func() time.Time

	// Random feeds ids and refresh tokens. The default is crypto/rand.
	Random io.Reader

	// Key signs the access tokens; its curve must be P-256. Without one a
	// new key is made, and tokens end with the process. See LoadOrCreateKey.
	Key *ecdsa.PrivateKey

	// Signup lets people make accounts for themselves. The default is that
	// only an administrator makes them.
	Signup bool

	// AccessTTL is the life of an access token. The default is one hour.
	AccessTTL time.Duration
}

// Server answers the Auth API. It is safe for concurrent use.
type Server struct {
	pool      *pgxpool.Pool
	issuer    string
	now       func() time.Time
	random    io.Reader
	key       signingKey
	accessTTL time.Duration
	signup    bool
	decoy     []byte
	mux       *http.ServeMux
}

// New checks cfg, reaches the database once and returns a server.
func New(ctx context.Context, cfg Config) (*Server, error) {
	if cfg.Pool == nil {
		return nil, errors.New("auth: a connection pool is missing")
	}
	if cfg.Issuer == "" {
		return nil, errors.New("auth: the issuer address is missing")
	}
	var found bool
	err := cfg.Pool.QueryRow(ctx, `select to_regclass('auth.users') is not null
		and to_regclass('auth.sessions') is not null and to_regclass('auth.refresh_tokens') is not null`).Scan(&found)
	if err != nil {
		return nil, fmt.Errorf("auth: look for the tables of schema auth: %w", err)
	}
	if !found {
		return nil, errors.New("auth: schema auth lacks its tables; apply the bootstrap SQL first")
	}
	if cfg.Key == nil {
		if cfg.Key, err = newKey(); err != nil {
			return nil, fmt.Errorf("auth: make a signing key: %w", err)
		}
	}
	key, err := newSigningKey(cfg.Key)
	if err != nil {
		return nil, fmt.Errorf("auth: %w", err)
	}
	decoy, err := bcrypt.GenerateFromPassword([]byte("nobody has this password"), passwordCost)
	if err != nil {
		return nil, fmt.Errorf("auth: hash the decoy password: %w", err)
	}
	s := &Server{
		pool:      cfg.Pool,
		issuer:    strings.TrimRight(cfg.Issuer, "/"),
		now:       cfg.Now,
		random:    &sharedReader{from: cfg.Random},
		key:       key,
		accessTTL: cmp.Or(cfg.AccessTTL, time.Hour),
		signup:    cfg.Signup,
		decoy:     decoy,
	}
	if s.now == nil {
		s.now = time.Now
	}
	if cfg.Random == nil {
		s.random = rand.Reader
	}
	s.mux = s.routes()
	return s, nil
}

// ServeHTTP answers the paths that follow /auth/v1 at a Supabase address.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mux.ServeHTTP(w, r)
}

func (s *Server) routes() *http.ServeMux {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /health", s.health)
	mux.HandleFunc("GET /settings", s.settings)
	mux.HandleFunc("GET /.well-known/jwks.json", s.jwks)
	mux.HandleFunc("POST /signup", answer(s.signUp))
	mux.HandleFunc("POST /token", answer(s.token))
	mux.HandleFunc("GET /user", answer(s.signedIn(s.getUser)))
	mux.HandleFunc("PUT /user", answer(s.signedIn(s.putUser)))
	mux.HandleFunc("POST /logout", answer(s.signedIn(s.logout)))
	mux.HandleFunc("GET /admin/users", answer(s.asAdmin(s.listUsers)))
	mux.HandleFunc("POST /admin/users", answer(s.asAdmin(s.createUser)))
	mux.HandleFunc("GET /admin/users/{id}", answer(s.asAdmin(s.adminGetUser)))
	mux.HandleFunc("PUT /admin/users/{id}", answer(s.asAdmin(s.adminPutUser)))
	mux.HandleFunc("DELETE /admin/users/{id}", answer(s.asAdmin(s.deleteUser)))
	mux.HandleFunc("/", answer(func(http.ResponseWriter, *http.Request) error {
		return refuse(http.StatusNotFound, "not_found", "This part of Supabase Auth is not in the local stand-in.")
	}))
	return mux
}

func (s *Server) health(w http.ResponseWriter, _ *http.Request) {
	writeJSON(w, http.StatusOK, map[string]string{
		"version": "local", "name": "GoTrue", "description": "A local stand-in for Supabase Auth",
	})
}

func (s *Server) settings(w http.ResponseWriter, _ *http.Request) {
	writeJSON(w, http.StatusOK, map[string]any{
		"external":           map[string]bool{"email": true, "phone": false},
		"disable_signup":     !s.signup,
		"mailer_autoconfirm": true,
		"phone_autoconfirm":  false,
		"sms_provider":       "",
		"mfa_enabled":        false,
		"saml_enabled":       false,
	})
}

func (s *Server) jwks(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "public, max-age=600")
	_, _ = w.Write(s.JWKS())
}

func (s *Server) newID() (uuid.UUID, error) {
	return uuid.NewRandomFromReader(s.random)
}

// sharedReader lets concurrent requests draw from one source, which tests
// replace by a plain reader.
type sharedReader struct {
	mu   sync.Mutex
	from io.Reader
}

func (r *sharedReader) Read(p []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.from.Read(p)
}
