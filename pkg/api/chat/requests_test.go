package chat_test

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"path"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/uuid"

	"github.com/bellhop-ai/bellhop/infra/local/localtest"
	"github.com/bellhop-ai/bellhop/infra/local/model/script"
	"github.com/bellhop-ai/bellhop/pkg/api/chat"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/limit"
	"github.com/bellhop-ai/bellhop/pkg/supabase"
	"github.com/bellhop-ai/bellhop/pkg/supabase/control"
	"github.com/bellhop-ai/bellhop/pkg/supabase/conversations"
)

// line is the way to Supabase. It writes down what is asked, and may lose what
// is answered, or not pass a request on.
type line struct {
	mu     sync.Mutex
	asked  []string
	lose   map[string]int // how many answers of a function get lost
	broken map[string]bool
}

// RoundTrip implements http.RoundTripper.
func (l *line) RoundTrip(r *http.Request) (*http.Response, error) {
	name := path.Base(r.URL.Path)
	l.mu.Lock()
	l.asked = append(l.asked, r.Method+" "+name)
	lost, broken := l.lose[name] > 0, l.broken[name]
	if lost {
		l.lose[name]--
	}
	l.mu.Unlock()
	if broken {
		return nil, errors.New("the line is broken")
	}
	resp, err := http.DefaultTransport.RoundTrip(r)
	if err == nil && lost {
		_ = resp.Body.Close()
		return nil, errors.New("the answer got lost")
	}
	return resp, err
}

func (l *line) take() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	asked := l.asked
	l.asked = nil
	return asked
}

// onLine starts the function with its stores on the line.
func onLine(t *testing.T, l *line, records bool, rate identity.Rate, steps ...script.Step) door {
	t.Helper()
	project := localtest.Stack(t)
	cfg := localtest.Config(t, project)
	cfg.HTTP = l
	client, err := supabase.New(cfg)
	fatal(t, err)
	return openAs(t, project, func(c *chat.Config) {
		store := conversations.New(client)
		c.Turns, c.Opener, c.Meter.Budget = control.NewTurns(client), store, control.NewLimits(client)
		c.Gate = limit.Gate{Counter: control.NewLimits(client), Door: "chat", Rate: rate}
		if records {
			c.Recorder = store
		}
	}, steps...)
}

// F-01, S1-22: one request to the database opens a turn, and one closes it.
func TestRequestsOfATurn(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		records bool
		rate    identity.Rate
		turn    string
		lose    map[string]int
		want    []string
	}{
		"of no name": {want: []string{"GET whoami"}},
		"counted":    {rate: identity.Rate{User: 9, Org: 9}, want: []string{"POST turn_open"}},
		"named":      {turn: "t1", want: []string{"POST turn_open", "POST turn_finish"}},
		"kept": {records: true, turn: "t1", rate: identity.Rate{User: 9},
			want: []string{"POST turn_open", "POST turn_close"}},
		"kept without a name": {records: true, want: []string{"POST turn_open", "POST conversation_answer"}},
		"kept, an opening lost": {records: true, turn: "t1", lose: map[string]int{"turn_open": 1},
			want: []string{"POST turn_open", "POST turn_open", "POST turn_close"}},
		"kept, a closing lost": {records: true, turn: "t1", lose: map[string]int{"turn_close": 1},
			want: []string{"POST turn_open", "POST turn_close", "POST turn_close"}},
		"named, an opening lost": {turn: "t1", lose: map[string]int{"turn_open": 2}, want: []string{"POST turn_open",
			"POST turn_open", "POST turn_open", "POST turn_finish"}},
	} {
		for _, accept := range []string{"application/json", "text/event-stream"} {
			t.Run(name+" "+accept, func(t *testing.T) {
				t.Parallel()
				org, l := localtest.NewOrg(t), &line{lose: map[string]int{}}
				for function, n := range test.lose {
					l.lose[function] = n
				}
				d := onLine(t, l, test.records, test.rate, script.Route("inventory"),
					script.Step{Text: "None so far."})
				body := map[string]any{"id": uuid.NewString(), "turn": test.turn,
					"messages": []any{user("Any kites?")}}
				resp, raw := d.post(t, "/api/chat", org.Manager.Token, accept, body)
				if resp.StatusCode != http.StatusOK || !strings.Contains(string(raw), "None so far.") ||
					!strings.Contains(string(raw), `"degraded":[]`) {
					t.Fatalf("status %d: %s", resp.StatusCode, raw)
				}
				if got := l.take(); !slices.Equal(got, test.want) {
					t.Errorf("asked were %q, want %q", got, test.want)
				}
				if test.records {
					expectStored(t, org, "user: Any kites?", "assistant: None so far.")
				}
				if test.turn == "" {
					return
				}
				again, second := d.post(t, "/api/chat", org.Manager.Token, accept, body)
				if got := l.take(); again.Header.Get("Idempotent-Replayed") != "true" ||
					string(second) != string(raw) || !slices.Equal(got, []string{"POST turn_open"}) {
					t.Errorf("again, asked were %q: %s", got, second)
				}
			})
		}
	}
}

// F-55: in a turn of an organisation with a budget, each call of a model settles
// the one before; the opening reserves the first and the closing settles the last.
func TestRequestsOfATurnWithinABudget(t *testing.T) {
	t.Parallel()
	const reserve, settle = "POST budget_reserve", "POST budget_settle"
	for name, test := range map[string]struct {
		records bool
		budget  int
		rate    identity.Rate
		turn    string
		lose    map[string]int
		want    []string
	}{
		"of no name": {want: []string{"GET whoami", reserve, reserve, reserve, settle}},
		"counted": {rate: identity.Rate{User: 9}, want: []string{"POST turn_open", reserve, reserve,
			settle}},
		"named": {turn: "t1", want: []string{"POST turn_open", reserve, reserve, "POST turn_finish"}},
		"kept": {records: true, turn: "t1", want: []string{"POST turn_open", reserve, reserve,
			"POST turn_close"}},
		"kept without a name": {records: true, want: []string{"POST turn_open", reserve, reserve,
			"POST conversation_answer", settle}},
		"with little left": {budget: 50_000, turn: "t1",
			want: []string{"POST turn_open", reserve, reserve, reserve, "POST turn_finish"}},
		"a closing lost": {records: true, turn: "t1", lose: map[string]int{"turn_close": 1},
			want: []string{"POST turn_open", reserve, reserve, "POST turn_close", "POST turn_close"}},
		"a closing that fails": {turn: "t1", lose: map[string]int{"turn_finish": 1},
			want: []string{"POST turn_open", reserve, reserve, "POST turn_finish", settle}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			org, l := localtest.NewOrg(t), &line{lose: map[string]int{}}
			for function, n := range test.lose {
				l.lose[function] = n
			}
			localtest.SQL(t, `insert into public.budgets (org_id, period, tokens) values ($1, 'day', $2)`, org.ID,
				cmp.Or(test.budget, 1_000_000))
			d := onLine(t, l, test.records, test.rate, script.Route("inventory"),
				script.Step{Calls: []script.Call{{Name: "list_extras"}}, Usage: script.Usage{Prompt: 2000,
					Completion: 30}},
				script.Step{Text: "None so far.", Usage: script.Usage{Prompt: 2100, Completion: 7}})
			resp, raw := d.post(t, "/api/chat", org.Manager.Token, "", map[string]any{"id": uuid.NewString(),
				"turn": test.turn, "messages": []any{user("Any kites?")}})
			if resp.StatusCode != http.StatusOK || !strings.Contains(string(raw), `"degraded":[]`) {
				t.Fatalf("status %d: %s", resp.StatusCode, raw)
			}
			if got := l.take(); !slices.Equal(got, test.want) {
				t.Errorf("asked were %q, want %q", got, test.want)
			}
			// The router's 110, and the two others.
			if rows := localtest.SQL(t, `select tokens, (select count(*) from public.budget_holds h
				where h.org_id = u.org_id) as holds from public.budget_use u where org_id = $1`,
				org.ID); len(rows) != 1 ||
				rows[0]["tokens"] != int64(110+2030+2107) || rows[0]["holds"] != int64(0) {
				t.Errorf("the budget has %v", rows)
			}
		})
	}
}

// An answer that cannot be kept is given all the same, and says so, also
// when it is sent again.
func TestAClosingThatFails(t *testing.T) {
	t.Parallel()
	for _, accept := range []string{"application/json", "text/event-stream"} {
		org, l := localtest.NewOrg(t), &line{broken: map[string]bool{"turn_close": true, "conversation_answer": true}}
		d := onLine(t, l, true, identity.Rate{}, script.Route("inventory"), script.Step{Text: "None so far."})
		body := map[string]any{"id": uuid.NewString(), "turn": "t1", "messages": []any{user("Any kites?")}}
		_, raw := d.post(t, "/api/chat", org.Manager.Token, accept, body)
		if !strings.Contains(string(raw), `"degraded":["not_recorded"]`) {
			t.Errorf("%s: %s", accept, raw)
		}
		expectStored(t, org, "user: Any kites?")
		if again, second := d.post(t, "/api/chat", org.Manager.Token, accept,
			body); again.Header.Get("Idempotent-Replayed") != "true" || string(second) != string(raw) {
			t.Errorf("%s again: %s", accept, second)
		}
	}
	// The answer is kept alone when only its end cannot be.
	org, l := localtest.NewOrg(t), &line{broken: map[string]bool{"turn_close": true}}
	d := onLine(t, l, true, identity.Rate{}, script.Route("inventory"), script.Step{Text: "None so far."})
	d.post(t, "/api/chat", org.Manager.Token, "", map[string]any{"id": uuid.NewString(), "turn": "t1",
		"messages": []any{user("Any kites?")}})
	expectStored(t, org, "user: Any kites?", "assistant: None so far.")
}

// Who may not ask, or asks too often, hears of that before what is wrong with
// the request, and a request that is wrong counts like any other.
func TestWhoAsksComesFirst(t *testing.T) {
	t.Parallel()
	org, l := localtest.NewOrg(t), &line{}
	d := onLine(t, l, true, identity.Rate{User: 3, Org: 9})
	refused := func(token string, body any) string {
		t.Helper()
		resp, raw := d.post(t, "/api/chat", token, "", body)
		return fmt.Sprint(resp.StatusCode, " ", decoded[struct{ Code string }](raw).Code)
	}
	deleted, malformed := uuid.NewString(), []byte(`{"messages":`)
	good := map[string]any{"id": uuid.NewString(), "turn": "t1", "entityId": "ELSEWHERE",
		"messages": []any{user("Any kites?")}}
	localtest.SQL(t, `insert into public.chat_sessions (org_id, id, assistant, entity_id, user_id, thread, number,
		deleted_at)
		values ($1, $2::text::uuid, 'hospitality', $3, $4, $2, 1, now())`, org.ID, deleted, org.Entity.ID,
		org.Manager.ID)
	localtest.SQL(t, `insert into public.chat_people (org_id, session_id, user_id, added_by) values ($1,
		$2::text::uuid, $3, $3)`, org.ID, deleted, org.Manager.ID)
	gone := org.Viewer
	localtest.SQL(t, `delete from public.memberships where org_id = $1 and user_id = $2`, org.ID, gone.ID)
	for i, step := range []struct {
		token string
		body  any
		want  string
	}{
		{"no token", malformed, "401 unauthorized"},
		{gone.Token, malformed, "403 not_a_member"},
		{gone.Token, good, "403 not_a_member"},
		{org.Manager.Token, malformed, "400 invalid"},
		{org.Manager.Token, good, "404 not_found"},
		{org.Manager.Token, map[string]any{"id": deleted, "turn": "t2", "messages": []any{user("Any kites?")}},
			"409 conversation_deleted"},
		{org.Manager.Token, malformed, "429 user_rate_limited"},
		{org.Manager.Token, good, "429 user_rate_limited"},
	} {
		if got := refused(step.token, step.body); got != step.want {
			t.Errorf("request %d is refused with %s, want %s", i, got, step.want)
		}
	}
	if n := len(localtest.SQL(t, `select 1 from public.turns where org_id = $1`, org.ID)); n != 0 {
		t.Errorf("%d turns were begun", n)
	}
	expectStored(t, org)
}
