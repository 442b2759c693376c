// Package storage stands in for Supabase Storage on a laptop and in tests:
// buckets, uploads, downloads, listings, moves, copies and signed addresses.
// Buckets and objects are rows of schema storage in a real PostgreSQL, so row
// policies decide there as they do in the cloud; the bytes lie in a folder
// under random names. README.md lists what differs.
package storage

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"net/http"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"
)

// defaultMaxBytes is the limit of a Supabase project that set none.
const defaultMaxBytes = 50 << 20

// Config says what a Server works with.
type Config struct {
	// Pool connects as the authenticator: a role that may become anon,
	// authenticated and service_role. Required; stays owned by the caller.
	Pool *pgxpool.Pool

	// Dir keeps the bytes and the signing key. It belongs to one database and
	// one server at a time: what no row names is removed at the start. Empty
	// means a temporary folder, which goes at Close.
	Dir string

	// Verify checks a bearer token and returns its claims; claim "role" names
	// the database role. Required.
	Verify func(token string) (claims map[string]any, err error)

	// Now is the clock. The default is time.Now.
	Now func() time.Time

	// Random feeds ids, file names and the signing key. The default is
	// crypto/rand.
	Random io.Reader

	// MaxBytes bounds every object, whatever its bucket allows. The default
	// is 50 MiB.
	MaxBytes int64

	// Log gets what went wrong inside; nil discards it.
	Log func(format string, args ...any)
}

// Server answers the Storage API. It is safe for concurrent use.
type Server struct {
	pool     *pgxpool.Pool
	verify   func(string) (map[string]any, error)
	now      func() time.Time
	random   *sharedReader
	maxBytes int64
	files    *files
	secret   []byte
	log      func(string, ...any)
}

// New checks cfg, reaches the database, removes bytes that no row names and
// returns a server. Call Close when done.
func New(ctx context.Context, cfg Config) (_ *Server, err error) {
	if cfg.Pool == nil {
		return nil, errors.New("storage: a connection pool is missing")
	}
	if cfg.Verify == nil {
		return nil, errors.New("storage: a function that verifies tokens is missing")
	}
	s := &Server{
		pool:     cfg.Pool,
		verify:   cfg.Verify,
		now:      cfg.Now,
		random:   &sharedReader{from: cfg.Random},
		maxBytes: cmp.Or(cfg.MaxBytes, defaultMaxBytes),
		log:      cfg.Log,
	}
	if s.now == nil {
		s.now = time.Now
	}
	if cfg.Random == nil {
		s.random.from = rand.Reader
	}
	if s.log == nil {
		s.log = func(string, ...any) {}
	}
	var found bool
	// Read from the catalogue: the authenticator itself may not enter the schema.
	err = cfg.Pool.QueryRow(ctx, `select count(*) = 2 from pg_catalog.pg_class c join pg_catalog.pg_namespace n
		on n.oid = c.relnamespace where n.nspname = 'storage' and c.relname in ('buckets', 'objects')`).Scan(&found)
	if err != nil {
		return nil, fmt.Errorf("storage: look for the tables of schema storage: %w", err)
	}
	if !found {
		return nil, errors.New("storage: schema storage lacks its tables; apply the bootstrap SQL first")
	}
	if s.files, err = openFiles(cfg.Dir); err != nil {
		return nil, fmt.Errorf("storage: %w", err)
	}
	defer func() {
		if err != nil {
			_ = s.Close()
		}
	}()
	if s.secret, err = s.files.key(s.random); err != nil {
		return nil, fmt.Errorf("storage: %w", err)
	}
	if err = s.sweep(ctx); err != nil {
		return nil, fmt.Errorf("storage: remove what no row names: %w", err)
	}
	return s, nil
}

// Close lets go of the folder, and removes it when it was temporary. Requests
// under way fail.
func (s *Server) Close() error { return s.files.close() }

// sweep removes bytes whose row was never written, or went before them.
func (s *Server) sweep(ctx context.Context) error {
	kept := map[string]bool{}
	err := s.transact(ctx, service(), func(db *transaction) error {
		rows, err := db.Query(ctx, `select version from storage.objects where version is not null`)
		if err != nil {
			return err
		}
		defer rows.Close()
		for rows.Next() {
			var version string
			if err := rows.Scan(&version); err != nil {
				return err
			}
			kept[version] = true
		}
		return rows.Err()
	})
	if err != nil {
		return err
	}
	return s.files.keepOnly(kept)
}

func (s *Server) newID() (uuid.UUID, error) {
	id, err := uuid.NewRandomFromReader(s.random)
	if err != nil {
		return uuid.Nil, fmt.Errorf("make an id: %w", err)
	}
	return id, nil
}

// ServeHTTP answers the paths that follow /storage/v1 at a Supabase address.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	err := s.route(w, r)
	if err == nil {
		return
	}
	e := toRefusal(err)
	if e.status == http.StatusInternalServerError && r.Context().Err() == nil {
		s.log("storage: %s %s: %v", r.Method, r.URL.Path, err)
	}
	e.send(w)
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
