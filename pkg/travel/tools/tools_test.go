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

	"github.com/bellhop-ai/bellhop/pkg/tool"
	"github.com/bellhop-ai/bellhop/pkg/travel/tools"
)

var update = flag.Bool("update", false, "write the snapshots in testdata and the table of the docs anew")

// Every tool is declared whole, and says why it is there where the source does not name
// it. The first four are the source's.
func TestTheToolsAreDeclaredWhole(t *testing.T) {
	t.Parallel()
	given := []string{"search_flights", "search_hotels", "block_travel_time", "add_hotel_to_itinerary"}
	names := map[string]bool{}
	for i, one := range tools.Tools(tools.Config{}) {
		if err := one.Check(); err != nil {
			t.Error(err)
		}
		spec := one.Spec()
		if names[spec.Name] {
			t.Errorf("there are two tools %s", spec.Name)
		}
		names[spec.Name] = true
		if own := i < len(given) && given[i] == spec.Name; own != (spec.Extension == "") {
			t.Errorf("%s is the source's: %v, and says %q", spec.Name, own, spec.Extension)
		}
		if spec.Component == "" || spec.Category == "" {
			t.Errorf("%s has no component or category", spec.Name)
		}
		// Money and seats are asked for; everything else is the caller's own.
		outside := slices.Contains([]string{"hold_flight", "book_flight", "pay_held_flight", "book_hotel",
			"cancel_booking"},
			spec.Name)
		if outside != (spec.Target == tool.Outside) || outside != one.Outside() || outside != one.Effect().Asks() {
			t.Errorf("%s: effect %s, target %s", spec.Name, one.Effect(), spec.Target)
		}
		if !outside && one.Effect() != tool.Reads && spec.Target != tool.Own {
			t.Errorf("%s writes what is not the caller's own", spec.Name)
		}
	}
}

// What a model is told of each tool is reviewed as a whole. Change a tool on purpose with
// -update and read the difference.
func TestWhatModelsAreToldIsAsReviewed(t *testing.T) {
	t.Parallel()
	var names []string
	for _, one := range tools.Tools(tools.Config{}) {
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
	const path, begin, end = "../../../docs/travel-tools.md", "<!-- tools: go test ./pkg/travel/tools -update -->\n",
		"<!-- /tools -->"
	var b strings.Builder
	b.WriteString("\n| tool | effect | arguments | shows | why it is there |\n|---|---|---|---|---|\n")
	for _, one := range tools.Tools(tools.Config{}) {
		why := one.Spec().Extension
		if why == "" {
			why = "the source's"
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s | %s |\n", one.Name(), one.Effect(), arguments(t, one),
			one.Spec().Component, why)
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

// arguments lists the arguments of a tool, the optional ones with a question mark.
func arguments(t *testing.T, one tool.Tool) string {
	t.Helper()
	var schema struct {
		Properties map[string]json.RawMessage `json:"properties"`
		Required   []string                   `json:"required"`
	}
	if err := json.Unmarshal(one.Schema(), &schema); err != nil {
		t.Fatal(err)
	}
	var needed, optional []string
	for name := range schema.Properties {
		if slices.Contains(schema.Required, name) {
			needed = append(needed, "`"+name+"`")
		} else {
			optional = append(optional, "`"+name+"?`")
		}
	}
	slices.Sort(needed)
	slices.Sort(optional)
	return strings.Join(append(needed, optional...), ", ")
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
