package tool

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/big"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/rawjson"
)

// Limits of one call's arguments.
const (
	maxArguments = 64 << 10
	maxDepth     = 16
)

// parseArguments reads one JSON object strictly and returns it with its
// canonical form.
func parseArguments(raw []byte) (map[string]any, json.RawMessage, error) {
	if len(bytes.TrimSpace(raw)) == 0 {
		raw = []byte("{}")
	}
	if len(raw) > maxArguments {
		return nil, nil, fault.New(fault.Invalid, "The arguments are longer than %d bytes.", maxArguments)
	}
	if !utf8.Valid(raw) {
		return nil, nil, fault.New(fault.Invalid, "The arguments are not valid UTF-8.")
	}
	read, err := rawjson.Parse(raw)
	var value any
	if err == nil {
		value, err = parseValue(read, 0)
	}
	if err != nil {
		return nil, nil, fault.Wrap(fault.Invalid, err, "The arguments are not one valid JSON object: %s.",
			plainSyntax(err))
	}
	object, ok := value.(map[string]any)
	if !ok {
		return nil, nil, fault.New(fault.Invalid, "The arguments must be one JSON object.")
	}
	return object, appendCanonical(make([]byte, 0, len(read)), object), nil
}

// appendCanonical writes what parseValue read, with the keys in their order and
// without space.
func appendCanonical(b []byte, value any) []byte {
	switch v := value.(type) {
	case map[string]any:
		b = append(b, '{')
		for i, key := range slices.Sorted(maps.Keys(v)) {
			if i > 0 {
				b = append(b, ',')
			}
			b = appendCanonical(append(rawjson.AppendText(b, key), ':'), v[key])
		}
		return append(b, '}')
	case []any:
		b = append(b, '[')
		for i, item := range v {
			if i > 0 {
				b = append(b, ',')
			}
			b = appendCanonical(b, item)
		}
		return append(b, ']')
	case string:
		return rawjson.AppendText(b, v)
	case json.Number:
		return append(b, v...)
	case bool:
		return strconv.AppendBool(b, v)
	}
	return append(b, "null"...)
}

func parseValue(v rawjson.Value, depth int) (any, error) {
	if depth > maxDepth {
		return nil, fmt.Errorf("it is nested deeper than %d levels", maxDepth)
	}
	switch v[0] {
	case '{':
		return parseObject(v, depth)
	case '[':
		list := []any{}
		for item := range v.Items() {
			value, err := parseValue(item, depth+1)
			if err != nil {
				return nil, err
			}
			list = append(list, value)
		}
		return list, nil
	case '"':
		text, _ := v.Text()
		// No database text can hold it, and no person types it.
		if strings.ContainsRune(text, 0) {
			return nil, errors.New("a text holds the character U+0000")
		}
		return text, nil
	case 't', 'f':
		return v[0] == 't', nil
	case 'n':
		return nil, nil
	}
	return plainNumber(string(v))
}

func parseObject(v rawjson.Value, depth int) (any, error) {
	object := map[string]any{}
	for name, member := range v.Members() {
		if _, twice := object[string(name)]; twice {
			return nil, fmt.Errorf("the key %q stands in it twice", name)
		}
		value, err := parseValue(member, depth+1)
		if err != nil {
			return nil, err
		}
		object[string(name)] = value
	}
	return object, nil
}

func plainSyntax(err error) string {
	said := strings.TrimPrefix(err.Error(), "json: ")
	switch {
	case said == "unexpected end of JSON input":
		return "it ends too early"
	case strings.HasSuffix(said, "after top-level value"):
		return "something follows the object"
	}
	return said
}

// explain finds the first usual mistake in value and says it in a sentence; ""
// when it finds none. path is "" for the arguments themselves.
func explain(s *jsonschema.Schema, value any, path string) string {
	name := path
	if name == "" {
		name = "the arguments"
	}
	if value == nil && slices.Contains(s.Types, "null") {
		return ""
	}
	kind, kinds := s.Type, 0
	for _, t := range s.Types {
		if t != "null" {
			kind = t
			kinds++
		}
	}
	if kinds > 1 {
		kind = "" // one of several, which the library knows better
	}
	if s.Format == "date" {
		return explainDate(name, value)
	}
	if problem := wrongType(kind, value, name); problem != "" {
		return problem
	}
	if text, ok := value.(string); ok && len(s.Enum) > 0 && !slices.Contains(s.Enum, any(text)) {
		return fmt.Sprintf("%s must be one of %s, not %s.", name, listed(s.Enum), shown(value))
	}
	switch value := value.(type) {
	case map[string]any:
		return explainObject(s, value, path)
	case []any:
		for i, item := range value {
			if s.Items == nil {
				break
			}
			if problem := explain(s.Items, item, fmt.Sprintf("%s[%d]", path, i)); problem != "" {
				return problem
			}
		}
	}
	return ""
}

func explainObject(s *jsonschema.Schema, value map[string]any, path string) string {
	prefix := path
	if prefix != "" {
		prefix += "."
	}
	for _, key := range sortedKeys(value) {
		property, known := s.Properties[key]
		if !known && !closed(s) {
			continue
		}
		if !known {
			return fmt.Sprintf("There is no argument %q%s", prefix+key, suggest(key, s))
		}
		if problem := explain(property, value[key], prefix+key); problem != "" {
			return problem
		}
	}
	for _, key := range s.Required {
		if _, given := value[key]; !given {
			meaning := ""
			if p := s.Properties[key]; p != nil && p.Description != "" {
				meaning = ": " + strings.TrimRight(p.Description, ".")
			}
			return fmt.Sprintf("The argument %q is missing%s.", prefix+key, meaning)
		}
	}
	return ""
}

// closed reports whether an object has no members but those of the schema, as is
// so of every input that we declare. The library writes false as "not anything".
func closed(s *jsonschema.Schema) bool {
	more := s.AdditionalProperties
	return more != nil && more.Not != nil && reflect.DeepEqual(more, &jsonschema.Schema{Not: &jsonschema.Schema{}}) &&
		len(s.PatternProperties) == 0
}

func wrongType(kind string, value any, name string) string {
	ok := true
	want := ""
	switch kind {
	case "object":
		_, ok = value.(map[string]any)
		want = "an object"
	case "array":
		_, ok = value.([]any)
		want = "a list"
	case "string":
		_, ok = value.(string)
		want = "a text"
	case "boolean":
		_, ok = value.(bool)
		want = "true or false"
	case "number":
		_, ok = value.(json.Number)
		want = "a number"
	case "integer":
		n, isNumber := value.(json.Number)
		ok = isNumber
		if isNumber {
			_, err := n.Int64()
			ok = err == nil
		}
		want = "a whole number"
	}
	if ok {
		return ""
	}
	return fmt.Sprintf("%s must be %s, not %s.", name, want, shown(value))
}

func looksLikeDate(s string) bool {
	return len(s) == 10 && s[4] == '-' && s[7] == '-' && !strings.ContainsFunc(s, func(r rune) bool {
		return r != '-' && (r < '0' || r > '9')
	})
}

// suggest names the property that the key may have meant.
func suggest(key string, s *jsonschema.Schema) string {
	fold := func(s string) string {
		return strings.ToLower(strings.NewReplacer("_", "", "-", "", " ", "").Replace(s))
	}
	for name := range s.Properties {
		if fold(name) == fold(key) {
			return fmt.Sprintf(". Did you mean %q?", name)
		}
	}
	if len(s.Properties) == 0 {
		return "; this tool takes none."
	}
	names := make([]any, 0, len(s.Properties))
	for _, name := range sortedKeys(s.Properties) {
		names = append(names, name)
	}
	return "; the arguments are " + listed(names) + "."
}

func listed(values []any) string {
	parts := make([]string, len(values))
	for i, v := range values {
		parts[i] = fmt.Sprint(v)
	}
	return strings.Join(parts, ", ")
}

// shown quotes a value for a sentence, cut so that a huge one does no harm.
func shown(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		return "that"
	}
	if len(b) > 60 {
		return string(bytes.ToValidUTF8(b[:60], nil)) + "…"
	}
	return string(b)
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// floats returns the value with json.Number replaced as the validator wants
// it. Only the validator sees these: the tool reads the text of the number.
func floats(v any) any {
	switch v := v.(type) {
	case json.Number:
		if i, err := v.Int64(); err == nil {
			return i
		}
		f, _, err := big.ParseFloat(string(v), 10, 64, big.ToNearestEven)
		if err != nil {
			return string(v)
		}
		out, _ := f.Float64()
		return out
	case map[string]any:
		m := make(map[string]any, len(v))
		for k, item := range v {
			m[k] = floats(item)
		}
		return m
	case []any:
		l := make([]any, len(v))
		for i, item := range v {
			l[i] = floats(item)
		}
		return l
	}
	return v
}
