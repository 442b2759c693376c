package summarize_test

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/bellhop-ai/bellhop/infra/local/localtest"
)

const (
	oldKey = "whsec_b2xkIGtleSBvbGQga2V5IG9sZCBrZXkgb2xk"
	newKey = "whsec_bmV3IGtleSBuZXcga2V5IG5ldyBrZXkgbmV3"
)

func signature(key, id string, at int64, body string) string {
	raw, _ := base64.StdEncoding.DecodeString(strings.TrimPrefix(key, "whsec_")) // keys of this file
	h := hmac.New(sha256.New, raw)
	fmt.Fprintf(h, "%s.%d.%s", id, at, body)
	return "v1," + base64.StdEncoding.EncodeToString(h.Sum(nil))
}

// hook asks for a summary as another server would.
func (r *rig) hook(ctx context.Context, name, org, id string) (int, object) {
	body := fmt.Sprintf(`{"type":"conversation.summarize","timestamp":"2026-11-21T12:00:00Z","data":{"orgId":%q,`+
		`"sessionId":%q}}`, org, id)
	at := time.Now().Unix()
	return r.call(ctx, "POST", "/api/webhooks/summarize", "", body, "webhook-id", name, "webhook-timestamp",
		fmt.Sprint(at), "webhook-signature", signature(newKey, name, at, body))
}

// idle lets a conversation have been silent for so long.
func (r *rig) idle(id string, minutes int) {
	r.t.Helper()
	r.sql(`update public.chat_sessions set last_message_at = clock_timestamp() - $2 * interval '1 minute' where id
		= $1`, id, minutes)
}

func TestOnlyTheSchedulerStartsTheSchedule(t *testing.T) {
	t.Parallel()
	r := alone(t)
	r.want(200, "GET", "/api/jobs/summarize", cronSecret, nil)
	for name, token := range map[string]string{"nobody": "", "a person": r.org.Admin.Token,
		"nearly": cronSecret[:len(cronSecret)-1], "more": cronSecret + "x"} {
		if got := r.want(401, "GET", "/api/jobs/summarize", token, nil); strings.Contains(fmt.Sprint(got),
			cronSecret) {
			t.Errorf("%s: %v", name, got)
		}
	}
	r.want(405, "POST", "/api/jobs/summarize", cronSecret, nil)
	closed := open(t, "CRON_SECRET", "", "WEBHOOK_SECRETS", "")
	closed.want(401, "GET", "/api/jobs/summarize", "x", nil)
	if status, _ := closed.hook(t.Context(), "msg_1", closed.org.ID, "x"); status != 404 {
		t.Errorf("without secrets a webhook gets %d", status)
	}
}

// S3-4, S3-22: the schedule takes what is over the budget or has been silent, and
// leaves alone what is short, recent, deleted, covered or being worked on.
func TestTheScheduleFindsWhatIsDue(t *testing.T) {
	t.Parallel()
	r := alone(t)
	me := r.org.Manager
	by := r.caller(me)
	usual := func() string { return r.talk(me, "", dinner()...) }
	silent, recent, deleted, busy, long := usual(), usual(), usual(), usual(), usual()
	short := r.talk(me, "", dinner()[:2]...)
	large := r.talk(me, "", append(dinner(), turn{strings.Repeat("lorem ipsum dolor ", 8000), "I read it."})...)
	for _, id := range []string{silent, short, deleted, busy} {
		r.idle(id, 31)
	}
	r.idle(recent, 29)
	if err := r.talks.Delete(t.Context(), by, deleted); err != nil {
		t.Fatal(err)
	}
	r.sql(`insert into public.summary_jobs (org_id, session_id, lease, lease_until) values ($1, $2,
		gen_random_uuid(), clock_timestamp() + interval '1 minute')`, r.org.ID, busy)
	r.sql(`insert into public.chat_messages (org_id, session_id, seq, role, content, user_id, tokens) select $1,
		$2, n, 'user', 'And ' || n, $3, 3 from generate_series(7, 51) n`, r.org.ID, long, me.ID)
	r.sql(`update public.chat_sessions set last_seq = 51, message_count = 51 where id = $1`, long)
	neighbour := openOn(t, r.stack)
	other := neighbour.talk(neighbour.org.Manager, "", dinner()...)
	neighbour.idle(other, 45)
	got := r.want(200, "GET", "/api/jobs/summarize", cronSecret, nil)
	if got["due"] != 4.0 || got["done"] != 4.0 || got["failed"] != 0.0 || got["queued"] != 0.0 {
		t.Errorf("it reports %v", got)
	}
	for id, through := range map[string]int{silent: 6, recent: 0, short: 0, deleted: 0, busy: 0, large: 8, long: 51,
		other: 6} {
		r.is(id, object{"through": through})
	}
	// What was made is shown to those who take part, and to no one else.
	if text := r.want(200, "GET", "/api/summarize/"+silent, me.Token, nil)["summary"].(string); !strings.Contains(text,
		"Asha Verma") {
		t.Errorf("it says %q", text)
	}
	neighbour.want(404, "GET", "/api/summarize/"+silent, neighbour.org.Manager.Token, nil)
	if got := r.want(200, "GET", "/api/jobs/summarize", cronSecret, nil); got["due"] != 0.0 {
		t.Errorf("and again %v", got)
	}
}

// What fails is tried again later and later, five times, and then when a user
// has spoken; the others do not wait for it.
func TestWhatFailsIsTriedAgainLater(t *testing.T) {
	t.Parallel()
	r := alone(t)
	me := r.org.Manager
	good, bad := r.talk(me, "", dinner()...), r.talk(me, "", append(dinner(), turn{"POISON", "I see."})...)
	r.idle(good, 31)
	r.idle(bad, 31)
	r.instead(func(w http.ResponseWriter, prompt string) bool {
		return strings.Contains(prompt, "POISON") && reply(w, "No.")
	})
	if got := r.want(200, "GET", "/api/jobs/summarize", cronSecret, nil); got["done"] != 1.0 || got["failed"] != 1.0 {
		t.Fatalf("first: %v", got)
	}
	r.is(good, object{"state": "done"})
	for attempt := 1; attempt <= 5; attempt++ {
		r.is(bad, object{"state": "failed", "attempts": attempt, "waits": true})
		if got := r.want(200, "GET", "/api/jobs/summarize", cronSecret, nil); got["due"] != 0.0 {
			t.Errorf("attempt %d does not wait: %v", attempt, got)
		}
		pause := r.sql(`select round(extract(epoch from not_before - clock_timestamp()) / 60)::int as minutes from
			public.summary_jobs where session_id = $1`, bad)[0]["minutes"].(int32)
		if want := int32(1 << (attempt - 1)); pause != want {
			t.Errorf("attempt %d is followed by %d minutes, want %d", attempt, pause, want)
		}
		r.sql(`update public.summary_jobs set not_before = clock_timestamp() where session_id = $1`, bad)
		got := r.want(200, "GET", "/api/jobs/summarize", cronSecret, nil)
		if want := map[bool]float64{true: 1, false: 0}[attempt < 5]; got["due"] != want {
			t.Errorf("after attempt %d %v is due", attempt, got["due"])
		}
	}
	r.say(r.caller(me), bad, "", "turn-new", turn{"Anybody there?", "Yes."})
	r.idle(bad, 31)
	if got := r.want(200, "GET", "/api/jobs/summarize", cronSecret, nil); got["failed"] != 1.0 {
		t.Errorf("after a new message: %v", got)
	}
	// For the queue a failure is one message that comes again.
	if err := r.worker.Message(t.Context(), []byte(fmt.Sprintf(`{"org":%q,"id":%q}`, r.org.ID, bad))); err == nil {
		t.Error("the queue is told that it was done")
	}
	for _, ticket := range []string{``, `{}`, `{"org":"x"}`, `[]`, fmt.Sprintf(`{"org":"no uuid","id":%q}`, good)} {
		if err := r.worker.Message(t.Context(), []byte(ticket)); err == nil {
			t.Errorf("the message %q counts as done", ticket)
		}
	}
	for name, ticket := range map[string]string{
		"another organisation's": fmt.Sprintf(`{"org":%q,"id":%q}`, localtest.NewOrgOn(t, r.stack).ID, good),
		"nobody's":               fmt.Sprintf(`{"org":%q,"id":"no uuid"}`, r.org.ID)} {
		if err := r.worker.Message(t.Context(), []byte(ticket)); err != nil {
			t.Errorf("%s comes again for ever: %v", name, err)
		}
	}
}

// With a queue the schedule only hands out, each conversation once in a while.
func TestTheScheduleHandsOverToTheQueue(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	var sent []string
	full := false
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		var in struct {
			Entries []struct{ MessageBody string }
		}
		if err := json.NewDecoder(req.Body).Decode(&in); err != nil ||
			!strings.Contains(req.Header.Get("Authorization"), "Credential=KEY/") {
			t.Errorf("the queue gets %v, %v", err, req.Header)
		}
		if full {
			w.WriteHeader(503)
			return
		}
		for _, e := range in.Entries {
			sent = append(sent, e.MessageBody)
		}
		fmt.Fprint(w, `{"Successful":[]}`)
	}))
	t.Cleanup(service.Close)
	r := alone(t, "SUMMARY_QUEUE_URL", service.URL+"/1/summaries", "AWS_REGION", "eu-west-1", "AWS_ACCESS_KEY_ID",
		"KEY", "AWS_SECRET_ACCESS_KEY", "secret")
	var ids []string
	for range 12 {
		id := r.talk(r.org.Manager, "", dinner()...)
		r.idle(id, 31)
		ids = append(ids, id)
	}
	if got := r.want(200, "GET", "/api/jobs/summarize", cronSecret, nil); got["queued"] != 12.0 ||
		got["done"] != 0.0 || len(sent) != 12 || len(r.asked()) != 0 {
		t.Fatalf("it reports %v, and sent %d", got, len(sent))
	}
	r.is(ids[3], object{"state": "queued", "through": 0})
	if got := r.want(200, "GET", "/api/jobs/summarize", cronSecret, nil); got["due"] != 0.0 {
		t.Errorf("they are handed out again: %v", got)
	}
	for range 2 { // a queue may bring a message twice
		for _, body := range sent {
			if err := r.worker.Message(t.Context(), []byte(body)); err != nil {
				t.Error(err)
			}
		}
	}
	if n := len(r.asked()); n != 12 {
		t.Errorf("the model was asked %d times", n)
	}
	for _, id := range ids {
		r.is(id, object{"state": "done", "through": 6})
	}
	// A queue that takes nothing is a failed run, and the wish of a webhook stays.
	full = true
	id := r.talk(r.org.Manager, "", dinner()...)
	if status, got := r.hook(t.Context(), "msg_full", r.org.ID, id); status != 200 || got["status"] != "queued" {
		t.Errorf("the webhook gets %d %v", status, got)
	}
	r.is(id, object{"wanted": true, "state": "queued"})
	if got := r.want(503, "GET", "/api/jobs/summarize", cronSecret, nil); got["code"] == nil {
		t.Errorf("the run gets %v", got)
	}
}

// F-49
func TestAWebhookIsGenuineOrNothing(t *testing.T) {
	t.Parallel()
	r := open(t)
	id := r.talk(r.org.Manager, "", dinner()...)
	body := fmt.Sprintf(`{"type":"conversation.summarize","data":{"orgId":%q,  "sessionId":%q}}`, r.org.ID, id)
	again := fmt.Sprintf(`{"data":{"orgId":%q,"sessionId":%q},"type":"conversation.summarize"}`, r.org.ID, id)
	now := time.Now().Unix()
	unique := r.org.ID[:8]
	for _, tc := range []struct {
		name, id  string
		at        int64
		signature string
		body      string
		status    int
		want      string
	}{
		{"a bad signature", "a", now, "v1,AAAA", body, 401, "bad_signature"},
		{"a stale one", "a", now - 600, signature(newKey, unique+"a", now-600, body), body, 401, "bad_signature"},
		{"encoded anew", "a", now, signature(newKey, unique+"a", now, body), again, 401, "bad_signature"},
		{"nothing was noted by those", "a", now, signature(newKey, unique+"a", now, body), body, 200, "done"},
		{"a repetition", "a", now, signature(newKey, unique+"a", now, body), body, 200, "repeated"},
		{"the old key", "b", now, signature(oldKey, unique+"b", now, body), body, 200, "done"},
		{"two signatures", "c", now, "v1,AAAA " + signature(oldKey, unique+"c", now, body), body, 200, "done"},
		{"another type", "d", now, signature(newKey, unique+"d", now, `{"type":"conversation.deleted"}`),
			`{"type":"conversation.deleted"}`, 200, "ignored"},
		{"no JSON", "e", now, signature(newKey, unique+"e", now, `x`), `x`, 400, "invalid"},
		{"a conversation of nobody", "f", now, signature(newKey, unique+"f", now,
			strings.ReplaceAll(body, id, unique)), strings.ReplaceAll(body, id, unique), 404,
			"conversation_not_found"},
	} {
		status, got := r.call(t.Context(), "POST", "/api/webhooks/summarize", "", tc.body, "webhook-id", unique+tc.id,
			"webhook-timestamp", fmt.Sprint(tc.at), "webhook-signature", tc.signature)
		if said := got[map[bool]string{true: "status", false: "code"}[tc.status == 200]]; status != tc.status ||
			said != tc.want {
			t.Errorf("%s: %d %v", tc.name, status, got)
		}
	}
	if n := len(r.asked()); n != 1 {
		t.Errorf("the model was asked %d times", n)
	}
	r.is(id, object{"state": "done", "through": 6})
}
