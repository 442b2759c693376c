package openai

import (
	"errors"
	"io"
	"net"
	"sync"
)

// largestKept is the capacity up to which the buffer of a body is used again.
const largestKept = 256 << 10

// bodies lends the buffers in which the bodies of calls are written. A body is
// some 25 KB, and would be most of what a call leaves to the garbage collector.
type bodies struct{ pool sync.Pool }

// buffer returns an empty buffer.
func (p *bodies) buffer() []byte {
	if b, ok := p.pool.Get().(*[]byte); ok {
		return (*b)[:0]
	}
	return nil
}

// body is one body that is sent. Its buffer is used again once its maker and all
// its readers have released it; net/http may read a body beyond the end of the
// request, but not beyond Close.
type body struct {
	of   *bodies
	mu   sync.Mutex
	data []byte
	uses int
}

// body returns the body of these bytes, which its maker has to release.
func (p *bodies) body(data []byte) *body { return &body{of: p, data: data, uses: 1} }

func (b *body) release() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.uses--; b.uses > 0 {
		return
	}
	data := b.data
	b.data = nil
	if cap(data) <= largestKept {
		b.of.pool.Put(&data)
	}
}

// open returns a new reader of the body.
func (b *body) open() (io.ReadCloser, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.uses == 0 {
		return nil, errReleased
	}
	b.uses++
	return &bodyReader{of: b, data: b.data}, nil
}

var errReleased = errors.New("the body of the call was released")

// bodyReader reads a body. It may be closed while it is read; then the reading in
// progress still sees the body's bytes, and none begins after it.
type bodyReader struct {
	of     *body
	mu     sync.Mutex
	data   []byte // what is left
	busy   int    // readings in progress
	closed bool
}

// begin returns up to n bytes for the caller to read until it calls end.
func (r *bodyReader) begin(n int64) ([]byte, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case r.closed:
		return nil, errReleased
	case len(r.data) == 0:
		return nil, io.EOF
	}
	part := r.data[:min(int64(len(r.data)), n)]
	r.data = r.data[len(part):]
	r.busy++
	return part, nil
}

func (r *bodyReader) end() {
	r.mu.Lock()
	r.busy--
	last := r.closed && r.busy == 0
	r.mu.Unlock()
	if last {
		r.of.release()
	}
}

// Read implements io.Reader.
func (r *bodyReader) Read(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	part, err := r.begin(int64(len(p)))
	if err != nil {
		return 0, err
	}
	defer r.end()
	return copy(p, part), nil
}

// writeTo writes head and up to n bytes of the body, without a copy of them. It
// returns how many bytes of the body were written.
func (r *bodyReader) writeTo(w *net.TCPConn, head []byte, n int64) (int64, error) {
	part, err := r.begin(n)
	if err != nil && !errors.Is(err, io.EOF) {
		return 0, err
	}
	if err == nil {
		defer r.end()
	}
	pieces := net.Buffers{head, part}
	written, err := pieces.WriteTo(w)
	return max(written-int64(len(head)), 0), err
}

// Close implements io.Closer.
func (r *bodyReader) Close() error {
	r.mu.Lock()
	first := !r.closed
	r.closed = true
	idle := r.busy == 0
	r.mu.Unlock()
	if first && idle {
		r.of.release()
	}
	return nil
}
