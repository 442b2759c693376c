package runtimes_test

import (
	"bytes"
	"fmt"
	"net/http"
	"slices"
	"testing"
	"time"

	"github.com/bellhop-ai/bellhop/infra/local/ledger"
)

// BenchmarkClearQuestion is a turn of the fast path and one from what was kept, from
// the request to the last byte, with the ledger, the database and the network of this
// machine. It reports the median and the 99th percentile.
func BenchmarkClearQuestion(b *testing.B) {
	books := newBooks(b, ledger.Trading, "")
	ask := func(text, path string) {
		body := map[string]any{"messages": []any{map[string]any{"role": "user", "content": text}}}
		status, raw := books.postAs(books.org.Manager, "/api/chat/finance", "application/json", body)
		if status != http.StatusOK || !bytes.Contains(raw, []byte(`"path":"`+path+`"`)) {
			b.Fatalf("%d %s", status, raw)
		}
	}
	ask("how much cash do we have today?", "fast")
	for name, next := range map[string]func(int) (text, path string){
		// Another minimum is another question.
		"fast":   func(i int) (string, string) { return fmt.Sprintf("invoices above %d", 100+i), "fast" },
		"cached": func(int) (string, string) { return "how much cash do we have today?", "cached" },
	} {
		b.Run(name, func(b *testing.B) {
			var took []time.Duration
			for i := 0; b.Loop(); i++ {
				text, path := next(i)
				start := time.Now()
				ask(text, path)
				took = append(took, time.Since(start))
			}
			slices.Sort(took)
			b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "p50-ms")
			b.ReportMetric(float64(took[len(took)*99/100].Microseconds())/1000, "p99-ms")
		})
	}
}
