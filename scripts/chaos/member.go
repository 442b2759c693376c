package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/bellhop-ai/bellhop/infra/local/stack"
)

// member is an attacker with a viewer's own token at the database's API, past
// our functions: any function, any table, any header but a proof that holds.
type member struct {
	w         *world
	door      string // of the REST API
	key       string
	functions []function
	tables    []string
}

type function struct {
	Name  string
	Names []string
	Types []string
}

// bookWatch is the witness of what the server keeps: every change of it by a
// request that bore no proof.
const bookWatch = `
create table chaos.unproven (n bigserial primary key, "table" text not null, path text);
create function chaos.kept() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  if coalesce(current_setting('request.path', true), '') <> '' and coalesce(current_setting('app.proven', true),
    '') <> 'true' then
    insert into chaos.unproven ("table", path) values (tg_table_name, current_setting('request.path', true));
  end if;
  return null;
end $$;
do $$
declare t text;
begin
  for t in select c.relname from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
    and c.relname <> 'audit'
             and (not has_table_privilege('authenticated', c.oid, 'insert')) loop
    execute







    																																																																																																																																																																																																																																																															format('create trigger zzz_kept after insert or update or delete on public.%I for each row execute function chaos.kept()', t);
  end loop;
end $$;`

func newMember(ctx context.Context, w *world, s *stack.Stack) (*member, error) {
	m := &member{w: w, door: s.URL() + "/rest/v1/", key: s.Keys().Publishable}
	rows, err := w.db.Query(ctx, `select p.proname::text, coalesce(p.proargnames[1:p.pronargs], '{}'),
		array(select format_type(t, null) from unnest(p.proargtypes::oid[]) with ordinality a (t, n) order by n)
		from pg_proc p where p.pronamespace = 'public'::regnamespace and p.prokind = 'f' order by 1`)
	if err != nil {
		return nil, err
	}
	if m.functions, err = pgx.CollectRows(rows, pgx.RowToStructByPos[function]); err != nil {
		return nil, err
	}
	if rows, err = w.db.Query(ctx, `select relname::text from pg_class where relnamespace = 'public'::regnamespace `+
		`and relkind in ('r', 'v') order by 1`); err != nil {
		return nil, err
	}
	if m.tables, err = pgx.CollectRows(rows, pgx.RowTo[string]); err != nil {
		return nil, err
	}
	_, err = w.db.Exec(ctx, bookWatch)
	return m, err
}

// value makes an argument or a column up.
func (m *member) value(random *rand.Rand) any {
	return pick(random, []any{
		nil, -1, 0, 1, 2147483647, -2147483648, 9e18, -9e99, "NaN", "Infinity", "infinity", "-infinity", "0001-01-01",
		"9999-12-31", "2031-02-30",
		"", "x", strings.Repeat("x", 70000), "\u202e\u200b", "../../x", "eq.1", true, []any{}, []string{"x"},
		map[string]any{},
		oursID, theirsID, uuid.NewString(), pick(random, m.w.ours.IDs), pick(random, m.w.theirs.IDs),
		pick(random, m.w.theirs.Codes[m.w.scenario.tables[0]]),
		map[string]any{"id": pick(random, m.w.ours.IDs), "turn": "t", "text": "✓ Added.", "tokens": 2147483647,
			"assistant": m.w.scenario.assistant, "thread": uuid.NewString()},
		map[string]any{"message": strings.Repeat("a", 64), "signal": "action", "weight": 100, "answeredAt": "infinity",
			"tools": 7},
		map[string]any{"input": -9e18, "output": 9e18, "calls": 1},
	})
}

// request makes a request up.
func (m *member) request(ctx context.Context, random *rand.Rand) (*http.Request, error) {
	method := http.MethodPost
	var path string
	var body any
	if f := pick(random, m.functions); random.IntN(3) > 0 {
		path = "rpc/" + f.Name
		arguments := map[string]any{}
		for i, name := range f.Names {
			arguments[name] = m.value(random)
			if f.Types[i] == "uuid" {
				arguments[name] = pick(random, append(m.w.theirs.IDs, m.w.ours.IDs...))
			}
		}
		body = arguments
	} else {
		path, method = pick(random, m.tables), pick(random, []string{http.MethodGet, http.MethodPost, http.MethodPatch,
			http.MethodDelete})
		if method == http.MethodPatch || method == http.MethodDelete {
			path += "?org_id=eq." + url.QueryEscape(pick(random, []string{oursID, theirsID}))
		}
		body = map[string]any{"org_id": pick(random, []string{oursID, theirsID}),
			pick(random, []string{"name", "price", "state", "token", "user_id"}): m.value(random)}
	}
	text, err := json.Marshal(body)
	if err != nil {
		return nil, err
	}
	r, err := http.NewRequestWithContext(ctx, method, m.door+path, bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	r.Header.Set("apikey", m.key)
	r.Header.Set("Authorization", "Bearer "+m.w.tokens["viewer@sojourn.example"])
	r.Header.Set("Content-Type", "application/json")
	if random.IntN(4) == 0 {
		r.Header.Set("x-bellhop-effect", "made-up-"+uuid.NewString())
		r.Header.Set("x-bellhop-args", strings.Repeat("a", 64))
		r.Header.Set("x-bellhop-proposal", uuid.NewString())
	}
	if random.IntN(4) == 0 {
		r.Header.Set("x-bellhop-proof", fmt.Sprintf("v1.p1.%d.%032x.%064x", time.Now().UnixMilli(), random.Uint64(),
			random.Uint64()))
	}
	return r, nil
}

// attack sends requests until enough says so, and judges each answer.
func (m *member) attack(ctx context.Context, r *rig, enough func() bool) error {
	random := rand.New(rand.NewPCG(r.seed, 1<<32))
	for !enough() && ctx.Err() == nil {
		request, err := m.request(ctx, random)
		if err != nil {
			return err
		}
		resp, err := http.DefaultClient.Do(request)
		if err != nil {
			return err
		}
		raw, err := io.ReadAll(io.LimitReader(resp.Body, 8<<20))
		resp.Body.Close()
		if err != nil {
			return err
		}
		r.mu.Lock()
		r.count.Attempts++
		if resp.StatusCode < 300 {
			r.count.Answered++
		}
		if n := foreign(raw, m.w); n > 0 {
			r.count.Foreign += n
			r.note("foreign bytes at the database's door, %s %s: %s", request.Method, request.URL.Path, excerpt(raw))
		}
		if resp.StatusCode >= http.StatusInternalServerError {
			r.count.Failures[fmt.Sprintf("door_%d", resp.StatusCode)]++
			r.note("the door answers %s %s with %.200s", request.Method, request.URL.Path, raw)
		}
		r.mu.Unlock()
	}
	return nil
}
