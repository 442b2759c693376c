// Package llm says what a language model is to us: something that reads
// messages and offered tools and answers with text, with calls of tools, or
// both. It knows no vendor. Chat Completions and the Responses API both fit
// behind Model.
package llm

import (
	"context"
	"encoding/json"
	"sync"
)

// Role is who speaks in a message.
type Role string

// The roles of a prompt.
const (
	System    Role = "system"
	User      Role = "user"
	Assistant Role = "assistant"
	ToolRole  Role = "tool"
)

// Message is one entry of a prompt.
type Message struct {
	Role Role
	// Text is what was said, or the result of a tool.
	Text string
	// Images are pictures that a user message shows. A model that sees none
	// leaves them out; see Seer.
	Images []Image
	// Calls are the tools that an assistant message calls.
	Calls []Call
	// CallID is the call that a tool message answers.
	CallID string
	// Opaque holds items of a provider that must be handed back as they came,
	// such as encrypted reasoning. Nobody but the adapter reads them.
	Opaque []json.RawMessage
}

// Image is a picture as it is in its file.
type Image struct {
	Type string // media type
	Data []byte
}

// Seer is a Model that knows whether it sees pictures. One that is none sees
// nothing.
type Seer interface{ Sees() bool }

// Call is one tool call that a model asks for. Arguments is what the model
// wrote and may be anything; package tool checks it.
type Call struct {
	ID        string `json:"id"`
	Name      string `json:"name"`
	Arguments string `json:"arguments"`
}

// Tool is what a model is told of a tool.
type Tool struct {
	Name        string
	Description string
	Parameters  json.RawMessage // JSON Schema of an object
}

// Toolset is an immutable list of offered tools. Make one at start with
// NewToolset and share it: adapters keep its encoded form, which does not
// change from call to call.
type Toolset struct {
	tools []Tool
	wire  sync.Map // dialect → []byte
}

// NewToolset returns the set of these tools, in this order.
func NewToolset(tools ...Tool) *Toolset { return &Toolset{tools: tools} }

// Tools returns the tools; callers must not change them.
func (s *Toolset) Tools() []Tool {
	if s == nil {
		return nil
	}
	return s.tools
}

// Encoded returns the set as encode writes it, made once per dialect.
func (s *Toolset) Encoded(dialect string, encode func([]Tool) ([]byte, error)) ([]byte, error) {
	if b, ok := s.wire.Load(dialect); ok {
		return b.([]byte), nil
	}
	b, err := encode(s.tools)
	if err != nil {
		return nil, err
	}
	s.wire.Store(dialect, b)
	return b, nil
}

// Choice says whether the model must call a tool.
type Choice string

// The choices. The zero Choice is Auto.
const (
	Auto     Choice = ""
	None     Choice = "none"
	Required Choice = "required"
)

// Settings are the knobs of one agent's model calls.
type Settings struct {
	Model       string   // "" = the adapter's default
	Temperature *float64 // nil = the provider's default
	MaxTokens   int      // of the answer; 0 = the provider's default
	JSON        bool     // answer with one JSON object
	Schema      *Schema  // the form of that object; nil = any
}

// Schema is the form in which a model must answer. Where a provider does not
// know schemas it is asked for JSON alone, so the prompt should show the form
// too, and the answer must be checked anyway.
type Schema struct {
	Name string // letters, digits, _ and -
	// JSON is a JSON Schema of an object in the strict form: every property is
	// required, and additionalProperties is false.
	JSON json.RawMessage
}

// Request is one model call. The model reads Messages from the first, so a
// stable beginning lets the provider reuse its work.
type Request struct {
	Settings
	Messages []Message
	Tools    *Toolset
	Choice   Choice
}

// Finish is why an answer ended.
type Finish string

// The ends of an answer.
const (
	Stopped  Finish = "stop"
	ToolCall Finish = "tool_calls"
	Length   Finish = "length"         // cut at MaxTokens
	Filtered Finish = "content_filter" // withheld by the provider
)

// Usage counts tokens. Cached is the part of In that the provider had read
// before.
type Usage struct {
	In     int `json:"input"`
	Out    int `json:"output"`
	Cached int `json:"cached"`
	Calls  int `json:"calls"` // model calls
}

// Add returns the sum.
func (u Usage) Add(o Usage) Usage {
	return Usage{u.In + o.In, u.Out + o.Out, u.Cached + o.Cached, u.Calls + o.Calls}
}

// Answer is one whole answer of a model. A Model returns it only when the
// provider said why it ended: a cut answer is an error.
type Answer struct {
	Text    string            `json:"text,omitempty"`
	Calls   []Call            `json:"calls,omitempty"`
	Refusal string            `json:"refusal,omitempty"`
	Finish  Finish            `json:"finish"`
	Model   string            `json:"model,omitempty"` // as the provider names it
	Usage   Usage             `json:"usage"`
	Opaque  []json.RawMessage `json:"opaque,omitempty"`
}

// ContextLength is the code of the fault that says that a prompt is too long
// for the model.
const ContextLength = "context_length"

// Exhausted is the code of the fault that says that the organisation's budget
// has no room for a call. It was not made.
const Exhausted = "budget_exhausted"

// Restarting is the code of the fault of a call that was cut off because the
// process ends.
const Restarting = "restarting"

// Model answers requests. Implementations are safe for concurrent use, retry
// what is safe to retry before any text was shown, and return fault errors:
// Limited, Upstream, Unavailable, Timeout, or Unprocessable when the prompt is
// too long for the model (code ContextLength).
type Model interface {
	// Answer makes one call. Where show is not nil it receives the text in
	// pieces as it arrives, on the caller's goroutine; an error from show ends
	// the call and is returned as it is.
	Answer(ctx context.Context, r Request, show func(text string) error) (Answer, error)
}
