package supabase_test

import (
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
)

// What an administrator cannot do even past the users endpoint, by the database's
// own REST API, and what the secret key is told for whom.
func TestMembersAreGuardedByTheirFunctions(t *testing.T) {
	t.Parallel()
	conn := connect(t, "empty")
	admin, stranger := newOrg(t, conn, "admin"), newOrg(t, conn, "manager")
	viewer := admin.colleague(t, conn, "viewer")
	digest := strings.Repeat("ab", 32)
	own := ask[string](t, conn, `insert into auth.users (id, email, raw_app_meta_data) values (gen_random_uuid(),
		$1 || '@test.example', jsonb_build_object('bellhop_org', $1::text)) returning id`, admin.org)
	tests := map[string]struct {
		by   person
		sql  string
		args []any
		want string
	}{
		"no key for an account of another organisation": {admin,
			`select member_add($1, 'Till', 'viewer', 'machine', null, $2)`, []any{stranger.user, digest},
			"PT404 unknown_account"},
		"no key without a secret": {admin, `select member_add($1, 'Till', 'viewer', 'machine')`,
			[]any{own}, "23502"},
		"no key for an administrator": {admin,
			`select member_add($1, 'Till', 'admin', 'machine', null, $2)`, []any{own, digest}, "PT422 machine_admin"},
		"no administrator for a while": {admin, `select member_add($1, 'Asha', 'admin', 'person', 3)`,
			[]any{own}, "23514"},
		"no role that is none": {admin, `select member_add($1, 'Asha', 'owner')`, []any{own},
			"23514"},
		"nobody who has no account": {admin,
			`select member_add(gen_random_uuid(), 'Asha', 'viewer')`, nil, "PT404 unknown_account"},
		"nobody adds who is no administrator": {viewer, `select member_add($1, 'Asha', 'viewer')`,
			[]any{own}, "PT403 admin_required"},
		"nobody lists": {viewer, `select member_list()`, nil, "PT403 admin_required"},
		"nobody promotes themselves": {viewer, `select member_change($1, 'admin')`,
			[]any{viewer.user}, "PT403 admin_required"},
		"nobody removes others": {viewer, `select member_remove($1)`, []any{admin.user},
			"PT403 admin_required"},
		"nobody looks an address up": {admin, `select account_find($1, $2, 'x')`,
			[]any{admin.org, admin.user}, "42501"},
		"nobody tries a key": {admin, `select api_key_open($1, $2)`, []any{own, digest},
			"42501"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			wantState(t, tt.by.run(t.Context(), conn, nil, tt.sql, tt.args...),
				tt.want)
		})
	}
	wantState(t, admin.run(t.Context(), conn, nil, `select member_add($1, 'Till', 'viewer', 'machine', 3, $2)`, own,
		digest), "")
	job := func(sql string, args ...any) (out *string, err error) {
		err = request{role: "service_role", claims: `{"role":"service_role"}`}.do(t.Context(), conn,
			func(tx pgx.Tx) error {
				return tx.QueryRow(t.Context(), sql, args...).Scan(&out)
			})
		return out, err
	}
	for name, by := range map[string]person{"a viewer": viewer, "an administrator elsewhere": {org: stranger.org,
		user: admin.user}} {
		_, err := job(`select account_find($1, $2, $3)::text`, by.org, by.user, admin.org+"@test.example")
		t.Run(name, func(t *testing.T) { wantState(t, err, "PT403 admin_required") })
	}
	if out, err := job(`select account_find($1, $2, $3) ->> 'id'`, admin.org, admin.user, " "+
		strings.ToUpper(admin.org)+"@test.example "); err != nil || out == nil || *out != own {
		t.Errorf("found %v, %v", out, err)
	}
	for _, who := range []struct{ org, user, want string }{{admin.org, own, "false"}, {stranger.org, own, "false"},
		{admin.org, viewer.user, "false"}} {
		if out, err := job(`select account_left($1, $2)::text`, who.org, who.user); err != nil || *out != who.want {
			t.Errorf("%v: %v", who, err)
		}
	}
	left := ask[string](t, conn, `insert into auth.users (id, email, raw_app_meta_data) values (gen_random_uuid(),
		'left-' || $1 || '@test.example', jsonb_build_object('bellhop_org', $1::text)) returning id`, admin.org)
	for org, want := range map[string]string{admin.org: "true", stranger.org: "false"} {
		if out, err := job(`select account_left($1, $2)::text`, org, left); err != nil || *out != want {
			t.Errorf("a deserted account is %s's to delete: %v, %v", org, *out, err)
		}
	}
	_, err := job(`select member_list()::text`)
	wantState(t, err, "42501")
}
