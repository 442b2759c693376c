package postgres

import (
	"os/exec"
	"syscall"
	"testing"
	"time"
)

func TestAZombieIsNotAlive(t *testing.T) {
	cmd := exec.Command("cat") // ends when its input does
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	pid := cmd.Process.Pid
	if !alive(pid) {
		t.Error("a running process counts as dead")
	}
	_ = in.Close()
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	deadline := time.After(time.Minute)
	for alive(pid) {
		select {
		case <-tick.C:
		case <-deadline:
			t.Fatal("an ended process counts as alive until it is reaped")
		}
	}
	if err := syscall.Kill(pid, 0); err != nil {
		t.Errorf("it was reaped, so this proves nothing: %v", err)
	}
	if err := cmd.Wait(); err != nil {
		t.Error(err)
	}
	if alive(pid) {
		t.Error("a reaped process counts as alive")
	}
}
