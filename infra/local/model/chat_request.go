package model

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
)

type chatRequest struct {
	Model               string            `json:"model"`
	Messages            []json.RawMessage `json:"messages"`
	Tools               []json.RawMessage `json:"tools"`
	ToolChoice          json.RawMessage   `json:"tool_choice"`
	Parallel            *bool             `json:"parallel_tool_calls"`
	Temperature         *float64          `json:"temperature"`
	N                   *int              `json:"n"`
	MaxTokens           *int              `json:"max_tokens"`
	MaxCompletionTokens *int              `json:"max_completion_tokens"`
	Stream              bool              `json:"stream"`
	StreamOptions       *struct {
		IncludeUsage bool `json:"include_usage"`
	} `json:"stream_options"`
	ResponseFormat *chatFormat `json:"response_format"`
}

type chatFormat struct {
	Type   string `json:"type"`
	Schema *struct {
		Name   string          `json:"name"`
		Schema json.RawMessage `json:"schema"`
		Strict bool            `json:"strict"`
	} `json:"json_schema"`
}

type chatMessage struct {
	Role      string          `json:"role"`
	Name      string          `json:"name"`
	Content   json.RawMessage `json:"content"`
	Refusal   *string         `json:"refusal"`
	ToolCalls *[]struct {
		ID       string `json:"id"`
		Type     string `json:"type"`
		Function struct {
			Name      string  `json:"name"`
			Arguments *string `json:"arguments"`
		} `json:"function"`
	} `json:"tool_calls"`
	ToolCallID string `json:"tool_call_id"`
}

type chatTool struct {
	Type     string `json:"type"`
	Function *struct {
		Name        string          `json:"name"`
		Description string          `json:"description"`
		Parameters  json.RawMessage `json:"parameters"`
		Strict      *bool           `json:"strict"`
	} `json:"function"`
}

var (
	toolName   = regexp.MustCompile(`^[a-zA-Z0-9_-]{1,64}$`)
	personName = regexp.MustCompile(`^[^\s<|\\/>]{1,64}$`)
)

// decode reads the one JSON value in body. A second value is an error, which
// json.Unmarshal alone reports less clearly.
func decode(body []byte, into any) error {
	dec := json.NewDecoder(bytes.NewReader(body))
	if err := dec.Decode(into); err != nil {
		return invalid("", "", "The request body is not the JSON that this path takes: %v", err)
	}
	if _, err := dec.Token(); err != io.EOF {
		return invalid("", "", "The request body holds more than one JSON value.")
	}
	return nil
}

// readChat decodes and checks a chat completions body as strictly as OpenAI
// does, so that a loop that works here does not fail there.
func readChat(body []byte) (chatRequest, conversation, error) {
	var in chatRequest
	if err := decode(body, &in); err != nil {
		return in, conversation{}, err
	}
	if in.Model == "" {
		return in, conversation{}, invalid("model", "missing_required_parameter", "Name a model in 'model'.")
	}
	out := conversation{seed: digest(string(body))}
	var err error
	if out.messages, err = readMessages(in.Messages); err != nil {
		return in, conversation{}, err
	}
	if err := checkPairs(out.messages); err != nil {
		return in, conversation{}, err
	}
	if out.tools, err = readTools(in.Tools); err != nil {
		return in, conversation{}, err
	}
	for _, one := range in.Tools {
		out.toolTexts = append(out.toolTexts, string(one))
	}
	if out.choice, err = readChoice(in.ToolChoice, out.tools); err != nil {
		return in, conversation{}, err
	}
	if out.format, err = readFormat(in.ResponseFormat, out.messages); err != nil {
		return in, conversation{}, err
	}
	return in, out, checkKnobs(in)
}

func checkKnobs(in chatRequest) error {
	switch {
	case in.Parallel != nil && len(in.Tools) == 0:
		return invalid("parallel_tool_calls", "invalid_value",
			"'parallel_tool_calls' is only allowed when 'tools' are given.")
	case in.StreamOptions != nil && !in.Stream:
		return invalid("stream_options", "invalid_value", "'stream_options' is only allowed when 'stream' is true.")
	case in.MaxTokens != nil && in.MaxCompletionTokens != nil:
		return invalid("max_tokens", "invalid_value", "Give 'max_tokens' or 'max_completion_tokens', not both.")
	case in.MaxTokens != nil && *in.MaxTokens < 1:
		return invalid("max_tokens", "integer_below_min_value", "'max_tokens' must be at least 1.")
	case in.MaxCompletionTokens != nil && *in.MaxCompletionTokens < 1:
		return invalid("max_completion_tokens", "integer_below_min_value",
			"'max_completion_tokens' must be at least 1.")
	case in.Temperature != nil && (*in.Temperature < 0 || *in.Temperature > 2):
		return invalid("temperature", "invalid_value", "'temperature' must lie between 0 and 2.")
	case in.N != nil && *in.N != 1:
		return invalid("n", "invalid_value", "The stand-in gives one choice: 'n' must be 1.")
	}
	return nil
}

// limit is the number of tokens that the answer may have; 0 is unlimited.
func (in chatRequest) limit() int {
	for _, l := range []*int{in.MaxTokens, in.MaxCompletionTokens} {
		if l != nil {
			return *l
		}
	}
	return 0
}

func readMessages(raw []json.RawMessage) ([]message, error) {
	if raw == nil {
		return nil, invalid("messages", "missing_required_parameter", "The required parameter 'messages' is missing.")
	}
	if len(raw) == 0 {
		return nil, invalid("messages", "empty_array", "'messages' must hold at least one message.")
	}
	out := make([]message, 0, len(raw))
	for i, one := range raw {
		m, err := readMessage(one, fmt.Sprintf("messages[%d]", i))
		if err != nil {
			return nil, err
		}
		out = append(out, m)
	}
	return out, nil
}

func readMessage(raw json.RawMessage, at string) (message, error) {
	var in chatMessage
	if err := json.Unmarshal(raw, &in); err != nil {
		return message{}, invalid(at, "invalid_type", "%s is not a message: %v", at, err)
	}
	out := message{role: in.Role, name: in.Name, callID: in.ToolCallID}
	if in.Name != "" && !personName.MatchString(in.Name) {
		return out, invalid(at+".name", "invalid_value", "%s.name must match %s.", at, personName)
	}
	text, given, err := readContent(in.Content, at, in.Role)
	if err != nil {
		return out, err
	}
	out.text = text
	switch in.Role {
	case "developer", "system":
		out.role = "system"
	case "user", "tool":
	case "assistant":
		if in.ToolCalls != nil && len(*in.ToolCalls) == 0 {
			return out, invalid(at+".tool_calls", "empty_array", "%s.tool_calls is empty: leave it out.", at)
		}
		given = given || in.ToolCalls != nil || in.Refusal != nil
	case "":
		return out, invalid(at+".role", "missing_required_parameter", "%s.role is missing.", at)
	default:
		return out, invalid(at+".role", "invalid_value",
			"%s.role is %q: it must be system, developer, user, assistant or tool.", at, in.Role)
	}
	if !given {
		return out, invalid(at+".content", "invalid_type", "%s.content must be a string or a list of parts.", at)
	}
	if in.ToolCalls != nil {
		if in.Role != "assistant" {
			return out, invalid(at+".tool_calls", "unknown_parameter",
				"%s.tool_calls belongs to assistant messages only.", at)
		}
		for j, c := range *in.ToolCalls {
			where := fmt.Sprintf("%s.tool_calls[%d]", at, j)
			switch {
			case c.ID == "":
				return out, invalid(where+".id", "missing_required_parameter", "%s.id is missing.", where)
			case c.Type != "function":
				return out, invalid(where+".type", "invalid_value", "%s.type must be 'function'.", where)
			case !toolName.MatchString(c.Function.Name):
				return out, invalid(where+".function.name", "invalid_value", "%s.function.name must match %s.", where,
					toolName)
			case c.Function.Arguments == nil:
				return out, invalid(where+".function.arguments", "missing_required_parameter",
					"%s.function.arguments must be a string.", where)
			}
			out.calls = append(out.calls, call{id: c.ID, name: c.Function.Name, args: *c.Function.Arguments})
		}
	}
	if (in.Role == "tool") != (in.ToolCallID != "") {
		return out, invalid(at+".tool_call_id", "invalid_value",
			"A tool message, and no other, must carry 'tool_call_id'.")
	}
	return out, nil
}

// readContent accepts a string or a list of typed parts. Parts that are not
// text are named in the text, since the stand-in cannot see or hear them.
func readContent(raw json.RawMessage, at, role string) (text string, given bool, err error) {
	if len(raw) == 0 || string(raw) == "null" {
		return "", false, nil
	}
	if json.Unmarshal(raw, &text) == nil {
		return text, true, nil
	}
	var parts []struct {
		Type    string  `json:"type"`
		Text    *string `json:"text"`
		Refusal string  `json:"refusal"`
	}
	if json.Unmarshal(raw, &parts) != nil || len(parts) == 0 {
		return "", false, invalid(at+".content", "invalid_type", "%s.content must be a string or a list of parts.", at)
	}
	var all []string
	for j, p := range parts {
		switch {
		case p.Type == "text" && p.Text != nil:
			all = append(all, *p.Text)
		case p.Type == "refusal" && role == "assistant":
			all = append(all, p.Refusal)
		case role == "user" && slices.Contains([]string{"image_url", "input_audio", "file"}, p.Type):
			all = append(all, "(a part of type "+p.Type+")")
		default:
			return "", false, invalid(fmt.Sprintf("%s.content[%d].type", at, j), "invalid_value",
				"A %s message cannot hold a part of type %q.", role, p.Type)
		}
	}
	return strings.Join(all, "\n"), true, nil
}

// checkPairs refuses histories in which calls and results do not match one to
// one and side by side. OpenAI refuses them too.
func checkPairs(messages []message) error {
	var open []string
	var from int
	for i, m := range messages {
		at := fmt.Sprintf("messages[%d]", i)
		if m.role == "tool" {
			j := slices.Index(open, m.callID)
			if j < 0 {
				return invalid(at, "", "%s answers tool call %q, but no assistant message right before it made that "+
					"call, or it was answered already.", at, m.callID)
			}
			open = slices.Delete(open, j, j+1)
			continue
		}
		if len(open) > 0 {
			return unanswered(from, open)
		}
		from = i
		for _, c := range m.calls {
			if slices.Contains(open, c.id) {
				return invalid(at+".tool_calls", "invalid_value", "%s uses the tool call id %q twice.", at, c.id)
			}
			open = append(open, c.id)
		}
	}
	if len(open) > 0 {
		return unanswered(from, open)
	}
	return nil
}

func unanswered(i int, ids []string) error {
	at := fmt.Sprintf("messages[%d]", i)
	return invalid(at, "", "%s has tool calls that no tool message answers: %s.", at, strings.Join(ids, ", "))
}

// readTools checks the tools as OpenAI does: names, object schemas, and what
// strict mode demands.
func readTools(raw []json.RawMessage) ([]tool, error) {
	if len(raw) > 128 {
		return nil, invalid("tools", "array_above_max_length", "At most 128 tools may be offered; these are %d.",
			len(raw))
	}
	if raw != nil && len(raw) == 0 {
		return nil, invalid("tools", "empty_array", "'tools' is empty: leave it out.")
	}
	var out []tool
	for i, one := range raw {
		at := fmt.Sprintf("tools[%d]", i)
		var in chatTool
		if err := json.Unmarshal(one, &in); err != nil {
			return nil, invalid(at, "invalid_type", "%s is not a tool: %v", at, err)
		}
		if in.Type != "function" || in.Function == nil {
			return nil, invalid(at+".type", "invalid_value", "%s must have the type 'function' and a function.", at)
		}
		f := *in.Function
		t, err := newTool(f.Name, f.Description, f.Parameters, f.Strict != nil && *f.Strict, at+".function")
		if err != nil {
			return nil, err
		}
		if slices.ContainsFunc(out, func(o tool) bool { return o.name == t.name }) {
			return nil, invalid(at+".function.name", "invalid_value", "Two tools are named %s.", t.name)
		}
		out = append(out, t)
	}
	described := map[string]string{}
	for _, t := range out {
		t.params.describe(described)
	}
	return out, nil
}

func newTool(name, description string, params json.RawMessage, strict bool, at string) (tool, error) {
	if !toolName.MatchString(name) {
		return tool{}, invalid(at+".name", "invalid_value", "%s.name must match %s.", at, toolName)
	}
	s, err := parseSchema(params)
	if err != nil || !s.is("object") {
		return tool{}, invalid(at+".parameters", "invalid_function_parameters",
			"The parameters of %s must be a JSON schema of type object (%v).", name, err)
	}
	if strict {
		if err := checkStrict(s, name); err != nil {
			return tool{}, invalid(at+".parameters", "invalid_function_parameters",
				"The schema of %s does not suit strict mode: %v.", name, err)
		}
	}
	return tool{name: name, description: description, params: s}, nil
}

// checkStrict walks the objects of s: strict mode wants each closed, with all
// properties required.
func checkStrict(s *schema, at string) error {
	if s == nil {
		return nil
	}
	if s.is("object") && !s.closed {
		return fmt.Errorf("%s must set additionalProperties to false", at)
	}
	for _, p := range s.props {
		if !s.needs(p.name) {
			return fmt.Errorf("%s must list %s as required", at, p.name)
		}
		if err := checkStrict(p.schema, at+"."+p.name); err != nil {
			return err
		}
	}
	return checkStrict(s.items, at+"[]")
}
