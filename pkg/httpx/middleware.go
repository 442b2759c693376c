package httpx

import (
	"context"
	"fmt"
	"net/http"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/rs/zerolog"

	"github.com/bellhop-ai/bellhop/pkg/fault"
)

// Config is shared by all handlers.
type Config struct {
	Log   zerolog.Logger
	NewID func() string
	Now   func() time.Time
	// Origins may call from a browser; "*" is all of them, none by default.
	Origins []string
	// AtOnce is how many requests are worked on at the same time; more are
	// refused at once with 503, since a queue would only make all of them
	// late. A person and an organisation may have a share of them. 0 is no
	// bound.
	AtOnce int
	// Arrival is how slowly bodies may come.
	Arrival Arrival
	// Timeout ends a request that the platform does not end before.
	Timeout time.Duration
}

type entry struct {
	id    string
	err   error
	place *place // nil where places are not bounded
}

type contextKey struct{}

// RequestID returns the id of the request, or "".
func RequestID(ctx context.Context) string {
	if e, ok := ctx.Value(contextKey{}).(*entry); ok {
		return e.id
	}
	return ""
}

// note keeps an error for the request's line in the log.
func note(ctx context.Context, err error) {
	if e, ok := ctx.Value(contextKey{}).(*entry); ok {
		e.err = err
	}
}

// Note is note for failures that reach the client in another way than by Fail,
// such as an event of a stream.
func Note(ctx context.Context, err error) { note(ctx, err) }

// Wrap adds the shared middleware to a handler, from the outside: request id,
// deadline, log, recover, CORS, overload.
func Wrap(h http.Handler, cfg Config) http.Handler {
	h = shed(h, cfg)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		start := cfg.Now()
		e := &entry{id: requestID(r, cfg.NewID)}
		ctx := context.WithValue(r.Context(), contextKey{}, e)
		if cfg.Timeout > 0 {
			var cancel context.CancelFunc
			ctx, cancel = context.WithTimeout(ctx, cfg.Timeout)
			defer cancel()
		}
		r = r.WithContext(ctx)
		rec := &recorder{ResponseWriter: w}
		rec.Header().Set("X-Request-Id", e.id)
		defer func() {
			if p := recover(); p != nil {
				e.err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
				if rec.status == 0 {
					Fail(rec, r, fault.Wrap(fault.Internal, e.err, "Something went wrong on our side."))
				}
			}
			logRequest(cfg, r, rec, e, start)
		}()
		if cors(rec, r, cfg.Origins) {
			return
		}
		h.ServeHTTP(rec, r)
	})
}

// shed refuses requests beyond so many, and bodies that do not come.
func shed(h http.Handler, cfg Config) http.Handler {
	var all *slots
	if cfg.AtOnce > 0 {
		all = newSlots(cfg.AtOnce)
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var p *place
		if all != nil {
			var err error
			if p, err = all.enter(r); err != nil {
				Fail(w, r, err)
				return
			}
			defer p.leave()
			if e, ok := r.Context().Value(contextKey{}).(*entry); ok {
				e.place = p
			}
		}
		defer watch(w, r, p, cfg.Arrival)()
		h.ServeHTTP(w, r)
	})
}

// shown returns the pattern of the address: what stands in an address may be a
// name or a key as well as anything else. An address that nothing answers, or
// that was answered before anybody looked at it, has none.
func shown(r *http.Request) string {
	_, path, ok := strings.Cut(r.Pattern, " ")
	if !ok {
		path = r.Pattern
	}
	return path
}

// logRequest writes one line with allow-listed fields: no body, no query, no
// header but the id.
func logRequest(cfg Config, r *http.Request, rec *recorder, e *entry, start time.Time) {
	line := cfg.Log.Info()
	if rec.status >= 500 || e.err != nil && fault.Is(e.err, fault.Internal) {
		line = cfg.Log.Error()
	}
	if e.err != nil {
		line = line.Str("code", fault.From(e.err).PublicCode()).Str("cause", fault.Trace(e.err))
	}
	line.Str("request_id", e.id).Str("method", r.Method).Str("path", shown(r)).Int("status", rec.status).
		Int64("bytes", rec.bytes).Dur("took", cfg.Now().Sub(start)).Msg("request")
}

// requestID takes a client's id when it is harmless, else makes one.
func requestID(r *http.Request, newID func() string) string {
	id := r.Header.Get("X-Request-Id")
	ok := len(id) >= 8 && len(id) <= 64 && !strings.ContainsFunc(id, func(c rune) bool {
		return !(c == '-' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z')
	})
	if ok {
		return id
	}
	return newID()
}

// cors answers a preflight and reports true, or adds what a browser needs.
func cors(w http.ResponseWriter, r *http.Request, origins []string) bool {
	origin := r.Header.Get("Origin")
	head := w.Header()
	if origin != "" && (slices.Contains(origins, origin) || slices.Contains(origins, "*")) {
		head.Set("Access-Control-Allow-Origin", origin)
		head.Add("Vary", "Origin")
		head.Set("Access-Control-Expose-Headers",
			"X-Request-Id, ETag, Idempotent-Replayed, Retry-After, Content-Disposition")
	}
	if r.Method != http.MethodOptions || r.Header.Get("Access-Control-Request-Method") == "" {
		return false
	}
	head.Set("Access-Control-Allow-Methods", "GET, POST, PUT, PATCH, DELETE, OPTIONS")
	head.Set("Access-Control-Allow-Headers", strings.Join(allowedHeaders(r), ", "))
	head.Set("Access-Control-Max-Age", "600")
	w.WriteHeader(http.StatusNoContent)
	return true
}

// allowedHeaders returns the headers that a page may send: those that are read
// here, and those by which OpenAI's clients describe themselves, which are not.
func allowedHeaders(r *http.Request) []string {
	names := []string{"Authorization", "Content-Type", "If-Match", "Idempotency-Key", "X-Request-Id",
		"Last-Event-Id", "Mcp-Protocol-Version", "Mcp-Method", "Mcp-Name", "Mcp-Session-Id", "H-Authorization"}
	for _, line := range r.Header.Values("Access-Control-Request-Headers") {
		for name := range strings.SplitSeq(line, ",") {
			name = strings.ToLower(strings.Trim(name, " \t"))
			rest, ok := strings.CutPrefix(name, "x-stainless-")
			unknown := strings.ContainsFunc(rest, func(c rune) bool { return c != '-' && (c < 'a' || c > 'z') })
			if (ok && rest != "" && !unknown || selfDescribing(name)) && len(names) < 32 {
				names = append(names, name)
			}
		}
	}
	return names
}

// selfDescribing reports whether a header only names the client and its mode.
func selfDescribing(name string) bool {
	switch name {
	case "user-agent", "openai-organization", "openai-project", "openai-beta", "x-title", "http-referer":
		return true
	}
	return false
}

// recorder remembers what was answered.
type recorder struct {
	http.ResponseWriter
	status int
	bytes  int64
}

func (r *recorder) WriteHeader(status int) {
	if r.status == 0 {
		r.status = status
	}
	r.ResponseWriter.WriteHeader(status)
}

func (r *recorder) Write(b []byte) (int, error) {
	if r.status == 0 {
		r.status = http.StatusOK
	}
	n, err := r.ResponseWriter.Write(b)
	r.bytes += int64(n)
	return n, err
}

// Unwrap lets http.ResponseController reach the platform's writer.
func (r *recorder) Unwrap() http.ResponseWriter { return r.ResponseWriter }

// Bearer returns the token of the Authorization header, or a
// fault.Unauthorized error.
func Bearer(r *http.Request) (string, error) {
	scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	token = strings.TrimSpace(token)
	if !strings.EqualFold(scheme, "Bearer") || token == "" {
		return "", fault.New(fault.Unauthorized, "Please sign in.")
	}
	return token, nil
}
