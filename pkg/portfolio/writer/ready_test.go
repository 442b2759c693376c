package writer_test

import (
	"testing"

	"github.com/bellhop-ai/bellhop/pkg/portfolio/projects"
	"github.com/bellhop-ai/bellhop/pkg/portfolio/publish"
	"github.com/bellhop-ai/bellhop/pkg/portfolio/story"
	"github.com/bellhop-ai/bellhop/pkg/portfolio/writer"
)

// What a person told in a minute becomes, by rules alone, a page that may be published.
func TestAPageByRulesPassesTheChecksOfPublishing(t *testing.T) {
	t.Parallel()
	for name, said := range map[string]string{
		"a spoken minute": "uh so this was a kitchen for a couple in Headingley Leeds 14 Rosewood Lane they had an " +
			"old melamine kitchen with the doors falling off um we took everything out and the walls were 40 mm out " +
			"over 3 metres so we had to scribe every panel we made the cabinets from oak with dovetailed drawers " +
			"took us about three weeks and they got twice the storage my number is 07700 900123",
		"few words": "replaced a slate roof in York",
		"a written message": "Bathroom refit in Bristol. The old suite was leaking into the ceiling below. We " +
			"stripped it back to the joists and tiled with porcelain. The client can now shower without a step.",
	} {
		t.Run(name, func(t *testing.T) {
			p := projects.Project{Code: "PRJ-1", Images: kitchen().Images, Status: projects.Draft}
			apply(&p, story.Read(p, said, "").Changes)
			b := dale()
			b.About = "We make kitchens and stairs in our workshop."
			d, err := writer.Content(t.Context(), p, b)
			if err != nil {
				t.Fatal(err)
			}
			apply(&p, d.Changes())
			a, err := writer.Layout(t.Context(), p)
			if err != nil {
				t.Fatal(err)
			}
			apply(&p, a.Changes())
			p.Private = projects.Private{Faces: "none", Plates: "none"}
			for _, i := range p.Images {
				p.Private.Images = append(p.Private.Images, i.ID)
			}
			for _, r := range publish.Validate(p, b).Rules {
				if !r.OK {
					t.Errorf("%s: %s %s", r.ID, r.Reason, r.Mend)
				}
			}
			if t.Failed() {
				t.Log(show(p))
			}
		})
	}
}

func apply(p *projects.Project, c projects.Changes) {
	set(&p.Title, c.Title)
	set(&p.Type, c.Type)
	set(&p.Place, c.Place)
	set(&p.Story, c.Story)
	set(&p.Materials, c.Materials)
	set(&p.Techniques, c.Techniques)
	set(&p.Description, c.Description)
	set(&p.SEO, c.SEO)
	set(&p.Tags, c.Tags)
	set(&p.Blocks, c.Blocks)
}

func set[T any](to *T, from *T) {
	if from != nil {
		*to = *from
	}
}
