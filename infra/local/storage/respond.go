package storage

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"
)

// maxJSON bounds a request's JSON body.
const maxJSON = 1 << 20

// refusal is an error that the caller of the API gets to read. Its status is
// that of the body; see send.
type refusal struct {
	status  int
	kind    string
	message string
}

func (e *refusal) Error() string { return e.kind + ": " + e.message }

func refuse(status int, kind, message string) error {
	return &refusal{status: status, kind: kind, message: message}
}

func noObject() error { return refuse(http.StatusNotFound, "not_found", "Object not found") }

func noBucket() error { return refuse(http.StatusNotFound, "Bucket not found", "Bucket not found") }

func tooLarge() error {
	return refuse(http.StatusRequestEntityTooLarge, "Payload too large",
		"The object exceeded the maximum allowed size")
}

func invalid(message string) error { return refuse(http.StatusBadRequest, "InvalidRequest", message) }

// send writes the error in Supabase's form: whatever the body's statusCode
// says, HTTP says 400, or 500.
func (e *refusal) send(w http.ResponseWriter) {
	status := http.StatusBadRequest
	if e.status == http.StatusInternalServerError {
		status = e.status
	}
	w.Header().Set("Cache-Control", "no-store")
	writeJSON(w, status, map[string]string{
		"statusCode": strconv.Itoa(e.status), "error": e.kind, "message": e.message,
	})
}

// toRefusal puts what went wrong into words for the caller.
func toRefusal(err error) *refusal {
	if e, ok := errors.AsType[*refusal](err); ok {
		return e
	}
	if pg, ok := errors.AsType[*pgconn.PgError](err); ok {
		return fromPostgres(pg)
	}
	// The cause may quote paths or SQL; the caller gets a plain sentence.
	return &refusal{http.StatusInternalServerError, "InternalError", "Internal server error"}
}

func fromPostgres(e *pgconn.PgError) *refusal {
	switch e.Code {
	case "42501":
		message := e.Message
		if strings.Contains(message, "row-level security") {
			message = "new row violates row-level security policy"
		}
		return &refusal{http.StatusForbidden, "Unauthorized", message}
	case "23505":
		return &refusal{http.StatusConflict, "Duplicate", "The resource already exists"}
	case "23503":
		// An object came while its bucket went.
		if strings.Contains(e.Detail, "still referenced") {
			return &refusal{http.StatusConflict, "InvalidRequest", "The bucket you tried to delete is not empty"}
		}
		return &refusal{http.StatusNotFound, "InvalidRequest", "The related resource does not exist"}
	case "55P03":
		return &refusal{http.StatusLocked, "ResourceLocked", "The resource is locked"}
	case "22021": // a zero byte, or what is no UTF-8
		return &refusal{http.StatusBadRequest, "InvalidKey", "Invalid key"}
	case "22P02":
		return &refusal{http.StatusBadRequest, "InvalidParameter", e.Message}
	case "57014":
		return &refusal{544, "DatabaseTimeout", "The connection to the database timed out"}
	}
	return &refusal{http.StatusInternalServerError, "DatabaseError", fmt.Sprintf("database error, code: %s", e.Code)}
}

func writeJSON(w http.ResponseWriter, status int, body any) {
	text, err := json.Marshal(body)
	if err != nil {
		status, text = http.StatusInternalServerError,
			[]byte(`{"statusCode":"500","error":"InternalError","message":"Internal server error"}`)
	}
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.Header().Set("Content-Length", strconv.Itoa(len(text)))
	w.WriteHeader(status)
	_, _ = w.Write(text)
}

func reply(w http.ResponseWriter, body any) error {
	writeJSON(w, http.StatusOK, body)
	return nil
}

// readJSON decodes the body into v. An empty body leaves v as it is.
func readJSON(w http.ResponseWriter, r *http.Request, v any) error {
	text, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxJSON))
	if err != nil {
		return invalid("The body could not be read")
	}
	if len(text) == 0 {
		return nil
	}
	if err := json.Unmarshal(text, v); err != nil {
		return invalid("The body is not the JSON that is expected: " + err.Error())
	}
	return nil
}
