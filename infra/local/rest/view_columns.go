package rest

import (
	"strconv"
	"strings"
)

// origin is the column of a table or view that a view's column shows.
type origin struct {
	table  uint32
	column int16
}

// views reads from each view's rewrite rule which columns it shows unchanged,
// so that keys and foreign keys can be followed through views.
func (l *loader) views() error {
	l.origins = map[uint32]map[int16]origin{}
	var oid int64
	var action string
	return l.each(viewsSQL, nil, []any{&oid, &action}, func() error {
		l.origins[uint32(oid)] = viewOrigins(action)
		return nil
	})
}

// resolve follows views over views down to a table's column.
func (l *loader) resolve(o origin) origin {
	for range 32 { // deeper stacks are not real
		next, isView := l.origins[o.table]
		if !isView {
			return o
		}
		further, ok := next[o.column]
		if !ok {
			return origin{}
		}
		o = further
	}
	return origin{}
}

// viewOrigins reads the target list of the outermost query of a rewrite rule,
// which PostgreSQL prints as "({QUERY … :targetList ({TARGETENTRY … :resno 1 …
// :resorigtbl 16384 :resorigcol 1 …} …) …})".
func viewOrigins(action string) map[int16]origin {
	out := map[int16]origin{}
	depth, list := 0, 0
	var fieldName string
	var resno, table, col int64
	for _, tok := range nodeTokens(action) {
		switch tok {
		case "(", "{":
			depth++
			if fieldName == ":targetList" && list == 0 && depth == 3 {
				list = depth
			}
			if list > 0 && depth == list+1 {
				resno, table, col = 0, 0, 0
			}
			fieldName = ""
			continue
		case ")", "}":
			if list > 0 && depth == list+1 && table != 0 {
				out[int16(resno)] = origin{uint32(table), int16(col)}
			}
			if list > 0 && depth == list {
				return out
			}
			depth--
			continue
		}
		if strings.HasPrefix(tok, ":") {
			fieldName = tok
			continue
		}
		if list > 0 && depth == list+1 {
			n, err := strconv.ParseInt(tok, 10, 64)
			if err == nil {
				switch fieldName {
				case ":resno":
					resno = n
				case ":resorigtbl":
					table = n
				case ":resorigcol":
					col = n
				}
			}
		}
	}
	return out
}

// nodeTokens splits a printed node tree. A backslash makes the next character
// part of the token.
func nodeTokens(s string) []string {
	var tokens []string
	start := -1
	flush := func(end int) {
		if start >= 0 {
			tokens = append(tokens, s[start:end])
			start = -1
		}
	}
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case ' ', '\n', '\t':
			flush(i)
		case '(', ')', '{', '}':
			flush(i)
			tokens = append(tokens, s[i:i+1])
		case '\\':
			if start < 0 {
				start = i
			}
			i++
		default:
			if start < 0 {
				start = i
			}
		}
	}
	flush(len(s))
	return tokens
}
