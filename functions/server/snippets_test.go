package main

import (
	"bufio"
	"context"
	"crypto/rand"
	"encoding/base64"
	"encoding/binary"
	"io"
	"math"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
	"github.com/rs/zerolog"

	"github.com/bellhop-ai/bellhop/infra/local/localtest"
	"github.com/bellhop-ai/bellhop/infra/local/model/script"
	"github.com/bellhop-ai/bellhop/infra/local/nodetest"
	"github.com/bellhop-ai/bellhop/infra/local/stack"
	"github.com/bellhop-ai/bellhop/pkg/boot"
	"github.com/bellhop-ai/bellhop/pkg/boot/core"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/supabase"
	store "github.com/bellhop-ai/bellhop/pkg/supabase/users"
	"github.com/bellhop-ai/bellhop/pkg/users"
)

// snippet is a block of a page in docs/clients.
type snippet struct {
	page, kind, code string
	number           int // of the page's blocks of this kind, from 0
}

// snippets returns the blocks of all pages that a test runs.
func snippets(t *testing.T) []snippet {
	t.Helper()
	pages, err := filepath.Glob("../../docs/clients/*.md")
	if err != nil || len(pages) < 10 {
		t.Fatalf("there are %d pages, %v", len(pages), err)
	}
	var all []snippet
	for _, page := range pages {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		count := map[string]int{}
		for _, m := range regexp.MustCompile("(?ms)^```(\\w+)\n(.*?)^```$").FindAllStringSubmatch(string(text), -1) {
			all = append(all, snippet{strings.TrimSuffix(filepath.Base(page), ".md"), m[1], m[2], count[m[1]]})
			count[m[1]]++
		}
	}
	return all
}

// concierge is a model that looks extras up, is thanked, and writes titles.
func concierge(r script.Request) script.Step {
	last := r.Messages[len(r.Messages)-1]
	switch {
	case len(r.Tools) == 0:
		return script.Step{Text: `{ "title": "Extras" }`}
	case r.Offers(script.RouteTool) && strings.Contains(last.Content, "Thank you"):
		return script.Step{Text: "You are welcome."}
	case r.Offers(script.RouteTool):
		return script.Route("inventory")
	case last.Role == "tool":
		return script.Step{Text: "Here they are."}
	}
	return script.Step{Calls: []script.Call{{Name: "list_extras"}}}
}

// machineKey returns an API key of a new machine user who may look.
func machineKey(t *testing.T, project *stack.Stack, org localtest.Org) string {
	t.Helper()
	s := &boot.Service{Log: zerolog.Nop(), Now: time.Now}
	s.SupabaseURL, s.PublishableKey, s.JWKS = project.URL(), project.Keys().Publishable, string(project.JWKS())
	s.ProofKeys = project.ProofKeys()
	c, err := core.New(s)
	if err != nil {
		t.Fatal(err)
	}
	admin, err := supabase.NewAdmin(core.Config(s), identity.Secret(project.Keys().Secret))
	if err != nil {
		t.Fatal(err)
	}
	by, err := c.Identify(t.Context(), org.Admin.Token)
	if err != nil {
		t.Fatal(err)
	}
	service := users.Service{Members: store.NewMembers(c.Client), Accounts: store.NewAccounts(admin),
		Random: rand.Reader}
	_, key, err := service.Create(t.Context(), by, users.Draft{Kind: users.Machine, Name: "Client",
		Role: identity.Viewer})
	if err != nil {
		t.Fatal(err)
	}
	return key.Reveal()
}

// tone is half a second of 440 Hz as WAV with 8,000 samples of 16 bits.
func tone() []byte {
	const samples = 4000
	b := []byte("RIFF\x00\x00\x00\x00WAVEfmt " +
		"\x10\x00\x00\x00\x01\x00\x01\x00\x40\x1f\x00\x00\x80\x3e\x00\x00\x02\x00\x10\x00data")
	binary.LittleEndian.PutUint32(b[4:], 36+2*samples)
	b = binary.LittleEndian.AppendUint32(b, 2*samples)
	for i := range samples {
		b = binary.LittleEndian.AppendUint16(b, uint16(int16(9000*math.Sin(2*math.Pi*440*float64(i)/8000))))
	}
	return b
}

// The snippets of docs/clients do what the pages say, against a whole server. A new
// snippet is listed here.
func TestDocumentedSnippets(t *testing.T) {
	t.Parallel()
	project, org := localtest.Stack(t), localtest.NewOrg(t)
	localtest.SQL(t, `insert into public.extras (org_id, entity_id, name, price) values ($1, $2, 'Picnic', 20)`,
		org.ID, org.Entity.ID)
	provider := http.NewServeMux()
	provider.Handle("/", script.Func(concierge))
	provider.HandleFunc("POST /v1/audio/transcriptions", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, `{"text":"Is Coco free tonight?","usage":{"type":"tokens","input_tokens":9,`+
			`"output_tokens":6}}`)
	})
	upstream := httptest.NewServer(provider)
	t.Cleanup(upstream.Close)
	server := run(t, project, upstream.URL+"/v1")
	key := machineKey(t, project, org)

	const extras = `Here they are\..*\| Extra \|.*\| Picnic \|.*`
	runs := map[string]struct {
		folder string
		prints []string // of the page's snippets, in order
	}{
		"ai-sdk": {"../../pkg/api/chat/testdata/ui", []string{`^Here they are\..*Picnic.*\nExtras`}},
		"ag-ui":  {"../../pkg/api/chat/testdata/agui", []string{"^" + extras + `\ntable Extras`}},
		"openai-js": {"../../pkg/api/chat/testdata/openai", []string{"^" + extras + `You are welcome\.\n$`, "^" +
			extras + `\nYou are welcome\.\n$`, `^Is Coco free tonight\?\n$`}},
		"langchain": {"testdata/langchain", []string{"^" + extras + `\nYou are welcome\.$`}},
		"mcp":       {"../../pkg/api/mcp/testdata/conformance", []string{`^true\n.*\| Picnic \|.*code: 'PICNIC'`}},
		"supabase-js": {"../../infra/local/clienttest/testdata",
			[]string{`^inventory\n\[ \{ name: 'Picnic', price: 20 \} \]\n$`}},
	}
	type node struct {
		Name   string            `json:"name"`
		Code   string            `json:"code"`
		Env    map[string]string `json:"env"`
		Files  map[string]string `json:"files"`
		Prints string            `json:"prints"`
	}
	env := map[string]string{"BELLHOP_URL": server.URL, "BELLHOP_KEY": key, "BELLHOP_TOKEN": org.Viewer.Token,
		"SUPABASE_URL": project.URL(), "SUPABASE_PUBLISHABLE_KEY": project.Keys().Publishable,
		"EMAIL": org.Viewer.Email, "PASSWORD": stack.DemoPassword}
	files := map[string]string{"note.wav": base64.StdEncoding.EncodeToString(tone())}
	scripts := map[string][]node{}
	for _, s := range snippets(t) {
		name := s.page
		switch s.kind {
		case "js":
			r, ok := runs[name]
			if !ok || s.number >= len(r.prints) {
				t.Errorf("%s.md has a snippet that this test does not know:\n%s", name, s.code)
				continue
			}
			one := node{name, s.code, env, files, r.prints[s.number]}
			if name == "supabase-js" { // Node 20 has no WebSocket, and the client wants one when it begins
				one.Code = "import ws from 'ws'\nglobalThis.WebSocket ??= ws\n" + one.Code
			}
			if name != "ai-sdk" {
				scripts[name] = append(scripts[name], one)
				continue
			}
			for _, version := range []string{"5", "6", "7"} { // installed under these names
				one.Name = name + " " + version
				one.Code = strings.NewReplacer("from 'ai'", "from 'ai"+version+"'", "sdk: 6", "sdk: "+
					version).Replace(s.code)
				scripts[name] = append(scripts[name], one)
			}
		case "http":
			t.Run(name+" sends", func(t *testing.T) {
				status, body := sendAs(t, server.URL, s.code, key)
				want := regexp.MustCompile(`Picnic|Here they are|"id":"hospitality"|\\"title\\": \\"Extras\\"`)
				if status != http.StatusOK || !want.MatchString(body) {
					t.Errorf("%d %s\nto\n%s", status, body, s.code)
				}
			})
		case "go":
			source, err := os.ReadFile("snippets_test.go")
			if err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(string(source), s.code) {
				t.Errorf("%s.md has Go that this test does not run:\n%s", name, s.code)
			}
		case "python", "yaml", "sh", "json":
		default:
			t.Errorf("%s.md has a block of %s, which this test does not know", name, s.kind)
		}
	}
	scripts["openai-clients"] = []node{{"openai-clients", wholePage(t, "../../docs/openai-clients.md"), env, files,
		"^" + extras + `\nIs Coco free tonight\?\n` + extras + `\n` + extras + "$"}}
	runs["openai-clients"] = runs["openai-js"]
	for name, list := range scripts {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			nodetest.Run(t, runs[name].folder, "snippets.mjs", 20, map[string]any{"snippets": list})
		})
	}
	t.Run("openai-go", func(t *testing.T) {
		if got, err := ask(t.Context(), server.URL, key, "Which extras are there?"); err != nil ||
			!regexp.MustCompile(`(?s)^`+extras).MatchString(got) {
			t.Errorf("%q, %v", got, err)
		}
	})
	for name, r := range runs {
		if n := len(scripts[name]); name != "openai-clients" && n < len(r.prints) {
			t.Errorf("%s.md has %d snippets, not %d", name, n, len(r.prints))
		}
	}
}

// wholePage returns the snippets of a page as one program with the tests' settings.
func wholePage(t *testing.T, page string) string {
	t.Helper()
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	program := "import fs from 'node:fs'\nconst token = process.env.BELLHOP_KEY\n"
	for _, m := range regexp.MustCompile("(?ms)^```js\n(.*?)^```$").FindAllStringSubmatch(string(text), -1) {
		program += m[1]
	}
	program += "console.log(answer.choices[0].message.content)\nconsole.log(second.output_text)\n"
	return strings.Replace(program, "'http://127.0.0.1:8787/", "process.env.BELLHOP_URL + '/", 1)
}

// sendAs sends a request that a page shows with a real key.
func sendAs(t *testing.T, address, text, key string) (int, string) {
	t.Helper()
	head, body, _ := strings.Cut(text, "\n\n")
	r, err := http.ReadRequest(bufio.NewReader(strings.NewReader(strings.Replace(head, "\n", " HTTP/1.1\nHost: x\n",
		1) + "\n\n")))
	if err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	sent, err := http.NewRequestWithContext(t.Context(), r.Method, address+r.URL.Path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	sent.Header = r.Header
	if !slices.Contains(r.Header["Authorization"], "Bearer bellhop_…") {
		t.Fatalf("the request names no key:\n%s", text)
	}
	sent.Header.Set("Authorization", "Bearer "+key)
	resp, err := http.DefaultClient.Do(sent)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	raw, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, string(raw)
}

func ask(ctx context.Context, address, key, question string) (string, error) {
	client := openai.NewClient(option.WithBaseURL(address+"/api/v1"), option.WithAPIKey(key))
	stream := client.Chat.Completions.NewStreaming(ctx, openai.ChatCompletionNewParams{
		Model:    "hospitality",
		Messages: []openai.ChatCompletionMessageParamUnion{openai.UserMessage(question)},
	}, option.WithHeader("Idempotency-Key", rand.Text()))
	var answer openai.ChatCompletionAccumulator
	for stream.Next() {
		answer.AddChunk(stream.Current())
	}
	if err := stream.Err(); err != nil {
		return "", err
	}
	return answer.Choices[0].Message.Content, nil
}
