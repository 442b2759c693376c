package main

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"net/http"
	"slices"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"
)

// load is requests of one kind to one server.
type load struct {
	client *http.Client
	url    string
	path   string // "" is the bench's assistant
	token  string
	accept string
	body   []byte
	// marks must stand in every answer; they show that the turn came to its
	// end as it should.
	marks [][]byte
}

// send sends one request.
func (l *load) send(ctx context.Context) (*http.Response, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, l.url+cmp.Or(l.path, "/api/chat/"+assistantName),
		bytes.NewReader(l.body))
	if err != nil {
		return nil, err
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", l.accept)
	r.Header.Set("Authorization", "Bearer "+l.token)
	return l.client.Do(r)
}

// once sends one request and reads the whole answer.
func (l *load) once(ctx context.Context) error {
	resp, err := l.send(ctx)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	answer, err := io.ReadAll(resp.Body)
	if err != nil {
		return err
	}
	for _, mark := range l.marks {
		if resp.StatusCode != http.StatusOK || !bytes.Contains(answer, mark) {
			return fmt.Errorf("the answer is not what it should be: %s: %.600s", resp.Status, answer)
		}
	}
	return nil
}

// run sends n requests, atOnce of them at the same time.
func (l *load) run(ctx context.Context, n, atOnce int) (timing, error) {
	return timed(n, atOnce, func(int) error { return l.once(ctx) })
}

// batch is what n turns cost on one side.
type batch struct {
	cpu, system, allocs, bytes float64 // for each turn
	timing
}

// batch measures n turns on the child.
func (l *load) batch(ctx context.Context, c *child, n, atOnce int) (batch, error) {
	before, err := c.usage(ctx)
	if err != nil {
		return batch{}, err
	}
	t, err := l.run(ctx, n, atOnce)
	if err != nil {
		return batch{}, err
	}
	after, err := c.usage(ctx)
	if err != nil {
		return batch{}, err
	}
	turns := float64(n)
	system := ms(after.System-before.System) / turns
	return batch{
		cpu: ms(after.User-before.User)/turns + system, system: system,
		allocs: float64(after.Allocs-before.Allocs) / turns, bytes: float64(after.Bytes-before.Bytes) / turns,
		timing: t,
	}, nil
}

// sum makes a side of its batches.
func sum(batches []batch) side {
	var cpu, system, allocs, bytes, walls, rates []float64
	for _, b := range batches {
		cpu, system, allocs, bytes = append(cpu, b.cpu), append(system, b.system), append(allocs, b.allocs),
			append(bytes, b.bytes)
		walls = append(walls, b.walls...)
		rates = append(rates, float64(len(b.walls))/b.all.Seconds())
	}
	slices.Sort(walls)
	return side{
		CPU: spreadOf(cpu), System: spreadOf(system).Median, Allocs: spreadOf(allocs).Median,
		Bytes: spreadOf(bytes).Median,
		P50:   quantile(walls, 0.5), P99: quantile(walls, 0.99), Rate: spreadOf(rates).Median,
	}
}

// timing is how long each of several acts took, in milliseconds, and all of
// them together.
type timing struct {
	walls []float64
	all   time.Duration
}

func (t timing) row(name string, atOnce int) rateRow {
	slices.Sort(t.walls)
	return rateRow{Name: name, AtOnce: atOnce, Count: len(t.walls), Rate: float64(len(t.walls)) / t.all.Seconds(),
		P50: quantile(t.walls, 0.5), P99: quantile(t.walls, 0.99)}
}

// timed does n things, atOnce of them at the same time, and stops at the first
// that fails.
func timed(n, atOnce int, do func(i int) error) (timing, error) {
	t := timing{walls: make([]float64, n)}
	var next atomic.Int64
	var group errgroup.Group
	began := time.Now()
	for range atOnce {
		group.Go(func() error {
			for {
				i := int(next.Add(1)) - 1
				if i >= n {
					return nil
				}
				start := time.Now()
				if err := do(i); err != nil {
					return err
				}
				t.walls[i] = ms(time.Since(start))
			}
		})
	}
	err := group.Wait()
	t.all = time.Since(began)
	return t, err
}
