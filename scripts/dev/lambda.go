package main

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/bellhop-ai/bellhop/infra/local/lambda"
)

// functions are the parts that run as Lambda would run them.
type functions struct {
	chat, tools, mcp, transcribe, users, export, uploads, feedback, intents, projects, travel,
	conversations, summarize *lambda.Function
}

// startFunctions builds the bootstraps and starts one instance of each.
func startFunctions(ctx context.Context, build *builder, d *development) (*functions, error) {
	f := &functions{}
	parts := []struct {
		pkg       string
		streaming bool
		env       []string // beside what all have
		into      **lambda.Function
	}{
		{"./functions/chat", true, nil, &f.chat},
		{"./functions/tools", false, nil, &f.tools},
		{"./functions/mcp", false, nil, &f.mcp},
		{"./functions/transcribe", true, nil, &f.transcribe},
		{"./functions/users", false, d.secretEnv(), &f.users},
		{"./functions/export", true, nil, &f.export},
		{"./functions/uploads", false, nil, &f.uploads},
		{"./functions/feedback", true, nil, &f.feedback},
		{"./functions/intents", false, nil, &f.intents},
		{"./functions/projects", true, nil, &f.projects},
		{"./functions/travel", false, d.secretEnv(), &f.travel},
		{"./functions/conversations", true, nil, &f.conversations},
		{"./functions/summarize", false, d.secretEnv(), &f.summarize},
	}
	var pkgs []string
	for _, part := range parts {
		pkgs = append(pkgs, part.pkg)
	}
	// A folder lambda is what earlier versions made, with folders in it.
	bin, took, err := build.buildAll(ctx, "functions", pkgs, "-tags", "lambda.norpc,nodynamic")
	if err != nil {
		return nil, err
	}
	d.print("%d functions: built in %s", len(pkgs), took)
	for _, part := range parts {
		name := path.Base(part.pkg)
		*part.into, err = lambda.Start(ctx, lambda.Config{
			Name: "bellhop-" + name, Binary: filepath.Join(bin, name), Streaming: part.streaming,
			Env: slices.Concat(passedOn(os.Environ()), d.env(), part.env),
			Log: func(format string, args ...any) { fmt.Fprintf(os.Stderr, format+"\n", args...) },
		})
		if err != nil {
			f.stop()
			return nil, err
		}
		d.print("%s: ready as a Lambda function after %s", part.pkg,
			(*part.into).InitDurations()[0].Round(time.Millisecond))
	}
	return f, nil
}

// mount takes the paths that are the functions'.
func (f *functions) mount(mux *http.ServeMux) {
	mux.Handle("/api/chat", f.chat)
	mux.Handle("/api/chat/", f.chat)
	mux.Handle("/api/v1/", f.chat)
	mux.Handle("/api/realtime-cfo-agent", f.chat)
	mux.Handle("/api/cfo-agent-api", f.chat)
	mux.Handle("/api/munimji-agent", f.chat)
	mux.Handle("/api/tools/", f.tools)
	mux.Handle("/api/confirmations/", f.tools)
	mux.Handle("/api/mcp/", f.mcp)
	mux.Handle("/api/cfo-agent-mcp", f.mcp)
	mux.Handle("/api/mcp-servers", f.mcp)
	mux.Handle("/api/mcp-servers/", f.mcp)
	mux.Handle("/api/fetch-mcp-tools", f.mcp)
	mux.Handle("/api/test-with-mcp", f.mcp)
	mux.Handle("/.well-known/oauth-protected-resource", f.mcp)
	mux.Handle("/.well-known/oauth-protected-resource/", f.mcp)
	mux.Handle("/api/users", f.users)
	mux.Handle("/api/users/", f.users)
	mux.Handle("/api/create-user", f.users)
	mux.Handle("/api/delete-user", f.users)
	mux.Handle("/api/check-super-admin", f.users)
	mux.Handle("/api/transcribe", f.transcribe)
	mux.Handle("/api/v1/audio/", f.transcribe)
	mux.Handle("/api/audio-transcribe", f.transcribe)
	mux.Handle("/api/export", f.export)
	mux.Handle("/api/export/", f.export)
	mux.Handle("/api/export-chat", f.export)
	mux.Handle("/api/uploads", f.uploads)
	mux.Handle("/api/uploads/", f.uploads)
	mux.Handle("/api/upload-attachment", f.uploads)
	mux.Handle("/api/feedback", f.feedback)
	mux.Handle("/api/submit-feedback", f.feedback)
	mux.Handle("/api/intents", f.intents)
	mux.Handle("/api/intents/", f.intents)
	mux.Handle("/api/generate-intent", f.intents)
	mux.Handle("/api/generate-batch-intents", f.intents)
	mux.Handle("/api/get-tool-analytics", f.intents)
	mux.Handle("/api/projects", f.projects)
	mux.Handle("/api/projects/", f.projects)
	mux.Handle("/api/business-profile", f.projects)
	mux.Handle("/p/", f.projects)
	for _, path := range []string{"/api/travellers", "/api/travellers/", "/api/preferences", "/api/decisions",
		"/api/decisions/", "/api/trips", "/api/trips/", "/api/travel-bookings", "/api/searches",
		"/api/custom-tools", "/api/custom-tools/", "/api/webhooks/duffel"} {
		mux.Handle(path, f.travel)
	}
	mux.Handle("/api/conversations", f.conversations)
	mux.Handle("/api/conversations/", f.conversations)
	mux.Handle("/api/get-conversations", f.conversations)
	mux.Handle("/api/chat/sessions/", f.conversations)
	mux.Handle("/api/summarize", f.summarize)
	mux.Handle("/api/summarize/", f.summarize)
	mux.Handle("/api/chat/sessions/{id}/summarize", f.summarize)
	mux.Handle("/api/ai/summarize-conversation", f.summarize)
	mux.Handle("/api/jobs/summarize", f.summarize)
	mux.Handle("/api/webhooks/summarize", f.summarize)
}

func (f *functions) stop() {
	if f == nil {
		return
	}
	for _, one := range []*lambda.Function{f.chat, f.tools, f.mcp, f.transcribe, f.users, f.export, f.uploads,
		f.feedback,
		f.intents, f.projects, f.travel, f.conversations, f.summarize} {
		if one != nil {
			_ = one.Close()
		}
	}
}

// passedOn is the part of our environment that a template would set: choices
// of the model, keys of organisations' own models, choices of Bellhop, and how to reach the internet from here.
func passedOn(environ []string) []string {
	var kept []string
	for _, pair := range inherited(environ) {
		name, _, _ := strings.Cut(pair, "=")
		switch upper := strings.ToUpper(name); {
		case strings.HasPrefix(upper, "OPENAI_"), strings.HasPrefix(upper, "MODEL_"),
			strings.HasPrefix(upper, "BELLHOP_"), strings.HasPrefix(upper, "LOG_"),
			strings.HasPrefix(upper, "DUFFEL_"),
			upper == "HTTP_PROXY", upper == "HTTPS_PROXY", upper == "NO_PROXY", upper == "SSL_CERT_FILE",
			upper == "SSL_CERT_DIR":
			kept = append(kept, pair)
		}
	}
	return kept
}
