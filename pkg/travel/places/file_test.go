package places

import (
	"runtime"
	"testing"
	"time"
	_ "time/tzdata"
)

// Every zone of the file is one of Go's own zone data, and all places have one.
func TestZones(t *testing.T) {
	t.Parallel()
	d := data()
	for _, zone := range d.zones {
		if _, err := time.LoadLocation(zone); err != nil || zone == "" {
			t.Errorf("%q: %v", zone, err)
		}
	}
	if len(d.zones) < 300 || len(d.cities) < 15_000 || len(d.airports) < 4_000 {
		t.Errorf("%d zones, %d cities, %d airports", len(d.zones), len(d.cities), len(d.airports))
	}
}

// What the file becomes stays below 10 MB.
func TestMemory(t *testing.T) {
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	d, err := parse(file)
	if err != nil {
		t.Fatal(err)
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	runtime.KeepAlive(d)
	if got := int64(after.HeapAlloc) - int64(before.HeapAlloc); got > 10<<20 {
		t.Errorf("%d bytes", got)
	} else {
		t.Logf("%d bytes", got)
	}
}

// A file that is cut off or changed is refused; it never panics.
func TestDamagedFile(t *testing.T) {
	t.Parallel()
	if _, err := parse(nil); err == nil {
		t.Error("an empty file was read")
	}
	for _, n := range []int{10, 500, 1000, len(file) / 2, len(file) - 1} {
		if _, err := parse(file[:n]); err == nil {
			t.Errorf("the first %d bytes were read", n)
		}
	}
}

func BenchmarkFirstUse(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if _, err := parse(file); err != nil {
			b.Fatal(err)
		}
	}
}
