package model

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// fields is a JSON object that keeps its order, so that a summary reads in
// the order in which the tool wrote.
type fields []field

type field struct {
	key   string
	value any
}

// text returns the first of keys that holds a string.
func (f fields) text(keys ...string) string {
	for _, k := range keys {
		for _, one := range f {
			if s, ok := one.value.(string); ok && strings.EqualFold(one.key, k) {
				return s
			}
		}
	}
	return ""
}

// count reads how many rows an object speaks of.
func (f fields) count() string {
	for _, one := range f {
		if n, ok := one.value.(json.Number); ok && slices.Contains([]string{"count", "total", "rows"},
			strings.ToLower(one.key)) {
			return n.String() + " found"
		}
		if rows, ok := one.value.([]any); ok {
			return fmt.Sprintf("%d found", len(rows))
		}
	}
	return ""
}

// parse reads JSON with objects as fields; text that is no JSON gives nil.
func parse(text string) any {
	dec := json.NewDecoder(bytes.NewReader([]byte(text)))
	dec.UseNumber()
	v, err := parseNext(dec)
	if err != nil || dec.More() {
		return nil
	}
	return v
}

func parseNext(dec *json.Decoder) (any, error) {
	t, err := dec.Token()
	if err != nil {
		return nil, err
	}
	switch t {
	case json.Delim('{'):
		out := fields{}
		for dec.More() {
			key, err := dec.Token()
			if err != nil {
				return nil, err
			}
			v, err := parseNext(dec)
			if err != nil {
				return nil, err
			}
			out = append(out, field{key: fmt.Sprint(key), value: v})
		}
		_, err := dec.Token()
		return out, err
	case json.Delim('['):
		out := []any{}
		for dec.More() {
			v, err := parseNext(dec)
			if err != nil {
				return nil, err
			}
			out = append(out, v)
		}
		_, err := dec.Token()
		return out, err
	}
	return t, nil
}
