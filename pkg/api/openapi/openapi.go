// Package openapi serves the description of the HTTP endpoints. The document is
// made by a test in infra from the Go types and from infra/testdata/openapi;
// nothing is computed while a function runs.
package openapi

import (
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"io"
	"net/http"
)

//go:embed openapi.json
var document string

// Document returns the description as JSON.
func Document() string { return document }

// Handler answers with the description, to be mounted at
// "GET /api/openapi.json". It is public and needs no token; a client that has
// this version already gets 304. The handler is immutable.
func Handler() http.Handler {
	sum := sha256.Sum256([]byte(document))
	tag := `"` + base64.RawURLEncoding.EncodeToString(sum[:12]) + `"`
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		head := w.Header()
		head.Set("ETag", tag)
		// It may be kept, but is asked for again, since a deployment changes it.
		head.Set("Cache-Control", "public, no-cache")
		if r.Header.Get("If-None-Match") == tag {
			w.WriteHeader(http.StatusNotModified)
			return
		}
		head.Set("Content-Type", "application/json; charset=utf-8")
		// The reader may have gone; no one is left to tell.
		_, _ = io.WriteString(w, document)
	})
}
