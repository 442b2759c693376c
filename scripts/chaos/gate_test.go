package main

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"path"
	"slices"
	"sync"
)

// fate is what becomes of the request at which the gate closes.
type fate string

const (
	dropped fate = "dropped"              // it never reaches the project
	late    fate = "arrives late"         // it reaches it when the gate opens again
	unheard fate = "done, answer is lost" // it was carried out, and no one is told
)

// gate stands in front of the project. It can close at the nth request.
type gate struct {
	project http.Handler

	mu     sync.Mutex
	seen   []string
	at     int
	fate   fate
	closed chan struct{} // closed when the request is held
	open   chan struct{} // the test closes it
	over   chan struct{} // closed when the held request has been dealt with
}

// close makes the gate close at the nth request from now, counted from 0. A
// negative n only counts.
func (g *gate) close(n int, f fate) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.seen, g.at, g.fate = nil, n, f
	g.closed, g.open, g.over = make(chan struct{}), make(chan struct{}), make(chan struct{})
}

// requests names what has come since.
func (g *gate) requests() []string {
	g.mu.Lock()
	defer g.mu.Unlock()
	return slices.Clone(g.seen)
}

func (g *gate) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	g.mu.Lock()
	hit := len(g.seen) == g.at
	g.seen = append(g.seen, r.Method+" "+path.Base(r.URL.Path))
	f, closed, open, over := g.fate, g.closed, g.open, g.over
	if hit {
		g.at = -1
	}
	g.mu.Unlock()
	if !hit {
		g.project.ServeHTTP(w, r)
		return
	}
	defer close(over)
	body, err := io.ReadAll(r.Body)
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	// A caller who sent it will be dead by then.
	r = r.WithContext(context.WithoutCancel(r.Context()))
	r.Body = io.NopCloser(bytes.NewReader(body))
	if f == unheard {
		g.project.ServeHTTP(nobody{http.Header{}}, r)
	}
	close(closed)
	<-open
	if f == late {
		g.project.ServeHTTP(nobody{http.Header{}}, r)
	}
	panic(http.ErrAbortHandler)
}

// no one hears an answer.
type nobody struct{ header http.Header }

func (n nobody) Header() http.Header         { return n.header }
func (n nobody) Write(b []byte) (int, error) { return len(b), nil }
func (n nobody) WriteHeader(int)             {}
