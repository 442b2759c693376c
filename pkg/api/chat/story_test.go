package chat_test

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"
	"golang.org/x/tools/txtar"

	"github.com/bellhop-ai/bellhop/infra/local/localtest"
	"github.com/bellhop-ai/bellhop/infra/local/model/script"
	"github.com/bellhop-ai/bellhop/pkg/stream"
)

func TestMain(m *testing.M) { localtest.Main(m) }

// S2-13, S2-29: a story is a txtar file: after the heading, sections in order. "as" names the
// role, "user" begins a turn (several lines may end in "confirm: approve"),
// "model" is its script; what follows is expected: "answer" (agent, finish and
// path), "reply", "events" (names, repetitions folded), "rows" (a query and its
// result), "asked" (what the model read last), "heard" (the last message of it).
func TestStories(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no stories: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			raw, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			s := &story{t: t, org: localtest.NewOrg(t), thread: uuid.NewString()}
			s.token = s.org.Manager.Token
			for _, section := range txtar.Parse(raw).Files {
				s.section(section.Name, strings.TrimSpace(string(section.Data)))
			}
			s.play()
		})
	}
}

type story struct {
	t        *testing.T
	org      localtest.Org
	thread   string
	token    string
	proposal string // the last one that was shown
	plain    bool   // the client keeps only roles and texts
	messages []map[string]any
	user     string
	steps    []script.Step
	checks   []func(got turnResult)
}

type turnResult struct {
	answer stream.Answer
	events []event
	model  *script.Server
}

func (s *story) section(name, text string) {
	t := s.t
	switch name {
	case "as":
		s.token = map[string]string{"admin": s.org.Admin.Token, "manager": s.org.Manager.Token,
			"viewer": s.org.Viewer.Token}[text]
	case "world":
		localtest.Script(t, localtest.Stack(t), s.fill(text))
	case "client":
		s.plain = text == "text only"
	case "user":
		s.play()
		s.user = text
	case "model":
		steps, err := script.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		s.steps = steps
	case "answer":
		s.expect("answer", text, func(r turnResult) string {
			return fmt.Sprintf("%s %s %s", cmp.Or(r.answer.Agent, "-"), r.answer.Finish, r.answer.Path)
		})
	case "reply":
		s.expect("reply", text, func(r turnResult) string { return strings.TrimSpace(shortTables(r.answer.Reply)) })
	case "events":
		s.expect("events", text, func(r turnResult) string { return names(r.events) })
	case "rows":
		query, want, _ := strings.Cut(text, "\n=>")
		s.expect("rows", strings.TrimSpace(want), func(turnResult) string { return rows(t, s.fill(query)) })
	case "asked":
		s.expect("asked", text, func(r turnResult) string { return lastPrompt(r.model) })
	case "heard":
		s.expect("last message", text, func(r turnResult) string {
			list := strings.Split(lastPrompt(r.model), "\n")
			return list[len(list)-1]
		})
	default:
		t.Fatalf("a story has no section %q", name)
	}
}

func (s *story) fill(sql string) string {
	return strings.NewReplacer("$org", "'"+s.org.ID+"'", "$entity", "'"+s.org.Entity.ID+"'").Replace(sql)
}

func (s *story) expect(what, want string, got func(turnResult) string) {
	user := s.user
	s.checks = append(s.checks, func(r turnResult) {
		s.t.Helper()
		if g := got(r); g != want {
			s.t.Errorf("after %q the %s is\n%s\nwant\n%s", user, what, g, want)
		}
	})
}

// play sends the turn that the last sections describe and checks what came.
func (s *story) play() {
	if s.user == "" {
		return
	}
	t := s.t
	d := open(t, s.steps...)
	body := map[string]any{"id": s.thread, "turn": uuid.NewString()}
	if decision, ok := strings.CutPrefix(s.user, "confirm: "); ok {
		body["confirm"] = map[string]any{"id": s.proposal, "decision": decision}
	} else {
		s.messages = append(s.messages, map[string]any{"role": "user", "content": s.user})
	}
	body["messages"] = s.messages
	resp, raw := d.post(t, "/api/chat", s.token, "text/event-stream", body)
	if resp.StatusCode != http.StatusOK {
		t.Fatalf("after %q the status is %d: %s", s.user, resp.StatusCode, raw)
	}
	r := turnResult{events: events(t, raw), model: d.model}
	last := r.events[len(r.events)-1]
	if last.name != stream.Complete {
		t.Fatalf("after %q the stream ends in %s %v", s.user, last.name, last.data)
	}
	data, err := json.Marshal(last.data)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &r.answer); err != nil {
		t.Fatal(err)
	}
	s.invariants(r, raw)
	for _, check := range s.checks {
		check(r)
	}
	if v := d.model.Violations(); len(v) > 0 {
		t.Errorf("after %q the model was sent an invalid list: %v", s.user, v)
	}
	next := map[string]any{"role": "assistant", "content": r.answer.Message.Content}
	if !s.plain {
		next["seal"] = r.answer.Message.Seal
	}
	if r.answer.Confirmation != nil {
		s.proposal = r.answer.Confirmation.ID
	}
	s.messages = append(s.messages, next)
	s.user, s.steps, s.checks = "", nil, nil
}

var uuidShape = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`)

// invariants hold after every turn of every story.
func (s *story) invariants(r turnResult, raw []byte) {
	t := s.t
	// S2-13: the grammar's frame, and text ≡ reply.
	if r.events[0].name != stream.Connected || r.events[1].name != stream.Understanding {
		t.Errorf("the stream begins with %s, %s", r.events[0].name, r.events[1].name)
	}
	var text strings.Builder
	for i, e := range r.events {
		if e.name == "response_chunk" {
			text.WriteString(e.data["text"].(string))
		}
		if (e.name == stream.Complete || e.name == stream.Failure) && i != len(r.events)-1 {
			t.Errorf("%s is not the last event", e.name)
		}
		if e.id == "" || strings.Count(e.id, ".") < 2 {
			t.Errorf("the event %s has the id %q", e.name, e.id)
		}
	}
	if text.String() != r.answer.Reply || r.answer.Reply != r.answer.Message.Content {
		t.Errorf("the chunks make %q, the reply is %q", text.String(), r.answer.Reply)
	}
	// S2-29: no internal id of ours in anything that people read.
	for _, id := range []string{s.org.ID, s.org.Entity.ID, s.org.Manager.ID} {
		if bytes.Contains(raw, []byte(id)) {
			t.Errorf("the stream holds the internal id %s", id)
		}
	}
	if found := uuidShape.FindString(r.answer.Reply); found != "" {
		t.Errorf("the reply holds the id %s", found)
	}
}

var tableShape = regexp.MustCompile(`<table.*?</table>`)

var cellShape = regexp.MustCompile(`<t[hd](?: [^>]*)?>(.*?)</t[hd]>`)

// shortTables writes tables as lines of cells, so that a story can be read.
func shortTables(reply string) string {
	reply = tableShape.ReplaceAllStringFunc(reply, func(table string) string {
		var lines []string
		for row := range strings.SplitSeq(table, "</tr>") {
			var cells []string
			for _, c := range cellShape.FindAllStringSubmatch(row, -1) {
				cells = append(cells, c[1])
			}
			if len(cells) > 0 {
				lines = append(lines, "| "+strings.Join(cells, " | ")+" |")
			}
		}
		return strings.Join(lines, "\n")
	})
	return regexp.MustCompile(`\n{3,}`).ReplaceAllString(reply, "\n\n")
}

func names(list []event) string {
	var out []string
	for _, e := range list {
		if len(out) == 0 || out[len(out)-1] != e.name {
			out = append(out, e.name)
		}
	}
	return strings.Join(out, "\n")
}

func rows(t *testing.T, query string) string {
	t.Helper()
	var out []string
	for _, row := range localtest.SQL(t, query) {
		var cells []string
		for _, k := range slices.Sorted(maps.Keys(row)) {
			cells = append(cells, fmt.Sprintf("%s=%v", k, row[k]))
		}
		out = append(out, strings.Join(cells, " "))
	}
	return strings.Join(out, "\n")
}

// lastPrompt writes the last request's messages after the system's.
func lastPrompt(m *script.Server) string {
	requests := m.Requests()
	if len(requests) == 0 {
		return "nothing"
	}
	var out []string
	for _, msg := range requests[len(requests)-1].Messages {
		if msg.Role == "system" {
			continue
		}
		line := msg.Role + ": " + strings.ReplaceAll(msg.Content, "\n", " ⏎ ")
		for _, c := range msg.ToolCalls {
			line = strings.TrimRight(line, " ") + " [" + c.Name + " " + c.Arguments + "]"
		}
		out = append(out, strings.TrimSpace(line))
	}
	return strings.Join(out, "\n")
}
