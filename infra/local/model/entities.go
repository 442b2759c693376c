package model

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// entities is what a text states in a form that arguments can use. Each is
// taken once.
type entities struct {
	*lexicon
	text    string // the text itself
	bare    string // the text with dates, nights, names, codes and mail blanked out
	common  string // the text with only names and codes blanked out
	undated string // the text without its days
	spans   []span
	nights  int
	emails  []string
	phones  []string
	quoted  []string
	named   string   // "called X", "named X"
	renamed string   // "rename to X"
	codes   []string // COCO, ABC123, GRP-AB12CD
	proper  []string // Tree House, John Smith
	numbers []number
	hours   []string // "11 pm", "10:30"
	// mentions are all that is named, in order; arguments take them.
	mentions []mention
}

// number is a figure with what stands around it.
type number struct {
	value    string // plain digits, perhaps with a fraction
	money    bool
	percent  bool
	before   []string // concepts to the left, nearest first
	after    []string // concepts to the right, nearest first
	to       bool     // "to 50": the new value of a change
	from     bool     // "from 45": the old value of a change
	start    int
	isTaken  bool
	isSpoken bool   // a number word, "two"
	isMore   bool   // "one more": what is there counts, too
	isRank   bool   // "first 20", "top 5"
	bound    string // "min" behind "begins at", "max" behind "ends at"
}

var (
	emailShape = regexp.MustCompile(`[\w.+-]+@[\w-]+(?:\.[\w-]+)+`)
	phoneShape = regexp.MustCompile(`\+?\d[\d ()-]{6,}\d`)
	quotes     = regexp.MustCompile(`"([^"]+)"|“([^”]+)”|‘([^’]+)’|(?:^|\s)'([^']+)'(?:[\s,.;!?]|$)`)
	calledRef  = regexp.MustCompile(`(?i)\b(?:called|named|titled|by the name(?: of)?|name is|naam)\s+`)
	renameRef  = regexp.MustCompile(`(?i)\brename\b.*?\b(?:to|as|into)\s+|\bnew name(?: is| to| of)?\s+|\bto be ` +
		`called\s+|\b(?:change|set) (?:its |the |their )?name(?: of .*?)? to\s+`)
	nameEnd = regexp.MustCompile(`(?i)[,;` +
		`.!?\n]|\s+(?:at|for|from|with|per|costing|priced|price|that|which|and|on|to|sleeps|sleeping|having|as|is|in|until|till|\d)(?:\s|$)|\s*[$€£₹]?\d`)
	codeShape  = regexp.MustCompile(`\b(?:[A-Z][A-Z0-9]+(?:[-_/][A-Z0-9]+)*|[A-Z]+-?\d[A-Z0-9-]*|\d+[A-Z][A-Z0-9]*)\b`)
	properWord = `[A-Z][\p{L}\p{M}'’]+`
	properName = regexp.MustCompile(properWord + `(?:[ -](?:(?:of|the|de|von|van|and|&)\s+)?` + properWord + `)*`)
	figure     = regexp.MustCompile(`([$€£₹]|\b(?i:rs\.?|inr|usd|eur|gbp)\s*)?\s*(\d{1,3}(?:,\d{2,3}` +
		`)+(?:\.\d+)?|\d+(?:\.\d+)?)\s*(%|(?i:percent|pct)\b|(?i:rupees|dollars|euros|pounds|inr|usd|eur|gbp)\b|[$€£₹])?`)
	hours = regexp.MustCompile(`(?i)\b\d{1,2}(?::\d{2})?\s*(?:am|pm|o'clock|baje|बजे)(?:\b|$|\s)|\b\d{1,2}` +
		`:\d{2}\b`)
	numberWord = regexp.MustCompile(`(?i)\b(two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|one)\b`)
	noCode     = regexp.MustCompile(`^(?:I|A|OK|AI|TV|PDF|CSV|HTML|JSON|VIP|ID|USD|EUR|GBP|INR|AM|PM|KPI|KPIS|ADR|PLEASE|ALL|NOT|AND|THE|GST)$`)
)

// entitiesIn reads text. today settles relative days, and report says that days
// without a year belong to a period to look back on.
func (l *lexicon) entitiesIn(text string, today time.Time, report bool) *entities {
	f := &entities{lexicon: l, text: text, common: text}
	rest := text
	name := func(from, to int) { // names are no words to us
		rest, f.common = blank(rest, from, to), blank(f.common, from, to)
	}
	rest = take(rest, emailShape, &f.emails)
	f.spans, rest = spansIn(rest, today, report)
	f.undated = rest
	f.nights, rest = l.nightsIn(rest)
	unquoted := rest
	for _, at := range quotes.FindAllStringSubmatchIndex(rest, -1) {
		for g := 2; g < len(at); g += 2 {
			if at[g] >= 0 {
				f.quoted = append(f.quoted, rest[at[g]:at[g+1]])
				name(at[g], at[g+1])
			}
		}
	}
	said := unquoted // with quoted names, and without new ones
	if at := renameRef.FindStringIndex(rest); at != nil {
		var end int
		f.renamed, end = phraseFrom(rest, at[1])
		name(at[1], end)
		said = blank(said, at[1], end)
	}
	if at := calledRef.FindStringIndex(rest); at != nil {
		var end int
		f.named, end = phraseFrom(rest, at[1])
		if f.named != "" {
			f.mentions = append(f.mentions, mention{text: f.named, how: byName, isCalled: true, start: at[1], end: end,
				kind: l.kindOf(f.named)})
		}
		name(at[1], end)
		said = blank(said, at[1], end)
	}
	for _, at := range codeShape.FindAllStringIndex(rest, -1) {
		code := rest[at[0]:at[1]]
		if noCode.MatchString(code) || !shouted(text, code) {
			continue
		}
		f.codes = append(f.codes, code)
		name(at[0], at[1])
	}
	for _, at := range phoneShape.FindAllStringIndex(rest, -1) {
		if digits := countDigits(rest[at[0]:at[1]]); digits >= 8 && digits <= 15 {
			f.phones = append(f.phones, strings.TrimSpace(rest[at[0]:at[1]]))
			rest = blank(rest, at[0], at[1])
		}
	}
	for _, at := range properName.FindAllStringIndex(rest, -1) {
		who := rest[at[0]:at[1]]
		if opensSentence(rest, at[0]) {
			// The first word of a sentence is a name only if it is not a
			// word that we know: "Book Tree House" is about Tree House.
			first, after, more := strings.Cut(who, " ")
			if low := strings.ToLower(first); stopped[low] || l.known(low) {
				if !more {
					continue
				}
				who = after
				at[0] = at[1] - len(after)
			}
		}
		if low := strings.ToLower(who); stopped[low] || !strings.Contains(who, " ") && l.known(low) {
			continue
		}
		f.proper = append(f.proper, who)
		name(at[0], at[1])
	}
	f.mentions = append(f.mentions, l.mentionsIn(text, said)...)
	f.bare = rest
	f.readNumbers()
	f.dropOld()
	return f
}

func take(text string, shape *regexp.Regexp, into *[]string) string {
	for _, at := range shape.FindAllStringIndex(text, -1) {
		*into = append(*into, text[at[0]:at[1]])
		text = blank(text, at[0], at[1])
	}
	return text
}

// phraseFrom reads a name that begins at from, and says where it ends because
// the sentence goes on. A quoted name was blanked before, so it comes back
// empty.
func phraseFrom(text string, from int) (string, int) {
	rest := text[from:]
	end := len(rest)
	if at := nameEnd.FindStringIndex(rest); at != nil {
		end = at[0]
	}
	return strings.TrimSpace(strings.Trim(rest[:end], `"'“”‘’`)), from + end
}

// shouted says whether code stands out: a text that is all capitals has no
// codes but those with digits.
func shouted(text, code string) bool {
	return text != strings.ToUpper(text) || strings.ContainsAny(code, "0123456789") || len(strings.Fields(text)) == 1
}

func countDigits(s string) int {
	n := 0
	for _, r := range s {
		if r >= '0' && r <= '9' {
			n++
		}
	}
	return n
}

var sentenceEnd = regexp.MustCompile(`(?:^|[.!?;\n]["')]?)\s*$`)

func opensSentence(text string, at int) bool { return sentenceEnd.MatchString(text[:at]) }

// known says whether a word means something to us other than as a name.
func (l *lexicon) known(low string) bool {
	_, ok := l.concepts[stem(low)]
	c := l.conceptOf(low)
	return ok || l.ofTools[stem(low)] || isIn(c, readVerbs) || isIn(c, writeVerbs)
}

// readNumbers collects the figures of the bare text with their neighbours.
func (f *entities) readNumbers() {
	add := func(start, end int, n number) {
		n.start = start
		left := f.wordsIn(afterLast(f.bare[:start]))
		for i := len(left) - 1; i >= 0 && len(n.before) < 4; i-- {
			if i == len(left)-1 {
				n.to = left[i] == "to" || left[i] == "now" || left[i] == "is"
				n.from = left[i] == "from"
			}
			if !stopped[left[i]] && countDigits(left[i]) == 0 {
				n.before = append(n.before, f.lexicon.conceptOf(left[i]))
			}
		}
		right := f.bare[end:]
		n.isRank = rankWord.MatchString(f.bare[:start])
		switch {
		case leastWord.MatchString(f.bare[:start]):
			n.bound = "min"
		case mostWord.MatchString(f.bare[:start]):
			n.bound = "max"
		}
		n.isMore = moreOf.MatchString(right) || byMuch.MatchString(f.bare[:start])
		if start > 1 && f.bare[start-1] == '-' && f.bare[start-2] == ' ' && !n.isSpoken {
			n.value = "-" + n.value
		}
		if at := clauseEnd.FindStringIndex(right); at != nil {
			right = right[:at[0]]
		}
		for _, w := range f.wordsIn(right) {
			if len(n.after) < 3 {
				n.after = append(n.after, f.lexicon.conceptOf(w))
			}
		}
		f.numbers = append(f.numbers, n)
	}
	for _, at := range hours.FindAllStringIndex(f.bare, -1) {
		f.hours = append(f.hours, strings.TrimSpace(f.bare[at[0]:at[1]]))
		f.bare = blank(f.bare, at[0], at[1])
	}
	for _, at := range figure.FindAllStringSubmatchIndex(f.bare, -1) {
		g := groupsOf(f.bare, at)
		value := strings.ReplaceAll(g[2], ",", "")
		if _, err := strconv.ParseFloat(value, 64); err != nil {
			continue
		}
		mark := strings.ToLower(g[3])
		percent := mark == "%" || strings.HasPrefix(mark, "p") && mark != "pounds"
		add(at[0], at[1], number{value: value, money: g[1] != "" || mark != "" && !percent, percent: percent})
	}
	for _, at := range numberWord.FindAllStringSubmatchIndex(f.bare, -1) {
		add(at[0], at[1], number{value: strconv.Itoa(countOf(f.bare[at[2]:at[3]])), isSpoken: true})
	}
}

// dropOld forgets the old value of a change: of "from 45 to 50" only 50 is
// wanted.
func (f *entities) dropOld() {
	if slices.ContainsFunc(f.numbers, func(n number) bool { return n.to }) {
		f.numbers = slices.DeleteFunc(f.numbers, func(n number) bool { return n.from })
	}
}

// wordsIn splits text into lower-case words; a number ends the neighbourhood of
// another, so it is kept as a word.
func (l *lexicon) wordsIn(text string) []string { return lowered(l.plain(text)) }

// lowered splits text into lower-case words as they stand there.
func lowered(text string) []string {
	var out []string
	for _, w := range word.FindAllString(text, -1) {
		out = append(out, strings.ToLower(w))
	}
	return out
}

var (
	rankWord  = regexp.MustCompile(`(?i)\b(?:first|last|top|next|latest|newest)\s*$`)
	leastWord = regexp.MustCompile(`(?i)\b(?:begin\w*|start\w*|at least|above|from)\s*(?:(?:at|from|with)\s*)?$`)
	mostWord  = regexp.MustCompile(`(?i)\b(?:end\w*|until|till|up to|at most|below|under)\s*(?:(?:at|by|with)\s*)?$`)
	moreOf    = regexp.MustCompile(`(?i)^\s*(?:[a-z]+\s+)?(?:more|another|further|less|fewer|aur|और)(?:\s|$)|^\s*extra\b`)
	byMuch    = regexp.MustCompile(`(?i)\bby\s*(?:an?\s*)?$`)
)

var clauseEnd = regexp.MustCompile(`(?i)[,;]|\.(?:\s|$)|\band\b`)

// afterLast returns what follows the last "and" or semicolon of text: a figure
// has its neighbours in its own part of the sentence.
func afterLast(text string) string {
	for {
		at := regexpAnd.FindStringIndex(text)
		if at == nil {
			return text
		}
		text = text[at[1]:]
	}
}

var regexpAnd = regexp.MustCompile(`(?i);|\band\b`)
