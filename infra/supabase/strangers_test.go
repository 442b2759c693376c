package supabase_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
)

// F-42: whatever function a user of another organisation calls with another organisation's property
// and codes, it answers as if they did not exist: nothing of theirs, no change,
// and the same error as for codes that no one has.
func TestNoFunctionTellsAStranger(t *testing.T) {
	t.Parallel()
	conn := connect(t, "seeded")
	const theirs, theirEntity = "a0000000-0000-4000-8000-000000000001", "a0000000-0000-4000-8000-0000000000e1"
	us := person{org: "b0000000-0000-4000-8000-000000000001", entity: "b0000000-0000-4000-8000-0000000000e1",
		user: "b0000000-0000-4000-8000-0000000000b2"}
	secrets := names(t, conn, `select distinct guest_name from public.reservations where org_id = $1 union select
		name from public.room_types where org_id = $1
		union select name from public.extras where org_id = $1 union select name from public.chef_menu_items where
			org_id = $1`, theirs)
	codes := map[string]string{}
	for _, table := range []string{"reservations", "room_types", "extras", "packages", "coupons", "blocked_dates",
		"chef_menu_items", "extra_selections", "rooms"} {
		codes[table] = ask[string](t, conn, fmt.Sprintf(`select min(code) from public.%s where org_id = $1`, table),
			theirs)
	}
	ids := names(t, conn, `select id::text from (select id from public.reservations where org_id = $1 limit 1) r
		union all select id::text from (select id from public.extras where org_id = $1 limit 1) x`, theirs)
	// What they own, as one figure: it must not move.
	state := func() string {
		return ask[string](t, conn, `select concat_ws(' ', (select count(*) from public.audit where org_id = $1),
			(select sum(version) from public.reservations where org_id = $1),
			(select sum(version) from public.extras where org_id = $1), (select sum(version) from public.room_types
				where org_id = $1), (select count(*) from public.stays where org_id = $1))`, theirs)
	}
	before := state()
	functions := names(t, conn, `select oid::regproc::text from pg_proc where pronamespace = 'public'::regnamespace
		and prokind = 'f'
		and has_function_privilege('authenticated', oid, 'execute') and 'p_entity' = any (proargnames) order by 1`)
	if len(functions) < 4 {
		t.Fatalf("only %v take a property", functions)
	}
	// The owners are told of it, so there is something to hide.
	them, told := person{org: theirs, entity: theirEntity, user: "a0000000-0000-4000-8000-0000000000a2"}, 0
	for _, f := range functions {
		for _, code := range codes {
			if strings.ReplaceAll(them.stranger(t, conn, f, theirEntity, code, ids), code,
				"ZZZZ99") != them.stranger(t, conn, f, theirEntity, "ZZZZ99", ids) {
				told++
			}
		}
	}
	if told < 5 {
		t.Fatalf("even the owners are told of %d codes only", told)
	}
	for _, f := range functions {
		for table, code := range codes {
			got := us.stranger(t, conn, f, theirEntity, code, ids)
			none := us.stranger(t, conn, f, theirEntity, "ZZZZ99", []string{"c0000000-0000-4000-8000-00000000000c"})
			if strings.ReplaceAll(got, code, "ZZZZ99") != none {
				t.Errorf("%s tells %s of %s (%s) from one that is not there:\n%s\n%s", f, code, table, theirEntity,
					got, none)
			}
			for _, secret := range secrets {
				if strings.Contains(got, secret) {
					t.Errorf("%s tells a stranger of %q: %s", f, secret, got)
				}
			}
		}
	}
	if after := state(); after != before {
		t.Errorf("what they own moved from %s to %s", before, after)
	}
}

// user of another organisation calls a function with arguments that fit its types, and returns its
// answer or its error as text.
func (p person) stranger(t *testing.T, conn *pgx.Conn, function, entity, code string, ids []string) string {
	t.Helper()
	type argument struct{ Name, Type string }
	rows, err := conn.Query(t.Context(), `select a.name, format_type(a.type, null) from pg_proc p,
		unnest(p.proargnames[1:p.pronargs], string_to_array(p.proargtypes::text, ' ')::oid[]) a (name, type)
		where p.oid = $1::text::regproc`, function)
	if err != nil {
		t.Fatal(err)
	}
	arguments, err := pgx.CollectRows(rows, pgx.RowToStructByPos[argument])
	if err != nil {
		t.Fatal(err)
	}
	body, err := json.Marshal(map[string]any{"code": code, "room": code, "rooms": []string{code}, "package": code,
		"coupon": code, "checkIn": "2031-01-20", "checkOut": "2031-01-22",
		"today": "2031-01-01", "adults": 1, "children": 0,
		"extras": []any{map[string]any{"code": code, "quantity": 1}}, "guest": "x", "name": "x"})
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for _, a := range arguments {
		value := "null"
		switch {
		case a.Name == "p_entity":
			value = literal(entity)
		case a.Type == "uuid":
			value = literal(ids[0])
		case a.Type == "uuid[]":
			value = "array[" + literal(ids[0]) + "]::uuid[]"
		case a.Type == "text":
			value = literal(code)
		case a.Type == "text[]":
			value = "array[" + literal(code) + "]"
		case a.Type == "date" && (strings.HasSuffix(a.Name, "to") || strings.HasSuffix(a.Name, "out") ||
			strings.Contains(a.Name, "end")):
			value = "date '2031-01-22'"
		case a.Type == "date":
			value = "date '2031-01-20'"
		case a.Type == "jsonb":
			value = literal(string(body)) + "::jsonb"
		case a.Type == "integer" || a.Type == "numeric":
			value = "1"
		case a.Type == "boolean":
			value = "false"
		}
		list = append(list, a.Name+" => "+value)
	}
	var answer string
	err = p.undone(t, conn, func(tx pgx.Tx) error {
		return tx.QueryRow(t.Context(), fmt.Sprintf(`select coalesce(string_agg(x::text, ' '), '') from %s(%s) x`,
			function, strings.Join(list, ", "))).Scan(&answer)
	})
	if err != nil {
		return err.Error()
	}
	return answer
}

func literal(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }

// undone runs work as a request of p and undoes it.
func (p person) undone(t *testing.T, conn *pgx.Conn, work func(pgx.Tx) error) error {
	t.Helper()
	back := errors.New("undone")
	err := request{claims: p.claims()}.do(t.Context(), conn, func(tx pgx.Tx) error {
		if err := work(tx); err != nil {
			return err
		}
		return back
	})
	if errors.Is(err, back) {
		return nil
	}
	return err
}
