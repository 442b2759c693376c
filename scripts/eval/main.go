// Command eval asks a model to route what people say and counts how often it
// chooses the right specialist.
//
//	go run ./scripts/eval
//
// The utterances are in pkg/assistants/hospitality/testdata/routing, one file
// for each agent. With OPENAI_API_KEY or OPENAI_BASE_URL the model named by
// OPENAI_MODEL is asked, which costs about one short call for each utterance;
// without them the built-in stand-in, whose rules are made for these words, so
// its figures say nothing of any other model.
package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http/httptest"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/bellhop-ai/bellhop/infra/local/model"
	"github.com/bellhop-ai/bellhop/pkg/assistants"
	"github.com/bellhop-ai/bellhop/pkg/assistants/hospitality"
	"github.com/bellhop-ai/bellhop/pkg/history"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/llm"
	"github.com/bellhop-ai/bellhop/pkg/openai"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	err := run(ctx, os.Args[1:], os.Getenv, os.Stdout)
	if errors.Is(err, flag.ErrHelp) {
		return
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "eval:", err)
		os.Exit(1)
	}
}

// utterance is what somebody says and who should answer.
type utterance struct{ text, want string }

// verdict is how a model routed an utterance.
type verdict struct {
	utterance
	got  string
	in   int // tokens read
	took time.Duration
}

func run(ctx context.Context, args []string, getenv func(string) string, out io.Writer) error {
	flags := flag.NewFlagSet("eval", flag.ContinueOnError)
	sets := flags.String("sets", "pkg/assistants/hospitality/testdata/routing", "folder with one file of utterances for each agent")
	only := flags.String("only", "", "the one agent whose utterances are tried")
	parallel := flags.Int("parallel", 4, "calls at a time")
	verbose := flags.Bool("v", false, "print each utterance that went elsewhere")
	if err := flags.Parse(args); err != nil {
		return err
	}
	said, err := read(*sets, *only)
	if err != nil {
		return err
	}
	m, name, done, err := choose(getenv)
	if err != nil {
		return err
	}
	defer done()
	verdicts, err := route(ctx, m, cmp.Or(getenv("OPENAI_MODEL"), "gpt-4o-mini"), said, max(1, *parallel))
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "%d utterances, %s\n\n", len(said), name)
	return report(out, verdicts, *verbose)
}

// read loads the utterances of each agent.
func read(folder, only string) ([]utterance, error) {
	files, err := filepath.Glob(filepath.Join(folder, cmp.Or(only, "*")+".txt"))
	if err != nil {
		return nil, err
	}
	var said []utterance
	for _, file := range files {
		raw, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		agent := strings.TrimSuffix(filepath.Base(file), ".txt")
		for line := range strings.Lines(string(raw)) {
			if line = strings.TrimSpace(line); line != "" {
				said = append(said, utterance{line, agent})
			}
		}
	}
	if len(said) == 0 {
		return nil, fmt.Errorf("there are no utterances in %s", folder)
	}
	return said, nil
}

// choose returns the model that the environment names, or the stand-in.
func choose(getenv func(string) string) (m llm.Model, name string, done func(), err error) {
	cfg := openai.Config{BaseURL: getenv("OPENAI_BASE_URL"), APIKey: identity.Secret(getenv("OPENAI_API_KEY")), Profile: getenv("OPENAI_PROFILE")}
	done = func() {}
	name = "model " + cmp.Or(getenv("OPENAI_MODEL"), "gpt-4o-mini")
	if cfg.BaseURL == "" && cfg.APIKey == "" {
		server := httptest.NewServer(model.New(model.Config{Now: time.Now}))
		cfg = openai.Config{BaseURL: server.URL + "/v1", APIKey: "local", Profile: "openai"}
		done, name = server.Close, "the built-in stand-in (set OPENAI_API_KEY for a real model)"
	}
	m, err = openai.New(cfg)
	return m, name, done, err
}

// route asks the assistant's own router, with its own persona, for each of them.
func route(ctx context.Context, m llm.Model, name string, said []utterance, parallel int) ([]verdict, error) {
	a, err := hospitality.New(hospitality.Config{Now: time.Now, Model: name})
	if err != nil {
		return nil, err
	}
	facts, err := a.Facts(identity.Caller{
		OrgName: "Sojourn Cabins", Role: identity.Manager,
		Entity: identity.Entity{Name: "Sojourn Cabins", TimeZone: "Asia/Kolkata", Currency: "INR"},
	}, time.Now())
	if err != nil {
		return nil, err
	}
	verdicts := make([]verdict, len(said))
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(parallel)
	for i, u := range said {
		group.Go(func() error {
			var err error
			verdicts[i], err = ask(ctx, a, m, facts, u)
			return err
		})
	}
	return verdicts, group.Wait()
}

func ask(ctx context.Context, a *assistants.Assistant, m llm.Model, facts any, u utterance) (verdict, error) {
	start := time.Now()
	conv := history.Conversation{Entries: []history.Entry{{Role: llm.User, Text: u.text}}}
	r, err := a.Router.Route(ctx, m, facts, conv)
	if err != nil {
		return verdict{}, fmt.Errorf("%q: %w", u.text, err)
	}
	return verdict{utterance: u, got: cmp.Or(r.Agent, "nobody"), in: r.Usage.In, took: time.Since(start)}, nil
}

// report prints the accuracy of each agent and where the rest went.
func report(out io.Writer, verdicts []verdict, verbose bool) error {
	type score struct {
		right, all int
		elsewhere  map[string]int
	}
	scores := map[string]*score{}
	var agents []string
	total := score{}
	for _, v := range verdicts {
		s := scores[v.want]
		if s == nil {
			s = &score{elsewhere: map[string]int{}}
			scores[v.want], agents = s, append(agents, v.want)
		}
		s.all++
		total.all++
		if v.got == v.want {
			s.right++
			total.right++
		} else {
			s.elsewhere[v.got]++
		}
	}
	slices.Sort(agents)
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "agent\tright\tof\taccuracy\telsewhere")
	for _, name := range agents {
		s := scores[name]
		fmt.Fprintf(table, "%s\t%d\t%d\t%s\t%s\n", name, s.right, s.all, percent(s.right, s.all), counts(s.elsewhere))
	}
	fmt.Fprintf(table, "all\t%d\t%d\t%s\t\n", total.right, total.all, percent(total.right, total.all))
	if err := table.Flush(); err != nil {
		return err
	}
	var tokens int
	times := make([]time.Duration, len(verdicts))
	for i, v := range verdicts {
		tokens += v.in
		times[i] = v.took
	}
	slices.Sort(times)
	_, err := fmt.Fprintf(out, "\n%d tokens read for each, median %s\n", tokens/len(verdicts), times[len(times)/2].Round(time.Microsecond))
	if verbose {
		for _, v := range verdicts {
			if v.got != v.want {
				_, err = fmt.Fprintf(out, "%s → %s: %s\n", v.want, v.got, v.text)
			}
		}
	}
	return err
}

func percent(part, whole int) string { return fmt.Sprintf("%.1f %%", 100*float64(part)/float64(whole)) }

func counts(elsewhere map[string]int) string {
	var parts []string
	for name, n := range elsewhere {
		parts = append(parts, fmt.Sprintf("%s %d", name, n))
	}
	slices.Sort(parts)
	return strings.Join(parts, ", ")
}
