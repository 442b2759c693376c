package model

// talk is a request freed from its wire format: what every front hands to
// think. Roles are system, user, assistant and tool; developer counts as
// system.
type talk struct {
	seed     string // identifies the request; ids derive from it
	messages []message
	tools    []tool
	choice   choice
	shape    *shape
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

// shape asks for JSON instead of prose. Without a schema any object will do.
type shape struct {
	schema *schema
}

// thought is the answer before it takes a wire format: calls, or a text.
type thought struct {
	text  string
	calls []call
}
