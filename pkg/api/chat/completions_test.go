package chat_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
	openaisdk "github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"

	"github.com/bellhop-ai/bellhop/infra/local/localtest"
	"github.com/bellhop-ai/bellhop/infra/local/model/script"
	"github.com/bellhop-ai/bellhop/infra/local/nodetest"
	"github.com/bellhop-ai/bellhop/pkg/render"
	"github.com/bellhop-ai/bellhop/pkg/stream"
)

const completionsPath = "/api/v1/chat/completions"

func completion(text string, more map[string]any) map[string]any {
	body := map[string]any{"model": "hospitality", "messages": []any{user(text)}}
	for k, v := range more {
		body[k] = v
	}
	return body
}

// chunks reads a stream of Chat Completions.
func chunks(t *testing.T, raw []byte) (list []stream.Completion) {
	t.Helper()
	text, done := strings.CutSuffix(string(raw), "data: [DONE]\n\n")
	if !done {
		t.Fatalf("the stream does not end in [DONE]: %s", raw)
	}
	for line := range strings.SplitSeq(strings.TrimSuffix(text, "\n\n"), "\n\n") {
		if strings.HasPrefix(line, ":") {
			continue
		}
		var c stream.Completion
		dec := json.NewDecoder(strings.NewReader(strings.TrimPrefix(line, "data: ")))
		dec.DisallowUnknownFields()
		if err := dec.Decode(&c); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		list = append(list, c)
	}
	return list
}

// An answer has OpenAI's form, whole and in chunks, and both say the same as
// the native one.
func TestChatCompletionsSayWhatTheNativeAnswerSays(t *testing.T) {
	t.Parallel()
	org := localtest.NewOrg(t)
	localtest.SQL(t, `insert into public.extras (org_id, entity_id, name, price) values ($1, $2,
		'Picnic | *new* <b>', 20)`, org.ID, org.Entity.ID)
	steps := []script.Step{script.Route("inventory"),
		{Text: "One moment.", Calls: []script.Call{{Name: "list_extras"}}}, {Text: "Here: [[table:t2a]] ₹."}}
	_, raw := open(t, steps...).post(t, "/api/chat", org.Manager.Token, "", ask("Extras?"))
	native := answer(t, raw)
	// Where the others have HTML, such clients show Markdown.
	before, table, after, found := render.CutTable(native.Reply)
	if !found {
		t.Fatalf("there is no table in %q", native.Reply)
	}
	reply := before + table.Markdown(1<<20) + after
	if !strings.Contains(reply, "| Extra | Code | Category | Price | Counts | Tax | Active |\n| --- | --- | --- | "+
		"---: | --- | ---: | --- |\n| Picnic \\| \\*new\\* &lt;b&gt; | ") {
		t.Errorf("the table is %q", reply)
	}
	resp, raw := open(t, steps...).post(t, completionsPath, org.Manager.Token, "",
		completion("Extras?", map[string]any{
			"temperature": 0, "top_p": 1, "seed": 7, "user": "somebody", "n": 1, "tools": []any{}, "stop": nil,
			"metadata": map[string]any{"a": "b"}, "response_format": map[string]any{"type": "text"},
		}))
	if resp.StatusCode != http.StatusOK || !strings.HasPrefix(resp.Header.Get("Content-Type"), "application/json") {
		t.Fatalf("status %d, %s", resp.StatusCode, raw)
	}
	var whole stream.Completion
	if err := json.Unmarshal(raw, &whole); err != nil {
		t.Fatal(err)
	}
	m := whole.Choices[0].Message
	if whole.Object != "chat.completion" || !strings.HasPrefix(whole.ID, "chatcmpl-") ||
		whole.Model != "hospitality" || whole.Created < 1e9 || len(whole.Choices) != 1 ||
		m.Role != "assistant" || *m.Content != reply || *whole.Choices[0].Finish != "stop" ||
		m.Bellhop.Agent != "inventory" || m.Bellhop.Seal == "" {
		t.Errorf("the completion is %s, the reply %q", raw, reply)
	}
	if u := whole.Usage; u.Prompt != native.Usage.Input || u.Completion != native.Usage.Output || u.Total != u.Prompt+
		u.Completion || u.Prompt != 300 {
		t.Errorf("the usage is %+v, the native one %+v", u, native.Usage)
	}
	for _, member := range []string{`"logprobs":null`, `"index":0`} {
		if !bytes.Contains(raw, []byte(member)) {
			t.Errorf("there is no %s in %s", member, raw)
		}
	}

	resp, raw = open(t, steps...).post(t, completionsPath, org.Manager.Token, "application/json",
		completion("Extras?", map[string]any{
			"stream": true, "stream_options": map[string]any{"include_usage": true},
		}))
	if resp.StatusCode != http.StatusOK || !strings.HasPrefix(resp.Header.Get("Content-Type"), "text/event-stream") {
		t.Fatalf("status %d, %s", resp.StatusCode, raw)
	}
	list := chunks(t, raw)
	var said strings.Builder
	for i, c := range list {
		if c.Object != "chat.completion.chunk" || c.ID != list[0].ID || c.Model != "hospitality" ||
			c.Created != list[0].Created {
			t.Errorf("the chunk is %+v", c)
		}
		if i < len(list)-1 {
			if d := c.Choices[0].Delta; d.Content != nil {
				said.WriteString(*d.Content)
			}
			if last := i == len(list)-2; (c.Choices[0].Finish != nil) != last || c.Usage != nil {
				t.Errorf("chunk %d ends with %v", i, c.Choices[0].Finish)
			}
		}
	}
	first, last, end := list[0].Choices[0].Delta, list[len(list)-2].Choices[0], list[len(list)-1]
	if first.Role != "assistant" || *first.Content != "" || said.String() != reply || *last.Finish != "stop" ||
		last.Delta.Bellhop.Seal == "" {
		t.Errorf("it says %q, want %q", said.String(), reply)
	}
	if len(end.Choices) != 0 || cmp.Diff(end.Usage, whole.Usage) != "" {
		t.Errorf("the last chunk is %+v", end)
	}
	_, raw = open(t, steps...).post(t, completionsPath, org.Manager.Token, "",
		completion("Extras?", map[string]any{"stream": true}))
	if list = chunks(t, raw); list[len(list)-1].Usage != nil || len(list[len(list)-1].Choices) != 1 {
		t.Errorf("without being asked it counts: %s", raw)
	}
}

// What is wrong is said in OpenAI's form, with a real status, and what would
// not come is not silently left out.
func TestChatCompletionsRefuseInOpenAIsForm(t *testing.T) {
	t.Parallel()
	token := localtest.Token(t, "manager@sojourn.example")
	tests := map[string]struct {
		token        string
		path         string
		body         any
		status       int
		kind, code   string
		param, words string
	}{
		"nobody": {"", completionsPath, completion("hi", nil), 401, "authentication_error",
			"unauthorized", "", "sign in"},
		"a bad token": {"nonsense", completionsPath, completion("hi", nil), 401, "authentication_error", "",
			"", ""},
		"broken JSON": {token, completionsPath, []byte(`{"model":`), 400, "invalid_request_error", "invalid",
			"", "JSON"},
		"no such model": {token, completionsPath, completion("hi", map[string]any{"model": "gpt-4o"}), 404,
			"invalid_request_error", "model_not_found", "model", "gpt-4o"},
		"no messages": {token, completionsPath, map[string]any{"model": "hospitality"}, 400,
			"invalid_request_error", "invalid", "", "nothing to answer"},
		"two answers": {token, completionsPath, completion("hi", map[string]any{"n": 2}), 400,
			"invalid_request_error", "unsupported_parameter", "n", "one answer"},
		"no answer": {token, completionsPath, completion("hi", map[string]any{"n": 0}), 400,
			"invalid_request_error", "unsupported_parameter", "n", "one answer"},
		"tools of the client": {token, completionsPath,
			completion("hi", map[string]any{"tools": []any{map[string]any{"type": "function"}}}), 400,
			"invalid_request_error", "unsupported_parameter", "tools", "tools"},
		"older tools": {token, completionsPath,
			completion("hi", map[string]any{"functions": []any{map[string]any{"name": "x"}}}), 400,
			"invalid_request_error", "unsupported_parameter", "functions", ""},
		"a format": {token, completionsPath,
			completion("hi", map[string]any{"response_format": map[string]any{"type": "json_object"}}), 400,
			"invalid_request_error", "unsupported_parameter", "response_format", ""},
		"sound": {token, completionsPath,
			completion("hi", map[string]any{"modalities": []any{"text", "audio"}}), 400, "invalid_request_error",
			"unsupported_parameter", "modalities", ""},
		"log probabilities": {token, completionsPath, completion("hi", map[string]any{"logprobs": true}), 400,
			"invalid_request_error", "unsupported_parameter", "logprobs", ""},
		"a stop": {token, completionsPath, completion("hi", map[string]any{"stop": "\n"}), 400,
			"invalid_request_error", "unsupported_parameter", "stop", ""},
		"options of no stream": {token, completionsPath,
			completion("hi", map[string]any{"stream_options": map[string]any{"include_usage": true}}), 400,
			"invalid_request_error", "invalid", "stream_options", ""},
		"an unknown proposal": {token, completionsPath,
			completion("hi", map[string]any{"bellhop": map[string]any{"confirm": map[string]any{"id": uuid.NewString(),
				"decision": "approve"}}}), 404, "invalid_request_error", "proposal_unknown", "", ""},
		"another address": {token, "/api/v1/embeddings", completion("hi", nil), 404, "invalid_request_error",
			"not_found", "", ""},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := open(t)
			resp, raw := d.post(t, tc.path, tc.token, "", tc.body)
			var p stream.APIError
			if err := json.Unmarshal(raw, &p); err != nil {
				t.Fatalf("%v: %s", err, raw)
			}
			param := ""
			if p.Error.Param != nil {
				param = *p.Error.Param
			}
			if resp.StatusCode != tc.status || p.Error.Type != tc.kind || tc.code != "" && p.Error.Code != tc.code ||
				param != tc.param ||
				!strings.Contains(p.Error.Message, tc.words) || p.Error.Message == "" || p.Error.RequestID == "" {
				t.Errorf("status %d, %s", resp.StatusCode, raw)
			}
			if !bytes.Contains(raw, []byte(`"param":`)) || len(d.model.Requests()) > 0 {
				t.Errorf("the model was asked %d times; %s", len(d.model.Requests()), raw)
			}
		})
	}
}

// A failure of the model has its status in one piece, and is a chunk with an
// error in a stream.
func TestChatCompletionsTellOfAModelThatFails(t *testing.T) {
	t.Parallel()
	token := localtest.Token(t, "manager@sojourn.example")
	busy := script.Step{Fault: script.Status(429, http.Header{"Retry-After": {"7"}}, "")}
	resp, raw := open(t, busy).post(t, completionsPath, token, "", completion("hi", nil))
	if resp.StatusCode != 429 || resp.Header.Get("Retry-After") != "7" ||
		!bytes.Contains(raw, []byte(`"type":"rate_limit_error"`)) {
		t.Errorf("status %d, %s", resp.StatusCode, raw)
	}
	_, raw = open(t, script.Step{Fault: script.BadGateway()}).post(t, completionsPath, token, "",
		completion("hi", map[string]any{"stream": true}))
	frames := strings.Split(strings.TrimSpace(string(raw)), "\n\n")
	var p stream.APIError
	if err := json.Unmarshal([]byte(strings.TrimPrefix(frames[len(frames)-1], "data: ")), &p); err != nil ||
		p.Error.Type != "server_error" || p.Error.Message == "" || strings.Contains(string(raw), "[DONE]") {
		t.Errorf("the stream is %s, %v", raw, err)
	}
}

// A repeated request with a key is the same turn.
func TestACompletionThatIsSentAgainIsReplayed(t *testing.T) {
	t.Parallel()
	org := localtest.NewOrg(t)
	for _, streamed := range []bool{false, true} {
		d := open(t, script.Step{When: script.FromRouter, Text: "Hello."})
		body := completion("hi", map[string]any{"stream": streamed,
			"bellhop": map[string]any{"turn": fmt.Sprint("again-", streamed)}})
		_, first := d.post(t, completionsPath, org.Manager.Token, "", body)
		resp, second := d.post(t, completionsPath, org.Manager.Token, "", body)
		if !bytes.Equal(first, second) || resp.Header.Get("Idempotent-Replayed") != "true" ||
			len(d.model.Requests()) != 1 {
			t.Errorf("first\n%s\nsecond\n%s", first, second)
		}
	}
}

// kayakSteps ask for an extra, then greet.
func kayakSteps(name string) []script.Step {
	return []script.Step{script.Route("inventory"),
		{Calls: []script.Call{{Name: "create_extra", Arguments: `{"name":"` + name + `","price":12,"per":"guest"}`}}}}
}

// OpenAI's own Go client lists, asks, streams, uses tools, consents in words
// from text alone, keeps seals where it is told to, and reads errors.
func TestOpenAIsGoClientIsServed(t *testing.T) {
	t.Parallel()
	org := localtest.NewOrg(t)
	localtest.SQL(t, `insert into public.extras (org_id, entity_id, name, price) values ($1, $2, 'Picnic', 20)`,
		org.ID, org.Entity.ID)
	d := open(t, slices.Concat([]script.Step{
		script.Route("inventory"), {Calls: []script.Call{{Name: "list_extras"}}}, {Text: "There is one."},
		script.Route("inventory"), {Text: "The Picnic, as I said."},
	}, kayakSteps("Kayak"))...)
	client := openaisdk.NewClient(option.WithBaseURL(d.url+"/api/v1"), option.WithAPIKey(org.Manager.Token),
		option.WithMaxRetries(0))
	ctx := t.Context()

	page, err := client.Models.List(ctx)
	if err != nil || len(page.Data) != 1 || page.Data[0].ID != "hospitality" || page.Data[0].OwnedBy != "bellhop" {
		t.Fatalf("the models are %+v, %v", page, err)
	}
	if one, err := client.Models.Get(ctx, "hospitality"); err != nil || one.ID != "hospitality" {
		t.Errorf("the model is %+v, %v", one, err)
	}

	// In one piece, with a tool; the seal is sent back as the client keeps it.
	params := openaisdk.ChatCompletionNewParams{Model: "hospitality",
		Messages: []openaisdk.ChatCompletionMessageParamUnion{openaisdk.UserMessage("Which extras are there?")}}
	whole, err := client.Chat.Completions.New(ctx, params)
	if err != nil || !strings.Contains(whole.Choices[0].Message.Content, "There is one.") ||
		!strings.Contains(whole.Choices[0].Message.Content, "Picnic") || whole.Choices[0].FinishReason != "stop" {
		t.Fatalf("it answers %+v, %v", whole, err)
	}
	var kept json.RawMessage = []byte(whole.Choices[0].Message.RawJSON())
	params.Messages = append(params.Messages, openaisdk.ChatCompletionMessageParamUnion{OfAssistant: paramOf(t, kept)},
		openaisdk.UserMessage("And it was called?"))
	again, err := client.Chat.Completions.New(ctx, params)
	if err != nil || again.Choices[0].Message.Content != "The Picnic, as I said." {
		t.Fatalf("it answers %+v, %v", again, err)
	}
	if read := lastPrompt(d.model); !strings.Contains(read, "tool: ") {
		t.Errorf("what the tool said was forgotten: %s", read)
	}

	// Streamed, with text alone: the preview, then a yes in words.
	params = openaisdk.ChatCompletionNewParams{Model: "hospitality",
		Messages:      []openaisdk.ChatCompletionMessageParamUnion{openaisdk.UserMessage("Add a kayak, 12 per guest")},
		StreamOptions: openaisdk.ChatCompletionStreamOptionsParam{IncludeUsage: openaisdk.Bool(true)}}
	heard := collect(t, client, params)
	asked := heard.Choices[0].Message.Content
	if !strings.Contains(asked, "Kayak") || !strings.HasSuffix(asked, "(K7QM)") || heard.Usage.TotalTokens == 0 {
		t.Fatalf("it asks %q with %+v", asked, heard.Usage)
	}
	params.Messages = append(params.Messages, openaisdk.AssistantMessage(asked), openaisdk.UserMessage("yes"))
	if got := collect(t, client, params).Choices[0].Message.Content; !strings.HasPrefix(got,
		"✓ Added the extra Kayak") {
		t.Errorf("it answers %q", got)
	}
	if n := len(localtest.SQL(t, `select from public.extras where org_id = $1 and name = 'Kayak'`, org.ID)); n != 1 {
		t.Errorf("there are %d kayaks", n)
	}

	params.Model = "oracle"
	_, err = client.Chat.Completions.New(ctx, params)
	var failure *openaisdk.Error
	if !errors.As(err, &failure) || failure.StatusCode != 404 || failure.Code != "model_not_found" ||
		failure.Param != "model" || failure.Type != "invalid_request_error" {
		t.Errorf("the error is %v", err)
	}
}

// paramOf is an answer as the client sends it back with all its members.
func paramOf(t *testing.T, raw json.RawMessage) *openaisdk.ChatCompletionAssistantMessageParam {
	t.Helper()
	var p openaisdk.ChatCompletionAssistantMessageParam
	var all map[string]any
	if err := errors.Join(json.Unmarshal(raw, &p), json.Unmarshal(raw, &all)); err != nil {
		t.Fatal(err)
	}
	p.SetExtraFields(map[string]any{"bellhop": all["bellhop"]})
	return &p
}

func collect(t *testing.T, client openaisdk.Client,
	params openaisdk.ChatCompletionNewParams) openaisdk.ChatCompletionAccumulator {
	t.Helper()
	var acc openaisdk.ChatCompletionAccumulator
	s := client.Chat.Completions.NewStreaming(t.Context(), params)
	for s.Next() {
		if !acc.AddChunk(s.Current()) {
			t.Fatalf("the chunk %s does not fit", s.Current().RawJSON())
		}
	}
	if err := s.Err(); err != nil {
		t.Fatal(err)
	}
	return acc
}

// OpenAI's own JavaScript client does the same.
func TestOpenAIsJavaScriptClientIsServed(t *testing.T) {
	t.Parallel()
	org := localtest.NewOrg(t)
	localtest.SQL(t, `insert into public.extras (org_id, entity_id, name, price) values ($1, $2, 'Picnic', 20)`,
		org.ID, org.Entity.ID)
	d := open(t, slices.Concat([]script.Step{
		{When: script.FromRouter, Text: "Hello."},
		script.Route("inventory"), {Calls: []script.Call{{Name: "list_extras"}}}, {Text: "There is one."},
		script.Route("inventory"), {Text: "The Picnic, as I said."},
	}, kayakSteps("Kayak"), kayakSteps("Sauna"), []script.Step{
		{When: script.FromRouter, Fault: script.BadGateway()},
		script.Route("inventory"), {Text: "I begin to", Fault: script.CutStream(4), Times: 2},
	})...)
	nodetest.Run(t, "testdata/openai", "client.mjs", 20, map[string]string{"url": d.url, "token": org.Manager.Token})
	if left := d.model.Unused(); len(left) > 0 {
		t.Errorf("the model was not asked for %q", left)
	}
	if n := len(localtest.SQL(t, `select from public.extras where org_id = $1 and name in ('Kayak', 'Sauna')`,
		org.ID)); n != 2 {
		t.Errorf("%d extras were made", n)
	}
}
