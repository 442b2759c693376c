package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/rs/zerolog"

	"github.com/bellhop-ai/bellhop/infra/local/localtest"
	"github.com/bellhop-ai/bellhop/infra/local/model/script"
	"github.com/bellhop-ai/bellhop/infra/local/stack"
	"github.com/bellhop-ai/bellhop/pkg/boot"
	"github.com/bellhop-ai/bellhop/pkg/boot/backend"
	"github.com/bellhop-ai/bellhop/pkg/boot/chat"
	"github.com/bellhop-ai/bellhop/pkg/httpx"
)

func TestMain(m *testing.M) { localtest.Main(m) }

// house is the real chat function beside a description of its users, as
// scripts/dev has it; only the model is scripted.
type house struct {
	url   string
	org   localtest.Org
	model *script.Server
}

func openHouse(t *testing.T, steps ...script.Step) house {
	t.Helper()
	project := localtest.Stack(t)
	h := house{org: localtest.NewOrg(t), model: script.Start(t, steps...)}
	env := map[string]string{"OPENAI_BASE_URL": h.model.URL, "OPENAI_API_KEY": "local", "OPENAI_PROFILE": "openai",
		"SEAL_KEYS": "k1:AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="}
	s := &boot.Service{Name: "chat", Log: zerolog.Nop(), Leaving: t.Context(), Now: time.Now,
		Env: func(name string) (string, bool) { v, ok := env[name]; return v, ok }}
	s.SupabaseURL, s.PublishableKey, s.JWKS = project.URL(), project.Keys().Publishable, string(project.JWKS())
	s.ProofKeys = project.ProofKeys()
	b, err := backend.NewSealed(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	chatHandler, err := chat.New(t.Context(), b)
	if err != nil {
		t.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.Handle("/api/", chatHandler)
	mux.HandleFunc("GET /dev.json", func(w http.ResponseWriter, _ *http.Request) {
		users := []map[string]string{}
		for _, p := range []localtest.Person{h.org.Manager, h.org.Viewer} {
			users = append(users, map[string]string{"email": p.Email, "password": stack.DemoPassword, "name": p.Name,
				"org": h.org.Name, "role": p.Role})
		}
		httpx.JSON(w, http.StatusOK, map[string]any{"supabase": map[string]string{"url": project.URL(),
			"publishableKey": project.Keys().Publishable}, "users": users})
	})
	server := httptest.NewServer(httpx.Wrap(mux, httpx.Config{Log: s.Log, NewID: uuid.NewString, Now: time.Now,
		Timeout: time.Minute}))
	t.Cleanup(server.Close)
	h.url = server.URL
	return h
}

// output is written by one goroutine and read by another.
type output struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.b.Write(p)
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.b.String()
}

// typed is a person at a screen of 80 columns without colours; piped is a
// program.
func typed(input string) console { return consoleOf(input, true) }

func piped(input string) console { return consoleOf(input, false) }

func consoleOf(input string, person bool) console {
	return console{
		in: strings.NewReader(input), out: new(output), err: new(output), interrupts: make(chan os.Signal, 1),
		newID: uuid.NewString, now: time.Now,
		env:  func(name string) string { return map[string]string{"NO_COLOR": "1"}[name] },
		asks: person, shows: person, width: func() int { return 80 },
	}
}

func (h house) run(t *testing.T, d console, args ...string) (status int, out, errs string) {
	t.Helper()
	status = run(t.Context(), append([]string{"-url", h.url}, args...), d)
	return status, fmt.Sprint(d.out), fmt.Sprint(d.err)
}

func (h house) count(t *testing.T, name string) int {
	t.Helper()
	return len(localtest.SQL(t, `select from public.extras where org_id = $1 and name = $2`, h.org.ID, name))
}

func kayak() []script.Step {
	return []script.Step{script.Route("inventory"),
		{Calls: []script.Call{{Name: "create_extra", Arguments: `{"name":"Kayak","price":12,"per":"guest"}`}}}}
}

func picnic(t *testing.T, h house) {
	t.Helper()
	localtest.SQL(t, `insert into public.extras (org_id, entity_id, name, price) values ($1, $2,
		'Picnic <am See> 🥐', 1234.5)`, h.org.ID, h.org.Entity.ID)
}

// S2-42 (multi-turn, steps, new chat, in a terminal): a person asks, sees the steps, reads a
// table in columns, and goes on;
// the history carries the seals.
func TestAPersonAsksAndReadsATableInColumns(t *testing.T) {
	t.Parallel()
	h := openHouse(t, script.Route("inventory"), script.Step{Calls: []script.Call{{Name: "list_extras"}}},
		script.Step{Text: "Here **they** are:\n[[table:t2a]]\nThat is \\*all\\* & <more>."},
		script.Route("inventory"), script.Step{Text: "As I said."})
	picnic(t, h)
	status, out, errs := h.run(t, typed("Which extras?\n/help\n/what\n\nAnd they were?\n/quit\nnever asked\n"))
	if status != answered || errs != "" {
		t.Fatalf("status %d, %s", status, errs)
	}
	for _, want := range []string{
		"You are Max Testwright, manager of Test House.", "→ Inventory Agent", "· List extras …",
		"✓ List extras: 1 record, ",
		"Here they are:\n\nExtras\nExtra               Code", "─  ", "Picnic <am See> 🥐", "₹1,234.50",
		"That is *all* & <more>.", "There is no /what", "As I said.", "/undo [words]",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("there is no %q in\n%s", want, out)
		}
	}
	if strings.Contains(out, "<table") || strings.Contains(out, "could not be verified") ||
		strings.Contains(out, "\x1b") {
		t.Errorf("it shows\n%s", out)
	}
	last := h.model.Requests()[len(h.model.Requests())-1]
	if last.Last("tool").Role == "" {
		t.Error("what the tool said was forgotten")
	}
}

// S2-35: consent at the terminal: y or n, two steps where it reaches further,
// and other words are words.
func TestConsentAtTheTerminal(t *testing.T) {
	t.Parallel()
	remove := []script.Step{script.Route("inventory"),
		{Calls: []script.Call{{Name: "delete_extra", Arguments: `{"extra":"Picnic"}`}}}}
	code := func(out string) string {
		_, rest, _ := strings.Cut(out, "Type ")
		code, _, _ := strings.Cut(rest, " to go on")
		return code
	}
	for name, tc := range map[string]struct {
		steps   []script.Step
		types   string
		says    []string
		kayaks  int
		picnics int
	}{
		"yes": {kayak(), "Add a kayak\ny\n", []string{"Add the extra Kayak", "Do this? y or n: ",
			"✓ Added the extra Kayak"}, 1, 1},
		"no": {kayak(), "Add a kayak\nNo\n", []string{"Nothing was changed."}, 0, 1},
		"other words": {append(kayak(), script.Step{When: script.FromRouter, Text: "As you like?"}),
			"Add a kayak\nwhat is the weather?\n", []string{"As you like?"}, 0, 1},
		"one step of two": {remove, "Delete the picnic\ny\nXXXX\n", []string{"This reaches further than most.",
			"Nothing was sent; the question is still open."}, 0, 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := openHouse(t, tc.steps...)
			localtest.SQL(t, `insert into public.extras (org_id, entity_id, name, price) values ($1, $2, 'Picnic',
				20)`, h.org.ID, h.org.Entity.ID)
			status, out, errs := h.run(t, typed(tc.types))
			for _, want := range tc.says {
				if !strings.Contains(out, want) {
					t.Errorf("there is no %q in\n%s", want, out)
				}
			}
			if status != answered || errs != "" || h.count(t, "Kayak") != tc.kayaks ||
				h.count(t, "Picnic") != tc.picnics {
				t.Errorf("status %d, %s, %d kayaks", status, errs, h.count(t, "Kayak"))
			}
		})
	}
	t.Run("both steps", func(t *testing.T) {
		t.Parallel()
		h := openHouse(t, remove...)
		localtest.SQL(t, `insert into public.extras (org_id, entity_id, name, price) values ($1, $2, 'Picnic', 20)`,
			h.org.ID, h.org.Entity.ID)
		d := typed("")
		reader, writer, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		d.in = reader
		ended := make(chan int, 1)
		go func() { ended <- run(context.WithoutCancel(t.Context()), []string{"-url", h.url}, d) }()
		fmt.Fprint(writer, "Delete the picnic\ny\n")
		until(t, func() bool { return code(fmt.Sprint(d.out)) != "" })
		fmt.Fprintln(writer, strings.ToLower(code(fmt.Sprint(d.out))))
		if err := writer.Close(); err != nil {
			t.Fatal(err)
		}
		if status := <-ended; status != answered || h.count(t, "Picnic") != 0 {
			t.Errorf("status %d, %s", status, d.out)
		}
	})
}

// until waits for what another goroutine does.
func until(t *testing.T, done func() bool) {
	t.Helper()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for range 4000 {
		if done() {
			return
		}
		<-tick.C
	}
	t.Fatal("it never happens")
}

// Programs get answers and an exit status, and nothing else on their output.
func TestProgramsGetAnswersAndAStatus(t *testing.T) {
	t.Parallel()
	hello := script.Step{When: script.FromRouter, Text: "Hello."}
	for name, tc := range map[string]struct {
		steps  []script.Step
		input  string
		args   []string
		status int
		out    string
		errs   string
	}{
		"a question": {[]script.Step{hello}, "", []string{"-q", "hi"}, answered, "Hello.\n", ""},
		"with its steps": {[]script.Step{script.Route("inventory"), {Text: "Yes."}}, "",
			[]string{"-q", "hi", "-steps"}, answered, "Yes.\n", "→ Inventory Agent\n"},
		"a question in return": {kayak(), "", []string{"-q", "Add a kayak"}, open, "Add the extra Kayak\n", ""},
		"a failure": {[]script.Step{{Fault: script.Status(400, nil, "")}}, "", []string{"-q", "hi"},
			failed, "", "chat: "},
		"questions from a pipe": {[]script.Step{hello, {When: script.FromRouter, Text: "Again?"}},
			"hi\n\nhi again\n", nil, answered, "Hello.\nAgain?\n", ""},
		"consent from a pipe": {kayak(), "Add a kayak\nyes\n", nil, answered, "✓ Added the extra Kayak", ""},
		"a failure in the middle": {[]script.Step{{When: script.FromRouter, Fault: script.Status(400, nil, "")},
			hello}, "hi\nhi\n", nil, failed, "Hello.\n", "chat: "},
		"a lone word":     {nil, "", []string{"hello"}, misused, "", "quotation marks"},
		"an unknown flag": {nil, "", []string{"-x"}, misused, "", "-x"},
		"an unknown person": {nil, "", []string{"-user", "nobody", "-q", "hi"}, failed, "",
			`no demo user "nobody"`},
		"an unknown assistant": {nil, "", []string{"-assistant", "oracle", "-q", "hi"}, failed, "", "no assistant"},
		"help":                 {nil, "", []string{"-h"}, answered, "", "-file"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := openHouse(t, tc.steps...)
			status, out, errs := h.run(t, piped(tc.input), tc.args...)
			if status != tc.status || !strings.Contains(out, tc.out) || tc.out == "" && out != "" ||
				!strings.Contains(errs, tc.errs) || tc.errs == "" && errs != "" {
				t.Errorf("status %d, out %q, errors %q", status, out, errs)
			}
			for _, own := range []string{"> ", "You are", "Do this?", "·"} {
				if strings.Contains(out, own) {
					t.Errorf("%q is printed: %q", own, out)
				}
			}
		})
	}
	d := piped("")
	if status := run(t.Context(), []string{"-url", "http://127.0.0.1:1", "-q", "hi"}, d); status != failed ||
		!strings.Contains(fmt.Sprint(d.err), "Is `go run ./scripts/dev` running?") {
		t.Errorf("nobody there: %d %s", status, d.err)
	}
}

// A conversation is kept with its seals, for its owner alone, and
// gone on with; another person's is not taken.
func TestAConversationIsKeptInAFile(t *testing.T) {
	t.Parallel()
	h := openHouse(t, script.Route("inventory"), script.Step{Calls: []script.Call{{Name: "list_extras"}}},
		script.Step{Text: "One."},
		script.Route("inventory"), script.Step{Text: "As I said."}, script.Route("inventory"),
		script.Step{Text: "In other words."}, script.Step{When: script.FromRouter, Text: "Afresh?"})
	picnic(t, h)
	path := filepath.Join(t.TempDir(), "talk.json")
	if status, _, errs := h.run(t, piped("Which extras?\n"), "-file", path); status != answered {
		t.Fatal(errs)
	}
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the file has the mode %v, %v", info.Mode(), err)
	}
	_, out, errs := h.run(t, typed("And they were?\n"), "-file", path)
	if !strings.Contains(out, "Going on with a conversation of 2 messages.") || !strings.Contains(out, "As I said.") ||
		strings.Contains(out, "verified") || errs != "" {
		t.Errorf("it goes on with %s%s", out, errs)
	}
	if last := h.model.Requests()[4]; last.Last("tool").Role == "" {
		t.Error("what the tool said was forgotten")
	}
	if status, _, errs := h.run(t, piped(""), "-file", path, "-user", "viewer"); status != failed ||
		!strings.Contains(errs, "somebody else's conversation") {
		t.Errorf("another person: %d %s", status, errs)
	}
	if status, _, errs := h.run(t, piped(""), "-file", path, "-assistant", "oracle"); status != failed ||
		!strings.Contains(errs, "a conversation with hospitality") {
		t.Errorf("another assistant: %d %s", status, errs)
	}
	// Taken back and asked in other words; then nothing of it is left.
	_, out, errs = h.run(t, typed("/undo Which are there?\n/undo\n/undo\n/undo\n/new\nhi\n"), "-file", path)
	for _, want := range []string{"In other words.", "Taken back: Which are there?", "Taken back: Which extras?",
		"There is nothing to take back.", "A new conversation.", "Afresh?"} {
		if !strings.Contains(out, want) {
			t.Errorf("there is no %q in %s%s", want, out, errs)
		}
	}
	var kept thread
	raw, err := os.ReadFile(path)
	if err != nil || json.Unmarshal(raw, &kept) != nil || len(kept.Messages) != 2 || kept.User != h.org.Manager.ID ||
		!bytes.Contains(raw, []byte(`"seal"`)) {
		t.Errorf("the file holds %s, %v", raw, err)
	}
	if left, err := filepath.Glob(filepath.Join(filepath.Dir(path), ".chat-*")); err != nil || len(left) > 0 {
		t.Errorf("beside it there is %v, %v", left, err)
	}
	if err := os.WriteFile(path, []byte("shopping list"), 0o600); err != nil {
		t.Fatal(err)
	}
	if status, _, errs := h.run(t, piped("hi\n"), "-file", path); status != failed ||
		!strings.Contains(errs, "holds no conversation") {
		t.Errorf("another file: %d %s", status, errs)
	}
	if raw, err := os.ReadFile(path); err != nil || string(raw) != "shopping list" {
		t.Errorf("it was overwritten with %s, %v", raw, err)
	}
}

// Ctrl-C stops an answer between two steps, and the program goes on; pressed
// again it does not wait. Where nothing runs it stops nothing.
func TestCtrlCStopsTheAnswerAndNotTheProgram(t *testing.T) {
	t.Parallel()
	signals := make(chan os.Signal, 1)
	hold := make(chan struct{})
	h := openHouse(t, script.Route("inventory"),
		script.Step{Calls: []script.Call{{Name: "list_extras"}},
			Arrived: func(script.Request) { signals <- os.Interrupt }, Hold: hold},
		script.Step{When: script.FromRouter, Text: "Still here?"},
		script.Step{When: script.FromRouter,
			Arrived: func(script.Request) { signals <- os.Interrupt; signals <- os.Interrupt },
			Hold:    make(chan struct{})},
		script.Step{When: script.FromRouter, Text: "And here?"})
	d := typed("")
	d.interrupts = signals
	reader, writer, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	d.in = reader
	ended := make(chan int, 1)
	go func() { ended <- run(context.WithoutCancel(t.Context()), []string{"-url", h.url}, d) }()
	fmt.Fprintln(writer, "List the extras")
	until(t, func() bool {
		return len(localtest.SQL(t, `select from public.turns where org_id = $1 and stop_asked_at is not null`,
			h.org.ID)) == 1
	})
	close(hold)
	until(t, func() bool { return strings.Contains(fmt.Sprint(d.out), "Stopped, as you asked.") })
	fmt.Fprintln(writer, "Are you there?")
	until(t, func() bool { return strings.Contains(fmt.Sprint(d.out), "Still here?") })
	fmt.Fprintln(writer, "And now?")
	until(t, func() bool { return strings.Contains(fmt.Sprint(d.err), "nothing of this answer is kept") })
	signals <- os.Interrupt
	until(t, func() bool { return strings.Contains(fmt.Sprint(d.out), "Type /quit to leave.") })
	fmt.Fprintln(writer, "Once more?")
	until(t, func() bool { return strings.Contains(fmt.Sprint(d.out), "And here?") })
	fmt.Fprintln(writer, "/quit")
	if status := <-ended; status != answered {
		t.Errorf("status %d, %s%s", status, d.out, d.err)
	}
}
