package script

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
)

// API is the way in which a model is asked.
type API string

// The ways. The items of a Responses request are Messages too: calls stand in
// the assistant message before them, and reasoning in none.
const (
	Chat      API = "chat"
	Responses API = "responses"
)

// Request is one request as it arrived. Its slices are shared: read only.
type Request struct {
	API           API
	Number        int // from 1, in order of arrival
	Model         string
	Messages      []Message
	Tools         []string // names, as offered
	Temperature   *float64 // nil when not sent
	MaxTokens     int      // the bound of the answer under any of its names, 0 when not sent
	ToolChoice    string   // "auto", "none", "required", the name of one tool, or "" when not sent
	Stream        bool
	IncludeUsage  bool
	Include       []string // of the Responses API
	Reasoning     []string // encrypted contents that were handed back
	Authorization string   // the whole header
	Header        http.Header
	Body          []byte
}

// Message is one message of a request. Content is the text; that of several
// parts is joined by newlines, and parts that are not text are left out.
type Message struct {
	Role       string
	Content    string
	ToolCalls  []Call
	ToolCallID string
}

// Offers reports whether the request offers the tool.
func (r Request) Offers(tool string) bool { return slices.Contains(r.Tools, tool) }

// Last returns the newest message of a role, and the zero value if the request
// has none. An empty role means any.
func (r Request) Last(role string) Message {
	for _, m := range slices.Backward(r.Messages) {
		if role == "" || m.Role == role {
			return m
		}
	}
	return Message{}
}

type wireRequest struct {
	Model               string          `json:"model"`
	Messages            []wireMessage   `json:"messages"`
	Tools               []wireTool      `json:"tools"`
	ToolChoice          json.RawMessage `json:"tool_choice"`
	Parallel            *bool           `json:"parallel_tool_calls"`
	Temperature         *float64        `json:"temperature"`
	MaxTokens           *int            `json:"max_tokens"`
	MaxCompletionTokens *int            `json:"max_completion_tokens"`
	Stream              bool            `json:"stream"`
	StreamOptions       *struct {
		IncludeUsage bool `json:"include_usage"`
	} `json:"stream_options"`
}

type wireMessage struct {
	Role       string          `json:"role"`
	Content    json.RawMessage `json:"content"`
	Refusal    *string         `json:"refusal"`
	ToolCalls  *[]wireCall     `json:"tool_calls"`
	ToolCallID string          `json:"tool_call_id"`
}

type wireCall struct {
	ID       string `json:"id"`
	Type     string `json:"type"`
	Function struct {
		Name      string  `json:"name"`
		Arguments *string `json:"arguments"`
	} `json:"function"`
}

type wireTool struct {
	Type     string `json:"type"`
	Function struct {
		Name string `json:"name"`
	} `json:"function"`
}

// readRequest decodes a body as far as it can, and says what OpenAI would
// refuse in it.
func readRequest(body []byte) (Request, error) {
	out := Request{API: Chat, Body: body}
	var in wireRequest
	if err := json.Unmarshal(body, &in); err != nil {
		return out, fmt.Errorf("the body is not a chat request: %w", err)
	}
	out.Model, out.Stream, out.Temperature = in.Model, in.Stream, in.Temperature
	out.IncludeUsage = in.StreamOptions != nil && in.StreamOptions.IncludeUsage
	for _, limit := range []*int{in.MaxTokens, in.MaxCompletionTokens} {
		if limit != nil {
			out.MaxTokens = *limit
		}
	}
	for _, t := range in.Tools {
		out.Tools = append(out.Tools, t.Function.Name)
	}
	var wrong []error
	for i, m := range in.Messages {
		text, err := readContent(m.Content)
		if err == nil {
			err = checkMessage(m)
		}
		if err != nil {
			wrong = append(wrong, fmt.Errorf("messages[%d]: %w", i, err))
		}
		one := Message{Role: m.Role, Content: text, ToolCallID: m.ToolCallID}
		if m.ToolCalls != nil {
			for _, c := range *m.ToolCalls {
				call := Call{ID: c.ID, Name: c.Function.Name}
				if c.Function.Arguments != nil {
					call.Arguments = *c.Function.Arguments
				}
				one.ToolCalls = append(one.ToolCalls, call)
			}
		}
		out.Messages = append(out.Messages, one)
	}
	var err error
	if out.ToolChoice, err = readChoice(in.ToolChoice, out.Tools); err != nil {
		wrong = append(wrong, err)
	}
	wrong = append(wrong, checkRequest(in), checkPairs(out.Messages))
	return out, errors.Join(wrong...)
}

// readContent returns the text of a string, of null, or of a list of parts.
func readContent(raw json.RawMessage) (string, error) {
	if len(raw) == 0 || isNull(raw) {
		return "", nil
	}
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return text, nil
	}
	var parts []struct {
		Type string `json:"type"`
		Text string `json:"text"`
	}
	if json.Unmarshal(raw, &parts) != nil || len(parts) == 0 {
		return "", errors.New("content is neither a string nor a list of parts")
	}
	var all []string
	for _, p := range parts {
		if p.Type == "text" {
			all = append(all, p.Text)
		}
	}
	return strings.Join(all, "\n"), nil
}

func isNull(raw json.RawMessage) bool { return bytes.Equal(raw, []byte("null")) }

func readChoice(raw json.RawMessage, tools []string) (string, error) {
	if len(raw) == 0 || isNull(raw) {
		return "", nil
	}
	if len(tools) == 0 {
		return "", errors.New("tool_choice is sent without tools")
	}
	var word string
	if json.Unmarshal(raw, &word) == nil {
		if !slices.Contains([]string{"auto", "none", "required"}, word) {
			return word, fmt.Errorf("tool_choice %q is not known", word)
		}
		return word, nil
	}
	var one wireTool
	if json.Unmarshal(raw, &one) != nil || one.Type != "function" {
		return "", errors.New("tool_choice is neither a word nor a function")
	}
	if !slices.Contains(tools, one.Function.Name) {
		return one.Function.Name, fmt.Errorf("tool_choice names %q, which is not offered", one.Function.Name)
	}
	return one.Function.Name, nil
}
