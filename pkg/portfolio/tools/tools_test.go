package tools_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/bellhop-ai/bellhop/pkg/portfolio/tools"
	"github.com/bellhop-ai/bellhop/pkg/tool"
)

var update = flag.Bool("update", false, "write the snapshots in testdata and the table of the docs anew")

// Every tool is declared whole, has a name of its own, and says why it is there where
// the source does not name it. The deprecated one does not exist.
//
// S3-14, S3-15, S3-16
func TestTheToolsAreDeclaredWhole(t *testing.T) {
	t.Parallel()
	fast, deep, apply, extensions := tools.Tools(tools.Config{})
	names := map[string]bool{}
	for _, one := range slices.Concat(fast, deep, apply, extensions) {
		if err := one.Check(); err != nil {
			t.Error(err)
		}
		if names[one.Name()] {
			t.Errorf("there are two tools %s", one.Name())
		}
		names[one.Name()] = true
	}
	if len(fast) != 9 || len(deep) != 3 || len(apply) != 1 || names["showContentEditor"] {
		t.Errorf("there are %d fast tools, %d deep ones, %d to apply; deprecated is among them: %v", len(fast),
			len(deep),
			len(apply), names["showContentEditor"])
	}
	for _, one := range extensions {
		if one.Spec().Extension == "" {
			t.Errorf("%s does not say why it is there", one.Name())
		}
	}
	for _, one := range slices.Concat(fast, deep, apply) {
		if one.Spec().Extension != "" {
			t.Errorf("%s is the source's own", one.Name())
		}
	}
}

// What a model is told of each tool is reviewed as a whole. Change a tool on purpose with
// -update and read the difference.
func TestWhatModelsAreToldIsAsReviewed(t *testing.T) {
	t.Parallel()
	fast, deep, apply, extensions := tools.Tools(tools.Config{})
	var names []string
	for _, one := range slices.Concat(fast, deep, apply, extensions) {
		names = append(names, one.Name()+".json")
		m := one.Model()
		told, err := json.MarshalIndent(map[string]any{"name": m.Name, "description": m.Description,
			"parameters": m.Parameters, "effect": one.Effect().String()}, "", "  ")
		if err != nil {
			t.Fatal(err)
		}
		hold(t, filepath.Join("testdata", "tools", one.Name()+".json"), string(told)+"\n")
	}
	kept, err := filepath.Glob(filepath.Join("testdata", "tools", "*.json"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range kept {
		if !slices.Contains(names, filepath.Base(path)) {
			t.Errorf("%s belongs to no tool", path)
		}
	}
}

// The documentation lists the tools as they are.
func TestTheDocsListTheTools(t *testing.T) {
	t.Parallel()
	const path, begin, end = "../../../docs/portfolio-tools.md",
		"<!-- tools: go test ./pkg/portfolio/tools -update -->\n",
		"<!-- /tools -->"
	fast, deep, apply, extensions := tools.Tools(tools.Config{})
	var b strings.Builder
	b.WriteString("\n| tool | kind | effect | why it is there |\n|---|---|---|---|\n")
	for _, list := range []struct {
		kind  string
		tools []tool.Tool
	}{{"fast", fast}, {"deep", deep}, {"apply", apply}, {"extension", extensions}} {
		for _, one := range list.tools {
			why := one.Spec().Extension
			if why == "" {
				why = "the source's"
			}
			fmt.Fprintf(&b, "| `%s` | %s | %s | %s |\n", one.Name(), list.kind, one.Effect(), why)
		}
	}
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	head, rest, ok := strings.Cut(string(raw), begin)
	_, tail, closed := strings.Cut(rest, end)
	if !ok || !closed {
		t.Fatal("the page has no marks around its table of tools")
	}
	hold(t, path, head+begin+b.String()+"\n"+end+tail)
}

// hold compares a file with what it has to be, or writes it.
func hold(t *testing.T, path, want string) {
	t.Helper()
	if *update {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != want {
		t.Errorf("%s is\n%s\nwant\n%s", path, got, want)
	}
}
