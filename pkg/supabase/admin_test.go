package supabase_test

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/supabase"
)

// answering is a project that gives one answer and keeps the last request.
type answering struct {
	status int
	body   string
	last   *http.Request
}

func (a *answering) RoundTrip(r *http.Request) (*http.Response, error) {
	a.last = r
	return &http.Response{StatusCode: a.status, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(a.body)),
		ContentLength: -1, Request: r}, nil
}

func TestOnlyASecretKeyMakesAnAdmin(t *testing.T) {
	t.Parallel()
	for key, ok := range map[string]bool{"": false, "sb_publishable_x": false, "guess": false, "sb_secret_x": true,
		"eyJhbGciOiJIUzI1NiJ9.e30.x": true} {
		_, err := supabase.NewAdmin(supabase.Config{URL: "https://a.example", PublishableKey: "sb_publishable_x"},
			identity.Secret(key))
		if (err == nil) != ok || err != nil && key != "" && strings.Contains(err.Error(), key) {
			t.Errorf("%q: %v", key, err)
		}
	}
}

// A new key goes into apikey alone; a legacy one is the token as well, without
// which Auth knows no one.
func TestASecretKeyIsSentAsItsKindWants(t *testing.T) {
	t.Parallel()
	for key, authorization := range map[string]string{"sb_secret_x": "",
		"eyJhbGciOiJIUzI1NiJ9.e30.x": "Bearer eyJhbGciOiJIUzI1NiJ9.e30.x"} {
		wire := &answering{status: 200, body: `false`}
		admin, err := supabase.NewAdmin(supabase.Config{URL: "https://a.example", PublishableKey: "sb_publishable_x",
			HTTP: wire}, identity.Secret(key))
		if err != nil {
			t.Fatal(err)
		}
		for what, do := range map[string]func() error{
			"administration": func() error {
				return admin.DeleteAccount(t.Context(), "b0000000-0000-4000-8000-000000000001")
			},
			"function": func() error { _, err := admin.AccountLeft(t.Context(), "o", "u"); return err },
		} {
			if err := do(); err != nil {
				t.Error(err)
			}
			if got := wire.last.Header; got.Get("apikey") != key || len(got.Values("apikey")) != 1 ||
				got.Get("Authorization") != authorization {
				t.Errorf("%s with %s: %v", what, key, got)
			}
		}
	}
}

func TestRefusalsOfAuthsAdministrationHaveKinds(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]struct {
		status int
		kind   fault.Kind
		code   string
	}{
		`{"code":422,"error_code":"email_exists","msg":"A user with this email address has already been registered"}`: {422, fault.Conflict, "email_exists"},
		`{"code":422,"error_code":"weak_password","msg":"Password should be at least 6 characters."}`:                 {422, fault.Unprocessable, "weak_password"},
		`{"code":400,"error_code":"validation_failed","msg":"Unable to validate email address: invalid format"}`:      {400, fault.Invalid, "email_refused"},
		`{"code":403,"error_code":"not_admin","msg":"User not allowed"}`:                                              {403, fault.Internal, ""},
		`{"message":"Invalid API key"}`: {401, fault.Internal, ""},
		`{"code":429,"error_code":"over_request_rate_limit","msg":"Request rate limit reached"}`: {429, fault.Limited,
			""},
		`<html>Bad Gateway</html>`: {502, fault.Unavailable, ""},
	} {
		admin, err := supabase.NewAdmin(supabase.Config{URL: "https://a.example", PublishableKey: "sb_publishable_x",
			HTTP: &answering{status: want.status, body: body}}, "sb_secret_x")
		if err != nil {
			t.Fatal(err)
		}
		_, err = admin.CreateAccount(t.Context(), supabase.NewAccount{Email: "mira@test.example", OrgID: "o"})
		if f := fault.From(err); f == nil || f.Kind != want.kind || f.Code != want.code ||
			strings.Contains(f.Message, "mira") {
			t.Errorf("%s: %v", body, err)
		}
	}
}
