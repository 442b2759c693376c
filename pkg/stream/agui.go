package stream

import (
	"bytes"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"

	"github.com/bellhop-ai/bellhop/pkg/agent"
	"github.com/bellhop-ai/bellhop/pkg/consent"
)

// AGUI encodes a turn as the events of AG-UI 1.0 (https://ag-ui.com/spec/1.0), a
// server-sent event without a name each. The reply is one message of the assistant,
// which is open from its first piece to the end of the turn; its last event gives it
// its seal as metadata, which clients put into the message and resend. Calls of tools
// are those of this message. A question for consent is an interrupt of the run. What
// the protocol has no event for is a CUSTOM event with the name and the data of the
// native one, and the name run before the events of another run than the last.
//
// An AGUI is for one answer and not safe for concurrent use.
type AGUI struct {
	turn, thread, run string // run is the client's name for the turn
	continued         *Continued
	text              bool              // the message is open
	steps             map[string]string // names of open steps, by run
	of                string            // the run whose events came last
	call              string            // the approved call of this turn, by our name for it
	asked             string            // the call that became a question
}

// NewAGUI returns the encoding of one answer. The turn's name becomes the id of the
// message; thread and run are as the client named them. continued is the call that the
// person answered for, or nil; its MessageID is not used.
func NewAGUI(turn, thread, run string, continued *Continued) *AGUI {
	return &AGUI{turn: turn, thread: thread, run: run, continued: continued, steps: map[string]string{}}
}

// Copy returns a copy of the encoding.
func (a *AGUI) Copy() Encoding {
	c := *a
	c.steps = maps.Clone(a.steps)
	if a.continued != nil {
		continued := *a.continued
		c.continued = &continued
	}
	return &c
}

// Head says that events follow.
func (a *AGUI) Head(h http.Header) { h.Set("Content-Type", "text/event-stream; charset=utf-8") }

// aguiEvent is one event of the protocol; empty members are left out, since its
// schemas take no null.
type aguiEvent struct {
	Type      string        `json:"type"`
	ThreadID  string        `json:"threadId,omitempty"`
	RunID     string        `json:"runId,omitempty"`
	Protocol  string        `json:"protocolVersion,omitempty"`
	MessageID string        `json:"messageId,omitempty"`
	Role      string        `json:"role,omitempty"`
	Delta     string        `json:"delta,omitempty"`
	Step      string        `json:"stepName,omitempty"`
	CallID    string        `json:"toolCallId,omitempty"`
	Call      string        `json:"toolCallName,omitempty"`
	Parent    string        `json:"parentMessageId,omitempty"`
	Content   string        `json:"content,omitempty"`
	Name      string        `json:"name,omitempty"`
	Value     any           `json:"value,omitempty"`
	Message   string        `json:"message,omitempty"`
	Code      string        `json:"code,omitempty"`
	Result    any           `json:"result,omitempty"`
	Outcome   *aguiOutcome  `json:"outcome,omitempty"`
	Usage     []aguiUsage   `json:"usage,omitempty"`
	Metadata  *aguiMetadata `json:"metadata,omitempty"`
}

// aguiMetadata is what clients keep of a message, a call or a failure.
type aguiMetadata struct {
	Seal       string `json:"seal,omitempty"`
	Agent      string `json:"agent,omitempty"`
	Label      string `json:"label,omitempty"`
	Title      string `json:"title,omitempty"`
	RequestID  string `json:"requestId,omitempty"`
	RetryAfter int    `json:"retryAfter,omitempty"` // seconds
}

type aguiOutcome struct {
	Type       string          `json:"type"` // success or interrupt
	Interrupts []aguiInterrupt `json:"interrupts,omitempty"`
}

// aguiInterrupt is a question for consent. Its answer is of responseSchema.
type aguiInterrupt struct {
	ID        string         `json:"id"` // the proposal's
	Reason    string         `json:"reason"`
	Message   string         `json:"message"`
	CallID    string         `json:"toolCallId,omitempty"`
	Schema    map[string]any `json:"responseSchema"`
	ExpiresAt string         `json:"expiresAt"`
	Metadata  map[string]any `json:"metadata"`
}

type aguiUsage struct {
	Provider string `json:"provider,omitempty"`
	Input    int    `json:"inputTokens"`
	Output   int    `json:"outputTokens"`
	Total    int    `json:"totalTokens"`
	Cached   int    `json:"cachedInputTokens"`
}

// aguiResult is what a finished run says beside its message.
type aguiResult struct {
	Agent          string        `json:"agent"`
	Label          string        `json:"label"`
	Finish         agent.Finish  `json:"finish"`
	Path           agent.Path    `json:"path"`
	Degraded       []string      `json:"degraded"`
	RequestID      string        `json:"requestId"`
	ConversationID string        `json:"conversationId,omitempty"`
	Conversation   *Conversation `json:"conversation,omitempty"`
}

// Encode returns the frames of one event; none for events that say nothing here.
func (a *AGUI) Encode(ev Event) ([]byte, error) {
	var list []aguiEvent
	if ev.Run != "" && ev.Run != a.of {
		a.of = ev.Run
		list = append(list, aguiEvent{Type: "CUSTOM", Name: "run", Value: map[string]string{"run": ev.Run}})
	}
	var b bytes.Buffer
	for _, e := range append(list, a.events(ev)...) {
		b.WriteString("data: ")
		if err := write(&b, e); err != nil {
			return nil, fmt.Errorf("encode the event %s: %w", ev.Name, err)
		}
		b.WriteByte('\n')
	}
	return b.Bytes(), nil
}

func (a *AGUI) events(ev Event) []aguiEvent {
	switch data := ev.Data.(type) {
	case textData:
		return a.say(data.Text)
	case startedData:
		return a.begin(data)
	case finishedData:
		return a.result(data)
	case Completed:
		return a.complete(data)
	case map[string]Problem:
		p := data["error"]
		return []aguiEvent{{Type: "RUN_ERROR", Message: p.Message, Code: p.Code,
			Metadata: &aguiMetadata{RequestID: p.RequestID, RetryAfter: p.RetryAfter}}}
	}
	switch ev.Name {
	case Connected:
		return []aguiEvent{{Type: "RUN_STARTED", ThreadID: a.thread, RunID: a.run, Protocol: "1.0"}}
	case Understanding:
		return nil
	case Generating:
		return a.step(ev)
	}
	return []aguiEvent{{Type: "CUSTOM", Name: ev.Name, Value: ev.Data}}
}

// step ends the open step of the event's run and begins the next.
func (a *AGUI) step(ev Event) (list []aguiEvent) {
	if open, ok := a.steps[ev.Run]; ok {
		list = append(list, aguiEvent{Type: "STEP_FINISHED", Step: open})
	}
	name := "step " + strconv.Itoa(ev.Step)
	if ev.Run != "" {
		name = ev.Run + " " + name
	}
	a.steps[ev.Run] = name
	return append(list, aguiEvent{Type: "STEP_STARTED", Step: name})
}

// open begins the message unless it has begun.
func (a *AGUI) open() []aguiEvent {
	if a.text {
		return nil
	}
	a.text = true
	return []aguiEvent{{Type: "TEXT_MESSAGE_START", MessageID: a.turn, Role: "assistant"}}
}

func (a *AGUI) say(delta string) []aguiEvent {
	if delta == "" {
		return nil
	}
	return append(a.open(), aguiEvent{Type: "TEXT_MESSAGE_CONTENT", MessageID: a.turn, Delta: delta})
}

// callID names a call for the client, which has those of all turns in one list.
func (a *AGUI) callID(id string) string { return a.turn + ":" + id }

func (a *AGUI) begin(d startedData) []aguiEvent {
	if c := a.continued; c != nil && c.Approved && !c.settled && a.call == "" {
		a.call = d.CallID // the client has the call already
		return nil
	}
	id := a.callID(d.CallID)
	return append(a.open(),
		aguiEvent{Type: "TOOL_CALL_START", CallID: id, Call: d.Tool, Parent: a.turn,
			Metadata: &aguiMetadata{Title: d.Title}},
		aguiEvent{Type: "TOOL_CALL_ARGS", CallID: id, Delta: string(d.Arguments)},
		aguiEvent{Type: "TOOL_CALL_END", CallID: id})
}

func (a *AGUI) result(d finishedData) []aguiEvent {
	id := a.callID(d.CallID)
	if a.call == d.CallID && a.continued != nil && !a.continued.settled {
		id, a.continued.settled = a.continued.CallID, true
	}
	if d.Asked {
		a.asked = id
		return nil // the interrupt is its state
	}
	return a.answered(id, outcome{d.Success, d.Records, d.Message, d.Duration})
}

// answered is the result of a call.
func (a *AGUI) answered(id string, o outcome) []aguiEvent {
	content, err := marshal(o)
	if err != nil {
		content = []byte("{}") // it is plain data, which can be encoded
	}
	return []aguiEvent{{Type: "TOOL_CALL_RESULT", MessageID: id + ":result", CallID: id, Role: "tool",
		Content: string(content)}}
}

func (a *AGUI) complete(c Completed) []aguiEvent {
	var list []aguiEvent
	if k := a.continued; k != nil && !k.settled {
		// The question was answered, and nothing ran.
		list, k.settled = a.answered(k.CallID, outcome{Message: "It was not done."}), true
	}
	list = append(list, a.open()...)
	list = append(list, aguiEvent{Type: "TEXT_MESSAGE_END", MessageID: a.turn,
		Metadata: &aguiMetadata{Seal: c.Message.Seal, Agent: c.Agent, Label: c.Label}})
	for _, run := range slices.Sorted(maps.Keys(a.steps)) {
		list = append(list, aguiEvent{Type: "STEP_FINISHED", Step: a.steps[run]})
	}
	end := aguiEvent{Type: "RUN_FINISHED", ThreadID: a.thread, RunID: a.run, Outcome: &aguiOutcome{Type: "success"},
		Usage: []aguiUsage{{c.Usage.Provider, c.Usage.Input, c.Usage.Output, c.Usage.Total, c.Usage.Cached}},
		Result: aguiResult{c.Agent, c.Label, c.Finish, c.Path, c.Degraded, c.RequestID, c.ConversationID,
			c.Conversation}}
	if c.Finish == agent.Confirm && c.Confirmation != nil {
		end.Outcome = &aguiOutcome{Type: "interrupt", Interrupts: []aguiInterrupt{a.interrupt(*c.Confirmation)}}
	}
	return append(list, end)
}

// interrupt is a question as the protocol has it.
func (a *AGUI) interrupt(v consent.View) aguiInterrupt {
	answer := map[string]any{"approved": map[string]any{"type": "boolean"},
		"phrase": map[string]any{"type": "string", "description": "what has to be typed, for the tier CRITICAL"}}
	return aguiInterrupt{ID: v.ID, Reason: "confirmation", Message: v.Preview.Title, CallID: a.asked,
		Schema:    map[string]any{"type": "object", "properties": answer, "required": []string{"approved"}},
		ExpiresAt: v.ExpiresAt.UTC().Format("2006-01-02T15:04:05.000Z"), Metadata: map[string]any{"proposal": v}}
}
