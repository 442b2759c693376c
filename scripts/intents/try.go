package main

import (
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/bellhop-ai/bellhop/pkg/assistants/phrases"
	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/finance/language"
	"github.com/bellhop-ai/bellhop/pkg/finance/resolution"
	"github.com/bellhop-ai/bellhop/pkg/intent"
)

// try prints what an assistant's model makes of a sentence: all scores, and what would
// be done with it as the first one of a conversation.
func try(out io.Writer, assistant, sentence string, today calendar.Date) error {
	m, err := phrases.Model(assistant)
	if err != nil {
		return err
	}
	if m == nil {
		return fmt.Errorf("the assistant %q has no phrases; there are %v", assistant, phrases.Assistants())
	}
	r := m.Match(sentence)
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "compared as\t%s\n", intent.Comparable(sentence))
	for _, e := range intent.Entities(sentence, today) {
		fmt.Fprintf(w, "%s\t%s\n", e.Kind, e.Text)
	}
	for _, c := range r.Best {
		if c.Intent >= 0 {
			fmt.Fprintf(w, "%s\t%.3f of all intents\n", m.Name(c.Intent), c.Share)
		}
	}
	if r.LiteralIntent >= 0 {
		fmt.Fprintf(w, "text alone (S2-17)\t%.2f for %s\n", r.Literal, m.Name(r.LiteralIntent))
	}
	if r.Neighbour.Intent >= 0 {
		fmt.Fprintf(w, "nearest phrase\t%.2f, of %s\n", r.Neighbour.Share, m.Name(r.Neighbour.Intent))
	}
	fmt.Fprintf(w, "confidence\t%.3f, accepted from %.3f\n", r.Confidence, m.Threshold())
	verdict := "a model is asked"
	if r.Accepted {
		verdict = "it goes to " + m.Name(r.Intent) + " without a model"
	}
	fmt.Fprintf(w, "so\t%s (%s)\n", verdict, r.Reason)
	if assistant == "finance" && r.Accepted {
		if err := planned(w, m.Name(r.Intent), sentence, today); err != nil {
			return err
		}
	}
	return w.Flush()
}

// planned prints the first calls of the flow of an intent.
func planned(w io.Writer, name, sentence string, today calendar.Date) error {
	flows, err := resolution.Load()
	if err != nil {
		return err
	}
	plan, ok := flows.Plan(name, resolution.Context{Text: sentence, Today: today, Language: language.Of(sentence)})
	if !ok {
		fmt.Fprintf(w, "flow\tnone: a model proposes what to do\n")
		return nil
	}
	calls, _, missing := plan.Next(nil)
	for _, c := range calls {
		fmt.Fprintf(w, "first call\t%s\n", c)
	}
	if missing != nil {
		fmt.Fprintf(w, "question\t%s\n", missing.Question)
	}
	return nil
}
