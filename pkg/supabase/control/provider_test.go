package control_test

import (
	"context"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/bellhop-ai/bellhop/infra/local/localtest"
	"github.com/bellhop-ai/bellhop/pkg/effect"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/limit"
	"github.com/bellhop-ai/bellhop/pkg/llm"
	"github.com/bellhop-ai/bellhop/pkg/supabase/control"
)

// F-56: twenty clients at once call a service of others: at no moment were more
// let through than the bucket holds and has been given since.
func TestAProviderIsCalledAtItsRate(t *testing.T) {
	t.Parallel()
	c, by, org := setUp(t)
	people := []identity.Caller{by, person(t, c, org.Admin), person(t, c, org.Viewer)}
	rate := limit.ProviderRate{Provider: "flights", Capacity: 5, PerSecond: 60}
	gate := limit.ProviderGate{Counter: control.NewLimits(c), Rate: rate}
	began := time.Now()
	var mu sync.Mutex
	var let []time.Duration
	var wg sync.WaitGroup
	for i := range 20 {
		wg.Go(func() {
			for range 3 {
				if err := gate.Wait(t.Context(), people[i%3]); err != nil {
					t.Error(err)
					return
				}
				mu.Lock()
				let = append(let, time.Since(began))
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	slices.Sort(let)
	if len(let) != 60 {
		t.Errorf("%d calls were let through", len(let))
	}
	for i, at := range let {
		if most := float64(rate.Capacity) + rate.PerSecond*at.Seconds(); float64(i+1) > most+0.1 {
			t.Errorf("after %v there were %d calls, more than %.1f", at, i+1, most)
		}
	}
	// Another organisation and another service have places of their own.
	other := person(t, c, localtest.NewOrg(t).Manager)
	now, cancel := context.WithDeadline(t.Context(), time.Now().Add(10*time.Second))
	defer cancel()
	for by, rate := range map[*identity.Caller]limit.ProviderRate{&other: rate, &by: {Provider: "trains", Capacity: 1,
		PerSecond: 1}} {
		if wait, ok, err := control.NewLimits(c).TakeProvider(now, *by, rate, 0); wait != 0 || !ok || err != nil {
			t.Errorf("%s: %v, %v, %v", rate.Provider, wait, ok, err)
		}
	}
}

// No one waits beyond the deadline: the refusal comes at once, says when there is
// a place, and takes none.
func TestAProviderThatIsBusyIsNotWaitedForTooLong(t *testing.T) {
	t.Parallel()
	c, by, _ := setUp(t)
	gate := limit.ProviderGate{Counter: control.NewLimits(c), Rate: limit.ProviderRate{Provider: "ledger", Capacity: 1,
		PerSecond: 0.05}}
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
	defer cancel()
	if err := gate.Wait(ctx, by); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		err := gate.Wait(ctx, by)
		has(t, err, fault.Limited, "provider_rate_limited")
		if f := fault.From(err); f.RetryAfter <= 15*time.Second || f.RetryAfter > 20*time.Second {
			t.Errorf("it says to come back after %v", f.RetryAfter)
		}
	}
	if ctx.Err() != nil {
		t.Error("it waited")
	}
	for _, bad := range []limit.ProviderRate{{}, {Provider: "x", Capacity: -1, PerSecond: 1},
		{Provider: "x", Capacity: 1}, {Provider: "X Y", Capacity: 1, PerSecond: 1}} {
		_, _, err := control.NewLimits(c).TakeProvider(ctx, by, bad, time.Second)
		has(t, err, fault.Unprocessable, "bad_rate")
	}
	if err := (limit.ProviderGate{}).Wait(ctx, by); err != nil {
		t.Error(err)
	}
	// A tool that only reads takes its place, too.
	gate.Rate.Provider = "flights"
	if err := gate.Wait(effect.ReadOnly(ctx), by); err != nil {
		t.Error(err)
	}
}

// F-70: what a process held that died comes back within thirty seconds; a call
// that takes longer keeps its hold, and figures that come late still count.
func TestABudgetHeldByADeadProcessComesBack(t *testing.T) {
	t.Parallel()
	c, by, _ := setUp(t)
	store := control.NewLimits(c)
	localtest.SQL(t, `insert into public.budgets (org_id, period, tokens) values ($1, 'day', 1000), ($1, 'month',
		5000)`, by.OrgID)
	reserve := func(in int) (limit.Hold, error) {
		return store.Reserve(t.Context(), by, limit.Estimate{Model: "some-model", In: in})
	}
	pass := func() {
		localtest.SQL(t, `update public.budget_holds set until = until - interval '30 seconds' where org_id = $1`,
			by.OrgID)
	}
	dead, err := reserve(900)
	if err != nil {
		t.Fatal(err)
	}
	_, err = reserve(200)
	has(t, err, fault.Limited, llm.Exhausted)
	pass()
	alive, err := reserve(800)
	if err != nil {
		t.Fatalf("thirty seconds later: %v", err)
	}
	pass()
	if err := store.Prolong(t.Context(), by, alive); err != nil {
		t.Fatal(err)
	}
	_, err = reserve(300)
	has(t, err, fault.Limited, llm.Exhausted)
	// The first was not dead after all. What it used counts, once.
	for range 2 {
		if err := store.Settle(t.Context(), by, settled(dead, "some-model", llm.Usage{In: 100})); err != nil {
			t.Fatal(err)
		}
	}
	if err := store.Settle(t.Context(), by, settled(alive, "some-model", llm.Usage{In: 50})); err != nil {
		t.Fatal(err)
	}
	for _, period := range []string{"day", "month"} {
		if tokens, _ := used(t, by.OrgID, period); tokens != 150 {
			t.Errorf("%d tokens are spent in the %s", tokens, period)
		}
	}
}

// F-70: a call that runs for long prolongs its hold until it ends.
func TestARunningCallKeepsItsHold(t *testing.T) {
	t.Parallel()
	c, by, _ := setUp(t)
	localtest.SQL(t, `insert into public.budgets (org_id, period, tokens) values ($1, 'day', 1000)`, by.OrgID)
	by, err := c.Whoami(t.Context(), by.Token)
	if err != nil {
		t.Fatal(err)
	}
	prolonged := make(chan struct{}, 100)
	meter := limit.Meter{Budget: watched{control.NewLimits(c), prolonged}, Beat: time.Millisecond}
	err = meter.Spend(t.Context(), by, limit.Estimate{Model: "some-model", In: 600}, func() (string, llm.Usage,
		error) {
		localtest.SQL(t, `update public.budget_holds set until = clock_timestamp() - interval '1 second' where
			org_id = $1`, by.OrgID)
		for len(prolonged) > 0 {
			<-prolonged // of before the update
		}
		<-prolonged
		<-prolonged // the second began after the update
		if n := len(localtest.SQL(t, `select from public.budget_holds where org_id = $1 and until >
			clock_timestamp() + interval '20 seconds'`, by.OrgID)); n != 1 {
			t.Errorf("%d holds are prolonged", n)
		}
		return "some-model", llm.Usage{In: 10}, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if tokens, _ := used(t, by.OrgID, "day"); tokens != 10 {
		t.Errorf("%d tokens are spent", tokens)
	}
}

// watched tells of each time that a hold was prolonged.
type watched struct {
	control.Limits
	prolonged chan struct{}
}

func (w watched) Prolong(ctx context.Context, by identity.Caller, h limit.Hold) error {
	err := w.Limits.Prolong(ctx, by, h)
	select {
	case w.prolonged <- struct{}{}:
	default:
	}
	return err
}
