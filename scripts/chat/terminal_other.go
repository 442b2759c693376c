//go:build !unix

package main

import "os"

// size does not know the terminal's size here, only whether there is one.
func size(f *os.File) (columns int, ok bool) {
	info, err := f.Stat()
	return 0, err == nil && info.Mode()&os.ModeCharDevice != 0
}
