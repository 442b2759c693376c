package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"
)

// The turn that is measured: a history of 12 messages with seals, a router and
// a specialist with 20 tools, 4 model calls in all, 3 tools called. It stands
// beside a plain loop of net/http and encoding/json that makes the same model
// calls with the same tools by hand and does nothing else: no sign-in, no
// seals, no checks, no tables, no log.
//
// Three processes take part, so that CPU is counted where it belongs. The bench
// sends the requests. One child is the model and the Supabase project: canned
// answers without latency. Another child is what is measured, ours or the plain
// loop, each a server on loopback; it reports its own user and system time by
// getrusage. Batches of ours and plain alternate, and the medians of the
// batches are shown with their spread.
//
// Wall times hold what the model, the bench and the network stack take on the
// same cores; with nothing else running they are the latency that we add.
const (
	pairs     = 6 // two messages each
	toolCount = 20
	answerLen = 400
	turnName  = "7d0c7f5a-0f3d-4c5f-9a70-1f1f4a7f2c11"
	// profileFor is how long a profile is recorded.
	profileFor = 8 * time.Second
)

// way is one kind of turn that is compared.
type way struct {
	name, model, accept string
	turn                string // what the client calls it
	keep                bool   // with its conversation
	share               int    // of the turns that were asked for, 1/share are made
}

func ways() []way {
	return []way{
		// The answer in one piece; both read the specialist's whole.
		{name: "json", model: pathTurn, accept: "application/json", share: 1},
		// The answer as events; both read the specialist as a stream.
		{name: "stream", model: pathTurn, accept: eventStream, share: 1},
		// The same, with 1 ms between the events of the model.
		{name: "paced", model: pathPaced, accept: eventStream, share: 10},
		// The client names the turn, as our page does, which costs one more call
		// of the database: turn_open in place of whoami, and turn_finish.
		{name: "named", model: pathTurn, accept: "application/json", turn: turnName, share: 1},
		// Named, and kept with its conversation, as turns of an assistant with records are:
		// turn_open and turn_close.
		{name: "kept", model: pathTurn, accept: "application/json", turn: turnName, keep: true, share: 1},
	}
}

func (l *lab) measureTurns(ctx context.Context) error {
	for _, w := range ways() {
		if len(l.opt.ways) > 0 && !slices.Contains(l.opt.ways, w.name) {
			continue
		}
		c := comparison{way: w, pairs: pairs, tools: toolCount, atOnce: []int{1, 16}, turns: l.opt.turns,
			batches: l.opt.batches}
		if len(l.out.Turns) == 0 {
			c.profile = l.opt.profile
		}
		rows, err := l.compare(ctx, c)
		if err != nil {
			return fmt.Errorf("%s: %w", w.name, err)
		}
		l.out.Turns = append(l.out.Turns, rows...)
	}
	return nil
}

// measureGrowth compares the turn in JSON with longer histories and with fewer
// and more tools.
func (l *lab) measureGrowth(ctx context.Context) error {
	messages, tools := []int{12, 50, 100, 200, 400}, []int{5, 20, 60}
	if l.opt.short {
		messages, tools = []int{12, 100}, []int{5, 60}
	}
	one := func(by string, size, messages, tools int) error {
		rows, err := l.compare(ctx, comparison{way: ways()[0], pairs: messages / 2, tools: tools, atOnce: []int{4},
			turns: max(l.opt.turns/3, 20), batches: min(l.opt.batches, 3)})
		if err != nil {
			return fmt.Errorf("%d %s: %w", size, by, err)
		}
		l.out.Growth = append(l.out.Growth, growthRow{By: by, Size: size, Ours: rows[0].Ours.CPU,
			Plain: rows[0].Plain.CPU, Bytes: rows[0].Ours.Bytes, PlainBytes: rows[0].Plain.Bytes})
		return nil
	}
	for _, n := range messages {
		if err := one("messages", n, n, toolCount); err != nil {
			return err
		}
	}
	for _, n := range tools {
		if err := one("tools", n, 2*pairs, n); err != nil {
			return err
		}
	}
	return nil
}

// comparison is one measurement of both sides.
type comparison struct {
	way
	pairs, tools   int
	atOnce         []int
	turns, batches int
	profile        string
}

// compare measures both sides at each degree of concurrency.
func (l *lab) compare(ctx context.Context, c comparison) ([]turnRow, error) {
	up, s, err := l.canned(ctx)
	if err != nil {
		return nil, err
	}
	t := task{Upstream: up.url, Model: up.url + c.model, JWKS: s.jwks, SealKeys: s.sealKeys, Tools: c.tools,
		Keep: c.keep}
	t.Role = roleOurs
	ours, err := start(ctx, t)
	if err != nil {
		return nil, err
	}
	defer ours.close()
	t.Role = rolePlain
	plain, err := start(ctx, t)
	if err != nil {
		return nil, err
	}
	defer plain.close()
	d, err := newDialogue(s.sealKeys, c.pairs, answerLen)
	if err != nil {
		return nil, err
	}
	oursBody, plainBody, err := d.bodies(c.turn)
	if err != nil {
		return nil, err
	}
	token, err := s.token(up.url)
	if err != nil {
		return nil, err
	}
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64}}
	defer client.CloseIdleConnections()
	text := []byte(lastWords) // only the last of the model's answers has it
	toOurs := load{client: client, url: ours.url, token: token, accept: c.accept, body: oursBody,
		marks: [][]byte{text, []byte(`"calls":4`)}}
	toPlain := toOurs
	toPlain.url, toPlain.body, toPlain.marks = plain.url, plainBody, [][]byte{text}

	var rows []turnRow
	for _, atOnce := range c.atOnce {
		n := max(c.turns/c.share, atOnce)
		for _, l := range []load{toOurs, toPlain} {
			if _, err := l.run(ctx, n/2+atOnce, atOnce); err != nil { // warms up
				return nil, err
			}
		}
		var a, b []batch
		for range c.batches {
			one, err := toOurs.batch(ctx, ours, n, atOnce)
			if err != nil {
				return nil, err
			}
			other, err := toPlain.batch(ctx, plain, n, atOnce)
			if err != nil {
				return nil, err
			}
			a, b = append(a, one), append(b, other)
		}
		row := turnRow{Name: c.name, AtOnce: atOnce, Turns: n * c.batches, Ours: sum(a), Plain: sum(b)}
		row.Ratio = row.Ours.CPU.Median / row.Plain.CPU.Median
		row.AllocRatio = row.Ours.Allocs / row.Plain.Allocs
		rows = append(rows, row)
	}
	if c.profile != "" {
		return rows, profileOf(ctx, c.profile, ours, toOurs)
	}
	return rows, nil
}

// profileOf records our side under load: its CPU into the file, and what it
// has allocated since it began into file.allocs.
func profileOf(ctx context.Context, file string, c *child, l load) (err error) {
	f, err := os.Create(file)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	allocs, err := os.Create(file + ".allocs")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, allocs.Close()) }()
	if err := c.allocated(ctx, allocs); err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var group errgroup.Group
	group.Go(func() error {
		for ctx.Err() == nil {
			if _, err := l.run(ctx, 100, 4); err != nil && ctx.Err() == nil {
				return err
			}
		}
		return nil // the profile is complete
	})
	err = c.profile(ctx, profileFor, f)
	cancel()
	return errors.Join(err, group.Wait())
}
