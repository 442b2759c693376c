package mcp

import (
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
		"resource":                 httpx.Origin(r) + strings.TrimPrefix(r.URL.Path, metadataPath),
		"authorization_servers":    h.cfg.AuthorizationServers,
		"bearer_methods_supported": []string{"header"},
		"resource_name":            "Bellhop",
	})
}
