package model

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// schema is as much of a JSON schema as is needed to fill arguments. Order of
// properties is kept, since the first matching property wins ties.
type schema struct {
	types       []string
	description string
	format      string
	pattern     string
	enum        []any
	def         any // "default"; nil when absent
	props       []property
	required    []string
	items       *schema
	minItems    int
	minLength   int
	minimum     json.Number
	closed      bool // additionalProperties is false
}

type property struct {
	name string
	*schema
}

func (s *schema) is(kind string) bool { return s != nil && slices.Contains(s.types, kind) }

func (s *schema) needs(name string) bool { return slices.Contains(s.required, name) }

// describe gives properties without a description that of the property of the
// same name before them: descriptions may stand once in a list of tools.
func (s *schema) describe(said map[string]string) {
	if s == nil {
		return
	}
	for _, p := range s.props {
		if p.description == "" {
			p.description = said[p.name]
		}
		said[p.name] = p.description
		p.schema.describe(said)
	}
	s.items.describe(said)
}

// parseSchema reads raw, which may be empty: a tool without parameters.
func parseSchema(raw json.RawMessage) (*schema, error) {
	if len(raw) == 0 || string(raw) == "null" {
		return &schema{types: []string{"object"}}, nil
	}
	var top struct {
		Defs        map[string]json.RawMessage `json:"$defs"`
		Definitions map[string]json.RawMessage `json:"definitions"`
	}
	if err := json.Unmarshal(raw, &top); err != nil {
		return nil, fmt.Errorf("schema is not an object: %w", err)
	}
	defs := top.Defs
	if defs == nil {
		defs = top.Definitions
	}
	return readSchema(raw, defs, 0)
}

func readSchema(raw json.RawMessage, defs map[string]json.RawMessage, depth int) (*schema, error) {
	if depth > 24 || bytes.Equal(raw, []byte("true")) || bytes.Equal(raw, []byte("false")) {
		return &schema{}, nil // a recursive or boolean schema says nothing we could fill
	}
	var in struct {
		Ref         string            `json:"$ref"`
		Type        json.RawMessage   `json:"type"`
		Description string            `json:"description"`
		Format      string            `json:"format"`
		Pattern     string            `json:"pattern"`
		Enum        []any             `json:"enum"`
		Const       any               `json:"const"`
		Default     any               `json:"default"`
		Properties  json.RawMessage   `json:"properties"`
		Required    []string          `json:"required"`
		Items       json.RawMessage   `json:"items"`
		MinItems    int               `json:"minItems"`
		MinLength   int               `json:"minLength"`
		Minimum     json.Number       `json:"minimum"`
		Additional  json.RawMessage   `json:"additionalProperties"`
		AnyOf       []json.RawMessage `json:"anyOf"`
		OneOf       []json.RawMessage `json:"oneOf"`
		AllOf       []json.RawMessage `json:"allOf"`
	}
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	if err := dec.Decode(&in); err != nil {
		return nil, fmt.Errorf("read schema: %w", err)
	}
	if name, ok := lastOf(in.Ref); ok {
		if target := defs[name]; target != nil {
			return readSchema(target, defs, depth+1)
		}
		return nil, fmt.Errorf("schema refers to unknown %s", in.Ref)
	}
	out := &schema{
		description: in.Description, format: in.Format, pattern: in.Pattern, enum: in.Enum, def: in.Default,
		required: in.Required, minItems: in.MinItems, minLength: in.MinLength, minimum: in.Minimum,
		closed: string(in.Additional) == "false",
	}
	if in.Const != nil {
		out.enum = []any{in.Const}
	}
	var err error
	if out.types, err = readTypes(in.Type); err != nil {
		return nil, err
	}
	// Of alternatives the first that is not null stands for all: enough to
	// fill nullable fields and to answer with one valid branch of a union.
	for _, options := range [][]json.RawMessage{in.AnyOf, in.OneOf, in.AllOf} {
		for _, option := range options {
			branch, err := readSchema(option, defs, depth+1)
			if err != nil {
				return nil, err
			}
			if slices.Equal(branch.types, []string{"null"}) {
				out.types = append(out.types, "null")
				continue
			}
			if out.props == nil && out.items == nil && out.enum == nil &&
				len(slices.DeleteFunc(slices.Clone(out.types), isNull)) == 0 {
				nullable := out.is("null")
				if out.description != "" {
					branch.description = out.description
				}
				out = branch
				if nullable {
					out.types = append(out.types, "null")
				}
			}
		}
	}
	if len(in.Properties) > 0 {
		if out.props, err = readProperties(in.Properties, defs, depth); err != nil {
			return nil, err
		}
		if len(out.types) == 0 {
			out.types = []string{"object"}
		}
	}
	if len(in.Items) > 0 && in.Items[0] == '{' {
		if out.items, err = readSchema(in.Items, defs, depth+1); err != nil {
			return nil, err
		}
	}
	if len(out.types) == 0 && len(out.enum) > 0 {
		out.types = []string{"string"}
	}
	return out, nil
}

func isNull(kind string) bool { return kind == "null" }

func lastOf(ref string) (string, bool) {
	if ref == "" {
		return "", false
	}
	return ref[strings.LastIndex(ref, "/")+1:], true
}

func readTypes(raw json.RawMessage) ([]string, error) {
	if len(raw) == 0 {
		return nil, nil
	}
	var one string
	if json.Unmarshal(raw, &one) == nil {
		return []string{one}, nil
	}
	var many []string
	if err := json.Unmarshal(raw, &many); err != nil {
		return nil, fmt.Errorf("schema type is neither a name nor a list: %w", err)
	}
	return many, nil
}

// readProperties walks the object by tokens because a map would lose order.
func readProperties(raw json.RawMessage, defs map[string]json.RawMessage, depth int) ([]property, error) {
	dec := json.NewDecoder(bytes.NewReader(raw))
	if open, err := dec.Token(); err != nil || open != json.Delim('{') {
		return nil, fmt.Errorf("properties is not an object")
	}
	var out []property
	for dec.More() {
		key, err := dec.Token()
		if err != nil {
			return nil, fmt.Errorf("read properties: %w", err)
		}
		var value json.RawMessage
		if err := dec.Decode(&value); err != nil {
			return nil, fmt.Errorf("read properties: %w", err)
		}
		name, _ := key.(string)
		sub, err := readSchema(value, defs, depth+1)
		if err != nil {
			return nil, fmt.Errorf("property %s: %w", name, err)
		}
		out = append(out, property{name: name, schema: sub})
	}
	return out, nil
}
