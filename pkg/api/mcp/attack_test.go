package mcp_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/uuid"

	"github.com/bellhop-ai/bellhop/infra/local/localtest"
	"github.com/bellhop-ai/bellhop/pkg/api/mcp"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/flow"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/tool"
)

const (
	hotel  = "/api/mcp/hospitality"
	latest = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",` +
		`"io.modelcontextprotocol/clientCapabilities":{"elicitation":{}}}`
)

// modern are the headers of a call in the newest version of the protocol.
func modern(tool string) []string {
	return []string{"Mcp-Protocol-Version", "2026-07-28", "Mcp-Method", "tools/call", "Mcp-Name", tool}
}

// S2-26, S0-48, F-73: what is no request of a client of ours is answered with a
// problem or an error of the protocol, never with a failure of the server.
func TestWhatIsSentIsAnsweredWithAKind(t *testing.T) {
	t.Parallel()
	s, org := open(t), localtest.NewOrg(t)
	lacks := localtest.NewOrg(t)
	localtest.Take(t, localtest.Stack(t), lacks.ID, "hospitality")
	token := org.Manager.Token
	message := func(method, params string) string {
		return `{"jsonrpc":"2.0","id":1,"method":"` + method + `","params":` + params + `}`
	}
	ping := message("ping", "{}")
	for name, tc := range map[string]struct {
		method, path, token, body string
		header                    []string
		status                    int
		want                      string // the code of a problem, or that of an error of the protocol
	}{
		"no token":             {"POST", hotel, "", ping, nil, 401, "unauthorized"},
		"a token of nobody":    {"POST", hotel, "abc.def.ghi", ping, nil, 401, "unauthorized"},
		"an unknown assistant": {"POST", "/api/mcp/astrology", token, ping, nil, 404, "unknown_assistant"},
		"another's assistant":  {"POST", hotel, lacks.Admin.Token, ping, nil, 404, "unknown_assistant"},
		"no assistant":         {"POST", "/api/mcp/", token, ping, nil, 404, "not_found"},
		"a stream":             {"GET", hotel, token, "", nil, 405, "method_not_allowed"},
		"the end of a session": {"DELETE", hotel, token, "", nil, 405, "method_not_allowed"},
		"a page of others": {"POST", hotel, token, ping, []string{"Origin", "https://evil.example"}, 403,
			"cross_origin"},
		"a page across sites": {"POST", hotel, token, ping, []string{"Sec-Fetch-Site", "cross-site"}, 403,
			"cross_origin"},
		"10 MB": {"POST", hotel, token, message("ping", `"`+strings.Repeat("a", 10<<20)+`"`), nil,
			413, "too_large"},
		"depth":      {"POST", hotel, token, strings.Repeat("[", 1e5), nil, 422, "unprocessable"},
		"no JSON":    {"POST", hotel, token, "hello", nil, 400, "invalid"},
		"nothing":    {"POST", hotel, token, "", nil, 400, "invalid"},
		"null":       {"POST", hotel, token, "null", nil, 400, "invalid"},
		"a text":     {"POST", hotel, token, `"ping"`, nil, 400, "invalid"},
		"no message": {"POST", hotel, token, "{}", nil, 400, "invalid"},
		"another version": {"POST", hotel, token, `{"jsonrpc":"1.0","id":1,"method":"ping"}`, nil, 400,
			"invalid"},
		"an id that is null": {"POST", hotel, token, `{"jsonrpc":"2.0","id":null,"method":"ping"}`, nil, 400,
			"invalid"},
		"an id that is a list": {"POST", hotel, token, `{"jsonrpc":"2.0","id":[1],"method":"ping"}`, nil, 400,
			"invalid"},
		"an id beyond numbers": {"POST", hotel, token, `{"jsonrpc":"2.0","id":1e400,"method":"ping"}`, nil, 400,
			"invalid"},
		"a request without id": {"POST", hotel, token, `{"jsonrpc":"2.0","method":"tools/list"}`, nil, 400,
			"invalid"},
		"request and response": {"POST", hotel, token, `{"jsonrpc":"2.0","id":1,"method":"ping","result":{}}`, nil,
			400, "invalid"},
		"an empty batch": {"POST", hotel, token, "[]", nil, 400, "invalid"},
		"a batch of too many": {"POST", hotel, token, "[" + strings.Repeat(ping+",", 16) + ping + "]", nil, 400,
			"invalid"},
		"a batch of one id":      {"POST", hotel, token, "[" + ping + "," + ping + "]", nil, 400, "invalid"},
		"a batch in a batch":     {"POST", hotel, token, "[[" + ping + "]]", nil, 400, "invalid"},
		"a batch of the unknown": {"POST", hotel, token, "[" + message("no/such", "{}") + "]", nil, 400, "invalid"},
		"a batch too late": {"POST", hotel, token, "[" + ping + "]", []string{"Mcp-Protocol-Version", "2025-06-18"},
			400,
			"invalid"},
		"a protocol of 1999": {"POST", hotel, token, ping, []string{"Mcp-Protocol-Version", "1999-01-01"}, 400,
			"invalid"},
		"a protocol to come": {"POST", hotel, token, ping, []string{"Mcp-Protocol-Version", "2999-01-01"}, 400,
			"-32602"},
		"a resumed stream": {"POST", hotel, token, ping, []string{"Last-Event-ID", "1"}, 400, "invalid"},
		"another tool's name": {"POST", hotel, token, message("tools/call", `{"name":"list_extras",`+latest+`}`),
			modern("list_packages"), 400, "-32020"},
		"an unknown method": {"POST", hotel, token, message("no/such", "{}"), nil, 200, "-32601"},
		"an unknown method, later": {"POST", hotel, token, message("no/such", "{"+latest+"}"), modern("x")[:2], 404,
			"-32601"},
		"resources":               {"POST", hotel, token, message("resources/list", "{}"), nil, 200, "-32601"},
		"a subscription":          {"POST", hotel, token, message("subscriptions/listen", "{}"), nil, 200, "-32601"},
		"params that are a list":  {"POST", hotel, token, message("tools/call", "[1]"), nil, 200, "-32602"},
		"a name that is a number": {"POST", hotel, token, message("tools/call", `{"name":1}`), nil, 200, "-32602"},
		"meta that is a list": {"POST", hotel, token, message("tools/call", `{"name":"list_extras","_meta":[]}`),
			nil, 200, "-32602"},
		"responses of no kind": {"POST", hotel, token, message("tools/call",
			`{"name":"list_extras","inputResponses":{"consent":{"x":1}}}`), nil, 200, "-32602"},
		"an unknown tool": {"POST", hotel, token, message("tools/call", `{"name":"drop_everything"}`), nil, 200,
			"-32602"},
		"a tool of the language": {"POST", hotel, token, message("tools/call", `{"name":"constructor"}`), nil, 200,
			"-32602"},
		"a list from nowhere": {"POST", hotel, token, message("tools/list", `{"cursor":"AAAA"}`), nil, 200,
			"-32602"},
		"an unknown argument": {"POST", hotel, token, message("tools/call",
			`{"name":"list_extras","arguments":{"org_id":"`+lacks.ID+`"}}`), nil, 200, "invalid"},
		"arguments that are a list": {"POST", hotel, token, message("tools/call",
			`{"name":"list_extras","arguments":[]}`), nil, 200, "invalid"},
		"an argument twice": {"POST", hotel, token, message("tools/call",
			`{"name":"list_extras","arguments":{"include_inactive":true,"include_inactive":false}}`), nil, 200,
			"invalid"},
		"another's property": {"POST", hotel + "?entityId=" + lacks.Entity.ID, token, message("tools/call",
			`{"name":"list_extras"}`), nil, 200, "not_found"},
	} {
		resp, raw := s.send(t, tc.method, tc.path, tc.token, tc.body, tc.header...)
		if got := codeOf(raw); resp.StatusCode != tc.status || got != tc.want {
			t.Errorf("%s: %d %q, want %d %q: %.300s", name, resp.StatusCode, got, tc.status, tc.want, raw)
		}
		if resp.StatusCode == 405 && resp.Header.Get("Allow") != "POST" {
			t.Errorf("%s: it allows %q", name, resp.Header.Get("Allow"))
		}
		for _, leak := range []string{"goroutine", "json:", "*mcp.", "pkg/", "unmarshal"} {
			if strings.Contains(string(raw), leak) {
				t.Errorf("%s tells %q: %.300s", name, leak, raw)
			}
		}
	}
	for name, body := range map[string]string{
		"a notification":            `{"jsonrpc":"2.0","method":"notifications/initialized"}`,
		"an unknown notification":   `{"jsonrpc":"2.0","method":"notifications/no/such","params":{}}`,
		"a response nobody awaited": `{"jsonrpc":"2.0","id":7,"result":{}}`,
	} {
		if resp, raw := s.send(t, "POST", hotel, token, body); resp.StatusCode != 202 || len(raw) > 0 {
			t.Errorf("%s: %d %s", name, resp.StatusCode, raw)
		}
	}
}

// A critical act needs its phrase in the form, too.
func TestAFormAsksForThePhrase(t *testing.T) {
	t.Parallel()
	file := tool.New(tool.Spec{Name: "file_return", Effect: tool.Critical,
		Description: "Files a return with the office."},
		func(context.Context, identity.Caller, struct{}) (said, error) { return "Filed.", nil },
		tool.Previewed(func(context.Context, identity.Caller, struct{}) (tool.Preview, error) {
			return tool.Preview{Title: "File the return", Lines: []tool.Line{{Label: "Note", After: "a\nTax: 0"}}}, nil
		}))
	runtime := suiteRuntime(t, file)
	s, org := open(t, func(cfg *mcp.Config) { cfg.Assistants = append(cfg.Assistants, flow.Built(runtime)) }),
		localtest.NewOrg(t)
	localtest.Give(t, localtest.Stack(t), org.ID, "toy")
	send := func(more string) called {
		_, raw := s.send(t, "POST", "/api/mcp/toy", org.Manager.Token,
			`{"jsonrpc":"2.0","id":1,"method":"tools/call",`+
				`"params":{"name":"file_return",`+latest+more+`}}`, modern("file_return")...)
		return resultOf[called](t, raw)
	}
	asked := send("")
	form := asked.InputRequests["consent"].Params
	proposals := localtest.SQL(t, `select code from public.proposals where id = $1::text::uuid`, asked.RequestState)
	if len(proposals) != 1 || form.RequestedSchema.Properties["phrase"] == nil ||
		!strings.Contains(form.Message, "Note: a Tax: 0") {
		t.Fatalf("asked is %+v", asked)
	}
	answer := func(phrase string) called {
		return send(`,"requestState":"` + asked.RequestState +
			`","inputResponses":{"consent":{"action":"accept","content":` +
			`{"decision":"approve","phrase":"` + phrase + `"}}}`)
	}
	for _, phrase := range []string{"", "yes", "yes XXXX"} {
		if got := answer(phrase); !got.IsError || got.StructuredContent.Error.Code != "phrase_needed" {
			t.Errorf("%q: %+v", phrase, got)
		}
	}
	if got := answer(fmt.Sprint("yes ", proposals[0]["code"])); got.IsError || got.text() != `Filed.

"Filed."` {
		t.Errorf("with the phrase: %+v", got)
	}
}

// codeOf returns the code of a problem, of an error of the protocol, or of a call
// that failed.
func codeOf(raw []byte) string {
	var v struct {
		Code   string
		Error  json.RawMessage
		Result struct {
			IsError           bool
			StructuredContent struct{ Error struct{ Code string } }
		}
	}
	var e struct{ Code json.Number }
	if json.Unmarshal(raw, &v) != nil {
		return "no JSON"
	}
	if v.Result.IsError {
		return v.Result.StructuredContent.Error.Code
	}
	if v.Code == "" && json.Unmarshal(v.Error, &e) == nil {
		return e.Code.String()
	}
	return v.Code
}

// A client of any version of the protocol begins, lists and calls; a batch of the
// version that has them is answered in one body.
func TestEveryVersionIsSpoken(t *testing.T) {
	t.Parallel()
	s, org := open(t), localtest.NewOrg(t)
	for _, version := range []string{"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"} {
		_, raw := s.send(t, "POST", hotel, org.Viewer.Token, `{"jsonrpc":"2.0","id":0,"method":"initialize","params":`+
			`{"protocolVersion":"`+version+`","capabilities":{},"clientInfo":{"name":"a","version":"1"}}}`)
		got := resultOf[struct {
			ProtocolVersion string
			Capabilities    map[string]any
			ServerInfo      struct{ Name, Title string }
			Instructions    string
		}](t, raw)
		if got.ProtocolVersion != version || got.ServerInfo.Title != "Bernard" || len(got.Capabilities) != 1 ||
			!strings.Contains(got.Instructions, "until a person approves it") {
			t.Errorf("%s: %+v", version, got)
		}
		var header []string
		if version > "2025-03-26" {
			header = []string{"Mcp-Protocol-Version", version}
		}
		if got := s.call(t, org.Viewer.Token, "list_extras", "null", header...); got.IsError {
			t.Errorf("%s: %+v", version, got)
		}
	}
	_, raw := s.send(t, "POST", hotel, org.Viewer.Token,
		`{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{`+
			latest+`}}`, "Mcp-Protocol-Version", "2026-07-28", "Mcp-Method", "server/discover")
	if got := resultOf[struct {
		SupportedVersions []string
		TTLMs             int
		CacheScope        string
	}](t, raw); len(got.SupportedVersions) != 5 || got.CacheScope != "private" {
		t.Errorf("discovered is %+v", got)
	}
	resp, raw := s.send(t, "POST", hotel, org.Viewer.Token, `[{"jsonrpc":"2.0","id":"a","method":"ping"},`+
		`{"jsonrpc":"2.0","method":"notifications/initialized"},`+
		`{"jsonrpc":"2.0","id":"b","method":"tools/call","params":{"name":"list_extras"}}]`)
	var batch []struct{ ID string }
	if err := json.Unmarshal(raw, &batch); err != nil || resp.StatusCode != 200 || len(batch) != 2 {
		t.Errorf("a batch: %d %s", resp.StatusCode, raw)
	}
}

// Consent is the client's form, and its state opens the question of this very call.
func TestAFormAsksForConsent(t *testing.T) {
	t.Parallel()
	s, org, other := open(t), localtest.NewOrg(t), localtest.NewOrg(t)
	send := func(token, arguments, more string) []byte {
		t.Helper()
		resp, raw := s.send(t, "POST", hotel, token, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{`+
			`"name":"create_extra","arguments":`+arguments+`,`+latest+more+`}}`, modern("create_extra")...)
		if resp.StatusCode >= 500 {
			t.Fatalf("%d %s", resp.StatusCode, raw)
		}
		return raw
	}
	const kayak = `{"name":"Kayak","price":12.5,"per":"guest"}`
	said := func(answer, state string) string {
		return `,"inputResponses":{"consent":` + answer + `},"requestState":"` + state + `"`
	}
	const approve = `{"action":"accept","content":{"decision":"approve"}}`
	count := func() string {
		return fmt.Sprint(localtest.SQL(t, `select count(*) as n from extras where org_id = any($1::uuid[])`,
			[]string{org.ID, other.ID})[0]["n"])
	}
	asked := resultOf[called](t, send(org.Manager.Token, kayak, ""))
	form := asked.InputRequests["consent"]
	if asked.ResultType != "input_required" || form.Method != "elicitation/create" || len(asked.Content) > 0 ||
		!strings.Contains(form.Params.Message, "Price per guest: ₹12.50") ||
		fmt.Sprint(form.Params.RequestedSchema.Required) != "[decision]" {
		t.Fatalf("asked is %+v", asked)
	}
	for name, raw := range map[string][]byte{
		"another state":      send(org.Manager.Token, kayak, said(approve, uuid.NewString())),
		"no state":           send(org.Manager.Token, kayak, said(approve, "")),
		"a state of no form": send(org.Manager.Token, kayak, said(approve, asked.RequestState+"x")),
		"other arguments": send(org.Manager.Token, `{"name":"Yacht","price":1,"per":"guest"}`,
			said(approve, asked.RequestState)),
		"a colleague's":          send(org.Admin.Token, kayak, said(approve, asked.RequestState)),
		"another organisation's": send(other.Admin.Token, kayak, said(approve, asked.RequestState)),
	} {
		if got := codeOf(raw); got != "-32602" {
			t.Errorf("%s: %s", name, raw)
		}
	}
	for name, answer := range map[string]string{
		"an empty form":        `{"action":"accept","content":{}}`,
		"no content":           `{"action":"accept"}`,
		"another word":         `{"action":"accept","content":{"decision":"yes"}}`,
		"yes as a truth":       `{"action":"accept","content":{"decision":true}}`,
		"dismissed":            `{"action":"cancel"}`,
		"an action of no kind": `{"action":"approve","content":{"decision":"approve"}}`,
	} {
		got := resultOf[called](t, send(org.Manager.Token, kayak, said(answer, asked.RequestState)))
		if q := got.StructuredContent.Confirmation; q == nil || q.State != "pending" || q.ID != asked.RequestState {
			t.Errorf("%s: %+v", name, got)
		}
	}
	if got := count(); got != "0" {
		t.Fatalf("%s extras were made without consent", got)
	}
	// An answer to another question asks again; and so does one that is approved of
	// what has changed.
	again := resultOf[called](t, send(org.Manager.Token, kayak, `,"inputResponses":{"other":`+approve+`}`))
	if again.ResultType != "input_required" || again.RequestState == asked.RequestState {
		t.Errorf("without an answer: %+v", again)
	}
	for range 2 {
		done := resultOf[called](t, send(org.Manager.Token, kayak, said(approve, again.RequestState)))
		if q := done.StructuredContent.Confirmation; done.IsError || q == nil || q.State != "consumed" ||
			!strings.HasPrefix(done.text(), "Added the extra Kayak") {
			t.Fatalf("approved is %+v", done)
		}
	}
	second := resultOf[called](t, send(org.Manager.Token, `{"name":"Canoe","price":1,"per":"guest"}`, ""))
	no := resultOf[called](t, send(org.Manager.Token, `{"name":"Canoe","price":1,"per":"guest"}`,
		said(`{"action":"decline"}`, second.RequestState)))
	if q := no.StructuredContent.Confirmation; q == nil || q.State != "rejected" || no.IsError {
		t.Errorf("declined is %+v", no)
	}
	late := resultOf[called](t, send(org.Manager.Token, `{"name":"Canoe","price":1,"per":"guest"}`,
		said(approve, second.RequestState)))
	if e := late.StructuredContent.Error; e == nil || e.Code != "proposal_rejected" {
		t.Errorf("approved after the no: %+v", late)
	}
	if got := count(); got != "1" {
		t.Errorf("%s extras were made", got)
	}
}

// A panic and a cause end the call, and neither the process nor the secret.
func TestAToolThatFailsEndsItsCall(t *testing.T) {
	t.Parallel()
	spec := func(name string) tool.Spec {
		return tool.Spec{Name: name, Effect: tool.Reads, Description: "Fails in a way of its own, every time."}
	}
	started := make(chan struct{})
	wait := tool.New(spec("wait_for_ever"), func(ctx context.Context, _ identity.Caller, _ struct{}) (string, error) {
		close(started)
		<-ctx.Done()
		return "", ctx.Err()
	})
	runtime := suiteRuntime(t, wait,
		tool.New(spec("break_down"), func(context.Context, identity.Caller, struct{}) (string,
			error) {
			panic("secret")
		}),
		tool.New(spec("give_up"), func(context.Context, identity.Caller, struct{}) (string, error) {
			return "", fault.Wrap(fault.Upstream, fmt.Errorf("secret"), "The other side said no.")
		}))
	s, org := open(t, func(cfg *mcp.Config) { cfg.Assistants = append(cfg.Assistants, flow.Built(runtime)) }),
		localtest.NewOrg(t)
	localtest.Give(t, localtest.Stack(t), org.ID, "toy")
	for name, want := range map[string]string{"break_down": "internal_error", "give_up": "upstream"} {
		resp, raw := s.send(t, "POST", "/api/mcp/toy", org.Manager.Token,
			`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"`+name+`"}}`)
		if resp.StatusCode != http.StatusOK || codeOf(raw) != want || strings.Contains(string(raw), "secret") {
			t.Errorf("%s: %d %s", name, resp.StatusCode, raw)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	go func() { <-started; cancel() }()
	r := httptest.NewRequestWithContext(ctx, "POST", "/api/mcp/toy",
		strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"wait_for_ever"}}`))
	r.Header.Set("Authorization", "Bearer "+org.Manager.Token)
	w := httptest.NewRecorder()
	s.handler.ServeHTTP(w, r)
	// Its reader has gone, or its call has failed, whichever is seen first.
	if w.Code >= 500 || codeOf(w.Body.Bytes()) != "canceled" {
		t.Errorf("without a reader: %d %s", w.Code, w.Body)
	}
}
