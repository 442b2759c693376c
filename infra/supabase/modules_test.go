package supabase_test

import (
	"encoding/json"
	"os"
	"testing"
)

// What the response cache takes for the sub-module of a tool is what the reviewed
// manifest of the ledger says.
func TestTheLedgersToolsHaveTheirModules(t *testing.T) {
	t.Parallel()
	raw, err := os.ReadFile("../../pkg/boot/remote/manifests/ledger.json")
	if err != nil {
		t.Fatal(err)
	}
	var manifest struct {
		Tools []struct{ Name, Category string }
	}
	if err := json.Unmarshal(raw, &manifest); err != nil {
		t.Fatal(err)
	}
	want := map[string]string{}
	for _, tool := range manifest.Tools {
		want[tool.Name] = tool.Category
	}
	conn := connect(t, "empty")
	got := askJSON(t, conn, `select jsonb_object_agg(name, module) from app.module_tools`)
	for name, module := range want {
		if got[name] != module {
			t.Errorf("%s: %v, want %s", name, got[name], module)
		}
	}
	if len(got) != len(want) || len(want) < 90 {
		t.Errorf("there are %d tools, want %d", len(got), len(want))
	}
	// Every one that is touched exists, and a write touches its own module.
	for _, code := range names(t, conn, `select t.code from app.modules m, unnest(m.touches) t(code)
		where t.code <> '*' and t.code not in (select code from app.modules where parent is not null)`) {
		t.Errorf("%s is touched and does not exist", code)
	}
	for _, name := range names(t, conn, `select name from app.module_tools
		where not (array[module, '*'] && app.modules_touched(name))`) {
		t.Errorf("a write by %s does not touch its own module", name)
	}
	if n := ask[int](t, conn, `select count(*) from app.modules where parent is not null`); n != 22 {
		t.Errorf("there are %d sub-modules, want 22", n) // S2-24
	}
}
