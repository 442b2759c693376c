package postgres

import (
	"errors"
	"os/exec"
	"runtime"
	"syscall"
	"time"
)

// process is a started program in its own process group.
type process struct {
	pid  int
	done chan struct{} // closed when it has ended
	err  error         // how it ended, readable after done
}

// startProcess starts cmd so that it ends when this process ends, even by
// SIGKILL.
func startProcess(cmd *exec.Cmd, as *account) (*process, error) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Credential: as.credential()}
	dieWithParent(cmd.SysProcAttr)
	p := &process{done: make(chan struct{})}
	started := make(chan error)
	go func() {
		// Linux sends the death signal when the thread that forked ends, so
		// this goroutine keeps its thread for as long as the child lives.
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		if err := cmd.Start(); err != nil {
			started <- err
			return
		}
		p.pid = cmd.Process.Pid
		unwatch := watchParent(p.pid)
		started <- nil
		p.err = cmd.Wait()
		unwatch()
		close(p.done)
	}()
	if err := <-started; err != nil {
		return nil, err
	}
	return p, nil
}

// stop ends a postmaster: in order when its data is kept, at once otherwise.
func (p *process) stop(inOrder bool) error {
	steps := []struct {
		signal   syscall.Signal
		patience time.Duration
	}{
		{syscall.SIGINT, 20 * time.Second}, // "fast": disconnects everybody, writes a checkpoint
		{syscall.SIGQUIT, 5 * time.Second}, // "immediate": no checkpoint
		{syscall.SIGKILL, 5 * time.Second},
	}
	if !inOrder {
		steps = steps[1:]
	}
	for _, step := range steps {
		target := p.pid
		if step.signal == syscall.SIGKILL {
			target = -p.pid
		}
		select {
		case <-p.done:
			return nil
		default:
			// Not reaped yet, so the pid is still ours.
			_ = syscall.Kill(target, step.signal)
		}
		patience := time.NewTimer(step.patience)
		select {
		case <-p.done:
			patience.Stop()
			return nil
		case <-patience.C:
		}
	}
	return errors.New("PostgreSQL does not end, not even when killed")
}

// wait waits for a program that ends by itself, and kills it when cancel comes
// first.
func (p *process) wait(cancel <-chan struct{}) error {
	select {
	case <-p.done:
	case <-cancel:
		_ = syscall.Kill(-p.pid, syscall.SIGKILL)
		<-p.done
	}
	return p.err
}

// alive reports whether a process runs. One that has ended but was not
// reaped does not.
func alive(pid int) bool {
	if pid <= 0 {
		return false
	}
	if err := syscall.Kill(pid, 0); errors.Is(err, syscall.ESRCH) {
		return false
	}
	return !zombie(pid)
}
