package rest

import (
	"errors"
	"strings"
)

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
					s.fail(`"`, `"," or ")"`)
				}
				s.spaces()
				return out
			}
		}
	}
	s.pos = start
	var leaf filter
	if err := s.attempt(func() { leaf = s.logicFilter() }); err != nil {
		s.pos = start
		s.noLogic(err)
	}
	return logic{leaf: &leaf}
}

func (s *scanner) logicFilter() filter {
	name, ok := s.tryName()
	if !ok {
		s.fail(`"`, logicItemText)
	}
	f := field{name: name, path: s.jsonPath()}
	if !s.accept(".") {
		s.fail(`"`, `letter, digit, "-", "->>", "->" or delimiter (.)`)
	}
	return s.operation(f, s.logicValue)
}

const (
	logicItemText     = fieldNameText + ", negation operator (not) or logic operator (and, or)"
	logicOperatorText = "logic operator (and, or)"
)

// noLogic reports an item that is neither a filter, which failed with err, nor
// a group. Where it began like a group, the group's error is PostgREST's.
func (s *scanner) noLogic(err error) {
	negated := s.accept("not.")
	switch {
	case s.accept("and"), s.accept("or"):
		s.spaces()
		s.fail(`"`, `"("`)
	case negated:
		s.fail(`"`, logicOperatorText)
	}
	var known *Error
	if errors.As(err, &known) {
		panic(syntaxError{known})
	}
	panic(err)
}
