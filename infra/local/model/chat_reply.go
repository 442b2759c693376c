package model

import (
	"bytes"
	"encoding/json"
	"net/http"
	"slices"
)

// chat serves POST /v1/chat/completions.
func (s *Server) chat(w http.ResponseWriter, body []byte) (usage, error) {
	in, t, err := readChat(body)
	if err != nil {
		return usage{}, err
	}
	now := s.now()
	th := s.engine.decide(t, now)
	spent := s.count(in, &th)
	r := reply{id: "chatcmpl-" + t.seed, created: now.Unix(), model: Name, decision: th, finish: finishOf(th),
		usage: spent}
	if limit := in.limit(); limit > 0 && spent.completion > limit {
		r.cut(limit)
	}
	if in.Stream {
		r.stream(w, in.StreamOptions != nil && in.StreamOptions.IncludeUsage)
		return r.usage, nil
	}
	writeJSON(w, http.StatusOK, r.whole())
	return r.usage, nil
}

// count estimates the tokens of request and answer. Tools come first in the
// remembered prompt because providers put them first, too.
func (s *Server) count(in chatRequest, th *decision) usage {
	var prompt []byte
	for _, part := range slices.Concat(in.Tools, in.Messages) {
		prompt = append(append(prompt, part...), '\n')
	}
	return usage{prompt: tokens(len(prompt)), cached: s.cache.add(prompt), completion: th.size()}
}

func (th *decision) size() int {
	n := tokens(len(th.text))
	for _, c := range th.calls {
		n += tokens(len(c.name)) + tokens(len(c.args))
	}
	return n
}

func finishOf(th decision) string {
	if len(th.calls) > 0 {
		return "tool_calls"
	}
	return "stop"
}

// reply is one chat completion, ready to be written whole or in pieces.
type reply struct {
	id       string
	created  int64
	model    string
	decision decision
	finish   string
	usage    usage
}

// cut shortens the answer to limit tokens, arguments included, as a provider
// would: a caller must look at finish_reason before it trusts arguments.
func (r *reply) cut(limit int) {
	r.finish = "length"
	left := limit * 4
	take := func(s string) string {
		n := min(left, len(s))
		for n > 0 && n < len(s) && s[n]&0xC0 == 0x80 {
			n--
		}
		left -= n
		return s[:n]
	}
	r.decision.text = take(r.decision.text)
	var kept []call
	for _, c := range r.decision.calls {
		if left < len(c.name) {
			break
		}
		left -= len(c.name)
		c.args = take(c.args)
		kept = append(kept, c)
	}
	r.decision.calls = kept
	r.usage.completion = limit
}

type wireFunction struct {
	Name      string `json:"name,omitempty"`
	Arguments string `json:"arguments"`
}

type wireCall struct {
	Index    *int         `json:"index,omitempty"` // streams only
	ID       string       `json:"id,omitempty"`
	Type     string       `json:"type,omitempty"`
	Function wireFunction `json:"function"`
}

type wireMessage struct {
	Role    string     `json:"role"`
	Content *string    `json:"content"`
	Refusal *string    `json:"refusal"`
	Calls   []wireCall `json:"tool_calls,omitempty"`
}

func (u usage) wire() map[string]any {
	return map[string]any{
		"prompt_tokens": u.prompt, "completion_tokens": u.completion, "total_tokens": u.prompt + u.completion,
		"prompt_tokens_details":     map[string]int{"cached_tokens": u.cached},
		"completion_tokens_details": map[string]int{"reasoning_tokens": 0},
	}
}

func (r *reply) whole() any {
	m := wireMessage{Role: "assistant"}
	for _, c := range r.decision.calls {
		m.Calls = append(m.Calls, wireCall{ID: c.id, Type: "function", Function: wireFunction{Name: c.name,
			Arguments: c.args}})
	}
	// OpenAI sends null beside calls, and a string otherwise, even an empty one.
	if len(m.Calls) == 0 || r.decision.text != "" {
		m.Content = &r.decision.text
	}
	return map[string]any{
		"id": r.id, "object": "chat.completion", "created": r.created, "model": r.model,
		"choices": []any{map[string]any{"index": 0, "message": m, "logprobs": nil, "finish_reason": r.finish}},
		"usage":   r.usage.wire(), "system_fingerprint": "fp_rules",
	}
}

// stream writes the reply as server-sent events in OpenAI's order: the role,
// text or calls in fragments, the finish reason, usage when asked, [DONE].
func (r *reply) stream(w http.ResponseWriter, withUsage bool) {
	out := newEvents(w)
	send := func(choices []any, extra map[string]any) {
		chunk := map[string]any{
			"id": r.id, "object": "chat.completion.chunk", "created": r.created, "model": r.model,
			"choices": choices, "system_fingerprint": "fp_rules",
		}
		if withUsage {
			chunk["usage"] = nil
		}
		for k, v := range extra {
			chunk[k] = v
		}
		out.data(chunk)
	}
	delta := func(d map[string]any, finish any) {
		send([]any{map[string]any{"index": 0, "delta": d, "logprobs": nil, "finish_reason": finish}}, nil)
	}
	first := map[string]any{"role": "assistant", "content": ""}
	if len(r.decision.calls) > 0 && r.decision.text == "" {
		first["content"] = nil
	}
	delta(first, nil)
	for _, p := range pieces(r.decision.text) {
		delta(map[string]any{"content": p}, nil)
	}
	for i, c := range r.decision.calls {
		delta(map[string]any{"tool_calls": []wireCall{{Index: &i, ID: c.id, Type: "function",
			Function: wireFunction{Name: c.name}}}}, nil)
		for _, p := range chop(c.args) {
			delta(map[string]any{"tool_calls": []wireCall{{Index: &i, Function: wireFunction{Arguments: p}}}}, nil)
		}
	}
	delta(map[string]any{}, r.finish)
	if withUsage {
		send([]any{}, map[string]any{"usage": r.usage.wire()})
	}
	out.done()
}

// events writes server-sent events and flushes each, so that a reader sees
// what a network would show.
type events struct {
	w     http.ResponseWriter
	flush func()
}

func newEvents(w http.ResponseWriter) events {
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-cache")
	w.WriteHeader(http.StatusOK)
	e := events{w: w, flush: func() {}}
	if f, ok := w.(http.Flusher); ok {
		e.flush = f.Flush
	}
	return e
}

// named writes an event that has a name.
func (e events) named(name string, v any) {
	e.raw("event: " + name + "\n")
	e.data(v)
}

func (e events) data(v any) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(v) // Plain maps and strings always encode.
	e.raw("data: " + b.String() + "\n")
}

func (e events) done() { e.raw("data: [DONE]\n\n") }

func (e events) raw(s string) {
	_, _ = e.w.Write([]byte(s)) // A reader that left ends the handler soon enough.
	e.flush()
}
