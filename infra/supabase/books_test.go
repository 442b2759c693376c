package supabase_test

import (
	"errors"
	"fmt"
	"hash/fnv"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
)

// books are the tables that the server keeps. What members may write there is
// nothing, and what they make the server write is the server's affair.
func books(t *testing.T, q querier) []string {
	t.Helper()
	list := []string{"public.chat_sessions", "public.chat_people", "public.chat_messages", "public.feedback_log",
		"public.memberships",
		"public.orgs", "app.proof_keys", "app.proof_nonces"}
	for _, table := range controlTables {
		if table != "audit" { // of what members did to their own records
			list = append(list, "public."+table)
		}
	}
	return list
}

// digest returns one figure for all rows of the tables that where leaves.
func digest(tables []string, where string) string {
	var parts []string
	for _, table := range tables {
		parts = append(parts, fmt.Sprintf(`(select count(*)::text || coalesce(sum(hashtextextended(x::text, 0)), 0) `+
			`from %s x where %s)`, table, where))
	}
	return `select concat_ws(' ', ` + strings.Join(parts, ", ") + `)`
}

// weight returns how many rows and bytes the tables hold.
func weight(tables []string) string {
	var parts []string
	for _, table := range tables {
		parts = append(parts, fmt.Sprintf(`select count(*) as n, coalesce(sum(octet_length(x::text)), 0) as b from
			%s x`, table))
	}
	return `select sum(n)::bigint, sum(b)::bigint from (` + strings.Join(parts, " union all ") + `) w`
}

// attacker is a user who calls the database with their own token.
type attacker struct {
	name string
	request
}

const (
	sojourn = "a0000000-0000-4000-8000-000000000001"
	harbour = "b0000000-0000-4000-8000-000000000001"
)

func attackers(t *testing.T, conn *pgx.Conn) []attacker {
	t.Helper()
	of := func(role string) person {
		return person{org: sojourn, entity: "a0000000-0000-4000-8000-0000000000e1",
			user: ask[string](t, conn, `select user_id from public.memberships where org_id = $1 and role = $2`,
				sojourn, role)}
	}
	stranger := of("manager")
	stranger.user = ask[string](t, conn, `select user_id from public.memberships where org_id = $1 and role =
		'manager'`, harbour)
	var all []attacker
	for name, p := range map[string]person{"admin": of("admin"), "member": of("manager"), "viewer": of("viewer"),
		"stranger": stranger} {
		all = append(all, attacker{name, request{claims: p.claims(), bare: true}})
	}
	return append(all, attacker{"nobody", request{role: "anon", claims: `{"role":"anon"}`, bare: true}})
}

// madeUp are arguments by type.
func madeUp() map[string][]string {
	long := `repeat('x', 100000)`
	// Enough of any record that some calls write.
	plausible := `jsonb_build_object('name', 'Kite ' || gen_random_uuid(), 'price', 1, 'category', 'Drinks', 'capacity', 2, 'weekday_price', 1, 'weekend_price', 1,
			'description', 'x', 'per', 'stay', 'unit_label', 'x', 'active', true, 'kind', 'fixed', 'amount', 1, 'code', 'KITE', 'extra_guest_price', 1,
			'available', true, 'title', 'x', 'selection_required', false, 'id', (select id from public.chat_sessions limit 1))`
	return map[string][]string{
		"integer":                  {"null", "-2147483648", "2147483647", "0", "1", "-1"},
		"bigint":                   {"null", "-9000000000", "9223372036854775807", "0", "1", "-1"},
		"numeric":                  {"null", "-9e99", "'NaN'", "'Infinity'", "0", "'-Infinity'"},
		"double precision":         {"null", "-1e308", "'NaN'", "'Infinity'"},
		"boolean":                  {"null", "true", "false"},
		"date":                     {"null", "'infinity'", "'-infinity'", "'0001-01-01'", "'9999-12-31'", "'today'"},
		"timestamp with time zone": {"null", "'infinity'", "'-infinity'", "'9999-12-31'"},
		"uuid":                     {"null", "gen_random_uuid()", "(select id from public.entities limit 1)"},
		"text":                     {"null", "''", long, "'../../x'", "e'\\u202e\\u200b'", "'#SJ-0001'"},
		"text[]":                   {"null", "'{}'", "array_fill('x'::text, array[2000])", "array['x', null]"},
		"uuid[]":                   {"null", "'{}'", "array_fill(gen_random_uuid(), array[2000])"},
		"json":                     {"null", "'{}'", "'[]'", "json_build_object('name', " + long + ")", "'7'"},
		"jsonb": {"null", "'{}'", "'[]'", "jsonb_build_object('name', " + long + ", 'text', " + long + ", 'id', 'x')",
			plausible, plausible, plausible,
			`'{"id":null,"name":1,"price":-1e99,"from":"infinity","to":"9999-12-31","tokens":2147483647,` +
				`"weight":100,"answeredAt":"infinity","tools":7,"usage":{"input":-9e18}}'`,
			"(select jsonb_agg(n) from generate_series(1, 5000) n)", "'7'", `'"x"'`},
	}
}

// variants is how often each function is called by each attacker.
const variants = 16

// callable is a function of the API with what it takes.
type callable struct {
	name      string // with its types
	arguments []argument
	closed    bool // it refuses without the proof, before it looks at an argument
}

type argument struct{ Name, Type string }

func describe(t *testing.T, conn *pgx.Conn, function string) callable {
	t.Helper()
	rows, err := conn.Query(t.Context(), `select a.name, format_type(a.type, null) from pg_proc p,
		unnest(p.proargnames[1:p.pronargs], string_to_array(p.proargtypes::text, ' ')::oid[]) a (name, type)
		where p.oid = $1::text::regprocedure`, function)
	if err != nil {
		t.Fatal(err)
	}
	arguments, err := pgx.CollectRows(rows, pgx.RowToStructByPos[argument])
	if err != nil {
		t.Fatal(err)
	}
	return callable{name: function, arguments: arguments}
}

// call returns the SQL of the nth made-up call of a function.
func (f callable) call(t *testing.T, n int) string {
	t.Helper()
	var list []string
	for _, a := range f.arguments {
		values, known := madeUp()[a.Type]
		if !known {
			t.Fatalf("%s takes a %s, of which this test makes nothing up", f.name, a.Type)
		}
		// Every function meets the values of its arguments in other company.
		h := fnv.New32a()
		fmt.Fprint(h, f.name, a.Name, n)
		value := values[int(h.Sum32()>>3)%len(values)]
		if a.Name == "p_entity" && n%4 != 0 {
			value = "(select id from public.entities limit 1)"
		}
		list = append(list, fmt.Sprintf("%s => (%s)::%s", a.Name, value, a.Type))
	}
	name, _, _ := strings.Cut(f.name, "(")
	return fmt.Sprintf("select coalesce(string_agg(x::text, ' '), '') from %s(%s) x", name, strings.Join(list, ", "))
}

// asOwner runs work as the owner of the database in the midst of a request.
func asOwner(t *testing.T, tx pgx.Tx, work func()) {
	t.Helper()
	role := ask[string](t, tx, `select current_setting('role')`)
	exec(t, tx, `select set_config('role', 'none', true)`)
	work()
	exec(t, tx, `select set_config('role', $1, true)`, role)
}

// member is an administrator, who may call the most.
func member(t *testing.T, conn *pgx.Conn) attacker {
	t.Helper()
	all := attackers(t, conn)
	return all[slices.IndexFunc(all, func(a attacker) bool { return a.name == "admin" })]
}

// refuses reports whether the function wants the proof before all else.
func (f callable) refuses(t *testing.T, tx pgx.Tx) bool {
	t.Helper()
	inner, err := tx.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = inner.Rollback(t.Context()) }()
	nulls := make([]string, len(f.arguments))
	for i, a := range f.arguments {
		nulls[i] = a.Name + " => null::" + a.Type
	}
	name, _, _ := strings.Cut(f.name, "(")
	_, err = inner.Exec(t.Context(), fmt.Sprintf("select %s(%s)", name, strings.Join(nulls, ", ")))
	return state(err) == "PT403 proof_required"
}

// within runs work as a request of a and undoes it.
func (a attacker) within(t *testing.T, conn *pgx.Conn, work func(tx pgx.Tx)) {
	t.Helper()
	back := errors.New("undone")
	err := a.do(t.Context(), conn, func(tx pgx.Tx) error {
		work(tx)
		return back
	})
	if !errors.Is(err, back) {
		t.Fatal(err)
	}
}

// F-66: a caller who calls whatever function of the API with whatever figures, and no
// proof: the server's books stay as they are, another organisation's records too,
// and one call stores little. No other test runs beside this one: their writes to the
// books would be taken for the caller's.
func TestNobodyElseKeepsTheBooks(t *testing.T) {
	conn := connect(t, "seeded")
	var functions []callable
	for _, name := range names(t, conn, `select oid::regprocedure::text from pg_proc where pronamespace =
		'public'::regnamespace and prokind = 'f' order by 1`) {
		functions = append(functions, describe(t, conn, name))
	}
	member(t, conn).within(t, conn, func(tx pgx.Tx) {
		for i, f := range functions {
			functions[i].closed = f.refuses(t, tx)
		}
	})
	var tenants []string
	for _, table := range names(t, conn, allTables) {
		if full := "public." + table; !slices.Contains(books(t, conn), full) && table != "audit" {
			tenants = append(tenants, full)
		}
	}
	// Tests beside this one use proofs up.
	still := slices.DeleteFunc(books(t, conn), func(table string) bool { return table == "app.proof_nonces" })
	kept, others, size := digest(still, "true"), digest(tenants, "org_id <> '"+sojourn+"'"),
		weight(append(tenants, "public.audit"))
	ran, wrote := 0, 0
	before, foreign := ask[string](t, conn, kept), ask[string](t, conn, others)
	var rows, bytes int64
	if err := conn.QueryRow(t.Context(), size).Scan(&rows, &bytes); err != nil {
		t.Fatal(err)
	}
	check := func(t *testing.T, tx pgx.Tx, sql, who string) {
		t.Helper()
		if got := ask[string](t, tx, kept); got != before {
			t.Errorf("the %s changes the books by %.300s", who, sql)
		}
		if got := ask[string](t, tx, others); got != foreign {
			t.Errorf("the %s changes another organisation by %.300s", who, sql)
		}
		var nowRows, nowBytes int64
		if err := tx.QueryRow(t.Context(), size).Scan(&nowRows, &nowBytes); err != nil {
			t.Fatal(err)
		}
		if nowRows-rows > 1000 || nowBytes-bytes > 1<<20 {
			t.Errorf("the %s stores %d rows and %d bytes by %.300s", who, nowRows-rows, nowBytes-bytes, sql)
		}
	}
	for _, a := range attackers(t, conn) {
		for _, f := range functions {
			most := variants
			switch {
			case f.closed || a.role == "anon":
				most = 1
			case a.name != "admin": // who may do the most
				most = variants / 4
			}
			a.within(t, conn, func(tx pgx.Tx) {
				for n := range most {
					sql := f.call(t, n)
					inner, err := tx.Begin(t.Context())
					if err != nil {
						t.Fatal(err)
					}
					var answer any
					if err := inner.QueryRow(t.Context(), sql).Scan(&answer); err != nil {
						_ = inner.Rollback(t.Context())
						continue
					}
					ran++
					if a.role == "anon" || f.closed {
						t.Errorf("the %s is answered to %.300s", a.name, sql)
					}
					if ask[bool](t, tx, `select pg_current_xact_id_if_assigned() is not null`) {
						wrote++
						asOwner(t, tx, func() { check(t, tx, sql, a.name) })
					}
					_ = inner.Rollback(t.Context())
				}
			})
		}
	}
	if ran < 100 || wrote < 3 {
		t.Errorf("%d calls were answered and %d of them wrote: the test asks nothing", ran, wrote)
	}
	t.Logf("%d functions, %d calls answered, %d of them wrote", len(functions), ran, wrote)
}

// F-66: the same for tables. What a member may write in a record of theirs has a
// range and a size, whichever column it is; books take nothing at all.
func TestEveryColumnHasItsBounds(t *testing.T) {
	t.Parallel()
	conn := connect(t, "seeded")
	type column struct{ Table, Name, Type string }
	rows, err := conn.Query(t.Context(), `select c.relname::text, a.attname::text, format_type(a.atttypid, null)
		from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and
			a.attgenerated = '' and a.attidentity = ''
		where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relname <> 'audit' order by 1,
			a.attnum`)
	if err != nil {
		t.Fatal(err)
	}
	columns, err := pgx.CollectRows(rows, pgx.RowToStructByPos[column])
	if err != nil {
		t.Fatal(err)
	}
	// What holds a whole answer, a summary or a file's text may be longer than the rest.
	wide := map[string]int{"turns.frames": 9 << 20, "chat_messages.metadata": 5 << 20}
	for _, name := range strings.Fields(`turn_steps.answer chat_messages.content chat_messages.tool_calls chat_messages.processing_metadata
		chat_messages.token chat_sessions.summary_token chat_sessions.session_summary chat_sessions.extracted_data projects.ai_context
		projects.ai_memory projects.conversation_summary project_pages.page project_revisions.state proposals.args_text proposals.preview uploads.body`) {
		wide[name] = 2 << 20
	}
	beyond := map[string][]string{
		"text": {`repeat('x', %d)`}, "bytea": {`decode(repeat('00', %d), 'hex')`},
		"text[]": {`array_fill('x'::text, array[100000])`},
		"uuid[]": {`array_fill(gen_random_uuid(), array[100000])`}, "jsonb": {`to_jsonb(repeat('x', %d))`,
			`jsonb_build_object('x', repeat('x', %d))`},
		"integer": {"2147483647", "-2147483648"}, "bigint": {"9223372036854775807", "-9223372036854775808"},
		"numeric": {"'NaN'", "'Infinity'", "9e20", "-9e20"}, "double precision": {"'NaN'", "'Infinity'", "1e300",
			"-1e300"},
		"date":                        {"'infinity'", "'-infinity'", "'9999-01-01'", "'0001-01-01'"},
		"timestamp with time zone":    {"'infinity'", "'-infinity'", "'9999-01-01'"},
		"timestamp without time zone": {"'infinity'", "'-infinity'", "'0001-01-01'", "'9999-12-31'"},
		"daterange": {"'[2026-01-01,)'", "'(,2026-01-01]'", "'[2026-01-01,9999-01-01)'",
			"'[2026-01-01,infinity)'"},
	}
	checked := 0
	for _, c := range columns {
		// As the owner, past policies and triggers: only what the column itself says counts.
		checks := ask[*string](t, conn, `select string_agg('(' || pg_get_expr(k.conbin, k.conrelid) || ')', ' and ')
			from pg_constraint k join pg_attribute a on a.attrelid = k.conrelid and a.attname = $2
			where k.conrelid = ('public.' || quote_ident($1))::regclass and k.contype = 'c' and k.conkey =
				array[a.attnum]`, c.Table, c.Name)
		for _, value := range beyond[c.Type] {
			checked++
			if strings.Contains(value, "%d") {
				value = fmt.Sprintf(value, max(wide[c.Table+"."+c.Name], 300<<10))
			}
			if checks == nil {
				t.Errorf("%s.%s, a %s, has no bound", c.Table, c.Name, c.Type)
				break
			}
			taken := false
			err := conn.QueryRow(t.Context(), fmt.Sprintf(`select coalesce(%s, true) from (select (%s)::%s as %s) x`,
				*checks, value, c.Type,
				pgx.Identifier{c.Name}.Sanitize())).Scan(&taken)
			if taken || err != nil && !strings.HasPrefix(state(err), "22") {
				t.Errorf("%s.%s takes %s (%v)", c.Table, c.Name, value, err)
			}
		}
	}
	if checked < 500 {
		t.Errorf("only %d values were tried", checked)
	}
	for _, a := range attackers(t, conn) {
		for _, table := range books(t, conn) {
			for _, sql := range []string{"insert into %s default values", "delete from %s",
				"update %s set org_id = org_id", "truncate %s"} {
				a.within(t, conn, func(tx pgx.Tx) {
					if _, err := tx.Exec(t.Context(), fmt.Sprintf(sql, table)); state(err) != "42501" &&
						state(err) != "42703" {
						t.Errorf("the %s: "+sql+": %v", a.name, table, err)
					}
				})
			}
		}
	}
}

var open = regexp.MustCompile("(?s)<!-- open functions -->(.*?)<!-- end -->")

// What members may call past our functions is a closed list in docs/trust.md.
// All other functions that they may execute refuse without the proof.
func TestMembersCallWhatTheDocumentSays(t *testing.T) {
	t.Parallel()
	conn := connect(t, "seeded")
	text, err := os.ReadFile("../../docs/trust.md")
	if err != nil {
		t.Fatal(err)
	}
	part := open.FindSubmatch(text)
	if part == nil {
		t.Fatal("docs/trust.md has no list of open functions")
	}
	var want []string
	for _, name := range regexp.MustCompile("`([a-z_]+)`").FindAllSubmatch(part[1], -1) {
		want = append(want, string(name[1]))
	}
	slices.Sort(want)
	var got []string
	member(t, conn).within(t, conn, func(tx pgx.Tx) {
		for _, f := range names(t, conn, `select oid::regprocedure::text from pg_proc where pronamespace =
			'public'::regnamespace and prokind = 'f'
			and has_function_privilege('authenticated', oid, 'execute') order by 1`) {
			if !describe(t, conn, f).refuses(t, tx) {
				name, _, _ := strings.Cut(f, "(")
				got = append(got, name)
			}
		}
	})
	slices.Sort(got)
	if !slices.Equal(got, want) {
		for _, name := range got {
			if !slices.Contains(want, name) {
				t.Errorf("members may call %s without the proof, and docs/trust.md does not say so", name)
			}
		}
		for _, name := range want {
			if !slices.Contains(got, name) {
				t.Errorf("docs/trust.md says that members may call %s", name)
			}
		}
	}
}
