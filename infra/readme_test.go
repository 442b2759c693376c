package infra_test

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/assistants/hospitality"
)

// TestREADME holds the README's table of tools to the code.
func TestREADME(t *testing.T) {
	const begin, end = "-update -->\n", "<!-- /tools -->"
	a, err := hospitality.New(hospitality.Config{Now: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	b.WriteString("\n| tool | effect | agents |\n|---|---|---|\n")
	for _, e := range a.Tools() {
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", e.Tool.Name(), e.Tool.Effect(), strings.Join(e.Agents, ", "))
	}
	b.WriteString("\n")
	raw, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	head, rest, ok := strings.Cut(string(raw), begin)
	got, tail, closed := strings.Cut(rest, end)
	if !ok || !closed {
		t.Fatal("the README has no marks around its table of tools")
	}
	if got == b.String() {
		return
	}
	if *update {
		if err := os.WriteFile("../README.md", []byte(head+begin+b.String()+end+tail), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	t.Errorf("the README's table of tools is\n%s\nwant\n%s", got, b.String())
}
