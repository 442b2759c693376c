package chat_test

import (
	"encoding/json"
	"net/http"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/bellhop-ai/bellhop/infra/local/localtest"
	"github.com/bellhop-ai/bellhop/infra/local/model/script"
	"github.com/bellhop-ai/bellhop/pkg/api/chat"
	"github.com/bellhop-ai/bellhop/pkg/llm"
	"github.com/bellhop-ai/bellhop/pkg/models"
	"github.com/bellhop-ai/bellhop/pkg/openai"
	"github.com/bellhop-ai/bellhop/pkg/supabase"
	"github.com/bellhop-ai/bellhop/pkg/supabase/control"
)

// ownModels starts the function with the models of the organisations' tables.
// The address of a row is not reached: the model of its code answers.
func ownModels(t *testing.T, servers map[string]*script.Server, steps ...script.Step) door {
	t.Helper()
	project := localtest.Stack(t)
	client, err := supabase.New(localtest.Config(t, project))
	fatal(t, err)
	return openAs(t, project, func(c *chat.Config) {
		c.Models = &models.Picker{Store: control.NewModels(client), Providers: control.NewLimits(client),
			Now:    time.Now,
			Shared: map[llm.Tier]llm.Model{llm.Cheap: c.Model, llm.Capable: c.Model},
			Build: func(_ string, m models.Config) (llm.Model, error) {
				return openai.New(openai.Config{BaseURL: servers[m.Code].URL, Profile: "openai", APIKey: "k",
					Retries: -1})
			}}
	}, steps...)
}

// addModel adds a row to the models of an organisation; price is in millionths of
// a US dollar for a million tokens, in and out.
func addModel(t *testing.T, org localtest.Org, code, provider string, first bool, price any) {
	t.Helper()
	localtest.SQL(t, `insert into public.model_configs
		(org_id, code, tier, provider, base_url, model, secret_name, price_input, price_cached, price_output,
			is_default)
		values ($1, $2, 'capable', $3, 'https://models.example.com/v1', lower($2), 'OURS', $4, $4, $4, $5)`,
		org.ID, code, provider, price, first)
}

// usageIn is the usage that an answer shows.
func usageIn(t *testing.T, raw []byte) map[string]any {
	t.Helper()
	var got struct {
		Usage map[string]any `json:"usage"`
	}
	fatal(t, json.Unmarshal(raw, &got))
	return got.Usage
}

// S2-5: what an organisation's own model costs by the organisation's own price is
// in its budget, in the log and in the answer, with the provider that answered
// after the first one failed.
func TestATurnByAnOrganisationsOwnModels(t *testing.T) {
	t.Parallel()
	org := localtest.NewOrg(t)
	addModel(t, org, "FIRST", "azure-v1", true, 9_000_000)
	addModel(t, org, "SECOND", "vllm", false, 2_000_000)
	localtest.SQL(t, `insert into public.budgets (org_id, period, cost) values ($1, 'day', 1)`, org.ID)
	servers := map[string]*script.Server{
		"FIRST": script.Start(t, script.Step{Fault: script.Status(503, nil, ""), Times: -1}),
		"SECOND": script.Start(t, script.Step{Text: "None so far.", Usage: script.Usage{Prompt: 1000,
			Completion: 50}})}
	d := ownModels(t, servers)
	resp, raw := d.post(t, "/api/chat", org.Manager.Token, "", map[string]any{"agent": "inventory", "turn": "own-1",
		"messages": []any{user("Any kites?")}})
	if resp.StatusCode != http.StatusOK {
		t.Fatalf("%s", raw)
	}
	want := map[string]any{"input": 1000.0, "output": 50.0, "total": 1050.0, "cached": 0.0, "calls": 1.0,
		"costMicros": 2100.0, "provider": "vllm"}
	if diff := cmp.Diff(want, usageIn(t, raw)); diff != "" {
		t.Error(diff)
	}
	rows := localtest.SQL(t, `select concat_ws(' ', model, provider, cost, currency) as said from public.llm_usage_logs
		where org_id = $1`, org.ID)
	if len(rows) != 1 || rows[0]["said"] != "second vllm 0.002100 USD" {
		t.Errorf("the log has %v", rows)
	}
	rows = localtest.SQL(t, `select cost::text as cost from public.budget_use where org_id = $1`, org.ID)
	if len(rows) != 1 || rows[0]["cost"] != "0.002100" {
		t.Errorf("the budget has %v", rows)
	}
}

// A price beside one of the operator's models, on the operator's account, lowers
// nothing: the price list holds.
func TestAnOrganisationDoesNotPriceTheOperatorsModels(t *testing.T) {
	t.Parallel()
	org := localtest.NewOrg(t)
	localtest.SQL(t, `insert into public.model_configs
		(org_id, code, tier, model, price_input, price_cached, price_output, is_default)
		values ($1, 'FREE', 'capable', 'gpt-4o-mini', 0, 0, 0, true)`, org.ID)
	localtest.SQL(t, `insert into public.budgets (org_id, period, cost) values ($1, 'day', 1)`, org.ID)
	d := ownModels(t, map[string]*script.Server{"FREE": script.Start(t, script.Step{Text: "None so far.",
		Usage: script.Usage{Prompt: 1_000_000, Completion: 500_000}})})
	resp, raw := d.post(t, "/api/chat", org.Manager.Token, "", map[string]any{"agent": "inventory", "turn": "own-2",
		"messages": []any{user("Any kites?")}})
	if usage := usageIn(t, raw); resp.StatusCode != http.StatusOK || usage["costMicros"] != nil {
		t.Errorf("the answer says %v: %s", usage["costMicros"], raw)
	}
	rows := localtest.SQL(t, `select (select cost from public.budget_use where org_id = $1)::text as spent,
		(select cost from public.llm_usage_logs where org_id = $1)::text as logged`, org.ID)
	if rows[0]["spent"] != "0.450000" || rows[0]["logged"] != "0.450000" {
		t.Errorf("it cost %v", rows)
	}
}

// A provider is called no more often than the organisation's rate, by whichever
// row; without a rate nothing is counted.
func TestAProvidersRateHoldsForModelCalls(t *testing.T) {
	t.Parallel()
	org := localtest.NewOrg(t)
	addModel(t, org, "FIRST", "vllm", true, 0)
	addModel(t, org, "SECOND", "vllm", false, 0)
	yes := func() *script.Server { return script.Start(t, script.Step{Text: "None so far.", Times: -1}) }
	servers := map[string]*script.Server{"FIRST": yes(), "SECOND": yes()}
	talk := func(d door) (*http.Response, []byte) {
		return d.post(t, "/api/chat", org.Manager.Token, "", map[string]any{"agent": "inventory",
			"messages": []any{user("Any kites?")}})
	}
	d := ownModels(t, servers)
	for range 3 {
		if resp, raw := talk(d); resp.StatusCode != http.StatusOK {
			t.Fatalf("without a rate: %s", raw)
		}
	}
	counts := func() int {
		return len(localtest.SQL(t, `select from public.rate_buckets where org_id = $1 and bucket =
			'provider model.vllm'`,
			org.ID))
	}
	if counts() != 0 {
		t.Error("calls are counted without a rate")
	}
	localtest.SQL(t, `update public.model_configs set rate_capacity = case code when 'FIRST' then 2 else 9 end,
		rate_per_second = 0.01 where org_id = $1`, org.ID)
	d = ownModels(t, servers) // what the other one read is cached
	for range 2 {
		if resp, raw := talk(d); resp.StatusCode != http.StatusOK {
			t.Fatalf("within the rate: %s", raw)
		}
	}
	resp, raw := talk(d)
	refused(t, resp, raw, http.StatusTooManyRequests, "provider_rate_limited")
	if n := len(servers["FIRST"].Requests()) + len(servers["SECOND"].Requests()); n != 5 || counts() != 1 {
		t.Errorf("%d calls, %d counts", n, counts())
	}
}
