package control_test

import (
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/bellhop-ai/bellhop/infra/local/localtest"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/limit"
	"github.com/bellhop-ai/bellhop/pkg/llm"
	"github.com/bellhop-ai/bellhop/pkg/supabase"
	"github.com/bellhop-ai/bellhop/pkg/supabase/control"
)

func TestRequestsAreCountedForPeopleAndOrganisations(t *testing.T) {
	t.Parallel()
	c, by, org := setUp(t)
	admin := person(t, c, org.Admin)
	store := control.NewLimits(c)
	take := func(by identity.Caller, door string, r identity.Rate) limit.Take {
		t.Helper()
		took, err := store.Take(t.Context(), by, door, r)
		if err != nil {
			t.Fatal(err)
		}
		return took
	}
	// Three a minute is one in twenty seconds, so the fourth waits that long.
	three := identity.Rate{User: 3}
	for i := range 3 {
		if took := take(by, "chat", three); took.Wait != 0 {
			t.Errorf("request %d has to wait %v", i+1, took.Wait)
		}
	}
	if took := take(by, "chat", three); took.Wait <= 15*time.Second || took.Wait > 20*time.Second || took.Org {
		t.Errorf("the fourth: %+v", took)
	}
	if took := take(admin, "chat", three); took.Wait != 0 {
		t.Errorf("somebody else waits for it: %+v", took)
	}
	if took := take(by, "tools", three); took.Wait != 0 {
		t.Errorf("another door is closed too: %+v", took)
	}
	localtest.SQL(t, `update public.rate_buckets set at = at - interval '20 seconds' where org_id = $1`, by.OrgID)
	if took := take(by, "chat", three); took.Wait != 0 {
		t.Errorf("twenty seconds later: %+v", took)
	}
	if took := take(by, "chat", three); took.Wait == 0 {
		t.Error("twenty seconds later there were two places")
	}
	// Two users of the organisation, of any role.
	two := identity.Rate{User: 10, Org: 2}
	take(by, "both", two)
	take(admin, "both", two)
	if took := take(by, "both", two); took.Wait <= 25*time.Second || took.Wait > 30*time.Second || !took.Org {
		t.Errorf("the organisation's third: %+v", took)
	}
	// A clock that was set back does not close the endpoint for long.
	localtest.SQL(t, `update public.rate_buckets set at = at + interval '1 day' where org_id = $1 and bucket = 'both'`,
		by.OrgID)
	if took := take(by, "both", two); took.Wait != 0 {
		t.Errorf("after the clock was set back: %+v", took)
	}
}

// F-56: a tenant that is refused does not take places of another, and of many
// requests at once exactly as many get in as there are places.
func TestAFloodLetsInWhatItMay(t *testing.T) {
	t.Parallel()
	c, by, _ := setUp(t)
	quiet := person(t, c, localtest.NewOrg(t).Manager)
	store := control.NewLimits(c)
	rate := identity.Rate{User: 1000, Org: 5}
	var in atomic.Int32
	var wg sync.WaitGroup
	for range 50 {
		wg.Go(func() {
			took, err := store.Take(t.Context(), by, "chat", rate)
			if err != nil {
				t.Error(err)
			} else if took.Wait == 0 {
				in.Add(1)
			}
		})
	}
	if took, err := store.Take(t.Context(), quiet, "chat", rate); err != nil || took.Wait != 0 {
		t.Errorf("the quiet tenant: %+v, %v", took, err)
	}
	wg.Wait()
	if in.Load() != 5 {
		t.Errorf("%d got in", in.Load())
	}
}

func TestAGateSaysWhoAskedTooOften(t *testing.T) {
	t.Parallel()
	c, by, _ := setUp(t)
	gate := limit.Gate{Counter: control.NewLimits(c), Door: "chat", Rate: identity.Rate{User: 1}}
	if err := gate.Admit(t.Context(), by); err != nil {
		t.Error(err)
	}
	err := gate.Admit(t.Context(), by)
	has(t, err, fault.Limited, "user_rate_limited")
	if f := fault.From(err); f != nil && f.RetryAfter <= 0 {
		t.Error("it does not say when to come back")
	}
	// The organisation's own row takes the place of the setting.
	localtest.SQL(t, `insert into public.rate_limits (org_id, door, per_user, per_org) values ($1, 'chat', 0, 1)`,
		by.OrgID)
	by, err = c.Whoami(t.Context(), by.Token)
	if err != nil {
		t.Fatal(err)
	}
	if err := gate.Admit(t.Context(), by); err != nil {
		t.Error(err)
	}
	has(t, gate.Admit(t.Context(), by), fault.Limited, "org_rate_limited")
	if err := (limit.Gate{}).Admit(t.Context(), by); err != nil {
		t.Error(err)
	}
}

func used(t *testing.T, org, period string) (tokens int64, cost string) {
	t.Helper()
	rows := localtest.SQL(t, `select tokens, cost::text as cost from public.budget_use where org_id = $1 and period
		= $2`, org, period)
	if len(rows) != 1 {
		t.Fatalf("the use of the %s is %v", period, rows)
	}
	return rows[0]["tokens"].(int64), rows[0]["cost"].(string)
}

func settled(h limit.Hold, model string, used llm.Usage) limit.Settlement {
	return limit.Settlement{Hold: h, Model: model, Used: used}
}

// F-55: of twenty calls at once as many are let through as fit, and not one
// more. 1,000 + 500 tokens fit six times into 10,000.
func TestABudgetIsReservedBeforeItIsSpent(t *testing.T) {
	t.Parallel()
	c, by, _ := setUp(t)
	store := control.NewLimits(c)
	localtest.SQL(t, `insert into public.budgets (org_id, period, tokens) values ($1, 'day', 10000), ($1, 'month',
		1000000)`, by.OrgID)
	var mu sync.Mutex
	var holds []limit.Hold
	var wg sync.WaitGroup
	for range 20 {
		wg.Go(func() {
			hold, err := store.Reserve(t.Context(), by, limit.Estimate{Model: "some-model", In: 1000, Out: 500})
			if err == nil {
				mu.Lock()
				defer mu.Unlock()
				holds = append(holds, hold)
				return
			}
			f := fault.From(err)
			if f.Kind != fault.Limited || f.Code != llm.Exhausted || f.RetryAfter <= 0 || f.RetryAfter > 24*time.Hour {
				t.Errorf("refused with %v, %v", err, f.RetryAfter)
			}
		})
	}
	wg.Wait()
	if tokens, _ := used(t, by.OrgID, "day"); len(holds) != 6 || tokens != 9000 {
		t.Errorf("%d calls hold %d tokens", len(holds), tokens)
	}
	for _, h := range holds {
		for range 2 { // the second time changes nothing
			if err := store.Settle(t.Context(), by, settled(h, "some-model",
				llm.Usage{In: 600, Out: 100})); err != nil {
				t.Error(err)
			}
		}
	}
	for _, period := range []string{"day", "month"} {
		if tokens, _ := used(t, by.OrgID, period); tokens != 4200 { // 6 × 700
			t.Errorf("%d tokens are spent in the %s", tokens, period)
		}
	}
	if _, err := store.Reserve(t.Context(), by, limit.Estimate{Model: "some-model", In: 5000,
		Out: 801}); fault.From(err).Code != llm.Exhausted {
		t.Errorf("one token too many: %v", err)
	}
	if _, err := store.Reserve(t.Context(), by, limit.Estimate{Model: "some-model", In: 5000, Out: 800}); err != nil {
		t.Errorf("exactly what is left: %v", err)
	}
}

// gpt-4o-mini: 0.15 in, 0.075 cached, 0.60 out for a million tokens.
// 100,000 in and 50,000 out are 0.015 + 0.030 = 0.045.
func TestABudgetOfMoneyKnowsPrices(t *testing.T) {
	t.Parallel()
	c, by, org := setUp(t)
	store := control.NewLimits(c)
	mini := limit.Estimate{Model: "gpt-4o-mini", In: 100_000, Out: 50_000}
	if hold, err := store.Reserve(t.Context(), by, limit.Estimate{Model: "unheard-of", In: 1, Out: 1}); err != nil ||
		hold != "" {
		t.Errorf("without a budget: %q, %v", hold, err)
	}
	localtest.SQL(t, `insert into public.budgets (org_id, period, cost) values ($1, 'month', 0.10)`, by.OrgID)
	now, err := c.Whoami(t.Context(), by.Token)
	if err != nil || !now.Plan.Budgeted || by.Plan.Budgeted {
		t.Errorf("whoami says %v before, %v after, %v", by.Plan.Budgeted, now.Plan.Budgeted, err)
	}
	_, err = store.Reserve(t.Context(), by, limit.Estimate{Model: "unheard-of", In: 1, Out: 1})
	has(t, err, fault.Unprocessable, "price_unknown")
	var last limit.Hold
	for range 2 {
		if last, err = store.Reserve(t.Context(), by, mini); err != nil {
			t.Fatal(err)
		}
	}
	if tokens, cost := used(t, by.OrgID, "month"); tokens != 300_000 || cost != "0.090000" {
		t.Errorf("held are %d tokens, %s", tokens, cost)
	}
	_, err = store.Reserve(t.Context(), by, mini)
	has(t, err, fault.Limited, llm.Exhausted)
	// No one else's hold can be given back.
	if err := store.Settle(t.Context(), person(t, c, org.Admin), settled(last, "gpt-4o-mini",
		llm.Usage{})); err != nil {
		t.Error(err)
	}
	// 80,000 of 100,000 were read before: 0.003 + 0.006, and 10,000 out: 0.006.
	if err := store.Settle(t.Context(), by, settled(last, "gpt-4o-mini-2024-07-18", llm.Usage{In: 100_000,
		Cached: 80_000,
		Out:    10_000})); err != nil {
		t.Error(err)
	}
	if tokens, cost := used(t, by.OrgID, "month"); tokens != 260_000 || cost != "0.060000" {
		t.Errorf("spent are %d tokens, %s", tokens, cost)
	}
}

// A model that an organisation pays itself costs what the organisation says, be
// it in the price list or not.
func TestABudgetOfMoneyTakesPricesOfOwnModels(t *testing.T) {
	t.Parallel()
	c, by, _ := setUp(t)
	store := control.NewLimits(c)
	localtest.SQL(t, `insert into public.budgets (org_id, period, cost) values ($1, 'day', 1)`, by.OrgID)
	most := limit.Estimate{Model: "gpt-4o-mini", In: 100_000, Out: 50_000, Own: true, Cost: 600_000}
	hold, err := store.Reserve(t.Context(), by, most)
	if err != nil {
		t.Fatal(err)
	}
	_, err = store.Reserve(t.Context(), by, most)
	has(t, err, fault.Limited, llm.Exhausted)
	if err := store.Settle(t.Context(), by, settled(hold, "gpt-4o-mini", llm.Usage{In: 10, Out: 5,
		Own: llm.Tokens{In: 10, Out: 5}, Cost: 250_000})); err != nil {
		t.Error(err)
	}
	if tokens, cost := used(t, by.OrgID, "day"); tokens != 15 || cost != "0.250000" {
		t.Errorf("spent are %d tokens, %s", tokens, cost)
	}
	free := limit.Estimate{Model: "unheard-of", In: 1_000_000, Out: 1_000_000, Own: true}
	if hold, err = store.Reserve(t.Context(), by, free); err != nil {
		t.Fatalf("a model of no cost: %v", err)
	}
	if err := store.Settle(t.Context(), by, settled(hold, "unheard-of",
		llm.Usage{In: 7, Own: llm.Tokens{In: 7}})); err != nil {
		t.Error(err)
	}
	if tokens, cost := used(t, by.OrgID, "day"); tokens != 22 || cost != "0.250000" {
		t.Errorf("spent are %d tokens, %s", tokens, cost)
	}
}

// The log has the cost of a turn's tokens whether all, some or none of them were
// used by models with a price of their own, and null where a price is unknown.
func TestTheCostOfATurnIsLogged(t *testing.T) {
	t.Parallel()
	c, by, _ := setUp(t)
	own := map[string]any{"input": 600, "output": 60, "cached": 500}
	for turn, usage := range map[string]map[string]any{
		"own":          {"own": map[string]any{"input": 1000, "output": 100, "cached": 500}, "costMicros": 4321},
		"free":         {"own": map[string]any{"input": 1000, "output": 100, "cached": 500}},
		"some":         {"own": own, "costMicros": 1000, "provider": "vllm"},
		"some unknown": {"own": own, "costMicros": 1000},
		"listed":       {"provider": "fallback"},
		"false":        {"own": map[string]any{"input": 9e9, "output": 9e9, "cached": 9e9}, "costMicros": -5},
	} {
		usage["input"], usage["output"], usage["cached"], usage["calls"] = 1000, 100, 500, 2
		model := "gpt-4o-mini"
		if strings.HasSuffix(turn, "unknown") {
			model = "unheard-of"
		}
		if _, err := supabase.Call[any](t.Context(), c.As(by).Control(), "usage_log", supabase.Args{
			"p_assistant": "hospitality", "p_turn": turn, "p_model": model, "p_usage": usage, "p_finish": "stop",
		}); err != nil {
			t.Fatal(err)
		}
	}
	got := map[string]string{}
	for _, row := range localtest.SQL(t, `select turn, concat_ws(' ', coalesce(cost::text, '-'), currency, provider)
		as said
		from public.llm_usage_logs where org_id = $1`, by.OrgID) {
		got[row["turn"].(string)] = row["said"].(string)
	}
	want := map[string]string{"own": "0.004321 USD", "free": "0.000000 USD", "some unknown": "-",
		// 400 × 0.15 + 40 × 0.60 = 84 millionths beside the 1,000.
		"some": "0.001084 USD vllm", "listed": "0.000173 USD fallback", "false": "0.000000 USD"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// S2-5: administrators see what was used, by day and model.
func TestUsageIsReported(t *testing.T) {
	t.Parallel()
	c, by, org := setUp(t)
	conn := c.As(by).Control()
	usage := map[string]int{"input": 1000, "output": 100, "cached": 500, "calls": 2}
	for _, model := range []string{"gpt-4o-mini-2024-07-18", "gpt-4o-mini-2024-07-18", "unheard-of"} {
		if _, err := supabase.Call[any](t.Context(), conn, "usage_log", supabase.Args{
			"p_assistant": "hospitality", "p_turn": "t", "p_model": model, "p_usage": usage, "p_finish": "stop",
		}); err != nil {
			t.Fatal(err)
		}
	}
	args := supabase.Args{"p_from": "2020-01-01", "p_to": "2099-12-31"}
	_, err := supabase.Read[any](t.Context(), conn, "usage_report", args)
	has(t, err, fault.Forbidden, "role_required")
	type line struct {
		Model     string   `json:"model"`
		Turns     int      `json:"turns"`
		TokensIn  int      `json:"tokensIn"`
		TokensOut int      `json:"tokensOut"`
		Cached    int      `json:"tokensCached"`
		Cost      *float64 `json:"cost"`
	}
	report, err := supabase.Read[[]line](t.Context(), c.As(person(t, c, org.Admin)), "usage_report", args)
	if err != nil || len(report) != 2 {
		t.Fatalf("the report is %+v, %v", report, err)
	}
	// Each: 500 × 0.15 + 500 × 0.075 + 100 × 0.60 = 172.5 millionths, kept to six places.
	first, second := report[0], report[1]
	if first.Model != "gpt-4o-mini-2024-07-18" || first.Turns != 2 || first.TokensIn != 2000 ||
		first.TokensOut != 200 || first.Cached != 1000 ||
		first.Cost == nil || *first.Cost != 0.000346 {
		t.Errorf("the known model: %+v, %v", first, *first.Cost)
	}
	if second.Turns != 1 || second.Cost != nil {
		t.Errorf("the unknown model: %+v", second)
	}
}

// One organisation's requests all change one row; this says how many it bears.
func BenchmarkHotRow(b *testing.B) {
	s := localtest.Stack(b)
	c, err := supabase.New(localtest.Config(b, s))
	if err != nil {
		b.Fatal(err)
	}
	by, err := c.Whoami(b.Context(), identity.Secret(localtest.NewOrg(b).Manager.Token))
	if err != nil {
		b.Fatal(err)
	}
	store := control.NewLimits(c)
	b.SetParallelism(16)
	b.ResetTimer()
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			if _, err := store.Take(b.Context(), by, "chat", identity.Rate{User: 1 << 30, Org: 1 << 30}); err != nil {
				b.Error(err)
			}
		}
	})
}
