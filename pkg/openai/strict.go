package openai

import (
	"fmt"
	"slices"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/llm"
	"github.com/bellhop-ai/bellhop/pkg/rawjson"
)

// OpenAI's bounds of a strict schema.
const (
	strictDepth      = 10
	strictProperties = 5000
)

// strictSet is a toolset as the Responses API reads it, with strict schemas
// where a schema has a strict form.
type strictSet struct {
	wire []byte
	// schemas are those of the tools that are strict, as we wrote them.
	schemas map[string]rawjson.Value
}

// strictTools returns the set in its strict form, which is made once.
func strictTools(set *llm.Toolset) (*strictSet, error) {
	return llm.Kept(set, "responses, strict", func(tools []llm.Tool) (*strictSet, error) {
		s := &strictSet{wire: []byte{'['}, schemas: map[string]rawjson.Value{}}
		for _, t := range tools {
			parameters, err := compactParameters(t)
			if err != nil {
				return nil, err
			}
			schema, err := rawjson.Parse(parameters)
			if err != nil {
				return nil, fmt.Errorf("parameters of tool %s: %w", t.Name, err)
			}
			var made maker
			if form, ok := made.strict(schema, false, 1); ok && schemaOf(schema).is("object") {
				s.schemas[t.Name] = schema
				s.wire = appendTool(next(s.wire), t, "true", form)
			} else {
				// Without the word the API would take it for strict.
				s.wire = appendTool(next(s.wire), t, "false", parameters)
			}
		}
		s.wire = append(s.wire, ']')
		return s, nil
	})
}

// absent takes the members out of the arguments that are null because a strict
// schema knows no absent ones.
func absent(tools *llm.Toolset, calls []llm.Call) error {
	if len(tools.Tools()) == 0 || len(calls) == 0 {
		return nil
	}
	set, err := strictTools(tools)
	if err != nil {
		return err
	}
	for i, call := range calls {
		schema, strict := set.schemas[call.Name]
		if !strict || !strings.Contains(call.Arguments, "null") {
			continue
		}
		// What is no JSON is refused where arguments are checked.
		if v, err := rawjson.Parse([]byte(call.Arguments)); err == nil {
			calls[i].Arguments = string(withoutNulls(schema, v))
		}
	}
	return nil
}

// parts are the members of a schema that decide its form.
type parts struct {
	types            []string
	properties, enum rawjson.Value
	items, anyOf     rawjson.Value
	constant         rawjson.Value
	required         []string
	open             bool // members beyond the properties are allowed
	odd              bool // has what strict schemas do not know
}

func (p parts) is(kind string) bool { return slices.Contains(p.types, kind) }

// null reports whether the schema accepts null.
func (p parts) null() bool {
	for branch := range p.anyOf.Items() {
		if schemaOf(branch).null() {
			return true
		}
	}
	return p.is("null")
}

func schemaOf(v rawjson.Value) parts {
	p := parts{odd: !v.Is('{')}
	for name, value := range v.Members() {
		switch string(name) {
		case "type":
			p.types = texts(value)
		case "properties":
			p.properties = value
		case "required":
			p.required = texts(value)
		case "additionalProperties":
			p.open = string(value) != "false"
		case "items":
			p.items = value
		case "enum":
			p.enum = value
		case "const":
			p.constant = value
		case "anyOf":
			p.anyOf = value
		case "description", "format", "pattern", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum",
			"multipleOf", "minItems", "maxItems":
		case "title", "default", "examples", "$schema", "$comment", "deprecated", "minLength", "maxLength",
			"uniqueItems":
		default:
			p.odd = true
		}
	}
	return p
}

// texts reads a text or a list of them.
func texts(v rawjson.Value) []string {
	if text, ok := v.Text(); ok {
		return []string{text}
	}
	var out []string
	for item := range v.Items() {
		text, _ := item.Text()
		out = append(out, text)
	}
	return out
}

// maker makes strict schemas.
type maker struct{ properties int }

// strict returns the strict form of a schema, with null added where nullable,
// and whether it has one. What a strict schema cannot say and an answer can be
// checked for without it, such as a least length, is left out.
func (m *maker) strict(v rawjson.Value, nullable bool, depth int) ([]byte, bool) {
	p := schemaOf(v)
	if p.odd || depth > strictDepth || len(p.types) == 0 && p.anyOf == nil {
		return nil, false
	}
	nullable = nullable && !p.null()
	b := []byte{'{'}
	member := func(name string, value []byte) {
		if len(b) > 1 {
			b = append(b, ',')
		}
		b = append(append(rawjson.AppendText(b, name), ':'), value...)
	}
	if len(p.types) > 0 {
		if nullable {
			p.types = append(p.types, "null")
		}
		if len(p.types) == 1 {
			member("type", rawjson.AppendText(nil, p.types[0]))
		} else {
			member("type", appendTexts(p.types))
		}
	}
	for name, value := range v.Members() {
		switch string(name) {
		case "format":
			if format, _ := value.Text(); !slices.Contains([]string{"date-time", "time", "date", "duration", "email",
				"hostname", "ipv4", "ipv6", "uuid"}, format) {
				continue
			}
			member(string(name), value)
		case "description", "pattern", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf",
			"minItems", "maxItems":
			member(string(name), value)
		}
	}
	switch {
	case p.enum != nil:
		member("enum", withNull(p.enum, nullable))
	case p.constant != nil:
		member("enum", withNull(slices.Concat([]byte{'['}, p.constant, []byte{']'}), nullable))
	}
	if p.is("array") {
		items, ok := m.strict(p.items, false, depth+1)
		if !ok {
			return nil, false
		}
		member("items", items)
	}
	if p.anyOf != nil {
		branches := []byte{'['}
		for branch := range p.anyOf.Items() {
			form, ok := m.strict(branch, false, depth+1)
			if !ok {
				return nil, false
			}
			branches = append(next(branches), form...)
		}
		if nullable && len(p.types) == 0 {
			branches = append(next(branches), `{"type":"null"}`...)
		}
		member("anyOf", append(branches, ']'))
	}
	if p.is("object") {
		properties, names, ok := m.object(p, depth)
		if !ok {
			return nil, false
		}
		member("properties", properties)
		member("required", appendTexts(names))
		member("additionalProperties", []byte("false"))
	}
	return append(b, '}'), true
}

// object returns the properties in their strict form, and their names.
func (m *maker) object(p parts, depth int) (form []byte, names []string, ok bool) {
	if p.open || p.properties == nil {
		return nil, nil, false // a map: its names are not known
	}
	form, names = []byte{'{'}, []string{}
	for name, value := range p.properties.Members() {
		one, ok := m.strict(value, !slices.Contains(p.required, string(name)), depth+1)
		if !ok {
			return nil, nil, false
		}
		if len(names) > 0 {
			form = append(form, ',')
		}
		names = append(names, string(name))
		form = append(append(rawjson.AppendText(form, string(name)), ':'), one...)
	}
	m.properties += len(names)
	stranger := func(name string) bool { return !slices.Contains(names, name) }
	return append(form, '}'), names, !slices.ContainsFunc(p.required, stranger) && m.properties <= strictProperties
}

func appendTexts(list []string) []byte {
	b := []byte{'['}
	for _, text := range list {
		b = rawjson.AppendText(next(b), text)
	}
	return append(b, ']')
}

// withNull adds null to a list of values.
func withNull(list rawjson.Value, nullable bool) []byte {
	if !nullable {
		return list
	}
	return append(append(next(slices.Clone(list[:len(list)-1])), "null"...), ']')
}

// withoutNulls returns a value without the members that are null though the
// schema accepts no null for them and does not require them. A name that
// stands twice is left for those who check arguments.
func withoutNulls(schema, v rawjson.Value) rawjson.Value {
	p := schemaOf(schema)
	for branch := range p.anyOf.Items() {
		v = withoutNulls(branch, v)
	}
	switch {
	case v.Is('['):
		b := []byte{'['}
		for item := range v.Items() {
			b = append(next(b), withoutNulls(p.items, item)...)
		}
		return append(b, ']')
	case !v.Is('{') || twice(v):
		return v
	}
	b := []byte{'{'}
	for name, value := range v.Members() {
		property, known := find(p.properties, name)
		if known && value.IsNull() && !slices.Contains(p.required, string(name)) && !schemaOf(property).null() {
			continue
		}
		if known {
			value = withoutNulls(property, value)
		}
		if len(b) > 1 {
			b = append(b, ',')
		}
		b = append(append(rawjson.AppendText(b, string(name)), ':'), value...)
	}
	return append(b, '}')
}

func twice(object rawjson.Value) bool {
	seen := map[string]bool{}
	for name := range object.Members() {
		if seen[string(name)] {
			return true
		}
		seen[string(name)] = true
	}
	return false
}

func find(object rawjson.Value, wanted []byte) (rawjson.Value, bool) {
	for name, value := range object.Members() {
		if string(name) == string(wanted) {
			return value, true
		}
	}
	return nil, false
}
