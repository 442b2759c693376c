package model

// conversation is a request without its wire format: what every front hands to
// the planner. Roles are system, user, assistant and tool; developer counts as
// system.
type conversation struct {
	seed      string // identifies the request; ids derive from it
	messages  []message
	tools     []tool
	toolTexts []string // the tools as they were sent
	choice    choice
	format    *responseFormat
}

type message struct {
	role   string
	name   string
	text   string
	calls  []call
	callID string // of a tool message: the call that it answers
}

type call struct {
	id, name, args string
}

type tool struct {
	name, description string
	params            *schema
}

// choice is tool_choice: auto, none, required, or named with the tool's name.
type choice struct {
	mode, name string
}

// responseFormat asks for JSON instead of prose. Without a schema any object will do.
type responseFormat struct {
	schema *schema
}

// decision is the answer before it takes a wire format: calls, or a text.
type decision struct {
	text  string
	calls []call
}
