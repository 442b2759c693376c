// Command eval asks a model to route what people say and counts how often it
// chooses the right specialist.
//
//	go run ./scripts/eval [assistant ...]
//
// Without arguments it evaluates every assistant that ships, has a router and
// has sentences. These are in pkg/assistants/NAME/testdata/routing, one file for
// each agent: an assistant that is added is evaluated as soon as it has the
// folder. With OPENAI_API_KEY or OPENAI_BASE_URL the model named by
// OPENAI_MODEL is asked, which costs about one short call for each utterance;
// without them the built-in stand-in, which is taught with the sentences of
// pkg/assistants/examples, so its figures say nothing of any other model.
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

	"github.com/bellhop-ai/bellhop/infra/local/model"
	"github.com/bellhop-ai/bellhop/pkg/assistants/examples"
	"github.com/bellhop-ai/bellhop/pkg/flow/routed"
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

// utterance is a sentence and the agent that should answer.
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
	root := flags.String("root", "pkg/assistants",
		"folder with NAME/testdata/routing of each assistant, which has one file of utterances for each agent")
	only := flags.String("only", "", "the one agent whose utterances are tried")
	parallel := flags.Int("parallel", 4, "calls at a time")
	verbose := flags.Bool("v", false, "print each utterance that went elsewhere")
	if err := flags.Parse(args); err != nil {
		return err
	}
	subjects, err := evaluated(ctx, *root, *only, flags.Args())
	if err != nil {
		return err
	}
	m, name, done, err := choose(getenv)
	if err != nil {
		return err
	}
	defer done()
	for _, s := range subjects {
		verdicts, err := s.route(ctx, m, max(1, *parallel))
		if err != nil {
			return fmt.Errorf("%s: %w", s.profile.Name, err)
		}
		fmt.Fprintf(out, "%s: %d utterances, %s\n\n", s.profile.Name, len(s.said), name)
		if err := report(out, verdicts, *verbose); err != nil {
			return err
		}
	}
	return nil
}

// read loads the utterances of each agent; without any there are none.
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
	return said, nil
}

// choose returns the model that the environment names, or the stand-in.
func choose(getenv func(string) string) (m llm.Model, name string, done func(), err error) {
	cfg := openai.Config{BaseURL: getenv("OPENAI_BASE_URL"), APIKey: identity.Secret(getenv("OPENAI_API_KEY")),
		Profile: getenv("OPENAI_PROFILE"), Model: cmp.Or(getenv("OPENAI_MODEL"), "gpt-4o-mini")}
	done = func() {}
	name = "model " + cfg.Model
	if cfg.BaseURL == "" && cfg.APIKey == "" {
		domains, err := model.ReadDomains(examples.Files)
		if err != nil {
			return nil, "", done, err
		}
		server := httptest.NewServer(model.New(model.Config{Now: time.Now, Domains: domains}))
		cfg = openai.Config{BaseURL: server.URL + "/v1", APIKey: "local", Profile: "openai", Model: cfg.Model}
		done, name = server.Close, "the built-in stand-in (set OPENAI_API_KEY for a real model)"
	}
	m, err = openai.New(cfg)
	return m, name, done, err
}

func ask(ctx context.Context, who routed.Router, m llm.Model, facts any, u utterance) (verdict, error) {
	start := time.Now()
	conv := history.Conversation{Entries: []history.Entry{{Role: llm.User, Text: u.text}}}
	r, err := who.Route(ctx, m, facts, conv)
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
	_, err := fmt.Fprintf(out, "\n%d tokens read for each, median %s\n", tokens/len(verdicts),
		times[len(times)/2].Round(time.Microsecond))
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
