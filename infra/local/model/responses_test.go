package model_test

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bellhop-ai/bellhop/infra/local/model"
	"github.com/bellhop-ai/bellhop/infra/local/model/script"
	"github.com/bellhop-ai/bellhop/infra/local/nodetest"
	"github.com/bellhop-ai/bellhop/pkg/llm"
	own "github.com/bellhop-ai/bellhop/pkg/openai"
)

// offered are the tools of an agent as our adapter offers them.
func offered(t *testing.T, agent string) *llm.Toolset {
	t.Helper()
	var tools []llm.Tool
	for _, one := range hotel[agent] {
		raw, err := json.Marshal(one)
		if err != nil {
			t.Fatal(err)
		}
		var in struct {
			Name, Description string
			Parameters        json.RawMessage
		}
		if err := json.Unmarshal(raw, &in); err != nil {
			t.Fatal(err)
		}
		tools = append(tools, llm.Tool{Name: in.Name, Description: in.Description, Parameters: in.Parameters})
	}
	return llm.NewToolset(tools...)
}

// The stand-in says the same through both of its doors, whole and streamed.
func TestBothDoorsSayTheSame(t *testing.T) {
	server := httptest.NewServer(model.New(model.Config{Now: friday}))
	t.Cleanup(server.Close)
	first := map[string]string{}
	for _, api := range []string{"chat", "responses"} {
		c, err := own.New(own.Config{BaseURL: server.URL + "/v1", API: api, Profile: "openai", APIKey: "none",
			Retries: -1})
		if err != nil {
			t.Fatal(err)
		}
		for _, text := range []string{"Hello", "Which cabins do we have?",
			"Add an extra called Café Noir, 45 per guest", "List the extras and then list the coupons"} {
			for _, show := range []func(string) error{nil, func(string) error { return nil }} {
				r := llm.Request{Tools: offered(t, "inventory"), Messages: []llm.Message{{Role: llm.System,
					Text: specialistPrompt}, {Role: llm.User, Text: text}}}
				said := ""
				for range 3 {
					a, err := c.Answer(context.Background(), r, show)
					if err != nil {
						t.Fatalf("%s, %q: %v", api, text, err)
					}
					said += a.Text + string(a.Finish)
					if a.Usage.In == 0 || a.Usage.Out == 0 {
						t.Errorf("%s, %q: usage %+v", api, text, a.Usage)
					}
					r.Messages = append(r.Messages, llm.Message{Role: llm.Assistant, Text: a.Text, Calls: a.Calls})
					for _, call := range a.Calls {
						said += call.Name + call.Arguments
						r.Messages = append(r.Messages, llm.Message{Role: llm.ToolRole, CallID: call.ID,
							Text: `{"extras":[{"name":"Sauna"}]}`})
					}
					if len(a.Calls) == 0 {
						break
					}
				}
				if first[text] == "" {
					first[text] = said
				}
				if diff := cmp.Diff(first[text], said); diff != "" {
					t.Errorf("%s, %q: %s", api, text, diff)
				}
			}
		}
	}
}

func TestRefusesWhatTheResponsesAPIRefuses(t *testing.T) {
	server := httptest.NewServer(model.New(model.Config{Now: friday}))
	t.Cleanup(server.Close)
	tests := map[string]struct{ body, param string }{
		"no model": {`{"input":"hi"}`, "model"},
		"no input": {`{"model":"m"}`, "input"},
		"no items": {`{"model":"m","input":[]}`, "input"},
		"the other API's tool": {`{"model":"m","input":"hi","tools":[{"type":"function","function":{"name":"f"}}]}`,
			"tools[0].name"},
		"loose without a word": {`{"model":"m","input":"hi","tools":[{"type":"function","name":"f",` +
			`"parameters":{"type":"object","properties":{"a":{"type":"string"}}}}]}`, "tools[0].parameters"},
		"a call without a result": {`{"model":"m","input":[{"type":"function_call","call_id":"c","name":"f",` +
			`"arguments":"{}"},{"role":"user","content":"hi"}]}`, "messages[0]"},
		"a result without a call": {`{"model":"m","input":[{"type":"function_call_output","call_id":"c",` +
			`"output":"x"}]}`, "messages[0]"},
		"an unknown item": {`{"model":"m","input":[{"type":"dream"}]}`, "input[0].type"},
		"a part of the other API": {`{"model":"m","input":[{"role":"user","content":[{"type":"text","text":"hi"}]}]}`,
			"input[0].content"},
		"too short an answer": {`{"model":"m","input":"hi","max_output_tokens":3}`, "max_output_tokens"},
		"what it never stored": {`{"model":"m","input":"hi","previous_response_id":"resp_1"}`,
			"previous_response_id"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			res, err := http.Post(server.URL+"/v1/responses", "application/json", strings.NewReader(tt.body))
			if err != nil {
				t.Fatal(err)
			}
			defer res.Body.Close()
			var got struct {
				Error struct{ Message, Param string }
			}
			if err := json.NewDecoder(res.Body).Decode(&got); err != nil {
				t.Fatal(err)
			}
			if res.StatusCode != http.StatusBadRequest || got.Error.Param != tt.param || got.Error.Message == "" {
				t.Errorf("answered %d %+v, want the param %s", res.StatusCode, got.Error, tt.param)
			}
		})
	}
}

// The official client for JavaScript understands both stand-ins.
func TestTheOfficialClientUnderstandsTheResponses(t *testing.T) {
	server := httptest.NewServer(model.New(model.Config{Now: friday}))
	t.Cleanup(server.Close)
	scripted := httptest.NewServer(script.Func(func(r script.Request) script.Step {
		switch last := r.Last(""); {
		case last.Role == "tool":
			return script.Step{Text: "There is a Sauna."}
		case strings.Contains(last.Content, "extras"):
			return script.Step{Calls: []script.Call{{Name: "list_extras"}}}
		}
		return script.Step{Text: "Hello, what can I do?"}
	}))
	t.Cleanup(scripted.Close)
	for name, url := range map[string]string{"built-in": server.URL, "scripted": scripted.URL} {
		t.Run(name, func(t *testing.T) {
			nodetest.Run(t, "../../../pkg/api/chat/testdata/openai", "responses.mjs", 20,
				map[string]string{"url": url + "/v1", "model": "any"})
		})
	}
}
