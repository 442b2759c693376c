package faults

import (
	"bytes"
	"errors"
	"io"
	"net"
	"sync"
	"sync/atomic"
	"time"
)

// pair is one connection through the proxy.
type pair struct {
	proxy          *Proxy
	client, target net.Conn
	ending         sync.Once
	gone           chan struct{}
	mute           atomic.Bool // half open: nothing passes any more
}

// reset ends both sides so that they see a reset, not an end.
func (c *pair) reset() { c.end(true) }

func (c *pair) end(hard bool) {
	c.ending.Do(func() {
		close(c.gone)
		for _, conn := range []net.Conn{c.client, c.target} {
			if conn == nil {
				continue
			}
			if tcp, ok := conn.(*net.TCPConn); ok && hard {
				_ = tcp.SetLinger(0)
			}
			_ = conn.Close()
		}
	})
}

// run moves bytes both ways until both have ended.
func (c *pair) run() {
	var ways sync.WaitGroup
	ways.Go(func() { c.move(FromClient, c.client, c.target) })
	ways.Go(func() { c.move(ToClient, c.target, c.client) })
	ways.Wait()
	c.end(false)
}

// longestWatched bounds how much of what has passed is kept to recognise bytes
// that come in several pieces.
const longestWatched = 256

func (c *pair) move(way Way, from, to net.Conn) {
	var passed int64
	var tail []byte
	buffer := make([]byte, 32<<10)
	for {
		n, err := from.Read(buffer)
		if piece := buffer[:n]; n > 0 && !c.mute.Load() {
			if !c.pass(way, to, passed, tail, piece) {
				return
			}
			passed += int64(n)
			tail = append(tail, piece...)
			tail = tail[max(0, len(tail)-longestWatched):]
		}
		if err == nil {
			continue
		}
		if !errors.Is(err, io.EOF) {
			c.reset()
			return
		}
		// The other way may go on after this one has ended.
		if half, ok := to.(interface{ CloseWrite() error }); ok && !c.mute.Load() {
			_ = half.CloseWrite()
		}
		return
	}
}

// pass sends a piece on, or does to it what a fault says. It returns false
// when the connection is over.
func (c *pair) pass(way Way, to net.Conn, passed int64, tail, piece []byte) bool {
	at, f := c.proxy.strike(c, way, passed, tail, piece)
	if f == nil {
		return c.write(to, piece)
	}
	before := piece
	if f.Before || f.On == "" {
		before = piece[:at]
	}
	if f.Then == HalfOpen && f.Hold == nil {
		c.mute.Store(true) // before the other end can answer to what it gets now
	}
	if !c.write(to, before) {
		return false
	}
	if f.Hit != nil {
		f.Hit()
	}
	if f.Hold != nil {
		select {
		case <-f.Hold:
		case <-c.gone:
			return false
		}
	}
	switch f.Then {
	case Reset:
		c.reset()
		return false
	case Close:
		c.end(false)
		return false
	case HalfOpen:
		c.mute.Store(true)
		return true
	}
	return c.write(to, piece[len(before):])
}

func (c *pair) write(to net.Conn, data []byte) bool {
	for len(data) > 0 {
		s := c.proxy.shaped()
		n := len(data)
		if s.Slice > 0 {
			n = min(n, s.Slice)
		}
		wait := s.Latency
		if s.Bandwidth > 0 {
			wait += time.Duration(n) * time.Second / time.Duration(s.Bandwidth)
		}
		if wait > 0 {
			pause := time.NewTimer(wait)
			select {
			case <-pause.C:
			case <-c.gone:
				pause.Stop()
				return false
			}
		}
		if _, err := to.Write(data[:n]); err != nil {
			c.reset()
			return false
		}
		data = data[n:]
	}
	return true
}

// find says where in the piece, from an offset on, the fault strikes.
func (a *armed) find(passed int64, tail, piece []byte, from int) (int, bool) {
	if a.On == "" {
		at := max(a.After-passed, int64(from))
		return int(at), a.After >= passed && at < int64(len(piece)) || from > 0
	}
	if from > 0 {
		at := bytes.Index(piece[from:], []byte(a.On))
		return from + max(at, 0), at >= 0
	}
	end := after(a.On, tail, piece)
	return max(0, end-len(a.On)), end >= 0
}

// after returns the end in the piece of words that end in it, or -1.
func after(words string, tail, piece []byte) int {
	keep := min(len(tail), len(words)-1)
	seen := append(bytes.Clone(tail[len(tail)-keep:]), piece...)
	at := bytes.Index(seen, []byte(words))
	if at < 0 {
		return -1
	}
	return at + len(words) - keep
}
