package finance_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/bellhop-ai/bellhop/infra/local/localtest"
	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/effect"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/finance/cache"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/supabase"
	"github.com/bellhop-ai/bellhop/pkg/supabase/control"
	"github.com/bellhop-ai/bellhop/pkg/supabase/finance"
)

func TestMain(m *testing.M) { localtest.Main(m) }

// tenant is an organisation with the assistant and two instances of the cache, as
// of two processes.
type tenant struct {
	t            *testing.T
	org          localtest.Org
	client       *supabase.Client
	here, there  *cache.Cache
	today        calendar.Date
	admin, other identity.Caller // two administrators
	manager      identity.Caller
}

func newTenant(t *testing.T) *tenant {
	t.Helper()
	s := localtest.Stack(t)
	client, err := supabase.New(localtest.Config(t, s))
	if err != nil {
		t.Fatal(err)
	}
	org := localtest.NewOrg(t)
	localtest.Give(t, s, org.ID, "finance")
	by := func(p localtest.Person) identity.Caller {
		return identity.Caller{UserID: p.ID, OrgID: org.ID, Role: identity.Role(p.Role),
			Entity: identity.Entity{ID: org.Entity.ID}, Token: identity.Secret(p.Token)}
	}
	today, err := calendar.Parse("2026-11-22")
	if err != nil {
		t.Fatal(err)
	}
	return &tenant{t: t, org: org, client: client, today: today, admin: by(org.Admin), manager: by(org.Manager),
		other: by(localtest.NewPerson(t, s, org.ID, "admin", "Asha Testwright")),
		here:  cache.New(finance.NewResponses(client), 0), there: cache.New(finance.NewResponses(client), 0)}
}

func (n *tenant) question(by identity.Caller, text string) cache.Question {
	return cache.Question{By: by, Assistant: "finance", Pipeline: "api", Language: "en", Tools: "t1", Text: text,
		Today: n.today}
}

func (n *tenant) get(c *cache.Cache, q cache.Question) (*cache.Entry, *cache.Asked) {
	n.t.Helper()
	e, asked, err := c.Get(n.t.Context(), q)
	if err != nil {
		n.t.Fatal(err)
	}
	return e, asked
}

// put asks, and keeps an answer that was made of these tools.
func (n *tenant) put(q cache.Question, e cache.Entry) bool {
	n.t.Helper()
	_, asked := n.get(n.here, q)
	kept, err := n.here.Put(n.t.Context(), asked, cache.Turn{}, e)
	if err != nil {
		n.t.Fatal(err)
	}
	return kept
}

// has reports whether both instances answer the question.
func (n *tenant) has(q cache.Question) bool {
	n.t.Helper()
	here, _ := n.get(n.here, q)
	there, _ := n.get(n.there, q)
	if (here == nil) != (there == nil) {
		n.t.Errorf("%s: the instances differ: %v, %v", q.Text, here, there)
	}
	return here != nil
}

// claimed returns a context in which the assistant's tool writes.
func claimed(ctx context.Context, key, tool string) context.Context {
	return effect.With(ctx, effect.Claim{Key: key, ArgsHash: strings.Repeat("a", 64), Tool: tool, Turn: "t-1",
		Assistant: "finance"})
}

// S2-65: the response cache, by entity, digest of the question and time to live.
func TestAnAnswerIsForWhomItWasMade(t *testing.T) {
	t.Parallel()
	n := newTenant(t)
	asked := n.question(n.admin, "What is our cash today?")
	entry := cache.Entry{Text: "₹1,00,000.00 in two accounts.", Parts: []byte(`[{"kind":"table"}]`),
		Sources: []string{"get_cash_position"}, Intent: []byte(`{"name":"cash"}`),
		Tools: []string{"get_cash_position"}}
	if n.has(asked) {
		t.Fatal("there is an answer before the first")
	}
	if !n.put(asked, entry) {
		t.Fatal("the answer was not kept")
	}
	remote := n.admin
	remote.Remote = "own-token"
	visitor := n.admin
	visitor.Visitor = "v1"
	other := newTenant(t)
	with := func(change func(*cache.Question)) cache.Question {
		q := asked
		change(&q)
		return q
	}
	for name, tt := range map[string]struct {
		q    cache.Question
		want bool
	}{
		"the same words":     {n.question(n.admin, "  what is OUR cash today "), true},
		"the same role":      {n.question(n.other, "What is our cash today?"), true},
		"another role":       {n.question(n.manager, "What is our cash today?"), false},
		"another sentence":   {n.question(n.admin, "What is our cash 2 today?"), false},
		"a visitor":          {n.question(visitor, "What is our cash today?"), false},
		"another day":        {with(func(q *cache.Question) { q.Today = q.Today.AddDays(1) }), false},
		"other tools":        {with(func(q *cache.Question) { q.Tools = "t2" }), false},
		"another language":   {with(func(q *cache.Question) { q.Language = "hi" }), false},
		"another pipeline":   {with(func(q *cache.Question) { q.Pipeline = "realtime" }), false},
		"another entity":     {with(func(q *cache.Question) { q.By.Entity.ID = "" }), false},
		"another company":    {other.question(other.admin, "What is our cash today?"), false},
		"an own token there": {n.question(remote, "What is our cash today?"), false},
	} {
		if got := n.has(tt.q); got != tt.want {
			t.Errorf("%s: answered %v", name, got)
		}
	}
	got, _ := n.get(n.there, asked)
	if got.Text != entry.Text || string(got.Intent) != `{"name": "cash"}` || len(got.Sources) != 1 ||
		!strings.Contains(string(got.Parts), "table") || got.At.IsZero() {
		t.Errorf("the answer came back as %+v", got)
	}
	// The database does not rely on the digest: another organisation's member who
	// knows it, and another role's, get nothing.
	key := localtest.SQL(t, `select encode(key, 'hex') as key from public.response_cache where org_id = $1`, n.org.ID)
	if len(key) != 1 {
		t.Fatalf("kept %v", key)
	}
	for name, by := range map[string]identity.Caller{"another organisation": other.admin, "another role": n.manager} {
		kept, _, err := finance.NewResponses(n.client).Read(t.Context(), by, []string{key[0]["key"].(string)}, nil)
		if err != nil || kept != nil {
			t.Errorf("%s reads %v (%v)", name, kept, err)
		}
	}
}

func TestAnAnswerOfOnesOwnIsForOnePerson(t *testing.T) {
	t.Parallel()
	n := newTenant(t)
	remote := n.admin
	remote.Remote = "own-token"
	for name, by := range map[string]identity.Caller{"worded by a model": n.admin, "through an own token": remote} {
		q := n.question(by, "Who owes us "+name)
		if !n.put(q, cache.Entry{Text: "Nobody.", Tools: []string{"get_overdue_invoices"}, Worded: by.Remote == ""}) {
			t.Fatalf("%s: not kept", name)
		}
		theirs := q
		theirs.By.UserID, theirs.By.Token = n.other.UserID, n.other.Token
		if !n.has(q) || n.has(theirs) {
			t.Errorf("%s: mine %v, theirs %v", name, n.has(q), n.has(theirs))
		}
	}
	again := n.question(remote, "Who owes us through an own token")
	again.By.Remote = "another-token"
	if n.has(again) {
		t.Error("another token at the remote server gets the first one's answer")
	}
}

// S2-12: nothing is kept of a turn that wrote.
func TestWhatIsNotKept(t *testing.T) {
	t.Parallel()
	n := newTenant(t)
	q := n.question(n.admin, "Make an invoice")
	_, asked := n.get(n.here, q)
	for name, turn := range map[string]cache.Turn{"wrote": {Wrote: true}, "tainted": {Tainted: true},
		"in context": {Context: true}} {
		if kept, err := n.here.Put(t.Context(), asked, turn, cache.Entry{Text: "Done."}); err != nil || kept {
			t.Errorf("%s: kept %v (%v)", name, kept, err)
		}
	}
	large := cache.Entry{Text: strings.Repeat("x", cache.MaxEntry)}
	if kept, err := n.here.Put(t.Context(), asked, cache.Turn{}, large); err != nil || kept {
		t.Errorf("too large: kept %v (%v)", kept, err)
	}
	_, asked = n.get(n.here, n.question(n.admin, strings.Repeat("very long ", 200)))
	if kept, err := n.here.Put(t.Context(), asked, cache.Turn{}, cache.Entry{Text: "x"}); err != nil || kept {
		t.Errorf("too long a sentence: kept %v (%v)", kept, err)
	}
	if n.has(q) {
		t.Error("there is an answer")
	}
	// Only our functions keep answers: a member's own request is refused.
	plain, err := supabase.New(supabase.Config{URL: localtest.Config(t, localtest.Stack(t)).URL,
		PublishableKey: localtest.Config(t, localtest.Stack(t)).PublishableKey})
	if err != nil {
		t.Fatal(err)
	}
	_, err = finance.NewResponses(plain).Write(t.Context(), n.admin, cache.Write{Key: strings.Repeat("0", 64),
		Assistant: "finance", TTL: time.Minute, Answer: []byte(`{}`)})
	if err == nil || !strings.Contains(err.Error(), "proof_required") {
		t.Errorf("without a proof: %v", err)
	}
}

// S2-21: a write drops the answers that it may change, at every instance.
func TestAWriteDropsWhatItMayChange(t *testing.T) {
	t.Parallel()
	n := newTenant(t)
	box := control.NewOutbox(n.client)
	questions := map[string]string{"invoices": "get_all_invoices", "cash": "get_cash_position", "bills": "get_bills",
		"vendors": "get_all_vendors", "another server's": "list_rooms"}
	fill := func() {
		t.Helper()
		for text, tool := range questions {
			if q := n.question(n.admin, text); !n.put(q, cache.Entry{Text: text, Tools: []string{tool}}) || !n.has(q) {
				t.Fatalf("%s: not kept", text)
			}
		}
	}
	write := func(key, tool string, attempt func() error) error {
		_, err := effect.Once(claimed(t.Context(), key, tool), box, n.admin, effect.Outside{Kind: "mcp:ledger",
			Payload: map[string]string{}, Attempt: func(context.Context, string) (string, error) {
				return "",
					attempt()
			}})
		return err
	}
	left := func(what string, want ...string) {
		t.Helper()
		var got []string
		for _, text := range []string{"another server's", "bills", "cash", "invoices", "vendors"} {
			if n.has(n.question(n.admin, text)) {
				got = append(got, text)
			}
		}
		if strings.Join(got, ", ") != strings.Join(want, ", ") {
			t.Errorf("after %s: %v are left, want %v", what, got, want)
		}
	}

	fill()
	during := false
	err := write("act-invoice-1", "create_invoice", func() error {
		left("a write began", "bills", "vendors")
		// What is read while a write is on its way may be of before it.
		during = n.put(n.question(n.admin, "invoices"), cache.Entry{Text: "old", Tools: []string{"get_all_invoices"}})
		return nil
	})
	if err != nil || during {
		t.Errorf("an answer was kept during the write: %v (%v)", during, err)
	}
	left("an invoice", "bills", "vendors")

	fill()
	_, asked := n.get(n.here, n.question(n.admin, "invoices"))
	if err := write("act-invoice-2", "create_invoice", func() error { return nil }); err != nil {
		t.Fatal(err)
	}
	kept, err := n.here.Put(t.Context(), asked, cache.Turn{}, cache.Entry{Text: "old",
		Tools: []string{"get_all_invoices"}})
	if err != nil || kept {
		t.Errorf("an answer of before the write was kept after it: %v (%v)", kept, err)
	}

	fill()
	lost := write("act-lost-1", "create_invoice", func() error { return errors.New("connection reset") })
	if f := fault.From(lost); f == nil || f.Code != "outcome_unknown" {
		t.Fatal(lost)
	}
	left("a write of unknown outcome", "bills", "vendors")
	if n.put(n.question(n.admin, "invoices"), cache.Entry{Text: "old", Tools: []string{"get_all_invoices"}}) {
		t.Error("an answer was kept while the write may still arrive")
	}
	localtest.SQL(t, `update public.outbox set unknown_after = now() where org_id = $1`, n.org.ID)

	fill()
	if err := write("act-other-1", "reserve_room", func() error { return nil }); err != nil {
		t.Fatal(err)
	}
	left("a tool that is not known")

	fill()
	if err := n.here.Invalidate(t.Context(), n.admin, "create_customer"); err != nil {
		t.Fatal(err)
	}
	left("a customer", "bills", "cash", "vendors")

	fill()
	localtest.SQL(t, `update public.entities set name = 'Renamed' where org_id = $1 and kind = 'property'`, n.org.ID)
	left("a hotel's name", "another server's", "bills", "cash", "invoices", "vendors")
	localtest.SQL(t, `insert into public.mcp_servers (org_id, name, url, manifest)
		values ($1, 'ledger', 'https://ledger.example/mcp', 'ledger')`, n.org.ID)
	left("another ledger")
}

// S2-21: whatever a write and a question do at once, no answer of before the write is
// given after it.
func TestNoAnswerOutlivesAWriteBesideIt(t *testing.T) {
	t.Parallel()
	n := newTenant(t)
	box := control.NewOutbox(n.client)
	q := n.question(n.admin, "How many invoices are there?")
	var invoices atomic.Int64 // in the books
	kept := 0
	for round := range 25 {
		var both sync.WaitGroup
		both.Go(func() {
			key := fmt.Sprint("act-beside-", round)
			if _, err := effect.Once(claimed(t.Context(), key, "create_invoice"), box, n.admin, effect.Outside{
				Kind: "mcp:ledger", Payload: map[string]string{},
				Attempt: func(context.Context, string) (string, error) { invoices.Add(1); return "", nil },
			}); err != nil {
				t.Error(err)
			}
		})
		both.Go(func() {
			for range 3 {
				_, asked, err := n.here.Get(t.Context(), q)
				if err != nil {
					t.Error(err)
					return
				}
				e := cache.Entry{Text: fmt.Sprint(invoices.Load()), Tools: []string{"get_all_invoices"}}
				if _, err := n.here.Put(t.Context(), asked, cache.Turn{}, e); err != nil {
					t.Error(err)
				}
			}
		})
		both.Wait()
		if e, _ := n.get(n.there, q); e != nil {
			kept++
			if want := fmt.Sprint(invoices.Load()); e.Text != want {
				t.Fatalf("round %d: the answer is %s, and there are %s", round, e.Text, want)
			}
		}
	}
	if !n.put(q, cache.Entry{Text: "at rest", Tools: []string{"get_all_invoices"}}) {
		t.Error("an answer is not kept when nothing is written")
	}
	t.Logf("%d of 25 rounds ended with an answer", kept)
}

func TestAnswersExpire(t *testing.T) {
	t.Parallel()
	n := newTenant(t)
	q := n.question(n.admin, "What is our cash today?")
	if !n.put(q, cache.Entry{Text: "₹1", Tools: []string{"get_cash_position"}}) || !n.has(q) {
		t.Fatal("not kept")
	}
	localtest.SQL(t, `update public.response_cache set expires_at = now() where org_id = $1`, n.org.ID)
	if n.has(q) {
		t.Error("an expired answer is given")
	}
	if !n.put(q, cache.Entry{Text: "₹2", Tools: []string{"get_cash_position"}}) {
		t.Fatal("the new answer was not kept")
	}
	if e, _ := n.get(n.here, q); e == nil || e.Text != "₹2" {
		t.Errorf("got %+v", e)
	}
	localtest.SQL(t, `update public.response_cache set expires_at = now() where org_id = $1`, n.org.ID)
	localtest.SQL(t, `select app.clean_up_responses()`)
	if rows := localtest.SQL(t, `select from public.response_cache where org_id = $1`, n.org.ID); len(rows) != 0 {
		t.Errorf("%d rows are left", len(rows))
	}
}

// An organisation keeps its newest 500 answers.
func TestAnswersAreBounded(t *testing.T) {
	t.Parallel()
	n := newTenant(t)
	localtest.SQL(t, `insert into public.response_cache (org_id, key, assistant, role, modules, answer, created_at,
		expires_at)
		select $1, sha256(convert_to(i::text, 'UTF8')), 'finance', 'admin', '{}', '{}', now() - i * interval '1 s',
			now() + interval '1 h'
		from generate_series(1, 600) i`, n.org.ID)
	if !n.put(n.question(n.admin, "hello"), cache.Entry{Text: "Namaste."}) {
		t.Fatal("not kept")
	}
	rows := localtest.SQL(t, `select count(*) as n, min(created_at) > now() - interval '502 s' as newest
		from public.response_cache where org_id = $1`, n.org.ID)
	if rows[0]["n"] != int64(500) || rows[0]["newest"] != true {
		t.Errorf("there are %v", rows)
	}
}

// BenchmarkHit is an answer from the cache, the database's check included.
func BenchmarkHit(b *testing.B) {
	s := localtest.Stack(b)
	client, err := supabase.New(localtest.Config(b, s))
	if err != nil {
		b.Fatal(err)
	}
	org := localtest.NewOrg(b)
	localtest.Give(b, s, org.ID, "finance")
	c := cache.New(finance.NewResponses(client), 0)
	q := cache.Question{By: identity.Caller{UserID: org.Admin.ID, OrgID: org.ID, Role: identity.Admin,
		Token: identity.Secret(org.Admin.Token)}, Assistant: "finance", Text: "What is our cash today?"}
	_, asked, err := c.Get(b.Context(), q)
	if err != nil {
		b.Fatal(err)
	}
	kept, err := c.Put(b.Context(), asked, cache.Turn{}, cache.Entry{Text: strings.Repeat("₹1,000 ", 500)})
	if err != nil || !kept {
		b.Fatal(kept, err)
	}
	for b.Loop() {
		if e, _, err := c.Get(b.Context(), q); err != nil || e == nil {
			b.Fatal(e, err)
		}
	}
}
