package boot

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/rs/zerolog"
)

func lookup(values map[string]string) Lookup {
	return func(name string) (string, bool) { v, ok := values[name]; return v, ok }
}

func local() map[string]string {
	return map[string]string{"SUPABASE_URL": "http://127.0.0.1:1", "SUPABASE_PUBLISHABLE_KEY": "p",
		"BELLHOP_LOCAL": "true", "PORT": "0"}
}

// running is a function that run serves in this process.
type running struct {
	url   string
	ended chan error
	ctx   context.Context // as build got it; it ends at the signal
}

// start runs a function until the test sends it a signal.
func start(t *testing.T, h http.Handler) running {
	t.Helper()
	logged, log := io.Pipe()
	r := running{ended: make(chan error, 1)}
	built := make(chan context.Context, 1)
	go func() {
		err := run("chat", Options{}, lookup(local()), func(ctx context.Context, s *Service) (http.Handler, error) {
			s.Log = zerolog.New(log)
			built <- ctx
			return h, nil
		})
		_ = log.CloseWithError(io.EOF)
		r.ended <- err
	}()
	lines := bufio.NewScanner(logged)
	if !lines.Scan() {
		t.Fatalf("it did not start: %v", <-r.ended)
	}
	var line struct{ Address, Message string }
	if err := json.Unmarshal(lines.Bytes(), &line); err != nil || line.Message != "listening" {
		t.Fatalf("it says %s, %v", lines.Bytes(), err)
	}
	go func() {
		for lines.Scan() { // what is logged later must not block who logs it
		}
	}()
	r.url, r.ctx = "http://"+line.Address, <-built
	return r
}

func fetch(ctx context.Context, url string) (int, string, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return 0, "", err
	}
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		return 0, "", err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	return resp.StatusCode, strings.TrimSpace(string(body)), err
}

// F-57: after a signal nothing new is taken, and what runs is finished.
func TestAFunctionFinishesWhatRunsWhenItIsToldToEnd(t *testing.T) {
	arrived, release := make(chan struct{}), make(chan struct{})
	f := start(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/slow" {
			close(arrived)
			<-release
		}
		fmt.Fprint(w, "answered ", r.URL.Path)
	}))
	if status, body, err := fetch(t.Context(), f.url+"/api/health"); err != nil || status != 200 ||
		body != `{"function":"chat","status":"ok"}` {
		t.Errorf("its health is %d %s, %v", status, body, err)
	}
	if status, body, err := fetch(t.Context(), f.url+"/elsewhere"); err != nil || status != 200 ||
		body != "answered /elsewhere" {
		t.Errorf("the door answers %d %s, %v", status, body, err)
	}
	if !strings.HasPrefix(f.url, "http://127.0.0.1:") {
		t.Errorf("a local function listens at %s", f.url)
	}
	type reply struct {
		status int
		body   string
		err    error
	}
	slow := make(chan reply, 1)
	go func() {
		status, body, err := fetch(t.Context(), f.url+"/slow")
		slow <- reply{status, body, err}
	}()
	<-arrived
	if err := syscall.Kill(os.Getpid(), syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	<-f.ctx.Done()
	select {
	case err := <-f.ended:
		t.Fatalf("it ended while a request ran: %v", err)
	case got := <-slow:
		t.Fatalf("the request was cut: %v", got)
	default:
	}
	close(release)
	if got := <-slow; got.err != nil || got.status != 200 || got.body != "answered /slow" {
		t.Errorf("the request was answered with %v", got)
	}
	if err := <-f.ended; err != nil {
		t.Errorf("it ended with %v", err)
	}
	if status, _, err := fetch(t.Context(), f.url+"/api/health"); err == nil {
		t.Errorf("after its end it answers %d", status)
	}
}

func TestWhatKeepsAFunctionFromStartingIsSaid(t *testing.T) {
	good := func(context.Context, *Service) (http.Handler, error) { return http.NotFoundHandler(), nil }
	tests := map[string]struct {
		change map[string]string
		build  func(context.Context, *Service) (http.Handler, error)
		want   string
	}{
		"a variable that is not set": {map[string]string{"SUPABASE_URL": ""}, good, "SUPABASE_URL is not set"},
		"a clock of no form": {map[string]string{"BELLHOP_NOW": "canary"}, good,
			"BELLHOP_NOW is not of the form 2026-01-15T12:00:00Z"},
		"a port that is none": {map[string]string{"PORT": "70000"}, good, "listen on port 70000"},
		"what it is built of": {nil, func(context.Context, *Service) (http.Handler, error) {
			return nil, errors.New("the books are closed")
		}, "the books are closed"},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			values := local()
			for k, v := range tc.change {
				values[k] = v
			}
			err := run("chat", Options{}, lookup(values), tc.build)
			if err == nil || !strings.Contains(err.Error(), tc.want) || strings.Contains(err.Error(), "canary") {
				t.Errorf("got %v, want it to say %q", err, tc.want)
			}
		})
	}
}

// The whole process: one line that can be read by programs, and status 1. The
// test runs itself again, since Run ends the process.
func TestAFunctionThatCannotStartSaysSoInOneLineAndFails(t *testing.T) {
	if os.Getenv("BOOT_TEST_AGAIN") != "" {
		Run("chat", Options{}, func(context.Context, *Service) (http.Handler, error) {
			return nil,
				errors.New("not reached")
		})
		return
	}
	cmd := exec.CommandContext(t.Context(), os.Args[0],
		"-test.run=^TestAFunctionThatCannotStartSaysSoInOneLineAndFails$")
	cmd.Env = []string{"BOOT_TEST_AGAIN=1", "GOCOVERDIR=" + t.TempDir(), "SUPABASE_URL=http://canary.example",
		"SUPABASE_PUBLISHABLE_KEY=canary", "TURN_TIMEOUT=canary"}
	var said strings.Builder
	cmd.Stderr = &said
	err := cmd.Run()
	if exit, ok := errors.AsType[*exec.ExitError](err); !ok || exit.ExitCode() != 1 {
		t.Errorf("it ended with %v", err)
	}
	var line map[string]any
	if err := json.Unmarshal([]byte(said.String()), &line); err != nil {
		t.Fatalf("it says %s", said.String())
	}
	if line["level"] != "error" || line["service"] != "chat" || line["error"] != "TURN_TIMEOUT has the wrong form" ||
		line["time"] == nil || strings.Contains(said.String(), "canary") {
		t.Errorf("it says %v", line)
	}
}

func TestAClockStartsWhereItIsTold(t *testing.T) {
	c, err := clock("2030-02-28T23:59:59+05:30")
	if err != nil {
		t.Fatal(err)
	}
	began := time.Date(2030, 2, 28, 18, 29, 59, 0, time.UTC)
	first := c()
	if d := first.Sub(began); d < 0 || d > time.Minute {
		t.Errorf("it begins %s after the moment", d)
	}
	if second := c(); second.Before(first) {
		t.Error("it goes backwards")
	}
	actual, err := clock("")
	if err != nil {
		t.Fatal(err)
	}
	if d := time.Since(actual()); d < -time.Minute || d > time.Minute {
		t.Errorf("without one the clock is %s away from the time", d)
	}
}

func TestALogLevelThatIsNoneIsInfo(t *testing.T) {
	for level, want := range map[string]zerolog.Level{"debug": zerolog.DebugLevel, "error": zerolog.ErrorLevel,
		"loud": zerolog.InfoLevel} {
		if got := newLog("chat", level).GetLevel(); got != want {
			t.Errorf("%q became %s, want %s", level, got, want)
		}
	}
}
