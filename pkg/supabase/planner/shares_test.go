package planner_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/bellhop-ai/bellhop/infra/local/localtest"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/planner/plans"
	"github.com/bellhop-ai/bellhop/pkg/planner/specialists"
	"github.com/bellhop-ai/bellhop/pkg/supabase"
	"github.com/bellhop-ai/bellhop/pkg/supabase/planner"
	"github.com/bellhop-ai/bellhop/pkg/travel/itinerary"
)

func days(n int) time.Time { return time.Now().Add(time.Duration(n) * 24 * time.Hour) }

// A link shows the plan without what is personal, until it ends.
func TestALinkShowsThePlanUntilItEnds(t *testing.T) {
	t.Parallel()
	a := newAgency(t)
	ctx, by := t.Context(), a.viewer
	const token, other = "Zk3mPq0vT1xY8wRb5nLc2d", "Aq9sXw2eDc4rFv6tGb8yHn"
	p := must[plans.Plan](t)(a.store.Record(ctx, by, "turn-1", "", plans.Run{Mode: "CLARIFY",
		Status: plans.Succeeded}))
	_, err := a.store.Share(ctx, by, p.Trip, token, days(7))
	wantCode(t, err, "nothing_to_share")
	p = must[plans.Plan](t)(a.store.Record(ctx, by, "turn-2", p.Trip, finalized()))
	must[itinerary.Trip](t)(a.trips.Rename(ctx, by, p.Trip, 0, "Joan's birthday"))
	for _, expires := range []time.Time{days(-1), days(181)} {
		_, err = a.store.Share(ctx, by, p.Trip, token, expires)
		wantCode(t, err, "bad_expiry")
	}
	s := must[plans.Share](t)(a.store.Share(ctx, by, p.Trip, token, days(7)))
	if s.Code != "SH-1" || s.Token != token || s.Revoked || s.Made.IsZero() || s.Expires.Before(days(6)) {
		t.Errorf("the link is %+v", s)
	}
	// The same again, as after a lost answer, is the same link.
	if twice := must[plans.Share](t)(a.store.Share(ctx, by, p.Trip, token, days(9))); twice != s {
		t.Errorf("the same token made %+v, not %+v", twice, s)
	}
	must[plans.Share](t)(a.store.Share(ctx, by, p.Trip, other, days(180)))
	list := must[[]plans.Share](t)(a.store.Shares(ctx, by, p.Trip))
	if len(list) != 2 || list[0].Code != "SH-2" || list[1].Code != "SH-1" || list[0].Token+list[1].Token != "" {
		t.Errorf("the links are %+v", list)
	}
	kept := localtest.SQL(t, `select coalesce(string_agg(s::text, ' '), '') as all from public.trip_shares s
		where org_id = $1`, a.org.ID)[0]["all"].(string)
	if kept == "" || strings.Contains(kept, token) || strings.Contains(kept, other) {
		t.Errorf("kept of the tokens is %s", kept)
	}

	shown := must[plans.Public](t)(a.links.Open(ctx, token))
	if !strings.HasPrefix(shown.Title, "Boston") || shown.Option != "" || len(shown.Options.Options) != 2 ||
		len(shown.Context.Destinations) != 1 || shown.Context.Origin == nil || !shown.Expires.Equal(s.Expires) {
		t.Errorf("shown is %+v", shown)
	}
	raw, _ := json.Marshal(shown)
	for _, personal := range []string{"Joan", "Bob", "osher", "mustDo", "needs", "step-free", "children", "K7M2-3",
		p.Trip, by.UserID, by.OrgID,
		"offer", a.org.Viewer.Email} {
		if strings.Contains(string(raw), personal) {
			t.Errorf("the link shows %q: %s", personal, raw)
		}
	}
	day := shown.Options.Options[0].Itinerary.Days[0]
	if day.Title != "something of their own, then the harbour" || day.Activities[0].Name != "Freedom Trail" ||
		day.Activities[1].Detail != "a deli" ||
		len(shown.Options.Assumptions) != 1 || len(shown.Options.Options[0].Gaps) != 1 {
		t.Errorf("shown are %+v and %+v", day, shown.Options)
	}
	p = must[plans.Plan](t)(a.store.Select(ctx, by, p.Trip, 0, p.Run, "opt-2", items("Aquarium")))
	if shown = must[plans.Public](t)(a.links.Open(ctx, token)); shown.Option != "opt-2" {
		t.Errorf("selected is %q", shown.Option)
	}

	ended := must[plans.Share](t)(a.store.Revoke(ctx, by, p.Trip, "sh-1"))
	if !ended.Revoked || ended.Code != "SH-1" {
		t.Errorf("the ended link is %+v", ended)
	}
	_, err = a.store.Revoke(ctx, by, p.Trip, "SH-7")
	wantCode(t, err, "share_not_found")
	closed := func(why, token string) {
		t.Helper()
		_, err := a.links.Open(ctx, token)
		wantCode(t, err, "link_not_found")
		if t.Failed() {
			t.Log(why)
		}
	}
	closed("revoked", token)
	closed("unknown", "nothing")
	must[plans.Public](t)(a.links.Open(ctx, other))
	localtest.SQL(t, `update public.trip_shares set expires_at = now() where org_id = $1 returning 1`, a.org.ID)
	closed("expired", other)
	localtest.SQL(t, `update public.trip_shares set expires_at = now() + interval '1 day' where org_id = $1
		returning 1`, a.org.ID)
	must[plans.Public](t)(a.links.Open(ctx, other))
	localtest.Take(t, localtest.Stack(t), a.org.ID, "planner")
	closed("the organisation has no planner", other)
	localtest.Give(t, localtest.Stack(t), a.org.ID, "planner")
	must[plans.Plan](t)(a.store.Reset(ctx, by, p.Trip))
	closed("nothing is current", other)
	must[plans.Plan](t)(a.store.Record(ctx, by, "turn-3", p.Trip, finalized()))
	must[plans.Public](t)(a.links.Open(ctx, other))
	localtest.SQL(t, `update public.memberships set ends_at = now() where org_id = $1 and user_id = $2 returning 1`,
		a.org.ID, by.UserID)
	closed("its maker left", other)
}

// Twenty links work at once, and ended ones do not count.
func TestLinksAreFew(t *testing.T) {
	t.Parallel()
	a := newAgency(t)
	ctx, by := t.Context(), a.manager
	p := must[plans.Plan](t)(a.store.Record(ctx, by, "turn-1", "", finalized()))
	for n := range 20 {
		must[plans.Share](t)(a.store.Share(ctx, by, p.Trip, fmt.Sprint("token ", n), days(1)))
	}
	_, err := a.store.Share(ctx, by, p.Trip, "one more", days(1))
	wantCode(t, err, "too_many_shares")
	must[plans.Share](t)(a.store.Revoke(ctx, by, p.Trip, "SH-3"))
	if s := must[plans.Share](t)(a.store.Share(ctx, by, p.Trip, "one more", days(1))); s.Code != "SH-21" {
		t.Errorf("the next is %s", s.Code)
	}
}

// Companions of the trip read its plan and change nothing of it; others do not know of it.
func TestAPlanBelongsToItsOwner(t *testing.T) {
	t.Parallel()
	a, elsewhere := newAgency(t), newAgency(t)
	ctx := t.Context()
	p := must[plans.Plan](t)(a.store.Record(ctx, a.viewer, "turn-1", "", finalized()))
	token := uuid.NewString()
	must[plans.Share](t)(a.store.Share(ctx, a.viewer, p.Trip, token, days(1)))
	reads := map[string]func(by identity.Caller) error{
		"plan": func(by identity.Caller) error { return second(a.store.Plan(ctx, by, p.Trip)) },
		"runs": func(by identity.Caller) error { return second(a.store.Runs(ctx, by, p.Trip)) },
		"run":  func(by identity.Caller) error { return second(a.store.Run(ctx, by, p.Trip, 0)) },
	}
	writes := map[string]func(by identity.Caller) error{
		"record": func(by identity.Caller) error {
			return second(a.store.Record(ctx, by, "turn-2", p.Trip,
				finalized()))
		},
		"again": func(by identity.Caller) error {
			return second(a.store.Record(ctx, by, "turn-1", p.Trip,
				finalized()))
		},
		"select": func(by identity.Caller) error {
			return second(a.store.Select(ctx, by, p.Trip, 0, p.Run, "opt-1", items("x")))
		},
		"revise": func(by identity.Caller) error {
			return second(a.store.Revise(ctx, by, p.Trip, 0, p.Run, *found(), items("x")))
		},
		"reset":  func(by identity.Caller) error { return second(a.store.Reset(ctx, by, p.Trip)) },
		"share":  func(by identity.Caller) error { return second(a.store.Share(ctx, by, p.Trip, "t", days(1))) },
		"same":   func(by identity.Caller) error { return second(a.store.Share(ctx, by, p.Trip, token, days(1))) },
		"shares": func(by identity.Caller) error { return second(a.store.Shares(ctx, by, p.Trip)) },
		"revoke": func(by identity.Caller) error { return second(a.store.Revoke(ctx, by, p.Trip, "SH-1")) },
	}
	for _, by := range []identity.Caller{a.admin, a.manager, elsewhere.admin, elsewhere.viewer} {
		for _, all := range []map[string]func(identity.Caller) error{reads, writes} {
			for name, try := range all {
				t.Log(name)
				wantCode(t, try(by), "trip_not_found")
			}
		}
		if list := must[[]plans.Plan](t)(a.store.Plans(ctx, by)); len(list) != 0 {
			t.Errorf("another user's plans are %+v", list)
		}
	}
	must[itinerary.Trip](t)(a.trips.Share(ctx, a.viewer, p.Trip, a.org.Manager.Email))
	for name, try := range reads {
		if err := try(a.manager); err != nil {
			t.Errorf("a companion's %s: %v", name, err)
		}
	}
	for name, try := range writes {
		t.Log(name)
		wantCode(t, try(a.manager), "not_yours")
	}
	// A companion sees the options, and not the words that led to them.
	seen := must[plans.Run](t)(a.store.Run(ctx, a.manager, p.Trip, 0))
	runs := must[[]plans.Run](t)(a.store.Runs(ctx, a.manager, p.Trip))
	if len(seen.Options.Options) != 2 || seen.UserMessage+runs[0].UserMessage != "" || seen.Output != nil ||
		len(seen.Messages) != 0 || seen.Context.Budget == "" {
		t.Errorf("a companion sees %+v and %+v", seen, runs)
	}
	list := must[[]plans.Plan](t)(a.store.Plans(ctx, a.manager))
	if len(list) != 1 || list[0].Mine || list[0].Trip != p.Trip {
		t.Errorf("a companion's plans are %+v", list)
	}
	now := must[plans.Plan](t)(a.store.Plan(ctx, a.viewer, p.Trip))
	if now.Version != p.Version+1 { // the link
		t.Errorf("the plan became %+v", now)
	}
	if err := a.trips.Delete(ctx, a.viewer, p.Trip, 0); err != nil {
		t.Error(err)
	}
	_, err := a.links.Open(ctx, token)
	wantCode(t, err, "link_not_found")
	if left := localtest.SQL(t, `select (select count(*) from public.trip_runs where org_id = $1)
		+ (select count(*) from public.trip_messages where org_id = $1)
		+ (select count(*) from public.trip_plans where org_id = $1) as n`,
		a.org.ID)[0]["n"]; fmt.Sprint(left) != "0" {
		t.Errorf("of a deleted trip %v rows are left", left)
	}
}

func second[T any](_ T, err error) error { return err }

// A person's own token reaches plans as they are, and nothing that needs the proof.
func TestOnlyOurFunctionsKeepPlans(t *testing.T) {
	t.Parallel()
	a := newAgency(t)
	ctx, by := t.Context(), a.viewer
	p := must[plans.Plan](t)(a.store.Record(ctx, by, "turn-1", "", finalized()))
	must[plans.Share](t)(a.store.Share(ctx, by, p.Trip, "the token", days(1)))
	cfg := localtest.Config(t, localtest.Stack(t))
	cfg.Proof = nil
	bare := must[*supabase.Client](t)(supabase.New(cfg))
	store := planner.NewPlans(bare)
	for name, err := range map[string]error{
		"record": second(store.Record(ctx, by, "turn-2", p.Trip, finalized())),
		"runs":   second(store.Runs(ctx, by, p.Trip)),
		"run":    second(store.Run(ctx, by, p.Trip, 0)),
		"select": second(store.Select(ctx, by, p.Trip, 0, p.Run, "opt-1", items("x"))),
		"revise": second(store.Revise(ctx, by, p.Trip, 0, p.Run, *found(), nil)),
		"reset":  second(store.Reset(ctx, by, p.Trip)),
		"share":  second(store.Share(ctx, by, p.Trip, "t", days(1))),
		"shares": second(store.Shares(ctx, by, p.Trip)),
		"revoke": second(store.Revoke(ctx, by, p.Trip, "SH-1")),
		"open":   second(planner.NewLinks(bare).Open(ctx, "the token")),
	} {
		t.Log(name)
		wantCode(t, err, "proof_required")
	}
	if now, err := store.Plan(ctx, by, p.Trip); err != nil || now.Trip != p.Trip {
		t.Errorf("the plan: %+v, %v", now, err)
	}
}

// What is too long is left out, beginning with what matters least.
func TestLongRunsAreKept(t *testing.T) {
	t.Parallel()
	a := newAgency(t)
	ctx, by := t.Context(), a.viewer
	r := finalized()
	r.UserMessage = strings.Repeat("é", 9000)
	r.Output = []byte(`"` + strings.Repeat("x", 70<<10) + `"`)
	long := specialists.Recommendation{Code: "S1", Name: strings.Repeat("n", 10<<10)}
	for range 20 {
		r.Messages[0].Output.Recommendations = append(r.Messages[0].Output.Recommendations, long)
	}
	for i := range r.Options.Options {
		stays := &r.Options.Options[i].Itinerary.AlternativeOptions.Stays
		for range 30 {
			*stays = append(*stays, long)
		}
	}
	p := must[plans.Plan](t)(a.store.Record(ctx, by, "turn-1", "", r))
	kept := must[plans.Run](t)(a.store.Run(ctx, by, p.Trip, 0))
	if n := len(kept.Options.Options[0].Itinerary.AlternativeOptions.Stays); n == 0 || n > 18 {
		t.Errorf("%d alternatives were kept", n)
	}
	if n := len(kept.Messages[0].Output.Recommendations); n == 0 || n > 12 {
		t.Errorf("%d recommendations were kept", n)
	}
	if len([]rune(kept.UserMessage)) != 8000 || kept.Output != nil ||
		len(r.Options.Options[0].Itinerary.AlternativeOptions.Stays) != 30 {
		t.Errorf("kept are %d letters and the output %.20q", len([]rune(kept.UserMessage)), kept.Output)
	}
	r.Options.Options[0].Description = strings.Repeat("d", 400<<10)
	_, err := a.store.Record(ctx, by, "turn-2", p.Trip, r)
	wantCode(t, err, "plans_too_long")
}

// Of a trip 200 runs are kept: those with options outlive the others.
func TestRunsAreBounded(t *testing.T) {
	t.Parallel()
	a := newAgency(t)
	ctx, by := t.Context(), a.viewer
	p := must[plans.Plan](t)(a.store.Record(ctx, by, "turn-1", "", finalized()))
	localtest.SQL(t, `insert into public.trip_runs (org_id, trip_id, number, key, user_message, mode, status, context)
		select r.org_id, r.trip_id, n, 'old ' || n, '', 'CLARIFY', 'success', '{}'
		from public.trip_runs r, generate_series(2, 200) n where r.org_id = $1 returning 1`, a.org.ID)
	localtest.SQL(t, `update public.trip_plans set runs = 200 where org_id = $1 returning 1`, a.org.ID)
	must[plans.Plan](t)(a.store.Record(ctx, by, "turn-2", p.Trip, finalized()))
	list := must[[]plans.Run](t)(a.store.Runs(ctx, by, p.Trip))
	if len(list) != 200 || list[0].Number != 201 || list[199].Number != 1 || list[198].Number != 3 {
		t.Errorf("%d runs are kept, the last %d and %d", len(list), list[198].Number, list[199].Number)
	}
}

// What ended long ago is forgotten; what is current stays whole.
func TestOldLinksAndFindingsAreForgotten(t *testing.T) {
	t.Parallel()
	a := newAgency(t)
	ctx, by := t.Context(), a.viewer
	p := must[plans.Plan](t)(a.store.Record(ctx, by, "turn-1", "", finalized()))
	must[plans.Plan](t)(a.store.Record(ctx, by, "turn-2", p.Trip, finalized()))
	for n, token := range []string{"old", "ended", "new"} {
		must[plans.Share](t)(a.store.Share(ctx, by, p.Trip, token, days(n+1)))
	}
	localtest.SQL(t, `update public.trip_runs set created_at = now() - interval '91 days' where org_id = $1
		returning 1`, a.org.ID)
	localtest.SQL(t, `update public.trip_shares set
		expires_at = case code when 'SH-1' then now() - interval '31 days' else expires_at end,
		revoked_at = case code when 'SH-2' then now() - interval '31 days' end where org_id = $1 returning 1`,
		a.org.ID)
	localtest.SQL(t, `select app.clean_up_plans()`)
	if list := must[[]plans.Share](t)(a.store.Shares(ctx, by, p.Trip)); len(list) != 1 || list[0].Code != "SH-3" {
		t.Errorf("the links are %+v", list)
	}
	for number, want := range map[int]int{1: 0, 2: 1} {
		r := must[plans.Run](t)(a.store.Run(ctx, by, p.Trip, number))
		if len(r.Messages) != want || r.Options == nil {
			t.Errorf("run %d has %d messages", number, len(r.Messages))
		}
	}
}
