package rest

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// scanner walks over one parameter. what names the parameter in errors.
type scanner struct {
	what string
	in   string
	pos  int
}

// syntaxError is thrown inside the parsers and caught by catchSyntax: the
// grammar is deep and every branch would otherwise carry the same error.
type syntaxError struct{ err *Error }

func catchSyntax(err *error) {
	if r := recover(); r != nil {
		s, ok := r.(syntaxError)
		if !ok {
			panic(r)
		}
		*err = s.err
	}
}

// attempt runs a parser and returns its error instead of throwing it.
func (s *scanner) attempt(parse func()) (err error) {
	defer catchSyntax(&err)
	parse()
	return nil
}

// failAt ends parsing with PGRST100 at byte position at.
func (s *scanner) failAt(at int, details string) {
	panic(syntaxError{&Error{
		Status:  http.StatusBadRequest,
		Code:    "PGRST100",
		Message: fmt.Sprintf("\"%s\" (line 1, column %d)", s.what, utf8.RuneCountInString(s.in[:at])+1),
		Details: details,
	}})
}

// fail ends parsing here. quote is how the unexpected character is shown:
// a string parser shows "x", a character parser 'x'.
func (s *scanner) fail(quote, expecting string) {
	got := "end of input"
	if !s.end() {
		got = quote + string(s.peek()) + quote
	}
	s.failAt(s.pos, "unexpected "+got+" expecting "+expecting)
}

func (s *scanner) end() bool { return s.pos >= len(s.in) }

func (s *scanner) peek() rune {
	r, _ := utf8.DecodeRuneInString(s.in[s.pos:])
	return r
}

func (s *scanner) has(prefix string) bool { return strings.HasPrefix(s.in[s.pos:], prefix) }

func (s *scanner) accept(prefix string) bool {
	if s.has(prefix) {
		s.pos += len(prefix)
		return true
	}
	return false
}

func (s *scanner) expect(c string) {
	if !s.accept(c) {
		s.fail(`"`, strconv.Quote(c))
	}
}

func (s *scanner) spaces() {
	for s.pos < len(s.in) && (s.in[s.pos] == ' ' || s.in[s.pos] == '\t') {
		s.pos++
	}
}

func isNameRune(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) || r == '_' || r == ' ' || r == '$'
}

const fieldNameText = "field name (* or [a..z0..9_$])"

// tryName reads a field name: quoted, or letters, digits, "_", "$", spaces and
// inner dashes. It reports whether there was one.
func (s *scanner) tryName() (string, bool) {
	if s.has(`"`) {
		start := s.pos
		if v, ok := s.tryQuoted(); ok && v != "" {
			return v, true
		}
		s.pos = start
		return "", false
	}
	start := s.pos
	for !s.end() {
		r, n := utf8.DecodeRuneInString(s.in[s.pos:])
		if isNameRune(r) {
			s.pos += n
			continue
		}
		// A dash belongs to the name unless it begins an arrow.
		if r == '-' && s.pos > start && !s.has("->") {
			if next, _ := utf8.DecodeRuneInString(s.in[s.pos+1:]); isNameRune(next) {
				s.pos++
				continue
			}
		}
		break
	}
	name := strings.TrimSpace(s.in[start:s.pos])
	if name == "" {
		s.pos = start
		return "", false
	}
	return name, true
}

func (s *scanner) name() string {
	n, ok := s.tryName()
	if !ok {
		s.fail(`"`, fieldNameText)
	}
	return n
}

// tryQuoted reads a double-quoted value in which a backslash escapes the next character.
func (s *scanner) tryQuoted() (string, bool) {
	if !s.accept(`"`) {
		return "", false
	}
	var b strings.Builder
	for s.pos < len(s.in) {
		switch c := s.in[s.pos]; c {
		case '"':
			s.pos++
			return b.String(), true
		case '\\':
			s.pos++
			if s.end() {
				return "", false
			}
			_, n := utf8.DecodeRuneInString(s.in[s.pos:])
			b.WriteString(s.in[s.pos : s.pos+n])
			s.pos += n
		default:
			b.WriteByte(c)
			s.pos++
		}
	}
	return "", false
}

// oneOf reads one of the words. On failure it reports, as PostgREST does, the
// first character that differs from the first word, at the place where the
// word begins.
func (s *scanner) oneOf(words ...string) string {
	for _, w := range words {
		if s.accept(w) {
			return w
		}
	}
	best := 0
	for w := words[0]; best < len(w) && s.pos+best < len(s.in) && w[best] == s.in[s.pos+best]; {
		best++
	}
	got := "end of input"
	if s.pos+best < len(s.in) {
		r, _ := utf8.DecodeRuneInString(s.in[s.pos+best:])
		got = `"` + string(r) + `"`
	}
	quoted := make([]string, len(words))
	for i, w := range words {
		quoted[i] = `"` + w + `"`
	}
	s.failAt(s.pos, "unexpected "+got+" expecting "+orList(quoted))
	return ""
}

func orList(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:len(words)-1], ", ") + " or " + words[len(words)-1]
}

// jsonPath reads the arrows that may follow a field name.
func (s *scanner) jsonPath() []jsonStep {
	var path []jsonStep
	for s.has("->") {
		step := jsonStep{text: s.accept("->>")}
		if !step.text {
			s.accept("->")
		}
		step.key, step.index = s.jsonKey()
		path = append(path, step)
	}
	return path
}

func (s *scanner) jsonKey() (key string, index bool) {
	start := s.pos
	negative := s.accept("-")
	digits := s.pos
	for s.pos < len(s.in) && s.in[s.pos] >= '0' && s.in[s.pos] <= '9' {
		s.pos++
	}
	if s.pos > digits {
		if s.end() || s.has("->") || s.has("::") || s.has(".") || s.has(",") || s.has(")") {
			return s.in[start:s.pos], true
		}
		if negative {
			s.fail("'", `digit, "->", "::", ".", "," or end of input`)
		}
	} else if negative {
		s.fail(`"`, "digit")
	}
	s.pos = start
	if s.has(`"`) {
		if v, ok := s.tryQuoted(); ok {
			return v, false
		}
		s.pos = start
	}
	// A key may hold anything but the characters of the grammar, and dashes
	// that begin no arrow.
	for !s.end() && !s.has("->") && !strings.ContainsRune("(:.,>)", s.peek()) {
		_, n := utf8.DecodeRuneInString(s.in[s.pos:])
		s.pos += n
	}
	key = strings.TrimSpace(s.in[start:s.pos])
	if key == "" {
		s.fail(`"`, `"-", digit or any non reserved character different from: .,>()`)
	}
	return key, false
}
