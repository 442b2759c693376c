package publish_test

import (
	"testing"

	"github.com/bellhop-ai/bellhop/pkg/portfolio/projects"
	"github.com/bellhop-ai/bellhop/pkg/portfolio/publish"
)

// A page keeps its address, but for a place in it that is hidden now.
func TestAPageKeepsItsSlug(t *testing.T) {
	t.Parallel()
	leeds := projects.Place{Street: "14 Rosewood Lane", City: "Leeds", Region: "West Yorkshire", Country: "England"}
	for name, tc := range map[string]struct {
		has, title string
		detail     projects.Detail
		want       string
	}{
		"never published":    {"", "Oak kitchen", projects.ByCity, "oak-kitchen-leeds"},
		"published as it is": {"oak-kitchen-leeds", "Oak kitchen", projects.ByCity, "oak-kitchen-leeds"},
		"another title": {"oak-kitchen-leeds-2", "Walnut kitchen", projects.ByCity,
			"oak-kitchen-leeds-2"},
		"the town is hidden": {"oak-kitchen-leeds", "Oak kitchen", projects.ByRegion,
			"oak-kitchen-west-yorkshire"},
		"all of it is hidden":        {"oak-kitchen-leeds", "Oak kitchen", projects.Nowhere, "oak-kitchen"},
		"the title says it anyway":   {"leeds-kitchen", "A kitchen in Leeds", projects.Nowhere, "leeds-kitchen"},
		"a word that only begins so": {"oak-leedsish", "Oak kitchen", projects.Nowhere, "oak-leedsish"},
	} {
		p := projects.Project{Title: tc.title, Place: leeds, Detail: tc.detail, Slug: tc.has}
		if got := publish.SlugOf(p); got != tc.want {
			t.Errorf("%s: %s, want %s", name, got, tc.want)
		}
	}
}
