package boot_test

import (
	"runtime/debug"
	"testing"

	"github.com/bellhop-ai/bellhop/pkg/boot"
)

func TestACollectionWaitsForMuchGarbageWhileLittleIsAlive(t *testing.T) {
	before := debug.SetGCPercent(100)
	t.Cleanup(func() { debug.SetGCPercent(before) })
	boot.PaceCollector(func(name string) (string, bool) { return "75", name == "GOGC" })
	if got := debug.SetGCPercent(100); got != 100 {
		t.Errorf("the operator's setting was replaced by %d %%", got)
	}
	boot.PaceCollector(func(string) (string, bool) { return "", false })
	if got := debug.SetGCPercent(100); got < 150 {
		t.Errorf("a small heap may grow by %d %%, which is hardly more than the default", got)
	}
	// A heap that is mostly alive may grow by less than the default.
	alive := make([]byte, 400<<20)
	for range 2 {
		boot.PaceCollector(func(string) (string, bool) { return "", false })
		debug.FreeOSMemory() // collects
	}
	boot.PaceCollector(func(string) (string, bool) { return "", false })
	if got := debug.SetGCPercent(100); got != 50 {
		t.Errorf("a heap of 400 MiB alive may grow by %d %%, want 50", got)
	}
	alive[0]++
}
