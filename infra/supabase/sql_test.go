package supabase_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/bellhop-ai/bellhop/infra/local/postgres"
	"github.com/bellhop-ai/bellhop/infra/supabase"
)

// The databases are made once: "empty" has the migrations, "seeded" also the
// demo data, in "toys" tests make tables of their own, and "history" is one test's. A test
// makes its own tenant in "empty", so that tests run side by
// side and each of them also tests the isolation.
var server *postgres.Server

func TestMain(m *testing.M) {
	os.Exit(func() int {
		ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
		defer cancel()
		var err error
		if server, err = postgres.Start(ctx, postgres.Config{}); err != nil {
			fmt.Fprintln(os.Stderr, "start PostgreSQL:", err)
			return 1
		}
		defer server.Stop()
		if err := prepare(ctx); err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		return m.Run()
	}())
}

func prepare(ctx context.Context) error {
	if err := server.CreateDatabase(ctx, "empty", ""); err != nil {
		return err
	}
	if err := server.Bootstrap(ctx, "empty"); err != nil {
		return err
	}
	migrations, err := fs.Glob(supabase.Files, "migrations/*.sql")
	if err != nil {
		return err
	}
	slices.Sort(migrations)
	if err := apply(ctx, "empty", migrations...); err != nil {
		return err
	}
	if err := setProofKeys(ctx, "empty"); err != nil {
		return err
	}
	for _, name := range []string{"seeded", "toys", "history"} {
		if err := server.CreateDatabase(ctx, name, "empty"); err != nil {
			return err
		}
	}
	seeds, err := fs.Glob(supabase.Files, "seeds/*.sql")
	if err != nil {
		return err
	}
	return apply(ctx, "seeded", seeds...)
}

// apply runs files as the role postgres, each as one transaction.
func apply(ctx context.Context, database string, files ...string) error {
	conn, err := pgx.Connect(ctx, server.ConnString(database, "postgres"))
	if err != nil {
		return err
	}
	defer conn.Close(ctx)
	for _, name := range files {
		text, err := supabase.Files.ReadFile(name)
		if err != nil {
			return err
		}
		if _, err := conn.PgConn().Exec(ctx, string(text)).ReadAll(); err != nil {
			return fmt.Errorf("apply %s: %w", name, err)
		}
	}
	return nil
}

func connect(t *testing.T, database string) *pgx.Conn {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), server.ConnString(database, "postgres"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close(context.Background()) })
	return conn
}

// querier is a connection or a transaction.
type querier interface {
	Exec(ctx context.Context, sql string, args ...any) (pgconn.CommandTag, error)
	QueryRow(ctx context.Context, sql string, args ...any) pgx.Row
	Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error)
}

func exec(t *testing.T, q querier, sql string, args ...any) {
	t.Helper()
	if _, err := q.Exec(t.Context(), sql, args...); err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
}

func ask[T any](t *testing.T, q querier, sql string, args ...any) T {
	t.Helper()
	var v T
	if err := q.QueryRow(t.Context(), sql, args...).Scan(&v); err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
	return v
}

// askJSON decodes a jsonb answer.
func askJSON(t *testing.T, q querier, sql string, args ...any) map[string]any {
	t.Helper()
	var v map[string]any
	if err := json.Unmarshal(ask[[]byte](t, q, sql, args...), &v); err != nil {
		t.Fatal(err)
	}
	return v
}

// state is the SQLSTATE of err, and its message for our own PT errors.
func state(err error) string {
	pg, ok := errors.AsType[*pgconn.PgError](err)
	switch {
	case err == nil:
		return ""
	case !ok:
		return err.Error()
	case strings.HasPrefix(pg.Code, "PT"):
		return pg.Code + " " + pg.Message
	default:
		return pg.Code
	}
}

func wantState(t *testing.T, err error, want string) {
	t.Helper()
	if got := state(err); got != want {
		t.Errorf("SQLSTATE %q, want %q (%v)", got, want, err)
	}
}

// person is a member of an org with one property, INN.
type person struct{ org, entity, user string }

// newOrg makes an org with one property and its first member.
func newOrg(t *testing.T, conn *pgx.Conn, role string) person {
	t.Helper()
	var p person
	err := conn.QueryRow(t.Context(), `
		with o as (insert into public.orgs (slug, name) values ('t' || replace(gen_random_uuid()::text, '-', ''),
			'Test') returning id)
		insert into public.entities (org_id, kind, key, name, time_zone, currency)
		select id, 'property', 'INN', 'Test Inn', 'Asia/Kolkata', 'INR' from o returning org_id, id`).Scan(&p.org,
		&p.entity)
	if err != nil {
		t.Fatal(err)
	}
	exec(t, conn, `insert into public.org_assistants (org_id, assistant) values ($1, 'hospitality')`, p.org)
	return p.colleague(t, conn, role)
}

// colleague makes another member of p's org.
func (p person) colleague(t *testing.T, conn *pgx.Conn, role string) person {
	t.Helper()
	p.user = ask[string](t, conn, `insert into auth.users (id, email) select u, u || '@test.example' from
		gen_random_uuid() u returning id`)
	exec(t, conn, `insert into public.memberships (org_id, user_id, role, name) values ($1, $2, $3, 'Test Person')`,
		p.org, p.user, role)
	return p
}

func (p person) claims() string {
	return fmt.Sprintf(`{"sub":%q,"role":"authenticated","email":"person@test.example","app_metadata":{"org_id":%q}}`,
		p.user, p.org)
}

// request is one REST request: what PostgREST does around a statement.
type request struct {
	role    string // authenticated when empty
	claims  string
	method  string // POST when empty
	path    string // /rpc/any when empty
	headers map[string]string
	// bare sends no proof: a member's own program, past our functions.
	bare bool
}

// do runs work in one transaction, as PostgREST would run a request.
func (r request) do(ctx context.Context, conn *pgx.Conn, work func(pgx.Tx) error) error {
	return pgx.BeginFunc(ctx, conn, func(tx pgx.Tx) error {
		role, method := r.role, r.method
		if role == "" {
			role = "authenticated"
		}
		if method == "" {
			method = "POST"
		}
		path := r.path
		if path == "" {
			path = "/rpc/any"
		}
		headers, err := r.proven(method, path)
		if err != nil {
			return err
		}
		_, err = tx.Exec(ctx, `select set_config('role', $1, true), set_config('request.jwt.claims', $2, true),
			set_config('request.method', $3, true), set_config('request.headers', $4, true),
				set_config('request.path', $5, true)`,
			role, r.claims, method, headers, path)
		if err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, "select app.pre_request()"); err != nil {
			return err
		}
		return work(tx)
	})
}

// run is one request of p with one statement.
func (p person) run(ctx context.Context, conn *pgx.Conn, headers map[string]string, sql string, args ...any) error {
	return request{claims: p.claims(), headers: headers}.do(ctx, conn, func(tx pgx.Tx) error {
		_, err := tx.Exec(ctx, sql, args...)
		return err
	})
}

// see runs work as p and fails the test on an error.
func (p person) see(t *testing.T, conn *pgx.Conn, work func(pgx.Tx)) {
	t.Helper()
	err := request{claims: p.claims()}.do(t.Context(), conn, func(tx pgx.Tx) error {
		work(tx)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// room makes a room type and returns its first unit.
func (p person) room(t *testing.T, conn *pgx.Conn, code string) (unit string) {
	t.Helper()
	exec(t, conn, `insert into public.room_types (org_id, entity_id, code, name, capacity, weekday_price,
		weekend_price)
		values ($1, $2, $3, $3, 4, 100, 150)`, p.org, p.entity, code)
	return ask[string](t, conn, `select id from public.rooms where org_id = $1 and code = $2`, p.org, code)
}

// book makes a reservation of units with a line of 100 for each night.
func (p person) book(ctx context.Context, q querier, from, to, status string, units ...string) (id string, err error) {
	err = q.QueryRow(ctx, `insert into public.reservations (org_id, entity_id, check_in, check_out, status,
		guest_name, currency)
		values ($1, $2, $3::date, $4::date, $5, 'Test Guest', 'INR') returning id`, p.org, p.entity, from, to,
		status).Scan(&id)
	if err != nil {
		return "", err
	}
	_, err = q.Exec(ctx, `insert into public.reservation_rooms (org_id, entity_id, reservation_id, room_id)
		select $1, $2, $3, u::uuid from unnest($4::text[]) u`, p.org, p.entity, id, units)
	if err != nil {
		return "", err
	}
	_, err = q.Exec(ctx, `insert into public.reservation_nights (org_id, entity_id, reservation_id, room_id, night,
		base_amount, amount)
		select $1, $2, $3, u::uuid, n::date, 100, 100
		from unnest($4::text[]) u, generate_series($5::timestamp, $6::timestamp - interval '1 day', interval '1 day')
			n`,
		p.org, p.entity, id, units, from, to)
	return id, err
}

func (p person) mustBook(t *testing.T, q querier, from, to, status string, units ...string) string {
	t.Helper()
	id, err := p.book(t.Context(), q, from, to, status, units...)
	if err != nil {
		t.Fatal(err)
	}
	return id
}

func (p person) block(t *testing.T, q querier, from, to, unit string) string {
	t.Helper()
	id := ask[string](t, q, `insert into public.blocked_dates (org_id, entity_id, reason, starts_on, ends_on)
		values ($1, $2, 'maintenance', $3::date, $4::date) returning id`, p.org, p.entity, from, to)
	exec(t, q, `insert into public.stays (org_id, entity_id, room_id, kind, block_id, period)
		values ($1, $2, $3, 'block', $4, daterange($5::date, $6::date))`, p.org, p.entity, unit, id, from, to)
	return id
}

// race runs work n times at once, each on its own connection, and counts what
// came of it by SQLSTATE; "" is success.
func race(t *testing.T, n int, work func(i int, conn *pgx.Conn) error) map[string]int {
	t.Helper()
	conns := make([]*pgx.Conn, n)
	for i := range conns {
		conns[i] = connect(t, "empty")
	}
	var (
		wg     sync.WaitGroup
		mu     sync.Mutex
		counts = map[string]int{}
		gun    = make(chan struct{})
	)
	for i, conn := range conns {
		wg.Go(func() {
			<-gun
			s := state(work(i, conn))
			mu.Lock()
			defer mu.Unlock()
			counts[s]++
		})
	}
	close(gun)
	wg.Wait()
	// Many tests race; the server has 200 connections for all of them.
	for _, conn := range conns {
		conn.Close(t.Context())
	}
	return counts
}

func TestSeedIsBelievable(t *testing.T) {
	t.Parallel()
	conn := connect(t, "seeded")
	zero := map[string]string{
		"totals equal their nightly lines": `select count(*) from reservations r where room_total <> coalesce((select
			sum(amount) from reservation_nights n where n.org_id = r.org_id and n.reservation_id = r.id), 0)
			or extra_guest_total <> coalesce((select sum(extra_guests) from reservation_nights n where n.org_id =
				r.org_id and n.reservation_id = r.id), 0)
			or discount_total <> coalesce((select sum(discount) from reservation_nights n where n.org_id = r.org_id
				and n.reservation_id = r.id), 0)`,
		"totals equal their extras": `select count(*) from reservations r where extras_total <> coalesce((select
			sum(amount) from reservation_extras x where x.org_id = r.org_id and x.reservation_id = r.id), 0)`,
		"departed guests have paid": `select count(*) from reservations r where status = 'checked_out' and
			app.balance(org_id, id, total) <> 0`,
		"every night of every unit has its line": `select count(*) from reservations r where nights * (select
			count(*) from reservation_rooms q where q.org_id = r.org_id and q.reservation_id = r.id)
			<> (select count(*) from reservation_nights n where n.org_id = r.org_id and n.reservation_id = r.id)`,
		"guests fit into their rooms": `select count(*) from reservations r where adults + children > (select
			sum(t.capacity) from reservation_rooms q
			join rooms u on u.org_id = q.org_id and u.id = q.room_id join room_types t on t.org_id = u.org_id and
				t.id = u.room_type_id where q.org_id = r.org_id and q.reservation_id = r.id)`,
		"coupons are used within their limit": `select count(*) from coupons c where (select count(*) from
			coupon_uses u where u.org_id = c.org_id and u.coupon_id = c.id) > usage_limit`,
		"a coupon's use is worth its discount": `select count(*) from coupon_uses u join reservations r on r.org_id =
			u.org_id and r.id = u.reservation_id
			where u.amount <> r.discount_total or r.coupon_code is null`,
		"prices keep to their limits": `select count(*) from reservation_nights n join rooms u on u.org_id = n.org_id
			and u.id = n.room_id
			join room_types t on t.org_id = u.org_id and t.id = u.room_type_id
			where n.source <> 'package' and not n.amount between coalesce(t.floor_price, 0) and
				coalesce(t.ceiling_price, n.amount)`,
		"nobody sells stargazing yet": `select count(*) from extras where name ilike '%stargaz%' or code ilike
			'%stargaz%'`,
		"coco is free on the weekends that people call next": `select count(*) from generate_series(0, 16) n,
			entities e, rooms u, stays s
			where e.key = 'SOJ' and u.entity_id = e.id and u.code = 'COCO' and s.room_id = u.id and s.active
			and extract(isodow from (now() at time zone e.time_zone)::date + n) in (5, 6) and s.period @> (now() at
				time zone e.time_zone)::date + n`,
		"selections stand for extras that ask for them": `select count(*) from extra_selections s join extras x on
			x.org_id = s.org_id and x.id = s.extra_id where not x.selection_required`,
	}
	for name, sql := range zero {
		if n := ask[int](t, conn, sql); n != 0 {
			t.Errorf("%s: %d rows say otherwise", name, n)
		}
	}
	atLeast := map[string]struct {
		sql  string
		want int
	}{
		// Only the product's own price function knows tiers.
		"nights at the price of a tier": {`select count(*) from reservation_nights where tier_code is not null and
			tier_percent <> 0 and amount <> base_amount`, 100},
		"statuses in use": {`select count(distinct status) from reservations where org_id =
			'a0000000-0000-4000-8000-000000000001'`, 6},
		"reservations": {`select count(*) from reservations where org_id =
			'a0000000-0000-4000-8000-000000000001'`, 120},
		"orgs with a COCO": {`select count(distinct org_id) from room_types where code = 'COCO'`, 2},
		"chef's categories": {`select count(distinct category) from chef_menu_items where org_id =
			'a0000000-0000-4000-8000-000000000001'`, 5},
		"selection states": {`select count(distinct status) from extra_selections where org_id =
			'a0000000-0000-4000-8000-000000000001'`, 4},
		"people in a group": {`select count(*) from reservations where group_code is not null`, 2},
		"arrivals today": {`select count(*) from reservations r join entities e on e.id =
			r.entity_id where e.key = 'SOJ' and check_in = (now() at time zone e.time_zone)::date and status =
			'confirmed'`, 1},
		"departures today": {`select count(*) from reservations r join entities e on e.id =
			r.entity_id where e.key = 'SOJ' and check_out = (now() at time zone e.time_zone)::date and status
			= 'checked_in'`, 1},
		"people who can sign in": {`select count(*) from auth.users u join memberships m on m.user_id = u.id and
			m.org_id::text = u.raw_app_meta_data ->> 'org_id'
			where u.encrypted_password = extensions.crypt('bellhop-demo', u.encrypted_password)`, 6},
	}
	for name, tt := range atLeast {
		if n := ask[int](t, conn, tt.sql); n < tt.want {
			t.Errorf("%s: %d, want at least %d", name, n, tt.want)
		}
	}
}
