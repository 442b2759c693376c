// Package stack puts the local stand-ins together: a private PostgreSQL with
// the migrations and the demo data, the REST, Auth and Storage servers behind
// one gateway, and a model server. Development runs it for a person, tests for
// themselves; a function that is given [Stack.Env] cannot tell it from a
// Supabase project and OpenAI.
package stack

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/bellhop-ai/bellhop/infra/local/model"
	"github.com/bellhop-ai/bellhop/infra/local/postgres"
	"github.com/bellhop-ai/bellhop/infra/supabase"
	"github.com/bellhop-ai/bellhop/pkg/assistants/examples"
)

// mainDatabase is the database that the stack serves; seededTemplate is its
// original in a temporary stack, kept free of connections so that it can be
// cloned.
const (
	mainDatabase   = "bellhop"
	seededTemplate = "bellhop_original"
)

// Config says what to start. The zero value is a temporary stack without demo
// data on free ports.
type Config struct {
	// Data keeps the database, the stored objects, the keys and the secrets
	// between runs. Empty
	// means temporary: all of it goes at Stop.
	Data string

	// Fresh removes what Data keeps first. It refuses while another stack
	// uses it.
	Fresh bool

	// Seed applies the demo data, once in the life of a database.
	Seed bool

	// Addr is where the Supabase origin listens. The default is a free port
	// of 127.0.0.1. Ignored with Origin.
	Addr string

	// Origin is set by a caller that serves [Stack.Handler] itself: the
	// address under which others reach it, such as http://127.0.0.1:8787. The
	// stack then does not listen for it.
	Origin string

	// OpenAI is the model that functions are pointed to. The zero value
	// starts the stand-in.
	OpenAI OpenAI

	// Now is the clock of the servers; the demo data is dated by it as well.
	// The database's own clock is the real one. The default is time.Now.
	Now func() time.Time

	// Dial, if not nil, is how the REST server connects to PostgreSQL: a way
	// to put faults between them.
	Dial func(ctx context.Context, network, address string) (net.Conn, error)

	// Files holds migrations/*.sql and seeds/*.sql. The default is those of the
	// application.
	Files fs.FS

	// Log receives one line for each step. Nil is silent.
	Log func(format string, args ...any)
}

// OpenAI names a real model, or another one that speaks the same protocol.
type OpenAI struct {
	// BaseURL ends with /v1 or the like. Empty is OpenAI's own.
	BaseURL string
	// Key is sent to it.
	Key string
}

// Stack is a running stack. Its methods may be called concurrently.
type Stack struct {
	cfg     Config
	pg      *postgres.Server
	cloned  bool // the PostgreSQL belongs to another stack
	clones  *counter
	db      string
	secrets secrets
	site    *site
	model   *origin // nil with a real model

	stopping sync.Once
	stopErr  error
}

// Start starts a stack, and returns when it answers. The context bounds the
// start only; call Stop to end the stack.
func Start(ctx context.Context, cfg Config) (*Stack, error) {
	if cfg.Log == nil {
		cfg.Log = func(string, ...any) {}
	}
	if cfg.Files == nil {
		cfg.Files = supabase.Files
	}
	if cfg.Fresh && cfg.Data != "" {
		if err := forget(cfg.Data); err != nil {
			return nil, err
		}
	}
	s := &Stack{cfg: cfg, db: mainDatabase, clones: &counter{}}
	if err := s.start(ctx); err != nil {
		_ = s.Stop()
		return nil, err
	}
	return s, nil
}

func (s *Stack) start(ctx context.Context) error {
	began := time.Now()
	var err error
	pg := postgres.Config{Log: s.cfg.Log}
	if s.cfg.Data != "" {
		pg.Dir = filepath.Join(s.cfg.Data, "postgres")
	} else if pg.Snapshot, err = s.snapshot(); err != nil {
		return err
	}
	if s.pg, err = postgres.Start(ctx, pg); err != nil {
		return err
	}
	s.cfg.Log("PostgreSQL %d started in %s", s.pg.Version(), since(began))
	// After the start, which holds the lock on the folder.
	if s.secrets, err = loadSecrets(s.cfg.Data); err != nil {
		return err
	}
	switch {
	case s.cfg.Data != "":
		err = s.prepare(ctx, s.pg, s.db)
	case pg.Snapshot == nil:
		err = s.prepareCloned(ctx, s.pg)
	}
	if err != nil {
		return err
	}
	if err := s.setProofKeys(ctx); err != nil {
		return err
	}
	if s.site, err = newSite(ctx, s); err != nil {
		return err
	}
	if s.cfg.OpenAI != (OpenAI{}) {
		return nil
	}
	domains, err := model.ReadDomains(examples.Files)
	if err != nil {
		return err
	}
	if s.model, err = listen("", model.New(model.Config{Now: s.cfg.Now, Domains: domains})); err != nil {
		return fmt.Errorf("start the model stand-in: %w", err)
	}
	return nil
}

// prepareCloned prepares a database without connections and makes the
// copy of it that is served, so that further copies can be made.
func (s *Stack) prepareCloned(ctx context.Context, pg *postgres.Server) error {
	if err := s.prepare(ctx, pg, seededTemplate); err != nil {
		return err
	}
	return pg.CreateDatabase(ctx, s.db, seededTemplate)
}

// snapshotAge is how long demo data counts as fresh. No time zone in which a
// property of it lies begins a day within the half hours of UTC.
const snapshotAge = 30 * time.Minute

// snapshot says what the database of a temporary stack begins with. Stacks with
// the same files share it; nil is for one with demo data of its own date.
func (s *Stack) snapshot() (*postgres.Snapshot, error) {
	if s.cfg.Seed && s.cfg.Now != nil {
		return nil, nil
	}
	key := sha256.New()
	fmt.Fprintf(key, "%s %s", seededTemplate, s.db)
	if s.cfg.Seed {
		fmt.Fprintf(key, " %d", time.Now().Truncate(snapshotAge).Unix())
	}
	for _, pattern := range []string{"migrations/*.sql", "*.sql"} {
		names, err := fs.Glob(s.cfg.Files, pattern)
		if err != nil {
			return nil, fmt.Errorf("list the files of the database: %w", err)
		}
		for _, name := range names {
			text, err := fs.ReadFile(s.cfg.Files, name)
			if err != nil {
				return nil, fmt.Errorf("read a file of the database: %w", err)
			}
			fmt.Fprintf(key, "\x00%s\x00%d\x00%s", name, len(text), text)
		}
	}
	return &postgres.Snapshot{Key: hex.EncodeToString(key.Sum(nil)), Prepare: s.prepareCloned}, nil
}

// prepare makes a database when there is none, and brings it up to date.
func (s *Stack) prepare(ctx context.Context, pg *postgres.Server, database string) error {
	exists, err := exists(ctx, pg, database)
	if err != nil {
		return err
	}
	if !exists {
		if err := pg.CreateDatabase(ctx, database, ""); err != nil {
			return err
		}
	}
	if err := pg.Bootstrap(ctx, database); err != nil {
		return err
	}
	conn, err := pgx.Connect(ctx, pg.ConnString(database, "postgres"))
	if err != nil {
		return fmt.Errorf("connect to the database: %w", err)
	}
	defer conn.Close(context.WithoutCancel(ctx))
	if err := migrate(ctx, conn, s.cfg.Files, s.cfg.Log); err != nil {
		return err
	}
	if !s.cfg.Seed {
		return nil
	}
	return seed(ctx, conn, s.cfg.Files, s.cfg.Now, s.cfg.Log)
}

func exists(ctx context.Context, pg *postgres.Server, database string) (bool, error) {
	conn, err := pgx.Connect(ctx, pg.ConnString("template1", "supabase_admin"))
	if err != nil {
		return false, fmt.Errorf("connect to PostgreSQL: %w", err)
	}
	defer conn.Close(context.WithoutCancel(ctx))
	var found bool
	err = conn.QueryRow(ctx, "select exists (select from pg_database where datname = $1)", database).Scan(&found)
	if err != nil {
		return false, fmt.Errorf("look for the database: %w", err)
	}
	return found, nil
}

// Clone starts another stack on a copy of the database as it was right after
// the start, with an origin and keys of its own. It shares PostgreSQL and the
// model, so stop it before s. Only a temporary stack can be cloned.
func (s *Stack) Clone(ctx context.Context) (*Stack, error) {
	return s.CloneWith(ctx, func(*Config) {})
}

// CloneWith is Clone with an Origin or a Dial of its own.
func (s *Stack) CloneWith(ctx context.Context, change func(*Config)) (*Stack, error) {
	if s.cfg.Data != "" {
		return nil, errors.New("only a temporary stack can be cloned")
	}
	c := &Stack{cfg: s.cfg, pg: s.pg, cloned: true, clones: s.clones, model: s.model}
	c.cfg.Addr, c.cfg.Origin, c.cfg.Dial = "", "", nil
	change(&c.cfg)
	c.db = fmt.Sprintf("bellhop_%d", s.clones.next())
	err := s.pg.CreateDatabase(ctx, c.db, seededTemplate)
	if err == nil {
		c.secrets, err = newSecrets()
	}
	if err == nil {
		err = c.setProofKeys(ctx)
	}
	if err == nil {
		c.site, err = newSite(ctx, c)
	}
	if err != nil {
		_ = c.Stop()
		return nil, fmt.Errorf("clone the stack: %w", err)
	}
	return c, nil
}

// URL is the origin of the Supabase stand-in, without a slash at its end.
func (s *Stack) URL() string { return s.site.url }

// Handler answers the whole Supabase origin: /rest/v1/…,
// /auth/v1/… and /storage/v1/….
func (s *Stack) Handler() http.Handler { return s.site.handler }

// ModelURL is the base URL of the model, ending with /v1: of the stand-in, or
// Config.OpenAI.BaseURL.
func (s *Stack) ModelURL() string {
	if s.model == nil {
		return s.cfg.OpenAI.BaseURL
	}
	return s.model.url + "/v1"
}

// Keys are the API keys that the gateway knows.
func (s *Stack) Keys() Keys { return s.secrets.Keys }

// SealKeys is a value for SEAL_KEYS, kept with the data.
func (s *Stack) SealKeys() string { return s.secrets.SealKeys }

// ProofKeys is a value for PROOF_KEYS, which the database knows.
func (s *Stack) ProofKeys() string { return s.secrets.ProofKeys }

// JWKS is the public key set that access tokens verify against, as JSON.
func (s *Stack) JWKS() []byte { return s.site.auth.JWKS() }

// ConnString reaches the database as a role: postgres owns the application's
// tables, supabase_admin may do all.
func (s *Stack) ConnString(role string) string { return s.pg.ConnString(s.db, role) }

// Database returns the connection string of another database in the same
// PostgreSQL, as supabase_admin, for software that is not Supabase. It makes an
// empty one when there is none, and keeps it as long as the stack's own.
func (s *Stack) Database(ctx context.Context, name string) (string, error) {
	found, err := exists(ctx, s.pg, name)
	if err == nil && !found {
		err = s.pg.CreateDatabase(ctx, name, "")
	}
	if err != nil {
		return "", fmt.Errorf("make the database %s: %w", name, err)
	}
	return s.pg.ConnString(name, "supabase_admin"), nil
}

// Done is closed when PostgreSQL has ended, for whatever reason.
func (s *Stack) Done() <-chan struct{} { return s.pg.Done() }

// Reload makes the REST server see tables and functions that were added after
// the start.
func (s *Stack) Reload(ctx context.Context) error { return s.site.rest.Reload(ctx) }

// Env is the environment of a function, as NAME=value: Supabase, the seal
// keys, the proof keys and the model. It holds no secret key.
func (s *Stack) Env() []string {
	env := []string{
		"SUPABASE_URL=" + s.URL(),
		"SUPABASE_PUBLISHABLE_KEY=" + s.Keys().Publishable,
		"SUPABASE_JWKS=" + string(s.JWKS()),
		"SEAL_KEYS=" + s.SealKeys(),
		"PROOF_KEYS=" + s.ProofKeys(),
	}
	if s.model != nil {
		return append(env, "OPENAI_BASE_URL="+s.ModelURL(), "OPENAI_API_KEY=local", "OPENAI_PROFILE=openai",
			"MOCK_OPENAI=true")
	}
	env = append(env, "OPENAI_API_KEY="+cmp.Or(s.cfg.OpenAI.Key, "none"))
	if s.cfg.OpenAI.BaseURL != "" {
		env = append(env, "OPENAI_BASE_URL="+strings.TrimRight(s.cfg.OpenAI.BaseURL, "/"))
	}
	return env
}

// Stop ends everything that the stack started, the servers first. A clone
// drops its database. Later calls return what the first one returned.
func (s *Stack) Stop() error {
	s.stopping.Do(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		s.site.stopListening()
		if !s.cloned {
			s.model.stop()
		}
		// The connections end with their server, or with their database.
		switch {
		case s.pg == nil:
		case s.cloned:
			s.stopErr = s.pg.DropDatabase(ctx, s.db)
		default:
			s.stopErr = s.pg.Stop()
		}
		s.stopErr = errors.Join(s.stopErr, s.site.closePools())
	})
	return s.stopErr
}

// counter numbers the clones of one PostgreSQL.
type counter struct {
	mu sync.Mutex
	n  int
}

func (c *counter) next() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.n++
	return c.n
}

func since(t time.Time) time.Duration { return time.Since(t).Round(10 * time.Millisecond) }
