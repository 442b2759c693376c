// Package lambda runs real Lambda binaries without Lambda. It is the Runtime
// API that a bootstrap talks to, and the Function URL in front of it: requests
// become events, answers become HTTP again, whole or as a stream.
//
// It keeps Lambda's rules where they shape a program: one request per instance
// at a time, an environment that holds only what was given, limits on time and
// size, an instance killed when its time is up, and no word to the function
// when the reader goes away. Two things are kinder than the cloud: when all
// instances are busy a request waits instead of being refused, and no instance
// is frozen between requests.
package lambda

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/google/uuid"
)

const (
	// maxEvent and maxAnswer bound an event and a whole answer, in bytes.
	maxEvent  = 6 << 20
	maxAnswer = 6<<20 + 100
	// maxStream bounds the body of a streamed answer.
	maxStream = 200 << 20
	// initTimeout is how long an instance may take to ask for its first event.
	initTimeout = 10 * time.Second
)

// Config describes one function.
type Config struct {
	// Name is what AWS_LAMBDA_FUNCTION_NAME says. Required.
	Name string

	// Binary is the path of the bootstrap. Required.
	Binary string

	// Env holds NAME=value pairs. Beside them and what Lambda itself sets,
	// an instance sees nothing of our environment but PATH.
	Env []string

	// MemoryMB is told to the function but not enforced. The default is 512.
	MemoryMB int

	// Timeout bounds one invocation. The default is 60 seconds.
	Timeout time.Duration

	// MaxInstances bounds how many run at once. The default is 10.
	MaxInstances int

	// Streaming is the Function URL's invoke mode: RESPONSE_STREAM when set,
	// BUFFERED otherwise. The function must answer in kind.
	Streaming bool

	// Log receives what the instances print, a line at a time, and their
	// starts and ends, as printf takes it. It is called concurrently. Nil is
	// silent.
	Log func(format string, args ...any)

	// NewID makes request ids. The default is a random UUID.
	NewID func() string
}

// Function is a running function. Its methods may be called concurrently.
type Function struct {
	cfg    Config
	slots  chan struct{} // one for each instance that runs or may be started
	closed chan struct{}
	once   sync.Once

	mu    sync.Mutex
	idle  []*instance
	alive map[*instance]struct{}
	inits []time.Duration
	count int
}

// Start runs the first instance and returns when it is ready for events, so a
// binary that cannot start is noticed here. The context bounds the start only;
// call Close to end the function.
func Start(ctx context.Context, cfg Config) (*Function, error) {
	if cfg.Name == "" || cfg.Binary == "" {
		return nil, errors.New("lambda: a function needs a name and a binary")
	}
	binary, err := filepath.Abs(cfg.Binary)
	if err != nil {
		return nil, fmt.Errorf("lambda: find the binary of %s: %w", cfg.Name, err)
	}
	if info, err := os.Stat(binary); err != nil || info.IsDir() {
		return nil, fmt.Errorf("lambda: the binary of %s is not at %s; build it first", cfg.Name, cfg.Binary)
	}
	cfg.Binary = binary
	cfg.MemoryMB = cmp.Or(cfg.MemoryMB, 512)
	cfg.Timeout = cmp.Or(cfg.Timeout, time.Minute)
	cfg.MaxInstances = cmp.Or(cfg.MaxInstances, 10)
	if cfg.Log == nil {
		cfg.Log = func(string, ...any) {}
	}
	if cfg.NewID == nil {
		cfg.NewID = uuid.NewString
	}
	f := &Function{
		cfg: cfg, slots: make(chan struct{}, cfg.MaxInstances), closed: make(chan struct{}),
		alive: map[*instance]struct{}{},
	}
	in, err := f.acquire(ctx)
	if err != nil {
		_ = f.Close()
		return nil, err
	}
	f.release(in)
	return f, nil
}

// InitDurations returns how long each instance took from its start until it
// asked for its first event, in the order in which they got there.
func (f *Function) InitDurations() []time.Duration {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Clone(f.inits)
}

// Close kills all instances and returns when they are gone. What is in flight
// fails.
func (f *Function) Close() error {
	f.once.Do(func() { close(f.closed) })
	f.mu.Lock()
	instances := make([]*instance, 0, len(f.alive))
	for in := range f.alive {
		instances = append(instances, in)
	}
	f.mu.Unlock()
	for _, in := range instances {
		in.kill()
	}
	for _, in := range instances {
		<-in.dead
	}
	return nil
}

var errClosed = errors.New("lambda: the function is closed")

// acquire returns an instance that is ready for one event: an idle one, or a
// new one, or, when as many run as may, the next to become free. The caller
// gives it back by release, or frees its slot by retire when it died.
func (f *Function) acquire(ctx context.Context) (*instance, error) {
	select {
	case f.slots <- struct{}{}:
	case <-ctx.Done():
		return nil, fmt.Errorf("lambda: wait for a free instance of %s: %w", f.cfg.Name, context.Cause(ctx))
	case <-f.closed:
		return nil, errClosed
	}
	if in := f.takeIdle(); in != nil {
		return in, nil
	}
	in, err := f.launch(ctx)
	if err != nil {
		<-f.slots
		return nil, err
	}
	return in, nil
}

func (f *Function) takeIdle() *instance {
	f.mu.Lock()
	defer f.mu.Unlock()
	for len(f.idle) > 0 {
		in := f.idle[len(f.idle)-1]
		f.idle = f.idle[:len(f.idle)-1]
		if in.lives() {
			return in
		}
	}
	return nil
}

// release gives an instance back that has asked for its next event.
func (f *Function) release(in *instance) {
	f.mu.Lock()
	f.idle = append(f.idle, in)
	f.mu.Unlock()
	<-f.slots
}

// retire frees the slot of an instance that is gone.
func (f *Function) retire() { <-f.slots }

// launch starts an instance and waits until it asks for its first event.
func (f *Function) launch(ctx context.Context) (*instance, error) {
	f.mu.Lock()
	f.count++
	name := fmt.Sprintf("%s/%d", f.cfg.Name, f.count)
	f.mu.Unlock()

	in, err := startInstance(f.cfg, name)
	if err != nil {
		return nil, fmt.Errorf("lambda: start %s: %w", name, err)
	}
	f.mu.Lock()
	f.alive[in] = struct{}{}
	f.mu.Unlock()
	go func() {
		<-in.dead
		f.mu.Lock()
		delete(f.alive, in)
		f.idle = slices.DeleteFunc(f.idle, func(other *instance) bool { return other == in })
		f.mu.Unlock()
	}()

	timer := time.NewTimer(initTimeout)
	defer timer.Stop()
	select {
	case <-in.asked:
		f.mu.Lock()
		f.inits = append(f.inits, in.init)
		f.mu.Unlock()
		f.cfg.Log("%s is ready after %v", name, in.init.Round(time.Microsecond))
		return in, nil
	case <-in.dead:
		return nil, fmt.Errorf("lambda: %s ended before it asked for an event: %w", name, in.end())
	case <-timer.C:
		err = fmt.Errorf("lambda: %s did not ask for an event within %v", name, initTimeout)
	case <-ctx.Done():
		err = fmt.Errorf("lambda: wait for %s to start: %w", name, context.Cause(ctx))
	case <-f.closed:
		err = errClosed
	}
	in.kill()
	<-in.dead
	return nil, err
}
