package openai

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/openai/openai-go/v3/packages/ssestream"

	"github.com/bellhop-ai/bellhop/pkg/rawjson"
)

const (
	maxAnswer = 16 << 20 // bytes of one answer, streamed or not
	maxLine   = 1 << 20  // bytes of one line of a stream
	// After the end of an answer we still wait a little for its usage, and for
	// the end of the body, without which the connection cannot be used again.
	graceUsage = 2 * time.Second
	graceEnd   = 100 * time.Millisecond
)

// readStream reads an answer that comes in pieces, up to [DONE] or to the end of the body.
// It returns the provider's error object if one came instead.
func readStream(d draft, res *http.Response, g *guard, say func(string) error) (rawjson.Value, error) {
	events := ssestream.NewDecoder(res)
	for events.Next() {
		event := events.Event()
		data := bytes.TrimSpace(event.Data)
		if bytes.HasPrefix(data, []byte("[DONE]")) {
			g.patience(graceEnd)
			_, _ = io.Copy(io.Discard, io.LimitReader(res.Body, 4<<10))
			break
		}
		if event.Type == "error" {
			return bytes.Clone(data), nil
		}
		raw, err := d.take(data, false, say)
		if _, bad := errors.AsType[*unreadable](err); bad && event.Type != "" && event.Type != "message" {
			continue // an event of the server's own, such as a ping
		}
		if err != nil {
			return nil, err
		}
		reason, grace := d.finished()
		if len(raw) > 0 && (reason == "" || reason == "error") {
			return bytes.Clone(raw), nil
		}
		if reason != "" {
			g.patience(grace)
		}
	}
	if reason, _ := d.finished(); reason != "" {
		return nil, nil // whole, whatever happened to what follows
	}
	return nil, events.Err()
}

// readWhole reads an answer that comes in one piece.
func readWhole(d draft, body io.Reader, say func(string) error) (rawjson.Value, error) {
	data, err := io.ReadAll(body)
	if err != nil {
		return nil, err
	}
	return d.take(data, true, say)
}

// guard stands between the wire and openai-go. It ends a stream on which
// nothing moves, bounds what we read, and takes away the byte order mark that
// openai-go would take for a part of the first field's name.
type guard struct {
	idle   time.Duration // 0 = wait as long as the context
	giveUp func(error)
	timer  *time.Timer

	src    io.ReadCloser
	stream bool
	head   []byte // the first bytes of a stream, read ahead
	begun  bool
	total  int
	line   int
}

func newGuard(idle time.Duration, giveUp func(error)) *guard {
	g := &guard{idle: idle, giveUp: giveUp}
	if idle > 0 {
		g.timer = time.AfterFunc(idle, func() { giveUp(errStalled) })
	}
	return g
}

// patience shortens the wait for the next byte.
func (g *guard) patience(d time.Duration) {
	if g.timer == nil {
		g.timer = time.AfterFunc(d, func() { g.giveUp(errStalled) })
	}
	if g.idle == 0 || d < g.idle {
		g.idle = d
		g.timer.Reset(d)
	}
}

func (g *guard) stop() {
	if g.timer != nil {
		g.timer.Stop()
	}
	if g.src != nil {
		_ = g.src.Close()
	}
}

// watch puts the guard in front of the body of an answer.
func (g *guard) watch(res *http.Response) {
	g.src, g.stream = res.Body, isStream(res)
	res.Body = g
}

func isStream(res *http.Response) bool {
	return strings.HasPrefix(strings.ToLower(res.Header.Get("Content-Type")), "text/event-stream")
}

// Read reads on.
func (g *guard) Read(p []byte) (int, error) {
	if g.stream && !g.begun {
		g.begun = true
		head := make([]byte, 3)
		n := 0
		for n < len(head) {
			m, err := g.read(head[n:])
			if n += m; err != nil {
				break // it comes again with the next read
			}
		}
		g.head = bytes.TrimPrefix(head[:n], []byte("\uFEFF"))
	}
	if len(g.head) > 0 {
		n := copy(p, g.head)
		g.head = g.head[n:]
		return n, nil
	}
	return g.read(p)
}

func (g *guard) read(p []byte) (int, error) {
	n, err := g.src.Read(p)
	if n > 0 && g.idle > 0 {
		g.timer.Reset(g.idle)
	}
	if g.total += n; g.total > maxAnswer {
		return 0, errTooLong
	}
	if !g.stream {
		return n, err
	}
	for rest := p[:n]; len(rest) > 0; {
		part, after, ended := bytes.Cut(rest, []byte("\n"))
		if g.line += len(part); g.line > maxLine {
			return 0, errTooLong
		}
		if ended {
			g.line = 0
		}
		rest = after
	}
	return n, err
}

// Close ends the body.
func (g *guard) Close() error { return g.src.Close() }
