package openai

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"

	"github.com/bellhop-ai/bellhop/pkg/llm"
)

// wireAnswer is what we read of an answer, and of a piece of a streamed one.
// Opt is string, which is quick, or loose for providers that send other types.
type wireAnswer[Opt any] struct {
	Model   string          `json:"model"`
	Error   json.RawMessage `json:"error"`
	Choices []struct {
		Index   int              `json:"index"`
		Finish  *string          `json:"finish_reason"`
		Message wireMessage[Opt] `json:"message"`
		Delta   wireMessage[Opt] `json:"delta"`
	} `json:"choices"`
	Usage *struct {
		In      int `json:"prompt_tokens"`
		Out     int `json:"completion_tokens"`
		Details struct {
			Cached int `json:"cached_tokens"`
		} `json:"prompt_tokens_details"`
	} `json:"usage"`
}

type wireMessage[Opt any] struct {
	Content Opt `json:"content"`
	Refusal Opt `json:"refusal"`
	Calls   []struct {
		Index    *int   `json:"index"`
		ID       string `json:"id"`
		Function struct {
			Name      string `json:"name"`
			Arguments Opt    `json:"arguments"`
		} `json:"function"`
	} `json:"tool_calls"`
}

// loose reads a text, a list of text parts, or an object that was meant as the
// text of one.
type loose string

func (l *loose) UnmarshalJSON(raw []byte) error {
	if raw[0] == '"' {
		return json.Unmarshal(raw, (*string)(l))
	}
	var parts []struct {
		Text string `json:"text"`
	}
	switch {
	case isNull(raw):
	case raw[0] == '[' && json.Unmarshal(raw, &parts) == nil:
		for _, p := range parts {
			*l += loose(p.Text)
		}
	default:
		*l = loose(bytes.Clone(raw))
	}
	return nil
}

// draft is an answer in the making.
type draft struct {
	text    []byte
	refusal string
	calls   assembly
	finish  string // the first finish_reason; "" until it came
	model   string
	usage   llm.Usage
}

// take adds an answer, or a piece of one, and returns its error object.
func (d *draft) take(data []byte, say func(string) error) (json.RawMessage, error) {
	var usual wireAnswer[string]
	err := json.Unmarshal(data, &usual)
	if err == nil {
		return usual.Error, fill(d, &usual, say)
	}
	if _, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		var odd wireAnswer[loose]
		if err = json.Unmarshal(data, &odd); err == nil {
			return odd.Error, fill(d, &odd, say)
		}
	}
	return nil, &unreadable{err}
}

// unreadable marks an answer that is not what was agreed.
type unreadable struct{ error }

func fill[Opt ~string](d *draft, w *wireAnswer[Opt], say func(string) error) error {
	if d.model == "" {
		d.model = w.Model
	}
	if w.Usage != nil {
		d.usage = llm.Usage{In: w.Usage.In, Out: w.Usage.Out, Cached: w.Usage.Details.Cached}
	}
	for i := range w.Choices {
		choice := &w.Choices[i]
		if choice.Index != 0 || d.finish != "" {
			continue // one answer was asked for, and it ends once
		}
		for _, m := range []*wireMessage[Opt]{&choice.Message, &choice.Delta} {
			d.refusal += string(m.Refusal)
			for j, call := range m.Calls {
				index := call.Index
				if m == &choice.Message {
					index = &j // nothing is in pieces here
				}
				d.calls.add(index, call.ID, call.Function.Name, string(call.Function.Arguments))
			}
			if m.Content == "" {
				continue
			}
			d.text = append(d.text, m.Content...)
			if err := say(string(m.Content)); err != nil {
				return err
			}
		}
		if choice.Finish != nil {
			d.finish = *choice.Finish
		}
	}
	return nil
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
func (d *draft) readWhole(body io.Reader, say func(string) error) (json.RawMessage, error) {
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
// none, or 0 for all, is understood by id and by the name that begins a call.
func (a *assembly) add(index *int, id, name, arguments string) {
	at := -1
	if index != nil && *index >= 0 {
		at = *index
	}
	call := a.find(at, id, name)
	if call == nil {
		a.calls = append(a.calls, piecedCall{index: at})
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
