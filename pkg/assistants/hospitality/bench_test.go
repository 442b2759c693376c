package hospitality_test

import (
	"testing"

	"github.com/bellhop-ai/bellhop/pkg/assistants/hospitality"
)

// BenchmarkNew makes Bernard, as every cold start does.
func BenchmarkNew(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if _, err := hospitality.New(hospitality.Config{Now: clock}); err != nil {
			b.Fatal(err)
		}
	}
}
