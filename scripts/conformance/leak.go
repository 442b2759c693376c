package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// measureLeak sends requests and prints how long they took and what is left:
// goroutines, heap and database connections before and after.
func measureLeak(ctx context.Context, i *instance, requests, clients int) error {
	transport := &http.Transport{MaxIdleConnsPerHost: clients}
	client := &http.Client{Transport: transport}
	get := func(ctx context.Context, n int) error {
		// Every tenth statement is new, so that the statement cache turns over too.
		url := fmt.Sprintf("%s/items?id=eq.%d", i.url, n%15+1)
		if n%10 == 0 {
			url = fmt.Sprintf("%s/items?id=eq.1&select=%s:id", i.url, fmt.Sprintf("a%d", n%1000))
		}
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
		if err != nil {
			return err
		}
		resp, err := client.Do(req)
		if err != nil {
			return err
		}
		defer resp.Body.Close()
		if _, err := io.Copy(io.Discard, resp.Body); err != nil {
			return err
		}
		if resp.StatusCode != http.StatusOK {
			return fmt.Errorf("%s: status %d", url, resp.StatusCode)
		}
		return nil
	}
	one, err := alone(ctx, get)
	if err != nil {
		return err
	}
	// What the first requests set up for good is no leak.
	if _, err := together(ctx, 5000, clients, get); err != nil {
		return err
	}
	before := takeStock(i, transport)
	took, err := together(ctx, requests, clients, get)
	if err != nil {
		return err
	}
	after := takeStock(i, transport)
	fmt.Printf("one client: p50 %v, p99 %v\n", one[len(one)/2].Round(time.Microsecond),
		one[len(one)*99/100].Round(time.Microsecond))
	fmt.Printf("%d clients: %d requests in %v, %.0f requests/s\n", clients, requests, took.Round(time.Millisecond),
		float64(requests)/took.Seconds())
	fmt.Printf("%-12s %10s %10s\n", "", "before", "after")
	fmt.Printf("%-12s %10d %10d\n", "goroutines", before.goroutines, after.goroutines)
	fmt.Printf("%-12s %10d %10d\n", "heap KiB", before.heap>>10, after.heap>>10)
	fmt.Printf("%-12s %10d %10d\n", "connections", before.connections, after.connections)
	fmt.Printf("%-12s %10d %10d\n", "in use", before.busy, after.busy)
	return nil
}

// alone times requests that do not wait for each other, sorted.
func alone(ctx context.Context, get func(context.Context, int) error) ([]time.Duration, error) {
	times := make([]time.Duration, 0, 3000)
	for n := range 3200 {
		start := time.Now()
		if err := get(ctx, n*10+1); err != nil {
			return nil, err
		}
		if n >= 200 {
			times = append(times, time.Since(start))
		}
	}
	slices.Sort(times)
	return times, nil
}

func together(ctx context.Context, requests, clients int, get func(context.Context, int) error) (time.Duration,
	error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var next atomic.Int64
	var all sync.WaitGroup
	start := time.Now()
	for range clients {
		all.Go(func() {
			for {
				n := int(next.Add(1))
				if n > requests || ctx.Err() != nil {
					return
				}
				if err := get(ctx, n); err != nil {
					cancel(err)
					return
				}
			}
		})
	}
	all.Wait()
	return time.Since(start), context.Cause(ctx)
}

type stock struct {
	goroutines        int
	heap              uint64
	connections, busy int32
}

func takeStock(i *instance, transport *http.Transport) stock {
	transport.CloseIdleConnections()
	// The server sees the end of a connection a moment later.
	time.Sleep(300 * time.Millisecond)
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	s := i.pool.Stat()
	return stock{runtime.NumGoroutine(), m.HeapAlloc, s.TotalConns(), s.AcquiredConns()}
}
