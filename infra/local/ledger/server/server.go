// Package server is an accounting product as others see it: the books of
// package ledger behind an MCP server over Streamable HTTP.
//
// It plays a remote server that Bellhop does not own, so it is a conventional
// one. Results hold UUIDs, errors are texts of tool results, and every tool is
// listed to every user; what a role may not do is refused when it is called.
//
// # Requests
//
// A request bears a token (Authorization: Bearer …) of a user, who is a member
// of one or more companies with a role each. Query parameter entityid chooses
// the company, orgid the organisation that it belongs to; either may be left
// out where one company is left. Without a valid token the answer is 401 with
// a WWW-Authenticate header, for a company that the user is no member of 403,
// and for a choice that is missing or malformed 400: each with a JSON body of
// "error" and "message".
//
// /mcp answers with an event stream, /mcp/json with JSON. Both negotiate any
// protocol version that the SDK knows, 2024-11-05 to 2026-07-28.
package server

import (
	"errors"
	"net/http"
	"time"

	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/bellhop-ai/bellhop/infra/local/ledger"
)

// Paths of the server.
const (
	Path     = "/mcp"      // answers as an event stream
	JSONPath = "/mcp/json" // answers as JSON
)

// sessionIdle is how long a session may be unused, maxBody how large a request
// may be: a bank statement of 20,000 lines is about 2 MB.
const (
	sessionIdle = 30 * time.Minute
	maxBody     = 16 << 20
)

// Config says whose books are served.
type Config struct {
	// Ledger has the books and the clock.
	Ledger *ledger.Ledger
	// Log receives one line for each failure that is not the caller's. Nil is
	// silent.
	Log func(format string, args ...any)
}

// Server is the MCP server. It is an http.Handler, and may be used
// concurrently.
type Server struct {
	cfg Config
	mux *http.ServeMux
}

// New returns a server.
func New(cfg Config) (*Server, error) {
	if cfg.Ledger == nil {
		return nil, errors.New("the ledger's server needs a ledger")
	}
	if cfg.Log == nil {
		cfg.Log = func(string, ...any) {}
	}
	s := &Server{cfg: cfg, mux: http.NewServeMux()}
	m := mcp.NewServer(&mcp.Implementation{Name: "hellobooks-ledger", Title: "HelloBooks", Version: "4.0"},
		&mcp.ServerOptions{
			Instructions: "The books of a company: sales, purchases, payments, GST, bank, stock and reports. " +
				"Amounts are rupees. Dates are YYYY-MM-DD.",
			PageSize: 50,
		})
	for _, t := range catalogue() {
		t.add(m, s)
	}
	// The token's end was judged by the clock of the books.
	bearer := auth.RequireBearerToken(tokenInfo, &auth.RequireBearerTokenOptions{AllowMissingExpiration: true})
	for path, asJSON := range map[string]bool{Path: false, JSONPath: true} {
		with := func(stateless bool) http.Handler {
			return mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return m },
				&mcp.StreamableHTTPOptions{
					Stateless: stateless, JSONResponse: asJSON, SessionTimeout: sessionIdle,
					MaxRequestBodyBytes: maxBody,
				})
		}
		s.mux.Handle(path, s.admit(bearer(byVersion(with(false), with(true)))))
	}
	return s, nil
}

// ServeHTTP implements http.Handler.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.mux.ServeHTTP(w, r) }

// byVersion gives requests of the versions that have no sessions to another
// handler: the SDK's serves either.
func byVersion(sessions, stateless http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Mcp-Protocol-Version") >= "2026-07-28" {
			stateless.ServeHTTP(w, r)
			return
		}
		sessions.ServeHTTP(w, r)
	})
}
