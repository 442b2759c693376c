package main

import (
	"context"
	"net/http"

	"github.com/bellhop-ai/bellhop/pkg/boot"
	"github.com/bellhop-ai/bellhop/pkg/boot/archive"
	"github.com/bellhop-ai/bellhop/pkg/boot/files"
	"github.com/bellhop-ai/bellhop/pkg/boot/listen"
	"github.com/bellhop-ai/bellhop/pkg/boot/opinions"
	"github.com/bellhop-ai/bellhop/pkg/boot/parts"
	"github.com/bellhop-ai/bellhop/pkg/boot/people"
	"github.com/bellhop-ai/bellhop/pkg/boot/shelf"
	"github.com/bellhop-ai/bellhop/pkg/boot/summaries"
)

// mount builds the doors beside chat and tools, and puts each where it stands.
func mount(ctx context.Context, mux *http.ServeMux, s *boot.Service, p *parts.Parts) error {
	for _, door := range []struct {
		build func() (http.Handler, error)
		at    []string
	}{
		{func() (http.Handler, error) { return listen.New(ctx, s) }, []string{"/api/transcribe"}},
		{func() (http.Handler, error) { return shelf.New(ctx, s) }, []string{"/api/uploads", "/api/uploads/"}},
		{func() (http.Handler, error) { return files.New(ctx, s, p) }, []string{"/api/export", "/api/export/"}},
		{func() (http.Handler, error) { return archive.New(ctx, s, p) }, []string{"/api/conversations", "/api/conversations/", "/api/chat/sessions/"}},
		{func() (http.Handler, error) { return opinions.New(ctx, s, p) }, []string{"/api/feedback"}},
		{func() (http.Handler, error) { return summaries.New(ctx, s, p) }, []string{
			"/api/summarize", "/api/summarize/", "/api/chat/sessions/{id}/summarize", "/api/ai/summarize-conversation"}},
	} {
		h, err := door.build()
		if err != nil {
			return err
		}
		for _, pattern := range door.at {
			mux.Handle(pattern, h)
		}
	}
	if summaries.Configured(s) {
		jobs, err := summaries.NewJobs(ctx, s, p)
		if err != nil {
			return err
		}
		summaries.Mount(mux, jobs)
	}
	if !people.Configured(s) {
		return nil
	}
	h, err := people.New(ctx, s)
	if err != nil {
		return err
	}
	mux.Handle("/api/users", h)
	mux.Handle("/api/users/", h)
	return nil
}
