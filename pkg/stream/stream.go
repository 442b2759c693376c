// Package stream carries the events of a turn to a client.
//
// The native representation is a stream of named server-sent events. Its
// grammar, which a test holds all kinds of turns to:
//
//	stream  = turn complete .
//	turn    = connected understanding_started [ history_unverified ] [ part ]
//	          [ routing ] [ pipeline_planned ] { step } .
//	routing = [ route_started ] [ intent ] route_classified [ mode_switch ]
//	          [ tools_filtered ] .
//	intent  = intent_detecting [ intent_detected ] [ entities_extracted ] .
//	step    = [ pipeline_executing ] [ response_generating ] [ text ]
//	          { work } [ enrichment ] [ question ] .
//	text    = response_chunk { response_chunk } { part { response_chunk } } .
//	work    = executing_tool { executing_tool } { tool_result { part } }
//	          [ write_committed ] { response_chunk } .
//	enrichment = enrichments_planned [ enrichments_applying ] .
//	question = proposal { response_chunk } .
//
// In a turn with several runs, the events of a run have the member run, its name.
// The steps of the runs take turns, in the order of the runs; the events of one
// run alone are { step } as well. The data of complete has the member runs: how
// each ended. The AI SDK's stream has a data-run before the parts of another run
// than the last one.
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
	"slices"
	"strconv"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/agent"
	"github.com/bellhop-ai/bellhop/pkg/consent"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/part"
)

// Event is one event as clients know it.
type Event struct {
	Name string
	Step int
	Data any
	Run  string // of a turn with several runs: whose event it is
	// Store, if not nil, keeps the turn together with all frames of its answer,
	// the one of this event included, before this event is sent. It returns nil,
	// or the data that takes the place of Data, because what was to be kept is not.
	Store func(frames []byte) any
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
	case agent.Named:
		out, ok = FromAgent(e.Event)
		out.Run = e.Run
		return out, ok
	case agent.Routing:
		return Event{Name: RouteStarted, Data: map[string]int{"agents": e.Agents, "intents": e.Intents,
			"tools": e.Tools}}, true
	case agent.Routed:
		return Event{Name: Routed, Data: map[string]string{
			"path": string(e.Path), "agent": e.Agent, "label": e.Label, "reasoning": e.Reasoning, "how": e.How,
		}}, true
	case agent.Switched:
		return Event{Name: Switched, Data: map[string]string{
			"from": e.From, "fromLabel": e.FromLabel, "to": e.To, "toLabel": e.ToLabel,
		}}, true
	case agent.Filtered:
		return Event{Name: Filtered, Data: map[string]any{"categories": e.Categories, "tools": e.Tools, "of": e.Of}},
			true
	case agent.Detecting:
		return DetectingIntent(e.Intents), true
	case agent.Detected:
		return DetectedIntent(e.Intent), true
	case agent.Extracted:
		return ExtractedEntities(e.Entities), true
	case agent.Pipeline:
		return PlannedPipeline(e.Steps), true
	case agent.Executing:
		return ExecutingPipeline(e.Step, e.Of), true
	case agent.Enriching:
		if e.Applied {
			return ApplyingEnrichments(e.List), true
		}
		return PlannedEnrichments(e.List), true
	case agent.Generating:
		return Event{Name: Generating, Step: e.Step, Data: map[string]any{"step": e.Step}}, true
	case agent.Text:
		return Say(e.Text), true
	case agent.Started:
		return Event{Name: "executing_tool", Step: e.Step, Data: startedData{e.CallID, e.Tool, e.Title, e.Arguments,
			e.Step}}, true
	case agent.Finished:
		return Event{Name: "tool_result", Data: finishedData{
			e.CallID, e.Tool, e.OK, e.Records, e.Message, e.Duration.Milliseconds(), max(0, e.Attempts-1), e.Asked,
		}}, true
	case agent.Shown:
		return Event{Name: "part", Data: e.Part}, true
	case agent.Proposed:
		return Event{Name: "proposal", Data: e.Proposal.View()}, true
	case agent.Committed:
		return Event{Name: "write_committed", Data: committedData{e.Tool, e.Text}}, true
	}
	return Event{}, false
}

// Say returns the event of a piece of the reply.
func Say(text string) Event { return Event{Name: "response_chunk", Data: textData{text}} }

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
	Retries  int    `json:"retries,omitempty"` // attempts after the first
	Asked    bool   `json:"asked,omitempty"`   // it became a question for consent
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
		Code:       f.PublicCode(),
		Message:    f.Message,
		RequestID:  requestID,
		RetryAfter: int(math.Ceil(f.RetryAfter.Seconds())),
		apiType:    typeOf(f.Kind),
	}}}
}

// Encoding turns the events of one answer into bytes. It keeps what it must
// know of earlier events, so each answer has its own.
type Encoding interface {
	// Head sets the headers that say what follows.
	Head(h http.Header)
	// Encode returns the frames of an event; there may be none. They are valid until
	// the next call.
	Encode(ev Event) ([]byte, error)
	// Copy returns an encoding that goes on from here by itself.
	Copy() Encoding
}

// forFrame is the space that most frames need, in bytes.
const forFrame = 256

// Encoder writes native events with their ids. It is an Encoding.
type Encoder struct {
	Turn string
	step int
	seq  int
	// frame is the last one. Its space is used again.
	frame []byte
}

// Head says that events follow.
func (e *Encoder) Head(h http.Header) { h.Set("Content-Type", "text/event-stream; charset=utf-8") }

// Copy returns a copy of the encoder.
func (e *Encoder) Copy() Encoding { return &Encoder{Turn: e.Turn, step: e.step, seq: e.seq} }

// Encode returns the frame of one event.
func (e *Encoder) Encode(ev Event) ([]byte, error) {
	if ev.Step > e.step {
		e.step, e.seq = ev.Step, 0
	}
	e.seq++
	head := append(append(slices.Grow(e.frame[:0], forFrame), "id: "...), oneLine(e.Turn)...)
	head = strconv.AppendInt(append(head, '.'), int64(e.step), 10)
	head = strconv.AppendInt(append(head, '.'), int64(e.seq), 10)
	head = append(append(append(head, "\nevent: "...), ev.Name...), "\ndata: "...)
	b := bytes.NewBuffer(head)
	start := b.Len()
	if err := write(b, ev.Data); err != nil {
		return nil, fmt.Errorf("encode the event %s: %w", ev.Name, err)
	}
	b.WriteByte('\n')
	e.frame = b.Bytes()
	if ev.Run != "" {
		e.frame = withRun(e.frame, start, ev.Run)
	}
	return e.frame, nil
}

// withRun puts the name of a run first into the object that begins at start. Names
// of runs need no escaping.
func withRun(frame []byte, start int, run string) []byte {
	if start+1 >= len(frame) || frame[start] != '{' {
		return frame
	}
	member := `"run":"` + run + `"`
	if frame[start+1] != '}' {
		member += ","
	}
	return slices.Insert(frame, start+1, []byte(member)...)
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
	Parts          []part.Part   `json:"parts"` // what people see beside the reply; never null
	Agent          string        `json:"agent"`
	Label          string        `json:"label"`
	Message        Message       `json:"message"`
	Confirmation   *consent.View `json:"confirmation"`
	Finish         agent.Finish  `json:"finish"`
	Path           agent.Path    `json:"path"`
	Usage          Usage         `json:"usage"`
	Degraded       []string      `json:"degraded"`
	RequestID      string        `json:"requestId"`
	ConversationID string        `json:"conversationId"`
	// Conversation is where the turn is kept; nil when it is not.
	Conversation *Conversation `json:"conversation,omitempty"`
}

// Conversation names a stored conversation.
type Conversation struct {
	ID    string `json:"id"`   // opaque; for the conversations endpoints
	Code  string `json:"code"` // what people call it: "#SC-0001"
	Title string `json:"title"`
	New   bool   `json:"isNew"` // it began with this turn
	// ProjectID is the project that it is about, "" for none.
	ProjectID string `json:"projectId,omitempty"`
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
	// Cost is in millionths of a US dollar. It is known where each model that
	// answered is the organisation's own and has a price; otherwise nil.
	Cost *int64 `json:"costMicros,omitempty"`
	// Provider names who answered last, where there are several; "" where there
	// is one.
	Provider string `json:"provider,omitempty"`
}

// Completed is the data of the complete event: the fields that front ends of
// the finance assistant read, and the plain answer.
type Completed struct {
	Query             string         `json:"query"`
	Category          string         `json:"category"`
	MatchedIntent     *Intent        `json:"matchedIntent"`
	ExtractedEntities map[string]any `json:"extractedEntities"`
	Reasoning         string         `json:"reasoning"`
	PipelineSteps     []PipelineStep `json:"pipelineSteps"`
	Enrichments       []Enrichment   `json:"enrichments"`
	ResponseFormat    string         `json:"responseFormat"`
	Response          string         `json:"response"`
	ToolResults       []ToolResult   `json:"mcpToolResults"`
	DataSources       []string       `json:"dataSources"`
	Model             string         `json:"llmModel"`
	Iterations        int            `json:"iterationCount"`
	// Runs says how each of several runs of the turn ended.
	Runs []agent.Ended `json:"runs,omitempty"`
	Answer
}

// PipelineStep is one tool call for the steps panel.
type PipelineStep = agent.PipelineStep

// ToolResult says how a tool call ended. The result itself travelled as
// parts; raw data never leaves.
type ToolResult struct {
	Tool    string `json:"tool"`
	Success bool   `json:"success"`
	Error   string `json:"error,omitempty"`
}
