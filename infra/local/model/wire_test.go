package model_test

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/openai/openai-go/v3"

	"github.com/bellhop-ai/bellhop/infra/local/model"
)

func TestStreamsWhatItAnswersWhole(t *testing.T) {
	c := serve(t)
	for _, text := range []string{"Hello", "Which cabins do we have?", "Add an extra called Café Noir, 45 per guest",
		"Add an extra called Stargazing"} {
		t.Run(text, func(t *testing.T) {
			params := openai.ChatCompletionNewParams{
				Model: "any", Tools: offer(hotel["inventory"]...),
				Messages: []openai.ChatCompletionMessageParamUnion{openai.SystemMessage(specialistPrompt),
					openai.UserMessage(text)},
			}
			whole, err := c.Chat.Completions.New(context.Background(), params)
			if err != nil {
				t.Fatal(err)
			}
			params.StreamOptions = openai.ChatCompletionStreamOptionsParam{IncludeUsage: openai.Bool(true)}
			stream := c.Chat.Completions.NewStreaming(context.Background(), params)
			var sum openai.ChatCompletionAccumulator
			for stream.Next() {
				if !sum.AddChunk(stream.Current()) {
					t.Fatalf("the official accumulator rejects the chunk %s", stream.Current().RawJSON())
				}
			}
			if err := stream.Err(); err != nil {
				t.Fatal(err)
			}
			if got, want := said(sum.Choices[0].Message), said(whole.Choices[0].Message); got != want {
				t.Errorf("streamed %q, whole %q", got, want)
			}
			if got, want := sum.Choices[0].FinishReason, whole.Choices[0].FinishReason; got != want {
				t.Errorf("finish reason %q, whole %q", got, want)
			}
			if sum.Usage.CompletionTokens != whole.Usage.CompletionTokens || sum.Usage.TotalTokens == 0 {
				t.Errorf("usage %+v, whole %+v", sum.Usage, whole.Usage)
			}
		})
	}
}

// post sends a raw body, as a client with a bug would.
func post(t *testing.T, body string) (int, string) {
	t.Helper()
	srv := httptest.NewServer(model.New(model.Config{Now: friday, Domains: hotelWords()}))
	defer srv.Close()
	res, err := http.Post(srv.URL+"/v1/chat/completions", "application/json", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	raw, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return res.StatusCode, string(raw)
}

func TestRefusesWhatOpenAIRefuses(t *testing.T) {
	// F-30: an invalid list never reaches a model unnoticed.
	const called = `{"role":"user","content":"hi"},{"role":"assistant","content":null,"tool_calls":[{"id":"c1",` +
		`"type":"function","function":{"name":"f","arguments":"{}"}},{"id":"c2","type":"function",` +
		`"function":{"name":"f","arguments":"{}"}}]}`
	tests := map[string]struct{ body, param string }{
		"bad JSON":        {`{"model":`, ""},
		"two values":      {`{"model":"m","messages":[{"role":"user","content":"hi"}]} {}`, ""},
		"no model":        {`{"messages":[{"role":"user","content":"hi"}]}`, "model"},
		"no messages":     {`{"model":"m"}`, "messages"},
		"empty messages":  {`{"model":"m","messages":[]}`, "messages"},
		"an unknown role": {`{"model":"m","messages":[{"role":"robot","content":"hi"}]}`, "messages[0].role"},
		"a result without a call": {`{"model":"m","messages":[{"role":"tool","tool_call_id":"c1","content":"x"}]}`,
			"messages[0]"},
		"a call without a result": {`{"model":"m","messages":[` + called +
			`,{"role":"tool","tool_call_id":"c1","content":"x"}]}`, "messages[1]"},
		"a result twice": {`{"model":"m","messages":[` + called +
			`,{"role":"tool","tool_call_id":"c1","content":"x"},{"role":"tool","tool_call_id":"c1","content":"x"}]}`,
			"messages[3]"},
		"talk between the two": {`{"model":"m","messages":[` + called + `,{"role":"user","content":"x"}]}`,
			"messages[1]"},
		"an assistant without any": {`{"model":"m","messages":[{"role":"assistant","content":null}]}`,
			"messages[0].content"},
		"a choice without tools": {`{"model":"m","messages":[{"role":"user","content":"hi"}],"tool_choice":"auto"}`,
			"tool_choice"},
		"usage without a stream": {`{"model":"m","messages":[{"role":"user","content":"hi"}],` +
			`"stream_options":{"include_usage":true}}`, "stream_options"},
		"JSON mode unannounced": {`{"model":"m","messages":[{"role":"user","content":"hi"}],` +
			`"response_format":{"type":"json_object"}}`, "response_format"},
		"a loose strict tool": {`{"model":"m","messages":[{"role":"user","content":"hi"}],` +
			`"tools":[{"type":"function","function":{"name":"f","strict":true,"parameters":{"type":"object",` +
			`"properties":{"a":{"type":"string"}}}}}]}`, "tools[0].function.parameters"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			status, body := post(t, tt.body)
			var got struct {
				Error struct {
					Message, Type string
					Param         *string
				}
			}
			if err := json.Unmarshal([]byte(body), &got); err != nil || status != http.StatusBadRequest {
				t.Fatalf("answered %d %s", status, body)
			}
			param := ""
			if got.Error.Param != nil {
				param = *got.Error.Param
			}
			if param != tt.param || got.Error.Message == "" || got.Error.Type != "invalid_request_error" {
				t.Errorf("error %s, want param %q", body, tt.param)
			}
		})
	}
}

// assistantCall is an assistant message that made one call.
func assistantCall(id, name, args string) openai.ChatCompletionMessageParamUnion {
	return openai.ChatCompletionMessageParamUnion{OfAssistant: &openai.ChatCompletionAssistantMessageParam{
		ToolCalls: []openai.ChatCompletionMessageToolCallUnionParam{{OfFunction: &openai.ChatCompletionMessageFunctionToolCallParam{
			ID: id, Function: openai.ChatCompletionMessageFunctionToolCallFunctionParam{Name: name, Arguments: args},
		}}},
	}}
}

func TestAnswersFromResults(t *testing.T) {
	c := serve(t)
	tests := map[string]struct{ text, call, args, result, want string }{
		"places a table": {"Which extras are there?", "list_extras", `{}`, `{"table":"t1","count":2}`,
			"List extras, 2 found:\n\n[[table:t1]]"},
		"names the rows": {"Which extras are there?", "list_extras", `{}`,
			`{"extras":[{"name":"Sauna"},{"name":"Hot tub"}]}`,
			"List extras: 2 extras (Sauna and Hot tub)."},
		"repeats an error": {"delete the Sauna extra", "delete_extra", `{"extra":"Sauna"}`,
			`{"error":"There is no extra Sauna."}`,
			"That did not work: There is no extra Sauna."},
		"stops for consent": {"delete the Sauna extra", "delete_extra", `{"extra":"Sauna"}`,
			`{"status":"needs_confirmation","message":"Delete Sauna?"}`,
			"That needs your confirmation first; nothing has happened yet. Delete Sauna?"},
		"goes on to the second thing": {"List the extras and then list the coupons", "list_extras", `{}`,
			`{"extras":[]}`,
			"list_coupons {}"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			got := said(ask(t, c, hotel["inventory"], openai.SystemMessage(specialistPrompt),
				openai.UserMessage(tt.text),
				assistantCall("c1", tt.call, tt.args), openai.ToolMessage(tt.result, "c1")))
			if got != tt.want {
				t.Errorf("got %q\nwant %q", got, tt.want)
			}
		})
	}
}

func TestFollowsTheConversation(t *testing.T) {
	c := serve(t)
	t.Run("an answer fills the call that was asked about", func(t *testing.T) {
		got := said(ask(t, c, hotel["inventory"], openai.SystemMessage(specialistPrompt),
			openai.UserMessage("Add an extra called Stargazing"),
			openai.AssistantMessage("What is the price for the new extra?"), openai.UserMessage("45 per guest")))
		if want := `create_extra {"name":"Stargazing","price":"45","unit":"guest"}`; got != want {
			t.Errorf("got %s\nwant %s", got, want)
		}
	})
	for _, answer := range []string{"John Smith", "yes", "no extras"} { // S0-7
		t.Run("routing stays for "+answer, func(t *testing.T) {
			got := said(ask(t, c, []map[string]any{routerTool}, openai.SystemMessage(routerPrompt),
				openai.UserMessage("Book COCO from 1 to 3 December"),
				openai.AssistantMessage("What is the guest name, and which extras?"), openai.UserMessage(answer)))
			if !strings.Contains(got, `"agent":"reservations"`) {
				t.Errorf("answered %s", got)
			}
		})
	}
	t.Run("a greeting calls nothing", func(t *testing.T) { // S0-5
		got := said(ask(t, c, []map[string]any{routerTool}, openai.SystemMessage(routerPrompt),
			openai.UserMessage("Hello!")))
		if got != "Hello! What can I do for you?" {
			t.Errorf("answered %s", got)
		}
	})
	t.Run("it says what it is", func(t *testing.T) {
		got := said(ask(t, c, hotel["inventory"], openai.SystemMessage(specialistPrompt),
			openai.UserMessage("Are you an AI?")))
		if !strings.Contains(got, "not a language model") || !strings.Contains(got, "OPENAI_API_KEY") {
			t.Errorf("answered %s", got)
		}
	})
}
