package script

import (
	"fmt"
	"slices"
	"strconv"
)

// outcome is the status of a response, and why it is incomplete or what failed.
func (a *answer) outcome() (status string, incomplete, failed any) {
	switch f := a.step.Fault; {
	case f.kind == noFinish:
		return "in_progress", nil, nil
	case f.kind == streamFail:
		return "failed", nil, map[string]any{"code": "server_error", "message": f.text}
	case a.step.finish() == "length":
		return "incomplete", map[string]any{"reason": "max_output_tokens"}, nil
	case a.step.finish() == "content_filter":
		return "incomplete", map[string]any{"reason": "content_filter"}, nil
	case a.step.Finish == "", a.step.Finish == "stop", a.step.Finish == "tool_calls":
		return "completed", nil, nil
	}
	return a.step.Finish, nil, nil
}

// item is one thing of a response, with what is streamed of it.
type item struct {
	id    string
	whole map[string]any // as it is when it is done
	empty map[string]any // as it is when it begins
	part  map[string]any // of a message: its part, without the text
	said  string         // "text" or "refusal" of the part, or "arguments"
	text  string
}

// items are what the step gives, in order.
func (a *answer) items() []item {
	f, thoughts := a.step.Fault, a.step.Reasoning
	var out []item
	id := func(prefix string) string { return fmt.Sprintf("%s_%d_%d", prefix, a.request.Number, len(out)) }
	think := func() {
		if len(thoughts) == 0 {
			return
		}
		whole := map[string]any{"id": id("rs"), "type": "reasoning", "summary": []any{}}
		empty := map[string]any{"id": id("rs"), "type": "reasoning", "summary": []any{}}
		if slices.Contains(a.request.Include, "reasoning.encrypted_content") {
			whole["encrypted_content"], empty["encrypted_content"] = thoughts[0], ""
		}
		out, thoughts = append(out, item{id: id("rs"), whole: whole, empty: empty}), thoughts[1:]
	}
	say := func(kind, member, text string) {
		think()
		part := map[string]any{"type": kind, member: ""}
		full := map[string]any{"type": kind, member: text}
		if member == "text" {
			part["annotations"], full["annotations"] = []any{}, []any{}
		}
		message := func(status string, content ...any) map[string]any {
			return map[string]any{"id": id("msg"), "type": "message", "role": "assistant", "status": status,
				"content": append([]any{}, content...)}
		}
		out = append(out, item{id: id("msg"), whole: message(a.finished(), full), empty: message("in_progress"),
			part: part, said: member, text: text})
	}
	switch {
	case f.kind == empty:
		return nil
	case f.kind == refusal:
		say("refusal", "refusal", f.text)
	case a.step.Text != "" || len(a.step.Calls) == 0 && f.kind != null:
		say("output_text", "text", a.step.Text)
	}
	for _, c := range a.step.Calls {
		think()
		call := func(status, arguments string) map[string]any {
			return map[string]any{"id": id("fc"), "type": "function_call", "status": status, "call_id": c.ID,
				"name": c.Name, "arguments": arguments}
		}
		out = append(out, item{id: id("fc"), whole: call(a.finished(), c.arguments()), empty: call("in_progress",
			""), said: "arguments", text: c.arguments()})
	}
	return out
}

// finished is the status of an item when the response has ended.
func (a *answer) finished() string {
	if status, _, _ := a.outcome(); status == "incomplete" {
		return status
	}
	return "completed"
}

// responseObject is the whole response.
func (a *answer) responseObject() map[string]any {
	r := a.response()
	output := []any{}
	for _, one := range a.items() {
		output = append(output, one.whole)
	}
	u := a.step.Usage.told()
	r["status"], r["incomplete_details"], r["error"] = a.outcome()
	r["output"] = output
	r["usage"] = map[string]any{
		"input_tokens": u.Prompt, "output_tokens": u.Completion, "total_tokens": u.Prompt + u.Completion,
		"input_tokens_details":  map[string]any{"cached_tokens": u.Cached},
		"output_tokens_details": map[string]any{"reasoning_tokens": u.Reasoning},
	}
	return r
}

// response is a response that has just begun.
func (a *answer) response() map[string]any {
	n := a.request.Number
	return map[string]any{
		"id": "resp_" + strconv.Itoa(n), "object": "response", "created_at": n, "model": a.request.Model,
		"status": "in_progress",
		"output": []any{}, "usage": nil, "error": nil, "incomplete_details": nil, "parallel_tool_calls": true,
		"store": false,
	}
}

// responseEvents are the events of the Responses API up to the one that ends
// the answer, and that one. A frame that begins something goes with the piece
// after it, so that breaks count as in Chat Completions.
func (a *answer) responseEvents() (events, tail []string) {
	f, n := a.step.Fault, 0
	frame := func(kind string, members map[string]any) string {
		members["type"], members["sequence_number"] = kind, n
		n++
		return a.frame(kind, encode(members))
	}
	before := frame("response.created", map[string]any{"response": a.response()}) +
		frame("response.in_progress", map[string]any{"response": a.response()})
	send := func(s string) { events, before = append(events, before+s), "" }
	send("")
	items := a.items()
	for i, one := range items {
		at := func(more map[string]any) map[string]any {
			more["output_index"], more["item_id"] = i, one.id
			return more
		}
		before += frame("response.output_item.added", map[string]any{"output_index": i, "item": one.empty})
		if f.kind == unknownEvents {
			before += frame("response.weather.delta", at(map[string]any{"delta": "rain", "arguments": "no"}))
		}
		name, pieces := "response.output_text", words(one.text)
		switch one.said {
		case "refusal":
			name = "response.refusal"
		case "arguments":
			name, pieces = "response.function_call_arguments", chop(one.text)
		}
		in := func(more map[string]any) map[string]any {
			if one.part != nil {
				more["content_index"] = 0
			}
			return at(more)
		}
		if one.part != nil {
			before += frame("response.content_part.added", in(map[string]any{"part": one.part}))
		}
		for _, p := range pieces {
			send(frame(name+".delta", in(map[string]any{"delta": p})))
		}
		if f.kind == cutArgs && i == len(items)-1 {
			break
		}
		if one.said != "" {
			before += frame(name+".done", in(map[string]any{one.said: one.text}))
		}
		if one.part != nil {
			before += frame("response.content_part.done", in(map[string]any{"part": one.whole["content"].([]any)[0]}))
		}
		send(frame("response.output_item.done", map[string]any{"output_index": i, "item": one.whole}))
	}
	switch f.kind {
	case noFinish:
	case streamFail:
		tail = append(tail, frame("error", map[string]any{"code": "server_error", "message": f.text, "param": nil}))
	default:
		status, _, _ := a.outcome()
		tail = append(tail, frame("response."+status, map[string]any{"response": a.responseObject()}))
	}
	return events, tail
}
