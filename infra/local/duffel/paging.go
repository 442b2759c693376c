package duffel

import (
	"encoding/base64"
	"net/http"
	"strconv"
)

// meta is how a list goes on.
type meta struct {
	After  *string `json:"after"`
	Before *string `json:"before"`
	Limit  int     `json:"limit"`
}

// page cuts the part out of a list that a request asks for: limit, after and before.
func page[T any](r *request, list []T) ([]T, meta, *problem) {
	q := r.URL.Query()
	m := meta{Limit: 50}
	if text := q.Get("limit"); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 || n > 200 {
			return nil, m, invalid("validation_inclusion", "/limit", "Field 'limit' must be between 1 and 200")
		}
		m.Limit = n
	}
	from := 0
	after, before := q.Get("after"), q.Get("before")
	switch {
	case after != "" && before != "":
		return nil, m, invalid("invalid_field_sets", "/after", "Only one of 'after' and 'before' can be given")
	case after != "":
		n, known := position(after)
		if !known || n > len(list) {
			return nil, m, badCursor("/after")
		}
		from = n
	case before != "":
		n, known := position(before)
		if !known || n > len(list) {
			return nil, m, badCursor("/before")
		}
		from = max(0, n-m.Limit)
	}
	to := min(len(list), from+m.Limit)
	if to < len(list) {
		m.After = pointer(cursor(to))
	}
	if from > 0 {
		m.Before = pointer(cursor(from))
	}
	part := list[from:to]
	if part == nil {
		part = []T{}
	}
	return part, m, nil
}

// cursor names a position; it has no meaning to clients.
func cursor(n int) string {
	return base64.RawURLEncoding.EncodeToString([]byte("g2wAAAAB:" + strconv.Itoa(n)))
}

func position(text string) (int, bool) {
	raw, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil || len(raw) < 10 {
		return 0, false
	}
	n, err := strconv.Atoi(string(raw[9:]))
	return n, err == nil && n >= 0
}

func badCursor(pointer string) *problem {
	return fails(http.StatusBadRequest, badRequest, "bad_request", "Bad request",
		"The cursor "+pointer+" is not one of this list")
}
