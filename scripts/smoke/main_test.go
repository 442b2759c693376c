package main

import (
	"context"
	"strings"
	"testing"

	"github.com/bellhop-ai/bellhop/infra/local/localtest"
	"github.com/bellhop-ai/bellhop/infra/local/stack"
)

func TestMain(m *testing.M) { localtest.Main(m) }

func TestTheReport(t *testing.T) {
	s := localtest.Clone(t)
	tests := map[string]struct {
		args     []string
		env      map[string]string
		want     []string
		notThere []string
		fails    bool
		refused  string
	}{
		"reads only, unless asked": {
			want: []string{"sign-in ", "A password gives a session.", "insert ", "ask for it with -write",
				" 0 failed, "},
		},
		"writes with the flag": {args: []string{"-write"}, want: []string{"No row of this run is left.",
			" 0 failed, "}, notThere: []string{"ask for it"}},
		"writes by environment": {env: map[string]string{"SMOKE_WRITE": "true"}, want: []string{" 0 failed, "},
			notThere: []string{"ask for it"}},
		"the flag wins": {args: []string{"-write=false"}, env: map[string]string{"SMOKE_WRITE": "true"},
			want: []string{"ask for it"}},
		"nothing without a person": {env: map[string]string{"SMOKE_PASSWORD": "not-it"},
			want: []string{"nobody is signed in"}, fails: true},
		"an unclear wish": {env: map[string]string{"SMOKE_WRITE": "perhaps"}, refused: "SMOKE_WRITE"},
		"nothing but a person": {env: map[string]string{"SUPABASE_URL": "", "SUPABASE_PUBLISHABLE_KEY": ""},
			refused: "lacks SUPABASE_URL, SUPABASE_PUBLISHABLE_KEY"},
		"no proof without keys": {args: []string{"-write"}, env: map[string]string{"PROOF_KEYS": ""},
			want: []string{"it needs PROOF_KEYS", " 0 failed, "}},
		"a key by its older name": {env: map[string]string{"SUPABASE_PUBLISHABLE_KEY": "",
			"SUPABASE_ANON_KEY": s.Keys().Publishable}, want: []string{" 0 failed, "}},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			env := map[string]string{
				"SUPABASE_URL": s.URL(), "SUPABASE_PUBLISHABLE_KEY": s.Keys().Publishable,
				"SMOKE_EMAIL": "manager@sojourn.example", "SMOKE_PASSWORD": stack.DemoPassword,
				"PROOF_KEYS": s.ProofKeys(),
			}
			for k, v := range tc.env {
				env[k] = v
			}
			var out strings.Builder
			failed, err := run(context.Background(), tc.args, func(k string) string { return env[k] }, &out)
			if tc.refused != "" {
				if err == nil || !strings.Contains(err.Error(), tc.refused) {
					t.Fatalf("got %v", err)
				}
				return
			}
			if err != nil || (failed > 0) != tc.fails {
				t.Fatalf("%d failed, %v:\n%s", failed, err, out.String())
			}
			for _, text := range tc.want {
				if !strings.Contains(out.String(), text) {
					t.Errorf("%q is missing in\n%s", text, out.String())
				}
			}
			for _, text := range append(tc.notThere, env["SMOKE_PASSWORD"], "eyJ") {
				if strings.Contains(out.String(), text) {
					t.Errorf("%q stands in\n%s", text, out.String())
				}
			}
		})
	}
}
