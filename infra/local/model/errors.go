package model

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
)

// apiError is a failure in OpenAI's shape. Param and Code travel as null when
// empty, which is what clients expect.
type apiError struct {
	Status  int
	Message string
	Param   string
	Code    string
}

func (e *apiError) Error() string { return e.Message }

// invalid is the common case: a 400 that names the parameter at fault.
func invalid(param, code, format string, args ...any) *apiError {
	return &apiError{Status: http.StatusBadRequest, Message: fmt.Sprintf(format, args...), Param: param, Code: code}
}

// refuse writes err as an OpenAI error body. Anything that is not an apiError
// is a bug of this server and is answered as such.
func refuse(w http.ResponseWriter, err error) {
	e, ok := errors.AsType[*apiError](err)
	if !ok {
		e = &apiError{Status: http.StatusInternalServerError, Message: "The stand-in failed: " + err.Error()}
	}
	kind := "invalid_request_error"
	if e.Status >= http.StatusInternalServerError {
		kind = "server_error"
	}
	// The SDKs retry 5xx answers; this one will not get better.
	if e.Status == http.StatusNotImplemented {
		w.Header().Set("x-should-retry", "false")
	}
	writeJSON(w, e.Status, map[string]any{"error": map[string]any{
		"message": e.Message, "type": kind, "param": orNull(e.Param), "code": orNull(e.Code),
	}})
}

func orNull(s string) any {
	if s == "" {
		return nil
	}
	return s
}

func writeJSON(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	encoded(w, v)
}

// encoded writes v and a line's end. The reader may have gone; then there is
// nobody left to tell.
func encoded(w http.ResponseWriter, v any) {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(v)
}
