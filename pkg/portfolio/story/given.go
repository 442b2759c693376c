package story

import (
	"slices"
	"strconv"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/portfolio/privacy"
	"github.com/bellhop-ai/bellhop/pkg/portfolio/projects"
)

// Extracted is what a model made of the person's words. Empty members say nothing.
type Extracted struct {
	Title      string         `json:"title,omitempty"`
	Type       string         `json:"type,omitempty"`
	Place      projects.Place `json:"place,omitzero"`
	Materials  []string       `json:"materials,omitempty"`
	Techniques []string       `json:"techniques,omitempty"`
	Problem    string         `json:"problem,omitempty"`
	Challenge  string         `json:"challenge,omitempty"`
	Solution   string         `json:"solution,omitempty"`
	Result     string         `json:"result,omitempty"`
	Duration   string         `json:"duration,omitempty"`
	Completed  string         `json:"completed,omitempty"`
	Size       string         `json:"size,omitempty"`
	Detail     string         `json:"detail,omitempty"`
}

// Merge returns what a model's extraction changes of the project. said are all messages
// that the person typed or spoke, the oldest first. Each value must be backed by them:
// its figures, its names and its materials were said, and so were most of its words. A
// sentence or a value that is not, or that the person took back, is refused and named in
// Refused. Else Merge does what Read does. It never changes p.
func Merge(p projects.Project, given Extracted, said []string) Reading {
	m := begin(p)
	e := evidenceOf(said, p)
	refuse := func(name, value string) { m.refused = append(m.refused, clip(name+": "+value, 200)) }
	single := func(name, value string, holds func(string) bool, take func(string)) {
		value = oneLine(value)
		switch {
		case value == "":
		case !holds(value) || e.takenBack(name, value):
			refuse(name, value)
		default:
			take(value)
		}
	}
	single("title", clip(given.Title, maxTitle), e.backs, func(v string) {
		if m.title == "" {
			m.title = v
		}
	})
	single("type", clip(given.Type, maxEntry), e.backsType, func(v string) {
		v = strings.ToLower(v)
		if t := typeWords().called(v); t == nil || t != typeWords().called(m.kind) {
			m.set("type", &m.kind, v)
		}
	})
	m.givePlace(given.Place, e, refuse)
	m.giveList("materials", given.Materials, &m.mats, materialWords(), e, refuse)
	m.giveList("techniques", given.Techniques, &m.techs, techniqueWords(), e, refuse)
	for _, f := range []struct{ name, value string }{{"duration", given.Duration}, {"completed", given.Completed},
		{"size", given.Size}} {
		single(f.name, clip(f.value, maxEntry), e.saysAll, func(v string) { m.replaceValue(f.name, v) })
	}
	for _, f := range []struct{ name, value string }{{"problem", given.Problem}, {"challenge", given.Challenge},
		{"solution", given.Solution}, {"result", given.Result}, {"detail", given.Detail}} {
		m.giveText(f.name, f.value, e, refuse)
	}
	return m.done()
}

func oneLine(s string) string { return strings.Join(strings.Fields(clean(s)), " ") }

func (m *merger) givePlace(p projects.Place, e *evidence, refuse func(name, value string)) {
	check := func(value *string) {
		if *value = oneLine(*value); *value != "" && !e.saysPhrase(*value) {
			refuse("place", *value)
			*value = ""
		}
	}
	for _, part := range []*string{&p.Street, &p.District, &p.City, &p.Region, &p.Country} {
		check(part)
	}
	if e.takenBack("place", p.City) {
		refuse("place", p.City)
		return
	}
	if p != (projects.Place{}) {
		m.mergePlace(p, p.City != "")
	}
}

func (m *merger) giveList(name string, given []string, list *[]string, l *lexicon, e *evidence,
	refuse func(name, value string)) {
	for _, v := range given {
		v = clip(oneLine(v), maxEntry)
		switch {
		case v == "":
		case !e.backsEntry(v, l) || e.takenBack(name, v):
			refuse(name, v)
		case slices.ContainsFunc(*list, func(have string) bool {
			t := l.called(have)
			return t != nil && t == l.called(v)
		}):
		default:
			*list = union(*list, v)
		}
	}
}

// giveText adds the sentences of a text that are backed and new.
func (m *merger) giveText(name, text string, e *evidence, refuse func(name, value string)) {
	text = clean(text)
	tokens := tokensOf(text)
	from := 0
	for i, t := range tokens {
		if !t.stops && i < len(tokens)-1 {
			continue
		}
		end := len(text)
		if i < len(tokens)-1 {
			end = tokens[i+1].from
		}
		sentence := oneLine(text[tokens[from].from:end])
		from = i + 1
		sentence = privacy.Redact(sentence)
		switch {
		case sentence == "" || m.told(sentence):
		case !e.backs(sentence):
			refuse(name, sentence)
		default:
			m.add(name, clip(sentence, maxSentence))
		}
	}
}

// told reports whether the story has the words of a sentence already, in one of its
// parts: models say the same again in other words.
func (m *merger) told(sentence string) bool {
	for _, f := range storyFields() {
		have := map[string]bool{}
		for _, t := range tokensOf(*f.of(&m.story)) {
			have[t.stem] = true
		}
		n, all := 0, 0
		for _, t := range tokensOf(sentence) {
			if !small(t.word) {
				all++
				if have[t.stem] {
					n++
				}
			}
		}
		if all > 0 && n*10 >= all*8 {
			return true
		}
	}
	return false
}

// evidence is what the person said, as values are compared with it.
type evidence struct {
	words    map[string]bool // folded words and their stems
	begins   map[string]bool // the first letters of words, for other forms of them
	numbers  map[string]bool
	phrases  string         // all words
	terms    map[*term]bool // materials and techniques that were said of what was done
	dropped  []projects.Note
	anywhere map[*term]bool // all that were said
}

func evidenceOf(said []string, p projects.Project) *evidence {
	e := &evidence{words: map[string]bool{}, begins: map[string]bool{}, numbers: map[string]bool{},
		terms: map[*term]bool{}, anywhere: map[*term]bool{}}
	var b strings.Builder
	m := begin(projects.Project{})
	for _, message := range said {
		t := parse(clean(message), context{begun: true})
		m.take(t)
		// Words that are private are compared too: a place has its street.
		for _, w := range tokensOf(t.text) {
			e.words[w.word], e.words[w.stem] = true, true
			e.begins[beginning(w.stem)] = true
			if n := numberOf(w.word); n != "" {
				e.numbers[n] = true
			}
		}
		b.WriteString(foldedText(t.text))
		e.addTerms(&t)
	}
	e.phrases = strings.ReplaceAll(b.String(), "  ", " ")
	e.dropped = slices.Concat(p.Story.Notes, m.notes)
	return e
}

func (e *evidence) addTerms(t *parsed) {
	for _, c := range t.clauses {
		for _, l := range []*lexicon{materialWords(), techniqueWords(), typeWords()} {
			for _, h := range l.find(t.tokens[c.from:c.to]) {
				e.anywhere[h.term] = true
				if !t.removed(c, h) && !t.negated(c, h) && !t.intended(c, h) && !t.rejected(c) {
					e.terms[h.term] = true
				}
			}
		}
	}
}

// takenBack reports whether a value is one that the person took back.
func (e *evidence) takenBack(name, value string) bool {
	back := false
	for _, n := range e.dropped {
		if n.Field != name || value == "" {
			continue
		}
		switch key(value) {
		case key(n.Was):
			back = true
		case key(n.Is):
			back = false
		}
	}
	return back
}

// backs reports whether a sentence is backed.
func (e *evidence) backs(text string) bool {
	tokens := tokensOf(text)
	for _, h := range materialWords().find(tokens) {
		if !e.anywhere[h.term] {
			return false
		}
	}
	known, all := 0, 0
	for i, t := range tokens {
		if n := numberOf(t.word); n != "" && !e.numbers[n] && t.word != "one" && t.word != "a" && t.word != "an" {
			return false
		}
		first := i == 0 || tokens[i-1].stops
		if t.capital && !first && t.word != "i" && !e.words[t.word] && !e.words[t.stem] {
			return false
		}
		if small(t.word) {
			continue
		}
		all++
		if e.words[t.word] || e.words[t.stem] || len(t.stem) > 4 && e.begins[beginning(t.stem)] {
			known++
		}
	}
	return all == 0 || known*10 >= all*6
}

// saysAll reports whether every word was said, numbers in figures or words.
func (e *evidence) saysAll(text string) bool {
	for _, t := range tokensOf(text) {
		n := numberOf(t.word)
		if n != "" && e.numbers[n] || e.words[t.word] || e.words[t.stem] || unit(t.word) {
			continue
		}
		return false
	}
	return true
}

// unit reports whether a word is a unit or a word that adds nothing.
func unit(w string) bool {
	return among(`square metre metres meter meters feet foot sqm sq m ft about around approx
		approximately and of in the kw`, w)
}

// saysPhrase reports whether the words were said one behind the other.
func (e *evidence) saysPhrase(text string) bool {
	return strings.Contains(e.phrases, foldedText(text))
}

// backsEntry reports whether an entry of a list was said of what was done.
func (e *evidence) backsEntry(text string, l *lexicon) bool {
	tokens := tokensOf(text)
	hits := l.find(tokens)
	for _, h := range hits {
		if !e.terms[h.term] {
			return false
		}
	}
	covered := map[int]bool{}
	for _, h := range hits {
		for k := h.from; k < h.to; k++ {
			covered[k] = true
		}
	}
	for i, t := range tokens {
		if n := numberOf(t.word); n != "" && e.numbers[n] {
			continue
		}
		if !covered[i] && !small(t.word) && !e.words[t.word] && !e.words[t.stem] {
			return false
		}
	}
	return len(tokens) > 0
}

// backsType reports whether a type of job was said, in these or in other words.
func (e *evidence) backsType(text string) bool {
	if t := typeWords().called(text); t != nil && e.anywhere[t] {
		return true
	}
	for _, t := range tokensOf(text) {
		if small(t.word) || among(`renovation remodel refurbishment installation repair replacement
			restoration build construction project job design conversion upgrade makeover`, t.word) {
			continue
		}
		if !e.words[t.word] && !e.words[t.stem] && !(len(t.stem) > 4 && e.begins[beginning(t.stem)]) {
			return false
		}
	}
	return true
}

// beginning are the first letters of a word, which its other forms share.
func beginning(w string) string {
	if r := []rune(w); len(r) > 5 {
		return string(r[:5])
	}
	return w
}

// numberOf returns the figure of a number in figures or words; "" for another word.
func numberOf(w string) string {
	if number().MatchString(w) {
		return strings.ReplaceAll(w, ",", "")
	}
	for i, list := range [][]string{{"one", "ek", "uno", "una"}, {"two", "do", "dos", "couple"}, {"three",
		"teen", "tres"},
		{"four", "char", "chaar", "cuatro"}, {"five", "paanch", "panch", "cinco"}, {"six", "chhe", "seis"},
		{"seven", "saat", "siete"}, {"eight", "aath", "ocho"}, {"nine", "nau", "nueve"}, {"ten", "das",
			"diez"}, {"eleven", "once"},
		{"twelve", "doce"}, {"thirteen"}, {"fourteen", "fortnight"}, {"fifteen", "quince"}, {"sixteen"},
		{"seventeen"},
		{"eighteen"}, {"nineteen"}, {"twenty", "veinte"}} {
		if slices.Contains(list, w) && w != "do" && w != "once" {
			return strconv.Itoa(i + 1)
		}
	}
	for i, w2 := range []string{"thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety", "hundred"} {
		if w == w2 {
			return strconv.Itoa(30 + 10*i)
		}
	}
	return ""
}

// small reports whether a word is a grammatical one.
func small(w string) bool {
	return among(`a an the and or but so of in on at to for with by from as is are was were be been
		being it its this that these those they them their we our us i my me he she his her you your had has
			have having do did
		does done not no into out up down over all also very more which who when where while then than there
			client clients
		customer homeowner owner family couple new`, w)
}
