package intents

import (
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/bellhop-ai/bellhop/pkg/intent"
)

// Basis says what decided on a sentence.
type Basis string

// The bases.
const (
	ByPhrase Basis = "phrase" // it is a phrase
	Above    Basis = "above"  // its confidence is the default threshold's or more
	Below    Basis = "below"  // it is less
)

// How says which way a turn took that the matcher looked at.
type How string

// The ways.
const (
	Matched  How = "matched"  // the matcher chose the agent
	Model    How = "model"    // a model chose it
	Greeting How = "greeting" // a model answered by itself
)

// Observation is what a turn showed of a sentence.
type Observation struct {
	Assistant string
	Thread    string
	Question  string // what was said, as feedback keeps it
	Text      string // likewise, whole
	How       How
	Agent     string // that answered; "" for none
	Intent    string // that the matcher held likeliest; "" for none
	// Confidence is the matcher's, from 0 to 1.
	Confidence float64
	Basis      Basis
	Success    bool // the turn came to a regular end
	// Checked says that the router's model was asked about a Matched turn as well, and
	// Choice is the agent that it chose; "" for an answer of its own.
	Checked  bool
	Choice   string
	Retried  bool // the answer was asked for again: it teaches nothing
	Tools    []string
	Strategy string
	Took     time.Duration
}

// maxTools bounds the names of tools that are kept of a turn.
const maxTools = 20

// Kept is an observation as it is stored: the form and the text of a sentence that
// may become a phrase, "" for any other, and its bucket.
type Kept struct {
	Observation
	Form, Query string
	Bucket      float64
}

// Keep returns the observation as it is stored.
func (o Observation) Keep() Kept {
	k := Kept{Observation: o, Bucket: Bucket(o.Confidence)}
	if form, ok := Form(o.Text); ok {
		k.Form, k.Query = form, strings.Join(strings.Fields(o.Text), " ")
	}
	if k.Basis == "" {
		k.Basis = Below
	}
	k.Tools = slices.Clone(o.Tools[:min(len(o.Tools), maxTools)])
	return k
}

// BasisOf returns what decided on a result, given the default threshold.
func BasisOf(reason intent.Reason, confidence, usual float64) Basis {
	switch {
	case reason == intent.Exact:
		return ByPhrase
	case confidence >= usual:
		return Above
	}
	return Below
}

func hasLetter(s string) bool { return strings.ContainsFunc(s, unicode.IsLetter) }
