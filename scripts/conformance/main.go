// Command conformance holds infra/local/rest against a checkout of the public
// PostgREST case suite. It starts a private PostgreSQL, lets the suite's runner
// load its fixtures, serves them as the suite wants, runs the runner and prints
// its table of passed cases by area and tier.
//
//	go run ./scripts/conformance -suite DIR -runner DIR [-only 'A$'] [-v]
//	go run ./scripts/conformance -suite DIR -runner DIR -leak 100000
//
// Suite and runner are not part of this repository. The exit status is 0 only
// when every case passes.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"syscall"

	"github.com/bellhop-ai/bellhop/infra/local/postgres"
)

const database = "conformance"

// options are the command line.
type options struct {
	suite, runner, only string
	verbose             bool
	jsonOut, rsaKey     string
	leak, clients       int
	hold                bool
}

func main() {
	var o options
	flag.StringVar(&o.suite, "suite", "", "folder of the case suite")
	flag.StringVar(&o.runner, "runner", "", "folder of the runner, a Go module")
	flag.StringVar(&o.only, "only", "", "regular expression on \"id feature tier\"")
	flag.BoolVar(&o.verbose, "v", false, "print every failure")
	flag.StringVar(&o.jsonOut, "json", "", "also write the results to this file")
	flag.StringVar(&o.rsaKey, "rsa-key", "", "file with the public JWK that the suite's RS256 case asks for")
	flag.IntVar(&o.leak, "leak", 0, "instead of the cases, send this many requests and print what they left behind")
	flag.IntVar(&o.clients, "clients", 16, "concurrent clients of -leak")
	flag.BoolVar(&o.hold, "hold", false, "instead of the cases, print the two addresses and serve until interrupted")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	err := run(ctx, o)
	if err != nil {
		var failed *exec.ExitError
		if !errors.As(err, &failed) {
			fmt.Fprintln(os.Stderr, "conformance:", err)
		}
		os.Exit(1) //nolint:gocritic // run has ended and tidied up
	}
}

func run(ctx context.Context, o options) error {
	// The runner starts this program again for a case with settings of its own.
	if os.Getenv(dsnVariable) != "" {
		return serveVariant(ctx)
	}
	if o.suite == "" || o.runner == "" {
		return errors.New("-suite and -runner name the folders of the case suite and of its runner")
	}
	work, err := os.MkdirTemp("", "conformance")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	runner := filepath.Join(work, "runner")
	suite, err := filepath.Abs(o.suite)
	if err != nil {
		return err
	}
	if err := command(ctx, nil, "go", "build", "-C", o.runner, "-o", runner, "."); err != nil {
		return fmt.Errorf("build the runner: %w", err)
	}
	pg, err := postgres.Start(ctx, postgres.Config{})
	if err != nil {
		return err
	}
	defer pg.Stop() //nolint:errcheck // it is temporary
	const superuser = "supabase_admin"
	if err := command(ctx, nil, runner, "load", "-suite", suite, "-admin-dsn", pg.ConnString("postgres", superuser),
		"-db", database); err != nil {
		return fmt.Errorf("load the fixtures: %w", err)
	}
	dsn := pg.ConnString(database, superuser) + " timezone=UTC"
	open, auth, err := servePair(ctx, dsn)
	if err != nil {
		return err
	}
	defer open.Close()
	defer auth.Close()
	if o.hold {
		fmt.Printf("open %s\nauth %s\n%s\n", open.url, auth.url, dsn)
		<-ctx.Done()
		return nil
	}
	if o.leak > 0 {
		return measureLeak(ctx, open, o.leak, o.clients)
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	args := []string{"run", "-suite", suite, "-base", open.url, "-auth", auth.url, "-alias", "unicode=" +
		unicodeSchema + ",multi=v1", "-variant-cmd", self, "-only", o.only}
	if o.verbose {
		args = append(args, "-v")
	}
	if o.jsonOut != "" {
		args = append(args, "-json", o.jsonOut)
	}
	return command(ctx, []string{dsnVariable + "=" + dsn, rsaKeyVariable + "=" + o.rsaKey}, runner, args...)
}

func command(ctx context.Context, env []string, name string, args ...string) error {
	c := exec.CommandContext(ctx, name, args...)
	c.Env = append(os.Environ(), env...)
	c.Stdout, c.Stderr = os.Stdout, os.Stderr
	return c.Run()
}
