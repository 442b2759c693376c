package export

import (
	"html"
	"regexp"
	"strings"
)

// line is a line of light Markdown. Code, quotations and what we do not know
// stay as they are written: nothing that was said is lost.
type line struct {
	level  int // of a heading, 0 for none
	bullet string
	runs   []run
}

// run is a piece of a line in one face.
type run struct {
	text string
	bold bool
}

var (
	headingLine = regexp.MustCompile(`^(#{1,6})\s+(.*)$`)
	bulletLine  = regexp.MustCompile(`^\s*([-*+]|\d{1,3}[.)])\s+(.*)$`)
	linkForm    = regexp.MustCompile(`!?\[([^\[\]]*)\]\((\S*?)\)`)
)

// markup reads a text line by line.
func markup(s string) []line {
	var lines []line
	for text := range strings.SplitSeq(strings.ReplaceAll(s, "\r\n", "\n"), "\n") {
		lines = append(lines, asLine(text))
	}
	return lines
}

func asLine(text string) line {
	var l line
	if m := headingLine.FindStringSubmatch(text); m != nil {
		l.level, text = len(m[1]), m[2]
	} else if m := bulletLine.FindStringSubmatch(text); m != nil {
		if l.bullet, text = m[1], m[2]; strings.ContainsAny(l.bullet, "-*+") {
			l.bullet = "•"
		}
	}
	// A link is its words and its address: a file is read on paper, too.
	text = linkForm.ReplaceAllString(text, "$1 ($2)")
	for i, part := range strings.Split(text, "**") {
		if part != "" {
			l.runs = append(l.runs, run{text: literal(part), bold: i%2 == 1 && strings.Count(text, "**")%2 == 0})
		}
	}
	if strings.Count(text, "**")%2 == 1 { // it opens and does not close: it is no mark
		l.runs = []run{{text: literal(text)}}
	}
	return l
}

// literal undoes the escapes with which the filter of replies makes words
// literal in Markdown.
func literal(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) && strings.IndexByte("\\`*_{}[]()#+-.!|~<>:", s[i+1]) >= 0 {
			i++
		}
		b.WriteByte(s[i])
	}
	return html.UnescapeString(b.String())
}

func (l line) plain() string {
	var b strings.Builder
	if l.bullet != "" {
		b.WriteString(l.bullet + " ")
	}
	for _, r := range l.runs {
		b.WriteString(r.text)
	}
	return b.String()
}
