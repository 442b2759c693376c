// Package page serves Bellhop's web page: static files, embedded, that need no
// build step and nothing from any other host.
//
// The page may run no script but its own, talks to this origin and the
// Supabase project only, and cannot turn text into markup: its policy asks for
// trusted types and allows none.
package page

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"encoding/json"
	"io/fs"
	"net/http"
	"net/url"
	"path"
	"strings"
	"time"
)

//go:embed static
var files embed.FS

// Config is what the page has to know before anybody signs in. It is public: the
// browser reads it at /config.json. Which assistants there are, it asks for the
// person's organisation at /api/v1/models.
type Config struct {
	// SupabaseURL is the address of the project at which people sign in, such
	// as "https://abc.supabase.co". Its origin becomes the only foreign one
	// that the page may talk to; when it is no http or https address, the page
	// may talk to none.
	SupabaseURL    string `json:"supabaseUrl"`
	PublishableKey string `json:"publishableKey"`
	// Dev tells the page to read /dev.json, with which a development server
	// offers its demo users.
	Dev bool `json:"dev"`
}

// served is what the browser reads at /config.json.
type served struct {
	Config
	// Parts are the kinds of parts that the page has a renderer for: the names
	// of the modules in static/js/views/parts.
	Parts []string `json:"parts"`
}

// asset is one answer, complete at start.
type asset struct {
	body        []byte
	contentType string
	etag        string
}

// New returns the handler of the page, to be mounted at "/". It answers GET
// and HEAD for the page's files and /config.json. Any other path that a
// browser navigates to gets the page itself, except under /api/; what is left
// is not found. The handler is immutable and safe for concurrent use.
func New(cfg Config) http.Handler {
	p := &pages{assets: map[string]asset{}, policy: policy(origin(cfg.SupabaseURL))}
	kinds, err := fs.Glob(files, "static/js/views/parts/*.js")
	if err != nil {
		panic("page: the renderers of parts are missing: " + err.Error())
	}
	for i, name := range kinds {
		kinds[i] = strings.TrimSuffix(path.Base(name), ".js")
	}
	config, err := json.Marshal(served{cfg, kinds})
	if err != nil {
		panic("page: a configuration of strings does not encode: " + err.Error())
	}
	p.add("/config.json", config)
	static, err := fs.Sub(files, "static")
	if err != nil {
		panic("page: the embedded files are missing: " + err.Error())
	}
	err = fs.WalkDir(static, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		body, err := fs.ReadFile(static, name)
		p.add("/"+name, body)
		return err
	})
	if err != nil {
		panic("page: an embedded file cannot be read: " + err.Error())
	}
	p.assets["/"] = p.assets["/index.html"]
	return p
}

type pages struct {
	assets map[string]asset
	policy string
}

func (p *pages) add(name string, body []byte) {
	sum := sha256.Sum256(body)
	p.assets[name] = asset{
		body:        body,
		contentType: contentType(path.Ext(name)),
		etag:        `"` + base64.RawURLEncoding.EncodeToString(sum[:12]) + `"`,
	}
}

func (p *pages) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Content-Security-Policy", p.policy)
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Permissions-Policy", "camera=(), geolocation=(self), microphone=(self), payment=(), usb=()")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("X-Frame-Options", "DENY") // for browsers that don't read frame-ancestors
	found, ok := p.assets[r.URL.Path]
	if !ok && navigates(r) {
		found, ok = p.assets["/"], true
	}
	switch {
	case !ok:
		http.Error(w, "There is nothing here.", http.StatusNotFound)
		return
	case r.Method != http.MethodGet && r.Method != http.MethodHead:
		h.Set("Allow", "GET, HEAD")
		http.Error(w, "This can only be read.", http.StatusMethodNotAllowed)
		return
	}
	// The names carry no version, so a browser asks each time, and mostly
	// hears that nothing has changed.
	h.Set("Cache-Control", "no-cache")
	h.Set("Content-Type", found.contentType)
	h.Set("ETag", found.etag)
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(found.body))
}

// navigates reports whether a person goes to this address, as opposed to a
// program or the page fetching a file.
func navigates(r *http.Request) bool {
	return r.Method == http.MethodGet && !strings.HasPrefix(r.URL.Path, "/api/") && path.Ext(r.URL.Path) == "" &&
		strings.Contains(r.Header.Get("Accept"), "text/html")
}

// contentType is written out here since the system's table of types differs
// from machine to machine, and a wrong type stops a module from loading.
func contentType(ext string) string {
	switch ext {
	case ".html":
		return "text/html; charset=utf-8"
	case ".css":
		return "text/css; charset=utf-8"
	case ".js":
		return "text/javascript; charset=utf-8"
	case ".json":
		return "application/json"
	case ".png":
		return "image/png"
	case ".svg":
		return "image/svg+xml"
	case ".webmanifest":
		return "application/manifest+json"
	}
	return "application/octet-stream"
}

// origin returns scheme and host of an address, or "".
func origin(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" {
		return ""
	}
	// A host may hold marks that end a directive of the policy.
	if strings.ContainsAny(u.Host, " ;,'\"*") {
		return ""
	}
	return u.Scheme + "://" + u.Host
}

func policy(supabase string) string {
	return strings.Join([]string{
		"default-src 'self'",
		"script-src 'self'",
		"style-src 'self'",
		"img-src 'self' data:" + pictures(supabase),
		strings.TrimSpace("connect-src 'self' " + supabase),
		"object-src 'none'",
		"base-uri 'none'",
		"form-action 'self'",
		"frame-ancestors 'none'",
		"require-trusted-types-for 'script'",
		"trusted-types 'none'",
	}, "; ")
}

// pictures is where pictures of the project's Storage are: at signed addresses
// alone, so that text can make the browser ask for nothing else there.
func pictures(supabase string) string {
	if supabase == "" {
		return ""
	}
	return " " + supabase + "/storage/v1/object/sign/"
}
