package chat_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"net/http"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/bellhop-ai/bellhop/infra/local/faults"
	"github.com/bellhop-ai/bellhop/infra/local/localtest"
	"github.com/bellhop-ai/bellhop/infra/local/model/script"
	"github.com/bellhop-ai/bellhop/infra/local/stack"
	"github.com/bellhop-ai/bellhop/pkg/api/chat"
	"github.com/bellhop-ai/bellhop/pkg/httpx"
	"github.com/bellhop-ai/bellhop/pkg/openai"
)

// kayak is a model that proposes an extra whatever it is asked.
func kayak() []script.Step {
	return []script.Step{script.Route("inventory"),
		{Text: "I will add it.", Calls: []script.Call{{Name: "create_extra",
			Arguments: `{"name":"Kayak","price":12.5,"per":"guest"}`}}}}
}

// askedFor plays the turn that asks, and returns the body of the one that agrees.
func askedFor(t *testing.T, d door, token string) map[string]any {
	t.Helper()
	thread := uuid.NewString()
	_, raw := d.post(t, "/api/chat", token, "", map[string]any{"id": thread, "messages": []any{user("Add a kayak")}})
	p := answer(t, raw).Confirmation
	if p == nil {
		t.Fatalf("nothing is asked: %s", raw)
	}
	return map[string]any{"id": thread, "turn": uuid.NewString(), "confirm": map[string]any{"id": p.ID,
		"decision": "approve"}}
}

// until sends a turn again while it is said to be running.
func until(t *testing.T, d door, token, accept string, body any) (*http.Response, []byte) {
	t.Helper()
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for range 1000 {
		resp, raw := d.post(t, "/api/chat", token, accept, body)
		if resp.StatusCode != http.StatusConflict {
			return resp, raw
		}
		<-tick.C
	}
	t.Fatal("the turn runs for ever")
	return nil, nil
}

func kayaks(t *testing.T, s *stack.Stack) int {
	t.Helper()
	return len(localtest.SQLOn(t, s, "select 1 as one from extras where name = 'Kayak'"))
}

// F-02: a hundred times at once it runs once; the others wait and read the same.
func TestAHundredOfTheSameTurnRunOnce(t *testing.T) {
	project := localtest.Clone(t)
	d := openOn(t, project, kayak()...)
	token := localtest.TokenOn(t, project, "manager@sojourn.example")
	body := askedFor(t, d, token)
	var wg sync.WaitGroup
	got := make([][]byte, 100)
	var waited, replayed sync.Map
	for i := range got {
		wg.Go(func() {
			resp, raw := d.post(t, "/api/chat", token, "", body)
			if resp.StatusCode == http.StatusConflict {
				waited.Store(i, true)
				if n, err := strconv.Atoi(resp.Header.Get("Retry-After")); err != nil || n < 1 {
					t.Errorf("409 with Retry-After %q", resp.Header.Get("Retry-After"))
				}
				resp, raw = until(t, d, token, "", body)
			}
			if resp.Header.Get("Idempotent-Replayed") == "true" {
				replayed.Store(i, true)
			}
			got[i] = raw
		})
	}
	wg.Wait()
	for i := range got {
		if !bytes.Equal(got[i], got[0]) || !strings.Contains(answer(t, got[i]).Reply, "Added the extra Kayak") {
			t.Fatalf("one reads %s, another %s", got[i], got[0])
		}
	}
	n := 0
	replayed.Range(func(any, any) bool { n++; return true })
	if n != 99 || kayaks(t, project) != 1 {
		t.Errorf("%d were replays, %d kayaks", n, kayaks(t, project))
	}
	localtest.Invariants(t, project, body["confirm"].(map[string]any)["id"].(string))
}

// F-05: the client goes at four points of the stream and sends the turn again.
func TestAClientWhoGoesAndComesBackFindsTheSameEnd(t *testing.T) {
	project := localtest.Clone(t)
	token := localtest.TokenOn(t, project, "manager@sojourn.example")
	tests := map[string]struct {
		on     string
		agrees bool // else it is the turn that asks
	}{
		"before the first word":       {"event: understanding_started", false},
		"in the middle of the text":   {"event: response_chunk", false},
		"after the tool was called":   {"event: tool_result", false},
		"at the question":             {"event: proposal", false},
		"before the write":            {"event: route_classified", true},
		"right after the write":       {"event: write_committed", true},
		"before the last event comes": {"event: complete", true},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			localtest.SQLOn(t, project, "delete from extras where name = 'Kayak'")
			d := openOn(t, project, append(kayak(), kayak()...)...)
			body := map[string]any{"id": uuid.NewString(), "turn": uuid.NewString(),
				"messages": []any{user("Add a kayak")}}
			if tt.agrees {
				body = askedFor(t, d, token)
			}
			p := faults.Start(t, "tcp", strings.TrimPrefix(d.url, "http://"))
			struck := make(chan struct{})
			p.Set(faults.Fault{Way: faults.ToClient, On: tt.on, Before: true, Then: faults.Reset,
				Hit: func() { close(struck) }})
			raw, err := json.Marshal(body)
			if err != nil {
				t.Fatal(err)
			}
			r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://"+p.Addr()+"/api/chat",
				bytes.NewReader(raw))
			if err != nil {
				t.Fatal(err)
			}
			r.Header = http.Header{"Content-Type": {"application/json"}, "Authorization": {"Bearer " + token},
				"Accept": {"text/event-stream"}}
			if resp, err := http.DefaultClient.Do(r); err == nil {
				_, err = io.Copy(io.Discard, resp.Body)
				resp.Body.Close()
				if err == nil {
					t.Error("the first client saw a whole stream")
				}
			}
			<-struck
			_, streamed := until(t, d, token, "text/event-stream", body)
			frames := events(t, streamed)
			last := frames[len(frames)-1]
			if last.name != "complete" {
				t.Fatalf("sent again it ends in %s %v", last.name, last.data)
			}
			reply, _ := last.data["reply"].(string)
			if !tt.agrees {
				c, _ := last.data["confirmation"].(map[string]any)
				if c == nil || kayaks(t, project) != 0 {
					t.Fatalf("the question is %v after %q, and there are %d kayaks", c, reply, kayaks(t, project))
				}
				_, raw := d.post(t, "/api/chat", token, "", map[string]any{"id": body["id"],
					"confirm": map[string]any{"id": c["id"], "decision": "approve"}})
				reply = answer(t, raw).Reply
			}
			if !strings.Contains(reply, "Added the extra Kayak") || kayaks(t, project) != 1 {
				t.Errorf("%d kayaks; the person reads %q", kayaks(t, project), reply)
			}
			localtest.Invariants(t, project)
		})
	}
}

// F-09: the database's connection breaks around COMMIT. The person is told
// what happened or that no one knows, and a second click settles it.
func TestAConnectionThatBreaksAroundTheCommit(t *testing.T) {
	p := faults.Start(t, "", "")
	project := localtest.CloneWith(t, func(c *stack.Config) { c.Dial = p.Dial })
	token := localtest.TokenOn(t, project, "manager@sojourn.example")
	tests := map[string]struct {
		fault faults.Fault
		rows  int // after the first click; -1 where no one can know
	}{
		"before the write":         {faults.Fault{On: "x-bellhop-effect", Before: true, Then: faults.Reset}, 0},
		"after the write was sent": {faults.Fault{On: "x-bellhop-effect", Then: faults.Reset}, 0},
		"before the commit": {faults.Fault{First: "x-bellhop-effect", On: "COMMIT", Before: true,
			Then: faults.Reset}, 0},
		"after the commit": {faults.Fault{First: "x-bellhop-effect", On: "COMMIT", Then: faults.Reset}, -1},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			localtest.SQLOn(t, project, "delete from extras where name = 'Kayak'")
			d := openOn(t, project, kayak()...)
			body := askedFor(t, d, token)
			p.Set(tt.fault)
			_, raw := d.post(t, "/api/chat", token, "", body)
			p.Set()
			first, rows := answer(t, raw).Reply, kayaks(t, project)
			told := strings.Contains(first, "Added the extra Kayak")
			switch {
			case told && rows != 1:
				t.Errorf("%d kayaks, and the person reads %q", rows, first)
			case !told && !strings.Contains(first, "not known") && !strings.Contains(first, "did not answer"):
				t.Errorf("%d kayaks, and the person reads %q", rows, first)
			case tt.rows >= 0 && rows != tt.rows:
				t.Errorf("%d kayaks, want %d: %q", rows, tt.rows, first)
			}
			body["turn"] = uuid.NewString()
			_, raw = d.post(t, "/api/chat", token, "", body)
			if again := answer(t, raw).Reply; !strings.Contains(again, "Added the extra Kayak") ||
				kayaks(t, project) != 1 {
				t.Errorf("after a second click %d kayaks and %q", kayaks(t, project), again)
			}
			localtest.Invariants(t, project, body["confirm"].(map[string]any)["id"].(string))
		})
	}
}

// F-10: two serialization failures and a deadlock go by unseen.
func TestARolledBackWriteIsDoneAllTheSame(t *testing.T) {
	for _, code := range []string{"40001", "40P01"} {
		t.Run(code, func(t *testing.T) {
			project := localtest.Clone(t)
			localtest.Script(t, project, fmt.Sprintf(`create sequence trouble; grant all on sequence trouble to public;
				create function fail_twice() returns trigger language plpgsql as $$ begin
				if nextval('public.trouble') <= 2 then raise sqlstate '%s' using message = 'canary'; end if; return
					new; end $$;
				create trigger a_trouble before insert on public.extras for each row execute function fail_twice();`,
				code))
			token := localtest.TokenOn(t, project, "manager@sojourn.example")
			d := openOn(t, project, kayak()...)
			body := askedFor(t, d, token)
			_, raw := d.post(t, "/api/chat", token, "", body)
			if got := answer(t, raw).Reply; !strings.Contains(got, "Added the extra Kayak") ||
				kayaks(t, project) != 1 {
				t.Errorf("%d kayaks, and the person reads %q", kayaks(t, project), got)
			}
			localtest.Invariants(t, project, body["confirm"].(map[string]any)["id"].(string))
		})
	}
}

// F-15: the database goes away and comes back, with connections that are dead.
func TestADatabaseThatComesBackIsUsedAgain(t *testing.T) {
	p := faults.Start(t, "", "")
	project := localtest.CloneWith(t, func(c *stack.Config) { c.Dial = p.Dial })
	token := localtest.TokenOn(t, project, "manager@sojourn.example")
	d := openOn(t, project, script.Step{Text: "Hello.", Times: -1})
	if resp, raw := d.post(t, "/api/chat", token, "", ask("hi")); resp.StatusCode != http.StatusOK {
		t.Fatalf("status %d, %s", resp.StatusCode, raw)
	}
	p.Down(true)
	for range 3 {
		resp, raw := d.post(t, "/api/chat", token, "", ask("hi"))
		var problem httpx.Problem
		if err := json.Unmarshal(raw, &problem); err != nil || resp.StatusCode != http.StatusServiceUnavailable ||
			problem.Code != "unavailable" {
			t.Errorf("while it is away: %d %s", resp.StatusCode, raw)
		}
		if n, err := strconv.Atoi(resp.Header.Get("Retry-After")); err != nil || n < 1 || n > 2 {
			t.Errorf("Retry-After is %q", resp.Header.Get("Retry-After"))
		}
	}
	if n := len(d.model.Requests()); n != 1 {
		t.Errorf("the model was asked %d times", n)
	}
	p.Down(false)
	began := time.Now()
	for resp, _ := d.post(t, "/api/chat", token, "", ask("hi")); resp.StatusCode != http.StatusOK; resp,
		_ = d.post(t, "/api/chat", token, "", ask("hi")) {
		if time.Since(began) > 20*time.Second {
			t.Fatalf("twenty seconds after it came back the status is %d", resp.StatusCode)
		}
	}
}

// S0-13, S2-39, F-16: what takes the database too long is stopped by it, said, and over.
func TestAQueryThatTakesTooLongIsStopped(t *testing.T) {
	project := localtest.Clone(t)
	ctx := context.Background()
	admin, err := pgx.Connect(ctx, project.ConnString("supabase_admin"))
	if err != nil {
		t.Fatal(err)
	}
	defer admin.Close(ctx)
	if _, err := admin.Exec(ctx, "alter function public.occupancy set statement_timeout = '200ms'"); err != nil {
		t.Fatal(err)
	}
	if err := project.Reload(ctx); err != nil {
		t.Fatal(err)
	}
	token := localtest.TokenOn(t, project, "manager@sojourn.example")
	look := []script.Step{script.Route("analytics"),
		{Calls: []script.Call{{Name: "get_occupancy_stats",
			Arguments: `{"start_date":"2031-01-01","end_date":"2031-02-01"}`}}}, {Text: "That is what I know."}}
	d := openOn(t, project, append(look, look...)...)
	lock, err := admin.Begin(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := lock.Exec(ctx, "lock table public.stays, public.rooms, public.reservations, "+
		"public.reservation_nights in access exclusive mode"); err != nil {
		t.Fatal(err)
	}
	body := map[string]any{"messages": []any{user("How full are we?")}}
	_, streamed := d.post(t, "/api/chat", token, "text/event-stream", body)
	if err := lock.Rollback(ctx); err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(streamed, []byte("too long")) || bytes.Contains(streamed, []byte("57014")) ||
		bytes.Contains(streamed, []byte("statement")) {
		t.Errorf("the person reads %s", streamed)
	}
	if _, streamed = d.post(t, "/api/chat", token, "text/event-stream", body); !bytes.Contains(streamed,
		[]byte(`"success":true`)) {
		t.Errorf("afterwards the person reads %s", streamed)
	}
}

// F-31: what is far too large costs neither time nor memory.
func TestAHugeHistoryIsRefusedAtOnce(t *testing.T) {
	d := open(t)
	token := localtest.Token(t, "manager@sojourn.example")
	many := bytes.Repeat([]byte(`{"role":"user","content":"x"},`), 100_000)
	tests := map[string][]byte{
		"ten megabytes": []byte(`{"messages":[{"role":"user","content":"` + strings.Repeat("x", 10<<20) +
			`"}]}`),
		"a hundred thousand": []byte(`{"messages":[` + string(many[:len(many)-1]) + `]}`),
		"one of five megabytes": []byte(`{"messages":[{"role":"user","content":"` + strings.Repeat("y", 5<<20) +
			`"}]}`),
		"the same, without length": nil,
	}
	tests["the same, without length"] = tests["ten megabytes"]
	for name, body := range tests {
		t.Run(name, func(t *testing.T) {
			// What else this process does is counted, too, so the least of some counts.
			used := uint64(math.MaxUint64)
			for range 3 {
				var before, after runtime.MemStats
				runtime.ReadMemStats(&before)
				var from io.Reader = bytes.NewReader(body)
				if strings.HasSuffix(name, "without length") {
					from = struct{ io.Reader }{from}
				}
				r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, d.url+"/api/chat", from)
				if err != nil {
					t.Fatal(err)
				}
				r.Header = http.Header{"Content-Type": {"application/json"}, "Authorization": {"Bearer " + token}}
				resp, err := http.DefaultClient.Do(r)
				if err != nil {
					t.Fatal(err)
				}
				resp.Body.Close()
				runtime.ReadMemStats(&after)
				if resp.StatusCode != http.StatusRequestEntityTooLarge {
					t.Errorf("status %d", resp.StatusCode)
				}
				used = min(used, after.TotalAlloc-before.TotalAlloc)
			}
			if used > 40<<20 && !underRace {
				t.Errorf("%d MiB were allocated", used>>20)
			}
		})
	}
}

// F-18, F-19, F-20: the connection to the model breaks before it speaks, in the
// middle of its words, and inside a call. Tools run once, what was
// cut off is said once, and no half of a call is believed.
func TestAConnectionToTheModelThatBreaks(t *testing.T) {
	project := localtest.Clone(t)
	token := localtest.TokenOn(t, project, "manager@sojourn.example")
	look := []script.Step{script.Route("inventory"), {Calls: []script.Call{{Name: "list_extras"}}},
		{Text: "There are several extras here."}}
	tests := map[string]struct {
		fault faults.Fault
		steps []script.Step
		ends  string
		reply string
		tool  string
	}{
		"before it speaks": {
			faults.Fault{On: `"role":"tool"`, Then: faults.Reset},
			append(look, script.Step{Text: "There are several extras here."}),
			"complete", "There are several extras here.", "list_extras"},
		"in the middle of its words": {
			faults.Fault{Way: faults.ToClient, On: "several", Before: true, Then: faults.Reset},
			append(look, script.Step{Text: "There are several extras here."}),
			"complete", "There are several extras here.", "list_extras"},
		"inside a call": {
			faults.Fault{Way: faults.ToClient, First: "create_extra", On: "arguments", Then: faults.Reset},
			append(kayak(), kayak()[1]),
			"complete", "Shall I do this?", "create_extra"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			var p *faults.Proxy
			model := script.Start(t, tt.steps...)
			d := openAs(t, project, func(cfg *chat.Config) {
				p = faults.Start(t, "tcp", strings.TrimSuffix(strings.TrimPrefix(model.URL, "http://"), "/v1"))
				m, err := openai.New(openai.Config{BaseURL: "http://" + p.Addr() + "/v1", Profile: "openai",
					APIKey: "local"})
				if err != nil {
					t.Fatal(err)
				}
				cfg.Model = m
			})
			p.Set(tt.fault)
			body := map[string]any{"id": uuid.NewString(), "turn": uuid.NewString(),
				"messages": []any{user("Which extras are there?")}}
			_, raw := d.post(t, "/api/chat", token, "text/event-stream", body)
			last := lastOf(t, raw)
			if last.name != tt.ends {
				t.Errorf("the stream ends in %s %v", last.name, last.data)
			}
			if n := bytes.Count(raw, []byte("event: executing_tool")); n > 1 {
				t.Errorf("tools were called %d times: %s", n, raw)
			}
			reply, _ := last.data["reply"].(string)
			if last.name != "complete" || strings.Count(reply, tt.reply) != 1 ||
				!bytes.Contains(raw, []byte(tt.tool)) {
				t.Errorf("in the end %s reads %q", last.name, reply)
			}
			if rows := localtest.SQLOn(t, project,
				"select 1 as one from proposals where state = 'pending' and thread = $1",
				body["id"]); tt.tool == "create_extra" && len(rows) != 1 {
				t.Errorf("%d questions are open", len(rows))
			}
			localtest.Invariants(t, project)
		})
	}
}

func lastOf(t *testing.T, raw []byte) event {
	t.Helper()
	list := events(t, raw)
	if len(list) == 0 {
		t.Fatalf("no events: %s", raw)
	}
	return list[len(list)-1]
}
