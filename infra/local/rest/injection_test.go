package rest_test

import (
	"encoding/json"
	"net/url"
	"strings"
	"testing"
)

// hostile values try to leave the place of a value.
var hostile = []string{
	`x`, ``, ` `, `'`, `''`, `"`, `\`, `\\`, `\"`, `';--`, `' or '1'='1`, `1) or (1=1`, `)`, `(`, `,`, `.`, `:`,
	`::text`,
	`x,or=(id.gt.0)`, `x)&or=(id.gt.0)`, `eq.x,name.neq.y`, `x",name.neq."y`, `*`, `%`, `_`, `a*b`, `$1`, `$$`, `{}`,
	`{a,b}`, `{"a","b"}`,
	`null`, `NULL`, `not.eq.x`, `--`, `/* */`, `; drop table hostile_names; --`, `é`, `名前`, "\u202e", "a\tb", "a\nb",
	`&`, `=`, `#`, `+`, `E'\x27'`, strings.Repeat(`"`, 9),
}

// TestFilterValueIsOnlyAValue stores each hostile value beside a neighbour and
// looks it up in every way that carries a value: exactly the one row answers.
// F-43
func TestFilterValueIsOnlyAValue(t *testing.T) {
	w := newWorld(t)
	w.sql(t, `create table public.hostile_names (id int primary key, name text, doc jsonb);
		create function public.same(p text) returns setof public.hostile_names language sql stable as $$ select *
			from public.hostile_names where name = p $$`)
	s := w.serve(t, nil)
	var rows []map[string]any
	for i, v := range hostile {
		rows = append(rows, map[string]any{"id": i, "name": v, "doc": map[string]string{"k": v}})
	}
	body, err := json.Marshal(rows)
	if err != nil {
		t.Fatal(err)
	}
	want(t, s, "POST", "/hostile_names", "manager", string(body), nil, 201, "")

	quoted := func(v string) string {
		return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(v) + `"`
	}
	ways := map[string]func(v string) url.Values{
		"eq": func(v string) url.Values { return url.Values{"name": {"eq." + v}} },
		"in": func(v string) url.Values { return url.Values{"name": {"in.(" + quoted(v) + ")"}} },
		"and": func(v string) url.Values {
			return url.Values{"and": {"(name.eq." + quoted(v) +
				",id.gte.0)"}}
		},
		"or in": func(v string) url.Values {
			return url.Values{"or": {"(name.in.(" + quoted(v) +
				"),id.lt.0)"}}
		},
		"a JSON path":  func(v string) url.Values { return url.Values{"doc->>k": {"eq." + v}} },
		"any of":       func(v string) url.Values { return url.Values{"name": {"eq(any).{" + quoted(v) + "}"}} },
		"not distinct": func(v string) url.Values { return url.Values{"name": {"not.isdistinct." + v}} },
	}
	for name, way := range ways {
		t.Run(name, func(t *testing.T) {
			for i, v := range hostile {
				if strings.HasSuffix(name, "in") && v == "" {
					continue // PostgREST takes in.("") for an empty list
				}
				q := way(v)
				q.Set("select", "id")
				expectOnly(t, call(s, "GET", "/hostile_names?"+q.Encode(), map[string]string{"as": "manager"},
					"").Body.Bytes(), i, v)
			}
		})
	}
	t.Run("an argument", func(t *testing.T) {
		for i, v := range hostile {
			body, _ := json.Marshal(map[string]string{"p": v})
			expectOnly(t, call(s, "POST", "/rpc/same?select=id", map[string]string{"as": "manager"},
				string(body)).Body.Bytes(), i, v)
		}
	})
	t.Run("an update", func(t *testing.T) {
		for i, v := range hostile {
			q := url.Values{"name": {"eq." + v}, "select": {"id"}}
			got := call(s, "PATCH", "/hostile_names?"+q.Encode(), map[string]string{"as": "manager",
				"Prefer": "return=representation"}, `{"id":`+jsonNumber(i)+`}`)
			expectOnly(t, got.Body.Bytes(), i, v)
		}
	})
	if n := w.count(t, "select count(*) from hostile_names"); n != len(hostile) {
		t.Errorf("%d rows, want %d", n, len(hostile))
	}
}

func jsonNumber(i int) string {
	b, _ := json.Marshal(i)
	return string(b)
}

func expectOnly(t *testing.T, body []byte, id int, value string) {
	t.Helper()
	var rows []struct{ ID int }
	if err := json.Unmarshal(body, &rows); err != nil || len(rows) != 1 || rows[0].ID != id {
		t.Errorf("value %q answers %s, want row %d alone", value, body, id)
	}
}

// TestNamesAreOnlyNames puts hostile text where names stand: the answer is a
// refusal or an empty result, and the table is unharmed.
func TestNamesAreOnlyNames(t *testing.T) {
	w := newWorld(t)
	s := w.serve(t, nil)
	for _, v := range append(hostile, `guests" where 1=1; delete from guests; --`, `id" from vault --`, "id\x00") {
		for _, q := range []url.Values{
			{"select": {"id,stays(" + v + ")"}}, {"select": {"...stays!" + v + "(id)"}}, {"select": {"id." + v}},
			{"select": {"id.sum()::" + v}},
			{"order": {"stays(" + v + ")"}}, {"and": {v}}, {"or": {"(" + v + ".eq.1)"}},
			{"or": {"(id.fts(" + v + ").x)"}}, {"stays." + v: {"eq.1"}}, {"id": {v}}, {"id": {"in." + v}},
			{"select": {v}}, {"select": {`"` + v + `"`}}, {"select": {"id::" + v}}, {"select": {"a:" + v + "(id)"}},
			{"select": {"id->>" + v}},
			{"order": {v}}, {"order": {`"` + v + `".desc`}}, {v: {"eq.1"}}, {"on_conflict": {v}}, {"columns": {v}},
			{"limit": {v}}, {"id": {"fts(" + v + ").x"}},
		} {
			got := call(s, "GET", "/guests?"+q.Encode(), map[string]string{"as": "manager"}, "")
			cast := strings.HasPrefix(q.Get("select"), "id::") // a word that is no type is a syntax error
			if got.Code >= 500 || !cast && strings.Contains(got.Body.String(), "42601") {
				t.Errorf("%v: %d %s", q, got.Code, got.Body)
			}
		}
	}
	if n := w.count(t, "select count(*) from guests"); n != 3 {
		t.Errorf("%d guests, want 3", n)
	}
}

// FuzzQuery throws query strings at the server: it answers each, never with a
// fault of its own and never with SQL that does not parse.
func FuzzQuery(f *testing.F) {
	for _, seed := range []string{
		"select=id,name&id=eq.1", "or=(id.eq.1,not.and(name.like.a*,id.in.(1,2)))",
		`select="a",b:c->d->>0::text,...stays!inner(*)`,
		"order=name.desc.nullslast,stays(id)&limit=1&offset=2&stays.limit=1", "name=ilike(any).{a,b}",
		"select=count(),id.sum()::int",
		"select=id::int) from vault --", `name=in.("a\"),",b)`, "id=is.not_null&name=fts(english).x",
	} {
		f.Add(seed)
	}
	s := newWorld(f).serve(f, nil)
	f.Fuzz(func(t *testing.T, query string) {
		got := call(s, "GET", "/guests?"+query, map[string]string{"as": "manager"}, "")
		if got.Code >= 500 {
			t.Errorf("%q: %d %s", query, got.Code, got.Body)
		}
		if strings.Contains(got.Body.String(), `"42601"`) && !strings.Contains(query, "::") &&
			!strings.Contains(query, "%3A%3A") {
			t.Errorf("%q: %s", query, got.Body)
		}
	})
}
