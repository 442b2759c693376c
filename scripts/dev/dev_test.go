package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// running is a run of the program with a stub for the server.
type running struct {
	origin string
	stop   context.CancelFunc
	ended  chan error
}

// launch runs the program until it serves. It is stopped with the test.
func launch(t *testing.T, args ...string) *running {
	t.Helper()
	return launchWith(t, nobody, args...)
}

// launchWith is launch with an environment.
func launchWith(t *testing.T, getenv func(string) string, args ...string) *running {
	t.Helper()
	opts, err := parse(slices.Concat([]string{"-addr", "127.0.0.1:0"}, alone(), args), getenv, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	opts.serverPackage = "./scripts/dev/testdata/server"
	ctx, cancel := context.WithCancel(context.Background())
	r := &running{stop: cancel, ended: make(chan error, 1)}
	out, in := io.Pipe()
	go func() {
		err := run(ctx, opts, in)
		_ = in.Close()
		r.ended <- err
	}()
	t.Cleanup(func() { r.end(t) })
	lines := bufio.NewScanner(out)
	var said strings.Builder
	for lines.Scan() {
		said.WriteString(lines.Text() + "\n")
		if _, origin, ok := strings.Cut(lines.Text(), "Bellhop is at "); ok {
			r.origin = origin
			go func() { _, _ = io.Copy(io.Discard, out) }()
			return r
		}
	}
	err = <-r.ended
	close(r.ended)
	t.Fatalf("it did not start: %v\n%s", err, said.String())
	return nil
}

// alone leaves out what has an address of its own.
func alone() []string { return []string{"-ledger", "off", "-duffel", "off"} }

// end stops the run and waits until nothing of it is left.
func (r *running) end(t *testing.T) {
	t.Helper()
	r.stop()
	select {
	case err, ok := <-r.ended:
		if err != nil {
			t.Errorf("it did not stop in order: %v", err)
		}
		if ok {
			close(r.ended)
		}
	case <-time.After(time.Minute):
		t.Fatal("it did not stop")
	}
}

func nobody(string) string { return "" }

// folder is one that PostgreSQL's user can reach when the tests run as root.
func folder(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "bellhop-dev-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	if err := os.Chmod(dir, 0o711); err != nil {
		t.Fatal(err)
	}
	return filepath.Join(dir, "data")
}

// kept is the folder of runs that need no data of their own. The first of them makes
// the database in it, the others find it as a developer's second start does. One run
// at a time may use it.
var kept = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "bellhop-dev-")
	if err != nil {
		return "", err
	}
	return filepath.Join(dir, "data"), os.Chmod(dir, 0o711)
})

func TestMain(m *testing.M) {
	code := m.Run()
	if dir, err := kept(); err == nil {
		_ = os.RemoveAll(filepath.Dir(dir))
	}
	os.Exit(code)
}

// keptFolder returns the folder that is kept between tests.
func keptFolder(t *testing.T) string {
	t.Helper()
	dir, err := kept()
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

func fetch(t *testing.T, method, url string, headers map[string]string, body string, into any) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	for name, value := range headers {
		r.Header.Set(name, value)
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode != http.StatusOK {
		t.Fatalf("%s %s: %s %v\n%s", method, url, answer.Status, err, text)
	}
	if plain, ok := into.(*string); ok {
		*plain = string(text)
	} else if err := json.Unmarshal(text, into); err != nil {
		t.Fatalf("%s %s: %v\n%s", method, url, err, text)
	}
}

func TestOneOriginServesAll(t *testing.T) {
	t.Setenv("SUPABASE_ANON_KEY", "of another project")
	t.Setenv("ANONYMOUS_ORG", "harbour")
	d := launchWith(t, func(name string) string { return map[string]string{"ANONYMOUS_ORG": "harbour"}[name] },
		"-data", folder(t), "-now", "2031-03-05T06:00:00Z", "-ledger", "127.0.0.1:0", "-duffel", "127.0.0.1:0")
	var dev struct {
		Ledger struct {
			URL   string
			Users []struct{ Email, Role, Company, EntityID, OrgID, Token, URL string }
		}
		Duffel   struct{ URL, Token, WebhookSecret string }
		Supabase struct{ URL, PublishableKey, SecretKey string }
		Users    []struct{ Email, Password, Name, Org, Role string }
		Mail     string
		Model    string
	}
	fetch(t, "GET", d.origin+"/dev.json", nil, "", &dev)
	if dev.Supabase.URL != d.origin || len(dev.Users) < 6 || dev.Mail != "/dev/mail" {
		t.Fatalf("/dev.json says %+v", dev)
	}
	if len(dev.Ledger.Users) == 0 {
		t.Fatalf("/dev.json knows no users of the ledger: %+v", dev.Ledger)
	}
	// The ledger's own server, at its own address.
	var tools struct {
		Result struct {
			StructuredContent struct {
				AsOf string `json:"as_of"`
			}
		}
	}
	fetch(t, "POST", strings.Replace(dev.Ledger.Users[0].URL, "/mcp?", "/mcp/json?", 1), map[string]string{
		"Authorization": "Bearer " + dev.Ledger.Users[0].Token, "Content-Type": "application/json",
		"Accept": "application/json, text/event-stream", "Mcp-Protocol-Version": "2026-07-28",
		"Mcp-Method": "tools/call",
		"Mcp-Name":   "get_cash_position"},
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_cash_position","arguments":{},
		"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",
		"io.modelcontextprotocol/clientInfo":{"name":"test","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}}}`,
		&tools)
	if tools.Result.StructuredContent.AsOf != "2031-03-05" {
		t.Errorf("the ledger answers %+v", tools)
	}
	keyed := map[string]string{"apikey": dev.Supabase.PublishableKey, "Content-Type": "application/json"}
	var session struct {
		AccessToken string `json:"access_token"`
	}
	fetch(t, "POST", d.origin+"/auth/v1/token?grant_type=password", keyed,
		`{"email":"`+dev.Users[0].Email+`","password":"`+dev.Users[0].Password+`"}`, &session)
	keyed["Authorization"] = "Bearer " + session.AccessToken
	var me struct{ Name string }
	fetch(t, "POST", d.origin+"/rest/v1/rpc/whoami", keyed, `{}`, &me)
	if me.Name != dev.Users[0].Name {
		t.Errorf("%+v says of itself %+v", dev.Users[0], me)
	}

	var echo string
	fetch(t, "GET", d.origin+"/api/chat?a=1%2F2", nil, "", &echo)
	if want := "GET " + strings.TrimPrefix(d.origin, "http://") + " /api/chat?a=1%2F2"; echo != want {
		t.Errorf("the server got %q, want %q", echo, want)
	}
	var env map[string]string
	fetch(t, "GET", d.origin+"/env", nil, "", &env)
	if env["SUPABASE_URL"] != d.origin || !strings.HasPrefix(env["OPENAI_BASE_URL"], "http://127.0.0.1:") ||
		env["MOCK_OPENAI"] != "true" || env["SUPABASE_ANON_KEY"] != "" ||
		env["SUPABASE_SECRET_KEY"] != dev.Supabase.SecretKey || !strings.HasPrefix(env["BELLHOP_NOW"],
		"2031-03-05T06:0") || !strings.HasPrefix(env["SEAL_KEYS"], "k1:") {
		t.Errorf("the server's environment: %v", env)
	}
	// The stand-in for Duffel is that of the functions' settings, and has the same clock.
	if dev.Duffel.URL == "" || env["DUFFEL_URL"] != dev.Duffel.URL || env["DUFFEL_API_KEY"] != dev.Duffel.Token ||
		env["DUFFEL_WEBHOOK_SECRET"] != dev.Duffel.WebhookSecret {
		t.Errorf("the stand-in for Duffel is %+v, and the server's environment %v", dev.Duffel, env)
	}
	var stays struct {
		Data struct {
			Created string `json:"created_at"`
		}
	}
	fetch(t, "POST", dev.Duffel.URL+"/stays/search", map[string]string{"Authorization": "Bearer " + dev.Duffel.Token,
		"Duffel-Version": "v2", "Accept": "application/json", "Content-Type": "application/json"},
		`{"data":{"location":{"radius":5,"geographic_coordinates":{"latitude":38.72,"longitude":-9.14}},"rooms":1,
		"check_in_date":"2031-04-04","check_out_date":"2031-04-06","guests":[{"type":"adult"}]}}`, &stays)
	if !strings.HasPrefix(stays.Data.Created, "2031-03-05T06:0") {
		t.Errorf("the stand-in for Duffel answers at %q", stays.Data.Created)
	}
	// Visitors share the demo viewer of the house that they may visit.
	viewer := slices.IndexFunc(dev.Users, func(u struct{ Email, Password, Name, Org, Role string }) bool {
		return u.Role == "viewer" && u.Org == "Harbour House"
	})
	if env["ANONYMOUS_ORG"] != "b0000000-0000-4000-8000-000000000001" || viewer < 0 ||
		env["ANONYMOUS_EMAIL"] != dev.Users[viewer].Email || env["ANONYMOUS_PASSWORD"] != dev.Users[viewer].Password {
		t.Errorf("visitors are let in with %v", env)
	}
	var models struct{ Data []struct{ ID string } }
	fetch(t, "GET", env["OPENAI_BASE_URL"]+"/models", nil, "", &models)
	if len(models.Data) != 1 {
		t.Errorf("the model server lists %v", models)
	}

	// What the model is sent can be read, without the key that went with it.
	var said string
	asked := `{"model":"m","messages":[{"role":"user","content":"Good morning"}]}`
	fetch(t, "POST", env["OPENAI_BASE_URL"]+"/chat/completions", map[string]string{"Content-Type": "application/json",
		"Authorization": "Bearer secret-key"}, asked, &said)
	var calls []modelCall
	fetch(t, "GET", d.origin+"/dev/model", nil, "", &calls)
	if len(calls) != 1 || string(calls[0].Body) != asked || calls[0].Answer != said ||
		calls[0].Path != "/v1/chat/completions" || calls[0].Status != http.StatusOK || calls[0].Cut {
		t.Errorf("the journal has %+v of %s and %s", calls, asked, said)
	}
	fetch(t, "GET", d.origin+"/dev/model", nil, "", &said)
	if strings.Contains(said, "secret-key") {
		t.Error("the journal shows the key")
	}
}

// A model of which only the host tells what it understands keeps its address.
func TestTheJournalStandsWhereItChangesNothing(t *testing.T) {
	for name, tc := range map[string]struct {
		env  map[string]string
		want []string
	}{
		"the stand-in": {nil, []string{"OPENAI_BASE_URL=http://journal/v1", "OPENAI_PROFILE=openai"}},
		"OpenAI": {map[string]string{"OPENAI_API_KEY": "k"}, []string{"OPENAI_BASE_URL=http://journal/v1",
			"OPENAI_PROFILE=openai"}},
		"another": {map[string]string{"OPENAI_API_KEY": "k",
			"OPENAI_BASE_URL": "https://models.example/v1"}, nil},
		"another of a known": {map[string]string{"OPENAI_BASE_URL": "http://llama/v1", "OPENAI_PROFILE": "llamacpp"},
			[]string{"OPENAI_BASE_URL=http://journal/v1", "OPENAI_PROFILE=llamacpp"}},
	} {
		got := chooseModel(func(name string) string { return tc.env[name] }).through("http://journal/v1")
		if !slices.Equal(got, tc.want) {
			t.Errorf("%s: %q, want %q", name, got, tc.want)
		}
	}
}

// The stub for the server would answer anything, so these are the functions.
func TestRealBootstrapsAnswerForTheirDoorsAndForEvents(t *testing.T) {
	d := launch(t, "-data", keptFolder(t), "-lambda")
	var dev struct {
		Supabase struct{ PublishableKey string }
		Users    []struct{ Email, Password, Role string }
	}
	fetch(t, "GET", d.origin+"/dev.json", nil, "", &dev)
	i := slices.IndexFunc(dev.Users, func(u struct {
		Email, Password,
		Role string
	}) bool {
		return u.Role == "manager"
	})
	if i < 0 {
		t.Fatalf("there is no manager among %v", dev.Users)
	}
	var session struct {
		AccessToken string `json:"access_token"`
	}
	fetch(t, "POST", d.origin+"/auth/v1/token?grant_type=password",
		map[string]string{"apikey": dev.Supabase.PublishableKey, "Content-Type": "application/json"},
		`{"email":"`+dev.Users[i].Email+`","password":"`+dev.Users[i].Password+`"}`, &session)
	by := map[string]string{"Authorization": "Bearer " + session.AccessToken, "Content-Type": "application/json"}

	var catalogue struct{ Tools []struct{ Name string } }
	fetch(t, "GET", d.origin+"/api/tools/hospitality", by, "", &catalogue)
	if len(catalogue.Tools) == 0 {
		t.Error("the function tools lists none")
	}
	by["Accept"] = "text/event-stream"
	var stream string
	fetch(t, "POST", d.origin+"/api/chat/hospitality", by,
		`{"messages":[{"role":"user","content":"Which room types are there?"}],
		"id":"0f0e6a4e-6f0f-4c69-8f0e-0a7b1f7c8d01","turn":"0f0e6a4e-6f0f-4c69-8f0e-0a7b1f7c8d02"}`, &stream)
	if !strings.Contains(stream, "\nevent: complete\n") {
		t.Errorf("the function chat answered:\n%s", stream)
	}
	var me struct{ Role string }
	fetch(t, "GET", d.origin+"/api/users/me", by, "", &me)
	if me.Role != "manager" {
		t.Errorf("the function users says %+v", me)
	}
	// A second of 8,000 samples, whose bytes are no text: they travel as base64.
	sound := "RIFF\xa4\x3e\x00\x00WAVEfmt " +
		"\x10\x00\x00\x00\x01\x00\x01\x00\x40\x1f\x00\x00\x80\x3e\x00\x00\x02\x00\x10\x00data\x80\x3e\x00\x00" +
		strings.Repeat("\x00\x70\x00\x90", 4000)
	var transcript string
	by["Content-Type"] = "audio/wav"
	fetch(t, "POST", d.origin+"/api/transcribe", by, sound, &transcript)
	if !strings.Contains(transcript, "16044 bytes and 1.0 seconds") || !strings.Contains(transcript,
		"\nevent: complete\n") {
		t.Errorf("the function transcribe answered:\n%s", transcript)
	}
	// The schedule and a queue's messages, as AWS sends them.
	var report struct{ Due *int }
	fetch(t, "POST", d.origin+"/dev/jobs/summarize", nil,
		`{"version":"0","id":"1","detail-type":"Scheduled Event","source":"aws.scheduler","account":"1",`+
			`"time":"2026-11-21T00:00:00Z","region":"eu-west-1","resources":[],"detail":"{}"}`, &report)
	if report.Due == nil {
		t.Error("the schedule reports nothing")
	}
	var failed struct {
		BatchItemFailures []struct{ ItemIdentifier string }
	}
	fetch(t, "POST", d.origin+"/dev/jobs/summarize", nil, `{"Records":[
		{"messageId":"1","receiptHandle":"r","body":"{\"org\":\"a0000000-0000-4000-8000-000000000001\",\"id\":\"0f0e6a4e-6f0f-4c69-8f0e-0a7b1f7c8d0f\"}","attributes":{"ApproximateReceiveCount":"1"},"messageAttributes":{},"md5OfBody":"x","eventSource":"aws:sqs","eventSourceARN":"arn:aws:sqs:eu-west-1:1:q","awsRegion":"eu-west-1"},
		{"messageId":"2","body":"poison","eventSource":"aws:sqs"}]}`, &failed)
	if len(failed.BatchItemFailures) != 1 || failed.BatchItemFailures[0].ItemIdentifier != "2" {
		t.Errorf("of two messages %v failed", failed)
	}
	var env map[string]string
	fetch(t, "GET", d.origin+"/env", nil, "", &env)
	if _, has := env["SUPABASE_SECRET_KEY"]; has {
		t.Error("the server has the secret key although the users function runs beside it")
	}
	var page string
	fetch(t, "GET", d.origin+"/", nil, "", &page)
	if !strings.HasPrefix(page, "GET ") {
		t.Errorf("the rest is not the server's, but: %s", page)
	}
}

func TestAStreamIsNotHeldBackAndDoesNotHoldUpTheEnd(t *testing.T) {
	d := launch(t, "-data", keptFolder(t))
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, d.origin+"/stream", nil)
	if err != nil {
		t.Fatal(err)
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	line, err := bufio.NewReader(answer.Body).ReadString('\n')
	if err != nil || line != "event: first\n" {
		t.Fatalf("%q, %v", line, err)
	}
	began := time.Now()
	d.end(t)
	if took := time.Since(began); took > 8*time.Second {
		t.Errorf("the end took %s", took)
	}
	if c, err := net.Dial("tcp", strings.TrimPrefix(d.origin, "http://")); err == nil {
		c.Close()
		t.Error("the address is still served")
	}
}

func TestWhatCannotRunIsSaidInOneSentence(t *testing.T) {
	data := keptFolder(t)
	d := launch(t, "-data", data)
	other := folder(t)
	if err := os.WriteFile(other, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	tests := map[string]struct {
		args []string
		path string // empty: ours
		want string
	}{
		"the port is taken": {args: []string{"-addr", strings.TrimPrefix(d.origin, "http://")},
			want: "is taken, perhaps by another run"},
		"the data is in use": {args: []string{"-addr", "127.0.0.1:0", "-data", data}, want: "in use by process"},
		"in use, though -fresh": {args: []string{"-addr", "127.0.0.1:0", "-data", data, "-fresh"},
			want: "in use by process"},
		"the data is a file": {args: []string{"-addr", "127.0.0.1:0", "-data", other},
			want: "cannot make the data folder"},
		"no address":    {args: []string{"-addr", "nowhere"}, want: "choose another address with -addr"},
		"no go command": {path: "/nowhere", want: "there is no go command in PATH"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			if test.path != "" {
				t.Setenv("PATH", test.path)
			}
			refused(t, "", test.want, slices.Concat([]string{"-data", folder(t)}, test.args)...)
		})
	}
}

func TestAServerThatDoesNotRunIsSaidInOneSentence(t *testing.T) {
	for name, test := range map[string]struct{ pkg, want string }{
		"it is not there": {"./scripts/dev/testdata/none", "does not build"},
		"it ends at once": {"./scripts/dev/testdata/ends", "ended before it listened (exit status 4)"},
	} {
		t.Run(name, func(t *testing.T) {
			refused(t, test.pkg, test.want, "-data", keptFolder(t), "-addr", "127.0.0.1:0")
		})
	}
}

// refused runs the program with a package as its server, and wants it to end with an
// error that says want.
func refused(t *testing.T, pkg, want string, args ...string) {
	t.Helper()
	opts, err := parse(slices.Concat(alone(), args), nobody, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	opts.serverPackage = pkg
	var said bytes.Buffer
	err = run(t.Context(), opts, &said)
	if err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("%v, want %q; it said:\n%s", err, want, said.String())
	}
}

func TestTheEndOfTheServerEndsAll(t *testing.T) {
	d := launch(t, "-data", keptFolder(t))
	_, _ = http.Get(d.origin + "/exit") // has no answer
	err := <-d.ended
	if err == nil || !strings.Contains(err.Error(), "has ended (exit status 3)") {
		t.Errorf("it ended with: %v", err)
	}
	close(d.ended)
}

func TestTheFlags(t *testing.T) {
	var help bytes.Buffer
	if _, err := parse([]string{"-h"}, nobody, &help); !errors.Is(err, flag.ErrHelp) ||
		!strings.Contains(help.String(), "-fresh") {
		t.Errorf("-h: %v, and it said:\n%s", err, help.String())
	}
	for args, want := range map[string]string{
		"-now yesterday": "is not a time such as",
		"more":           `there is no argument "more"`,
		"-what":          "flag provided but not defined: -what; -h lists the flags",
	} {
		if _, err := parse(strings.Fields(args), nobody, io.Discard); err == nil || !strings.Contains(err.Error(),
			want) {
			t.Errorf("%s: %v, want %q", args, err, want)
		}
	}
	opts, err := parse([]string{"-now", "2031-03-05T06:00:00Z"}, nobody, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	if ahead := opts.clock().Sub(time.Date(2031, 3, 5, 6, 0, 0, 0, time.UTC)); ahead < 0 || ahead > time.Minute {
		t.Errorf("the clock is off by %s", ahead)
	}
}

func TestAKeyOfDuffelIsUsedInsteadOfTheStandIn(t *testing.T) {
	opts, err := parse(nil, func(name string) string {
		return map[string]string{"DUFFEL_API_KEY": "duffel_test_of_a_developer"}[name]
	}, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	var said strings.Builder
	p, err := startDuffel(&development{opts: opts, print: printer(&said)})
	if err != nil || p.env() != nil || p.describe() != nil || p.stop() != nil {
		t.Errorf("%v, %v", p, err)
	}
	if !strings.Contains(said.String(), "DUFFEL_API_KEY is set") || strings.Contains(said.String(), "duffel_test_of") {
		t.Errorf("it said %q", said.String())
	}
}

func TestTheModelIsChosenByTheEnvironment(t *testing.T) {
	tests := map[string]struct {
		env  map[string]string
		want string
	}{
		"nothing set": {nil, "the stand-in, which follows rules, at http://local/v1 (set OPENAI_API_KEY for a real " +
			"model)"},
		"a key": {map[string]string{"OPENAI_API_KEY": "k"},
			"https://api.openai.com/v1 (OPENAI_API_KEY is set)"},
		"a local model": {map[string]string{"OPENAI_BASE_URL": "http://llama/v1"},
			"http://llama/v1 (OPENAI_BASE_URL is set)"},
		"a key, but no cost": {map[string]string{"OPENAI_API_KEY": "k", "MOCK_OPENAI": "true"},
			"the stand-in, which follows rules, at http://local/v1 (MOCK_OPENAI is set)"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			choice := chooseModel(func(name string) string { return test.env[name] })
			base := "http://local/v1"
			if choice.real() {
				base = choice.endpoint.BaseURL
			}
			if got := choice.describe(base); got != test.want {
				t.Errorf("%s, want %s", got, test.want)
			}
		})
	}
}

// The functions on the local Lambda get what a template would set, among it the
// settings and keys of organisations' own models, and nothing of this machine.
func TestBootstrapsGetTheSettingsOfModels(t *testing.T) {
	t.Parallel()
	got := passedOn([]string{"MODEL_CONFIGS=true", "MODEL_SECRET_AZURE=org:key", "OPENAI_MODEL=m", "HOME=/root",
		"AWS_SECRET_ACCESS_KEY=x", "https_proxy=p"})
	want := []string{"MODEL_CONFIGS=true", "MODEL_SECRET_AZURE=org:key", "OPENAI_MODEL=m", "https_proxy=p"}
	if !slices.Equal(got, want) {
		t.Errorf("passed on are %q", got)
	}
}
