//go:build unix && !linux

package postgres

import "syscall"

// dieWithParent has nothing to do: only Linux has a death signal.
func dieWithParent(*syscall.SysProcAttr) {}

func watchParent(pid int) (stop func()) { return watchByPipe(pid) }

// zombie is only a question where no process reaps orphans, as in some Linux
// containers.
func zombie(int) bool { return false }

// serves cannot look closer here.
func serves(int, string) bool { return true }
