package lambda_test

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"

	"github.com/bellhop-ai/bellhop/pkg/boot/lambda"
)

type entry = func(context.Context, json.RawMessage) (any, error)

func adapter(t *testing.T, h http.HandlerFunc, opt lambda.Options) entry {
	t.Helper()
	if opt.Panicked == nil {
		opt.Panicked = func(_ context.Context, value any, _ []byte) { t.Logf("panicked: %v", value) }
	}
	e, ok := lambda.Handler(h, opt).(entry)
	if !ok {
		t.Fatal("the handler is not what lambda.Start takes")
	}
	return e
}

const (
	urlEvent = `{"version":"2.0","rawPath":%q,"rawQueryString":%q,"headers":{"host":"x.lambda-url.eu-west-1.on.aws","accept":"text/html,text/plain"},
		"cookies":["a=1","b=2"],"requestContext":{"domainName":"x.lambda-url.eu-west-1.on.aws","http":{"method":"POST","sourceIp":%q}},"body":"hi"}`
	apiEvent = `{"version":"2.0","rawPath":"/p",` +
		`"requestContext":{"domainName":"x.execute-api.eu-west-1.amazonaws.com","http":{"method":"GET",` +
		`"sourceIp":"10.0.0.1"}}}`
	restEvent = `{"httpMethod":"POST","path":"/p","headers":{"Accept":"last","Only-Here":"1"},"multiValueHeaders":{"Accept":["first","last"]},
		"multiValueQueryStringParameters":{"a":["1","2 3"]},"requestContext":{"domainName":"api.example.com","identity":{"sourceIp":"10.0.0.1"}},"body":"aGk=","isBase64Encoded":true}`
	balancerEvent = `{"httpMethod":"POST","path":"/a%2Fb","queryStringParameters":{"q":"2%20x"},"headers":{"host":"lb.example.com","x-forwarded-for":"192.0.2.7, 10.0.0.1"},
		"requestContext":{"elb":{"targetGroupArn":"arn:aws:elasticloadbalancing:eu-west-1:1:targetgroup/x/1"}},"body":"hi","isBase64Encoded":false}`
	balancerLists = `{"httpMethod":"GET","path":"/p","multiValueQueryStringParameters":{"a":["1","2%203"]},"multiValueHeaders":{"host":["lb.example.com"],"accept":["x","y"],"x-forwarded-for":["10.0.0.1"]},
		"requestContext":{"elb":{"targetGroupArn":"arn:aws:elasticloadbalancing:eu-west-1:1:targetgroup/x/1"}},"body":"","isBase64Encoded":false}`
)

// SB-1 SB-5
func TestEventsBecomeRequests(t *testing.T) {
	type want struct{ method, uri, path, query, host, remote, cookie, accept, body string }
	tests := map[string]struct {
		event string
		want  want
	}{
		"a Function URL event": {fmt.Sprintf(urlEvent, "/a%2Fb", "q=%20x&q=y", "10.0.0.1"),
			want{"POST", "/a%2Fb?q=%20x&q=y", "/a/b", "q=%20x&q=y", "x.lambda-url.eu-west-1.on.aws", "10.0.0.1:0",
				"a=1; b=2", "text/html,text/plain", "hi"}},
		"a path that was decoded on its way": {fmt.Sprintf(urlEvent, "/100% sure", "", "10.0.0.1"),
			want{"POST", "/100%25%20sure", "/100% sure", "", "x.lambda-url.eu-west-1.on.aws", "10.0.0.1:0", "a=1; b=2",
				"text/html,text/plain", "hi"}},
		"an address with a port": {fmt.Sprintf(urlEvent, "/", "", "10.0.0.1:443"),
			want{"POST", "/", "/", "", "x.lambda-url.eu-west-1.on.aws", "10.0.0.1:443", "a=1; b=2",
				"text/html,text/plain", "hi"}},
		"an IPv6 address": {fmt.Sprintf(urlEvent, "/", "", "2001:db8::1"),
			want{"POST", "/", "/", "", "x.lambda-url.eu-west-1.on.aws", "[2001:db8::1]:0", "a=1; b=2",
				"text/html,text/plain", "hi"}},
		"an HTTP API event": {apiEvent,
			want{"GET", "/p", "/p", "", "x.execute-api.eu-west-1.amazonaws.com", "10.0.0.1:0", "", "", ""}},
		"a REST API event": {restEvent,
			want{"POST", "/p?a=1&a=2+3", "/p", "a=1&a=2+3", "api.example.com", "10.0.0.1:0", "", "first,last", "hi"}},
		"a load balancer's event": {balancerEvent,
			want{"POST", "/a%2Fb?q=2%20x", "/a/b", "q=2%20x", "lb.example.com", "10.0.0.1:0", "", "", "hi"}},
		"a load balancer's event with lists": {balancerLists,
			want{"GET", "/p?a=1&a=2%203", "/p", "a=1&a=2%203", "lb.example.com", "10.0.0.1:0", "", "x,y", ""}},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			var got want
			_, err := adapter(t, func(_ http.ResponseWriter, r *http.Request) {
				body, _ := io.ReadAll(r.Body)
				got = want{r.Method, r.RequestURI, r.URL.Path, r.URL.RawQuery, r.Host, r.RemoteAddr,
					r.Header.Get("Cookie"), strings.Join(r.Header.Values("Accept"), ","), string(body)}
			}, lambda.Options{})(t.Context(), json.RawMessage(tc.event))
			if err != nil || got != tc.want {
				t.Errorf("got  %+v, %v\nwant %+v", got, err, tc.want)
			}
		})
	}
}

func TestDeadlineReachesTheHandler(t *testing.T) {
	end := time.Now().Add(time.Hour)
	ctx, cancel := context.WithDeadline(t.Context(), end)
	defer cancel()
	var got time.Time
	_, err := adapter(t, func(_ http.ResponseWriter, r *http.Request) { got, _ = r.Context().Deadline() },
		lambda.Options{})(ctx, json.RawMessage(apiEvent))
	if err != nil || !got.Equal(end) {
		t.Errorf("the deadline is %v, %v", got, err)
	}
}

func TestAnswersSuitTheirSender(t *testing.T) {
	binary := func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Add("Set-Cookie", "a=1")
		w.Header().Add("Set-Cookie", "b=2")
		w.Header()["Vary"] = []string{"Origin", "Cookie"}
		_, _ = w.Write([]byte{0xff, 0xfe})
	}
	encoded := base64.StdEncoding.EncodeToString([]byte{0xff, 0xfe})
	url, err := adapter(t, binary, lambda.Options{Streaming: true})(t.Context(), json.RawMessage(apiEvent))
	if a, ok := url.(events.LambdaFunctionURLResponse); !ok || err != nil || a.Body != encoded || !a.IsBase64Encoded ||
		strings.Join(a.Cookies, " ") != "a=1 b=2" || a.Headers["Vary"] != "Origin,Cookie" ||
		a.Headers["Set-Cookie"] != "" {
		t.Errorf("an HTTP API, which cannot stream, got %+v, %v", url, err)
	}
	rest, err := adapter(t, binary, lambda.Options{})(t.Context(), json.RawMessage(restEvent))
	if a, ok := rest.(events.APIGatewayProxyResponse); !ok || err != nil ||
		strings.Join(a.MultiValueHeaders["Set-Cookie"], " ") != "a=1 b=2" {
		t.Errorf("a REST API got %+v, %v", rest, err)
	}
	// The event does not say whether the API would take a stream.
	rest, err = adapter(t, binary, lambda.Options{Streaming: true})(t.Context(), json.RawMessage(restEvent))
	if a, ok := rest.(events.APIGatewayProxyResponse); !ok || err != nil || a.Body != encoded {
		t.Errorf("of a function that streams, a REST API got %+v, %v", rest, err)
	}
	for name, event := range map[string]string{"texts": balancerEvent, "lists": balancerLists} {
		got, err := adapter(t, binary, lambda.Options{Streaming: true})(t.Context(), json.RawMessage(event))
		a, ok := got.(events.ALBTargetGroupResponse)
		if !ok || err != nil || a.StatusCode != 200 || a.StatusDescription != "200 OK" || a.Body != encoded ||
			!a.IsBase64Encoded {
			t.Errorf("with %s a load balancer got %+v, %v", name, got, err)
		}
		// It reads one of both members, as it is set.
		if want := map[string]string{"texts": "a=1", "lists": ""}[name]; a.Headers["Set-Cookie"] != want ||
			(len(a.Headers) > 0) == (name == "lists") {
			t.Errorf("with %s the headers are %v", name, a.Headers)
		}
		if want := map[string]string{"texts": "",
			"lists": "a=1 b=2"}[name]; strings.Join(a.MultiValueHeaders["Set-Cookie"],
			" ") != want || (len(a.MultiValueHeaders) > 0) == (name == "texts") {
			t.Errorf("with %s the lists are %v", name, a.MultiValueHeaders)
		}
	}
}

func TestStreamIsReadWhileItIsWritten(t *testing.T) {
	on, over, late := make(chan struct{}), make(chan struct{}), make(chan error)
	out, err := adapter(t, func(w http.ResponseWriter, _ *http.Request) {
		if err := http.NewResponseController(w).Flush(); err != nil {
			t.Errorf("flush: %v", err)
		}
		_, _ = io.WriteString(w, "first")
		<-on
		_, _ = io.WriteString(w, "second")
		go func() {
			<-over
			_, err := io.WriteString(w, "too late")
			late <- err
		}()
	}, lambda.Options{Streaming: true})(t.Context(), json.RawMessage(fmt.Sprintf(urlEvent, "/", "", "::1")))
	if err != nil {
		t.Fatal(err)
	}
	body := out.(*events.LambdaFunctionURLStreamingResponse).Body
	first := make([]byte, 5)
	if _, err := io.ReadFull(body, first); err != nil || string(first) != "first" {
		t.Fatalf("%q, %v", first, err)
	}
	close(on)
	if rest, err := io.ReadAll(body); err != nil || string(rest) != "second" {
		t.Errorf("%q, %v", rest, err)
	}
	close(over)
	if err := <-late; err == nil {
		t.Error("a write after the end went through")
	}
}

// F-62
func TestPanics(t *testing.T) {
	early := func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Etag", "x")
		panic("secret")
	}
	late := func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, "half")
		panic("secret")
	}
	url := json.RawMessage(fmt.Sprintf(urlEvent, "/", "", "::1"))
	for name, h := range map[string]http.HandlerFunc{"early": early, "late": late} {
		t.Run("whole, "+name, func(t *testing.T) {
			var seen any
			out, err := adapter(t, h, lambda.Options{Panicked: func(_ context.Context, value any,
				stack []byte) {
				seen = value
			}})(t.Context(), url)
			a, _ := out.(events.LambdaFunctionURLResponse)
			if err != nil || a.StatusCode != 500 || a.Headers["Content-Type"] != "application/problem+json" ||
				a.Headers["Etag"] != "" ||
				strings.Contains(a.Body, "half") || strings.Contains(a.Body, "secret") || seen != "secret" {
				t.Errorf("%+v, %v, reported %v", a, err, seen)
			}
		})
	}
	t.Run("stream, early", func(t *testing.T) {
		out, err := adapter(t, early, lambda.Options{Streaming: true})(t.Context(), url)
		a := out.(*events.LambdaFunctionURLStreamingResponse)
		body, readErr := io.ReadAll(a.Body)
		if err != nil || readErr != nil || a.StatusCode != 500 || !strings.Contains(string(body), `"status":500`) {
			t.Errorf("%+v, %s, %v, %v", a, body, err, readErr)
		}
	})
	t.Run("stream, late", func(t *testing.T) {
		out, err := adapter(t, late, lambda.Options{Streaming: true})(t.Context(), url)
		body, readErr := io.ReadAll(out.(*events.LambdaFunctionURLStreamingResponse).Body)
		if err != nil || string(body) != "half" || readErr == nil || strings.Contains(readErr.Error(), "secret") {
			t.Errorf("%q, %v, %v", body, err, readErr)
		}
	})
	t.Run("direct", func(t *testing.T) {
		_, err := adapter(t, nil, lambda.Options{Direct: func(context.Context, json.RawMessage) (any,
			error) {
			panic("secret")
		}})(t.Context(), json.RawMessage(`{}`))
		if err == nil || strings.Contains(err.Error(), "secret") {
			t.Errorf("%v", err)
		}
	})
}

func TestEventsThatAreNoRequests(t *testing.T) {
	reached := func(http.ResponseWriter, *http.Request) { t.Error("the HTTP handler was called") }
	for _, event := range []string{`{"source":"aws.scheduler"}`, `[1]`, `"x"`, `{"httpMethod":"GET"}`,
		`{"requestContext":{}}`} {
		if _, err := adapter(t, reached, lambda.Options{})(t.Context(), json.RawMessage(event)); err == nil {
			t.Errorf("%s was taken", event)
		}
		out, err := adapter(t, reached, lambda.Options{Direct: func(_ context.Context, e json.RawMessage) (any,
			error) {
			return string(e), errors.New("as returned")
		}})(t.Context(), json.RawMessage(event))
		if out != event || err == nil || err.Error() != "as returned" {
			t.Errorf("%s came back as %v, %v", event, out, err)
		}
	}
	bad := strings.Replace(restEvent, `"aGk="`, `"%%"`, 1)
	if _, err := adapter(t, reached, lambda.Options{})(t.Context(), json.RawMessage(bad)); err == nil {
		t.Error("a body that is no base64 was taken")
	}
}

func TestWriterFollowsNetHTTP(t *testing.T) {
	tests := map[string]struct {
		handle      http.HandlerFunc
		status      int
		contentType string
		body        string
	}{
		"nothing at all": {func(http.ResponseWriter, *http.Request) {}, 200, "", ""},
		"a sniffed type": {func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "<html>") },
			200, "text/html; charset=utf-8", "<html>"},
		"the first status": {func(w http.ResponseWriter,
			_ *http.Request) {
			w.WriteHeader(404)
			w.WriteHeader(200)
		}, 404, "", ""},
		"a hint is no status": {func(w http.ResponseWriter,
			_ *http.Request) {
			w.WriteHeader(103)
			w.WriteHeader(201)
		}, 201, "", ""},
		"no body with a 204": {func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(204)
			if _, err := io.WriteString(w, "x"); !errors.Is(err, http.ErrBodyNotAllowed) {
				t.Errorf("the body of a 204: %v", err)
			}
		}, 204, "", ""},
		"a header after the start": {func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(200)
			w.Header().Set("Content-Type", "text/late")
		}, 200, "", ""},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			out, err := adapter(t, tc.handle, lambda.Options{})(t.Context(), json.RawMessage(apiEvent))
			a, _ := out.(events.LambdaFunctionURLResponse)
			if err != nil || a.StatusCode != tc.status || a.Headers["Content-Type"] != tc.contentType ||
				a.Body != tc.body {
				t.Errorf("%+v, %v", a, err)
			}
		})
	}
}
