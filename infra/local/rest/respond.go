package rest

import (
	"encoding/json"
	"net/http"
	"strconv"
	"strings"
)

func itoa(n int64) string { return strconv.FormatInt(n, 10) }

// send writes a refusal.
func (e *Error) send(w http.ResponseWriter, r *http.Request) {
	body := e.body()
	h := w.Header()
	h.Set("Content-Type", jsonMedia.contentType)
	h.Set("Proxy-Status", "PostgREST; error="+e.Code)
	h.Set("Content-Length", strconv.Itoa(len(body)))
	for name, value := range e.Headers {
		h.Set(name, value)
	}
	if e.reason != "" && r.Method != http.MethodHead && sendWithReason(w, e.Status, oneLine(e.reason), body) {
		return
	}
	w.WriteHeader(e.Status)
	if r.Method != http.MethodHead {
		_, _ = w.Write(body)
	}
}

func (q *request) allow(methods string) {
	q.w.Header().Set("Allow", methods)
	q.w.Header().Set("Access-Control-Allow-Origin", "*")
	q.w.WriteHeader(http.StatusOK)
}

// takeRange joins the Range header of a GET with limit and offset of the top level.
func (q *request) takeRange() (window, error) {
	w, ok := q.query.windows[""]
	if !ok {
		w = window{limit: noLimit}
	}
	if w.limit == badLimit {
		return w, rangeError("Limit should be greater than or equal to zero.")
	}
	first, last, ok := parseRange(q.r.Header.Get("Range"))
	if !ok || q.r.Method != http.MethodGet {
		return w, nil
	}
	if last >= 0 && last < first {
		return w, rangeError("The lower boundary must be lower than or equal to the upper boundary in the Range " +
			"header.")
	}
	end := int64(noLimit)
	if w.limit >= 0 {
		end = w.offset + w.limit - 1
	}
	if last >= 0 && (end < 0 || last < end) {
		end = last
	}
	w.offset = max(w.offset, first)
	if end >= 0 {
		w.limit = max(end-w.offset+1, 0)
	}
	return w, nil
}

// parseRange reads "0-9" and "10-"; last is negative when it is open.
func parseRange(header string) (first, last int64, ok bool) {
	header = strings.TrimPrefix(strings.TrimSpace(header), "items=")
	a, b, found := strings.Cut(header, "-")
	if !found {
		return 0, 0, false
	}
	first, err := strconv.ParseInt(a, 10, 64)
	if err != nil {
		return 0, 0, false
	}
	if b == "" {
		return first, -1, true
	}
	last, err = strconv.ParseInt(b, 10, 64)
	return first, last, err == nil
}

func (q *request) applyRange(n *node, w window) {
	q.window = w
	n.window.offset = w.offset
	if w.limit >= 0 && (n.window.limit < 0 || w.limit < n.window.limit) {
		n.window.limit = w.limit
	}
}

// rangeStatus gives the status and Content-Range of a read.
func rangeStatus(offset, rows int64, total *int64) (int, string) {
	last := offset + rows - 1
	status := http.StatusOK
	switch {
	case total == nil:
	case offset > *total:
		status = http.StatusRequestedRangeNotSatisfiable
	case rows < *total:
		status = http.StatusPartialContent
	}
	return status, contentRange(offset, last, total)
}

func contentRange(first, last int64, total *int64) string {
	span, all := "*", "*"
	if total != nil {
		all = itoa(*total)
	}
	if first <= last && (total == nil || *total != 0) {
		span = itoa(first) + "-" + itoa(last)
	}
	return span + "/" + all
}

// counted is the total that the request asked for.
func (q *request) counted(res *result) *int64 {
	switch q.prefer.count {
	case "planned":
		if res.planned >= 0 {
			return &res.planned
		}
	case "estimated":
		limit := int64(q.server.cfg.MaxRows)
		if res.total != nil && *res.total > limit && res.planned > *res.total {
			return &res.planned
		}
	}
	return res.total
}

func (q *request) respondRead(t *table, res *result) error {
	q.prefer = preferences{count: q.prefer.count, transaction: q.prefer.transaction, handling: q.prefer.handling,
		timezone: q.prefer.timezone, maxAffected: -1}
	total := q.counted(res)
	status, span := rangeStatus(q.window.offset, res.rows, total)
	h := http.Header{}
	h.Set("Content-Range", span)
	where := "/" + t.name
	if q.query.canonical != "" {
		where += "?" + q.query.canonical
	}
	h.Set("Content-Location", where)
	return q.respond(status, h, res, q.orOutOfRange(status, res.body, total), true)
}

func (q *request) orOutOfRange(status int, body []byte, total *int64) []byte {
	if status != http.StatusRequestedRangeNotSatisfiable {
		return body
	}
	q.media = jsonMedia
	return rangeError("An offset of " + itoa(q.window.offset) + " was requested, but there are only " + itoa(*total) +
		" rows.").body()
}

func (q *request) respondCall(fn *function, res *result) error {
	q.prefer.resolution, q.prefer.missing, q.prefer.representation = "", "", ""
	status, span := rangeStatus(q.window.offset, res.rows, q.counted(res))
	h := http.Header{}
	h.Set("Content-Range", span)
	if fn.void {
		return q.respond(http.StatusNoContent, h, res, nil, false)
	}
	return q.respond(status, h, res, q.orOutOfRange(status, res.body, q.counted(res)), true)
}

func (q *request) respondWrite(w *write, res *result) error {
	h := http.Header{}
	full := q.prefer.representation == "representation"
	status := http.StatusNoContent
	if full {
		status = http.StatusOK
	}
	switch w.verb {
	case "insert":
		status = http.StatusCreated
		if w.resolution == "merge-duplicates" && res.inserted <= 0 {
			status = http.StatusOK
		}
		if w.resolution == "" {
			q.prefer.resolution = ""
		}
		q.prefer.maxAffected = -1
		if where := location(w.table, res.location); where != "" {
			h.Set("Location", where)
		}
		h.Set("Content-Range", contentRange(1, 0, res.total))
	case "put":
		q.prefer.resolution, q.prefer.missing, q.prefer.maxAffected = "", "", -1
		if full && res.inserted > 0 {
			status = http.StatusCreated
		}
	case "update":
		q.prefer.resolution = ""
		h.Set("Content-Range", contentRange(0, res.rows-1, res.total))
	case "delete":
		q.prefer.resolution, q.prefer.missing = "", ""
		h.Set("Content-Range", contentRange(1, 0, res.total))
	}
	var body []byte
	if full {
		body = res.body
	}
	return q.respond(status, h, res, body, full)
}

func location(t *table, key []byte) string {
	var values []*string
	if len(key) == 0 || json.Unmarshal(key, &values) != nil || len(values) != len(t.primary) {
		return ""
	}
	parts := make([]string, len(values))
	for i, v := range values {
		parts[i] = percent(t.primary[i]) + "=is.null"
		if v != nil {
			parts[i] = percent(t.primary[i]) + "=eq." + percent(*v)
		}
	}
	return "/" + t.name + "?" + strings.Join(parts, "&")
}

// respond writes the answer; the database may have overridden status and headers.
func (q *request) respond(status int, h http.Header, res *result, body []byte, typed bool) error {
	if applied := q.prefer.applied(); applied != "" {
		h.Set("Preference-Applied", applied)
	}
	if typed {
		h.Set("Content-Type", q.media.contentType)
		if len(q.server.cfg.Schemas) > 1 {
			h.Set("Content-Profile", q.schema)
		}
	}
	status, err := override(status, h, res)
	if err != nil {
		return err
	}
	out := q.w.Header()
	for name, values := range h {
		out[name] = values
	}
	bodyless := status == http.StatusNoContent || status == http.StatusNotModified
	if !bodyless && q.r.Method != http.MethodHead {
		out.Set("Content-Length", strconv.Itoa(len(body)))
	}
	if !typed && !bodyless {
		// Keeps net/http from guessing a type for an empty body.
		out["Content-Type"] = nil
	}
	q.w.WriteHeader(status)
	if !bodyless && q.r.Method != http.MethodHead {
		_, _ = q.w.Write(body)
	}
	return nil
}

// override applies the settings response.headers and response.status.
func override(status int, h http.Header, res *result) (int, error) {
	if res.headers != nil {
		bad := &Error{Status: http.StatusInternalServerError, Code: "PGRST111",
			Message: "response.headers guc must be a JSON array composed of objects with a single key and a " +
				"string value"}
		var list []map[string]string
		if err := json.Unmarshal(res.headers, &list); err != nil {
			return 0, bad
		}
		seen := map[string]bool{}
		for _, one := range list {
			if len(one) != 1 {
				return 0, bad
			}
			for name, value := range one {
				name = http.CanonicalHeaderKey(name)
				if !seen[name] {
					h.Del(name)
				}
				seen[name] = true
				h.Add(name, value)
			}
		}
	}
	if res.status != nil {
		n, err := strconv.Atoi(string(res.status))
		if err != nil || n < 200 || n > 999 {
			return 0, &Error{Status: http.StatusInternalServerError, Code: "PGRST112",
				Message: "response.status guc must be a valid status code"}
		}
		return n, nil
	}
	return status, nil
}
