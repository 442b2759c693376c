package openai

import (
	"bytes"
	"context"
	"errors"
	"net/http"
	"net/http/httptrace"
	"strings"

	"github.com/openai/openai-go/v3/option"
)

// call is what all calls of a client have in common, as openai-go makes it: the
// address, the headers with the key, and how a request is sent and kept to its
// server. Only the body differs from call to call.
type call struct {
	head *http.Request
	next option.MiddlewareNext // keeps nothing of a request, and may be used by many at once
}

var errHeld = errors.New("the request is not to be sent")

// newCall lets openai-go prepare a request, which is not sent. The headers in which
// it describes the machine that it runs on are left out: they are two thirds of
// all, and concern no provider.
func newCall(a api) (call, error) {
	var c call
	err := a.send(context.Background(), option.WithRequestBody("application/json", bytes.NewReader(nil)),
		option.WithMiddleware(func(r *http.Request, next option.MiddlewareNext) (*http.Response, error) {
			c = call{r, next}
			return nil, errHeld
		}))
	if c.head == nil {
		return c, err
	}
	for name := range c.head.Header {
		if strings.HasPrefix(name, "X-Stainless-") {
			delete(c.head.Header, name)
		}
	}
	return c, nil
}

// send sends a request with the body.
func (c call) send(ctx context.Context, b *body) (*http.Response, error) {
	reader, err := b.open()
	if err != nil {
		return nil, err
	}
	j := new(joined)
	r := c.head.WithContext(httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{GotConn: j.begin,
		WroteRequest: j.end}))
	r.Header = r.Header.Clone()
	r.Body, r.GetBody, r.ContentLength = reader, b.open, int64(len(b.data))
	res, err := c.next(r)
	if err != nil {
		_ = reader.Close() // a second time, for most
		return nil, err
	}
	return res, nil
}
