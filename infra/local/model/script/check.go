package script

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// checkRequest says what OpenAI would refuse outside of the messages.
func checkRequest(in wireRequest) error {
	var wrong []error
	add := func(bad bool, format string, args ...any) {
		if bad {
			wrong = append(wrong, fmt.Errorf(format, args...))
		}
	}
	add(in.Model == "", "no model is named")
	add(len(in.Messages) == 0, "there are no messages")
	add(in.Tools != nil && len(in.Tools) == 0, "tools is an empty list")
	add(in.Parallel != nil && len(in.Tools) == 0, "parallel_tool_calls is sent without tools")
	add(in.StreamOptions != nil && !in.Stream, "stream_options is sent without stream")
	add(in.MaxTokens != nil && in.MaxCompletionTokens != nil, "max_tokens and max_completion_tokens are both sent")
	seen := map[string]bool{}
	for i, t := range in.Tools {
		add(t.Type != "function" || t.Function.Name == "", "tools[%d] is not a function with a name", i)
		add(seen[t.Function.Name], "two tools are named %q", t.Function.Name)
		seen[t.Function.Name] = true
	}
	return errors.Join(wrong...)
}

// checkMessage says what OpenAI would refuse in a message taken alone.
func checkMessage(m wireMessage) error {
	given := len(m.Content) > 0 && !isNull(m.Content)
	switch m.Role {
	case "system", "developer", "user", "tool":
		if m.ToolCalls != nil {
			return fmt.Errorf("a %s message has tool_calls", m.Role)
		}
		if !given {
			return fmt.Errorf("a %s message has no content", m.Role)
		}
	case "assistant":
		if !given && m.ToolCalls == nil && m.Refusal == nil {
			return errors.New("an assistant message has neither content nor tool_calls")
		}
	default:
		return fmt.Errorf("the role %q is not known", m.Role)
	}
	if (m.Role == "tool") != (m.ToolCallID != "") {
		return errors.New("a tool message, and no other, must have a tool_call_id")
	}
	if m.ToolCalls == nil {
		return nil
	}
	if len(*m.ToolCalls) == 0 {
		return errors.New("tool_calls is an empty list")
	}
	for i, c := range *m.ToolCalls {
		if c.ID == "" || c.Type != "function" || c.Function.Name == "" || c.Function.Arguments == nil {
			return fmt.Errorf("tool_calls[%d] lacks its id, its name, its arguments or the type function", i)
		}
	}
	return nil
}

// checkPairs says where calls and results do not stand side by side, one
// result a call.
func checkPairs(messages []Message) error {
	var wrong []error
	var open []string
	from := 0
	settle := func() {
		if len(open) > 0 {
			wrong = append(wrong, fmt.Errorf("messages[%d] has calls without a result right after it: %s", from,
				strings.Join(open, ", ")))
		}
		open = nil
	}
	for i, m := range messages {
		if m.Role == "tool" {
			j := slices.Index(open, m.ToolCallID)
			if j < 0 {
				wrong = append(wrong, fmt.Errorf("messages[%d] is the result of %q, which no assistant message "+
					"right before it calls, or which has a result already", i, m.ToolCallID))
				continue
			}
			open = slices.Delete(open, j, j+1)
			continue
		}
		settle()
		from = i
		for _, c := range m.ToolCalls {
			if slices.Contains(open, c.ID) {
				wrong = append(wrong, fmt.Errorf("messages[%d] uses the call id %q twice", i, c.ID))
				continue
			}
			open = append(open, c.ID)
		}
	}
	settle()
	return errors.Join(wrong...)
}
