package mcp

import (
	"context"
	"encoding/json"
	"net/http"

	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/httpx"
	"github.com/bellhop-ai/bellhop/pkg/identity"
)

// Servers are the remote MCP servers of organisations. A name that the caller's
// organisation does not have is a fault.NotFound error.
type Servers interface {
	List(ctx context.Context, by identity.Caller) ([]RemoteServer, error)
	// Tools asks a server for its tools, and compares them with its manifest.
	Tools(ctx context.Context, by identity.Caller, server string) ([]RemoteTool, error)
	// Test runs one tool that only reads.
	Test(ctx context.Context, by identity.Caller, server, tool string, arguments json.RawMessage) (RemoteResult, error)
}

// RemoteServer is a remote server as administrators see it.
type RemoteServer struct {
	Name     string `json:"name"`
	URL      string `json:"url"`
	Manifest string `json:"manifest"`
	Enabled  bool   `json:"enabled"`
	Reviewed bool   `json:"reviewed"` // there is a manifest of that name
	Secret   bool   `json:"secret"`   // there is a token of the organisation's
}

// RemoteTool is a tool of a remote server.
type RemoteTool struct {
	Name        string          `json:"name"`  // as the server calls it
	Model       string          `json:"model"` // as models call it
	Effect      string          `json:"effect"`
	Category    string          `json:"category,omitempty"`
	State       string          `json:"state"` // on, off, unknown, changed, missing
	Description string          `json:"description,omitempty"`
	Input       json.RawMessage `json:"input,omitempty"`
}

// RemoteResult is what a remote tool answered.
type RemoteResult struct {
	Tool         string          `json:"tool"`
	Milliseconds int64           `json:"milliseconds"`
	Data         json.RawMessage `json:"data"`
}

// remoteServers is the answer of a list of servers.
type remoteServers struct {
	Servers []RemoteServer `json:"servers"`
}

// remoteTools is the answer of a list of a server's tools.
type remoteTools struct {
	Server string       `json:"server"`
	Tools  []RemoteTool `json:"tools"`
}

// remoteTest is the body of a test. Server is read where the path has none.
type remoteTest struct {
	Server    string          `json:"server,omitempty"`
	Tool      string          `json:"tool"`
	Arguments json.RawMessage `json:"arguments,omitempty"`
}

// serveServers adds the endpoints for administrators, under their own names and
// those of the source documents.
func (h *Handler) serveServers() {
	h.mux.HandleFunc("GET /api/mcp-servers", h.asAdmin(h.listServers))
	h.mux.HandleFunc("GET /api/mcp-servers/{server}/tools", h.asAdmin(h.listTools))
	h.mux.HandleFunc("POST /api/mcp-servers/{server}/test", h.asAdmin(h.test))
	h.mux.HandleFunc("GET /api/fetch-mcp-tools", h.asAdmin(h.listTools))
	h.mux.HandleFunc("POST /api/fetch-mcp-tools", h.asAdmin(h.fetchTools))
	h.mux.HandleFunc("POST /api/test-with-mcp", h.asAdmin(h.test))
}

// asAdmin serves administrators alone.
func (h *Handler) asAdmin(serve func(r *http.Request, w http.ResponseWriter, by identity.Caller) (any,
	error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		by, err := httpx.Admit(r, h.cfg.Identify, h.cfg.Gate)
		if err == nil && by.Role != identity.Admin {
			err = fault.New(fault.Forbidden, "Only administrators see remote servers.")
		}
		if err == nil && h.cfg.Servers == nil {
			err = fault.New(fault.Unavailable, "Remote servers are not set up here.").WithCode("remote_off")
		}
		var answer any
		if err == nil {
			answer, err = serve(r, w, by)
		}
		if err != nil {
			httpx.Fail(w, r, err)
			return
		}
		httpx.JSON(w, http.StatusOK, answer)
	}
}

func (h *Handler) listServers(r *http.Request, _ http.ResponseWriter, by identity.Caller) (any, error) {
	list, err := h.cfg.Servers.List(r.Context(), by)
	return remoteServers{append([]RemoteServer{}, list...)}, err
}

func (h *Handler) listTools(r *http.Request, _ http.ResponseWriter, by identity.Caller) (any, error) {
	name := r.PathValue("server")
	if name == "" {
		name = r.URL.Query().Get("server")
	}
	return h.toolsOf(r, by, name)
}

// fetchTools is listTools with the server in the body.
func (h *Handler) fetchTools(r *http.Request, w http.ResponseWriter, by identity.Caller) (any, error) {
	var in struct {
		Server string `json:"server"`
	}
	if _, err := httpx.ReadJSON(w, r, &in); err != nil {
		return nil, err
	}
	return h.toolsOf(r, by, in.Server)
}

func (h *Handler) toolsOf(r *http.Request, by identity.Caller, name string) (any, error) {
	name, err := h.serverNamed(r, by, name)
	if err != nil {
		return nil, err
	}
	list, err := h.cfg.Servers.Tools(r.Context(), by, name)
	return remoteTools{name, append([]RemoteTool{}, list...)}, err
}

// serverNamed returns the name of the server that is meant: without one, the only server
// that is switched on.
func (h *Handler) serverNamed(r *http.Request, by identity.Caller, name string) (string, error) {
	if name != "" {
		return name, nil
	}
	all, err := h.cfg.Servers.List(r.Context(), by)
	if err != nil {
		return "", err
	}
	var on []string
	for _, s := range all {
		if s.Enabled {
			on = append(on, s.Name)
		}
	}
	if len(on) != 1 {
		return "", fault.New(fault.Unprocessable, "Name one of your organisation's %d servers.", len(on)).
			WithCode("server_needed")
	}
	return on[0], nil
}

func (h *Handler) test(r *http.Request, w http.ResponseWriter, by identity.Caller) (any, error) {
	var in remoteTest
	if _, err := httpx.ReadJSON(w, r, &in); err != nil {
		return nil, err
	}
	if name := r.PathValue("server"); name != "" {
		in.Server = name
	}
	name, err := h.serverNamed(r, by, in.Server)
	if err != nil {
		return nil, err
	}
	return h.cfg.Servers.Test(r.Context(), by, name, in.Tool, in.Arguments)
}
