package main

import (
	"context"
	"net"
	"net/http"
	"strings"
	"time"

	"github.com/bellhop-ai/bellhop/infra/local/rest"
	"github.com/jackc/pgx/v5/pgxpool"
)

// secret signs the suite's tokens. It is a public test value.
const secret = "reallyreallyreallyreallyverysafe"

const unicodeSchema = "تست"

// openConfig is the instance without tokens: every exposed schema, and every
// transaction rolled back so that cases do not see each other.
func openConfig(pool *pgxpool.Pool) rest.Config {
	return rest.Config{
		Pool: pool,
		Schemas: []string{"test", "operators", "ordering", "pagination", "representations", "mutations", "rpc",
			"headers", "config",
			"openapi", "domain_representations", "observability", "auth", "v1", "v2", `SPECIAL "@/\#~_-`,
			unicodeSchema},
		ExtraSearchPath:  []string{"public"},
		AnonRole:         "supabase_admin",
		TxEnd:            "rollback",
		UnfilteredWrites: true,
		Aggregates:       true,
		ReasonPhrases:    true,
		OpenAPI:          true,
	}
}

// authConfig is the instance with tokens and an anonymous role.
func authConfig(pool *pgxpool.Pool) rest.Config {
	cfg := openConfig(pool)
	cfg.AnonRole = "postgrest_test_anonymous"
	cfg.PreRequest = "auth.switch_role"
	cfg.Verify = rest.JWTVerifier(rest.JWTChecks{}, rest.SecretKey([]byte(secret)))
	return cfg
}

type instance struct {
	url    string
	pool   *pgxpool.Pool
	server *http.Server
}

// Close ends the instance and its connections.
func (i *instance) Close() {
	_ = i.server.Close()
	i.pool.Close()
}

func servePair(ctx context.Context, dsn string) (open, auth *instance, err error) {
	if open, err = serve(ctx, dsn, openConfig); err != nil {
		return nil, nil, err
	}
	if auth, err = serve(ctx, dsn, authConfig); err != nil {
		open.Close()
		return nil, nil, err
	}
	return open, auth, nil
}

// serve listens on a free loopback port.
func serve(ctx context.Context, dsn string, config func(*pgxpool.Pool) rest.Config) (*instance, error) {
	pool, err := pgxpool.New(ctx, dsn+" pool_max_conns=10")
	if err != nil {
		return nil, err
	}
	h, err := handler(ctx, config(pool))
	if err != nil {
		pool.Close()
		return nil, err
	}
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		pool.Close()
		return nil, err
	}
	i := &instance{url: "http://" + l.Addr().String(), pool: pool, server: &http.Server{Handler: h,
		ReadHeaderTimeout: time.Minute}}
	go func() { _ = i.server.Serve(l) }()
	return i, nil
}

// handler adds what the suite presumes of its server: a case's schema also
// serves its writes, and tables named safe_… demand a filter.
func handler(ctx context.Context, cfg rest.Config) (http.Handler, error) {
	loose, err := rest.New(ctx, cfg)
	if err != nil {
		return nil, err
	}
	cfg.UnfilteredWrites = false
	safe, err := rest.New(ctx, cfg)
	if err != nil {
		return nil, err
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Content-Profile") == "" && r.Header.Get("Accept-Profile") != "" {
			r.Header.Set("Content-Profile", r.Header.Get("Accept-Profile"))
		}
		if strings.HasPrefix(r.URL.Path, "/safe_") {
			safe.ServeHTTP(w, r)
			return
		}
		loose.ServeHTTP(w, r)
	}), nil
}
