package main

import (
	"context"
	"errors"
	"runtime"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/llm"
)

const (
	sealPairs = 100
	sealBytes = 256 << 10
)

// measureSeals opens a long conversation, again and again.
func (l *lab) measureSeals(context.Context) error {
	s, err := newSecrets()
	if err != nil {
		return err
	}
	// The answers are made as long as it takes for texts and seals to fill the
	// size together.
	var d dialogue
	size := 0
	for length := 800; size < sealBytes; length += 100 {
		if d, err = newDialogue(s.sealKeys, sealPairs, length); err != nil {
			return err
		}
		size = 0
		for _, m := range d.sealed {
			size += len(m.Text) + len(m.Seal)
		}
	}
	open := func() error {
		trusted := 0
		for _, e := range d.keys.Open(d.scope, d.sealed).Entries {
			if e.Role == llm.Assistant && e.State != nil {
				trusted++
			}
		}
		if trusted != sealPairs {
			return errors.New("a seal did not open")
		}
		return nil
	}
	runs := max(l.opt.turns, 100)
	times := make([]float64, 0, runs)
	var before, after runtime.MemStats
	for i := range runs + runs/10 {
		if i == runs/10 { // warm
			times = times[:0]
			runtime.ReadMemStats(&before)
		}
		start := time.Now()
		if err := open(); err != nil {
			return err
		}
		times = append(times, ms(time.Since(start)))
	}
	runtime.ReadMemStats(&after)
	l.out.Seals = &sealFigure{Messages: 2 * sealPairs, Bytes: size, Open: spreadOf(times),
		Allocs: float64(after.Mallocs-before.Mallocs) / float64(runs)}
	return nil
}
