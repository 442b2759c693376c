package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"log"
	"mime"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"
)

const (
	journalKeeps = 60      // requests
	journalTakes = 1 << 20 // bytes of a request and of an answer each
)

// journal stands between the functions and the model, whichever that is, and
// keeps the last requests and answers in memory, so that a developer sees what
// was sent. Keys are in headers and are not kept.
type journal struct {
	http *http.Server
	url  string
	now  func() time.Time

	mu      sync.Mutex
	entries []*modelCall // oldest first
	last    int
}

// modelCall is one request to the model as /dev/model shows it.
type modelCall struct {
	ID     int             `json:"id"`
	At     time.Time       `json:"at"`
	Millis int64           `json:"ms"` // until its last byte; 0 while it goes on
	Path   string          `json:"path"`
	Status int             `json:"status"` // 0 until it is known
	Body   json.RawMessage `json:"request"`
	Answer string          `json:"answer"` // as it came: JSON, or the lines of a stream
	came   []byte          // of the answer, so far
	Cut    bool            `json:"cut"` // whether request or answer was longer than what is kept
}

// startJournal passes requests on to the model at base.
func startJournal(base string, now func() time.Time) (*journal, error) {
	to, err := url.Parse(base)
	if err != nil {
		return nil, err
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	j := &journal{url: "http://" + listener.Addr().String() + "/v1", now: now}
	proxy := &httputil.ReverseProxy{
		Rewrite: func(p *httputil.ProxyRequest) {
			p.Out.URL.Path = strings.TrimPrefix(p.In.URL.Path, "/v1")
			p.SetURL(to)
		},
		ModifyResponse: j.answered,
		FlushInterval:  -1,
		Transport: &http.Transport{Proxy: http.ProxyFromEnvironment, MaxIdleConnsPerHost: 32,
			DisableCompression: true, ForceAttemptHTTP2: true},
		ErrorLog: log.New(io.Discard, "", 0),
	}
	j.http = &http.Server{Handler: j.record(proxy), ReadHeaderTimeout: 10 * time.Second}
	go func() { _ = j.http.Serve(listener) }() // until it is stopped
	return j, nil
}

func (j *journal) stop() error {
	if j == nil {
		return nil
	}
	if err := j.http.Close(); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// calls returns what is kept, newest first.
func (j *journal) calls() []modelCall {
	j.mu.Lock()
	defer j.mu.Unlock()
	all := make([]modelCall, 0, len(j.entries))
	for _, e := range slices.Backward(j.entries) {
		shown := *e
		shown.Answer = string(e.came)
		all = append(all, shown)
	}
	return all
}

type callKey struct{}

func withCall(ctx context.Context, call *modelCall) context.Context {
	return context.WithValue(ctx, callKey{}, call)
}

func callOf(ctx context.Context) *modelCall {
	call, _ := ctx.Value(callKey{}).(*modelCall)
	return call
}

// record keeps a request before it is passed on. Recordings and other bodies
// that are no JSON are passed on unread.
func (j *journal) record(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodPost {
			next.ServeHTTP(w, r)
			return
		}
		call := &modelCall{Path: r.URL.Path}
		if kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type")); kind == "application/json" {
			body, err := io.ReadAll(r.Body)
			if err != nil {
				http.Error(w, err.Error(), http.StatusBadRequest)
				return
			}
			r.Body = io.NopCloser(bytes.NewReader(body))
			if call.Cut = len(body) > journalTakes; !call.Cut && json.Valid(body) {
				call.Body = body
			}
		}
		j.mu.Lock()
		j.last++
		call.ID, call.At = j.last, j.now()
		j.entries = append(j.entries, call)
		j.entries = j.entries[max(0, len(j.entries)-journalKeeps):]
		j.mu.Unlock()
		next.ServeHTTP(w, r.WithContext(withCall(r.Context(), call)))
		j.mu.Lock()
		call.Millis = max(1, j.now().Sub(call.At).Milliseconds())
		j.mu.Unlock()
	})
}

// answered keeps a copy of an answer while it passes.
func (j *journal) answered(r *http.Response) error {
	call := callOf(r.Request.Context())
	if call == nil {
		return nil
	}
	j.mu.Lock()
	call.Status = r.StatusCode
	j.mu.Unlock()
	r.Body = &copied{ReadCloser: r.Body, journal: j, call: call}
	return nil
}

// copied is an answer that is read and kept.
type copied struct {
	io.ReadCloser
	journal *journal
	call    *modelCall
}

func (c *copied) Read(b []byte) (int, error) {
	n, err := c.ReadCloser.Read(b)
	c.journal.mu.Lock()
	defer c.journal.mu.Unlock()
	kept := min(n, journalTakes-len(c.call.came))
	c.call.came = append(c.call.came, b[:kept]...)
	c.call.Cut = c.call.Cut || kept < n
	return n, err
}
