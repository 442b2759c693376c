package main

import (
	"bytes"
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
	token  string
	accept string
	body   []byte
	// marks must stand in every answer; they show that the turn came to its
	// end as it should.
	marks [][]byte
}

// once sends one request and reads the whole answer.
func (l load) once(ctx context.Context) error {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, l.url+"/api/chat/"+assistantName, bytes.NewReader(l.body))
	if err != nil {
		return err
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", l.accept)
	r.Header.Set("Authorization", "Bearer "+l.token)
	resp, err := l.client.Do(r)
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

// run sends n requests, atOnce of them at the same time, and returns how long
// each took, in milliseconds, and all of them together.
func (l load) run(ctx context.Context, n, atOnce int) (walls []float64, all time.Duration, err error) {
	walls = make([]float64, n)
	var next atomic.Int64
	group, ctx := errgroup.WithContext(ctx)
	began := time.Now()
	for range atOnce {
		group.Go(func() error {
			for {
				i := int(next.Add(1)) - 1
				if i >= n {
					return nil
				}
				start := time.Now()
				if err := l.once(ctx); err != nil {
					return err
				}
				walls[i] = ms(time.Since(start))
			}
		})
	}
	err = group.Wait()
	return walls, time.Since(began), err
}

// batch is what n turns cost on one side.
type batch struct {
	cpu, system, allocs, bytes float64 // for each turn
	walls                      []float64
	all                        time.Duration
}

// batch measures n turns on the child.
func (l load) batch(ctx context.Context, c *child, n, atOnce int) (batch, error) {
	before, err := c.usage(ctx)
	if err != nil {
		return batch{}, err
	}
	walls, all, err := l.run(ctx, n, atOnce)
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
		walls: walls, all: all,
	}, nil
}

// sum makes a side of its batches.
func sum(batches []batch) side {
	var cpu, system, allocs, bytes, walls, rates []float64
	for _, b := range batches {
		cpu, system, allocs, bytes = append(cpu, b.cpu), append(system, b.system), append(allocs, b.allocs), append(bytes, b.bytes)
		walls = append(walls, b.walls...)
		rates = append(rates, float64(len(b.walls))/b.all.Seconds())
	}
	slices.Sort(walls)
	return side{
		CPU: spreadOf(cpu), System: spreadOf(system).Median, Allocs: spreadOf(allocs).Median, Bytes: spreadOf(bytes).Median,
		P50: quantile(walls, 0.5), P99: quantile(walls, 0.99), Rate: spreadOf(rates).Median,
	}
}
