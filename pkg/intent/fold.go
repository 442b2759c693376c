package intent

import (
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/bellhop-ai/bellhop/pkg/plaintext"
)

// Bounds of what is read of one sentence. What lies beyond them is ignored.
const (
	maxBytes  = 2000
	maxTokens = 64
	maxWord   = 32
)

// class says what a token stands for.
type class uint8

const (
	word   class = iota
	number       // "12", "twelve", "bara"
	moment       // "9:30", "5pm"
	date         // "12/05/2026", "2025-26", "monday", "january"
	amount       // "$20", "2.5 lakh"
	code         // "K7QMPX", a document number
)

// token is a word in comparable form, or the stand-in of an entity.
type token struct {
	from, to int // in sentence.buf
	class    class
	hash     uint64
}

// sentence is a text in comparable form. It is scratch memory: fold overwrites it.
type sentence struct {
	buf    []byte
	raw    []byte
	tokens []token
	words  []lexeme
	feats  []feature
}

// fold puts text into comparable form: compatible characters unified, invisible
// ones removed, lookalike letters as the Latin ones, small letters, Devanagari
// in Latin letters, and entities replaced by their class.
func (s *sentence) fold(text string) {
	s.buf, s.raw, s.tokens = s.buf[:0], s.raw[:0], s.tokens[:0]
	if len(text) > maxBytes {
		text = text[:maxBytes]
	}
	plain := true
	for i := range len(text) {
		plain = plain && text[i] < utf8.RuneSelf && text[i] >= ' '
	}
	if plain {
		s.raw = append(s.raw, text...)
	} else {
		s.raw = norm.NFKC.AppendString(s.raw, plaintext.Clean(text))
	}
	for i := 0; i < len(s.raw) && len(s.tokens) < maxTokens; {
		i = s.next(i)
	}
	s.classify()
}

// next reads the token at i and returns where to go on.
func (s *sentence) next(i int) int {
	from := len(s.buf)
	deva := false
	for i < len(s.raw) {
		c := s.raw[i]
		switch {
		case c >= 'a' && c <= 'z' || c >= '0' && c <= '9':
			s.buf = append(s.buf, c)
		case c >= 'A' && c <= 'Z':
			s.buf = append(s.buf, c+'a'-'A')
		case c == '\'':
			// "what's" and "whats" are one word.
		case c == '.' || c == ',' || c == ':' || c == '/' || c == '-':
			// Inside a number they belong to it.
			if i == 0 || i+1 >= len(s.raw) || !digit(s.raw[i-1]) || !digit(s.raw[i+1]) {
				return s.end(from, i+1, deva)
			}
			if c != ',' {
				s.buf = append(s.buf, c)
			}
		case c == '$' || c == '%':
			if len(s.buf) > from {
				return s.end(from, i, deva)
			}
			s.buf = append(s.buf, c)
			return s.end(from, i+1, deva)
		case c < utf8.RuneSelf:
			return s.end(from, i+1, deva)
		default:
			r, n := utf8.DecodeRune(s.raw[i:])
			switch {
			case r == '’':
			case r >= '०' && r <= '९':
				s.buf = append(s.buf, byte('0'+r-'०'))
			case r >= 0x900 && r < 0x964:
				if !deva && len(s.buf) > from {
					return s.end(from, i, deva)
				}
				deva = true
				s.buf = utf8.AppendRune(s.buf, r)
			case r == '₹' || r == '€' || r == '£':
				if len(s.buf) > from {
					return s.end(from, i, deva)
				}
				s.buf = append(s.buf, '$')
				return s.end(from, i+n, deva)
			case unicode.IsLetter(r) || unicode.IsDigit(r):
				s.buf = utf8.AppendRune(s.buf, unicode.ToLower(r))
			case unicode.IsMark(r):
			case unicode.IsSymbol(r):
				if len(s.buf) > from {
					return s.end(from, i, deva)
				}
				s.buf = utf8.AppendRune(s.buf, r)
				return s.end(from, i+n, deva)
			default:
				return s.end(from, i+n, deva)
			}
			i += n
			continue
		}
		i++
	}
	return s.end(from, i, deva)
}

// end closes the token that begins at from in buf.
func (s *sentence) end(from, next int, deva bool) int {
	if len(s.buf) == from {
		return next
	}
	if deva {
		s.latinise(from)
	}
	if len(s.buf)-from > maxWord {
		s.buf = s.buf[:from+maxWord]
	}
	s.tokens = append(s.tokens, token{from: from, to: len(s.buf)})
	return next
}

func digit(c byte) bool { return c >= '0' && c <= '9' }

func (s *sentence) text(t token) []byte { return s.buf[t.from:t.to] }

// hash returns the hash of the tokens from i to j, which is the same for the same
// words in the same order.
func (s *sentence) hash(i, j int) uint64 {
	h := uint64(offset64)
	for _, t := range s.tokens[i:j] {
		h = hashStep(h, t.hash)
	}
	return h
}
