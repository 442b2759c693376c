package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"
)

const (
	readers = 1000
	// Each stream has so many events, one each streamPace.
	streamEvents = 200
	streamPace   = 50 * time.Millisecond
	rampUp       = 3 * time.Second
	// The platform gives the process so many MiB.
	streamMemory = 256
)

// measureStreams lets many people read an answer at the same time. The model
// writes into each piece of text when it was sent, so that what we add shows at
// the reader, our filters' holding back included.
func (l *lab) measureStreams(ctx context.Context) error {
	up, s, err := l.canned(ctx)
	if err != nil {
		return err
	}
	ours, err := start(ctx, task{Role: roleOurs, Upstream: up.url, Model: up.url + pathLong, JWKS: s.jwks,
		SealKeys: s.sealKeys, Tools: toolCount, Memory: streamMemory})
	if err != nil {
		return err
	}
	defer ours.close()
	token, err := s.token(up.url)
	if err != nil {
		return err
	}
	row := streamRow{Streams: readers, PerSecond: float64(time.Second / streamPace)}
	if l.opt.short {
		row.Streams = 100
	}
	d, err := newDialogue(s.sealKeys, pairs, answerLen)
	if err != nil {
		return err
	}
	body, _, err := d.bodies("")
	if err != nil {
		return err
	}
	r := reading{load: load{
		client: &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: readers}}, url: ours.url, token: token,
		accept: eventStream, body: body,
	}}
	defer r.client.CloseIdleConnections()
	if err := r.one(ctx); err != nil { // warms up
		return err
	}
	r.late, r.events, r.cut = nil, atomic.Int64{}, atomic.Int64{}

	before, err := ours.usage(ctx)
	if err != nil {
		return err
	}
	began := time.Now()
	peak := sampled(func() float64 { return memory(ours.cmd.Process.Pid, "VmRSS") })
	var group errgroup.Group
	for range row.Streams {
		time.Sleep(rampUp / time.Duration(row.Streams))
		group.Go(func() error {
			if err := r.one(ctx); err != nil {
				r.cut.Add(1)
			}
			return nil
		})
	}
	if l.opt.profile != "" {
		if err := held(ctx, ours, l.opt.profile+".streams"); err != nil {
			return err
		}
	}
	_ = group.Wait() // who fails is counted as cut
	took := time.Since(began)
	row.Memory = peak()
	after, err := ours.usage(ctx)
	if err != nil {
		return err
	}
	if len(r.late) == 0 {
		return errors.New("no event arrived")
	}
	slices.Sort(r.late)
	row.Events, row.Cut = r.events.Load(), r.cut.Load()
	row.P50, row.P99 = quantile(r.late, 0.5), quantile(r.late, 0.99)
	row.Cores = (after.User + after.System - before.User - before.System).Seconds() / took.Seconds()
	row.PerStream = row.Memory / float64(row.Streams)
	l.out.Streams = &row
	return nil
}

// held writes a profile of the memory that a child holds.
func held(ctx context.Context, c *child, file string) (err error) {
	f, err := os.Create(file)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	return c.allocated(ctx, f)
}

// reading is what all readers saw.
type reading struct {
	load
	mu          sync.Mutex
	late        []float64 // ms from the model's hand to the reader's
	events, cut atomic.Int64
}

// one reads one stream to its end: every piece in its order, and the event that
// completes it.
func (r *reading) one(ctx context.Context) error {
	resp, err := r.send(ctx)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	var late []float64
	var last int64
	complete := false
	lines := bufio.NewScanner(resp.Body)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		complete = complete || bytes.Equal(lines.Bytes(), []byte("event: complete"))
		_, text, ok := bytes.Cut(lines.Bytes(), []byte(`data: {"text":"`))
		if !ok {
			continue
		}
		now := time.Now().UnixNano()
		// A piece may hold several, where the model's came together.
		for _, stamp := range strings.Fields(strings.TrimRight(string(text), `"}`)) {
			sent, err := strconv.ParseInt(stamp, 36, 64)
			if err != nil {
				continue // a word before or behind them
			}
			if sent <= last {
				return errors.New("the pieces are not in order")
			}
			last = sent
			late = append(late, float64(now-sent)/1e6)
		}
	}
	r.events.Add(int64(len(late)))
	r.mu.Lock()
	r.late = append(r.late, late...)
	r.mu.Unlock()
	switch {
	case lines.Err() != nil:
		return lines.Err()
	case !complete || len(late) != streamEvents:
		return fmt.Errorf("the stream ended after %d of %d pieces", len(late), streamEvents)
	}
	return nil
}

// sampled looks at a figure all the time; the function that it returns ends
// that and returns the highest.
func sampled(figure func() float64) func() float64 {
	done, highest := make(chan struct{}), make(chan float64)
	go func() {
		most := figure()
		tick := time.NewTicker(200 * time.Millisecond)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				most = max(most, figure())
			case <-done:
				highest <- max(most, figure())
				return
			}
		}
	}()
	return func() float64 {
		close(done)
		return <-highest
	}
}
