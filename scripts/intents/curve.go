package main

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
)

// thresholds are the confidences at which a curve is read.
func thresholds() []float64 {
	return []float64{0.5, 0.7, 0.8, 0.9, 0.95, 0.97, 0.98, 0.99, 0.995}
}

// curve prints, for several thresholds, the share of sentences that are answered, the
// precision of these answers, and which share of each group of others is accepted. A
// threshold of the table is chosen within training sets; here each is tried.
func curve(w io.Writer, name string, answers []answer) {
	groups := map[string]bool{}
	for _, a := range answers {
		if !a.inside {
			groups[a.group] = true
		}
	}
	names := slices.Sorted(maps.Keys(groups))
	fmt.Fprintf(w, "%s\tfrom\tanswered\tprecision\tothers accepted %s\n", name, strings.Join(names, "\t"))
	for _, least := range thresholds() {
		all := map[string]counts{}
		for _, a := range answers {
			c := all[a.group]
			a.accepted = a.confidence >= least
			c.add(a)
			all[a.group] = c
		}
		inside := all[""]
		fmt.Fprintf(w, "\t%.3f\t%s\t%s", least, share(inside.answered, inside.inside),
			share(inside.right, inside.answered))
		for _, group := range names {
			fmt.Fprintf(w, "\t%s", share(all[group].accepted, all[group].outside))
		}
		fmt.Fprintln(w)
	}
}
