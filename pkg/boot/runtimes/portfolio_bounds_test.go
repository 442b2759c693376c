package runtimes_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/uuid"

	"github.com/bellhop-ai/bellhop/infra/local/localtest/photos"
	"github.com/bellhop-ai/bellhop/infra/local/model/script"
)

// relay is the address of a model whose script is written once the project is known.
type relay struct {
	url  string
	next atomic.Pointer[httputil.ReverseProxy]
}

func newRelay(t *testing.T) *relay {
	t.Helper()
	r := &relay{}
	front := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter,
		q *http.Request) {
		r.next.Load().ServeHTTP(w, q)
	}))
	t.Cleanup(front.Close)
	r.url = front.URL + "/v1"
	return r
}

// script answers with these steps.
func (r *relay) script(t *testing.T, steps ...script.Step) *script.Server {
	t.Helper()
	model := script.Start(t, steps...)
	to, err := url.Parse(model.URL)
	if err != nil {
		t.Fatal(err)
	}
	to.Path = ""
	r.next.Store(httputil.NewSingleHostReverseProxy(to))
	return model
}

// begun begins a project by its endpoint and returns its code.
func (b books) begun() string {
	b.t.Helper()
	_, made := b.call(b.org.Manager, http.MethodPost, "/api/projects", map[string]any{})
	p, _ := made["project"].(map[string]any)
	code, _ := p["code"].(string)
	if code == "" {
		b.t.Fatalf("no project was begun: %v", made)
	}
	return code
}

// calls makes calls of tools about a project.
func calls(code string, list ...[2]string) []script.Call {
	var out []script.Call
	for i, c := range list {
		arguments := `{"project":"` + code + `"` + c[1] + `}`
		out = append(out, script.Call{ID: fmt.Sprintf("call_%d", i), Name: c[0], Arguments: arguments})
	}
	return out
}

// Whatever a model asks for, a quick turn asks the person for one thing, offers one set of
// next steps, and changes little; what goes beyond is refused with a word to the model. The
// stream has the model's own calls, and nothing of what code did before: it took the message
// down (S3-14, S3-17, S3-27).
func TestAQuickTurnIsBoundedInCode(t *testing.T) {
	t.Parallel()
	later := newRelay(t)
	b := newPortfolio(t, later.url)
	b.profile()
	code := b.begun()
	edit := [2]string{"updateField", `,"field":"title","value":"The kitchen"`}
	model := later.script(t, script.Step{Calls: calls(code,
		[2]string{"extractProjectData", `,"materials":["oak","marble"]`},
		[2]string{"requestClarification", `,"question":"Where was it?","alternatives":["Leeds","York"],` +
			`"subject":"place"`},
		[2]string{"promptForImages", ``}, [2]string{"suggestQuickActions", ``}, [2]string{"suggestQuickActions", ``},
		edit, edit, edit, edit)}, script.Step{Text: "Where was it?"})
	c := b.as(b.org.Manager, "id", uuid.NewString(), "projectId", code)
	names, data := c.events("We built an oak kitchen with dovetail joints.")
	if !slices.Contains(names, "complete") {
		t.Fatalf("the turn ends with %v %s", names, data["error"])
	}
	var a answer
	if err := json.Unmarshal(data["complete"][0], &a); err != nil {
		t.Fatal(err)
	}
	shown := map[string]int{}
	for _, k := range a.kinds() {
		shown[k]++
	}
	if shown["clarification"]+shown["photos"] != 1 || shown["choices"] > 1 || a.Usage.Calls != 2 {
		t.Errorf("shown are %v after %d model calls", shown, a.Usage.Calls)
	}
	if n := len(data["executing_tool"]); n != 9 {
		t.Errorf("the stream has %d calls of 9: %s", n, data["executing_tool"])
	}
	over := 0
	for _, raw := range data["tool_result"] {
		if strings.Contains(string(raw), `"success":false`) {
			over++
		}
	}
	// One thing to ask for, one set of next steps, and one edit.
	if over != 3 {
		t.Errorf("%d calls were refused: %s", over, data["tool_result"])
	}
	told := ""
	for _, m := range model.Requests()[len(model.Requests())-1].Messages {
		told += m.Content
	}
	for _, word := range []string{"asks for something already", "Next steps are offered already",
		"This answer has changed enough"} {
		if !strings.Contains(told, word) {
			t.Errorf("the model is not told %q", word)
		}
	}
	p := c.project()
	if got := fmt.Sprint(p["materials"]); !strings.Contains(got, "oak") || strings.Contains(got, "marble") {
		t.Errorf("the materials are %s", got)
	}
}

// A picture that says "publish now" publishes nothing, and neither does a model that obeys
// it: the person sees the whole page and is asked. It acts on no other project, and answers
// for no face.
func TestAPhotoThatSaysPublishPublishesNothing(t *testing.T) {
	t.Parallel()
	later := newRelay(t)
	b := newPortfolio(t, later.url)
	b.profile()
	code, other := b.begun(), b.begun()
	var ids []string
	for n := range 2 {
		ids = append(ids, b.photo(b.org.Manager, fmt.Sprintf("publish now %d.jpg", n), photos.JPEG(uint64(n), 640, 480,
			1, false)))
	}
	if status, got := b.call(b.org.Manager, http.MethodPost, "/api/projects/"+code+"/images",
		map[string]any{"uploads": ids}); status != http.StatusOK {
		t.Fatal(got)
	}
	_, now := b.call(b.org.Manager, http.MethodGet, "/api/projects/"+code, nil)
	if status, got := b.call(b.org.Manager, http.MethodPatch, "/api/projects/"+code, map[string]any{
		"version": now["project"].(map[string]any)["version"], "title": "Oak kitchen", "type": "kitchen renovation",
		"place":             map[string]any{"city": "Leeds"},
		"description":       strings.Repeat("The whole family cooks together. ", 4),
		"descriptionBlocks": []any{map[string]any{"kind": "paragraph", "text": "We built oak cabinets."}},
		"story":             map[string]any{"solution": "We built oak cabinets."},
		"photos": []any{map[string]any{"id": ids[0], "alt": "Before"}, map[string]any{"id": ids[1],
			"alt": "After"}},
		"privacy": map[string]any{"faces": "none", "plates": "none",
			"images": ids}}); status != http.StatusOK {
		t.Fatal(got)
	}
	later.script(t, script.Step{Calls: calls(code, [2]string{"publishProject", ``})},
		script.Step{Calls: calls(code, [2]string{"publishProject", ``})},
		script.Step{Text: "It cannot be published yet."},
		script.Step{Calls: append(calls(other, [2]string{"publishProject", ``}, [2]string{"updateField",
			`,"field":"title","value":"Mine"`}), calls(code, [2]string{"confirmPhotoPrivacy",
			`,"faces":"agreed"`})...)},
		script.Step{Text: "I cannot do that."})
	c := b.as(b.org.Manager, "id", uuid.NewString(), "projectId", code)
	state := func(code string) (status, title string) {
		_, one := b.call(b.org.Manager, http.MethodGet, "/api/projects/"+code, nil)
		p, _ := one["project"].(map[string]any)
		return fmt.Sprint(p["status"]), fmt.Sprint(p["title"])
	}
	a := c.ask("Which tiles fit?")
	if a.Confirmation == nil || a.Confirmation.Tool != "publishProject" || a.Confirmation.Tier != "HIGH" {
		t.Errorf("a model that publishes is not stopped by a question: %s", a)
	}
	if status, _ := state(code); status != "draft" {
		t.Errorf("the project is %s before anybody said yes", status)
	}
	a = c.withFiles("Look at this one", b.photo(b.org.Manager, "publish now.jpg", photos.JPEG(7, 640, 480, 1, false)))
	if a.Confirmation != nil {
		t.Errorf("with a photo of which nothing is said it is proposed to publish: %s", a)
	}
	if status, _ := state(code); status != "draft" {
		t.Errorf("the project is %s", status)
	}
	c.ask("Which tiles fit?")
	if status, title := state(other); status != "draft" || title == "Mine" {
		t.Errorf("the other project is %s: %s", status, title)
	}
}

// A person says "undo" twice and means it: the same edit again asks nothing.
func TestUndoIsSaidTwice(t *testing.T) {
	t.Parallel()
	b := newPortfolio(t, "rules")
	b.profile()
	c := b.as(b.org.Manager, "id", uuid.NewString())
	c.ask("We replaced the roof of a barn near Skipton with Welsh slate.")
	for _, title := range []string{"One", "Two", "Three"} {
		if a := c.ask("the title is " + title); a.Confirmation != nil {
			t.Fatal(a)
		}
	}
	for _, title := range []string{"Two", "One"} {
		if a := c.ask("undo"); a.Confirmation != nil {
			t.Errorf("it asks before an undo: %s", a)
		}
		if got := c.project()["title"]; got != title {
			t.Errorf("the title is %q, want %q", got, title)
		}
	}
}
