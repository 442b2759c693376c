//go:build unix

package main

import (
	"syscall"
	"time"
)

// processTimes returns the CPU that this process has used, in user code and in
// the kernel.
func processTimes() (user, system time.Duration, err error) {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0, 0, err
	}
	return time.Duration(u.Utime.Nano()), time.Duration(u.Stime.Nano()), nil
}
