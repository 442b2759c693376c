package writer

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/bellhop-ai/bellhop/pkg/plaintext"
)

var (
	// markup are HTML, links and addresses of sites.
	markup = regexp.MustCompile(`(?i)<\s*[a-z/!?]|&#?\w+;|\]\s*\(|\b(?:https?|javascript|data|mailto|tel):|\bwww\.|` +
		`\b[\w-]+\.(?:com|co|org|net|io|uk|de|es|info|biz|shop|site)\b`)
	// emphasis is Markdown around words and before lines.
	emphasis = regexp.MustCompile("[*_~`]{1,3}|^\\s*(?:#{1,6}|[-•>+])\\s+")
	// orders are what a text says that wants to be obeyed by its reader.
	orders = regexp.MustCompile(`(?i)\b(?:ignore|disregard|forget|override)\b.{0,40}\b(?:instructions?|rules?|` +
		`prompts?|above|previous|earlier|everything)|system prompt|\b(?:you are now|from now on|act as|pretend)\b|` +
		`\bpublish(?: (?:it|this|now|the)|$|[.!])|\b(?:call|use|run|invoke) the (?:tool|function)\b`)
	// sold are words that claim something together, although each of them claims nothing.
	sold = regexp.MustCompile(`(?i)\b(?:(?:high|top)[- ]end|one of a kind|second to none|like new|as new|on time|` +
		`in time|ahead of time|made to last|none other|like no other|number one|no\.? ?1\b|the very (?:top|first)|` +
		`every (?:one of our|single) (?:clients?|customers?)|to order|for ever|once and for all|the one and only)\b`)
	// speech is what a text quotes.
	speech = regexp.MustCompile(`(?:^|[^\pN])[“"«„]([^”"»“]{8,})[”"»“]`)
	// towns are names of places that are words of the trade, too.
	towns = regexp.MustCompile(`^(?:bath|reading|sandwich|deal|rye|wells|street|battle|ware|hull|wash|sale|bury|` +
		`ash|oldham|stone|well|hove|phoenix|mobile|orange|ferry|corby|looe)$`)
)

// calendar are names that are spoken without a capital letter, and written with one.
var calendar = regexp.MustCompile(`^(?:january|february|march|april|may|june|july|august|september|october|november|` +
	`december|(?:mon|tues|wednes|thurs|fri|satur|sun)day|easter|christmas)$`)

// clean makes plain text of what a model wrote, in one line.
func clean(text string) string {
	var lines []string
	for line := range strings.Lines(plaintext.Clean(text)) {
		line = emphasis.ReplaceAllString(line, "")
		line = strings.Map(func(r rune) rune {
			if unicode.IsControl(r) || r == utf8.RuneError {
				return ' '
			}
			if unicode.Is(unicode.So, r) && r > 0x2190 { // emoji and other pictures
				return -1
			}
			return r
		}, line)
		if line = strings.TrimSpace(spaces.ReplaceAllString(line, " ")); line != "" {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "\n")
}

// judge returns what a sentence has that the facts do not have, or what it must not
// have; nothing for a good one.
func (b basis) judge(s string) []string {
	switch {
	case markup.MatchString(s):
		return []string{"markup or a link"}
	case isPrivate(s, b.secret):
		return []string{"something private"}
	case orders.MatchString(s):
		return []string{"an instruction"}
	}
	var wrong []string
	list := tokens(s)
	if b.plain != nil {
		wrong = b.turned(s, list)
	}
	add := func(what string) {
		if !slices.Contains(wrong, what) {
			wrong = append(wrong, what)
		}
	}
	for _, m := range speech.FindAllStringSubmatch(s, -1) {
		if !b.quoted(m[1]) {
			add("a quotation that is not in the data")
		}
	}
	for _, claim := range sold.FindAllString(s, -1) {
		if !strings.Contains(b.quotes, strings.Join(word.FindAllString(fold(claim), -1), " ")) {
			add(claim)
		}
	}
	for i, t := range list {
		switch {
		case t.count != "":
			unit := ""
			if i+1 < len(list) {
				unit = b.unit(list[i+1])
			}
			if !b.counts[t.count] {
				add(t.text)
			} else if unit != "" && !b.sizes[t.count+" "+unit] {
				add(t.text + " " + list[i+1].text)
			}
		case b.unit(t) != "" && i > 0 && list[i-1].count != "":
		case !b.backed(t) && !(b.stems["un"+t.stem] && negated(list, i)):
			add(t.text)
		case !b.named(t):
			add(t.text)
		}
	}
	return wrong
}

// backed reports whether the facts have a word, or it claims nothing.
func (b basis) backed(t token) bool {
	if b.words[t.fold] || b.stems[t.stem] {
		return true
	}
	if b.plain == nil {
		return slices.Contains(little(), t.fold)
	}
	if backed, act := b.acts[t.stem]; act {
		return backed || b.kin(t.fold)
	}
	root, _, apostrophe := strings.Cut(t.fold, "'")
	if b.plain[t.stem] || apostrophe && (b.plain[stem(root)] || b.stems[stem(root)]) {
		return true
	}
	for _, end := range []string{"ly", "er"} {
		if base, ok := strings.CutSuffix(t.fold, end); ok && len(base) > 2 {
			if n := len(base); base[n-1] == base[n-2] && end == "er" {
				base = base[:n-1]
			}
			for _, form := range []string{stem(base), stem(base + "e"), stem(strings.TrimSuffix(base, "i") + "y")} {
				if b.plain[form] || b.stems[form] {
					return true
				}
			}
		}
	}
	if b.kin(t.fold) {
		return true
	}
	for _, begin := range []string{"un", "re"} {
		if base, ok := strings.CutPrefix(t.fold, begin); ok && len(base) > 3 &&
			(b.plain[stem(base)] || begin == "re" && b.stems[stem(base)]) {
			return true
		}
	}
	switch t.stem {
	case "wood", "timber", "wooden":
		return b.any("oak walnut pine ash beech maple cherry cedar teak sapele birch larch spruce mahogany iroko " +
			"elm hardwood softwood timber wood plywood")
	case "stone":
		return b.any("granite slate limestone sandstone marble flint yorkstone travertine quartzite basalt")
	case "hous", "hom":
		return b.any("house home semi terraced bungalow cottage villa detached flat apartment maisonette")
	case "metal":
		return b.any("steel brass copper iron zinc aluminium aluminum chrome nickel bronze")
	}
	return false
}

// negated reports whether a word stands behind a negation: "safe" in "no longer safe".
func negated(list []token, at int) bool {
	return slices.ContainsFunc(list[max(0, at-2):at], func(t token) bool {
		return t.fold == "no" || t.fold == "not" || t.fold == "never" || strings.HasSuffix(t.fold, "n't")
	})
}

// doubts are words with which a sentence may deny without a negation.
var doubts = regexp.MustCompile(`(?i)\b(?:not?|never|none|nothing|nowhere|neither|nor|without|hardly|barely|` +
	`difficult|hard|impossible|instead|rather|stopped|gone|lost|missing|lack\w*|problem|un\w+|before|old)\b|n['’]t\b`)

// turned returns words that a sentence affirms and the facts only deny, and the other
// way round.
func (b basis) turned(s string, list []token) []string {
	var out []string
	denies := doubts.MatchString(s)
	for i, t := range list {
		if t.count != "" || slices.Contains(little(), t.fold) {
			continue
		}
		last := list[max(0, i-1)].fold
		switch behind := negated(list, i) && last != "longer" && last != "more"; {
		case !denies && b.denied[t.stem] && !b.meant[t.stem] && len(t.stem) > 3:
			out = append(out, t.text+" (the data denies it)")
		case behind && b.meant[t.stem] && !b.denied[t.stem]:
			out = append(out, "not "+t.text)
		}
	}
	return out
}

// endings are what words of one family differ in: "insulation", "insulated".
var endings = regexp.MustCompile(`^(?:|e|s|es|ed|en|er|ers|or|ing|ings|ion|ions|ation|ment|ments|ly|y|al|age|ance|` +
	`ity|ness|ful|ery|ry|able)$`)

// kin reports whether the facts have a word of the same family: one that differs in its
// ending alone.
func (b basis) kin(w string) bool {
	for have := range b.words {
		n := 0
		for n < len(w) && n < len(have) && w[n] == have[n] {
			n++
		}
		for ; n >= 4; n-- { // "rott" is the beginning of "rotten" and "rotted"
			if endings.MatchString(w[n:]) && endings.MatchString(have[n:]) {
				return true
			}
		}
	}
	return false
}

// any reports whether the facts have one of the words.
func (b basis) any(words string) bool {
	return slices.ContainsFunc(strings.Fields(words), func(w string) bool { return b.stems[stem(w)] })
}

// named reports whether a word that is written as a name is one of the facts.
func (b basis) named(t token) bool {
	r, n := utf8.DecodeRuneInString(t.text)
	if !unicode.IsUpper(r) || b.names[t.fold] || n == len(t.text) {
		return true
	}
	if calendar.MatchString(t.fold) {
		return b.words[t.fold]
	}
	if towns.MatchString(t.fold) && !t.first {
		return false
	}
	// Spoken words have no capitals, so a name may be written with one.
	return t.first || b.words[t.fold] && !b.plain[t.stem] || strings.ToUpper(t.text) == t.text && b.words[t.fold]
}

// little are words that join what was said.
func little() []string {
	return []string{"a", "an", "the", "and", "of", "in", "on", "at", "to", "with", "for", "by", "from", "it",
		"was", "is", "we", "i", "they", "had"}
}

// prose keeps the sentences of a text that may stand, of at most so many letters, and
// returns what is wrong with the others.
func (b basis) prose(text string, most int) (kept []string, wrong []string) {
	letters := 0
	for _, s := range split(clean(text)) {
		if !strings.ContainsFunc(s, unicode.IsLetter) {
			continue
		}
		flaws := []string{"too long"}
		if len(s) < 1500 {
			flaws = b.judge(s)
		}
		if len(flaws) == 0 && !b.about(s) {
			continue // it says nothing, or is about the task
		}
		if len(flaws) > 0 {
			wrong = append(wrong, cut(s, 200)+" → "+cut(strings.Join(flaws, ", "), 120))
			continue
		}
		if r, _ := utf8.DecodeLastRuneInString(s); unicode.IsLetter(r) || unicode.IsNumber(r) {
			s += "."
		}
		if letters += utf8.RuneCountInString(s) + 1; letters > most+1 {
			break
		}
		kept = append(kept, upper(s))
	}
	return kept, wrong
}

// line checks a title, a heading or an entry: it is "" where it may not stand.
func (b basis) line(text string, most int) (kept string, wrong []string) {
	kept = b.plainCase(strings.TrimRight(strings.ReplaceAll(clean(text), "\n", " "), " .,:;"))
	if kept == "" {
		return "", nil
	}
	flaws := []string{"too long"}
	if utf8.RuneCountInString(kept) <= most {
		flaws = b.judge(kept)
	}
	if !strings.ContainsFunc(kept, unicode.IsLetter) {
		flaws = append(flaws, "no words")
	}
	if len(flaws) > 0 {
		return "", []string{cut(kept, 200) + " → " + cut(strings.Join(flaws, ", "), 120)}
	}
	return kept, nil
}

// plainCase writes a line with capital letters in the first word and in names alone.
func (b basis) plainCase(line string) string {
	line = word.ReplaceAllStringFunc(line, func(w string) string {
		r, n := utf8.DecodeRuneInString(w)
		f := fold(w)
		if !unicode.IsUpper(r) || b.names[f] || mixedCase(w) && !(strings.ToUpper(w) == w && (b.words[f] ||
			b.plain[stem(f)])) {
			return w
		}
		if b.words[f] || b.stems[stem(f)] || b.plain[stem(f)] {
			return strings.ToLower(w[:n]) + strings.ToLower(w[n:])
		}
		return w
	})
	return upper(line)
}

// isWork matches common words for a kind of work.
var isWork = regexp.MustCompile(`(?i)^(?:renovation|refurbishment|remodel|installation|repair|replacement|` +
	`restoration|conversion|fitting|build|job|work|project)s?$`)
