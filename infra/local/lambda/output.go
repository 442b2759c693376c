package lambda

import (
	"bytes"
	"slices"
	"strings"
	"sync"
)

// tailLines is how many printed lines an error about a dead instance quotes.
const tailLines = 5

// lines is a writer that passes on whole lines and remembers the last few.
type lines struct {
	print func(line string)

	mu   sync.Mutex
	part []byte
	tail []string
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.part = append(l.part, p...)
	for {
		end := bytes.IndexByte(l.part, '\n')
		if end < 0 {
			return len(p), nil
		}
		l.take(string(l.part[:end]))
		l.part = l.part[end+1:]
	}
}

// flush passes on what was printed after the last end of a line.
func (l *lines) flush() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.take(string(l.part))
	l.part = nil
}

func (l *lines) take(line string) {
	if line = strings.TrimRight(line, "\r"); line == "" {
		return
	}
	l.print(line)
	l.tail = append(l.tail, line)
	l.tail = l.tail[max(0, len(l.tail)-tailLines):]
}

func (l *lines) last() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.tail)
}
