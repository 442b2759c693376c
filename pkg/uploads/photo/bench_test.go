package photo_test

import (
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"github.com/bellhop-ai/bellhop/infra/local/localtest/photos"
	"github.com/bellhop-ai/bellhop/pkg/uploads/photo"
)

// BenchmarkPhoto reads a photo of 12 megapixels as a phone sends it, and reports how
// large the heap was at most, the photo itself included.
func BenchmarkPhoto(b *testing.B) {
	content := photos.JPEG(1, 4032, 3024, 6, true)
	p := photo.New()
	runtime.GC()
	var stop atomic.Bool
	peak := make(chan uint64)
	go func() {
		var most uint64
		for !stop.Load() {
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			most = max(most, m.HeapInuse)
			time.Sleep(time.Millisecond)
		}
		peak <- most
	}()
	b.ReportAllocs()
	for b.Loop() {
		if _, err := p.Process(b.Context(), content, "image/jpeg"); err != nil {
			b.Fatal(err)
		}
	}
	stop.Store(true)
	b.ReportMetric(float64(<-peak)/(1<<20), "peak-MB")
}
