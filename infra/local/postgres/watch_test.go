package postgres

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"testing"
	"time"
)

const watchChild = "BELLHOP_TEST_WATCH_CHILD"

// Linux has a death signal, but the pipe that other systems rely on works
// there as well, so it is tried everywhere.
func TestWatchByPipe(t *testing.T) {
	if os.Getenv(watchChild) != "" {
		target := exec.Command("sleep", "60")
		target.Stdout = os.Stdout
		if err := target.Start(); err != nil {
			t.Fatal(err)
		}
		watchByPipe(target.Process.Pid)
		fmt.Println("watching")
		_, _ = io.Copy(io.Discard, os.Stdin)
	}
	child := exec.Command(os.Args[0], "-test.run=^TestWatchByPipe$")
	child.Env = append(os.Environ(), watchChild+"=1")
	if _, err := child.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	out, err := child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewReader(out)
	if line, err := lines.ReadString('\n'); line != "watching\n" {
		t.Fatalf("the child says %q (%v)", line, err)
	}
	if err := child.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	// The output ends when the child and the watched process, which shares it,
	// have both ended.
	ended := make(chan struct{})
	go func() {
		_, _ = io.Copy(io.Discard, lines)
		close(ended)
	}()
	select {
	case <-ended:
	case <-time.After(30 * time.Second):
		t.Error("the watched process outlived its parent")
	}
	_ = child.Wait()
}
