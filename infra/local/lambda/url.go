package lambda

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/aws/aws-lambda-go/events"
)

// ServeHTTP is the function's URL.
func (f *Function) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxEvent))
	if err != nil {
		if _, tooLarge := errors.AsType[*http.MaxBytesError](err); tooLarge {
			message(w, http.StatusRequestEntityTooLarge, "Request Entity Too Large")
			return
		}
		message(w, http.StatusBadRequest, "Bad Request")
		return
	}
	event, err := json.Marshal(f.event(r, body, time.Now()))
	if err != nil {
		message(w, http.StatusBadRequest, "Bad Request")
		return
	}
	// The limit is on the event: a body that had to be encoded fits less.
	if len(event) > maxEvent {
		message(w, http.StatusRequestEntityTooLarge, "Request Entity Too Large")
		return
	}
	a, err := f.dispatch(r.Context(), event)
	switch {
	case r.Context().Err() != nil:
		// No one is left to tell.
		if a.body != nil {
			_ = a.body.Close()
		}
	case err != nil:
		f.cfg.Log("%s: %v", f.cfg.Name, err)
		message(w, http.StatusBadGateway, "Internal Server Error")
	case a.err != nil:
		f.cfg.Log("%s: %v", f.cfg.Name, a.err)
		message(w, http.StatusBadGateway, "Internal Server Error")
	case a.body != nil:
		f.writeStream(w, a)
	default:
		f.writeWhole(w, a.payload)
	}
}

// event is what a Function URL makes of a request.
func (f *Function) event(r *http.Request, body []byte, now time.Time) events.LambdaFunctionURLRequest {
	id := f.cfg.NewID()
	source, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		source = r.RemoteAddr
	}
	headers := map[string]string{}
	for name, values := range r.Header {
		headers[strings.ToLower(name)] = strings.Join(values, ",")
	}
	// These come last: a caller may not say who it is.
	headers["host"] = r.Host
	headers["x-forwarded-for"] = source
	headers["x-forwarded-proto"] = "http"
	if r.TLS != nil {
		headers["x-forwarded-proto"] = "https"
	}
	headers["x-amzn-trace-id"] = traceID(id, now)
	var cookies []string
	if lines := r.Header.Values("Cookie"); len(lines) > 0 {
		for _, line := range lines {
			for part := range strings.SplitSeq(line, ";") {
				cookies = append(cookies, strings.TrimSpace(part))
			}
		}
		headers["cookie"] = strings.Join(cookies, "; ")
	}
	query := map[string]string{}
	for name, values := range r.URL.Query() {
		query[name] = strings.Join(values, ",")
	}
	e := events.LambdaFunctionURLRequest{
		Version: "2.0", RawPath: r.URL.EscapedPath(), RawQueryString: r.URL.RawQuery,
		Cookies: cookies, Headers: headers, QueryStringParameters: query,
		Body: string(body),
	}
	if !utf8.Valid(body) || r.Header.Get("Content-Encoding") != "" {
		e.Body, e.IsBase64Encoded = base64.StdEncoding.EncodeToString(body), true
	}
	domain := strings.ToLower(f.cfg.Name)
	e.RequestContext = events.LambdaFunctionURLRequestContext{
		AccountID: "anonymous", RequestID: id, APIID: domain, DomainPrefix: domain,
		DomainName: domain + ".lambda-url.us-east-1.on.aws",
		Time:       now.UTC().Format("02/Jan/2006:15:04:05 -0700"), TimeEpoch: now.UnixMilli(),
		HTTP: events.LambdaFunctionURLRequestContextHTTPDescription{
			Method: r.Method, Path: r.URL.Path, Protocol: r.Proto, SourceIP: source, UserAgent: r.UserAgent(),
		},
	}
	return e
}

// writeStream copies a streamed answer out, each piece as it comes.
func (f *Function) writeStream(w http.ResponseWriter, a answer) {
	defer a.body.Close()
	var head events.LambdaFunctionURLResponse
	if err := json.Unmarshal(a.payload, &head); err != nil || !f.cfg.Streaming {
		if err == nil {
			err = errors.New("the function streams its answer, but its URL is set to BUFFERED")
		}
		f.cfg.Log("%s: %v", f.cfg.Name, err)
		message(w, http.StatusBadGateway, "Internal Server Error")
		return
	}
	setHeaders(w.Header(), head, "application/octet-stream")
	w.WriteHeader(statusOf(head.StatusCode))
	control := http.NewResponseController(w)
	_ = control.Flush()
	piece := make([]byte, 32<<10)
	for {
		n, err := a.body.Read(piece)
		if n > 0 {
			if _, err := w.Write(piece[:n]); err != nil {
				return
			}
			_ = control.Flush()
		}
		if err == io.EOF {
			return
		}
		if err != nil {
			f.cfg.Log("%s: the stream broke: %v", f.cfg.Name, err)
			// Only a broken connection tells the reader that this was not all.
			panic(http.ErrAbortHandler)
		}
	}
}

// writeWhole turns a payload into a response. A payload without a status is
// taken for a JSON body, as a Function URL does.
func (f *Function) writeWhole(w http.ResponseWriter, payload []byte) {
	if f.cfg.Streaming {
		f.cfg.Log("%s: the function answers as a whole, but its URL is set to RESPONSE_STREAM", f.cfg.Name)
		message(w, http.StatusBadGateway, "Internal Server Error")
		return
	}
	var head events.LambdaFunctionURLResponse
	if err := json.Unmarshal(payload, &head); err != nil || head.StatusCode == 0 {
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write(bytes.TrimSpace(payload))
		return
	}
	body := []byte(head.Body)
	if head.IsBase64Encoded {
		var err error
		if body, err = base64.StdEncoding.DecodeString(head.Body); err != nil {
			f.cfg.Log("%s: decode the body: %v", f.cfg.Name, err)
			message(w, http.StatusBadGateway, "Internal Server Error")
			return
		}
	}
	setHeaders(w.Header(), head, "application/json")
	w.WriteHeader(statusOf(head.StatusCode))
	_, _ = w.Write(body)
}

// setHeaders copies all but those that belong to the connection.
func setHeaders(h http.Header, head events.LambdaFunctionURLResponse, contentType string) {
	h.Set("Content-Type", contentType)
	for name, value := range head.Headers {
		switch http.CanonicalHeaderKey(name) {
		case "Connection", "Content-Length", "Keep-Alive", "Transfer-Encoding", "Upgrade":
		default:
			h.Set(name, value)
		}
	}
	for _, cookie := range head.Cookies {
		h.Add("Set-Cookie", cookie)
	}
}

func statusOf(status int) int {
	if status < 200 || status > 599 {
		return http.StatusBadGateway
	}
	return status
}

func message(w http.ResponseWriter, status int, text string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = fmt.Fprintf(w, `{"Message":%q}`, text)
}
