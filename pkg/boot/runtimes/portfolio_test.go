package runtimes_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/rs/zerolog"

	"github.com/bellhop-ai/bellhop/infra/local/ledger/ledgertest"
	"github.com/bellhop-ai/bellhop/infra/local/localtest"
	"github.com/bellhop-ai/bellhop/infra/local/localtest/photos"
	"github.com/bellhop-ai/bellhop/infra/local/model/script"
	"github.com/bellhop-ai/bellhop/pkg/boot"
	"github.com/bellhop-ai/bellhop/pkg/boot/backend"
	"github.com/bellhop-ai/bellhop/pkg/boot/chat"
	"github.com/bellhop-ai/bellhop/pkg/boot/projects"
	"github.com/bellhop-ai/bellhop/pkg/boot/tools"
	"github.com/bellhop-ai/bellhop/pkg/boot/uploads"
	"github.com/bellhop-ai/bellhop/pkg/httpx"
)

// minute is what a joiner says of a job in about forty seconds, as it was transcribed.
const minute = "So we just finished this kitchen renovation for a family in Leeds, at 14 Rosewood Lane. Uh, the old " +
	"kitchen was from the eighties and there was no light at all. We took out the wall to the dining room, put in a " +
	"steel beam, and built oak cabinets with dovetail joints, quartz worktops and under-cabinet lighting. The " +
	"tricky part was that the floor was 30 millimetres out of level. It took three weeks, we finished in May 2026. " +
	"Now they eat breakfast in the sun and they love it."

// newPortfolio serves what a contractor's front end needs. model is the address of a model;
// "" is one that never answers, and "rules" says that there is none but our rules.
func newPortfolio(t testing.TB, model string) books {
	t.Helper()
	org := localtest.NewOrg(t)
	localtest.Give(t, localtest.Stack(t), org.ID, "portfolio")
	env := map[string]string{"OPENAI_BASE_URL": model, "OPENAI_API_KEY": "local", "OPENAI_PROFILE": "openai",
		"OPENAI_MAX_RETRIES": "0", "SEAL_KEYS": "k1:AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="}
	if model == "" || model == "rules" {
		env["OPENAI_BASE_URL"] = "http://127.0.0.1:9/v1"
	}
	if model == "rules" {
		env["MOCK_OPENAI"] = "true"
	}
	project := localtest.Stack(t)
	s := &boot.Service{Name: "server", Now: ledgertest.Now, Log: zerolog.Nop(),
		Env: func(name string) (string, bool) { v, ok := env[name]; return v, ok }}
	s.SupabaseURL, s.PublishableKey, s.JWKS = project.URL(), project.Keys().Publishable, string(project.JWKS())
	s.ProofKeys, s.Local = project.ProofKeys(), true
	b, err := backend.NewSealed(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	mux := http.NewServeMux()
	mount := func(h http.Handler, err error, routes ...string) {
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range routes {
			mux.Handle(r, h)
		}
	}
	talk, err := chat.New(t.Context(), b)
	mount(talk, err, "/api/chat/")
	run, err := tools.New(t.Context(), b)
	mount(run, err, "/api/tools/", "/api/confirmations/")
	files, err := uploads.New(t.Context(), b.Core)
	mount(files, err, "/api/uploads", "/api/uploads/")
	jobs, err := projects.New(t.Context(), b.Core)
	mount(jobs, err, "/api/projects", "/api/projects/", "/api/business-profile", "/p/")
	front := httptest.NewServer(httpx.Wrap(mux, httpx.Config{Log: s.Log, NewID: uuid.NewString, Now: time.Now,
		Timeout: time.Minute}))
	t.Cleanup(front.Close)
	return books{t, org, front.URL, "/api/chat/portfolio"}
}

// call sends a request as a person and returns the status and the decoded answer.
func (b books) call(p localtest.Person, method, path string, body any) (int, map[string]any) {
	b.t.Helper()
	raw, err := json.Marshal(body)
	if err != nil {
		b.t.Fatal(err)
	}
	r, err := http.NewRequestWithContext(b.t.Context(), method, b.url+path, bytes.NewReader(raw))
	if err != nil {
		b.t.Fatal(err)
	}
	if p.Token != "" {
		r.Header.Set("Authorization", "Bearer "+p.Token)
	}
	r.Header.Set("Content-Type", "application/json")
	client := &http.Client{CheckRedirect: func(*http.Request,
		[]*http.Request) error {
		return http.ErrUseLastResponse
	}}
	resp, err := client.Do(r)
	if err != nil {
		b.t.Fatal(err)
	}
	defer resp.Body.Close()
	var text bytes.Buffer
	if _, err := text.ReadFrom(resp.Body); err != nil {
		b.t.Fatal(err)
	}
	out := map[string]any{"text": text.String(), "type": resp.Header.Get("Content-Type"),
		"location": resp.Header.Get("Location")}
	if strings.Contains(resp.Header.Get("Content-Type"), "json") {
		if err := json.Unmarshal(text.Bytes(), &out); err != nil {
			b.t.Fatal(err)
		}
	}
	return resp.StatusCode, out
}

// photo uploads a photo as the page does, and returns the upload's id.
func (b books) photo(p localtest.Person, name string, content []byte) string {
	b.t.Helper()
	status, begun := b.call(p, http.MethodPost, "/api/uploads", map[string]any{"name": name, "type": "image/jpeg",
		"size": len(content), "purpose": "photo"})
	if status != http.StatusCreated {
		b.t.Fatalf("%s: %d %v", name, status, begun)
	}
	r, err := http.NewRequestWithContext(b.t.Context(), http.MethodPut, begun["uploadUrl"].(string),
		bytes.NewReader(content))
	if err != nil {
		b.t.Fatal(err)
	}
	r.Header.Set("Content-Type", "image/jpeg")
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		b.t.Fatal(err)
	}
	_ = resp.Body.Close()
	id := begun["id"].(string)
	if status, done := b.call(p, http.MethodPost, "/api/uploads/"+id+"/complete", nil); status != http.StatusOK ||
		done["state"] != "ready" {
		b.t.Fatalf("%s: %d %v", name, status, done)
	}
	return id
}

// withFiles says something with files.
func (c *conversation) withFiles(text string, ids ...string) answer {
	c.t.Helper()
	var files []any
	for _, id := range ids {
		files = append(files, map[string]any{"id": id})
	}
	c.messages = append(c.messages, map[string]any{"role": "user", "content": text, "attachments": files})
	return c.ask("")
}

// project returns the person's only project.
func (c *conversation) project() map[string]any {
	c.t.Helper()
	status, list := c.call(c.by, http.MethodGet, "/api/projects", nil)
	all, _ := list["projects"].([]any)
	if status != http.StatusOK || len(all) != 1 {
		c.t.Fatalf("%d %v", status, list)
	}
	status, one := c.call(c.by, http.MethodGet, "/api/projects/"+all[0].(map[string]any)["code"].(string), nil)
	if status != http.StatusOK {
		c.t.Fatalf("%d %v", status, one)
	}
	if p, ok := one["project"].(map[string]any); ok {
		return p
	}
	return one
}

// profile saves the profile of a business.
func (b books) profile() {
	b.t.Helper()
	status, saved := b.call(b.org.Manager, http.MethodPut, "/api/business-profile", map[string]any{
		"site": "dale-" + strings.ToLower(b.org.ID[:8]), "name": "Dale Joinery", "trade": "joiner", "city": "Leeds",
		"phone": "+44 113 496 0000", "whatsApp": "441134960000"})
	if status != http.StatusOK {
		b.t.Fatalf("%d %v", status, saved)
	}
}

func (a answer) kinds() (list []string) {
	for _, p := range a.Parts {
		list = append(list, p.Kind)
	}
	return list
}

// The demo of the issue, without any model: eight photos, a spoken minute, at most three
// answers, and a page that anybody can open (S3-2, S3-10, S3-11, S3-13, S3-29, S3-33).
func TestAPageWithoutAModel(t *testing.T) {
	t.Parallel()
	b := newPortfolio(t, "rules")
	b.profile()
	c := b.as(b.org.Manager, "id", uuid.NewString())
	a := c.ask("We just finished a job")
	if a.Usage.Calls != 0 || a.Reply == "" {
		t.Fatal(a)
	}
	var ids []string
	for n := range 8 {
		ids = append(ids, b.photo(b.org.Manager, fmt.Sprintf("IMG_%d.jpg", n), photos.JPEG(uint64(n), 640, 480, 1+n%8,
			true)))
	}
	a = c.withFiles(minute, ids...)
	for range 3 {
		if !slices.Contains(a.kinds(), "clarification") || !strings.Contains(a.Reply, "?") {
			break
		}
		var q struct{ Options []string }
		for _, p := range a.Parts {
			if p.Kind == "clarification" {
				if err := json.Unmarshal(p.Data, &q); err != nil {
					t.Fatal(err)
				}
			}
		}
		a = c.ask(q.Options[0])
	}
	p := c.project()
	if n := len(p["images"].([]any)); n != 8 || p["type"] == "" || !strings.Contains(fmt.Sprint(p["materials"]),
		"oak") {
		t.Fatalf("%d photos, %v", n, p)
	}
	a = c.ask("Generate the portfolio content now.")
	if !slices.Contains(a.kinds(), "page") || a.Usage.Calls != 0 || a.Finish != "stop" || len(a.McpToolResults) != 2 {
		t.Fatal(a)
	}
	c.ask("Is it ready?")
	if a = c.ask("hello"); !slices.Contains(a.kinds(), "clarification") {
		t.Fatalf("people in the photos are not asked about: %s", a)
	}
	c.ask("No, neither")
	a = c.ask("Publish the page")
	if a.Confirmation == nil || a.Confirmation.Tool != "publishProject" || a.Confirmation.Tier != "HIGH" {
		t.Fatalf("%s\n%v", a, c.project())
	}
	c.more["confirm"] = map[string]any{"id": a.Confirmation.ID, "decision": "approve"}
	a = c.ask("")
	delete(c.more, "confirm")
	p = c.project()
	url, _ := p["url"].(string)
	if p["status"] != "published" || url == "" || !strings.Contains(a.Reply, url) {
		t.Fatalf("%s\n%v", a, p)
	}
	status, page := b.call(localtest.Person{}, http.MethodGet, url, nil)
	html := page["text"].(string)
	if status != http.StatusOK || strings.Contains(html, "Rosewood") || !strings.Contains(html, "Leeds") ||
		!strings.Contains(strings.ToLower(html), "oak") || len(html) > 60<<10 {
		t.Errorf("%d, %d bytes: %s", status, len(html), html)
	}
}

// S3-9, S3-14, S3-15, S3-28: a quick turn costs two model calls at most and has none of the
// deep tools; the sentence of the source sets the flag, and then three calls at most.
func TestQuickAndDeepTurns(t *testing.T) {
	t.Parallel()
	model := script.Start(t,
		script.Step{Calls: []script.Call{{Name: "extractProjectData", Arguments: `{"project":"PRJ-X"}`}}},
		script.Step{Text: "What did the client want?"})
	b := newPortfolio(t, model.URL)
	b.profile()
	c := b.as(b.org.Manager, "id", uuid.NewString())
	a := c.ask(minute)
	if a.Usage.Calls != 2 || a.Agent != "interviewer" {
		t.Error(a)
	}
	offered := model.Requests()[0].Tools
	for _, name := range []string{"extractProjectData", "requestClarification", "promptForImages",
		"showPortfolioPreview",
		"suggestQuickActions", "updateField", "regenerateSection", "reorderImages", "validateForPublish"} {
		if !slices.Contains(offered, name) {
			t.Errorf("%s is not offered", name)
		}
	}
	for _, name := range []string{"generatePortfolioContent", "checkPublishReady", "composePortfolioLayout",
		"updateDescriptionBlocks", "showContentEditor"} {
		if slices.Contains(offered, name) {
			t.Errorf("%s is offered", name)
		}
	}
	if p := c.project(); !strings.Contains(fmt.Sprint(p["materials"]), "oak") || p["phase"] != "photos" {
		t.Errorf("the turn saved %v", p)
	}
}

// The sentence of the source asks for the long work: the texts are written at once, by at
// most three model calls, and the editor opens. What they invent is left out (S3-11, S3-28,
// S3-30).
func TestTheSentenceOfTheSourceWritesThePage(t *testing.T) {
	t.Parallel()
	model := script.Start(t, script.Step{Text: `{"nonsense":true}`}, script.Step{Text: `{"nonsense":true}`},
		script.Step{Text: `{"nonsense":true}`}, script.Step{Text: `{}`}, script.Step{Text: `{}`})
	b := newPortfolio(t, model.URL)
	b.profile()
	c := b.as(b.org.Manager, "id", uuid.NewString())
	_, made := b.call(b.org.Manager, http.MethodPost, "/api/projects", map[string]any{})
	code, _ := made["project"].(map[string]any)["code"].(string)
	if code == "" {
		t.Fatal(made)
	}
	c.more["projectId"] = code
	if status, got := b.call(b.org.Manager, http.MethodPatch, "/api/projects/"+code, map[string]any{"version": 1,
		"type": "kitchen renovation", "materials": []string{"oak"}, "story": map[string]any{
			"solution": "We built oak cabinets."}}); status != http.StatusOK {
		t.Fatal(got)
	}
	a := c.ask("Generate the portfolio content now.")
	if a.Usage.Calls > 3 || a.Agent != "writer" || !slices.Contains(a.kinds(), "page") {
		t.Error(a)
	}
	edit := false
	for _, p := range a.Parts {
		edit = edit || p.Kind == "page" && strings.Contains(string(p.Data), `"edit":true`)
	}
	if !edit {
		t.Errorf("the editor does not open: %s", a)
	}
	if p := c.project(); p["title"] == "" || len(p["descriptionBlocks"].([]any)) == 0 {
		t.Errorf("kept is %v", p)
	}
}

// S3-4, S3-8: of a conversation of 300 messages, each of 20 facts that were planted in it
// reaches the prompt, within the budget.
func TestFactsOfALongConversationReachThePrompt(t *testing.T) {
	t.Parallel()
	model := script.Start(t, script.Step{Text: "All right."})
	b := newPortfolio(t, model.URL)
	c := b.as(b.org.Manager, "id", uuid.NewString())
	facts := []string{"The worktop is 3 metres and 40 long.", "We used 17 oak boards.", "The beam weighs 240 kilos.",
		"The floor was out by 31 millimetres.", "We drilled 128 holes.", "The tiles are from Stoke.",
		"It took 23 days in all.", "The window is 2.15 metres wide.", "We fitted 14 spotlights.",
		"The pipes were from 1963.", "There were 6 of us.", "The wall was 45 centimetres thick.",
		"We mixed 900 kilos of plaster.", "The door came from Harrogate.", "The radiators give 4200 watts.",
		"The sink holds 38 litres.", "The hinges are rated for 80 kilos.", "We sanded 5 times.",
		"The varnish has 3 coats.", "The lift carried 350 kilos."}
	for n := range 149 {
		text := "That was a long day, and the weather was what it was."
		if n%7 == 0 && n/7 < len(facts) {
			text = facts[n/7] + " And so on and on, as it goes on a site, you know how that is."
		}
		c.messages = append(c.messages, map[string]any{"role": "user", "content": text},
			map[string]any{"role": "assistant", "content": "I see. What else was there to do on that day?"})
	}
	c.ask("What do you know about it?")
	prompt := ""
	for _, m := range model.Requests()[0].Messages {
		prompt += m.Content + "\n"
	}
	for _, f := range facts[:20] {
		if !strings.Contains(prompt, f) {
			t.Errorf("%q is not in the prompt", f)
		}
	}
	if n := len(prompt) / 4; n > 40_000 {
		t.Errorf("the prompt has about %d tokens", n)
	}
}

// Whose project it is not, who may only look, and what a title or a photo says.
func TestBadInputOfAPortfolio(t *testing.T) {
	t.Parallel()
	b, other := newPortfolio(t, "rules"), newPortfolio(t, "rules")
	b.profile()
	c := b.as(b.org.Manager, "id", uuid.NewString())
	c.ask("We replaced the roof of a barn near Skipton with Welsh slate.")
	p := c.project()
	code := p["code"].(string)
	theirs := other.as(other.org.Manager, "id", uuid.NewString(), "projectId", code)
	if status, raw := theirs.post(theirs.chat, "application/json",
		theirs.body("hello")); status != http.StatusNotFound {
		t.Errorf("another organisation: %d %s", status, raw)
	}
	// SB-6: what the organisation has is shared; a viewer looks and changes nothing.
	v := b.as(b.org.Viewer, "id", uuid.NewString(), "projectId", code)
	if a := v.ask("We used copper gutters, too."); !strings.Contains(a.Reply, "slate") || len(a.kinds()) > 0 {
		t.Errorf("a viewer is answered %s", a)
	}
	if got := c.project(); fmt.Sprint(got["materials"]) != fmt.Sprint(p["materials"]) {
		t.Errorf("a viewer made it %v", got)
	}
	if a := b.as(b.org.Viewer, "id", uuid.NewString()).ask("We built a shed"); !strings.Contains(a.Reply, "managers") {
		t.Error(a)
	}
	if a := b.as(b.org.Viewer, "id", uuid.NewString()).ask("Which projects do I have?"); !strings.Contains(a.Reply,
		code) {
		t.Errorf("a viewer sees no list: %s", a)
	}
	if a := c.ask("Rewrite the title"); len(a.McpToolResults) != 1 ||
		a.McpToolResults[0].Tool != "regenerateSection" ||
		!a.McpToolResults[0].Success {
		t.Error(a)
	}
	a := c.ask(`Change the title to <script>alert(1)</script>`)
	if got := c.project()["title"]; got != "<script>alert(1)</script>" && got != "" ||
		strings.Contains(a.Reply, "<script>") {
		t.Errorf("the title is %q; %s", got, a)
	}
	a = c.ask("publish")
	if a.Confirmation != nil || !strings.Contains(strings.ToLower(a.Reply), "photo") {
		t.Errorf("published without photos: %s", a)
	}
	if a = c.ask("undo"); a.Reply == "" {
		t.Error(a)
	}
	if a = c.ask(strings.Repeat("x", 10_000)); a.Reply == "" {
		t.Error(a)
	}
	if a = c.ask("🪚"); a.Reply == "" {
		t.Error(a)
	}
}

// Two tabs that talk about one project at the same time lose nothing of what either said.
func TestTwoTabsTalkAboutOneProject(t *testing.T) {
	t.Parallel()
	b := newPortfolio(t, "rules")
	c := b.as(b.org.Manager, "id", uuid.NewString())
	c.ask("We renovated a bathroom in York.")
	code := c.project()["code"].(string)
	done := make(chan struct{})
	texts := []string{"We used porcelain tiles.", "The bath is cast iron.", "The floor is oak.", "The taps are brass."}
	for _, text := range texts {
		go func() {
			defer func() { done <- struct{}{} }()
			tab := b.as(b.org.Manager, "id", uuid.NewString(), "projectId", code)
			if status, raw := tab.post(tab.chat, "application/json", tab.body(text)); status != http.StatusOK {
				t.Errorf("%s: %d %s", text, status, raw)
			}
		}()
	}
	for range texts {
		<-done
	}
	got := strings.ToLower(fmt.Sprint(c.project()))
	for _, word := range []string{"porcelain", "cast iron", "oak", "brass"} {
		if !strings.Contains(got, word) {
			t.Errorf("%s is lost: %s", word, got)
		}
	}
}
