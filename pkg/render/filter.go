package render

import (
	"net/url"
	"regexp"
	"strings"
	"unicode/utf8"
)

// Filter turns the text of a model, as it arrives, into text that may be shown:
//
//   - [[table:t1]] becomes the table of that name, once;
//   - ids that people must not see (UUIDs) become "…";
//   - no image is left, and no link but one of the plain form
//     [words](https://host/…) to an allowed host: other targets and bare
//     addresses are left out, and brackets that could still make a link are
//     escaped;
//   - HTML is escaped;
//   - fenced blocks named "card" are left out;
//   - those named "params" and "clarification" are forms: they are shown whole
//     when they are well made, and are plain text otherwise. Where Form takes
//     them, they are left out, also those that are not well made.
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
	// Form, if not nil, gets the forms that are well made, in their order, to be
	// shown outside of the text.
	Form func(Form)

	half  string // the beginning of a letter whose other bytes are to come
	held  string
	prev  rune // the rune before held, 0 at the start
	inner bool // inside a fenced card block
	read  int  // how much of a form at the start of held was read already
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
	f.held += f.half + piece
	whole := len(f.held) - halfLetter(f.held)
	f.held, f.half = f.held[:whole], f.held[whole:]
	return f.drain(false)
}

// halfLetter returns how many bytes at the end of s begin a letter and do not
// end it.
func halfLetter(s string) int {
	for n := 1; n <= min(len(s), utf8.UTFMax-1); n++ {
		if b := s[len(s)-n]; utf8.RuneStart(b) {
			if b < utf8.RuneSelf || utf8.FullRuneInString(s[len(s)-n:]) {
				return 0
			}
			return n
		}
	}
	return 0
}

// Close returns the rest. The Filter is then empty.
func (f *Filter) Close() string {
	f.held, f.half = f.held+f.half, ""
	return f.drain(true)
}

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
// what is shown for them, or that more text is needed to tell. Nothing is
// exempt inside code: where code ends is for each reader to say, and we need
// not agree with all of them.
func (f *Filter) next(final bool) (n int, show string, wait bool) {
	atLine := f.prev == 0 || f.prev == '\n'
	more := len(f.held) > 1 || final // what follows is known
	switch c := f.held[0]; {
	case c == '`' && atLine:
		return f.fenced(final)
	case f.inner:
		return f.line()
	case c == '>' && atLine:
		return 1, ">", false // a quotation
	case c == '<' || c == '>' || c == '&':
		return 1, escapeHTML(string(c)), false
	case strings.IndexByte("[]!\\:", c) >= 0 && !more:
		return 0, "", true
	case c == '[' && strings.HasPrefix(f.held, "[["):
		return f.reference(final)
	case c == '[':
		return f.link(final)
	case c == ']' && strings.ContainsAny(f.held[1:min(2, len(f.held))], "([:"):
		return 1, `\]`, false // the end of a link's words, or of a reference's name
	case c == '!' && strings.HasPrefix(f.held, "!["):
		return 1, "", false // an image becomes, at most, a link
	case c == '\\':
		return f.escape()
	case c == ':':
		return f.address(final)
	case c == 'w' || c == 'W':
		return f.www(final)
	case isHex(c):
		return f.id(final)
	}
	return f.plain()
}

// plain takes everything up to the next byte that could begin a construct.
func (f *Filter) plain() (int, string, bool) {
	_, i := utf8.DecodeRuneInString(f.held)
	for i < len(f.held) {
		c := f.held[i]
		if strings.IndexByte("`<>&[]!\\:wW\n", c) >= 0 || f.held[i-1] == '\n' || isHex(c) {
			break
		}
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

// fenced reads the line that opens or closes a fenced block.
func (f *Filter) fenced(final bool) (int, string, bool) {
	i := strings.IndexByte(f.held, '\n')
	ends := i >= 0 || final
	if i < 0 {
		// Whether this is a fence is known after three marks, and which one at
		// the line's end.
		if !final && (strings.HasPrefix("```", f.held) || strings.HasPrefix(f.held, "```")) &&
			len(f.held) < maxReference {
			return 0, "", true
		}
		i = len(f.held) - 1
	}
	if !strings.HasPrefix(f.held, "```") {
		return 1, "`", false
	}
	name := strings.TrimSpace(strings.TrimLeft(f.held[:i+1], "`"))
	known := ends && i < maxReference
	switch {
	case f.inner:
		f.inner = name != "" || !known
		return i + 1, "", false
	case !known:
	case strings.EqualFold(name, "card"):
		f.inner = true
		return i + 1, "", false
	case name == "params" || name == "clarification":
		return f.form(name, i+1, final)
	}
	return 3, "```", false // the rest of the line is text like any other
}

// reference reads [[table:name]].
func (f *Filter) reference(final bool) (int, string, bool) {
	end := strings.Index(f.held, "]]")
	if end < 0 && !final && len(f.held) < maxReference && !strings.Contains(f.held, "\n") {
		return 0, "", true
	}
	name, ok := "", false
	if end >= 0 {
		name, ok = strings.CutPrefix(f.held[2:end], "table:")
	}
	if !ok || end >= maxReference || strings.Contains(name, "\n") {
		return f.link(final)
	}
	if f.Table != nil {
		if table, ok := f.Table(strings.TrimSpace(name)); ok {
			f.table = true
			return end + 2, table, false
		}
	}
	return end + 2, "", false
}

// link reads [words](target) in its plainest form. Anything else that begins
// with a bracket is text; what could make it a link is broken where it stands.
func (f *Filter) link(final bool) (int, string, bool) {
	stop := strings.IndexAny(f.held[1:], "[]\\\n`")
	if stop < 0 {
		if !final && len(f.held) < maxLink {
			return 0, "", true
		}
		return 1, "[", false
	}
	middle := stop + 1
	if f.held[middle] != ']' || middle > maxLink {
		return 1, "[", false
	}
	if len(f.held) == middle+1 && !final {
		return 0, "", true
	}
	if !strings.HasPrefix(f.held[middle:], "](") {
		return 1, "[", false
	}
	end := strings.IndexAny(f.held[middle+2:], ")(\n <>[]\\")
	if end < 0 {
		if !final && len(f.held) < 2*maxLink {
			return 0, "", true
		}
		return 1, "[", false
	}
	if f.held[middle+2+end] != ')' || middle+2+end > 2*maxLink {
		return 1, "[", false
	}
	// The words are filtered like any text; they hold no brackets.
	words := Filter{}
	text := words.Push(f.held[1:middle]) + words.Close()
	target := f.held[middle+2 : middle+2+end]
	if f.allowed(target) {
		text = "[" + text + "](" + target + ")"
	}
	return middle + end + 3, text, false
}

func (f *Filter) allowed(target string) bool {
	u, err := url.Parse(target)
	if err != nil || u.Scheme != "https" || u.User != nil || uuidShape.MatchString(target) {
		return false
	}
	for _, h := range f.Hosts {
		if strings.EqualFold(u.Host, h) {
			return true
		}
	}
	return false
}

// escape reads a backslash with what it escapes, so that an escape of the
// model's and one of ours never undo each other.
func (f *Filter) escape() (int, string, bool) {
	if len(f.held) > 1 && strings.IndexByte("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~", f.held[1]) >= 0 {
		return 2, `\` + escapeHTML(f.held[1:2]), false
	}
	return 1, `\`, false
}

// address leaves out what follows "://", which readers make a link of.
func (f *Filter) address(final bool) (int, string, bool) {
	if strings.HasPrefix("://", f.held) && len(f.held) < 3 && !final {
		return 0, "", true
	}
	if !strings.HasPrefix(f.held, "://") {
		return 1, ":", false
	}
	end := strings.IndexAny(f.held, " \t\n)]>\"'")
	if end < 0 {
		if !final && len(f.held) < maxLink {
			return 0, "", true
		}
		end = len(f.held)
	}
	return min(end, maxLink), ": (address left out)", false
}

// www breaks an address without a scheme.
func (f *Filter) www(final bool) (int, string, bool) {
	const mark = "www."
	n := min(len(f.held), len(mark))
	if !strings.EqualFold(f.held[:n], mark[:n]) {
		return f.plain()
	}
	if n < len(mark) {
		if final {
			return f.plain()
		}
		return 0, "", true
	}
	return n, f.held[:3] + `\.`, false
}

var uuidShape = regexp.MustCompile(`(?i)[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`)

// id leaves out a UUID wherever one stands.
func (f *Filter) id(final bool) (int, string, bool) {
	const length = 36
	i := 0
	for i < len(f.held) && i < length && uuidAt(f.held[i], i) {
		i++
	}
	switch {
	case i == length:
		// A mark stays, so that what stood apart does not come together.
		return length, "…", false
	case i == len(f.held) && !final:
		return 0, "", true
	}
	return f.plain()
}

func uuidAt(c byte, i int) bool {
	if i == 8 || i == 13 || i == 18 || i == 23 {
		return c == '-'
	}
	return isHex(c)
}

func isHex(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F'
}
