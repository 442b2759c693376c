package hospitality

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"

	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/supabase"
)

// row is a domain type T as a table has it: a column has the name of T's member
// in JSON, in snake case. Version stands beside it, since T does not show its own
// in JSON. It is read from answers of the database only.
type row[T any] struct {
	Value   T
	Version int
}

// UnmarshalJSON reads a row.
func (r *row[T]) UnmarshalJSON(data []byte) error {
	// Names of members are compared without regard to case.
	members := renamed(data, func(name []byte) []byte { return bytes.ReplaceAll(name, []byte("_"), nil) })
	var version struct{ Version int }
	if err := json.Unmarshal(members, &version); err != nil {
		return err
	}
	r.Version = version.Version
	return json.Unmarshal(members, &r.Value)
}

// columns is a value for a function that takes a row, or changes of one: the
// members of a domain type in JSON with the names of the columns, and null for
// those of clear that it leaves out. The function ignores what is no column.
type columns struct {
	of    any
	clear []string
}

// MarshalJSON writes the value.
func (c columns) MarshalJSON() ([]byte, error) {
	members, err := c.members()
	if err != nil {
		return nil, err
	}
	return json.Marshal(members)
}

// members returns the value by column, for a row that is written to its table.
func (c columns) members() (map[string]any, error) {
	data, err := json.Marshal(c.of)
	if err != nil {
		return nil, fmt.Errorf("encode a row: %w", err)
	}
	given := map[string]json.RawMessage{}
	if err := json.Unmarshal(renamed(data, snake), &given); err != nil {
		return nil, fmt.Errorf("encode a row: %w", err)
	}
	members := map[string]any{}
	for _, column := range c.clear {
		members[column] = nil
	}
	for column, value := range given {
		members[column] = value
	}
	return members, nil
}

// listed calls a function that returns rows of the caller's chosen property, and
// returns what one makes of each.
func listed[R, T any](
	ctx context.Context, client *supabase.Client, by identity.Caller, function string, args supabase.Args,
	one func(R, identity.Caller) T,
) ([]T, error) {
	rows, err := records[R](ctx, client, by, function, args)
	if err != nil {
		return nil, err
	}
	list := make([]T, len(rows))
	for i, r := range rows {
		list[i] = one(r, by)
	}
	return list, nil
}

// renamed returns JSON with other names for all members, without spaces around
// their colons changed.
func renamed(data []byte, name func([]byte) []byte) []byte {
	out := make([]byte, 0, len(data)+32)
	for i := 0; i < len(data); {
		if data[i] != '"' {
			out = append(out, data[i])
			i++
			continue
		}
		end := i + 1
		for end < len(data) && data[end] != '"' {
			if data[end] == '\\' {
				end++
			}
			end++
		}
		if end >= len(data) {
			return append(out, data[i:]...) // no JSON; who reads it will say so
		}
		text := data[i+1 : end]
		if rest := bytes.TrimLeft(data[end+1:], " \t\r\n"); len(rest) > 0 && rest[0] == ':' {
			text = name(text)
		}
		out = append(append(append(out, '"'), text...), '"')
		i = end + 1
	}
	return out
}

// snake returns taxRate as tax_rate.
func snake(name []byte) []byte {
	out := make([]byte, 0, len(name)+4)
	for _, c := range name {
		if c >= 'A' && c <= 'Z' {
			out = append(out, '_')
			c += 'a' - 'A'
		}
		out = append(out, c)
	}
	return out
}
