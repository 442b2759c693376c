package rawjson

import (
	"strings"
	"unicode/utf8"
)

// AppendText appends s as a JSON text, without the escapes for HTML that would
// make tables longer. Bytes that are no UTF-8 become U+FFFD.
func AppendText(b []byte, s string) []byte {
	if !utf8.ValidString(s) {
		s = strings.ToValidUTF8(s, "\uFFFD")
	}
	const hex = "0123456789abcdef"
	b = append(b, '"')
	letters := []byte(s) // no copy: nothing is written to it
	for from := 0; ; {
		i := special(letters, from)
		b = append(b, s[from:i]...)
		if i == len(s) {
			return append(b, '"')
		}
		switch c := s[i]; c {
		case '"', '\\':
			b = append(b, '\\', c)
		case '\n':
			b = append(b, '\\', 'n')
		case '\r':
			b = append(b, '\\', 'r')
		case '\t':
			b = append(b, '\\', 't')
		default:
			b = append(b, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
		}
		from = i + 1
	}
}
