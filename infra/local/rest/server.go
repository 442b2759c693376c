package rest

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// Config says what a Server serves and as whom.
type Config struct {
	// Pool connects as the authenticator: a role that may become the others.
	// The server does not close it.
	Pool *pgxpool.Pool

	// Schemas are exposed. The first is the default; Accept-Profile and
	// Content-Profile choose another.
	Schemas []string

	// ExtraSearchPath follows the request's schema in search_path, for types,
	// operators and functions of extensions. Nil means public and extensions,
	// as on Supabase.
	ExtraSearchPath []string

	// AnonRole acts for requests without a token. Empty means that they are
	// refused with 401.
	AnonRole string

	// Verify checks a bearer token and returns its claims; claim "role" names
	// the database role. A *TokenError becomes PGRST301 or PGRST303. Nil claims
	// without an error mean that the token is none of ours and the anonymous
	// role acts. Without Verify, a request with a token is answered with 500,
	// PGRST300.
	Verify func(token string) (claims map[string]any, err error)

	// RoleClaim is the path to the role within the claims, as in PostgREST's
	// jwt-role-claim-key. Empty means .role.
	RoleClaim string

	// MaxRows caps the rows of every level of an answer; 0 is no cap. Supabase: 1000.
	MaxRows int

	// PreRequest is the function that runs in each transaction before the
	// request, as schema.name. Empty means what pgrst.db_pre_request says for
	// the connecting role.
	PreRequest string

	// TxEnd is commit (the default), commit-allow-override, rollback or
	// rollback-allow-override; the overrides let Prefer: tx= decide.
	TxEnd string

	// UnfilteredWrites allows PATCH and DELETE without a filter, which are
	// otherwise refused with SQLSTATE 21000, as pg-safeupdate does on Supabase.
	UnfilteredWrites bool

	// Aggregates allows sum() and its like in select. Off on Supabase.
	Aggregates bool

	// OpenAPI answers GET / with an OpenAPI 2.0 document instead of 404. It names
	// every table and function of the schema, whatever the caller may do.
	OpenAPI bool

	// ReasonPhrases sends the reason phrase that SQL chose, by PTxyz's message or
	// status_text. It costs the connection, so it is off: Supabase speaks HTTP/2,
	// which has no such phrases.
	ReasonPhrases bool

	// Log gets what went wrong inside; nil discards it.
	Log func(format string, args ...any)
}

// Server answers PostgREST requests. Its paths are relative to the REST root:
// /table, /rpc/function.
type Server struct {
	cfg       Config
	state     atomic.Pointer[state]
	reloading sync.Mutex
	rolePath  rolePath
}

// state is what a reload replaces.
type state struct {
	cat        *catalogue
	preRequest string // quoted and qualified
	generation uint64
}

// New reads the catalogue and returns a server for it.
func New(ctx context.Context, cfg Config) (*Server, error) {
	switch {
	case cfg.Pool == nil:
		return nil, errors.New("rest: Config.Pool is missing")
	case len(cfg.Schemas) == 0:
		return nil, errors.New("rest: Config.Schemas names no schema")
	case !slices.Contains([]string{"", "commit", "commit-allow-override", "rollback", "rollback-allow-override"},
		cfg.TxEnd):
		return nil, fmt.Errorf("rest: Config.TxEnd %q is unknown", cfg.TxEnd)
	}
	if cfg.ExtraSearchPath == nil {
		cfg.ExtraSearchPath = []string{"public", "extensions"}
	}
	if cfg.Log == nil {
		cfg.Log = func(string, ...any) {}
	}
	s := &Server{cfg: cfg}
	var err error
	if s.rolePath, err = parseRolePath(cmp.Or(cfg.RoleClaim, ".role")); err != nil {
		return nil, fmt.Errorf("rest: %w", err)
	}
	return s, s.Reload(ctx)
}

// Reload reads the catalogue, role settings and the pre-request function anew.
// Call it after migrations; requests under way end with the old ones.
func (s *Server) Reload(ctx context.Context) error {
	s.reloading.Lock()
	defer s.reloading.Unlock()
	next := &state{}
	if old := s.state.Load(); old != nil {
		next.generation = old.generation + 1
	}
	err := pgx.BeginTxFunc(ctx, s.cfg.Pool, pgx.TxOptions{AccessMode: pgx.ReadOnly}, func(tx pgx.Tx) error {
		var err error
		if next.cat, err = loadCatalogue(ctx, tx, s.cfg.Schemas); err != nil {
			return err
		}
		name := s.cfg.PreRequest
		if name == "" {
			if name, err = preRequestName(ctx, tx); err != nil {
				return fmt.Errorf("read configuration: %w", err)
			}
		}
		next.preRequest, err = qualify(name)
		return err
	})
	if err != nil {
		return fmt.Errorf("rest: load catalogue: %w", err)
	}
	s.state.Store(next)
	return nil
}

func preRequestName(ctx context.Context, tx pgx.Tx) (string, error) {
	rows, err := tx.Query(ctx, configSQL)
	if err != nil {
		return "", err
	}
	var found, name, value string
	_, err = pgx.ForEachRow(rows, []any{&name, &value}, func() error {
		if name == "pgrst.db_pre_request" {
			found = value
		}
		return nil
	})
	return found, err
}

func qualify(name string) (string, error) {
	if name == "" {
		return "", nil
	}
	parts := strings.Split(name, ".")
	if len(parts) > 2 {
		return "", fmt.Errorf("pre-request function %q is not schema.name", name)
	}
	for i, p := range parts {
		parts[i] = quote(strings.Trim(strings.TrimSpace(p), `"`))
	}
	return strings.Join(parts, "."), nil
}

// ServeHTTP answers one request.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	id, err := s.authenticate(r)
	if err == nil {
		err = s.route(w, r, id)
	}
	if err == nil {
		return
	}
	var known *Error
	if !errors.As(err, &known) {
		known = fromPostgres(err, id.anonymous)
		if known.Code == "PGRST001" && r.Context().Err() == nil {
			s.cfg.Log("rest: %s %s: %v", r.Method, r.URL.Path, err)
		}
	}
	if !s.cfg.ReasonPhrases {
		known.reason = ""
	}
	known.send(w, r)
}

func (s *Server) route(w http.ResponseWriter, r *http.Request, id identity) error {
	q := &request{server: s, state: s.state.Load(), id: id, w: w, r: r, schema: s.cfg.Schemas[0]}
	switch r.Method {
	case http.MethodGet, http.MethodHead, http.MethodOptions:
		q.profile = r.Header.Get("Accept-Profile")
	default:
		q.profile = r.Header.Get("Content-Profile")
	}
	if q.profile != "" {
		q.schema = q.profile
	}
	if !slices.Contains(s.cfg.Schemas, q.schema) {
		return &Error{Status: http.StatusNotAcceptable, Code: "PGRST106", Message: "Invalid schema: " + q.schema,
			Hint: "Only the following schemas are exposed: " + strings.Join(s.cfg.Schemas, ", ")}
	}
	parts := segments(r.URL)
	switch {
	case len(parts) == 1 && parts[0] == "":
		if r.Method == http.MethodOptions {
			q.allow("OPTIONS,GET,HEAD")
			return nil
		}
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			return unsupported(r.Method)
		}
		return q.root()
	case len(parts) == 1:
		return q.relation(parts[0])
	case len(parts) == 2 && parts[0] == "rpc":
		return q.function(parts[1])
	}
	return &Error{Status: http.StatusNotFound, Code: "PGRST125", Message: "Invalid path specified in request URL"}
}

// segments splits the path before it is unescaped, so that a name may hold a
// slash. An empty segment, as after a trailing slash, counts.
func segments(u *url.URL) []string {
	parts := strings.Split(strings.TrimPrefix(u.EscapedPath(), "/"), "/")
	for i, part := range parts {
		if plain, err := url.PathUnescape(part); err == nil {
			parts[i] = plain
		}
	}
	return parts
}

func (s *Server) allowsTxOverride() bool { return strings.HasSuffix(s.cfg.TxEnd, "allow-override") }
