package rest

import (
	"slices"
	"strings"
)

// call is a planned function call.
type call struct {
	fn   *function
	args []argument // direct arguments: those of GET and of forms
	json bool       // the arguments come as a JSON object in body
	body []byte     // the JSON object, or the whole body for an unnamed parameter
	keys []string   // names of the given arguments
	// extra names columns that are computed from the returned row; they can be
	// read where the row still has its type, which is here.
	extra []string
}

// call writes the SELECT that calls the function.
func (s *statement) call(c *call) string {
	args, from := s.arguments(c)
	invoke := quoteQualified(c.fn.name2) + "(" + args + ")"
	switch {
	case c.fn.scalar && (!c.fn.setOf || c.fn.kind == "record"):
		// In FROM, a record would need its columns declared.
		if from != "" {
			from = " FROM " + from
		}
		return "SELECT " + invoke + " AS " + scalarName + from
	case from != "":
		from += ", LATERAL "
	}
	if c.fn.scalar {
		return "SELECT pgrst_call." + scalarName + " FROM " + from + invoke + " AS pgrst_call(" + scalarName + ")"
	}
	columns := "pgrst_call.*"
	for _, name := range c.extra {
		columns += ", pgrst_call." + quote(name)
	}
	return "SELECT " + columns + " FROM " + from + invoke + " AS pgrst_call"
}

// arguments writes the argument list and, for JSON arguments, the FROM item
// that unpacks them.
func (s *statement) arguments(c *call) (args, from string) {
	if c.fn.unnamed && c.json {
		return s.bytes(c.body) + "::" + c.fn.params[0].kind, ""
	}
	var list, record []string
	for _, p := range c.fn.params {
		var value string
		switch {
		case c.json:
			if !slices.Contains(c.keys, p.name) {
				continue
			}
			record = append(record, quote(p.name)+" "+p.kind)
			value = "pgrst_args." + quote(p.name)
		default:
			given := valuesOf(c.args, p.name)
			if len(given) == 0 {
				continue
			}
			text := given[len(given)-1]
			if p.variadic {
				text = arrayLiteral(given)
			}
			value = s.param(text) + "::" + p.kind
		}
		word := ""
		if p.variadic {
			word = "VARIADIC "
		}
		list = append(list, word+quote(p.name)+" := "+value)
	}
	if len(record) > 0 {
		from = "json_to_record(" + s.bytes(c.body) + "::json) AS pgrst_args(" + strings.Join(record, ", ") + ")"
	}
	return strings.Join(list, ", "), from
}

func valuesOf(args []argument, name string) []string {
	var out []string
	for _, a := range args {
		if a.name == name {
			out = append(out, a.value)
		}
	}
	return out
}
