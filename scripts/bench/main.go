// Bench measures what Bellhop itself costs, prints tables, and writes JSON and
// a drawing. It asserts nothing: what a figure ought to be stands beside it as
// an aim, and a loaded machine is no failure.
//
//	go run ./scripts/bench [-json file] [-svg file] [-only turn,start,…] [-short] [-profile file]
//
// It takes about five minutes, with -short one. docs/benchmarks.md says how to
// read what it prints. The parts, which -only picks from:
//
//	turn      our own CPU and latency of a chat turn beside a plain loop that
//	          makes the same calls; see turn.go
//	growth    the same by the length of the history and by the number of tools
//	streams   a thousand readers at the same time, 20 events a second each
//	start     each function on the local Lambda runtime: from the start of the
//	          process to its first complete answer, and its memory after it
//	rates     whole turns and confirmed writes a second, by functions/server
//	          and a real PostgreSQL
//	contests  64 clients who want the same few things of an assistant
//	calls     model calls and tokens of each turn of a conversation with each
//	          assistant
//	seals     opening a long sealed history
//
// Every process that takes part runs on this machine, so rates and latencies
// hold what the model, the database and the bench itself take of its cores. CPU
// is counted for the measured process alone.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"
	"time"
)

// childFlag makes this program one of its own children.
const childFlag = "-as-child"

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	run := measure
	if len(os.Args) == 2 && os.Args[1] == childFlag {
		run = func(context.Context, []string, io.Writer) error { return serveChild(os.Stdin, os.Stdout) }
	}
	if err := run(ctx, os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		stop()
		os.Exit(1)
	}
}

// options are what the command line says.
type options struct {
	turns   int      // per batch
	batches int      // of each side
	ways    []string // the kinds of turn that are compared; nil = all
	short   bool     // as little as shows that everything runs
	profile string   // file for the profiles of our side; "" = none
}

type part struct {
	name string
	run  func(*lab, context.Context) error
}

func allParts() []part {
	return []part{
		{"turn", (*lab).measureTurns}, {"growth", (*lab).measureGrowth}, {"streams", (*lab).measureStreams},
		{"start", (*lab).measureStarts},
		{"rates", (*lab).measureRates}, {"contests", (*lab).measureContests}, {"calls", (*lab).measureCalls},
		{"seals", (*lab).measureSeals},
	}
}

func measure(ctx context.Context, args []string, out io.Writer) (err error) {
	l := &lab{}
	flags := flag.NewFlagSet("bench", flag.ExitOnError)
	file := flags.String("json", "", "also write the figures to this file")
	drawing := flags.String("svg", "", "also draw the figures into this file")
	only := flags.String("only", "", "the parts to measure, by commas; all when empty")
	ways := flags.String("ways", "", "the kinds of turn to compare, by commas; all when empty")
	flags.BoolVar(&l.opt.short, "short", false,
		"measure little of everything: it shows that all runs, its figures are rough")
	flags.IntVar(&l.opt.turns, "n", 300, "turns in a batch")
	flags.IntVar(&l.opt.batches, "batches", 5, "batches of each side")
	flags.StringVar(&l.opt.profile, "profile", "",
		"write a CPU profile of our side of the turn to this file, its allocations to file.allocs, and the memory "+
			"that open streams hold to file.streams")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if l.opt.turns < 1 || l.opt.batches < 1 {
		return errors.New("-n and -batches must be above zero")
	}
	if l.opt.short {
		l.opt.turns, l.opt.batches = min(l.opt.turns, 40), min(l.opt.batches, 2)
	}
	l.opt.ways = list(*ways)
	parts, err := pick(list(*only))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, l.close()) }()
	l.out.Machine = machine(ctx)
	for _, p := range parts {
		before, began := loadAverage(), time.Now()
		if err := p.run(l, ctx); err != nil {
			return fmt.Errorf("%s: %w", p.name, err)
		}
		l.out.Machine.Load = append(l.out.Machine.Load, p.name+" "+before)
		fmt.Fprintf(os.Stderr, "%s: measured in %s\n", p.name, time.Since(began).Round(time.Second))
	}
	if err := l.out.print(out); err != nil {
		return err
	}
	if *file != "" {
		data, err := json.MarshalIndent(l.out, "", "  ")
		if err != nil {
			return err
		}
		if err := os.WriteFile(*file, append(data, '\n'), 0o644); err != nil {
			return err
		}
	}
	if *drawing != "" {
		return os.WriteFile(*drawing, l.out.draw(), 0o644)
	}
	return nil
}

func list(text string) []string {
	if text == "" {
		return nil
	}
	return strings.Split(text, ",")
}

// pick returns the parts of these names, or all.
func pick(names []string) ([]part, error) {
	all := allParts()
	for _, name := range names {
		if !slices.ContainsFunc(all, func(p part) bool { return p.name == name }) {
			return nil, fmt.Errorf("there is no part %q", name)
		}
	}
	if len(names) == 0 {
		return all, nil
	}
	return slices.DeleteFunc(all, func(p part) bool { return !slices.Contains(names, p.name) }), nil
}
