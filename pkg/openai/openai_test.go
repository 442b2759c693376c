package openai_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/llm"
	"github.com/bellhop-ai/bellhop/pkg/openai"
)

const key = "sk-local-0123456789abcdef"

// step is one answer of the provider.
type step struct {
	status int // 0 = 200
	header map[string]string
	body   string
	cut    bool // the connection breaks after the body
	bytes  bool // one byte a write
}

// provider answers with one step after the other, the last one for ever.
type provider struct {
	mu     sync.Mutex
	steps  []step
	bodies []string
	heads  []http.Header
	paths  []string
}

func (p *provider) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	p.mu.Lock()
	s := p.steps[min(len(p.bodies), len(p.steps)-1)]
	p.bodies, p.heads, p.paths = append(p.bodies, string(body)), append(p.heads, r.Header), append(p.paths, r.URL.Path)
	p.mu.Unlock()
	kind := "application/json"
	if strings.Contains(s.body, "data:") {
		kind = "text/event-stream"
	}
	w.Header().Set("Content-Type", kind)
	for k, v := range s.header {
		w.Header().Set(k, v)
	}
	if s.status != 0 {
		w.WriteHeader(s.status)
	}
	if s.bytes {
		for i := range len(s.body) {
			_, _ = io.WriteString(w, s.body[i:i+1])
			w.(http.Flusher).Flush()
		}
	} else {
		_, _ = io.WriteString(w, s.body)
	}
	if s.cut {
		w.(http.Flusher).Flush()
		panic(http.ErrAbortHandler)
	}
}

func (p *provider) calls() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.bodies)
}

// now is an instant of which HTTP-dates can be computed.
func now() time.Time { return time.Date(2026, 5, 4, 10, 0, 0, 0, time.UTC) }

// start returns a client of a provider with these steps, and the pauses that
// it made.
func start(t testing.TB, cfg openai.Config, steps ...step) (*openai.Client, *provider, *[]time.Duration) {
	t.Helper()
	p := &provider{steps: steps}
	s := httptest.NewServer(p)
	t.Cleanup(s.Close)
	var pauses []time.Duration
	cfg.BaseURL = s.URL + "/v1"
	if cfg.APIKey == "" {
		cfg.APIKey = key
	}
	if cfg.Profile == "" {
		cfg.Profile = "openai"
	}
	cfg.Wait = func(_ context.Context, d time.Duration) error { pauses = append(pauses, d); return nil }
	cfg.Now = now
	c, err := openai.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return c, p, &pauses
}

func hello() llm.Request {
	return llm.Request{Messages: []llm.Message{{Role: llm.User, Text: "Is the suite free?"}}}
}

// whole is an unstreamed answer with this message and reason.
func whole(message, reason string) step {
	return step{body: fmt.Sprintf(`{"id":"c1","model":"gpt-4o-mini-2024","choices":[{"index":0,"message":%s,`+
		`"finish_reason":%s}],"usage":{"prompt_tokens":12,"completion_tokens":3,`+
		`"prompt_tokens_details":{"cached_tokens":8}}}`, message, reason)}
}

// chunks is a stream of deltas that ends with this reason.
func chunks(reason string, deltas ...string) string {
	var b strings.Builder
	for _, d := range deltas {
		fmt.Fprintf(&b, "data: {\"model\":\"m\",\"choices\":[{\"index\":0,\"delta\":%s,\"finish_reason\":null}]}\n\n",
			d)
	}
	fmt.Fprintf(&b, "data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":%q}]}\n\n", reason)
	b.WriteString("data: {\"choices\":[],\"usage\":{\"prompt_tokens\":12,\"completion_tokens\":3}}" +
		"\n\ndata: [DONE]\n\n")
	return b.String()
}

func TestAnswersInOnePiece(t *testing.T) {
	two := `{"role":"assistant","content":null,"tool_calls":[{"id":"a","type":"function",` +
		`"function":{"name":"list_rooms","arguments":"{}"}},{"id":"b","type":"function",` +
		`"function":{"name":"get_room","arguments":"{\"room\":\"101\"}"}}]}`
	rooms := llm.Call{ID: "a", Name: "list_rooms", Arguments: "{}"}
	room := llm.Call{ID: "b", Name: "get_room", Arguments: `{"room":"101"}`}
	tests := map[string]struct {
		message, reason string
		want            llm.Answer
		kind            fault.Kind
		tries           int
	}{
		"text": {message: `{"content":"Yes, it is.","refusal":null}`, reason: `"stop"`,
			want: llm.Answer{Text: "Yes, it is.", Finish: llm.Stopped}},
		"text in parts": {message: `{"content":[{"type":"text","text":"Yes, "},{"type":"text","text":"it is."}]}`,
			reason: `"stop"`, want: llm.Answer{Text: "Yes, it is.", Finish: llm.Stopped}},
		"calls": {message: two, reason: `"tool_calls"`,
			want: llm.Answer{Calls: []llm.Call{rooms, room}, Finish: llm.ToolCall}},
		"calls that end with stop": {message: two, reason: `"stop"`,
			want: llm.Answer{Calls: []llm.Call{rooms, room}, Finish: llm.ToolCall}},
		"cut calls are not returned": {message: two, reason: `"length"`,
			want: llm.Answer{Finish: llm.Length}}, // F-21
		"withheld calls are not": {message: two, reason: `"content_filter"`,
			want: llm.Answer{Finish: llm.Filtered}}, // F-26
		"a refusal": {message: `{"content":null,"refusal":"I cannot."}`, reason: `"stop"`,
			want: llm.Answer{Refusal: "I cannot.", Finish: llm.Stopped}}, // F-26
		"no content at all": {message: `{"content":null}`, reason: `"stop"`, kind: fault.Upstream,
			tries: 3}, // F-26
		"promised calls that are absent": {message: `{"content":"One moment."}`, reason: `"tool_calls"`,
			kind: fault.Upstream, tries: 3},
		"the legacy way to call": {message: `{"content":null,"function_call":{"name":"list_rooms","arguments":"{}"}}`,
			reason: `"function_call"`, kind: fault.Upstream, tries: 1},
		"an unknown reason": {message: `{"content":"Yes"}`, reason: `"gremlins"`, kind: fault.Upstream,
			tries: 3},
		"no reason": {message: `{"content":"Yes"}`, reason: `null`, kind: fault.Upstream,
			tries: 3}, // F-21
		"a call without a name": {message: `{"tool_calls":[{"id":"a","function":{"arguments":"{}"}}]}`,
			reason: `"tool_calls"`, kind: fault.Upstream, tries: 3},
		"arguments as an object": {message: `{"tool_calls":[{"id":"b","function":{"name":"get_room",` +
			`"arguments":{"room":"101"}}}]}`, reason: `"tool_calls"`, want: llm.Answer{Calls: []llm.Call{room},
			Finish: llm.ToolCall}},
		"missing and repeated ids": {
			message: `{"tool_calls":[{"function":{"name":"x","arguments":"1"}},{"id":"a","function":{"name":"x",` +
				`"arguments":"2"}},{"id":"a","function":{"name":"x","arguments":"3"}},{"id":"a_2",` +
				`"function":{"name":"x","arguments":"4"}}]}`, reason: `"tool_calls"`,
			want: llm.Answer{Finish: llm.ToolCall, Calls: []llm.Call{{ID: "call_0", Name: "x", Arguments: "1"},
				{ID: "a", Name: "x", Arguments: "2"}, {ID: "a_3", Name: "x", Arguments: "3"}, {ID: "a_2", Name: "x",
					Arguments: "4"}}},
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			c, p, _ := start(t, openai.Config{}, whole(tt.message, tt.reason))
			got, err := c.Answer(t.Context(), hello(), nil)
			if kind := fault.KindOf(err); kind != tt.kind {
				t.Fatalf("kind %q, want %q (%v)", kind, tt.kind, err)
			}
			if tt.kind == "" {
				tt.want.Model, tt.want.Usage = "gpt-4o-mini-2024", llm.Usage{In: 12, Out: 3, Cached: 8, Calls: 1}
				tt.tries = 1
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Error(diff)
			}
			if p.calls() != tt.tries {
				t.Errorf("%d tries, want %d", p.calls(), tt.tries)
			}
		})
	}
}

func TestStreamsCalls(t *testing.T) {
	one := `{"tool_calls":[{"index":%s,"id":"a","function":{"name":"list_rooms","arguments":""}}]}`
	list := llm.Call{ID: "a", Name: "list_rooms", Arguments: `{"floor":1}`}
	get := llm.Call{ID: "b", Name: "get_room", Arguments: `{"room":"101"}`}
	tests := map[string]struct {
		deltas []string
		want   []llm.Call
	}{
		"by index": {deltas: []string{
			fmt.Sprintf(one, "0"), `{"tool_calls":[{"index":0,"function":{"arguments":"{\"floor\""}}]}`,
			`{"tool_calls":[{"index":1,"id":"b","function":{"name":"get_room","arguments":"{\"room\":"}}]}`,
			`{"tool_calls":[{"index":0,"function":{"arguments":":1}"}},{"index":1,"function":{"arguments":"\"101\"}` +
				`"}}]}`,
		}, want: []llm.Call{list, get}},
		"in the order of the indexes": {deltas: []string{
			`{"tool_calls":[{"index":1,"id":"b","function":{"name":"get_room","arguments":"{\"room\":\"101\"}"}}]}`,
			`{"tool_calls":[{"index":0,"id":"a","function":{"name":"list_rooms","arguments":"{\"floor\":1}"}}]}`,
		}, want: []llm.Call{list, get}},
		"with index -1, by id": {deltas: []string{
			fmt.Sprintf(one, "-1"), `{"tool_calls":[{"index":-1,"id":"b","function":{"name":"get_room",` +
				`"arguments":"{\"room\""}}]}`,
			`{"tool_calls":[{"index":-1,"id":"a","function":{"arguments":"{\"floor\":1}"}}]}`,
			`{"tool_calls":[{"index":-1,"id":"b","function":{"arguments":":\"101\"}"}}]}`,
		}, want: []llm.Call{list, get}},
		"without an index, by order": {deltas: []string{
			`{"tool_calls":[{"id":"a","function":{"name":"list_rooms","arguments":"{\"floor\""}}]}`,
			`{"tool_calls":[{"function":{"arguments":":1}"}}]}`,
			`{"tool_calls":[{"id":"b","function":{"name":"get_room","arguments":"{\"room\":\"101\"}"}}]}`,
		}, want: []llm.Call{list, get}},
		"without index and id": {deltas: []string{
			`{"tool_calls":[{"function":{"name":"list_rooms","arguments":"{\"floor\":1}"}},` +
				`{"function":{"name":"get_room","arguments":"{\"room\":\"101\"}"}}]}`,
		}, want: []llm.Call{{ID: "call_0", Name: list.Name, Arguments: list.Arguments}, {ID: "call_1", Name: get.Name,
			Arguments: get.Arguments}}},
		"with index 0 for all": {deltas: []string{
			`{"tool_calls":[{"index":0,"id":"a","function":{"name":"list_rooms","arguments":"{\"floor\":1}"}}]}`,
			`{"tool_calls":[{"index":0,"id":"b","function":{"name":"get_room","arguments":"{\"room\":"}}]}`,
			`{"tool_calls":[{"index":0,"function":{"arguments":"\"101\"}"}}]}`,
		}, want: []llm.Call{list, get}},
		"with a new id at every piece": {deltas: []string{
			fmt.Sprintf(one, "0"), `{"tool_calls":[{"index":0,"id":"z","function":{"arguments":"{\"floor\":1}"}}]}`,
		}, want: []llm.Call{list}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			c, _, _ := start(t, openai.Config{}, step{body: chunks("tool_calls", tt.deltas...)})
			got, err := c.Answer(t.Context(), hello(), func(text string) error {
				return fmt.Errorf("shown: %q",
					text)
			})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, got.Calls); diff != "" || got.Finish != llm.ToolCall {
				t.Errorf("finish %q %s", got.Finish, diff)
			}
		})
	}
}

// F-29
func TestReadsEveryFormOfAStreamAlike(t *testing.T) {
	plain := chunks("stop", `{"role":"assistant","content":"Grüße "}`, `{"content":""}`, `{"content":"aus München 🏨"}`)
	tests := map[string]step{
		"in one piece":        {body: plain},
		"one byte at a time":  {body: plain, bytes: true},
		"CRLF":                {body: strings.ReplaceAll(plain, "\n", "\r\n")},
		"CRLF, byte by byte":  {body: strings.ReplaceAll(plain, "\n", "\r\n"), bytes: true},
		"a byte order mark":   {body: "\uFEFF" + plain},
		"comments":            {body: ": hello\n\n" + strings.ReplaceAll(plain, "\n\n", "\n\n: keep-alive\n\n")},
		"data of many lines":  {body: strings.ReplaceAll(plain, `"choices":`, "\ndata: \"choices\":\ndata: ")},
		"an unknown event":    {body: "event: ping\ndata: now\n\n" + plain},
		"no blank after data": {body: strings.ReplaceAll(plain, "data: ", "data:")},
		"no DONE":             {body: strings.TrimSuffix(plain, "data: [DONE]\n\n")},
		"a cut after the end": {body: strings.TrimSuffix(plain, "data: [DONE]\n\n"), cut: true},
	}
	for name, s := range tests {
		t.Run(name, func(t *testing.T) {
			c, _, _ := start(t, openai.Config{}, s)
			var shown []string
			got, err := c.Answer(t.Context(), hello(), func(text string) error {
				shown = append(shown,
					text)
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
			want := llm.Answer{Text: "Grüße aus München 🏨", Finish: llm.Stopped, Model: "m", Usage: llm.Usage{In: 12,
				Out: 3, Calls: 1}}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Error(diff)
			}
			if diff := cmp.Diff([]string{"Grüße ", "aus München 🏨"}, shown); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestShowsTheTextOfAServerThatDoesNotStream(t *testing.T) {
	c, _, _ := start(t, openai.Config{}, whole(`{"content":"Yes."}`, `"stop"`))
	var shown string
	got, err := c.Answer(t.Context(), hello(), func(text string) error { shown += text; return nil })
	if err != nil || got.Text != "Yes." || shown != "Yes." {
		t.Errorf("got %q, shown %q, %v", got.Text, shown, err)
	}
}

func TestFaults(t *testing.T) {
	good := step{body: chunks("stop", `{"content":"Yes."}`)}
	text := "data: {\"choices\":[{\"delta\":{\"content\":\"Ye\"}}]}\n\n"
	call := "data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":0,\"id\":\"a\"," +
		"\"function\":{\"name\":\"cancel_booking\",\"arguments\":\"{\\\"co\"}}]}}]}\n\n"
	status := func(n int, body string) step { return step{status: n, body: body} }
	wait := func(n int, v string) step {
		return step{status: n, header: map[string]string{"Retry-After": v},
			body: `{"error":{"message":"slow down","code":"rate_limit_exceeded"}}`}
	}
	tests := map[string]struct {
		steps      []step
		kind       fault.Kind // "" = the answer comes
		code       string
		retryAfter time.Duration
		tries      int
		pause      time.Duration // of the first pause, when the provider names it
		shown      string
	}{
		"waits as asked": {steps: []step{wait(429, "1"), good}, tries: 2, pause: time.Second,
			shown: "Yes."}, // F-17
		"waits till the date": {steps: []step{wait(429,
			now().Add(3*time.Second).Format(http.TimeFormat)), good}, tries: 2, pause: 3 * time.Second,
			shown: "Yes."}, // F-17
		"waits milliseconds": {steps: []step{{status: 429,
			header: map[string]string{"Retry-After-Ms": "1500", "Retry-After": "2"}, body: "{}"}, good}, tries: 2,
			pause: 1500 * time.Millisecond, shown: "Yes."}, // F-17
		"ignores a wait that is garbage": {steps: []step{wait(429, "soon"), good}, tries: 2,
			shown: "Yes."}, // F-17
		"ignores a wait that is no number": {steps: []step{wait(429, "NaN"), good}, tries: 2,
			shown: "Yes."}, // F-17
		"does not wait ten minutes": {steps: []step{wait(429, "600"), good}, kind: fault.Limited,
			retryAfter: 10 * time.Minute, tries: 1}, // F-17
		"bounds an absurd wait": {steps: []step{wait(429, "1e400"), good}, kind: fault.Limited,
			retryAfter: 24 * time.Hour, tries: 1}, // F-17
		"gives up on a limit": {steps: []step{wait(429, "2")}, kind: fault.Limited,
			retryAfter: 2 * time.Second, tries: 3, pause: 2 * time.Second}, // F-17
		"knows a used up account": {steps: []step{status(429, `{"error":{"code":"insufficient_quota"}}`)},
			kind: fault.Unavailable, code: "model_unavailable", tries: 1},
		"repeats one 500": {steps: []step{status(500, "{}"), good}, tries: 2,
			shown: "Yes."}, // F-18
		"repeats two bad gateways": {steps: []step{status(502, "<html>Bad"), status(503, ""), good}, tries: 3,
			shown: "Yes."}, // F-18
		"gives up on a page for ever": {steps: []step{{status: 502,
			header: map[string]string{"Content-Type": "text/html"}, body: "<html>Bad gateway"}}, kind: fault.Upstream,
			tries: 3}, // F-18
		"repeats 408": {steps: []step{status(408, ""), good}, tries: 2, shown: "Yes."},
		"repeats 409": {steps: []step{status(409, ""), good}, tries: 2, shown: "Yes."},
		"obeys x-should-retry": {steps: []step{{status: 500,
			header: map[string]string{"X-Should-Retry": "false"}, body: "{}"}, good}, kind: fault.Upstream, tries: 1},
		"refuses a page as an answer": {steps: []step{{header: map[string]string{"Content-Type": "text/html"},
			body: "<html>Welcome"}}, kind: fault.Upstream, tries: 3},
		"repeats a connection cut at once": {steps: []step{{cut: true}, good}, tries: 2,
			shown: "Yes."}, // F-19
		"does not repeat shown text": {steps: []step{{body: text, cut: true}, good}, kind: fault.Unavailable,
			tries: 1, shown: "Ye"}, // F-19
		"repeats a cut in the arguments": {steps: []step{{body: call, cut: true}, good}, tries: 2,
			shown: "Yes."}, // F-20
		"never calls with cut arguments": {steps: []step{{body: call, cut: true}}, kind: fault.Unavailable,
			tries: 3}, // F-20
		"not even after text": {steps: []step{{body: text + call, cut: true}, good},
			kind: fault.Unavailable, tries: 1, shown: "Ye"}, // F-20
		"a silent end is an error": {steps: []step{{body: text}, good}, kind: fault.Upstream, tries: 1,
			shown: "Ye"}, // F-21
		"DONE without a reason is one too": {steps: []step{{body: call + "data: [DONE]\n\n"}}, kind: fault.Upstream,
			tries: 3}, // F-21
		"a half event is one too": {steps: []step{{body: text +
			"data: {\"choices\":[{\"finish_reason\":\"stop\"}]}"}}, kind: fault.Upstream, tries: 1,
			shown: "Ye"}, // F-21
		"repeats a silent end without text": {steps: []step{{body: ": hi\n\ndata: {\"choices\":[]}\n\n"}, good},
			tries: 2, shown: "Yes."}, // F-21
		"repeats an empty answer": {steps: []step{{body: chunks("stop")}, good}, tries: 2,
			shown: "Yes."}, // F-26
		"gives up on no choices": {steps: []step{{body: `{"choices":[]}`}}, kind: fault.Upstream,
			tries: 3}, // F-26
		"repeats an error in the stream": {steps: []step{{body: "data: {\"error\":{\"message\":\"overloaded\"," +
			"\"type\":\"server_error\"}}\n\n"}, good}, tries: 2, shown: "Yes."},
		"an error after text is one": {steps: []step{{body: text +
			"data: {\"error\":{\"message\":\"overloaded\"}}\n\n"}, good}, kind: fault.Upstream, tries: 1, shown: "Ye"},
		"an error event is one": {steps: []step{{body: text +
			"event: error\ndata: {\"message\":\"overloaded\"}\n\n"}, good}, kind: fault.Upstream, tries: 1,
			shown: "Ye"},
		"a limit in the stream": {steps: []step{{body: "data: {\"error\":{\"message\":\"slow\",\"code\":429}}\n\n"}},
			kind: fault.Limited, tries: 3},
		"refuses a line of 2 MiB": {steps: []step{{body: "data: {\"x\":\"" + strings.Repeat("x", 2<<20) +
			"\"}\n\n" + good.body}}, kind: fault.Upstream, tries: 1}, // F-29
		"refuses a stream without end": {steps: []step{{body: strings.Repeat(": "+strings.Repeat("x", 1<<19)+"\n",
			40) + "data:"}}, kind: fault.Upstream, tries: 1},
		"broken JSON in the stream": {steps: []step{{body: "data: {\"choices\":[\n\n"}, good}, tries: 2,
			shown: "Yes."},
		"a prompt that is too long": {steps: []step{status(400,
			`{"error":{"message":"no","type":"invalid_request_error","code":"context_length_exceeded"}}`)},
			kind: fault.Unprocessable, code: "context_length", tries: 1}, // F-32
		"the same in words of others": {steps: []step{status(400,
			`{"object":"error","message":"This model's maximum context length is 4096 tokens.","code":400}`)},
			kind: fault.Unprocessable, code: "context_length", tries: 1}, // F-32
		"the same from a small server": {steps: []step{status(400,
			`{"error":{"code":400,"message":"too big","type":"exceed_context_size_error"}}`)},
			kind: fault.Unprocessable, code: "context_length", tries: 1}, // F-32
		"any other bad request": {steps: []step{status(400, `{"error":"bad schema"}`)},
			kind: fault.Upstream, code: "model_bad_request", tries: 1},
		"a wrong key": {steps: []step{status(401,
			`{"error":{"message":"Incorrect API key provided: `+key+`"}}`)}, kind: fault.Unavailable,
			code: "model_unavailable", tries: 1},
		"a forbidden region": {steps: []step{status(403, `{}`)}, kind: fault.Unavailable,
			code: "model_unavailable", tries: 1},
		"an unknown model": {steps: []step{status(404, `{"error":{"code":"model_not_found"}}`)},
			kind: fault.Unavailable, code: "model_unavailable", tries: 1},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			c, p, pauses := start(t, openai.Config{}, tt.steps...)
			var shown string
			got, err := c.Answer(t.Context(), hello(), func(text string) error { shown += text; return nil })
			f := fault.From(err)
			if fault.KindOf(err) != tt.kind {
				t.Fatalf("kind %q, want %q (%v)", fault.KindOf(err), tt.kind, err)
			}
			if shown != tt.shown || p.calls() != tt.tries {
				t.Errorf("shown %q in %d tries, want %q in %d (%v)", shown, p.calls(), tt.shown, tt.tries, err)
			}
			if len(*pauses) != tt.tries-1 {
				t.Errorf("pauses %v", *pauses)
			}
			for i, d := range *pauses {
				if i == 0 && tt.pause > 0 && d != tt.pause || d <= 0 || d > 8*time.Second {
					t.Errorf("pauses %v, want %v first", *pauses, tt.pause)
				}
			}
			if f == nil {
				if got.Text != "Yes." || got.Finish != llm.Stopped {
					t.Errorf("got %+v", got)
				}
				return
			}
			if f.Code != tt.code || f.RetryAfter != tt.retryAfter {
				t.Errorf("code %q after %v, want %q after %v", f.Code, f.RetryAfter, tt.code, tt.retryAfter)
			}
			if diff := cmp.Diff(llm.Answer{}, got); diff != "" {
				t.Errorf("an answer beside an error: %s", diff)
			}
			checkWords(t, f)
		})
	}
}

// checkWords checks that the sentence suits people and that no key is logged.
func checkWords(t *testing.T, f *fault.Error) {
	t.Helper()
	for _, word := range []string{"model", "token", "API", "HTTP", "server", "provider", "error"} {
		if strings.Contains(f.Message, word) {
			t.Errorf("the sentence says %q: %s", word, f.Message)
		}
	}
	for err := error(f); err != nil; err = errors.Unwrap(err) {
		if text := fmt.Sprintf("%v %+v %#v", err, err, err); strings.Contains(text, key) {
			t.Errorf("the key is in %T", err)
		}
	}
}

func TestEndsWithItsContext(t *testing.T) {
	t.Run("when it is canceled in the stream", func(t *testing.T) {
		body := "data: {\"choices\":[{\"delta\":{\"content\":\"Ye\"}}]}\n\n"
		release := make(chan struct{})
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/event-stream")
			_, _ = io.WriteString(w, body)
			w.(http.Flusher).Flush()
			<-release
		}))
		defer s.Close()
		defer close(release)
		c, err := openai.New(openai.Config{BaseURL: s.URL})
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		_, err = c.Answer(ctx, hello(), func(string) error { cancel(); return nil })
		if !fault.Is(err, fault.Canceled) || !errors.Is(err, context.Canceled) {
			t.Errorf("got %v", err)
		}
	})
	t.Run("when its time is over", func(t *testing.T) {
		c, p, _ := start(t, openai.Config{}, whole(`{"content":"Yes."}`, `"stop"`))
		ctx, cancel := context.WithDeadline(t.Context(), time.Unix(0, 0))
		defer cancel()
		if _, err := c.Answer(ctx, hello(), nil); !fault.Is(err, fault.Timeout) || p.calls() != 0 {
			t.Errorf("got %v after %d tries", err, p.calls())
		}
	})
	t.Run("without a pause that does not fit", func(t *testing.T) { // F-17
		c, p, pauses := start(t, openai.Config{}, step{status: 429, header: map[string]string{"Retry-After": "5"},
			body: "{}"})
		ctx := deadlineOnly{t.Context(), now().Add(4 * time.Second)}
		_, err := c.Answer(ctx, hello(), nil)
		if f := fault.From(err); f == nil || f.Kind != fault.Limited || f.RetryAfter != 5*time.Second ||
			p.calls() != 1 || len(*pauses) != 0 {
			t.Errorf("got %v after %d tries", err, p.calls())
		}
	})
	t.Run("while it pauses", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		p := httptest.NewServer(&provider{steps: []step{{status: 503}}})
		defer p.Close()
		c, err := openai.New(openai.Config{BaseURL: p.URL, Wait: func(ctx context.Context,
			_ time.Duration) error {
			cancel()
			return ctx.Err()
		}})
		if err != nil {
			t.Fatal(err)
		}
		if _, err = c.Answer(ctx, hello(), nil); !fault.Is(err, fault.Canceled) {
			t.Errorf("got %v", err)
		}
	})
}

// deadlineOnly names a deadline that never comes.
type deadlineOnly struct {
	context.Context
	at time.Time
}

func (d deadlineOnly) Deadline() (time.Time, bool) { return d.at, true }

func TestReturnsWhatShowReturns(t *testing.T) {
	c, p, _ := start(t, openai.Config{}, step{body: chunks("stop", `{"content":"a"}`, `{"content":"b"}`)})
	gone := errors.New("the reader has gone")
	n := 0
	_, err := c.Answer(t.Context(), hello(), func(string) error { n++; return gone })
	if !errors.Is(err, gone) || n != 1 || p.calls() != 1 {
		t.Errorf("got %v after %d pieces and %d tries", err, n, p.calls())
	}
}

// trip is a transport without a network, so that time can be made up.
type trip func(*http.Request) (*http.Response, error)

func (f trip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func TestEndsAStreamOnWhichNothingMoves(t *testing.T) {
	tests := map[string]struct {
		said  string
		tries int
		took  time.Duration // without the pauses
	}{
		"before the first byte": {tries: 2, took: 60 * time.Second},
		"after a comment":       {said: ": hello\n\n", tries: 2, took: 60 * time.Second},
		"after some text": {said: "data: {\"choices\":[{\"delta\":{\"content\":\"Ye\"}}]}\n\n", tries: 1,
			took: 30 * time.Second},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				tries := 0
				c, err := openai.New(openai.Config{
					BaseURL: "http://model.test/v1", Retries: 1,
					Wait: func(context.Context, time.Duration) error { return nil },
					HTTP: &http.Client{Transport: trip(func(r *http.Request) (*http.Response, error) {
						tries++
						out, in := io.Pipe()
						context.AfterFunc(r.Context(), func() { in.CloseWithError(r.Context().Err()) })
						go func() { _, _ = io.WriteString(in, tt.said) }()
						return &http.Response{StatusCode: 200,
							Header: http.Header{"Content-Type": {"text/event-stream"}}, Body: out, Request: r}, nil
					})},
				})
				if err != nil {
					t.Fatal(err)
				}
				began := time.Now()
				_, err = c.Answer(t.Context(), hello(), func(string) error { return nil })
				if !fault.Is(err, fault.Timeout) || tries != tt.tries || time.Since(began) != tt.took {
					t.Errorf("got %v after %d tries and %v", err, tries, time.Since(began))
				}
			})
		})
	}
}

func TestReportsAProviderThatIsAway(t *testing.T) {
	s := httptest.NewServer(http.NotFoundHandler())
	s.Close()
	var seen []openai.Attempt
	c, err := openai.New(openai.Config{
		BaseURL: s.URL, APIKey: key, Retries: 1,
		Wait:   func(context.Context, time.Duration) error { return nil },
		Report: func(_ context.Context, a openai.Attempt) { seen = append(seen, a) },
	})
	if err != nil {
		t.Fatal(err)
	}
	_, err = c.Answer(t.Context(), hello(), nil)
	if !fault.Is(err, fault.Unavailable) {
		t.Fatalf("got %v", err)
	}
	checkWords(t, fault.From(err))
	if len(seen) != 2 || !seen[0].Again || seen[0].Pause <= 0 || seen[1].Again || seen[1].Err == nil {
		t.Errorf("reports %+v", seen)
	}
}

func TestRepeatsAsOftenAsConfigured(t *testing.T) {
	for retries, tries := range map[int]int{-1: 1, 0: 3, 1: 2, 4: 5} {
		c, p, pauses := start(t, openai.Config{Retries: retries}, step{status: 503})
		_, err := c.Answer(t.Context(), hello(), nil)
		if !fault.Is(err, fault.Upstream) || p.calls() != tries {
			t.Errorf("%d retries: %d tries, %v", retries, p.calls(), err)
		}
		for i, d := range *pauses {
			middle := 250 * time.Millisecond << i
			if d < middle/2 || d > middle*3/2 {
				t.Errorf("pause %d is %v, want about %v", i, d, middle)
			}
		}
	}
}

// lazy is a body that gives one event a read, and its end alone.
type lazy struct {
	events []string
	ended  bool // whether the end was read
}

func (l *lazy) Read(p []byte) (int, error) {
	if len(l.events) == 0 {
		l.ended = true
		return 0, io.EOF
	}
	n := copy(p, l.events[0])
	if l.events[0] = l.events[0][n:]; l.events[0] == "" {
		l.events = l.events[1:]
	}
	return n, nil
}

func (l *lazy) Close() error { return nil }

// A connection can only be used again when its body was read to the end.
func TestReadsAStreamToItsEnd(t *testing.T) {
	body := &lazy{events: strings.SplitAfter(strings.TrimSuffix(chunks("stop", `{"content":"Yes."}`), "\n\n"), "\n\n")}
	body.events[len(body.events)-1] += "\n\n"
	c, err := openai.New(openai.Config{BaseURL: "http://model.test/v1",
		HTTP: &http.Client{Transport: trip(func(r *http.Request) (*http.Response, error) {
			return &http.Response{StatusCode: 200, Header: http.Header{"Content-Type": {"text/event-stream"}},
				Body:    body,
				Request: r}, nil
		})}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Answer(t.Context(), hello(), func(string) error { return nil }); err != nil || !body.ended {
		t.Errorf("read to the end: %v, %v", body.ended, err)
	}
}

func TestAskedWithFilteredPromptAnswersFiltered(t *testing.T) { // F-26
	c, _, _ := start(t, openai.Config{}, step{status: 400,
		body: `{"error":{"code":"content_filter","message":"filtered"}}`})
	if a, err := c.Answer(t.Context(), hello(), nil); err != nil || a.Finish != llm.Filtered {
		t.Errorf("got %+v, %v", a, err)
	}
}

// The buffers of bodies are used again, and a provider may answer before it read
// the body or hang up in the middle: no call sends a byte of another's.
func TestBodiesDoNotMix(t *testing.T) {
	text := func(n int) string { return strings.Repeat(string(rune('a'+n%26)), 100_000) }
	var asked, mixed atomic.Int64
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch asked.Add(1) % 4 {
		case 1:
			http.Error(w, "no", http.StatusBadRequest) // of which the body is not read
			return
		case 2:
			_, _ = io.CopyN(io.Discard, r.Body, 50_000)
			panic(http.ErrAbortHandler)
		}
		var got struct{ Messages []struct{ Content string } }
		if err := json.NewDecoder(r.Body).Decode(&got); err != nil || len(got.Messages) != 1 ||
			got.Messages[0].Content != text(int(got.Messages[0].Content[0]-'a')) {
			mixed.Add(1)
		}
		_, _ = io.WriteString(w, whole(`{"content":"Yes."}`, `"stop"`).body)
	}))
	defer s.Close()
	for name, client := range map[string]*http.Client{"of its own": nil, "of another kind": new(http.Client)} {
		c, err := openai.New(openai.Config{BaseURL: s.URL, APIKey: key, Profile: "openai", HTTP: client, Retries: -1})
		if err != nil {
			t.Fatal(err)
		}
		var answered atomic.Int64
		var wg sync.WaitGroup
		for n := range 60 {
			wg.Go(func() {
				r := llm.Request{Messages: []llm.Message{{Role: llm.User, Text: text(n)}}}
				if a, err := c.Answer(t.Context(), r, nil); err == nil && a.Text == "Yes." {
					answered.Add(1)
				}
			})
		}
		wg.Wait()
		if answered.Load() < 20 || mixed.Load() > 0 {
			t.Errorf("a client %s: %d answers, %d bodies are not whole", name, answered.Load(), mixed.Load())
		}
	}
}

// The head of a request waits for its body, and leaves with or without one,
// whatever of both fits into the buffer of the connection.
func TestRequestsOfEverySizeArriveWhole(t *testing.T) {
	t.Parallel()
	var described atomic.Int64
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil || !json.Valid(body) {
			w.WriteHeader(http.StatusBadRequest)
		}
		for name := range r.Header {
			if strings.HasPrefix(name, "X-Stainless-") {
				described.Add(1)
			}
		}
		_, _ = io.WriteString(w, whole(fmt.Sprintf(`{"content":"%d"}`, len(body)), `"stop"`).body)
	}))
	defer s.Close()
	c, err := openai.New(openai.Config{BaseURL: s.URL, APIKey: key, Profile: "openai", Retries: -1})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	empty := 0
	for size := range 2200 { // the buffer has 2,048 bytes, and the head about 200
		if size > 0 && size < 1500 {
			continue
		}
		r := llm.Request{Messages: []llm.Message{{Role: llm.User, Text: strings.Repeat("a", size)}}}
		a, err := c.Answer(ctx, r, nil)
		got, _ := strconv.Atoi(a.Text)
		if size == 0 {
			empty = got
		}
		if err != nil || got != empty+size {
			t.Fatalf("of a text of %d bytes came a body of %d, without it %d: %v", size, got, empty, err)
		}
	}
	if described.Load() > 0 {
		t.Errorf("the provider is told of the machine in %d headers", described.Load())
	}
}

func TestSafeForConcurrentUse(t *testing.T) {
	s := httptest.NewServer(&provider{steps: []step{{body: chunks("stop", `{"content":"Yes."}`)}}})
	defer s.Close()
	c, err := openai.New(openai.Config{BaseURL: s.URL, APIKey: key})
	if err != nil {
		t.Fatal(err)
	}
	r := hello()
	r.Tools = llm.NewToolset(llm.Tool{Name: "list_rooms", Parameters: json.RawMessage(`{"type":"object"}`)})
	var wg sync.WaitGroup
	for range 16 {
		wg.Go(func() {
			if a, err := c.Answer(t.Context(), r, func(string) error { return nil }); err != nil || a.Text != "Yes." {
				t.Errorf("got %+v, %v", a, err)
			}
		})
	}
	wg.Wait()
}
