package duffel_test

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/http/httptest"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/duffel"
)

// large is a search of 229 offers, about 1.5 MB of JSON in two pages, compressed as Duffel
// does.
func large(t testing.TB) (c *duffel.Client, size int) {
	t.Helper()
	var list []string
	for i := range 229 {
		o := offerWire(fmt.Sprintf("off_0000A%03d", i), fmt.Sprintf("%d.80", 90+i), "GBP")
		list = append(list, strings.Join(strings.Fields(o), " "))
	}
	pack := func(s string) []byte {
		size += len(s)
		var b bytes.Buffer
		z := gzip.NewWriter(&b)
		io.WriteString(z, s)
		z.Close()
		return b.Bytes()
	}
	first, second := pack(page("cur_2", list[:200]...)), pack(page("", list[200:]...))
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost {
			_, _ = io.Copy(io.Discard, r.Body)
			w.WriteHeader(http.StatusCreated)
			io.WriteString(w, requestWire)
			return
		}
		w.Header().Set("Content-Encoding", "gzip")
		if r.URL.Query().Get("after") == "" {
			w.Write(first)
			return
		}
		w.Write(second)
	}))
	t.Cleanup(server.Close)
	c, err := duffel.New(duffel.Config{APIKey: token, BaseURL: server.URL, Now: now})
	if err != nil {
		t.Fatal(err)
	}
	return c, size
}

// BenchmarkSearch is all of a search of 229 offers but Duffel's own time: the server in the
// same process answers from memory.
func BenchmarkSearch(b *testing.B) {
	c, size := large(b)
	b.SetBytes(int64(size))
	b.ReportAllocs()
	var took []time.Duration
	for b.Loop() {
		began := time.Now()
		found, err := c.Flights().Search(b.Context(), somebody, family())
		if err != nil || len(found.Offers) != 229 {
			b.Fatalf("%d offers, %v", len(found.Offers), err)
		}
		took = append(took, time.Since(began))
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)*99/100].Microseconds())/1000, "p99-ms")
}

// 229 offers are read within 8 MB. No other test runs beside this one, and the server that
// answers from memory in the same process allocates little.
func TestALargeSearchIsReadInLittleMemory(t *testing.T) {
	if underRace {
		t.Skip("under the race detector pools drop what is put back at random")
	}
	c, size := large(t)
	search := func() {
		found, err := c.Flights().Search(t.Context(), somebody, family())
		if err != nil || len(found.Offers) != 229 || found.More || len(found.Offers[228].Slices) != 2 {
			t.Fatalf("%d offers, %v", len(found.Offers), err)
		}
	}
	search()
	// A collection of garbage empties the pools of buffers. A search that moves to another
	// processor finds the pool of that one empty, so the least of some counts.
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	least := uint64(math.MaxUint64)
	for range 10 {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		search()
		runtime.ReadMemStats(&after)
		least = min(least, after.TotalAlloc-before.TotalAlloc)
	}
	if size < 1<<20 || least > 8<<20 {
		t.Errorf("%d bytes were allocated for %d bytes of offers", least, size)
	}
	t.Logf("%d bytes were allocated", least)
}
