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
	fillers = regexp.MustCompile(`(?i)^(?:(?:u+h+|u+m+|e+r+m*|h+m+|so|okay|ok|yeah|and|basically|you know|i mean)\b` +
		`[,.… ]*|(?:well|yes|right|like|also|but)\s*[,.…]\s*)+`)
	inner   = regexp.MustCompile(`(?i)(?:,\s*)?\b(?:u+h+|u+m+|e+r+m+)\b(?:\s*,)?\s*`)
	pronoun = regexp.MustCompile(`\bi\b`)
	spaces  = regexp.MustCompile(`\s+`)
	// unended are words with which no sentence ends.
	unended = regexp.MustCompile(`(?i)(?:(?:\s+(?:in|at|on|near|for|of|from|to|with|by))?\s+` +
		`(?:the|a|an|and|or|of))+[\s,.]*$`)
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

// maxSpoken is how long a spoken sentence may be, in letters; one of a minute without a
// point is divided.
const maxSpoken = 100

var (
	// starts are where a spoken sentence begins inside a long one: a person and what they did.
	starts = regexp.MustCompile(`(?i)\s+(?:and\s+)?((?:so\s+|then\s+|but\s+)?(?:we|they|i|it|she|he)\s+(?:had|have|` +
		`made|took|built|put|laid|used|got|did|are|were|was|is|went|said|cut|dug|kept|found|gave|set|left|can|could|` +
		`need|needed|\pL{2,}ed)\b)`)
	// joins are words behind which a sentence goes on, and conditions ones that need a further
	// clause.
	joins = regexp.MustCompile(`(?i)(?:^|\s)(?:what|said|says|where|than|think|and|but|or|then|who|thing|way|time|` +
		`everything|all)$`)
	conditions = regexp.MustCompile(`(?i)(?:^|\s)(?:when|that|because|which|so|if|as|how|before|after|until|while|` +
		`since|though)(?:\s+\S+){0,4}$`)
)

// spoken returns the sentences of a text, long ones divided where a person does the
// next thing; the words stay as they are.
func spoken(text string) []string {
	var out []string
	for _, s := range split(text) {
		if utf8.RuneCountInString(s) <= maxSpoken {
			out = append(out, s)
			continue
		}
		from := 0
		for _, at := range starts.FindAllStringSubmatchIndex(s, -1) {
			part := s[from:at[0]]
			if at[0] < from || len(strings.Fields(part)) < 4 || joins.MatchString(part) ||
				conditions.MatchString(part) || len(strings.Fields(s[at[2]:])) < 4 {
				continue
			}
			out, from = append(out, part), at[2]
		}
		out = append(out, s[from:])
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
	s = unended.ReplaceAllString(s, "")
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
	if word, _, _ := strings.Cut(s, " "); s == "" || mixedCase(word) {
		return s
	}
	return string(unicode.ToUpper(r)) + s[n:]
}

func lower(s string) string {
	r, n := utf8.DecodeRuneInString(s)
	if word, _, _ := strings.Cut(s, " "); s == "" || mixedCase(word) {
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
	return dangling.ReplaceAllString(strings.TrimRight(text, " ,.;:-–"), "") + "…"
}

// secret is what a text must not say of the place of a project.
type secret struct {
	parts []*regexp.Regexp
	// joined is such parts before one that is shown: "14 Rosewood Lane, Headingley, Leeds".
	joined *regexp.Regexp
	// shown are the names that may be shown, for texts that are spoken and have no capitals.
	shown map[string]*regexp.Regexp
}

// secretOf returns the parts of the project's place that its page does not show.
func secretOf(p projects.Project) secret {
	at := slices.Index(projects.Details(), p.Detail)
	if at < 0 {
		at = slices.Index(projects.Details(), projects.ByCity)
	}
	show := func(d projects.Detail) bool { return at >= slices.Index(projects.Details(), d) }
	var names, shown []string
	add := func(part string, open bool) {
		switch part = strings.TrimSpace(part); {
		case len(part) < 2:
		case open:
			shown = append(shown, part)
		default:
			names = append(names, part)
		}
	}
	add(p.Place.Country, show(projects.ByCountry))
	add(p.Place.Region, show(projects.ByRegion))
	add(p.Place.City, show(projects.ByCity))
	add(p.Place.District, show(projects.ByDistrict))
	add(p.Place.Street, false)
	add(strings.TrimLeft(p.Place.Street, "0123456789-/ ,.#"), false)
	names = slices.DeleteFunc(names, func(n string) bool {
		return slices.ContainsFunc(shown, func(s string) bool { return strings.EqualFold(s, n) })
	})
	var out secret
	// The whole street goes before its name alone, else its number would stay.
	slices.SortStableFunc(names, func(x, y string) int { return len(y) - len(x) })
	for _, n := range names {
		out.parts = append(out.parts, regexp.MustCompile(`(?i)(?:`+leadsTo+`)?(?:^|\b|[^\pL\pN])`+quoted(n)+
			`(?:['’]s)?(?:[^\pL\pN]|\b|$)`))
	}
	out.shown = map[string]*regexp.Regexp{}
	for _, s := range shown {
		if !towns.MatchString(fold(s)) {
			out.shown[s] = regexp.MustCompile(`(?i)\b` + quoted(s) + `\b`)
		}
	}
	if len(names) > 0 && len(shown) > 0 {
		for i := range names {
			names[i] = quoted(names[i])
		}
		for i := range shown {
			shown[i] = quoted(shown[i])
		}
		out.joined = regexp.MustCompile(`(?i)` + leadsTo + `(?:(?:` + strings.Join(names, "|") +
			`)[\s,.]+(?:in\s+)?)+(` + strings.Join(shown, "|") + `)\b`)
	}
	return out
}

// leadsTo matches the words that lead to a place.
const leadsTo = `,?\s*\b(?:over |up |down |out )?(?:at|in|on|near|from|around|inside|off|of)\s+(?:the\s+)?`

// quoted returns a pattern of the words of a name.
func quoted(name string) string {
	words := strings.Fields(name)
	for i, w := range words {
		words[i] = regexp.QuoteMeta(strings.Trim(w, ",."))
	}
	return strings.Join(words, `[\s,.]+`)
}

// in reports whether a text says something of it.
func (s secret) in(text string) bool {
	return slices.ContainsFunc(s.parts, func(part *regexp.Regexp) bool { return part.MatchString(text) })
}

// strip takes it out of a text.
func (s secret) strip(text string) string {
	if s.joined != nil {
		text = s.joined.ReplaceAllString(text, " in $1")
	}
	for _, part := range s.parts {
		text = part.ReplaceAllString(text, " ")
	}
	return text
}

// public returns the sentences of a person's text that may be shown, tidied. Where a
// sentence names something private, that is taken out, or the sentence is; what was said
// to the assistant is, too.
func public(hidden secret, text string) []string {
	var out []string
	for _, s := range spoken(text) {
		s = without(s, hidden)
		for name, pattern := range hidden.shown {
			s = pattern.ReplaceAllLiteralString(s, name)
		}
		if s = tidy(s); s != "" && !orders.MatchString(s) && !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}

// without takes what is private out of a sentence: the words that name a place, or the
// clause that has a way to reach a person. It is "" where too little is left.
func without(s string, hidden secret) string {
	if !isPrivate(s, hidden) {
		return s
	}
	var kept strings.Builder
	dropped := false
	for _, c := range clauses(s) {
		left := strings.TrimSpace(spaces.ReplaceAllString(hidden.strip(c.text), " "))
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
	if out := strings.TrimSpace(kept.String()); len(strings.Fields(out)) >= 3 && !isPrivate(out, hidden) {
		return out
	}
	return ""
}

// isPrivate reports whether a text has something that its page must not have.
func isPrivate(s string, hidden secret) bool {
	return hidden.in(s) || len(privacy.Find(s)) > 0
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
