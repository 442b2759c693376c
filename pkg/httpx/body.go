package httpx

import (
	"bytes"
	"encoding/json"
	"errors"
	"net/http"

	"github.com/bellhop-ai/bellhop/pkg/fault"
)

// Limits of a JSON body.
const (
	MaxBody  = 4 << 20
	maxDepth = 32
	maxGrown = 256 << 10
)

// ReadJSON reads a body of at most MaxBody bytes that is one JSON value nested
// at most 32 deep, and decodes it into v. The raw bytes are returned too.
func ReadJSON(w http.ResponseWriter, r *http.Request, v any) ([]byte, error) {
	var buffer bytes.Buffer
	// What a client says of its body's length is believed within reason.
	buffer.Grow(int(min(max(r.ContentLength, 0), maxGrown)) + bytes.MinRead)
	_, err := buffer.ReadFrom(http.MaxBytesReader(w, r.Body, MaxBody))
	body := buffer.Bytes()
	if err != nil {
		if large, ok := errors.AsType[*http.MaxBytesError](err); ok {
			e := fault.New(fault.TooLarge, "The request is larger than %d bytes.", large.Limit)
			e.Limit = "body_bytes"
			return nil, e
		}
		return nil, fault.Wrap(fault.Invalid, err, "The request's body could not be read.")
	}
	if depth(body) > maxDepth {
		e := fault.New(fault.Unprocessable, "The request's JSON is nested deeper than %d levels.", maxDepth)
		e.Limit = "json_depth"
		return nil, e
	}
	if err := json.Unmarshal(body, v); err != nil {
		return nil, fault.Wrap(fault.Invalid, err, "The request's body is not the JSON that this address takes.")
	}
	return body, nil
}

// depth returns how deep brackets nest outside texts. It runs before the
// decoder, so that a hostile depth costs one pass and no memory.
func depth(body []byte) int {
	deepest, level, quoted, escaped := 0, 0, false, false
	for _, c := range body {
		switch {
		case escaped:
			escaped = false
		case quoted:
			escaped = c == '\\'
			quoted = c != '"'
		case c == '"':
			quoted = true
		case c == '{' || c == '[':
			level++
			deepest = max(deepest, level)
		case c == '}' || c == ']':
			level--
		}
	}
	return deepest
}
