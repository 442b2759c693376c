package postgres_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/bellhop-ai/bellhop/infra/local/postgres"
	"github.com/jackc/pgx/v5"
)

// start starts a server that ends with the test.
func start(t *testing.T, cfg postgres.Config) *postgres.Server {
	t.Helper()
	cfg.Log = t.Logf
	s, err := postgres.Start(t.Context(), cfg)
	var unreachable *net.OpError
	var unknown *net.DNSError
	if cfg.HideInstalled && (errors.As(err, &unreachable) || errors.As(err, &unknown)) {
		t.Skipf("PostgreSQL cannot be downloaded without a network: %v", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Stop(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// folder is a temporary folder that the server's user can reach. Those of
// testing.T are closed to it when the tests run as root.
func folder(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "bellhop-test-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	return dir
}

func connect(t *testing.T, s *postgres.Server, database, user string) *pgx.Conn {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), s.ConnString(database, user))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close(context.Background()) })
	return conn
}

func exec(t *testing.T, conn *pgx.Conn, sql string, args ...any) {
	t.Helper()
	if _, err := conn.Exec(t.Context(), sql, args...); err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
}

func ask[T any](t *testing.T, conn *pgx.Conn, sql string, args ...any) T {
	t.Helper()
	var answer T
	if err := conn.QueryRow(t.Context(), sql, args...).Scan(&answer); err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
	return answer
}

func wantError(t *testing.T, err error, parts ...string) {
	t.Helper()
	if err == nil {
		t.Fatalf("no error, want one that says %q", parts)
	}
	for _, part := range parts {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("error %q does not say %q", err, part)
		}
	}
}

func TestTemporaryServerLeavesNothing(t *testing.T) {
	s := start(t, postgres.Config{})
	dir := filepath.Dir(s.DataDir())
	if _, err := os.Stat(s.DataDir()); err != nil {
		t.Fatal(err)
	}
	if s.Addr() != "" {
		t.Errorf("listens on %s unasked", s.Addr())
	}
	open := connect(t, s, "postgres", "supabase_admin")
	if zone := ask[string](t, open, "show timezone"); zone != "UTC" {
		t.Errorf("time zone %s, want UTC", zone)
	}
	// What was acknowledged outlives a kill of the server.
	if commit := ask[string](t, open, "show synchronous_commit"); commit != "on" {
		t.Errorf("synchronous_commit is %s", commit)
	}
	for range 2 {
		if err := s.Stop(); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := os.Stat(dir); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("%s is still there: %v", dir, err)
	}
	if open.Ping(t.Context()) == nil {
		t.Error("a connection outlived the server")
	}
}

func TestListenTCP(t *testing.T) {
	s := start(t, postgres.Config{ListenTCP: true})
	conn, err := pgx.Connect(t.Context(), fmt.Sprintf("postgres://supabase_admin@%s/postgres?sslmode=disable",
		s.Addr()))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(t.Context())
	if host := ask[string](t, conn, "select host(inet_server_addr())"); host != "127.0.0.1" {
		t.Errorf("listens on %s", host)
	}
	local := connect(t, s, "postgres", "supabase_admin") // the socket works as well
	if ask[bool](t, local, "select inet_server_addr() is not null") {
		t.Error("ConnString goes over TCP")
	}
}

func TestConcurrentClonesAreIsolated(t *testing.T) {
	s := start(t, postgres.Config{})
	if err := s.Bootstrap(t.Context(), "postgres"); err != nil {
		t.Fatal(err)
	}
	if err := s.CreateDatabase(t.Context(), "template", "postgres"); err != nil {
		t.Fatal(err)
	}
	conn := connect(t, s, "template", "postgres")
	exec(t, conn, "create table public.notes (of int)")
	exec(t, conn, "insert into public.notes values (-1)")
	if err := conn.Close(t.Context()); err != nil {
		t.Fatal(err)
	}

	const clones = 8
	var all sync.WaitGroup
	for i := range clones {
		all.Go(func() {
			name := fmt.Sprintf("Clone \"%d\" of 'it'", i)
			if err := s.CreateDatabase(t.Context(), name, "template"); err != nil {
				t.Error(err)
				return
			}
			conn, err := pgx.Connect(t.Context(), s.ConnString(name, "postgres"))
			if err != nil {
				t.Error(err)
				return
			}
			defer conn.Close(t.Context())
			var notes []int
			_, err = conn.Exec(t.Context(), "insert into public.notes values ($1)", i)
			if err == nil {
				err = conn.QueryRow(t.Context(), "select array_agg(of order by of) from public.notes").Scan(&notes)
			}
			if want := []int{-1, i}; err != nil || fmt.Sprint(notes) != fmt.Sprint(want) {
				t.Errorf("clone %d sees %v (%v), want %v", i, notes, err, want)
			}
			// Somebody is still connected, as after a test that failed.
			if err := s.DropDatabase(t.Context(), name); err != nil {
				t.Error(err)
			}
		})
	}
	// Clones of other templates do not get in their way.
	for i, template := range []string{"postgres", "", "template1", "postgres", ""} {
		all.Go(func() {
			name := fmt.Sprintf("other%d", i)
			if err := s.CreateDatabase(t.Context(), name, template); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if err := s.DropDatabase(t.Context(), "never was"); err != nil {
		t.Errorf("drop of a missing database: %v", err)
	}
	admin := connect(t, s, "postgres", "supabase_admin")
	if n := ask[int](t, admin, "select count(*) from pg_database where datname like 'Clone%'"); n != 0 {
		t.Errorf("%d clones are left", n)
	}
	if owner := ask[string](t, admin, "select pg_get_userbyid(datdba) from pg_database where datname = 'template'"); owner != "postgres" {
		t.Errorf("the clone belongs to %s, want the template's owner postgres", owner)
	}
	wantError(t, s.CreateDatabase(t.Context(), "x", "no such"), "look up template no such")
}

func TestBinariesThatCannotBeUsed(t *testing.T) {
	old := folder(t)
	for _, name := range []string{"initdb", "postgres"} {
		script := "#!/bin/sh\necho 'postgres (PostgreSQL) 12.22'\n"
		if err := os.WriteFile(filepath.Join(old, name), []byte(script), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	broken := folder(t)
	for _, name := range []string{"initdb", "postgres"} {
		if err := os.WriteFile(filepath.Join(broken, name), []byte("#!/bin/sh\nexit 127\n"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	tests := map[string]struct {
		dir  string
		want string
	}{
		"an empty folder":   {folder(t), "has no initdb"},
		"an old PostgreSQL": {old, "is PostgreSQL 12; versions 15 to 18 work"},
		"a broken one":      {broken, "does not run"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			_, err := postgres.Start(t.Context(), postgres.Config{BinDir: test.dir})
			wantError(t, err, "that was asked for", test.want)

			t.Setenv("DEV_PG_BIN", test.dir)
			_, err = postgres.Start(t.Context(), postgres.Config{})
			wantError(t, err, "that was asked for", test.want)
		})
	}

	t.Run("in PATH are passed over", func(t *testing.T) {
		t.Setenv("PATH", old+":"+os.Getenv("PATH"))
		s := start(t, postgres.Config{})
		if s.Version() < 15 {
			t.Errorf("took version %d", s.Version())
		}
	})
}

func TestStartGivesUpWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	// The last thing that happens before initdb runs is to tell of it.
	s, err := postgres.Start(ctx, postgres.Config{Log: func(string, ...any) { cancel() }})
	if err == nil {
		_ = s.Stop()
	}
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want %v", err, context.Canceled)
	}
	if _, err := postgres.Start(ctx, postgres.Config{}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want %v", err, context.Canceled)
	}
}

func TestNothingToBeHad(t *testing.T) {
	// The discard port: no one listens there.
	_, err := postgres.Start(t.Context(), postgres.Config{
		HideInstalled: true, Cache: filepath.Join(folder(t), "cache"), Registry: "http://127.0.0.1:9",
	})
	wantError(t, err, "apt-get install postgresql", "brew install")
	if strings.Contains(err.Error(), "\n") {
		t.Errorf("more than a sentence: %s", err)
	}
}
