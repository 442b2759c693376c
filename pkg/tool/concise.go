package tool

import (
	"encoding/json"
	"fmt"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/bellhop-ai/bellhop/pkg/llm"
)

// concise returns the schema as a model needs it, in fewer tokens than the one
// by which arguments are checked: without the pattern of dates, which their
// format names, without "null" for lists, and without the prohibition of other
// members, which the check repeats with a sentence. A description that the
// previous property of that name has, word for word, stands once; said keeps
// the last one of each name.
func concise(s *jsonschema.Schema, said map[string]string) (json.RawMessage, error) {
	s = s.CloneSchemas()
	shorten(s, said)
	raw, err := json.Marshal(s)
	if err != nil {
		return nil, fmt.Errorf("shorten a schema: %w", err)
	}
	return raw, nil
}

func shorten(s *jsonschema.Schema, said map[string]string) {
	s.AdditionalProperties = nil
	if s.Format == "date" {
		s.Pattern = ""
	}
	if len(s.Types) == 2 && s.Types[0] == "null" {
		s.Type, s.Types = s.Types[1], nil
	}
	// In the order in which the model reads them.
	for _, name := range s.PropertyOrder {
		p := s.Properties[name]
		if p == nil {
			continue
		}
		switch {
		case p.Description == said[name]:
			p.Description = ""
		default:
			said[name] = p.Description
		}
		shorten(p, said)
	}
	if s.Items != nil {
		shorten(s.Items, said)
	}
}

// told returns the tool in the form that models read, after tools that already
// contain these descriptions of properties.
func (t Tool) told(said map[string]string) llm.Tool {
	out := llm.Tool{Name: t.spec.Name, Description: t.spec.Description}
	in := t.input()
	if in.fault != nil {
		return out // the tool answers with the fault; Check reports it at start
	}
	raw, err := concise(in.schema, said)
	if err != nil {
		raw = in.wire
	}
	out.Parameters = raw
	return out
}
