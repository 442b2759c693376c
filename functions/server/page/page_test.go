package page_test

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/bellhop-ai/bellhop/functions/server/page"
)

func config() page.Config {
	return page.Config{
		SupabaseURL:    "https://abc.supabase.co/ignored/path",
		PublishableKey: "sb_publishable_x",
	}
}

// get asks the handler as a program would, or as a browser navigates when
// accept says so.
func get(t *testing.T, h http.Handler, path string, header ...string) *http.Response {
	t.Helper()
	r := httptest.NewRequest(http.MethodGet, path, nil)
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w.Result()
}

func body(t *testing.T, r *http.Response) string {
	t.Helper()
	var b bytes.Buffer
	if _, err := b.ReadFrom(r.Body); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestPaths(t *testing.T) {
	const html, script = "text/html; charset=utf-8", "text/javascript; charset=utf-8"
	tests := map[string]struct {
		method, path, accept string
		status               int
		contentType          string
	}{
		"the page":             {path: "/", status: 200, contentType: html},
		"its style":            {path: "/app.css", status: 200, contentType: "text/css; charset=utf-8"},
		"a module":             {path: "/js/main.js", status: 200, contentType: script},
		"a module in a folder": {path: "/js/views/chat.js", status: 200, contentType: script},
		"the manifest": {path: "/manifest.webmanifest", status: 200,
			contentType: "application/manifest+json"}, // S0-60
		"the icon":                {path: "/icon.svg", status: 200, contentType: "image/svg+xml"},
		"the icon of a telephone": {path: "/icon-180.png", status: 200, contentType: "image/png"},
		"the configuration":       {path: "/config.json", status: 200, contentType: "application/json"},
		"an address that a person visits": {path: "/rooms/today", accept: "text/html,*/*", status: 200,
			contentType: html}, // S0-56
		"a missing file": {path: "/js/none.js", accept: "*/*", status: 404},
		"a missing door": {path: "/api/none", accept: "text/html", status: 404},
		"a folder":       {path: "/js/", accept: "*/*", status: 404},
		"a way out":      {path: "/../page.go", accept: "*/*", status: 404},
		"a test of ours": {path: "/test/sse.test.mjs", accept: "*/*", status: 404},
		"only the head":  {method: http.MethodHead, path: "/", status: 200, contentType: html},
		"a write":        {method: http.MethodPost, path: "/", status: 405},
	}
	h := page.New(config())
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			method := tc.method
			if method == "" {
				method = http.MethodGet
			}
			r := httptest.NewRequest(method, "/", nil)
			r.URL.Path = tc.path
			r.Header.Set("Accept", tc.accept)
			w := httptest.NewRecorder()
			h.ServeHTTP(w, r)
			if w.Code != tc.status {
				t.Fatalf("status %d, want %d", w.Code, tc.status)
			}
			if got := w.Header().Get("Content-Type"); tc.contentType != "" && got != tc.contentType {
				t.Errorf("content type %q, want %q", got, tc.contentType)
			}
			if w.Header().Get("Content-Security-Policy") == "" ||
				w.Header().Get("X-Content-Type-Options") != "nosniff" {
				t.Errorf("the answer lacks its protection: %v", w.Header())
			}
			if (method == http.MethodHead) != (w.Body.Len() == 0) {
				t.Errorf("%s answers %d bytes", method, w.Body.Len())
			}
		})
	}
}

func TestHeaders(t *testing.T) {
	h := get(t, page.New(config()), "/").Header
	want := map[string]string{
		"Cache-Control":          "no-cache",
		"Referrer-Policy":        "no-referrer",
		"X-Content-Type-Options": "nosniff",
		"X-Frame-Options":        "DENY",
		"Content-Security-Policy": "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' data: " +
			"https://abc.supabase.co/storage/v1/object/sign/; connect-src 'self' https://abc.supabase.co; " +
			"object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; " +
			"require-trusted-types-for 'script'; trusted-types 'none'",
	}
	for name, value := range want {
		if got := h.Get(name); got != value {
			t.Errorf("%s is %q, want %q", name, got, value)
		}
	}
}

func TestSupabaseOrigin(t *testing.T) {
	tests := map[string]struct{ address, want string }{
		"keeps a port":                    {"http://127.0.0.1:54321", "connect-src 'self' http://127.0.0.1:54321;"},
		"needs none":                      {"", "connect-src 'self';"},
		"refuses another scheme":          {"javascript:alert(1)", "connect-src 'self';"},
		"refuses a directive in the host": {"https://a;script-src *", "connect-src 'self';"},
		"refuses a wildcard":              {"https://*", "connect-src 'self';"},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			cfg := config()
			cfg.SupabaseURL = tc.address
			if got := get(t, page.New(cfg), "/").Header.Get("Content-Security-Policy"); !strings.Contains(got,
				tc.want) {
				t.Errorf("policy %q lacks %q", got, tc.want)
			}
		})
	}
}

func TestConfiguration(t *testing.T) {
	cfg := config()
	got := body(t, get(t, page.New(cfg), "/config.json"))
	// No assistant is named to somebody who has not signed in.
	want := `{"supabaseUrl":"https://abc.supabase.co/ignored/path","publishableKey":"sb_publishable_x","dev":false,` +
		`"parts":["booking","chart","choices","clarification","flights","gallery","itinerary","link","morning",` +
		`"page","params","photos","plans","stays","table","tape","travellers"]}`
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestUnchangedFilesAreNotSentAgain(t *testing.T) {
	h := page.New(config())
	first := get(t, h, "/app.css")
	tag := first.Header.Get("ETag")
	again := get(t, h, "/app.css", "If-None-Match", tag)
	if tag == "" || again.StatusCode != http.StatusNotModified || body(t, again) != "" {
		t.Errorf("tag %q gives %d", tag, again.StatusCode)
	}
	other := config()
	other.Dev = true
	if get(t, h, "/config.json").Header.Get("ETag") == get(t, page.New(other), "/config.json").Header.Get("ETag") {
		t.Error("two configurations share a tag")
	}
}

// The policy holds only if the page keeps to it: no inline script or style, no
// other host, no text that becomes markup. S0-60: the manifest stands alone.
func TestPageKeepsToItsPolicy(t *testing.T) {
	forbidden := map[string]*regexp.Regexp{
		"markup from text": regexp.MustCompile(`innerHTML|outerHTML|insertAdjacentHTML|document\.write|DOMParser|createContextualFragment|srcdoc`),
		"code from text":   regexp.MustCompile(`\beval\(|new Function|setTimeout\(['"]`),
		"inline style":     regexp.MustCompile(`\sstyle=|setAttribute\('style'`),
		"inline handler":   regexp.MustCompile(`<[^>]+\son[a-z]+=`),
		"another host":     regexp.MustCompile(`(?:src|href|import|url)\s*[(=]?\s*['"(]?(?:https?:)?//`),
	}
	err := fs.WalkDir(os.DirFS("static"), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		source, err := os.ReadFile(filepath.Join("static", name))
		for what, pattern := range forbidden {
			if found := pattern.Find(source); found != nil && name != "icon.svg" {
				t.Errorf("%s holds %s: %q", name, what, found)
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	var manifest struct {
		Display string
		Icons   []struct{ Src string }
	}
	h := page.New(config())
	if err := json.Unmarshal([]byte(body(t, get(t, h, "/manifest.webmanifest"))), &manifest); err != nil {
		t.Fatal(err)
	}
	if manifest.Display != "standalone" || len(manifest.Icons) == 0 {
		t.Fatalf("the manifest is %+v", manifest)
	}
	for _, icon := range manifest.Icons {
		if got := get(t, h, icon.Src).StatusCode; got != 200 {
			t.Errorf("icon %s answers %d", icon.Src, got)
		}
	}
}

// Every module that is imported, and every drawing that is used, exists.
func TestNothingIsMissing(t *testing.T) {
	index, err := os.ReadFile("static/index.html")
	if err != nil {
		t.Fatal(err)
	}
	imports := regexp.MustCompile(`from '(\.[^']+)'`)
	drawings := regexp.MustCompile(`(?:icon\(|icon: |[bB]utton\('[^']*', )'([a-z]+)'`)
	modules, err := filepath.Glob("static/js/*.js")
	if err != nil {
		t.Fatal(err)
	}
	views, err := filepath.Glob("static/js/views/*.js")
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	for _, name := range slices.Concat(modules, views) {
		source, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range imports.FindAllSubmatch(source, -1) {
			if _, err := os.Stat(filepath.Join(filepath.Dir(name), string(m[1]))); err != nil {
				t.Errorf("%s imports what is not there: %v", name, err)
			}
		}
		for _, m := range drawings.FindAllSubmatch(source, -1) {
			seen++
			if !bytes.Contains(index, []byte(`id="i-`+string(m[1])+`"`)) {
				t.Errorf("%s uses the drawing %q, which index.html lacks", name, m[1])
			}
		}
	}
	if len(modules) == 0 || len(views) == 0 || seen == 0 {
		t.Fatal("nothing was looked at")
	}
}

// S0-54, S0-55: the page's own logic, tested where it runs.
func TestModules(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("node is not installed; the modules of the page are tested with it")
	}
	tests, err := filepath.Glob("test/*.test.mjs")
	if err != nil || len(tests) == 0 {
		t.Fatalf("no tests of modules: %v", err)
	}
	cmd := exec.CommandContext(t.Context(), node, append([]string{"--test"}, tests...)...)
	cmd.WaitDelay = 5 * time.Second
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("node --test: %v\n%s", err, out)
	}
}
