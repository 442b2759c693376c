package stream

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"

	"github.com/bellhop-ai/bellhop/pkg/agent"
	"github.com/bellhop-ai/bellhop/pkg/consent"
	"github.com/bellhop-ai/bellhop/pkg/part"
)

// UI encodes a turn as the UI message stream of the AI SDK, version 1, in the
// parts that its versions 6 and 7 both accept. Tools are marked as run by us,
// so that a client neither runs them nor sends the message again by itself.
// Extensions of ours are data parts:
//
//	data-agent      who answers and how that was found; one, replaced in place
//	data-run        whose parts follow, in a turn with several runs
//	data-status     what happens now; transient
//	data-history    that some of the history has no authority
//	data-<kind>     a part, under its id: data-table, data-chart, data-choices, …
//	data-committed  a change that is in the database
//	data-proposal   the question for consent, beside the tool's approval request
//
// The final metadata of the message holds its seal, the agent, the usage and
// the end of the turn.
//
// A UI is for one answer and not safe for concurrent use.
type UI struct {
	// NoApprovals leaves out approval requests, which version 5 of the SDK does not
	// know: the question is the text and the part data-proposal, and is answered in
	// words or by the member confirm of the next request.
	NoApprovals bool

	turn      string
	thread    string
	continued *Continued
	started   bool   // a step is open
	texts     int    // text parts so far
	open      bool   // the last of them is open
	run       string // whose events came last, of a turn with several runs
	call      string // the approved call of this turn, by our name for it
	asked     string // the call that became a question
}

// Continued is an answer to an approval request: the client goes on writing the
// message that held the request, so its parts go on too.
type Continued struct {
	MessageID string
	CallID    string // of the tool part that was answered
	Approved  bool
	settled   bool
}

// NewUI returns the encoding of one answer. The turn's name becomes the id of
// the message, unless it continues one.
func NewUI(turn, thread string, continued *Continued) *UI {
	return &UI{turn: turn, thread: thread, continued: continued}
}

// Copy returns a copy of the encoding.
func (u *UI) Copy() Encoding {
	c := *u
	if u.continued != nil {
		continued := *u.continued
		c.continued = &continued
	}
	return &c
}

// Head sets the headers by which clients know the protocol.
func (u *UI) Head(h http.Header) {
	h.Set("Content-Type", "text/event-stream")
	h.Set("X-Vercel-Ai-Ui-Message-Stream", "v1")
}

// chunk is one part of the stream; empty members are left out, since the
// client's parser takes no null.
type chunk struct {
	Type       string          `json:"type"`
	ID         string          `json:"id,omitempty"`
	MessageID  string          `json:"messageId,omitempty"`
	ToolCallID string          `json:"toolCallId,omitempty"`
	ToolName   string          `json:"toolName,omitempty"`
	Title      string          `json:"title,omitempty"`
	ApprovalID string          `json:"approvalId,omitempty"`
	Input      json.RawMessage `json:"input,omitempty"`
	Output     any             `json:"output,omitempty"`
	Delta      string          `json:"delta,omitempty"`
	ErrorText  string          `json:"errorText,omitempty"`
	Data       any             `json:"data,omitempty"`
	Transient  bool            `json:"transient,omitempty"`
	Ours       bool            `json:"providerExecuted,omitempty"`
	Finish     string          `json:"finishReason,omitempty"`
	Metadata   any             `json:"messageMetadata,omitempty"`
}

// outcome is a tool's output as clients see it. The data stays on the server;
// users see a table of it.
type outcome struct {
	Success  bool   `json:"success"`
	Records  int    `json:"records"`
	Message  string `json:"message,omitempty"`
	Duration int64  `json:"durationMs"`
}

// metadata is what the client keeps of a finished message.
type metadata struct {
	Seal           string        `json:"seal,omitempty"`
	Agent          string        `json:"agent,omitempty"`
	Label          string        `json:"label,omitempty"`
	Finish         agent.Finish  `json:"finish"`
	Path           agent.Path    `json:"path"`
	Usage          Usage         `json:"usage"`
	Degraded       []string      `json:"degraded"`
	Confirmation   *consent.View `json:"confirmation,omitempty"`
	RequestID      string        `json:"requestId"`
	ConversationID string        `json:"conversationId,omitempty"`
	Conversation   *Conversation `json:"conversation,omitempty"`
}

// Encode returns the frames of one event; none for events without a part in
// this protocol.
func (u *UI) Encode(ev Event) ([]byte, error) {
	var parts []chunk
	if ev.Run != "" && ev.Run != u.run {
		u.run = ev.Run // its text is another part of the message
		parts = append(u.endText(), chunk{Type: "data-run", Data: map[string]string{"run": ev.Run}})
	}
	more, end := u.parts(ev)
	parts = append(parts, more...)
	var b bytes.Buffer
	for _, p := range parts {
		b.WriteString("data: ")
		if err := write(&b, p); err != nil {
			return nil, fmt.Errorf("encode the event %s: %w", ev.Name, err)
		}
		b.WriteByte('\n')
	}
	if end {
		b.WriteString("data: [DONE]\n\n")
	}
	return b.Bytes(), nil
}

func (u *UI) parts(ev Event) (parts []chunk, end bool) {
	switch data := ev.Data.(type) {
	case textData:
		return u.text(data.Text), false
	case startedData:
		return u.begin(data), false
	case finishedData:
		return u.result(data), false
	case part.Part:
		return []chunk{{Type: "data-" + data.Kind, ID: data.ID, Data: flat(data)}}, false
	case committedData:
		return []chunk{{Type: "data-committed", Data: data}}, false
	case consent.View:
		return u.proposal(data), false
	case Completed:
		return u.complete(data), true
	case map[string]Problem:
		p := data["error"]
		return []chunk{{Type: "error", ErrorText: p.Message + " (ref " + p.RequestID + ")"}}, true
	}
	switch ev.Name {
	case Connected:
		id := u.turn
		if u.continued != nil {
			id = u.continued.MessageID
		}
		start := chunk{Type: "start", MessageID: id}
		if u.thread != "" {
			start.Metadata = map[string]string{"conversationId": u.thread}
		}
		return []chunk{start}, false
	case Generating:
		return u.step(), false
	case Unverified:
		return []chunk{{Type: "data-history", Data: ev.Data}}, false
	case Routed:
		return []chunk{{Type: "data-agent", ID: "agent", Data: ev.Data}}, false
	case RouteStarted:
		return []chunk{
			{Type: "data-status", Data: map[string]string{"text": "Finding out who should answer"}, Transient: true},
		}, false
	}
	return nil, false
}

// step ends the open step and begins the next.
func (u *UI) step() []chunk {
	parts := u.endText()
	if u.started {
		parts = append(parts, chunk{Type: "finish-step"})
	}
	u.started = true
	return append(parts, chunk{Type: "start-step"})
}

func (u *UI) inStep(parts ...chunk) []chunk {
	if u.started {
		return parts
	}
	u.started = true
	return append([]chunk{{Type: "start-step"}}, parts...)
}

func (u *UI) text(delta string) []chunk {
	if delta == "" {
		return nil
	}
	if u.open {
		return []chunk{{Type: "text-delta", ID: u.textID(), Delta: delta}}
	}
	u.open = true
	u.texts++
	return u.inStep(
		chunk{Type: "text-start", ID: u.textID()},
		chunk{Type: "text-delta", ID: u.textID(), Delta: delta},
	)
}

func (u *UI) textID() string { return u.turn + "-" + strconv.Itoa(u.texts) }

// flat is a part as the data of its chunk: the members of its content, its text
// and the call that made it.
func flat(p part.Part) any {
	if data, err := p.Flat(); err == nil {
		return data
	}
	return p.Data
}

func (u *UI) endText() []chunk {
	if !u.open {
		return nil
	}
	u.open = false
	return []chunk{{Type: "text-end", ID: u.textID()}}
}

func (u *UI) begin(d startedData) []chunk {
	if c := u.continued; c != nil && c.Approved && !c.settled && u.call == "" {
		u.call = d.CallID // it has its part already
		return nil
	}
	return append(u.endText(), u.inStep(chunk{
		Type:       "tool-input-available",
		ToolCallID: d.CallID,
		ToolName:   d.Tool,
		Title:      d.Title,
		Input:      d.Arguments,
		Ours:       true,
	})...)
}

func (u *UI) result(d finishedData) []chunk {
	id := d.CallID
	if u.call == id && u.continued != nil && !u.continued.settled {
		id, u.continued.settled = u.continued.CallID, true
	}
	if d.Asked && !u.NoApprovals {
		u.asked = id
		return nil // the question is its state
	}
	if d.Asked {
		return []chunk{{Type: "tool-output-available", ToolCallID: id, Ours: true,
			Output: outcome{Message: "It waits for a decision.", Duration: d.Duration}}}
	}
	if !d.Success {
		return []chunk{{Type: "tool-output-error", ToolCallID: id, ErrorText: d.Message, Ours: true}}
	}
	return []chunk{
		{
			Type:       "tool-output-available",
			ToolCallID: id,
			Output:     outcome{d.Success, d.Records, d.Message, d.Duration},
			Ours:       true,
		},
	}
}

func (u *UI) proposal(v consent.View) []chunk {
	var parts []chunk
	if u.asked != "" {
		parts = append(parts, chunk{Type: "tool-approval-request", ApprovalID: v.ID, ToolCallID: u.asked})
		u.asked = ""
	}
	return append(parts, chunk{Type: "data-proposal", ID: v.ID, Data: v})
}

func (u *UI) complete(c Completed) []chunk {
	parts := u.endText()
	if k := u.continued; k != nil && !k.settled {
		// The question was answered, and nothing ran.
		if k.Approved {
			parts = append(
				parts,
				chunk{Type: "tool-output-error", ToolCallID: k.CallID, ErrorText: "It was not done."},
			)
		} else {
			parts = append(parts, chunk{Type: "tool-output-denied", ToolCallID: k.CallID})
		}
		k.settled = true
	}
	if u.started {
		parts = append(parts, chunk{Type: "finish-step"})
	}
	return append(parts, chunk{Type: "finish", Finish: reason(c.Finish), Metadata: metadata{
		Seal:           c.Message.Seal,
		Agent:          c.Agent,
		Label:          c.Label,
		Finish:         c.Finish,
		Path:           c.Path,
		Usage:          c.Usage,
		Degraded:       c.Degraded,
		Confirmation:   c.Confirmation,
		RequestID:      c.RequestID,
		ConversationID: c.ConversationID,
		Conversation:   c.Conversation,
	}})
}

// reason is the finish reason in the protocol's terms.
func reason(f agent.Finish) string {
	switch f {
	case agent.Stop:
		return "stop"
	case agent.Confirm:
		return "tool-calls"
	case agent.Failed:
		return "error"
	case agent.Deadline:
		return "length"
	}
	return "other"
}
