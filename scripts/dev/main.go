// Command dev runs all of Bellhop on this machine, without an account or a key:
//
//	go run ./scripts/dev
//
// It starts a private PostgreSQL with the migrations and the demo data, the
// stand-ins for Supabase, a model server unless OPENAI_API_KEY names a real
// one, and functions/server, and serves all of it at one address. Ctrl-C stops
// everything; the data stays for the next run.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"
)

func main() {
	ctx, release := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	// From the first signal on, a second one ends the process at once.
	context.AfterFunc(ctx, release)
	ctx, cancel := context.WithCancel(ctx)
	stopWithGoRun(cancel)
	opts, err := parse(os.Args[1:], os.Getenv, os.Stderr)
	if errors.Is(err, flag.ErrHelp) {
		return
	}
	if err == nil {
		err = run(ctx, opts, os.Stdout)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "dev:", err)
		os.Exit(1)
	}
}

// options is what a person may choose.
type options struct {
	addr   string
	data   string
	fresh  bool
	lambda bool
	ledger string           // where the ledger's MCP server listens; "off": not at all
	duffel string           // where the stand-in for Duffel listens; "off": not at all
	clock  func() time.Time // nil: the real one
	openAI openAI
	visits visitors

	duffelKey bool // the environment has a key of Duffel

	// serverPackage is what is built as the server, as go build takes it.
	serverPackage string
}

func parse(args []string, getenv func(string) string, help io.Writer) (options, error) {
	flags := flag.NewFlagSet("dev", flag.ContinueOnError)
	flags.SetOutput(io.Discard) // an error is one sentence, without the whole usage
	opts := options{serverPackage: "./functions/server", openAI: chooseModel(getenv), visits: chooseVisitors(getenv),
		duffelKey: getenv("DUFFEL_API_KEY") != ""}
	var now string
	flags.StringVar(&opts.addr, "addr", "127.0.0.1:8787", "address to serve at")
	flags.StringVar(&opts.data, "data", "",
		"folder that keeps the database, the keys and the binaries (default: bellhop/dev in the user's cache folder)")
	flags.BoolVar(&opts.fresh, "fresh", false, "remove the kept database and keys first")
	flags.StringVar(&opts.ledger, "ledger", "127.0.0.1:8790", "address of the ledger's MCP server, or off")
	flags.StringVar(&opts.duffel, "duffel", "127.0.0.1:8791", "address of the stand-in for Duffel, or off")
	flags.BoolVar(&opts.lambda, "lambda", false, "run chat, tools, transcribe and users as real Lambda bootstraps")
	flags.StringVar(&now, "now", "", "start the clock at this time, such as 2026-03-01T09:00:00Z; the demo data is "+
		"dated by it")
	switch err := flags.Parse(args); {
	case errors.Is(err, flag.ErrHelp):
		fmt.Fprintln(help, "go run ./scripts/dev runs all of Bellhop on this machine. Flags:")
		flags.SetOutput(help)
		flags.PrintDefaults()
		return opts, err
	case err != nil:
		return opts, fmt.Errorf("%w; -h lists the flags", err)
	}
	if flags.NArg() > 0 {
		return opts, fmt.Errorf("there is no argument %q; -h lists the flags", flags.Arg(0))
	}
	if now != "" {
		at, err := time.Parse(time.RFC3339, now)
		if err != nil {
			return opts, fmt.Errorf("-now %s is not a time such as 2026-03-01T09:00:00Z", now)
		}
		began := time.Now()
		opts.clock = func() time.Time { return at.Add(time.Since(began)) }
	}
	var err error
	if opts.data, err = dataFolder(opts.data); err != nil {
		return opts, err
	}
	return opts, nil
}

// dataFolder returns the folder asked for, or the usual one, as a full path.
func dataFolder(asked string) (string, error) {
	if asked == "" {
		cache, err := os.UserCacheDir()
		if err != nil {
			return "", fmt.Errorf("this user has no cache folder (%w); name a folder with -data", err)
		}
		asked = filepath.Join(cache, "bellhop", "dev")
	}
	full, err := filepath.Abs(asked)
	if err != nil {
		return "", fmt.Errorf("find the data folder: %w", err)
	}
	return full, nil
}
