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

// words are the page's own.
type words struct {
	Job, Place, Completed, Duration   string
	Materials, Techniques, Topics     string
	Before, During, After             string
	Call, Email, Website, Contact     string
	Glance, Ask, All, Published, None string
	Untitled                          string
	Photo                             string // of a number and a title
	Hello                             string // a message about a title, to a business
	date                              string // as package time writes it
}

// English has the words of pages whose language has none here.
func english() words {
	return words{"Job", "Place", "Completed", "Time taken", "Materials", "Techniques", "Topics", "Before", "During",
		"After", "Call", "E-mail", "Website", "Contact", "The job at a glance", "Ask about a job like this", "All work by",
		"Published", "No work is shown here yet.", "Untitled work", "Photo %d of %s",
		"Hello, I have seen “%s” and would like to ask about a job.", "2 January 2006"}
}

// wordsOf returns the words of a language.
func wordsOf(code string) words {
	switch code {
	case "es":
		return words{"Trabajo", "Lugar", "Terminado", "Duración", "Materiales", "Técnicas", "Temas", "Antes", "Durante",
			"Después", "Llamar", "Correo", "Sitio web", "Contacto", "El trabajo en breve", "Preguntar por un trabajo así",
			"Todos los trabajos de", "Publicado el", "Aquí todavía no hay trabajos.", "Trabajo sin título", "Foto %d de %s",
			"Hola, he visto «%s» y quisiera preguntar por un trabajo.", "2/1/2006"}
	case "fr":
		return words{"Travaux", "Lieu", "Terminé", "Durée", "Matériaux", "Techniques", "Sujets", "Avant", "Pendant", "Après",
			"Appeler", "E-mail", "Site web", "Contact", "Le chantier en bref", "Demander un tel chantier",
			"Tous les chantiers de", "Publié le", "Aucun chantier n’est encore présenté.", "Chantier sans titre",
			"Photo %d de %s", "Bonjour, j’ai vu « %s » et j’aimerais parler d’un chantier.", "2/1/2006"}
	case "de":
		return words{"Arbeit", "Ort", "Fertig", "Dauer", "Material", "Technik", "Themen", "Vorher", "Währenddessen",
			"Nachher", "Anrufen", "E-Mail", "Website", "Kontakt", "Die Arbeit im Überblick", "Nach so einer Arbeit fragen",
			"Alle Arbeiten von", "Veröffentlicht am", "Hier werden noch keine Arbeiten gezeigt.", "Arbeit ohne Titel",
			"Foto %d von %s", "Guten Tag, ich habe „%s“ gesehen und möchte nach einer Arbeit fragen.", "2.1.2006"}
	case "hi":
		return words{"काम", "जगह", "पूरा हुआ", "समय लगा", "सामग्री", "तकनीक", "विषय", "पहले", "काम के दौरान", "बाद में",
			"फ़ोन करें", "ईमेल", "वेबसाइट", "संपर्क", "काम एक नज़र में", "ऐसे काम के बारे में पूछें", "सारा काम:", "प्रकाशित",
			"यहाँ अभी कोई काम नहीं दिखाया गया है।", "बिना शीर्षक का काम", "फ़ोटो %d, %s",
			"नमस्ते, मैंने “%s” देखा और एक काम के बारे में पूछना चाहता हूँ।", "2/1/2006"}
	case "ar":
		return words{"العمل", "المكان", "اكتمل في", "المدة", "المواد", "التقنيات", "المواضيع", "قبل", "أثناء العمل", "بعد",
			"اتصال", "البريد الإلكتروني", "الموقع", "التواصل", "العمل في لمحة", "اسأل عن عمل مثل هذا", "كل أعمال",
			"نُشر في", "لا توجد أعمال معروضة هنا بعد.", "عمل بلا عنوان", "صورة %d من %s",
			"مرحبًا، رأيت «%s» وأود أن أسأل عن عمل.", "2/1/2006"}
	}
	return english()
}

// speak returns the language of a code, with its direction and its words.
func speak(code string) language {
	l := language{Code: code, words: wordsOf(code)}
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
