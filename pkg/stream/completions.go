package stream

import (
	"bytes"
	"cmp"
	"fmt"
	"net/http"
	"slices"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/agent"
	"github.com/bellhop-ai/bellhop/pkg/consent"
	"github.com/bellhop-ai/bellhop/pkg/fault"
)

// Completions encodes a turn as chunks of OpenAI's Chat Completions: the reply
// as deltas of one choice, and data: [DONE]. Tools run on the server and are
// not visible. The extension member is bellhop in the last delta, which clients
// that collect deltas put into the message; see Extra.
//
// A failure after the first byte is a chunk with the member error, as OpenAI's
// own is, and no [DONE].
//
// It is for one answer and not safe for concurrent use.
type Completions struct {
	ID      string // of the answer
	Model   string // the assistant's name
	Created time.Time
	Usage   bool // end with a chunk that counts the tokens
}

// Copy returns a copy of the encoding.
func (c *Completions) Copy() Encoding { copied := *c; return &copied }

// Completion is an answer in the form of Chat Completions, whole or a chunk.
type Completion struct {
	ID      string           `json:"id"`
	Object  string           `json:"object"`
	Created int64            `json:"created"` // seconds since 1970
	Model   string           `json:"model"`
	Choices []Choice         `json:"choices"`
	Usage   *CompletionUsage `json:"usage,omitempty"`
}

// Choice is the only choice of an answer.
type Choice struct {
	Index   int                `json:"index"`
	Message *CompletionMessage `json:"message,omitempty"`
	Delta   *CompletionMessage `json:"delta,omitempty"`
	// Finish is stop, length or content_filter; null while chunks follow.
	Finish   *string `json:"finish_reason"`
	Logprobs *int    `json:"logprobs"` // always null
}

// CompletionMessage is the assistant's message or a piece of it.
type CompletionMessage struct {
	Role    string  `json:"role,omitempty"`
	Content *string `json:"content,omitempty"`
	Bellhop *Extra  `json:"bellhop,omitempty"`
}

// Extra has the values for which Chat Completions has no member. A client that
// resends the message with it keeps the seal; one that does not has plain text.
type Extra struct {
	Seal         string        `json:"seal"`
	Agent        string        `json:"agent"`
	Label        string        `json:"label"`
	Finish       agent.Finish  `json:"finish"`
	Path         string        `json:"path"`
	Confirmation *consent.View `json:"confirmation"`
	Degraded     []string      `json:"degraded"`
	RequestID    string        `json:"requestId"`
}

// CompletionUsage counts tokens of all model calls of the turn.
type CompletionUsage struct {
	Prompt     int `json:"prompt_tokens"`
	Completion int `json:"completion_tokens"`
	Total      int `json:"total_tokens"`
	Details    struct {
		Cached int `json:"cached_tokens"`
	} `json:"prompt_tokens_details"`
}

// APIError is a failure in the form of OpenAI's API.
type APIError struct {
	Error APIProblem `json:"error"`
}

// APIProblem describes a failure: a message, its type in OpenAI's terms, the
// invalid member, and our code.
type APIProblem struct {
	Message   string  `json:"message"`
	Type      string  `json:"type"`
	Param     *string `json:"param"`
	Code      string  `json:"code"`
	RequestID string  `json:"request_id,omitempty"`
}

// NewAPIError returns the public part of a failure. param names the invalid
// member of the request, or is "".
func NewAPIError(f *fault.Error, param, requestID string) APIError {
	p := APIProblem{Message: f.Message, Type: typeOf(f.Kind), Code: f.PublicCode(), RequestID: requestID}
	if param != "" {
		p.Param = &param
	}
	return APIError{p}
}

// APIError returns the data of an error event in OpenAI's form.
func (p Problem) APIError() APIError {
	return APIError{APIProblem{Message: p.Message, Type: cmp.Or(p.apiType, "server_error"), Code: p.Code,
		RequestID: p.RequestID}}
}

// typeOf returns a kind in OpenAI's terms.
func typeOf(k fault.Kind) string {
	switch k {
	case fault.Unauthorized:
		return "authentication_error"
	case fault.Forbidden:
		return "permission_error"
	case fault.Limited:
		return "rate_limit_error"
	case fault.Internal, fault.Upstream, fault.Unavailable, fault.Timeout, fault.Full:
		return "server_error"
	}
	return "invalid_request_error"
}

// Head says that chunks follow.
func (c *Completions) Head(h http.Header) { h.Set("Content-Type", "text/event-stream; charset=utf-8") }

// Encode returns the chunks of an event; none for what this protocol has none
// for.
func (c *Completions) Encode(ev Event) ([]byte, error) {
	var values []any
	done := false
	switch data := ev.Data.(type) {
	case textData:
		values = []any{c.chunk(CompletionMessage{Content: &data.Text}, nil)}
	case Completed:
		reason := completionReason(data.Answer)
		values, done = []any{c.chunk(CompletionMessage{Bellhop: extra(data.Answer)}, &reason)}, true
		if c.Usage {
			last := c.envelope("chat.completion.chunk")
			last.Choices, last.Usage = []Choice{}, usageOf(data.Answer)
			values = append(values, last)
		}
	case map[string]Problem:
		values = []any{data["error"].APIError()}
	default:
		if ev.Name != Connected {
			return nil, nil
		}
		empty := ""
		values = []any{c.chunk(CompletionMessage{Role: "assistant", Content: &empty}, nil)}
	}
	var b bytes.Buffer
	for _, v := range values {
		data, err := marshal(v)
		if err != nil {
			return nil, fmt.Errorf("encode the event %s: %w", ev.Name, err)
		}
		b.WriteString("data: ")
		b.Write(data)
		b.WriteString("\n\n")
	}
	if done {
		b.WriteString("data: [DONE]\n\n")
	}
	return b.Bytes(), nil
}

// Whole returns the answer in one piece.
func (c *Completions) Whole(a Answer) Completion {
	out := c.envelope("chat.completion")
	reason := completionReason(a)
	out.Choices = []Choice{{Message: &CompletionMessage{Role: "assistant", Content: &a.Reply, Bellhop: extra(a)},
		Finish: &reason}}
	out.Usage = usageOf(a)
	return out
}

func (c *Completions) envelope(object string) Completion {
	return Completion{ID: c.ID, Object: object, Created: c.Created.Unix(), Model: c.Model}
}

func (c *Completions) chunk(delta CompletionMessage, reason *string) Completion {
	out := c.envelope("chat.completion.chunk")
	out.Choices = []Choice{{Delta: &delta, Finish: reason}}
	return out
}

func extra(a Answer) *Extra {
	return &Extra{Seal: a.Message.Seal, Agent: a.Agent, Label: a.Label, Finish: a.Finish, Path: string(a.Path),
		Confirmation: a.Confirmation, Degraded: a.Degraded, RequestID: a.RequestID}
}

func usageOf(a Answer) *CompletionUsage {
	u := &CompletionUsage{Prompt: a.Usage.Input, Completion: a.Usage.Output, Total: a.Usage.Total}
	u.Details.Cached = a.Usage.Cached
	return u
}

// completionReason is the end of a turn in the protocol's words. A limit of
// ours leaves an answer unfinished as a limit of tokens does.
func completionReason(a Answer) string {
	switch {
	case slices.Contains(a.Degraded, "answer_withheld"):
		return "content_filter"
	case slices.Contains(a.Degraded, "answer_cut"), a.Finish == agent.Deadline, a.Finish == agent.Rounds,
		a.Finish == agent.Budget:
		return "length"
	}
	return "stop"
}
