package tools_test

import (
	"net/http"
	"slices"
	"testing"

	"github.com/bellhop-ai/bellhop/infra/local/localtest"
)

// A form offers what there is: each argument that takes a code names a tool whose
// table has the codes and their names. A viewer may run what reads, and nothing else.
func TestTheCatalogueTellsWhatAFormCanOffer(t *testing.T) {
	t.Parallel()
	d := open(t)
	type catalogue struct {
		Tools []struct {
			Name, Effect string
			Allowed      bool
		}
		Choices map[string]string
	}
	viewer := localtest.Token(t, "viewer@sojourn.example")
	status, raw := d.call(t, "GET", "/api/tools/hospitality", viewer, "")
	found := decode[catalogue](t, raw)
	if status != http.StatusOK || found.Choices["room"] != "list_room_types" {
		t.Fatalf("status %d: %v", status, found.Choices)
	}
	for _, tool := range found.Tools {
		if tool.Allowed != (tool.Effect == "reads") {
			t.Errorf("a viewer may run %s, which %s: %v", tool.Name, tool.Effect, tool.Allowed)
		}
	}
	seen := map[string]bool{}
	for name, tool := range found.Choices {
		if seen[tool] {
			continue
		}
		seen[tool] = true
		status, raw := d.call(t, "POST", "/api/tools/hospitality/"+tool, viewer, "{}")
		if status != http.StatusOK {
			t.Errorf("%s for %s: status %d: %s", tool, name, status, raw)
			continue
		}
		var keys []string
		for _, c := range decode[answer](t, raw).Table.Columns {
			keys = append(keys, c.Key)
		}
		if !slices.Contains(keys, "code") || !slices.Contains(keys, "name") {
			t.Errorf("%s for %s has the columns %v", tool, name, keys)
		}
	}
	_, raw = d.call(t, "GET", "/api/tools/hospitality", localtest.Token(t, "manager@sojourn.example"), "")
	for _, tool := range decode[catalogue](t, raw).Tools {
		if !tool.Allowed {
			t.Errorf("a manager may not run %s", tool.Name)
		}
	}
}
