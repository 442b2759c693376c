package lambda

import (
	"encoding/base64"
	"io"
	"net/http"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/aws/aws-lambda-go/events"
)

// whole returns the answer in the form that the event's sender reads.
// many says that an event had its headers as lists.
func (k kind) whole(status int, header http.Header, body []byte, many bool) any {
	headers, cookies := flatten(header)
	text, encoded := asText(header, body)
	if k == functionURL || k == httpAPI {
		return events.LambdaFunctionURLResponse{
			StatusCode: status, Headers: headers, Cookies: cookies, Body: text, IsBase64Encoded: encoded,
		}
	}
	if k == balancer {
		return balanced(status, headers, cookies, text, encoded, many)
	}
	answer := events.APIGatewayProxyResponse{StatusCode: status, Headers: headers, Body: text,
		IsBase64Encoded: encoded}
	if len(cookies) > 0 {
		// This form has no field for cookies, and joined ones would break.
		answer.MultiValueHeaders = map[string][]string{"Set-Cookie": cookies}
	}
	return answer
}

// stream returns an answer whose body is read while the handler writes it.
func stream(status int, header http.Header, body io.Reader) any {
	headers, cookies := flatten(header)
	return &events.LambdaFunctionURLStreamingResponse{StatusCode: status, Headers: headers, Cookies: cookies,
		Body: body}
}

// balanced returns the answer to a load balancer, which reads headers either all as
// lists or all as texts, as its target group is set. As texts there is room for one
// cookie.
func balanced(status int, headers map[string]string, cookies []string, text string, encoded, many bool) any {
	answer := events.ALBTargetGroupResponse{StatusCode: status, Body: text, IsBase64Encoded: encoded,
		StatusDescription: strconv.Itoa(status) + " " + http.StatusText(status)}
	if !many {
		answer.Headers = headers
		if len(cookies) > 0 {
			headers["Set-Cookie"] = cookies[0]
		}
		return answer
	}
	answer.MultiValueHeaders = make(map[string][]string, len(headers)+1)
	for name, value := range headers {
		answer.MultiValueHeaders[name] = []string{value}
	}
	if len(cookies) > 0 {
		answer.MultiValueHeaders["Set-Cookie"] = cookies
	}
	return answer
}

func flatten(header http.Header) (map[string]string, []string) {
	headers := make(map[string]string, len(header))
	for name, values := range header {
		if name == "Set-Cookie" || len(values) == 0 {
			continue
		}
		headers[name] = strings.Join(values, ",")
	}
	return headers, header.Values("Set-Cookie")
}

// asText returns the body as a JSON string can hold it. A compressed body may
// happen to be valid UTF-8 but is not text.
func asText(header http.Header, body []byte) (string, bool) {
	if header.Get("Content-Encoding") == "" && utf8.Valid(body) {
		return string(body), false
	}
	return base64.StdEncoding.EncodeToString(body), true
}
