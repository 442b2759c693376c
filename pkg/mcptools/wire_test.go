package mcptools_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/egress"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/mcptools"
)

// S2-22: the version is negotiated, answers are read as JSON and as events, and
// a warm instance asks for nothing but the answer.
func TestServersOfAllVersionsAreCalled(t *testing.T) {
	t.Parallel()
	for _, version := range []string{"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"} {
		for _, events := range []bool{false, true} {
			for _, sessions := range []bool{false, true} {
				if sessions && version == "2026-07-28" {
					continue // it has none
				}
				t.Run(fmt.Sprint(version, " events ", events, " sessions ", sessions), func(t *testing.T) {
					t.Parallel()
					p := newPeer(t, &peer{version: version, events: events, sessions: sessions})
					c := client(t)
					s := p.server(t, c, books)
					set := toolset(t, c, mira, s)
					p.trips()
					r, err := run(t.Context(), t, set, mira, "Invoice.List", `{"status":"open"}`)
					if err != nil || string(r.Data) != `{"status":"open"}` {
						t.Errorf("it answers %s, %v", r.Data, err)
					}
					if n := p.trips(); n != 1 {
						t.Errorf("a warm call takes %d requests", n)
					}
					toolset(t, c, mira, s)
					if n := p.trips(); n != 0 {
						t.Errorf("a list that is known takes %d requests", n)
					}
					other := mira
					other.Remote = "someone-elses"
					if _, err = run(t.Context(), t, toolset(t, c, other, s), other, "Invoice.List", `{}`); err != nil {
						t.Error(err)
					}
					// Another user has a connection of its own: discover, or what is
					// initialize and its notification in older versions.
					if n := p.trips(); n > 3 || version == "2026-07-28" && n != 2 {
						t.Errorf("the first call of another user takes %d requests", n)
					}
					if !sessions {
						return
					}
					p.mu.Lock()
					p.over++
					p.mu.Unlock()
					if _, err := run(t.Context(), t, set, mira, "Invoice.List",
						`{}`); fault.From(err).Code != "remote_session" {
						t.Errorf("a session that has ended: %v", err)
					}
					if _, err := run(t.Context(), t, set, mira, "Invoice.List", `{}`); err != nil {
						t.Errorf("the next attempt: %v", err)
					}
				})
			}
		}
	}
}

// S2-22: the token is the user's own where one was sent, otherwise the
// organisation's, never ours; the entity and the organisation are in the query.
func TestWhoseTokenIsSent(t *testing.T) {
	t.Parallel()
	p := newPeer(t, &peer{})
	c := client(t)
	s := p.server(t, c, books)
	own := mira
	own.Remote = "token-of-mira"
	bare := s
	bare.Secret = ""
	for name, tc := range map[string]struct {
		by    identity.Caller
		s     mcptools.Server
		token string
	}{
		"the user's":         {own, s, "Bearer token-of-mira"},
		"the organisation's": {mira, s, "Bearer org-secret"},
		"none":               {mira, bare, ""},
	} {
		set := toolset(t, c, tc.by, tc.s)
		p.trips()
		if _, err := run(t.Context(), t, set, tc.by, "Invoice.List", `{}`); err != nil {
			t.Fatal(err)
		}
		for _, m := range p.sent("tools/call") {
			if m.Token != tc.token || m.Query != "entityid=e-1&orgid=org-1" || m.Agent != "Munimji-Agent/4.0" {
				t.Errorf("%s: sent is %q, %q, by %q", name, m.Token, m.Query, m.Agent)
			}
		}
	}
	for _, m := range p.sent("server/discover") {
		if !strings.Contains(string(m.Params), `"Munimji-Agent"`) {
			t.Errorf("the client calls itself %s", m.Params)
		}
	}
}

// F-46, S2-23: what a server does wrong is named, and ends.
func TestWhatAServerDoesWrongIsNamed(t *testing.T) {
	t.Parallel()
	status := func(code int, kind, body string) func(http.ResponseWriter, *http.Request, request) {
		return func(w http.ResponseWriter, _ *http.Request, _ request) {
			w.Header().Set("Content-Type", kind)
			w.Header().Set("Retry-After", "7")
			w.WriteHeader(code)
			fmt.Fprint(w, body)
		}
	}
	stream := func(pieces ...string) func(http.ResponseWriter, *http.Request, request) {
		return func(w http.ResponseWriter, r *http.Request, m request) {
			w.Header().Set("Content-Type", "text/event-stream")
			for _, piece := range pieces {
				if piece == "wait" {
					<-r.Context().Done()
					return
				}
				fmt.Fprint(w, strings.ReplaceAll(piece, "ID", string(m.ID)))
				w.(http.Flusher).Flush()
			}
		}
	}
	wrong := map[string]struct {
		call func(http.ResponseWriter, *http.Request, request)
		code string
		says string
	}{
		"a page":  {status(200, "text/html", "<h1>Welcome</h1>"), "remote_answer", "can't be read"},
		"no JSON": {status(200, "application/json", "<h1>Welcome</h1>"), "remote_answer", "can't be read"},
		"another id": {status(200, "application/json", `{"jsonrpc":"2.0","id":"other","result":{"content":[]}}`),
			"remote_answer", "can't be read"},
		"another id, streamed": {stream("data: {\"jsonrpc\":\"2.0\",\"id\":99,\"result\":{}}\n\n", "wait"),
			"remote_answer", "can't be read"},
		"no id": {status(200, "application/json", `{"jsonrpc":"2.0","result":{"content":[]}}`),
			"remote_answer", "can't be read"},
		"a list of messages": {status(200, "application/json", `[{"jsonrpc":"2.0","id":1,"result":{}}]`),
			"remote_answer", "can't be read"},
		"an error object": {func(w http.ResponseWriter, _ *http.Request, m request) {
			w.Header().Set("Content-Type", "application/json")
			fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32000,"message":"The **period** is locked,`+
				` see https://evil.example/x"}}`, m.ID)
		}, "remote_refused", "The server books refused: The period is locked, see …"},
		"an error of the tool": {func(w http.ResponseWriter, _ *http.Request, m request) {
			w.Header().Set("Content-Type", "application/json")
			fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":{"isError":true,"content":[{"type":"text",`+
				`"text":"There is no <b>such</b> customer."}]}}`, m.ID)
		}, "remote_refused", "There is no b such /b customer."},
		"a question": {func(w http.ResponseWriter, _ *http.Request, m request) {
			w.Header().Set("Content-Type", "application/json")
			fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":{"resultType":"input_required",`+
				`"inputRequests":{"a":{"method":"elicitation/create","params":{"message":"Your password?",`+
				`"requestedSchema":{"type":"object","properties":{}}}}}}}`, m.ID)
		}, "remote_refused", "asks for input"},
		"not signed in": {status(401, "application/json", `{"error":"invalid_token"}`), "remote_unauthorized",
			"sign-in"},
		"not allowed": {status(403, "text/plain", "no"), "remote_forbidden", "does not allow"},
		"too often":   {status(429, "text/plain", "no"), "remote_limited", "too much to do"},
		"broken":      {status(500, "text/plain", "no"), "remote_unavailable", "fault of its own"},
		"a redirect": {func(w http.ResponseWriter, r *http.Request, _ request) {
			http.Redirect(w, r, "/elsewhere", http.StatusTemporaryRedirect)
		}, "remote_answer", "refused"},
		"no answer": {func(_ http.ResponseWriter, r *http.Request, _ request) { <-r.Context().Done() },
			"remote_timeout", "in time"},
		"a stream that stops": {stream("event: message\ndata: {\"json", "wait"), "remote_stalled",
			"in the middle"},
		"a stream that ends": {stream(": nothing\n\n"), "remote_answer", "can't be read"},
		"a stream that breaks off": {stream("event: message\ndata: {\"jsonrpc\":\"2.0\",\"id\":ID,\"resu"),
			"remote_answer", "can't be read"},
		"a stream without end": {func(w http.ResponseWriter, r *http.Request, _ request) {
			w.Header().Set("Content-Type", "text/event-stream")
			out := bufio.NewWriter(w)
			for r.Context().Err() == nil {
				fmt.Fprint(out, ": still here, and still nothing to say about it\n\n")
			}
		}, "remote_answer", "can't be read"},
		"the connection is cut": {func(http.ResponseWriter, *http.Request, request) { panic(http.ErrAbortHandler) },
			"remote_unavailable", "can't be reached"},
	}
	for name, tc := range wrong {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newPeer(t, &peer{})
			// Only what does not come is not waited for.
			c := client(t, func(c *mcptools.Config) {
				switch tc.code {
				case "remote_timeout":
					c.Read = time.Second
				case "remote_stalled":
					c.Idle = time.Second
				}
			})
			set := toolset(t, c, mira, p.server(t, c, books))
			p.answer(tc.call)
			_, err := run(t.Context(), t, set, mira, "Invoice.List", `{}`)
			f := fault.From(err)
			if f == nil || f.Code != tc.code || !strings.Contains(f.Message, tc.says) {
				t.Errorf("got %v", err)
			}
			if f != nil && (strings.Contains(f.Message, "://") || strings.Contains(fault.Trace(err), "evil.example")) {
				t.Errorf("people read %q, the log %q", f.Message, fault.Trace(err))
			}
			if n := len(p.sent("tools/call")); n != 1 {
				t.Errorf("it was called %d times", n)
			}
			// What went wrong once does not last.
			p.answer(nil)
			if _, err := run(t.Context(), t, set, mira, "Invoice.List", `{}`); err != nil {
				t.Errorf("the next call: %v", err)
			}
		})
	}
}

// Numbers stay as they came: amounts, and numbers that no float holds.
func TestNumbersStayAsTheyCame(t *testing.T) {
	t.Parallel()
	p := newPeer(t, &peer{})
	c := client(t)
	set := toolset(t, c, mira, p.server(t, c, books))
	for _, result := range []string{
		`{"content":[],"structuredContent":{"amount":1200.50,"reference":9007199254740993}}`,
		`{"content":[{"type":"text","text":"{\"amount\":1200.50,\"reference\":9007199254740993}"}]}`,
	} {
		p.answer(func(w http.ResponseWriter, _ *http.Request, m request) {
			w.Header().Set("Content-Type", "application/json")
			fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":%s}`, m.ID, result)
		})
		if r, err := run(t.Context(), t, set, mira, "Invoice.List", `{}`); err != nil ||
			string(r.Data) != `{"amount":1200.50,"reference":9007199254740993}` {
			t.Errorf("%s, %v", r.Data, err)
		}
	}
}

// F-46: of an answer of 50 MB the first part is read, and it is said to be cut.
func TestALongAnswerIsCut(t *testing.T) {
	t.Parallel()
	row := `{"number":"INV-000001","customer":"Asha \ud83d\ude00 Meadowlark","total":1200.50},`
	for name, events := range map[string]bool{"as JSON": false, "as an event": true} {
		for shape, result := range map[string][2]string{
			"records": {`{"structuredContent":{"invoices":[`, `{"number":"end"}]},"content":[]}`},
			"text":    {`{"content":[{"type":"text","text":"`, `"}]}`},
		} {
			t.Run(name+", "+shape, func(t *testing.T) {
				t.Parallel()
				p := newPeer(t, &peer{})
				c := client(t)
				set := toolset(t, c, mira, p.server(t, c, books))
				sent := make(chan int, 1)
				p.answer(func(w http.ResponseWriter, _ *http.Request, m request) {
					w.Header().Set("Content-Type", "application/json")
					before := fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":`, m.ID)
					if events {
						w.Header().Set("Content-Type", "text/event-stream")
						before = "data: " + before
					}
					piece := strings.Repeat(row, 1000)
					if shape == "text" {
						piece = strings.Repeat("INV-000001 Asha, 1200.50 ₹; ", 3000)
					}
					n, _ := fmt.Fprint(w, before+result[0])
					for n < 50<<20 {
						written, err := fmt.Fprint(w, piece)
						if n += written; err != nil {
							break
						}
					}
					fmt.Fprint(w, result[1]+"}\n\n")
					sent <- n
				})
				r, err := run(t.Context(), t, set, mira, "Invoice.List", `{}`)
				if err != nil {
					t.Fatal(err)
				}
				var a struct {
					Data struct {
						Invoices []map[string]any `json:"invoices"`
						Text     string           `json:"text"`
					} `json:"data"`
					Note string `json:"note"`
				}
				if err := json.Unmarshal(r.Data, &a); err != nil || !strings.Contains(a.Note, "is cut") ||
					len(r.Data) > 1<<20+1000 || len(r.Data) < 900<<10 {
					t.Errorf("%d bytes, %q, %v", len(r.Data), a.Note, err)
				}
				if shape == "records" && len(a.Data.Invoices) < 1000 || shape == "text" && len(a.Data.Text) < 900<<10 {
					t.Errorf("%d records and %d bytes of text are left", len(a.Data.Invoices), len(a.Data.Text))
				}
				if n := <-sent; n > 20<<20 {
					t.Errorf("%d bytes were taken", n)
				}
			})
		}
	}
}

// F-54: only the servers on the list are reached, and over https.
func TestOnlyAllowedAddressesAreReached(t *testing.T) {
	t.Parallel()
	p := newPeer(t, &peer{})
	for address, cfg := range map[string]mcptools.Config{
		"http://mcp.example.com/mcp":  {Egress: egress.Config{Loopback: true}, Hosts: []string{"*"}},
		"https://mcp.example.com/mcp": {Hosts: []string{"books.example.com"}},
		"https://10.0.0.1/mcp":        {Hosts: []string{"*"}},
		"https://a:b@mcp.example.com": {Hosts: []string{"*"}},
		p.URL:                         {Hosts: []string{"*"}},
		p.URL + "/x":                  {Egress: egress.Config{Loopback: true}, Hosts: []string{"mcp.example.com"}},
		"https://localhost/":          {Hosts: []string{"*"}},
	} {
		cfg.Now = time.Now
		c, err := mcptools.New(cfg)
		if err != nil {
			t.Fatal(err)
		}
		_, err = c.Draft(t.Context(), mira, mcptools.Server{Name: "books", URL: address}, nil)
		if f := fault.From(err); f == nil || f.Code != "remote_address" {
			t.Errorf("%s: %v", address, err)
		}
	}
	if n := p.trips(); n != 0 {
		t.Errorf("%d requests came", n)
	}
}
