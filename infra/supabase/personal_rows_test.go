package supabase_test

import (
	"regexp"
	"testing"

	"github.com/jackc/pgx/v5"
)

// toys are personal rows as a domain would have them: outings, and the legs that
// hang on them.
const toys = `
create table public.outings (
  org_id uuid not null references public.orgs (id),
  id uuid not null default gen_random_uuid(),
  user_id uuid not null default auth.uid(),
  code text not null default 'TRIP-1',
  name text not null,
  passport text not null default '',
  version int not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (org_id, id)
);
call app.personal_table('outings', '{passport}');
create table public.outing_legs (
  org_id uuid not null,
  id uuid not null default gen_random_uuid(),
  outing_id uuid not null,
  code text not null,
  primary key (org_id, id),
  unique (org_id, outing_id, code),
  foreign key (org_id, outing_id) references public.outings (org_id, id) on delete cascade
);
create trigger code before insert or update of code on public.outing_legs
  for each row execute function app.fill_child_code('LEG-', 'outing_id');
call app.personal_child_table('outing_legs', 'outings', 'outing_id');
create function public.outing_name(p_name text) returns void language sql set search_path = '' as $$
  update public.outings set name = p_name
$$;
call app.personal_function('outing_name');`

func TestPersonalRowsAreTheOwnersAndTheirCompanions(t *testing.T) {
	t.Parallel()
	conn := connect(t, "toys")
	exec(t, conn, toys)
	owner := newOrg(t, conn, "viewer") // the least of the roles writes what is its own
	friend, boss := owner.colleague(t, conn, "viewer"), owner.colleague(t, conn, "admin")
	stranger := newOrg(t, conn, "admin")
	address := func(p person) string { return p.user + "@test.example" }

	insert := `insert into public.outings (org_id, name, passport) values ($1, 'Hampi', 'Z1234567')`
	wantState(t, owner.run(t.Context(), conn, nil, insert, owner.org), "")
	wantState(t, owner.run(t.Context(), conn, nil,
		`insert into public.outings (org_id, user_id, name) values ($1, $2, 'Theirs')`, owner.org, friend.user),
		"42501")
	wantState(t, stranger.run(t.Context(), conn, nil, insert, owner.org), "42501")
	trip := ask[string](t, conn, `select id::text from public.outings where org_id = $1`, owner.org)
	leg := `insert into public.outing_legs (org_id, outing_id, code) values ($1, $2, $3)`
	wantState(t, owner.run(t.Context(), conn, nil, leg, owner.org, trip, ""), "")
	wantState(t, owner.run(t.Context(), conn, nil,
		`insert into public.outing_legs (org_id, outing_id, code) select org_id, outing_id, code from
			public.outing_legs`),
		"23505")
	if code := ask[string](t, conn, `select code from public.outing_legs where org_id = $1`,
		owner.org); !regexp.MustCompile(`^LEG-[A-HJ-NP-Z2-9]{4}$`).MatchString(code) {
		t.Errorf("the leg is called %q", code)
	}

	seen := func(p person, table string) (n int) {
		p.see(t, conn, func(tx pgx.Tx) { n = ask[int](t, tx, `select count(*) from public.`+table) })
		return n
	}
	touched := func(p person, sql string, args ...any) (n int64) {
		t.Helper()
		err := request{claims: p.claims()}.do(t.Context(), conn, func(tx pgx.Tx) error {
			tag, err := tx.Exec(t.Context(), sql, args...)
			n = tag.RowsAffected()
			return err
		})
		if err != nil {
			t.Errorf("%s: %v", sql, err)
		}
		return n
	}
	const rename, move, drop = `update public.outings set name = name || '!'`,
		`update public.outing_legs set code = code || '!'`, `delete from public.outings`
	everybody := map[string]person{"a colleague": friend, "an administrator": boss, "a stranger": stranger}
	for who, p := range everybody {
		if a, b := seen(p, "outings"), seen(p, "outing_legs"); a+b != 0 {
			t.Errorf("%s sees %d trips and %d legs", who, a, b)
		}
		for _, sql := range []string{rename, move, drop, `delete from public.outing_legs`} {
			if n := touched(p, sql); n != 0 {
				t.Errorf("%s: %s touched %d rows", who, sql, n)
			}
		}
		wantState(t, p.run(t.Context(), conn, nil, leg, owner.org, trip, "L2"), "42501")
		wantState(t, p.run(t.Context(), conn, nil, `select companion_set('outings', $1, $2)`, trip, address(p)),
			"PT404 unknown_record")
	}

	name := func(p, who person, with bool) error {
		return p.run(t.Context(), conn, nil, `select companion_set('outings', $1, $2, $3)`, trip, address(who), with)
	}
	wantState(t, name(owner, stranger, true), "PT404 unknown_user")
	wantState(t, name(owner, owner, true), "PT422 own_account")
	wantState(t, name(owner, friend, true), "")
	wantState(t, name(owner, friend, true), "") // once more changes nothing
	if a, b := seen(friend, "outings"), seen(friend, "outing_legs"); a != 1 || b != 1 {
		t.Errorf("a companion sees %d trips and %d legs", a, b)
	}
	for _, sql := range []string{rename, move} {
		if n := touched(friend, sql); n != 1 {
			t.Errorf("a companion: %s touched %d rows", sql, n)
		}
	}
	wantState(t, friend.run(t.Context(), conn, nil, leg, owner.org, trip, "L2"), "")
	// What stays the owner's.
	if n := touched(friend, drop); n != 0 {
		t.Error("a companion deleted the trip")
	}
	wantState(t, friend.run(t.Context(), conn, nil, `update public.outings set user_id = $1`, friend.user),
		"PT422 owner_is_fixed")
	wantState(t, name(friend, boss, true), "PT404 unknown_record")
	wantState(t, name(friend, owner, false), "PT404 unknown_record")
	wantState(t, name(boss, friend, false), "PT404 unknown_record")

	// A tool of a viewer writes through its effect key, here and not elsewhere.
	claim := func(path, key, sql string) error {
		r := request{claims: owner.claims(), method: "PATCH", path: path, headers: effect(key, hashA, "")}
		return r.do(t.Context(), conn, func(tx pgx.Tx) error { _, err := tx.Exec(t.Context(), sql); return err })
	}
	wantState(t, claim("/outings", "effect-own-trip", rename), "")
	wantState(t, claim("/rpc/outing_name", "effect-own-call", `select outing_name('Badami')`), "")
	wantState(t, claim("/room_types", "effect-rooms-1", raise), "PT403 role_required")
	wantState(t, claim("/rpc/update_room_type", "effect-rooms-2", raise), "PT403 role_required")
	wantState(t, claim("/outings/", "effect-odd-path", rename), "PT403 role_required")

	wantState(t, name(friend, friend, false), "") // a caller who takes part may leave
	if n := seen(friend, "outings"); n != 0 {
		t.Error("somebody who left still sees the trip")
	}
	wantState(t, name(owner, friend, true), "")
	if n := touched(owner, drop); n != 1 {
		t.Errorf("the owner deleted %d trips", n)
	}
	if n := ask[int](t, conn, `select count(*) from public.companions where org_id = $1`, owner.org); n != 0 {
		t.Errorf("%d companions are left of a trip that is gone", n)
	}
	if n := ask[int](t, conn, `select count(*) from public.audit where org_id = $1 and table_name = 'outings'
		and concat(before, after) like '%Z1234567%'`, owner.org); n != 0 {
		t.Errorf("%d rows of the audit hold what it leaves out", n)
	}
	if keys := names(t, conn, `select distinct row_key from public.audit where org_id = $1 and table_name =
		'companions'`, owner.org); len(keys) != 1 || keys[0] != "TRIP-1" {
		t.Errorf("the audit knows companions by %v", keys)
	}
	if n := ask[int](t, conn, `select count(*) from public.audit where org_id = $1 and table_name in ('outings',
		'outing_legs', 'companions')`, owner.org); n < 10 {
		t.Errorf("only %d changes were audited", n)
	}
}
