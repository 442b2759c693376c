package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strings"

	"github.com/bellhop-ai/bellhop/infra/local/rest"
	"github.com/jackc/pgx/v5/pgxpool"
)

const (
	dsnVariable    = "CONFORMANCE_DSN"
	rsaKeyVariable = "CONFORMANCE_RSA_KEY"
)

// serveVariant serves one case that has settings of its own; the runner ends it.
// It prints its address as the first line.
func serveVariant(ctx context.Context) error {
	settings := map[string]any{}
	if text := os.Getenv("CASE_CONFIG"); text != "" {
		if err := json.Unmarshal([]byte(text), &settings); err != nil {
			return fmt.Errorf("read the case's settings: %w", err)
		}
	}
	var bad error
	i, err := serve(ctx, os.Getenv(dsnVariable), func(pool *pgxpool.Pool) rest.Config {
		cfg := openConfig(pool)
		if os.Getenv("CASE_BASE") == "auth" {
			cfg = authConfig(pool)
		}
		bad = apply(&cfg, settings)
		return cfg
	})
	if err != nil {
		return err
	}
	defer i.Close()
	if bad != nil {
		return bad
	}
	fmt.Println(i.url)
	<-ctx.Done()
	return nil
}

// apply translates PostgREST's settings. One that has no counterpart is left
// alone: the case then fails and shows it.
func apply(cfg *rest.Config, settings map[string]any) error {
	text := func(name string) (string, bool) {
		v, ok := settings[name]
		if !ok || v == nil {
			return "", ok
		}
		return fmt.Sprint(v), true
	}
	if v, ok := text("db-anon-role"); ok {
		cfg.AnonRole = v
	}
	if v, ok := text("db-pre-request"); ok {
		cfg.PreRequest = v
	}
	if v, ok := text("db-tx-end"); ok {
		cfg.TxEnd = v
	}
	if v, ok := text("jwt-role-claim-key"); ok {
		cfg.RoleClaim = v
	}
	if v, ok := text("db-schemas"); ok && v != "" {
		cfg.Schemas = words(v)
	}
	if v, ok := text("db-extra-search-path"); ok {
		cfg.ExtraSearchPath = words(v)
	}
	if v, ok := settings["db-aggregates-enabled"].(bool); ok {
		cfg.Aggregates = v
	}
	if v, ok := text("openapi-mode"); ok {
		cfg.OpenAPI = v != "disabled"
	}
	if v, ok := settings["db-max-rows"].(float64); ok {
		cfg.MaxRows = int(v)
	}
	return applyKeys(cfg, settings)
}

func applyKeys(cfg *rest.Config, settings map[string]any) error {
	given, named := settings["jwt-secret"]
	if named && given == nil {
		cfg.Verify = nil
		return nil
	}
	text := secret
	if v, ok := given.(string); ok {
		text = v
	}
	if text == "asymmetric_jwk_public_key" {
		raw, err := os.ReadFile(os.Getenv(rsaKeyVariable))
		if err != nil {
			return fmt.Errorf("the case wants the suite's RSA key, see -rsa-key: %w", err)
		}
		text = string(raw)
	}
	isBase64, _ := settings["jwt-secret-is-base64"].(bool)
	keys, err := rest.ParseKeys(text, isBase64)
	if err != nil {
		return err
	}
	audience, _ := settings["jwt-aud"].(string)
	if cfg.Verify != nil || named || audience != "" {
		cfg.Verify = rest.JWTVerifier(rest.JWTChecks{Audience: audience}, keys...)
	}
	return nil
}

func words(list string) []string {
	var out []string
	for part := range strings.SplitSeq(list, ",") {
		if part = strings.TrimSpace(part); part != "" {
			out = append(out, part)
		}
	}
	return out
}
