package postgres_test

import (
	"errors"
	"testing"

	"github.com/bellhop-ai/bellhop/infra/local/postgres"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// The rules for who may alter whom changed in PostgreSQL 16, so both sides of
// the change are tried: what is installed here, and what is downloaded.
func TestBootstrap(t *testing.T) {
	for name, cfg := range map[string]postgres.Config{
		"installed":  {},
		"downloaded": {HideInstalled: true},
	} {
		t.Run(name, func(t *testing.T) {
			s := start(t, cfg)
			if cfg.HideInstalled && s.Version() != 17 {
				t.Errorf("downloaded version %d, want 17", s.Version())
			}
			for range 2 { // it may be repeated
				if err := s.Bootstrap(t.Context(), "postgres"); err != nil {
					t.Fatal(err)
				}
			}
			if err := s.CreateDatabase(t.Context(), "app", "postgres"); err != nil {
				t.Fatal(err)
			}
			t.Run("migrations as postgres", func(t *testing.T) { testMigrations(t, s) })
			t.Run("users and claims", func(t *testing.T) { testUsers(t, s) })
			t.Run("files", func(t *testing.T) { testFiles(t, s) })
			t.Run("limits of the roles", func(t *testing.T) { testLimits(t, s) })
		})
	}
}

func testMigrations(t *testing.T, s *postgres.Server) {
	conn := connect(t, s, "app", "postgres")
	if ask[bool](t, conn, "select rolsuper from pg_roles where rolname = current_user") {
		t.Error("postgres is a superuser, which it is not in the cloud")
	}
	for _, sql := range []string{
		"create schema app",
		"create extension if not exists btree_gist with schema extensions",
		"create table public.things (id int primary key, by uuid references auth.users)",
		"create function public.f() returns int language sql as 'select 1'",
		"alter role authenticator set pgrst.db_pre_request = 'app.pre_request'",
		"alter role authenticator set pgrst.db_schemas = 'public'",
		"alter role authenticator reset pgrst.db_schemas",
		"alter role anon set statement_timeout = '3s'",
		"set role authenticated",
		"reset role",
		// The operator classes are found without naming their schema.
		"create table public.stays (room int, during daterange, exclude using gist (room with =, during with &&))",
	} {
		exec(t, conn, sql)
	}
	// A migration may look whether another user has set it already.
	settings := ask[[]string](t, conn, "select setconfig from pg_db_role_setting where setrole = "+
		"'authenticator'::regrole and setdatabase = 0")
	if want := "pgrst.db_pre_request=app.pre_request"; settings[len(settings)-1] != want {
		t.Errorf("settings of authenticator: %q, want %s among them", settings, want)
	}
	for role, want := range map[string]bool{"anon": true, "authenticated": true, "service_role": true,
		"supabase_auth_admin": false} {
		if got := ask[bool](t, conn, "select has_table_privilege($1, 'public.things', 'insert')", role); got != want {
			t.Errorf("%s may insert into a new table: %v, want %v", role, got, want)
		}
	}
	if got := ask[bool](t, conn, "select has_schema_privilege('anon', 'app', 'usage')"); got {
		t.Error("a new private schema is open to anon")
	}
}

func testUsers(t *testing.T, s *postgres.Server) {
	conn := connect(t, s, "app", "postgres")
	exec(t, conn, `insert into auth.users (id, email, encrypted_password)
		values ('00000000-0000-0000-0000-000000000001', 'ada@example.com', extensions.crypt('secret',
			extensions.gen_salt('bf', 6)))`)
	_, err := conn.Exec(t.Context(), "insert into auth.users (email) values ('ADA@example.com')")
	wantState(t, err, "23505")

	gotrue := connect(t, s, "app", "supabase_auth_admin")
	exec(t, gotrue, "insert into sessions (user_id) select id from users")
	exec(t, gotrue, "insert into refresh_tokens (token, user_id, session_id) select 't', user_id, id from sessions")
	if !ask[bool](t, gotrue, "select encrypted_password = extensions.crypt('secret', encrypted_password) from users") {
		t.Error("the password does not match its hash")
	}

	rest := connect(t, s, "app", "authenticator")
	tx, err := rest.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer tx.Rollback(t.Context())
	exec(t, rest, "set local role authenticated")
	exec(t, rest, `select set_config('request.jwt.claims',
		'{"sub":"00000000-0000-0000-0000-000000000001","role":"authenticated","email":"ada@example.com"}',
		true)`)
	if got := ask[string](t, rest, "select concat_ws(' ', auth.uid(), auth.role(), auth.email(), auth.jwt() ->> "+
		"'sub')"); got !=
		"00000000-0000-0000-0000-000000000001 authenticated ada@example.com 00000000-0000-0000-0000-000000000001" {
		t.Errorf("the claims read %q", got)
	}
	_, err = rest.Exec(t.Context(), "select from auth.users")
	wantState(t, err, "42501")
}

func testFiles(t *testing.T, s *postgres.Server) {
	conn := connect(t, s, "app", "postgres")
	if got := ask[string](t, conn, `select concat_ws('|', storage.foldername('a/b/c.tar.gz'),
		storage.filename('a/b/c.tar.gz'),
		storage.extension('a/b/c.tar.gz'), storage.foldername('c'), storage.extension('c'))`); got != "{a,b}|c.tar.gz|gz|{}|c" {
		t.Errorf("the parts of a name read %q", got)
	}
	exec(t, conn, "insert into storage.buckets (id, name) values ('b', 'b')")
	exec(t, conn, "insert into storage.objects (bucket_id, name) values ('b', 'open/x'), ('b', 'closed/x')")
	exec(t, conn, "create policy open on storage.objects for select to anon using ((storage.foldername(name))[1] = "+
		"'open')")
	_, err := conn.Exec(t.Context(), "delete from storage.objects")
	wantState(t, err, "42501")

	rest := connect(t, s, "app", "authenticator")
	exec(t, rest, "set role anon")
	if got := ask[string](t, rest, "select string_agg(name, ' ') from storage.objects"); got != "open/x" {
		t.Errorf("anon sees %q", got)
	}
	_, err = rest.Exec(t.Context(), "insert into storage.objects (bucket_id, name) values ('b', 'open/y')")
	wantState(t, err, "42501")

	// Even the tables' owner is held to the policies.
	owner := connect(t, s, "app", "supabase_storage_admin")
	if got := ask[int](t, owner, "select count(*)::int from objects"); got != 0 {
		t.Errorf("the owner sees %d rows without a policy", got)
	}
}

func testLimits(t *testing.T, s *postgres.Server) {
	admin := connect(t, s, "app", "supabase_admin")
	rows, err := admin.Query(t.Context(),
		`select format('%s super=%s login=%s inherit=%s bypass=%s', rolname, rolsuper, rolcanlogin, rolinherit,
			rolbypassrls)
		from pg_roles where rolname !~ '^pg_' order by rolname`)
	if err != nil {
		t.Fatal(err)
	}
	got, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"anon super=f login=f inherit=f bypass=f",
		"authenticated super=f login=f inherit=f bypass=f",
		"authenticator super=f login=t inherit=f bypass=f",
		"postgres super=f login=t inherit=t bypass=t",
		"service_role super=f login=f inherit=f bypass=t",
		"supabase_admin super=t login=t inherit=t bypass=t",
		"supabase_auth_admin super=f login=t inherit=f bypass=f",
		"supabase_storage_admin super=f login=t inherit=f bypass=f",
	}
	for i := range max(len(got), len(want)) {
		if i >= len(got) || i >= len(want) || got[i] != want[i] {
			t.Fatalf("roles are\n%q, want\n%q", got, want)
		}
	}
	if got := ask[string](t, admin, "select rolconfig[1] from pg_roles where rolname = 'anon'"); got != "statement_timeout=3s" {
		t.Errorf("anon has %s", got)
	}
}

func wantState(t *testing.T, err error, state string) {
	t.Helper()
	if pgErr, ok := errors.AsType[*pgconn.PgError](err); !ok || pgErr.Code != state {
		t.Errorf("error %v, want SQLSTATE %s", err, state)
	}
}
