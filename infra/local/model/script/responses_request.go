package script

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

type wireResponses struct {
	Model        string           `json:"model"`
	Instructions string           `json:"instructions"`
	Input        json.RawMessage  `json:"input"`
	Tools        []wireDirectTool `json:"tools"`
	ToolChoice   json.RawMessage  `json:"tool_choice"`
	Parallel     *bool            `json:"parallel_tool_calls"`
	Temperature  *float64         `json:"temperature"`
	MaxOutput    *int             `json:"max_output_tokens"`
	Stream       bool             `json:"stream"`
	Include      []string         `json:"include"`
	Messages     json.RawMessage  `json:"messages"` // of the other API
}

type wireDirectTool struct {
	Type       string          `json:"type"`
	Name       string          `json:"name"`
	Strict     *bool           `json:"strict"`
	Parameters json.RawMessage `json:"parameters"`
}

type wireItem struct {
	Type      string          `json:"type"`
	Role      string          `json:"role"`
	Content   json.RawMessage `json:"content"`
	CallID    string          `json:"call_id"`
	Name      string          `json:"name"`
	Arguments *string         `json:"arguments"`
	Output    *string         `json:"output"`
	Encrypted string          `json:"encrypted_content"`
}

// thinks is the shape of the names of OpenAI's models that reason.
var thinks = regexp.MustCompile(`^(o[1-9]|gpt-[5-9])`)

// readResponsesRequest decodes a body of the Responses API as far as it can,
// and says what OpenAI would refuse in it.
func readResponsesRequest(body []byte) (Request, error) {
	out := Request{API: Responses, Body: body}
	var in wireResponses
	if err := json.Unmarshal(body, &in); err != nil {
		return out, fmt.Errorf("the body is not a request of the Responses API: %w", err)
	}
	out.Model, out.Stream, out.Temperature, out.Include = in.Model, in.Stream, in.Temperature, in.Include
	var wrong []error
	add := func(bad bool, format string, args ...any) {
		if bad {
			wrong = append(wrong, fmt.Errorf(format, args...))
		}
	}
	if in.MaxOutput != nil {
		out.MaxTokens = *in.MaxOutput
		add(out.MaxTokens < 16, "max_output_tokens is below 16")
	}
	add(in.Model == "", "no model is named")
	add(in.Messages != nil, "messages belong to the other API")
	add(in.Tools != nil && len(in.Tools) == 0, "tools is an empty list")
	add(in.Parallel != nil && len(in.Tools) == 0, "parallel_tool_calls is sent without tools")
	add(in.Temperature != nil && thinks.MatchString(in.Model), "a model that reasons takes no temperature")
	add(slices.Contains(in.Include, "reasoning.encrypted_content") && !thinks.MatchString(in.Model),
		"encrypted reasoning is not known of this model")
	for i, t := range in.Tools {
		add(t.Type != "function" || t.Name == "", "tools[%d] is not a function with a name", i)
		add(slices.Contains(out.Tools, t.Name), "two tools are named %q", t.Name)
		if t.Strict == nil || *t.Strict { // strict is the default here
			if err := checkStrict(t.Parameters); err != nil {
				wrong = append(wrong, fmt.Errorf("the parameters of tools[%d] are not strict: %w", i, err))
			}
		}
		out.Tools = append(out.Tools, t.Name)
	}
	if in.Instructions != "" {
		out.Messages = append(out.Messages, Message{Role: "system", Content: in.Instructions})
	}
	items, err := readItems(in.Input)
	if err != nil {
		wrong = append(wrong, err)
	}
	thought := false
	for i, one := range items {
		if err := out.addItem(one); err != nil {
			wrong = append(wrong, fmt.Errorf("input[%d]: %w", i, err))
		}
		led := one.Type == "reasoning" || one.Type == "function_call" || one.Role == "assistant"
		add(thought && !led, "input[%d]: the reasoning before it lacks what it led to", i)
		thought = one.Type == "reasoning"
	}
	add(thought, "the last reasoning lacks what it led to")
	if out.ToolChoice, err = readDirectChoice(in.ToolChoice, out.Tools); err != nil {
		wrong = append(wrong, err)
	}
	return out, errors.Join(append(wrong, checkPairs(out.Messages))...)
}

func readItems(raw json.RawMessage) ([]wireItem, error) {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return []wireItem{{Role: "user", Content: raw}}, nil
	}
	var items []wireItem
	if err := json.Unmarshal(raw, &items); err != nil || len(items) == 0 {
		return nil, errors.New("input is neither a text nor a list of items")
	}
	return items, nil
}

// addItem takes an item as a message, or as a part of the one before it.
func (r *Request) addItem(in wireItem) error {
	switch in.Type {
	case "", "message":
		if !slices.Contains([]string{"system", "developer", "user", "assistant"}, in.Role) {
			return fmt.Errorf("the role %q is not known", in.Role)
		}
		text, err := readParts(in.Content, in.Role)
		r.Messages = append(r.Messages, Message{Role: in.Role, Content: text})
		return err
	case "function_call":
		if in.CallID == "" || in.Name == "" || in.Arguments == nil {
			return errors.New("a call lacks its call_id, its name or its arguments")
		}
		if n := len(r.Messages); n == 0 || r.Messages[n-1].Role != "assistant" {
			r.Messages = append(r.Messages, Message{Role: "assistant"})
		}
		last := &r.Messages[len(r.Messages)-1]
		last.ToolCalls = append(last.ToolCalls, Call{ID: in.CallID, Name: in.Name, Arguments: *in.Arguments})
	case "function_call_output":
		if in.CallID == "" || in.Output == nil {
			return errors.New("a result lacks its call_id or its output")
		}
		r.Messages = append(r.Messages, Message{Role: "tool", Content: *in.Output, ToolCallID: in.CallID})
	case "reasoning":
		if in.Encrypted == "" {
			return errors.New("reasoning that is not stored must come with its encrypted content")
		}
		r.Reasoning = append(r.Reasoning, in.Encrypted)
	default:
		return fmt.Errorf("the type %q is not known", in.Type)
	}
	return nil
}

// readParts returns the text of a string or of a list of parts.
func readParts(raw json.RawMessage, role string) (string, error) {
	var text string
	if json.Unmarshal(raw, &text) == nil && !isNull(raw) {
		return text, nil
	}
	var parts []struct {
		Type string `json:"type"`
		Text string `json:"text"`
		URL  string `json:"image_url"`
	}
	if isNull(raw) || json.Unmarshal(raw, &parts) != nil || len(parts) == 0 {
		return "", errors.New("content is neither a string nor a list of parts")
	}
	var all []string
	for _, p := range parts {
		switch {
		case p.Type == "input_text" && role != "assistant", p.Type == "output_text" && role == "assistant":
			all = append(all, p.Text)
		case p.Type == "input_image" && role == "user" && p.URL != "":
		default:
			return "", fmt.Errorf("a %s message has no part of the type %q", role, p.Type)
		}
	}
	return strings.Join(all, "\n"), nil
}

// readDirectChoice reads a choice that names its function without a wrapper.
func readDirectChoice(raw json.RawMessage, tools []string) (string, error) {
	var one wireDirectTool
	if len(raw) == 0 || isNull(raw) || raw[0] == '"' {
		return readChoice(raw, tools)
	}
	if json.Unmarshal(raw, &one) != nil || one.Type != "function" || !slices.Contains(tools, one.Name) {
		return one.Name, errors.New("tool_choice is neither a word nor a function that is offered")
	}
	return one.Name, nil
}

// checkStrict says where a schema is not one that OpenAI takes as strict.
func checkStrict(raw json.RawMessage) error {
	var s struct {
		Type       any                        `json:"type"`
		Properties map[string]json.RawMessage `json:"properties"`
		Required   []string                   `json:"required"`
		More       json.RawMessage            `json:"additionalProperties"`
		Items      json.RawMessage            `json:"items"`
		AnyOf      []json.RawMessage          `json:"anyOf"`
		MinLength  *int                       `json:"minLength"`
	}
	if err := json.Unmarshal(raw, &s); err != nil {
		return err
	}
	is := func(kind string) bool {
		list, _ := s.Type.([]any)
		return s.Type == kind || slices.Contains(list, any(kind))
	}
	switch {
	case s.Type == nil && s.AnyOf == nil:
		return errors.New("a schema has no type")
	case s.MinLength != nil:
		return errors.New("minLength is not known")
	case is("object") && string(s.More) != "false":
		return errors.New("an object does not say additionalProperties: false")
	case is("object") && len(s.Required) != len(s.Properties):
		return errors.New("not all properties are required")
	case is("array") && s.Items == nil:
		return errors.New("an array does not say what is in it")
	}
	inner := slices.Clone(s.AnyOf)
	for _, name := range s.Required {
		inner = append(inner, s.Properties[name])
	}
	if s.Items != nil {
		inner = append(inner, s.Items)
	}
	for _, one := range inner {
		if err := checkStrict(one); err != nil {
			return err
		}
	}
	return nil
}
