package feedback

import (
	"slices"
	"strings"
	"unicode"
)

// Signal is what a person shows of an answer by what they do next.
type Signal string

// The signals. None of them is certain; so each weighs less than a rating.
const (
	NoSignal Signal = ""
	Rephrase Signal = "rephrase"  // the same is asked once more: −1
	FollowUp Signal = "follow_up" // a few words that build on the answer: +1
	Action   Signal = "action"    // something is done with what was read: +2
)

// Weight returns what the signal counts.
func (s Signal) Weight() int {
	switch s {
	case Rephrase:
		return -1
	case FollowUp:
		return 1
	case Action:
		return 2
	}
	return 0
}

// Turn is what a person asked and what came of it.
type Turn struct {
	Question string
	Read     bool // something was looked up
	Wrote    bool // something was changed
	Asked    bool // the answer asks for consent
	// Known says that the answer is proven to be the assistant's.
	Known bool
}

// The bounds of the source: more than 60 % of the keywords, fewer than five words.
const (
	samePercent = 60
	shortWords  = 4
)

// Signals returns what the turn now shows of an earlier one, and which: its
// place in earlier, oldest first. It is the last one, save that an action is
// about the answer on which it was decided, behind the questions of consent in
// between. Without a signal the place is -1. One turn shows one thing at most:
// an act is never taken for a repetition.
func Signals(earlier []Turn, now Turn) (about int, s Signal) {
	if now.Wrote {
		about = len(earlier) - 1
		for about >= 0 && earlier[about].Known && earlier[about].Asked {
			about--
		}
		if about >= 0 && earlier[about].Known && earlier[about].Read && !earlier[about].Wrote {
			return about, Action
		}
		return -1, NoSignal
	}
	about = len(earlier) - 1
	// While consent is asked for, what is said is about the question.
	if about < 0 || !earlier[about].Known || earlier[about].Asked || now.Asked {
		return -1, NoSignal
	}
	before, after := keywords(earlier[about].Question), keywords(now.Question)
	switch {
	case repeats(before, after):
		return about, Rephrase
	case builds(now.Question, before, after):
		return about, FollowUp
	}
	return -1, NoSignal
}

// repeats reports whether two questions share more than 60 % of the keywords of
// the one that has more. Other figures make another question: a list of the
// 12th is not one of the 13th.
func repeats(before, after []string) bool {
	shared, figures := 0, 0
	for _, w := range after {
		if slices.Contains(before, w) {
			shared++
		} else if isFigure(w) {
			figures++
		}
	}
	for _, w := range before {
		if figures > 0 && isFigure(w) && !slices.Contains(after, w) {
			return false
		}
	}
	return shared > 0 && shared*100 > samePercent*max(len(before), len(after))
}

// builds reports whether a short question leans on what was said: it points back
// ("that one", "uska"), goes on ("and", "aur"), or takes a keyword up. Assent,
// thanks and complaints are no questions.
func builds(question string, before, after []string) bool {
	all := words(question)
	if len(all) == 0 || len(all) > shortWords || slices.ContainsFunc(all, isVerdict) {
		return false
	}
	return slices.ContainsFunc(all, isPointer) ||
		slices.ContainsFunc(after, func(w string) bool { return slices.Contains(before, w) })
}

// keywords returns the words of a text that say what it is about, each once.
func keywords(text string) []string {
	var list []string
	for _, w := range words(text) {
		if isStop(w) || isPointer(w) || isVerdict(w) {
			continue
		}
		if w = stem(w); !slices.Contains(list, w) {
			list = append(list, w)
		}
	}
	return list
}

// maxWords limits the work for a text that was pasted.
const maxWords = 200

// words returns the words of a text in small letters. Signs of Devanagari that
// stand on a letter are a part of it.
func words(text string) []string {
	text = text[:min(len(text), maxWords*20)]
	list := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r)
	})
	return list[:min(len(list), maxWords)]
}

// stem takes the plural off: rooms and room are one keyword.
func stem(w string) string {
	switch {
	case strings.HasSuffix(w, "ies") && len(w) > 4:
		return w[:len(w)-3] + "y"
	case strings.HasSuffix(w, "s") && !strings.HasSuffix(w, "ss") && len(w) > 3:
		return w[:len(w)-1]
	}
	return w
}

func isFigure(w string) bool { return strings.IndexFunc(w, unicode.IsDigit) >= 0 }
