package tools_test

import (
	"slices"
	"testing"

	"github.com/bellhop-ai/bellhop/pkg/portfolio/tools"
)

// Every tool is declared whole, has a name of its own, and says why it is there where
// the source does not name it. The deprecated one does not exist.
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
	if names["showContentEditor"] {
		t.Error("showContentEditor is deprecated and must not be offered")
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
