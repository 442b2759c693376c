package projects_test

import (
	"io"
	"net/http"
	"slices"
	"sync"
	"testing"
	"time"
)

// BenchmarkPublicPage asks for a page of twelve photos, through the handler and the
// database, and tells how long the slowest in a hundred took. An address of no page asks
// no database: what that takes is the machine's.
//
//	go test ./pkg/api/projects -run '^$' -bench PublicPage -benchtime 4000x
func BenchmarkPublicPage(b *testing.B) {
	c := open(b)
	path, p := c.kitchen(12)
	address := c.want(200, "", c.org.Manager, "POST", path+"/publish", object{"version": p.Version}).Project.URL
	for _, ask := range []struct {
		name, address   string
		clients, status int
	}{
		{"no page, one client", "/p/none/none!", 1, 404}, {"one client", address, 1, 200},
		{"no page, four clients", "/p/none/none!", 4, 404}, {"four clients", address, 4, 200},
	} {
		b.Run(ask.name, func(b *testing.B) {
			clients := ask.clients
			var took []time.Duration
			var mu sync.Mutex
			var asking sync.WaitGroup
			for range clients {
				asking.Go(func() {
					own := make([]time.Duration, 0, b.N)
					for range b.N / clients {
						began := time.Now()
						resp, err := http.Get(c.url + ask.address)
						if err != nil {
							b.Error(err)
							return
						}
						_, err = io.Copy(io.Discard, resp.Body)
						resp.Body.Close()
						if err != nil || resp.StatusCode != ask.status {
							b.Errorf("%d, %v", resp.StatusCode, err)
							return
						}
						own = append(own, time.Since(began))
					}
					mu.Lock()
					defer mu.Unlock()
					took = append(took, own...)
				})
			}
			asking.Wait()
			if len(took) == 0 {
				return
			}
			slices.Sort(took)
			for share, unit := range map[int]string{50: "p50-µs", 99: "p99-µs"} {
				b.ReportMetric(float64(took[len(took)*share/100].Microseconds()), unit)
			}
		})
	}
}
