// Package rawjson reads JSON where it lies: the members of an object, the items
// of a list, a text, without decoding what is not asked for.
//
// It is said first, once, whether the whole is valid, as encoding/json says it;
// every Value is cut out of what was accepted, so reading on cannot fail half-way.
package rawjson

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"iter"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Value is one valid JSON value as it was written, without space around it. It
// is a piece of what was parsed: who changes that changes the value. The zero
// Value is none; it has no members, no items and no text.
type Value []byte

// maxDepth is how deep encoding/json lets values nest.
const maxDepth = 10_000

// ErrDeep says that values nest deeper than they may.
var ErrDeep = errors.New("the JSON is nested too deeply")

// Parse returns the one value that data holds, or the reason why it holds none.
// It accepts what encoding/json accepts.
func Parse(data []byte) (Value, error) { return ParseWithin(data, maxDepth) }

// ParseWithin is Parse for a value whose objects and lists nest at most depth
// deep; the error of any other one is ErrDeep. depth is at most 10,000.
func ParseWithin(data []byte, depth int) (Value, error) {
	i, err := check(data, skip(data, 0), depth)
	if err == nil && skip(data, i) == len(data) {
		return Value(bytes.Trim(data, space)), nil
	}
	if errors.Is(err, ErrDeep) && depth < maxDepth {
		return nil, err
	}
	if err := json.Unmarshal(data, new(any)); err != nil {
		return nil, err // it says where, and what was expected there
	}
	return nil, cmp.Or(err, errInvalid)
}

// Of returns the value that encoding/json cut out of what it decoded. Nothing is
// checked: of bytes that are no valid JSON, reading may panic.
func Of(valid json.RawMessage) Value { return Value(bytes.Trim(valid, space)) }

const space = " \t\r\n"

// IsNull reports whether the value is null.
func (v Value) IsNull() bool { return string(v) == "null" }

// Is reports whether the value is an object, list or text: it begins with '{',
// '[' or '"'.
func (v Value) Is(first byte) bool { return len(v) > 0 && v[0] == first }

// Members yields the members of an object in their order, the same name as
// often as it stands there; nothing for any other value.
func (v Value) Members() iter.Seq2[[]byte, Value] {
	return func(yield func([]byte, Value) bool) {
		if !v.Is('{') {
			return
		}
		for i := v.next(1); v[i] != '}'; {
			from := i
			i = v.end(i)
			name := v[from:i]
			from = v.next(v.next(i) + 1) // behind the colon
			i = v.end(from)
			if !yield(name.letters(), v[from:i]) {
				return
			}
			i = v.behind(i)
		}
	}
}

// Items yields the items of a list; nothing for any other value.
func (v Value) Items() iter.Seq[Value] {
	return func(yield func(Value) bool) {
		if !v.Is('[') {
			return
		}
		for i := v.next(1); v[i] != ']'; {
			from := i
			i = v.end(i)
			if !yield(v[from:i]) {
				return
			}
			i = v.behind(i)
		}
	}
}

// Text returns the text that the value is, and whether it is one.
func (v Value) Text() (string, bool) {
	if !v.Is('"') {
		return "", false
	}
	return string(v.letters()), true
}

// letters returns the letters of a text. Most texts are written as they are.
func (v Value) letters() []byte {
	if plain := v[1 : len(v)-1]; bytes.IndexByte(plain, '\\') < 0 && utf8.Valid(plain) {
		return plain
	}
	return v.unescaped()
}

// Int returns the whole number that the value is, and whether it is one.
func (v Value) Int() (int, bool) {
	n, err := strconv.Atoi(string(v))
	return n, err == nil
}

// next returns the place of the first byte from i on that is no space.
func (v Value) next(i int) int {
	for v[i] == ' ' || v[i] == '\n' || v[i] == '\t' || v[i] == '\r' {
		i++
	}
	return i
}

// behind returns where the next item begins, or the bracket that ends all.
func (v Value) behind(i int) int {
	if i = v.next(i); v[i] == ',' {
		i = v.next(i + 1)
	}
	return i
}

// end returns where the value that begins at i ends.
func (v Value) end(i int) int {
	switch v[i] {
	case '"':
		return v.endOfText(i)
	case '{', '[':
		for depth := 0; ; i++ {
			switch v[i] {
			case '"':
				i = v.endOfText(i) - 1
			case '{', '[':
				depth++
			case '}', ']':
				if depth--; depth == 0 {
					return i + 1
				}
			}
		}
	}
	for i < len(v) && strings.IndexByte(",]}"+space, v[i]) < 0 {
		i++
	}
	return i
}

func (v Value) endOfText(i int) int {
	for i++; ; i++ {
		if i = special(v, i); v[i] == '"' {
			return i + 1
		}
		i++ // what is escaped
	}
}
