package mcp

import (
	"net"
	"net/http"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/httpx"
)

// metadataPath is where RFC 9728 has the metadata of a protected resource; the
// path of a resource is added to it.
const metadataPath = "/.well-known/oauth-protected-resource"

// metadata says which servers issue the tokens that this one takes.
func (h *Handler) metadata(w http.ResponseWriter, r *http.Request) {
	if len(h.cfg.AuthorizationServers) == 0 {
		httpx.NotFound(w, r)
		return
	}
	httpx.JSON(w, http.StatusOK, map[string]any{
		"resource":                 address(r, strings.TrimPrefix(r.URL.Path, metadataPath)),
		"authorization_servers":    h.cfg.AuthorizationServers,
		"bearer_methods_supported": []string{"header"},
		"resource_name":            "Bellhop",
	})
}

// address returns the address of a path at the host that was asked. A client
// compares it with the one that it asked, so a forged host fools its sender alone.
func address(r *http.Request, path string) string {
	scheme := "https"
	if local(r.Host) && r.Header.Get("X-Forwarded-Proto") != "https" {
		scheme = "http"
	}
	return scheme + "://" + r.Host + path
}

func local(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	ip := net.ParseIP(strings.Trim(host, "[]"))
	return host == "localhost" || ip != nil && ip.IsLoopback()
}
