package render

import (
	"html"
	"net/url"
	"strings"
	"unicode/utf8"
)

// Filter turns the text of a model, as it arrives, into text that may be shown:
//
//   - [[table:t1]] becomes the table of that name, once;
//   - ids that people must not see (UUIDs) are left out;
//   - images are left out, and links become their text unless their host is
//     allowed;
//   - HTML is escaped;
//   - fenced blocks named "card" are left out.
//
// The result is the same however the text is cut into pieces: Push holds back
// only what a longer text could still change. A Filter serves one answer and
// one goroutine.
type Filter struct {
	// Table returns the HTML of a named table and true, or false for a name
	// that there is not. nil means that there are none.
	Table func(name string) (string, bool)
	// Hosts are the hosts to which links may lead.
	Hosts []string

	held  string
	prev  rune // the rune before held, 0 at the start
	inner bool // inside a fenced card block
	fence bool // inside another fenced block, where nothing is markup
	table bool // what next returned is a table
	gap   bool // a table was shown last, and what follows begins anew
	ends  int  // line ends at the end of what was shown
	wrote bool
	out   strings.Builder
}

// The longest constructs that are recognised; longer ones are plain text.
const (
	maxReference = 64
	maxLink      = 2048
)

// Push adds a piece and returns what can be shown now.
func (f *Filter) Push(piece string) string {
	f.held += piece
	return f.drain(false)
}

// Close returns the rest. The Filter is then empty.
func (f *Filter) Close() string { return f.drain(true) }

func (f *Filter) drain(final bool) string {
	f.out.Reset()
	for f.held != "" {
		n, text, wait := f.next(final)
		if wait {
			break
		}
		if !f.inner {
			f.write(text)
		}
		f.prev, _ = utf8.DecodeLastRuneInString(f.held[:n])
		f.held = f.held[n:]
	}
	return f.out.String()
}

// write shows a piece. A table gets one blank line on both sides, so that it is
// a block of its own in Markdown, however many the model wrote.
func (f *Filter) write(text string) {
	if f.table {
		f.table = false
		if f.wrote {
			f.out.WriteString(strings.Repeat("\n", max(0, 2-f.ends)))
		}
		f.out.WriteString(text)
		f.wrote, f.gap, f.ends = true, true, 0
		return
	}
	if f.gap {
		if text = strings.TrimLeft(text, "\n"); text != "" {
			text = "\n\n" + text
		}
	}
	if text == "" {
		return
	}
	f.out.WriteString(text)
	rest := strings.TrimRight(text, "\n")
	if rest != "" {
		f.ends = 0
	}
	f.ends += len(text) - len(rest)
	f.wrote, f.gap = true, false
}

// next reads one construct at the start of held: how many bytes it takes and
// what is shown for them, or that more text is needed to tell.
func (f *Filter) next(final bool) (n int, show string, wait bool) {
	atLine := f.prev == 0 || f.prev == '\n'
	switch c := f.held[0]; {
	case c == '`' && atLine:
		return f.fenced(final)
	case f.inner:
		return f.line()
	case c == '<' || c == '>' && !atLine || c == '&':
		return f.markup(c, atLine)
	case f.fence && c != '[':
	case c == '[' && strings.HasPrefix(f.held, "[["):
		return f.reference(final)
	case c == '[':
		if len(f.held) == 1 && !final {
			return 0, "", true
		}
		return f.link(0, final)
	case c == '!':
		if len(f.held) == 1 && !final {
			return 0, "", true
		}
		if strings.HasPrefix(f.held, "![") {
			return f.link(1, final)
		}
	}
	if isHex(rune(f.held[0])) && !isWord(f.prev) {
		return f.id(final)
	}
	return f.plain()
}

// plain takes everything up to the next byte that could begin a construct.
func (f *Filter) plain() (int, string, bool) {
	_, size := utf8.DecodeRuneInString(f.held)
	i := size
	word := isWord(rune(f.held[0]))
	for i < len(f.held) {
		c := f.held[i]
		if strings.IndexByte("`<>&[!\n", c) >= 0 || f.held[i-1] == '\n' || isHex(rune(c)) && !word {
			break
		}
		word = isWord(rune(c))
		i++
	}
	return i, f.held[:i], false
}

// line takes one line of a block that is left out.
func (f *Filter) line() (int, string, bool) {
	if i := strings.IndexByte(f.held, '\n'); i >= 0 {
		return i + 1, "", false
	}
	return len(f.held), "", false
}

func (f *Filter) markup(c byte, atLine bool) (int, string, bool) {
	if c == '>' && atLine {
		return 1, ">", false // a quotation
	}
	return 1, html.EscapeString(string(c)), false
}

// fenced reads the line that opens or closes a fenced block.
func (f *Filter) fenced(final bool) (int, string, bool) {
	i := strings.IndexByte(f.held, '\n')
	if i < 0 {
		// Whether this is a fence is known after three marks, and which one at
		// the line's end.
		if !final && (strings.HasPrefix("```", f.held) || strings.HasPrefix(f.held, "```")) && len(f.held) < maxReference {
			return 0, "", true
		}
		i = len(f.held) - 1
	}
	if !strings.HasPrefix(f.held, "```") {
		return 1, "`", false
	}
	line := f.held[:i+1]
	name := strings.TrimSpace(strings.TrimLeft(line, "`"))
	switch {
	case f.inner && name == "":
		f.inner = false
		return len(line), "", false
	case f.inner:
		return len(line), "", false
	case f.fence && name == "":
		f.fence = false
	case !f.fence && strings.EqualFold(name, "card"):
		f.inner = true
		return len(line), "", false
	case !f.fence:
		f.fence = true
	}
	return len(line), html.EscapeString(line), false
}

// reference reads [[table:name]].
func (f *Filter) reference(final bool) (int, string, bool) {
	end := strings.Index(f.held, "]]")
	if end < 0 {
		if !final && len(f.held) < maxReference && !strings.Contains(f.held, "\n") {
			return 0, "", true
		}
		return 2, "[[", false
	}
	name, ok := strings.CutPrefix(f.held[2:end], "table:")
	if !ok || end > maxReference || strings.Contains(name, "\n") {
		return 2, "[[", false
	}
	if f.Table == nil {
		return end + 2, "", false
	}
	table, ok := f.Table(strings.TrimSpace(name))
	if !ok {
		return end + 2, "", false
	}
	f.table = true
	return end + 2, table, false
}

// link reads [text](target), or the image of it when mark is 1.
func (f *Filter) link(mark int, final bool) (int, string, bool) {
	middle := strings.Index(f.held, "](")
	closed := strings.IndexAny(f.held[mark+1:], "]\n")
	if middle < 0 || closed >= 0 && mark+1+closed < middle {
		// No "](" yet: wait for it, unless the bracket has closed otherwise.
		open := closed < 0 || mark+1+closed == len(f.held)-1 && f.held[len(f.held)-1] == ']'
		if !final && open && len(f.held) < maxLink {
			return 0, "", true
		}
		return mark + 1, f.held[:mark+1], false
	}
	end := strings.IndexAny(f.held[middle:], ")\n")
	if end < 0 || f.held[middle+end] == '\n' {
		if !final && end < 0 && len(f.held) < maxLink {
			return 0, "", true
		}
		// An unclosed target is no link for any reader, but its address must
		// not stand there either.
		return middle + 2, html.EscapeString(f.held[mark+1:middle]) + " ", false
	}
	text := html.EscapeString(f.held[mark+1 : middle])
	target := f.held[middle+2 : middle+end]
	if mark == 0 && f.allowed(target) {
		return middle + end + 1, "[" + text + "](" + target + ")", false
	}
	return middle + end + 1, text, false
}

func (f *Filter) allowed(target string) bool {
	u, err := url.Parse(target)
	if err != nil || u.Scheme != "https" || u.User != nil {
		return false
	}
	for _, h := range f.Hosts {
		if strings.EqualFold(u.Host, h) {
			return true
		}
	}
	return false
}

// id reads a word that begins like a UUID.
func (f *Filter) id(final bool) (int, string, bool) {
	const length = 36
	i := 0
	for i < len(f.held) && i < length && uuidAt(f.held[i], i) {
		i++
	}
	switch {
	case i == length:
		if len(f.held) == length && !final {
			return 0, "", true // the next byte tells whether the word ends
		}
		if len(f.held) == length || !isWord(rune(f.held[length])) {
			return length, "", false
		}
	case i == len(f.held) && !final:
		return 0, "", true
	}
	return f.plain()
}

func uuidAt(c byte, i int) bool {
	if i == 8 || i == 13 || i == 18 || i == 23 {
		return c == '-'
	}
	return isHex(rune(c))
}

func isHex(r rune) bool { return r >= '0' && r <= '9' || r >= 'a' && r <= 'f' || r >= 'A' && r <= 'F' }

func isWord(r rune) bool {
	return r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r == '_'
}
