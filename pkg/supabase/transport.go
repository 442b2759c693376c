package supabase

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
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

// transport carries one request: postgrest-go and gotrue-go send through
// it and know nothing of contexts, tokens and retries.
type transport struct {
	client *Client
	// The libraries give no way to pass a context along, and a transport lives no
	// longer than the call that made it.
	ctx     context.Context
	user    string // whom a proof is about; "" sends none, but where ours is set
	org     string
	ours    bool
	token   identity.Secret // "" sends no Authorization
	accept  string
	control bool
	books   bool
	// reads says that the request changes nothing although it is a POST.
	reads bool
	// recorded says that the request's answer becomes part of what a preview
	// rests on.
	recorded bool
	maxBody  int64 // of the answer; 0 = the client's

	// ambiguous is set once a write may have reached the database although no
	// definite answer came back.
	ambiguous bool
	wrote     bool // an unsafe request was answered as done
	answer    []byte
}

// RoundTrip sends the request and returns answers below 300 with their whole
// body in memory. All else is an error: *Error, a fault, or the context's.
func (t *transport) RoundTrip(request *http.Request) (*http.Response, error) {
	return t.send(request.Clone(t.ctx))
}

// send is RoundTrip for a request that is ours to change.
func (t *transport) send(request *http.Request) (*http.Response, error) {
	safe := t.reads || request.Method == http.MethodGet || request.Method == http.MethodHead
	if !safe && !t.books && effect.IsReadOnly(t.ctx) {
		return nil, fault.Wrap(fault.Internal, errors.New(request.Method+" "+request.URL.Path+
			" in a read-only context"),
			"A reading tool tried to write and was stopped.")
	}
	// An approval could not be bound to a result that cannot be requested
	// again.
	if record := effect.Recording(t.ctx); record != nil && !t.control && !t.recorded {
		cause := errors.New("a preview reads " + request.URL.Path + "; it can read by stable functions only")
		err := fault.Wrap(fault.Internal, cause, "The preview could not be made.")
		record.Fail(err)
		return nil, err
	}
	// A redirect would carry the token to wherever it points.
	if request.URL.Host != t.client.base.Host || request.URL.Scheme != t.client.base.Scheme {
		return nil, fault.Wrap(fault.Internal, errors.New("a request to "+request.URL.Host+" instead of the project"),
			"The service is not set up correctly.")
	}
	claimed := t.setHeaders(request, safe)
	if !safe {
		if err := t.prove(request, claimed); err != nil {
			return nil, err
		}
		if !t.books {
			effect.Forget(t.ctx)
		}
		return t.write(request)
	}
	return t.read(request)
}

// setHeaders reports whether they bear a claim.
func (t *transport) setHeaders(r *http.Request, safe bool) (claimed bool) {
	cfg := t.client.cfg
	r.Header.Set("apikey", cfg.PublishableKey.Reveal())
	r.Header.Set("User-Agent", cfg.UserAgent)
	r.Header.Set("Accept", t.accept)
	r.Header.Del("Authorization")
	if t.token != "" {
		r.Header.Set("Authorization", "Bearer "+t.token.Reveal())
	}
	// postgrest-go adds where it should set.
	for _, name := range []string{"Content-Type", "Prefer", "Accept-Profile", "Content-Profile"} {
		if values := r.Header.Values(name); len(values) > 1 {
			r.Header.Set(name, values[0])
		}
	}
	if cfg.RequestID != nil {
		if id := cfg.RequestID(t.ctx); id != "" {
			r.Header.Set("X-Request-Id", id)
		}
	}
	claim, ok := effect.From(t.ctx)
	claimed = ok && !safe && !t.control
	if claimed {
		r.Header.Set("x-bellhop-effect", claim.Key)
		r.Header.Set("x-bellhop-args", claim.ArgsHash)
		r.Header.Set("x-bellhop-tool", claim.Tool)
		r.Header.Set("x-bellhop-turn", claim.Turn)
		r.Header.Set("x-bellhop-assistant", claim.Assistant)
		if claim.Proposal != "" {
			r.Header.Set("x-bellhop-proposal", claim.Proposal)
		}
	}
	return claimed
}

// prove adds the proof to a write that needs one: of the server's own books, or
// under a claim.
func (t *transport) prove(r *http.Request, claimed bool) error {
	prover := t.client.cfg.Proof
	path, rest := strings.CutPrefix(r.URL.Path, t.client.base.Path+"/rest/v1")
	if prover == nil || !rest || t.user == "" && !t.ours || !claimed && !t.control {
		return nil
	}
	proof, err := prover.Prove(t.user, t.org, r.Method, path, r.Header)
	r.Header.Set(ProofHeader, proof)
	return err
}

// read sends a safe request, and again while the trouble looks passing.
func (t *transport) read(r *http.Request) (*http.Response, error) {
	return backoff.Retry(t.ctx, func() (*http.Response, error) {
		resp, err := t.once(r)
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
		} else if _, ok := errors.AsType[*fault.Error](err); ok || t.ctx.Err() != nil {
			return nil, backoff.Permanent(err)
		}
		// A server that asks for a longer wait is better served by the person
		// trying again than by a request that hangs.
		if after > time.Second {
			return nil, backoff.Permanent(err)
		}
		t.client.cfg.Log(t.ctx, "supabase_retry", map[string]any{"path": r.URL.Path, "status": status})
		return nil, err
	}, backoff.WithBackOff(newBackOff()), backoff.WithMaxTries(maxAttempts), backoff.WithMaxElapsedTime(0))
}

// newBackOff returns the waits between the attempts of a read.
func newBackOff() *backoff.ExponentialBackOff {
	wait := backoff.NewExponentialBackOff()
	wait.InitialInterval, wait.MaxInterval = 50*time.Millisecond, 400*time.Millisecond
	return wait
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
// where the database says that it rolled back for the sake of another transaction (a
// deadlock, a serialization failure) is it sent again: nothing was done then.
func (t *transport) write(r *http.Request) (*http.Response, error) {
	wait := backoff.NewExponentialBackOff()
	wait.InitialInterval = 20 * time.Millisecond
	wait.MaxInterval = 200 * time.Millisecond
	resp, err := backoff.Retry(t.ctx, func() (*http.Response, error) {
		resp, err := t.once(r)
		if e, ok := errors.AsType[*Error](err); err != nil && (!ok || e.Code != "40001" && e.Code != "40P01") {
			return nil, backoff.Permanent(err)
		}
		return resp, err
	}, backoff.WithBackOff(wait), backoff.WithMaxTries(1+maxRolledBack), backoff.WithMaxElapsedTime(0))
	switch e, answered := errors.AsType[*Error](err); {
	case err == nil:
		t.wrote = true
	case answered:
		t.ambiguous = e.Status >= 500 && !sqlState(e.Code)
	default:
		t.ambiguous = !neverLeft(err)
	}
	return resp, err
}

// neverLeft reports whether the failure came before a byte was sent.
func neverLeft(err error) bool {
	op, ok := errors.AsType[*net.OpError](err)
	return ok && op.Op == "dial"
}

// once sends the request and reads the whole answer.
func (t *transport) once(r *http.Request) (*http.Response, error) {
	ctx, cancel := context.WithTimeout(t.ctx, attemptTimeout)
	defer cancel()
	r = r.WithContext(ctx)
	if r.GetBody != nil { // the body of an earlier attempt is used up
		body, err := r.GetBody()
		if err != nil {
			return nil, err
		}
		r.Body = body
	}
	resp, err := t.client.cfg.HTTP.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	body, err := readAll(resp.Body, cmp.Or(t.maxBody, t.client.cfg.MaxBody), resp.ContentLength)
	if err != nil {
		return nil, err
	}
	switch {
	case resp.StatusCode >= 400:
		return nil, readError(resp.StatusCode, resp.Header, body)
	case resp.StatusCode >= 300:
		return nil, fault.Wrap(fault.Upstream, errors.New("supabase answered with a redirect: "+resp.Status),
			"The database gave an answer that makes no sense.")
	}
	t.answer = body
	resp.Body = io.NopCloser(bytes.NewReader(body))
	resp.ContentLength = int64(len(body))
	return resp, nil
}
