package model

import (
	"regexp"
	"slices"
	"strings"
)

// mention is something that a text names: by a code, by a name, or by words that
// mean nothing else here. An argument takes it, once.
type mention struct {
	text       string
	how        naming
	kind       string // of which kind its words say that it is, "" for none
	start, end int
	isTaken    bool
	isCalled   bool   // "called X"
	by         string // the argument that took it
	isNear     bool   // a word for that argument stands beside it
}

// naming is how a text names a thing.
type naming int

const (
	byCode   naming = iota // K7QMPX, SEL-ABC123, WELCOME10
	byCaps                 // COCO
	byName                 // Tree House, "quoted"
	byWords                // lamb curry
	byOpener               // a capital that may only open the sentence
)

// mentionsIn finds what text names, in its order, with what stands for itself
// (dates, mail addresses, "called X") blanked out in rest.
func (l *lexicon) mentionsIn(text, rest string) []mention {
	var out []mention
	put := func(how naming, start, end int) {
		out = append(out, mention{text: text[start:end], how: how, start: start, end: end,
			kind: l.kindOf(text[start:end])})
		rest = blank(rest, start, end)
	}
	for _, at := range quotes.FindAllStringSubmatchIndex(rest, -1) {
		for g := 2; g < len(at); g += 2 {
			if at[g] >= 0 {
				put(byName, at[g], at[g+1])
			}
		}
	}
	for _, at := range codeShape.FindAllStringIndex(rest, -1) {
		code := rest[at[0]:at[1]]
		switch {
		case noCode.MatchString(code) || !shouted(text, code), l.kindOf(code) == noThing:
		case mixed.MatchString(code) || strings.Contains(code, "-") || isRandom(code):
			put(byCode, at[0], at[1])
		default:
			put(byCaps, at[0], at[1])
		}
	}
	for _, at := range properName.FindAllStringIndex(rest, -1) {
		l.putName(text, rest, at[0], at[1], put)
	}
	for _, run := range l.unknownRuns(rest) {
		put(byWords, run[0], run[1])
	}
	slices.SortFunc(out, func(a, b mention) int { return a.start - b.start })
	out = joined(text, out)
	for i, m := range out {
		// "instead of COCO" is what shall no longer be.
		out[i].isTaken = len(out) > 1 && m.how != byCode && precededBy(text, m.start, "instead of", "rather than",
			"not")
	}
	return out
}

// putName puts a capitalised phrase: without the words that only open the
// sentence, and without ordinary ones at its ends.
func (l *lexicon) putName(text, rest string, start, end int, put func(naming, int, int)) {
	opens := opensSentence(rest, start)
	for {
		first, after, more := strings.Cut(rest[start:end], " ")
		low := strings.ToLower(strings.TrimSuffix(first, "'s"))
		common := stopped[low] || l.known(low) || l.kinds[stem(low)] == noThing || opens && l.said[low]
		if !common {
			break
		}
		if !more {
			if !stopped[low] && !isIn(l.conceptOf(low), readVerbs) && !isIn(l.conceptOf(low), writeVerbs) {
				put(byOpener, start, end)
			}
			return
		}
		if !opens && !stopped[low] {
			break // "Weekend Escape" is a name
		}
		start, opens = end-len(after), false
	}
	// A whole phrase may be one: "Meera's" names Meera.
	if name := rest[start:end]; strings.HasSuffix(name, "'s") || strings.HasSuffix(name, "’s") {
		end -= len("'s")
		if strings.HasSuffix(name, "’s") {
			end -= len("’") - 1
		}
	}
	if opens && !strings.Contains(rest[start:end], " ") && l.said[strings.ToLower(rest[start:end])] {
		put(byOpener, start, end)
		return
	}
	put(byName, start, end)
}

// unknownRuns finds the stretches of words that mean nothing here: names in
// small letters.
func (l *lexicon) unknownRuns(rest string) [][2]int {
	var out [][2]int
	for _, at := range word.FindAllStringIndex(rest, -1) {
		w := rest[at[0]:at[1]]
		low := strings.ToLower(strings.TrimSuffix(w, "'s"))
		kind := l.kinds[stem(low)] != "" && l.kinds[stem(low)] != noThing && !l.known(low)
		if countDigits(w) > 0 || l.common(low) && !kind || numberWord.MatchString(low) || len([]rune(low)) < 3 {
			continue
		}
		end := at[0] + len(strings.TrimSuffix(strings.TrimSuffix(w, "'s"), "’s"))
		if n := len(out); n > 0 && at[0]-out[n-1][1] == 1 && rest[out[n-1][1]] == ' ' {
			out[n-1][1] = end
			continue
		}
		out = append(out, [2]int{at[0], end})
	}
	return out
}

// joined makes one mention of two that stand side by side, such as a
// capitalised word and one in small letters: "Nearly full".
func joined(text string, all []mention) []mention {
	var out []mention
	for _, m := range all {
		if n := len(out); n > 0 && m.start > out[n-1].end && m.start-out[n-1].end == 1 && text[out[n-1].end] == ' ' &&
			(out[n-1].how == byOpener || m.kind != "" && (out[n-1].how == byName || out[n-1].how == byWords)) &&
			m.how == byWords {
			out[n-1].end, out[n-1].text = m.end, text[out[n-1].start:m.end]
			if out[n-1].how == byOpener {
				out[n-1].how = byName
			}
			if m.kind != "" {
				out[n-1].kind = m.kind
			}
			continue
		}
		out = append(out, m)
	}
	return out
}

// noThing is the kind of words that name nothing, however they are written: "ADR".
const noThing = "nothing"

// kindOf returns the kind that a word of name is known to be of. The letters of a code
// that a machine gave are no words.
func (l *lexicon) kindOf(name string) string {
	if machineCode.MatchString(name) {
		return ""
	}
	for _, w := range l.wordsIn(name) {
		if kind := l.kinds[stem(strings.TrimSuffix(w, "'s"))]; kind != "" {
			return kind
		}
	}
	return ""
}

var machineCode = regexp.MustCompile(`^[A-Z0-9]*[0-9][A-Z0-9]*[A-Z][A-Z0-9]*$`)

var sampleOf = regexp.MustCompile(`\bsuch as ([A-Z0-9]+(?:-[A-Z0-9]+)*)\b`)

// likeness says how much a code looks like the one that a description gives as
// an example: below zero when it can not be one.
func likeness(code, description string) float64 {
	found := sampleOf.FindStringSubmatchIndex(description)
	if found == nil {
		return 0
	}
	sample := description[found[2]:found[3]]
	head, _, dashed := strings.Cut(sample, "-")
	own, _, ownDashed := strings.Cut(code, "-")
	digits, sampleDigits := mixed.MatchString(code) || isRandom(code), mixed.MatchString(sample)
	switch {
	case dashed && sampleDigits && ownDashed:
		if head == own {
			return 3
		}
		return -5
	case dashed && sampleDigits:
		// "a reservation's code, or a group's such as GRP-7KQ2MX" takes both.
		if digits && strings.Contains(description[:found[0]], " or ") {
			return 1.5
		}
		return -5
	case ownDashed && digits && len(own) == 3 && sampleDigits:
		return -5
	case sampleDigits && digits:
		if lettersThenDigits.MatchString(code) == lettersThenDigits.MatchString(sample) && len(code) == len(sample) {
			return 2.5
		}
		if lettersThenDigits.MatchString(code) == lettersThenDigits.MatchString(sample) {
			return 1.5
		}
		return 0.3
	case sampleDigits && len(code) != len(sample):
		return -2
	case !sampleDigits && digits && !ownDashed:
		return -1.5
	}
	return 0
}
