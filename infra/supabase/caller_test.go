package supabase_test

import (
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
)

// Who the caller is is kept for a statement and no longer: another token counts at once,
// and a membership that ended or changed counts for the next statement of the same
// transaction.
func TestTheCallerIsReadAnewForEachStatement(t *testing.T) {
	t.Parallel()
	conn := connect(t, "empty")
	asha, other := newOrg(t, conn, "manager"), newOrg(t, conn, "viewer")
	tx, err := conn.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = tx.Rollback(t.Context()) }()
	const who = `select concat_ws(' ', app.org_id(), app.org_role(), app.org_id())`
	as := func(p person, sql string) string {
		t.Helper()
		exec(t, tx, `select set_config('request.jwt.claims', $1, true)`, p.claims())
		return ask[string](t, tx, sql)
	}
	check := func(what, got, want string) {
		t.Helper()
		if got != want {
			t.Errorf("%s: %q, want %q", what, got, want)
		}
	}
	asManager := asha.org + " manager " + asha.org
	check("a manager", as(asha, who), asManager)
	check("a viewer of another organisation", as(other, who), other.org+" viewer "+other.org)
	check("a manager again", as(asha, who), asManager)
	// Within one statement, too, it is the token that counts.
	const switched = `select concat_ws(' ', app.org_role(), set_config('request.jwt.claims', $1, true) <> '',
		app.org_role())`
	check("another token within a statement", ask[string](t, tx, switched, other.claims()), "manager t viewer")
	check("no token", as(person{user: asha.user, org: "x"}, who), "")
	exec(t, tx, `update public.memberships set role = 'viewer' where user_id = $1`, asha.user)
	check("a new role", as(asha, who), asha.org+" viewer "+asha.org)
	exec(t, tx, `update public.memberships set ends_at = now() - interval '1 minute' where user_id = $1`, asha.user)
	check("a membership that ended", ask[string](t, tx, who), "")
}

// A preview that rests on one row of a list asks for that row alone; its change
// counts and that of another row does not.
func TestARowOfAListIsAskedForAlone(t *testing.T) {
	t.Parallel()
	conn := connect(t, "empty")
	asha := newOrg(t, conn, "manager")
	exec(t, conn, `insert into public.extras (org_id, entity_id, code, name, price) values ($1, $2, 'TEA', 'Tea', 45),
		($1, $2, 'CAKE', 'Cake', 60)`, asha.org, asha.entity)
	exec(t, conn, `insert into public.chef_menu_items (org_id, entity_id, code, name, category, price) values
		($1, $2, 'DAL', 'Dal', 'starters', 45), ($1, $2, 'ROTI', 'Roti', 'starters', 6)`, asha.org, asha.entity)
	for list, code := range map[string]string{"extra_list": "TEA", "chef_menu_list": "DAL"} {
		const sql = `select app.read_statement($1, jsonb_build_object('p_entity', $2::text),
			jsonb_build_array($3::text))`
		statement := strings.ReplaceAll(ask[string](t, conn, sql, list, asha.entity, code), "$1", "$1::jsonb")
		asha.see(t, conn, func(tx pgx.Tx) {
			const codes = `select coalesce(string_agg(x ->> 'code', ' '), '') from jsonb_array_elements((`
			arguments := `{"p_entity":"` + asha.entity + `"}`
			got := ask[string](t, tx, codes+statement+`)) x`, arguments)
			same := ask[bool](t, tx, `select (`+statement+`) = (select jsonb_agg(x) from jsonb_array_elements(public.`+
				list+
				`(($1::jsonb ->> 'p_entity')::uuid)) x where x ->> 'code' = '`+code+`')`, arguments)
			if got != code || !same {
				t.Errorf("%s: %q, the row is the list's: %t", list, got, same)
			}
		})
	}
}
