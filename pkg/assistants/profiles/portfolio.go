package profiles

import "github.com/bellhop-ai/bellhop/pkg/assistants"

// Portfolio is the profile of the interviewer who makes a page of a contractor's job.
func Portfolio() assistants.Profile {
	return assistants.Profile{
		Name: "portfolio", Title: "Portfolio", Records: true, Prefix: "PF", Projects: true, Markdown: true,
		Greeting: "Hello, I make a page of a job that you finished. Tell me about it as you would tell a friend, " +
			"and drop your photos here. Which job shall we show?",
		Suggestions: []string{"Which projects do I have?"},
		Changes:     []string{"We just finished a job", "I have photos of a job"},
		AgentNames: []assistants.AgentName{
			{Name: "interviewer", Label: "Interviewer"},
			{Name: "writer", Label: "Page Writer"},
		},
		Variants: []assistants.Variant{{Deep: true}},
		Parts: []string{"table", "choices", "clarification", "params", "photos", "page", "gallery",
			"link"},
		ReadsFiles: true,
	}
}
