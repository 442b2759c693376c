package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestASentenceIsTried(t *testing.T) {
	for said, want := range map[string][]string{
		"Which cabins are blocked next week?":    {"blocked_dates", "without a model", "confidence", "S2-17"},
		"Who painted the sunflowers on 3 March?": {"a model is asked", "date", "3 March"},
		"🙂":                                      {"a model is asked"},
	} {
		var out strings.Builder
		if err := run([]string{"-try", said}, &out); err != nil {
			t.Fatal(err)
		}
		for _, w := range want {
			if !strings.Contains(out.String(), w) {
				t.Errorf("%q prints %s, want %q", said, out.String(), w)
			}
		}
	}
}

// The table names each matcher, and the diagram is drawn.
func TestDataIsMeasured(t *testing.T) {
	folder := t.TempDir()
	var b strings.Builder
	b.WriteString("en_query\tcs_query\ten_parse\tcs_parse\tdomain\n")
	line := func(said, label string) { b.WriteString("x\t" + said + "\tx\t[IN:" + label + " x ]\td\n") }
	for _, day := range strings.Fields("somvaar mangalvaar budhvaar guruvaar shukravaar aaj kal parso subah shaam " +
		"raat dopahar") {
		for _, hour := range []string{"paanch", "chhe"} {
			line(day+" ko "+hour+" baje alarm lagao", "SET")
			line(day+" ke "+hour+" baje mausam kaisa hoga", "WEATHER")
			line("koi gaana bajao "+day+" "+hour, "PLAY")
		}
	}
	line("kuch aur batao", "UNSUPPORTED_X")
	if err := os.WriteFile(filepath.Join(folder, "hinglish_top_train.tsv"), []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	diagram := filepath.Join(folder, "d.svg")
	if err := run([]string{"-data", folder, "-diagram", diagram, "-folds", "2", "-curve"}, &out); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{literal, neighbour, learnt, "72 sentences of 3 intents, 1 others",
		"others accepted unsupported", "0.950"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is missing in %s", want, out.String())
		}
	}
	if svg, err := os.ReadFile(diagram); err != nil || !strings.HasPrefix(string(svg), "<svg") {
		t.Errorf("the diagram is %.40q, %v", svg, err)
	}
	if err := run([]string{"-data", t.TempDir()}, &out); err == nil {
		t.Error("a folder without data is measured")
	}
}
