package consent

import (
	_ "embed"
	"slices"
	"strings"
	"sync"

	"github.com/bellhop-ai/bellhop/pkg/vocabulary"
)

// kind is the role of a phrase in an answer.
type kind int

const (
	unknown kind = iota
	assent
	refusal
	courtesy // says neither
	soft     // a yes only where nothing else is said
	neutral  // names the act, and needs a yes beside it
	doubtful // may be either, so nothing is clear
)

//go:embed assent.txt
var assentText string

// phrasebook is the grammar, ready to be looked up in.
type phrasebook struct {
	phrases map[string]kind
	words   map[string]bool // all that phrases are made of
	longest int             // words in a phrase, verbs' phrases included
}

// grammar reads the phrases once.
var grammar = sync.OnceValue(func() phrasebook {
	book := phrasebook{phrases: map[string]kind{}, words: map[string]bool{}, longest: 8}
	kinds := map[string]kind{"yes": assent, "no": refusal, "courtesy": courtesy, "soft": soft}
	for line := range strings.Lines(assentText) {
		name, list, _ := strings.Cut(strings.TrimSpace(line), ": ")
		k, ok := kinds[name]
		if !ok {
			continue
		}
		for phrase := range strings.SplitSeq(list, ", ") {
			phrase = folded(phrase)
			book.phrases[phrase] = k
			parts := strings.Fields(phrase)
			book.longest = max(book.longest, len(parts))
			for _, p := range parts {
				book.words[p] = true
			}
		}
	}
	return book
})

// folded is a phrase in the form in which it is looked up.
func folded(phrase string) string {
	text, _ := fold(strings.ReplaceAll(phrase, "-", " "))
	return text
}

// act has the words that name one kind of act.
type act struct {
	first   []string // the first words of tools' names that mean it
	english []string
	stems   []string // Hindi verbs that end in -o and -na
	loans   []string // words that take "kar do" in Devanagari
	neutral bool     // the words may also turn the question down, or ask for another
}

// acts returns the verbs by which the tools of every assistant are known. A tool
// of another name is known by its own first word.
func acts() []act {
	changing := []string{"update", "edit", "set", "change", "move", "toggle"}
	return []act{
		{first: []string{"create", "add", "make"}, english: []string{"create", "add", "make", "save"},
			stems: []string{"bana", "jod", "बना", "जोड"}, loans: []string{"ऐड", "एड"}},
		{first: changing, english: []string{"update", "save"}, loans: []string{"अपडेट"}},
		{first: changing, english: []string{"change", "edit", "move"}, stems: []string{"badal", "बदल"}, neutral: true},
		{first: []string{"delete", "remove"}, english: []string{"delete", "remove"},
			stems: []string{"hata", "mita", "हटा", "मिटा"}, loans: []string{"डिलीट"}},
		{first: []string{"cancel", "void"}, english: []string{"cancel", "void", "radd"},
			loans: []string{"कैंसल", "कैंसिल", "रद्द"}, neutral: true},
		{first: []string{"send", "mail", "email"}, english: []string{"send", "mail", "email"},
			stems: []string{"bhej", "भेज"}},
	}
}

// ownPhrases returns the phrases that name the assistant, and those that name the
// tool's own act.
func ownPhrases(tool string, own vocabulary.Words) map[string]kind {
	out := map[string]kind{}
	for _, name := range own.Names {
		if name = folded(name); grammar().phrases[name] == unknown {
			out[name] = courtesy
		}
	}
	if tool == "" {
		return out
	}
	first, rest, _ := strings.Cut(vocabulary.ToolWords(tool), " ")
	nouns := nounsOf(rest, own.Nouns)
	known := false
	for _, a := range acts() {
		if slices.Contains(a.first, first) {
			known = true
			a.phrases(nouns, out)
		}
	}
	for _, v := range own.Verbs {
		if slices.Contains(v.Tools, first) || slices.Contains(v.Tools, tool) {
			known = true
			act{english: v.English, loans: v.Loans}.phrases(nouns, out)
		}
	}
	if first == "create" {
		for _, n := range nouns {
			commanded(n, []string{""}, assent, out) // "extra kar do"
		}
	}
	if !known {
		act{english: []string{first}}.phrases(nouns, out)
	}
	act{english: []string{"confirm", "approve"}}.phrases(nouns, out)
	for _, n := range nouns {
		for _, begin := range []string{
			"do the ", "please do the ", "go ahead with the ", "proceed with the ", "i confirm the ", "i approve the ",
		} {
			out[begin+n] = assent
		}
	}
	return out
}

// nounsOf returns what the object of an act may be called: "room types", their
// singular, the last word alone, and what the assistant's people call it.
func nounsOf(object string, own []vocabulary.Noun) []string {
	if object == "" {
		return nil
	}
	out := []string{object, strings.TrimSuffix(object, "s"), object + "s"}
	if i := strings.LastIndexByte(object, ' '); i >= 0 {
		out = append(out, object[i+1:])
	}
	for _, n := range own {
		if strings.Contains(object, n.Object) {
			out = append(out, n.Said...)
		}
	}
	return out
}

// phrases adds the ways to command the act, and to forbid it.
func (a act) phrases(nouns []string, out map[string]kind) {
	yes := assent
	if a.neutral {
		yes = neutral
	}
	objects := []string{"", " it", " that", " this", " them"}
	before := []string{"", "ise ", "isko ", "usko ", "yeh ", "ye ", "इसे ", "इसको ", "यह ", "ये "}
	for _, n := range nouns {
		objects = append(objects, " "+n, " the "+n, " this "+n, " that "+n, " a "+n, " an "+n)
		before = append(before, n+" ")
	}
	for _, v := range a.english {
		for _, o := range objects {
			out[v+o], out["go ahead and "+v+o] = yes, assent
			if a.neutral && o == "" {
				out[v] = doubtful // "kar do cancel" says both
			}
			for _, not := range []string{"don't ", "dont ", "do not ", "please don't ", "please do not "} {
				out[not+v+o] = refusal
			}
		}
		commanded(v, before, yes, out)
	}
	for _, v := range a.loans {
		commanded(v, before, yes, out)
	}
	for _, s := range a.stems {
		latin := s[0] < 0x80
		for _, b := range before {
			switch {
			case latin:
				for _, end := range []string{" do", "do", " dijiye", " dijie", " dena", " den", "o", "iye"} {
					out[b+s+end] = yes
				}
				for _, no := range []string{
					"mat " + s + "o", "mat " + s + "na", "mat " + s + "iye", "na " + s + "o", "nahi " + s + "na",
				} {
					out[b+no] = refusal
				}
			default:
				for _, end := range []string{" दो", " दीजिए", " दीजिये", " देना", " दें", "ो", "ओ", "िए", "इए"} {
					out[b+s+end] = yes
				}
				for _, no := range []string{"मत " + s + "ो", "मत " + s + "ओ", "मत " + s + "ना", "नहीं " + s + "ना"} {
					out[b+no] = refusal
				}
			}
		}
	}
}

// commanded adds "book kar do" and "book mat karo", in both scripts.
func commanded(verb string, before []string, yes kind, out map[string]kind) {
	do := []string{
		"kar do", "kardo", "kar dijiye", "kar dena", "kar de", "karo", "kijiye", "kr do", "krdo",
		"कर दो", "कर दीजिए", "कर दीजिये", "कर देना", "करो", "कीजिए",
	}
	dont := []string{
		"mat karo", "mat karna", "mat kijiye", "nahi karna", "na karo",
		"मत करो", "मत करना", "मत कीजिए", "नहीं करना",
	}
	for _, b := range before {
		for _, d := range do {
			out[b+verb+" "+d] = yes
		}
		for _, d := range dont {
			out[b+verb+" "+d] = refusal
		}
	}
}
