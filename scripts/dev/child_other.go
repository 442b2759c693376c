//go:build unix && !linux

package main

import (
	"os/exec"
	"strconv"
	"syscall"
)

// childAttributes puts the server into a group of its own, so that an
// interrupt at the terminal reaches us alone.
func childAttributes() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }

// watchChild ends a process when this one ends: a shell waits on a pipe whose
// other end only we hold. Only Linux has a death signal.
func watchChild(pid int) (stop func()) {
	cmd := exec.Command("/bin/sh", "-c", `read -r _; kill -TERM "$1"`, "sh", strconv.Itoa(pid))
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
