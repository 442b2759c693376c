package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What belongs to one assistant stands in the files of its scenario: neither its
// tables nor its codes are named anywhere else.
func TestTheEngineKnowsNoDomain(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, sc := range scenarios() {
		words := append([]string{sc.assistant, sc.code}, sc.tables...)
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") || strings.HasPrefix(file, sc.assistant) {
				continue
			}
			raw, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for _, word := range words {
				if text := strings.ReplaceAll(string(raw), "return []scenario{"+sc.assistant,
					""); strings.Contains(text,
					word) {
					t.Errorf("%s knows %q of the assistant %s", file, word, sc.assistant)
				}
			}
		}
	}
}

func TestAScenarioIsChosenByItsAssistant(t *testing.T) {
	one, err := chosen("hospitality")
	if err != nil || len(one) != 1 || one[0].assistant != "hospitality" {
		t.Errorf("%d scenarios, %v", len(one), err)
	}
	if all, err := chosen(""); err != nil || len(all) != len(scenarios()) {
		t.Errorf("%d of all scenarios, %v", len(all), err)
	}
	if _, err := chosen("nobody"); err == nil {
		t.Error("a scenario was found for nobody")
	}
}
