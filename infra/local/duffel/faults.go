package duffel

import (
	"context"
	"net/http"
	"path"
	"strings"
	"sync"
)

// Fault is something that goes wrong with a coming request.
type Fault struct {
	// Path says which: "POST /air/orders" or "/air/offers/*", where * is one part.
	Path string
	// Status and what follows are the error document. Members that are left out are those
	// that Duffel has for the status.
	Status  int
	Type    string
	Code    string
	Title   string
	Message string
	// Header is added to the answer.
	Header http.Header
	// Times is how many requests it concerns; 0 is one.
	Times int
	// Done says that the request is carried out before its answer fails, as when a
	// gateway times out over an order that is made.
	Done bool
	// Lost breaks the connection instead of an answer.
	Lost bool

	wait chan struct{}
}

type fault struct {
	Fault
	left int
}

// Inject makes a coming request go wrong. Faults for the same path take their turns in
// the order in which they were given.
func (s *Server) Inject(f Fault) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.faults = append(s.faults, &fault{Fault: f, left: max(1, f.Times)})
}

// Fail answers the next request for a path with an error; the request is not carried out.
func (s *Server) Fail(path string, status int, code string) {
	s.Inject(Fault{Path: path, Status: status, Code: code})
}

// Lose carries the next request for a path out and breaks the connection instead of
// answering.
func (s *Server) Lose(path string) { s.Inject(Fault{Path: path, Done: true, Lost: true}) }

// Hang lets the next request for a path wait until release is called, and carries it out
// then. A request whose client has gone is not carried out.
func (s *Server) Hang(path string) (release func()) {
	wait := make(chan struct{})
	s.Inject(Fault{Path: path, wait: wait})
	return sync.OnceFunc(func() { close(wait) })
}

// Waiting returns once at least n requests wait at the same time by Hang, or with the
// context's error.
func (s *Server) Waiting(ctx context.Context, n int) error {
	stop := context.AfterFunc(ctx, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.hung.Broadcast()
	})
	defer stop()
	s.mu.Lock()
	defer s.mu.Unlock()
	for s.waiting < n && ctx.Err() == nil {
		s.hung.Wait()
	}
	if s.waiting < n {
		return ctx.Err()
	}
	return nil
}

// wait counts a request that waits, until it goes on. It is false when the client has gone.
func (s *Server) wait(r *http.Request, until <-chan struct{}) bool {
	count := func(by int) {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.waiting += by
		s.hung.Broadcast()
	}
	count(1)
	defer count(-1)
	select {
	case <-until:
		return true
	case <-r.Context().Done():
		return false
	}
}

// takeFaults returns what goes wrong with a request, before and after it is carried out.
func (s *Server) takeFaults(r *http.Request) (before, after *problem) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i, f := range s.faults {
		if !f.matches(r) {
			continue
		}
		if f.left--; f.left == 0 {
			s.faults = append(s.faults[:i:i], s.faults[i+1:]...)
		}
		if p := f.problem(); f.Done {
			return nil, p
		} else {
			return p, nil
		}
	}
	return nil, nil
}

func (f *fault) matches(r *http.Request) bool {
	method, pattern, both := strings.Cut(f.Path, " ")
	if !both {
		method, pattern = r.Method, f.Path
	}
	found, err := path.Match(pattern, r.URL.Path)
	return err == nil && found && method == r.Method
}

func (f *fault) problem() *problem {
	p := fails(f.Status, f.Type, f.Code, f.Title, f.Message)
	p.lost, p.wait, p.header = f.Lost, f.wait, f.Header
	if f.Status == 0 {
		return p
	}
	usual := usualProblem(f.Status, f.Code)
	if p.Type == "" {
		p.Type = usual.Type
	}
	if p.Code == "" {
		p.Code = usual.Code
	}
	if p.Title == "" {
		p.Title = usual.Title
	}
	if p.Message == "" {
		p.Message = usual.Message
	}
	return p
}

// usualProblem is what Duffel says with a status.
func usualProblem(status int, code string) *problem {
	switch {
	case status == http.StatusTooManyRequests:
		return rateLimited()
	case strings.HasPrefix(code, "airline_") || code == "order_not_created":
		return fails(status, airlineError, "airline_unknown", "Unknown airline error",
			"The airline responded with an unexpected error, please contact support")
	case code == "offer_no_longer_available":
		return gone()
	case status == http.StatusGatewayTimeout:
		return timedOut()
	case status >= http.StatusInternalServerError:
		return fails(status, apiError, "internal_server_error", "Internal server error",
			"There was something wrong on our end, please contact support")
	case strings.HasPrefix(code, "validation_"):
		return fails(status, badField, code, titleOf(code), "The request is not valid")
	case status == http.StatusUnprocessableEntity:
		return fails(status, badState, "invalid_state", "Invalid state", "The request does not fit the current state")
	case status == http.StatusUnauthorized || status == http.StatusForbidden:
		return fails(status, badToken, "insufficient_permissions", "Insufficient permissions",
			"The provided token doesn't have sufficient permissions to perform the requested action")
	}
	return fails(status, badRequest, "bad_request", "Bad request", "The request was unacceptable")
}

func timedOut() *problem {
	return fails(http.StatusGatewayTimeout, apiError, "gateway_timeout_error", "Gateway timeout",
		"The airline took too long to answer. Please retry your request later")
}
