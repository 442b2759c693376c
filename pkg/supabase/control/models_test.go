package control_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/llm"
	"github.com/bellhop-ai/bellhop/pkg/models"
	"github.com/bellhop-ai/bellhop/pkg/supabase"
	"github.com/bellhop-ai/bellhop/pkg/supabase/control"
)

func TestModelsOfAnOrganisation(t *testing.T) {
	t.Parallel()
	c, manager, org := setUp(t)
	admin := person(t, c, org.Admin)
	_, stranger, _ := setUp(t)
	store := control.NewModels(c)
	row := func(change map[string]any) map[string]any {
		r := map[string]any{
			"org_id": admin.OrgID, "code": "MAIN", "tier": "capable", "provider": "azure-v1",
			"base_url": "https://res.openai.azure.com/openai/v1", "api": "responses",
			"model": "o4-mini", "temperature": 0.25, "max_tokens": 800, "secret_name": "AZURE",
			"price_input": 1_100_000, "price_cached": 275_000, "price_output": 4_400_000, "is_default": true,
			"rate_capacity": 5, "rate_per_second": 0.5,
		}
		for k, v := range change {
			r[k] = v
		}
		return r
	}
	insert := func(as supabase.Conn, change map[string]any) error {
		_, err := supabase.Insert[map[string]any](t.Context(), as, "model_configs", "code", row(change))
		return err
	}
	if err := insert(c.As(admin), nil); err != nil {
		t.Fatal(err)
	}
	if err := insert(c.As(admin), map[string]any{"code": "SECOND", "is_default": false, "base_url": nil,
		"secret_name": nil, "temperature": nil, "max_tokens": nil,
		"assistant": "travel", "rate_capacity": nil, "rate_per_second": nil, "price_input": nil, "price_cached": nil,
		"price_output": nil}); err != nil {
		t.Fatal(err)
	}
	if err := insert(c.As(manager), map[string]any{"code": "X", "is_default": false}); !fault.Is(err,
		fault.Forbidden) {
		t.Errorf("a manager writes: %v", err)
	}
	if err := insert(c.As(stranger), map[string]any{"code": "X", "is_default": false}); !fault.Is(err,
		fault.Forbidden) {
		t.Errorf("a stranger writes: %v", err)
	}
	for name, change := range map[string]map[string]any{
		"a second default":     {"code": "B"},
		"no https":             {"code": "B", "is_default": false, "base_url": "http://models.example.com/v1"},
		"a user in an address": {"code": "B", "is_default": false, "base_url": "https://a:b@models.example.com/v1"},
		"a key for a name":     {"code": "B", "is_default": false, "secret_name": "sk-0123456789"},
		"half a rate":          {"code": "B", "is_default": false, "rate_capacity": nil},
		"half a price":         {"code": "B", "is_default": false, "price_cached": nil},
		"an unknown tier":      {"code": "B", "is_default": false, "tier": "huge"},
	} {
		if err := insert(c.As(admin), change); err == nil {
			t.Errorf("%s is stored", name)
		}
	}
	warm := 0.25
	want := []models.Config{
		{Code: "MAIN", Tier: llm.Capable, Provider: "azure-v1", BaseURL: "https://res.openai.azure.com/openai/v1",
			API: "responses", Model: "o4-mini", Temperature: &warm,
			MaxTokens: 800, SecretName: "AZURE", Price: &models.Price{Input: 1_100_000, Cached: 275_000,
				Output: 4_400_000}, Rate: &models.Rate{Capacity: 5, PerSecond: 0.5}, Default: true, Version: 1},
		{Code: "SECOND", Assistant: "travel", Tier: llm.Capable, Provider: "azure-v1", API: "responses",
			Model: "o4-mini", Version: 1},
	}
	got, err := store.Configs(t.Context(), manager)
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Errorf("%v; %s", err, diff)
	}
	if got, err := store.Configs(t.Context(), stranger); err != nil || len(got) != 0 {
		t.Errorf("a stranger reads %+v, %v", got, err)
	}
}
