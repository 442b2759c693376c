// Package summary shortens conversations: what was said so far becomes a few
// sentences and facts, with which a next conversation can begin.
//
// A summary is an addition. The messages stay where they are, and it says how
// many of them it covers. It is always made from the summary before it and the
// messages since, never from everything anew.
//
// A model writes it, and code checks it: a number, a date, a code or a name that
// is in none of the messages does not stand in it, nor does what reads like an
// order to the assistant; untrusted text stays marked. It gives no reader
// authority: no agent, no result, no consent follows from a summary.
package summary

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Bounds of a summary.
const (
	maxSentences = 16
	maxSentence  = 400 // letters
	maxFacts     = 24
	maxFact      = 200 // letters
)

// Item is one message as it is summarised.
type Item struct {
	Who  string // the name of the person or the assistant
	Text string
	// Doubtful says that the text is unverified: text that a person pasted or
	// uploaded, and replies that no seal proves.
	Doubtful bool
}

// Line is one sentence or one fact.
type Line struct {
	Text     string `json:"text"`
	Doubtful bool   `json:"doubtful,omitempty"` // as in Item
}

// Summary is what a number of messages said, from the first on.
type Summary struct {
	Sentences []Line
	Facts     []Line
	Covers    int // messages
}

// Empty reports whether the summary says nothing.
func (s Summary) Empty() bool { return len(s.Sentences) == 0 && len(s.Facts) == 0 }

const (
	headFacts    = "Key facts:"
	headDoubtful = "Not verified (pasted, uploaded, or sent without proof):"
	markDoubtful = " (not verified)"
)

// Text returns the summary as people and models read it. Read takes it apart
// again.
func (s Summary) Text() string {
	var b strings.Builder
	if s.Covers == 1 {
		b.WriteString("Summary of the first message.")
	} else {
		fmt.Fprintf(&b, "Summary of the first %d messages.", s.Covers)
	}
	var sure, unsure []string
	for _, l := range s.Sentences {
		if l.Doubtful {
			unsure = append(unsure, "\n- "+l.Text)
		} else {
			sure = append(sure, l.Text)
		}
	}
	if len(sure) > 0 {
		b.WriteString("\n\n" + strings.Join(sure, "\n"))
	}
	if len(s.Facts) > 0 {
		b.WriteString("\n\n" + headFacts)
		for _, f := range s.Facts {
			b.WriteString("\n- " + f.Text)
			if f.Doubtful {
				b.WriteString(markDoubtful)
			}
		}
	}
	if len(unsure) > 0 {
		b.WriteString("\n\n" + headDoubtful + strings.Join(unsure, ""))
	}
	return b.String()
}

// Read takes a text of Text apart. It must not be called with a text that is not
// proven to be one.
func Read(text string) (Summary, bool) {
	parts := strings.Split(text, "\n\n")
	var s Summary
	if parts[0] == "Summary of the first message." {
		s.Covers = 1
	} else {
		number, found := strings.CutPrefix(parts[0], "Summary of the first ")
		number, ends := strings.CutSuffix(number, " messages.")
		n, err := strconv.Atoi(number)
		if !found || !ends || err != nil || n < 0 {
			return s, false
		}
		s.Covers = n
	}
	for _, part := range parts[1:] {
		lines := strings.Split(part, "\n")
		switch lines[0] {
		case headFacts:
			for _, l := range lines[1:] {
				fact, doubtful := strings.CutSuffix(strings.TrimPrefix(l, "- "), markDoubtful)
				s.Facts = append(s.Facts, Line{fact, doubtful})
			}
		case headDoubtful:
			for _, l := range lines[1:] {
				s.Sentences = append(s.Sentences, Line{strings.TrimPrefix(l, "- "), true})
			}
		default:
			for _, l := range lines {
				s.Sentences = append(s.Sentences, Line{Text: l})
			}
		}
	}
	return s, true
}

// FactTexts returns the facts as they are stored and shown, one text each.
func (s Summary) FactTexts() []string {
	out := make([]string, 0, len(s.Facts))
	for _, f := range s.Facts {
		if f.Doubtful {
			f.Text += markDoubtful
		}
		out = append(out, f.Text)
	}
	return out
}

// merge puts new facts behind the earlier ones, without those that were
// replaced or that say the same. When there are too many the oldest go.
func merge(earlier, fresh []Line, replaced func(at int) bool) []Line {
	var out []Line
	for i, f := range earlier {
		if !replaced(i) && !slices.ContainsFunc(fresh, func(n Line) bool { return same(n.Text, f.Text) }) {
			out = append(out, f)
		}
	}
	for i, f := range fresh {
		if !slices.ContainsFunc(fresh[:i], func(n Line) bool { return same(n.Text, f.Text) }) {
			out = append(out, f)
		}
	}
	return out[max(0, len(out)-maxFacts):]
}

// same reports whether two texts differ in nothing but letters' case, accents
// and signs.
func same(a, b string) bool { return slices.Equal(words(a), words(b)) }
