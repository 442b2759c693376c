package vocabulary

import (
	"strings"
	"unicode"
)

// ToolWords returns the words of a tool's name, separated by spaces: "list rooms" for
// list_rooms, "publish project" for publishProject. Capitals that follow each other
// stay together: "export GSTR return".
func ToolWords(name string) string {
	var b strings.Builder
	signs := []rune(name)
	for i, r := range signs {
		switch {
		case r == '_':
			r = ' '
		case i > 0 && unicode.IsUpper(r):
			before, follows := signs[i-1], i+1 < len(signs) && unicode.IsLower(signs[i+1])
			switch {
			case unicode.IsLower(before) || unicode.IsDigit(before):
				b.WriteByte(' ')
			case unicode.IsUpper(before) && follows:
				b.WriteByte(' ')
			}
			if follows && (unicode.IsLower(before) || unicode.IsDigit(before) || unicode.IsUpper(before)) {
				r = unicode.ToLower(r)
			}
		}
		b.WriteRune(r)
	}
	return b.String()
}
