package openai

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"

	"github.com/bellhop-ai/bellhop/pkg/llm"
)

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
