package script

import (
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// cutText is what a step without text of its own was about to say.
const cutText = "One moment please, I will look"

// answer writes one step as the answer to one request.
type answer struct {
	w       http.ResponseWriter
	step    Step
	request Request
	wait    func() bool // false when nobody waits for the answer any more
}

func (a *answer) write() {
	streams := a.request.Stream && a.step.Fault.kind != status && a.step.Fault.kind != reset
	if (!streams || a.step.HoldAfter <= 0) && !a.wait() {
		return
	}
	switch f := a.step.Fault; f.kind {
	case status:
		maps.Copy(a.w.Header(), f.header)
		a.w.WriteHeader(f.status)
		a.send(f.body)
		return
	case reset:
		a.reset()
		return
	case longLine:
		a.step.Text = strings.Repeat("x", f.size)
	case cutStream, endStream, noFinish, streamFail:
		if a.step.Text == "" && len(a.step.Calls) == 0 {
			a.step.Text = cutText
		}
	}
	if a.request.Stream {
		a.stream()
	} else {
		a.whole()
	}
}

// reset closes the connection so that the client sees a reset, not an end.
func (a *answer) reset() {
	conn, _, err := http.NewResponseController(a.w).Hijack()
	if err != nil {
		panic(http.ErrAbortHandler) // HTTP/2 or a recorder: the nearest thing to it
	}
	if tcp, ok := conn.(*net.TCPConn); ok {
		_ = tcp.SetLinger(0) // without it the close is an orderly one, which is a fault as well
	}
	_ = conn.Close()
}

// abort ends the connection in the middle of an answer. What was sent still
// arrives, which a reset could not promise.
func (a *answer) abort() {
	a.flush()
	panic(http.ErrAbortHandler)
}

func (a *answer) flush() { _ = http.NewResponseController(a.w).Flush() }

func (a *answer) send(s string) {
	if !a.step.Bytes {
		_, _ = io.WriteString(a.w, s) // The reader may have gone.
		a.flush()
		return
	}
	for i := range len(s) {
		if _, err := io.WriteString(a.w, s[i:i+1]); err != nil {
			return
		}
		a.flush()
	}
}

// stream writes the answer as events.
func (a *answer) stream() {
	f := a.step.Fault
	events, tail := a.chatEvents()
	if a.request.API == Responses {
		events, tail = a.responseEvents()
	}
	switch f.kind {
	case cutStream, endStream:
		events, tail = events[:min(f.size, len(events))], nil
	case streamFail:
		events = events[:min(f.size, len(events))]
	case cutArgs:
		tail = nil
	}
	a.w.Header().Set("Content-Type", "text/event-stream")
	a.w.Header().Set("Cache-Control", "no-cache")
	held := a.step.HoldAfter > 0
	for i, e := range slices.Concat(events, tail) {
		if held && i == a.step.HoldAfter {
			held = false
			if !a.wait() {
				return
			}
		}
		a.send(e)
	}
	if held && !a.wait() {
		return
	}
	if f.kind == cutStream || f.kind == cutArgs {
		a.abort()
	}
}

// frame is one event as it is sent; "" is a name that is not said.
func (a *answer) frame(name, data string) string {
	line := "\n"
	if a.step.CRLF {
		line = "\r\n"
	}
	if name != "" {
		name = "event: " + name + line
	}
	return name + "data: " + data + line + line
}

// chatEvents are the events of Chat Completions up to the finish_reason, and
// those from there on.
func (a *answer) chatEvents() (events, tail []string) {
	f := a.step.Fault
	for i, e := range a.deltas() {
		if f.kind == unknownEvents && i > 0 {
			events = append(events, a.frame("ping", "now"))
		}
		events = append(events, a.frame("", e))
	}
	if f.kind != noFinish {
		tail = append(tail, a.frame("", a.chunk(map[string]any{}, a.step.finish())))
	}
	if f.kind == empty {
		events, tail = []string{a.frame("", a.event([]any{}, nil))}, nil
	}
	if f.kind == streamFail {
		return events, []string{a.frame("", errorBody("server_error", "", f.text))}
	}
	if a.request.IncludeUsage {
		tail = append(tail, a.frame("", a.event([]any{}, a.step.Usage.wire())))
	}
	return events, append(tail, a.frame("", "[DONE]"))
}

// deltas are the events up to the finish_reason.
func (a *answer) deltas() []string {
	first := map[string]any{"role": "assistant", "content": ""}
	if a.step.Text == "" {
		first["content"] = nil
	}
	out := []string{a.chunk(first, nil)}
	if a.step.Fault.kind == refusal {
		for _, w := range words(a.step.Fault.text) {
			out = append(out, a.chunk(map[string]any{"refusal": w}, nil))
		}
	}
	for _, w := range words(a.step.Text) {
		out = append(out, a.chunk(map[string]any{"content": w}, nil))
	}
	for i, c := range a.step.Calls {
		out = append(out, a.chunk(map[string]any{"tool_calls": []any{map[string]any{
			"index": i, "id": c.ID, "type": "function", "function": map[string]any{"name": c.Name, "arguments": ""},
		}}}, nil))
		for _, p := range chop(c.arguments()) {
			out = append(out, a.chunk(map[string]any{"tool_calls": []any{map[string]any{
				"index": i, "function": map[string]any{"arguments": p},
			}}}, nil))
		}
	}
	return out
}

func (a *answer) chunk(delta map[string]any, finish any) string {
	return a.event([]any{map[string]any{"index": 0, "delta": delta, "finish_reason": finish}}, nil)
}

func (a *answer) event(choices []any, usage any) string {
	e := a.head("chat.completion.chunk")
	e["choices"] = choices
	if a.request.IncludeUsage {
		e["usage"] = usage
	}
	return encode(e)
}

// head has what all answers begin with. There is no clock: an answer was
// "created" at its number, in seconds since 1970.
func (a *answer) head(object string) map[string]any {
	n := a.request.Number
	return map[string]any{"id": "chatcmpl-" + strconv.Itoa(n), "object": object, "created": n,
		"model": a.request.Model}
}

// whole writes the answer in one piece.
func (a *answer) whole() {
	a.w.Header().Set("Content-Type", "application/json")
	f := a.step.Fault
	if a.request.API == Responses {
		a.sendWhole(encode(a.responseObject()))
		return
	}
	if f.kind == streamFail {
		a.send(errorBody("server_error", "", f.text))
		return
	}
	message := map[string]any{"role": "assistant", "content": nil, "refusal": nil}
	if a.step.Text != "" || (len(a.step.Calls) == 0 && f.kind != null && f.kind != refusal) {
		message["content"] = a.step.Text
	}
	if f.kind == refusal {
		message["refusal"] = f.text
	}
	var calls []any
	for _, c := range a.step.Calls {
		calls = append(calls, map[string]any{"id": c.ID, "type": "function", "function": map[string]any{"name": c.Name,
			"arguments": c.arguments()}})
	}
	if calls != nil {
		message["tool_calls"] = calls
	}
	var finish any = a.step.finish()
	if f.kind == noFinish {
		finish = nil
	}
	out := a.head("chat.completion")
	out["choices"] = []any{map[string]any{"index": 0, "message": message, "finish_reason": finish}}
	if f.kind == empty {
		out["choices"] = []any{}
	}
	out["usage"] = a.step.Usage.wire()
	a.sendWhole(encode(out))
}

// sendWhole sends the answer in one piece, or a part of it.
func (a *answer) sendWhole(body string) {
	f := a.step.Fault
	switch f.kind {
	case endStream:
		a.send(body[:len(body)/2])
	case cutStream, cutArgs:
		cut := len(body) / 2
		if n := len(a.step.Calls); f.kind == cutArgs && n > 0 {
			arguments := `"arguments":` + encode(a.step.Calls[n-1].arguments())
			cut = strings.LastIndex(body, arguments) + len(arguments) - 1
		}
		a.w.Header().Set("Content-Length", fmt.Sprint(len(body)))
		a.send(body[:cut])
		a.abort()
	default:
		a.send(body)
	}
}

// words cuts text into words, each with the blanks before it. Together they
// are the text again.
func words(text string) []string {
	var out []string
	for len(text) > 0 {
		end := len(text) - len(strings.TrimLeft(text, " \n\t"))
		if i := strings.IndexAny(text[end:], " \n\t"); i >= 0 {
			end += i
		} else {
			end = len(text)
		}
		out = append(out, text[:end])
		text = text[end:]
	}
	return out
}

// chop cuts arguments into pieces of some bytes, between runes.
func chop(s string) []string {
	var out []string
	for len(s) > 0 {
		end := min(7, len(s))
		for end < len(s) && !utf8.RuneStart(s[end]) {
			end++
		}
		out = append(out, s[:end])
		s = s[end:]
	}
	return out
}
