package control

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/llm"
	"github.com/bellhop-ai/bellhop/pkg/models"
	"github.com/bellhop-ai/bellhop/pkg/supabase"
)

// Models is a models.Store.
type Models struct{ client *supabase.Client }

var _ models.Store = Models{}

// NewModels returns the store in the project of client.
func NewModels(client *supabase.Client) Models { return Models{client} }

// modelRow is a row of model_configs.
type modelRow struct {
	Code        string   `json:"code"`
	Assistant   string   `json:"assistant"`
	Tier        llm.Tier `json:"tier"`
	Provider    string   `json:"provider"`
	BaseURL     string   `json:"base_url"`
	API         string   `json:"api"`
	Model       string   `json:"model"`
	Temperature *float64 `json:"temperature"`
	MaxTokens   int      `json:"max_tokens"`
	SecretName  string   `json:"secret_name"`
	Input       *int64   `json:"price_input"`
	Cached      int64    `json:"price_cached"`
	Output      int64    `json:"price_output"`
	Capacity    *int     `json:"rate_capacity"`
	PerSecond   float64  `json:"rate_per_second"`
	Default     bool     `json:"is_default"`
	Version     int      `json:"version"`
}

// Configs reads the organisation's models; see models.Store.
func (s Models) Configs(ctx context.Context, by identity.Caller) ([]models.Config, error) {
	rows, err := supabase.Select[modelRow](ctx, s.client.As(by), supabase.Query{
		Table: "model_configs",
		Columns: "code,assistant,tier,provider,base_url,api,model,temperature,max_tokens,secret_name," +
			"price_input,price_cached,price_output,rate_capacity,rate_per_second,is_default,version",
		Order: []supabase.Order{supabase.Asc("code")},
	})
	if err != nil {
		return nil, err
	}
	return configs(rows), nil
}

// JobModels is a models.Store for jobs: it reads the models of the named
// organisation, and no user is signed in.
type JobModels struct{ admin *supabase.Admin }

var _ models.Store = JobModels{}

// NewJobModels returns the models of all organisations.
func NewJobModels(admin *supabase.Admin) JobModels { return JobModels{admin} }

// Configs reads the organisation's models; see models.Store.
func (s JobModels) Configs(ctx context.Context, by identity.Caller) ([]models.Config, error) {
	raw, err := s.admin.ModelConfigs(ctx, by.OrgID)
	if err != nil {
		return nil, err
	}
	var rows []modelRow
	if err := json.Unmarshal(raw, &rows); err != nil {
		return nil, fmt.Errorf("read the models of an organisation: %w", err)
	}
	return configs(rows), nil
}

func configs(rows []modelRow) []models.Config {
	list := make([]models.Config, len(rows))
	for i, r := range rows {
		list[i] = models.Config{
			Code: r.Code, Assistant: r.Assistant, Tier: r.Tier, Provider: r.Provider, BaseURL: r.BaseURL, API: r.API,
			Model:       r.Model,
			Temperature: r.Temperature, MaxTokens: r.MaxTokens, SecretName: r.SecretName, Default: r.Default,
			Version: r.Version,
		}
		if r.Input != nil {
			list[i].Price = &models.Price{Input: *r.Input, Cached: r.Cached, Output: r.Output}
		}
		if r.Capacity != nil {
			list[i].Rate = &models.Rate{Capacity: *r.Capacity, PerSecond: r.PerSecond}
		}
	}
	return list
}
