package chat

import (
	"encoding/json"
	"net/http"
	"slices"

	v1 "github.com/bellhop-ai/bellhop/pkg/api/v1"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/httpx"
	"github.com/bellhop-ai/bellhop/pkg/stream"
)

// responseRequest is the body of OpenAI's Responses, as far as it means something
// here. As in completionRequest, members that only change how a model samples are not
// read, and those that promise something which would not come are refused.
type responseRequest struct {
	Model string `json:"model"`
	// Input is a text, or a list of items.
	Input json.RawMessage `json:"input"`
	// Instructions are read as a system message of the client's: they are left out,
	// and counted.
	Instructions    json.RawMessage `json:"instructions"`
	Stream          bool            `json:"stream"`
	MaxOutputTokens int             `json:"max_output_tokens"`
	Bellhop         extension       `json:"bellhop"`

	Previous     json.RawMessage   `json:"previous_response_id"`
	Conversation json.RawMessage   `json:"conversation"`
	Background   bool              `json:"background"`
	Prompt       json.RawMessage   `json:"prompt"`
	Tools        []json.RawMessage `json:"tools"`
	Include      []string          `json:"include"`
	TopLogprobs  int               `json:"top_logprobs"`
	Text         *struct {
		Format struct {
			Type string `json:"type"`
		} `json:"format"`
	} `json:"text"`
}

// given reports whether a member has a value.
func given(v json.RawMessage) bool { return len(v) > 0 && string(v) != "null" && string(v) != `""` }

// check refuses what is asked for and would not come.
func (r responseRequest) check() error {
	switch {
	case given(r.Previous):
		return v1.Unsupported("previous_response_id", "Responses are not stored here. Send the whole conversation as "+
			"input: the items that were sent before, and those of each output.")
	case given(r.Conversation):
		return v1.Unsupported("conversation", "Conversations are not kept under ids of this API. Send the whole "+
			"conversation as input.")
	case r.Background:
		return v1.Unsupported("background", "A response is made while its client waits, and is not stored.")
	case given(r.Prompt):
		return v1.Unsupported("prompt", "There are no stored prompts here; an assistant has its own.")
	case len(r.Tools) > 0:
		return v1.Unsupported("tools", sayNoTools)
	case r.TopLogprobs > 0:
		return v1.Unsupported("top_logprobs", sayNoLogprobs)
	case slices.Contains(r.Include, "message.output_text.logprobs"):
		return v1.Unsupported("include", sayNoLogprobs)
	case r.Text != nil && r.Text.Format.Type != "" && r.Text.Format.Type != "text":
		return v1.Unsupported("text.format", sayNoFormat)
	case r.MaxOutputTokens < 0:
		return v1.Member("max_output_tokens", fault.New(fault.Invalid, sayNegative))
	}
	return nil
}

// responses answers POST /api/v1/responses: a turn as any other, in the form of
// OpenAI's Responses.
func (h *Handler) responses(w http.ResponseWriter, r *http.Request) {
	t, err := h.enter(w, r, func(t *turn) ([]byte, error) {
		var req responseRequest
		body, err := httpx.ReadJSON(w, r, &req)
		if err != nil {
			return nil, err
		}
		return body, t.takeResponse(req)
	})
	if err != nil {
		v1.Fail(w, r, err)
		return
	}
	h.serve(w, r, t, v1.Fail)
}

// takeResponse fills the turn with what was asked.
func (t *turn) takeResponse(req responseRequest) error {
	if err := t.findModel(req.Model); err != nil {
		return err
	}
	if err := req.check(); err != nil {
		return err
	}
	messages, err := req.messages()
	if err != nil {
		return err
	}
	t.as = asResponse
	if req.Stream {
		t.as = asResponseEvents
	}
	t.takeExtension(req.Bellhop, messages, req.MaxOutputTokens)
	return nil
}

// messages returns the input as messages of a form that history reads.
func (r responseRequest) messages() ([]json.RawMessage, error) {
	var list []json.RawMessage
	var text string
	switch {
	case !given(r.Input):
		return nil, v1.Member("input", fault.New(fault.Invalid, `"input" is missing.`))
	case json.Unmarshal(r.Input, &text) == nil:
		raw, err := json.Marshal(map[string]string{"role": "user", "content": text})
		if err != nil {
			return nil, err
		}
		list = []json.RawMessage{raw}
	case json.Unmarshal(r.Input, &list) != nil:
		return nil, v1.Member("input", fault.New(fault.Invalid, `"input" must be a text or a list of items.`))
	}
	out := make([]json.RawMessage, 0, len(list)+1)
	if given(r.Instructions) {
		out = append(out, json.RawMessage(`{"role":"system","content":""}`))
	}
	for _, item := range list {
		message, err := messageOf(item)
		if err != nil {
			return nil, err
		}
		if message != nil {
			out = append(out, message)
		}
	}
	return out, nil
}

// messageOf returns an item of the input as a message; nil for one that says nothing.
// Calls and results of a client's tools become messages that are not read, and
// counted.
func messageOf(item json.RawMessage) (json.RawMessage, error) {
	var head struct {
		Type    string          `json:"type"`
		Role    string          `json:"role"`
		Content json.RawMessage `json:"content"`
	}
	if json.Unmarshal(item, &head) != nil {
		return item, nil // history says what is wrong
	}
	switch {
	case head.Type == "item_reference":
		return nil, v1.Unsupported("input", "Items are not stored here, so none can be referred to by id. Send the "+
			"items themselves; the AI SDK does with the setting store: false.")
	case head.Type == "reasoning":
		return nil, nil
	case head.Role == "" && head.Type != "" && head.Type != "message":
		return json.RawMessage(`{"role":"tool","content":""}`), nil
	case head.Role == "user":
		return withInputFiles(item, head.Content), nil
	}
	return item, nil
}

// withInputFiles returns a person's message with its pictures and files as parts of
// the form that Chat Completions have. What has another form stays as it is.
func withInputFiles(message, content json.RawMessage) json.RawMessage {
	var parts []struct {
		Type  string `json:"type"`
		Text  string `json:"text"`
		Image string `json:"image_url"`
		Name  string `json:"filename"`
		Data  string `json:"file_data"`
		URL   string `json:"file_url"`
	}
	if len(content) == 0 || content[0] != '[' || json.Unmarshal(content, &parts) != nil {
		return message
	}
	list := make([]any, 0, len(parts))
	for _, p := range parts {
		switch p.Type {
		case "input_image":
			list = append(list, map[string]any{"type": "image_url", "image_url": map[string]string{"url": p.Image}})
		case "input_file":
			list = append(list, map[string]any{"type": "file", "url": p.URL,
				"file": map[string]string{"filename": p.Name, "file_data": p.Data}})
		default:
			list = append(list, map[string]any{"type": p.Type, "text": p.Text})
		}
	}
	return withMember(message, "content", list)
}

// withMember returns a message with another value of a member; the message itself
// where that cannot be.
func withMember(message json.RawMessage, name string, value any) json.RawMessage {
	var members map[string]json.RawMessage
	raw, err := json.Marshal(value)
	if err != nil || json.Unmarshal(message, &members) != nil {
		return message
	}
	members[name] = raw
	if raw, err = json.Marshal(members); err != nil {
		return message
	}
	return raw
}

// response returns the encoding of an answer in the form of Responses.
func (t *turn) response() *stream.Responses {
	return &stream.Responses{Turn: t.start.Turn, Model: t.assistant.Name, Created: t.h.cfg.Now()}
}
