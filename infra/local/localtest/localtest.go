// Package localtest gives tests a running local stack: a real database with
// the migrations and the demo data behind the REST and Auth stand-ins, and a
// model server. Each test process has one, started when it is first asked for.
//
//	func TestMain(m *testing.M) { localtest.Main(m) }
//
//	func TestRooms(t *testing.T) {
//		s, org := localtest.Stack(t), localtest.NewOrg(t)
//		… s.URL(), s.Keys().Publishable, org.Manager.Token …
//	}
//
// The demo data is for reading: tests share it. A test that writes makes a
// tenant with [NewOrg], or takes a whole database of its own with [Clone].
package localtest

import (
	"context"
	"fmt"
	"os"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/bellhop-ai/bellhop/infra/local/stack"
)

// shared is the stack of this test process. Tests have no other way to share a
// thing than a variable of the package.
var shared struct {
	mu    sync.Mutex
	main  bool
	stack *stack.Stack
	pool  *pgxpool.Pool // as role postgres
	err   error
}

// Main runs the tests of a package and ends the process, having stopped the
// stack if a test asked for one. Call it from TestMain, with its *testing.M or
// what wraps it, such as ledgertest.With.
func Main(m interface{ Run() int }) {
	shared.mu.Lock()
	shared.main = true
	shared.mu.Unlock()
	os.Exit(run(m))
}

func run(m interface{ Run() int }) (code int) {
	defer func() {
		shared.mu.Lock()
		defer shared.mu.Unlock()
		if shared.stack == nil {
			return
		}
		shared.pool.Close()
		if err := shared.stack.Stop(); err != nil {
			fmt.Fprintln(os.Stderr, "stop the local stack:", err)
			code = max(code, 1)
		}
	}()
	return m.Run()
}

// Stack returns the stack that all tests of this process share, with the demo
// data. Do not stop it.
func Stack(t testing.TB) *stack.Stack {
	t.Helper()
	s, _ := running(t)
	return s
}

// Clone returns a stack with a fresh copy of the database and an origin of its
// own, for a test that changes what others see. It ends with the test.
func Clone(t testing.TB) *stack.Stack {
	t.Helper()
	return CloneWith(t, func(*stack.Config) {})
}

// CloneWith is Clone with an Origin that the test serves itself, or with a Dial
// such as that of a faults.Proxy.
func CloneWith(t testing.TB, change func(*stack.Config)) *stack.Stack {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	c, err := Stack(t).CloneWith(ctx, change)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := c.Stop(); err != nil {
			t.Error(err)
		}
	})
	return c
}

// Token signs a demo user in, such as manager@sojourn.example, and returns the
// access token.
func Token(t testing.TB, email string) string {
	t.Helper()
	return TokenOn(t, Stack(t), email)
}

// TokenOn is Token on another stack, such as a clone.
func TokenOn(t testing.TB, s *stack.Stack, email string) string {
	t.Helper()
	token, err := s.Token(context.Background(), email)
	if err != nil {
		t.Fatal(err)
	}
	return token
}

func running(t testing.TB) (*stack.Stack, *pgxpool.Pool) {
	t.Helper()
	shared.mu.Lock()
	defer shared.mu.Unlock()
	if !shared.main {
		t.Fatal("this package needs: func TestMain(m *testing.M) { localtest.Main(m) }")
	}
	if shared.stack == nil && shared.err == nil {
		shared.stack, shared.pool, shared.err = start()
	}
	if shared.err != nil {
		t.Fatalf("the local stack did not start: %v", shared.err)
	}
	return shared.stack, shared.pool
}

func isShared(s *stack.Stack) bool {
	shared.mu.Lock()
	defer shared.mu.Unlock()
	return shared.stack == s
}

func start() (*stack.Stack, *pgxpool.Pool, error) {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	s, err := stack.Start(ctx, stack.Config{Seed: true})
	if err != nil {
		return nil, nil, err
	}
	pool, err := pgxpool.New(ctx, s.ConnString("postgres"))
	if err != nil {
		_ = s.Stop()
		return nil, nil, err
	}
	return s, pool, nil
}
