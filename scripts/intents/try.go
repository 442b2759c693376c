package main

import (
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/bellhop-ai/bellhop/pkg/assistants/phrases"
	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/intent"
)

// try prints what hospitality's model makes of a sentence: all scores, and what the
// router would do with it as the first one of a conversation.
func try(out io.Writer, sentence string, today calendar.Date) error {
	m, err := phrases.Model("hospitality")
	if err != nil {
		return err
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
	verdict := "the router's model is asked"
	if r.Accepted {
		verdict = "it goes to " + m.Name(r.Intent) + " without a model"
	}
	fmt.Fprintf(w, "so\t%s (%s)\n", verdict, r.Reason)
	return w.Flush()
}
