package places

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// Mention is a place that a text names.
type Mention struct {
	Start, End int // in bytes of the text
	// Candidates are what the name may mean, as Lookup returns them. There is at least
	// one.
	Candidates []Place
}

// Bounds of what is read of one text.
const (
	longestText = 4000
	mostWords   = 6  // of a name
	mostRunes   = 12 // of a name in a script that writes no spaces
)

// The least importance that a name needs to be taken for a place.
const (
	leastSmall   = 12.0 // in small letters without a preposition
	leastOpening = 11.5 // in capitals at the beginning of a sentence
	leastWord    = 10.0 // an ordinary word as well

	leastMisspelt = 14.0 // a near spelling, less what its wrong letters take
)

// Find returns the places that a sentence names, in their order. An ordinary word or
// one that is also a code ("nice", "reading", "may", "sun") is taken for a place only
// where the sentence shows it: with a capital inside the sentence, or after a
// preposition such as "from". Near spellings are read after a preposition, of large
// cities. Of a long text the first 4000 bytes are read.
func Find(text string) []Mention {
	d := data()
	if len(text) > longestText {
		text = text[:longestText]
		for len(text) > 0 && !utf8.ValidString(text[max(0, len(text)-4):]) {
			text = text[:len(text)-1]
		}
	}
	f := finder{d: d, text: text}
	f.split()
	for i := 0; i < len(f.words); {
		i = f.at(i)
	}
	return f.found
}

// finder reads one text.
type finder struct {
	d     *table
	text  string
	words []word
	cased bool // capitals mean something: not all letters are capitals, nor all words
	found []Mention
	last  int // the word after the last mention, -1 before the first
	key   [longestName + 8]byte
}

// at reads the words from i and returns where to go on.
func (f *finder) at(i int) int {
	w := &f.words[i]
	if w.technical && !w.capital {
		return i + 1
	}
	if w.dense {
		f.dense(w)
		return i + 1
	}
	var room [mostMatches]match
	for n := min(mostWords, len(f.words)-i); n >= 1; n-- {
		if f.parted(i, n) {
			continue
		}
		key := f.join(i, n)
		end := f.words[i+n-1].to
		found := f.d.exact(room[:0], key)
		if n == 1 && len(found) == 0 {
			found, end = f.possessive(room[:0], w)
		}
		if n == 1 {
			found = f.code(found, i)
		}
		if len(found) == 0 && n == 1 && f.afterPreposition(i) {
			found = f.near(room[:0], i)
		}
		if len(found) == 0 || !f.meant(i, n, found) {
			continue
		}
		next := i + n
		found, next, end = f.qualify(found, next, end)
		found = f.d.rank(found, gapAbroad, gapAtHome)
		if !f.merge(i, end, found) {
			f.add(w.from, end, found)
		}
		f.last = next
		return next
	}
	return i + 1
}

// parted reports whether something stands between n words from i that cannot be
// inside of a name.
func (f *finder) parted(i, n int) bool {
	for _, w := range f.words[i+1 : i+n] {
		if w.apart || w.dense {
			return true
		}
	}
	return false
}

// join returns the folded words as one name.
func (f *finder) join(i, n int) []byte {
	key := append(f.key[:0], f.words[i].folded...)
	for _, w := range f.words[i+1 : i+n] {
		if len(key)+len(w.folded) > longestName {
			return nil
		}
		key = append(key, ' ')
		key = append(key, w.folded...)
	}
	return key
}

// near looks up a near spelling of a long word after a preposition. Only large cities
// are meant by one, and no word that English has.
func (f *finder) near(found []match, i int) []match {
	w := &f.words[i]
	if _, listed := f.d.ordinary[w.folded]; listed || len(w.folded) < 6 {
		return nil
	}
	found = f.d.misspelt(found, append(f.key[:0], w.folded...), 1)
	return slices.DeleteFunc(found, func(m match) bool {
		return m.score < leastMisspelt || m.also && m.score < leastMisspelt+oneLetter
	})
}

// merge makes one mention of a city and its airport: "New York JFK", "Paris Orly".
func (f *finder) merge(i, end int, found []match) bool {
	if f.last != i || len(f.found) == 0 || f.words[i].apart || len(found) != 1 {
		return false
	}
	last := &f.found[len(f.found)-1]
	airport := f.d.place(found[0].of)
	if airport.Kind != Airport || !slices.ContainsFunc(last.Candidates, func(p Place) bool {
		return p.Kind == City && (slices.Contains(p.Airports, airport.Code) || p.Name == airport.City)
	}) {
		return false
	}
	last.End, last.Candidates = end, []Place{airport}
	return true
}

// possessive looks up "London" of "London's".
func (f *finder) possessive(found []match, w *word) ([]match, int) {
	text := f.text[w.from:w.to]
	at := strings.IndexFunc(text, isApostrophe)
	if at < 2 {
		return nil, w.to
	}
	if _, listed := f.d.ordinary[Fold(text[:at])]; listed {
		return nil, w.to
	}
	return f.d.exact(found, appendFolded(f.key[:0], text[:at])), w.from + at
}

// code adds what has the word as its code, where the sentence shows that it is one:
// in capitals among small letters, or beside "from" or "to".
func (f *finder) code(found []match, i int) []match {
	w := &f.words[i]
	text := f.text[w.from:w.to]
	if len(text) != 3 || strings.ToLower(text) != w.folded && w.folded != "saint" || w.technical {
		return found
	}
	capitals := text == strings.ToUpper(text)
	never, listed := f.d.ordinary[strings.ToLower(text)]
	switch {
	case len(found) > 0 && !listed:
	case listed && (never || !capitals || !f.cased || !f.beside(i)):
		return found
	case !w.capital && !f.beside(i):
		return found
	case w.capital && !capitals:
		return found
	case capitals && !f.beside(i) && (!f.cased && len(f.words) > 3 || !f.d.largeCode(text)):
		return found // of three letters in capitals most are abbreviations
	}
	return f.d.coded(found, text)
}

// beside reports whether a word stands after "from" or "to", or after a place and
// a dash, or is followed by "to" and another code.
func (f *finder) beside(i int) bool {
	if i > 0 && (slices.Contains([]string{"from", "to", "via", "ex"}, f.words[i-1].folded) ||
		f.last == i && !f.words[i].technical) {
		return true
	}
	last := f.words[i].to
	if i+2 < len(f.words) && f.words[i+1].folded == "to" {
		i++
		last = f.words[i].to
	}
	if i+1 < len(f.words) && strings.Trim(f.text[last:f.words[i+1].from], " -–—>→") == "" {
		next := &f.words[i+1]
		text := f.text[next.from:next.to]
		if c, ok := packCode(text); ok && next.to-next.from == 3 {
			_, listed := f.d.ordinary[strings.ToLower(text)]
			_, airport := f.d.airportByCode(c)
			_, city := f.d.cityByCode(c)
			return !listed && (airport || city)
		}
	}
	return false
}

// meant reports whether a name of n words from i is meant as a place.
func (f *finder) meant(i, n int, found []match) bool {
	w := &f.words[i]
	best := 0.0
	for _, m := range found {
		best = max(best, m.score)
	}
	ordinary := true
	for _, w := range f.words[i : i+n] {
		never, listed := f.d.ordinary[w.folded]
		if never && n == 1 {
			return false
		}
		ordinary = ordinary && (listed || len(w.folded) < 3 && w.folded != "la" && w.folded != "sf")
	}
	capital := w.capital && f.cased
	after := f.afterPreposition(i)
	switch {
	case ordinary && n > 1:
		return capital && !w.opening && best >= leastWord || after && f.last != i && best >= leastSmall
	case !ordinary && n > 1:
		return capital || after || best >= leastSmall-2
	case !ordinary && capital && !w.opening:
		return true
	case !ordinary && after:
		return true
	case !ordinary && capital:
		return best >= leastOpening
	case !ordinary:
		return (best >= leastSmall || !ascii(w.folded)) && !f.afterArticle(i)
	case best < leastWord:
		return false
	case capital && !w.opening && (after || !f.titled(i)):
		return true
	case after:
		return f.endsPhrase(i + n)
	}
	// "Nice to London", "nice-london"
	return i+n+1 < len(f.words) && f.words[i+n].folded == "to" && f.known(i+n+1)
}

// afterArticle reports whether a word stands after "the", "my" and the like, which no
// name of a city does.
func (f *finder) afterArticle(i int) bool {
	return i > 0 && slices.Contains([]string{"the", "a", "an", "my", "your", "his", "her", "our", "their", "this",
		"that"}, f.words[i-1].folded)
}

// titled reports whether the words around one begin with capitals as well, as in a
// heading.
func (f *finder) titled(i int) bool {
	before := i == 0 || f.words[i-1].capital || f.words[i-1].opening
	after := i+1 == len(f.words) || f.words[i+1].capital
	return before && after && len(f.words) > 1
}

// known reports whether the word at i is surely a place.
func (f *finder) known(i int) bool {
	var room [mostMatches]match
	if _, listed := f.d.ordinary[f.words[i].folded]; listed {
		return false
	}
	for n := min(3, len(f.words)-i); n >= 1; n-- {
		if found := f.d.exact(room[:0], f.join(i, n)); len(found) > 0 {
			return true
		}
	}
	return false
}

// afterPreposition reports whether a preposition of place stands before a word, or
// "and" or a dash after another place.
func (f *finder) afterPreposition(i int) bool {
	if i == 0 {
		return false
	}
	if f.last == i {
		return true
	}
	before := f.words[i-1].folded
	switch before {
	case "from", "to", "in", "at", "near", "via", "towards", "around", "visit", "visiting", "into", "through", "over",
		"leaving", "reach", "reaching", "outside", "between", "de", "nach", "von", "aus", "a", "à":
		if before == "to" && i > 1 && slices.Contains(infinitives(), f.words[i-2].folded) {
			return false
		}
		if before == "in" && i > 1 && strings.HasPrefix(f.words[i-2].folded, "interest") {
			return false
		}
		return len(before) > 1
	case "and", "or", "then", "und", "et", "y", "aur":
		return f.last == i-1
	}
	return false
}

// infinitives are words after which "to" begins a verb.
func infinitives() []string {
	return []string{"want", "like", "love", "need", "able", "going", "used", "have", "has", "had", "wish", "hope",
		"plan", "try", "ready", "happy", "glad", "nice"}
}

// endsPhrase reports whether nothing follows that an ordinary word would belong to:
// the end, a preposition, a number, a day.
func (f *finder) endsPhrase(i int) bool {
	if i >= len(f.words) || f.words[i].apart {
		return true
	}
	w := f.words[i].folded
	never, listed := f.d.ordinary[w]
	return listed && never || w[0] >= '0' && w[0] <= '9' || f.known(i)
}

// qualify narrows matches by a country or region that follows: "Portland, Maine".
func (f *finder) qualify(found []match, next, end int) ([]match, int, int) {
	for n := min(3, len(f.words)-next); n >= 1; n-- {
		if f.parted(next, n) {
			continue
		}
		key := f.join(next, n)
		areas := f.d.index.areas()[string(key)]
		if len(areas) == 0 || len(key) < 3 && !f.abbreviates(next) {
			continue
		}
		within := f.d.within(slices.Clone(found), areas)
		if len(within) > 0 {
			return within, next + n, f.words[next+n-1].to
		}
	}
	return found, next, end
}

// abbreviates reports whether a word of two letters is an abbreviation: in capitals
// among small letters, or after a comma.
func (f *finder) abbreviates(i int) bool {
	w := &f.words[i]
	text := f.text[w.from:w.to]
	return text == strings.ToUpper(text) && (f.cased || w.apart)
}

// dense looks for names inside a run of letters without spaces.
func (f *finder) dense(w *word) {
	text := f.text[w.from:w.to]
	var room [mostMatches]match
	for i := 0; i < len(text); {
		_, size := utf8.DecodeRuneInString(text[i:])
		end, runes := i, 0
		var best []match
		bestEnd := 0
		for end < len(text) && runes < mostRunes {
			_, n := utf8.DecodeRuneInString(text[end:])
			end += n
			runes++
			if runes < 2 {
				continue
			}
			if found := f.d.exact(room[:0], appendFolded(f.key[:0], text[i:end])); len(found) > 0 {
				best, bestEnd = append(best[:0], found...), end
			}
		}
		if len(best) > 0 {
			f.add(w.from+i, w.from+bestEnd, f.d.rank(best, gapAbroad, gapAtHome))
			i = bestEnd
			continue
		}
		i += size
	}
}

func (f *finder) add(from, to int, found []match) {
	list := make([]Place, len(found))
	for i, m := range found {
		list[i] = f.d.place(m.of)
	}
	f.found = append(f.found, Mention{from, to, list})
}

func ascii(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}
