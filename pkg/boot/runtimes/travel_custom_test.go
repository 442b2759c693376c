package runtimes_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/bellhop-ai/bellhop/infra/local/localtest"
)

// S1-31: what an organisation defined runs as any tool does: one that reads unasked, one
// that changes something after a yes, once, with its key. Viewers use what reads.
func TestToolsOfAnOrganisationRunAsOursDo(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	var calls []string
	desk := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		calls = append(calls, fmt.Sprintf("%s %s key=%t", r.Method, r.URL, r.Header.Get("Idempotency-Key") != ""))
		_, _ = w.Write([]byte(`{"answer":"none for ninety days"}`))
	}))
	t.Cleanup(desk.Close)
	a := newTravel(t, "")
	a.do(a.org.Admin, "POST", "/api/custom-tools", map[string]any{"name": "visa_rules", "method": "GET",
		"effect":      "reads",
		"description": "Says which visa somebody needs for a country.", "address": desk.URL + "/visa/{country}",
		"schema": map[string]any{"type": "object", "required": []string{"country"},
			"properties": map[string]any{"country": map[string]any{"type": "string"}}}})
	a.do(a.org.Admin, "POST", "/api/custom-tools", map[string]any{"name": "tell_desk", "method": "POST",
		"effect": "changes", "description": "Tells the travel desk about a journey.", "address": desk.URL + "/desk",
		"schema": map[string]any{"type": "object", "required": []string{"about"},
			"properties": map[string]any{"about": map[string]any{"type": "string"}}}})

	got := a.do(a.org.Viewer, "POST", "/api/tools/travel/custom_visa_rules", map[string]any{"country": "PT"})
	if text := fmt.Sprint(got); !strings.Contains(text, "ninety days") {
		t.Errorf("read: %s", text)
	}
	about := map[string]any{"about": "Lisbon"}
	if status, got := a.call(a.org.Viewer, "POST", "/api/tools/travel/custom_tell_desk", about); status != 403 {
		t.Errorf("a viewer changes something: %d %v", status, got)
	}
	status, asked := a.call(a.org.Manager, "POST", "/api/tools/travel/custom_tell_desk", about)
	confirmation, _ := asked["confirmation"].(map[string]any)
	if status != 202 || confirmation["id"] == nil || len(calls) != 1 {
		t.Fatalf("asked: %d %v, %v", status, asked, calls)
	}
	answer := map[string]any{"decision": "approve"}
	path := fmt.Sprint("/api/confirmations/", confirmation["id"])
	a.do(a.org.Manager, "POST", path, answer)
	a.call(a.org.Manager, "POST", path, answer) // a double click
	want := "[GET /visa/PT key=false POST /desk key=true]"
	if fmt.Sprint(calls) != want {
		t.Errorf("called %v, want %s", calls, want)
	}
	if status, got := a.call(localtest.NewOrg(t).Admin, "POST", "/api/tools/travel/custom_visa_rules",
		map[string]any{"country": "PT"}); status != 404 {
		t.Errorf("another organisation runs it: %d %v", status, got)
	}
}
