// Package llm says what a language model is to us: something that reads
// messages and offered tools and answers with text, with calls of tools, or
// both. It knows no vendor. Chat Completions and the Responses API both fit
// behind Model.
package llm

import (
	"cmp"
	"context"
	"encoding/json"
	"sync"

	"github.com/bellhop-ai/bellhop/pkg/identity"
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
	// leaves them out; see VisionModel.
	Images []Image
	// Calls are the tools that an assistant message calls.
	Calls []Call
	// CallID is the call that a tool message answers.
	CallID string
	// Opaque holds items of a provider that must be handed back as they came,
	// such as encrypted reasoning. Only the adapter reads them.
	Opaque []json.RawMessage
}

// Image is a picture as it is in its file.
type Image struct {
	Type string // media type
	Data []byte
}

// VisionModel is a Model that knows whether it sees pictures. One that is none sees
// nothing.
type VisionModel interface{ SupportsImages() bool }

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
	kept  sync.Map // name → what was made of the tools under it
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
	return Kept(s, dialect, encode)
}

// Kept returns what make makes of the set's tools, made once per name. A name
// stands for one type; what is returned is shared and must not be changed.
func Kept[T any](s *Toolset, name string, make func([]Tool) (T, error)) (T, error) {
	if kept, ok := s.kept.Load(name); ok {
		return kept.(T), nil
	}
	made, err := make(s.tools)
	if err == nil {
		s.kept.Store(name, made)
	}
	return made, err
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
// before, Reasoning the part of Out that is not shown.
type Usage struct {
	In        int `json:"input"`
	Out       int `json:"output"`
	Cached    int `json:"cached"`
	Reasoning int `json:"reasoning,omitempty"`
	Calls     int `json:"calls"` // model calls
	// Own is the part of the tokens that an organisation's own models used, as
	// far as they have a price, and Cost what that part costs, in millionths of
	// a US dollar. The price list holds for the other tokens.
	Own  Tokens `json:"own,omitzero"`
	Cost int64  `json:"costMicros,omitempty"`
	// Provider names who answered where there are several; of a sum, the last.
	// "" where there is one.
	Provider string `json:"provider,omitempty"`
}

// Tokens counts tokens as Usage does.
type Tokens struct {
	In     int `json:"input"`
	Out    int `json:"output"`
	Cached int `json:"cached"`
}

// Add returns the sum of u and of what was used after it.
func (u Usage) Add(o Usage) Usage {
	return Usage{u.In + o.In, u.Out + o.Out, u.Cached + o.Cached, u.Reasoning + o.Reasoning, u.Calls + o.Calls,
		Tokens{u.Own.In + o.Own.In, u.Own.Out + o.Own.Out, u.Own.Cached + o.Own.Cached}, u.Cost + o.Cost,
		cmp.Or(o.Provider, u.Provider)}
}

// Known returns Cost, and whether it is the cost of all tokens.
func (u Usage) Known() (micros int64, known bool) {
	return u.Cost, u.Own == Tokens{u.In, u.Out, u.Cached} && u.Own != Tokens{}
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

// Tier is how much a task asks of a model.
type Tier string

// The tiers.
const (
	Cheap   Tier = "cheap"   // routing, titles, summaries
	Capable Tier = "capable" // talking to people, choosing tools
)

// Models gives each caller the models of their organisation.
type Models interface {
	// For returns the model of a tier with which an assistant works for the
	// caller. It bears its own name, whatever a request names.
	For(ctx context.Context, by identity.Caller, assistant string, tier Tier) (Model, error)
}

// Pricer is a Model that may have a price of its own.
type Pricer interface {
	// Cost returns what tokens cost, in millionths of a US dollar rounded up,
	// and false without a price: then the price list holds.
	Cost(Tokens) (micros int64, known bool)
}

// Namer is a Model that has a name of its own, which counts in the place of the
// one that a request names.
type Namer interface{ Name() string }
