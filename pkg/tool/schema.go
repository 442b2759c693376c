package tool

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/money"
)

// Enumerated is implemented by string types that have a closed set of values.
type Enumerated interface{ Values() []string }

const datePattern = `^[0-9]{4}-[0-9]{2}-[0-9]{2}$`

// schemaFor infers the schema of an input struct: the library's inference plus
// our own words for dates, amounts and closed sets.
func schemaFor(t reflect.Type) (*jsonschema.Schema, error) {
	if t.Kind() != reflect.Struct {
		return nil, fmt.Errorf("the input %s is not a struct", t)
	}
	types := map[reflect.Type]*jsonschema.Schema{
		reflect.TypeFor[calendar.Date](): {Type: "string", Format: "date", Pattern: datePattern},
		reflect.TypeFor[money.Amount]():  {Type: "number"},
	}
	collectEnums(t, types, map[reflect.Type]bool{})
	s, err := jsonschema.ForType(t, &jsonschema.ForOptions{TypeSchemas: types})
	if err != nil {
		return nil, err
	}
	if s.Properties == nil {
		// Some providers refuse an object schema without this member.
		s.Properties = map[string]*jsonschema.Schema{}
	}
	return s, nil
}

func collectEnums(t reflect.Type, types map[reflect.Type]*jsonschema.Schema, seen map[reflect.Type]bool) {
	for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice {
		t = t.Elem()
	}
	if seen[t] || types[t] != nil {
		return
	}
	seen[t] = true
	if e, ok := reflect.Zero(t).Interface().(Enumerated); ok && t.Kind() == reflect.String {
		s := &jsonschema.Schema{Type: "string"}
		for _, v := range e.Values() {
			s.Enum = append(s.Enum, v)
		}
		types[t] = s
		return
	}
	if t.Kind() == reflect.Struct {
		for f := range t.Fields() {
			collectEnums(f.Type, types, seen)
		}
	}
}

// Check reports what is wrong with the declaration: a missing effect, a
// property without a description, a preview that is missing or needless.
func (t Tool) Check() error {
	in := t.input()
	if in.fault != nil {
		return fmt.Errorf("tool %s: %w", t.spec.Name, in.fault)
	}
	problems := []error{t.checkSpec()}
	describe(in.schema, "", func(format string, args ...any) {
		problems = append(problems, fmt.Errorf("tool "+t.spec.Name+": "+format, args...))
	})
	return errors.Join(problems...)
}

// checkSpec is the part of Check that needs no schema.
func (t Tool) checkSpec() error {
	var problems []error
	add := func(format string, args ...any) {
		problems = append(problems, fmt.Errorf("tool "+t.spec.Name+": "+format, args...))
	}
	if !validName(t.spec.Name) && t.spec.Foreign == "" {
		add("the name is not of the form verb_noun")
	}
	if problem := t.spec.Retry.problem(t.spec.Effect); problem != "" {
		add("%s", problem)
	}
	if t.spec.Effect < Reads || t.spec.Effect > Critical {
		add("no effect is stated")
	}
	if len(t.spec.Description) < 20 && t.spec.Foreign == "" {
		add("the description is missing or too short to choose by")
	}
	if t.spec.Effect.Asks() && t.preview == nil && !t.plain {
		add("it asks for consent but has no preview")
	}
	if t.spec.Foreign != "" && t.spec.Effect > Reads && !t.once {
		add("it writes elsewhere and not through the outbox; see AtMostOnce")
	}
	if t.once && t.spec.Effect == Reads {
		add("it reads and needs no outbox")
	}
	if !t.spec.Effect.Asks() && t.preview != nil {
		add("it has a preview that nobody would see")
	}
	return errors.Join(problems...)
}

func describe(s *jsonschema.Schema, path string, add func(string, ...any)) {
	for name, p := range s.Properties {
		if strings.TrimSpace(p.Description) == "" {
			add("the property %s has no description", path+name)
		}
		describe(p, path+name+".", add)
		if p.Items != nil {
			describe(p.Items, path+name+"[].", add)
		}
	}
}

// validName accepts lower case words joined by underscores, and lowerCamel for
// tools whose source names them so.
func validName(name string) bool {
	if name == "" || len(name) > 64 || name[0] < 'a' || name[0] > 'z' {
		return false
	}
	for _, r := range name {
		if !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_') {
			return false
		}
	}
	return true
}

// plainDecodeError describes an error of encoding/json without naming Go types.
func plainDecodeError(err error) string {
	if e, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		return fmt.Sprintf("%s has the wrong type", e.Field)
	}
	return err.Error()
}
