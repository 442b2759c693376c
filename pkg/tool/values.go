package tool

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/google/jsonschema-go/jsonschema"
)

// Value is one significant argument of a write: whom or what it concerns, when,
// and for how much.
type Value struct {
	Name string // the argument: "check_in", "guests[1].email"
	Text string // as written in the arguments
	Date bool   // a hotel date, YYYY-MM-DD
	Num  bool   // an amount or a count
}

// Texts longer than this are prose, such as a description: they are not
// significant.
const (
	maxSteering = 64 // letters
	maxSteered  = 40 // values of one call that are looked at
)

// Values returns the significant arguments of the call. Booleans, enumerated
// values and prose are not among them.
func (c Call) Values() []Value {
	object, _, err := parseArguments(c.Arguments)
	if err != nil {
		return nil
	}
	var out []Value
	steering(c.Tool.input().schema, object, "", &out)
	return out[:min(len(out), maxSteered)]
}

func steering(s *jsonschema.Schema, value any, name string, out *[]Value) {
	if s == nil || len(s.Enum) > 0 {
		return
	}
	switch v := value.(type) {
	case map[string]any:
		for _, key := range sortedKeys(v) {
			steering(s.Properties[key], v[key], strings.TrimPrefix(name+"."+key, "."), out)
		}
	case []any:
		for i, item := range v {
			steering(s.Items, item, fmt.Sprintf("%s[%d]", name, i+1), out)
		}
	case json.Number:
		*out = append(*out, Value{Name: name, Text: string(v), Num: true})
	case string:
		if v = strings.TrimSpace(v); v != "" && utf8.RuneCountInString(v) <= maxSteering {
			date := s.Format == "date" || looksLikeDate(v)
			*out = append(*out, Value{Name: name, Text: v, Date: date})
		}
	}
}
