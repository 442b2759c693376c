package main

import (
	"fmt"
	"html"
	"io"
	"strings"
	"unicode"

	"github.com/bellhop-ai/bellhop/pkg/render"
)

// screen is where answers are shown. Whatever comes from outside is cleaned
// before it is written: no character of it moves the cursor, changes a colour
// or turns the direction of the text.
type screen struct {
	out, err io.Writer
	steps    io.Writer // nil where steps are not shown
	colours  bool
	width    func() int // 0 is no bound
	held     string     // the end of a text that the next piece may change
	ends     string     // the end of what was written
	bold     bool
}

func newScreen(d console, o options) *screen {
	s := &screen{out: d.out, err: d.err, width: func() int { return 0 }}
	if d.shows {
		s.width, s.colours = d.width, d.env("NO_COLOR") == "" && d.env("TERM") != "dumb"
	}
	switch {
	case d.shows && d.asks && o.question == "":
		s.steps = d.out
	case o.steps:
		s.steps = d.err
	}
	return s
}

// clean makes a text harmless to a terminal. Line ends stay.
func clean(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\u200c' || r == '\u200d': // Hindi and emoji are written with joiners
			return r
		case r == '\t':
			return ' '
		case unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || r == '\u2028' || r == '\u2029':
			return '\ufffd'
		}
		return r
	}, text)
}

// oneLine is clean for what must not begin a line of its own.
func oneLine(text string) string { return strings.ReplaceAll(clean(text), "\n", " ") }

func (s *screen) write(text string) {
	if text == "" {
		return
	}
	fmt.Fprint(s.out, text)
	s.ends = (s.ends + text)[max(0, len(s.ends)+len(text)-2):]
}

// line ends the line that is being written, if there is one.
func (s *screen) line() {
	if s.ends != "" && !strings.HasSuffix(s.ends, "\n") {
		s.write("\n")
	}
}

// say writes a piece of an answer: Markdown, of which only the marks are left
// out that a terminal can do without.
func (s *screen) say(piece string) {
	text := s.held + piece
	s.held = ""
	// A mark may come in two pieces.
	if n := len(text) - len(strings.TrimRight(text, `*\`)); n > 0 {
		text, s.held = text[:len(text)-n], text[len(text)-n:]
	}
	s.write(s.plain(text))
}

// rest writes what say held back.
func (s *screen) rest() {
	text := s.held
	s.held = ""
	s.write(s.plain(text))
	if s.bold {
		s.bold = false
		s.paint("\x1b[0m")
	}
}

// plain reads marks and escapes: ** is bold, a backslash makes the next sign
// itself, entities are what they stand for.
func (s *screen) plain(text string) string {
	var b strings.Builder
	for text != "" {
		i := strings.IndexAny(text, `*\`)
		if i < 0 {
			b.WriteString(clean(html.UnescapeString(text)))
			break
		}
		b.WriteString(clean(html.UnescapeString(text[:i])))
		text = text[i:]
		switch {
		case strings.HasPrefix(text, "**"):
			text, s.bold = text[2:], !s.bold
			if s.colours {
				b.WriteString(map[bool]string{true: "\x1b[1m", false: "\x1b[0m"}[s.bold])
			}
		case len(text) > 1 && text[0] == '\\' && strings.IndexByte("\\`*_[]#|~:.!", text[1]) >= 0:
			b.WriteByte(text[1])
			text = text[2:]
		default:
			b.WriteByte(text[0])
			text = text[1:]
		}
	}
	return b.String()
}

func (s *screen) paint(code string) {
	if s.colours {
		fmt.Fprint(s.out, code)
	}
}

// step writes what happens meanwhile, in a quiet colour.
func (s *screen) step(format string, args ...any) {
	if s.steps == nil {
		return
	}
	text := oneLine(fmt.Sprintf(format, args...))
	if s.steps == s.out {
		s.line()
	}
	if s.colours && s.steps == s.out {
		text = "\x1b[2m" + text + "\x1b[0m"
	}
	fmt.Fprintln(s.steps, text)
	if s.steps == s.out {
		s.ends = "\n"
	}
}

// trouble says what went wrong.
func (s *screen) trouble(text string) {
	s.line()
	fmt.Fprintln(s.err, "chat: "+oneLine(text))
}

// note says something of our own.
func (s *screen) note(text string) {
	s.line()
	s.write(text + "\n")
}

// table writes a table as aligned text.
func (s *screen) table(t render.Table) {
	s.line()
	s.write(layout(t, s.width()))
}
