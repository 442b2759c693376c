package httpx

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/rawjson"
)

// Limits of a JSON body.
const (
	MaxBody  = 4 << 20
	maxDepth = 32
	maxGrown = 256 << 10
)

// List is a member of a body that is a list of which each item stays as it was
// written. Like a field of a struct, it takes the last of several members of its
// name in any case, and null makes it nil.
type List struct {
	Name  string
	Items *[]json.RawMessage
}

// ReadJSON reads a body of at most MaxBody bytes that is one JSON value nested
// at most 32 deep, and decodes it into v. The raw bytes are returned too. The
// lists are cut out before the rest is decoded: most of a long conversation's
// body is its messages, and encoding/json would read each byte of them twice.
func ReadJSON(w http.ResponseWriter, r *http.Request, v any, lists ...List) ([]byte, error) {
	var buffer bytes.Buffer
	// The declared length of a body is trusted up to a limit.
	buffer.Grow(int(min(max(r.ContentLength, 0), maxGrown)) + bytes.MinRead)
	_, err := buffer.ReadFrom(http.MaxBytesReader(w, r.Body, MaxBody))
	body := buffer.Bytes()
	if err != nil {
		if large, ok := errors.AsType[*http.MaxBytesError](err); ok {
			e := fault.New(fault.TooLarge, "The request is larger than %d bytes.", large.Limit)
			e.Limit = "body_bytes"
			return nil, e
		}
		return nil, Unread(err)
	}
	// It looks no deeper than that, so that a hostile depth costs no memory.
	whole, err := rawjson.ParseWithin(body, maxDepth)
	if errors.Is(err, rawjson.ErrDeep) {
		e := fault.New(fault.Unprocessable, "The request's JSON is nested deeper than %d levels.", maxDepth)
		e.Limit = "json_depth"
		return nil, e
	}
	rest := []byte(whole)
	if err == nil && len(lists) > 0 && whole.Is('{') {
		rest, err = cut(whole, lists)
	}
	if err == nil {
		err = json.Unmarshal(rest, v)
	}
	if err == nil && whole.IsNull() {
		err = errors.New("null stands for no value")
	}
	if err != nil {
		return nil, fault.Wrap(fault.Invalid, err, "The request's body is not the JSON that this address takes.")
	}
	return body, nil
}

// cut fills the lists and returns the object without them.
func cut(whole rawjson.Value, lists []List) ([]byte, error) {
	rest := []byte{'{'}
	for name, value := range whole.Members() {
		i := slices.IndexFunc(lists, func(l List) bool { return strings.EqualFold(l.Name, string(name)) })
		switch {
		case i < 0:
			if len(rest) > 1 {
				rest = append(rest, ',')
			}
			key, err := json.Marshal(string(name))
			if err != nil {
				return nil, err
			}
			rest = append(append(append(rest, key...), ':'), value...)
		case value.Is('['):
			items := []json.RawMessage{}
			for item := range value.Items() {
				items = append(items, json.RawMessage(item))
			}
			*lists[i].Items = items
		case value.IsNull():
			*lists[i].Items = nil
		default:
			return nil, fmt.Errorf("%s is no list", lists[i].Name)
		}
	}
	return append(rest, '}'), nil
}

// Unread returns why a body could not be read: a fault as it is, such as that of a
// body that did not come, and any other cause as a fault.Invalid error.
func Unread(err error) error {
	if f, said := errors.AsType[*fault.Error](err); said {
		return f
	}
	return fault.Wrap(fault.Invalid, err, "The request's body could not be read; it may have been cut off.")
}
