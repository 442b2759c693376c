package control_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/google/uuid"

	"github.com/bellhop-ai/bellhop/infra/local/localtest"
	"github.com/bellhop-ai/bellhop/pkg/consent"
	"github.com/bellhop-ai/bellhop/pkg/effect"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/hospitality/extras"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/llm"
	"github.com/bellhop-ai/bellhop/pkg/supabase"
	"github.com/bellhop-ai/bellhop/pkg/supabase/control"
	"github.com/bellhop-ai/bellhop/pkg/supabase/hospitality"
	"github.com/bellhop-ai/bellhop/pkg/tool"
	"github.com/bellhop-ai/bellhop/pkg/turns"
)

func TestMain(m *testing.M) { localtest.Main(m) }

func setUp(t *testing.T) (*supabase.Client, identity.Caller, localtest.Org) {
	t.Helper()
	s := localtest.Stack(t)
	c, err := supabase.New(localtest.Config(t, s))
	if err != nil {
		t.Fatal(err)
	}
	org := localtest.NewOrg(t)
	return c, person(t, c, org.Manager), org
}

func person(t *testing.T, c *supabase.Client, p localtest.Person) identity.Caller {
	t.Helper()
	by, err := c.Whoami(t.Context(), identity.Secret(p.Token))
	if err != nil {
		t.Fatal(err)
	}
	by, _ = by.Choose("", "property")
	return by
}

func has(t *testing.T, err error, kind fault.Kind, code string) {
	t.Helper()
	if f := fault.From(err); f == nil || f.Kind != kind || f.Code != code {
		t.Errorf("got %v, want %s %q", err, kind, code)
	}
}

// F-01, F-03, F-07, F-08
func TestATurnIsRunOnceAndReplayed(t *testing.T) {
	t.Parallel()
	c, by, _ := setUp(t)
	store := control.NewTurns(c)
	start := turns.Start{Turn: "t-1", Fingerprint: "f-1", Assistant: "hospitality", Thread: "th-1", Lease: time.Minute}
	// Even a context that bears a claim must not make an effect of it.
	ctx := effect.With(t.Context(), effect.Claim{Key: "t-1:0:0", ArgsHash: "x", Tool: "create_extra"})

	begun, err := store.Begin(ctx, by, start)
	if err != nil || begun.Outcome != turns.New {
		t.Fatalf("first: %+v, %v", begun, err)
	}
	if begun, err = store.Begin(ctx, by, start); err != nil || begun.Outcome != turns.InFlight ||
		begun.RetryAfter <= 0 {
		t.Errorf("while it runs: %+v, %v", begun, err)
	}
	if err := store.Save(ctx, by, start, turns.Step{}, json.RawMessage(`{"text":"hello"}`)); err != nil {
		t.Error(err)
	}
	has(t, store.Save(ctx, by, start, turns.Step{}, json.RawMessage(`{"text":"another"}`)), fault.Conflict,
		"step_conflict")
	localtest.SQL(t, `update public.turns set lease_until = clock_timestamp() where org_id = $1`, by.OrgID)
	begun, err = store.Begin(ctx, by, start)
	if err != nil || begun.Outcome != turns.Resume || string(begun.Steps[turns.Step{}]) != `{"text": "hello"}` {
		t.Errorf("after its runner died: %+v, %v", begun, err)
	}
	if err := store.Finish(ctx, by, "t-1", turns.Finish{Reason: "stop", Frames: []byte("event: complete\n\n"),
		Usage: llm.Usage{In: 3}}); err != nil {
		t.Error(err)
	}
	if begun, err = store.Begin(ctx, by, start); err != nil || begun.Outcome != turns.Replay ||
		begun.Frames != "event: complete\n\n" {
		t.Errorf("after the end: %+v, %v", begun, err)
	}
	other := start
	other.Fingerprint = "f-2"
	if begun, err = store.Begin(ctx, by, other); err != nil || begun.Outcome != turns.Mismatch {
		t.Errorf("with another body: %+v, %v", begun, err)
	}
	late := turns.Start{Turn: "t-2", Fingerprint: "f", Assistant: "hospitality"}
	_, err = store.Begin(ctx, by, late)
	has(t, err, fault.Unprocessable, "no_time_left")
	if err := store.Finish(ctx, by, "never begun", turns.Finish{Reason: "stop"}); err != nil {
		t.Error(err)
	}
}

// F-36, F-37, S0-37: a proposed extra is added once, from the stored words.
func TestAProposalIsCarriedOutOnce(t *testing.T) {
	t.Parallel()
	c, by, org := setUp(t)
	store := control.NewProposals(c)
	service := &consent.Service{Store: store, NewID: uuid.NewString, Code: func() string { return "K7QM" }}
	create := extras.Tools(hospitality.NewExtras(c))[1]
	call, err := create.Prepare([]byte(`{"name":"Stargazing","price":45.50,"per":"guest"}`))
	if err != nil {
		t.Fatal(err)
	}
	at := consent.Where{Assistant: "hospitality", Agent: "inventory", Thread: "th-1", Turn: "t-1"}
	p, err := service.Propose(t.Context(), by, at, call)
	if err != nil {
		t.Fatal(err)
	}
	if p.State != consent.Pending || string(p.Arguments) != string(call.Arguments) ||
		p.ExpiresAt.Sub(p.CreatedAt) < 9*time.Minute || p.Tier != "MEDIUM" {
		t.Errorf("the proposal is %+v", p.Draft)
	}
	list, err := store.Proposals(t.Context(), by, consent.Query{Thread: "th-1", Code: "K7QM"})
	if err != nil || len(list) != 1 {
		t.Fatalf("the list is %v, %v", list, err)
	}
	if diff := cmp.Diff(p, list[0], cmpopts.IgnoreFields(tool.Preview{}, "Reads")); diff != "" {
		t.Errorf("listed otherwise (-made +listed):\n%s", diff)
	}
	// No one else sees it or may use it.
	admin := person(t, c, org.Admin)
	if list, err := store.Proposals(t.Context(), admin, consent.Query{ID: p.ID}); err != nil || len(list) != 0 {
		t.Errorf("somebody else sees %v, %v", list, err)
	}
	_, err = service.Execute(t.Context(), admin, p, create)
	has(t, err, fault.NotFound, "proposal_unknown")

	first, err := service.Execute(t.Context(), by, p, create)
	if err != nil || first.Text != "Added the extra Stargazing (STARGAZING): ₹45.50 per guest." {
		t.Fatalf("it says %q, %v", first.Text, err)
	}
	second, err := service.Execute(t.Context(), by, p, create)
	if err != nil || string(second.Data) != string(first.Data) {
		t.Errorf("a second click: %s, %v", second.Data, err)
	}
	if n := len(localtest.SQL(t, `select from public.extras where org_id = $1`, by.OrgID)); n != 1 {
		t.Errorf("there are %d extras", n)
	}
	if did, err := c.Outcome(t.Context(), by, p.ID); err != nil || did == nil || did.Proposal != p.ID {
		t.Errorf("the outcome is %+v, %v", did, err)
	}
	if did, err := c.Outcome(t.Context(), by, "nothing under this"); err != nil || did != nil {
		t.Errorf("an unknown key: %+v, %v", did, err)
	}
	if list, err := store.Proposals(t.Context(), by, consent.Query{ID: p.ID}); err != nil ||
		list[0].State != consent.Consumed {
		t.Errorf("afterwards: %v, %v", list, err)
	}
}

func TestAProposalEndsOtherwise(t *testing.T) {
	t.Parallel()
	c, by, _ := setUp(t)
	store := control.NewProposals(c)
	create := extras.Tools(hospitality.NewExtras(c))[1]
	codes := []string{"AAAA", "AAAA", "BBBB", "CCCC", "DDDD"}
	service := &consent.Service{Store: store, NewID: uuid.NewString,
		Code: func() string { code := codes[0]; codes = codes[1:]; return code }}
	propose := func(thread, name string) consent.Proposal {
		t.Helper()
		call, err := create.Prepare([]byte(`{"name":"` + name + `","price":1,"per":"stay"}`))
		if err != nil {
			t.Fatal(err)
		}
		p, err := service.Propose(t.Context(), by, consent.Where{Assistant: "hospitality", Thread: thread}, call)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	first := propose("th-1", "One")
	// The code is taken, so another one is drawn.
	if other := propose("th-2", "Two"); first.Code != "AAAA" || other.Code != "BBBB" {
		t.Errorf("the codes are %s and %s", first.Code, other.Code)
	}
	newer := propose("th-1", "Three")
	_, err := service.Execute(t.Context(), by, first, create)
	has(t, err, fault.Conflict, "proposal_closed")
	for range 2 {
		if p, err := store.Reject(t.Context(), by, newer.ID); err != nil || p.State != consent.Rejected {
			t.Errorf("rejected: %v, %v", p.State, err)
		}
	}
	_, err = service.Execute(t.Context(), by, newer, create)
	has(t, err, fault.Conflict, "proposal_closed")
	late := propose("th-3", "Four")
	localtest.SQL(t, `update public.proposals set expires_at = clock_timestamp() where org_id = $1 and id =
		$2::text::uuid`, by.OrgID, late.ID)
	_, err = service.Execute(t.Context(), by, late, create)
	has(t, err, fault.Gone, "proposal_expired")
	_, err = store.Reject(t.Context(), by, uuid.NewString())
	has(t, err, fault.NotFound, "proposal_unknown")
	if n := len(localtest.SQL(t, `select from public.extras where org_id = $1`, by.OrgID)); n != 0 {
		t.Errorf("%d extras were added", n)
	}
}

// F-14: the row that the preview showed has changed by the time of consent.
func TestAProposalKnowsTheVersionsThatItShowed(t *testing.T) {
	t.Parallel()
	c, by, _ := setUp(t)
	store := control.NewProposals(c)
	localtest.SQL(t, `insert into public.extras (org_id, entity_id, name, price) values ($1, $2, 'Kites', 1)`,
		by.OrgID, by.Entity.ID)
	create := extras.Tools(hospitality.NewExtras(c))[1]
	call, err := create.Prepare([]byte(`{"name":"One","price":1,"per":"stay"}`))
	if err != nil {
		t.Fatal(err)
	}
	p, err := store.Propose(t.Context(), by, consent.Draft{
		ID: uuid.NewString(), Assistant: "hospitality", Tool: "create_extra", Arguments: call.Arguments,
		Hash: call.Hash, Tier: "MEDIUM", Code: "AAAA",
		Preview: tool.Preview{Title: "x", Targets: []tool.Target{{Table: "extras", Key: "KITES", Version: 1}}},
	})
	if err != nil || !cmp.Equal(p.Preview.Targets, []tool.Target{{Table: "extras", Key: "KITES", Version: 1}}) {
		t.Fatalf("got %+v, %v", p.Draft, err)
	}
	localtest.SQL(t, `update public.extras set price = 2 where org_id = $1`, by.OrgID)
	service := &consent.Service{Store: store, NewID: uuid.NewString, Code: func() string { return "BBBB" }}
	_, err = service.Execute(t.Context(), by, p, create)
	has(t, err, fault.Conflict, "proposal_changed")
}

// Records of a third party are named, too: a newer question about one takes the
// place of an older one, and their versions are not ours to check.
func TestANewerQuestionAboutAThirdPartysRecordTakesItsPlace(t *testing.T) {
	t.Parallel()
	c, by, _ := setUp(t)
	store := control.NewProposals(c)
	propose := func(name, table, key, code string) (consent.Proposal, error) {
		t.Helper()
		return store.Propose(t.Context(), by, consent.Draft{
			ID: uuid.NewString(), Assistant: "hospitality", Thread: "th", Tool: name, Arguments: json.RawMessage(`{}`),
			Hash: "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a", Tier: "HIGH", Code: code,
			Preview: tool.Preview{Title: "x", Targets: []tool.Target{{Table: table, Key: key, Version: 3}}},
		})
	}
	older, err := propose("update_invoice", "ledger:invoice", "INV/26-27/0001", "AAAA")
	if err != nil {
		t.Fatal(err)
	}
	beside, err := propose("update_bill", "ledger:bill", "INV/26-27/0001", "BBBB")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := propose("void_invoice", "ledger:invoice", "INV/26-27/0001", "CCCC"); err != nil {
		t.Fatal(err)
	}
	for id, want := range map[string]consent.State{older.ID: consent.Superseded, beside.ID: consent.Pending} {
		if list, err := store.Proposals(t.Context(), by, consent.Query{ID: id}); err != nil || list[0].State != want {
			t.Errorf("%s is %v, want %s (%v)", list[0].Tool, list[0].State, want, err)
		}
	}
	for _, table := range []string{"ledger:", "Ledger:x", "ledger:x:y", "extras:"} {
		_, err := propose("x", table, "k", "DDDD")
		has(t, err, fault.Unprocessable, "bad_target")
	}
}

// Two questions about one row: the newer one takes the older one's place,
// whichever tools they are of.
func TestANewerQuestionAboutTheSameRowTakesItsPlace(t *testing.T) {
	t.Parallel()
	c, by, _ := setUp(t)
	store := control.NewProposals(c)
	localtest.SQL(t, `insert into public.extras (org_id, entity_id, name, price) values ($1, $2, 'Kites', 1), ($1,
		$2, 'Boats', 1)`, by.OrgID, by.Entity.ID)
	propose := func(thread, name, key, code string) consent.Proposal {
		t.Helper()
		p, err := store.Propose(t.Context(), by, consent.Draft{
			ID: uuid.NewString(), Assistant: "hospitality", Thread: thread, Tool: name,
			Arguments: json.RawMessage(`{}`),
			Hash:      "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a", Tier: "HIGH", Code: code,
			Preview: tool.Preview{Title: "x", Targets: []tool.Target{{Table: "extras", Key: key, Version: 1}}},
		})
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	older := propose("th", "update_extra", "KITES", "AAAA")
	elsewhere := propose("other", "update_extra", "KITES", "BBBB")
	beside := propose("th", "update_boat", "BOATS", "CCCC")
	propose("th", "delete_extra", "KITES", "DDDD")
	for id, want := range map[string]consent.State{older.ID: consent.Superseded, elsewhere.ID: consent.Pending,
		beside.ID: consent.Pending} {
		if list, err := store.Proposals(t.Context(), by, consent.Query{ID: id}); err != nil || list[0].State != want {
			t.Errorf("%s is %v, want %s (%v)", list[0].Tool, list[0].State, want, err)
		}
	}
}
