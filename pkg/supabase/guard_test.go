package supabase_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/supabase"
)

// A project whose writes no one claims is not worked with.
func TestAnUnguardedProjectIsRefused(t *testing.T) {
	for answer, code := range map[string]string{
		`{"user":"u","org":"o","role":"manager","guarded":true}`:  "",
		`{"user":"u","org":"o","role":"manager","guarded":false}`: "not_guarded",
		`{"user":"u","org":"o","role":"manager"}`:                 "not_guarded",
	} {
		project := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			_, _ = io.WriteString(w, answer)
		}))
		t.Cleanup(project.Close)
		client, err := supabase.New(supabase.Config{URL: project.URL, PublishableKey: "sb_publishable_x"})
		if err != nil {
			t.Fatal(err)
		}
		_, err = client.Whoami(t.Context(), "token")
		if f := fault.From(err); code == "" && err != nil || code != "" && (f == nil || f.Code != code ||
			strings.Contains(f.Message, "pgrst")) {
			t.Errorf("%s: %v", answer, err)
		}
	}
}

// S0-51: a key that passes every row policy has no place in a function.
func TestASecretKeyIsRefused(t *testing.T) {
	if _, err := supabase.New(supabase.Config{URL: "https://abc.supabase.co",
		PublishableKey: "sb_secret_x"}); err == nil || strings.Contains(err.Error(), "sb_secret_x") {
		t.Errorf("got %v", err)
	}
}
