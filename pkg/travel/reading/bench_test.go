package reading_test

import (
	"strings"
	"testing"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/travel/reading"
)

func BenchmarkRead(b *testing.B) {
	for name, message := range map[string]string{
		"short": "hold the second one",
		"usual": "a family of three from London to Lisbon on Friday evening, back Sunday",
		"long":  strings.Repeat("we were wondering whether something from Somewhere to Elsewhere might suit us ", 20),
		"words": strings.Repeat("Lorem Ipsum Dolor Sit Amet ", 60),
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				reading.Read(message, reading.Context{Now: now, Zone: time.UTC, Open: opened("F")})
			}
		})
	}
}
