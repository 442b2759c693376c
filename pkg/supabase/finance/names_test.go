package finance_test

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/bellhop-ai/bellhop/infra/local/localtest"
)

// rest asks the project's API for all rows of a table as a program of a member's
// does.
func rest(t *testing.T, path, token string) (int, []map[string]any) {
	t.Helper()
	cfg := localtest.Config(t, localtest.Stack(t))
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, cfg.URL+"/rest/v1/"+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("apikey", cfg.PublishableKey.Reveal())
	if token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	raw, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	var rows []map[string]any
	if resp.StatusCode == http.StatusOK {
		if err := json.Unmarshal(raw, &rows); err != nil {
			t.Fatalf("%s: %s", path, raw)
		}
	}
	return resp.StatusCode, rows
}

// The 22 tables of the source: those of the product alone are the same for every
// organisation, the others have rows of organisations. Some columns are not shown.
var (
	productTables = strings.Fields(`modules llm_providers enrichment_types entity_types response_types`)
	orgTables     = strings.Fields(`intents business_contexts country_configs llm_configs llm_usage_logs profiles user_roles
		entities unified_conversations feedback_log quick_suggestions intent_routing_stats llm_path_patterns
		suggested_intents tool_registry api_keys response_cache`)
	columns = map[string]string{
		"intents":              "org_id,name,agent",
		"llm_usage_logs":       "org_id,model,tokens_in,tokens_out",
		"intent_routing_stats": "org_id,intent,bucket,total,success,failed",
		"llm_path_patterns":    "org_id,query,tools,occurrences",
		"suggested_intents":    "org_id,phrase,status",
		"api_keys":             "org_id,user_id,used_at",
		"response_cache":       "org_id,assistant,modules,expires_at",
	}
)

// fillTables gives each table a row of the organisation.
func fillTables(t *testing.T, org localtest.Org) {
	t.Helper()
	pattern := `insert into public.llm_path_patterns (org_id, assistant, hash, form, query)
		values ($1, 'finance', sha256('x'), 'marmalade', 'marmalade') returning id`
	for _, sql := range []string{
		`insert into public.intents (org_id, assistant, name, agent) values ($1, 'finance', 'marmalade', 'unified')`,
		`insert into public.business_contexts (org_id, code, entity_id, country, currency, industry)
			select org_id, '', id, 'IN', 'INR', 'marmalade' from public.entities where org_id = $1`,
		`insert into public.country_settings (org_id, code, name, currency, currency_symbol, digit_grouping,
			date_format,
			year_begins, tax_name) values ($1, 'IN', 'marmalade', 'INR', '₹', 'indian', 'DD/MM/YYYY', 4, 'GST')`,
		`insert into public.model_configs (org_id, code, tier, model) values ($1, 'MARMALADE', 'cheap', 'marmalade')`,
		`insert into public.llm_usage_logs (org_id, user_id, model, tokens_in, tokens_out, tokens_cached, calls)
			select org_id, user_id, 'marmalade', 1, 1, 0, 1 from public.memberships where org_id = $1 and name =
				'Ada Testwright'`,
		`insert into public.chat_sessions (org_id, assistant, entity_id, user_id, thread, prefix, number, title)
			select e.org_id, 'finance', e.id, m.user_id, 't', 'MJ', 1, 'marmalade' from public.entities e
			join public.memberships m on m.org_id = e.org_id and m.name = 'Ada Testwright' where e.org_id = $1`,
		`insert into public.chat_people (org_id, session_id, user_id, added_by)
			select org_id, id, user_id, user_id from public.chat_sessions where org_id = $1`,
		`insert into public.feedback_log (org_id, user_id, message, source, rating, weight, assistant, agent, thread,
			question,
			answer, tools, answered_at) select org_id, user_id, repeat('a', 64), 'explicit', 'up', 3, 'finance', '',
				'',
			'marmalade', 'x', '[]', now() from public.memberships where org_id = $1 and name = 'Ada Testwright'`,
		`insert into public.quick_suggestions (org_id, code, assistant, text) values ($1, '', 'finance', 'marmalade')`,
		`insert into public.intent_routing_stats (org_id, assistant, intent, bucket, basis)
			values ($1, 'finance', 'marmalade', 0.9, 'above')`,
		`with p as (` + pattern + `) insert into public.suggested_intents (org_id, code, assistant, pattern_id, agent, phrase)
			select $1, '', 'finance', id, 'unified', 'marmalade' from p`,
		`insert into public.intent_observations (org_id, user_id, assistant, thread, question, hash, how, agent,
			intent, bucket,
			basis, success, counted, tools, ms) select org_id, user_id, 'finance', 't', sha256('x'), sha256('x'),
				'matched',
			'unified', '', 0.9, 'above', true, true, '{marmalade,get_bills,get_bills}', 1
			from public.memberships where org_id = $1 and name = 'Ada Testwright'`,
		`insert into public.api_keys (org_id, user_id, digest, created_by)
			select org_id, user_id, sha256('x'), user_id from public.memberships where org_id = $1 and role =
				'manager'`,
		`insert into public.response_cache (org_id, key, assistant, role, modules, answer, expires_at)
			values ($1, sha256('x'), 'finance', 'admin', '{bills}', '{"text": "marmalade"}', now() + interval '1 h')`,
	} {
		localtest.SQL(t, sql, org.ID)
	}
}

// S2-65, S2-70: every table of the source answers a member under its name, with
// nothing of another organisation.
func TestTheSourcesTables(t *testing.T) {
	t.Parallel()
	n, other := newTenant(t), newTenant(t)
	fillTables(t, n.org)
	if got := len(productTables) + len(orgTables); got != 22 {
		t.Fatalf("there are %d names", got)
	}
	path := func(table string) string {
		if c := columns[table]; c != "" {
			return table + "?select=" + c
		}
		return table
	}
	for _, table := range productTables {
		status, mine := rest(t, path(table), n.org.Viewer.Token)
		if status != 200 || len(mine) == 0 {
			t.Errorf("%s: %d with %d rows", table, status, len(mine))
		}
	}
	adminsOnly := strings.Fields(`llm_usage_logs intent_routing_stats llm_path_patterns suggested_intents api_keys
		response_cache unified_conversations feedback_log`)
	for _, table := range orgTables {
		status, mine := rest(t, path(table), n.org.Admin.Token)
		if status != 200 || len(mine) == 0 {
			t.Errorf("%s: %d with %d rows for its administrator", table, status, len(mine))
		}
		for _, row := range mine {
			if org, ok := row["org_id"]; !ok || org != n.org.ID {
				t.Errorf("%s: a row of %v", table, org)
			}
		}
		status, rows := rest(t, path(table), n.org.Viewer.Token)
		hidden := strings.Contains(" "+strings.Join(adminsOnly, " ")+" ", " "+table+" ")
		if status != 200 || (len(rows) == 0) != hidden {
			t.Errorf("%s: %d with %d rows for a viewer", table, status, len(rows))
		}
		status, theirs := rest(t, path(table), other.org.Admin.Token)
		raw, err := json.Marshal(theirs)
		if err != nil {
			t.Fatal(err)
		}
		if status != 200 || strings.Contains(string(raw), n.org.ID) || strings.Contains(strings.ToLower(string(raw)),
			"marmalade") {
			t.Errorf("%s: another organisation gets %d %s", table, status, raw)
		}
	}
	for _, table := range append(append([]string{}, productTables...), orgTables...) {
		if status, _ := rest(t, path(table), ""); status == 200 {
			t.Errorf("%s: answers without a sign-in", table)
		}
	}
	// What is shown of them.
	_, modules := rest(t, "modules?parent=is.null&order=position", n.org.Viewer.Token)
	if len(modules) != 8 || modules[0]["code"] != "sales" || len(modules[0]["sub_modules"].([]any)) != 5 {
		t.Errorf("modules: %v", modules)
	}
	_, used := rest(t, "tool_registry?tool_name=in.(get_bills,marmalade,get_invoice)&order=tool_name",
		n.org.Viewer.Token)
	if len(used) != 3 || used[0]["usage_count"] != 2.0 || used[0]["sub_module"] != "bills" ||
		used[1]["usage_count"] != 0.0 ||
		used[2]["usage_count"] != 1.0 {
		t.Errorf("tool_registry: %v", used)
	}
	_, roles := rest(t, "user_roles?member_role=eq.manager", n.org.Viewer.Token)
	if len(roles) != 1 || roles[0]["role"] != "user" {
		t.Errorf("user_roles: %v", roles)
	}
	_, people := rest(t, "profiles?email=not.is.null", n.org.Viewer.Token)
	if len(people) != 1 || people[0]["email"] != n.org.Viewer.Email {
		t.Errorf("a viewer sees the addresses %v", people)
	}
	_, india := rest(t, "country_configs?code=eq.IN", other.org.Viewer.Token)
	if len(india) != 1 || india[0]["version"] != 0.0 || india[0]["currency_symbol"] != "₹" {
		t.Errorf("country_configs: %v", india)
	}
	for _, secret := range []string{"api_keys?select=digest", "response_cache?select=answer",
		"llm_path_patterns?select=hash"} {
		if status, _ := rest(t, secret, n.org.Admin.Token); status != 403 {
			t.Errorf("%s answers %d", secret, status)
		}
	}
}
