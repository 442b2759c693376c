package lambda

import (
	"bytes"
	"cmp"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/aws/aws-lambda-go/events"
)

// kind is the sort of an event, and with it the form of its answer.
type kind int

const (
	direct      kind = iota
	functionURL      // format 2.0 from a Function URL
	httpAPI          // format 2.0 from an HTTP API, whose answers cannot stream
	proxy            // format 1.0 from a REST API or an HTTP API
	balancer         // from an Application Load Balancer
)

// streams reports whether an answer may be a stream. The event of a REST API does
// not say whether its integration takes one, and most do not.
func (k kind) streams() bool { return k == functionURL }

// kindOf sniffs the event by the fields that each format cannot be without.
func kindOf(event json.RawMessage) kind {
	var e struct {
		HTTPMethod     string  `json:"httpMethod"`
		Path           *string `json:"path"`
		RequestContext *struct {
			DomainName string    `json:"domainName"`
			ELB        *struct{} `json:"elb"`
			HTTP       *struct {
				Method string `json:"method"`
			} `json:"http"`
		} `json:"requestContext"`
	}
	if err := json.Unmarshal(event, &e); err != nil || e.RequestContext == nil {
		return direct
	}
	switch {
	case e.RequestContext.HTTP != nil && e.RequestContext.HTTP.Method != "":
		// Both senders of format 2.0 look alike but for the domain.
		if strings.Contains(e.RequestContext.DomainName, ".lambda-url.") {
			return functionURL
		}
		return httpAPI
	case e.HTTPMethod != "" && e.Path != nil && e.RequestContext.ELB != nil:
		return balancer
	case e.HTTPMethod != "" && e.Path != nil:
		return proxy
	}
	return direct
}

// hasLists reports whether an event has its headers as lists of values.
func hasLists(event json.RawMessage) bool {
	var e struct {
		Headers map[string]json.RawMessage `json:"multiValueHeaders"`
	}
	return json.Unmarshal(event, &e) == nil && len(e.Headers) > 0
}

// newRequest builds the request that a server would have read from the wire.
func newRequest(ctx context.Context, k kind, event json.RawMessage) (*http.Request, error) {
	if k == functionURL || k == httpAPI {
		var e events.APIGatewayV2HTTPRequest
		if err := json.Unmarshal(event, &e); err != nil {
			return nil, err
		}
		header := make(http.Header, len(e.Headers)+1)
		for name, value := range e.Headers {
			header.Add(name, value)
		}
		if len(e.Cookies) > 0 && header.Get("Cookie") == "" {
			header.Set("Cookie", strings.Join(e.Cookies, "; "))
		}
		return build(ctx, parts{
			method: e.RequestContext.HTTP.Method, path: e.RawPath, query: e.RawQueryString, header: header,
			domain: e.RequestContext.DomainName, source: e.RequestContext.HTTP.SourceIP,
			body: e.Body, encoded: e.IsBase64Encoded,
		})
	}
	var e events.APIGatewayProxyRequest
	if err := json.Unmarshal(event, &e); err != nil {
		return nil, err
	}
	header := make(http.Header, len(e.MultiValueHeaders))
	for name, values := range e.MultiValueHeaders {
		for _, value := range values {
			header.Add(name, value)
		}
	}
	// The plain map has only the last of repeated values: it fills gaps.
	for name, value := range e.Headers {
		if header.Values(name) == nil {
			header.Set(name, value)
		}
	}
	query := url.Values(e.MultiValueQueryStringParameters)
	if len(query) == 0 {
		query = url.Values{}
		for name, value := range e.QueryStringParameters {
			query.Set(name, value)
		}
	}
	p := parts{
		method: e.HTTPMethod, path: e.Path, query: query.Encode(), header: header,
		domain: e.RequestContext.DomainName, source: e.RequestContext.Identity.SourceIP,
		body: e.Body, encoded: e.IsBase64Encoded,
	}
	if k == balancer {
		p.query, p.source = undecoded(query), nearest(header)
	}
	return build(ctx, p)
}

// undecoded returns the query of a load balancer, which hands its parts over as they
// were sent. API Gateway decodes them.
func undecoded(query url.Values) string {
	var list []string
	for _, name := range slices.Sorted(maps.Keys(query)) {
		for _, value := range query[name] {
			list = append(list, name+"="+value)
		}
	}
	return strings.Join(list, "&")
}

// nearest returns the address from which a load balancer was called: it adds it to
// the header.
func nearest(header http.Header) string {
	all := strings.Join(header.Values("X-Forwarded-For"), ",")
	return strings.TrimSpace(all[strings.LastIndexByte(all, ',')+1:])
}

// parts is what all formats have in common.
type parts struct {
	method, path, query string
	header              http.Header
	domain, source      string
	body                string
	encoded             bool
}

func build(ctx context.Context, p parts) (*http.Request, error) {
	body := []byte(p.body)
	if p.encoded {
		var err error
		if body, err = base64.StdEncoding.DecodeString(p.body); err != nil {
			return nil, fmt.Errorf("decode the body: %w", err)
		}
	}
	u := requestURL(p.path, p.query)
	r := &http.Request{
		Method: p.method, URL: u, RequestURI: u.RequestURI(),
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: p.header, Host: cmp.Or(p.header.Get("Host"), p.domain),
		RemoteAddr: withPort(p.source), ContentLength: int64(len(body)), Body: newBody(body),
	}
	// A server has the host in its own field only.
	r.Header.Del("Host")
	return r.WithContext(ctx), nil
}

// requestURL keeps path and query as they were sent. A path that is no valid
// escaping was decoded on its way and is taken as it reads.
func requestURL(path, query string) *url.URL {
	path = cmp.Or(path, "/")
	u := &url.URL{Path: path, RawQuery: query}
	plain, err := url.PathUnescape(path)
	if err != nil {
		return u
	}
	u.Path = plain
	// RawPath is needed only where escaping Path again gives something else.
	if u.EscapedPath() != path {
		u.RawPath = path
	}
	return u
}

// withPort makes a bare IP address what net.SplitHostPort can read, as on any
// server. The port is not known.
func withPort(source string) string {
	if source == "" {
		return ""
	}
	if _, _, err := net.SplitHostPort(source); err == nil {
		return source
	}
	return net.JoinHostPort(strings.Trim(source, "[]"), "0")
}

func newBody(body []byte) io.ReadCloser {
	if len(body) == 0 {
		return http.NoBody
	}
	return io.NopCloser(bytes.NewReader(body))
}
