//go:build unix

package postgres

import (
	"os/exec"
	"strconv"
	"syscall"
)

// watchByPipe interrupts pid when this process ends, for systems without a
// death signal: a shell waits on a pipe whose other end only we hold.
func watchByPipe(pid int) (stop func()) {
	cmd := exec.Command("/bin/sh", "-c", `read -r _; kill -INT "$1"`, "sh", strconv.Itoa(pid))
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	pipe, err := cmd.StdinPipe()
	if err != nil {
		return func() {}
	}
	if err := cmd.Start(); err != nil {
		return func() {}
	}
	return func() {
		_ = cmd.Process.Kill() // before the pipe closes, or it would fire
		_ = cmd.Wait()
		_ = pipe.Close()
	}
}
