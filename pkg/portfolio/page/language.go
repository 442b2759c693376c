package page

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/bellhop-ai/bellhop/pkg/portfolio/projects"
)

// language is that of a page's texts, with the words that the page itself needs. The
// page has no scripts, so it has one language for all its readers.
type language struct {
	Code string // BCP 47
	RTL  bool
	words
}

// words are the page's own, from templates/words.json.
type words struct {
	Job, Place, Completed, Duration   string
	Materials, Techniques, Topics     string
	Before, During, After             string
	Call, Email, Website, Contact     string
	Glance, Ask, All, Published, None string
	Untitled                          string
	Photo                             string // of a number and a title
	Hello                             string // a message about a title, to a business
	Date                              string // as package time writes it
}

// speak returns the language of a code, with its direction and its words, which are
// English ones where the page has none of the language.
func speak(code string) language {
	l := language{Code: code}
	if all, err := templates(); err == nil { // else nothing is written
		l.words = all.words["en"]
		if w, ok := all.words[code]; ok {
			l.words = w
		}
	}
	switch code {
	case "ar", "fa", "he", "ur":
		l.RTL = true
	}
	return l
}

// Dir is the direction of the document.
func (l language) Dir() string {
	if l.RTL {
		return "rtl"
	}
	return "ltr"
}

// stage names when a photo was taken.
func (l language) stage(s projects.Stage) string {
	switch s {
	case projects.Before:
		return l.Before
	case projects.During:
		return l.During
	case projects.After:
		return l.After
	}
	return ""
}

// photo names a photo that has no description.
func (l language) photo(n int, title string) string { return fmt.Sprintf(l.Photo, n, title) }

// commonIn returns the language of a word that few of its texts do without and that
// the others, as far as they are here, do not have; "" for all other words.
func commonIn(word string) string {
	switch word {
	case "the", "and", "with", "was", "were", "for", "of", "from", "is", "it", "that", "this", "which":
		return "en"
	case "el", "los", "las", "una", "con", "del", "por", "para", "fue", "se", "y", "su", "más", "que":
		return "es"
	case "le", "les", "des", "une", "avec", "dans", "pour", "est", "été", "et", "du", "sur", "nous", "qui":
		return "fr"
	case "der", "die", "das", "und", "mit", "ist", "wurde", "ein", "eine", "den", "dem", "für", "von", "auf":
		return "de"
	}
	return ""
}

// enough is how many bytes of a page's texts tell their language.
const enough = 2000

// languageOf guesses the language of texts by their script and, for Latin ones, by
// their commonest words; "en" where they say too little.
func languageOf(texts ...string) language {
	found := map[string]int{} // letters of a script, and words of a Latin language
	latin, left := 0, enough
	for _, text := range texts {
		text = text[:min(left, len(text))]
		left -= len(text)
		for _, r := range text {
			if r < 0x250 && unicode.IsLetter(r) {
				latin++
			} else if code := scriptOf(r); code != "" {
				found[code]++
			}
		}
		for word := range strings.FieldsFuncSeq(text, func(r rune) bool { return !unicode.IsLetter(r) }) {
			if code := commonIn(strings.ToLower(word)); code != "" {
				found[code]++
			}
		}
	}
	best, most := "en", latin
	for code, n := range found {
		switch code {
		case "en", "es", "fr", "de":
			continue
		case "fa", "ur":
			n *= 20 // letters that Arabic does not have, among those that it has
		}
		if n > most || n == most && best != "en" && code < best {
			best, most = code, n
		}
	}
	if best == "en" {
		for _, code := range []string{"es", "fr", "de"} {
			if found[code] > found[best] {
				best = code
			}
		}
	}
	return speak(best)
}

// scriptOf returns the commonest language of the script of a letter that is not Latin;
// "" for other characters.
func scriptOf(r rune) string {
	switch {
	case r < 0x370, r >= 0x2000 && r < 0x2e80:
		return ""
	case strings.ContainsRune("ٹڈڑںےھ", r):
		return "ur"
	case strings.ContainsRune("پچژگ", r):
		return "fa"
	}
	for _, s := range []struct {
		table *unicode.RangeTable
		code  string
	}{{unicode.Arabic, "ar"}, {unicode.Hebrew, "he"}, {unicode.Devanagari, "hi"}, {unicode.Bengali, "bn"},
		{unicode.Gurmukhi, "pa"}, {unicode.Gujarati, "gu"}, {unicode.Tamil, "ta"}, {unicode.Telugu, "te"},
		{unicode.Kannada, "kn"}, {unicode.Malayalam, "ml"}, {unicode.Greek, "el"}, {unicode.Cyrillic, "ru"},
		{unicode.Thai, "th"}, {unicode.Hangul, "ko"}, {unicode.Hiragana, "ja"}, {unicode.Katakana, "ja"},
		{unicode.Han, "zh"}} {
		if unicode.Is(s.table, r) {
			return s.code
		}
	}
	return ""
}
