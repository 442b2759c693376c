package story_test

import (
	"slices"
	"testing"

	"github.com/bellhop-ai/bellhop/pkg/portfolio/projects"
	"github.com/bellhop-ai/bellhop/pkg/portfolio/story"
)

// A spoken minute fills the fields.
func TestRead(t *testing.T) {
	t.Parallel()
	r := story.Read(projects.Project{}, "So we did a kitchen in Leeds. The old one was falling apart and they wanted more storage. "+
		"We fitted oak doors and quartz worktops. It took us three weeks. They love it.", "")
	if r.Changes.Type == nil || *r.Changes.Type != "kitchen renovation" {
		t.Errorf("type %v", r.Changes.Type)
	}
	if r.Changes.Place == nil || r.Changes.Place.City != "Leeds" {
		t.Errorf("place %v", r.Changes.Place)
	}
	if r.Changes.Materials == nil || !slices.Contains(*r.Changes.Materials, "oak") {
		t.Errorf("materials %v", r.Changes.Materials)
	}
	if r.Changes.Story == nil || r.Changes.Story.Duration != "three weeks" || r.Changes.Story.Result == "" ||
		r.Changes.Story.Problem == "" || r.Changes.Story.Solution == "" {
		t.Errorf("story %+v", r.Changes.Story)
	}
}

// A question is open, and the person tells the whole story instead of the answer.
func TestAStoryIsNoShortAnswer(t *testing.T) {
	said := "It was a bathroom in York, they had no shower. We fitted a walk-in shower with porcelain tiles. It took two weeks."
	for _, asked := range []string{"type", "place", "materials"} {
		r := story.Read(projects.Project{}, said, asked)
		for _, field := range []string{"type", "place", "solution", "duration", "materials"} {
			if !slices.Contains(r.Found, field) {
				t.Errorf("asked about the %s: %s is missing in %v", asked, field, r.Found)
			}
		}
	}
}
