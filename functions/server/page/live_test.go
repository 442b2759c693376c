package page_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
	"github.com/rs/zerolog"

	"github.com/bellhop-ai/bellhop/functions/server/page"
	"github.com/bellhop-ai/bellhop/infra/local/localtest"
	"github.com/bellhop-ai/bellhop/infra/local/model/script"
	"github.com/bellhop-ai/bellhop/infra/local/stack"
	"github.com/bellhop-ai/bellhop/pkg/api/chat"
	"github.com/bellhop-ai/bellhop/pkg/api/tools"
	"github.com/bellhop-ai/bellhop/pkg/boot"
	"github.com/bellhop-ai/bellhop/pkg/boot/parts"
	"github.com/bellhop-ai/bellhop/pkg/history"
	"github.com/bellhop-ai/bellhop/pkg/httpx"
	"github.com/bellhop-ai/bellhop/pkg/limit"
	"github.com/bellhop-ai/bellhop/pkg/openai"
)

func TestMain(m *testing.M) { localtest.Main(m) }

// The page against the real doors and the real database, with a scripted model:
// S0-54, S1-17, S2-42. It signs in, shows hostile names as text, rejects,
// approves with a double click, runs tools by forms, survives a reload in the
// middle of an answer and a lost connection, and a forged history gains nothing.
func TestAgainstTheRealDoors(t *testing.T) {
	chromium := browser()
	if chromium == "" {
		t.Skip("no Chromium is installed; the page is tried in it")
	}
	create := func(name string) script.Step {
		return script.Step{Calls: []script.Call{{Name: "create_extra", Arguments: fmt.Sprintf(`{"name":%q,"price":5,"per":"stay"}`, name)}}}
	}
	model := script.Start(t,
		script.Route("inventory"), script.Step{Calls: []script.Call{{Name: "list_extras"}}}, script.Step{Text: "Here they are."},
		script.Route("inventory"), create("Gong"),
		script.Route("inventory"), create("Sauna"),
		script.Route("inventory"), script.Step{Text: "Once upon a time there was a hotel with cabins.", Hold: make(chan struct{}), HoldAfter: 3},
		script.Route("inventory"), script.Step{Text: "I am back."},
		script.Route("inventory"), script.Step{Text: "We are connected."},
		script.Route("inventory"), script.Step{Text: "I see."},
	)
	org := localtest.NewOrg(t)
	localtest.SQL(t, `insert into public.extras (org_id, entity_id, name, price) values
		($1, $2, '<img src=https://evil.example/x onerror=alert(1)>', 20), ($1, $2, '[Click](javascript:alert(1))', 30)`, org.ID, org.Entity.ID)
	project := localtest.Stack(t)
	doors := doors(t, project, model.URL)

	var offline atomic.Bool
	seen := make(chan map[string]any, 1)
	mux := http.NewServeMux()
	mux.HandleFunc("/api/", func(w http.ResponseWriter, r *http.Request) {
		if offline.Load() {
			panic(http.ErrAbortHandler) // cuts the connection
		}
		doors.ServeHTTP(w, r)
	})
	mux.HandleFunc("POST /test/offline/{state}", func(_ http.ResponseWriter, r *http.Request) { offline.Store(r.PathValue("state") == "on") })
	mux.HandleFunc("GET /dev.json", func(w http.ResponseWriter, _ *http.Request) {
		_ = json.NewEncoder(w).Encode(map[string]any{
			"supabase": map[string]string{"url": project.URL(), "publishableKey": project.Keys().Publishable},
			"model":    "scripted", "mail": "/dev/mail",
			"users": []stack.DemoUser{{Email: org.Manager.Email, Password: stack.DemoPassword, Name: org.Manager.Name, Org: org.Name, Role: "manager"}},
		})
	})
	mux.HandleFunc("GET /dev/mail", func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, `[{"to":["a@example.com"],"subject":"Booked","text":"See <b>you</b>.","caught":""}]`)
	})
	p := page.New(page.Config{SupabaseURL: project.URL(), PublishableKey: project.Keys().Publishable, Dev: true, Assistants: []page.Assistant{{Name: "hospitality", Title: "Bernard"}}})
	mux.Handle("/", p)
	mux.HandleFunc("GET /test/", testFiles(t, p))
	mux.HandleFunc("POST /test/result", report(t, seen))
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	visit(t, chromium, server.URL+"/test/browser.html?live")

	var got map[string]any
	select {
	case got = <-seen:
	case <-time.After(60 * time.Second):
		t.Fatal("the browser did not report")
	}
	want := map[string]any{
		"names":     []any{"<img src=https://evil.example/x onerror=alert(1)>", "[Click](javascript:alert(1))"},
		"elsewhere": []any{},
		"rejected":  "rejected",
		"approved":  "approved",
		"form":      true,
		"armed":     "Back",
		"escaped":   "pending",
		"deleted":   "approved",
		"mail":      "Bookedto a@example.comSee <b>you</b>.", "mailMarkup": 0.0,
		"kept":    4.0,
		"halfway": "failed",
		"back":    "I am back.",
		"offline": "The connection was lost. Nothing is done twice when you try again.",
		"online":  "We are connected.",
		"forged":  "One earlier message could not be verified, so it was read as plain text.",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("what the browser saw (-want +got):\n%s", diff)
	}
	rows := localtest.SQL(t, `select name from public.extras where org_id = $1 and name in ('Gong', 'Sauna')`, org.ID)
	if len(rows) != 0 {
		t.Errorf("rejected or deleted, but there: %v", rows)
	}
	if left := model.Unused(); len(left) > 0 {
		t.Errorf("the model was not asked for %q", left)
	}
}

// doors are the chat and tools functions as functions/server joins them.
func doors(t *testing.T, project *stack.Stack, modelURL string) http.Handler {
	t.Helper()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	s := &boot.Service{Name: "server", Now: time.Now, Log: zerolog.Nop()}
	s.SupabaseURL, s.PublishableKey, s.JWKS = project.URL(), project.Keys().Publishable, string(project.JWKS())
	p, err := parts.New(s, nil)
	must(err)
	keys, err := history.NewKeys(history.KeysConfig{Spec: "k1:" + strings.Repeat("A", 42) + "E=", Now: time.Now})
	must(err)
	m, err := openai.New(openai.Config{BaseURL: modelURL, Profile: "openai", APIKey: "local", Retries: -1})
	must(err)
	talk, err := chat.New(chat.Config{
		Assistants: p.Assistants, Default: "hospitality", Model: m, Keys: keys, Turns: p.Turns, Desk: p.Desk,
		Identify: p.Identify, Now: time.Now, NewID: uuid.NewString,
		Gate: p.Gate("chat", 0, 0), Purse: limit.Purse{Budget: p.Limits, Model: "gpt-4o-mini"},
	})
	must(err)
	direct, err := tools.New(tools.Config{Assistants: p.Assistants, Desk: p.Desk, Identify: p.Identify, NewID: uuid.NewString})
	must(err)
	mux := http.NewServeMux()
	mux.Handle("/api/chat/", talk)
	mux.Handle("/api/tools/", direct)
	mux.Handle("/api/confirmations/", direct)
	return httpx.Wrap(mux, httpx.Config{Log: s.Log, NewID: uuid.NewString, Now: time.Now, Timeout: time.Minute})
}
