package planner_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/bellhop-ai/bellhop/infra/local/localtest"
	"github.com/bellhop-ai/bellhop/pkg/consent"
	"github.com/bellhop-ai/bellhop/pkg/effect"
	"github.com/bellhop-ai/bellhop/pkg/planner/plans"
	"github.com/bellhop-ai/bellhop/pkg/supabase/control"
	"github.com/bellhop-ai/bellhop/pkg/tool"
)

// Under the claim of a tool a choice happens once, and the same claim again shows what it is.
func TestAClaimedChoiceHappensOnce(t *testing.T) {
	t.Parallel()
	a := newAgency(t)
	by := a.viewer
	p := must[plans.Plan](t)(a.store.Record(t.Context(), by, "turn-1", "", finalized()))
	claim := func(tool string) context.Context {
		return effect.With(t.Context(), effect.Claim{Key: "test:" + uuid.NewString(), ArgsHash: strings.Repeat("a",
			64),
			Tool: tool, Turn: "turn-2", Assistant: "planner"})
	}
	ctx := claim("select_trip_option")
	for range 2 {
		now := must[plans.Plan](t)(a.store.Select(ctx, by, p.Trip, p.Version, p.Run, "opt-1", items("Trail")))
		if now.Option != "opt-1" || a.titles(p.Trip) != "Trail" {
			t.Errorf("the plan is %+v", now)
		}
	}
	ctx = claim("swap_trip_stay")
	for range 2 {
		set := found()
		set.Options[0].Title = "Swapped"
		now := must[plans.Plan](t)(a.store.Revise(ctx, by, p.Trip, 0, p.Run, *set, items("Trail", "Hotel")))
		if now.Option != "opt-1" || a.titles(p.Trip) != "Trail, Hotel" {
			t.Errorf("the plan is %+v", now)
		}
	}
	run := must[plans.Run](t)(a.store.Run(t.Context(), by, p.Trip, 0))
	if run.Options.Options[0].Title != "Swapped" || run.Number != p.Run {
		t.Errorf("the options are %+v", run.Options)
	}
	ctx = claim("share_trip_plan")
	first := must[plans.Share](t)(a.store.Share(ctx, by, p.Trip, "one", days(1)))
	// The same token is that of a request whose answer was lost.
	again := must[plans.Share](t)(a.store.Share(ctx, by, p.Trip, "one", days(1)))
	if first.Token != "one" || again != first {
		t.Errorf("the links are %+v and %+v", first, again)
	}
	_, err := a.store.Share(ctx, by, p.Trip, "two", days(1))
	wantCode(t, err, "link_made")
	ctx = claim("revoke_trip_share")
	for range 2 {
		if s := must[plans.Share](t)(a.store.Revoke(ctx, by, p.Trip, first.Code)); !s.Revoked {
			t.Errorf("the link is %+v", s)
		}
	}
	if done := must[*effect.Outcome](t)(a.client.Outcome(t.Context(), by, claimKey(ctx))); done == nil ||
		done.Tool != "revoke_trip_share" {
		t.Errorf("recorded is %+v", done)
	}
	// One that changes nothing is in the audit, too.
	must[plans.Plan](t)(a.store.Select(claim("select_trip_option"), by, p.Trip, 0, p.Run, "opt-1", items("Trail")))
	must[plans.Share](t)(a.store.Share(claim("share_trip_plan"), by, p.Trip, "one", days(1)))
	if n := localtest.SQL(t, `select count(*)::int as n from public.effects e where e.org_id = $1
		and not exists (select from public.audit a where a.org_id = e.org_id and a.effect_key = e.key)`,
		a.org.ID)[0]["n"]; n != int32(0) {
		t.Errorf("%v effects are not in the audit", n)
	}
	// What a tool that only reads plans is still written down.
	must[plans.Plan](t)(a.store.Record(effect.ReadOnly(t.Context()), by, "turn-3", p.Trip, plans.Run{Mode: "CLARIFY",
		Status: plans.Succeeded}))
}

// A yes to a choice holds for the plan that the preview showed, and is used up by the choice.
func TestAConsentHoldsForThePlanThatWasShown(t *testing.T) {
	t.Parallel()
	a := newAgency(t)
	ctx, by := t.Context(), a.viewer
	proposals := control.NewProposals(a.client)
	p := must[plans.Plan](t)(a.store.Record(ctx, by, "turn-1", "", finalized()))
	agree := func(code string) context.Context {
		shown, record := effect.Record(effect.ReadOnly(ctx))
		now := must[plans.Plan](t)(a.store.Plan(shown, by, p.Trip))
		must[plans.Run](t)(a.store.Run(shown, by, p.Trip, 0))
		reads := must[[]effect.Read](t)(record.Reads())
		sum := sha256.Sum256([]byte("{}"))
		hash := hex.EncodeToString(sum[:])
		made := must[consent.Proposal](t)(proposals.Propose(ctx, by, consent.Draft{ID: uuid.NewString(),
			Assistant: "planner", Thread: "th", Turn: "turn-2", Tool: "select_trip_option", Arguments: []byte("{}"),
			Hash: hash, Tier: "MEDIUM", Code: code, Preview: tool.Preview{Title: "Take it", Reads: reads,
				Targets: []tool.Target{{Table: "trip_plans", Key: now.Trip, Version: now.Version}}}}))
		return effect.With(ctx, effect.Claim{Key: "test:" + uuid.NewString(), ArgsHash: hash,
			Tool: "select_trip_option",
			Turn: "turn-3", Assistant: "planner", Proposal: made.ID})
	}
	yes := agree("AB12")
	p = must[plans.Plan](t)(a.store.Record(ctx, by, "turn-2", p.Trip, finalized()))
	_, err := a.store.Select(yes, by, p.Trip, 0, p.Run, "opt-1", items("x"))
	wantCode(t, err, "proposal_changed")
	if now := must[plans.Plan](t)(a.store.Plan(ctx, by, p.Trip)); now.Option != "" {
		t.Errorf("the plan is %+v", now)
	}
	yes = agree("CD34")
	for range 2 {
		p = must[plans.Plan](t)(a.store.Select(yes, by, p.Trip, 0, p.Run, "opt-1", slices.Repeat(items("Trail"), 150)))
		if p.Option != "opt-1" {
			t.Errorf("the plan is %+v", p)
		}
	}
	localtest.Invariants(t, localtest.Stack(t))
}

// A consented act has locked the plan before it locks the trip. Others lock in the same order,
// so that two choices at once wait for each other and never both.
func TestThePlanIsLockedBeforeTheTrip(t *testing.T) {
	t.Parallel()
	a := newAgency(t)
	ctx, by := t.Context(), a.viewer
	p := must[plans.Plan](t)(a.store.Record(ctx, by, "turn-1", "", finalized()))
	for name, change := range map[string]func() error{
		"record": func() error { return second(a.store.Record(ctx, by, "turn-2", p.Trip, finalized())) },
		"select": func() error { return second(a.store.Select(ctx, by, p.Trip, 0, 0, "opt-1", items("x"))) },
		"reset":  func() error { return second(a.store.Reset(ctx, by, p.Trip)) },
	} {
		conn := must[*pgx.Conn](t)(pgx.Connect(ctx, localtest.Stack(t).ConnString("postgres")))
		tx := must[pgx.Tx](t)(conn.Begin(ctx))
		must[pgconn.CommandTag](t)(tx.Exec(ctx, `select from public.trip_plans where org_id = $1 for no key update`,
			a.org.ID))
		done := make(chan error, 1)
		go func() { done <- change() }()
		for waits := 0; waits == 0 && ctx.Err() == nil; {
			if err := tx.QueryRow(ctx, `select count(*)::int from pg_stat_activity
				where pg_backend_pid() = any (pg_blocking_pids(pid))`).Scan(&waits); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := tx.Exec(ctx, `select from public.trips where org_id = $1 for no key update nowait`,
			a.org.ID); err != nil {
			t.Errorf("%s holds the trip while it waits for the plan: %v", name, err)
		}
		if err := tx.Rollback(ctx); err != nil {
			t.Error(err)
		}
		if err := <-done; err != nil && name != "select" { // which names no run
			t.Errorf("%s: %v", name, err)
		}
		conn.Close(ctx)
	}
}

func claimKey(ctx context.Context) string {
	c, _ := effect.From(ctx)
	return c.Key
}
