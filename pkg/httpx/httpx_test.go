package httpx_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/httpx"
)

// endpoint wraps h as functions do and returns what it writes to its log.
func door(h http.HandlerFunc, change ...func(*httpx.Config)) (http.Handler, *bytes.Buffer) {
	log := new(bytes.Buffer)
	now := time.Date(2026, 1, 15, 12, 0, 0, 0, time.UTC)
	cfg := httpx.Config{Log: zerolog.New(log), NewID: func() string { return "made-by-us" }, Now: func() time.Time {
		now = now.Add(5 * time.Millisecond)
		return now
	}}
	for _, c := range change {
		c(&cfg)
	}
	return httpx.Wrap(h, cfg), log
}

func send(h http.Handler, method, target, body string, header ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, target, strings.NewReader(body))
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

func line(t *testing.T, log *bytes.Buffer) map[string]any {
	t.Helper()
	if n := bytes.Count(log.Bytes(), []byte("\n")); n != 1 {
		t.Fatalf("the log has %d lines: %s", n, log)
	}
	var got map[string]any
	if err := json.Unmarshal(log.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	return got
}

// S4-28: every failure is a problem document with its status, and with the
// members that the planner's front end reads.
func TestEveryKindOfFailureHasItsStatus(t *testing.T) {
	tests := map[fault.Kind]int{
		fault.Invalid: 400, fault.Unauthorized: 401, fault.Forbidden: 403, fault.NotFound: 404, fault.Conflict: 409,
		fault.Gone:     410,
		fault.TooLarge: 413, fault.Unprocessable: 422, fault.Limited: 429, fault.Canceled: 499, fault.Internal: 500,
		fault.Upstream:    502,
		fault.Unavailable: 503, fault.Timeout: 504, fault.Stalled: 408, fault.Method: 405, fault.Full: 507,
		"unheard of": 500,
	}
	for kind, status := range tests {
		t.Run(string(kind), func(t *testing.T) {
			h, log := door(func(w http.ResponseWriter, r *http.Request) {
				httpx.Fail(w, r, fmt.Errorf("outer: %w", fault.Wrap(kind, errors.New("canary in the cause"),
					"A sentence for %s.", "people").WithCode("finer")))
			})
			w := send(h, "GET", "/x", "")
			if w.Code != status || httpx.Status(kind) != status {
				t.Errorf("the status is %d, want %d", w.Code, status)
			}
			var p map[string]any
			if err := json.Unmarshal(w.Body.Bytes(), &p); err != nil {
				t.Fatal(err)
			}
			title := http.StatusText(status)
			if status == 499 {
				title = "Client closed the request"
			}
			want := map[string]any{
				"type": "about:blank", "title": title, "status": float64(status), "detail": "A sentence for people.",
				"code":  "finer",
				"error": "A sentence for people.", "details": "finer", "requestId": "made-by-us",
			}
			if fmt.Sprint(p) != fmt.Sprint(want) {
				t.Errorf("the document is\n%v\nwant\n%v", p, want)
			}
			if w.Header().Get("Content-Type") != "application/problem+json" ||
				w.Header().Get("Cache-Control") != "no-store" {
				t.Errorf("the header is %v", w.Header())
			}
			if got := w.Header().Get("WWW-Authenticate"); (got == "Bearer") != (status == 401) {
				t.Errorf("WWW-Authenticate is %q", got)
			}
			// The log has the cause, the reader has not.
			l := line(t, log)
			if strings.Contains(w.Body.String(), "canary") || !strings.Contains(fmt.Sprint(l["cause"]),
				"canary in the cause") || l["code"] != "finer" || l["status"] != float64(status) {
				t.Errorf("the log has %v, the reader %s", l, w.Body)
			}
			if wantLevel := map[bool]string{true: "error", false: "info"}[status >= 500]; l["level"] != wantLevel {
				t.Errorf("it is logged as %v", l["level"])
			}
		})
	}
}

func TestAnErrorOfALibraryIsAFailureOfOursWithoutItsText(t *testing.T) {
	for cause, status := range map[error]int{errors.New("pq: canary"): 500, context.DeadlineExceeded: 504,
		context.Canceled: 499} {
		h, _ := door(func(w http.ResponseWriter, r *http.Request) { httpx.Fail(w, r, cause) })
		w := send(h, "GET", "/x", "")
		if w.Code != status || strings.Contains(w.Body.String(), cause.Error()) {
			t.Errorf("%v became %d %s", cause, w.Code, w.Body)
		}
	}
}

func TestAWaitIsSaidInWholeSecondsRoundedUp(t *testing.T) {
	for wait, want := range map[time.Duration]string{0: "", time.Millisecond: "1", 2 * time.Second: "2",
		2100 * time.Millisecond: "3"} {
		h, _ := door(func(w http.ResponseWriter, r *http.Request) {
			httpx.Fail(w, r, fault.New(fault.Limited, "Later.").WithRetryAfter(wait))
		})
		if got := send(h, "GET", "/x", "").Header().Get("Retry-After"); got != want {
			t.Errorf("%s is said as %q, want %q", wait, got, want)
		}
	}
}

func TestARequestHasAnIDThatCannotHurt(t *testing.T) {
	tests := map[string]struct{ sent, want string }{
		"none":              {"", "made-by-us"},
		"a client's":        {"abc-DEF-123", "abc-DEF-123"},
		"a uuid":            {"11111111-2222-4333-8444-555555555555", "11111111-2222-4333-8444-555555555555"},
		"too short":         {"abc", "made-by-us"},
		"too long":          {strings.Repeat("a", 65), "made-by-us"},
		"as long as may be": {strings.Repeat("a", 64), strings.Repeat("a", 64)},
		"markup":            {"<script>alert(1)</script>", "made-by-us"},
		"a quotation mark":  {`12345678"`, "made-by-us"},
		"a line end":        {"12345678\nlevel=error", "made-by-us"},
		"other letters":     {"ａｂｃｄｅｆｇｈ", "made-by-us"},
		"a space":           {"1234 5678", "made-by-us"},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			var inside string
			h, log := door(func(w http.ResponseWriter, r *http.Request) { inside = httpx.RequestID(r.Context()) })
			w := send(h, "GET", "/x", "", "X-Request-Id", tc.sent)
			if got := w.Header().Get("X-Request-Id"); got != tc.want || inside != tc.want ||
				line(t, log)["request_id"] != tc.want {
				t.Errorf("the answer has %q, the handler %q, the log %s", got, inside, log)
			}
		})
	}
	if got := httpx.RequestID(t.Context()); got != "" {
		t.Errorf("outside of a request there is the id %q", got)
	}
}

func TestBrowsersOfOtherOriginsMayCallWhenTheyAreNamed(t *testing.T) {
	tests := map[string]struct {
		origins []string
		method  string
		origin  string
		wanted  string // Access-Control-Request-Method
		allowed bool
		status  int
		reached bool
	}{
		"no origin": {[]string{"https://a.example"}, "POST", "", "", false, 200, true},
		"a named origin": {[]string{"https://b.example", "https://a.example"}, "POST",
			"https://a.example", "", true, 200, true},
		"another": {[]string{"https://a.example"}, "POST", "https://evil.example", "", false,
			200, true},
		"one that begins alike": {[]string{"https://a.example"}, "POST", "https://a.example.evil.example", "",
			false, 200, true},
		"another scheme": {[]string{"https://a.example"}, "POST", "http://a.example", "", false, 200,
			true},
		"nobody is named": {nil, "POST", "https://a.example", "", false, 200, true},
		"everybody is":    {[]string{"*"}, "POST", "https://a.example", "", true, 200, true},
		"a preflight": {[]string{"https://a.example"}, "OPTIONS", "https://a.example", "POST", true,
			204, false},
		"a preflight of another": {[]string{"https://a.example"}, "OPTIONS", "https://evil.example", "POST",
			false, 204, false},
		"OPTIONS that are no preflight": {[]string{"https://a.example"}, "OPTIONS", "https://a.example", "", true, 200,
			true},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			reached := false
			h, _ := door(func(w http.ResponseWriter, _ *http.Request) { reached = true; w.WriteHeader(200) },
				func(c *httpx.Config) { c.Origins = tc.origins })
			var header []string
			if tc.origin != "" {
				header = append(header, "Origin", tc.origin)
			}
			if tc.wanted != "" {
				header = append(header, "Access-Control-Request-Method", tc.wanted, "Access-Control-Request-Headers",
					"authorization")
			}
			w := send(h, tc.method, "/x", "", header...)
			got := w.Header().Get("Access-Control-Allow-Origin")
			if tc.allowed && got != tc.origin || !tc.allowed && got != "" {
				t.Errorf("allowed is %q", got)
			}
			if tc.allowed && !slices.Contains(w.Header().Values("Vary"), "Origin") {
				t.Error("a cache could give this answer to another origin")
			}
			if w.Code != tc.status || reached != tc.reached {
				t.Errorf("the status is %d, the door was reached: %v", w.Code, reached)
			}
			if tc.status == 204 && !strings.Contains(w.Header().Get("Access-Control-Allow-Headers"),
				"Authorization") ||
				tc.status == 204 && w.Header().Get("Access-Control-Allow-Methods") != "GET, POST, PUT, PATCH, "+
					"DELETE, OPTIONS" {
				t.Errorf("the preflight says %v", w.Header())
			}
			if w.Header().Get("Access-Control-Allow-Credentials") != "" {
				t.Error("cookies are invited")
			}
		})
	}
}

// OpenAI's clients describe themselves in headers of their own; others are not
// let through.
func TestAPreflightMayNameTheHeadersOfOpenAIsClients(t *testing.T) {
	h, _ := door(func(http.ResponseWriter, *http.Request) {}, func(c *httpx.Config) { c.Origins = []string{"*"} })
	for asked, want := range map[string]string{
		"authorization,content-type,x-stainless-arch,x-stainless-retry-count,x-stainless-package-version": "" +
			"x-stainless-arch, x-stainless-retry-count, x-stainless-package-version",
		"X-Stainless-OS, user-agent":                             "x-stainless-os, user-agent",
		"x-bellhop-proof, cookie, x-stainless-, x-stainless-a b": "",
	} {
		w := send(h, "OPTIONS", "/x", "", "Origin", "https://a.example", "Access-Control-Request-Method", "POST",
			"Access-Control-Request-Headers", asked)
		_, got, _ := strings.Cut(w.Header().Get("Access-Control-Allow-Headers"), "H-Authorization")
		if got = strings.TrimPrefix(got, ", "); got != want {
			t.Errorf("for %q it allows %q, want %q", asked, got, want)
		}
	}
}

func TestAnotherMethodIsToldWhichOnesThereAre(t *testing.T) {
	mux := http.NewServeMux()
	done := func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) }
	mux.HandleFunc("GET /a/{id}", done)
	mux.HandleFunc("DELETE /a/{id}", done)
	mux.HandleFunc("POST /b", done)
	mux.HandleFunc("/", httpx.Otherwise(mux, httpx.Fail))
	for _, tc := range []struct {
		method, path string
		status       int
		allow        string
	}{
		{"GET", "/a/1", 204, ""}, {"HEAD", "/a/1", 204, ""}, {"PUT", "/a/1", 405, "GET, DELETE"},
		{"GET", "/b", 405, "POST"}, {"OPTIONS", "/b", 405, "POST"}, {"GET", "/a", 404, ""}, {"POST", "/", 404, ""},
		{strings.Repeat("X", 4000), "/b", 405, "POST"},
	} {
		w := send(mux, tc.method, tc.path, "")
		if w.Code != tc.status || w.Header().Get("Allow") != tc.allow || w.Body.Len() > 1000 {
			t.Errorf("%s %s answers %d, Allow %q, %s", tc.method, tc.path, w.Code, w.Header().Get("Allow"), w.Body)
		}
	}
}

// F-62: a panic is one failed request and one line, which holds nothing that
// people sent.
func TestAPanicIsAProblemAndALineWithoutWhatWasSent(t *testing.T) {
	h, log := door(func(_ http.ResponseWriter, r *http.Request) {
		if _, err := io.ReadAll(r.Body); err != nil {
			t.Error(err)
		}
		r.Pattern = "POST /api/chat/{assistant}"
		panic("nil map in the planner")
	})
	w := send(h, "POST", "/api/chat/hospitality?q=canary-query", `{"m":"canary-body"}`, "Authorization",
		"Bearer canary-token", "Cookie", "canary-cookie")
	if w.Code != 500 || w.Header().Get("Content-Type") != "application/problem+json" ||
		strings.Contains(w.Body.String(), "planner") {
		t.Errorf("the reader gets %d %s", w.Code, w.Body)
	}
	l := line(t, log)
	if l["level"] != "error" || l["status"] != 500.0 || l["path"] != "/api/chat/{assistant}" ||
		!strings.Contains(fmt.Sprint(l["cause"]), "nil map in the planner") ||
		!strings.Contains(fmt.Sprint(l["cause"]), "httpx_test.go") {
		t.Errorf("the log reads %v", l)
	}
	if strings.Contains(log.String(), "canary") {
		t.Errorf("the log holds what was sent: %s", log)
	}
}

func TestAPanicAfterTheFirstByteIsLoggedAndNothingIsAdded(t *testing.T) {
	h, log := door(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, "half")
		panic("late")
	})
	w := send(h, "GET", "/x", "")
	if w.Body.String() != "half" {
		t.Errorf("the reader gets %q", w.Body)
	}
	if l := line(t, log); l["level"] != "error" || l["code"] != "internal_error" {
		t.Errorf("the log reads %v", l)
	}
}

func TestOneLineALogSaysWhatWasAnswered(t *testing.T) {
	h, log := door(func(w http.ResponseWriter, r *http.Request) {
		r.Pattern = "POST /x/{id}"
		httpx.Note(r.Context(), fault.New(fault.Conflict, "Later than the first byte.").WithCode("late"))
		_, _ = io.WriteString(w, "hello")
	})
	send(h, "POST", "/x/canary?secret=canary", "canary", "Authorization", "Bearer canary", "X-Canary", "canary")
	l := line(t, log)
	want := map[string]any{
		"level": "info", "request_id": "made-by-us", "method": "POST", "path": "/x/{id}", "status": 200.0,
		"bytes": 5.0, "took": 5.0,
		"message": "request", "code": "late", "cause": "conflict: Later than the first byte.",
	}
	if fmt.Sprint(l) != fmt.Sprint(want) {
		t.Errorf("the line is\n%v\nwant\n%v", l, want)
	}
	// Outside of a wrapped endpoint there is no line to put it on.
	httpx.Note(t.Context(), errors.New("x"))
}

// F-68: among them JSON that is nested deeply, which is refused before it is decoded.
func TestABodyIsReadWithinLimits(t *testing.T) {
	nested := func(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }
	tests := map[string]struct {
		body  string
		kind  fault.Kind
		limit string
	}{
		"an object":         {`{"a":1}`, "", ""},
		"as deep as may be": {nested(32), "", ""},
		"a level deeper":    {nested(33), fault.Unprocessable, "json_depth"},
		"deep in objects": {strings.Repeat(`{"a":`, 40) + "1" + strings.Repeat("}", 40),
			fault.Unprocessable, "json_depth"},
		"so deep that decoders fall over": {strings.Repeat("[", 1<<20), fault.Unprocessable, "json_depth"},
		"brackets in a text":              {`{"a":"` + strings.Repeat("[", 100) + `"}`, "", ""},
		"an escaped mark in a text":       {`{"a":"\"` + strings.Repeat("{", 100) + `\\"}`, "", ""},
		"as large as may be":              {`"` + strings.Repeat("a", httpx.MaxBody-2) + `"`, "", ""},
		"a byte larger": {`"` + strings.Repeat("a", httpx.MaxBody-1) + `"`, fault.TooLarge,
			"body_bytes"},
		"nothing":                     {"", fault.Invalid, ""},
		"no value":                    {" null\n", fault.Invalid, ""},
		"half a value":                {`{"a":`, fault.Invalid, ""},
		"two values":                  {`{} {}`, fault.Invalid, ""},
		"no JSON":                     {"a=1&b=2", fault.Invalid, ""},
		"closed before it was opened": {"]" + nested(3), fault.Invalid, ""},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			var v any
			raw, err := httpx.ReadJSON(httptest.NewRecorder(), httptest.NewRequest("POST", "/",
				strings.NewReader(tc.body)), &v)
			if fault.KindOf(err) != tc.kind {
				t.Fatalf("got %v, want the kind %q", err, tc.kind)
			}
			if err == nil {
				if string(raw) != tc.body || v == nil {
					t.Errorf("the body was read as %.80s, %v", raw, v)
				}
				return
			}
			if f := fault.From(err); f.Limit != tc.limit || f.Message == "" {
				t.Errorf("got %+v, want the limit %q", f, tc.limit)
			}
		})
	}
}

func TestListsOfABodyStayAsTheyWereWritten(t *testing.T) {
	type body struct {
		Messages []json.RawMessage `json:"messages"`
		Query    string            `json:"query"`
	}
	for name, text := range map[string]string{
		"a list":                  `{"query":"a","messages":[ {"b": 1.50}, "c" ]}`,
		"an empty list":           `{"messages":[],"query":"a"}`,
		"none":                    `{"query":"a"}`,
		"an empty object":         `{}`,
		"null":                    `{"messages":null}`,
		"another case":            `{"MESSAGES":[1],"Query":"a"}`,
		"twice":                   `{"messages":[1,2],"query":"a","messages":[3]}`,
		"a name in escapes":       `{"mess\u0061ges":[1],"q\u0075ery":"a"}`,
		"a name that needs them":  `{"a\"b":1,"messages":[1]}`,
		"members nobody asks for": `{"x":{"messages":[9]},"messages":[1],"y":[2]}`,
		"a text":                  `{"messages":"hi"}`,
		"a number":                `{"messages":1}`,
		"another type elsewhere":  `{"messages":[1],"query":2}`,
		"a list of all":           `[1]`,
		"half of it":              `{"messages":[1`,
	} {
		t.Run(name, func(t *testing.T) {
			read := func(lists func(*body) []httpx.List) (body, error) {
				var b body
				_, err := httpx.ReadJSON(httptest.NewRecorder(), httptest.NewRequest("POST", "/",
					strings.NewReader(text)), &b, lists(&b)...)
				return b, err
			}
			want, wantErr := read(func(*body) []httpx.List { return nil })
			got, err := read(func(b *body) []httpx.List {
				return []httpx.List{{Name: "messages",
					Items: &b.Messages}}
			})
			if fault.KindOf(err) != fault.KindOf(wantErr) || err == nil && !reflect.DeepEqual(got, want) {
				t.Errorf("got %s, %v; decoding it says %s, %v", got, err, want, wantErr)
			}
		})
	}
}

func TestALimitIsNamedInTheDocument(t *testing.T) {
	h, _ := door(func(w http.ResponseWriter, r *http.Request) {
		var v any
		_, err := httpx.ReadJSON(w, r, &v)
		httpx.Fail(w, r, err)
	})
	w := send(h, "POST", "/x", strings.Repeat("[", 40))
	if w.Code != 422 || !strings.Contains(w.Body.String(), `"limit":"json_depth"`) {
		t.Errorf("got %d %s", w.Code, w.Body)
	}
}

func TestABodyThatBreaksOffIsAnInvalidRequest(t *testing.T) {
	r := httptest.NewRequest("POST", "/", io.MultiReader(strings.NewReader(`{"a"`), broken{}))
	var v any
	_, err := httpx.ReadJSON(httptest.NewRecorder(), r, &v)
	if !fault.Is(err, fault.Invalid) || strings.Contains(fault.From(err).Message, "canary") {
		t.Errorf("got %v", err)
	}
}

type broken struct{}

func (broken) Read([]byte) (int, error) { return 0, errors.New("canary: connection reset") }

func TestADoorGivesARequestItsTime(t *testing.T) {
	for _, timeout := range []time.Duration{0, time.Minute} {
		var left time.Duration
		var has bool
		h, _ := door(func(_ http.ResponseWriter, r *http.Request) {
			var end time.Time
			if end, has = r.Context().Deadline(); has {
				left = time.Until(end)
			}
		}, func(c *httpx.Config) { c.Timeout = timeout })
		send(h, "GET", "/x", "")
		if has != (timeout > 0) || has && (left > timeout || left < timeout-10*time.Second) {
			t.Errorf("with %s there is a deadline: %v, in %s", timeout, has, left)
		}
	}
}

// What an endpoint writes can be flushed through the layers.
func TestAStreamIsFlushedThroughTheLayers(t *testing.T) {
	sent, read := make(chan struct{}), make(chan struct{})
	h, _ := door(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(w, "first")
		if err := http.NewResponseController(w).Flush(); err != nil {
			t.Errorf("flush: %v", err)
		}
		close(sent)
		select {
		case <-read:
		case <-r.Context().Done():
		}
	})
	server := httptest.NewServer(h)
	defer server.Close()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, server.URL, nil)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	<-sent
	first := make([]byte, 5)
	if _, err := io.ReadFull(resp.Body, first); err != nil || string(first) != "first" {
		t.Errorf("before the door has ended the reader has %q, %v", first, err)
	}
	close(read)
}

func TestWhoIsSignedInSaysSoInOneWay(t *testing.T) {
	tests := map[string]string{
		"Bearer abc": "abc", "bearer abc": "abc", "BEARER   abc ": "abc",
		"": "", "Bearer": "", "Bearer ": "", "Basic abc": "", "abc": "", "Bearerabc": "",
	}
	for header, want := range tests {
		r := httptest.NewRequest("GET", "/", nil)
		r.Header.Set("Authorization", header)
		got, err := httpx.Bearer(r)
		if got != want || fault.Is(err, fault.Unauthorized) != (want == "") {
			t.Errorf("%q is read as %q, %v", header, got, err)
		}
	}
}

func TestAnAnswerIsNotKeptByCaches(t *testing.T) {
	w := httptest.NewRecorder()
	httpx.JSON(w, http.StatusAccepted, map[string]int{"a": 1})
	if w.Code != 202 || w.Body.String() != "{\"a\":1}\n" ||
		w.Header().Get("Content-Type") != "application/json; charset=utf-8" ||
		w.Header().Get("Cache-Control") != "no-store" {
		t.Errorf("got %d %v %s", w.Code, w.Header(), w.Body)
	}
}

// More requests than a process may have at once are refused quickly, and the
// places come back.
func TestAnOverloadedProcessSaysSoAtOnce(t *testing.T) {
	t.Parallel()
	inside, release := make(chan struct{}), make(chan struct{})
	h := httpx.Wrap(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		inside <- struct{}{}
		<-release
		httpx.JSON(w, http.StatusOK, "done")
	}), httpx.Config{Log: zerolog.Nop(), NewID: func() string { return "request-1" }, Now: time.Now, AtOnce: 2})
	var wg sync.WaitGroup
	first := make([]*httptest.ResponseRecorder, 2)
	for i := range first {
		first[i] = httptest.NewRecorder()
		wg.Go(func() { h.ServeHTTP(first[i], httptest.NewRequest(http.MethodGet, "/", nil)) })
		<-inside
	}
	for range 3 {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/", nil))
		if w.Code != http.StatusServiceUnavailable || w.Header().Get("Retry-After") != "1" ||
			!strings.Contains(w.Body.String(), `"code":"overloaded"`) {
			t.Errorf("the third is answered with %d %s", w.Code, w.Body)
		}
	}
	close(release)
	wg.Wait()
	for _, w := range first {
		if w.Code != http.StatusOK {
			t.Errorf("the first two are answered with %d", w.Code)
		}
	}
	go func() { <-inside }()
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/", nil))
	if w.Code != http.StatusOK {
		t.Errorf("afterwards: %d", w.Code)
	}
}
