package chat_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/bellhop-ai/bellhop/infra/local/localtest"
	"github.com/bellhop-ai/bellhop/infra/local/model/script"
	"github.com/bellhop-ai/bellhop/pkg/api/chat"
	"github.com/bellhop-ai/bellhop/pkg/llm"
	"github.com/bellhop-ai/bellhop/pkg/models"
	"github.com/bellhop-ai/bellhop/pkg/openai"
)

// S1-1, S1-4, S1-5, S1-7, F-28: a whole turn through the Responses API, with a model that reasons: the
// calls run when they are complete, and the thoughts go back before them.
func TestATurnThroughTheResponsesAPI(t *testing.T) {
	for _, accept := range []string{"application/json", "text/event-stream"} {
		t.Run(accept, func(t *testing.T) {
			server := script.Start(t, script.Route("inventory"),
				script.Step{When: script.FromAgent, Reasoning: []string{"AAA"}, Fault: script.UnknownEvents(),
					Calls: []script.Call{
						{Name: "list_extras", Arguments: `{"include_inactive":null}`}, {Name: "list_extras",
							Arguments: `{"include_inactive":true}`}}},
				script.Step{When: script.FromAgent, Text: "There are no extras yet."})
			m, err := openai.New(openai.Config{BaseURL: server.URL, Profile: "openai", APIKey: "local",
				API: "responses", Model: "o4-mini", Retries: -1})
			if err != nil {
				t.Fatal(err)
			}
			d := openAs(t, localtest.Stack(t), func(cfg *chat.Config) {
				cfg.Model, cfg.Models = nil, &models.Picker{Now: time.Now, Shared: map[llm.Tier]llm.Model{
					llm.Cheap: models.Own(m, models.Config{Model: "gpt-4o-mini"}), llm.Capable: m,
				}}
			})
			resp, raw := d.post(t, "/api/chat", localtest.NewOrg(t).Manager.Token, accept,
				map[string]any{"messages": []any{user("Which extras do we have?")}})
			if resp.StatusCode != 200 || !strings.Contains(string(raw), "There are no extras yet.") {
				t.Fatalf("answered %d %s", resp.StatusCode, raw)
			}
			asked := server.Requests()
			if v := server.Violations(); len(v) > 0 || len(asked) != 3 {
				t.Fatalf("%d requests; OpenAI would refuse %q", len(asked), v)
			}
			if asked[0].Model != "gpt-4o-mini" || asked[1].Model != "o4-mini" || asked[0].API != script.Responses ||
				asked[1].Stream != (accept != "application/json") {
				t.Errorf("asked %s and %s through %s", asked[0].Model, asked[1].Model, asked[0].API)
			}
			last := asked[2]
			if len(last.Reasoning) != 1 || last.Reasoning[0] != "AAA" {
				t.Errorf("the thoughts that went back are %q", last.Reasoning)
			}
			results := 0
			for _, m := range last.Messages {
				if m.Role == "tool" {
					results++
					if strings.Contains(m.Content, `"error"`) {
						t.Errorf("a tool refused: %s", m.Content)
					}
				}
			}
			if results != 2 {
				t.Errorf("%d results", results)
			}
			var body struct {
				Store bool
				Tools []struct{ Strict *bool }
			}
			if err := json.Unmarshal(last.Body, &body); err != nil {
				t.Fatal(err)
			}
			strict := 0
			for _, tool := range body.Tools {
				if tool.Strict != nil && *tool.Strict {
					strict++
				}
			}
			if body.Store || strict == 0 || strict != len(body.Tools) {
				t.Errorf("store %v, %d of %d tools are strict", body.Store, strict, len(body.Tools))
			}
		})
	}
}
