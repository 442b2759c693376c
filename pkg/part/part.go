// Package part has the elements that an answer shows besides its text: tables,
// charts, choices, links. A part is plain data with a text for clients that
// show only text, and records the tool call that made it, so that a client can
// run it again without a model.
//
// A kind is one file: its data type, which is a Data, with its schema and its
// text. There is no list of the kinds; clients show the text of an unknown
// kind.
package part

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/money"
	"github.com/bellhop-ai/bellhop/pkg/rawjson"
	"github.com/bellhop-ai/bellhop/pkg/render"
)

// Limit is how many bytes a part may have as JSON, all of its members together.
const Limit = 24 << 10

// overhead is the size of a part without its data, text and call.
const overhead = 256

// Part is one part of an answer as clients know it.
type Part struct {
	Kind string `json:"kind"` // "table"
	// ID names the part within its conversation, "t2a"; the agent loop or the
	// handler that returns the part chooses it.
	ID string `json:"id"`
	// Beside is the id of the part next to which this one is shown, "" for none.
	Beside string `json:"beside,omitempty"`
	// Data is one object, as the kind's schema says.
	Data json.RawMessage `json:"data"`
	// Text is the same content as plain text.
	Text string `json:"text"`
	// Tool and Arguments are the call that made the part; the arguments are
	// canonical. Tool is "" for a part that no tool made.
	Tool      string          `json:"tool,omitempty"`
	Arguments json.RawMessage `json:"arguments,omitempty"`
}

// Data is the content of a part, a struct that encodes to one JSON object.
type Data interface {
	// Kind names the kind in small letters: "chart".
	Kind() string
	// Text returns the content as plain text.
	Text() string
	// Check reports content that must not be shown.
	Check() error
}

// Cutter is implemented by kinds that can be shown in part. Cut returns about
// the given share of the content, above 0 and below 1, with a note that
// something is missing.
type Cutter interface{ Cut(share float64) Data }

// New makes a part. Content above Limit is cut where its kind allows; otherwise
// it is a mistake of the tool's author, as is content that fails its Check: a
// fault.Internal error with the code "part_refused".
func New(d Data, tool string, arguments json.RawMessage) (Part, error) {
	if err := d.Check(); err != nil {
		return Part{}, refused(d, err)
	}
	p, size, err := encode(d, tool, arguments)
	if err != nil {
		return Part{}, refused(d, err)
	}
	if c, ok := d.(Cutter); ok {
		for share := 1.0; size > Limit && share > 0.01; {
			share *= min(0.95, float64(Limit)/float64(size))
			if p, size, err = encode(c.Cut(share), tool, arguments); err != nil {
				return Part{}, refused(d, err)
			}
		}
	}
	if size > Limit {
		return Part{}, refused(d, fmt.Errorf("it has %d bytes of at most %d", size, Limit))
	}
	return p, nil
}

func encode(d Data, tool string, arguments json.RawMessage) (Part, int, error) {
	data, err := marshal(d)
	if err != nil {
		return Part{}, 0, err
	}
	p := Part{Kind: d.Kind(), Data: data, Text: d.Text(), Tool: tool, Arguments: arguments}
	text, err := marshal(p.Text)
	return p, len(data) + len(text) + len(arguments) + overhead, err
}

func refused(d Data, err error) error {
	return fault.Wrap(fault.Internal, fmt.Errorf("a part of the kind %s: %w", d.Kind(), err),
		"A part of the answer could not be made.").
		WithCode("part_refused")
}

// Unnamed is the error of a part of a kind that the profile of the assistant
// does not name. The part is left out.
func Unnamed(kind string) error {
	return fault.Wrap(fault.Internal, fmt.Errorf("a part of the kind %s, which the profile does not name", kind),
		"A part of the answer could not be made.").WithCode("part_refused")
}

// Schema returns the JSON Schema of a kind's data.
func Schema(d Data) (*jsonschema.Schema, error) {
	return jsonschema.ForType(reflect.TypeOf(d), &jsonschema.ForOptions{TypeSchemas: ownTypes()})
}

// ownTypes are the schemas of types that encode otherwise than their fields.
func ownTypes() map[reflect.Type]*jsonschema.Schema {
	return map[reflect.Type]*jsonschema.Schema{
		reflect.TypeFor[render.Cell]():     {Type: "string"},
		reflect.TypeFor[calendar.Date]():   {Type: "string", Format: "date"},
		reflect.TypeFor[money.Amount]():    {Type: "number"},
		reflect.TypeFor[json.RawMessage](): {Type: "object"},
	}
}

// Append appends the part as JSON, as encoding/json writes it without the escapes
// for HTML. What is JSON in it is checked and not written anew.
func (p Part) Append(b []byte) ([]byte, error) {
	text := func(name, value string) { b = rawjson.AppendText(append(b, name...), value) }
	raw := func(name string, value json.RawMessage) error {
		if value == nil {
			value = json.RawMessage("null")
		}
		whole, err := rawjson.Parse(value)
		b = append(append(b, name...), whole...)
		return err
	}
	text(`{"kind":`, p.Kind)
	text(`,"id":`, p.ID)
	if p.Beside != "" {
		text(`,"beside":`, p.Beside)
	}
	if err := raw(`,"data":`, p.Data); err != nil {
		return nil, fmt.Errorf("the data of the part %s: %w", p.ID, err)
	}
	text(`,"text":`, p.Text)
	if p.Tool != "" {
		text(`,"tool":`, p.Tool)
	}
	if len(p.Arguments) > 0 {
		if err := raw(`,"arguments":`, p.Arguments); err != nil {
			return nil, fmt.Errorf("the arguments of the part %s: %w", p.ID, err)
		}
	}
	return append(b, '}'), nil
}

// AppendList appends the list of the parts as JSON; see Part.Append.
func AppendList(b []byte, parts []Part) ([]byte, error) {
	b = append(b, '[')
	for i, p := range parts {
		if i > 0 {
			b = append(b, ',')
		}
		var err error
		if b, err = p.Append(b); err != nil {
			return nil, err
		}
	}
	return append(b, ']'), nil
}

// Flat returns the data as one object that holds the members of the part, too,
// but its kind and id: for streams that carry those separately.
func (p Part) Flat() (json.RawMessage, error) {
	rest, err := marshal(struct {
		Beside    string          `json:"beside,omitempty"`
		Text      string          `json:"text"`
		Tool      string          `json:"tool,omitempty"`
		Arguments json.RawMessage `json:"arguments,omitempty"`
	}{p.Beside, p.Text, p.Tool, p.Arguments})
	if err != nil {
		return nil, err
	}
	data := bytes.TrimSpace(p.Data)
	if len(data) < 2 || data[len(data)-1] != '}' {
		return nil, fmt.Errorf("the data of the part %s is no object", p.ID)
	}
	flat := append([]byte(nil), data[:len(data)-1]...)
	if len(data) > 2 {
		flat = append(flat, ',')
	}
	return append(flat, rest[1:]...), nil
}

// marshal encodes without escaping for HTML, so that drawings travel as written.
func marshal(v any) (json.RawMessage, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimRight(b.Bytes(), "\n"), nil
}
