package rest

import (
	"slices"
	"strings"
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
		s.pos = start
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
			end := strings.IndexByte(s.in[s.pos:], ')')
			if end < 0 {
				unknown()
			}
			out.language = s.in[s.pos : s.pos+end]
			s.pos += end + 1
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
		s.expect(")")
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

// logicValue reads the value of a filter inside a logic tree, where an array
// literal may hold commas.
func (s *scanner) logicValue() string {
	if s.has("{") {
		if end := strings.IndexAny(s.in[s.pos+1:], "{}"); end >= 0 && s.in[s.pos+1+end] == '}' {
			v := s.in[s.pos : s.pos+end+2]
			s.pos += end + 2
			return v
		}
	}
	return s.untilComma()
}

// parseLogic reads an and= or or= parameter. op is "and", "or", "not.and" or "not.or".
func parseLogic(op, text string) (out logic, err error) {
	defer catchSyntax(&err)
	// The operator is put in front, so that columns count as in PostgREST.
	s := &scanner{what: "failed to parse logic tree (" + text + ")", in: op + text}
	// What follows the closing parenthesis is not looked at, as in PostgREST.
	return s.logicTree(), nil
}

func (s *scanner) logicTree() logic {
	s.spaces()
	start := s.pos
	out := logic{not: s.accept("not.")}
	if s.accept("and") || s.accept("or") {
		out.or = strings.HasSuffix(s.in[:s.pos], "or")
		s.spaces()
		if s.accept("(") {
			for {
				out.kids = append(out.kids, s.logicTree())
				s.spaces()
				if s.accept(",") {
					continue
				}
				if !s.accept(")") {
					s.fail("'", `"," or ")"`)
				}
				s.spaces()
				return out
			}
		}
	}
	s.pos = start
	name, ok := s.tryName()
	if !ok {
		s.fail(`"`, fieldNameText+", negation operator (not) or logic operator (and, or)")
	}
	f := field{name: name, path: s.jsonPath()}
	if !s.accept(".") {
		s.fail("'", `letter, digit, "-", "->>", "->" or delimiter (.)`)
	}
	leaf := s.operation(f, s.logicValue)
	return logic{leaf: &leaf}
}
