package script

import (
	"fmt"
	"strings"
)

// RouteTool is the tool by which a router's request is recognised.
const RouteTool = "route_to_agent"

// Step is one answer of the model. Text and Calls may both be set; with a
// Fault that breaks the answer off they are what is broken.
type Step struct {
	// When says which requests the step answers; nil means the next one that
	// no other step claims. It is called while the server chooses, so it must
	// not wait for another request.
	When func(Request) bool

	Text  string
	Calls []Call

	// Reasoning is the encrypted content of items of reasoning: the first stands
	// before the first thing that the step says or calls, and so on. Only the
	// Responses API shows them, and only to who asks for them.
	Reasoning []string

	// Finish overrides the finish_reason, which is otherwise "tool_calls" with
	// calls and "stop" without.
	Finish string

	// Usage is what the answer reports. The zero value means 100 tokens in and
	// 10 out. A stream reports it only if the request asks for it.
	Usage Usage

	Fault Fault

	// Times is how many requests the step answers: 0 means one, a negative
	// number means all that come.
	Times int

	// Arrived, if not nil, is called with the request before anything is
	// waited for or written. It runs on the server's goroutine.
	Arrived func(Request)

	// Hold keeps the answer back until the channel is closed or gives a value.
	// It also ends when the client leaves or the test ends.
	Hold <-chan struct{}

	// HoldAfter is how many events of a stream are written before Hold is
	// waited for. 0 means that not even the headers are.
	HoldAfter int

	// Bytes writes and flushes one byte at a time.
	Bytes bool

	// CRLF ends the lines of a stream with \r\n.
	CRLF bool

	firstCall int
}

// Call is a tool call that the model makes, or that a history holds.
type Call struct {
	ID   string // a Step may leave it empty; see New
	Name string

	// Arguments go out as they stand, valid JSON or not. In a Step, empty
	// means {}.
	Arguments string
}

// Usage counts tokens.
type Usage struct {
	Prompt     int
	Cached     int // part of Prompt
	Completion int
	Reasoning  int // part of Completion
}

// Route is the step of a router that hands the message to agent. It answers
// only requests that offer RouteTool.
func Route(agent string) Step {
	arguments := fmt.Sprintf(`{"agent":%s,"reasoning":"scripted"}`, encode(agent))
	return Step{When: FromRouter, Calls: []Call{{Name: RouteTool, Arguments: arguments}}}
}

// FromRouter is a When: it accepts requests that offer RouteTool.
func FromRouter(r Request) bool { return r.Offers(RouteTool) }

// FromAgent is a When: it accepts requests that do not offer RouteTool.
func FromAgent(r Request) bool { return !r.Offers(RouteTool) }

// String says in one line what the step answers.
func (s Step) String() string {
	var parts []string
	if s.Text != "" {
		parts = append(parts, "say "+s.Text)
	}
	for _, c := range s.Calls {
		parts = append(parts, "call "+c.Name+" "+c.arguments())
	}
	if s.Fault.kind != none {
		parts = append(parts, "fault "+s.Fault.String())
	}
	return strings.Join(parts, "; ")
}

func (c Call) arguments() string {
	if c.Arguments == "" {
		return "{}"
	}
	return c.Arguments
}

func (s Step) finish() string {
	switch {
	case s.Finish != "":
		return s.Finish
	case s.Fault.kind == filter:
		return "content_filter"
	case len(s.Calls) > 0:
		return "tool_calls"
	}
	return "stop"
}

func (u Usage) told() Usage {
	if u == (Usage{}) {
		return Usage{Prompt: 100, Completion: 10}
	}
	return u
}

func (u Usage) wire() map[string]any {
	u = u.told()
	return map[string]any{
		"prompt_tokens": u.Prompt, "completion_tokens": u.Completion, "total_tokens": u.Prompt + u.Completion,
		"prompt_tokens_details":     map[string]any{"cached_tokens": u.Cached},
		"completion_tokens_details": map[string]any{"reasoning_tokens": u.Reasoning},
	}
}
