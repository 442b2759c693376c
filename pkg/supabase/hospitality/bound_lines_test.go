package hospitality_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/bellhop-ai/bellhop/infra/local/localtest"
	sink "github.com/bellhop-ai/bellhop/infra/local/mail"
	"github.com/bellhop-ai/bellhop/pkg/consent"
	"github.com/bellhop-ai/bellhop/pkg/effect"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/tool"
)

// fullHouse is a hotel with something in every table, and a call of each tool
// that asks for consent.
func fullHouse(t *testing.T) (postOffice, map[string]string) {
	t.Helper()
	p := newPostOffice(t, sink.None)
	h := p.hotel
	h.settings(`{"depositPercent": 10, "freeCancelDays": 7, "roomTaxRate": 5}`)
	h.cabin("BIRCH", "Birch", 2)
	h.cabin("PINE", "Pine", 1)
	h.cabin("FIR", "Fir", 1)
	h.chef()
	h.extra("DINNER", "Dinner", 950, "guest", false)
	h.extra("BIKE", "Bicycle", 300, "night", false)
	h.ofPackage()
	h.coupon("TEN", 10, 20)
	h.coupon("FIVE", 5, 20)
	h.sql(`insert into public.pricing_models (org_id, entity_id, code, name, is_default) values ($1, $2, 'TIERS',
		'Occupancy tiers', true)`, h.by.Entity.ID)
	h.must("set_pricing_tier", `{"name":"Quiet","min_occupancy":0,"max_occupancy":50,"adjustment_percent":-10}`)
	h.must("set_seasonal_price", `{"name":"Holi","room":"birch","start_date":"2031-03-01","end_date":"2031-03-20",`+
		`"weekday_price":6000}`)
	h.must("block_dates", `{"rooms":["PINE"],"start_date":"2031-02-05","end_date":"2031-02-07",`+
		`"reason":"maintenance"}`)
	stay := func(in, out, more string) string {
		return h.coded("create_reservation", `{"room":"BIRCH","check_in":"`+in+`","check_out":"`+out+
			`","adults":2,"guest_name":"Asha Rao",
			"guest_email":"asha@example.com"`+more+`}`)
	}
	booked := stay("2031-03-10", "2031-03-13", `,"coupon":"TEN","extras":[{"extra":"CHEF","quantity":1}]`)
	h.does("record_payment", `{"code":"`+booked+`","amount":5000,"method":"upi"}`)
	gone := stay("2031-04-10", "2031-04-13", "")
	h.does("cancel_reservation", `{"code":"`+gone+`"}`)
	held := stay("2031-05-10", "2031-05-13", `,"status":"pending"`)
	code := `{"code":"` + booked + `"`
	const guest = `"adults":2,"guest_name":"Bram Dov","check_in":"2031-03-10","check_out":"2031-03-12"`
	return p, map[string]string{
		"set_house_facts": `{"fact":"directions","value":"By the mill."}`,
		"block_dates": `{"rooms":["birch"],"start_date":"2031-06-05","end_date":"2031-06-07",` +
			`"reason":"maintenance"}`,
		"cancel_reservation":    code + `}`,
		"create_chef_menu_item": `{"name":"Soup","category":"starter","price":1}`,
		"create_coupon": `{"code":"NEW","kind":"percent","amount":10,"rooms":["birch"],` +
			`"packages":["honeymoon"]}`,
		"create_extra": `{"name":"Kayak","price":10,"per":"stay"}`,
		"create_group_reservation": `{"rooms":[{"room":"BIRCH","adults":2},{"room":"COCO","adults":1}],` +
			`"check_in":"2031-03-20","check_out":"2031-03-22","guest_name":"Bram"}`,
		"create_package": `{"name":"Workation","price":100,"per":"stay","rooms":["birch"],` +
			`"extras":[{"extra":"bicycle"}]}`,
		"create_package_reservation": `{"package":"honeymoon",` + guest + `}`,
		"create_reservation": `{"room":"BIRCH","coupon":"TEN","extras":[{"extra":"DINNER","quantity":1}],` +
			guest + `}`,
		"create_room_type":      `{"name":"Oak","capacity":2,"weekday_price":100}`,
		"delete_chef_menu_item": `{"item":"TROUT"}`,
		"delete_coupon":         `{"coupon":"FIVE"}`,
		"delete_extra":          `{"extra":"PICNIC"}`,
		"delete_package":        `{"package":"HONEYMOON"}`,
		"delete_reservation":    `{"code":"` + held + `"}`,
		"delete_room_type":      `{"room":"FIR"}`,
		"edit_reservation":      code + `,"check_out":"2031-03-12"}`,
		"record_payment":        code + `,"amount":100,"method":"cash"}`,
		"record_refund":         code + `,"amount":100,"method":"cash"}`,
		"remove_pricing_tier":   `{"tier":"QUIET"}`,
		"remove_seasonal_price": `{"season":"HOLI"}`,
		"restore_reservation":   `{"code":"` + gone + `"}`,
		"send_booking_email":    code + `}`,
		"set_pricing_tier":      `{"tier":"QUIET","adjustment_percent":-5}`,
		"set_seasonal_price":    `{"season":"HOLI","weekday_price":90}`,
		"unblock_dates":         `{"rooms":["PINE"],"start_date":"2031-02-05","end_date":"2031-02-06"}`,
		"update_chef_menu_item": `{"item":"DAL","price":2}`,
		"update_coupon":         `{"coupon":"TEN","amount":5}`,
		"update_extra":          `{"extra":"DINNER","price":45}`,
		"update_extra_selection_status": `{"reservation":"` + booked +
			`","status":"completed","service_date":"2031-03-11","choices":[{"meal":"Dinner","dishes":["DAL"]}]}`,
		"update_package":             `{"package":"HONEYMOON","price":2}`,
		"update_reservation_details": code + `,"notes":"VIP"}`,
		"update_reservation_status":  `{"code":"` + held + `","status":"confirmed"}`,
		"update_room_type":           `{"room":"BIRCH","weekday_price":9000}`,
	}
}

// mutation is one column of one row with another value, and what the functions
// that previews have read would answer then: null for what they refuse.
type mutation struct {
	Table, Column string
	Row           json.RawMessage // its ids
	Old, New      json.RawMessage
	Answers       map[int]json.RawMessage // by their place among the reads
}

func (m mutation) String() string { return m.Table + "." + m.Column }

// tryAll changes every column of every row of an organisation, each by itself
// and only for as long as it takes to ask all the reads again.
const tryAll = `
create function pg_temp.scans() returns jsonb language sql as $$
  select jsonb_object_agg(relname, coalesce(seq_scan, 0) + coalesce(idx_scan, 0)) from pg_stat_xact_user_tables where schemaname = 'public'
$$;
create function pg_temp.try_all(p_org uuid, p_reads jsonb) returns table (tab text, row_key jsonb, col text, old jsonb, new jsonb, answers jsonb)
language plpgsql as $$
declare
  v_statements text[] := array(select app.read_statement(r ->> 'function', r -> 'arguments') from jsonb_array_elements(p_reads) with ordinality e (r, o) order by o);
  v_value text;
  v_now jsonb;
  v_at int;
  v_scans jsonb;
  v_of jsonb := '{}'; -- the reads of each table, by the scans that they make
  c record;
begin
  for i in 1 .. cardinality(v_statements) loop
    v_scans := pg_temp.scans();
    execute v_statements[i] into v_now using p_reads -> (i - 1) -> 'arguments';
    select v_of || coalesce(jsonb_object_agg(e.key, coalesce(v_of -> e.key, '[]') || to_jsonb(i)), '{}') into v_of
    from jsonb_each(pg_temp.scans()) e where e.value is distinct from v_scans -> e.key;
  end loop;
  for c in
    select k.relname::text as tab, a.attname::text as col, format_type(a.atttypid, a.atttypmod) as type,
           array(select u.attname::text from pg_attribute u where u.attrelid = k.oid and u.atttypid = 'uuid'::regtype) as uuids,
           array(select distinct m[1] from pg_constraint x, regexp_matches(pg_get_constraintdef(x.oid), '''([a-z_]+)''::text', 'g') m
                 where x.conrelid = k.oid and x.contype = 'c' and x.conkey = array[a.attnum]) as words
    from pg_class k join pg_attribute a on a.attrelid = k.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
    where k.relnamespace = 'public'::regnamespace and k.relkind = 'r'
      and exists (select from pg_policy y where y.polrelid = k.oid and y.polname = 'members_read')
      and v_of ? k.relname::text and k.relname not in ('orgs', 'memberships') and k.relname !~ '^(chat|feedback|conversation|summar|project)'
      and a.atttypid not in ('uuid'::regtype, 'daterange'::regtype) and a.attname not in ('version', 'created_at', 'updated_at', 'key', 'time_zone', 'locale')
  loop
    for row_key in execute format('select (select jsonb_object_agg(e.key, e.value) from jsonb_each(to_jsonb(t)) e where e.key = any ($2))
                                   from public.%I t where org_id = $1 order by t.ctid desc limit %s', c.tab, case when c.tab in ('stays', 'reservation_nights', 'rooms', 'payments') then 1 when c.tab in ('reservations', 'chef_menu_items', 'extras') then 3 else 2 end) using p_org, c.uuids loop
      for v_value in select unnest(case
        when cardinality(c.words) > 0 then (select array_agg(quote_literal(w)) from unnest(c.words) w)
        when c.type = 'boolean' then array[format('not %I', c.col)]
        when c.type = 'date' then array[format('coalesce(%I, ''2031-03-01'') + 1', c.col)]
        when c.type like 'timestamp%' then array[format('coalesce(%I, now()) + interval ''1 hour''', c.col)]
        when c.type ~ '^(integer|numeric|smallint|bigint)' then array[format('coalesce(%I, 0) + 1', c.col), format('coalesce(%I, 2) - 1', c.col)]
        when c.type = 'text' and c.col = 'currency' then array['''USD''']
        when c.type = 'text' then array[format('coalesce(%I, '''') || ''X''', c.col), format('''x'' || coalesce(%I, ''x@example.com'')', c.col)]
        when c.tab = 'entities' and c.col = 'settings' then
          array(select format('settings || %L', jsonb_build_object(s.key, case jsonb_typeof(s.value) when 'number' then to_jsonb((s.value::text)::numeric + 1)
                                                 when 'array' then '[1]' else to_jsonb('19:00'::text) end))
                from public.entities e, jsonb_each(e.settings) s where e.org_id = p_org)
        else '{}' end) loop
        answers := null;
        begin
          execute format('with was as (select to_jsonb(t) -> %2$L as old from public.%1$I t where t.org_id = $1 and to_jsonb(t) @> $2)
                          update public.%1$I t set %2$I = %3$s from was where t.org_id = $1 and to_jsonb(t) @> $2 and to_jsonb(t.%2$I) is distinct from to_jsonb(%3$s)
                          returning was.old, to_jsonb(t) -> %2$L', c.tab, c.col, v_value) into old, new using p_org, row_key;
          if new is not null then
            answers := '{}';
            for v_at in select e::int from jsonb_array_elements_text(v_of -> c.tab) e loop
              begin
                execute v_statements[v_at] into v_now using p_reads -> (v_at - 1) -> 'arguments';
              exception when others then
                v_now := 'null';
              end;
              if v_now is distinct from p_reads -> (v_at - 1) -> 'answer' then
                answers := answers || jsonb_build_object(v_at - 1, v_now);
              end if;
            end loop;
          end if;
          raise exception using errcode = 'ZZ001';
        exception when others then
          if sqlstate <> 'ZZ001' then answers := null; end if;
        end;
        if answers <> '{}' then
          tab := c.tab; col := c.col;
          return next;
          exit; -- one other value will do
        end if;
      end loop;
    end loop;
  end loop;
end $$`

// mutations returns those that change an answer of a read.
func (h *hotel) mutations(t *testing.T, reads []effect.Read) []mutation {
	t.Helper()
	text, err := json.Marshal(reads)
	if err != nil {
		t.Fatal(err)
	}
	conn, err := pgx.Connect(t.Context(), localtest.Stack(t).ConnString("postgres"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(t.Context())
	claims := fmt.Sprintf(`{"sub":%q,"role":"authenticated","app_metadata":{"org_id":%q}}`, h.by.UserID, h.by.OrgID)
	for _, statement := range []string{tryAll, "select set_config('request.jwt.claims', $1, false)"} {
		args := []any{claims}
		if statement == tryAll {
			args = nil
		}
		if _, err := conn.Exec(t.Context(), statement, args...); err != nil {
			t.Fatal(err)
		}
	}
	rows, err := conn.Query(t.Context(), `select tab, row_key, col, old, new, answers from pg_temp.try_all($1, $2)`,
		h.by.OrgID, string(text))
	if err != nil {
		t.Fatal(err)
	}
	list, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (m mutation, err error) {
		var answers json.RawMessage
		if err = row.Scan(&m.Table, &m.Row, &m.Column, &m.Old, &m.New, &answers); err == nil {
			err = json.Unmarshal(answers, &m.Answers)
		}
		return m, err
	})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// set gives the mutated column a value for good.
func (h *hotel) set(m mutation, value json.RawMessage) {
	h.t.Helper()
	h.sql(fmt.Sprintf(`update public.%s t set %s = (jsonb_populate_record(null::public.%[1]s, jsonb_build_object('%[2]s', $3::text::jsonb))).%[2]s
		where t.org_id = $1 and to_jsonb(t) @> $2::text::jsonb`, m.Table, m.Column), string(m.Row), string(value))
}

// F-14, F-67: whatever a preview shows and whatever column of whatever row moves
// it, between the question and the yes: the act is not done, and a new question
// says what has changed. A tool of whose preview nothing is bound fails here.
func TestWhatAnyToolShowsIsBound(t *testing.T) {
	t.Parallel()
	p, arguments := fullHouse(t)
	h := p.hotel
	h.by = h.as(h.org.Admin.Token)
	calls, shown, places := map[string]tool.Call{}, map[string]tool.Preview{}, map[string][]int{}
	var reads []effect.Read
	place := func(r effect.Read) int {
		i := slices.IndexFunc(reads, func(other effect.Read) bool {
			return other.Function == r.Function && maps.Equal(other.Arguments, r.Arguments)
		})
		if i < 0 {
			i, reads = len(reads), append(reads, r)
		}
		return i
	}
	facts, err := json.Marshal(h.by.Entity)
	if err != nil {
		t.Fatal(err)
	}
	place(effect.Read{Function: "entity_facts", Arguments: map[string]string{"p_entity": h.by.Entity.ID},
		Answer: facts})
	for _, each := range catalogue(h.client) {
		name := each.Name()
		if !each.Effect().Asks() {
			continue
		}
		if name == p.tool.Name() {
			each = p.tool // with somewhere to send to
		}
		call, err := each.Prepare([]byte(arguments[name]))
		if err != nil {
			t.Fatalf("%s %s: %v", name, arguments[name], err)
		}
		calls[name] = call
		if shown[name], err = call.Preview(t.Context(), h.by); err != nil {
			t.Fatalf("%s %s: %v", name, arguments[name], err)
		}
		for _, r := range shown[name].Reads {
			places[name] = append(places[name], place(r))
		}
	}
	// Which mutation moves which line: previews are made again from the answers.
	type line struct{ tool, label string }
	moved := map[line]bool{}
	moves := map[int][]line{}
	began := time.Now()
	list := h.mutations(t, reads)
	t.Logf("%d reads, mutations took %s", len(reads), time.Since(began))
	for i, m := range list {
		for name, call := range calls {
			by, known, touched := h.by, []effect.Read{}, m.Answers[0] != nil
			for _, at := range places[name] {
				r := reads[at]
				if answer, changed := m.Answers[at]; changed {
					r.Answer, touched = answer, true
				}
				known = append(known, r)
			}
			if !touched || slices.ContainsFunc(known, func(r effect.Read) bool { return string(r.Answer) == "null" }) {
				continue
			}
			if m.Answers[0] != nil {
				if err := json.Unmarshal(m.Answers[0], &by.Entity); err != nil {
					t.Fatal(err)
				}
			}
			now, err := call.Preview(effect.Known(t.Context(), known), by)
			if err != nil {
				continue // the tool refuses it then, which is said in its own words
			}
			was := consent.Proposal{Draft: consent.Draft{Preview: shown[name]}}
			for _, d := range was.Differences(now) {
				if l := (line{name, d.Label}); !moved[l] {
					moved[l] = true
					moves[i] = append(moves[i], l)
				}
			}
		}
	}
	t.Logf("%d mutations move %d lines of %d tools", len(list), len(moved), len(calls))
	for name := range calls {
		if !slices.ContainsFunc(slices.Collect(maps.Keys(moved)), func(l line) bool { return l.tool == name }) {
			t.Errorf("%s: nothing that it shows is bound to any row", name)
		}
	}
	for _, i := range slices.Sorted(maps.Keys(moves)) {
		m := list[i]
		var open []asked
		for _, l := range moves[i] {
			open = append(open, h.askOf(calls[l.tool]))
		}
		h.set(m, m.New)
		h.by = h.as(h.org.Admin.Token)
		for j, a := range open {
			_, err := a.yes()
			changed, ok := errors.AsType[*consent.Changed](err)
			if !ok && fault.From(err) != nil && fault.From(err).Kind != fault.Internal {
				continue // refused in the tool's words
			}
			if !ok || !slices.ContainsFunc(changed.Proposal.Preview.Changed,
				func(d tool.Line) bool { return d.Label == moves[i][j].label }) {
				t.Errorf("%s moves %q of %s, and the yes ends with %v", m, moves[i][j].label, moves[i][j].tool, err)
			}
			if n := len(h.sql(`select from public.effects where org_id = $1 and key = $2`, a.proposal.ID)); n != 0 {
				t.Errorf("%s moves %q of %s, and it was done", m, moves[i][j].label, moves[i][j].tool)
			}
		}
		h.set(m, m.Old)
		h.by = h.as(h.org.Admin.Token)
	}
	if sent := p.server.Messages(); len(sent) != 0 {
		t.Errorf("%d emails went out", len(sent))
	}
}
