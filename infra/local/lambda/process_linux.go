package lambda

import "syscall"

// processAttributes puts an instance into a group of its own, so that an
// interrupt at the terminal reaches us alone, and has the kernel kill it when
// we are killed ourselves.
func processAttributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}
