package model

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
)

type responsesRequest struct {
	Model        string            `json:"model"`
	Instructions string            `json:"instructions"`
	Input        json.RawMessage   `json:"input"`
	Tools        []json.RawMessage `json:"tools"`
	ToolChoice   json.RawMessage   `json:"tool_choice"`
	Parallel     *bool             `json:"parallel_tool_calls"`
	Temperature  *float64          `json:"temperature"`
	MaxOutput    *int              `json:"max_output_tokens"`
	Previous     *string           `json:"previous_response_id"`
	Stream       bool              `json:"stream"`
	Text         struct {
		Format *struct {
			Type   string          `json:"type"`
			Name   string          `json:"name"`
			Schema json.RawMessage `json:"schema"`
			Strict bool            `json:"strict"`
		} `json:"format"`
	} `json:"text"`

	items []json.RawMessage // of the input
}

type inputItem struct {
	Type      string          `json:"type"`
	Role      string          `json:"role"`
	Content   json.RawMessage `json:"content"`
	CallID    string          `json:"call_id"`
	Name      string          `json:"name"`
	Arguments *string         `json:"arguments"`
	Output    json.RawMessage `json:"output"`
}

// readResponses decodes and checks a body of the Responses API as strictly as
// OpenAI does.
func readResponses(body []byte) (responsesRequest, conversation, error) {
	var in responsesRequest
	if err := decode(body, &in); err != nil {
		return in, conversation{}, err
	}
	if in.Model == "" {
		return in, conversation{}, invalid("model", "missing_required_parameter", "Name a model in 'model'.")
	}
	if in.Previous != nil {
		return in, conversation{}, invalid("previous_response_id", "previous_response_not_found",
			"The stand-in stores nothing: send all items in 'input'.")
	}
	out := conversation{seed: digest(string(body))}
	if in.Instructions != "" {
		out.messages = append(out.messages, message{role: "system", text: in.Instructions})
	}
	var err error
	if err = in.readInput(&out); err != nil {
		return in, conversation{}, err
	}
	if err := checkPairs(out.messages); err != nil {
		return in, conversation{}, err
	}
	if out.tools, err = readDirectTools(in.Tools); err != nil {
		return in, conversation{}, err
	}
	for _, one := range in.Tools {
		out.toolTexts = append(out.toolTexts, string(one))
	}
	if out.choice, err = readChoice(in.ToolChoice, out.tools); err != nil {
		return in, conversation{}, err
	}
	if out.format, err = in.format(out.messages); err != nil {
		return in, conversation{}, err
	}
	if in.MaxOutput != nil && *in.MaxOutput < 16 {
		return in, conversation{}, invalid("max_output_tokens", "integer_below_min_value",
			"'max_output_tokens' must be at least 16.")
	}
	return in, out, checkKnobs(chatRequest{Tools: in.Tools, Parallel: in.Parallel, Temperature: in.Temperature})
}

// readInput takes a text, or a list of items.
func (in *responsesRequest) readInput(out *conversation) error {
	var text string
	if json.Unmarshal(in.Input, &text) == nil && text != "" {
		in.items = []json.RawMessage{in.Input}
		out.messages = append(out.messages, message{role: "user", text: text})
		return nil
	}
	if json.Unmarshal(in.Input, &in.items) != nil || len(in.items) == 0 {
		return invalid("input", "missing_required_parameter", "'input' must be a text or a list of items.")
	}
	for i, raw := range in.items {
		if err := out.addItem(raw, fmt.Sprintf("input[%d]", i)); err != nil {
			return err
		}
	}
	return nil
}

// addItem takes an item as a message. Calls belong to the assistant message
// before them, since that is what one answer gave.
func (t *conversation) addItem(raw json.RawMessage, at string) error {
	var in inputItem
	if err := json.Unmarshal(raw, &in); err != nil {
		return invalid(at, "invalid_type", "%s is not an item: %v", at, err)
	}
	switch in.Type {
	case "", "message":
		text, err := readParts(in.Content, at, in.Role)
		if err != nil {
			return err
		}
		role := in.Role
		if role == "developer" {
			role = "system"
		}
		if !slices.Contains([]string{"system", "user", "assistant"}, role) {
			return invalid(at+".role", "invalid_value",
				"%s.role is %q: it must be system, developer, user or assistant.", at, in.Role)
		}
		t.messages = append(t.messages, message{role: role, text: text})
	case "function_call":
		if in.CallID == "" || !toolName.MatchString(in.Name) || in.Arguments == nil {
			return invalid(at, "missing_required_parameter", "%s needs a call_id, a name and arguments.", at)
		}
		if n := len(t.messages); n == 0 || t.messages[n-1].role != "assistant" {
			t.messages = append(t.messages, message{role: "assistant"})
		}
		last := &t.messages[len(t.messages)-1]
		last.calls = append(last.calls, call{id: in.CallID, name: in.Name, args: *in.Arguments})
	case "function_call_output":
		text, err := readParts(in.Output, at, "user")
		if in.CallID == "" || err != nil {
			return invalid(at, "missing_required_parameter", "%s needs a call_id and an output.", at)
		}
		t.messages = append(t.messages, message{role: "tool", text: text, callID: in.CallID})
	case "reasoning": // The stand-in decides anew.
	default:
		return invalid(at+".type", "invalid_value",
			"%s.type is %q: the stand-in knows messages, calls, their outputs and reasoning.", at, in.Type)
	}
	return nil
}

// readParts accepts a string or a list of typed parts; see readContent.
func readParts(raw json.RawMessage, at, role string) (text string, err error) {
	if len(raw) > 0 && string(raw) != "null" && json.Unmarshal(raw, &text) == nil {
		return text, nil
	}
	var parts []struct {
		Type    string `json:"type"`
		Text    string `json:"text"`
		Refusal string `json:"refusal"`
	}
	if json.Unmarshal(raw, &parts) != nil || len(parts) == 0 {
		return "", invalid(at+".content", "invalid_type", "%s.content must be a string or a list of parts.", at)
	}
	var all []string
	for _, p := range parts {
		switch {
		case p.Type == "input_text" && role != "assistant", p.Type == "output_text" && role == "assistant":
			all = append(all, p.Text)
		case p.Type == "refusal" && role == "assistant":
			all = append(all, p.Refusal)
		case p.Type == "input_image" && role == "user":
			all = append(all, "(a part of type image_url)") // as the other API's is named
		case p.Type == "input_file" && role == "user":
			all = append(all, "(a part of type file)")
		default:
			return "", invalid(at+".content", "invalid_value", "A %s message cannot hold a part of type %q.", role,
				p.Type)
		}
	}
	return strings.Join(all, "\n"), nil
}

// readDirectTools reads tools whose name stands beside their type.
func readDirectTools(raw []json.RawMessage) ([]tool, error) {
	wrapped := slices.Clone(raw)
	for i, one := range raw {
		var in struct {
			Type        string          `json:"type"`
			Name        string          `json:"name"`
			Description string          `json:"description"`
			Parameters  json.RawMessage `json:"parameters"`
			Strict      *bool           `json:"strict"`
		}
		at := fmt.Sprintf("tools[%d]", i)
		if err := json.Unmarshal(one, &in); err != nil {
			return nil, invalid(at, "invalid_type", "%s is not a tool: %v", at, err)
		}
		strict := in.Strict == nil || *in.Strict // unlike in Chat Completions
		function := map[string]any{"name": in.Name, "description": in.Description, "strict": strict}
		if in.Parameters != nil {
			function["parameters"] = in.Parameters
		}
		var err error
		if wrapped[i], err = json.Marshal(map[string]any{"type": in.Type, "function": function}); err != nil {
			return nil, err
		}
	}
	tools, err := readTools(wrapped)
	if e, ok := errors.AsType[*apiError](err); ok {
		e.Param = strings.Replace(e.Param, "].function", "]", 1)
	}
	return tools, err
}

// format reads the form of the answer.
func (in *responsesRequest) format(messages []message) (*responseFormat, error) {
	f := in.Text.Format
	if f == nil {
		return nil, nil
	}
	wrapped, err := json.Marshal(map[string]any{"type": f.Type, "json_schema": map[string]any{"name": f.Name,
		"schema": f.Schema, "strict": f.Strict}})
	if err != nil {
		return nil, err
	}
	var as chatFormat
	if err := json.Unmarshal(wrapped, &as); err != nil {
		return nil, err
	}
	return readFormat(&as, messages)
}
