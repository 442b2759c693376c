// Command server is every function and the page in one process: for Vercel, a
// container, or a laptop.
package main

import (
	"context"
	"net/http"

	"github.com/bellhop-ai/bellhop/functions/server/page"
	"github.com/bellhop-ai/bellhop/pkg/api/tools"
	"github.com/bellhop-ai/bellhop/pkg/boot"
	"github.com/bellhop-ai/bellhop/pkg/boot/talk"
	"github.com/bellhop-ai/bellhop/pkg/httpx"
)

func main() { boot.Run("server", boot.Options{Streaming: true}, build) }

func build(ctx context.Context, s *boot.Service) (http.Handler, error) {
	chat, p, err := talk.New(ctx, s)
	if err != nil {
		return nil, err
	}
	var cfg boot.ToolsConfig
	if err := s.Env.Decode(ctx, &cfg); err != nil {
		return nil, err
	}
	direct, err := tools.New(tools.Config{Assistants: p.Assistants, Desk: p.Desk, Identify: p.Identify, NewID: s.NewID, Gate: p.Gate("tools", cfg.RateUser, cfg.RateOrg)})
	if err != nil {
		return nil, err
	}
	mux := http.NewServeMux()
	mux.Handle("/api/chat", chat)
	mux.Handle("/api/chat/", chat)
	mux.Handle("/api/v1/", chat)
	mux.Handle("/api/tools/", direct)
	mux.Handle("/api/confirmations/", direct)
	if err := mount(ctx, mux, s, p); err != nil {
		return nil, err
	}
	mux.HandleFunc("/api", httpx.Nothing)
	mux.HandleFunc("/api/", httpx.Nothing)
	mux.Handle("/", page.New(pageConfig(s, p.Assistants)))
	return mux, nil
}
