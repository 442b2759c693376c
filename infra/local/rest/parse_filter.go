package rest

import (
	"maps"
	"slices"
	"strings"
	"unicode/utf8"
)

// simpleOperators maps an operator of the dialect to PostgreSQL's.
var simpleOperators = map[string]string{
	"neq": "<>", "cs": "@>", "cd": "<@", "ov": "&&", "sl": "<<", "sr": ">>",
	"nxr": "&<", "nxl": "&>", "adj": "-|-",
}

// quantOperators are those that also take (any) and (all).
var quantOperators = map[string]string{
	"eq": "=", "gte": ">=", "gt": ">", "lte": "<=", "lt": "<",
	"like": "like", "ilike": "ilike", "match": "~", "imatch": "~*",
}

var searchFunctions = map[string]string{
	"fts": "to_tsquery", "plfts": "plainto_tsquery", "phfts": "phraseto_tsquery", "wfts": "websearch_to_tsquery",
}

var isValues = []string{"null", "not_null", "true", "false", "unknown"}

const operatorText = "operator (eq, gt, ...)"

// parseFilter reads the value of a plain filter: "eq.1", "not.in.(1,2)".
func parseFilter(f field, text string) (out filter, err error) {
	defer catchSyntax(&err)
	s := &scanner{what: "failed to parse filter (" + text + ")", in: text}
	return s.operation(f, func() string {
		v := s.in[s.pos:]
		s.pos = len(s.in)
		return v
	}), nil
}

// operation reads "[not.]operator.value" for f; value reads a single value.
func (s *scanner) operation(f field, value func() string) filter {
	out := filter{field: f}
	start := s.pos
	expecting := `"not" or ` + operatorText
	if s.accept("not.") {
		out.not = true
		start, expecting = s.pos, operatorText
	}
	for s.pos < len(s.in) && s.in[s.pos] >= 'a' && s.in[s.pos] <= 'z' {
		s.pos++
	}
	out.op = s.in[start:s.pos]
	unknown := func() {
		s.pos = s.operatorFailure(start)
		if s.pos > start {
			expecting = operatorText // something was recognised, so "not" is out of question
		}
		s.fail(`"`, expecting)
	}
	_, simple := simpleOperators[out.op]
	_, quant := quantOperators[out.op]
	_, search := searchFunctions[out.op]
	switch {
	case out.op == "in":
		s.delimiter(unknown)
		out.list = s.list()
	case out.op == "is":
		s.delimiter(unknown)
		out.value = s.isValue()
	case search:
		if s.accept("(") {
			from := s.pos
			s.pos = s.identifierEnd(from)
			out.language = strings.TrimSpace(s.in[from:s.pos])
			if s.pos == from || !s.accept(")") {
				unknown()
			}
		}
		s.delimiter(unknown)
		out.value = value()
	case quant:
		if s.accept("(any)") {
			out.quantifier = "any"
		} else if s.accept("(all)") {
			out.quantifier = "all"
		}
		s.delimiter(unknown)
		out.value = value()
	case simple, out.op == "isdistinct":
		s.delimiter(unknown)
		out.value = value()
	default:
		unknown()
	}
	return out
}

// operatorFailure finds how far the text at start looks like an operator, which
// is where PostgREST reports an unknown one.
func (s *scanner) operatorFailure(start int) int {
	furthest := start
	reach := func(words []string, inParentheses func(at int) int) {
		for _, w := range words {
			if !strings.HasPrefix(s.in[start:], w) {
				continue
			}
			at := start + len(w)
			if inParentheses != nil && strings.HasPrefix(s.in[at:], "(") {
				at = inParentheses(at + 1)
			}
			furthest = max(furthest, at)
		}
	}
	closed := func(at int) int {
		if strings.HasPrefix(s.in[at:], ")") {
			at++
		}
		return at
	}
	reach([]string{"in", "is", "isdistinct"}, nil)
	reach(slices.Collect(maps.Keys(simpleOperators)), nil)
	reach(slices.Collect(maps.Keys(searchFunctions)), func(at int) int {
		if end := s.identifierEnd(at); end > at {
			return closed(end)
		}
		return at
	})
	reach(slices.Collect(maps.Keys(quantOperators)), func(at int) int {
		if strings.HasPrefix(s.in[at:], "any") || strings.HasPrefix(s.in[at:], "all") {
			return closed(at + 3)
		}
		return at
	})
	return furthest
}

// identifierEnd returns where the letters, digits, "_", "$" and spaces from at end.
func (s *scanner) identifierEnd(at int) int {
	for at < len(s.in) {
		r, n := utf8.DecodeRuneInString(s.in[at:])
		if !isNameRune(r) {
			break
		}
		at += n
	}
	return at
}

func (s *scanner) delimiter(otherwise func()) {
	if !s.accept(".") {
		otherwise()
	}
}

func (s *scanner) isValue() string {
	rest := strings.ToLower(s.in[s.pos:])
	// The longer word first: not_null does not begin with null, but order costs nothing.
	i := slices.IndexFunc(isValues, func(v string) bool { return strings.HasPrefix(rest, v) })
	if i < 0 {
		best := 0
		for _, v := range isValues {
			n := 0
			for n < len(v) && n < len(rest) && v[n] == rest[n] {
				n++
			}
			best = max(best, n)
		}
		s.pos += best
		s.fail(`"`, "isVal: (null, not_null, true, false, unknown)")
	}
	s.pos += len(isValues[i])
	return isValues[i]
}

// list reads "(a,b,"c,d")". A list of one empty element is an empty list.
func (s *scanner) list() []string {
	s.spaces()
	s.expect("(")
	s.spaces()
	list := []string{}
	for {
		list = append(list, s.untilComma())
		if s.accept(",") {
			continue
		}
		if !s.accept(")") {
			s.fail(`"`, `"," or ")"`)
		}
		s.spaces()
		break
	}
	// PostgREST takes a lone empty element, quoted or not, for no element.
	if len(list) == 1 && list[0] == "" {
		return []string{}
	}
	return list
}

// untilComma reads a quoted value, or everything up to "," or ")".
func (s *scanner) untilComma() string {
	start := s.pos
	if v, ok := s.tryQuoted(); ok && (s.end() || s.has(",") || s.has(")")) {
		return v
	}
	s.pos = start
	end := strings.IndexAny(s.in[start:], ",)")
	if end < 0 {
		end = len(s.in) - start
	}
	s.pos = start + end
	return s.in[start:s.pos]
}
