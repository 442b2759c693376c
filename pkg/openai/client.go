// Package openai lets any server that speaks OpenAI's Chat Completions or its
// Responses API answer as a llm.Model: OpenAI itself, Azure, OpenRouter, Ollama,
// vLLM, llama.cpp.
//
// openai-go carries the calls: it authenticates, guards the origin and decodes
// the event stream. What all calls have in common it makes once in a process. The
// body is prepared here, so that tools are encoded once, too; answers are read
// narrowly; and retries are decided here, since only this package knows whether
// text was already shown.
//
// Nothing is read from the environment.
package openai

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/cenkalti/backoff/v5"
	sdk "github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"

	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/llm"
)

// maxWait is the longest pause between two tries. A provider that asks for
// more is not waited for.
const maxWait = 8 * time.Second

// Config says which server answers and how patient we are.
type Config struct {
	// APIKey may be empty for servers of one's own.
	APIKey identity.Secret
	// BaseURL is the address up to and including the version, such as
	// "http://127.0.0.1:11434/v1". Empty means OpenAI's own.
	BaseURL string
	// Model is used where a request names none; empty means gpt-4o-mini.
	Model string
	// Profile names what the server understands: openai, azure-v1, openrouter,
	// vllm, ollama, llama.cpp or compatible. Empty means what BaseURL suggests.
	Profile string
	// API names how the server is asked: "chat" for Chat Completions, "responses"
	// for the Responses API. Empty means chat, which every server speaks.
	API string
	// HTTP carries the calls; nil means connections of the client's own, with
	// which it follows no redirects and uses no proxy.
	HTTP *http.Client
	// IdleTimeout ends a stream on which no byte arrives for so long, the wait
	// for the first one included. 0 means 30 s. An answer in one piece is
	// bounded by its context only.
	IdleTimeout time.Duration
	// Retries is how often a failed try is repeated, if no text was shown.
	// 0 means 2, a negative number none.
	Retries int
	// Report, if not nil, is told of every try on the caller's goroutine.
	Report func(context.Context, Attempt)
	// Wait pauses between tries and returns early with an error when ctx ends;
	// Now tells the time. Nil means the real ones.
	Wait func(ctx context.Context, d time.Duration) error
	Now  func() time.Time
}

// Attempt is one try of a call.
type Attempt struct {
	Number int // from 1
	Took   time.Duration
	Err    error         // nil when the try gave the answer
	Pause  time.Duration // before the next try
	Again  bool          // whether a next try follows
	// Dropped is how many bytes of encrypted reasoning the answer held that are
	// too many to carry from step to step; see maxOpaque.
	Dropped int
}

// Client is a llm.Model, and where its model hears a speech.Transcriber.
type Client struct {
	api     api
	call    call
	audio   sdk.AudioTranscriptionService
	profile profile
	model   string
	key     identity.Secret
	idle    time.Duration
	retries int
	bodies  bodies
	report  func(context.Context, Attempt)
	wait    func(context.Context, time.Duration) error
	now     func() time.Time
}

var _ llm.Model = (*Client)(nil)

// New returns a client, or one sentence on what is wrong with cfg. It makes no
// call.
func New(cfg Config) (*Client, error) {
	base, err := url.Parse(cmp.Or(cfg.BaseURL, defaultBase))
	if err != nil || (base.Scheme != "https" && base.Scheme != "http") || base.Host == "" {
		return nil, errors.New("openai: the base URL is not an absolute http address")
	}
	if base.User != nil || base.RawQuery != "" || base.Fragment != "" {
		return nil, errors.New("openai: the base URL has more than a host and a path")
	}
	p, err := profileFor(cfg.Profile, base)
	if err != nil {
		return nil, fmt.Errorf("openai: %w", err)
	}
	key := cfg.APIKey.Reveal()
	if p.needsKey && key == "" {
		return nil, fmt.Errorf("openai: the API key for %s is missing", base.Host)
	}
	if strings.ContainsFunc(key, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return nil, errors.New("openai: the API key contains a blank or another sign that no key has")
	}
	var carrier option.HTTPClient = doer{newTransport()}
	if cfg.HTTP != nil {
		carrier = cfg.HTTP
	}
	options := []option.RequestOption{
		option.WithBaseURL(base.String()),
		option.WithHTTPClient(carrier),
		option.WithMaxRetries(0),
	}
	if base.Scheme == "http" {
		options = append(options, option.WithUnsafeAllowHTTP())
	}
	switch {
	case key == "":
	case p.keyHeader != "":
		options = append(options, option.WithHeader(p.keyHeader, key))
	default:
		options = append(options, option.WithAPIKey(key))
	}
	model := cmp.Or(cfg.Model, "gpt-4o-mini")
	way, err := newAPI(cfg.API, p, model, base.Host, options)
	if err != nil {
		return nil, fmt.Errorf("openai: %w", err)
	}
	prepared, err := newCall(way)
	if err != nil {
		return nil, fmt.Errorf("openai: prepare the calls: %w", err)
	}
	c := &Client{
		api:  way,
		call: prepared,
		// The services, unlike sdk.NewClient, read no OPENAI_* variables; and
		// who names sdk.Client carries all that it offers: 16 MB.
		audio:   sdk.NewAudioTranscriptionService(options...),
		profile: p,
		model:   model,
		key:     cfg.APIKey,
		idle:    cmp.Or(cfg.IdleTimeout, 30*time.Second),
		retries: max(cmp.Or(cfg.Retries, 2), 0),
		report:  cfg.Report,
		wait:    cfg.Wait,
		now:     cfg.Now,
	}
	if c.wait == nil {
		c.wait = pause
	}
	if c.now == nil {
		c.now = time.Now
	}
	return c, nil
}

func newTransport() *http.Transport {
	return &http.Transport{
		DialContext:           dial(&net.Dialer{Timeout: 5 * time.Second, KeepAlive: 30 * time.Second}),
		TLSHandshakeTimeout:   5 * time.Second,
		ResponseHeaderTimeout: 2 * time.Minute,
		IdleConnTimeout:       90 * time.Second,
		MaxIdleConnsPerHost:   64,
		ForceAttemptHTTP2:     true,
		// It holds the headers; see conn for the bodies.
		WriteBufferSize: 2 << 10,
	}
}

func pause(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-t.C:
		return nil
	}
}

// SupportsImages reports whether the provider's models see pictures.
func (c *Client) SupportsImages() bool { return c.profile.images }

// Answer makes one call, as llm.Model says. It is streamed if show is not nil.
//
// An answer with Finish Length or Filtered never has calls, even if the model
// began some. A call without an id gets one ("call_0"), and a repeated id is
// made unique. Once text was shown no try is repeated: the error says what
// happened, and the caller knows what it has shown.
//
// Usage sums the answers of all tries that came to their end.
func (c *Client) Answer(ctx context.Context, r llm.Request, show func(text string) error) (llm.Answer, error) {
	steps := backoff.ExponentialBackOff{
		InitialInterval: 250 * time.Millisecond, RandomizationFactor: 0.5, Multiplier: 2, MaxInterval: 4 * time.Second,
	}
	var spent llm.Usage
	for number := 1; ; number++ {
		out := output{show: show}
		began := c.now()
		d := c.api.draft(r)
		// Tries are rarely repeated, and a stream may be long: the body is made anew
		// rather than kept.
		data, err := c.api.encode(c.bodies.buffer(), r, show != nil)
		if err != nil {
			return llm.Answer{}, fault.Wrap(fault.Internal, fmt.Errorf("prepare a model call: %w", err), sayInternal)
		}
		a, f := c.try(ctx, c.bodies.body(data), d, &out)
		spent = spent.Add(a.Usage)
		at := Attempt{Number: number, Took: c.now().Sub(began), Dropped: d.dropped()}
		if f != nil {
			at.Err = f.err
			at.Again = f.again && !out.shown && number <= c.retries
		}
		if at.Again {
			at.Pause, at.Again = c.fits(ctx, f.err, steps.NextBackOff())
		}
		if c.report != nil {
			c.report(ctx, at)
		}
		if f == nil {
			a.Usage = spent
			return a, nil
		}
		if !at.Again {
			return llm.Answer{}, f.err
		}
		if err := c.wait(ctx, at.Pause); err != nil {
			if ctx.Err() != nil {
				return llm.Answer{}, ended(ctx).err
			}
			return llm.Answer{}, f.err
		}
	}
}

// fits returns the pause before the next try: what the provider asked for, or
// else step. It reports false when the pause is too long to be worth it.
func (c *Client) fits(ctx context.Context, err error, step time.Duration) (time.Duration, bool) {
	wait := step
	if asked := fault.From(err).RetryAfter; asked > 0 {
		wait = asked
	}
	if end, ok := ctx.Deadline(); ok && !c.now().Add(wait).Before(end) {
		return 0, false
	}
	return wait, wait <= maxWait
}

// output is where text goes, and whether any went.
type output struct {
	show  func(string) error
	shown bool
	err   error // what show returned
}

func (o *output) say(text string) error {
	if o.show == nil {
		return nil
	}
	o.shown = true
	o.err = o.show(text)
	return o.err
}

// try makes the call once and releases the body. Besides a failure it returns the
// usage, if known.
func (c *Client) try(ctx context.Context, b *body, d draft, out *output) (llm.Answer, *failure) {
	inner, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	idle := c.idle
	if out.show == nil {
		idle = 0
	}
	g := newGuard(idle, cancel)
	defer g.stop()

	res, err := c.call.send(inner, b) //nolint:bodyclose // the guard closes it
	b.release()
	if err != nil {
		return llm.Answer{}, lost(ctx, context.Cause(inner), err)
	}
	if g.watch(res); res.StatusCode >= 300 {
		return c.status(res)
	}
	return c.read(ctx, inner, res, g, d, out)
}

func (c *Client) read(ctx, inner context.Context, res *http.Response, g *guard, d draft, out *output) (llm.Answer,
	*failure) {
	var refusal []byte
	var err error
	if isStream(res) {
		refusal, err = readStream(d, res, g, out.say)
	} else {
		refusal, err = readWhole(d, res.Body, out.say)
	}
	if out.err != nil {
		return llm.Answer{}, &failure{err: out.err}
	}
	if _, ok := errors.AsType[*unreadable](err); ok {
		return llm.Answer{}, broken(fmt.Errorf("read an answer of %s: %w", c.hide(res.Header.Get("Content-Type")),
			err))
	}
	if err != nil {
		return llm.Answer{}, lost(ctx, context.Cause(inner), err)
	}
	if len(refusal) > 0 {
		return llm.Answer{}, c.refused(0, res.Header, refusal)
	}
	return d.answer()
}
