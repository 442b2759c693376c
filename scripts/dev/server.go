package main

import (
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"time"
)

const (
	// readyWithin is how long the server may take to listen.
	readyWithin = 30 * time.Second
	// drainWithin is how long it may take to end.
	drainWithin = 3 * time.Second
)

// server is functions/server as a process of ours.
type server struct {
	host string // and port
	cmd  *exec.Cmd
	done chan struct{} // closed when the process is gone
}

// startServer builds and starts the server and waits until it listens.
func startServer(ctx context.Context, build *builder, d *development) (*server, error) {
	pkg := d.opts.serverPackage
	binary, took, err := build.build(ctx, pkg, "server")
	if err != nil {
		return nil, err
	}
	d.print("%s: built in %s", pkg, took)
	port, err := freePort()
	if err != nil {
		return nil, err
	}
	s := &server{host: net.JoinHostPort("127.0.0.1", port), done: make(chan struct{})}
	s.cmd = exec.Command(binary)
	s.cmd.Dir = build.root
	// As template.yaml has it; the environment may say otherwise.
	usual := []string{"MATCH_INTENTS=true"}
	s.cmd.Env = slices.Concat(usual, inherited(os.Environ()), d.env(), []string{"PORT=" + port})
	if !d.opts.lambda { // else the users function has its own process
		s.cmd.Env = append(s.cmd.Env, d.secretEnv()...)
	}
	s.cmd.Stdout, s.cmd.Stderr = os.Stderr, os.Stderr
	s.cmd.SysProcAttr = childAttributes()
	started := make(chan error)
	go s.live(started)
	if err := <-started; err != nil {
		return nil, fmt.Errorf("start %s: %w", pkg, err)
	}
	if err := s.ready(ctx, pkg); err != nil {
		s.stop()
		return nil, err
	}
	return s, nil
}

// live holds its thread as long as the process lives, because the kernel ends
// the child of a thread that ends, not only of a process that ends.
func (s *server) live(started chan<- error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	err := s.cmd.Start()
	if err == nil {
		defer watchChild(s.cmd.Process.Pid)()
	}
	started <- err
	if err == nil {
		_ = s.cmd.Wait()
		close(s.done)
	}
}

// ready waits until the server listens. It does so only when it is complete,
// and a request would be the first line of its log.
func (s *server) ready(ctx context.Context, pkg string) error {
	ctx, cancel := context.WithTimeoutCause(ctx, readyWithin,
		fmt.Errorf("%s did not listen on the port in PORT within %s; its lines above may tell why", pkg, readyWithin))
	defer cancel()
	var dialer net.Dialer
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-s.done:
			return fmt.Errorf("%s ended before it listened (%s); its lines above tell why", pkg, s.state())
		case <-tick.C:
		}
		if c, err := dialer.DialContext(ctx, "tcp", s.host); err == nil {
			_ = c.Close()
			return nil
		}
	}
}

// state says how the process ended. Call it after done is closed.
func (s *server) state() string { return s.cmd.ProcessState.String() }

// stop asks the server to end, lets it finish for a moment, and ends it.
func (s *server) stop() {
	if s == nil {
		return
	}
	_ = s.cmd.Process.Signal(syscall.SIGTERM)
	select {
	case <-s.done:
	case <-time.After(drainWithin):
		_ = s.cmd.Process.Kill()
		<-s.done
	}
}

// inherited is our environment without what the stack decides.
func inherited(environ []string) []string {
	var kept []string
	for _, pair := range environ {
		name, _, _ := strings.Cut(pair, "=")
		ours := strings.HasPrefix(name, "SUPABASE_") || strings.HasPrefix(name, "VITE_SUPABASE_") ||
			strings.HasPrefix(name, "AWS_LAMBDA_") || strings.HasPrefix(name, "ANONYMOUS_") || name == "SEAL_KEYS" ||
			name == "PROOF_KEYS" || name == "SMTP_URL" || name == "MAIL_FROM" || name == "PORT" ||
			name == "FIRST_PASSWORDS" || name == "CRON_SECRET" || name == "WEBHOOK_SECRETS" ||
			name == "SUMMARY_QUEUE_URL" ||
			name == "BELLHOP_NOW" || name == "BELLHOP_LOCAL" || name == "MOCK_OPENAI" || name == "OPENAI_API_KEY" ||
			name == "OPENAI_BASE_URL"
		if !ours {
			kept = append(kept, pair)
		}
	}
	return kept
}

func freePort() (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", fmt.Errorf("find a free port: %w", err)
	}
	defer l.Close()
	_, port, err := net.SplitHostPort(l.Addr().String())
	return port, err
}
