package rest_test

import (
	"net/http"
	"testing"
)

// BenchmarkRequest measures whole requests without the network: parse, plan,
// one transaction, answer.
func BenchmarkRequest(b *testing.B) {
	w := newWorld(b)
	s := w.serve(b, nil)
	tests := map[string]struct {
		method, target, body string
		status               int
	}{
		"one row": {"GET", "/rooms?id=eq.1", "", http.StatusOK},
		"with embeds": {"GET", "/rooms?select=code,stays(nights,guests(name)),keycards(serial)&order=id", "",
			http.StatusOK},
		"a function": {"POST", "/rpc/add", `{"a":1,"b":2}`, http.StatusOK},
		"an update":  {"PATCH", "/guests?id=eq.2", `{"phone":"5"}`, http.StatusNoContent},
	}
	for name, tt := range tests {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if got := call(s, tt.method, tt.target, map[string]string{"as": "manager"},
					tt.body); got.Code != tt.status {
					b.Fatalf("%d %s", got.Code, got.Body)
				}
			}
		})
	}
}
