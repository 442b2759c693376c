package privacy

import (
	"regexp"
	"slices"
	"sync"
)

// named finds people who are named with their title, or as the client. A name without
// either is not told from that of a town or a trade mark.
var named = sync.OnceValue(func() *regexp.Regexp {
	const name = `\p{Lu}[\p{L}'’-]+(?: \p{Lu}[\p{L}'’-]+)?`
	return regexp.MustCompile(`\b(?:(?:Mr|Mrs|Ms|Mx|Dr|Miss|Mister|Shri|Smt|Frau|Herr|Señora?|Madame|Monsieur)\.? ` +
		name + `|(?:[Cc]lient|[Cc]ustomer|[Oo]wner)(?:['’]s name)?(?: is| was)?(?: called| named) ` + name + `)`)
})

// Names returns the people that a text names with a title, as in "Mrs Lindqvist", or as the
// client, as they stand there, each once. What is found is no Finding: an owner may name
// people who agreed.
func Names(text string) []string {
	var out []string
	for _, n := range named().FindAllString(text, -1) {
		if !slices.Contains(out, n) {
			out = append(out, n)
		}
	}
	return out
}

// WithoutNames returns a text with "the client" for each of Names.
func WithoutNames(text string) string { return named().ReplaceAllString(text, "the client") }
