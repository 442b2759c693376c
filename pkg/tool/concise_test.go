package tool_test

import (
	"context"
	"strings"
	"testing"

	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/tool"
)

// A model is told each thing once; arguments are still checked by all of it.
func TestAModelIsToldASchemaInFewWords(t *testing.T) {
	run := func(_ context.Context, _ identity.Caller, in extra) (map[string]any, error) { return nil, nil }
	add := addExtra(t, run)
	again := tool.New(tool.Spec{Name: "check_extra", Effect: tool.Reads,
		Description: "Checks an extra before it is added."}, run)
	set, err := tool.NewSet(add, again)
	if err != nil {
		t.Fatal(err)
	}
	told := set.Model().Tools()
	first, second := string(told[0].Parameters), string(told[1].Parameters)
	for _, wanted := range []string{`"format":"date"`, `"description":"what guests call it"`, `"type":"array"`,
		`"required":["name","price"]`} {
		if !strings.Contains(first, wanted) {
			t.Errorf("the first tool lacks %s: %s", wanted, first)
		}
	}
	for _, needless := range []string{`"pattern"`, `"null"`, `"additionalProperties"`} {
		if strings.Contains(first, needless) || !strings.Contains(string(add.Schema()), needless) {
			t.Errorf("%s should stand in the whole schema and not in what is told: %s", needless, first)
		}
	}
	if strings.Contains(second, `"description"`) || !strings.Contains(second, `"enum":["stay","night"]`) {
		t.Errorf("the second tool should repeat no description, and all values: %s", second)
	}
	if alone := string(again.Model().Parameters); alone != first {
		t.Errorf("told alone it is %s, want %s", alone, first)
	}
	if _, err := again.Prepare([]byte(`{"name":"A","price":1,"from":"12 March"}`)); err == nil {
		t.Error("a date in another form passes")
	}
}
