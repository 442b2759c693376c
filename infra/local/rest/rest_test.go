package rest_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/bellhop-ai/bellhop/infra/local/postgres"
	"github.com/bellhop-ai/bellhop/infra/local/rest"
	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"golang.org/x/tools/txtar"
)

const template = "hotel"

var database *postgres.Server

func TestMain(m *testing.M) { os.Exit(run(m)) }

// run keeps one server for all tests, with a migrated database to clone.
func run(m *testing.M) int {
	ctx := context.Background()
	var err error
	if database, err = postgres.Start(ctx, postgres.Config{}); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer database.Stop()
	if err := prepare(ctx); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return m.Run()
}

func prepare(ctx context.Context) error {
	if err := database.CreateDatabase(ctx, template, ""); err != nil {
		return err
	}
	if err := database.Bootstrap(ctx, template); err != nil {
		return err
	}
	schema, err := os.ReadFile("testdata/schema.sql")
	if err != nil {
		return err
	}
	for user, sql := range map[string]string{
		"postgres": string(schema),
		"supabase_admin": "create role hurried; grant hurried to authenticator; alter role hurried set " +
			"statement_timeout = '50ms'; alter role authenticator set pgrst.db_pre_request = 'app.pre_request'",
	} {
		conn, err := pgx.Connect(ctx, database.ConnString(template, user))
		if err != nil {
			return err
		}
		_, err = conn.PgConn().Exec(ctx, sql).ReadAll()
		if err = errors.Join(err, conn.Close(ctx)); err != nil {
			return fmt.Errorf("as %s: %w", user, err)
		}
	}
	conn, err := pgx.Connect(ctx, database.ConnString(template, "supabase_admin"))
	if err != nil {
		return err
	}
	defer conn.Close(ctx)
	_, err = conn.Exec(ctx, "grant usage on schema app, public to hurried; grant execute on all functions in schema "+
		"app, public to hurried")
	return err
}

// world is a database of one test's own.
type world struct {
	name string
	pool *pgxpool.Pool
}

func newWorld(t testing.TB) *world {
	t.Helper()
	w := &world{name: strings.ToLower(strings.NewReplacer("/", "_", " ", "_").Replace(t.Name()))}
	if err := database.CreateDatabase(t.Context(), w.name, template); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := database.DropDatabase(context.Background(), w.name); err != nil {
			t.Error(err)
		}
	})
	pool, err := pgxpool.New(t.Context(), database.ConnString(w.name, "authenticator"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(pool.Close)
	w.pool = pool
	return w
}

func (w *world) serve(t testing.TB, change func(*rest.Config)) *rest.Server {
	t.Helper()
	cfg := rest.Config{Pool: w.pool, Schemas: []string{"public", "archive"}, AnonRole: "anon", Verify: verify,
		Log: t.Logf}
	if change != nil {
		change(&cfg)
	}
	s, err := rest.New(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// sql runs statements as the owner of the application's tables.
func (w *world) sql(t *testing.T, sql string) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), database.ConnString(w.name, "postgres"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(context.Background())
	if _, err := conn.PgConn().Exec(t.Context(), sql).ReadAll(); err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
}

func (w *world) count(t *testing.T, sql string) int {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), database.ConnString(w.name, "postgres"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(context.Background())
	var n int
	if err := conn.QueryRow(t.Context(), sql).Scan(&n); err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
	return n
}

// verify stands for the check of a signature: a token is the name of a caller.
func verify(token string) (map[string]any, error) {
	switch token {
	case "manager":
		return map[string]any{"role": "authenticated", "sub": "u-1", "app_metadata": map[string]any{"org_id": "o-1"}},
			nil
	case "stranger":
		return map[string]any{"role": "nobody_here"}, nil
	case "hurried":
		return map[string]any{"role": "hurried"}, nil
	case "expired":
		return nil, rest.BadClaim("JWT expired")
	}
	return nil, errors.New("unknown token")
}

func call(h http.Handler, method, target string, headers map[string]string, body string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, "http://rest.test/", strings.NewReader(body))
	path, query, _ := strings.Cut(target, "?")
	r.URL.Path, r.URL.RawQuery = path, strings.NewReplacer(" ", "%20", `"`, "%22").Replace(query)
	for name, value := range headers {
		if name == "as" {
			name, value = "Authorization", "Bearer "+value
		}
		r.Header.Set(name, value)
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

// TestBehaviour runs the transcripts of testdata/behaviour.
func TestBehaviour(t *testing.T) {
	w := newWorld(t)
	rollback := func(c *rest.Config) { c.TxEnd = "rollback" }
	servers := map[string]http.Handler{
		"":           w.serve(t, rollback),
		"capped":     w.serve(t, func(c *rest.Config) { rollback(c); c.MaxRows = 2 }),
		"aggregates": w.serve(t, func(c *rest.Config) { rollback(c); c.Aggregates = true }),
		"described":  w.serve(t, func(c *rest.Config) { c.OpenAPI = true; c.Schemas = []string{"archive"} }),
		"closed":     w.serve(t, func(c *rest.Config) { rollback(c); c.AnonRole = "" }),
	}
	files, err := filepath.Glob("testdata/behaviour/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no transcripts: %v", err)
	}
	for _, file := range files {
		archive, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		area := strings.TrimSuffix(filepath.Base(file), ".txtar")
		for _, f := range archive.Files {
			t.Run(area+": "+f.Name, func(t *testing.T) {
				// An identity's sequence does not roll back.
				w.sql(t, "alter table public.stays alter column id restart with 10")
				play(t, servers, string(f.Data))
			})
		}
	}
}

// play sends the request of a transcript and compares what the transcript demands.
func play(t *testing.T, servers map[string]http.Handler, text string) {
	t.Helper()
	request, want, ok := strings.Cut(text, "=>\n")
	if !ok {
		t.Fatal("the transcript has no =>")
	}
	first, rest, _ := strings.Cut(request, "\n")
	method, target, _ := strings.Cut(first, " ")
	headers, body := headersAndBody(rest)
	server := servers[headers["server"]]
	delete(headers, "server")
	got := call(server, method, target, headers, body)

	status, rest, _ := strings.Cut(want, "\n")
	if fmt.Sprint(got.Code) != status {
		t.Errorf("status %d, want %s: %s", got.Code, status, got.Body)
	}
	wantHeaders, wantBody := headersAndBody(rest)
	for name, value := range wantHeaders {
		have := strings.Join(got.Header().Values(name), ", ")
		if value == "-" {
			value = ""
		}
		if have != value {
			t.Errorf("%s: %q, want %q", name, have, value)
		}
	}
	if wantBody != "" {
		compareBody(t, got.Body.Bytes(), wantBody)
	}
	if method == http.MethodHead && got.Body.Len() > 0 {
		t.Errorf("HEAD has a body: %s", got.Body)
	}
}

// headersAndBody splits lines: headers up to the first line that is none.
func headersAndBody(text string) (headers map[string]string, body string) {
	headers = map[string]string{}
	for text != "" {
		line, rest, _ := strings.Cut(text, "\n")
		name, value, ok := strings.Cut(line, ":")
		if !ok || strings.ContainsAny(name, `{["= `) {
			break
		}
		headers[name] = strings.TrimSpace(value)
		text = rest
	}
	return headers, strings.TrimSpace(text)
}

// compareBody compares JSON by value, and text that is written as a JSON string
// also as text. Of an error, only the members that want names are compared.
func compareBody(t *testing.T, got []byte, want string) {
	t.Helper()
	var w, g any
	if err := json.Unmarshal([]byte(want), &w); err != nil {
		t.Fatalf("the transcript's body: %v", err)
	}
	if text, ok := w.(string); ok && string(bytes.TrimRight(got, "\n")) == text {
		return
	}
	if err := json.Unmarshal(got, &g); err != nil {
		t.Fatalf("body %q: %v", got, err)
	}
	if expected, ok := w.(map[string]any); ok && expected["code"] != nil {
		if actual, ok := g.(map[string]any); ok {
			for name := range actual {
				if _, named := expected[name]; !named {
					delete(actual, name)
				}
			}
		}
	}
	if diff := cmp.Diff(w, g); diff != "" {
		t.Errorf("body (-want +got):\n%s", diff)
	}
}
