package story

import (
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"
)

// lazily returns what compiles a pattern at its first use.
func lazily(pattern string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(pattern) })
}

// values are how long the job took, how large it is and when it was done, as it was said.
type values struct {
	duration, size, completed string
	durations                 int // how surely the duration is that of the job
	sizes                     int
}

const months = `(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|` +
	`oct(?:ober)?|nov(?:ember)?|dec(?:ember)?|enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|` +
	`octubre|` +
	`noviembre|diciembre)`

var (
	completedForm = lazily(`(?i)\b(?:finished|completed|complete|done|wrapped up|handed (?:it )?over|signed off|` +
		`terminamos|` +
		`acabamos)(?: it| this| up| off| the job| everything| all)*(?: back)? (?:in|by|at the end of|end of|` +
		`early|late|en) ` +
		`((?:(?:early|late|mid) )?(?:` + months + `|spring|summer|autumn|winter)\b(?:,? (?:of |de )?(?:19|` +
		`20)\d\d)?)`)
	finishedForm = lazily(`(?i)\b(?:finished|completed|done|handed over)(?: it)? (` + months + ` (?:19|20)\d\d)\b`)
	monthYear    = lazily(`(?i)\b(?:in|en|since|from) (` + months + ` (?:of |de )?20\d\d)\b`)
	number       = lazily(`^(?:\d+(?:[.,]\d+)?)$`)
	sized        = lazily(`^(\d+(?:[.,]\d+)?)(kw|kwp|sqm|m2|sqft|ft|m)$`)
)

// findValues looks for the values, and marks the clauses that say little else.
func (t *parsed) findValues() {
	for i := range t.clauses {
		c := &t.clauses[i]
		t.findDuration(c)
		t.findSize(c, i)
	}
	if f := completedForm().FindStringSubmatchIndex(t.text); f != nil {
		t.values.completed = t.text[f[2]:f[3]]
		t.markAt(f[0])
	} else if f := finishedForm().FindStringSubmatchIndex(t.text); f != nil {
		t.values.completed = t.text[f[2]:f[3]]
		t.markAt(f[0])
	} else if f := monthYear().FindStringSubmatchIndex(t.text); f != nil {
		t.values.completed = t.text[f[2]:f[3]]
	}
}

// markAt marks the clause at a place of the text, where it is short.
func (t *parsed) markAt(at int) {
	for i := range t.clauses {
		c := &t.clauses[i]
		if t.tokens[c.from].from <= at && at <= t.tokens[c.to-1].to {
			c.value = c.value || c.to-c.from <= 8
		}
	}
}

// findDuration looks for the duration of the job in a clause.
func (t *parsed) findDuration(c *clause) {
	for k := c.from; k < c.to; k++ {
		end := t.durationAt(k, c.to)
		if end == 0 {
			continue
		}
		n := t.durationScore(*c, k, end)
		if n >= 3 {
			c.value, c.took = true, true
		}
		if n >= 3 && (t.values.durations == 0 || n > t.values.durations+1 ||
			n >= t.values.durations && t.corrects(k)) {
			t.values.durations = n
			t.values.duration = t.text[t.tokens[k].from:t.tokens[end-1].to]
		}
		k = end - 1
	}
}

// corrects reports whether what stands before a token takes back what was said.
func (t *parsed) corrects(k int) bool {
	before := wordsOf(t.tokens[max(0, k-5):k])
	for _, p := range []string{" no ", " sorry ", " i mean ", " actually ", " make that ", " correction ",
		" rather ", " matlab "} {
		if strings.Contains(before, p) {
			return true
		}
	}
	return false
}

// durationAt returns where a duration ends that begins at a token; 0 without one.
func (t *parsed) durationAt(k, to int) int {
	i := t.amountAt(k, to)
	if i == 0 {
		// "Day and a half, done."
		if t.halfBehind(k, to) && isTime(t.tokens[k].stem) {
			return k + 4
		}
		if t.tokens[k].word == "fortnight" {
			return k + 1
		}
		return 0
	}
	if slices.Contains([]string{"working", "full", "solid", "long", "short", "single"}, wordAt(t.tokens, i, to)) {
		i++
	}
	if i >= to || !isTime(t.tokens[i].stem) {
		return 0
	}
	i++
	if t.halfBehind(i-1, to) {
		i += 3
	}
	return i
}

// halfBehind reports whether "and a half" stands behind a token.
func (t *parsed) halfBehind(k, to int) bool {
	return wordAt(t.tokens, k+1, to) == "and" && wordAt(t.tokens, k+2, to) == "a" && wordAt(t.tokens, k+3,
		to) == "half"
}

func isTime(stem string) bool {
	return among(`hour day week fortnight month din hafte hafta mahine mahina semana dia mes mese`, stem)
}

// amountAt returns where an amount ends that begins at a token: "three", "3", "three and
// a half", "two to three", "a couple of"; 0 without one.
func (t *parsed) amountAt(k, to int) int {
	one := func(k int) int {
		w := wordAt(t.tokens, k, to)
		switch {
		case w == "":
			return 0
		case w == "half" && wordAt(t.tokens, k+1, to) == "a":
			return k + 2
		case (w == "a" || w == "un" || w == "una") && slices.Contains([]string{"couple", "few", "par"},
			wordAt(t.tokens, k+1, to)):
			if next := wordAt(t.tokens, k+2, to); next == "of" || next == "de" {
				return k + 3
			}
			return k + 2
		case number().MatchString(w):
			return k + 1
		case among(tens(), w) && among("one two three four five six seven eight nine", wordAt(t.tokens, k+1, to)):
			return k + 2
		case among(countWords(), w), among(tens(), w):
			return k + 1
		}
		return 0
	}
	i := one(k)
	if i == 0 {
		return 0
	}
	if t.halfBehind(i-1, to) {
		i += 3
	}
	if slices.Contains([]string{"to", "or", "se", "a", "o"}, wordAt(t.tokens, i, to)) {
		if j := one(i + 1); j > 0 {
			i = j
		}
	}
	return i
}

func countWords() string {
	return `one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
		seventeen eighteen nineteen a an ek do teen char chaar paanch panch chhe saat aath nau das un una dos
			tres cuatro cinco
		seis siete ocho nueve diez doce quince`
}

func tens() string {
	return `twenty thirty forty fifty sixty seventy eighty ninety hundred veinte treinta bees pachees pandrah`
}

// durationScore says how surely a duration is that of the job: 3 and more are sure.
func (t *parsed) durationScore(c clause, k, end int) int {
	at := func(i int) string {
		if i < 0 || i >= len(t.tokens) {
			return ""
		}
		return t.tokens[i].word
	}
	if among(`ago later late old before earlier after notice wait extra more behind apart`, at(end)) &&
		end < c.to {
		return 0
	}
	i := k
	for i > c.from && among(`about around roughly just only nearly almost over under maybe like say
		probably approximately circa ca unos unas total altogether some uh um the a no
		sorry actually mean`, at(i-1)) {
		i--
	}
	before := at(i - 1)
	if i == c.from && !c.goesOn {
		before = ""
	}
	behind := wordsOf(t.tokens[end:min(end+4, len(t.tokens))])
	whole := strings.HasPrefix(behind, " altogether") || strings.HasPrefix(behind, " in total") ||
		strings.HasPrefix(behind, " all in ") || strings.HasPrefix(behind, " start to finish") ||
		strings.HasPrefix(behind, " total ") || strings.HasPrefix(behind, " on site") ||
		strings.HasPrefix(behind, " from start") || strings.HasPrefix(behind, " in all ")
	if t.short() && among("no actually sorry nope correction", t.tokens[0].word) &&
		!hasAny(wordsOf(t.tokens[c.from:k]), "waited|wait|not|for") {
		return 4 // "actually it was four weeks"
	}
	if strings.HasPrefix(behind, " lage ") || strings.HasPrefix(behind, " laga ") || strings.HasPrefix(behind,
		" mein ") {
		return 5
	}
	vague := slices.Contains([]string{"a", "an", "un", "una"}, at(k)) && !slices.Contains([]string{"couple",
		"few"}, at(k+1)) &&
		!t.halfBehind(end-4, c.to) && at(end-1) != "fortnight"
	for n := i - 1; n >= max(c.from, i-5); n-- {
		switch at(n) {
		case "took", "takes", "taken", "lasted", "tardamos", "tardo", "tardaron":
			if at(n-1) == "which" || at(n-1) == "that" || at(end) == "to" &&
				!among("do finish complete build make fit get install", at(end+1)) {
				return 2
			}
			return 5
		case "finished", "completed", "complete", "done":
			if before == "in" {
				return 5
			}
		case "waited", "waiting", "wait", "lost", "spent", "extra", "every", "without", "for", "another",
			"last", "past", "first":
			return 0
		}
	}
	switch {
	case vague && !whole && before != "in" && before != "about": // "four hundred a month"
		return 0
	case whole:
		return 4
	case before == "total" || before == "in" && at(i-2) == "total":
		return 4
	case slices.Contains([]string{"job", "project", "build"}, at(end)) && (before == "a" || at(k) == "a" ||
		before == "was"):
		return 3
	case i == c.from && (!c.goesOn || k == c.from) && t.leads(end):
		return 3 // "Two days and he could park on it."
	case c.from+2 >= i && t.verbless(c, end), i == c.from && !c.goesOn && t.verbless(clause{to: min(c.to,
		end+6)}, end):
		return 3
	}
	return 0
}

// leads reports whether a sentence that begins with a duration goes on, behind it, with
// something else: a mark, "and", "on site", "it took".
func (t *parsed) leads(end int) bool {
	if t.tokens[end-1].comma || t.tokens[end-1].stops || end == len(t.tokens) {
		return true
	}
	return among("and in on with including from all it work start altogether flat done tops", t.tokens[end].word)
}

// verbless reports whether no person does something in a clause, from a token on.
func (t *parsed) verbless(c clause, from int) bool {
	for k := from; k < c.to; k++ {
		w := t.tokens[k].word
		if w != "start" && w != "finish" && (person(w) || tenseOf(t.tokens, k, c.from) != noTense && w != "done") {
			return false
		}
	}
	return true
}

// findSize looks for the size of the job in a clause.
func (t *parsed) findSize(c *clause, index int) {
	for k := c.from; k < c.to; k++ {
		end, n := t.sizeAt(k, *c, index)
		if end == 0 {
			continue
		}
		if n > t.values.sizes {
			t.values.sizes = n
			to := t.tokens[end-1].to
			if rest := t.text[to:]; strings.HasPrefix(rest, "²") {
				to += utf8.RuneLen('²')
			}
			t.values.size = t.text[t.tokens[k].from:to]
			if c.to-c.from <= 8 {
				c.value = true
			}
		}
		k = end - 1
	}
}

// sizeAt returns where a size ends, and how surely it is that of the job; 0 without one.
func (t *parsed) sizeAt(k int, c clause, index int) (end, sureness int) {
	if f := sized().FindStringSubmatch(t.tokens[k].word); f != nil {
		switch f[2] {
		case "sqm", "m2", "sqft":
			return k + 1, 4
		case "kw", "kwp":
			return k + 1, t.power(k+1, c)
		}
		return t.metres(k, k+1, c, index)
	}
	i := t.amountAt(k, c.to)
	if i == 0 || i >= c.to || slices.Contains([]string{"a", "an"}, t.tokens[k].word) || t.lessThan(k, c) {
		return 0, 0
	}
	next, behind := t.tokens[i].stem, ""
	if i+1 < c.to {
		behind = t.tokens[i+1].stem
	}
	switch {
	case (next == "square" || next == "sq") && slices.Contains(lengths(), behind):
		return i + 2, t.areaOf(c, i+2)
	case next == "sqm" || next == "sqft" || next == "m2":
		return i + 1, t.areaOf(c, i+1)
	case next == "metro" && behind == "cuadrado":
		return i + 2, 4
	case next == "kw" || next == "kwp" || next == "kilowatt":
		if behind == "hour" {
			return 0, 0
		}
		return i + 1, t.power(i+1, c)
	case next == "by" || next == "x":
		if j := t.amountAt(i+1, c.to); j > 0 {
			if j < c.to && slices.Contains([]string{"metre", "meter", "foot", "feet", "ft", "m"}, t.tokens[j].stem) {
				return j + 1, t.roomSize(c, index)
			}
		}
		return 0, 0
	}
	return t.metres(k, i, c, index)
}

func lengths() []string {
	return []string{"metre", "meter", "foot", "feet", "yard", "m", "ft"}
}

// lessThan reports whether words before an amount make it no amount: "not even three".
func (t *parsed) lessThan(k int, c clause) bool {
	return k > c.from && (among("even than by", t.tokens[k-1].word) ||
		k > c.from+1 && t.tokens[k-2].word == "by" && among("about around roughly", t.tokens[k-1].word))
}

// areaOf is how surely an area is that of the job, not that of a thing in it.
func (t *parsed) areaOf(c clause, end int) int {
	if wordAt(t.tokens, end, c.to) == "of" || c.from > 0 && c.goesOn {
		return 3
	}
	return 4
}

// power is how surely a power is that of the installation.
func (t *parsed) power(end int, c clause) int {
	next := wordAt(t.tokens, end, c.to)
	solar := strings.Contains(t.folded(), " solar ") || strings.Contains(t.folded(), " panels ")
	if !solar || slices.Contains([]string{"hour", "hours", "heat", "boiler", "battery", "shower", "inverter",
		"charger", "stove"}, next) {
		return 0
	}
	return 3
}

// roomSize is how surely two lengths are those of the job.
func (t *parsed) roomSize(c clause, index int) int {
	if index < 3 {
		return 3
	}
	return 0
}

// metres reads "22 metres of it": a length is the size of what is long.
func (t *parsed) metres(k, i int, c clause, index int) (end, sureness int) {
	end = i
	if i < c.to && slices.Contains([]string{"metre", "meter", "foot", "feet", "yard"}, t.tokens[i].stem) {
		end = i + 1
	} else if sized().FindStringSubmatch(t.tokens[k].word) == nil {
		return 0, 0
	}
	if index > 2 || strings.HasPrefix(wordsOf(t.tokens[end:min(len(t.tokens), end+2)]), " of it ") && index > 4 {
		return 0, 0
	}
	if next := wordAt(t.tokens, end, c.to); among("high tall deep up wide away down thick", next) {
		return 0, 0
	}
	clause := wordsOf(t.tokens[c.from:c.to])
	for _, thing := range []string{" wall ", " fence ", " fencing ", " hedge ", " walling "} {
		if strings.Contains(clause, thing) {
			return end, 3
		}
	}
	return 0, 0
}

func (t *parsed) folded() string {
	if t.words == "" {
		t.words = wordsOf(t.tokens)
	}
	return t.words
}

// takeValues takes the duration, the completion and the size.
func (m *merger) takeValues(t parsed) {
	m.replaceValue("duration", t.values.duration)
	m.replaceValue("completed", t.values.completed)
	m.replaceValue("size", t.values.size)
}
