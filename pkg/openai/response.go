package openai

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"

	"github.com/bellhop-ai/bellhop/pkg/llm"
	"github.com/bellhop-ai/bellhop/pkg/rawjson"
)

// draft is an answer in the making.
type draft struct {
	text    []byte
	refusal string
	calls   assembly
	finish  string // the first finish_reason; "" until it came
	model   string
	usage   llm.Usage
}

// take adds an answer, or a piece of one, and returns its error object. Only
// what we need of it is read, and a member of another type than was agreed is
// none.
func (d *draft) take(data []byte, say func(string) error) (refusal rawjson.Value, err error) {
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

// unreadable marks an answer that is not what was agreed.
type unreadable struct{ error }

func usage(v rawjson.Value) llm.Usage {
	var u llm.Usage
	for name, value := range v.Members() {
		switch string(name) {
		case "prompt_tokens":
			u.In, _ = value.Int()
		case "completion_tokens":
			u.Out, _ = value.Int()
		case "prompt_tokens_details":
			for name, value := range value.Members() {
				if string(name) == "cached_tokens" {
					u.Cached, _ = value.Int()
				}
			}
		}
	}
	return u
}

func (d *draft) choice(v rawjson.Value, say func(string) error) error {
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
func (d *draft) message(v rawjson.Value, whole bool, say func(string) error) error {
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
func (d *draft) call(v rawjson.Value, place int, whole bool) {
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
func (d *draft) answer() (llm.Answer, *failure) {
	calls, err := d.calls.settle()
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
	switch {
	case err != nil:
		return a, broken(err)
	case len(calls) > 0:
		a.Finish, a.Calls = llm.ToolCall, calls
	case d.finish == "tool_calls":
		return a, broken(errors.New("the answer promises calls and has none"))
	case a.Text == "" && a.Refusal == "":
		return a, broken(errEmpty)
	default:
		a.Finish = llm.Stopped
	}
	return a, nil
}

// readWhole reads an answer that comes in one piece.
func (d *draft) readWhole(body io.Reader, say func(string) error) (rawjson.Value, error) {
	data, err := io.ReadAll(body)
	if err != nil {
		return nil, err
	}
	return d.take(data, say)
}

// assembly puts calls together from their pieces.
type assembly struct {
	calls []piecedCall
}

type piecedCall struct {
	index     int // -1 = not said
	id, name  string
	arguments []byte
}

// add takes a piece. Pieces belong together by index; a provider that says
// none (-1), or 0 for all, is understood by id and by the name that begins a
// call.
func (a *assembly) add(index int, id, name, arguments string) {
	call := a.find(index, id, name)
	if call == nil {
		a.calls = append(a.calls, piecedCall{index: index})
		call = &a.calls[len(a.calls)-1]
	}
	if call.id == "" {
		call.id = id
	}
	if name != call.name {
		call.name += name
	}
	call.arguments = append(call.arguments, arguments...)
}

func (a *assembly) find(index int, id, name string) *piecedCall {
	for i := len(a.calls) - 1; i >= 0; i-- {
		call := &a.calls[i]
		switch {
		case index >= 0:
			if call.index != index {
				continue
			}
			another := id != "" && call.id != "" && id != call.id
			if name != "" && (another || (id == "" && json.Valid(call.arguments))) {
				return nil // some servers give every call the same index
			}
			return call
		case id != "":
			if call.id == id {
				return call
			}
		case name == "":
			return call // the newest goes on
		}
	}
	if index < 0 && name == "" && len(a.calls) > 0 {
		return &a.calls[len(a.calls)-1] // a new id at every piece
	}
	return nil
}

// settle returns the calls in order, each with a name and with an id of its
// own. The same pieces give the same ids.
func (a *assembly) settle() ([]llm.Call, error) {
	indexed := true
	for i := range a.calls {
		indexed = indexed && a.calls[i].index >= 0
	}
	if indexed {
		slices.SortStableFunc(a.calls, func(x, y piecedCall) int { return cmp.Compare(x.index, y.index) })
	}
	seen := map[string]bool{}
	for i := range a.calls {
		seen[a.calls[i].id] = true
	}
	var calls []llm.Call
	used := map[string]bool{"": true}
	for i := range a.calls {
		c := &a.calls[i]
		if c.name == "" {
			return nil, fmt.Errorf("call %d has no name", i)
		}
		id := c.id
		if id == "" {
			id = "call_" + strconv.Itoa(i)
			for seen[id] {
				id += "_"
			}
		}
		for n, first := 2, id; used[id] || (n > 2 && seen[id]); n++ {
			id = first + "_" + strconv.Itoa(n)
		}
		used[id] = true
		calls = append(calls, llm.Call{ID: id, Name: c.name, Arguments: string(c.arguments)})
	}
	return calls, nil
}
