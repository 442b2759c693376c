package router

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/bellhop-ai/bellhop/pkg/history"
	"github.com/bellhop-ai/bellhop/pkg/intent"
	"github.com/bellhop-ai/bellhop/pkg/llm"
)

// Intents finds out what a sentence is about. The intents that it knows are named
// after agents; *intent.Model is one.
type Intents interface {
	Match(text string) intent.Result
	Name(intent int) string
}

// Guess is what intents made of a sentence that can be understood without the ones
// before it.
type Guess struct {
	Intent     string // the likeliest one; "" for none
	Own        string // the organisation's own intent that has the sentence as a phrase; "" for none
	Confidence float64
	Usual      float64 // the threshold of intents that have none of their own; 0 where it isn't known
	Reason     intent.Reason
}

// Confidences that routes need.
const (
	// changed is for leaving an agent whose question is open: the sentence might be
	// the answer.
	changed = 0.97
	// other is from where a sentence is too much like another agent's to go on with
	// the last one.
	other = 0.5
)

// followUp is how many words a sentence has at most that only makes sense after the
// one before (S2-20).
const followUp = 4

// matched routes without a model, where the person's own words are clear. It reads
// nothing else of the conversation than who spoke last, which is sealed, so that
// texts of files, tools and answers can't direct it. Without a route there may be a
// guess.
func (r *Router) matched(find func() Intents, c history.Conversation) (Route, bool) {
	if find == nil {
		return Route{}, false
	}
	said, ok := c.Last(llm.User)
	if !ok || said.Foreign || len(said.Files) > 0 {
		return Route{}, false
	}
	last, asked := "", false
	if answer, ok := c.Last(llm.Assistant); ok {
		if answer.State == nil {
			// It is not known who spoke; what was said before may mean anything.
			return Route{}, false
		}
		last, asked = answer.State.Agent, answer.State.Asked
	}
	model := find()
	if model == nil {
		return Route{}, false
	}
	found := model.Match(c.LastUserText())
	agent := model.Name(found.Intent)
	words, how := wordsOf(c.LastUserText()), Matched
	continues := last != "" && goesOn(words)
	var guess *Guess
	if last == "" || !asked && !continues && !pointsBack(words) {
		guess = guessOf(model, c.LastUserText(), found)
	}
	switch {
	case found.Accepted && last == "":
	case found.Accepted && agent == last:
	case found.Accepted && pointsBack(words):
		return Route{Guess: guess}, false // "cancel that" means what the last agent spoke of
	case found.Accepted && (!asked || found.Confidence >= changed):
	case continues && (agent == last || found.Confidence < other):
		agent, how = last, Goes
	default:
		return Route{Guess: guess}, false
	}
	a, ok := r.find(agent)
	return Route{Agent: a.Name, Label: a.Label, How: how, Confidence: found.Confidence, Guess: guess,
		Reasoning: fmt.Sprintf("matched without a model (%s, %.2f)", found.Reason, found.Confidence)}, ok
}

// GuessOf returns what a model of intents made of a text.
func GuessOf(model Intents, text string, found intent.Result) *Guess {
	return guessOf(model, text, found)
}

func guessOf(model Intents, text string, found intent.Result) *Guess {
	g := &Guess{Intent: model.Name(found.Intent), Confidence: found.Confidence, Reason: found.Reason}
	if m, ok := model.(interface{ Usual() float64 }); ok {
		g.Usual = m.Usual()
	}
	if m, ok := model.(interface{ Own(text string) string }); ok && found.Reason == intent.Exact {
		g.Own = m.Own(text)
	}
	return g
}

func wordsOf(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) && r != '\''
	})
}

// PointsBack reports whether a sentence names what it is about by a word that stands
// for something said before: "it", "uska".
func PointsBack(text string) bool { return pointsBack(wordsOf(text)) }

// pointsBack reports whether a sentence names what it is about by a word that stands
// for something said before.
func pointsBack(words []string) bool {
	for i, w := range words {
		if i+1 < len(words) && ofTime(words[i+1]) {
			continue // "this month" names a time
		}
		if points(w) {
			return true
		}
	}
	return false
}

// ofTime reports whether a word names a length of time.
func ofTime(w string) bool {
	switch w {
	case "day", "week", "weekend", "month", "quarter", "year", "season", "fy", "financial", "fiscal", "morning",
		"evening", "time", "mahine", "mahina", "hafte", "hafta", "saal", "timahi", "din",
		"महीने", "हफ़्ते", "हफ्ते", "साल", "तिमाही", "दिन":
		return true
	}
	return false
}

// points reports whether a word stands for something said before.
func points(w string) bool {
	switch w {
	case "it", "that", "this", "them", "those", "these", "one", "ones", "same", "him", "her", "his", "their",
		"there", "ise", "isko", "iska", "iski", "use", "usko", "uska", "uski", "inko", "unko", "wo", "woh", "ye",
		"yeh", "wahi",
		"इसे", "इसको", "इसका", "इसकी", "उसे", "उसको", "उसका", "उसकी", "वो", "वह", "ये", "यह", "वही":
		return true
	}
	return false
}

// goesOn reports whether a sentence is short and begins as one that continues the
// one before: "and for Deodar?", "more", "aur dikhao".
func goesOn(words []string) bool {
	if len(words) == 0 || len(words) > followUp {
		return false
	}
	switch words[0] {
	case "and", "or", "only", "just", "without", "more", "next", "same", "else", "aur", "sirf", "bas", "agla", "agle",
		"और", "सिर्फ", "बस", "अगला":
		return true
	case "what", "how":
		return len(words) > 2 && words[1] == "about"
	}
	return false
}
