package users_test

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"github.com/bellhop-ai/bellhop/pkg/boot"
	"github.com/bellhop-ai/bellhop/pkg/boot/admin"
	"github.com/bellhop-ai/bellhop/pkg/boot/core"
	"github.com/bellhop-ai/bellhop/pkg/boot/users"
)

// build is what the function's main does.
func build(ctx context.Context, s *boot.Service) (http.Handler, error) {
	key, err := admin.New(ctx, s)
	if err != nil {
		return nil, err
	}
	c, err := core.New(s)
	if err != nil {
		return nil, err
	}
	return users.New(ctx, c, key)
}

func TestTheFunctionNeedsTheSecretKey(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		env        map[string]string
		configured bool
		says       string // "" starts
	}{
		"nothing is set": {nil, false, "SUPABASE_SECRET_KEY is not set"},
		"the key":        {map[string]string{"SUPABASE_SECRET_KEY": "sb_secret_x"}, true, ""},
		"by its older name": {map[string]string{"SUPABASE_SERVICE_ROLE_KEY": "eyJhbGciOiJIUzI1NiJ9.e30.x"}, true,
			""},
		"the publishable one": {map[string]string{"SUPABASE_SECRET_KEY": "sb_publishable_x"}, true, "is none"},
		"a switch that is no yes": {map[string]string{"SUPABASE_SECRET_KEY": "sb_secret_x", "FIRST_PASSWORDS": "sure"},
			true, "FIRST_PASSWORDS has the wrong form"},
	} {
		t.Run(name, func(t *testing.T) {
			s := &boot.Service{Name: "users", Now: time.Now, Log: zerolog.Nop(),
				Env: func(n string) (string, bool) { v, ok := tc.env[n]; return v, ok }}
			s.SupabaseURL, s.PublishableKey, s.ProofKeys = "https://a.example", "sb_publishable_x",
				"p1:AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="
			if got := admin.Configured(s); got != tc.configured {
				t.Errorf("configured: %v", got)
			}
			h, err := build(t.Context(), s)
			if tc.says == "" && (err != nil || h == nil) || tc.says != "" &&
				(err == nil || !strings.Contains(err.Error(), tc.says)) {
				t.Errorf("it says %v", err)
			}
		})
	}
}
