package chat_test

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/bellhop-ai/bellhop/infra/local/localtest"
	"github.com/bellhop-ai/bellhop/infra/local/model/script"
	"github.com/bellhop-ai/bellhop/pkg/api/chat"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/stream"
)

// A turn that runs in one process is stopped at another.
func TestATurnIsStoppedFromAnotherProcess(t *testing.T) {
	t.Parallel()
	org := localtest.NewOrg(t)
	arrived, hold := make(chan struct{}), make(chan struct{})
	// The clock of this process jumps, so that it looks after each step.
	var looks atomic.Int64
	began := time.Now()
	jumping := func(c *chat.Config) {
		c.Now = func() time.Time { return began.Add(time.Duration(looks.Add(1)) * time.Second) }
	}
	here := openAs(t, localtest.Stack(t), jumping, script.Route("inventory"),
		script.Step{Calls: []script.Call{{Name: "list_extras"}}, Arrived: func(script.Request) { close(arrived) },
			Hold: hold},
		script.Step{Text: "This is never asked for."})
	there := open(t)
	body := ask("List the extras")
	body["id"], body["turn"] = "th-1", "turn-0001"
	answered := make(chan stream.Answer, 1)
	go func() {
		defer close(answered)
		raw, err := json.Marshal(body)
		if err != nil {
			t.Error(err)
			return
		}
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, here.url+"/api/chat",
			strings.NewReader(string(raw)))
		if err != nil {
			t.Error(err)
			return
		}
		r.Header.Set("Authorization", "Bearer "+org.Manager.Token)
		resp, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Error(err)
			return
		}
		defer resp.Body.Close()
		var a stream.Answer
		if err := json.NewDecoder(resp.Body).Decode(&a); err != nil {
			t.Error(err)
		}
		answered <- a
	}()
	<-arrived
	// Another user's request, and one for another thread, change nothing.
	for _, s := range []struct{ token, thread string }{{org.Admin.Token, "th-1"}, {org.Manager.Token, "th-2"}} {
		there.post(t, "/api/chat/hospitality/"+s.thread+"/stop", s.token, "", map[string]any{})
	}
	if n := len(localtest.SQL(t, `select from public.turns where org_id = $1 and stop_asked_at is not null`,
		org.ID)); n != 0 {
		t.Errorf("%d turns were stopped by others", n)
	}
	if resp, raw := there.post(t, "/api/chat/hospitality/th-1/stop", org.Manager.Token, "",
		map[string]any{}); resp.StatusCode != http.StatusAccepted {
		t.Errorf("stop: %d %s", resp.StatusCode, raw)
	}
	close(hold)
	got := <-answered
	if got.Finish != "stop" || !strings.Contains(got.Reply, "Stopped, as you asked. Nothing was changed.") {
		t.Errorf("it ends with %s, %q", got.Finish, got.Reply)
	}
	if n := len(here.model.Requests()); n != 2 {
		t.Errorf("the model was asked %d times", n)
	}
}

// A turn that runs out of time says so, and the next one goes on from there:
// with the same agent, without asking the router, knowing what was read.
func TestATurnThatRanOutOfTimeIsContinued(t *testing.T) {
	t.Parallel()
	org := localtest.NewOrg(t)
	localtest.SQL(t, `insert into public.extras (org_id, entity_id, name, price) values ($1, $2, 'Kayak Tour', 30)`,
		org.ID, org.Entity.ID)
	never := make(chan struct{})
	// Of the minute that a request has, five seconds are for the model.
	hurried := func(c *chat.Config) { c.Reserve = 55 * time.Second }
	d := openAs(t, localtest.Stack(t), hurried, script.Route("inventory"),
		script.Step{Calls: []script.Call{{Name: "list_extras"}}},
		script.Step{Hold: never, Text: "Too late."},
		script.Step{Text: "You have one extra: the Kayak Tour."})
	_, raw := d.post(t, "/api/chat", org.Manager.Token, "",
		map[string]any{"id": "th-1", "messages": []any{user("Which extras are there?")}})
	first := answer(t, raw)
	if first.Finish != "deadline" || !strings.Contains(first.Reply,
		"the time for one answer is used up. Nothing was changed.") || !strings.Contains(first.Reply, "Kayak Tour") {
		t.Fatalf("it ends with %s, %q", first.Finish, first.Reply)
	}
	asked := len(d.model.Requests())
	_, raw = d.post(t, "/api/chat", org.Manager.Token, "", map[string]any{"id": "th-1", "messages": []any{
		user("Which extras are there?"), first.Message, user("go on please")}})
	second := answer(t, raw)
	if second.Finish != "stop" || second.Agent != "inventory" ||
		second.Reply != "You have one extra: the Kayak Tour." {
		t.Errorf("it goes on with %s of %s: %q", second.Finish, second.Agent, second.Reply)
	}
	requests := d.model.Requests()[asked:]
	if len(requests) != 1 || script.FromRouter(requests[0]) {
		t.Fatalf("%d more requests, the first to the router: %v", len(requests), script.FromRouter(requests[0]))
	}
	known := false
	for _, m := range requests[0].Messages {
		known = known || m.Role == "tool" && strings.Contains(m.Content, "Kayak Tour")
	}
	if !known {
		t.Errorf("what was read is not in the prompt: %+v", requests[0].Messages)
	}
}

// F-08: a turn for which no time is left is refused; it leaves no lease and
// asks no model.
func TestATurnWithoutTimeDoesNotBegin(t *testing.T) {
	t.Parallel()
	org := localtest.NewOrg(t)
	var cfg chat.Config
	d := openAs(t, localtest.Stack(t), func(c *chat.Config) { cfg = *c })
	identify := cfg.Identify
	cfg.Identify = func(ctx context.Context, token string) (identity.Caller, error) {
		return identify(context.WithoutCancel(ctx), token)
	}
	h, err := chat.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	for name, left := range map[string]time.Duration{"none": 0, "less": -time.Minute} {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithDeadline(t.Context(), time.Now().Add(left))
			defer cancel()
			r := httptest.NewRequestWithContext(ctx, http.MethodPost, "/api/chat",
				strings.NewReader(`{"turn":"turn-0001","messages":[{"role":"user","content":"hi"}]}`))
			r.Header.Set("Authorization", "Bearer "+org.Manager.Token)
			w := httptest.NewRecorder()
			h.ServeHTTP(w, r)
			refused(t, w.Result(), w.Body.Bytes(), http.StatusGatewayTimeout, "no_time_left")
		})
	}
	if n := len(localtest.SQL(t, `select from public.turns where org_id = $1`, org.ID)); n != 0 ||
		len(d.model.Requests()) != 0 {
		t.Errorf("%d turns began, the model was asked %d times", n, len(d.model.Requests()))
	}
}
