// Command server is every function and the page in one process: for Vercel, a
// container, or a laptop.
package main

import (
	"context"
	"net/http"

	"github.com/bellhop-ai/bellhop/functions/server/page"
	"github.com/bellhop-ai/bellhop/pkg/boot"
	"github.com/bellhop-ai/bellhop/pkg/boot/backend"
	"github.com/bellhop-ai/bellhop/pkg/httpx"
)

func main() { boot.Run("server", boot.Options{Streaming: true}, build) }

// build makes one backend, which all handlers share.
func build(ctx context.Context, s *boot.Service) (http.Handler, error) {
	b, err := backend.NewSealed(ctx, s)
	if err != nil {
		return nil, err
	}
	mux := http.NewServeMux()
	if err := mount(ctx, mux, b); err != nil {
		return nil, err
	}
	mux.HandleFunc("/api", httpx.NotFound)
	mux.HandleFunc("/api/", httpx.NotFound)
	mux.Handle("/", page.New(pageConfig(s)))
	return mux, nil
}
