package main

import "syscall"

// childAttributes puts the server into a group of its own, so that an
// interrupt at the terminal reaches us alone, and has the kernel end it when
// we are killed ourselves.
func childAttributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGTERM}
}

// watchChild has nothing to do: the kernel watches.
func watchChild(int) (stop func()) { return func() {} }
