package tool

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/bellhop-ai/bellhop/pkg/plaintext"
)

// Limits of a third-party schema after its references are resolved.
const (
	maxSchema      = 64 << 10 // bytes, as it comes and as it is kept
	maxSchemaDepth = 32
	maxSchemaNodes = 2000
	maxProperty    = 128 // bytes of the name of a property
)

// kept are the keywords of a foreign schema that say which arguments fit, by what
// their values are. All others go, those that name or find schemas elsewhere
// among them; what is lost of a schema, its own server checks.
func kept(keyword string) (schemas string, ok bool) {
	switch keyword {
	case "items", "additionalProperties", "not", "if", "then", "else", "contains":
		return "one", true
	case "anyOf", "oneOf", "allOf", "prefixItems":
		return "list", true
	case "properties":
		return "named", true
	case "type", "required", "enum", "const", "format", "pattern", "minLength", "maxLength", "minimum", "maximum",
		"exclusiveMinimum", "exclusiveMaximum", "multipleOf", "minItems", "maxItems", "uniqueItems",
		"minProperties", "maxProperties":
		return "", true
	}
	return "", false
}

// foreignInput reads a foreign schema.
func foreignInput(raw []byte) (in input) {
	if len(bytes.TrimSpace(raw)) == 0 {
		raw = []byte(`{}`)
	}
	if in.fault = in.readForeign(raw); in.fault != nil {
		in.fault = fmt.Errorf("the schema of the arguments: %w", in.fault)
	}
	return in
}

func (in *input) readForeign(raw []byte) error {
	if len(raw) > maxSchema {
		return fmt.Errorf("it is longer than %d bytes", maxSchema)
	}
	v, err := rewritten(raw)
	if err != nil {
		return err
	}
	root, ok := v.(map[string]any)
	if !ok {
		return errors.New("it is not an object")
	}
	trimmer := trimmer{root: root}
	trimmed, err := trimmer.schema(root, 0, nil)
	if err != nil {
		return err
	}
	object, ok := trimmed.(map[string]any)
	if kind, typed := object["type"]; !ok || typed && kind != "object" {
		return errors.New("it is not of an object")
	}
	object["type"] = "object"
	if object["properties"] == nil {
		object["properties"] = map[string]any{} // some providers refuse a schema without
	}
	if in.wire, err = json.Marshal(object); err != nil {
		return err
	}
	if len(in.wire) > maxSchema {
		return fmt.Errorf("it is longer than %d bytes when its references are followed", maxSchema)
	}
	in.schema = &jsonschema.Schema{}
	if err := json.Unmarshal(in.wire, in.schema); err != nil {
		return err
	}
	in.rules = &rule{kind: word}
	in.resolved, err = in.schema.Resolve(nil)
	return err
}

// trimmer copies a schema without what we do not read, with what references name
// in their place.
type trimmer struct {
	root  map[string]any
	nodes int
}

func (t *trimmer) schema(v any, depth int, within []string) (any, error) {
	if t.nodes++; t.nodes > maxSchemaNodes {
		return nil, fmt.Errorf("it has more than %d parts when its references are followed", maxSchemaNodes)
	}
	if depth > maxSchemaDepth {
		return nil, fmt.Errorf("it is nested deeper than %d levels", maxSchemaDepth)
	}
	if truth, ok := v.(bool); ok {
		return truth, nil
	}
	s, ok := v.(map[string]any)
	if !ok {
		return nil, errors.New("a part of it is no schema")
	}
	if ref, ok := s["$ref"]; ok {
		return t.referred(s, ref, depth, within)
	}
	if s["$dynamicRef"] != nil || s["$recursiveRef"] != nil {
		return nil, errors.New("a reference in it can't be followed")
	}
	out := map[string]any{}
	if text, ok := s["description"].(string); ok && text != "" {
		out["description"] = described(text)
	}
	for _, keyword := range sortedKeys(s) {
		holds, ok := kept(keyword)
		if !ok {
			continue
		}
		value, err := t.value(keyword, holds, s[keyword], depth, within)
		if err != nil {
			return nil, err
		}
		if value != nil {
			out[keyword] = value
		}
	}
	return out, nil
}

// value copies what stands behind a keyword; nil leaves it out.
func (t *trimmer) value(keyword, holds string, v any, depth int, within []string) (any, error) {
	switch holds {
	case "one":
		if _, tuple := v.([]any); tuple && keyword == "items" {
			return nil, nil // as older drafts write what prefixItems is now
		}
		return t.schema(v, depth+1, within)
	case "list":
		list, _ := v.([]any)
		out := make([]any, len(list))
		for i, item := range list {
			var err error
			if out[i], err = t.schema(item, depth+1, within); err != nil {
				return nil, err
			}
		}
		return out, nil
	case "named":
		properties, _ := v.(map[string]any)
		out := make(map[string]any, len(properties))
		for _, name := range sortedKeys(properties) {
			if _, hidden := plaintext.Show(name); hidden || name == "" || len(name) > maxProperty {
				return nil, fmt.Errorf("the name of the argument %.60q is empty, too long, or holds what nobody sees",
					name)
			}
			var err error
			if out[name], err = t.schema(properties[name], depth+1, within); err != nil {
				return nil, err
			}
		}
		return out, nil
	}
	if text, ok := v.(string); ok && keyword == "pattern" {
		if _, err := regexp.Compile(text); err != nil {
			return nil, nil // of another dialect; its server checks it
		}
	}
	if said, err := json.Marshal(v); err != nil || plaintext.Clean(string(said)) != string(said) {
		return nil, fmt.Errorf("what it says of %s holds what nobody sees", keyword)
	}
	return v, nil
}

// referred copies what a reference names. A schema that contains itself is read
// once; inside of itself only its type is kept.
func (t *trimmer) referred(s map[string]any, ref any, depth int, within []string) (any, error) {
	name, _ := ref.(string)
	target, err := t.find(name)
	if err != nil {
		return nil, err
	}
	if slices.Contains(within, name) {
		if named, ok := target.(map[string]any); ok && named["type"] != nil {
			return map[string]any{"type": named["type"]}, nil
		}
		return map[string]any{}, nil
	}
	out, err := t.schema(target, depth+1, append(slices.Clone(within), name))
	if own, ok := s["description"].(string); ok && err == nil {
		if described := described(own); described != "" {
			if object, ok := out.(map[string]any); ok {
				object["description"] = described
			}
		}
	}
	return out, err
}

// find follows a reference within the schema: "#", or "#/" and the way.
func (t *trimmer) find(ref string) (any, error) {
	way, local := strings.CutPrefix(ref, "#")
	if !local || way != "" && way[0] != '/' {
		return nil, fmt.Errorf("the reference %.60q leads out of it", ref)
	}
	var at any = t.root
	for _, step := range strings.Split(way, "/")[1:] {
		step = strings.NewReplacer("~1", "/", "~0", "~").Replace(step)
		object, isObject := at.(map[string]any)
		next, found := object[step]
		if !isObject || !found {
			return nil, fmt.Errorf("the reference %.60q leads nowhere", ref)
		}
		at = next
	}
	return at, nil
}
