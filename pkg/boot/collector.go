package boot

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

// What the collector lets accumulate between two collections: at least minGarbage
// bytes, however small the live heap is, and beyond that minGrowth percent of it.
const (
	minGarbage = 48 << 20
	minGrowth  = 50
)

// PaceCollector makes the garbage collector of this process wait for a fixed
// amount of garbage while little is alive, and for less than the default when
// much is. A chat turn leaves some 300 KB, and little of the process is alive
// between turns: with the default percentage a collection would run every dozen
// of turns. With a thousand open streams, on the other hand, the default would let
// the heap become twice as large as what is alive. After each collection the
// percentage is set anew (see runtime/debug.SetGCPercent). The memory limit stays
// in force. Nothing is changed where GOGC is set.
func PaceCollector(env Lookup) {
	if _, set := env("GOGC"); set {
		return
	}
	pace()
}

// sentinel is an object that the next collection finds dead. It holds a pointer,
// because objects without any may share a block with others that are alive.
type sentinel struct{ self *sentinel }

// pace sets the percentage by what is alive now, and runs again after the next
// collection.
func pace() {
	live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(live)
	debug.SetGCPercent(growth(live[0].Value.Uint64()))
	next := &sentinel{}
	next.self = next
	runtime.AddCleanup(next, func(int) { pace() }, 0)
}

// growth returns by how many percent a heap may grow of which so many bytes are
// alive.
func growth(live uint64) int {
	return int(max(minGarbage*100/max(live, 1<<20), minGrowth))
}
