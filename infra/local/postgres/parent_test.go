package postgres_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	osexec "os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/bellhop-ai/bellhop/infra/local/postgres"
)

// childDir tells the test binary to be a process with a server.
const childDir = "BELLHOP_TEST_CHILD_DIR"

func TestMain(m *testing.M) {
	if dir, child := os.LookupEnv(childDir); child {
		os.Exit(serve(dir))
	}
	os.Exit(m.Run())
}

// served is what a child says about its server.
type served struct {
	PID      int    `json:"pid"`
	DataDir  string `json:"data"`
	Conn     string `json:"conn"`
	Database string `json:"database"`
}

// serve starts a server, tells about it, and stops when its input ends.
func serve(dir string) int {
	s, err := postgres.Start(context.Background(), postgres.Config{Dir: dir})
	if err == nil {
		err = s.CreateDatabase(context.Background(), "mine", "")
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	if err := json.NewEncoder(os.Stdout).Encode(served{PID: s.PID(), DataDir: s.DataDir(),
		Conn: s.ConnString("mine", "supabase_admin")}); err != nil {
		return 1
	}
	_, _ = io.Copy(io.Discard, os.Stdin)
	if s.Stop() != nil {
		return 1
	}
	return 0
}

type child struct {
	served
	cmd  *osexec.Cmd
	hold io.Closer
}

// spawn starts a child; tell waits for what it says about its server.
func spawn(t *testing.T, dir string) (tell func() child) {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := osexec.Command(exe)
	cmd.Env = append(os.Environ(), childDir+"="+dir)
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { // its server goes with it
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	return func() child {
		t.Helper()
		c := child{cmd: cmd, hold: in}
		line, err := bufio.NewReader(out).ReadBytes('\n')
		if err == nil {
			err = json.Unmarshal(line, &c.served)
		}
		if err != nil {
			t.Fatalf("the child did not start a server: %v", err)
		}
		return c
	}
}

func TestServerDiesWithItsParent(t *testing.T) {
	for name, dir := range map[string]string{"temporary": "", "kept": filepath.Join(folder(t), "db")} {
		t.Run(name, func(t *testing.T) {
			c := spawn(t, dir)()
			if gone(c.PID) {
				t.Fatal("the server does not run, so this proves nothing")
			}
			if err := c.cmd.Process.Signal(syscall.SIGKILL); err != nil {
				t.Fatal(err)
			}
			_ = c.cmd.Wait() // "signal: killed"
			if dir != "" {
				// The next start may come while the old server still shuts down.
				s := start(t, postgres.Config{Dir: dir})
				if !ask[bool](t, connect(t, s, "mine", "supabase_admin"), "select true") {
					t.Error("the data is lost")
				}
				stop(t, s) // before its folder goes
			}
			eventually(t, "the server to end", func() bool { return gone(c.PID) })
			if dir == "" {
				if _, err := os.Stat(c.DataDir); err != nil {
					t.Fatalf("nothing was left, so sweeping cannot be proved: %v", err)
				}
				start(t, postgres.Config{})
				if _, err := os.Stat(filepath.Dir(c.DataDir)); !errors.Is(err, os.ErrNotExist) {
					t.Errorf("the folder of the dead server was not swept: %v", err)
				}
			}
		})
	}
}

// The server has no time to remove its lock file, and where orphans are not
// reaped its pid stays taken by a zombie.
func TestKeptDataSurvivesAKillOfBoth(t *testing.T) {
	dir := filepath.Join(folder(t), "db")
	c := spawn(t, dir)()
	for _, kill := range []struct {
		pid    int
		signal syscall.Signal
	}{
		{c.cmd.Process.Pid, syscall.SIGSTOP}, // so that it cannot reap its server
		{c.PID, syscall.SIGKILL},
		{c.cmd.Process.Pid, syscall.SIGKILL},
	} {
		if err := syscall.Kill(kill.pid, kill.signal); err != nil {
			t.Fatal(err)
		}
	}
	_ = c.cmd.Wait()
	if _, err := os.Stat(filepath.Join(c.DataDir, "postmaster.pid")); err != nil {
		t.Fatalf("the killed server left no lock file, so this proves nothing: %v", err)
	}
	s := start(t, postgres.Config{Dir: dir})
	if !ask[bool](t, connect(t, s, "mine", "supabase_admin"), "select true") {
		t.Error("the data is lost")
	}
	stop(t, s) // before its folder goes
}

func TestProcessesStartAtOnce(t *testing.T) {
	const processes = 4
	var tells []func() child
	for range processes {
		tells = append(tells, spawn(t, ""))
	}
	seen := map[string]bool{}
	var children []child
	for _, tell := range tells {
		c := tell()
		if seen[c.DataDir] || seen[c.Conn] {
			t.Errorf("two servers share %s or %s", c.DataDir, c.Conn)
		}
		seen[c.DataDir], seen[c.Conn] = true, true
		children = append(children, c)
	}
	start(t, postgres.Config{}) // sweeps, and must spare the living
	for _, c := range children {
		if _, err := os.Stat(filepath.Join(c.DataDir, "PG_VERSION")); err != nil || gone(c.PID) {
			t.Errorf("a live server was swept: %v", err)
		}
		_ = c.hold.Close()
		if err := c.cmd.Wait(); err != nil {
			t.Errorf("the child did not stop in order: %v", err)
		}
		if _, err := os.Stat(c.DataDir); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%s is left: %v", c.DataDir, err)
		}
	}
}

// gone reports whether a process has ended. It may still wait to be reaped
// where process 1 does not reap orphans.
func gone(pid int) bool {
	if errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) {
		return true
	}
	state, err := osexec.Command("ps", "-o", "stat=", "-p", fmt.Sprint(pid)).Output()
	if err != nil {
		stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
		return err == nil && strings.Contains(string(stat), ") Z")
	}
	return strings.HasPrefix(strings.TrimSpace(string(state)), "Z")
}

// eventually polls until a thing is so, for at most half a minute.
func eventually(t *testing.T, what string, so func() bool) {
	t.Helper()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	deadline := time.After(30 * time.Second)
	for !so() {
		select {
		case <-tick.C:
		case <-deadline:
			t.Fatalf("waited in vain for %s", what)
		}
	}
}
