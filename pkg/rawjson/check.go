package rawjson

import (
	"errors"
	"math/bits"
	"unicode/utf16"
	"unicode/utf8"
)

var errInvalid = errors.New("this is no valid JSON")

// check returns where the value that begins at i ends. Objects and lists may
// nest depth deep in it.
func check(b []byte, i, depth int) (int, error) {
	if i >= len(b) {
		return i, errInvalid
	}
	switch b[i] {
	case '"':
		return checkText(b, i)
	case '{':
		if depth == 0 {
			return i, ErrDeep
		}
		return checkObject(b, i, depth-1)
	case '[':
		if depth == 0 {
			return i, ErrDeep
		}
		return checkList(b, i, depth-1)
	case 't':
		return checkWord(b, i, "true")
	case 'f':
		return checkWord(b, i, "false")
	case 'n':
		return checkWord(b, i, "null")
	}
	return checkNumber(b, i)
}

func checkObject(b []byte, i, depth int) (int, error) {
	if i = skip(b, i+1); i < len(b) && b[i] == '}' {
		return i + 1, nil
	}
	for {
		if i >= len(b) || b[i] != '"' {
			return i, errInvalid
		}
		var err error
		if i, err = checkText(b, i); err != nil {
			return i, err
		}
		if i = skip(b, i); i >= len(b) || b[i] != ':' {
			return i, errInvalid
		}
		if i, err = check(b, skip(b, i+1), depth); err != nil {
			return i, err
		}
		switch i = skip(b, i); {
		case i >= len(b):
			return i, errInvalid
		case b[i] == '}':
			return i + 1, nil
		case b[i] != ',':
			return i, errInvalid
		}
		i = skip(b, i+1)
	}
}

func checkList(b []byte, i, depth int) (int, error) {
	if i = skip(b, i+1); i < len(b) && b[i] == ']' {
		return i + 1, nil
	}
	for {
		var err error
		if i, err = check(b, i, depth); err != nil {
			return i, err
		}
		switch i = skip(b, i); {
		case i >= len(b):
			return i, errInvalid
		case b[i] == ']':
			return i + 1, nil
		case b[i] != ',':
			return i, errInvalid
		}
		i = skip(b, i+1)
	}
}

func checkWord(b []byte, i int, word string) (int, error) {
	if len(b)-i < len(word) || string(b[i:i+len(word)]) != word {
		return i, errInvalid
	}
	return i + len(word), nil
}

func checkNumber(b []byte, i int) (int, error) {
	if b[i] == '-' {
		i++
	}
	digits := func() bool {
		from := i
		for i < len(b) && b[i] >= '0' && b[i] <= '9' {
			i++
		}
		return i > from
	}
	if i < len(b) && b[i] == '0' {
		i++
	} else if !digits() {
		return i, errInvalid
	}
	if i < len(b) && b[i] == '.' {
		if i++; !digits() {
			return i, errInvalid
		}
	}
	if i < len(b) && (b[i] == 'e' || b[i] == 'E') {
		if i++; i < len(b) && (b[i] == '+' || b[i] == '-') {
			i++
		}
		if !digits() {
			return i, errInvalid
		}
	}
	return i, nil
}

// checkText returns where the text that begins at i ends. Bytes that are no
// UTF-8 are valid, as to encoding/json.
func checkText(b []byte, i int) (int, error) {
	for i++; ; i++ {
		if i = special(b, i); i >= len(b) {
			return i, errInvalid
		}
		switch b[i] {
		case '"':
			return i + 1, nil
		case '\\':
			i++
			switch {
			case i >= len(b):
				return i, errInvalid
			case b[i] == 'u':
				if _, ok := hex4(b, i+1); !ok {
					return i, errInvalid
				}
				i += 4
			case escaped(b[i]) == 0:
				return i, errInvalid
			}
		default: // a control character
			return i, errInvalid
		}
	}
}

// special returns the place of the first byte from i on that does not stand for
// itself in a text: a quotation mark, a backslash or a control character. It
// looks at eight bytes at a time; see "Determine if a word has a byte less than
// n" in Anderson, Bit Twiddling Hacks: the lowest byte that is found is right.
func special(b []byte, i int) int {
	const ones, highs = 0x0101010101010101, 0x8080808080808080
	for ; len(b)-i >= 8; i += 8 {
		p := b[i : i+8]
		w := uint64(p[0]) | uint64(p[1])<<8 | uint64(p[2])<<16 | uint64(p[3])<<24 |
			uint64(p[4])<<32 | uint64(p[5])<<40 | uint64(p[6])<<48 | uint64(p[7])<<56 // one load
		quote, slash := w^(ones*'"'), w^(ones*'\\')
		found := ((w-ones*' ')&^w | (quote-ones)&^quote | (slash-ones)&^slash) & highs
		if found != 0 {
			return i + bits.TrailingZeros64(found)/8
		}
	}
	for i < len(b) && b[i] >= ' ' && b[i] != '"' && b[i] != '\\' {
		i++
	}
	return i
}

// skip returns the place of the first byte from i on that is no space.
func skip(b []byte, i int) int {
	for i < len(b) && (b[i] == ' ' || b[i] == '\n' || b[i] == '\t' || b[i] == '\r') {
		i++
	}
	return i
}

// escaped returns what stands for itself behind a backslash, or the control
// character of that letter; 0 for none.
func escaped(c byte) byte {
	switch c {
	case '"', '\\', '/':
		return c
	case 'b':
		return '\b'
	case 'f':
		return '\f'
	case 'n':
		return '\n'
	case 'r':
		return '\r'
	case 't':
		return '\t'
	}
	return 0
}

// hex4 returns the number of four hexadecimal digits.
func hex4(b []byte, i int) (rune, bool) {
	if len(b)-i < 4 {
		return 0, false
	}
	var r rune
	for _, c := range b[i : i+4] {
		switch {
		case c >= '0' && c <= '9':
			c -= '0'
		case c >= 'a' && c <= 'f':
			c -= 'a' - 10
		case c >= 'A' && c <= 'F':
			c -= 'A' - 10
		default:
			return 0, false
		}
		r = r<<4 | rune(c)
	}
	return r, true
}

// unescaped returns the letters of a valid text: halves of a surrogate pair that
// stand alone, and bytes that are no UTF-8, become U+FFFD.
func (v Value) unescaped() []byte {
	in := v[1 : len(v)-1]
	out := make([]byte, 0, len(in)+utf8.UTFMax)
	for i := 0; i < len(in); {
		switch c := in[i]; {
		case c == '\\' && in[i+1] == 'u':
			r, _ := hex4(in, i+2)
			i += 6
			if utf16.IsSurrogate(r) {
				low := rune(0)
				if len(in)-i >= 6 && in[i] == '\\' && in[i+1] == 'u' {
					low, _ = hex4(in, i+2)
				}
				if r = utf16.DecodeRune(r, low); r != utf8.RuneError {
					i += 6
				}
			}
			out = utf8.AppendRune(out, r)
		case c == '\\':
			out = append(out, escaped(in[i+1]))
			i += 2
		case c < utf8.RuneSelf:
			out = append(out, c)
			i++
		default:
			r, size := utf8.DecodeRune(in[i:])
			out = utf8.AppendRune(out, r)
			i += size
		}
	}
	return out
}
