package rest

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
)

// findFunction picks the overload that takes exactly the given arguments.
// With POST, a function with one unnamed parameter of the body's type is the
// fallback. rawType is the media type of a POST body, empty for other methods.
func (p *planner) findFunction(name string, keys []string, rawType string) (*function, error) {
	var named, unnamed []*function
	for _, f := range p.cat.functions[name2{p.schema, name}] {
		switch {
		case f.takes(keys, rawType):
			named = append(named, f)
		case f.unnamed && f.takesBody(rawType):
			unnamed = append(unnamed, f)
		}
	}
	found := named
	if len(found) == 0 {
		found = unnamed
	}
	switch len(found) {
	case 0:
		return nil, p.functionNotFound(name, keys, rawType)
	case 1:
		return found[0], nil
	}
	var signatures []string
	for _, f := range found {
		var params []string
		for _, a := range f.params {
			params = append(params, a.name+" => "+a.kind)
		}
		signatures = append(signatures, fmt.Sprintf("%s.%s(%s)", f.schema, f.name, strings.Join(params, ", ")))
	}
	return nil, &Error{Status: http.StatusMultipleChoices, Code: "PGRST203",
		Message: "Could not choose the best candidate function between: " + strings.Join(signatures, ", "),
		Hint: "Try renaming the parameters or the function itself in the database so function overloading can be " +
			"resolved"}
}

var rawTypes = []string{"text/plain", "text/xml", "application/octet-stream"}

func (f *function) takes(keys []string, rawType string) bool {
	if len(f.params) == 0 {
		return len(keys) == 0 && !slices.Contains(rawTypes, rawType)
	}
	for _, k := range keys {
		if !slices.ContainsFunc(f.params, func(p parameter) bool { return p.name == k }) {
			return false
		}
	}
	for _, p := range f.params {
		if p.required && !slices.Contains(keys, p.name) {
			return false
		}
	}
	// An unnamed parameter that is required can never be given by name.
	return !slices.ContainsFunc(f.params, func(p parameter) bool { return p.required && p.name == "" })
}

func (f *function) takesBody(rawType string) bool {
	switch kind := f.params[0].kind; rawType {
	case "application/json":
		return kind == "json" || kind == "jsonb"
	case "text/plain":
		return kind == "text"
	case "text/xml":
		return kind == "xml"
	case "application/octet-stream":
		return kind == "bytea"
	}
	return false
}

func (p *planner) functionNotFound(name string, keys []string, rawType string) error {
	keys = slices.Sorted(slices.Values(keys))
	full := p.schema + "." + name
	list := strings.Join(keys, ", ")
	raw := slices.Contains(rawTypes, rawType)
	message, details := " without parameters", " without parameters"
	if len(keys) > 0 {
		message = "(" + list + ")"
		details = " with parameter " + list
		if len(keys) > 1 {
			details = " with parameters " + list
		}
	}
	switch {
	case raw:
		message = ""
		details = " with a single unnamed " + map[string]string{"text/plain": "text", "text/xml": "xml",
			"application/octet-stream": "bytea"}[rawType] + " parameter"
	case rawType == "application/json":
		details += " or with a single unnamed json/jsonb parameter"
	}
	e := &Error{Status: http.StatusNotFound, Code: "PGRST202",
		Message: "Could not find the function " + full + message + " in the schema cache",
		Details: "Searched for the function " + full + details + ", but no matches were found in the schema cache."}
	if raw {
		return e
	}
	overloads := p.cat.functions[name2{p.schema, name}]
	if len(overloads) == 0 {
		if best := closest(name, p.cat.functionNames(p.schema), 0.75); best != "" {
			e.Hint = "Perhaps you meant to call the function " + p.schema + "." + best
		}
		return e
	}
	var candidates []string
	for _, f := range overloads {
		var names []string
		for _, a := range f.params {
			names = append(names, a.name)
		}
		slices.Sort(names)
		candidates = append(candidates, "("+strings.Join(names, ", ")+")")
	}
	if best := closest("("+list+")", candidates, 0.33); best != "" {
		e.Hint = "Perhaps you meant to call the function " + full + best
	}
	return e
}
