package openai

import (
	"errors"
	"fmt"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/llm"
	"github.com/bellhop-ai/bellhop/pkg/rawjson"
)

// chatDraft is an answer of Chat Completions in the making.
type chatDraft struct {
	text    []byte
	refusal string
	calls   assembly
	finish  string // the first finish_reason; "" until it came
	model   string
	usage   llm.Usage
}

// take implements draft. Only what we need is read, and a member of another type
// than was agreed is none.
func (d *chatDraft) take(data []byte, _ bool, say func(string) error) (refusal rawjson.Value, err error) {
	answer, err := rawjson.Parse(data)
	if err != nil {
		return nil, &unreadable{err}
	}
	var choices rawjson.Value
	for name, value := range answer.Members() {
		switch string(name) {
		case "model":
			if d.model == "" {
				d.model, _ = value.Text()
			}
		case "error":
			refusal = value
		case "choices":
			choices = value
		case "usage":
			if value.Is('{') {
				d.usage = usage(value)
			}
		}
	}
	if refusal.IsNull() {
		refusal = nil
	}
	for choice := range choices.Items() {
		if err := d.choice(choice, say); err != nil {
			return refusal, err
		}
	}
	return refusal, nil
}

// finished implements draft.
func (d *chatDraft) finished() (string, time.Duration) { return d.finish, graceUsage }

// dropped implements draft: Chat Completions has no reasoning to carry.
func (d *chatDraft) dropped() int { return 0 }

// unreadable marks an answer that is not what was agreed.
type unreadable struct{ error }

// usage reads what an answer used, in the words of either API.
func usage(v rawjson.Value) llm.Usage {
	var u llm.Usage
	detail := func(of rawjson.Value, wanted string) (n int) {
		for name, value := range of.Members() {
			if string(name) == wanted {
				n, _ = value.Int()
			}
		}
		return n
	}
	for name, value := range v.Members() {
		switch string(name) {
		case "prompt_tokens", "input_tokens":
			u.In, _ = value.Int()
		case "completion_tokens", "output_tokens":
			u.Out, _ = value.Int()
		case "prompt_tokens_details", "input_tokens_details":
			u.Cached = detail(value, "cached_tokens")
		case "completion_tokens_details", "output_tokens_details":
			u.Reasoning = detail(value, "reasoning_tokens")
		}
	}
	return u
}

func (d *chatDraft) choice(v rawjson.Value, say func(string) error) error {
	var index int
	var finish, message, delta rawjson.Value
	for name, value := range v.Members() {
		switch string(name) {
		case "index":
			index, _ = value.Int()
		case "finish_reason":
			finish = value
		case "message":
			message = value
		case "delta":
			delta = value
		}
	}
	if index != 0 || d.finish != "" {
		return nil // one answer was asked for, and it ends once
	}
	if err := d.message(message, true, say); err != nil {
		return err
	}
	if err := d.message(delta, false, say); err != nil {
		return err
	}
	d.finish, _ = finish.Text()
	return nil
}

// message adds what the model says and calls; whole says that nothing of it is
// in pieces.
func (d *chatDraft) message(v rawjson.Value, whole bool, say func(string) error) error {
	var content, calls rawjson.Value
	for name, value := range v.Members() {
		switch string(name) {
		case "content":
			content = value
		case "refusal":
			d.refusal += loose(value)
		case "tool_calls":
			calls = value
		}
	}
	place := 0
	for call := range calls.Items() {
		d.call(call, place, whole)
		place++
	}
	text := loose(content)
	if text == "" {
		return nil
	}
	d.text = append(d.text, text...)
	return say(text)
}

// call adds a call, or a piece of one; place is its place in its list.
func (d *chatDraft) call(v rawjson.Value, place int, whole bool) {
	var id, called, arguments string
	index := -1
	for name, value := range v.Members() {
		switch string(name) {
		case "index":
			if n, ok := value.Int(); ok && n >= 0 {
				index = n
			}
		case "id":
			id, _ = value.Text()
		case "function":
			for name, value := range value.Members() {
				switch string(name) {
				case "name":
					called, _ = value.Text()
				case "arguments":
					arguments = loose(value)
				}
			}
		}
	}
	if whole {
		index = place
	}
	d.calls.add(index, id, called, arguments)
}

// loose reads a text, a list of text parts, or an object that was meant as the
// text of one.
func loose(v rawjson.Value) string {
	if text, ok := v.Text(); ok || v.IsNull() {
		return text
	}
	if !v.Is('[') {
		return string(v)
	}
	var whole string
	for part := range v.Items() {
		for name, value := range part.Members() {
			if string(name) == "text" {
				text, _ := value.Text()
				whole += text
			}
		}
	}
	return whole
}

// answer checks the draft and returns it. An answer that was cut at its length
// or withheld has no calls: their arguments may be cut too, and what is not
// returned is never run.
func (d *chatDraft) answer() (llm.Answer, *failure) {
	a := llm.Answer{Text: string(d.text), Refusal: d.refusal, Model: d.model, Usage: d.usage}
	a.Usage.Calls = 1
	switch d.finish {
	case "length", "max_tokens", "model_length":
		a.Finish = llm.Length
		return a, nil
	case "content_filter":
		a.Finish = llm.Filtered
		return a, nil
	case "":
		return a, broken(errNoEnd)
	case "stop", "end_turn", "eos", "tool_calls":
		// Some servers say "stop" where they call.
	default:
		f := broken(fmt.Errorf("the answer ended for the reason %.40q", d.finish))
		// The legacy way to call would come again.
		f.again = d.finish != "function_call"
		return a, f
	}
	return settled(a, &d.calls, d.finish == "tool_calls")
}

// settled completes an answer that came to its end as it should; promised says
// that calls were announced.
func settled(a llm.Answer, from *assembly, promised bool) (llm.Answer, *failure) {
	calls, err := from.settle()
	switch {
	case err != nil:
		return a, broken(err)
	case len(calls) > 0:
		a.Finish, a.Calls = llm.ToolCall, calls
	case promised:
		return a, broken(errors.New("the answer promises calls and has none"))
	case a.Text == "" && a.Refusal == "":
		return a, broken(errEmpty)
	default:
		a.Finish = llm.Stopped
	}
	return a, nil
}
