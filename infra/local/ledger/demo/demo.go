// Package demo runs the ledger with its two demo companies as a server on this
// machine: the accounting product that the finance assistant is connected to.
package demo

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"net"
	"net/http"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/bellhop-ai/bellhop/infra/local/ledger"
	"github.com/bellhop-ai/bellhop/infra/local/ledger/server"
)

// tokenLife is how long a token is valid from a start on.
const tokenLife = 366 * 24 * time.Hour

// Config says where the books are.
type Config struct {
	// ConnString reaches the ledger's database: an empty one, or one of the same
	// version.
	ConnString string
	// Addr is where the server listens. The default is a free port of 127.0.0.1.
	Addr string
	// Secret makes the tokens: the same secret gives the same ones.
	Secret string
	// Now is the clock of the books. The default is time.Now.
	Now func() time.Time
	// Log receives one line for each failure of a tool that is not the caller's.
	// Nil is silent.
	Log func(format string, args ...any)
}

// User is a membership with what a client needs to use it.
type User struct {
	ledger.Membership
	Token string `json:"token"` // as a bearer token; the same for all companies of the user
	URL   string `json:"url"`   // with entityid and orgid
}

// Server is a running ledger.
type Server struct {
	url   string
	users []User
	pool  *pgxpool.Pool
	http  *http.Server
}

// Start opens the books, seeds them when they are new, and serves them. The
// context bounds the start only; call Stop to end the server.
func Start(ctx context.Context, cfg Config) (_ *Server, err error) {
	if cfg.Secret == "" {
		return nil, errors.New("the demo ledger needs a secret for its tokens")
	}
	if cfg.Addr == "" {
		cfg.Addr = "127.0.0.1:0"
	}
	s := &Server{}
	defer func() {
		if err != nil {
			_ = s.Stop()
		}
	}()
	if s.pool, err = pgxpool.New(ctx, cfg.ConnString); err != nil {
		return nil, fmt.Errorf("connect to the ledger: %w", err)
	}
	l, err := ledger.Open(ctx, s.pool, cfg.Now)
	if err != nil {
		return nil, err
	}
	if err := l.Seed(ctx); err != nil {
		return nil, err
	}
	handler, err := server.New(server.Config{Ledger: l, Log: cfg.Log})
	if err != nil {
		return nil, err
	}
	members, err := l.Memberships(ctx)
	if err != nil {
		return nil, err
	}
	listener, err := net.Listen("tcp", cfg.Addr)
	if err != nil {
		return nil, fmt.Errorf("listen for the ledger: %w", err)
	}
	s.url = "http://" + listener.Addr().String() + server.Path
	s.http = &http.Server{Handler: handler, ReadHeaderTimeout: 10 * time.Second}
	go func() { _ = s.http.Serve(listener) }()
	for _, m := range members {
		token := Token(cfg.Secret, m.Email)
		if err := l.SetToken(ctx, m.Email, token, l.Now().Add(tokenLife)); err != nil {
			return nil, err
		}
		s.users = append(s.users, User{m, token, s.url + "?entityid=" + m.EntityID + "&orgid=" + m.OrgID})
	}
	return s, nil
}

// Token is that of a user.
func Token(secret, email string) string {
	h := hmac.New(sha256.New, []byte(secret))
	h.Write([]byte("ledger token of " + email))
	return "ledger_" + base64.RawURLEncoding.EncodeToString(h.Sum(nil))
}

// URL is the address of the MCP server, without a company.
func (s *Server) URL() string { return s.url }

// Users lists who may use it, by company, role and address.
func (s *Server) Users() []User { return s.users }

// Stop ends the server and lets go of the database.
func (s *Server) Stop() error {
	if s == nil {
		return nil
	}
	var err error
	if s.http != nil {
		err = s.http.Close()
	}
	if s.pool != nil {
		s.pool.Close()
	}
	return err
}
