package faults_test

import (
	"bufio"
	"errors"
	"io"
	"net"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/bellhop-ai/bellhop/infra/local/faults"
)

// echo answers every line with "got: " and the line.
func echo(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer conn.Close()
				for lines := bufio.NewScanner(conn); lines.Scan(); {
					if _, err := io.WriteString(conn, "got: "+lines.Text()+"\n"); err != nil {
						return
					}
				}
			}()
		}
	}()
	return l.Addr().String()
}

// say sends lines through the proxy and returns all that comes back.
func say(t *testing.T, p *faults.Proxy, lines string) (string, error) {
	t.Helper()
	conn, err := net.Dial("tcp", p.Addr())
	if err != nil {
		return "", err
	}
	defer conn.Close()
	if err := conn.SetDeadline(time.Now().Add(5 * time.Second)); err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(conn, lines); err != nil {
		return "", err
	}
	if err := conn.(*net.TCPConn).CloseWrite(); err != nil {
		return "", err
	}
	back, err := io.ReadAll(conn)
	return string(back), err
}

func TestEachFaultStrikesWhereItSays(t *testing.T) {
	p := faults.Start(t, "tcp", echo(t))
	tests := map[string]struct {
		fault faults.Fault
		want  string
		reset bool
	}{
		"none":            {faults.Fault{}, "got: one\ngot: two\n", false},
		"a place to look": {faults.Fault{On: "two"}, "got: one\ngot: two\n", false},
		"words that never come": {faults.Fault{On: "three", Then: faults.Reset}, "got: one\ngot: two\n",
			false},
		"an end after ten bytes of answer": {faults.Fault{Way: faults.ToClient, After: 10, Then: faults.Close},
			"got: one\ng", false},
		"an end before a word of the answer": {faults.Fault{Way: faults.ToClient, On: "one", Before: true,
			Then: faults.Close}, "got: ", false},
		"an end at what comes after a word": {faults.Fault{Way: faults.ToClient, First: "one", On: "got",
			Before: true, Then: faults.Close}, "got: one\n", false},
		"a word that comes too early": {faults.Fault{Way: faults.ToClient, First: "two", On: "one",
			Then: faults.Close}, "got: one\ngot: two\n", false},
		"a reset when words were sent": {faults.Fault{On: "two", Before: true, Then: faults.Reset}, "", true},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			p.Set()
			if name != "none" {
				p.Set(tt.fault)
			}
			got, err := say(t, p, "one\ntwo\n")
			if tt.reset {
				if !errors.Is(err, syscall.ECONNRESET) && !errors.Is(err, syscall.EPIPE) &&
					!errors.Is(err, syscall.ENOTCONN) {
					t.Errorf("it ended with %v and %q", err, got)
				}
				return
			}
			if err != nil || got != tt.want {
				t.Errorf("read %q (%v), want %q", got, err, tt.want)
			}
			// Struck once, it strikes no more.
			if again, err := say(t, p, "one\n"); again != "got: one\n" || err != nil {
				t.Errorf("the next connection reads %q (%v)", again, err)
			}
		})
	}
}

func TestWordsAreSeenAcrossPiecesAndCounted(t *testing.T) {
	p := faults.Start(t, "tcp", echo(t))
	hits := make(chan struct{}, 3)
	p.Set(faults.Fault{On: "needle", Skip: 1, Times: -1, Hit: func() { hits <- struct{}{} }})
	conn, err := net.Dial("tcp", p.Addr())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	back := bufio.NewReader(conn)
	for _, piece := range []string{"a needle\n", "and nee", "dle\n", "hay\n", "needle\n"} {
		if _, err := io.WriteString(conn, piece); err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(piece, "\n") {
			if _, err := back.ReadString('\n'); err != nil {
				t.Fatal(err)
			}
		}
	}
	// The bytes may be there before the proxy has told of them.
	for range 2 {
		<-hits
	}
	if n := len(hits); n != 0 {
		t.Errorf("seen %d times more than twice after the first", n)
	}
}

func TestHoldKeepsBytesBackAndHalfOpenSwallowsThem(t *testing.T) {
	p := faults.Start(t, "tcp", echo(t))
	hold, hit := make(chan struct{}), make(chan struct{})
	p.Set(faults.Fault{On: "two", Before: true, Hold: hold, Hit: func() { close(hit) }})
	conn, err := net.Dial("tcp", p.Addr())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	back := bufio.NewReader(conn)
	read := func(want string) {
		t.Helper()
		if got, err := back.ReadString('\n'); got != want || err != nil {
			t.Fatalf("read %q (%v), want %q", got, err, want)
		}
	}
	if _, err := io.WriteString(conn, "one\ntwo\n"); err != nil {
		t.Fatal(err)
	}
	<-hit
	read("got: one\n")
	close(hold)
	read("got: two\n")

	p.Set(faults.Fault{On: "three", Then: faults.HalfOpen})
	if _, err := io.WriteString(conn, "three\n"); err != nil {
		t.Fatal(err)
	}
	if err := conn.SetReadDeadline(time.Now().Add(50 * time.Millisecond)); err != nil {
		t.Fatal(err)
	}
	if got, err := back.ReadString('\n'); got != "" || !isTimeout(err) {
		t.Errorf("a half open connection reads %q (%v)", got, err)
	}
}

func TestDownRefusesUntilItIsUp(t *testing.T) {
	p := faults.Start(t, "tcp", echo(t))
	p.Down(true)
	if got, err := say(t, p, "one\n"); got != "" || err == nil {
		t.Errorf("while it is down: %q (%v)", got, err)
	}
	p.Down(false)
	p.Shape(faults.Shape{Slice: 1, Bandwidth: 100_000})
	if got, err := say(t, p, "one\n"); got != "got: one\n" || err != nil {
		t.Errorf("up again, byte for byte: %q (%v)", got, err)
	}
	p.Shape(faults.Shape{Latency: 20 * time.Millisecond})
	began := time.Now()
	if got, err := say(t, p, "one\n"); got != "got: one\n" || err != nil || time.Since(began) < 40*time.Millisecond {
		t.Errorf("with 20 ms each way: %q (%v) after %s", got, err, time.Since(began))
	}
}

func isTimeout(err error) bool {
	n, ok := errors.AsType[net.Error](err)
	return ok && n.Timeout()
}
