package lambda

import (
	"errors"
	"io"
	"net/http"
	"sync"
)

// errEnded answers a write after the handler has returned.
var errEnded = errors.New("the handler has already returned")

// writer is the ResponseWriter of one invocation. It may be used by several
// goroutines, one at a time in effect, and by none after the handler returned.
type writer struct {
	// started is closed once status and sent are final.
	started chan struct{}
	status  int
	sent    http.Header

	header http.Header
	head   bool
	body   io.Writer

	mu    sync.Mutex
	ended bool
}

func newWriter(r *http.Request, body io.Writer) *writer {
	return &writer{
		started: make(chan struct{}), header: http.Header{},
		head: r.Method == http.MethodHead, body: body,
	}
}

func (w *writer) Header() http.Header { return w.header }

func (w *writer) WriteHeader(status int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.begin(status, nil)
}

// begin fixes status and header. first is the start of the body, if known.
// Informational statuses have no place in an answer of Lambda.
func (w *writer) begin(status int, first []byte) {
	if w.ended || w.begun() || status < 200 {
		return
	}
	w.status = status
	w.sent = w.header.Clone()
	_, typed := w.sent["Content-Type"]
	if !typed && len(first) > 0 && w.sent.Get("Content-Encoding") == "" {
		w.sent.Set("Content-Type", http.DetectContentType(first))
	}
	close(w.started)
}

func (w *writer) begun() bool {
	select {
	case <-w.started:
		return true
	default:
		return false
	}
}

// Write passes p on at once: in a stream it returns when the runtime has it.
func (w *writer) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.ended {
		return 0, errEnded
	}
	w.begin(http.StatusOK, p)
	if w.status == http.StatusNoContent || w.status == http.StatusNotModified {
		return 0, http.ErrBodyNotAllowed
	}
	if w.head || len(p) == 0 {
		return len(p), nil
	}
	return w.body.Write(p)
}

// Flush sends the header if that has not happened yet. Nothing else waits.
func (w *writer) Flush() { _ = w.FlushError() }

// FlushError is Flush for http.ResponseController.
func (w *writer) FlushError() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.ended {
		return errEnded
	}
	w.begin(http.StatusOK, nil)
	return nil
}

// end closes the writer to the handler, which may have left goroutines behind.
func (w *writer) end() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.begin(http.StatusOK, nil)
	w.ended = true
}
