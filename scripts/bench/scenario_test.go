package main

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What belongs to one assistant stands in the file of its scenario.
func TestTheEngineKnowsNoDomain(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("*.go")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, sc := range scenarios() {
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") || file == sc.assistant+".go" {
				continue
			}
			raw, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			text := strings.ReplaceAll(string(raw), "return []scenario{"+sc.assistant, "")
			for _, word := range []string{sc.assistant, sc.tool, sc.writes.tool, sc.agent} {
				if strings.Contains(text, word) {
					t.Errorf("%s knows %q of the assistant %s", file, word, sc.assistant)
				}
			}
		}
	}
}

// The canned model routes to the scenario's agent, calls its tool once and then answers.
func TestTheCannedModelPlaysEachScenario(t *testing.T) {
	t.Parallel()
	h := newUpstream()
	ask := func(path, body string) string {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodPost, path+"/chat/completions",
			strings.NewReader(body)))
		return w.Body.String()
	}
	for _, sc := range scenarios() {
		if _, err := sc.profile(); err != nil {
			t.Errorf("%s: %v", sc.assistant, err)
		}
		at := sc.model(pathDesk)
		for body, want := range map[string]string{
			`{"tools":["route_to_agent"],"messages":[{"role":"user"}]}`: sc.agent,
			`{"messages":[{"role":"user"}]}`:                            sc.tool,
			`{"messages":[{"role":"user"},{"role":"tool"}]}`:            lastWords,
		} {
			if got := ask(at, body); !strings.Contains(got, want) {
				t.Errorf("%s answers %s with %.200s, want %s", at, body, got, want)
			}
		}
	}
}
