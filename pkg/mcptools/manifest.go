package mcptools

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/bellhop-ai/bellhop/pkg/tool"
)

// Manifest is what people decided about the tools of a server. It is a JSON file
// that Schema describes.
type Manifest struct {
	Server string   `json:"server"`
	Tools  []Pinned `json:"tools"`

	digest string
}

// Pinned is one tool of a manifest. Name, Description, Input and Digest are as
// the server declared them when it was reviewed; the rest is the reviewers'.
type Pinned struct {
	Name string `json:"name"`
	// Effect is one of tool.Effect's, or "off" for a tool that is not offered.
	Effect   string `json:"effect"`
	Category string `json:"category,omitempty"`
	// Target is "shared" (also ""), "own" or "outside"; see tool.Reach.
	Target string `json:"target,omitempty"`
	// Says is what models read in place of the server's description.
	Says string `json:"says,omitempty"`
	// IDs are members of arguments and answers that hold ids, besides those whose
	// values look like a UUID or a ULID.
	IDs []string `json:"ids,omitempty"`
	// Untrusted are the members of answers with text of others; nil means all, an
	// empty list none.
	Untrusted []string `json:"untrusted,omitzero"`
	// Reference is the argument in which a tool that writes takes our own
	// reference. Models do not see it.
	Reference string `json:"reference,omitempty"`
	// Number is where an answer has the server's own name for what was written, as
	// a JSON Pointer.
	Number string `json:"number,omitempty"`
	// LookUp finds what was written under our reference.
	LookUp *LookUp `json:"lookUp,omitempty"`

	Digest      string          `json:"digest"`
	Description string          `json:"description,omitempty"`
	Input       json.RawMessage `json:"input,omitempty"`

	schema json.RawMessage // what offered returns, made when the manifest was read
}

// LookUp is how a tool that reads finds a record by our reference.
type LookUp struct {
	Tool     string `json:"tool"`
	Argument string `json:"argument"`
	// Number is where its answer has the server's name for the record, as a JSON
	// Pointer. An answer without a value there does not know the reference.
	Number string `json:"number"`
}

// Off is the effect of a tool that is not offered.
const Off = "off"

// Schema is the JSON Schema of manifests.
//
//go:embed manifest.schema.json
var Schema []byte

// ReadManifest reads a manifest, and returns an error that names what is wrong
// with it.
func ReadManifest(raw []byte) (*Manifest, error) {
	var schema jsonschema.Schema
	if err := json.Unmarshal(Schema, &schema); err != nil {
		return nil, fmt.Errorf("read the schema of manifests: %w", err)
	}
	resolved, err := schema.Resolve(nil)
	if err != nil {
		return nil, fmt.Errorf("read the schema of manifests: %w", err)
	}
	var value any
	if err := json.Unmarshal(raw, &value); err != nil {
		return nil, fmt.Errorf("read a manifest: %w", err)
	}
	if err := resolved.Validate(value); err != nil {
		return nil, fmt.Errorf("read a manifest: %w", err)
	}
	m := &Manifest{}
	if err := json.Unmarshal(raw, m); err != nil {
		return nil, fmt.Errorf("read a manifest: %w", err)
	}
	for i := range m.Tools {
		m.Tools[i].schema = m.Tools[i].offered()
	}
	sum := sha256.Sum256(raw)
	m.digest = hex.EncodeToString(sum[:])
	return m, m.check()
}

// check says what a schema can't.
func (m *Manifest) check() error {
	var problems []error
	say := func(t Pinned, format string, args ...any) {
		problems = append(problems, fmt.Errorf("the tool %s: %s", t.Name, fmt.Sprintf(format, args...)))
	}
	for i, t := range m.Tools {
		if slices.ContainsFunc(m.Tools[:i], func(o Pinned) bool { return o.Name == t.Name }) {
			say(t, "it stands in the manifest twice")
		}
		if d, err := digest(t.Name, t.Description, t.Input); err != nil || d != t.Digest {
			say(t, "its digest is not that of its name, description and input: what models read belongs in says")
		}
		if t.LookUp != nil {
			if by, ok := m.find(t.LookUp.Tool); !ok || by.effect() != tool.Reads {
				say(t, "what it is looked up by is no tool of the manifest that reads")
			}
			if t.Reference == "" {
				say(t, "it is looked up by a reference that it does not get")
			}
		}
		if reads := t.effect() == tool.Reads; reads && (t.Reference != "" || t.LookUp != nil) {
			say(t, "it only reads, and needs no reference")
		}
	}
	return errors.Join(problems...)
}

func (m *Manifest) find(name string) (Pinned, bool) {
	i := slices.IndexFunc(m.Tools, func(t Pinned) bool { return t.Name == name })
	if i < 0 {
		return Pinned{}, false
	}
	return m.Tools[i], true
}

// effect returns the tool's effect, 0 for one that is off.
func (t Pinned) effect() tool.Effect {
	for e := tool.Reads; e <= tool.Critical; e++ {
		if e.String() == t.Effect {
			return e
		}
	}
	return 0
}

func (t Pinned) target() tool.Reach {
	switch t.Target {
	case "own":
		return tool.Own
	case "outside":
		return tool.Outside
	}
	return tool.Shared
}

// told returns the description for models.
func (t Pinned) told() string {
	if t.Says != "" {
		return t.Says
	}
	return t.Description
}

// offered returns the schema of the arguments that a model may give: without the
// one that takes our reference, and with handles in the place of ids.
func (t Pinned) offered() json.RawMessage {
	if t.schema != nil {
		return t.schema
	}
	d := json.NewDecoder(bytes.NewReader(t.Input))
	d.UseNumber()
	var schema map[string]any
	if d.Decode(&schema) != nil {
		return t.Input
	}
	if properties, ok := schema["properties"].(map[string]any); ok && t.Reference != "" {
		delete(properties, t.Reference)
	}
	if required, ok := schema["required"].([]any); ok && t.Reference != "" {
		schema["required"] = slices.DeleteFunc(required, func(r any) bool { return r == t.Reference })
	}
	return encoded(t.withHandles(schema))
}

// withHandles returns a schema in which ids are texts of any shape.
func (t Pinned) withHandles(v any) any {
	switch v := v.(type) {
	case []any:
		for i := range v {
			v[i] = t.withHandles(v[i])
		}
	case map[string]any:
		if format := v["format"]; format == "uuid" || format == "ulid" {
			return text(v)
		}
		for key, child := range v {
			v[key] = t.withHandles(child)
		}
		properties, _ := v["properties"].(map[string]any)
		for name, property := range properties {
			if p, ok := property.(map[string]any); ok && slices.Contains(t.IDs, name) {
				properties[name] = text(p)
			}
		}
	}
	return v
}

// text returns the schema of a text, or of a list of texts where the other one is
// of a list, with its description.
func text(of map[string]any) map[string]any {
	out := map[string]any{"type": "string"}
	if of["type"] == "array" {
		out = map[string]any{"type": "array", "items": map[string]any{"type": "string"}}
	}
	if said, ok := of["description"].(string); ok {
		out["description"] = said
	}
	return out
}

// encoded encodes what is known to be encodable.
func encoded(v any) json.RawMessage {
	raw, err := json.Marshal(v)
	if err != nil {
		return json.RawMessage("null")
	}
	return raw
}

// digest returns the digest of a declaration. Spaces and the order of members
// make no difference.
func digest(name, description string, input json.RawMessage) (string, error) {
	var schema any
	if len(bytes.TrimSpace(input)) > 0 {
		d := json.NewDecoder(bytes.NewReader(input))
		d.UseNumber()
		if err := d.Decode(&schema); err != nil {
			return "", fmt.Errorf("the input of the tool %.60q: %w", name, err)
		}
	}
	h := sha256.New()
	for _, part := range []string{name, description, string(encoded(schema))} {
		fmt.Fprintf(h, "%d:%s", len(part), part)
	}
	return "sha256:" + hex.EncodeToString(h.Sum(nil)), nil
}

// Difference is how a server's tool differs from its manifest.
type Difference struct {
	Tool string
	// What is "unknown" or "changed", and then the tool is off, or "missing" for
	// one that the server no longer lists.
	What string
}

// declared is a tool as its server declares it.
type declared struct {
	name, description string
	input             json.RawMessage
}

// differences compares a manifest with what a server declares, and returns the
// names of the tools that are as they were reviewed.
func (m *Manifest) differences(list []declared) (same map[string]bool, found []Difference) {
	same = map[string]bool{}
	seen := map[string]bool{}
	for _, d := range list {
		pinned, known := m.find(d.name)
		sum, err := digest(d.name, d.description, d.input)
		switch {
		case !known:
			found = append(found, Difference{d.name, "unknown"})
		case err != nil || sum != pinned.Digest || seen[d.name]:
			found = append(found, Difference{d.name, "changed"})
			delete(same, d.name)
		default:
			same[d.name] = true
		}
		seen[d.name] = true
	}
	for _, t := range m.Tools {
		if !seen[t.Name] && t.effect() != 0 {
			found = append(found, Difference{t.Name, "missing"})
		}
	}
	return same, found
}

// draft returns a manifest of what a server declares, in which all tools are off
// until people review them. Decisions of an earlier manifest are kept for
// tools that are declared as they were; earlier may be nil.
func draft(server string, list []declared, earlier *Manifest) (*Manifest, error) {
	m := &Manifest{Server: server, Tools: []Pinned{}}
	for _, d := range list {
		sum, err := digest(d.name, d.description, d.input)
		if err != nil {
			return nil, err
		}
		t := Pinned{Name: d.name, Effect: Off}
		if earlier != nil {
			if old, ok := earlier.find(d.name); ok && old.Digest == sum {
				t = old
			}
		}
		t.Digest, t.Description, t.Input = sum, d.description, d.input
		m.Tools = append(m.Tools, t)
	}
	slices.SortFunc(m.Tools, func(a, b Pinned) int { return strings.Compare(a.Name, b.Name) })
	return m, nil
}
