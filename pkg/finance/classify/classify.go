// Package classify decides without a model what a message to the finance assistant
// is about: small talk or the books, which tools it may need, and whether it wants
// the capable model. It reads words only, by the list in keywords.txt, never parts of
// words: there is no "haan" in "kahaan" and no "hi" in "history".
package classify

import (
	"slices"
	"strings"
	"unicode"

	"github.com/bellhop-ai/bellhop/pkg/llm"
)

// Kind is what a message is about.
type Kind string

// The kinds of S2-15.
const (
	GeneralChat Kind = "general_chat" // greetings, thanks, yes and no: no tools are needed
	Unified     Kind = "unified"      // the books of the company
)

// Category is what a message is about, with the words that say so.
type Category struct {
	Kind     Kind
	Keywords []Keyword // of the books, in the order in which they stand; nil for small talk
}

// shortWords is below how many words a message may only make sense after the ones
// before it (S2-20).
const shortWords = 5

// Of returns what a message is about (S2-15, S2-16). earlier says that the conversation
// has earlier turns: a short message, "yes" or "no" then belongs to them. A message with
// a keyword, a number or an e-mail address is about the books; another one is small talk
// when it is nothing but a greeting, thanks, a farewell or a question about the
// assistant, or when it is short and nothing was said before.
func Of(text string, earlier bool) Category {
	words := fold(text)
	talk := smallTalk(words)
	if talk == meta || talk == courtesy {
		return Category{Kind: GeneralChat}
	}
	found, _ := keywords().find(words)
	switch {
	case len(found) > 0:
		return Category{Unified, found}
	case talk == answer:
		return Category{Kind: kindOf(earlier)}
	case strings.ContainsFunc(text, unicode.IsDigit) || strings.ContainsRune(text, '@'):
		return Category{Kind: Unified}
	case len(words) < shortWords:
		return Category{Kind: kindOf(earlier && len(words) > 0)}
	}
	return Category{Kind: Unified}
}

func kindOf(books bool) Kind {
	if books {
		return Unified
	}
	return GeneralChat
}

// analytical and others are the indicators of S2-4, in folded words.
var (
	analytical = newPhrases(`analyze, analyse, analysis, analyzing, compare, compared, comparison, comparing,
		trend, trending, forecast, forecasted, forecasting, predict, prediction, predicted,
		anomaly, anomalies, variance, vishleshan, tulna, purvanuman, विश्लेषण, तुलना,
		पूर्वानुमान`)
	complexity = newPhrases(`and then, step by step, detailed, comprehensive, deep dive, year over year, year on
		year, yoy, month over month, month on month, mom, quarter, quarterly, qoq, benchmark,
		benchmarking, uske baad, vistar se, विस्तार से, तिमाही`)
)

// longWords is from how many words a message with an analytical word is complex (S2-3).
const longWords = 30

// Tier returns the tier of the model that a message wants (S2-3, S2-4): the capable one
// for two different indicators of complexity, or one analytical word in at least 30
// words.
func Tier(text string) llm.Tier {
	words := fold(text)
	analysis := analytical().in(words)
	if len(analysis) > 0 && len(words) >= longWords || len(analysis)+len(complexity().in(words)) >= 2 {
		return llm.Capable
	}
	return llm.Cheap
}

func isWordRune(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsDigit(r) || r == '\'' || r == '&' || r == '-'
}

// has reports whether words begin with phrase.
func has(words, phrase []string) bool {
	return len(phrase) <= len(words) && slices.Equal(words[:len(phrase)], phrase)
}
