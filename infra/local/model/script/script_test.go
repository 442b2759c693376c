package script_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"

	"github.com/bellhop-ai/bellhop/infra/local/model/script"
	"github.com/bellhop-ai/bellhop/pkg/llm"
	own "github.com/bellhop-ai/bellhop/pkg/openai"
)

// steps parses a script that is known to be right.
func steps(t *testing.T, text string) []script.Step {
	t.Helper()
	out, err := script.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// client is the official one, which makes one try only.
func client(s *script.Server) openai.ChatCompletionService {
	return openai.NewChatCompletionService(option.WithBaseURL(s.URL), option.WithAPIKey("sk-test"),
		option.WithMaxRetries(0), option.WithUnsafeAllowHTTP())
}

// ask is a request that offers tools.
func ask(text string, tools ...string) openai.ChatCompletionNewParams {
	p := openai.ChatCompletionNewParams{Model: "m",
		Messages: []openai.ChatCompletionMessageParamUnion{openai.UserMessage(text)}}
	for _, name := range tools {
		p.Tools = append(p.Tools, openai.ChatCompletionFunctionTool(openai.FunctionDefinitionParam{Name: name}))
	}
	return p
}

// gist is what a client makes of an answer.
type gist struct {
	Text, Refusal, Finish string
	Calls                 []string
	Choices               int
	Tokens                int64
}

func gistOf(c openai.ChatCompletion) gist {
	g := gist{Choices: len(c.Choices), Tokens: c.Usage.TotalTokens}
	if len(c.Choices) == 0 {
		return g
	}
	m := c.Choices[0].Message
	g.Text, g.Refusal, g.Finish = m.Content, m.Refusal, c.Choices[0].FinishReason
	for _, call := range m.ToolCalls {
		g.Calls = append(g.Calls, call.ID+" "+call.Function.Name+" "+call.Function.Arguments)
	}
	return g
}

func whole(s *script.Server, p openai.ChatCompletionNewParams) (gist, error) {
	c := client(s)
	got, err := c.New(context.Background(), p)
	if err != nil {
		return gist{}, err
	}
	return gistOf(*got), nil
}

func streamed(t *testing.T, s *script.Server, p openai.ChatCompletionNewParams) (gist, error) {
	t.Helper()
	p.StreamOptions.IncludeUsage = openai.Bool(true)
	c := client(s)
	stream := c.NewStreaming(context.Background(), p)
	defer stream.Close()
	var sum openai.ChatCompletionAccumulator
	var refusal strings.Builder
	for stream.Next() {
		if !sum.AddChunk(stream.Current()) {
			t.Fatalf("the official accumulator rejects %s", stream.Current().RawJSON())
		}
		for _, choice := range stream.Current().Choices {
			refusal.WriteString(choice.Delta.Refusal)
		}
	}
	g := gistOf(sum.ChatCompletion)
	g.Refusal = refusal.String()
	return g, stream.Err()
}

func TestSaysWhatTheScriptSays(t *testing.T) {
	tests := map[string]struct {
		text string
		want gist
	}{
		"text": {"say Here are the  extras.\nsay [[table:t2a]] – 45 €",
			gist{Text: "Here are the  extras.\n[[table:t2a]] – 45 €", Finish: "stop", Choices: 1, Tokens: 110}},
		"parallel calls": {"call list_extras {\"include_inactive\":false}\ncall list_room_types",
			gist{Calls: []string{`call_1 list_extras {"include_inactive":false}`, "call_2 list_room_types {}"},
				Finish: "tool_calls", Choices: 1, Tokens: 110}},
		"text and calls": {"say One moment.\ncall find {\"name\":\"Café Noir – Zürich\"}",
			gist{Text: "One moment.", Calls: []string{`call_1 find {"name":"Café Noir – Zürich"}`},
				Finish: "tool_calls", Choices: 1, Tokens: 110}},
		"bad arguments": {`call f {"x":NaN,,`, gist{Calls: []string{`call_1 f {"x":NaN,,`}, Finish: "tool_calls",
			Choices: 1, Tokens: 110}}, // F-22
		"half an answer": {"finish length\nusage 3 4\nsay Here are", gist{Text: "Here are", Finish: "length",
			Choices: 1, Tokens: 7}}, // F-21
		"empty choices": {"fault empty",
			gist{Tokens: 110}}, // F-26
		"null content": {"fault null", gist{Finish: "stop", Choices: 1,
			Tokens: 110}}, // F-26
		"a refusal": {"fault refusal I cannot help with that.", gist{Refusal: "I cannot help with that.",
			Finish: "stop", Choices: 1, Tokens: 110}},
		"filtered": {"say Here is\nfault filter", gist{Text: "Here is", Finish: "content_filter", Choices: 1,
			Tokens: 110}},
		"no finish": {"say Here is\nfault no-finish", gist{Text: "Here is", Choices: 1, Tokens: 110}}, // F-21
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			for how, set := range map[string]func(*script.Step){
				"plain": func(*script.Step) {},
				"bytes": func(s *script.Step) { s.Bytes = true },
				"crlf":  func(s *script.Step) { s.CRLF = true },
				"both":  func(s *script.Step) { s.Bytes, s.CRLF = true, true }, // F-29
			} {
				step := steps(t, tt.text)[0]
				set(&step)
				got, err := whole(script.Start(t, step), ask("hi"))
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(tt.want, got); diff != "" {
					t.Errorf("%s, in one piece: %s", how, diff)
				}
				got, err = streamed(t, script.Start(t, step), ask("hi"))
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(tt.want, got); diff != "" {
					t.Errorf("%s, streamed: %s", how, diff)
				}
			}
		})
	}
}

func TestBreaksOff(t *testing.T) {
	tests := map[string]struct {
		text  string
		sent  gist  // what a stream shows before it breaks off
		ended error // how a stream ends; nil means in good order
	}{
		"after a word": {"say One two three.\nfault cut-stream", gist{Text: "One", Choices: 1},
			io.ErrUnexpectedEOF}, // F-19
		"after three events": {"say One two three.\nfault cut-stream after=3",
			gist{Text: "One two", Choices: 1}, io.ErrUnexpectedEOF},
		"before the finish at latest": {"say One.\nfault cut-stream after=99", gist{Text: "One.", Choices: 1},
			io.ErrUnexpectedEOF},
		"with a text of its own": {"fault cut-stream", gist{Text: "One", Choices: 1}, io.ErrUnexpectedEOF},
		"in silence": {"say One two three.\nfault end-stream", gist{Text: "One", Choices: 1},
			nil}, // F-21
		"inside arguments": {`fault cut-args create_extra {"name":"X"`,
			gist{Calls: []string{`call_1 create_extra {"name":"X"`}, Choices: 1}, io.ErrUnexpectedEOF}, // F-20
		"inside the second arguments": {"call a\nfault cut-args b {\"n",
			gist{Calls: []string{"call_1 a {}", `call_2 b {"n`}, Choices: 1}, io.ErrUnexpectedEOF},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			got, err := streamed(t, script.Start(t, steps(t, tt.text)...), ask("hi"))
			if diff := cmp.Diff(tt.sent, got); diff != "" {
				t.Error(diff)
			}
			if !errors.Is(err, tt.ended) {
				t.Errorf("the stream ends with %v, want %v", err, tt.ended)
			}
			if got, err := whole(script.Start(t, steps(t, tt.text)...), ask("hi")); err == nil {
				t.Errorf("in one piece: %+v, want an error", got)
			}
		})
	}
}

// post sends a body as it stands and returns what arrives of the answer.
func post(t *testing.T, url, body string) (*http.Response, string, error) {
	t.Helper()
	res, err := http.Post(url+"/chat/completions", "application/json", strings.NewReader(body))
	if err != nil {
		return nil, "", err
	}
	defer res.Body.Close()
	raw, err := io.ReadAll(res.Body)
	return res, string(raw), err
}

const hello = `{"model":"m","messages":[{"role":"user","content":"hi"}]}`

func TestAnswersWithAStatus(t *testing.T) {
	tests := map[string]struct {
		text         string
		status       int
		header, want string
		body         string
	}{
		"too many requests": {"fault 429 retry-after=1", 429, "Retry-After", "1",
			// F-17
			`{"error":{"code":"rate_limit_exceeded","message":"Too Many Requests","param":null,"type":"requests"}}`},
		"a proxy's page": {"fault html-502", 502, "Content-Type", "text/html",
			"<html>"}, // F-18
		"a broken provider": {"fault 500", 500, "Content-Type", "application/json",
			`{"error":{"code":null,"message":"Internal Server Error","param":null,"type":"server_error"}}`},
		"a long prompt": {"fault 400 code=context_length_exceeded The prompt is too long.", 400, "Content-Type",
			"application/json", `{"error":{"code":"context_length_exceeded","message":"The prompt is too long.",` +
				`"param":null,"type":"invalid_request_error"}}`},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			for _, body := range []string{hello, strings.Replace(hello, "{", `{"stream":true,`, 1)} {
				res, got, err := post(t, script.Start(t, steps(t, tt.text)...).URL, body)
				if err != nil {
					t.Fatal(err)
				}
				if res.StatusCode != tt.status || res.Header.Get(tt.header) != tt.want ||
					!strings.HasPrefix(got, tt.body) {
					t.Errorf("%d, %s %q, %s", res.StatusCode, tt.header, res.Header.Get(tt.header), got)
				}
			}
		})
	}
}

func TestResetsTheConnection(t *testing.T) {
	_, _, err := post(t, script.Start(t, steps(t, "fault reset")...).URL, hello)
	if !errors.Is(err, syscall.ECONNRESET) {
		t.Errorf("the client sees %v, want a reset", err)
	}
}

func TestFailsInTheMiddleOfAStream(t *testing.T) {
	got, err := streamed(t, script.Start(t, steps(t, "say One two.\nfault error Overloaded")...), ask("hi"))
	if err == nil || !strings.Contains(err.Error(), "Overloaded") || got.Text != "One" {
		t.Errorf("%+v, error %v", got, err)
	}
}

func TestWritesALongLine(t *testing.T) {
	// F-29
	res, err := http.Post(script.Start(t, steps(t, "fault long-line")...).URL+"/chat/completions", "",
		strings.NewReader(strings.Replace(hello, "{", `{"stream":true,`, 1)))
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	longest := 0
	lines := bufio.NewReader(res.Body)
	for {
		line, err := lines.ReadBytes('\n')
		longest = max(longest, len(line))
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if longest < 2<<20 || longest > 2<<20+1000 {
		t.Errorf("the longest line has %d bytes", longest)
	}
}

func TestEndsLinesAsAsked(t *testing.T) {
	_, got, err := post(t, script.Start(t, steps(t, "wire crlf\nsay hi")...).URL,
		strings.Replace(hello, "{", `{"stream":true,`, 1))
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(got, "\n"); n == 0 || n != strings.Count(got, "\r\n") ||
		!strings.HasSuffix(got, "data: [DONE]\r\n\r\n") {
		t.Errorf("%q", got)
	}
}

func TestChoosesTheStep(t *testing.T) {
	s := script.Start(t, steps(t, "say first\n\nroute inventory\n\nfor router\nsay Hello!\n\ntimes 2\ncall again")...)
	want := []struct {
		tool string
		gist gist
	}{
		{"route_to_agent", gist{Calls: []string{`call_1 route_to_agent {"agent":"inventory","reasoning":"scripted"}`},
			Finish: "tool_calls"}},
		{"list_extras", gist{Text: "first", Finish: "stop"}},
		{"route_to_agent", gist{Text: "Hello!", Finish: "stop"}},
		{"list_extras", gist{Calls: []string{"call_2 again {}"}, Finish: "tool_calls"}},
		{"list_extras", gist{Calls: []string{"call_2_2 again {}"}, Finish: "tool_calls"}}, // F-25
	}
	for i, w := range want {
		if left := len(s.Unused()); left == 0 {
			t.Errorf("request %d: nothing is left", i+1)
		}
		w.gist.Choices, w.gist.Tokens = 1, 110
		got, err := streamed(t, s, ask("hi", w.tool))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(w.gist, got); diff != "" {
			t.Errorf("request %d: %s", i+1, diff)
		}
	}
	if left := s.Unused(); len(left) > 0 {
		t.Errorf("left: %q", left)
	}
}

func TestAnswersForEver(t *testing.T) {
	s := script.Start(t, steps(t, "times forever\nfault 503")...) // F-18
	for range 3 {
		if res, _, err := post(t, s.URL, hello); err != nil || res.StatusCode != 503 {
			t.Fatal(res, err)
		}
	}
	if left := s.Unused(); len(left) > 0 {
		t.Errorf("left: %q", left)
	}
}

// witness is a test that may fail without failing this one.
type witness struct {
	*testing.T
	errors []string
}

func (w *witness) Errorf(format string, args ...any) {
	w.errors = append(w.errors, fmt.Sprintf(format, args...))
}

func TestFailsTheTestWhenNothingIsLeft(t *testing.T) {
	w := &witness{T: t}
	s := script.Start(w, steps(t, "say hi")...)
	for range 2 {
		_, _ = whole(s, ask("hi", "f"))
	}
	res, body, err := post(t, s.URL, hello)
	if err != nil {
		t.Fatal(err)
	}
	if res.StatusCode != 500 || res.Header.Get("X-Should-Retry") != "false" ||
		!strings.Contains(body, `"message":"the script has no answer for request 3"`) {
		t.Errorf("%d %s", res.StatusCode, body)
	}
	want := []string{
		`model: the script has no answer for request 2; it offers ["f"] and ends with the user message "hi"`,
		`model: the script has no answer for request 3; it offers [] and ends with the user message "hi"`,
	}
	if diff := cmp.Diff(want, w.errors); diff != "" {
		t.Error(diff)
	}
	res, err = http.Get(s.URL + "/models")
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	if res.StatusCode != 404 || len(w.errors) != 3 || !strings.Contains(w.errors[2], "not GET /v1/models") {
		t.Error(res.Status, w.errors)
	}
}

func TestRemembersRequests(t *testing.T) {
	s := script.Start(t, steps(t, "say hi")...)
	p := ask("Which extras?", "list_extras", "create_extra")
	p.Messages = append([]openai.ChatCompletionMessageParamUnion{openai.SystemMessage("You know the stock.")},
		p.Messages...)
	p.Messages = append(p.Messages,
		openai.ChatCompletionMessageParamUnion{OfAssistant: &openai.ChatCompletionAssistantMessageParam{ToolCalls: []openai.ChatCompletionMessageToolCallUnionParam{
			{OfFunction: &openai.ChatCompletionMessageFunctionToolCallParam{ID: "c1",
				Function: openai.ChatCompletionMessageFunctionToolCallFunctionParam{Name: "list_extras",
					Arguments: `{"a":1}`}}},
		}}},
		openai.ToolMessage("none", "c1"))
	p.Temperature, p.MaxCompletionTokens = openai.Float(0), openai.Int(50)
	p.ToolChoice = openai.ToolChoiceOptionFunctionToolChoice(openai.ChatCompletionNamedToolChoiceFunctionParam{Name: "list_extras"})
	if _, err := streamed(t, s, p); err != nil {
		t.Fatal(err)
	}
	got := s.Requests()
	if len(got) != 1 {
		t.Fatalf("%d requests", len(got))
	}
	r := got[0]
	if !json.Valid(r.Body) || !bytes.Contains(r.Body, []byte("You know the stock.")) ||
		r.Header.Get("Content-Type") != "application/json" {
		t.Errorf("body %s, header %v", r.Body, r.Header)
	}
	r.Body, r.Header = nil, nil
	zero := 0.0
	want := script.Request{API: script.Chat,
		Number: 1, Model: "m", Stream: true, IncludeUsage: true, Temperature: &zero, MaxTokens: 50,
		ToolChoice:    "list_extras",
		Authorization: "Bearer sk-test", Tools: []string{"list_extras", "create_extra"},
		Messages: []script.Message{
			{Role: "system", Content: "You know the stock."},
			{Role: "user", Content: "Which extras?"},
			{Role: "assistant", ToolCalls: []script.Call{{ID: "c1", Name: "list_extras", Arguments: `{"a":1}`}}},
			{Role: "tool", Content: "none", ToolCallID: "c1"},
		},
	}
	if diff := cmp.Diff(want, r); diff != "" {
		t.Error(diff)
	}
	if r.Last("user").Content != "Which extras?" || r.Last("").Role != "tool" || r.Last("robot").Role != "" {
		t.Error("Last finds another message")
	}
}

func TestRefusesWhatOpenAIRefuses(t *testing.T) {
	const calls = `{"role":"user","content":"hi"},{"role":"assistant","content":null,"tool_calls":[{"id":"c1",` +
		`"type":"function","function":{"name":"f","arguments":"{}"}},{"id":"c2","type":"function",` +
		`"function":{"name":"f","arguments":"{}"}}]}`
	messages := func(list string) string { return `{"model":"m","messages":[` + list + `]}` }
	tests := map[string]struct{ body, want string }{
		"no JSON":     {`{"model":`, "the body is not a chat request"},
		"no model":    {`{"messages":[{"role":"user","content":"hi"}]}`, "no model"},
		"no messages": {messages(""), "there are no messages"},
		"a result without a call": {messages(`{"role":"tool","tool_call_id":"c9","content":"x"}`),
			`messages[0] is the result of "c9"`},
		"a call without a result": {messages(calls + `,{"role":"tool","tool_call_id":"c1","content":"x"}`),
			"messages[1] has calls without a result right after it: c2"},
		"talk between the two": {messages(calls + `,{"role":"user","content":"x"}`),
			"messages[1] has calls without a result right after it: c1, c2"},
		"a result twice": {messages(calls +
			`,{"role":"tool","tool_call_id":"c1","content":"x"},{"role":"tool","tool_call_id":"c2","content":"x"},` +
			`{"role":"tool","tool_call_id":"c1","content":"x"}`), `messages[4] is the result of "c1"`},
		"an id twice": {messages(strings.ReplaceAll(calls, "c2", "c1") +
			`,{"role":"tool","tool_call_id":"c1","content":"x"}`), `messages[1] uses the call id "c1" twice`}, // F-24
		"a result without an id": {messages(`{"role":"tool","content":"x"}`), "messages[0]: a tool message"},
		"a result without content": {messages(calls +
			`,{"role":"tool","tool_call_id":"c1"},{"role":"tool","tool_call_id":"c2","content":"x"}`),
			"messages[2]: a tool message has no content"},
		"an assistant that is mute": {messages(`{"role":"assistant","content":null}`),
			"messages[0]: an assistant message has neither"},
		"no calls in the list": {messages(`{"role":"assistant","content":"x","tool_calls":[]}`),
			"messages[0]: tool_calls is an empty list"},
		"calls of a user": {messages(strings.ReplaceAll(calls, "assistant", "user")),
			"messages[1]: a user message has tool_calls"},
		"a call without arguments": {messages(strings.ReplaceAll(calls, `,"arguments":"{}"`, "")),
			"messages[1]: tool_calls[0] lacks"},
		"an unknown role":     {messages(`{"role":"robot","content":"x"}`), `messages[0]: the role "robot"`},
		"a number as content": {messages(`{"role":"user","content":7}`), "messages[0]: content is neither"},
		"a choice without tools": {strings.Replace(hello, "{", `{"tool_choice":"auto",`, 1),
			"tool_choice is sent without tools"},
		"a choice not offered": {strings.Replace(hello, "{",
			`{"tools":[{"type":"function","function":{"name":"f"}}],"tool_choice":{"type":"function",`+
				`"function":{"name":"g"}},`, 1), `tool_choice names "g"`},
		"a tool twice": {strings.Replace(hello, "{",
			`{"tools":[{"type":"function","function":{"name":"f"}},{"type":"function","function":{"name":"f"}}],`, 1),
			`two tools are named "f"`},
		"usage without a stream": {strings.Replace(hello, "{", `{"stream_options":{"include_usage":true},`, 1),
			"stream_options is sent without stream"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			s := script.Start(t, steps(t, "say still there")...)
			res, body, err := post(t, s.URL, tt.body)
			if err != nil {
				t.Fatal(err)
			}
			if res.StatusCode != 400 || !strings.Contains(body, `"type":"invalid_request_error"`) {
				t.Errorf("%d %s", res.StatusCode, body)
			}
			if v := s.Violations(); len(v) != 1 || !strings.HasPrefix(v[0], "request 1: ") ||
				!strings.Contains(v[0], tt.want) {
				t.Errorf("violations %q, want %s", v, tt.want)
			}
			if got, err := whole(s, ask("hi")); err != nil || got.Text != "still there" {
				t.Errorf("the step was used: %+v, %v", got, err)
			}
			if len(s.Violations()) != 1 || len(s.Requests()) != 2 {
				t.Errorf("violations %q, %d requests", s.Violations(), len(s.Requests()))
			}
		})
	}
}

func TestHoldsAnAnswerBack(t *testing.T) {
	hold, arrived := make(chan struct{}), make(chan script.Request, 1)
	s := script.Start(t, script.Step{Text: "late", Hold: hold, Arrived: func(r script.Request) { arrived <- r }})
	answered := make(chan gist, 1)
	go func() {
		g, err := whole(s, ask("hi"))
		if err != nil {
			t.Error(err)
		}
		answered <- g
	}()
	if r := <-arrived; r.Last("user").Content != "hi" {
		t.Errorf("%+v", r)
	}
	select {
	case g := <-answered:
		t.Errorf("%+v came before it was let go", g)
	default:
	}
	close(hold)
	if g := <-answered; g.Text != "late" {
		t.Errorf("%+v", g)
	}
}

func TestHoldsAStreamInItsMiddle(t *testing.T) {
	hold := make(chan struct{})
	s := script.Start(t, script.Step{Text: "One two three.", Hold: hold, HoldAfter: 2})
	c := client(s)
	stream := c.NewStreaming(context.Background(), ask("hi"))
	defer stream.Close()
	var text string
	for text == "" && stream.Next() {
		text += stream.Current().Choices[0].Delta.Content
	}
	if text != "One" {
		t.Fatalf("%q came before the hold", text)
	}
	close(hold)
	for stream.Next() {
		text += stream.Current().Choices[0].Delta.Content
	}
	if err := stream.Err(); err != nil || text != "One two three." {
		t.Errorf("%q, %v", text, err)
	}
}

func TestLetsGoOfAClientThatLeaves(t *testing.T) {
	ctx, leave := context.WithCancel(context.Background())
	s := script.Start(t, script.Step{Hold: make(chan struct{}), Arrived: func(script.Request) { leave() }})
	c := client(s)
	if _, err := c.New(ctx, ask("hi")); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}

func TestLetsGoWhenTheTestEnds(t *testing.T) {
	ended := make(chan error, 1)
	t.Run("a test that never lets go", func(t *testing.T) {
		arrived := make(chan struct{})
		s := script.Start(t, script.Step{Hold: make(chan struct{}), Arrived: func(script.Request) { close(arrived) }})
		go func() {
			_, err := whole(s, ask("hi"))
			ended <- err
		}()
		<-arrived
	})
	if err := <-ended; err == nil {
		t.Error("the client got an answer")
	}
}

func TestTellsAStoryToOurClient(t *testing.T) {
	// F-17, F-18, F-20, F-21: our client tries again and nobody sees a broken answer.
	s := script.Start(t, steps(t, "fault 429 retry-after=1\nfault html-502\nfault reset\nfault cut-args "+
		"create_extra {\"name\":\"X\"\nfault no-finish\nfault end-stream\n\ncall list_extras {}")...)
	var pauses []time.Duration
	model, err := own.New(own.Config{BaseURL: s.URL, APIKey: "sk-test", Retries: 6, Wait: func(_ context.Context,
		d time.Duration) error {
		pauses = append(pauses, d)
		return nil
	}})
	if err != nil {
		t.Fatal(err)
	}
	got, err := model.Answer(context.Background(), llm.Request{Messages: []llm.Message{{Role: llm.User, Text: "hi"}}},
		nil)
	if err != nil {
		t.Fatal(err)
	}
	want := []llm.Call{{ID: "call_2", Name: "list_extras", Arguments: "{}"}}
	if diff := cmp.Diff(want, got.Calls); diff != "" || got.Text != "" {
		t.Error(got.Text, diff)
	}
	if len(pauses) != 6 || pauses[0] != time.Second || len(s.Violations()) > 0 || len(s.Unused()) > 0 {
		t.Errorf("pauses %v, violations %q, left %q", pauses, s.Violations(), s.Unused())
	}
}

func TestServesWithoutAListener(t *testing.T) {
	s := script.New(script.Step{Text: "hi"})
	for _, want := range []int{200, 500} {
		rec := httptest.NewRecorder()
		s.ServeHTTP(rec, httptest.NewRequest("POST", "/v1/chat/completions", strings.NewReader(hello)))
		if rec.Code != want {
			t.Errorf("%d %s, want %d", rec.Code, rec.Body, want)
		}
	}
}
