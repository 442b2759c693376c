package model

import (
	"crypto/sha256"
	"strings"
	"sync"
)

// memoLimit is how many results a memo keeps before it starts anew.
const memoLimit = 256

// memo keeps what was computed from prompts and tools, which come again with
// each request of a conversation. The zero value is ready for use, and safe for
// concurrent use. Results are shared: nobody may change them.
type memo[T any] struct {
	mu   sync.Mutex
	kept map[[sha256.Size]byte]func() T
}

// get returns the result for these texts, and computes it at most once for as
// long as it is kept.
func (m *memo[T]) get(compute func() T, texts ...string) T {
	key := sha256.Sum256([]byte(strings.Join(texts, "\x00")))
	m.mu.Lock()
	one, ok := m.kept[key]
	if !ok {
		if m.kept == nil || len(m.kept) >= memoLimit {
			m.kept = map[[sha256.Size]byte]func() T{}
		}
		one = sync.OnceValue(compute)
		m.kept[key] = one
	}
	m.mu.Unlock()
	return one()
}
