package people_test

import (
	"strings"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"github.com/bellhop-ai/bellhop/pkg/boot"
	"github.com/bellhop-ai/bellhop/pkg/boot/people"
)

func TestTheDoorNeedsTheSecretKey(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		env        map[string]string
		configured bool
		says       string // "" starts
	}{
		"nothing is set":          {nil, false, "SUPABASE_SECRET_KEY is not set"},
		"the key":                 {map[string]string{"SUPABASE_SECRET_KEY": "sb_secret_x"}, true, ""},
		"by its older name":       {map[string]string{"SUPABASE_SERVICE_ROLE_KEY": "eyJhbGciOiJIUzI1NiJ9.e30.x"}, true, ""},
		"the publishable one":     {map[string]string{"SUPABASE_SECRET_KEY": "sb_publishable_x"}, true, "is none"},
		"a switch that is no yes": {map[string]string{"SUPABASE_SECRET_KEY": "sb_secret_x", "FIRST_PASSWORDS": "sure"}, true, "FIRST_PASSWORDS has the wrong form"},
	} {
		t.Run(name, func(t *testing.T) {
			s := &boot.Service{Name: "users", Now: time.Now, Log: zerolog.Nop(), Env: func(n string) (string, bool) { v, ok := tc.env[n]; return v, ok }}
			s.SupabaseURL, s.PublishableKey = "https://a.example", "sb_publishable_x"
			if got := people.Configured(s); got != tc.configured {
				t.Errorf("configured: %v", got)
			}
			h, err := people.New(t.Context(), s)
			if tc.says == "" && (err != nil || h == nil) || tc.says != "" && (err == nil || !strings.Contains(err.Error(), tc.says)) {
				t.Errorf("it says %v", err)
			}
		})
	}
}
