package story_test

import (
	"testing"

	"github.com/bellhop-ai/bellhop/pkg/portfolio/projects"
	"github.com/bellhop-ai/bellhop/pkg/portfolio/story"
)

// What is no answer to the open question goes where it belongs, and not into the field
// that was asked for.
func TestWhatIsNoAnswerIsNotTakenForOne(t *testing.T) {
	p := projects.Project{Type: "roof renovation", Materials: []string{"welsh slate"},
		Story: projects.Story{Facts: []string{}}}
	r := story.Read(p, "No, it was Spanish slate", "problem")
	if r.Changes.Story != nil && r.Changes.Story.Problem != "" {
		t.Errorf("a correction became the problem: %+v", r.Changes.Story)
	}
	r = story.Read(p, "Scaffolding was a nightmare because of the wind.", "solution")
	if s := r.Changes.Story; s == nil || s.Solution != "" || s.Challenge == "" {
		t.Errorf("what was difficult became what was done: %+v", s)
	}
	untyped := projects.Project{Story: projects.Story{Facts: []string{}}}
	r = story.Read(untyped, "Welsh slate on the nave, terne coated steel where the lead was", "type")
	if s := r.Changes.Story; s == nil || len(s.Facts) == 0 {
		t.Errorf("what names no kind of job was lost: %+v", r.Changes)
	}
	r = story.Read(p, "The old roof leaked into the hall", "problem")
	if s := r.Changes.Story; s == nil || s.Problem == "" {
		t.Errorf("an answer was not taken: %+v", s)
	}
	r = story.Read(p, "new battens and breathable felt", "solution")
	if s := r.Changes.Story; s == nil || s.Solution == "" {
		t.Errorf("a short answer was not taken: %+v", s)
	}
}
