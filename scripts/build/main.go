// Build makes what AWS Lambda runs: for each function an executable named
// bootstrap and a zip file that holds it.
//
//	go run ./scripts/build [-arch arm64|amd64] [-out dist] [name…]
//
// Without names it builds every folder under functions. The same source and
// the same Go give the same bytes, so a changed checksum means a changed
// function.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"text/tabwriter"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "build:", err)
		stop()
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string, out io.Writer) error {
	flags := flag.NewFlagSet("build", flag.ExitOnError)
	arch := flags.String("arch", "arm64", "processor: arm64 or amd64")
	dir := flags.String("out", "dist", "folder to write to")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if *arch != "arm64" && *arch != "amd64" {
		return fmt.Errorf("the processor is arm64 or amd64, not %q", *arch)
	}
	names, err := chooseFunctions("functions", flags.Args())
	if err != nil {
		return err
	}
	built, err := buildAll(ctx, names, *arch, *dir)
	if err != nil {
		return err
	}
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(table, "function\tbootstrap\tzip\tsha256\t")
	for _, b := range built {
		fmt.Fprintf(table, "%s\t%s\t%s\t%.12s\t\n", b.name, megabytes(b.size), megabytes(b.zipped), b.sum)
	}
	return table.Flush()
}

func megabytes(n int64) string {
	return fmt.Sprintf("%.2f MB", float64(n)/1e6)
}
