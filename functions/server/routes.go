package main

import (
	"context"
	"net/http"

	"github.com/bellhop-ai/bellhop/pkg/boot/admin"
	"github.com/bellhop-ai/bellhop/pkg/boot/backend"
	"github.com/bellhop-ai/bellhop/pkg/boot/chat"
	"github.com/bellhop-ai/bellhop/pkg/boot/conversations"
	"github.com/bellhop-ai/bellhop/pkg/boot/export"
	"github.com/bellhop-ai/bellhop/pkg/boot/feedback"
	"github.com/bellhop-ai/bellhop/pkg/boot/intents"
	"github.com/bellhop-ai/bellhop/pkg/boot/mcp"
	"github.com/bellhop-ai/bellhop/pkg/boot/projects"
	"github.com/bellhop-ai/bellhop/pkg/boot/summarize"
	"github.com/bellhop-ai/bellhop/pkg/boot/tools"
	"github.com/bellhop-ai/bellhop/pkg/boot/transcribe"
	"github.com/bellhop-ai/bellhop/pkg/boot/travel"
	"github.com/bellhop-ai/bellhop/pkg/boot/uploads"
	"github.com/bellhop-ai/bellhop/pkg/boot/users"
)

// mount builds all handlers on the backend, and puts each at its routes.
func mount(ctx context.Context, mux *http.ServeMux, b *backend.Backend) error {
	summaries, err := summarize.New(ctx, b)
	if err != nil {
		return err
	}
	for _, h := range []struct {
		build  func() (http.Handler, error)
		routes []string
	}{
		{func() (http.Handler, error) { return chat.New(ctx, b) }, []string{"/api/chat", "/api/chat/", "/api/v1/",
			"/api/realtime-cfo-agent", "/api/cfo-agent-api", "/api/munimji-agent"}},
		{func() (http.Handler, error) { return tools.New(ctx, b) }, []string{"/api/tools/", "/api/confirmations/"}},
		{func() (http.Handler, error) { return mcp.New(ctx, b) }, []string{"/api/mcp/", "/api/mcp-servers",
			"/api/mcp-servers/", "/api/fetch-mcp-tools", "/api/test-with-mcp", "/api/cfo-agent-mcp",
			"/.well-known/oauth-protected-resource", "/.well-known/oauth-protected-resource/"}},
		{func() (http.Handler, error) { return transcribe.New(ctx, b.Core) }, []string{"/api/transcribe",
			"/api/v1/audio/", "/api/audio-transcribe"}},
		{func() (http.Handler, error) { return uploads.New(ctx, b.Core) }, []string{"/api/uploads", "/api/uploads/",
			"/api/upload-attachment"}},
		{func() (http.Handler, error) { return export.New(ctx, b) }, []string{"/api/export", "/api/export/",
			"/api/export-chat"}},
		{func() (http.Handler, error) { return conversations.New(ctx, b) }, []string{
			"/api/conversations", "/api/conversations/", "/api/chat/sessions/", "/api/get-conversations"}},
		{func() (http.Handler, error) { return feedback.New(ctx, b) }, []string{"/api/feedback",
			"/api/submit-feedback"}},
		{func() (http.Handler, error) { return projects.New(ctx, b.Core) }, []string{"/api/projects", "/api/projects/",
			"/api/business-profile", "/p/"}},
		{func() (http.Handler, error) { return travel.New(ctx, b.Core) }, []string{"/api/travellers",
			"/api/travellers/",
			"/api/preferences", "/api/decisions", "/api/decisions/", "/api/trips", "/api/trips/", "/api/plans", "/t/",
			"/api/travel-bookings", "/api/searches", "/api/custom-tools", "/api/custom-tools/"}},
		{func() (http.Handler, error) { return intents.New(ctx, b.Core) }, []string{"/api/intents", "/api/intents/",
			"/api/generate-intent", "/api/generate-batch-intents", "/api/get-tool-analytics"}},
		{func() (http.Handler, error) { return summaries.People() }, []string{
			"/api/summarize", "/api/summarize/", "/api/chat/sessions/{id}/summarize",
			"/api/ai/summarize-conversation"}},
	} {
		handler, err := h.build()
		if err != nil {
			return err
		}
		for _, route := range h.routes {
			mux.Handle(route, handler)
		}
	}
	mountEdge(mux)
	return mountPrivileged(ctx, mux, b, summaries)
}

// mountEdge answers at the addresses that Supabase's Edge Functions of the finance
// front end have: /functions/v1/NAME is /api/NAME, for these names alone.
func mountEdge(mux *http.ServeMux) {
	for _, name := range []string{"realtime-cfo-agent", "cfo-agent-api", "cfo-agent-mcp", "munimji-agent",
		"generate-intent", "generate-batch-intents", "fetch-mcp-tools", "test-with-mcp", "get-conversations",
		"get-tool-analytics", "submit-feedback", "export-chat", "upload-attachment", "audio-transcribe", "create-user",
		"delete-user", "check-super-admin"} {
		mux.HandleFunc("/functions/v1/"+name, func(w http.ResponseWriter, r *http.Request) {
			here := r.Clone(r.Context())
			here.URL.Path, here.URL.RawPath = "/api/"+name, ""
			mux.ServeHTTP(w, here)
		})
	}
}

// mountPrivileged adds the handlers that use the secret key, where the
// environment has it.
func mountPrivileged(ctx context.Context, mux *http.ServeMux, b *backend.Backend, summaries *summarize.Builder) error {
	if !admin.Configured(b.Service) {
		return nil
	}
	key, err := admin.New(ctx, b.Service)
	if err != nil {
		return err
	}
	if summarize.Configured(b.Service) {
		jobs, err := summaries.Jobs(ctx, key)
		if err != nil {
			return err
		}
		summarize.Mount(mux, jobs)
	}
	hooks, err := travel.Hooks(ctx, b.Service, key)
	if err != nil {
		return err
	}
	if hooks != nil {
		travel.Mount(mux, hooks)
	}
	h, err := users.New(ctx, b.Core, key)
	if err != nil {
		return err
	}
	for _, route := range []string{"/api/users", "/api/users/", "/api/create-user", "/api/delete-user",
		"/api/check-super-admin"} {
		mux.Handle(route, h)
	}
	return nil
}
