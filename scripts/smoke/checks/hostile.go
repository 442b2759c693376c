package checks

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/supabase"
)

// hostile asks whether a value is ever taken for anything else.
func hostile() []check {
	return []check{
		{name: "hostile conditions", says: "Whatever a value holds, a condition on it finds no row more and no " +
			"row less.", run: hostileConditions},
		{name: "hostile arguments", says: "Whatever an argument holds, a function takes it as one value.",
			run: hostileArguments},
		{name: "hostile filters", says: "A plain filter with a quoted value is literal, and broken syntax is a 400.",
			run: hostileFilters},
	}
}

// hostileValues are texts that mean something to SQL, to a URL, to JSON or to
// the filters' own syntax.
func hostileValues() []string {
	return []string{
		`a,b`, `a"b`, `a\b`, `a\`, `\"`, `"`, `'`, `''`, `' or '1'='1`, `'; drop table extras; --`, `a)b`, `(x)`,
		`x),or(name.not.is.null`,
		`x,name.not.is.null`, `name.eq.y`, `eq.5`, `not.is.null`, `null`, `true`, `50%`, `a_c`, `a*c`, `%`, `*`, `{a}`,
		`{"a":1}`, `[1,2]`,
		`a&select=*`, `a=b&or=(name.not.is.null)`, `a+b`, `a%20b`, `a#b`, `a;b`, `a:b::text`, `->>x`, `$1`, `?`,
		`../../etc`, `<script>`,
		`Zoë`, `日本`, `👩‍🍳`, "tab\there", "line\nbreak", ` padded `, `.`, `..`, `-- x`, `/* x */`, `E'\\x'`,
	}
}

func hostileConditions(ctx context.Context, v *visit) error {
	types, err := v.rooms(ctx)
	if err != nil {
		return err
	}
	every := codes(types)
	for _, plain := range hostileValues() {
		// No row is called so: the mark is in no name that was there before.
		value := plain + v.mark
		for what, tc := range map[string]struct {
			where supabase.Cond
			want  []string
		}{
			"eq":           {supabase.Eq("name", value), nil},
			"not eq":       {supabase.Not(supabase.Eq("name", value)), every},
			"in":           {supabase.In("name", []string{value, types[0].Name}), named(types, types[0].Name)},
			"contains":     {supabase.Contains("name", value), nil},
			"or":           {supabase.Or(supabase.Eq("name", value), supabase.Eq("code", every[0])), every[:1]},
			"not contains": {supabase.Not(supabase.Contains("name", value)), every},
		} {
			got, err := v.rooms(ctx, tc.where)
			if err != nil {
				return fmt.Errorf("%s %q: %w", what, value, err)
			}
			if err := same(fmt.Sprintf("%s %q", what, value), codes(got), tc.want); err != nil {
				return err
			}
		}
	}
	return nil
}

// named returns the codes of the types with that name.
func named(types []room, name string) []string {
	var found []string
	for _, r := range types {
		if r.Name == name {
			found = append(found, r.Code)
		}
	}
	return found
}

func hostileArguments(ctx context.Context, v *visit) error {
	for _, plain := range hostileValues() {
		value := plain + v.mark
		found, err := supabase.Read[[]any](ctx, v.conn(), "reservation_search",
			supabase.Args{"p_entity": v.by.Entity.ID, "p_query": value})
		if err != nil {
			return fmt.Errorf("%q: %w", value, err)
		}
		if len(found) > 0 {
			return fmt.Errorf("%q finds %d reservations", value, len(found))
		}
		did, err := v.client.Outcome(ctx, v.by, value)
		if err != nil || did != nil {
			return fmt.Errorf("%q as a key: %+v %w", value, did, orNone(err))
		}
	}
	return nil
}

func hostileFilters(ctx context.Context, v *visit) error {
	types, err := v.rooms(ctx)
	if err != nil {
		return err
	}
	for _, plain := range hostileValues() {
		value := plain + v.mark
		quoted := `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(value) + `"`
		for filter, want := range map[string]int{
			"name=eq." + url.QueryEscape(value):                                                0,
			"name=neq." + url.QueryEscape(value):                                               len(types),
			"name=in." + url.QueryEscape("("+quoted+")"):                                       0,
			"or=" + url.QueryEscape("(name.eq."+quoted+",code.eq."+types[0].Code+")"):          1,
			"and=" + url.QueryEscape("(name.neq."+quoted+",code.eq."+types[0].Code+")"):        1,
			"amenities=cs." + url.QueryEscape("{"+quoted+"}"):                                  0,
			"amenities=not.ov." + url.QueryEscape("{"+quoted+"}"):                              len(types),
			"code=eq." + types[0].Code + "&name=neq." + url.QueryEscape(value) + "&limit=1000": 1,
		} {
			a, err := v.read(ctx, v.path("code")+"&"+filter, nil)
			if err != nil {
				return err
			}
			got, err := a.rows(http.StatusOK)
			if err != nil {
				return fmt.Errorf("%s: %w", filter, err)
			}
			if len(got) != want {
				return fmt.Errorf("%s finds %d rows and not %d", filter, len(got), want)
			}
		}
	}
	for _, broken := range []string{"or=(name.eq.x", "or=name", "name=no_operator", "name=eq", "and=(name.eq.x,)",
		"order=name.sideways"} {
		a, err := v.read(ctx, v.path("code")+"&"+broken, nil)
		if err := all(err, a.isRefusal(http.StatusBadRequest, "PGRST100")); err != nil {
			return fmt.Errorf("%s: %w", broken, err)
		}
	}
	return nil
}
