package main

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"github.com/bellhop-ai/bellhop/infra/local/localtest"
	"github.com/bellhop-ai/bellhop/pkg/boot"
	"github.com/bellhop-ai/bellhop/pkg/httpx"
)

// All handlers share one token verifier: what one of them learns of the
// project's keys, the others know.
func TestTheKeySetIsFetchedOnceForAllHandlers(t *testing.T) {
	project := localtest.Stack(t)
	var fetched atomic.Int32
	remote := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/jwks.json") {
			fetched.Add(1)
			_, _ = w.Write(project.JWKS())
			return
		}
		http.NotFound(w, r) // nobody is a member of anything
	}))
	t.Cleanup(remote.Close)
	env := map[string]string{
		"OPENAI_BASE_URL": "http://127.0.0.1:1/v1", "OPENAI_API_KEY": "local", "SUPABASE_SECRET_KEY": "sb_secret_x",
		"SEAL_KEYS": "k1:" + strings.Repeat("A", 42) + "E=",
	}
	s := &boot.Service{Name: "server", Log: zerolog.Nop(), Now: time.Now, Leaving: t.Context(),
		Env: func(name string) (string, bool) { v, ok := env[name]; return v, ok }}
	s.SupabaseURL, s.PublishableKey, s.ProofKeys = remote.URL, "sb_publishable_x",
		"p1:AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="
	h, err := build(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	h = httpx.Wrap(h, httpx.Config{Log: s.Log, NewID: s.NewID, Now: s.Now, Timeout: time.Minute})
	// A key that no one has makes a verifier ask the project for its keys.
	const unknownKey = "eyJhbGciOiJFUzI1NiIsImtpZCI6Im5vYm9keSIsInR5cCI6IkpXVCJ9.e30.AAAA"
	for _, address := range []string{
		"POST /api/chat", "GET /api/tools/hospitality", "POST /api/uploads", "GET /api/conversations",
		"GET /api/feedback", "POST /api/summarize", "POST /api/export", "GET /api/users", "POST /api/transcribe",
		"GET /api/projects", "GET /api/travellers",
	} {
		method, path, _ := strings.Cut(address, " ")
		r := httptest.NewRequestWithContext(t.Context(), method, path, strings.NewReader("{}"))
		r.Header.Set("Authorization", "Bearer "+unknownKey)
		r.Header.Set("Content-Type", "application/json")
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		if w.Code != http.StatusUnauthorized {
			t.Errorf("%s: %d %s", address, w.Code, w.Body)
		}
	}
	if n := fetched.Load(); n != 1 {
		t.Errorf("the key set was fetched %d times", n)
	}
}
