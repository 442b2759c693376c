package intent

import (
	_ "embed"
	"strings"
	"sync"
)

//go:embed concepts.txt
var conceptText string

//go:embed background.txt
var backgroundText string

// concepts returns, by the hash of a word, the group of words that mean nearly the
// same as it.
var concepts = sync.OnceValue(func() map[uint64]uint64 {
	out := map[uint64]uint64{}
	n := uint64(0)
	for line := range strings.Lines(conceptText) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		n++
		for w := range strings.FieldsSeq(line) {
			if h := hashOf([]byte(w)); out[h] == 0 {
				out[h] = n
			}
		}
	}
	return out
})

// background returns sentences that hardly any assistant is made for.
func background() []string {
	var out []string
	for line := range strings.Lines(backgroundText) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			out = append(out, line)
		}
	}
	return out
}
