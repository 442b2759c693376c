// Package stream carries the events of a turn to a client.
//
// The native representation is a stream of named server-sent events. Its
// grammar, which a test holds all kinds of turns to:
//
//	stream  = turn complete .
//	turn    = connected understanding_started [ history_unverified ]
//	          [ routing ] { step } .
//	routing = [ route_started ] route_classified [ mode_switch ] [ tools_filtered ] .
//	step    = [ response_generating ] { response_chunk } { work } [ question ] .
//	work    = executing_tool { executing_tool } { tool_result [ table ] }
//	          [ write_committed ] { response_chunk } .
//	question = proposal { response_chunk } .
//
// A turn that fails is cut off at any of its events, and the event error stands
// in place of what is missing. So there is exactly one terminal event, complete
// or error, and nothing follows it. In a stream that completes each
// executing_tool has one tool_result with its callId.
//
// The data of all response_chunk events put together is the reply. Each event
// has an id of the form turn.step.sequence. While nothing happens, comments
// keep the connection open.
//
// The plain JSON answer is the data of the complete event, so both
// representations say the same by construction. Two more streamed
// representations are the AI SDK's and OpenAI's; see UI and Completions.
package stream

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"strconv"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/agent"
	"github.com/bellhop-ai/bellhop/pkg/consent"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/render"
)

// Event is one event as clients know it.
type Event struct {
	Name string
	Step int
	Data any
}

// Names of the events that no agent makes.
const (
	Connected     = "connected"
	Understanding = "understanding_started"
	RouteStarted  = "route_started"
	Routed        = "route_classified"
	Switched      = "mode_switch"
	Filtered      = "tools_filtered"
	Unverified    = "history_unverified"
	Generating    = "response_generating"
	Complete      = "complete"
	Failure       = "error"
)

// FromAgent translates an event of a run. ok is false for one that clients do
// not see as an event of its own.
func FromAgent(e agent.Event) (out Event, ok bool) {
	switch e := e.(type) {
	case agent.Generating:
		return Event{Generating, e.Step, map[string]any{"step": e.Step}}, true
	case agent.Text:
		return Say(e.Text), true
	case agent.Started:
		return Event{"executing_tool", e.Step, startedData{e.CallID, e.Tool, e.Title, e.Arguments, e.Step}}, true
	case agent.Finished:
		return Event{"tool_result", 0, finishedData{e.CallID, e.Tool, e.OK, e.Records, e.Message, e.Duration.Milliseconds(), e.Asked}}, true
	case agent.Shown:
		return Event{"table", 0, shownData{e.Ref, e.Table}}, true
	case agent.Proposed:
		return Event{"proposal", 0, e.Proposal.View()}, true
	case agent.Committed:
		return Event{"write_committed", 0, committedData{e.Tool, e.Text}}, true
	}
	return Event{}, false
}

// Say returns the event of a piece of the reply.
func Say(text string) Event { return Event{"response_chunk", 0, textData{text}} }

type textData struct {
	Text string `json:"text"`
}

type startedData struct {
	CallID    string          `json:"callId"`
	Tool      string          `json:"tool"`
	Title     string          `json:"title"`
	Arguments json.RawMessage `json:"arguments"`
	Step      int             `json:"step"`
}

type finishedData struct {
	CallID   string `json:"callId"`
	Tool     string `json:"tool"`
	Success  bool   `json:"success"`
	Records  int    `json:"records"`
	Message  string `json:"message,omitempty"`
	Duration int64  `json:"durationMs"`
	Asked    bool   `json:"asked,omitempty"` // it became a question for consent
}

type shownData struct {
	Ref   string       `json:"ref"`
	Table render.Table `json:"table"`
}

type committedData struct {
	Tool string `json:"tool"`
	Text string `json:"text"`
}

// Problem is the data of an error event and the body of a refusal: a public
// code, a sentence, and the id under which the log knows the rest.
type Problem struct {
	Code      string `json:"code"`
	Message   string `json:"message"`
	RequestID string `json:"requestId"`
	// RetryAfter is in seconds; 0 when nothing is known.
	RetryAfter int    `json:"retryAfter,omitempty"`
	apiType    string // in OpenAI's words
}

// Fail returns the terminal event of a failed turn. The cause stays behind.
func Fail(err error, requestID string) Event {
	f := fault.From(err)
	return Event{Name: Failure, Data: map[string]Problem{"error": {
		Code: f.PublicCode(), Message: f.Message, RequestID: requestID, RetryAfter: int(math.Ceil(f.RetryAfter.Seconds())), apiType: typeOf(f.Kind),
	}}}
}

// Encoding turns the events of one answer into bytes. It keeps what it must
// know of earlier events, so each answer has its own.
type Encoding interface {
	// Head sets the headers that say what follows.
	Head(h http.Header)
	// Encode returns the frames of an event; there may be none.
	Encode(ev Event) ([]byte, error)
}

// Encoder writes native events with their ids. It is an Encoding.
type Encoder struct {
	Turn string
	step int
	seq  int
}

// Head says that events follow.
func (e *Encoder) Head(h http.Header) { h.Set("Content-Type", "text/event-stream; charset=utf-8") }

// Encode returns the frame of one event.
func (e *Encoder) Encode(ev Event) ([]byte, error) {
	if ev.Step > e.step {
		e.step, e.seq = ev.Step, 0
	}
	e.seq++
	head := make([]byte, 0, 256)
	head = append(append(head, "id: "...), oneLine(e.Turn)...)
	head = strconv.AppendInt(append(head, '.'), int64(e.step), 10)
	head = strconv.AppendInt(append(head, '.'), int64(e.seq), 10)
	head = append(append(append(head, "\nevent: "...), ev.Name...), "\ndata: "...)
	b := bytes.NewBuffer(head)
	if err := write(b, ev.Data); err != nil {
		return nil, fmt.Errorf("encode the event %s: %w", ev.Name, err)
	}
	b.WriteByte('\n')
	return b.Bytes(), nil
}

// write encodes as one line, without escaping for HTML, so that texts travel
// as written.
func write(b *bytes.Buffer, v any) error {
	enc := json.NewEncoder(b)
	enc.SetEscapeHTML(false)
	return enc.Encode(v)
}

// marshal is write without the end of the line.
func marshal(v any) ([]byte, error) {
	var b bytes.Buffer
	if err := write(&b, v); err != nil {
		return nil, err
	}
	return bytes.TrimRight(b.Bytes(), "\n"), nil
}

// oneLine keeps a turn's name, which a client chose, from breaking a frame.
func oneLine(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return -1
		}
		return r
	}, s)
}

// Answer is the plain answer of a turn, and part of the complete event.
type Answer struct {
	Reply          string        `json:"reply"`
	Agent          string        `json:"agent"`
	Label          string        `json:"label"`
	Message        Message       `json:"message"`
	Confirmation   *consent.View `json:"confirmation"`
	Finish         agent.Finish  `json:"finish"`
	Path           string        `json:"path"`
	Usage          Usage         `json:"usage"`
	Degraded       []string      `json:"degraded"`
	RequestID      string        `json:"requestId"`
	ConversationID string        `json:"conversationId"`
	// Conversation is where the turn is kept; nil when it is not.
	Conversation *Conversation `json:"conversation,omitempty"`
}

// Conversation names a stored conversation.
type Conversation struct {
	ID    string `json:"id"`   // opaque; for the conversations door
	Code  string `json:"code"` // what people call it: "#SC-0001"
	Title string `json:"title"`
	New   bool   `json:"isNew"` // it began with this turn
}

// Message is the assistant's message as the client keeps and resends it.
type Message struct {
	ID      string `json:"id"`
	Role    string `json:"role"`
	Content string `json:"content"`
	Agent   string `json:"agent,omitempty"`
	Label   string `json:"label,omitempty"`
	Seal    string `json:"seal"`
}

// Usage counts what a turn cost.
type Usage struct {
	Input  int `json:"input"`
	Output int `json:"output"`
	Total  int `json:"total"`
	Cached int `json:"cached"`
	Calls  int `json:"calls"` // model calls
}

// Completed is the data of the complete event: the fields that front ends of
// the finance assistant read, and the plain answer.
type Completed struct {
	Query             string         `json:"query"`
	Category          string         `json:"category"`
	MatchedIntent     any            `json:"matchedIntent"`
	ExtractedEntities map[string]any `json:"extractedEntities"`
	Reasoning         string         `json:"reasoning"`
	PipelineSteps     []PipelineStep `json:"pipelineSteps"`
	Enrichments       []any          `json:"enrichments"`
	ResponseFormat    string         `json:"responseFormat"`
	Response          string         `json:"response"`
	ToolResults       []ToolResult   `json:"mcpToolResults"`
	DataSources       []string       `json:"dataSources"`
	Model             string         `json:"llmModel"`
	Iterations        int            `json:"iterationCount"`
	Answer
}

// PipelineStep is one tool call for the steps panel.
type PipelineStep struct {
	Tool        string `json:"tool"`
	Description string `json:"description"`
	Purpose     string `json:"purpose"`
}

// ToolResult says how a tool call ended. The result itself travelled as a
// table; raw data never leaves.
type ToolResult struct {
	Tool    string `json:"tool"`
	Success bool   `json:"success"`
	Error   string `json:"error,omitempty"`
}
