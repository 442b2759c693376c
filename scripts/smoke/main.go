// Command smoke asks a Supabase project whether it answers as Bellhop relies
// on. It prints one line for each check and ends with status 1 when one failed.
//
//	SUPABASE_URL=https://abc.supabase.co SUPABASE_PUBLISHABLE_KEY=sb_publishable_… \
//	SMOKE_EMAIL=manager@hotel.example SMOKE_PASSWORD=… go run ./scripts/smoke [-write]
//
// With PROOF_KEYS as the functions have them it also tries what the project keeps
// for functions alone. It only reads, unless -write or SMOKE_WRITE=true asks for the writing checks:
// those make extras under a random name and remove them again. Signing in makes
// a session, which ends with the run. It sends some 1,300 small requests, one
// after the other.
package main

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strconv"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/scripts/smoke/checks"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	failed, err := run(ctx, os.Args[1:], os.Getenv, os.Stdout)
	if err != nil {
		fmt.Fprintln(os.Stderr, "smoke:", err)
	}
	if failed > 0 || err != nil {
		stop()
		os.Exit(1)
	}
}

// run prints the report and returns how many checks failed.
func run(ctx context.Context, args []string, env func(string) string, out io.Writer) (failed int, err error) {
	asked := false
	if text := env("SMOKE_WRITE"); text != "" {
		if asked, err = strconv.ParseBool(text); err != nil {
			return 0, fmt.Errorf("SMOKE_WRITE is true or false, not %q", text)
		}
	}
	flags := flag.NewFlagSet("smoke", flag.ContinueOnError)
	flags.SetOutput(out)
	write := flags.Bool("write", asked, "run the writing checks as well")
	if err := flags.Parse(args); err != nil {
		return 0, err
	}
	if missing := missing(env); len(missing) > 0 {
		return 0, fmt.Errorf("the environment lacks %s", strings.Join(missing, ", "))
	}
	target := checks.Target{
		URL:            env("SUPABASE_URL"),
		PublishableKey: identity.Secret(publishableKey(env)),
		Email:          env("SMOKE_EMAIL"),
		Password:       identity.Secret(env("SMOKE_PASSWORD")),
		ProofKeys:      identity.Secret(env("PROOF_KEYS")),
		Write:          *write,
	}
	counts := map[checks.Status]int{}
	err = checks.Run(ctx, target, func(r checks.Result) {
		counts[r.Status]++
		fmt.Fprintf(out, "%-26s %-8s %s\n", r.Check, r.Status, r.Says)
	})
	if err != nil {
		return counts[checks.Failed], err
	}
	fmt.Fprintf(out, "\n%d ok, %d failed, %d skipped\n", counts[checks.OK], counts[checks.Failed],
		counts[checks.Skipped])
	return counts[checks.Failed], nil
}

// missing names what a run cannot do without.
func missing(env func(string) string) []string {
	var names []string
	for _, name := range []string{"SUPABASE_URL", "SMOKE_EMAIL", "SMOKE_PASSWORD"} {
		if env(name) == "" {
			names = append(names, name)
		}
	}
	if publishableKey(env) == "" {
		names = append(names, "SUPABASE_PUBLISHABLE_KEY")
	}
	return names
}

// publishableKey is called by several names, as for the functions.
func publishableKey(env func(string) string) string {
	return cmp.Or(env("SUPABASE_PUBLISHABLE_KEY"), env("SUPABASE_ANON_KEY"), env("VITE_SUPABASE_ANON_KEY"))
}
