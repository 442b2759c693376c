package stream

import (
	"bytes"
	"fmt"
	"maps"
	"net/http"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/fault"
)

// Responses encodes a turn as the events of OpenAI's Responses API: the reply as
// one message with one text. Tools run on the server and are not visible. The
// extension member is bellhop, of the response and of its message; see Extra. Nothing
// is stored under the ids of a response or of its items.
//
// A failure after the first byte is the events error, which has OpenAI's error object
// as well, and response.failed.
//
// It is for one answer and not safe for concurrent use.
type Responses struct {
	Turn    string // its name is part of all ids
	Model   string // the assistant's name
	Created time.Time

	number int  // of the next event
	begun  bool // the message has begun
	text   bytes.Buffer
}

// Response is an answer in the form of the Responses API, finished or begun.
type Response struct {
	ID         string             `json:"id"`
	Object     string             `json:"object"` // always response
	Created    int64              `json:"created_at"`
	Status     string             `json:"status"` // in_progress, completed, incomplete, failed
	Error      *ResponseError     `json:"error"`
	Incomplete *ResponseCut       `json:"incomplete_details"`
	Model      string             `json:"model"`
	Output     []ResponseItem     `json:"output"`
	Usage      *ResponseUsage     `json:"usage"`
	Text       ResponseTextFormat `json:"text"`
	Bellhop    *Extra             `json:"bellhop,omitempty"`

	// Settings that clients expect to be told, and that are always the same.
	Instructions *string           `json:"instructions"`
	Metadata     map[string]string `json:"metadata"`
	Parallel     bool              `json:"parallel_tool_calls"`
	Previous     *string           `json:"previous_response_id"`
	Store        bool              `json:"store"`
	Temperature  *float64          `json:"temperature"`
	ToolChoice   string            `json:"tool_choice"`
	Tools        []string          `json:"tools"`
	TopP         *float64          `json:"top_p"`
	Truncation   string            `json:"truncation"`
}

// ResponseItem is the message of a response. A client that resends it with bellhop
// keeps the seal.
type ResponseItem struct {
	ID      string         `json:"id"`
	Type    string         `json:"type"`   // always message
	Status  string         `json:"status"` // in_progress, completed, incomplete
	Role    string         `json:"role"`   // always assistant
	Content []ResponsePart `json:"content"`
	Bellhop *Extra         `json:"bellhop,omitempty"`
}

// ResponsePart is the text of the message.
type ResponsePart struct {
	Type        string   `json:"type"` // always output_text
	Text        string   `json:"text"`
	Annotations []string `json:"annotations"` // always empty
	Logprobs    []string `json:"logprobs"`    // always empty
}

// ResponseUsage counts tokens of all model calls of the turn.
type ResponseUsage struct {
	Input        int `json:"input_tokens"`
	InputDetails struct {
		Cached int `json:"cached_tokens"`
	} `json:"input_tokens_details"`
	Output        int `json:"output_tokens"`
	OutputDetails struct {
		Reasoning int `json:"reasoning_tokens"`
	} `json:"output_tokens_details"`
	Total int `json:"total_tokens"`
}

// ResponseError says why a response failed.
type ResponseError struct {
	Code    string `json:"code"`
	Message string `json:"message"`
}

// ResponseCut says why a response is incomplete: max_output_tokens, for any limit, or
// content_filter.
type ResponseCut struct {
	Reason string `json:"reason"`
}

// ResponseTextFormat is the form of the text.
type ResponseTextFormat struct {
	Format struct {
		Type string `json:"type"` // always text
	} `json:"format"`
}

// Head says that events follow.
func (r *Responses) Head(h http.Header) { h.Set("Content-Type", "text/event-stream; charset=utf-8") }

// Copy returns a copy of the encoding.
func (r *Responses) Copy() Encoding {
	c := &Responses{Turn: r.Turn, Model: r.Model, Created: r.Created, number: r.number, begun: r.begun}
	c.text.Write(r.text.Bytes())
	return c
}

// Encode returns the events of an event; none for what this protocol has none for.
func (r *Responses) Encode(ev Event) ([]byte, error) {
	var b bytes.Buffer
	var err error
	put := func(name string, members map[string]any) {
		all := map[string]any{"type": name, "sequence_number": r.number}
		maps.Copy(all, members)
		r.number++
		b.WriteString("event: " + name + "\ndata: ")
		if err == nil {
			err = write(&b, all)
		}
		b.WriteByte('\n')
	}
	switch data := ev.Data.(type) {
	case textData:
		if data.Text == "" {
			break
		}
		r.begin(put)
		r.text.WriteString(data.Text)
		put("response.output_text.delta", r.place(map[string]any{"delta": data.Text, "logprobs": []string{}}))
	case Completed:
		r.begin(put)
		r.end(data.Answer, put)
	case map[string]Problem:
		r.fail(data["error"], put)
	default:
		if ev.Name == Connected {
			begun := map[string]any{"response": r.envelope("in_progress")}
			put("response.created", begun)
			put("response.in_progress", begun)
		}
	}
	if err != nil {
		return nil, fmt.Errorf("encode the event %s: %w", ev.Name, err)
	}
	return b.Bytes(), nil
}

// place adds where in the response an event belongs.
func (r *Responses) place(members map[string]any) map[string]any {
	members["item_id"], members["output_index"], members["content_index"] = r.itemID(), 0, 0
	return members
}

func (r *Responses) itemID() string { return "msg_" + r.Turn }

// begin opens the message, once.
func (r *Responses) begin(put func(string, map[string]any)) {
	if r.begun {
		return
	}
	r.begun = true
	put("response.output_item.added", map[string]any{"output_index": 0, "item": r.item("in_progress", nil, nil)})
	put("response.content_part.added", r.place(map[string]any{"part": textPart("")}))
}

// end closes the message with the text that was sent, and the response.
func (r *Responses) end(a Answer, put func(string, map[string]any)) {
	text := r.text.String()
	put("response.output_text.done", r.place(map[string]any{"text": text, "logprobs": []string{}}))
	put("response.content_part.done", r.place(map[string]any{"part": textPart(text)}))
	whole := r.response(a, text)
	put("response.output_item.done", map[string]any{"output_index": 0, "item": whole.Output[0]})
	put("response."+whole.Status, map[string]any{"response": whole})
}

// fail tells of a failure in both ways that clients know: some read only one.
func (r *Responses) fail(p Problem, put func(string, map[string]any)) {
	put("error", map[string]any{"code": p.Code, "message": p.Message, "param": nil, "error": p.APIError().Error})
	whole := r.envelope("failed")
	whole.Error = &ResponseError{Code: "server_error", Message: p.Message}
	if p.apiType == typeOf(fault.Limited) {
		whole.Error.Code = "rate_limit_exceeded"
	}
	put("response.failed", map[string]any{"response": whole})
}

// Whole returns the answer in one piece.
func (r *Responses) Whole(a Answer) Response { return r.response(a, a.Reply) }

func (r *Responses) response(a Answer, text string) Response {
	out := r.envelope("completed")
	if reason := completionReason(a); reason != "stop" {
		out.Status, out.Incomplete = "incomplete", &ResponseCut{Reason: "max_output_tokens"}
		if reason == "content_filter" {
			out.Incomplete.Reason = reason
		}
	}
	out.Bellhop = extra(a)
	out.Output = []ResponseItem{r.item(out.Status, []ResponsePart{textPart(text)}, out.Bellhop)}
	out.Usage = &ResponseUsage{Input: a.Usage.Input, Output: a.Usage.Output, Total: a.Usage.Total}
	out.Usage.InputDetails.Cached = a.Usage.Cached
	return out
}

func (r *Responses) envelope(status string) Response {
	out := Response{ID: "resp_" + r.Turn, Object: "response", Created: r.Created.Unix(), Status: status,
		Model: r.Model, Output: []ResponseItem{}, Metadata: map[string]string{}, ToolChoice: "auto",
		Tools: []string{}, Truncation: "disabled"}
	out.Text.Format.Type = "text"
	return out
}

func (r *Responses) item(status string, parts []ResponsePart, more *Extra) ResponseItem {
	if parts == nil {
		parts = []ResponsePart{}
	}
	return ResponseItem{ID: r.itemID(), Type: "message", Status: status, Role: "assistant", Content: parts,
		Bellhop: more}
}

func textPart(text string) ResponsePart {
	return ResponsePart{Type: "output_text", Text: text, Annotations: []string{}, Logprobs: []string{}}
}
