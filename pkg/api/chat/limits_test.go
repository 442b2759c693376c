package chat_test

import (
	"encoding/json"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"github.com/bellhop-ai/bellhop/infra/local/localtest"
	"github.com/bellhop-ai/bellhop/infra/local/model/script"
	"github.com/bellhop-ai/bellhop/pkg/httpx"
)

// refused checks a problem document that says when to come back.
func refused(t *testing.T, resp *http.Response, raw []byte, status int, code string) {
	t.Helper()
	var p httpx.Problem
	if err := json.Unmarshal(raw, &p); err != nil {
		t.Fatalf("no problem document: %s", raw)
	}
	seconds, err := strconv.Atoi(resp.Header.Get("Retry-After"))
	if resp.StatusCode != status || p.Code != code || err != nil || seconds < 1 {
		t.Errorf("status %d, Retry-After %q, %s", resp.StatusCode, resp.Header.Get("Retry-After"), raw)
	}
}

// F-56: who asks too often is refused before any model is asked, and no one
// else is.
func TestTooManyTurnsAreRefusedBeforeTheModelIsAsked(t *testing.T) {
	t.Parallel()
	org, other := localtest.NewOrg(t), localtest.NewOrg(t)
	localtest.SQL(t, `insert into public.rate_limits (org_id, door, per_user, per_org) values ($1, 'chat', 1, 0)`,
		org.ID)
	d := open(t, script.Step{When: script.FromRouter, Text: "Hello!", Times: -1})
	if resp, raw := d.post(t, "/api/chat", org.Manager.Token, "", ask("hi")); resp.StatusCode != http.StatusOK {
		t.Errorf("the first: %s", raw)
	}
	resp, raw := d.post(t, "/api/chat", org.Manager.Token, "text/event-stream", ask("hi"))
	refused(t, resp, raw, http.StatusTooManyRequests, "user_rate_limited")
	for _, token := range []string{org.Admin.Token, other.Manager.Token} {
		if resp, raw := d.post(t, "/api/chat", token, "", ask("hi")); resp.StatusCode != http.StatusOK {
			t.Errorf("somebody else: %s", raw)
		}
	}
	if n := len(d.model.Requests()); n != 3 {
		t.Errorf("the model was asked %d times", n)
	}
}

// F-55: a budget that is used up refuses before the first call, and ends a turn
// in the middle with a word on what was done and what was not.
func TestABudgetEndsATurnHonestly(t *testing.T) {
	t.Parallel()
	org := localtest.NewOrg(t)
	localtest.SQL(t, `insert into public.budgets (org_id, period, tokens) values ($1, 'day', 100000)`, org.ID)
	spent := script.Usage{Prompt: 90_000, Completion: 5_000}
	d := open(t, script.Route("inventory"), script.Step{Calls: []script.Call{{Name: "list_extras"}}, Usage: spent},
		script.Step{Text: "This is never asked for."})
	resp, raw := d.post(t, "/api/chat", org.Manager.Token, "", ask("List the extras"))
	got := answer(t, raw)
	if resp.StatusCode != http.StatusOK || got.Finish != "budget" ||
		!strings.Contains(got.Reply, "budget is used up") || !strings.Contains(got.Reply, "Nothing was changed.") {
		t.Errorf("in the middle: %d, %s, %q", resp.StatusCode, got.Finish, got.Reply)
	}
	if n := len(d.model.Requests()); n != 2 {
		t.Errorf("the model was asked %d times", n)
	}
	// What was used is what the model reported: the router's 110 and 95,000.
	if rows := localtest.SQL(t, `select tokens from public.budget_use where org_id = $1`, org.ID); len(rows) != 1 ||
		rows[0]["tokens"] != int64(95_110) {
		t.Errorf("the budget has %v", rows)
	}
	localtest.SQL(t, `update public.budgets set tokens = 95111 where org_id = $1`, org.ID)
	resp, raw = d.post(t, "/api/chat", org.Manager.Token, "", ask("List the extras"))
	refused(t, resp, raw, http.StatusTooManyRequests, "budget_exhausted")
	if n := len(d.model.Requests()); n != 2 {
		t.Errorf("the model was asked %d times", n)
	}
}

// F-55: a call that the provider refused costs nothing; of one that broke
// no one knows, so its estimate stays spent.
func TestAFailedCallIsCountedByWhatMayHaveBeenSpent(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		fault script.Fault
		spent bool
	}{
		"refused": {script.Status(429, http.Header{"Retry-After": {"7"}}, ""), false},
		"broken":  {script.CutStream(0), true},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			org := localtest.NewOrg(t)
			localtest.SQL(t, `insert into public.budgets (org_id, period, tokens) values ($1, 'day', 100000)`, org.ID)
			open(t, script.Step{When: script.FromRouter, Fault: tc.fault}).post(t, "/api/chat", org.Manager.Token, "",
				ask("hi"))
			rows := localtest.SQL(t, `select tokens > 0 as spent from public.budget_use where org_id = $1`, org.ID)
			if len(rows) != 1 || rows[0]["spent"] != tc.spent {
				t.Errorf("the budget has %v", rows)
			}
		})
	}
}

// S2-5: what a turn used is in the log, with its price where that is known.
func TestATurnsUseIsLogged(t *testing.T) {
	t.Parallel()
	org := localtest.NewOrg(t)
	d := open(t, script.Step{When: script.FromRouter, Text: "Hello!", Usage: script.Usage{Prompt: 1000, Cached: 500,
		Completion: 100}})
	body := ask("hi")
	body["turn"] = "turn-0001"
	for range 2 { // the second is a replay
		if resp, raw := d.post(t, "/api/chat", org.Manager.Token, "", body); resp.StatusCode != http.StatusOK {
			t.Fatalf("%s", raw)
		}
	}
	rows := localtest.SQL(t, `select assistant, turn, tokens_in, tokens_out, tokens_cached, calls, cost::text as
		cost, currency, finish from public.llm_usage_logs where org_id = $1`, org.ID)
	if len(rows) != 1 {
		t.Fatalf("the log has %v", rows)
	}
	// 500 × 0.15 + 500 × 0.075 + 100 × 0.60 = 172.5 millionths.
	want := map[string]any{"assistant": "hospitality", "turn": "turn-0001", "tokens_in": int64(1000),
		"tokens_out": int64(100), "tokens_cached": int64(500),
		"calls": int32(1), "cost": "0.000173", "currency": "USD", "finish": "stop"}
	for column, value := range want {
		if rows[0][column] != value {
			t.Errorf("%s is %v, want %v", column, rows[0][column], value)
		}
	}
}
