package history

import (
	"fmt"
	"unicode/utf8"

	"github.com/bellhop-ai/bellhop/pkg/llm"
)

// Tokens estimates how many tokens a model reads for a text, without knowing
// the model: four letters or spaces are one, two other ASCII characters are one
// (JSON and numbers are dense), and so is every other character. For English
// and JSON that is near the truth, for other languages above it.
func Tokens(text string) int {
	n := 0
	for i := range len(text) {
		n += quarters(text[i])
	}
	return (n + 3) / 4
}

// quarters is what a byte adds, in quarters of a token.
func quarters(c byte) int {
	switch {
	case 'a' <= c && c <= 'z', c == ' ', 'A' <= c && c <= 'Z':
		return 1
	case c < utf8.RuneSelf:
		return 2
	case utf8.RuneStart(c):
		return 4
	}
	return 0
}

// forMessage is what a message costs besides its text.
const forMessage = 4

// forImage is about what a picture costs.
const forImage = 1000

// Size estimates the tokens of a list of messages.
func Size(messages []llm.Message) int {
	n := 0
	for _, m := range messages {
		n += size(m)
	}
	return n
}

func size(m llm.Message) int {
	n := forMessage + Tokens(m.Text) + forImage*len(m.Images)
	for _, c := range m.Calls {
		n += forMessage + Tokens(c.Name) + Tokens(c.Arguments)
	}
	return n
}

// most is what the messages cost at most. It takes no look at their texts: no
// byte is more than half a token.
func most(lists ...[]llm.Message) int {
	n := 0
	for _, list := range lists {
		for _, m := range list {
			n += forMessage + mostOf(m.Text) + forImage*len(m.Images)
			for _, c := range m.Calls {
				n += forMessage + mostOf(c.Name) + mostOf(c.Arguments)
			}
		}
	}
	return n
}

func mostOf(text string) int { return len(text)/2 + 1 }

// Tokens estimates the tokens of the state without the message's text: its
// calls and their results.
func (s State) Tokens() int { return Size(messagesOf(s.Steps, 0)) }

// Clip returns a text of about that many tokens: a longer text loses its
// middle, and a note marks the gap. The end stays because a request often
// follows the text it is about.
func Clip(text string, tokens int) string {
	if mostOf(text) <= tokens || Tokens(text) <= tokens {
		return text
	}
	const note = 16 // tokens of the sentence
	left := max(0, tokens-note)
	head := left * 2 / 3
	from, to := 0, len(text)
	for n := 0; from < len(text) && n+quarters(text[from]) <= 4*head; from++ {
		n += quarters(text[from])
	}
	for n := 0; to > from && n+quarters(text[to-1]) <= 4*(left-head); to-- {
		n += quarters(text[to-1])
	}
	// No character is cut in two.
	for from > 0 && from < len(text) && !utf8.RuneStart(text[from]) {
		from--
	}
	for to < len(text) && !utf8.RuneStart(text[to]) {
		to++
	}
	return text[:from] + fmt.Sprintf(" [… %d characters are left out here …] ",
		utf8.RuneCountInString(text[from:to])) + text[to:]
}
