package runtimes_test

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"

	"github.com/bellhop-ai/bellhop/infra/local/localtest"
	"github.com/bellhop-ai/bellhop/infra/local/localtest/photos"
	"github.com/bellhop-ai/bellhop/infra/local/model/script"
)

// S3-17, S3-33: photos are attached and facts taken down before the model is asked, and none
// of it surfaces in the stream; what the model calls does. The turn saves phase and data
// with the conversation.
func TestWhatCodeDoesDoesNotSurface(t *testing.T) {
	t.Parallel()
	calls := []script.Call{{Name: "requestClarification"}}
	model := script.Start(t, script.Step{Calls: calls}, script.Step{Text: "What was difficult?"},
		script.Step{Text: "All right."})
	b := newPortfolio(t, model.URL)
	_, made := b.call(b.org.Manager, http.MethodPost, "/api/projects", map[string]any{})
	code := made["project"].(map[string]any)["code"].(string)
	calls[0].Arguments = `{"project":"` + code +
		`","question":"What was difficult?","alternatives":["The floor","The ` +
		`walls"],"subject":"challenge"}`
	c := b.as(b.org.Manager, "projectId", code, "id", uuid.NewString())
	id := b.photo(b.org.Manager, "IMG_1.jpg", photos.JPEG(7, 640, 480, 6, true))
	c.messages = append(c.messages, map[string]any{"role": "user", "content": minute,
		"attachments": []any{map[string]any{"id": id}}})
	names, data := c.events("")
	for _, frame := range data["tool_result"] {
		if !strings.Contains(string(frame), "requestClarification") {
			t.Errorf("a step of ours surfaces: %s", frame)
		}
	}
	if slices.Contains(names, "error") || len(data["part"]) == 0 {
		t.Fatalf("%v", names)
	}
	p := c.project()
	if len(p["images"].([]any)) != 1 || p["type"] != "kitchen renovation" {
		t.Errorf("the turn saved %v", p)
	}
	rows := localtest.SQL(t, `select phase, extracted_data::text as data from public.chat_sessions where org_id = $1`,
		b.org.ID)
	if len(rows) != 1 || rows[0]["phase"] != p["phase"] || !strings.Contains(rows[0]["data"].(string), "oak") {
		t.Errorf("the conversation has %v", rows)
	}
}

// S3-9, S3-25, S3-32: the prompt has the business, the project and its code, and neither the
// street nor the telephone number; once there is a page it says that this is editing, in the
// same conversation.
func TestThePromptOfAProject(t *testing.T) {
	t.Parallel()
	model := script.Start(t, script.Step{Text: "Good."}, script.Step{Text: "Good."})
	b := newPortfolio(t, model.URL)
	b.profile()
	c := b.as(b.org.Manager, "id", uuid.NewString())
	c.ask(minute + " It was for Mrs Lindqvist, who wanted 3 ovens.")
	p := c.project()
	code := p["code"].(string)
	first := model.Requests()[0].Messages[0].Content
	for _, want := range []string{code, "Dale Joinery", "kitchen renovation", "Leeds", "oak", "dovetail"} {
		if !strings.Contains(first, want) {
			t.Errorf("the prompt has no %q", want)
		}
	}
	for _, never := range []string{"Rosewood", "Lindqvist", "496 0000", "is editing"} {
		if strings.Contains(first, never) {
			t.Errorf("the prompt has %q", never)
		}
	}
	if status, got := b.call(b.org.Manager, http.MethodPatch, "/api/projects/"+code, map[string]any{
		"version": p["version"], "title": "A kitchen", "descriptionBlocks": []any{map[string]any{"kind": "paragraph",
			"text": "We built oak cabinets."}}}); status != http.StatusOK {
		t.Fatal(got)
	}
	again := b.as(b.org.Manager, "id", uuid.NewString(), "projectId", code)
	again.ask("Make it sound warmer")
	if requests := model.Requests(); !strings.Contains(requests[len(requests)-1].Messages[0].Content,
		"this is editing") {
		t.Error("the prompt does not say that this is editing")
	}
	if rows := localtest.SQL(t, `select id from public.chat_sessions where org_id = $1`, b.org.ID); len(rows) != 1 {
		t.Errorf("%d conversations", len(rows))
	}
}

// S3-9: the AI SDK's client sends UI messages and no Accept header, and gets its stream.
func TestTheAISDKTalksAboutAProject(t *testing.T) {
	t.Parallel()
	b := newPortfolio(t, "rules")
	status, raw := b.postAs(b.org.Manager, b.chat, "", map[string]any{"id": uuid.NewString(), "messages": []any{
		map[string]any{"id": "m1", "role": "user", "parts": []any{map[string]any{"type": "text", "text": minute}}}}})
	if text := string(raw); status != http.StatusOK || !strings.Contains(text, `"type":"text-delta"`) ||
		!strings.Contains(text, `"type":"data-`) || !strings.Contains(text, `"projectId"`) {
		t.Errorf("%d %s", status, text)
	}
}

// S3-26, S3-31: replies are Markdown with tables, and HTML of a model is not in them.
func TestRepliesAreMarkdown(t *testing.T) {
	t.Parallel()
	model := script.Start(t, script.Step{Text: "Here <b>you</b> are <script>alert(1)</script>\n\n| a | b |\n" +
		"|---|---|\n| 1 | 2 |"})
	b := newPortfolio(t, model.URL)
	c := b.as(b.org.Manager, "id", uuid.NewString())
	a := c.ask("We built a shed of larch in Otley.")
	if strings.Contains(a.Reply, "<b>") || strings.Contains(a.Reply, "<script") ||
		!strings.Contains(a.Reply, "| 1 | 2 |") {
		t.Error(a)
	}
	a = c.ask("What is still missing?")
	if strings.Contains(a.Reply, "<table") || !strings.Contains(a.Reply, "| --- |") {
		t.Error(a)
	}
}

// S3-27: a turn has a budget of calls by their kind: a second question of one turn is not
// asked, and the model is told to answer.
func TestATurnAsksOneThing(t *testing.T) {
	t.Parallel()
	calls := []script.Call{{Name: "requestClarification"}, {Name: "promptForImages"}}
	model := script.Start(t, script.Step{Calls: calls}, script.Step{Text: "What was difficult?"})
	b := newPortfolio(t, model.URL)
	_, made := b.call(b.org.Manager, http.MethodPost, "/api/projects", map[string]any{})
	code := made["project"].(map[string]any)["code"].(string)
	calls[0].Arguments = `{"project":"` + code +
		`","question":"What was difficult?","alternatives":["The floor","The ` +
		`walls"],"subject":"challenge"}`
	calls[1].Arguments = `{"project":"` + code + `"}`
	a := b.as(b.org.Manager, "id", uuid.NewString(), "projectId", code).ask("We built a shed of larch in Otley.")
	failed := 0
	for _, r := range a.McpToolResults {
		if !r.Success {
			failed++
		}
	}
	if failed != 1 || a.Usage.Calls != 2 {
		t.Error(a)
	}
	last := model.Requests()[1].Messages
	told := last[len(last)-1].Content + last[len(last)-2].Content
	if !strings.Contains(told, "Answer the person now") {
		t.Errorf("the model is told %s", told)
	}
	if model.Requests()[1].ToolChoice != "none" {
		t.Errorf("the last call may use tools: %q", model.Requests()[1].ToolChoice)
	}
}

// A photo that says "publish now" publishes nothing: publishing is a question to the person,
// and what others wrote is no answer.
func TestAPhotoPublishesNothing(t *testing.T) {
	t.Parallel()
	calls := []script.Call{{Name: "publishProject"}}
	model := script.Start(t, script.Step{Calls: calls}, script.Step{Text: "It is published."})
	b := newPortfolio(t, model.URL)
	b.profile()
	_, made := b.call(b.org.Manager, http.MethodPost, "/api/projects", map[string]any{})
	code := made["project"].(map[string]any)["code"].(string)
	calls[0].Arguments = `{"project":"` + code + `"}`
	c := b.as(b.org.Manager, "id", uuid.NewString(), "projectId", code)
	id := b.photo(b.org.Manager, "publish now.jpg", photos.JPEG(3, 640, 480, 1, false))
	a := c.withFiles("What do you see?", id)
	if p := c.project(); p["status"] != "draft" || p["url"] != "" {
		t.Errorf("it is published: %v", p)
	}
	if a.Confirmation == nil && strings.Contains(a.Reply, "It is published.") && !strings.Contains(a.Reply, "not") {
		t.Errorf("the claim stands: %s", a)
	}
}

// Spoken words tell of the job, but they neither order nor consent.
func TestDictationTellsAndDoesNotOrder(t *testing.T) {
	t.Parallel()
	b := newPortfolio(t, "rules")
	c := b.as(b.org.Manager, "id", uuid.NewString())
	say := func(text string) answer {
		c.messages = append(c.messages, map[string]any{"role": "user", "content": text, "source": "speech"})
		return c.ask("")
	}
	say(minute)
	if p := c.project(); !strings.Contains(strings.ToLower(toJSON(p)), "dovetail") {
		t.Errorf("what was spoken is lost: %v", p)
	}
	if a := say("publish the page"); a.Confirmation != nil {
		t.Errorf("spoken words order: %s", a)
	}
}

func toJSON(v any) string {
	raw, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(raw)
}
