package agent

import (
	"strings"
	"testing"
)

// BenchmarkClaims is what every answer pays.
func BenchmarkClaims(b *testing.B) {
	text := strings.Repeat("I found three cabins that are free on those nights, and the Coco is the one with the "+
		"lake view. If you like, I can book it. ", 8)
	l := &loop{texts: []string{text}}
	l.out.Used = []Use{{OK: true}}
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		if err := l.correctClaims(); err != nil {
			b.Fatal(err)
		}
	}
}
