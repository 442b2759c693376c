// Package script is an OpenAI-compatible server, of Chat Completions and of the
// Responses API, that says what a test tells it to say, faults included, and remembers what it was
// asked.
//
// A test writes its answers as Steps, or in the compact form that Parse reads,
// and points a client at the server:
//
//	model := script.Start(t,
//		script.Route("inventory"),
//		script.Step{Calls: []script.Call{{Name: "list_extras"}}},
//		script.Step{Text: "There are three extras."},
//	)
//	client, err := openai.New(openai.Config{BaseURL: model.URL})
//
// A request is answered by the first unused step whose When accepts it. If
// there is none, the first unused step without a When answers. So a plain
// script is read from top to bottom, and calls that come at any time, such as
// a router's, find their own steps. A request that no step is left for gets a
// 500 that says so and that clients should not retry.
//
// Before that a request is checked as strictly as OpenAI checks it. One that
// OpenAI would refuse gets a 400, uses no step, and is listed in Violations.
package script

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
)

// bodyLimit is far above any prompt of ours.
const bodyLimit = 32 << 20

// Server answers from its script. It is an http.Handler for
// POST /v1/chat/completions and POST /v1/responses, and safe for concurrent use.
type Server struct {
	// URL is the base address, ending in /v1, of a server made by Start.
	URL string

	t    testing.TB         // nil unless made by Start
	make func(Request) Step // instead of steps
	done chan struct{}

	// turn guards the steps alone, so that a When may ask for Requests.
	turn  sync.Mutex
	steps []Step
	used  []int

	mu         sync.Mutex
	asked      int
	requests   []Request
	violations []string
}

// New returns a server that answers with steps. A call without an id gets
// "call_N", where N counts all calls of the script from 1; when a step is
// repeated, "call_N_2" and so on, so an id is never given twice.
func New(steps ...Step) *Server {
	s := &Server{steps: slices.Clone(steps), used: make([]int, len(steps)), done: make(chan struct{})}
	n := 0
	for i := range s.steps {
		s.steps[i].firstCall = n + 1
		n += len(s.steps[i].Calls)
	}
	return s
}

// Func returns a server whose every answer is made by f, which may be called
// for several requests at once. Calls without an id get one that is new. It
// keeps no Requests, only Violations.
func Func(f func(Request) Step) *Server {
	s := New()
	s.make = f
	return s
}

// Start returns a server that listens on the loopback until the test ends. It
// fails the test when a request comes that the script has no answer for.
// Steps still on hold at the end of the test are let go unanswered.
func Start(t testing.TB, steps ...Step) *Server {
	t.Helper()
	s := New(steps...)
	s.t = t
	h := httptest.NewServer(s)
	s.URL = h.URL + "/v1"
	t.Cleanup(func() {
		close(s.done)
		h.Close()
	})
	return s
}

// Requests returns what was asked so far, in order of arrival, refused and
// unscripted requests included.
func (s *Server) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.requests)
}

// Violations returns one sentence for each request that OpenAI would have
// refused, in order of arrival. It is empty for a client without faults.
func (s *Server) Violations() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.violations)
}

// Unused returns, in order, what the steps that answered no request would have
// said. A step that may answer for ever is not listed.
func (s *Server) Unused() []string {
	s.turn.Lock()
	defer s.turn.Unlock()
	var out []string
	for i, step := range s.steps {
		if step.Times >= 0 && s.used[i] < max(step.Times, 1) {
			out = append(out, step.String())
		}
	}
	return out
}

// ServeHTTP answers one request.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	read := readRequest
	if r.URL.Path == "/v1/responses" {
		read = readResponsesRequest
	}
	if r.Method != http.MethodPost || r.URL.Path != "/v1/chat/completions" && r.URL.Path != "/v1/responses" {
		s.unscripted(w, http.StatusNotFound,
			fmt.Sprintf("the script answers POST /v1/chat/completions and /v1/responses only, not %s %s", r.Method,
				r.URL.Path), "")
		return
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, bodyLimit))
	if err != nil {
		return // The client went away in the middle of its request.
	}
	in, wrong := read(body)
	in.Header = r.Header.Clone()
	in.Authorization = r.Header.Get("Authorization")
	in.Number = s.record(&in, wrong)
	if wrong != nil {
		refuse(w, http.StatusBadRequest, "invalid_request_error", "", wrong.Error())
		return
	}
	step, ok := s.take(in)
	if !ok {
		last := in.Last("")
		s.unscripted(w, http.StatusInternalServerError, fmt.Sprintf("the script has no answer for request %d",
			in.Number),
			fmt.Sprintf("; it offers %q and ends with the %s message %q", in.Tools, last.Role, last.Content))
		return
	}
	if step.Arrived != nil {
		step.Arrived(in)
	}
	a := answer{w: w, step: step, request: in, wait: func() bool {
		if step.Hold == nil {
			return true
		}
		select {
		case <-step.Hold:
			return true
		case <-r.Context().Done():
		case <-s.done:
		}
		return false
	}}
	a.write()
}

func (s *Server) record(in *Request, wrong error) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asked++
	in.Number = s.asked
	if s.make == nil { // a server without a script may be asked for hours
		s.requests = append(s.requests, *in)
	}
	if wrong != nil {
		s.violations = append(s.violations, fmt.Sprintf("request %d: %v", in.Number, wrong))
	}
	return in.Number
}

// take chooses the step for a request and gives its calls their ids.
func (s *Server) take(in Request) (Step, bool) {
	if s.make != nil {
		step := s.make(in)
		step.Calls = slices.Clone(step.Calls)
		for i := range step.Calls {
			if step.Calls[i].ID == "" {
				step.Calls[i].ID = fmt.Sprintf("call_%d_%d", in.Number, i+1)
			}
		}
		return step, true
	}
	s.turn.Lock()
	defer s.turn.Unlock()
	left := func(i int) bool { return s.steps[i].Times < 0 || s.used[i] < max(s.steps[i].Times, 1) }
	at := -1
	for i, step := range s.steps {
		if !left(i) {
			continue
		}
		if step.When != nil && step.When(in) {
			at = i
			break
		}
		if step.When == nil && at < 0 {
			at = i
		}
	}
	if at < 0 {
		return Step{}, false
	}
	s.used[at]++
	step := s.steps[at]
	step.Calls = slices.Clone(step.Calls)
	for i := range step.Calls {
		if step.Calls[i].ID != "" {
			continue
		}
		step.Calls[i].ID = fmt.Sprintf("call_%d", step.firstCall+i)
		if s.used[at] > 1 {
			step.Calls[i].ID += fmt.Sprintf("_%d", s.used[at])
		}
	}
	return step, true
}

// unscripted answers what no test foresaw. More is for the test alone.
func (s *Server) unscripted(w http.ResponseWriter, status int, message, more string) {
	if s.t != nil {
		s.t.Errorf("model: %s%s", message, more)
	}
	// A retry would find the same script.
	w.Header().Set("X-Should-Retry", "false")
	refuse(w, status, "server_error", "unscripted", message)
}

// refuse writes an error in OpenAI's shape.
func refuse(w http.ResponseWriter, status int, kind, code, message string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = io.WriteString(w, errorBody(kind, code, message)) // The reader may have gone.
}

func errorBody(kind, code, message string) string {
	inner := map[string]any{"message": message, "type": kind, "param": nil, "code": nil}
	if code != "" {
		inner["code"] = code
	}
	return encode(map[string]any{"error": inner})
}

// encode writes v as JSON in one line, without the escapes meant for HTML.
func encode(v any) string {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(v) // Plain maps, lists and strings always encode.
	return strings.TrimSuffix(b.String(), "\n")
}
