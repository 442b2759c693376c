package fault

import (
	"regexp"
	"strings"
)

const (
	maxForeign  = 300 // bytes of another system's words that a log takes
	maxWord     = 32  // longer ones are keys and tokens
	leastDigits = 6   // of what identifies a person, such as a card or a passport
)

var (
	quoted  = regexp.MustCompile(`"[^"]*"|'[^']*'|` + "`[^`]*`" + `|\([^)]*\)|«[^»]*»|“[^”]*”`)
	numbers = regexp.MustCompile(`\+?\d[\d ./-]*\d`)
)

// Foreign returns what a log may hold of another system's message. Such a
// message can repeat what a user typed: what it quotes is left out, and so are
// addresses, long numbers and anything of the length of a key.
func Foreign(text string) string {
	text = quoted.ReplaceAllString(text, "…")
	words := strings.Fields(text)
	for i, w := range words {
		if len(w) > maxWord || strings.ContainsAny(w, "@=") || digits(w) >= leastDigits {
			words[i] = "…"
		}
	}
	text = strings.Join(words, " ")
	text = numbers.ReplaceAllStringFunc(text, func(n string) string {
		if digits(n) >= leastDigits {
			return "…"
		}
		return n
	})
	if len(text) > maxForeign {
		text = strings.ToValidUTF8(text[:maxForeign], "") + " …"
	}
	return text
}

func digits(s string) int {
	n := 0
	for i := range len(s) {
		if '0' <= s[i] && s[i] <= '9' {
			n++
		}
	}
	return n
}
