//go:build unix

package main

import (
	"os"
	"syscall"
	"unsafe"
)

// size asks the terminal for its size; ok is false where there is none.
func size(f *os.File) (columns int, ok bool) {
	var s struct{ rows, columns, x, y uint16 }
	_, _, errno := syscall.Syscall(syscall.SYS_IOCTL, f.Fd(), syscall.TIOCGWINSZ, uintptr(unsafe.Pointer(&s)))
	return int(s.columns), errno == 0
}
