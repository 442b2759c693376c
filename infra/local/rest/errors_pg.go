package rest

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"
)

// fromPostgres turns a database error into PostgREST's answer.
func fromPostgres(err error, anonymous bool) *Error {
	var pg *pgconn.PgError
	if !errors.As(err, &pg) {
		return &Error{Status: http.StatusServiceUnavailable, Code: "PGRST001",
			Message: "Database client error. Retrying the connection."}
	}
	if pg.Code == "PGRST" {
		return raised(pg)
	}
	e := &Error{Status: statusOf(pg, anonymous), Code: pg.Code, Message: pg.Message, Details: pg.Detail, Hint: pg.Hint}
	if strings.HasPrefix(pg.Code, "PT") {
		e.reason = pg.Message
	}
	if e.Status == http.StatusUnauthorized {
		e.Headers = map[string]string{"WWW-Authenticate": "Bearer"}
	}
	return e
}

var statusByCode = map[string]int{
	"23503": http.StatusConflict,
	"23505": http.StatusConflict,
	"25006": http.StatusMethodNotAllowed,
	"42883": http.StatusNotFound,
	"42P01": http.StatusNotFound,
	"42P17": http.StatusInternalServerError,
	"53400": http.StatusInternalServerError,
	"57P01": http.StatusServiceUnavailable,
	"P0001": http.StatusBadRequest,
}

var statusByClass = map[string]int{
	"08": http.StatusServiceUnavailable,
	"09": http.StatusInternalServerError,
	"0L": http.StatusForbidden,
	"0P": http.StatusForbidden,
	"25": http.StatusInternalServerError,
	"28": http.StatusForbidden,
	"2D": http.StatusInternalServerError,
	"38": http.StatusInternalServerError,
	"39": http.StatusInternalServerError,
	"3B": http.StatusInternalServerError,
	"40": http.StatusInternalServerError,
	"53": http.StatusServiceUnavailable,
	"54": http.StatusInternalServerError,
	"55": http.StatusInternalServerError,
	"57": http.StatusInternalServerError,
	"58": http.StatusInternalServerError,
	"F0": http.StatusInternalServerError,
	"HV": http.StatusInternalServerError,
	"P0": http.StatusInternalServerError,
	"XX": http.StatusInternalServerError,
}

func statusOf(pg *pgconn.PgError, anonymous bool) int {
	switch {
	case pg.Code == "42501":
		if anonymous {
			return http.StatusUnauthorized
		}
		return http.StatusForbidden
	case pg.Code == "21000":
		if strings.HasSuffix(pg.Message, "requires a WHERE clause") {
			return http.StatusBadRequest
		}
		return http.StatusInternalServerError
	case pg.Code == "22023" && strings.HasPrefix(pg.Message, "role") && strings.HasSuffix(pg.Message,
		"does not exist"):
		return http.StatusUnauthorized
	case strings.HasPrefix(pg.Code, "PT"):
		n, err := strconv.Atoi(pg.Code[2:])
		// net/http sends only these; PostgREST would try others.
		if err != nil || n < 200 || n > 999 {
			return http.StatusInternalServerError
		}
		return n
	}
	if status, ok := statusByCode[pg.Code]; ok {
		return status
	}
	if len(pg.Code) == 5 {
		if status, ok := statusByClass[pg.Code[:2]]; ok {
			return status
		}
	}
	return http.StatusBadRequest
}

// raised reads RAISE SQLSTATE 'PGRST', with which a function decides the whole answer.
func raised(pg *pgconn.PgError) *Error {
	bad := func(details, hint string) *Error {
		return &Error{Status: http.StatusInternalServerError, Code: "PGRST121",
			Message: `Could not parse JSON in the "RAISE SQLSTATE 'PGRST'" error`, Details: details, Hint: hint}
	}
	const detailHint = "DETAIL must be a JSON object with obligatory keys: 'status', 'headers' and optional key: " +
		"'status_text'."
	var m struct {
		Code    *string `json:"code"`
		Message *string `json:"message"`
		Details string  `json:"details"`
		Hint    string  `json:"hint"`
	}
	if err := json.Unmarshal([]byte(pg.Message), &m); err != nil || m.Code == nil || m.Message == nil {
		return bad(fmt.Sprintf("Invalid JSON value for MESSAGE: '%s'", pg.Message),
			"MESSAGE must be a JSON object with obligatory keys: 'code', 'message' and optional keys: 'details', "+
				"'hint'.")
	}
	if pg.Detail == "" {
		return bad("DETAIL is missing in the RAISE statement", detailHint)
	}
	var d struct {
		Status  *int              `json:"status"`
		Reason  string            `json:"status_text"`
		Headers map[string]string `json:"headers"`
	}
	if err := json.Unmarshal([]byte(pg.Detail), &d); err != nil || d.Status == nil || d.Headers == nil ||
		*d.Status < 200 || *d.Status > 999 {
		return bad(fmt.Sprintf("Invalid JSON value for DETAIL: '%s'", pg.Detail), detailHint)
	}
	return &Error{Status: *d.Status, Code: *m.Code, Message: *m.Message, Details: m.Details, Hint: m.Hint,
		Headers: d.Headers, reason: d.Reason}
}
