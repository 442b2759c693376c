package mcptools

import "unicode/utf8"

// closed makes JSON of the beginning of a JSON text: what is open is closed,
// and a member or a number that is not complete is left out. It returns nil when
// nothing can be read of it.
func closed(b []byte) []byte {
	s := scan{b: b}
	for s.i < len(b) && s.step() {
	}
	out := make([]byte, 0, len(b)+len(s.open)+1)
	switch {
	case s.text && !s.key:
		out = append(append(out, whole(b[:s.safe])...), '"')
	case s.good == 0:
		return nil
	default:
		out = append(out, b[:s.good]...)
	}
	for i := len(s.open) - 1; i >= 0; i-- {
		out = append(out, s.open[i])
	}
	return out
}

// scan reads a JSON text byte by byte.
type scan struct {
	b       []byte
	i       int
	open    []byte // what closes the objects and lists that are open
	good    int    // the end of the last complete value, or of an opening sign
	safe    int    // the end of the last complete sign of a text
	text    bool   // within a text
	key     bool   // which names a member
	naming  bool   // the next text names a member
	literal bool   // within a number, true, false or null
}

// step reads on. It returns false at the end of the outermost value and where an
// escape sequence is not complete.
func (s *scan) step() bool {
	c := s.b[s.i]
	if s.text {
		return s.inText(c)
	}
	if s.literal && (c == ',' || c == ']' || c == '}' || c <= ' ') {
		s.literal, s.good = false, s.i
	}
	switch c {
	case '"':
		s.text, s.key = true, s.naming
		s.safe = s.i + 1
	case '{', '[':
		s.open = append(s.open, c+2) // '}' and ']' stand two after them
		s.naming, s.good = c == '{', s.i+1
	case '}', ']':
		if len(s.open) == 0 {
			return false
		}
		s.open, s.good = s.open[:len(s.open)-1], s.i+1
		if len(s.open) == 0 {
			return false
		}
	case ',':
		s.naming = len(s.open) > 0 && s.open[len(s.open)-1] == '}'
	case ':':
		s.naming = false
	default:
		s.literal = s.literal || c > ' '
	}
	s.i++
	return true
}

func (s *scan) inText(c byte) bool {
	switch c {
	case '\\':
		n := 2
		if s.i+1 < len(s.b) && s.b[s.i+1] == 'u' {
			n = 6
		}
		if s.i+n > len(s.b) {
			return false
		}
		s.i += n
		s.safe = s.i
		return true
	case '"':
		s.text = false
		if !s.key {
			s.good = s.i + 1
		}
	}
	s.i++
	s.safe = s.i
	return true
}

// whole returns b without the beginning of a character at its end.
func whole(b []byte) []byte {
	for n := 1; n <= min(utf8.UTFMax, len(b)); n++ {
		if utf8.RuneStart(b[len(b)-n]) {
			if !utf8.FullRune(b[len(b)-n:]) {
				return b[:len(b)-n]
			}
			break
		}
	}
	return b
}
