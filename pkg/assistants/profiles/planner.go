package profiles

import "github.com/bellhop-ai/bellhop/pkg/assistants"

// Planner is the profile of the trip planner, which turns a sentence into two or three
// plans that differ.
func Planner() assistants.Profile {
	return assistants.Profile{
		Name: "planner", Title: "Trip planner", Records: true, Prefix: "PL", Markdown: true,
		Greeting: "Hello, I plan trips. Tell me where you want to go, when, how many you are and what it may cost; " +
			"I ask for what is missing and make three plans that differ. Where shall it be?",
		Suggestions: []string{"Which trips have I planned?"},
		Changes: []string{"A long weekend in Lisbon for two from London, mid budget",
			"Five days in Boston in May, 2 adults and a child of 8"},
		AgentNames: []assistants.AgentName{{Name: "planner", Label: "Trip planner"}},
		Parts:      []string{"table", "choices", "params", "link", "plans", "itinerary"},
	}
}
