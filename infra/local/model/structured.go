package model

import (
	"encoding/json"
	"regexp"
	"strings"
	"time"
)

var fenced = regexp.MustCompile("(?s)```(?:json)?\\s*(\\{.*?\\})\\s*```")

// shaped gives the answer the JSON form that was asked for: the schema's
// smallest valid object, filled with what the user said, or without a schema
// an object that holds the text.
func (pl *planner) structured(text string) string {
	s := pl.format.schema
	if s == nil {
		s = pl.schemaInPrompt()
	}
	if s == nil {
		return string(encode(map[string]any{"text": text}))
	}
	if filled, ok := pl.extracted(s); ok {
		return string(encodeOrdered(filled, s))
	}
	return string(encodeOrdered(pl.form(s, text), s))
}

// schemaInPrompt finds a JSON schema in the prompt, for json_object mode,
// where the shape is known only from prose.
func (pl *planner) schemaInPrompt() *schema {
	for _, one := range pl.messages {
		if one.role != "system" {
			continue
		}
		for _, found := range fenced.FindAllStringSubmatch(one.text, -1) {
			if s, err := parseSchema(json.RawMessage(found[1])); err == nil && s.is("object") && len(s.props) > 0 {
				return s
			}
		}
	}
	return nil
}

// form fills an object of schema s: what the user said where it fits, the
// answer's text in the first free string that asks for one, and the smallest
// valid value elsewhere.
func (pl *planner) form(s *schema, text string) any {
	if !s.is("object") {
		return smallest(s, pl.today)
	}
	o := indexedTool{lexicon: pl.lexicon, tool: tool{name: "fill", params: s}, verb: "fill"}
	full := strings.Join(pl.goal, "\n")
	f := &filler{planner: pl, tool: o, clause: clause{text: full, full: full},
		texts: []*entities{pl.entitiesIn(full, pl.today, false)}}
	found, order, missing := map[string]any{}, []string{}, []property{}
	f.object(s, found, &order, &missing)
	spoken := false
	for _, p := range s.props {
		if !s.needs(p.name) {
			continue
		}
		_, has := found[p.name]
		prose := p.is("string") && len(p.enum) == 0 && proseProp.MatchString(p.name)
		switch {
		case prose && !spoken:
			found[p.name], spoken = text, true
		case p.is("object") && len(p.props) > 0:
			found[p.name] = pl.form(p.schema, text)
		case !has || p.is("array"):
			found[p.name] = smallest(p.schema, pl.today)
		}
	}
	return found
}

var proseProp = regexp.MustCompile(`(?i)summary|answer|reply|text|message|response|content`)

// smallest is the least value that s allows.
func smallest(s *schema, today time.Time) any {
	switch {
	case s == nil:
		return nil
	case s.def != nil:
		return s.def
	case len(s.enum) > 0:
		return s.enum[0]
	case s.is("object"):
		out := map[string]any{}
		for _, p := range s.props {
			if s.needs(p.name) {
				out[p.name] = smallest(p.schema, today)
			}
		}
		return out
	case s.is("array"):
		out := []any{}
		for range s.minItems {
			out = append(out, smallest(s.items, today))
		}
		return out
	case s.is("integer"), s.is("number"):
		if s.minimum != "" {
			return s.minimum
		}
		return 0
	case s.is("boolean"):
		return false
	case s.is("null") && !s.is("string"):
		return nil
	}
	switch s.format {
	case "date":
		return today.Format(isoDate)
	case "date-time":
		return today.Format(time.RFC3339)
	case "email":
		return "nobody@example.com"
	case "uuid":
		return "00000000-0000-0000-0000-000000000000"
	case "uri":
		return "https://example.com/"
	}
	if s.minLength > 0 {
		return strings.Repeat("-", s.minLength)
	}
	return ""
}

// encodeOrdered writes an object's members in schema order, as models do.
func encodeOrdered(v any, s *schema) []byte {
	object, ok := v.(map[string]any)
	if !ok || s == nil {
		return encode(v)
	}
	var parts []string
	for _, p := range s.props {
		if one, ok := object[p.name]; ok {
			parts = append(parts, string(encode(p.name))+":"+string(encodeOrdered(one, p.schema)))
		}
	}
	return []byte("{" + strings.Join(parts, ",") + "}")
}
