package openai_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/bellhop-ai/bellhop/infra/local/model/script"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/llm"
	"github.com/bellhop-ai/bellhop/pkg/openai"
)

// through asks a scripted server through one of the APIs.
func through(t *testing.T, api, model string, steps ...script.Step) (*openai.Client, *script.Server,
	*[]openai.Attempt) {
	t.Helper()
	s := script.Start(t, steps...)
	var tries []openai.Attempt
	c, err := openai.New(openai.Config{
		BaseURL: s.URL, APIKey: key, Profile: "openai", API: api, Model: model, Retries: -1,
		Report: func(_ context.Context, a openai.Attempt) { tries = append(tries, a) },
		Wait:   func(context.Context, time.Duration) error { return nil },
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if v := s.Violations(); len(v) > 0 {
			t.Errorf("OpenAI would refuse: %q", v)
		}
	})
	return c, s, &tries
}

// toolset has an optional member of every kind, and a map that has no strict
// form.
func toolset() *llm.Toolset {
	return llm.NewToolset(
		llm.Tool{Name: "find_rooms", Description: "Finds rooms.",
			Parameters: json.RawMessage(`{"type":"object","additionalProperties":false,"required":["from"],"properties":{
			"from":{"type":"string","format":"date","minLength":10},"guests":{"type":"integer","minimum":1},
			"kind":{"type":"string","enum":["cabin","suite"]},
			"note":{"type":["string","null"]},
			"beds":{"type":["null","array"],"items":{"type":"object","additionalProperties":false,"required":["size"],"properties":{"size":{"type":"string"},"old":{"type":"boolean"}}}}}}`)},
		llm.Tool{Name: "set_labels", Description: "Sets labels.",
			Parameters: json.RawMessage(`{"type":"object","additionalProperties":false,"required":["labels"],` +
				`"properties":{"labels":{"type":"object","additionalProperties":{"type":"string"}}}}`)},
		llm.Tool{Name: "list_rooms", Description: "Lists rooms."},
	)
}

// F-28: arguments stand in the events that end a call, not in those that begin
// it; and whatever a script says, both APIs tell the same.
func TestBothAPIsGiveTheSameAnswer(t *testing.T) {
	steps := map[string]script.Step{
		"a text":           {Text: "The suite is free – Grüße.\nFrom 3 May."},
		"a call":           {Calls: []script.Call{{Name: "find_rooms", Arguments: `{"from":"2026-05-03"}`}}},
		"no arguments":     {Calls: []script.Call{{Name: "list_rooms"}}},
		"broken arguments": {Calls: []script.Call{{Name: "find_rooms", Arguments: `{"from":NaN,,`}}},
		"parallel calls": {Text: "One moment.", Calls: []script.Call{{Name: "list_rooms"}, {Name: "find_rooms",
			Arguments: `{"from": "2026-05-03", "kind": "suite"}`}}},
		"an id twice": {Calls: []script.Call{{ID: "c", Name: "list_rooms"}, {ID: "c", Name: "list_rooms"}}},
		"tokens": {Text: "Yes.", Usage: script.Usage{Prompt: 2000, Cached: 1024, Completion: 70,
			Reasoning: 64}},
		"cut at its length":   {Text: "The suite", Finish: "length"},
		"a call that was cut": {Calls: []script.Call{{Name: "find_rooms", Arguments: `{"fro`}}, Finish: "length"},
		"withheld":            {Text: "The su", Fault: script.Filter()},
		"a refusal":           {Fault: script.Refusal("I cannot help with that.")},
		"byte by byte":        {Text: "Grüße", Calls: []script.Call{{Name: "list_rooms"}}, Bytes: true, CRLF: true},
		"unknown events": {Text: "Yes, it is.", Calls: []script.Call{{Name: "list_rooms"}},
			Fault: script.UnknownEvents()},
		"nothing":             {Fault: script.EmptyChoices()},
		"no content":          {Fault: script.NullContent()},
		"no end":              {Text: "The suite is", Fault: script.NoFinish()},
		"an odd end":          {Text: "The suite is", Finish: "tired"},
		"ends early":          {Text: "The suite is free.", Fault: script.EndStream(3)},
		"breaks off":          {Text: "The suite is free.", Fault: script.CutStream(3)},
		"breaks off at first": {Text: "The suite is free.", Fault: script.CutStream(1)},
		"cut arguments": {Calls: []script.Call{{Name: "find_rooms", Arguments: `{"from":"2026-05-03"}`}},
			Fault: script.CutArguments()},
		"an error inside":   {Text: "The suite is free.", Fault: script.StreamError(2, "overloaded")},
		"a long line":       {Fault: script.LongLine(0)},
		"too many requests": {Fault: script.Status(429, map[string][]string{"Retry-After": {"7"}}, "")},
		"no quota": {Fault: script.Status(429, nil,
			`{"error":{"message":"x","type":"insufficient_quota","code":"insufficient_quota"}}`)},
		"too long a prompt": {Fault: script.Status(400, nil,
			`{"error":{"message":"x","code":"context_length_exceeded"}}`)},
		"filtered prompt":   {Fault: script.Status(400, nil, `{"error":{"message":"x","code":"content_filter"}}`)},
		"a bad key":         {Fault: script.Status(401, nil, "")},
		"a page of a proxy": {Fault: script.BadGateway()},
		"a reset":           {Fault: script.Reset()},
	}
	type outcome struct {
		Answer llm.Answer
		Shown  string
		Kind   fault.Kind
		Code   string
		Wait   time.Duration
	}
	for name, step := range steps {
		for _, way := range []string{"whole", "streamed"} {
			t.Run(name+", "+way, func(t *testing.T) {
				got := map[string]outcome{}
				for _, api := range []string{"chat", "responses"} {
					c, s, _ := through(t, api, "", step)
					var o outcome
					var shown func(string) error
					if way == "streamed" {
						shown = func(text string) error { o.Shown += text; return nil }
					}
					r := hello()
					r.Tools = toolset()
					var err error
					if o.Answer, err = c.Answer(t.Context(), r, shown); err != nil {
						f := fault.From(err)
						o.Kind, o.Code, o.Wait = f.Kind, f.Code, f.RetryAfter
					}
					if asked := s.Requests(); len(asked) != 1 || string(asked[0].API) != api ||
						asked[0].Stream != (way == "streamed") {
						t.Fatalf("asked %d times, or in another way", len(asked))
					}
					got[api] = o
				}
				if diff := cmp.Diff(got["chat"], got["responses"]); diff != "" {
					t.Errorf("chat (-) and responses (+) differ: %s", diff)
				}
				if o := got["chat"]; o.Answer.Finish == "" && o.Kind == "" {
					t.Errorf("neither an answer nor a fault: %+v", o)
				}
			})
		}
	}
}

func TestAnswersOfTheResponsesAPI(t *testing.T) {
	const end = `,"model":"gpt-4o-mini-2024","status":"completed","usage":{"input_tokens":12,"output_tokens":3,` +
		`"input_tokens_details":{"cached_tokens":8}}`
	frames := func(list ...string) string {
		var b strings.Builder
		for _, one := range list {
			b.WriteString("data: " + one + "\n\n")
		}
		return b.String()
	}
	call := func(status, arguments string) string {
		return `{"type":"function_call","id":"fc_1","call_id":"a","name":"list_rooms","status":"` + status +
			`","arguments":` + arguments + `}`
	}
	rooms := []llm.Call{{ID: "a", Name: "list_rooms", Arguments: `{"n":1}`}}
	tests := map[string]struct {
		body string
		want llm.Answer
		kind fault.Kind
	}{
		"only the item's end tells of the call": {frames(`{"type":"response.output_item.done","output_index":0,`+
			`"item":`+call("completed", `"{\"n\":1}"`)+`}`, `{"type":"response.completed","response":{"output":null`+
			end+`}}`),
			llm.Answer{Calls: rooms, Finish: llm.ToolCall}, ""},
		"only the arguments' end tells of the call": {frames(`{"type":"response.output_item.added","output_index":0,`+
			`"item":`+call("in_progress", `"{}"`)+`}`,
			`{"type":"response.function_call_arguments.done","output_index":0,"item_id":"fc_1",`+
				`"arguments":"{\"n\":1}"}`, `{"type":"response.completed","response":{"output":[]`+end+`}}`),
			llm.Answer{Calls: rooms, Finish: llm.ToolCall}, ""},
		"only the last event tells of anything": {frames(`{"type":"response.completed",` +
			`"response":{"output":[{"type":"message","content":[{"type":"output_text","text":"Hi."}]},` +
			call("completed", `"{\"n\":1}"`) + `]` + end + `}}`),
			llm.Answer{Text: "Hi.", Calls: rooms, Finish: llm.ToolCall}, ""},
		"a call that only began is never made": {frames(`{"type":"response.output_item.added","output_index":0,`+
			`"item":`+call("in_progress", `"{}"`)+`}`,
			`{"type":"response.function_call_arguments.delta","output_index":0,"delta":"{\"n\":1}"}`,
			`{"type":"response.completed","response":{"output":[]`+end+`}}`),
			llm.Answer{}, fault.Upstream},
		"items that are not in order": {frames(`{"type":"response.output_item.done","output_index":2,"item":`+
			strings.ReplaceAll(call("completed", `"{}"`), `"a"`, `"z"`)+`}`,
			`{"type":"response.output_item.done","output_index":1,"item":`+call("completed", `"{\"n\":1}"`)+`}`,
			`{"type":"response.completed","response":{"output":null`+end+`}}`),
			llm.Answer{Calls: append(rooms[:1:1], llm.Call{ID: "z", Name: "list_rooms", Arguments: "{}"}),
				Finish: llm.ToolCall}, ""},
		"two messages": {frames(`{"type":"response.output_text.delta","output_index":0,"content_index":0,`+
			`"delta":"Let me"}`, `{"type":"response.output_text.done","output_index":0,"content_index":0,"text":"Let me look."}`,
			`{"type":"response.output_text.delta","output_index":1,"content_index":0,"delta":"Done."}`,
			`{"type":"response.completed","response":{"output":null`+end+`}}`),
			llm.Answer{Text: "Let me look.\n\nDone.", Finish: llm.Stopped}, ""},
		"what follows the end is not read": {frames(`{"type":"response.output_text.delta","output_index":0,`+
			`"delta":"Hi."}`, `{"type":"response.completed","response":{"output":null`+end+`}}`,
			`{"type":"response.output_text.delta","output_index":0,"delta":" More."}`),
			llm.Answer{Text: "Hi.", Finish: llm.Stopped}, ""},
		"a failure without a reason": {frames(`{"type":"response.failed","response":{"status":"failed","error":null}` +
			`}`), llm.Answer{}, fault.Upstream},
		"a failure for its rate": {frames(`{"type":"response.failed","response":{"status":"failed",` +
			`"error":{"code":"rate_limit_exceeded","message":"x"}}}`), llm.Answer{}, fault.Limited},
		"a proxy's error": {frames(`{"error":{"code":429,"message":"x"}}`), llm.Answer{}, fault.Limited},
		"cancelled": {frames(`{"type":"response.cancelled","response":{"status":"cancelled"}}`),
			llm.Answer{}, fault.Upstream},
		"no JSON": {`<html>`, llm.Answer{}, fault.Upstream},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			c, p, _ := start(t, openai.Config{API: "responses", Retries: -1}, step{body: tt.body})
			shown := ""
			got, err := c.Answer(t.Context(), hello(), func(s string) error { shown += s; return nil })
			if tt.kind != "" {
				if !fault.Is(err, tt.kind) {
					t.Fatalf("got %+v, %v, want a fault %s", got, err, tt.kind)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			tt.want.Model, tt.want.Usage = "gpt-4o-mini-2024", llm.Usage{In: 12, Out: 3, Cached: 8, Calls: 1}
			if diff := cmp.Diff(tt.want, got); diff != "" || shown != got.Text {
				t.Errorf("shown %q; %s", shown, diff)
			}
			if p.paths[0] != "/v1/responses" {
				t.Errorf("asked at %s", p.paths[0])
			}
		})
	}
}

// A model that reasons gets its thoughts back as they came, before what they
// led to, though the turn gave the calls other ids and other arguments.
func TestReasoningIsCarried(t *testing.T) {
	c, s, tries := through(t, "responses", "o4-mini",
		script.Step{Text: "One moment.", Calls: []script.Call{{Name: "list_rooms"}, {Name: "find_rooms"}},
			Reasoning: []string{"AAA", "BBB"}},
		script.Step{Calls: []script.Call{{Name: "list_rooms"}}, Reasoning: []string{strings.Repeat("x", 17<<10)}},
		script.Step{Text: "Yes."})
	warm := 0.3
	r := hello()
	r.Tools, r.Temperature, r.MaxTokens = toolset(), &warm, 3
	for _, show := range []func(string) error{nil, func(string) error { return nil }} {
		a, err := c.Answer(t.Context(), r, show)
		if err != nil {
			t.Fatal(err)
		}
		m := llm.Message{Role: llm.Assistant, Text: a.Text, Calls: a.Calls, Opaque: a.Opaque}
		for i := range m.Calls {
			m.Calls[i].ID = "own_" + m.Calls[i].ID
		}
		r.Messages = append(r.Messages, m)
		for _, call := range m.Calls {
			r.Messages = append(r.Messages, llm.Message{Role: llm.ToolRole, CallID: call.ID, Text: "[]"})
		}
	}
	if _, err := c.Answer(t.Context(), r, nil); err != nil {
		t.Fatal(err)
	}
	asked := s.Requests()
	if diff := cmp.Diff([]string{"AAA", "BBB"}, asked[1].Reasoning); diff != "" {
		t.Error(diff)
	}
	var body struct{ Input []struct{ Type, Role string } }
	if err := json.Unmarshal(asked[2].Body, &body); err != nil {
		t.Fatal(err)
	}
	var order []string
	for _, item := range body.Input {
		order = append(order, item.Type+item.Role)
	}
	want := "user reasoning assistant reasoning function_call function_call function_call_output " +
		"function_call_output function_call function_call_output"
	if got := strings.Join(order, " "); got != want {
		t.Errorf("the items are %s\nwant %s", got, want)
	}
	if (*tries)[0].Dropped != 0 || (*tries)[1].Dropped < 17<<10 {
		t.Errorf("dropped %d and %d bytes", (*tries)[0].Dropped, (*tries)[1].Dropped)
	}

	t.Run("another provider does not see it", func(t *testing.T) {
		other, at, _ := through(t, "responses", "o4-mini", script.Step{Text: "Yes."})
		if _, err := other.Answer(t.Context(), r, nil); err != nil {
			t.Fatal(err)
		}
		if got := at.Requests()[0].Reasoning; got != nil {
			t.Errorf("it got %q", got)
		}
	})
}

func TestBodiesOfTheResponsesAPI(t *testing.T) {
	warm := 0.5
	r := llm.Request{
		Settings: llm.Settings{Temperature: &warm, MaxTokens: 200, Schema: &llm.Schema{Name: "s",
			JSON: json.RawMessage(`{"type": "object"}`)}},
		Messages: []llm.Message{
			{Role: llm.System, Text: "You are \"Bernard\"."},
			{Role: llm.User, Text: "What is this?", Images: []llm.Image{{Type: "image/png", Data: []byte("png")}}},
			{Role: llm.Assistant, Calls: []llm.Call{{ID: "a", Name: "list_rooms", Arguments: "{}"}}},
			{Role: llm.ToolRole, CallID: "a", Text: "[]"},
			{Role: llm.Assistant, Text: "A cabin."},
			{Role: llm.User, Text: "And this?"},
		},
		Tools: llm.NewToolset(llm.Tool{Name: "list_rooms", Description: "Lists rooms.",
			Parameters: json.RawMessage(`{"type":"object","properties":{},"additionalProperties":false}`)}),
	}
	c, p, _ := start(t, openai.Config{API: "responses"},
		step{body: `{"status":"completed","output":[{"type":"message","content":[{"type":"output_text","text":"{}"}` +
			`]}]}`})
	if _, err := c.Answer(t.Context(), r, nil); err != nil {
		t.Fatal(err)
	}
	const want = `{"model":"gpt-4o-mini","tools":[{"type":"function","name":"list_rooms",` +
		`"description":"Lists rooms.","strict":true,"parameters":{"type":"object","properties":{},"required":[],` +
		`"additionalProperties":false}}],"input":[{"role":"system","content":"You are \"Bernard\"."},{"role":"user",` +
		`"content":[{"type":"input_text","text":"What is this?"},{"type":"input_image","detail":"auto",` +
		`"image_url":"data:image/png;base64,cG5n"}]},{"type":"function_call","call_id":"a","name":"list_rooms",` +
		`"arguments":"{}"},{"type":"function_call_output","call_id":"a","output":"[]"},{"role":"assistant",` +
		`"content":"A cabin."},{"role":"user","content":"And this?"}],"parallel_tool_calls":true,"temperature":0.5,` +
		`"max_output_tokens":200,"text":{"format":{"type":"json_schema","name":"s","strict":true,` +
		`"schema":{"type":"object"}}},"store":false}`
	if diff := cmp.Diff(want, p.bodies[0]); diff != "" {
		t.Error(diff)
	}
}

func TestStrictSchemas(t *testing.T) {
	c, s, _ := through(t, "responses", "",
		script.Step{Calls: []script.Call{
			{Name: "find_rooms", Arguments: `{"from":"2026-05-03","guests":null,"kind":null,"note":null,` +
				`"beds":[{"size":"king","old":null}]}`},
			{Name: "find_rooms", Arguments: `{"from":null,"wifi":null}`},
			{Name: "find_rooms", Arguments: `{"guests":null,"guests":2}`},
			{Name: "set_labels", Arguments: `{"labels":{"a":null}}`},
		}})
	r := hello()
	r.Tools = toolset()
	a, err := c.Answer(t.Context(), r, nil)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		`{"from":"2026-05-03","note":null,"beds":[{"size":"king"}]}`,
		`{"from":null,"wifi":null}`, // what is required, and what nobody knows, is for whoever checks arguments
		`{"guests":null,"guests":2}`,
		`{"labels":{"a":null}}`,
	}
	for i, call := range a.Calls {
		if call.Arguments != want[i] {
			t.Errorf("call %d has %s\nwant %s", i, call.Arguments, want[i])
		}
	}
	var body struct {
		Tools []struct {
			Strict     bool
			Parameters json.RawMessage
		}
	}
	if err := json.Unmarshal(s.Requests()[0].Body, &body); err != nil {
		t.Fatal(err)
	}
	const form = `{"type":"object","properties":{"from":{"type":"string","format":"date"},` +
		`"guests":{"type":["integer","null"],"minimum":1},"kind":{"type":["string","null"],"enum":["cabin","suite",` +
		`null]},"note":{"type":["string","null"]},"beds":{"type":["null","array"],"items":{"type":"object",` +
		`"properties":{"size":{"type":"string"},"old":{"type":["boolean","null"]}},"required":["size","old"],` +
		`"additionalProperties":false}}},"required":["from","guests","kind","note","beds"],` +
		`"additionalProperties":false}`
	if got := string(body.Tools[0].Parameters); got != form || !body.Tools[0].Strict {
		t.Errorf("strict %v: %s\nwant %s", body.Tools[0].Strict, got, form)
	}
	if body.Tools[1].Strict || !strings.Contains(string(body.Tools[1].Parameters),
		`"additionalProperties":{"type":"string"}`) {
		t.Errorf("a map was sent as strict=%v %s", body.Tools[1].Strict, body.Tools[1].Parameters)
	}
	if !body.Tools[2].Strict || len(body.Tools[2].Parameters) == 0 {
		t.Errorf("a tool without parameters was sent as %+v", body.Tools[2])
	}
}
