package stream_test

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/stream"
)

// pipes is a listener whose connections hold nothing back: what the reader does
// not take, the writer cannot be rid of.
type pipes struct {
	conns chan net.Conn
	done  chan struct{}
	once  sync.Once
}

func (p *pipes) Accept() (net.Conn, error) {
	select {
	case c := <-p.conns:
		return c, nil
	case <-p.done:
		return nil, net.ErrClosed
	}
}

func (p *pipes) Close() error { p.once.Do(func() { close(p.done) }); return nil }

func (p *pipes) Addr() net.Addr { return &net.TCPAddr{} }

func (p *pipes) dial() net.Conn {
	client, server := net.Pipe()
	p.conns <- server
	return client
}

// F-58: readers who take a byte a second are cut off, their turns end, and
// nothing of them is left: the bubble would not end before its goroutines did.
func TestSlowReadersAreCutOff(t *testing.T) {
	// The timers of a bubble share one context of the race detector, which dies
	// when two processors run them at once (golang/go#78156).
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	synctest.Test(t, func(t *testing.T) {
		const readers = 100
		var ended, complained atomic.Int32
		h := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			_, err := stream.Serve(r.Context(), w, &stream.Encoder{Turn: "t"}, "r", stream.Keep{Frames: true},
				func(_ context.Context, send func(stream.Event) error) error {
					for {
						if err := send(stream.Event{Name: "response_chunk",
							Data: map[string]string{"text": strings.Repeat("x", 1000)}}); err != nil {
							complained.Add(1)
							return err
						}
					}
				})
			if err != nil {
				ended.Add(1)
			}
		})
		listener := &pipes{conns: make(chan net.Conn), done: make(chan struct{})}
		server := &http.Server{Handler: h}
		go func() { _ = server.Serve(listener) }()
		began := time.Now()
		var wg sync.WaitGroup
		for range readers {
			wg.Go(func() {
				conn := listener.dial()
				defer conn.Close()
				if _, err := io.WriteString(conn, "GET / HTTP/1.1\r\nHost: x\r\n\r\n"); err != nil {
					t.Error(err)
				}
				one := make([]byte, 1)
				for {
					if _, err := conn.Read(one); err != nil {
						return
					}
					<-time.After(time.Second)
				}
			})
		}
		wg.Wait()
		if took := time.Since(began); took > time.Minute {
			t.Errorf("it took %v until the last was cut off", took)
		}
		if err := server.Close(); err != nil && !errors.Is(err, net.ErrClosed) {
			t.Error(err)
		}
		synctest.Wait()
		if ended.Load() != readers || complained.Load() != readers {
			t.Errorf("%d turns ended, %d of them were told", ended.Load(), complained.Load())
		}
	})
}
