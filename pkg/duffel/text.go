package duffel

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/segmentio/encoding/json"
)

// maxDepth is how deep an answer may be nested. Duffel's are not deeper than 12.
const maxDepth = 100

// keptBuffer is how large a buffer may be to be used again.
const keptBuffer = 4 << 20

// whole reads an answer into a buffer that is used again, and gives it to read. What read
// keeps of it must be copied, as decoding does.
func (c *Client) whole(body io.Reader, read func(*text) error) error {
	b, _ := c.buffers.Get().(*bytes.Buffer)
	if b == nil {
		b = new(bytes.Buffer)
	}
	b.Reset()
	defer func() {
		if b.Cap() <= keptBuffer {
			c.buffers.Put(b)
		}
	}()
	if _, err := b.ReadFrom(body); err != nil {
		return err
	}
	return read(&text{rest: b.Bytes()})
}

// text is a JSON text that is read from the front. Objects and lists are entered, so that
// a long list is decoded item by item.
type text struct{ rest []byte }

// value decodes the next value into x.
func (t *text) value(x any) error {
	v, err := t.next()
	if err == nil {
		_, err = json.Parse(v, x, 0)
	}
	return err
}

func (t *text) skip() error {
	_, err := t.next()
	return err
}

// next cuts off the next value, which decoding then checks. The decoder calls itself for
// each level, so the depth is limited here.
func (t *text) next() ([]byte, error) {
	data := bytes.TrimLeft(t.rest, space)
	depth := 0
	for i := 0; i < len(data); i++ {
		switch data[i] {
		case '{', '[':
			if depth++; depth > maxDepth {
				return nil, errors.New("the answer is nested too deep")
			}
			continue
		case '}', ']':
			depth--
		case '"':
			for i++; i < len(data) && data[i] != '"'; i++ {
				if data[i] == '\\' {
					i++
				}
			}
		default:
			if depth > 0 {
				continue
			}
			// A number or a word goes on to a mark.
			end := bytes.IndexAny(data[i:], ",]}"+space)
			if end < 0 {
				end = len(data) - i
			}
			t.rest = data[i+end:]
			return data[:i+end], nil
		}
		if depth <= 0 && i < len(data) {
			t.rest = data[i+1:]
			return data[:i+1], nil
		}
	}
	return nil, io.ErrUnexpectedEOF
}

const space = " \t\r\n"

// take consumes a mark, and reports whether it stands there.
func (t *text) take(mark byte) bool {
	t.rest = bytes.TrimLeft(t.rest, space)
	if len(t.rest) == 0 || t.rest[0] != mark {
		return false
	}
	t.rest = t.rest[1:]
	return true
}

func expected(mark byte) error { return fmt.Errorf("%q is expected", mark) }

// members reads an object; value reads the value of each member.
func (t *text) members(value func(name string) error) error {
	return t.each('{', '}', func() error {
		var name string
		if err := t.value(&name); err != nil {
			return err
		}
		if !t.take(':') {
			return expected(':')
		}
		return value(name)
	})
}

// list reads a list; take takes each item, which is its own for the time of the call.
func list[T any](t *text, take func(*T) error) error {
	return t.each('[', ']', func() error {
		var item T
		if err := t.value(&item); err != nil {
			return err
		}
		return take(&item)
	})
}

func (t *text) each(begin, end byte, one func() error) error {
	if !t.take(begin) {
		return expected(begin)
	}
	for first := true; !t.take(end); first = false {
		if !first && !t.take(',') {
			return expected(',')
		}
		if err := one(); err != nil {
			return err
		}
	}
	return nil
}
