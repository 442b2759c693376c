package pdf

import (
	"strconv"
)

// object is one of nil, bool, float64, name, text, array, dict, ref, *stream
// and operator.
type object any

type (
	name     string
	text     string // bytes, in no encoding yet
	array    []object
	dict     map[name]object
	operator string
)

// ref names an object of the file.
type ref struct{ number int }

// stream is a dictionary with bytes, as they are in the file.
type stream struct {
	dict dict
	raw  []byte
}

// lexer reads objects from bytes.
type lexer struct {
	f   *file
	b   []byte
	at  int
	end bool
}

func space(c byte) bool {
	return c == ' ' || c == '\n' || c == '\r' || c == '\t' || c == '\f' || c == 0
}

func delimiter(c byte) bool {
	switch c {
	case '(', ')', '<', '>', '[', ']', '{', '}', '/', '%':
		return true
	}
	return false
}

// passed pays for the bytes from there on that were looked at: the same ones may
// be looked at again and again.
func (l *lexer) passed(from int) { l.f.spend((l.at - from) / 64) }

func (l *lexer) skip() {
	defer l.passed(l.at)
	for l.at < len(l.b) {
		switch c := l.b[l.at]; {
		case space(c):
			l.at++
		case c == '%':
			for l.at < len(l.b) && l.b[l.at] != '\n' && l.b[l.at] != '\r' {
				l.at++
			}
		default:
			return
		}
	}
}

// next reads one object. At the end it sets end; what closes a list that is not
// open is passed over.
func (l *lexer) next(depth int) object {
	for {
		l.f.spend(1)
		l.skip()
		if l.at >= len(l.b) || depth > maxDepth {
			l.at, l.end = len(l.b), true
			return nil
		}
		switch c := l.b[l.at]; c {
		case '/':
			l.at++
			return l.name()
		case '(':
			l.at++
			return l.literal()
		case '[':
			l.at++
			return l.list(depth)
		case '<':
			if l.at+1 < len(l.b) && l.b[l.at+1] == '<' {
				l.at += 2
				return l.dict(depth)
			}
			l.at++
			return l.hex()
		case ']', ')', '{', '}':
			l.at++
			continue
		case '>':
			l.at++
			continue
		}
		return l.word()
	}
}

// paid accounts for a text that was read from there on.
func (l *lexer) paid(from int, b []byte) {
	l.passed(from)
	l.f.hold(2 * len(b))
}

func (l *lexer) name() name {
	var out []byte
	for l.at < len(l.b) && !space(l.b[l.at]) && !delimiter(l.b[l.at]) && len(out) < 256 {
		c := l.b[l.at]
		if c == '#' && l.at+2 < len(l.b) {
			if n, err := strconv.ParseUint(string(l.b[l.at+1:l.at+3]), 16, 8); err == nil {
				c = byte(n)
				l.at += 2
			}
		}
		out = append(out, c)
		l.at++
	}
	return name(out)
}

func (l *lexer) literal() text {
	var out []byte
	from := l.at
	defer func() { l.paid(from, out) }()
	for depth := 1; l.at < len(l.b); {
		c := l.b[l.at]
		l.at++
		switch c {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return text(out)
			}
		case '\\':
			if l.at >= len(l.b) {
				return text(out)
			}
			c = l.b[l.at]
			l.at++
			switch c {
			case 'n':
				c = '\n'
			case 'r':
				c = '\r'
			case 't':
				c = '\t'
			case 'b':
				c = '\b'
			case 'f':
				c = '\f'
			case '\r':
				if l.at < len(l.b) && l.b[l.at] == '\n' {
					l.at++
				}
				continue
			case '\n':
				continue
			case '0', '1', '2', '3', '4', '5', '6', '7':
				n := int(c - '0')
				for range 2 {
					if l.at < len(l.b) && '0' <= l.b[l.at] && l.b[l.at] <= '7' {
						n = n*8 + int(l.b[l.at]-'0')
						l.at++
					}
				}
				c = byte(n)
			}
		}
		out = append(out, c)
	}
	return text(out)
}

func (l *lexer) hex() text {
	var out []byte
	from := l.at
	defer func() { l.paid(from, out) }()
	half, odd := byte(0), false
	for l.at < len(l.b) {
		c := l.b[l.at]
		l.at++
		var digit byte
		switch {
		case c == '>':
			if odd {
				out = append(out, half<<4)
			}
			return text(out)
		case '0' <= c && c <= '9':
			digit = c - '0'
		case 'a' <= c && c <= 'f':
			digit = c - 'a' + 10
		case 'A' <= c && c <= 'F':
			digit = c - 'A' + 10
		default:
			continue
		}
		if odd {
			out = append(out, half<<4|digit)
		}
		half, odd = digit, !odd
	}
	return text(out)
}

// list reads up to the closing bracket and joins "7 0 R" to a reference.
func (l *lexer) list(depth int) array {
	var out array
	for {
		l.skip()
		if l.at < len(l.b) && l.b[l.at] == ']' {
			l.at++
			return out
		}
		o := l.next(depth + 1)
		if l.end {
			return out
		}
		l.f.hold(48)
		out = referred(append(out, o))
	}
}

func (l *lexer) dict(depth int) dict {
	var flat array
	l.f.hold(400)
	for {
		l.skip()
		if l.at+1 < len(l.b) && l.b[l.at] == '>' && l.b[l.at+1] == '>' {
			l.at += 2
			break
		}
		o := l.next(depth + 1)
		if l.end {
			break
		}
		l.f.hold(100)
		flat = referred(append(flat, o))
	}
	out := make(dict, len(flat)/2)
	for i := 0; i+1 < len(flat); i++ {
		if key, ok := flat[i].(name); ok {
			out[key] = flat[i+1]
			i++
		}
	}
	return out
}

// referred replaces a number, a number and an R at the end of a list.
func referred(list array) array {
	n := len(list)
	if n < 3 || list[n-1] != operator("R") {
		return list
	}
	number, ok := list[n-3].(float64)
	if _, second := list[n-2].(float64); !ok || !second {
		return list
	}
	list[n-3] = ref{int(number)}
	return list[:n-2]
}

// word reads a number, a constant or an operator.
func (l *lexer) word() object {
	from := l.at
	for l.at < len(l.b) && !space(l.b[l.at]) && !delimiter(l.b[l.at]) {
		l.at++
	}
	l.passed(from)
	word := l.b[from:l.at]
	if len(word) > 64 {
		return operator("")
	}
	if c := word[0]; '0' <= c && c <= '9' || c == '-' || c == '+' || c == '.' {
		if n, ok := number(word); ok {
			return n
		}
	}
	switch string(word) {
	case "true":
		return true
	case "false":
		return false
	case "null":
		return nil
	}
	return operator(word)
}

// number reads what stands in nearly every file without asking strconv.
func number(word []byte) (float64, bool) {
	sign, i := 1.0, 0
	if word[0] == '-' || word[0] == '+' {
		if word[0] == '-' {
			sign = -1
		}
		i = 1
	}
	value, scale, digits, point := 0.0, 1.0, 0, false
	for ; i < len(word); i++ {
		switch c := word[i]; {
		case '0' <= c && c <= '9':
			digits++
			value = value*10 + float64(c-'0')
			if point {
				scale *= 10
			}
		case c == '.' && !point:
			point = true
		case c == '-' && digits > 0: // "12-34", as some programs write
			return sign * value / scale, true
		default:
			return 0, false
		}
	}
	return sign * value / scale, digits > 0
}
