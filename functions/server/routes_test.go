package main

import (
	"encoding/json"
	"net/http"
	"testing"

	"github.com/bellhop-ai/bellhop/infra/local/localtest"
)

// S3-1: what some clients know as sessions of chat are conversations, though
// all else below /api/chat/ is chat's.
func TestSessionsOfChatAreConversations(t *testing.T) {
	server := run(t, localtest.Stack(t), "http://127.0.0.1:1/v1")
	token := localtest.Token(t, "manager@sojourn.example")
	for _, path := range []string{"/api/chat/sessions/by-project/PRJ-DEODAR",
		"/api/conversations/by-project/prj-deodar"} {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, server.URL+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Authorization", "Bearer "+token)
		resp, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		var a struct {
			Session struct{ Code string }
			IsNew   *bool
		}
		if err := json.NewDecoder(resp.Body).Decode(&a); err != nil || resp.StatusCode != http.StatusOK ||
			a.Session.Code != "#SC-0002" || a.IsNew == nil || *a.IsNew {
			t.Errorf("%s: %d %+v, %v", path, resp.StatusCode, a, err)
		}
	}
}

// Whatever stands in an address, what is not there is said to be not
// there, in the form of all errors.
func TestAddressesOfNothingAreProblems(t *testing.T) {
	server := run(t, localtest.Stack(t), "http://127.0.0.1:1/v1")
	token := localtest.Token(t, "manager@sojourn.example")
	for _, tc := range []struct{ method, path string }{
		{"GET", "/api/zzz"}, {"POST", "/api/health"}, {"GET", "/api"}, {"GET", "/api/feedback/"},
		{"GET", "/api/conversations/%FF"}, {"GET", "/api/conversations/%ED%A0%80/context"},
		{"GET", "/api/conversations/%00/messages"},
		{"GET", "/api/chat/sessions/%FF/people"}, {"GET", "/api/summarize/%00"}, {"GET", "/api/summarize/%FF"},
		{"GET", "/api/export/%FF?format=md"}, {"GET", "/api/conversations/by-project/%FF"},
	} {
		r, err := http.NewRequestWithContext(t.Context(), tc.method, server.URL+tc.path, nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Authorization", "Bearer "+token)
		resp, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		if kind := resp.Header.Get("Content-Type"); resp.StatusCode != http.StatusNotFound ||
			kind != "application/problem+json" {
			t.Errorf("%s %s: %d, %s", tc.method, tc.path, resp.StatusCode, kind)
		}
	}
}
