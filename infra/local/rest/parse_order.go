package rest

// parseOrder reads an order parameter.
func parseOrder(text string) (terms []orderTerm, err error) {
	defer catchSyntax(&err)
	s := &scanner{what: "failed to parse order (" + text + ")", in: text}
	for {
		terms = append(terms, s.orderTerm())
		if s.end() {
			return terms, nil
		}
		s.expect(",")
	}
}

func (s *scanner) orderTerm() orderTerm {
	var t orderTerm
	s.spaces()
	expecting := `delimiter (.), "," or end of input`
	if relation, f, ok := s.relatedField(); ok {
		t.relation, t.field = relation, f
	} else {
		t.field = field{name: s.name(), path: s.jsonPath()}
		expecting = `letter, digit, "-", "->>", "->", ` + expecting
	}
	if s.accept(".") {
		word := s.oneOf("asc", "desc", "nullsfirst", "nullslast")
		expecting = `"," or end of input`
		if word == "asc" || word == "desc" {
			t.desc = word == "desc"
			expecting = `delimiter (.), "," or end of input`
			word = ""
			if s.accept(".") {
				word = s.oneOf("nullsfirst", "nullslast")
				expecting = `"," or end of input`
			}
		}
		if word != "" {
			t.nulls = word[len("nulls"):]
		}
	}
	s.spaces()
	if !s.end() && !s.has(",") {
		s.fail("'", expecting)
	}
	return t
}

// relatedField reads "relation(field)", or nothing: what is amiss in it is
// reported at the parenthesis, as PostgREST does.
func (s *scanner) relatedField() (relation string, f field, ok bool) {
	start := s.pos
	relation, ok = s.tryName()
	if !ok || !s.accept("(") {
		s.pos = start
		return "", f, false
	}
	err := s.attempt(func() {
		f = field{name: s.name(), path: s.jsonPath()}
		s.expect(")")
	})
	if err != nil {
		s.pos = start
		return "", f, false
	}
	return relation, f, true
}
