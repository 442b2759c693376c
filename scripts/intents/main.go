// Command intents measures the intent matcher by cross-validation, beside the
// literal scores of S2-17 and a plain nearest neighbour.
//
//	go run ./scripts/intents -data FOLDER [-diagram FILE.svg] [-curve]
//
// FOLDER holds clinc150_train_val.json (CLINC150, clinc/oos-eval) and
// hinglish_top_train.tsv (Hinglish-TOP); one of them is enough. Phrases that
// stand together in a file are left out together, since one author wrote them.
// -diagram writes how often answers of each confidence were right.
//
//	go run ./scripts/intents -try "Which cabins are blocked?" [-assistant finance]
//
// prints what the phrases of an assistant make of one sentence, hospitality's unless
// another one is named, and of finance the calls that would answer it.
//
//	go run ./scripts/intents -replay pkg/assistants/hospitality/testdata [-turns 10000] [-sample 50] [-seed 1]
//
// lets a simulated organisation say the sentences of a folder, whose people say others
// from the middle on, with an attacker among them, and prints what it learns.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"text/tabwriter"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/intent"
)

func main() {
	err := run(os.Args[1:], os.Stdout)
	if errors.Is(err, flag.ErrHelp) {
		return
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "intents:", err)
		os.Exit(1)
	}
}

func run(args []string, out io.Writer) error {
	flags := flag.NewFlagSet("intents", flag.ContinueOnError)
	data := flags.String("data", "", "the folder with the data sets")
	diagram := flags.String("diagram", "", "the SVG file to which the reliability diagram is written")
	curves := flags.Bool("curve", false, "print answers, precision and others accepted for several thresholds")
	folds := flags.Int("folds", 5, "how many parts are left out in turn")
	sentence := flags.String("try", "", "a sentence to match with an assistant's phrases")
	assistant := flags.String("assistant", hotel, "the assistant whose phrases are tried")
	replayed := flags.String("replay", "", "the folder with sentences that a simulated organisation says")
	turns := flags.Int("turns", 10_000, "how many turns are simulated")
	sample := flags.Int("sample", 0, "one of so many simulated turns that are matched is checked; 0 is none")
	seed := flags.Uint64("seed", 1, "the seed of the simulation")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if *replayed != "" {
		return printReplay(out, *replayed, *turns, *sample, *seed)
	}
	if *sentence != "" {
		return try(out, *assistant, *sentence, calendar.Of(time.Now()))
	}
	if *data == "" || *folds < 2 {
		return errors.New("-data names the folder with the data sets, and there are at least two folds")
	}
	sets, err := load(*data)
	if err != nil {
		return err
	}
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "data\tmatcher\tanswered\tprecision\tothers accepted")
	var all []answer
	for _, set := range sets {
		began := time.Now()
		found, err := validate(set, *folds)
		if err != nil {
			return err
		}
		for _, m := range []string{literal, neighbour, learnt} {
			t := tally(found[m])
			fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\n", set.name, m, share(t.answered, t.inside),
				share(t.right, t.answered), share(t.accepted, t.outside))
		}
		all = append(all, found[learnt]...)
		fmt.Fprintf(w, "%s\t%d sentences of %d intents, %d others, %d folds in %v\n", set.name, len(set.inside),
			set.intents(), len(set.outside), *folds, time.Since(began).Round(time.Second))
		if *curves {
			curve(w, set.name, found[learnt])
		}
	}
	if err := w.Flush(); err != nil {
		return err
	}
	if *diagram == "" {
		return nil
	}
	svg, err := reliability(all)
	if err != nil {
		return err
	}
	return os.WriteFile(*diagram, []byte(svg), 0o644)
}

// goal is what all matchers are set to.
func goal() intent.Goal { return intent.DefaultGoal() }
