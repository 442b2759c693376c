package resolution

import (
	_ "embed"
	"encoding/json"
	"slices"
	"strings"
	"unicode"

	"github.com/bellhop-ai/bellhop/pkg/finance/language"
	"github.com/bellhop-ai/bellhop/pkg/intent"
)

//go:embed explained.txt
var explainedText string

// explained are the words of questions that are no part of a name, folded.
type explained struct {
	words map[string]bool
	near  map[byte][]string // of six letters and more, by the first letter
	parts map[string]bool   // words that also stand in names of products and accounts
}

func readExplained() *explained {
	e := &explained{words: map[string]bool{}, near: map[byte][]string{}, parts: map[string]bool{}}
	into := e.words
	for line := range strings.Lines(explainedText) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		if strings.HasPrefix(line, "[parts]") {
			into = e.parts
			continue
		}
		for w := range strings.FieldsSeq(line) {
			w = foldWord(w)
			into[w] = true
			if len(w) >= 6 && w[0] < 0x80 {
				e.near[w[0]] = append(e.near[w[0]], w)
			}
		}
	}
	return e
}

// explains reports whether a word belongs to the question. of is what a name would name.
func (e *explained) explains(t token, of string) bool {
	if e.parts[t.form] {
		return of != "product" && of != "account"
	}
	if e.words[t.form] {
		return true
	}
	singular := strings.TrimSuffix(t.form, "s")
	if e.words[singular] || e.words[t.form+"s"] || !strings.ContainsFunc(t.text, unicode.IsLetter) {
		return true
	}
	if len(t.form) < 6 || t.form[0] >= 0x80 || unicode.IsUpper(rune(t.text[0])) {
		return false
	}
	return slices.ContainsFunc(e.near[t.form[0]], func(w string) bool { return language.Near(w, t.form) })
}

// name returns the words of a text that no question explains, the longest sequence of
// them, and whether it looks like a name: it has a capital letter that doesn't stand at
// the beginning, or two words.
func (e *explained) name(text, of string) (name string, named bool) {
	all := tokens(text)
	shouts := text == strings.ToUpper(text)
	var best []token
	bestFrom := 0
	for i := 0; i < len(all); {
		j := i
		for j < len(all) && e.inName(all, j, i, of, shouts) {
			j++
		}
		for j > i && joins(all[j-1].form) { // a name doesn't end with "and"
			j--
		}
		run := all[i:j]
		if lettersOf(run) > lettersOf(best) {
			best, bestFrom = run, i
		}
		i = max(j, i+1)
	}
	if len(best) == 0 {
		return "", false
	}
	// A capitalised word before or behind belongs to it: "Royal Bill Mart".
	capital := func(i int) bool {
		return !shouts && i >= 0 && i < len(all) && unicode.IsUpper([]rune(all[i].text)[0]) && !isMonth(all[i].text)
	}
	if from, to := bestFrom, bestFrom+len(best); capital(from) {
		for from > 1 && capital(from-1) && !shouted(all[from-1].text) {
			from--
		}
		for to < len(all) && capital(to) && !shouted(all[to].text) {
			to++
		}
		best = all[from:to]
		named = true
	}
	var words []string
	for _, t := range best {
		words = append(words, t.text)
	}
	return strings.Join(words, " "), named || len(best) > 1
}

// inName reports whether the word at i goes on with a name that begins at from.
func (e *explained) inName(all []token, i, from int, of string, shouts bool) bool {
	t := all[i]
	if !e.explains(t, of) {
		return true
	}
	if i == from {
		return false
	}
	return (joins(t.form) || e.parts[t.form]) && i+1 < len(all) && !e.explains(all[i+1], of)
}

// shouted reports whether a word is an abbreviation, such as GST.
func shouted(w string) bool { return len(w) > 1 && w == strings.ToUpper(w) }

func joins(w string) bool { return w == "and" || w == "&" }

func isMonth(w string) bool { return slices.Contains(monthNames(), w) }

func lettersOf(run []token) int {
	n := 0
	for _, t := range run {
		n += len([]rune(t.text))
	}
	return n
}

// lists are the tools that list what may be named.
func list(of string) (tool, purpose string, searches bool) {
	switch of {
	case "customer":
		return "get_all_customers", "the customer of this name", true
	case "vendor":
		return "get_all_vendors", "the vendor of this name", true
	case "product":
		return "get_products", "the product of this name", true
	case "account":
		return "get_charts_of_accounts", "the account of this name", true
	}
	return "get_bank_accounts", "the bank account of this name", false
}

// record is one of a list.
type record struct {
	Code string `json:"code"`
	Name string `json:"name"`
	Bank string `json:"bank"` // of a bank account
}

// look returns the value for a name: from the sentence, by looking it up. "" leaves the
// argument out.
func (p Plan) look(s Source, results []Result) (value string, call *Call, missing *Missing) {
	if v := p.c.Given[s.Of]; v != "" {
		return v, nil, nil
	}
	name := p.said.name
	if s.Of == "account" {
		name = englishAccount(name)
	}
	if name == "" && s.Default == "leave_out" {
		return "", nil, nil
	}
	if name == "" && s.Default == "ask" {
		return "", nil, &Missing{Kind: NotSaid, Of: s.Of, Question: p.sayWhich(s.Of)}
	}
	var all []record
	tool, purpose, searches := list(s.Of)
	for _, search := range searchesFor(name, searches) {
		arguments := map[string]any{"limit": 100}
		if search != "" {
			arguments["search"] = search
		}
		raw, err := json.Marshal(arguments)
		if err != nil {
			return "", nil, nil
		}
		r := answerOf(results, tool, raw)
		if r == nil {
			return "", &Call{Tool: tool, Purpose: purpose, Arguments: raw, LookUp: true}, nil
		}
		found := recordsOf(r.Answer)
		if name == "" { // the only one there is
			switch {
			case len(found) == 1:
				return "", nil, nil
			case len(found) > 1:
				return "", nil, p.several(SeveralFit, s, found)
			}
			continue
		}
		fit := fitting(name, found)
		switch len(fit) {
		case 0:
			all = append(all, found...)
			continue
		case 1:
			return given(s, fit[0]), nil, nil
		}
		return "", nil, p.several(SeveralFit, s, fit)
	}
	if name == "" {
		return "", nil, nil
	}
	return "", nil, p.several(NotFound, s, similar(name, all))
}

func given(s Source, r record) string {
	if s.Give == "name" || r.Code == "" {
		return r.Name
	}
	return r.Code
}

// searchesFor returns what is searched for in turn: the longest word of a name that
// says something, its beginning, and then everything.
func searchesFor(name string, searches bool) []string {
	out := []string{""}
	if !searches || name == "" {
		return out
	}
	longest := ""
	for _, t := range tokens(name) {
		if !generic(t.latin) && len(t.latin) > len(longest) && t.form == t.latin {
			longest = t.latin
			if w := strings.ToLower(t.text); w[0] < 0x80 {
				longest = w
			}
		}
	}
	if len(longest) >= 3 {
		out = []string{longest, ""}
		if len(longest) > 4 {
			out = []string{longest, longest[:3], ""}
		}
	}
	return out
}

// recordsOf returns the records of a list's answer.
func recordsOf(answer json.RawMessage) []record {
	var fields map[string]json.RawMessage
	if json.Unmarshal(answer, &fields) != nil {
		return nil
	}
	for _, name := range []string{"customers", "vendors", "products", "accounts", "bank_accounts"} {
		var out []record
		if raw, ok := fields[name]; ok && json.Unmarshal(raw, &out) == nil {
			return out
		}
	}
	return nil
}

// fits is from which likeness a record is the one that a name means.
const fits = 0.8

// fitting returns the records that a name means: those of the whole name if there are
// any, else those that have its words.
func fitting(name string, records []record) []record {
	var some, whole []record
	said := tokens(name)
	for _, r := range records {
		if strings.EqualFold(r.Code, name) {
			return []record{r}
		}
		its := tokens(r.Name + " " + r.Bank)
		if likeness(said, its) < fits {
			continue
		}
		some = append(some, r)
		if likeness(its, said) >= fits {
			whole = append(whole, r)
		}
	}
	if len(whole) > 0 {
		return whole
	}
	return some
}

// similar returns at most five records, those first whose names are most like a name.
func similar(name string, records []record) []record {
	said := tokens(name)
	slices.SortStableFunc(records, func(a, b record) int {
		x, y := likeness(said, tokens(a.Name)), likeness(said, tokens(b.Name))
		switch {
		case x > y:
			return -1
		case x < y:
			return 1
		}
		return 0
	})
	var out []record
	for _, r := range records {
		if len(out) < 5 && !slices.Contains(out, r) && likeness(said, tokens(r.Name)) > 0.3 {
			out = append(out, r)
		}
	}
	return out
}

// likeness returns the share of the words of one name that stand in the other, from 0 to
// 1. Words that many names have count less.
func likeness(said, in []token) float64 {
	var sum, all float64
	for _, s := range said {
		weight := 1.0
		if generic(s.latin) {
			weight = 0.25
		}
		all += weight
		best := 0.0
		for _, w := range in {
			best = max(best, alike(company(s.latin), company(w.latin)))
		}
		sum += weight * best
	}
	if all == 0 {
		return 0
	}
	return sum / all
}

// alike returns how much two words are alike, from 0 to 1.
func alike(a, b string) float64 {
	switch {
	case a == b:
		return 1
	case strings.TrimSuffix(a, "s") == strings.TrimSuffix(b, "s"), intent.Sound(a) == intent.Sound(b):
		return 0.95
	case len(a) >= 4 && strings.HasPrefix(b, a), language.Near(a, b):
		return 0.9
	case language.Near(intent.Sound(a), intent.Sound(b)):
		return 0.85
	case len(a) > 3 && len(b) > 3 && consonants(a) == consonants(b) && len(consonants(a)) > 2:
		return 0.85
	}
	return 0
}

// consonants returns a word without vowels: Devanagari and Latin spellings of one name
// differ in them.
func consonants(w string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune("aeiouy", r) {
			return -1
		}
		return r
	}, w)
}

// generic reports whether a word stands in many names of companies.
func generic(w string) bool {
	switch company(w) {
	case "trader", "traders", "store", "stores", "enterprise", "enterprises", "agency", "agencies", "private",
		"limited", "company", "and", "son", "sons", "brothers", "industries", "industry", "works", "mart", "shri",
		"llp",
		"india", "the", "group", "product", "products", "service", "services", "wholesale", "supplier", "suppliers",
		"corporation", "associates", "distributors", "ji", "of",
		"tredars", "stors", "ejensiz", "ejensij", "entarpraijej", "praivet", "bradars", "indastrij", "varks",
		"holsel",
		"sans", "kanpni", "end":
		return true
	}
	return false
}

// company returns the usual form of a word in names of companies.
func company(w string) string {
	switch w {
	case "pvt":
		return "private"
	case "ltd":
		return "limited"
	case "co", "comp":
		return "company"
	case "bros":
		return "brothers"
	case "&":
		return "and"
	case "shre", "shree", "sri", "shri":
		return "shri"
	}
	return w
}

// englishAccount returns the English name of an account.
func englishAccount(name string) string {
	var out []string
	for _, t := range tokens(name) {
		w := t.text
		switch t.latin {
		case "kiraya", "kiraye", "bhada", "kirae":
			w = "rent"
		case "vetan", "tankhvah", "tankhwah", "tanakhvah", "pagar":
			w = "salar"
		case "bijli":
			w = "electricity"
		case "nakad", "nakd", "rokad", "rokar":
			w = "cash"
		case "punji", "punjee":
			w = "capital"
		case "byaj", "sud":
			w = "interest"
		}
		out = append(out, w)
	}
	return strings.Join(out, " ")
}
