package page_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/bellhop-ai/bellhop/functions/server/page"
	"github.com/bellhop-ai/bellhop/infra/local/nodetest"
)

// In a real browser, under the real policy: one click signs in, a question
// shows badge, steps and table, and a decision is sent once however often its
// button is clicked. S0-54, S0-55.
func TestInBrowser(t *testing.T) {
	chromium := browser()
	if chromium == "" {
		t.Skip("no Chromium is installed; the page is tried in it")
	}
	site := newCanned(t)
	seen := site.seen
	visit(t, chromium, site.url+"/test/browser.html")
	var got map[string]any
	select {
	case got = <-seen:
	case <-time.After(90 * time.Second):
		t.Fatal("the browser did not report")
	}
	want := map[string]any{
		"badge":   "Inventory Agent",
		"steps":   []any{"Inventory Agent", "List room types", "Writing the answer"},
		"cells":   []any{"Pine <b>", "€ 140.00"},
		"scrolls": "auto",
		"aligned": "right",
		"foreign": 0.0,
		"card":    "Add the extra Stargazing",
		"twice":   false,
		"outcome": "approved",
		"receipt": "Extra created",
		"said":    "Inventory Agent\nDone.",
		"markup":  "refused",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("what the browser saw (-want +got):\n%s", diff)
	}
	if n := site.confirms.Load(); n != 1 {
		t.Errorf("two clicks sent the decision %d times", n)
	}
}

// canned is a server with the page, whose other doors answer from files.
type canned struct {
	url      string
	mux      *http.ServeMux
	seen     chan map[string]any
	confirms atomic.Int32
}

func newCanned(t *testing.T) *canned {
	t.Helper()
	c := &canned{mux: http.NewServeMux(), seen: make(chan map[string]any, 1)}
	mux := c.mux
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	p := page.New(page.Config{SupabaseURL: server.URL, PublishableKey: "pk", Dev: true, Assistants: []page.Assistant{{Name: "hospitality", Title: "Bernard", Suggestions: []string{"Rooms?"}}}})
	mux.Handle("/", p)
	mux.HandleFunc("GET /test/", testFiles(t, p))
	mux.HandleFunc("/dev.json", func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprintf(w, `{"supabase":{"url":%q,"publishableKey":"pk"},"model":"none","users":[{"email":"m@example.com","password":"x","name":"Maya","org":"Hotel","role":"admin"}]}`, server.URL)
	})
	mux.HandleFunc("POST /auth/v1/token", func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, `{"access_token":"a","refresh_token":"r","expires_in":3600,"user":{"id":"u","email":"m@example.com"}}`)
	})
	mux.HandleFunc("POST /api/chat/hospitality", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		body, _ := io.ReadAll(r.Body)
		name := "test/answer.txt"
		if strings.Contains(string(body), `"confirm":`) {
			c.confirms.Add(1)
			name = "test/outcome.txt"
		}
		stream, err := os.ReadFile(name)
		if err != nil {
			t.Error(err)
		}
		_, _ = w.Write(stream)
	})
	mux.HandleFunc("POST /test/result", report(t, c.seen))
	c.url = server.URL
	return c
}

// No view has what axe-core calls a serious or critical hindrance.
func TestIsAccessible(t *testing.T) {
	chromium := browser()
	if chromium == "" {
		t.Skip("no Chromium is installed; the page is tried in it")
	}
	modules := nodetest.Modules(t, "testdata/axe", 18)
	site := newCanned(t)
	site.mux.HandleFunc("GET /test/axe.js", func(w http.ResponseWriter, r *http.Request) {
		http.ServeFile(w, r, filepath.Join(modules, "axe-core", "axe.min.js"))
	})
	site.mux.HandleFunc("GET /api/tools/hospitality", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprint(w, `{"tools":[{"name":"create_extra","description":"Adds an extra.","effect":"changes","agents":["inventory"],"parameters":{"type":"object","required":["name"],
			"properties":{"name":{"type":"string","description":"what it is called"},"per":{"type":"string","enum":["night","stay"]},"from":{"type":"string","format":"date"},
			"price":{"type":"number"},"active":{"type":"boolean"},"tags":{"type":"array","items":{"type":"string"}}}}}]}`)
	})
	visit(t, chromium, site.url+"/test/browser.html?axe")
	select {
	case got := <-site.seen:
		want := map[string]any{"sign-in": []any{}, "empty": []any{}, "chat": []any{}, "tools": []any{}, "form": []any{}}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("what axe-core found (-want +got):\n%s", diff)
		}
	case <-time.After(60 * time.Second):
		t.Fatal("the browser did not report")
	}
}

// testFiles serves the tests' own files, which obey the policy of the page.
func testFiles(t *testing.T, p http.Handler) http.HandlerFunc {
	policy := get(t, p, "/").Header.Get("Content-Security-Policy")
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Security-Policy", policy)
		if strings.HasSuffix(r.URL.Path, ".mjs") {
			w.Header().Set("Content-Type", "text/javascript")
		}
		http.ServeFile(w, r, strings.TrimPrefix(r.URL.Path, "/"))
	}
}

// report hands on the first thing that the browser says it saw.
func report(t *testing.T, seen chan<- map[string]any) http.HandlerFunc {
	return func(_ http.ResponseWriter, r *http.Request) {
		var got map[string]any
		if err := json.NewDecoder(r.Body).Decode(&got); err != nil {
			t.Error(err)
		}
		select {
		case seen <- got:
		default:
		}
	}
}

func browser() string {
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if found, err := exec.LookPath(name); err == nil {
			return found
		}
	}
	return ""
}

// visit opens the address and closes the browser when the test ends.
func visit(t *testing.T, chromium, address string) {
	t.Helper()
	// Not t.TempDir: the browser may write a moment longer than it runs.
	profile, err := os.MkdirTemp("", "page-browser-")
	if err != nil {
		t.Fatal(err)
	}
	args := []string{"--headless", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
		"--disable-component-update", "--disable-sync", "--user-data-dir=" + profile, address}
	if os.Geteuid() == 0 {
		args = append([]string{"--no-sandbox"}, args...) // Chromium refuses root otherwise
	}
	ctx, cancel := context.WithCancel(context.Background())
	cmd := exec.CommandContext(ctx, chromium, args...)
	cmd.WaitDelay = 5 * time.Second
	if err := cmd.Start(); err != nil {
		t.Fatalf("%s: %v", chromium, err)
	}
	t.Cleanup(func() {
		cancel()
		_ = cmd.Wait() // it was killed, so its status says nothing
		_ = os.RemoveAll(profile)
	})
}
