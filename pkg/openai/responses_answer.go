package openai

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/llm"
	"github.com/bellhop-ai/bellhop/pkg/rawjson"
)

// responseDraft is an answer of the Responses API in the making.
type responseDraft struct {
	host  string
	tools *llm.Toolset // whose absent members come as null; nil = none do

	text    []byte
	refusal string
	items   []*outputItem // in the order of their indexes
	status  string        // "" until the answer ended
	reason  string        // why it is incomplete
	model   string
	usage   llm.Usage
	tooMuch int
}

// outputItem is one thing that the model gave.
type outputItem struct {
	index     int
	id        string // the provider's own, of the item
	kind      string
	callID    string
	name      string
	arguments string
	whole     bool // the arguments are complete
	thought   rawjson.Value
	said      map[place]int // bytes of the text of each part
}

// place is a part of a message: its index, and whether it is a refusal.
type place struct {
	content int
	refusal bool
}

// event holds the members that any of the events has.
type event struct {
	kind, item, name      string
	index, content        int
	output, response      rawjson.Value
	text, delta, argument rawjson.Value
}

func readEvent(v rawjson.Value) event {
	e := event{index: -1}
	for name, value := range v.Members() {
		switch string(name) {
		case "type":
			e.kind, _ = value.Text()
		case "item_id":
			e.item, _ = value.Text()
		case "name":
			e.name, _ = value.Text()
		case "output_index":
			if n, ok := value.Int(); ok {
				e.index = n
			}
		case "content_index":
			e.content, _ = value.Int()
		case "item":
			e.output = value
		case "response":
			e.response = value
		case "text", "refusal":
			e.text = value
		case "delta":
			e.delta = value
		case "arguments":
			e.argument = value
		}
	}
	return e
}

// take implements draft. Events that are not known are passed over: the API grows.
func (d *responseDraft) take(data []byte, whole bool, say func(string) error) (refusal rawjson.Value, err error) {
	v, err := rawjson.Parse(data)
	if err != nil {
		return nil, &unreadable{err}
	}
	if whole {
		return d.response(v, "", say)
	}
	if d.status != "" {
		return nil, nil // an answer ends once
	}
	e := readEvent(v)
	switch e.kind {
	case "error":
		return v, nil
	case "":
		for name, value := range v.Members() {
			if string(name) == "error" && !value.IsNull() {
				return value, nil // as a proxy says it
			}
		}
	case "response.created", "response.in_progress", "response.queued":
		d.named(e.response)
	case "response.output_item.added":
		// Arguments that stand here are not the call's: they follow.
		d.describe(d.item(e.index, e.output), e.output)
	case "response.output_text.delta":
		return nil, d.more(d.at(e), place{content: e.content}, loose(e.delta), say)
	case "response.output_text.done":
		return nil, d.rest(d.at(e), place{content: e.content}, loose(e.text), say)
	case "response.refusal.delta":
		return nil, d.more(d.at(e), place{e.content, true}, loose(e.delta), say)
	case "response.refusal.done":
		return nil, d.rest(d.at(e), place{e.content, true}, loose(e.text), say)
	case "response.function_call_arguments.done":
		item := d.at(e)
		item.arguments, item.whole = loose(e.argument), true
		if e.name != "" {
			item.name = e.name
		}
	case "response.output_item.done":
		return nil, d.done(e.index, e.output, say)
	case "response.completed", "response.incomplete", "response.failed", "response.cancelled":
		return d.response(e.response, strings.TrimPrefix(e.kind, "response."), say)
	}
	return nil, nil
}

func (d *responseDraft) named(response rawjson.Value) {
	for name, value := range response.Members() {
		if string(name) == "model" {
			d.model, _ = value.Text()
		}
	}
}

// response takes the whole answer; status is what the event says of it.
func (d *responseDraft) response(v rawjson.Value, status string,
	say func(string) error) (refusal rawjson.Value, err error) {
	d.named(v)
	var output rawjson.Value
	for name, value := range v.Members() {
		switch string(name) {
		case "status":
			if status == "" {
				status, _ = value.Text()
			}
		case "error":
			if !value.IsNull() {
				refusal = value
			}
		case "incomplete_details":
			for name, value := range value.Members() {
				if string(name) == "reason" {
					d.reason, _ = value.Text()
				}
			}
		case "output":
			output = value
		case "usage":
			if value.Is('{') {
				d.usage = usage(value)
			}
		}
	}
	if refusal != nil {
		return refusal, nil
	}
	index := 0
	for item := range output.Items() {
		if err := d.done(index, item, say); err != nil {
			return nil, err
		}
		index++
	}
	d.status = status
	return nil, nil
}

// at returns the item that an event is about.
func (d *responseDraft) at(e event) *outputItem { return d.find(e.index, e.item) }

// item returns the item at an index; where none is said, that of its id.
func (d *responseDraft) item(index int, v rawjson.Value) *outputItem {
	id := ""
	for name, value := range v.Members() {
		if string(name) == "id" {
			id, _ = value.Text()
		}
	}
	return d.find(index, id)
}

func (d *responseDraft) find(index int, id string) *outputItem {
	for _, item := range d.items {
		if index >= 0 && item.index == index || index < 0 && id != "" && item.id == id {
			return item
		}
	}
	if index < 0 {
		index = len(d.items)
		if index > 0 {
			index = d.items[len(d.items)-1].index + 1
		}
	}
	made := &outputItem{index: index, id: id, said: map[place]int{}}
	at, _ := slices.BinarySearchFunc(d.items, index, func(o *outputItem, n int) int { return o.index - n })
	d.items = slices.Insert(d.items, at, made)
	return made
}

// describe reads what an item is, but not what is in it.
func (d *responseDraft) describe(item *outputItem, v rawjson.Value) {
	for name, value := range v.Members() {
		switch string(name) {
		case "id":
			item.id, _ = value.Text()
		case "type":
			item.kind, _ = value.Text()
		case "call_id":
			item.callID, _ = value.Text()
		case "name":
			item.name, _ = value.Text()
		}
	}
}

// done takes an item that is complete.
func (d *responseDraft) done(index int, v rawjson.Value, say func(string) error) error {
	item := d.item(index, v)
	d.describe(item, v)
	var content, arguments rawjson.Value
	complete, encrypted := true, false
	for name, value := range v.Members() {
		switch string(name) {
		case "status":
			status, _ := value.Text()
			complete = status == "" || status == "completed"
		case "content":
			content = value
		case "arguments":
			arguments = value
		case "encrypted_content":
			text, _ := value.Text()
			encrypted = text != ""
		}
	}
	switch item.kind {
	case "function_call":
		if complete {
			item.arguments, item.whole = loose(arguments), true
		}
	case "reasoning":
		if encrypted {
			item.thought = bytes.Clone(v)
		}
	case "message":
		return d.content(item, content, say)
	}
	return nil
}

// content takes the parts of a message that is complete.
func (d *responseDraft) content(item *outputItem, content rawjson.Value, say func(string) error) error {
	n := 0
	for part := range content.Items() {
		at, text := place{content: n}, ""
		for name, value := range part.Members() {
			switch string(name) {
			case "type":
				kind, _ := value.Text()
				at.refusal = kind == "refusal"
			case "text", "refusal":
				text = loose(value)
			}
		}
		if err := d.rest(item, at, text, say); err != nil {
			return err
		}
		n++
	}
	return nil
}

// more adds a piece of a part.
func (d *responseDraft) more(item *outputItem, at place, text string, say func(string) error) error {
	if text == "" {
		return nil
	}
	item.said[at] += len(text)
	if at.refusal {
		d.refusal += text
		return nil
	}
	if len(d.text) > 0 && item.said[at] == len(text) && at.content == 0 {
		text = "\n\n" + text // another message
	}
	d.text = append(d.text, text...)
	return say(text)
}

// rest adds what a complete part holds beyond the pieces that came.
func (d *responseDraft) rest(item *outputItem, at place, text string, say func(string) error) error {
	return d.more(item, at, text[min(item.said[at], len(text)):], say)
}

// finished implements draft. Nothing follows the event that ends an answer.
func (d *responseDraft) finished() (string, time.Duration) { return d.status, graceEnd }

// dropped implements draft.
func (d *responseDraft) dropped() int { return d.tooMuch }

// answer implements draft. As in Chat Completions an answer that was cut or
// withheld has no calls.
func (d *responseDraft) answer() (llm.Answer, *failure) {
	a := llm.Answer{Text: string(d.text), Refusal: d.refusal, Model: d.model, Usage: d.usage}
	a.Usage.Calls = 1
	switch {
	case d.status == "completed":
	case d.status == "":
		return a, broken(errNoEnd)
	case d.status == "incomplete" && (d.reason == "max_output_tokens" || d.reason == "max_tokens"):
		a.Finish = llm.Length
		return a, nil
	case d.status == "incomplete" && d.reason == "content_filter":
		a.Finish = llm.Filtered
		return a, nil
	default:
		return a, broken(fmt.Errorf("the answer ended as %.40q for the reason %.40q", d.status, d.reason))
	}
	var calls assembly
	for _, item := range d.items {
		if item.kind != "function_call" {
			continue
		}
		if !item.whole {
			return a, broken(errors.New("the answer ended in the middle of a call"))
		}
		calls.add(item.index, item.callID, item.name, item.arguments)
	}
	a, f := settled(a, &calls, false)
	if f != nil {
		return a, f
	}
	if err := absent(d.tools, a.Calls); err != nil {
		return a, broken(err)
	}
	a.Opaque = d.carried()
	return a, nil
}

// carried returns the reasoning of the step for the next request, nil where
// there is none or too much of it.
func (d *responseDraft) carried() []json.RawMessage {
	var items []rawjson.Value
	size, calls := 0, 0
	for _, item := range d.items {
		switch {
		case item.thought != nil:
			size += len(item.thought)
			items = append(items, item.thought)
		case item.kind == "message":
			items = append(items, rawjson.Value(`"text"`))
		case item.kind == "function_call":
			items = append(items, rawjson.Value(strconv.Itoa(calls)))
			calls++
		}
	}
	switch {
	case size == 0:
		return nil
	case size > maxOpaque:
		d.tooMuch = size
		return nil
	}
	return closed(d.host, items)
}
