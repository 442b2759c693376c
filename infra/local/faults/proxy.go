// Package faults is a TCP proxy that does to connections what networks do:
// resets in the middle, silence, slowness, bytes one at a time. It stands
// between any two parts of the local stack, runs in the test's process, and
// strikes at exact places: after so many bytes, or when certain bytes pass.
//
//	p := faults.Start(t, "tcp", address)
//	p.Set(faults.Fault{Way: faults.FromClient, On: "commit", Then: faults.Reset})
//	… connect to p.Addr() in place of address …
package faults

import (
	"context"
	"errors"
	"net"
	"sync"
	"testing"
	"time"
)

// Way is a direction of bytes.
type Way int

// The two directions, seen from the client.
const (
	FromClient Way = iota
	ToClient
)

// Then is what becomes of a connection.
type Then int

// What a fault does, once it strikes.
const (
	// Pass lets everything pass on. With Hit or Hold it is a place to look.
	Pass Then = iota
	// Reset ends both sides at once, as a crash or a firewall does.
	Reset
	// HalfOpen swallows all further bytes of both ways and keeps the
	// connections open, as when a machine is gone without a word.
	HalfOpen
	// Close ends both sides in good order.
	Close
)

// Fault is one thing that goes wrong, at one place.
type Fault struct {
	// Way says which bytes are watched.
	Way Way
	// First has to have passed on the same connection and way since the last
	// strike. Empty asks for nothing.
	First string
	// On strikes when these bytes come along, upper and lower case as
	// written. Empty strikes after After bytes.
	On string
	// After is how many bytes of a connection pass before an empty On strikes.
	After int64
	// Skip leaves out the first places that would strike.
	Skip int
	// Before strikes before the bytes pass that were waited for; otherwise
	// the whole piece in which they came passes first.
	Before bool
	Then   Then
	// Times is how often it strikes, over all connections: 0 means once, a
	// negative number always.
	Times int
	// Hit, if not nil, is called when it strikes, before anything else.
	Hit func()
	// Hold, if not nil, keeps the bytes of this way back until it is closed.
	Hold <-chan struct{}
}

// Shape is how slow all connections are. The zero value is not.
type Shape struct {
	Latency   time.Duration // before each piece
	Bandwidth int           // bytes a second
	Slice     int           // longest piece in bytes
}

// Proxy forwards connections to one address. Its methods may be called at any
// time; faults and shapes hold for the bytes that come after.
type Proxy struct {
	listener net.Listener
	ending   chan struct{}
	running  sync.WaitGroup

	mu              sync.Mutex
	network, target string
	faults          []*armed
	shape           Shape
	down            bool
	pairs           map[*pair]struct{}
}

// armed is a fault with what is left of it.
type armed struct {
	Fault
	skip, left int
	first      map[*pair]bool // where First has passed
}

// Start starts a proxy that ends with the test. An empty target is taken from
// the first Dial.
func Start(t testing.TB, network, target string) *Proxy {
	t.Helper()
	p, err := New(network, target)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	return p
}

// New starts a proxy. Call Close to end it.
func New(network, target string) (*Proxy, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	p := &Proxy{listener: l, network: network, target: target, ending: make(chan struct{}),
		pairs: map[*pair]struct{}{}}
	p.running.Go(p.accept)
	return p, nil
}

// Addr is where clients connect.
func (p *Proxy) Addr() string { return p.listener.Addr().String() }

// Dial connects through the proxy. It fits where a dialer does, such as in
// the configuration of a database pool.
func (p *Proxy) Dial(ctx context.Context, network, target string) (net.Conn, error) {
	p.mu.Lock()
	if p.target == "" {
		p.network, p.target = network, target
	}
	p.mu.Unlock()
	var d net.Dialer
	return d.DialContext(ctx, "tcp", p.Addr())
}

// Set replaces the faults. Without any, what is new passes.
func (p *Proxy) Set(list ...Fault) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.faults = nil
	for _, f := range list {
		left := f.Times
		if left == 0 {
			left = 1
		}
		p.faults = append(p.faults, &armed{Fault: f, skip: f.Skip, left: left, first: map[*pair]bool{}})
	}
}

// Shape makes connections slow from now on.
func (p *Proxy) Shape(s Shape) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.shape = s
}

// Down resets all connections and those to come, until it is called with false.
func (p *Proxy) Down(down bool) {
	p.mu.Lock()
	p.down = down
	p.mu.Unlock()
	if down {
		p.ResetAll()
	}
}

// ResetAll ends the connections that are open now.
func (p *Proxy) ResetAll() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for c := range p.pairs {
		c.reset()
	}
}

// Open is how many connections there are.
func (p *Proxy) Open() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.pairs)
}

// Close ends the proxy and all of its connections.
func (p *Proxy) Close() {
	p.mu.Lock()
	select {
	case <-p.ending:
	default:
		close(p.ending)
	}
	p.mu.Unlock()
	_ = p.listener.Close()
	p.ResetAll()
	p.running.Wait()
}

func (p *Proxy) accept() {
	for {
		client, err := p.listener.Accept()
		if err != nil {
			if errors.Is(err, net.ErrClosed) {
				return
			}
			continue
		}
		p.running.Go(func() { p.serve(client) })
	}
}

func (p *Proxy) serve(client net.Conn) {
	p.mu.Lock()
	network, target, down := p.network, p.target, p.down
	p.mu.Unlock()
	c := &pair{proxy: p, client: client, gone: make(chan struct{})}
	if down {
		c.reset()
		return
	}
	d := net.Dialer{Timeout: 5 * time.Second}
	var err error
	if c.target, err = d.Dial(network, target); err != nil {
		c.reset()
		return
	}
	p.mu.Lock()
	p.pairs[c] = struct{}{}
	ended := p.down
	select {
	case <-p.ending:
		ended = true
	default:
	}
	p.mu.Unlock()
	if ended {
		c.reset()
	}
	c.run()
	p.mu.Lock()
	delete(p.pairs, c)
	p.mu.Unlock()
}

// strike returns the fault that strikes now, if one does. seen is what is
// watched of this way: the end of what has passed, then what is to pass.
func (p *Proxy) strike(c *pair, way Way, passed int64, tail, piece []byte) (at int, f *Fault) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, a := range p.faults {
		if a.Way != way || a.left == 0 {
			continue
		}
		from := 0
		if a.First != "" && !a.first[c] {
			if from = after(a.First, tail, piece); from < 0 {
				continue
			}
			a.first[c] = true
		}
		where, hit := a.find(passed, tail, piece, from)
		if !hit {
			continue
		}
		delete(a.first, c)
		if a.skip > 0 {
			a.skip--
			continue
		}
		if a.left > 0 {
			a.left--
		}
		fault := a.Fault
		return where, &fault
	}
	return 0, nil
}

func (p *Proxy) shaped() Shape {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.shape
}
