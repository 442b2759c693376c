package stack

import (
	"context"
	"crypto/ecdsa"
	"errors"
	"fmt"
	"net"
	"net/http"
	"path/filepath"
	"strings"
	"time"

	"github.com/golang-jwt/jwt/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/bellhop-ai/bellhop/infra/local/auth"
	"github.com/bellhop-ai/bellhop/infra/local/gateway"
	"github.com/bellhop-ai/bellhop/infra/local/rest"
	"github.com/bellhop-ai/bellhop/infra/local/storage"
)

// maxRows is how many rows Supabase answers with at most.
const maxRows = 1000

// site is the Supabase origin over one database.
type site struct {
	url     string
	handler http.Handler
	auth    *auth.Server
	rest    *rest.Server
	storage *storage.Server
	origin  *origin // nil when another process listens
	pools   []*pgxpool.Pool
}

func newSite(ctx context.Context, s *Stack) (_ *site, err error) {
	t := &site{url: strings.TrimRight(s.cfg.Origin, "/")}
	defer func() {
		if err != nil {
			t.stopListening()
			_ = t.closePools()
		}
	}()
	var l net.Listener
	if t.url == "" {
		// The address comes first: it is the issuer of the tokens.
		if l, err = net.Listen("tcp", orFree(s.cfg.Addr)); err != nil {
			return nil, fmt.Errorf("listen for Supabase: %w", err)
		}
		defer func() {
			if err != nil {
				_ = l.Close()
			}
		}()
		t.url = "http://" + l.Addr().String()
	}
	if err = t.build(ctx, s); err != nil {
		return nil, err
	}
	if l != nil {
		t.origin = serve(l, t.handler)
	}
	return t, nil
}

func (t *site) build(ctx context.Context, s *Stack) error {
	// Signing in hashes passwords and needs few connections. The REST server
	// has as many as PostgREST by default.
	users, err := t.pool(ctx, s, "supabase_auth_admin", 5, nil)
	if err != nil {
		return err
	}
	rows, err := t.pool(ctx, s, "authenticator", 10, s.cfg.Dial)
	if err != nil {
		return err
	}
	var key *ecdsa.PrivateKey
	if s.cfg.Data != "" {
		if key, err = auth.LoadOrCreateKey(filepath.Join(s.cfg.Data, keyFile)); err != nil {
			return err
		}
	}
	t.auth, err = auth.New(ctx, auth.Config{Pool: users, Issuer: t.url + "/auth/v1", Now: s.cfg.Now, Key: key})
	if err != nil {
		return err
	}
	now := s.cfg.Now
	if now == nil {
		now = time.Now
	}
	t.rest, err = rest.New(ctx, rest.Config{
		Pool: rows, Schemas: []string{"public"}, AnonRole: "anon", MaxRows: maxRows,
		Verify: rest.CachedVerify(verifier(t.auth), now), Log: s.cfg.Log,
	})
	if err != nil {
		return fmt.Errorf("start the REST server: %w", err)
	}
	// Its statements are pgx's own; REST manages those of its connections.
	objects, err := t.pool(ctx, s, "authenticator", 5, nil)
	if err != nil {
		return err
	}
	var dir string
	if s.cfg.Data != "" {
		dir = filepath.Join(s.cfg.Data, storageDir)
	}
	t.storage, err = storage.New(ctx, storage.Config{
		Pool: objects, Dir: dir, Verify: t.auth.Verify, Now: s.cfg.Now, Log: s.cfg.Log,
	})
	if err != nil {
		return fmt.Errorf("start the storage server: %w", err)
	}
	t.handler, err = gateway.New(gateway.Config{
		Rest: t.rest, Auth: t.auth, Storage: t.storage, Mint: t.auth.Mint,
		PublishableKey: s.secrets.Keys.Publishable, SecretKey: s.secrets.Keys.Secret,
	})
	return err
}

func (t *site) pool(ctx context.Context, s *Stack, role string, size int32, dial pgconn.DialFunc) (*pgxpool.Pool,
	error) {
	cfg, err := pgxpool.ParseConfig(s.ConnString(role))
	if err != nil {
		return nil, fmt.Errorf("connect as %s: %w", role, err)
	}
	cfg.MaxConns = size
	if dial != nil {
		cfg.ConnConfig.DialFunc = dial
	}
	pool, err := pgxpool.NewWithConfig(ctx, cfg)
	if err != nil {
		return nil, fmt.Errorf("connect as %s: %w", role, err)
	}
	t.pools = append(t.pools, pool)
	return pool, nil
}

func (t *site) stopListening() {
	if t != nil {
		t.origin.stop()
	}
}

// closePools lets go of the database and of the stored objects.
func (t *site) closePools() error {
	if t == nil {
		return nil
	}
	for _, pool := range t.pools {
		pool.Close()
	}
	if t.storage == nil {
		return nil
	}
	return t.storage.Close()
}

// verifier gives the reasons for which a token is refused PostgREST's codes.
func verifier(server *auth.Server) func(string) (map[string]any, error) {
	reasons := []struct {
		is  error
		say *rest.TokenError
	}{
		// A token may have several faults; one that cannot be trusted has no other.
		{jwt.ErrTokenMalformed, rest.BadToken("JWT couldn't be decoded")},
		{jwt.ErrTokenUnverifiable, rest.BadToken("No suitable key or wrong key type")},
		{jwt.ErrTokenSignatureInvalid, rest.BadToken("JWT cryptographic operation failed")},
		{jwt.ErrTokenExpired, rest.BadClaim("JWT expired")},
		{jwt.ErrTokenNotValidYet, rest.BadClaim("JWT not yet valid")},
		{jwt.ErrTokenUsedBeforeIssued, rest.BadClaim("JWT issued at future")},
		{jwt.ErrTokenInvalidAudience, rest.BadClaim("JWT not in audience")},
	}
	return func(token string) (map[string]any, error) {
		claims, err := server.Verify(token)
		if err == nil {
			return claims, nil
		}
		for _, r := range reasons {
			if errors.Is(err, r.is) {
				return nil, r.say
			}
		}
		return nil, rest.BadToken("JWT couldn't be decoded")
	}
}

// origin is a server on a port of this machine.
type origin struct {
	url    string
	server *http.Server
}

func orFree(addr string) string {
	if addr == "" {
		return "127.0.0.1:0"
	}
	return addr
}

func listen(addr string, h http.Handler) (*origin, error) {
	l, err := net.Listen("tcp", orFree(addr))
	if err != nil {
		return nil, err
	}
	return serve(l, h), nil
}

func serve(l net.Listener, h http.Handler) *origin {
	o := &origin{
		url:    "http://" + l.Addr().String(),
		server: &http.Server{Handler: h, ReadHeaderTimeout: 10 * time.Second},
	}
	go func() { _ = o.server.Serve(l) }()
	return o
}

// stop lets requests under way end, within reason.
func (o *origin) stop() {
	if o == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	if o.server.Shutdown(ctx) != nil {
		_ = o.server.Close()
	}
}
