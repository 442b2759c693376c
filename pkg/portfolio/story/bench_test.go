package story_test

import (
	"strings"
	"testing"

	"github.com/bellhop-ai/bellhop/pkg/portfolio/projects"
	"github.com/bellhop-ai/bellhop/pkg/portfolio/story"
)

func BenchmarkRead(b *testing.B) {
	minute := "So we did a kitchen in Leeds and the old one was falling apart, they wanted more storage. We fitted " +
		"oak doors and quartz worktops with soft close hinges. The walls were not straight so we scribed every " +
		"panel. It took us three weeks and they love it. "
	b.ReportAllocs()
	for b.Loop() {
		story.Read(projects.Project{}, strings.Repeat(minute, 3), "")
	}
}

// A model's extraction at the end of a long conversation.
func BenchmarkMerge(b *testing.B) {
	var said []string
	for i := range 300 {
		said = append(said, []string{"ok go on", "We fitted oak doors and quartz worktops with soft close hinges.",
			"It took three weeks.",
			"can you make the title shorter", "The walls were not straight so we scribed every panel."}[i%5])
	}
	b.ReportAllocs()
	for b.Loop() {
		story.Merge(projects.Project{}, story.Extracted{Problem: "They wanted more storage.",
			Materials: []string{"oak"}}, said)
	}
}
