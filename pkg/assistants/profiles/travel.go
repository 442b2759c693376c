package profiles

import "github.com/bellhop-ai/bellhop/pkg/assistants"

// Travel is the profile of Sword, who finds, holds and books journeys.
func Travel() assistants.Profile {
	return assistants.Profile{
		Name: "travel", Title: "Sword", Records: true, Prefix: "SW", Markdown: true, Responses: true,
		Shortens: true,
		Greeting: "Hello, I am Sword. Tell me where you want to go, when and with whom: I find flights and hotels, " +
			"hold what you like, and keep your itinerary. Where shall we begin?",
		Suggestions: []string{"Which trips do I have?", "What did I book before?"},
		Changes: []string{"Find flights from London to Lisbon next Friday evening, back on Sunday",
			"Find a hotel in Lisbon next weekend for two"},
		AgentNames: []assistants.AgentName{{Name: "sword", Label: "Sword"}},
		Parts: []string{"table", "choices", "params", "link", "flights", "stays", "itinerary", "booking",
			"travellers"},
		ReadsFiles: true,
	}
}
