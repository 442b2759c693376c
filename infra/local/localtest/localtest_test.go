package localtest_test

import (
	"encoding/json"
	"net/http"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bellhop-ai/bellhop/infra/local/localtest"
	"github.com/bellhop-ai/bellhop/infra/local/stack"
)

func TestMain(m *testing.M) { localtest.Main(m) }

// get reads from the REST server as a person.
func get(t *testing.T, s *stack.Stack, path, token string, into any) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.URL()+"/rest/v1"+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("apikey", s.Keys().Publishable)
	r.Header.Set("Authorization", "Bearer "+token)
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		t.Fatalf("%s: %s", path, answer.Status)
	}
	if err := json.NewDecoder(answer.Body).Decode(into); err != nil {
		t.Fatal(err)
	}
}

func TestATenantIsAlone(t *testing.T) {
	t.Parallel()
	s := localtest.Stack(t)
	mine, other := localtest.NewOrg(t), localtest.NewOrg(t)
	for _, by := range []localtest.Person{mine.Admin, mine.Manager, mine.Viewer} {
		var me struct {
			User, Name, Email, Org, OrgName, Role string
			Entities                              []localtest.Entity
		}
		get(t, s, "/rpc/whoami", by.Token, &me)
		if me.User != by.ID || me.Name != by.Name || me.Email != by.Email || me.Role != by.Role || me.Org != mine.ID {
			t.Errorf("%+v says of itself %+v", by, me)
		}
		if diff := cmp.Diff([]localtest.Entity{mine.Entity}, me.Entities); diff != "" {
			t.Errorf("entities of the %s (-want +got):\n%s", by.Role, diff)
		}
	}
	var rows []map[string]any
	get(t, s, "/entities?select=id", other.Viewer.Token, &rows)
	if diff := cmp.Diff([]map[string]any{{"id": other.Entity.ID}}, rows); diff != "" {
		t.Errorf("another tenant sees (-want +got):\n%s", diff)
	}
	stranger := localtest.NewPerson(t, s, mine.ID, "", "Sid Outsider")
	get(t, s, "/entities?select=id", stranger.Token, &rows)
	if len(rows) != 0 {
		t.Errorf("somebody who is no member sees %v", rows)
	}
}

func TestTheDemoDataIsThere(t *testing.T) {
	t.Parallel()
	var rows []map[string]any
	get(t, localtest.Stack(t), "/entities?select=key", localtest.Token(t, "viewer@sojourn.example"), &rows)
	if diff := cmp.Diff([]map[string]any{{"key": "SOJ"}}, rows); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestSQLReturnsValuesThatCompare(t *testing.T) {
	t.Parallel()
	got := localtest.SQL(t, `select $1::uuid as id, date '2026-01-31' as day, 12.50::numeric(9,2) as amount,
		'{"a":[1,null]}'::jsonb as doc, 'x' as word, 7 as n, null::text as none, true as yes`,
		"a0000000-0000-4000-8000-0000000000e1")
	want := []map[string]any{{
		"id": "a0000000-0000-4000-8000-0000000000e1", "day": "2026-01-31", "amount": "12.50",
		"doc": map[string]any{"a": []any{1.0, nil}}, "word": "x", "n": int32(7), "none": nil, "yes": true,
	}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestACloneIsOnesOwn(t *testing.T) {
	t.Parallel()
	c := localtest.Clone(t)
	org := localtest.NewOrgOn(t, c)
	localtest.Script(t, c, `create table public.only_here (id int); grant select on public.only_here to
		authenticated; insert into public.only_here values (1);`)
	if err := c.Reload(t.Context()); err != nil {
		t.Fatal(err)
	}
	var rows []map[string]any
	get(t, c, "/only_here", org.Viewer.Token, &rows)
	if len(rows) != 1 {
		t.Errorf("the clone's own table holds %v", rows)
	}
	found := localtest.SQL(t, "select to_regclass('public.only_here') is not null as found")
	if found[0]["found"] != false {
		t.Error("a clone's table is in the shared database")
	}
}
