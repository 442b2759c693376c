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

const (
	pairs     = 6 // two messages each
	answerLen = 400
	turnName  = "7d0c7f5a-0f3d-4c5f-9a70-1f1f4a7f2c11"
	// profileFor is how long a profile is recorded.
	profileFor = 8 * time.Second
)

// way is one kind of turn that is compared.
type way struct {
	name, model, accept string
	turn                string // what the client calls it
	share               int    // of the turns that were asked for, 1/share are made
}

func ways() []way {
	return []way{
		{name: "json", model: pathTurn, accept: "application/json", share: 1},
		{name: "stream", model: pathTurn, accept: eventStream, share: 1},
		{name: "paced", model: pathPaced, accept: eventStream, share: 4},
		{name: "named", model: pathTurn, accept: "application/json", turn: turnName, share: 1},
	}
}

// measureTurns compares our turn with the plain loop's.
func measureTurns(ctx context.Context, opt options, r *report) error {
	s, err := newSecrets()
	if err != nil {
		return err
	}
	up, err := start(ctx, task{Role: roleUpstream})
	if err != nil {
		return err
	}
	defer up.close()
	for i, w := range ways() {
		if len(opt.ways) > 0 && !slices.Contains(opt.ways, w.name) {
			continue
		}
		rows, err := s.compare(ctx, opt, up, w, i == 0)
		if err != nil {
			return fmt.Errorf("%s: %w", w.name, err)
		}
		r.Turns = append(r.Turns, rows...)
	}
	return nil
}

// compare measures one way at both degrees of concurrency.
func (s secrets) compare(ctx context.Context, opt options, up *child, w way, profiled bool) ([]turnRow, error) {
	t := task{Upstream: up.url, Model: up.url + w.model, JWKS: s.jwks, SealKeys: s.sealKeys}
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
	d, err := newDialogue(s.sealKeys, pairs, answerLen)
	if err != nil {
		return nil, err
	}
	oursBody, plainBody, err := d.bodies(w.turn)
	if err != nil {
		return nil, err
	}
	token, err := s.token(up.url)
	if err != nil {
		return nil, err
	}
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64}}
	defer client.CloseIdleConnections()
	text := []byte("are free, four nights") // only the last of the model's answers has it
	toOurs := load{client: client, url: ours.url, token: token, accept: w.accept, body: oursBody, marks: [][]byte{text, []byte(`"calls":4`)}}
	toPlain := toOurs
	toPlain.url, toPlain.body, toPlain.marks = plain.url, plainBody, [][]byte{text}

	n := max(opt.turns/w.share, 1)
	var rows []turnRow
	for _, atOnce := range []int{1, 16} {
		for _, l := range []load{toOurs, toPlain} {
			if _, _, err := l.run(ctx, n/2+atOnce, atOnce); err != nil { // warms up
				return nil, err
			}
		}
		var a, b []batch
		for range opt.batches {
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
		row := turnRow{Name: w.name, AtOnce: atOnce, Turns: n * opt.batches, Ours: sum(a), Plain: sum(b)}
		row.Ratio = row.Ours.CPU.Median / row.Plain.CPU.Median
		row.AllocRatio = row.Ours.Allocs / row.Plain.Allocs
		rows = append(rows, row)
	}
	if profiled && opt.profile != "" {
		return rows, profileOf(ctx, opt.profile, ours, toOurs)
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
			if _, _, err := l.run(ctx, 100, 4); err != nil && ctx.Err() == nil {
				return err
			}
		}
		return nil // the profile is complete
	})
	err = c.profile(ctx, profileFor, f)
	cancel()
	return errors.Join(err, group.Wait())
}
