package sheet

import (
	"bytes"
	"errors"
	"io"
	"strconv"
	"unicode/utf8"
)

var (
	errXML   = errors.New("not the XML that is expected")
	errInput = errors.New("more than is read")
)

// maxTag bounds a tag, and a piece of text: what is longer is no part of a
// workbook that a program for people wrote.
const maxTag = 256 << 10

// scanner reads the tags and texts of a document as they come. It knows no
// namespaces, entities of a document's own, or character sets: workbooks have
// none, and what has them is refused. It is several times quicker than
// encoding/xml, which a hostile file would make work for seconds.
type scanner struct {
	in   io.Reader
	buf  []byte
	from int // what is before it in buf is read
	text []byte
	eof  bool
	err  error
}

func newScanner(in io.Reader) *scanner { return &scanner{in: in, buf: make([]byte, 0, maxTag)} }

// fill reads more, and reports whether there was any.
func (s *scanner) fill() bool {
	if s.eof || s.err != nil {
		return false
	}
	if s.from > 0 {
		s.buf = s.buf[:copy(s.buf, s.buf[s.from:])]
		s.from = 0
	}
	if len(s.buf) == cap(s.buf) {
		s.err = errInput
		return false
	}
	n, err := s.in.Read(s.buf[len(s.buf):cap(s.buf)])
	s.buf = s.buf[:len(s.buf)+n]
	if errors.Is(err, io.EOF) {
		s.eof = true
	} else if err != nil {
		s.err = err
	}
	return n > 0
}

// until returns what stands before the sign, which is passed. It is valid until
// the next call.
func (s *scanner) until(sign string) ([]byte, bool) {
	for looked := 0; ; {
		rest := s.buf[s.from:]
		if i := bytes.Index(rest[looked:], []byte(sign)); i >= 0 {
			s.from += looked + i + len(sign)
			return rest[:looked+i], true
		}
		looked = max(0, len(rest)-len(sign)+1)
		if !s.fill() && (s.eof || s.err != nil) {
			return rest, false
		}
	}
}

// token is a tag, or the text before one.
type token struct {
	name   string // without its prefix; "" for a text
	end    bool   // a closing tag
	closed bool   // an opening tag that closes itself
	attrs  []byte
	text   []byte
}

// next returns the next tag, and the text before it; false at the end or after
// an error. The token is valid until the next call.
func (s *scanner) next() (token, bool) {
	for {
		text, ok := s.until("<")
		if !ok {
			return token{}, false
		}
		s.text = append(s.text[:0], text...)
		if bytes.IndexByte(s.text, '&') >= 0 {
			if s.text, ok = unescape(s.text); !ok {
				s.err = errXML
				return token{}, false
			}
		}
		tag, ok := s.until(">")
		if bytes.HasPrefix(tag, []byte("!--")) && !bytes.HasSuffix(tag, []byte("--")) {
			_, ok = s.until("-->")
			tag = []byte("?")
		}
		switch {
		case !ok:
			s.err = errors.Join(s.err, errXML)
			return token{}, false
		case bytes.HasPrefix(tag, []byte("?")), bytes.HasPrefix(tag, []byte("!--")):
			continue
		case bytes.HasPrefix(tag, []byte("!")): // a DOCTYPE, with entities perhaps
			s.err = errXML
			return token{}, false
		}
		t := token{text: s.text}
		if t.end = bytes.HasPrefix(tag, []byte("/")); t.end {
			tag = tag[1:]
		}
		if bytes.HasSuffix(tag, []byte("/")) {
			t.closed, tag = true, tag[:len(tag)-1]
		}
		name := tag
		if i := bytes.IndexAny(tag, " \t\r\n"); i >= 0 {
			name, t.attrs = tag[:i], tag[i:]
		}
		if i := bytes.IndexByte(name, ':'); i >= 0 {
			name = name[i+1:]
		}
		t.name = known(name)
		return t, true
	}
}

// known returns the names that matter without making a string of each tag.
func known(name []byte) string {
	switch string(name) {
	case "c":
		return "c"
	case "v":
		return "v"
	case "t":
		return "t"
	case "row":
		return "row"
	case "si":
		return "si"
	case "is":
		return "is"
	case "f":
		return "f"
	}
	return string(name)
}

// attr returns an attribute of the tag, "" for none.
func (t token) attr(name string) string {
	rest := t.attrs
	for {
		rest = bytes.TrimLeft(rest, " \t\r\n")
		i := bytes.IndexByte(rest, '=')
		if i < 0 {
			return ""
		}
		key := bytes.TrimSpace(rest[:i])
		rest = bytes.TrimLeft(rest[i+1:], " \t\r\n")
		if len(rest) == 0 || rest[0] != '"' && rest[0] != '\'' {
			return ""
		}
		j := bytes.IndexByte(rest[1:], rest[0])
		if j < 0 {
			return ""
		}
		value := rest[1 : 1+j]
		rest = rest[2+j:]
		if string(key) == name {
			plain, ok := unescape(bytes.Clone(value))
			if !ok {
				return ""
			}
			return string(plain)
		}
	}
}

// unescape replaces the entities of a text in place.
func unescape(b []byte) ([]byte, bool) {
	out := b[:0]
	for i := 0; i < len(b); {
		if b[i] != '&' {
			out = append(out, b[i])
			i++
			continue
		}
		j := bytes.IndexByte(b[i:min(len(b), i+12)], ';')
		if j < 0 {
			return nil, false
		}
		name := string(b[i+1 : i+j])
		i += j + 1
		switch name {
		case "amp":
			out = append(out, '&')
		case "lt":
			out = append(out, '<')
		case "gt":
			out = append(out, '>')
		case "quot":
			out = append(out, '"')
		case "apos":
			out = append(out, '\'')
		default:
			r, ok := number(name)
			if !ok {
				return nil, false
			}
			out = utf8.AppendRune(out, r)
		}
	}
	return out, true
}

func number(name string) (rune, bool) {
	if len(name) < 2 || name[0] != '#' {
		return 0, false
	}
	digits, base := name[1:], 10
	if digits[0] == 'x' || digits[0] == 'X' {
		digits, base = digits[1:], 16
	}
	n, err := strconv.ParseUint(digits, base, 32)
	return rune(n), err == nil && n <= utf8.MaxRune
}
