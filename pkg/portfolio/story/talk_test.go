package story_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bellhop-ai/bellhop/pkg/portfolio/projects"
	"github.com/bellhop-ai/bellhop/pkg/portfolio/story"
)

// What is said to the assistant about the page is nothing of the job.
func TestRequestsTellNothingOfTheJob(t *testing.T) {
	t.Parallel()
	begun := apply(projects.Project{}, story.Read(projects.Project{}, minute, ""))
	for _, said := range []string{
		"Generate the portfolio content now.", "publish it", "can you make the title shorter please",
		"what do you need next?",
		"I've uploaded 8 photos", "thanks, that looks great", "the first photo is the before",
		"put the third photo first",
		"Change the description to something friendlier", "no, leave it", "yes publish",
		"Hi, I want to add a new project",
		"delete the second photo", "is it live now?", "That is wrong, change it back",
		"use the second one as the hero",
		"where can I see it?", "how much does it cost?", "make it more friendly", "There are no faces in the photos",
		"ok do it", "undo that", "Regenerate the title", "show me the preview",
		"I don't like the description, write it again",
		"Please check if it is ready to publish", "add the tag oak kitchen", "what else do you want to know?", "hello",
		"good morning",
		"Could you add a heading about the worktops", "Start a new project for a bathroom", "send me the link",
		"the photos are in now",
		"I love it, publish", "it looks good now", "that's much better", "there is a typo in the second paragraph",
		"I want the text to be shorter", "we need a better title", "Let me see the page now",
		"they look great, thanks",
		"Make the second paragraph about the marble", "kya ho gaya?", "foto bhej diya", "publícalo",
	} {
		r := story.Read(begun, said, "")
		if !r.Empty() {
			t.Errorf("%q changes %q: %+v", said, r.Found, r.Changes.Story)
		}
	}
}

// A story that is told in pieces is the same as one that is told at once.
func TestAStoryInPieces(t *testing.T) {
	t.Parallel()
	var p projects.Project
	for _, said := range []string{"kitchen in Leeds", "old one was knackered, no storage at all",
		"oak and quartz mostly",
		"about three weeks", "walls were wonky so had to scribe everything", "client loves it",
		"actually it was four weeks",
		"and we added brass handles", "Ripped it all out.", "finished May 2026"} {
		p = apply(p, story.Read(p, said, ""))
	}
	want := projects.Project{Type: "kitchen renovation", Place: projects.Place{City: "Leeds"},
		Materials: []string{"oak", "quartz", "brass"}, Story: projects.Story{
			Problem:   "old one was knackered, no storage at all",
			Challenge: "walls were wonky so had to scribe everything",
			Solution:  "we added brass handles. Ripped it all out.", Result: "client loves it", Duration: "four weeks",
			Completed: "May 2026", Notes: []projects.Note{{Field: "duration", Was: "three weeks", Is: "four weeks"}}}}
	if diff := cmp.Diff(want, p); diff != "" {
		t.Error(diff)
	}
}

// A story stays one where the assistant is asked for something in the same breath.
func TestAStoryWithARequest(t *testing.T) {
	t.Parallel()
	r := story.Read(projects.Project{}, "Can you make a page of this? We did a bathroom in York. The old shower was "+
		"leaking. We fitted a new one with porcelain tiles. Please keep it short.", "")
	p := apply(projects.Project{}, r)
	if p.Type != "bathroom renovation" || p.Place.City != "York" || p.Story.Problem != "The old shower was leaking." ||
		p.Story.Solution != "We fitted a new one with porcelain tiles." || len(p.Story.Facts) != 0 {
		t.Errorf("%+v", p)
	}
}
