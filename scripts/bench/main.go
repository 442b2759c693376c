// Bench measures what Bellhop itself costs, prints a table and writes JSON. It
// asserts nothing: what a figure ought to be stands in the architecture, and a
// loaded machine is no failure.
//
//	go run ./scripts/bench [-json file] [-n turns] [-only turn,start,seals] [-profile file]
//
// # turn
//
// Our own CPU for one chat turn: a history of 12 messages with seals, a router
// and a specialist with 20 tools, 4 model calls in all, 3 tools called. It
// stands beside a plain loop of net/http and encoding/json that makes the same
// model calls with the same tools by hand and does nothing else: no sign-in, no
// seals, no checks, no tables, no log.
//
// Three processes take part, so that CPU is counted where it belongs. The bench
// sends the requests. One child is the model and the Supabase project: canned
// answers without latency. Another child is what is measured, ours or the plain
// loop, each a server on loopback; it reports its own user and system time by
// getrusage. Batches of ours and plain alternate, and the medians of the
// batches are shown with their spread. Rows:
//
//	json          the answer in one piece. Ours reads the specialist's answer
//	              as a stream all the same; the plain loop reads it whole.
//	stream        the answer as events; both read the specialist as a stream
//	paced         the same, with 1 ms between the events of the model
//	json, named   the client names the turn, as our page does, which costs two
//	              more calls of the database: turn_begin and turn_finish
//
// Wall times hold what the model, the bench and the network stack take on the
// same cores; with nothing else running they are the latency that we add.
//
// # start
//
// For each function the size of its stripped binary, and on the local Lambda
// runtime the time from the start of the process to its first complete answer,
// of /api/health and, where it talks, of a chat turn with two model calls. Each
// run is a new process. Memory is VmRSS after that answer, on Linux.
//
// # seals
//
// Opening a history of 200 messages and 256 KiB, seals included, in-process.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
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
	turns   int    // per batch
	batches int    // of each side
	profile string // file for the profiles of our side; "" = none
	ways    []string
}

func measure(ctx context.Context, args []string, out io.Writer) error {
	var opt options
	flags := flag.NewFlagSet("bench", flag.ExitOnError)
	file := flags.String("json", "", "also write the figures to this file")
	only := flags.String("only", "", "the parts to measure, by commas; all when empty")
	flags.IntVar(&opt.turns, "n", 400, "turns in a batch")
	flags.IntVar(&opt.batches, "batches", 5, "batches of each side")
	flags.StringVar(&opt.profile, "profile", "", "write a CPU profile of our side of the turn to this file, and its allocations to file.allocs")
	ways := flags.String("ways", "", "the kinds of turn to compare, by commas; all when empty")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if opt.turns < 1 || opt.batches < 1 {
		return fmt.Errorf("-n and -batches must be above zero")
	}
	if *ways != "" {
		opt.ways = strings.Split(*ways, ",")
	}
	parts := []struct {
		name string
		run  func(context.Context, options, *report) error
	}{{"turn", measureTurns}, {"start", measureStarts}, {"seals", measureSeals}}
	var wanted []string
	if *only != "" {
		wanted = strings.Split(*only, ",")
		for _, name := range wanted {
			known := false
			for _, p := range parts {
				known = known || p.name == name
			}
			if !known {
				return fmt.Errorf("there is no part %q", name)
			}
		}
	}
	r := report{At: time.Now().UTC().Truncate(time.Second), Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH, Cores: runtime.NumCPU(), LoadBefore: loadAverage()}
	for _, p := range parts {
		if len(wanted) > 0 && !slices.Contains(wanted, p.name) {
			continue
		}
		if err := p.run(ctx, opt, &r); err != nil {
			return fmt.Errorf("%s: %w", p.name, err)
		}
	}
	r.LoadAfter = loadAverage()
	if err := r.print(out); err != nil {
		return err
	}
	if *file == "" {
		return nil
	}
	data, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(*file, append(data, '\n'), 0o644)
}
