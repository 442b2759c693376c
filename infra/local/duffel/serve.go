package duffel

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io"
	"mime"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// request is a request whose headers were found right. Its handler holds the lock.
type request struct {
	*http.Request
	body json.RawMessage // the member data of the body, nil without one
}

// answer is what a handler returns. The value is that of the member data.
type answer struct {
	status int
	value  any
	meta   any // of a list
}

func ok(value any) (answer, *problem) { return answer{status: http.StatusOK, value: value}, nil }
func created(value any) (answer, *problem) {
	return answer{status: http.StatusCreated, value: value}, nil
}
func bad(p *problem) (answer, *problem) { return answer{}, p }

type handler func(*request) (answer, *problem)

// routes lists what is spoken. @duffel/api writes a slash behind the path of some.
func (s *Server) routes() http.Handler {
	mux := http.NewServeMux()
	for pattern, h := range map[string]handler{
		"POST /air/offer_requests":     s.createOfferRequest,
		"GET /air/offer_requests/{id}": s.getOfferRequest,
		"GET /air/offers":              s.listOffers,
		"GET /air/offers/{id}":         s.getOffer,
		"POST /air/offers/{id}/upsell": s.upsell,

		"POST /air/orders":       s.createOrder,
		"GET /air/orders":        s.listOrders,
		"GET /air/orders/{id}":   s.getOrder,
		"PATCH /air/orders/{id}": s.updateOrder,
		"POST /air/payments":     s.createPayment,

		"POST /air/order_cancellations":                      s.createCancellation,
		"GET /air/order_cancellations/{id}":                  s.getCancellation,
		"POST /air/order_cancellations/{id}/actions/confirm": s.confirmCancellation,

		"GET /air/airline_initiated_changes":                      s.listChanges,
		"POST /air/airline_initiated_changes/{id}/actions/accept": s.acceptChange,

		"GET /places/suggestions": s.suggestPlaces,

		"POST /stays/search": s.searchStays,
		"POST /stays/search_results/{id}/actions/fetch_all_rates": s.fetchAllRates,
		"POST /stays/quotes":                       s.createQuote,
		"GET /stays/quotes/{id}":                   s.getQuote,
		"POST /stays/bookings":                     s.createBooking,
		"GET /stays/bookings":                      s.listBookings,
		"GET /stays/bookings/{id}":                 s.getBooking,
		"POST /stays/bookings/{id}/actions/cancel": s.cancelBooking,
	} {
		mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) { s.serve(w, r, h) })
	}
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		s.serve(w, r, func(*request) (answer, *problem) { return bad(notFound()) })
	})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.URL.Path = strings.TrimRight(r.URL.Path, "/")
		mux.ServeHTTP(w, r)
	})
}

// serve checks what holds for every request, runs the handler under the lock, and
// answers.
func (s *Server) serve(w http.ResponseWriter, r *http.Request, h handler) {
	id := identifier("req", s.now().UnixNano(), r.URL.Path)
	w.Header().Set("x-request-id", id)
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	before, after := s.takeFaults(r)
	status, body, problem := s.handle(w, r, h, before)
	if problem == nil && after != nil {
		problem = after
	}
	switch {
	case problem != nil && problem.lost:
		s.record(r, 0)
		panic(http.ErrAbortHandler) // the client sees the connection end
	case problem != nil:
		for name, values := range problem.header {
			w.Header()[name] = values
		}
		status = problem.Status
		body, _ = json.Marshal(map[string]any{
			"errors": []any{problem}, "meta": map[string]any{"status": status, "request_id": id},
		})
	}
	s.record(r, status)
	write(w, r, status, body)
}

// handle returns the body of the answer, or the problem.
func (s *Server) handle(w http.ResponseWriter, r *http.Request, h handler, before *problem) (int, []byte, *problem) {
	if p := s.count(w); p != nil {
		return 0, nil, p
	}
	if p := s.checkHeaders(r); p != nil {
		return 0, nil, p
	}
	if before != nil {
		if before.wait != nil && !s.wait(r, before.wait) {
			return 0, nil, &problem{lost: true}
		}
		if before.Status != 0 || before.lost {
			return 0, nil, before
		}
	}
	data, p := readData(r)
	if p != nil {
		return 0, nil, p
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	a, p := h(&request{Request: r, body: data})
	if p != nil {
		return 0, nil, p
	}
	whole := map[string]any{"data": a.value}
	if a.meta != nil {
		whole["meta"] = a.meta
	}
	body, err := json.Marshal(whole)
	if err != nil {
		return 0, nil, fails(http.StatusInternalServerError, apiError, "internal_server_error", "Internal error",
			err.Error())
	}
	return a.status, body, nil
}

// checkHeaders is what the overview of Duffel's documentation asks of every request.
func (s *Server) checkHeaders(r *http.Request) *problem {
	token, bearer := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	version := r.Header.Get("Duffel-Version")
	switch {
	case r.Header.Get("Authorization") == "":
		return fails(http.StatusUnauthorized, badToken, "missing_authorization_header",
			"Missing authorization header",
			"The 'Authorization' header needs to be set and contain a valid API token")
	case !bearer:
		return fails(http.StatusUnauthorized, badToken, "invalid_authorization_header",
			"Invalid authorization header",
			"The 'Authorization' header must conform to the following format: Bearer API_TOKEN")
	case s.cfg.Token != "" && token != s.cfg.Token, !strings.HasPrefix(token, "duffel_test_"):
		return fails(http.StatusUnauthorized, badToken, "access_token_not_found", "Access token not found",
			"The access token used is not recognized by our system")
	case version == "":
		return fails(http.StatusBadRequest, badRequest, "missing_version_header", "Missing version header",
			"The 'Duffel-Version' header is required and must be a valid API version")
	case version == "beta" || version == "v1":
		return fails(http.StatusBadRequest, badRequest, "unsupported_version", "Unsupported version",
			"The version set to the 'Duffel-Version' header is no longer supported by the API, please upgrade")
	case version != "v2":
		return fails(http.StatusBadRequest, badRequest, "invalid_version_header", "Invalid version header",
			"The 'Duffel-Version' header must be a known version of our API")
	case !accepts(r.Header.Get("Accept")):
		return fails(http.StatusNotAcceptable, badRequest, "unsupported_format", "Unsupported format",
			"The API does not support the format set in the 'Accept' header, please use a supported format")
	}
	return nil
}

// accepts reports whether a header Accept admits JSON.
func accepts(header string) bool {
	for part := range strings.SplitSeq(header, ",") {
		kind, _, err := mime.ParseMediaType(part)
		if err == nil && (kind == "application/json" || kind == "*/*" || kind == "application/*") {
			return true
		}
	}
	return false
}

// readData reads the member data of the body. A body without anything is none.
func readData(r *http.Request) (json.RawMessage, *problem) {
	if r.Method == http.MethodGet {
		return nil, nil
	}
	body, err := io.ReadAll(io.LimitReader(r.Body, 4<<20))
	if err != nil || len(bytes.TrimSpace(body)) == 0 {
		return nil, nil
	}
	kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil {
		return nil, fails(http.StatusBadRequest, badRequest, "missing_content_type_header",
			"Missing content type header", "The 'Content-Type' header needs to be set to application/json")
	}
	if kind != "application/json" {
		return nil, fails(http.StatusBadRequest, badRequest, "invalid_content_type_header",
			"Invalid content type header", "The 'Content-Type' should be set to application/json")
	}
	var whole map[string]json.RawMessage
	if err := json.Unmarshal(body, &whole); err != nil {
		return nil, fails(http.StatusBadRequest, badRequest, "bad_request", "Bad request",
			"The request was unacceptable")
	}
	data, is := whole["data"]
	if !is {
		return nil, fails(http.StatusBadRequest, badRequest, "missing_data_param", "Missing data param",
			"The data in the request body should be nested under the 'data' key")
	}
	if !bytes.HasPrefix(bytes.TrimSpace(data), []byte("{")) {
		return nil, fails(http.StatusBadRequest, badRequest, "invalid_data_param", "Invalid data param",
			"The data in the request body should be a JSON object")
	}
	return data, nil
}

// into decodes the data; members that are not known are ignored.
func (r *request) into(v any) *problem {
	if r.body == nil {
		return fails(http.StatusBadRequest, badRequest, "missing_data_param", "Missing data param",
			"The data in the request body should be nested under the 'data' key")
	}
	if err := json.Unmarshal(r.body, v); err != nil {
		return fails(http.StatusBadRequest, badRequest, "malformed_data_param", "Malformed data param",
			"The data in the request body is not valid")
	}
	return nil
}

// write sends the answer, compressed where the client takes that.
func write(w http.ResponseWriter, r *http.Request, status int, body []byte) {
	w.Header().Add("Vary", "Accept-Encoding")
	if strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") && len(body) > 256 {
		var packed bytes.Buffer
		z, _ := gzip.NewWriterLevel(&packed, gzip.BestSpeed) // the level is a valid one
		_, _ = z.Write(body)                                 // to memory
		_ = z.Close()
		w.Header().Set("Content-Encoding", "gzip")
		body = packed.Bytes()
	}
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(status)
	_, _ = w.Write(body)
}

func (s *Server) record(r *http.Request, status int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.calls = append(s.calls, Call{r.Method, r.URL.RequestURI(), status})
	if n := len(s.calls) - 10*maxKept; n > 0 {
		s.calls = append([]Call(nil), s.calls[n:]...)
	}
}

// quota counts the requests of the current minute.
type quota struct {
	resets time.Time
	used   int
}

// count sets the headers of the rate limit, and refuses what is above it.
func (s *Server) count(w http.ResponseWriter) *problem {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.now()
	if !now.Before(s.quota.resets) {
		s.quota = quota{resets: now.Add(time.Minute)}
	}
	s.quota.used++
	left := s.cfg.PerMinute - s.quota.used
	h := w.Header()
	// Duffel writes them in lower case, as HTTP/2 does.
	h["ratelimit-limit"] = []string{strconv.Itoa(s.cfg.PerMinute)}
	h["ratelimit-remaining"] = []string{strconv.Itoa(max(left, 0))}
	h["ratelimit-reset"] = []string{s.quota.resets.UTC().Format(http.TimeFormat)}
	if left >= 0 {
		return nil
	}
	return rateLimited()
}

func rateLimited() *problem {
	return fails(http.StatusTooManyRequests, tooMany, "rate_limit_exceeded", "Rate limit exceeded",
		"Too many requests have hit the API too quickly. Please retry your request after the time specified in the "+
			"ratelimit-reset header returned to you")
}
