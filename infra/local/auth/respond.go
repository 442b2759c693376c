package auth

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
)

// maxBody bounds what a request may send; user metadata is the largest part.
const maxBody = 1 << 20

// apiVersionHeader and apiVersion name the way newer clients ask for errors
// that carry their code as text.
const (
	apiVersionHeader = "X-Supabase-Api-Version"
	apiVersion       = "2024-01-01"
)

// refusal is an error that the caller of the API gets to read.
type refusal struct {
	status  int
	code    string
	message string
	reasons []string
}

func (e *refusal) Error() string { return e.code + ": " + e.message }

func refuse(status int, code, message string) error {
	return &refusal{status: status, code: code, message: message}
}

// answer turns a handler that may fail into one that writes its failure in
// GoTrue's form.
func answer(handle func(http.ResponseWriter, *http.Request) error) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if err := handle(w, r); err != nil {
			writeError(w, r, err)
		}
	}
}

func writeError(w http.ResponseWriter, r *http.Request, err error) {
	e, ok := errors.AsType[*refusal](err)
	if !ok {
		// The cause may quote rows or SQL; the caller gets a plain sentence.
		e = &refusal{status: http.StatusInternalServerError, code: "unexpected_failure",
			message: "Unexpected failure, please check server logs for more information"}
	}
	var body map[string]any
	// Versions are dates, so their order is the order of their text.
	if r.Header.Get(apiVersionHeader) >= apiVersion {
		w.Header().Set(apiVersionHeader, apiVersion)
		body = map[string]any{"code": e.code, "message": e.message}
	} else {
		body = map[string]any{"code": e.status, "error_code": e.code, "msg": e.message}
	}
	if len(e.reasons) > 0 {
		body["weak_password"] = map[string]any{"reasons": e.reasons}
	}
	w.Header().Set("X-Sb-Error-Code", e.code)
	writeJSON(w, e.status, body)
}

func writeJSON(w http.ResponseWriter, status int, body any) {
	text, err := json.Marshal(body)
	if err != nil {
		status, text = http.StatusInternalServerError,
			[]byte(`{"code":500,"error_code":"unexpected_failure","msg":"The answer could not be encoded."}`)
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_, _ = w.Write(text)
}

// readJSON decodes the body into v. An empty body leaves v as it is.
func readJSON(w http.ResponseWriter, r *http.Request, v any) error {
	text, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	if err != nil {
		return refuse(http.StatusBadRequest, "bad_json", "Could not read the request body")
	}
	if len(text) == 0 {
		return nil
	}
	if err := json.Unmarshal(text, v); err != nil {
		return refuse(http.StatusBadRequest, "bad_json", "Could not parse request body as JSON: "+err.Error())
	}
	return nil
}
