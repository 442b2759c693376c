package writer

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/bellhop-ai/bellhop/pkg/plaintext"
	"github.com/bellhop-ai/bellhop/pkg/portfolio/privacy"
	"github.com/bellhop-ai/bellhop/pkg/portfolio/projects"
)

var (
	// ends are where sentences end: at a mark before a space, and at line breaks.
	ends = regexp.MustCompile(`[.!?…।]+["”')\]]*(?:\s+|$)|\s*\n\s*`)
	// short are words whose point ends no sentence.
	short = regexp.MustCompile(`(?i)(?:\b(?:mr|mrs|ms|dr|st|approx|e\.g|i\.e|etc|vs|incl|sq)|\b[A-Z])\.\s*$`)
	// fillers are what speech has and writing has not, at the beginning of a sentence and in it.
	fillers = regexp.MustCompile(`(?i)^(?:(?:u+h+|u+m+|e+r+m*|h+m+|so|well|okay|ok|yeah|yes|right|and|basically|` +
		`you know|i mean|like|also)\b[,.… ]*)+`)
	inner    = regexp.MustCompile(`(?i)(?:,\s*)?\b(?:u+h+|u+m+|e+r+m+)\b(?:\s*,)?\s*`)
	pronoun  = regexp.MustCompile(`\bi\b`)
	spaces   = regexp.MustCompile(`\s+`)
	dangling = regexp.MustCompile(`(?i)(?:[\s,;:-]+(?:in|at|on|near|for|of|from|to|and|the|a|an|with|by))*[\s,;:-]*$`)
	beforeIt = regexp.MustCompile(`\s+([,.;:!?])`)
)

// split returns the sentences of a text as they stand there.
func split(text string) []string {
	var out []string
	from := 0
	for _, at := range ends.FindAllStringIndex(text, -1) {
		if short.MatchString(text[from:at[1]]) && !strings.Contains(text[at[0]:at[1]], "\n") {
			continue
		}
		if s := strings.TrimSpace(text[from:at[1]]); s != "" {
			out = append(out, s)
		}
		from = at[1]
	}
	if s := strings.TrimSpace(text[from:]); s != "" {
		out = append(out, s)
	}
	return out
}

// tidy writes a spoken sentence as a written one, with the same words but for the
// fillers: "uh so i fitted it" becomes "I fitted it.". It is "" for one that says nothing.
func tidy(sentence string) string {
	s := spaces.ReplaceAllString(plaintext.Clean(sentence), " ")
	s = strings.TrimSpace(inner.ReplaceAllString(s, " "))
	if rest := fillers.ReplaceAllString(s, ""); len(strings.Fields(rest)) > 1 {
		s = rest
	}
	s = strings.TrimLeft(s, " ,.;:-–•*#>")
	if !strings.ContainsFunc(s, unicode.IsLetter) {
		return ""
	}
	s = pronoun.ReplaceAllString(s, "I")
	last, _ := utf8.DecodeLastRuneInString(s)
	if unicode.IsLetter(last) || unicode.IsDigit(last) || strings.ContainsRune(",;:-–)%", last) {
		s = strings.TrimRight(s, " ,;:-–") + "."
	}
	return upper(s)
}

// upper writes the first letter as a capital one, and lower as a small one unless the
// word is an abbreviation or a name such as "uPVC" or "HVAC".
func upper(s string) string {
	r, n := utf8.DecodeRuneInString(s)
	if word, _, _ := strings.Cut(s, " "); mixedCase(word) {
		return s
	}
	return string(unicode.ToUpper(r)) + s[n:]
}

func lower(s string) string {
	r, n := utf8.DecodeRuneInString(s)
	if word, _, _ := strings.Cut(s, " "); mixedCase(word) {
		return s
	}
	return string(unicode.ToLower(r)) + s[n:]
}

// mixedCase reports whether a word has capital letters behind its first.
func mixedCase(word string) bool {
	_, n := utf8.DecodeRuneInString(word)
	return strings.ContainsFunc(word[n:], unicode.IsUpper)
}

// cut shortens a text to that many letters, at a word.
func cut(text string, most int) string {
	if utf8.RuneCountInString(text) <= most {
		return text
	}
	text = string([]rune(text)[:most-1])
	if at := strings.LastIndexByte(text, ' '); at > len(text)/2 {
		text = text[:at]
	}
	return strings.TrimRight(text, " ,.;:-–") + "…"
}

// secrets returns patterns of the parts of the project's place that its page does not
// show.
func secrets(p projects.Project) []*regexp.Regexp {
	var out []string
	add := func(part string, shown bool) {
		if part = strings.TrimSpace(part); len(part) > 1 && !shown {
			out = append(out, part)
		}
	}
	at := slices.Index(projects.Details(), p.Detail)
	if at < 0 {
		at = slices.Index(projects.Details(), projects.ByCity)
	}
	show := func(d projects.Detail) bool { return at >= slices.Index(projects.Details(), d) }
	add(p.Place.Street, false)
	add(strings.TrimLeft(p.Place.Street, "0123456789-/ ,.#"), false)
	add(p.Place.District, show(projects.ByDistrict))
	add(p.Place.City, show(projects.ByCity))
	add(p.Place.Region, show(projects.ByRegion))
	add(p.Place.Country, show(projects.ByCountry))
	shown := fold(p.Place.Shown(p.Detail))
	var patterns []*regexp.Regexp
	for _, part := range out {
		if shown == "" || !slices.Contains(strings.Split(shown, ", "), fold(part)) {
			patterns = append(patterns, secretPattern(part))
		}
	}
	return patterns
}

// secretPattern matches a part of a place, with the word that leads to it.
func secretPattern(part string) *regexp.Regexp {
	words := strings.Fields(part)
	for i, w := range words {
		words[i] = regexp.QuoteMeta(strings.Trim(w, ",."))
	}
	return regexp.MustCompile(`(?i)(?:,?\s*\b(?:over |up |down |out )?(?:at|in|on|near|from|around|inside|off)\s+` +
		`(?:the\s+)?)?` +
		`(?:^|\b|[^\pL\pN])` + strings.Join(words, `[\s,.]+`) + `(?:['’]s)?(?:[^\pL\pN]|\b|$)`)
}

// public returns the sentences of a person's text that may be shown, tidied. Where a
// sentence names something private, that is taken out, or the sentence is.
func public(parts []*regexp.Regexp, text string) []string {
	var out []string
	for _, s := range split(text) {
		s = without(s, parts)
		if s = tidy(s); s != "" && !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}

// without takes what is private out of a sentence: the words that name a place, or the
// clause that has a way to reach a person. It is "" where too little is left.
func without(s string, parts []*regexp.Regexp) string {
	if !isPrivate(s, parts) {
		return s
	}
	var kept strings.Builder
	dropped := false
	for _, c := range clauses(s) {
		left := c.text
		for _, part := range parts {
			left = part.ReplaceAllString(left, " ")
		}
		left = strings.TrimSpace(spaces.ReplaceAllString(left, " "))
		switch {
		case len(privacy.Find(left)) > 0, left != c.text && (len(strings.Fields(left)) < 3 || empty.MatchString(left)):
			dropped = true
			continue
		case dropped && condition.MatchString(c.by): // of what was dropped
			continue
		}
		if left != c.text {
			mark := strings.TrimSpace(beforeIt.ReplaceAllString(left, "$1"))
			left = dangling.ReplaceAllString(strings.TrimRight(mark, ".!? "), "")
		}
		if dropped = false; kept.Len() > 0 {
			kept.WriteString(c.by)
		}
		kept.WriteString(left)
	}
	if out := strings.TrimSpace(kept.String()); len(strings.Fields(out)) >= 3 && !isPrivate(out, parts) {
		return out
	}
	return ""
}

// isPrivate reports whether a text has something that its page must not have.
func isPrivate(s string, parts []*regexp.Regexp) bool {
	return len(privacy.Find(s)) > 0 || slices.ContainsFunc(parts, func(part *regexp.Regexp) bool {
		return part.MatchString(s)
	})
}

// clause is a part of a sentence, with what joins it to the one before.
type clause struct{ by, text string }

func clauses(s string) []clause {
	var out []clause
	by, from := "", 0
	for _, at := range joints.FindAllStringIndex(s, -1) {
		out = append(out, clause{by, s[from:at[0]]})
		by, from = s[at[0]:at[1]], at[1]
	}
	return append(out, clause{by, s[from:]})
}

var (
	joints = regexp.MustCompile(`(?i)\s*[;:–]\s+|\s*,?\s+(?:and|but|so|because|which|where|if|when|then)\s+`)
	// condition joins a clause that means nothing without the one before.
	condition = regexp.MustCompile(`(?i)\b(?:if|because|which|where|when|so)\b`)
	// empty are clauses that said a place alone.
	empty = regexp.MustCompile(`(?i)^(?:so |and |but )?(?:it|this|that|they|he|she|we|the (?:job|house|place|work|` +
		`client)|this (?:one|job)|(?:the )?address)?(?:'s| was| is| are| were| live| lives| lived| did| worked)*` +
		`[,. ]*(?:it|this|all|done)?[,. ]*$`)
)
