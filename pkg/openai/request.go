package openai

import (
	"bytes"
	"cmp"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/llm"
	"github.com/bellhop-ai/bellhop/pkg/rawjson"
)

// dialect names the form in which a llm.Toolset keeps our tools.
const dialect = "chat-completions"

// encode appends the body of one call.
//
// What the model reads stands first, in the order in which it reads it: model,
// tools, messages. How it should answer follows. So the body of one round is,
// up to the end of its messages, a byte prefix of the next round's, even where
// the next one must not call tools any more or is streamed, and a
// provider that caches by prefix finds it again.
func (c chatAPI) encode(b []byte, r llm.Request, stream bool) ([]byte, error) {
	if len(r.Messages) == 0 {
		return nil, errors.New("the request has no message")
	}
	var tools []byte
	if len(r.Tools.Tools()) > 0 {
		var err error
		if tools, err = r.Tools.Encoded(dialect, encodeTools); err != nil {
			return nil, err
		}
	}
	b = slices.Grow(b, len(tools)+sizeOf(r.Messages)+512)
	model := cmp.Or(r.Model, c.model)
	b = rawjson.AppendText(append(b, `{"model":`...), model)
	if tools != nil {
		b = append(append(b, `,"tools":`...), tools...)
	}
	b = append(b, `,"messages":[`...)
	for i, m := range r.Messages {
		if i > 0 {
			b = append(b, ',')
		}
		var err error
		if b, err = c.profile.appendMessage(b, m); err != nil {
			return nil, fmt.Errorf("message %d: %w", i, err)
		}
	}
	b = append(b, ']')
	b = c.profile.appendSettings(b, r, model, c.profile.maxTokens, tools != nil)
	b, err := c.profile.appendFormat(b, r)
	if err != nil {
		return nil, err
	}
	return append(c.profile.appendWay(b, stream), '}'), nil
}

// appendSettings writes how the model should answer; bound is the member that
// bounds the answer's length.
func (p profile) appendSettings(b []byte, r llm.Request, model, bound string, tools bool) []byte {
	if tools {
		if r.Choice != llm.Auto {
			b = rawjson.AppendText(append(b, `,"tool_choice":`...), string(r.Choice))
		}
		if p.parallel {
			b = append(b, `,"parallel_tool_calls":true`...)
		}
	}
	if r.Temperature != nil && !(p.store && reasons(model)) { // they refuse one
		b = strconv.AppendFloat(append(b, `,"temperature":`...), *r.Temperature, 'f', -1, 64)
	}
	if r.MaxTokens > 0 {
		b = append(append(append(b, `,"`...), bound...), `":`...)
		b = strconv.AppendInt(b, int64(r.MaxTokens), 10)
	}
	return b
}

// appendFormat writes the form of the answer.
func (p profile) appendFormat(b []byte, r llm.Request) ([]byte, error) {
	switch {
	case r.Schema != nil && p.schemas:
		schema := new(bytes.Buffer)
		if err := json.Compact(schema, r.Schema.JSON); err != nil {
			return nil, fmt.Errorf("the schema %s of the answer: %w", r.Schema.Name, err)
		}
		b = rawjson.AppendText(append(b, `,"response_format":{"type":"json_schema","json_schema":{"name":`...),
			r.Schema.Name)
		b = append(append(b, `,"strict":true,"schema":`...), schema.Bytes()...)
		b = append(b, `}}`...)
	case r.JSON || r.Schema != nil:
		b = append(b, `,"response_format":{"type":"json_object"}`...)
	}
	return b, nil
}

// appendWay writes how the answer travels.
func (p profile) appendWay(b []byte, stream bool) []byte {
	if p.store {
		b = append(b, `,"store":false`...)
	}
	if stream {
		b = append(b, `,"stream":true`...)
		if p.streamUsage {
			b = append(b, `,"stream_options":{"include_usage":true}`...)
		}
	}
	return b
}

// appendMessage writes one message. Opaque items belong to other adapters:
// Chat Completions has none, so they are left out.
func (p profile) appendMessage(b []byte, m llm.Message) ([]byte, error) {
	switch m.Role {
	case llm.System, llm.User:
		b = rawjson.AppendText(append(b, `{"role":`...), p.role(m.Role))
		b = p.appendContent(append(b, `,"content":`...), m)
	case llm.ToolRole:
		b = rawjson.AppendText(append(b, `{"role":"tool","tool_call_id":`...), m.CallID)
		b = rawjson.AppendText(append(b, `,"content":`...), m.Text)
	case llm.Assistant:
		b = append(b, `{"role":"assistant","content":`...)
		if m.Text == "" && len(m.Calls) > 0 {
			b = append(b, `null`...)
		} else {
			b = rawjson.AppendText(b, m.Text)
		}
		b = p.appendCalls(b, m.Calls)
	default:
		return nil, fmt.Errorf("nobody has the role %q", m.Role)
	}
	return append(b, '}'), nil
}

// appendContent writes what was said, and what was shown with it.
func (p profile) appendContent(b []byte, m llm.Message) []byte {
	if len(m.Images) == 0 || !p.images {
		return rawjson.AppendText(b, m.Text)
	}
	b = append(b, '[')
	if m.Text != "" {
		b = append(rawjson.AppendText(append(b, `{"type":"text","text":`...), m.Text), `},`...)
	}
	for i, image := range m.Images {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(append(append(b, `{"type":"image_url","image_url":{"url":"data:`...), image.Type...), `;base64,`...)
		b = append(base64.StdEncoding.AppendEncode(b, image.Data), `"}}`...)
	}
	return append(b, ']')
}

func (p profile) appendCalls(b []byte, calls []llm.Call) []byte {
	if len(calls) == 0 {
		return b
	}
	b = append(b, `,"tool_calls":[`...)
	for i, call := range calls {
		if i > 0 {
			b = append(b, ',')
		}
		arguments := call.Arguments
		if p.strictCalls && !isObject(arguments) {
			// What was wrong with them stands in the tool message that follows.
			arguments = `{}`
		}
		b = rawjson.AppendText(append(b, `{"id":`...), call.ID)
		b = rawjson.AppendText(append(b, `,"type":"function","function":{"name":`...), call.Name)
		b = rawjson.AppendText(append(b, `,"arguments":`...), arguments)
		b = append(b, `}}`...)
	}
	return append(b, ']')
}

func isObject(s string) bool {
	return strings.HasPrefix(strings.TrimLeft(s, " \t\r\n"), "{") && json.Valid([]byte(s))
}

// encodeTools writes the tools as Chat Completions reads them. It is called
// once per Toolset.
func encodeTools(tools []llm.Tool) ([]byte, error) {
	b := []byte{'['}
	for i, t := range tools {
		if i > 0 {
			b = append(b, ',')
		}
		b = rawjson.AppendText(append(b, `{"type":"function","function":{"name":`...), t.Name)
		if t.Description != "" {
			b = rawjson.AppendText(append(b, `,"description":`...), t.Description)
		}
		parameters, err := compactParameters(t)
		if err != nil {
			return nil, err
		}
		b = append(append(b, `,"parameters":`...), parameters...)
		b = append(b, `}}`...)
	}
	return append(b, ']'), nil
}

// compactParameters returns the schema of a tool without space.
func compactParameters(t llm.Tool) ([]byte, error) {
	if len(t.Parameters) == 0 {
		return []byte(`{"type":"object","properties":{}}`), nil
	}
	var b bytes.Buffer
	if err := json.Compact(&b, t.Parameters); err != nil {
		return nil, fmt.Errorf("parameters of tool %s: %w", t.Name, err)
	}
	return b.Bytes(), nil
}

// sizeOf returns about as many bytes as the messages take.
func sizeOf(messages []llm.Message) int {
	n := 0
	for _, m := range messages {
		n += 64 + len(m.Text) + len(m.Text)/16 + len(m.CallID)
		for _, item := range m.Opaque {
			n += len(item) + 1
		}
		for _, image := range m.Images {
			n += 64 + base64.StdEncoding.EncodedLen(len(image.Data))
		}
		for _, call := range m.Calls {
			n += 96 + len(call.ID) + len(call.Name) + len(call.Arguments)*5/4
		}
	}
	return n
}
