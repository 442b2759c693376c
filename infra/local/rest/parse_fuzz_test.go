package rest

import (
	"encoding/json"
	"net/http/httptest"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// The fuzz targets hold the parsers to one rule: what is written as one
// predicate, item or term is read as one, with its value untouched, or refused.

// only checks that SQL made from hostile text differs from SQL made from
// harmless text in nothing but its values.
func only(t *testing.T, build func(s *statement, text string) string, text string) {
	t.Helper()
	var hostile, harmless statement
	if a, b := build(&hostile, text), build(&harmless, "x"); a != b {
		t.Errorf("the value %q reaches the SQL:\n%s\nwithout it:\n%s", text, a, b)
	}
}

func FuzzFilter(f *testing.F) {
	for _, seed := range []string{"", "1", "a,b", `"a"`, `\`, "{a,b}", "eq.1", "not.eq.x", "(1)", "x)&or=(id.gt.0)",
		"';--", "a*b%", "é"} {
		f.Add(seed)
	}
	n := &node{alias: "t"}
	f.Fuzz(func(t *testing.T, value string) {
		for _, op := range []string{"eq.", "not.neq.", "like(any).", "fts(english).", "cs.", "isdistinct."} {
			got, err := parseFilter(field{name: "c"}, op+value)
			if err != nil {
				t.Fatalf("%s%q: %v", op, value, err)
			}
			if got.value != value {
				t.Errorf("%s%q is read as %q", op, value, got.value)
			}
			if strings.HasPrefix(op, "like") {
				continue // its stars become per cent signs within the value
			}
			only(t, func(s *statement, text string) string {
				parsed, err := parseFilter(field{name: "c"}, op+text)
				if err != nil {
					t.Fatal(err)
				}
				return s.compare(n, &parsed)
			}, value)
		}
		// Whatever the operator is, the parser neither panics nor invents one.
		if got, err := parseFilter(field{name: "c"}, value); err == nil && !strings.Contains(value, got.op) {
			t.Errorf("%q has the operator %q", value, got.op)
		}
	})
}

// FuzzList reads quoted list elements back.
func FuzzList(f *testing.F) {
	f.Add("a", "b")
	f.Add(`","`, `")`)
	f.Add(`\"`, "\n")
	f.Fuzz(func(t *testing.T, a, b string) {
		if !utf8.ValidString(a+b) || a+b == "" {
			return // the query string was checked before
		}
		got, err := parseFilter(field{name: "c"}, "in.("+quoteValue(a)+","+quoteValue(b)+")")
		if err != nil || !slices.Equal(got.list, []string{a, b}) {
			t.Errorf("%q and %q are read as %q, %v", a, b, got.list, err)
		}
	})
}

func quoteValue(v string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(v) + `"`
}

func FuzzLogic(f *testing.F) {
	for _, seed := range []string{"(id.eq.1,name.eq.2)", "(not.and(a.is.null,b.in.(1,2)),c.cs.{1,2})", "()", "(a.eq.",
		`(a.eq."x)",b.gt.1)`, "(or.eq.1)", "(other.foo.1)", ")("} {
		f.Add(seed, "v")
	}
	n := &node{alias: "t"}
	f.Fuzz(func(t *testing.T, text, value string) {
		if tree, err := parseLogic("or", text); err == nil {
			var s statement
			sql := s.tree(n, tree)
			if strings.Count(sql, "$") < len(s.args) {
				t.Errorf("%q: a value is not a parameter: %s", text, sql)
			}
		}
		if !utf8.ValidString(value) {
			return
		}
		// Two predicates stay two, whatever their values hold.
		tree, err := parseLogic("and", "(a.eq."+quoteValue(value)+",b.gt."+quoteValue(value)+")")
		if err != nil {
			t.Fatalf("%q: %v", value, err)
		}
		if len(tree.kids) != 2 || tree.kids[0].leaf.value != value || tree.kids[1].leaf.value != value {
			t.Errorf("%q is read as %+v", value, tree)
		}
		only(t, func(s *statement, text string) string {
			tree, err := parseLogic("and", "(a.eq."+quoteValue(text)+")")
			if err != nil {
				t.Fatal(err)
			}
			return s.tree(n, tree)
		}, value)
	})
}

func FuzzSelect(f *testing.F) {
	for _, seed := range []string{"*", "a,b:c::text", "a->b->>0::int", `"x y",r!h!inner(*,...s(q))`,
		"count(),a.sum()::int", "a(", "...", "a::int) from b --", "r()"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		items, err := parseSelect(text)
		if err != nil {
			return
		}
		var walk func([]selectItem)
		walk = func(items []selectItem) {
			for _, it := range items {
				// A cast is the one place where text of a request stands bare.
				for _, cast := range []string{it.cast, it.aggregateCast} {
					if strings.ContainsFunc(cast, func(r rune) bool {
						return r > 'z' ||
							strings.ContainsRune(`()'";,.-/*\`, r)
					}) {
						t.Errorf("%q has the cast %q", text, cast)
					}
				}
				if it.aggregate != "" && !slices.Contains(aggregates, it.aggregate) {
					t.Errorf("%q has the aggregate %q", text, it.aggregate)
				}
				walk(it.children)
			}
		}
		walk(items)
	})
}

func FuzzOrder(f *testing.F) {
	for _, seed := range []string{"a", "a.desc.nullslast,b", "r(a->>b).asc", "a.des", `"x,y".desc`, "a->0.desc",
		"r(a,b)", ""} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		terms, err := parseOrder(text)
		if err != nil {
			return
		}
		for _, term := range terms {
			if term.nulls != "" && term.nulls != "first" && term.nulls != "last" || term.field.name == "" {
				t.Errorf("%q: %+v", text, term)
			}
		}
		// A column by any name is one term.
		if !utf8.ValidString(text) || text == "" {
			return
		}
		one, err := parseOrder(quoteValue(text) + ".desc")
		if err != nil || len(one) != 1 || one[0].field.name != text || !one[0].desc {
			t.Errorf("the column %q is read as %+v, %v", text, one, err)
		}
	})
}

func FuzzJSONPath(f *testing.F) {
	for _, seed := range []string{"->a", "->>0", "->-1->>b", `->"a.b"`, "->>--3", "->", "->a)b", "->1x"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s := &scanner{what: "test", in: text}
		var path []jsonStep
		if s.attempt(func() { path = s.jsonPath() }) != nil {
			return
		}
		for _, step := range path {
			if step.index && strings.Trim(strings.TrimPrefix(step.key, "-"), "0123456789") != "" {
				t.Errorf("%q has the position %q", text, step.key)
			}
		}
		if !utf8.ValidString(text) || text == "" {
			return
		}
		_, one, err := parsePath("c->>" + quoteValue(text))
		if err != nil || len(one.path) != 1 || one.path[0].key != text || one.path[0].index {
			t.Errorf("the key %q is read as %+v, %v", text, one, err)
		}
		n := &node{alias: "t"}
		only(t, func(st *statement, key string) string {
			return st.expression(n, field{name: "c", path: []jsonStep{{text: true, key: key}}})
		}, text)
	})
}

func FuzzPrefer(f *testing.F) {
	for _, seed := range []string{"return=minimal", "count=exact, tx=rollback", "max-affected=10, handling=strict",
		"timezone=UTC", ",", "return=minimal;x", "max-affected=-1"} {
		f.Add(seed)
	}
	zones := map[string]bool{"UTC": true}
	f.Fuzz(func(t *testing.T, text string) {
		p := parsePrefer([]string{text}, zones, true)
		for name, got := range map[string]string{"return": p.representation, "count": p.count,
			"resolution": p.resolution, "missing": p.missing, "tx": p.transaction, "handling": p.handling} {
			if got != "" && !slices.Contains(preferValues[name], got) {
				t.Errorf("%q: %s=%q", text, name, got)
			}
		}
		if p.timezone != "" && !zones[p.timezone] {
			t.Errorf("%q: timezone %q", text, p.timezone)
		}
		if again := parsePrefer([]string{p.applied()}, zones, true); p.applied() != "" &&
			!reflect.DeepEqual(again.invalid, []string(nil)) {
			t.Errorf("%q applies %q, which is not understood", text, p.applied())
		}
	})
}

func FuzzRange(f *testing.F) {
	for _, seed := range []string{"0-9", "10-", "-5", "items=0-1", "9-1", "a-b", "99999999999999999999-", "0--1", ""} {
		f.Add(seed, "5", "2")
	}
	f.Fuzz(func(t *testing.T, header, limit, offset string) {
		r := httptest.NewRequest("GET", "/", nil)
		r.Header["Range"] = []string{header}
		parsed, err := parseQuery(url.Values{"limit": {limit}, "offset": {offset}}.Encode(), false)
		if err != nil {
			return
		}
		w, err := (&request{r: r, query: parsed}).takeRange()
		if err == nil && (w.offset < 0 || w.limit < noLimit) {
			t.Errorf("%q limit %q offset %q give %+v", header, limit, offset, w)
		}
	})
}

func FuzzBody(f *testing.F) {
	for _, seed := range []string{`{"a":1}`, `[{"a":1},{"a":2}]`, `[]`, `[1]`, "a,b\n1,2", "a=1&b=2", "", `{"a":1}]`} {
		f.Add(seed, "application/json")
		f.Add(seed, "text/csv")
		f.Add(seed, "application/x-www-form-urlencoded")
	}
	f.Fuzz(func(t *testing.T, text, kind string) {
		p := &payload{media: kind, raw: []byte(text)}
		if p.rows(nil) != nil {
			return
		}
		var rows []map[string]json.RawMessage
		if err := json.Unmarshal(p.array, &rows); err != nil {
			t.Fatalf("%s %q becomes %s: %v", kind, text, p.array, err)
		}
		for _, row := range rows {
			for name := range row {
				if !slices.Contains(p.keys, name) {
					t.Errorf("%s %q: the key %q is not among %q", kind, text, name, p.keys)
				}
			}
		}
	})
}
