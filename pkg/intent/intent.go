// Package intent finds out, without a model, which of a set of intents a sentence
// expresses, and whether it is sure enough for a program to act on it.
//
// A sentence is put into comparable form: invisible and lookalike characters
// are resolved, Devanagari is written in Latin letters, and numbers, dates,
// amounts and codes are replaced by their kind. Then three scorers vote: a
// linear model over words, pairs of words and their meanings, a second one over
// letters and sounds, and the nearest phrases. A calibrated rejector turns their
// agreement into a confidence, which is the share of such answers that were
// right in cross-validation; sentences below the threshold are rejected.
//
// A Model is immutable and safe for concurrent use. Train makes one in seconds,
// Model.Add teaches it one more phrase in milliseconds, and Encode and Decode
// turn it into an artefact and back.
package intent

import (
	"fmt"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/plaintext"
)

// Intent is what a person may want, with phrases that express it.
type Intent struct {
	Name    string // unique in its set, such as "list_extras"
	Phrases []string
}

// Set is what a model learns. The order of phrases matters a little: phrases
// that stand together should be by the same author, since cross-validation
// leaves out neighbours together.
type Set struct {
	Intents []Intent
	// Others are sentences that express none of the intents; may be empty. A few
	// hundred sentences of general knowledge are added to them.
	Others []string
}

// Bounds of a set.
const (
	MaxIntents = 500
	MaxPhrases = 40_000
	MaxPhrase  = 300 // bytes
	maxName    = 64
)

// Check returns a fault.Invalid error with a sentence for people when the set
// can't be learnt: an intent without phrases, a phrase without a word, or the
// same phrase, in whatever spelling of case and punctuation, in two intents.
func (s Set) Check() error {
	if len(s.Intents) < 2 {
		return fault.New(fault.Invalid, "At least two intents are needed.")
	}
	if len(s.Intents) > MaxIntents {
		return fault.New(fault.Invalid, "There are %d intents; at most %d are possible.", len(s.Intents), MaxIntents)
	}
	names, owner := map[string]bool{}, map[uint64]string{}
	var sen sentence
	total := 0
	for _, in := range s.Intents {
		if err := checkName(in.Name); err != nil {
			return err
		}
		if names[in.Name] {
			return fault.New(fault.Invalid, "Two intents are called %q.", in.Name)
		}
		names[in.Name] = true
		if len(in.Phrases) == 0 {
			return fault.New(fault.Invalid, "The intent %q has no phrases.", in.Name)
		}
		for _, p := range in.Phrases {
			if err := checkPhrase(p, in.Name); err != nil {
				return err
			}
			sen.fold(p)
			if len(sen.tokens) == 0 {
				return fault.New(fault.Invalid, "The intent %q has a phrase without a word: %q.", in.Name, p)
			}
			h := sen.hash(0, len(sen.tokens))
			if other, ok := owner[h]; ok && other != in.Name {
				return fault.New(fault.Invalid, "The phrase %q stands in two intents, %q and %q. "+
					"Keep it in one of them.", p, other, in.Name)
			}
			owner[h] = in.Name
		}
		total += len(in.Phrases)
	}
	if total > MaxPhrases {
		return fault.New(fault.Invalid, "There are %d phrases; at most %d are possible.", total, MaxPhrases)
	}
	return nil
}

func checkName(name string) error {
	if strings.TrimSpace(name) == "" {
		return fault.New(fault.Invalid, "An intent needs a name.")
	}
	if flaw := plaintext.Flaw(name); flaw != "" {
		return fault.New(fault.Invalid, "The name of an intent %s.", flaw)
	}
	if len(name) > maxName {
		return fault.New(fault.Invalid, "The name of an intent has at most %d letters.", maxName)
	}
	return nil
}

func checkPhrase(phrase, intent string) error {
	if len(phrase) > MaxPhrase {
		return fault.New(fault.Invalid, "A phrase of the intent %q is longer than %d letters.", intent, MaxPhrase)
	}
	return nil
}

// Reason says why a result was accepted or rejected.
type Reason string

// The reasons.
const (
	Exact     Reason = "exact"     // the sentence is one of the phrases
	Sure      Reason = "sure"      // the confidence is at or above the threshold
	Unsure    Reason = "unsure"    // it is below
	Ambiguous Reason = "ambiguous" // two intents are about as likely
	Empty     Reason = "empty"     // there is no word in it
	TooLong   Reason = "too_long"  // that is more than one intent needs
	Learnt    Reason = "learnt"    // the confidence is at or above an organisation's lower threshold
	Suspended Reason = "suspended" // an organisation's turns showed that such confidences are too often wrong
)

// Candidate is an intent and how likely it is.
type Candidate struct {
	Intent int     // index in the model's Intents
	Share  float64 // of all intents, as the scorers see it, 0 to 1
}

// Result is what a model makes of a sentence.
type Result struct {
	// Intent is the index of the likeliest intent in the model's Intents; -1 when
	// the sentence says nothing.
	Intent   int
	Accepted bool
	Reason   Reason
	// Confidence is the share of answers like this one that were right in
	// cross-validation, 0 to 1.
	Confidence float64
	// Literal is the score of comparing texts alone, as S2-17 defines it: 0.95 for
	// a phrase, 0.70 to 0.95 for a part of one, 0.60 for the name.
	Literal       float64
	LiteralIntent int // the intent with that score; -1 for none
	// Nearest is the cosine similarity of the likeliest intent's nearest phrase,
	// and Votes its share among the ten nearest phrases.
	Nearest, Votes float64
	// Neighbour is the intent of the one nearest phrase, with its cosine similarity
	// as the share; Intent -1 where none has a word of the sentence.
	Neighbour Candidate
	// Best are the likeliest intents, the likeliest first; unused places have
	// Intent -1.
	Best [3]Candidate
}

// String is for logs and tests.
func (r Result) String() string {
	return fmt.Sprintf("intent %d, accepted %v (%s), confidence %.3f, literal %.2f", r.Intent, r.Accepted, r.Reason,
		r.Confidence, r.Literal)
}

// Comparable returns the form in which a sentence is compared with phrases: two
// sentences of one form are the same to a model. "" for one without a word.
func Comparable(text string) string {
	var s sentence
	s.fold(text)
	var out []string
	for _, t := range s.tokens {
		out = append(out, s.wordOf(t))
	}
	return strings.Join(out, " ")
}
