package main

import (
	"encoding/json"
	"io"
	"log"
	"net/http"
	"net/http/httputil"
	"net/url"
	"sync"

	"github.com/bellhop-ai/bellhop/infra/local/stack"
)

// door serves the one origin: the Supabase stand-in, what only development has,
// and the functions behind it. Until open is called, requests for the
// functions wait.
type door struct {
	mux    *http.ServeMux
	opened chan struct{}
	once   sync.Once
	behind http.Handler // set before opened is closed
}

func newDoor(d *development) *door {
	w := &door{mux: http.NewServeMux(), opened: make(chan struct{})}
	w.mux.Handle("/rest/v1/", d.stack.Handler())
	w.mux.Handle("/auth/v1/", d.stack.Handler())
	w.mux.Handle("/storage/v1/", d.stack.Handler())
	w.mux.HandleFunc("GET /dev.json", d.describe)
	w.mux.HandleFunc("GET /dev/mail", func(w http.ResponseWriter, _ *http.Request) { writeJSON(w, d.mail.Messages()) })
	w.mux.HandleFunc("GET /dev/model", func(w http.ResponseWriter, _ *http.Request) { writeJSON(w, d.calls.calls()) })
	w.mux.HandleFunc("/", w.wait)
	return w
}

func (w *door) ServeHTTP(rw http.ResponseWriter, r *http.Request) { w.mux.ServeHTTP(rw, r) }

// open lets requests through: to the Lambda functions what is theirs, to the
// server the rest.
func (w *door) open(host string, lambda *functions) {
	w.once.Do(func() {
		mux := http.NewServeMux()
		if lambda != nil {
			lambda.mount(mux)
		}
		mux.Handle("/", proxyTo(host))
		w.behind = mux
		close(w.opened)
	})
}

func (w *door) wait(rw http.ResponseWriter, r *http.Request) {
	select {
	case <-w.opened:
		w.behind.ServeHTTP(rw, r)
	case <-r.Context().Done():
	}
}

// proxyTo passes requests on, and answers back as they are written: a stream
// must not wait in a buffer.
func proxyTo(host string) http.Handler {
	to := &url.URL{Scheme: "http", Host: host}
	return &httputil.ReverseProxy{
		Rewrite: func(p *httputil.ProxyRequest) {
			p.SetURL(to)
			p.Out.Host = p.In.Host
			p.SetXForwarded()
		},
		Transport:     &http.Transport{MaxIdleConnsPerHost: 32, DisableCompression: true},
		FlushInterval: -1,
		// A reader that goes away is no news.
		ErrorLog: log.New(io.Discard, "", 0),
		ErrorHandler: func(w http.ResponseWriter, r *http.Request, err error) {
			if r.Context().Err() != nil {
				return
			}
			w.Header().Set("Content-Type", "application/problem+json")
			w.WriteHeader(http.StatusBadGateway)
			_ = json.NewEncoder(w).Encode(map[string]any{
				"type": "about:blank", "title": "Bad Gateway", "status": http.StatusBadGateway,
				"code":   "upstream_unreachable",
				"detail": "The server did not answer: " + err.Error(), "error": "The server did not answer.",
			})
		},
	}
}

// describe answers /dev.json: what a person, a test or a tool needs to use
// this origin. It holds the secret key of the stand-in and is never deployed.
func (d *development) describe(w http.ResponseWriter, r *http.Request) {
	users, err := d.stack.Users(r.Context())
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	if users == nil {
		users = []stack.DemoUser{}
	}
	writeJSON(w, map[string]any{
		"supabase": map[string]string{
			"url": d.origin, "publishableKey": d.stack.Keys().Publishable, "secretKey": d.stack.Keys().Secret,
		},
		"jobs": map[string]string{
			"summarize": "/dev/jobs/summarize", "cronSecret": d.jobs.cron, "webhookSecret": d.jobs.webhook,
		},
		"ledger":    d.ledger.describe(),
		"duffel":    d.duffel.describe(),
		"users":     users,
		"mail":      "/dev/mail",
		"modelLog":  "/dev/model",
		"model":     d.opts.openAI.url(d.stack.ModelURL()),
		"modelNote": d.opts.openAI.describe(d.stack.ModelURL()),
	})
}

func writeJSON(w http.ResponseWriter, body any) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	_ = json.NewEncoder(w).Encode(body)
}
