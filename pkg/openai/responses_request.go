package openai

import (
	"bytes"
	"cmp"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/bellhop-ai/bellhop/pkg/llm"
	"github.com/bellhop-ai/bellhop/pkg/rawjson"
)

// leastAnswer is the smallest bound of an answer that OpenAI's Responses API
// accepts.
const leastAnswer = 16

// encode appends the body of one call, in the order of Chat Completions and for
// the same reason: what the model reads stands first. Nothing is stored at the
// provider, so a reasoning model hands its thoughts out encrypted.
func (c responsesAPI) encode(b []byte, r llm.Request, stream bool) ([]byte, error) {
	if len(r.Messages) == 0 {
		return nil, errors.New("the request has no message")
	}
	var tools []byte
	if len(r.Tools.Tools()) > 0 {
		kept, err := c.tools(r.Tools)
		if err != nil {
			return nil, err
		}
		tools = kept
	}
	model := cmp.Or(r.Model, c.model)
	b = slices.Grow(b, len(tools)+sizeOf(r.Messages)+512)
	b = rawjson.AppendText(append(b, `{"model":`...), model)
	if tools != nil {
		b = append(append(b, `,"tools":`...), tools...)
	}
	b = append(b, `,"input":[`...)
	for i, m := range r.Messages {
		var err error
		if b, err = c.appendItems(b, m); err != nil {
			return nil, fmt.Errorf("message %d: %w", i, err)
		}
	}
	b = append(b, ']')
	if r.MaxTokens > 0 {
		r.MaxTokens = max(r.MaxTokens, leastAnswer)
	}
	b = c.profile.appendSettings(b, r, model, "max_output_tokens", tools != nil)
	b, err := appendTextFormat(b, r)
	if err != nil {
		return nil, err
	}
	b = append(b, `,"store":false`...)
	if c.profile.store && reasons(model) {
		b = append(b, `,"include":["reasoning.encrypted_content"]`...)
	}
	if stream {
		b = append(b, `,"stream":true`...)
	}
	return append(b, '}'), nil
}

// tools returns the set as the Responses API reads it.
func (c responsesAPI) tools(set *llm.Toolset) ([]byte, error) {
	if !c.profile.strictTools {
		return set.Encoded("responses", encodeLooseTools)
	}
	kept, err := strictTools(set)
	if err != nil {
		return nil, err
	}
	return kept.wire, nil
}

// appendTextFormat writes the form of the answer.
func appendTextFormat(b []byte, r llm.Request) ([]byte, error) {
	switch {
	case r.Schema != nil:
		schema := new(bytes.Buffer)
		if err := json.Compact(schema, r.Schema.JSON); err != nil {
			return nil, fmt.Errorf("the schema %s of the answer: %w", r.Schema.Name, err)
		}
		b = rawjson.AppendText(append(b, `,"text":{"format":{"type":"json_schema","name":`...), r.Schema.Name)
		b = append(append(b, `,"strict":true,"schema":`...), schema.Bytes()...)
		b = append(b, `}}`...)
	case r.JSON:
		b = append(b, `,"text":{"format":{"type":"json_object"}}`...)
	}
	return b, nil
}

// appendItems writes the items that one message is.
func (c responsesAPI) appendItems(b []byte, m llm.Message) ([]byte, error) {
	switch m.Role {
	case llm.System, llm.User:
		b = rawjson.AppendText(append(next(b), `{"role":`...), c.profile.role(m.Role))
		b = c.appendParts(append(b, `,"content":`...), m)
		return append(b, '}'), nil
	case llm.ToolRole:
		b = rawjson.AppendText(append(next(b), `{"type":"function_call_output","call_id":`...), m.CallID)
		b = rawjson.AppendText(append(b, `,"output":`...), m.Text)
		return append(b, '}'), nil
	case llm.Assistant:
		return c.appendStep(b, m), nil
	}
	return nil, fmt.Errorf("nobody has the role %q", m.Role)
}

// next writes the comma between two items.
func next(b []byte) []byte {
	if b[len(b)-1] == '[' {
		return b
	}
	return append(b, ',')
}

// appendParts writes what was said, and what was shown with it.
func (c responsesAPI) appendParts(b []byte, m llm.Message) []byte {
	if len(m.Images) == 0 || !c.profile.images {
		return rawjson.AppendText(b, m.Text)
	}
	b = append(b, '[')
	if m.Text != "" {
		b = append(rawjson.AppendText(append(b, `{"type":"input_text","text":`...), m.Text), '}')
	}
	for _, image := range m.Images {
		b = append(append(append(next(b), `{"type":"input_image","detail":"auto","image_url":"data:`...),
			image.Type...), `;base64,`...)
		b = append(base64.StdEncoding.AppendEncode(b, image.Data), `"}`...)
	}
	return append(b, ']')
}

// appendStep writes what a model said, called and thought in one step, in the
// order in which it came. A thought is sent only before the item that it led
// to: without that the API refuses it.
func (c responsesAPI) appendStep(b []byte, m llm.Message) []byte {
	said := m.Text == "" && len(m.Calls) > 0
	called := make([]bool, len(m.Calls))
	say := func() {
		if !said {
			b = append(rawjson.AppendText(append(next(b), `{"role":"assistant","content":`...), m.Text), '}')
		}
		said = true
	}
	var thoughts [][]byte
	for _, item := range opened(c.host, m.Opaque) {
		place, isCall := item.Int()
		fits := isCall && place >= 0 && place < len(called) && !called[place]
		switch {
		case item.Is('{'):
			thoughts = append(thoughts, item)
			continue
		case fits, !isCall && !said:
			for _, thought := range thoughts {
				b = append(next(b), thought...)
			}
		}
		thoughts = nil
		if fits {
			b, called[place] = c.appendCall(b, m.Calls[place]), true
		} else if !isCall {
			say()
		}
	}
	say()
	for i, call := range m.Calls {
		if !called[i] {
			b = c.appendCall(b, call)
		}
	}
	return b
}

func (c responsesAPI) appendCall(b []byte, call llm.Call) []byte {
	arguments := call.Arguments
	if c.profile.strictCalls && !isObject(arguments) {
		arguments = `{}` // as in Chat Completions
	}
	b = rawjson.AppendText(append(next(b), `{"type":"function_call","call_id":`...), call.ID)
	b = rawjson.AppendText(append(b, `,"name":`...), call.Name)
	b = rawjson.AppendText(append(b, `,"arguments":`...), arguments)
	return append(b, '}')
}

// encodeLooseTools writes tools for servers that know no strict schemas.
func encodeLooseTools(tools []llm.Tool) ([]byte, error) {
	b := []byte{'['}
	for _, t := range tools {
		parameters, err := compactParameters(t)
		if err != nil {
			return nil, err
		}
		b = appendTool(next(b), t, "", parameters)
	}
	return append(b, ']'), nil
}

// appendTool writes one tool; strict is "true", "false", or "" to leave it
// open.
func appendTool(b []byte, t llm.Tool, strict string, parameters []byte) []byte {
	b = rawjson.AppendText(append(b, `{"type":"function","name":`...), t.Name)
	if t.Description != "" {
		b = rawjson.AppendText(append(b, `,"description":`...), t.Description)
	}
	if strict != "" {
		b = append(append(b, `,"strict":`...), strict...)
	}
	return append(append(append(b, `,"parameters":`...), parameters...), '}')
}

// maxOpaque is how many bytes of encrypted reasoning one step may carry. What
// is longer is dropped: the model thinks again.
const maxOpaque = 16 << 10

// closed returns what a step's llm.Answer carries of the reasoning: whose it
// is, and the items in their order, where "text" stands for what was said and
// a number for the call at that place.
func closed(host string, items []rawjson.Value) []json.RawMessage {
	out := []json.RawMessage{rawjson.AppendText(nil, "responses "+host)}
	for _, item := range items {
		out = append(out, json.RawMessage(item))
	}
	return out
}

// opened returns the items of closed if they are of this host: no other can
// read them.
func opened(host string, opaque []json.RawMessage) []rawjson.Value {
	if len(opaque) == 0 {
		return nil
	}
	if whose, _ := rawjson.Value(opaque[0]).Text(); whose != "responses "+host {
		return nil
	}
	var out []rawjson.Value
	for _, item := range opaque[1:] {
		if v, err := rawjson.Parse(item); err == nil {
			out = append(out, v)
		}
	}
	return out
}
