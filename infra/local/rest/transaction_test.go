package rest_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/bellhop-ai/bellhop/infra/local/rest"
	"github.com/jackc/pgx/v5"
)

func want(t *testing.T, h http.Handler, method, target, as, body string, headers map[string]string, status int,
	part string) {
	t.Helper()
	all := map[string]string{}
	if as != "" {
		all["as"] = as
	}
	for k, v := range headers {
		all[k] = v
	}
	got := call(h, method, target, all, body)
	if got.Code != status || !strings.Contains(got.Body.String(), part) {
		t.Errorf("%s %s: %d %s, want %d with %q", method, target, got.Code, got.Body, status, part)
	}
}

func TestTransactionKeepsOrDropsWrites(t *testing.T) {
	single := map[string]string{"Accept": "application/vnd.pgrst.object+json"}
	tests := map[string]struct {
		method, target, body string
		headers              map[string]string
		txEnd                string
		status               int
		sql                  string // counts what the write would have done
		want                 int
	}{
		"a write that succeeds stays": {
			"POST", "/guests", `{"id":7,"name":"Di"}`, nil, "", 201, "select count(*) from guests where id = 7", 1},
		"a write of two rows as one object is undone": {
			"PATCH", "/guests?id=in.(1,2)", `{"phone":"0"}`, single, "", 406,
			"select count(*) from guests where phone = '0'", 0},
		"a write of no row as one object is a 406": {
			"PATCH", "/guests?id=eq.99", `{"phone":"0"}`, single, "", 406,
			"select count(*) from guests where phone = '0'", 0},
		"too many affected rows are undone": {
			"DELETE", "/stays?id=gt.0", "", map[string]string{"Prefer": "handling=strict, max-affected=1"}, "", 400,
			"select count(*) from stays", 3},
		"a PUT for another row than it names is undone": {
			"PUT", "/guests?id=eq.8", `{"id":9,"name":"x","phone":null}`, nil, "", 400, "select count(*) from guests",
			3},
		"a pre-request that refuses keeps the write from happening": {
			"POST", "/guests", `{"id":7,"name":"Di"}`, map[string]string{"X-Refuse": "1"}, "", 409,
			"select count(*) from guests", 3},
		"a caller's rollback has no effect unless it is allowed": {
			"POST", "/guests", `{"id":7,"name":"Di"}`, map[string]string{"Prefer": "tx=rollback"}, "", 201,
			"select count(*) from guests", 4},
		"a caller may roll back where it is allowed": {
			"POST", "/guests", `{"id":7,"name":"Di"}`, map[string]string{"Prefer": "tx=rollback"},
			"commit-allow-override", 201, "select count(*) from guests", 3},
		"a server may roll back everything": {
			"POST", "/guests", `{"id":7,"name":"Di"}`, nil, "rollback", 201, "select count(*) from guests", 3},
		"a function that writes commits": {
			"POST", "/rpc/book", `{"p_room":1,"p_nights":2}`, nil, "", 200, "select count(*) from stays", 4},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			s := w.serve(t, func(c *rest.Config) { c.TxEnd = tt.txEnd })
			want(t, s, tt.method, tt.target, "manager", tt.body, tt.headers, tt.status, "")
			if got := w.count(t, tt.sql); got != tt.want {
				t.Errorf("%s: %d, want %d", tt.sql, got, tt.want)
			}
		})
	}
}

func TestWriteIsFinishedWhenTheClientHasGone(t *testing.T) {
	w := newWorld(t)
	w.sql(t, `create function public.book_late() returns void language plpgsql as
		$$ begin perform pg_advisory_xact_lock(42); insert into public.guests values (50, 'late'); end $$`)
	s := w.serve(t, nil)
	holder, err := pgx.Connect(t.Context(), database.ConnString(w.name, "postgres"))
	if err != nil {
		t.Fatal(err)
	}
	defer holder.Close(context.Background())
	hold := func(sql string) {
		if _, err := holder.Exec(t.Context(), sql); err != nil {
			t.Fatal(err)
		}
	}
	hold("select pg_advisory_lock(42)")
	ctx, leave := context.WithCancel(t.Context())
	r := httptest.NewRequestWithContext(ctx, "POST", "/rpc/book_late", nil)
	r.Header.Set("Authorization", "Bearer manager")
	var group sync.WaitGroup
	group.Go(func() { s.ServeHTTP(httptest.NewRecorder(), r) })
	for w.count(t, "select count(*) from pg_locks where locktype = 'advisory' and not granted") == 0 {
		if t.Context().Err() != nil {
			t.Fatal("the write never waited")
		}
	}
	leave()
	hold("select pg_advisory_unlock(42)")
	group.Wait()
	if n := w.count(t, "select count(*) from guests where id = 50"); n != 1 {
		t.Errorf("%d rows, want 1", n)
	}
}

func TestDeferredConstraintSpeaksAtCommit(t *testing.T) {
	w := newWorld(t)
	w.sql(t, `create table public.late (id int primary key, other int references public.late deferrable initially
		deferred)`)
	s := w.serve(t, nil)
	want(t, s, "POST", "/late", "manager", `{"id":1,"other":2}`, nil, 409, "23503")
	if n := w.count(t, "select count(*) from late"); n != 0 {
		t.Errorf("%d rows stayed", n)
	}
}

func TestUnfilteredWritesCanBeAllowed(t *testing.T) {
	w := newWorld(t)
	s := w.serve(t, func(c *rest.Config) { c.UnfilteredWrites = true })
	want(t, s, "DELETE", "/stays", "manager", "", nil, 204, "")
	if n := w.count(t, "select count(*) from stays"); n != 0 {
		t.Errorf("%d rows stayed", n)
	}
}

func TestReloadSeesMigrations(t *testing.T) {
	w := newWorld(t)
	s := w.serve(t, nil)
	want(t, s, "GET", "/parcels", "manager", "", nil, 404, "PGRST205")
	w.sql(t, `create table public.parcels (id int primary key, size int); insert into public.parcels values (1, 5)`)
	want(t, s, "GET", "/parcels", "manager", "", nil, 404, "PGRST205")
	if err := s.Reload(t.Context()); err != nil {
		t.Fatal(err)
	}
	want(t, s, "GET", "/parcels?size=eq.5", "manager", "", nil, 200, `"size":5`)

	// A column changes its type under a statement that was prepared for the old one.
	w.sql(t, `alter table public.parcels alter column size type text using 'big'`)
	if err := s.Reload(t.Context()); err != nil {
		t.Fatal(err)
	}
	want(t, s, "GET", "/parcels?size=eq.big", "manager", "", nil, 200, `"size":"big"`)
}

func TestPreRequestIsReadAnewByReload(t *testing.T) {
	w := newWorld(t)
	s := w.serve(t, func(c *rest.Config) { c.PreRequest = "public.nothing" })
	want(t, s, "GET", "/rooms?select=id&id=eq.1", "", "", map[string]string{"X-Refuse": "1"}, 200, `"id":1`)
	s = w.serve(t, nil)
	want(t, s, "GET", "/rooms", "", "", map[string]string{"X-Refuse": "1"}, 409, "refused before")
}

func TestRequestsAtOnceKeepTheirCallersApart(t *testing.T) {
	w := newWorld(t)
	s := w.serve(t, nil)
	var group sync.WaitGroup
	for i := range 64 {
		group.Go(func() {
			if i%2 == 0 {
				want(t, s, "GET", "/rpc/me", "manager", "", nil, 200, `"authenticated"`)
			} else {
				want(t, s, "GET", "/rpc/me", "", "", nil, 200, `"anon"`)
			}
		})
	}
	group.Wait()
}

func TestConfigSaysWhatIsMissing(t *testing.T) {
	w := newWorld(t)
	tests := map[string]struct {
		cfg  rest.Config
		want string
	}{
		"no pool":        {rest.Config{Schemas: []string{"public"}}, "Pool is missing"},
		"no schema":      {rest.Config{Pool: w.pool}, "names no schema"},
		"an unknown end": {rest.Config{Pool: w.pool, Schemas: []string{"public"}, TxEnd: "perhaps"}, "perhaps"},
		"a strange pre-request": {rest.Config{Pool: w.pool, Schemas: []string{"public"}, PreRequest: "a.b.c"},
			"schema.name"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			_, err := rest.New(t.Context(), tt.cfg)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want one with %q", err, tt.want)
			}
		})
	}
}
