package runtimes_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"github.com/bellhop-ai/bellhop/infra/local/localtest"
	"github.com/bellhop-ai/bellhop/pkg/boot"
	"github.com/bellhop-ai/bellhop/pkg/boot/backend"
	"github.com/bellhop-ai/bellhop/pkg/boot/runtimes"
)

// Answers about projects and plans may link to the host of the public pages, others may not.
func TestAnswersLinkToPublicPages(t *testing.T) {
	t.Parallel()
	for origin, want := range map[string][]string{"https://www.example.com/": {"www.example.com"}, "": nil,
		"www.example.com": {"an error"}} {
		s := &boot.Service{Name: "chat", Now: time.Now, Log: zerolog.Nop(),
			Env: func(name string) (string, bool) { return origin, name == "PAGES_URL" }}
		stack := localtest.Stack(t)
		s.SupabaseURL, s.PublishableKey, s.JWKS = stack.URL(), stack.Keys().Publishable, string(stack.JWKS())
		s.ProofKeys = stack.ProofKeys()
		b, err := backend.New(t.Context(), s)
		if err != nil {
			t.Fatal(err)
		}
		all, err := runtimes.New(t.Context(), b)
		if err != nil {
			if !slices.Equal(want, []string{"an error"}) || !strings.Contains(err.Error(), "PAGES_URL") {
				t.Errorf("%q: %v", origin, err)
			}
			continue
		}
		for _, a := range all {
			hosts := a.Hosts
			public := a.Name == "portfolio" || a.Name == "planner"
			if public && !slices.Equal(hosts, want) || !public && len(hosts) > 0 {
				t.Errorf("%q: %s may link to %q", origin, a.Name, hosts)
			}
		}
	}
}
