// Package mcp serves the tools of each assistant by the Model Context Protocol,
// over Streamable HTTP and without sessions: a request carries all that it
// needs, and its answer is JSON.
//
// A call takes the same way as one at /api/tools (see package direct). A tool
// that asks for consent answers with a proposal, as the result or, from protocol
// version 2026-07-28 on, as an elicitation. There is no tool that approves: its
// arguments would be chosen by a model.
package mcp

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"slices"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/bellhop-ai/bellhop/pkg/consent"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/flow"
	"github.com/bellhop-ai/bellhop/pkg/flow/direct"
	"github.com/bellhop-ai/bellhop/pkg/httpx"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/limit"
)

// Config is what the function needs; Assistants, Consent, Identify and NewID are
// required.
type Config struct {
	Assistants []*flow.Assistant
	Consent    *consent.Service
	// Identify returns the caller of a verified token, with the role that the
	// database knows now.
	Identify httpx.Identify
	NewID    func() string
	// Gate bounds how often people and organisations may call tools; the zero
	// Gate does not.
	Gate limit.Gate
	// Origins are those of other sites whose pages may call; "*" means all.
	Origins []string
	// Local says that no proxy stands in front, so that a request over loopback for
	// another host is one of DNS rebinding and is refused.
	Local bool
	// AuthorizationServers are the issuers of OAuth tokens that Identify accepts.
	// Without any, no protected resource metadata is published.
	AuthorizationServers []string
	// Servers are the remote servers whose tools assistants are lent; nil for none.
	Servers Servers
}

// Handler is the function's HTTP handler.
type Handler struct {
	cfg    Config
	tools  direct.Tools
	mux    *http.ServeMux
	mcp    http.Handler
	cross  *http.CrossOriginProtection // nil where all origins may call
	shared sync.Map                    // *mcp.Server by the *flow.Runtime that all callers share
}

// New returns the handler, or an error that names what is missing.
func New(cfg Config) (*Handler, error) {
	h := &Handler{cfg: cfg, tools: direct.Tools{Assistants: cfg.Assistants, Consent: cfg.Consent, NewID: cfg.NewID},
		mux: http.NewServeMux()}
	if cfg.Identify == nil || h.tools.Check() != nil {
		return nil, errors.New("mcp: assistants, a consent service, identities and ids are all required")
	}
	if !slices.Contains(cfg.Origins, "*") {
		h.cross = http.NewCrossOriginProtection()
		for _, origin := range cfg.Origins {
			if err := h.cross.AddTrustedOrigin(origin); err != nil {
				return nil, errors.New("ALLOWED_ORIGINS holds something that is no origin, such as " +
					"https://www.example.com")
			}
		}
	}
	h.mcp = mcp.NewStreamableHTTPHandler(
		func(r *http.Request) *mcp.Server { return requestOf(r.Context()).server },
		&mcp.StreamableHTTPOptions{
			Stateless: true, JSONResponse: true,
			// The body was read and bounded before.
			MaxRequestBodyBytes: -1,
			// A platform's proxy may connect over loopback with the public host, too.
			DisableLocalhostProtection: !cfg.Local,
		})
	h.mux.HandleFunc("POST /api/mcp/{assistant}", h.serve)
	// The source's name of the finance assistant's tools.
	h.mux.HandleFunc("POST /api/cfo-agent-mcp", func(w http.ResponseWriter, r *http.Request) {
		r.SetPathValue("assistant", "finance")
		h.serve(w, r)
	})
	h.mux.HandleFunc("GET /.well-known/oauth-protected-resource", h.metadata)
	h.mux.HandleFunc("GET /.well-known/oauth-protected-resource/api/mcp/{assistant}", h.metadata)
	h.serveServers()
	// By GET clients ask for a stream of the server's own messages, by DELETE they
	// end a session. They take 405 for a server that has neither.
	h.mux.HandleFunc("/", httpx.Otherwise(h.mux, httpx.Fail))
	return h, nil
}

// ServeHTTP answers below /api/mcp, and with the metadata of OAuth where there
// are authorization servers.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) { h.mux.ServeHTTP(w, r) }

// request is what the functions of the MCP server need of an HTTP request.
type request struct {
	ctx     context.Context // of the HTTP request; the SDK detaches its own
	by      identity.Caller
	runtime *flow.Runtime
	server  *mcp.Server
	entity  string // as chosen in the address
	key     string // the idempotency key in the header

	mu     sync.Mutex
	failed []error // of its calls, for the log
}

type requestKey struct{}

func requestOf(ctx context.Context) *request { return ctx.Value(requestKey{}).(*request) }

func (r *request) fail(err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.failed = append(r.failed, err)
}

func (h *Handler) serve(w http.ResponseWriter, r *http.Request) {
	if err := h.exchange(w, r); err != nil {
		if fault.Is(err, fault.Unauthorized) && len(h.cfg.AuthorizationServers) > 0 {
			w.Header().Set("WWW-Authenticate",
				`Bearer resource_metadata="`+httpx.Origin(r)+metadataPath+r.URL.Path+`"`)
		}
		httpx.Fail(w, r, err)
	}
}

// exchange answers a request. An error says that nothing has been written.
func (h *Handler) exchange(w http.ResponseWriter, r *http.Request) error {
	if h.cross != nil && h.cross.Check(r) != nil {
		return fault.New(fault.Forbidden, "Pages of other sites may not call here.").WithCode("cross_origin")
	}
	by, err := httpx.Caller(r, h.cfg.Identify)
	if err != nil {
		return err
	}
	name := r.PathValue("assistant")
	a, err := h.tools.Assistant(r.Context(), by, name)
	if err != nil {
		return err
	}
	got, err := readMessages(w, r)
	if err != nil {
		return err
	}
	if got.refusal != nil {
		return got.refusal.write(w)
	}
	for range got.calls {
		if err := h.cfg.Gate.Admit(r.Context(), by); err != nil {
			return err
		}
	}
	server, err := h.server(name, a)
	if err != nil {
		return err
	}
	q := &request{ctx: r.Context(), by: by, runtime: a, server: server, entity: r.URL.Query().Get("entityId")}
	if !got.batch {
		// One header cannot name several calls.
		q.key = r.Header.Get("Idempotency-Key")
	}
	answer := &answer{ResponseWriter: w}
	h.mcp.ServeHTTP(answer, prepared(r, q, got.body))
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.failed) > 0 {
		httpx.Note(r.Context(), errors.Join(q.failed...))
	}
	return answer.end(r.Context())
}

// prepared returns the request as the SDK's handler takes it. Its answers are
// JSON and its bodies are, whatever a client says of either.
func prepared(r *http.Request, q *request, body []byte) *http.Request {
	r = r.WithContext(context.WithValue(r.Context(), requestKey{}, q))
	r.Header = r.Header.Clone()
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	return r
}
