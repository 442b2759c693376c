package chefmenu_test

import (
	"testing"

	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/hospitality/chefmenu"
)

// S0-33: the five categories, as people write them.
func TestCategoriesAreReadAsPeopleWriteThem(t *testing.T) {
	t.Parallel()
	for want, all := range map[chefmenu.Category][]string{
		chefmenu.Starters: {"starters", "Starter", " STARTERS ", "starter dish", "appetizers"},
		chefmenu.LocalMains: {"local_mains", "local mains", "Local main", "main (local)", "local main course",
			"Indian mains", "mains, local"},
		chefmenu.ContinentalMains: {"continental_mains", "Continental main dish", "continental-mains",
			"Western main course"},
		chefmenu.LocalSides:       {"local_sides", "local side", "side dish (local)", "Pahadi sides"},
		chefmenu.ContinentalSides: {"continental_sides", "Continental sides", "sides/continental"},
	} {
		for _, written := range all {
			if got, err := chefmenu.ParseCategory(written); got != want || err != nil {
				t.Errorf("%q is %q, %v; want %q", written, got, err, want)
			}
		}
	}
	for written, says := range map[string]string{
		"mains":     "Which mains: local mains or continental mains?",
		"side dish": "Which sides: local sides or continental sides?",
		"local": "The category must be starters, local mains, continental mains, local sides " +
			"or continental sides.",
		"desserts": "The category must be starters, local mains, continental mains, local sides " +
			"or continental sides.",
		"local and continental mains": "The category must be starters, local mains, continental mains, local sides " +
			"or continental sides.",
		"starters and local mains": "The category must be starters, local mains, continental mains, local sides " +
			"or continental sides.",
		"": "The category must be starters, local mains, continental mains, local sides " +
			"or continental sides.",
	} {
		if got, err := chefmenu.ParseCategory(written); got != "" || !fault.Is(err, fault.Invalid) ||
			fault.From(err).Message != says {
			t.Errorf("%q is %q, %v", written, got, err)
		}
	}
}
