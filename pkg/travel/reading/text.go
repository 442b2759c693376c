package reading

import (
	"regexp"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"
)

// maxText is how many bytes of a message are read.
const maxText = 1500

// compiled are the patterns that were used.
var compiled sync.Map

// lazily returns what compiles a pattern at its first use, and once.
func lazily(pattern string) func() *regexp.Regexp {
	return func() *regexp.Regexp {
		if p, ok := compiled.Load(pattern); ok {
			return p.(*regexp.Regexp)
		}
		p, _ := compiled.LoadOrStore(pattern, regexp.MustCompile(pattern))
		return p.(*regexp.Regexp)
	}
}

// text is a message while it is read. low has the same bytes as plain in small letters
// of ASCII; used are those that were understood.
type text struct {
	plain, low string
	used       []bool
	lookUps    int // of places, which are bounded
}

// newText returns a message with plain quotes, dashes and single spaces.
func newText(message string) *text {
	if len(message) > maxText {
		message = strings.ToValidUTF8(message[:maxText], "")
	}
	plain := strings.Join(strings.Fields(strings.NewReplacer("’", "'", "‘", "'", "“", `"`, "”", `"`,
		"–", "-", "—", " - ", "−", "-", "‑", "-", "→", " to ", "->", " to ", "⇒", " to ").Replace(message)), " ")
	low := []byte(plain)
	for i, c := range low {
		if c >= 'A' && c <= 'Z' {
			low[i] = c + 'a' - 'A'
		}
	}
	return &text{plain: plain, low: string(low), used: make([]bool, len(plain))}
}

// match is where a pattern was found. Groups that took no part are "".
type match struct {
	from, to int
	groups   []string
	at       []int
}

// free reports whether nothing from i to j was understood yet.
func (t *text) free(i, j int) bool {
	for _, used := range t.used[i:j] {
		if used {
			return false
		}
	}
	return true
}

func (t *text) use(i, j int) {
	for ; i < j; i++ {
		t.used[i] = true
	}
}

// whole reports whether no letter or digit touches the part from i to j.
func (t *text) whole(i, j int) bool {
	inner := func(b byte) bool { return b >= '0' && b <= '9' || b >= 'a' && b <= 'z' || b >= utf8.RuneSelf }
	starts := i < j && inner(t.low[i])
	ends := i < j && inner(t.low[j-1])
	return (!starts || i == 0 || !inner(t.low[i-1])) && (!ends || j == len(t.low) || !inner(t.low[j]))
}

// each calls f with the matches of a pattern in what was not understood yet. What f
// returns true for counts as understood.
func (t *text) each(pattern func() *regexp.Regexp, f func(m match) bool) {
	for from := 0; from <= len(t.low); {
		at := pattern().FindStringSubmatchIndex(t.low[from:])
		if at == nil {
			return
		}
		for i := range at {
			if at[i] >= 0 {
				at[i] += from
			}
		}
		m := match{from: at[0], to: at[1], at: at}
		next := at[0] + 1
		if at[1] > at[0] && t.whole(at[0], at[1]) && t.free(at[0], at[1]) {
			for i := 0; i < len(at); i += 2 {
				group := ""
				if at[i] >= 0 {
					group = t.low[at[i]:at[i+1]]
				}
				m.groups = append(m.groups, group)
			}
			if f(m) {
				t.use(m.from, m.to)
				next = m.to
			}
		}
		from = next
	}
}

// find returns the first match and counts it as understood.
func (t *text) find(pattern func() *regexp.Regexp) (match, bool) {
	var found match
	ok := false
	t.each(pattern, func(m match) bool {
		if ok {
			return false
		}
		found, ok = m, true
		return true
	})
	return found, ok
}

// places are where a pattern is in the message, understood or not.
func (t *text) places(pattern func() *regexp.Regexp) [][]int {
	var out [][]int
	for from := 0; from <= len(t.low); {
		at := pattern().FindStringIndex(t.low[from:])
		if at == nil {
			break
		}
		at[0], at[1] = at[0]+from, at[1]+from
		if from = at[0] + 1; t.whole(at[0], at[1]) {
			out = append(out, at)
			from = max(at[1], from)
		}
	}
	return out
}

// has reports whether a pattern is anywhere in the message, understood or not.
func (t *text) has(pattern func() *regexp.Regexp) bool { return len(t.places(pattern)) > 0 }

// take is has, and counts all matches as understood.
func (t *text) take(pattern func() *regexp.Regexp) bool {
	found := t.places(pattern)
	for _, at := range found {
		t.use(at[0], at[1])
	}
	return len(found) > 0
}

// near is how many bytes beside a word are looked at.
const near = 64

// before returns the part of the message that stands just before i, without spaces at its
// end.
func (t *text) before(i int) string { return strings.TrimRight(t.low[max(0, i-near):i], " ") }

// after returns the part of the message that stands just behind i, without spaces before it.
func (t *text) after(i int) string { return strings.TrimLeft(t.low[i:min(len(t.low), i+near)], " ") }

// endsIn reports whether a text ends in one of the words, as a word.
func endsIn(text string, words ...string) bool {
	for _, w := range words {
		if rest, ok := strings.CutSuffix(text, w); ok && (rest == "" || !isLetter(rest[len(rest)-1])) {
			return true
		}
	}
	return false
}

// beginsWith reports whether a text begins with one of the words, as a word.
func beginsWith(text string, words ...string) bool {
	for _, w := range words {
		if rest, ok := strings.CutPrefix(text, w); ok && (rest == "" || !isLetter(rest[0])) {
			return true
		}
	}
	return false
}

func isLetter(b byte) bool { return b >= 'a' && b <= 'z' || b >= '0' && b <= '9' || b >= utf8.RuneSelf }

// words are those of a part of the message that were not understood, from i to j.
func (t *text) words() []string {
	var out []string
	start := -1
	for i := 0; i <= len(t.low); i++ {
		inside := i < len(t.low) && (isLetter(t.low[i]) || t.low[i] == '\'' || t.low[i] == '-') && !t.used[i]
		switch {
		case inside && start < 0:
			start = i
		case !inside && start >= 0:
			if w := strings.Trim(t.plain[start:i], "'-"); w != "" {
				out = append(out, w)
			}
			start = -1
		}
	}
	return out
}

// folded is the message in small letters without marks at its ends and without words of
// courtesy, for whole messages.
func (t *text) folded() string {
	s := strings.Join(strings.FieldsFunc(t.low, func(r rune) bool {
		return strings.ContainsRune(" .,!?;:()\"", r)
	}), " ")
	for {
		was := s
		for _, w := range []string{"please", "pls", "plz", "now", "then", "ok", "okay", "hey", "well", "so", "ji"} {
			s = strings.TrimSpace(strings.TrimSuffix(strings.TrimPrefix(" "+s+" ", " "+w+" "), " "+w+" "))
		}
		if s == was {
			return s
		}
	}
}

// numbers are the words for small numbers, in English and romanised Hindi. "do" is two
// before a noun that is counted only.
const numbers = `\d{1,2}|an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|` +
	`ek|do|teen|char|chaar|paanch|panch|chhe|chah|saat|aath`

// counted are the numbers that mean a number wherever they stand.
const counted = `\d{1,2}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve`

var numberOf = map[string]int{"a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6,
	"seven": 7, "eight": 8, "nine": 9, "ten": 10, "eleven": 11, "twelve": 12, "ek": 1, "do": 2, "teen": 3, "char": 4,
	"chaar": 4, "paanch": 5, "panch": 5, "chhe": 6, "chah": 6, "saat": 7, "aath": 8, "couple": 2, "pair": 2,
	"single": 1}

// number reads a number as digits or as a word; 0 for none.
func number(s string) int {
	s = strings.TrimSpace(s)
	if n, err := strconv.Atoi(s); err == nil {
		return n
	}
	return numberOf[s]
}
