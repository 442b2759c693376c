package httpx

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"

	"github.com/bellhop-ai/bellhop/pkg/fault"
)

// Limits of a JSON body.
const (
	MaxBody  = 4 << 20
	maxDepth = 32
)

// ReadJSON reads a body of at most MaxBody bytes that is one JSON value nested
// at most 32 deep, and decodes it into v. The raw bytes are returned too.
func ReadJSON(w http.ResponseWriter, r *http.Request, v any) ([]byte, error) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, MaxBody))
	if err != nil {
		if _, tooLarge := errors.AsType[*http.MaxBytesError](err); tooLarge {
			e := fault.New(fault.TooLarge, "The request is larger than %d bytes.", MaxBody)
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
