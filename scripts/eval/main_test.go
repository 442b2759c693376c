package main

import (
	"strings"
	"testing"
)

// Every assistant that ships with sentences is evaluated without being named, by
// the router that it ships with.
func TestEvaluatesAssistantsByName(t *testing.T) {
	none := func(string) string { return "" }
	for _, args := range [][]string{{}, {"hospitality"}} {
		var out strings.Builder
		args = append([]string{"-root", "../../pkg/assistants", "-only", "blocked_dates"}, args...)
		if err := run(t.Context(), args, none, &out); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(out.String(), "hospitality: 60 utterances") {
			t.Errorf("%q prints %s", args, out.String())
		}
	}
	var out strings.Builder
	err := run(t.Context(), []string{"-root", "../../pkg/assistants", "nobody"}, none, &out)
	if err == nil || !strings.Contains(err.Error(), `"nobody"`) {
		t.Errorf("an assistant that does not exist: %v", err)
	}
	if err := run(t.Context(), []string{"-root", t.TempDir(), "hospitality"}, none, &out); err == nil {
		t.Error("an assistant without sentences was evaluated")
	}
}
