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
	name := s.name()
	expecting := `delimiter (.), "," or end of input`
	if s.accept("(") {
		t.relation = name
		t.field = field{name: s.name(), path: s.jsonPath()}
		s.expect(")")
	} else {
		t.field = field{name: name, path: s.jsonPath()}
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
