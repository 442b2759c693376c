package writer

import (
	_ "embed"
	"strings"
	"unicode"
)

// headings are those of the sections of a page by rules, in the order of the story.
type headings struct{ problem, challenge, solution, result, more, materials, size string }

// headingsIn returns the headings in a language, English ones for one without.
func headingsIn(code string) headings {
	var out headings
	for line := range strings.Lines(headingWords) {
		h := strings.Split(strings.TrimSpace(line), "|")
		if len(h) == 8 && (h[0] == code || h[0] == "en") {
			out = headings{h[1], h[2], h[3], h[4], h[5], h[6], h[7]} // English ones stand first
		}
	}
	return out
}

//go:embed words/headings.txt
var headingWords string

// commonIn returns the language of a word that few of its texts do without, "" for other
// words; "hi-Latn" is Hindi in Latin letters.
func commonIn(w string) string {
	switch w {
	case "the", "and", "with", "was", "were", "for", "of", "from", "is", "it", "that", "this", "we", "they", "had",
		"to", "i":
		return "en"
	case "el", "los", "las", "una", "con", "del", "por", "para", "fue", "y", "su", "que", "cliente":
		return "es"
	case "le", "les", "des", "une", "avec", "dans", "pour", "est", "et", "du", "sur", "nous", "qui":
		return "fr"
	case "der", "die", "das", "und", "mit", "ist", "wurde", "ein", "eine", "den", "dem", "von", "auf", "wir":
		return "de"
	case "mein", "hai", "ke", "ka", "ki", "kiya", "liye", "aur", "tha", "thi", "laga", "lagaya", "lagaye", "naye",
		"naya", "purane", "purana", "se", "ko", "ne":
		return "hi-Latn"
	}
	return ""
}

// languageOf guesses the language of texts; "en" where they say too little, "" for one
// that is not known here.
func languageOf(texts []string) string {
	found := map[string]int{}
	latin, foreign := 0, 0
	for _, text := range texts {
		for _, r := range text {
			switch {
			case unicode.Is(unicode.Devanagari, r):
				found["hi"]++
				foreign++
			case unicode.Is(unicode.Latin, r):
				latin++
			case unicode.IsLetter(r):
				foreign++
			}
		}
		for _, w := range word.FindAllString(fold(text), -1) {
			if code := commonIn(w); code != "" {
				found[code]++
			}
		}
	}
	if foreign > latin {
		if found["hi"]*2 > foreign {
			return "hi"
		}
		return ""
	}
	best := "en"
	for _, code := range strings.Fields("es fr de hi-Latn") {
		if found[code] > found[best]+1 {
			best = code
		}
	}
	return best
}
