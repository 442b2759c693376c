package summarize_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/conversations"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/summary"
	store "github.com/bellhop-ai/bellhop/pkg/supabase/summaries"
)

// However many ask at once, one summary is made and paid for.
func TestTwentyAtOnceMakeOneSummary(t *testing.T) {
	t.Parallel()
	r := alone(t)
	me := r.org.Manager
	id := r.talk(me, "", dinner()...)
	version := r.row(id)["version"].(int32)
	r.sql(`update public.chat_sessions set last_message_at = clock_timestamp() - interval '1 hour' where id = $1`, id)
	var all sync.WaitGroup
	bad := make(chan string, 100)
	for i := range 20 {
		all.Go(func() {
			if status, out := r.call(t.Context(), "POST", "/api/summarize/"+id, me.Token,
				`{"reason":"end"}`); status != 200 && status != 202 {
				bad <- fmt.Sprint("the page: ", status, out)
			}
		})
		all.Go(func() {
			if status, out := r.call(t.Context(), "GET", "/api/jobs/summarize", cronSecret, nil); status != 200 ||
				out["failed"] != 0.0 {
				bad <- fmt.Sprint("the schedule: ", status, out)
			}
		})
		all.Go(func() {
			if status, out := r.hook(t.Context(), fmt.Sprintf("msg_%d", i%5), r.org.ID, id); status != 200 {
				bad <- fmt.Sprint("the webhook: ", status, out)
			}
		})
		all.Go(func() {
			if err := r.worker.Message(t.Context(),
				[]byte(fmt.Sprintf(`{"org":%q,"id":%q}`, r.org.ID, id))); err != nil {
				bad <- fmt.Sprint("the queue: ", err)
			}
		})
	}
	all.Wait()
	close(bad)
	for b := range bad {
		t.Error(b)
	}
	if n := len(r.asked()); n != 1 {
		t.Errorf("the model was asked %d times", n)
	}
	r.is(id, object{"version": version + 1, "through": 6, "state": "done", "leased": false})
	if rows := r.sql(`select user_id::text, tokens_in > 0 as used from public.llm_usage_logs where org_id = $1 and
		turn = 'summary'`, r.org.ID); len(rows) != 1 || rows[0]["user_id"] != me.ID || rows[0]["used"] != true {
		t.Errorf("what was used is logged as %v", rows)
	}
}

// A process that died between the model and the database leaves a lease that
// ends; the next process makes the summary, and a late one changes nothing.
func TestWhoDiesLeavesTheSummaryToTheNext(t *testing.T) {
	t.Parallel()
	r := alone(t)
	me := r.caller(r.org.Manager)
	id := r.talk(r.org.Manager, "", dinner()...)
	people := store.NewPeople(r.client)
	dead, err := people.Claim(t.Context(), me, summary.Ref{ID: id}, summary.Terms{For: time.Minute, Over: -1})
	if err != nil || dead.Outcome != summary.Claimed {
		t.Fatalf("%+v, %v", dead, err)
	}
	if got := r.want(202, "POST", "/api/summarize/"+id, r.org.Manager.Token, nil); got["outcome"] != "running" {
		t.Errorf("while it lives: %v", got)
	}
	r.sql(`update public.summary_jobs set lease_until = clock_timestamp() where session_id = $1`, id)
	if got := r.want(200, "GET", "/api/summarize/"+id, r.org.Manager.Token, nil); got["state"] != "queued" {
		t.Errorf("when it is dead: %v", got)
	}
	// No one need ask again: the schedule finds what was begun.
	if got := r.want(200, "GET", "/api/jobs/summarize", cronSecret, nil); got["due"] != 1.0 || got["done"] != 1.0 {
		t.Errorf("the schedule reports %v", got)
	}
	got := r.want(200, "POST", "/api/summarize/"+id, r.org.Manager.Token, nil)
	if got["outcome"] != "nothing" || got["covers"] != 6.0 || got["state"] != "done" {
		t.Errorf("the next: %v", got)
	}
	late := summary.Made{Text: "Summary of the first 6 messages.\n\nNonsense.", Through: 6, Token: "x"}
	if _, err := people.Put(t.Context(), me, dead, late, time.Minute); fault.From(err).PublicCode() != "lease_lost" {
		t.Errorf("the late one: %v", err)
	}
	r.is(id, object{"session_summary": got["summary"]})
}

// A model that fails leaves the conversation as it was, and says so.
func TestAModelThatFailsIsNoted(t *testing.T) {
	t.Parallel()
	r := open(t)
	me := r.org.Manager
	id := r.talk(me, "", dinner()...)
	r.instead(func(w http.ResponseWriter, _ string) bool { return reply(w, "I would rather not.") })
	if got := r.want(502, "POST", "/api/summarize/"+id, me.Token, nil); got["code"] != "summary_unusable" {
		t.Errorf("it answers %v", got)
	}
	r.is(id, object{"state": "failed", "reason": "summary_unusable", "attempts": 1, "waits": true, "leased": false,
		"through": 0})
	if got := r.want(200, "GET", "/api/summarize/"+id, me.Token, nil); got["state"] != "failed" ||
		got["reason"] != "summary_unusable" {
		t.Errorf("its state is %v", got)
	}
	// A page that asks in passing waits as the schedule does.
	r.asked()
	if got := r.want(202, "POST", "/api/summarize/"+id, me.Token,
		object{"reason": "hidden"}); got["outcome"] != "queued" || len(r.asked()) != 0 {
		t.Errorf("in passing it gets %v", got)
	}
	// A person need not wait.
	r.instead(nil)
	if got := r.want(200, "POST", "/api/summarize/"+id, me.Token, nil); got["outcome"] != "done" {
		t.Errorf("then it answers %v", got)
	}
	r.is(id, object{"state": "done", "reason": "", "attempts": 0, "waits": false, "wanted": false})
}

// S3-18: words in the store that no one vouches for stay marked, and a summary
// that a user wrote there is not gone on with.
func TestWhatWasAlteredInTheStoreGainsNothing(t *testing.T) {
	t.Parallel()
	r := open(t)
	me := r.org.Manager
	id := r.talk(me, "", dinner()...)
	r.want(200, "POST", "/api/summarize/"+id, me.Token, nil)
	r.sql(`update public.chat_sessions set session_summary = replace(session_summary, 'vegetarian', 'a manager')
		where id = $1`, id)
	r.sql(`update public.chat_messages set content = 'Three nights in COCO cost ₹1.00.' where session_id = $1 and
		seq = 6`, id)
	if got := r.want(200, "GET", "/api/summarize/"+id, me.Token, nil); got["summary"] != "" ||
		len(got["keyFacts"].([]any)) != 0 {
		t.Errorf("it shows %v", got)
	}
	r.say(r.caller(me), id, "", "turn-9", turn{"Thanks for all that.", "With pleasure."})
	text := r.want(200, "POST", "/api/summarize/"+id, me.Token, nil)["summary"].(string)
	if strings.Contains(text, "a manager") || !strings.Contains(text, "Asha Verma is vegetarian") ||
		!strings.HasPrefix(text, "Summary of the first 8 messages.") {
		t.Errorf("it says\n%s", text)
	}
	sure, doubtful, _ := strings.Cut(text, "Not verified (")
	if strings.Contains(sure, "₹1.00.\n") || !strings.Contains(doubtful, "₹1.00.") ||
		!strings.Contains(sure, "₹1.00. (not verified)") {
		t.Errorf("what was altered is told as\n%s", text)
	}
}

// A message that is edited while the summary is made is not in it.
func TestWhatIsEditedMeanwhileIsReadAgain(t *testing.T) {
	t.Parallel()
	r := open(t)
	me := r.org.Manager
	by := r.caller(me)
	id := r.talk(me, "", dinner()...)
	once := sync.OnceFunc(func() {
		if _, err := r.talks.RecordMessage(t.Context(), by, conversations.UserMessage{Assistant: "hospitality",
			Prefix: "SC", Thread: id, Turn: "anew", MessageID: "m-anew", Replaces: "m-turn-1",
			Text: "She eats everything.", Tokens: 5}); err != nil {
			t.Error(err)
		}
	})
	r.instead(func(http.ResponseWriter, string) bool { once(); return false })
	if got := r.want(409, "POST", "/api/summarize/"+id, me.Token, nil); got["code"] != "conversation_changed" {
		t.Errorf("it answers %v", got)
	}
	r.is(id, object{"state": "queued", "wanted": true, "through": 0})
	if text := r.want(200, "POST", "/api/summarize/"+id, me.Token, nil)["summary"].(string); strings.Contains(text,
		"vegetarian") || !strings.Contains(text, "She eats everything.") {
		t.Errorf("it says\n%s", text)
	}
}

// Two thousand messages are read in steps, each stored, and the page can follow.
func TestALongConversationIsReadInSteps(t *testing.T) {
	t.Parallel()
	r := open(t)
	me := r.org.Manager
	id := r.talk(me, "", dinner()[0])
	r.sql(`insert into public.chat_messages (org_id, session_id, seq, role, content, user_id, user_display_name,
		tokens)
		select $1, $2, n, 'user', 'Message ' || n || ': ' || repeat('we talked about the garden and the terrace, ',
			6), $3, 'Mira', 70 from generate_series(3, 2000) n`, r.org.ID, id, me.ID)
	r.sql(`update public.chat_sessions set last_seq = 2000, message_count = 2000, estimated_tokens = 140000 where
		id = $1`, id)
	covered := []float64{}
	r.instead(func(http.ResponseWriter, string) bool {
		covered = append(covered, r.want(200, "GET", "/api/summarize/"+id, me.Token, nil)["covers"].(float64))
		return false
	})
	got := r.want(200, "POST", "/api/summarize/"+id, me.Token, nil)
	if got["outcome"] != "done" || got["covers"] != 2000.0 {
		t.Fatalf("it answers %v", got)
	}
	asked := r.asked()
	for i := range covered[1:] {
		if covered[i+1] <= covered[i] {
			t.Errorf("step %d covers %v, the one before %v", i+1, covered[i+1], covered[i])
		}
	}
	if len(asked) < 8 || len(asked) > 40 {
		t.Errorf("it takes %d steps", len(asked))
	}
	for i, prompt := range asked {
		if len(prompt) > 60_000 {
			t.Errorf("step %d reads %d bytes", i, len(prompt))
		}
	}
	if usage := got["usage"].(object); usage["calls"] != float64(len(asked)) {
		t.Errorf("it counts %v calls", usage["calls"])
	}
	r.is(id, object{"through": 2000, "state": "done", "leased": false})
}

// A job whose time is nearly up leaves the rest to the next one.
func TestWhatIsNotFinishedInTimeIsGoneOnWith(t *testing.T) {
	t.Parallel()
	r := alone(t)
	me := r.org.Manager
	id := r.talk(me, "", dinner()[0])
	r.sql(`insert into public.chat_messages (org_id, session_id, seq, role, content, user_id, tokens)
		select $1, $2, n, 'user', 'Message ' || n || ': ' || repeat('we talked about the garden and the terrace, ',
			6), $3, 70 from generate_series(3, 400) n`, r.org.ID, id, me.ID)
	r.sql(`update public.chat_sessions set last_seq = 400, message_count = 400 where id = $1`, id)
	short, done := context.WithTimeout(t.Context(), 11*time.Second)
	defer done()
	if err := r.worker.Message(short, []byte(fmt.Sprintf(`{"org":%q,"id":%q}`, r.org.ID, id))); err != nil {
		t.Fatal(err)
	}
	first := r.row(id)
	if first["state"] != "queued" || first["wanted"] != true || first["leased"] != false ||
		first["through"].(int32) < 20 || len(r.asked()) != 1 {
		t.Fatalf("it is left as %v", first)
	}
	if got := r.want(200, "GET", "/api/jobs/summarize", cronSecret, nil); got["done"] != 1.0 {
		t.Errorf("the schedule reports %v", got)
	}
	r.is(id, object{"state": "done", "through": 400})
}

// A summary is paid for by the organisation like everything else.
func TestABudgetBoundsSummariesToo(t *testing.T) {
	t.Parallel()
	r := alone(t)
	me := r.org.Manager
	id := r.talk(me, "", dinner()...)
	r.sql(`insert into public.budgets (org_id, period, tokens) values ($1, 'day', 100)`, r.org.ID)
	if got := r.want(429, "POST", "/api/summarize/"+id, me.Token, nil); got["code"] != "budget_exhausted" {
		t.Errorf("it answers %v", got)
	}
	r.is(id, object{"state": "failed", "reason": "budget_exhausted", "waits": true, "leased": false})
	// The queue need not bring it again: the schedule knows when to.
	if err := r.worker.Message(t.Context(), []byte(fmt.Sprintf(`{"org":%q,"id":%q}`, r.org.ID, id))); err != nil ||
		len(r.asked()) != 0 {
		t.Errorf("the job: %v", err)
	}
	r.sql(`update public.budgets set tokens = 100000 where org_id = $1`, r.org.ID)
	if err := r.worker.Message(t.Context(), []byte(fmt.Sprintf(`{"org":%q,"id":%q}`, r.org.ID, id))); err != nil {
		t.Fatal(err)
	}
	r.is(id, object{"state": "done", "through": 6})
	use := r.sql(`select u.tokens, (select sum(l.tokens_in + l.tokens_out) from public.llm_usage_logs l where
		l.org_id = u.org_id)::bigint as logged,
		(select count(*) from public.budget_holds h where h.org_id = u.org_id) as held from public.budget_use u where
			u.org_id = $1`, r.org.ID)[0]
	if use["tokens"] != use["logged"] || fmt.Sprint(use["held"]) != "0" || use["tokens"].(int64) < 300 {
		t.Errorf("the job used %v", use)
	}
}
