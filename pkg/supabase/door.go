package supabase

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"time"

	"github.com/cenkalti/backoff/v5"

	"github.com/bellhop-ai/bellhop/pkg/effect"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/identity"
)

const (
	mediaJSON   = "application/json"
	mediaObject = "application/vnd.pgrst.object+json" // one row; none or several is an error
	maxAttempts = 3
)

// door is the transport of one request: postgrest-go and gotrue-go send through
// it and know nothing of contexts, tokens and retries.
type door struct {
	client *Client
	// The libraries give no way to pass a context along, and a door lives no
	// longer than the call that made it.
	ctx     context.Context
	token   identity.Secret // "" sends no Authorization
	accept  string
	control bool
	// reads says that the request changes nothing although it is a POST.
	reads   bool
	maxBody int64 // of the answer; 0 = the client's

	// ambiguous is set once a write may have reached the database although no
	// definite answer came back.
	ambiguous bool
	wrote     bool // an unsafe request was answered as done
}

// RoundTrip sends the request and returns answers below 300 with their whole
// body in memory. All else is an error: *Error, a fault, or the context's.
func (d *door) RoundTrip(request *http.Request) (*http.Response, error) {
	return d.send(request.Clone(d.ctx))
}

// send is RoundTrip for a request that is ours to change.
func (d *door) send(request *http.Request) (*http.Response, error) {
	safe := d.reads || request.Method == http.MethodGet || request.Method == http.MethodHead
	if !safe && effect.IsReadOnly(d.ctx) {
		return nil, fault.Wrap(fault.Internal, errors.New(request.Method+" "+request.URL.Path+" in a read-only context"),
			"A reading tool tried to write and was stopped.")
	}
	// A redirect would carry the token to wherever it points.
	if request.URL.Host != d.client.base.Host || request.URL.Scheme != d.client.base.Scheme {
		return nil, fault.Wrap(fault.Internal, errors.New("a request to "+request.URL.Host+" instead of the project"), "The service is not set up correctly.")
	}
	d.setHeaders(request, safe)
	if !safe {
		return d.write(request)
	}
	return d.read(request)
}

func (d *door) setHeaders(r *http.Request, safe bool) {
	cfg := d.client.cfg
	r.Header.Set("apikey", cfg.PublishableKey.Reveal())
	r.Header.Set("User-Agent", cfg.UserAgent)
	r.Header.Set("Accept", d.accept)
	r.Header.Del("Authorization")
	if d.token != "" {
		r.Header.Set("Authorization", "Bearer "+d.token.Reveal())
	}
	// postgrest-go adds where it should set.
	for _, name := range []string{"Content-Type", "Prefer", "Accept-Profile", "Content-Profile"} {
		if values := r.Header.Values(name); len(values) > 1 {
			r.Header.Set(name, values[0])
		}
	}
	if cfg.RequestID != nil {
		if id := cfg.RequestID(d.ctx); id != "" {
			r.Header.Set("X-Request-Id", id)
		}
	}
	if claim, ok := effect.From(d.ctx); ok && !safe && !d.control {
		r.Header.Set("x-bellhop-effect", claim.Key)
		r.Header.Set("x-bellhop-args", claim.ArgsHash)
		r.Header.Set("x-bellhop-tool", claim.Tool)
		r.Header.Set("x-bellhop-turn", claim.Turn)
		r.Header.Set("x-bellhop-assistant", claim.Assistant)
		if claim.Proposal != "" {
			r.Header.Set("x-bellhop-proposal", claim.Proposal)
		}
	}
}

// read sends a safe request, and again while the trouble looks passing.
func (d *door) read(r *http.Request) (*http.Response, error) {
	wait := backoff.NewExponentialBackOff()
	wait.InitialInterval = 50 * time.Millisecond
	wait.MaxInterval = 400 * time.Millisecond
	return backoff.Retry(d.ctx, func() (*http.Response, error) {
		resp, err := d.once(r)
		if err == nil {
			return resp, nil
		}
		var after time.Duration
		status := 0
		if e, ok := errors.AsType[*Error](err); ok {
			if !passing(e.Status) {
				return nil, backoff.Permanent(err)
			}
			after, status = e.RetryAfter, e.Status
		} else if _, ok := errors.AsType[*fault.Error](err); ok || d.ctx.Err() != nil {
			return nil, backoff.Permanent(err)
		}
		// Somebody who asks for a longer wait is better served by the person
		// trying again than by a request that hangs.
		if after > time.Second {
			return nil, backoff.Permanent(err)
		}
		d.client.cfg.Log(d.ctx, "supabase_retry", map[string]any{"path": r.URL.Path, "status": status})
		return nil, err
	}, backoff.WithBackOff(wait), backoff.WithMaxTries(maxAttempts), backoff.WithMaxElapsedTime(0))
}

// maxRolledBack is how often a write that the database rolled back for another
// one's sake is sent again.
const maxRolledBack = 3

func passing(status int) bool {
	switch status {
	case http.StatusTooManyRequests, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return true
	}
	return false
}

// write sends an unsafe request once, and notes when its fate is unknown. Only
// where the database says that it rolled back for the sake of somebody else (a
// deadlock, a serialization failure) is it sent again: nothing was done then.
func (d *door) write(r *http.Request) (*http.Response, error) {
	wait := backoff.NewExponentialBackOff()
	wait.InitialInterval = 20 * time.Millisecond
	wait.MaxInterval = 200 * time.Millisecond
	resp, err := backoff.Retry(d.ctx, func() (*http.Response, error) {
		resp, err := d.once(r)
		if e, ok := errors.AsType[*Error](err); err != nil && (!ok || e.Code != "40001" && e.Code != "40P01") {
			return nil, backoff.Permanent(err)
		}
		return resp, err
	}, backoff.WithBackOff(wait), backoff.WithMaxTries(1+maxRolledBack), backoff.WithMaxElapsedTime(0))
	switch e, answered := errors.AsType[*Error](err); {
	case err == nil:
		d.wrote = true
	case answered:
		d.ambiguous = e.Status >= 500 && !sqlState(e.Code)
	default:
		d.ambiguous = !neverLeft(err)
	}
	return resp, err
}

// neverLeft reports whether the failure came before a byte was sent.
func neverLeft(err error) bool {
	op, ok := errors.AsType[*net.OpError](err)
	return ok && op.Op == "dial"
}

// once sends the request and reads the whole answer.
func (d *door) once(r *http.Request) (*http.Response, error) {
	ctx, cancel := context.WithTimeout(d.ctx, attemptTimeout)
	defer cancel()
	r = r.WithContext(ctx)
	if r.GetBody != nil { // the body of an earlier attempt is used up
		body, err := r.GetBody()
		if err != nil {
			return nil, err
		}
		r.Body = body
	}
	resp, err := d.client.cfg.HTTP.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	body, err := readAll(resp.Body, cmp.Or(d.maxBody, d.client.cfg.MaxBody), resp.ContentLength)
	if err != nil {
		return nil, err
	}
	switch {
	case resp.StatusCode >= 400:
		return nil, readError(resp.StatusCode, resp.Header, body)
	case resp.StatusCode >= 300:
		return nil, fault.Wrap(fault.Upstream, errors.New("supabase answered with a redirect: "+resp.Status), "The database gave an answer that makes no sense.")
	}
	resp.Body = io.NopCloser(bytes.NewReader(body))
	resp.ContentLength = int64(len(body))
	return resp, nil
}
