package model

import (
	"net/http"
)

// responses serves POST /v1/responses.
func (s *Server) responses(w http.ResponseWriter, body []byte) (usage, error) {
	in, t, err := readResponses(body)
	if err != nil {
		return usage{}, err
	}
	now := s.now()
	th := s.engine.decide(t, now)
	spent := s.count(chatRequest{Tools: in.Tools, Messages: in.items}, &th)
	r := response{reply: reply{id: "resp_" + t.seed, created: now.Unix(), model: Name, decision: th,
		finish: finishOf(th), usage: spent}}
	if in.MaxOutput != nil && spent.completion > *in.MaxOutput {
		r.cut(*in.MaxOutput)
	}
	if in.Stream {
		r.stream(w)
	} else {
		writeJSON(w, http.StatusOK, r.whole(r.status(), r.items()))
	}
	return r.usage, nil
}

// response is a reply in the form of the Responses API.
type response struct{ reply }

// status is completed, or incomplete where the reply was cut.
func (r *response) status() string {
	if r.finish == "length" {
		return "incomplete"
	}
	return "completed"
}

// outputItem is a message or a call of a response.
type outputItem struct {
	id   string
	call *call // nil for a message
	text string
}

// wire is the item when it has begun, with nothing in it, or when it is done.
func (i outputItem) wire(status string) map[string]any {
	begun := status == "in_progress"
	if i.call != nil {
		args := i.call.args
		if begun {
			args = "" // OpenAI sends them with the events that follow
		}
		return map[string]any{"id": i.id, "type": "function_call", "status": status, "call_id": i.call.id,
			"name": i.call.name, "arguments": args}
	}
	content := []any{}
	if !begun {
		content = append(content, i.part(i.text))
	}
	return map[string]any{"id": i.id, "type": "message", "role": "assistant", "status": status, "content": content}
}

func (outputItem) part(text string) map[string]any {
	return map[string]any{"type": "output_text", "text": text, "annotations": []any{}, "logprobs": []any{}}
}

func (r *response) items() []outputItem {
	var out []outputItem
	if r.decision.text != "" || len(r.decision.calls) == 0 {
		out = append(out, outputItem{id: "msg_" + digest(r.id), text: r.decision.text})
	}
	for _, c := range r.decision.calls {
		out = append(out, outputItem{id: "fc_" + digest(r.id, c.id), call: &c})
	}
	return out
}

// whole is the response with these items in it.
func (r *response) whole(status string, items []outputItem) map[string]any {
	output := []any{}
	for _, i := range items {
		output = append(output, i.wire(status))
	}
	out := map[string]any{
		"id": r.id, "object": "response", "created_at": r.created, "model": r.model, "status": status,
		"output": output,
		"error":  nil, "incomplete_details": nil, "usage": nil, "parallel_tool_calls": true, "store": false,
	}
	if status == "incomplete" {
		out["incomplete_details"] = map[string]string{"reason": "max_output_tokens"}
	}
	if status != "in_progress" {
		out["usage"] = map[string]any{
			"input_tokens": r.usage.prompt, "output_tokens": r.usage.completion,
			"total_tokens":          r.usage.prompt + r.usage.completion,
			"input_tokens_details":  map[string]int{"cached_tokens": r.usage.cached},
			"output_tokens_details": map[string]int{"reasoning_tokens": 0},
		}
	}
	return out
}

// stream writes the response as server-sent events in OpenAI's order.
func (r *response) stream(w http.ResponseWriter) {
	out, number := newEvents(w), 0
	send := func(kind string, members map[string]any) {
		members["type"], members["sequence_number"] = kind, number
		number++
		out.named(kind, members)
	}
	send("response.created", map[string]any{"response": r.whole("in_progress", nil)})
	send("response.in_progress", map[string]any{"response": r.whole("in_progress", nil)})
	status := r.status()
	for n, i := range r.items() {
		at := func(members map[string]any) map[string]any {
			members["output_index"], members["item_id"] = n, i.id
			return members
		}
		send("response.output_item.added", map[string]any{"output_index": n, "item": i.wire("in_progress")})
		if i.call != nil {
			for _, p := range chop(i.call.args) {
				send("response.function_call_arguments.delta", at(map[string]any{"delta": p}))
			}
			send("response.function_call_arguments.done",
				at(map[string]any{"arguments": i.call.args, "name": i.call.name}))
		} else {
			send("response.content_part.added", at(map[string]any{"content_index": 0, "part": i.part("")}))
			for _, p := range pieces(i.text) {
				send("response.output_text.delta",
					at(map[string]any{"content_index": 0, "delta": p, "logprobs": []any{}}))
			}
			send("response.output_text.done",
				at(map[string]any{"content_index": 0, "text": i.text, "logprobs": []any{}}))
			send("response.content_part.done", at(map[string]any{"content_index": 0, "part": i.part(i.text)}))
		}
		send("response.output_item.done", map[string]any{"output_index": n, "item": i.wire(status)})
	}
	send("response."+status, map[string]any{"response": r.whole(status, r.items())})
}
