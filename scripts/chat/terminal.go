package main

import "os"

const (
	usual    = 80  // columns of a terminal that does not tell
	broadest = 400 // columns that are used of one that says it has more
)

// terminal reports whether a person sits at the other end of the file.
func terminal(f *os.File) bool {
	_, ok := size(f)
	return ok
}

func columns(f *os.File) int {
	n, ok := size(f)
	switch {
	case !ok:
		return 0
	case n <= 0:
		return usual
	}
	return min(n, broadest)
}
