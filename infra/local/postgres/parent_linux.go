package postgres

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
)

// dieWithParent asks the kernel to interrupt the child when its parent ends.
// PostgreSQL takes SIGINT as an order to shut down fast.
func dieWithParent(attr *syscall.SysProcAttr) { attr.Pdeathsig = syscall.SIGINT }

// watchParent has nothing to do: the kernel watches.
func watchParent(int) (stop func()) { return func() {} }

// zombie reports whether a process has ended and waits for its parent.
func zombie(pid int) bool {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return false
	}
	// The name stands in parentheses and may itself contain any character.
	_, rest, _ := bytes.Cut(stat[bytes.LastIndexByte(stat, ')')+1:], []byte(" "))
	return bytes.HasPrefix(rest, []byte("Z"))
}

// serves reports whether a live process may be the postmaster of datadir.
func serves(pid int, datadir string) bool {
	name, err := os.ReadFile(fmt.Sprintf("/proc/%d/comm", pid))
	if err == nil && string(bytes.TrimSpace(name)) != "postgres" {
		return false
	}
	// A postmaster works in its data folder.
	cwd, err := os.Readlink(fmt.Sprintf("/proc/%d/cwd", pid))
	if err != nil {
		return true
	}
	real, err := filepath.EvalSymlinks(datadir)
	return err != nil || cwd == real
}
