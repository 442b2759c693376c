package rest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
)

// Error is a refusal in PostgREST's form. Details is a string or any JSON
// value; empty Details and Hint are sent as null.
type Error struct {
	Status  int
	Code    string
	Message string
	Details any
	Hint    string
	Headers map[string]string

	reason string // set by SQL instead of the status's own phrase
}

func (e *Error) Error() string { return e.Code + ": " + e.Message }

func (e *Error) body() []byte {
	null := func(v any) any {
		if v == "" {
			return nil
		}
		return v
	}
	// A buffer without HTML escaping, since PostgREST sends <, > and & as they are.
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(struct {
		Code    string `json:"code"`
		Details any    `json:"details"`
		Hint    any    `json:"hint"`
		Message string `json:"message"`
	}{e.Code, null(e.Details), null(e.Hint), e.Message})
	return []byte(strings.TrimSuffix(b.String(), "\n"))
}

func badRequest(code, message string) *Error {
	return &Error{Status: http.StatusBadRequest, Code: code, Message: message}
}

func invalidBody(message string) *Error { return badRequest("PGRST102", message) }

func unsupported(method string) *Error {
	return &Error{Status: http.StatusMethodNotAllowed, Code: "PGRST117", Message: "Unsupported HTTP method: " + method}
}

func rangeError(details string) *Error {
	return &Error{Status: http.StatusRequestedRangeNotSatisfiable, Code: "PGRST103",
		Message: "Requested range not satisfiable", Details: details}
}

func notEmbedded(name string) *Error {
	e := badRequest("PGRST108", fmt.Sprintf("'%s' is not an embedded resource in this request", name))
	e.Hint = fmt.Sprintf("Verify that '%s' is included in the 'select' query parameter.", name)
	return e
}

func notSingular(rows int64) *Error {
	return &Error{Status: http.StatusNotAcceptable, Code: "PGRST116",
		Message: "Cannot coerce the result to a single JSON object",
		Details: fmt.Sprintf("The result contains %d rows", rows)}
}

func unacceptable(types []string) *Error {
	return &Error{Status: http.StatusNotAcceptable, Code: "PGRST107",
		Message: "None of these media types are available: " + strings.Join(types, ", ")}
}

func tableNotFound(c *catalogue, schema, name string) *Error {
	e := &Error{Status: http.StatusNotFound, Code: "PGRST205",
		Message: fmt.Sprintf("Could not find the table '%s.%s' in the schema cache", schema, name)}
	if best := closest(name, c.tableNames(schema), 0.75); best != "" {
		e.Hint = fmt.Sprintf("Perhaps you meant the table '%s.%s'", schema, best)
	}
	return e
}

func columnNotFound(t *table, column string) *Error {
	return badRequest("PGRST204", fmt.Sprintf("Could not find the '%s' column of '%s' in the schema cache", column,
		t.name))
}
