package chat_test

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"

	"github.com/bellhop-ai/bellhop/infra/local/localtest"
	"github.com/bellhop-ai/bellhop/infra/local/model/script"
)

// A turn that was asked for in one form is read again in every other, alike while it
// runs, from another process, and after its end.
func TestAnAnswerIsReadAgainInAnotherForm(t *testing.T) {
	t.Parallel()
	const tell = "Tell a story"
	thread := uuid.NewString
	parts := map[string]any{"id": "u1", "role": "user", "parts": []any{map[string]any{"type": "text", "text": tell}}}
	asked := map[string]struct {
		accept string
		body   func(thread, turn string) map[string]any
	}{
		"events": {"text/event-stream", func(thread, turn string) map[string]any {
			return map[string]any{"id": thread, "turn": turn, "messages": []any{user(tell)}}
		}},
		"text": {"text/plain", func(thread, turn string) map[string]any {
			return map[string]any{"id": thread, "turn": turn, "messages": []any{user(tell)}}
		}},
		"the AI SDK's": {"*/*", func(thread, turn string) map[string]any {
			return map[string]any{"id": thread, "turn": turn, "messages": []any{parts}}
		}},
		"AG-UI": {"text/event-stream", func(thread, turn string) map[string]any {
			return map[string]any{"threadId": thread, "runId": turn, "messages": []any{map[string]any{"id": "u1",
				"role": "user", "content": tell}}, "forwardedProps": map[string]any{"resumable": true}}
		}},
	}
	wanted := map[string][]string{ // what the whole answer has once, in order
		"text/event-stream": {"event: connected", "event: tool_result", "event: part", "cabins", "event: complete"},
		"text/plain":        {"Here: ", "Picnic", "Once upon a time there was a hotel with cabins."},
		"*/*": {`"type":"start"`, `"type":"tool-output-available"`, `"type":"data-table"`, "cabins", `"type":"finish"`,
			"data: [DONE]"},
		"AG-UI": {`"type":"RUN_STARTED"`, `"type":"TOOL_CALL_RESULT"`, `"name":"part"`, "cabins",
			`"type":"RUN_FINISHED"`},
	}
	name := map[string]string{"text/event-stream": "?turn=", "text/plain": "?turn=", "*/*": "?turn=",
		"AG-UI": "?runId="}
	for form, ask := range asked {
		t.Run(form, func(t *testing.T) {
			t.Parallel()
			project, org := localtest.Stack(t), localtest.NewOrg(t)
			localtest.SQL(t, `insert into public.extras (org_id, entity_id, name, price) values ($1, $2, 'Picnic',
				20)`,
				org.ID, org.Entity.ID)
			hold := make(chan struct{})
			d := openOn(t, project, script.Route("inventory"),
				script.Step{Calls: []script.Call{{Name: "list_extras"}}},
				script.Step{Text: "Here: [[table:t2a]]\n\nOnce upon a time there was a hotel with cabins.", Hold: hold,
					HoldAfter: 3})
			elsewhere := openOn(t, project)
			id, turn, token := thread(), uuid.NewString(), org.Manager.Token
			path := "/api/chat/hospitality/" + id + "/stream"
			body := ask.body(id, turn)
			if form != "AG-UI" {
				body["resumable"] = true
			}
			raw, err := json.Marshal(body)
			fatal(t, err)
			reading, leave := context.WithCancel(t.Context())
			defer leave()
			r, err := http.NewRequestWithContext(reading, http.MethodPost, d.url+"/api/chat/hospitality",
				strings.NewReader(string(raw)))
			fatal(t, err)
			for header, value := range map[string]string{"Authorization": "Bearer " + token, "Accept": ask.accept,
				"Content-Type": "application/json"} {
				r.Header.Set(header, value)
			}
			first, err := http.DefaultClient.Do(r)
			fatal(t, err)
			answer := bufio.NewReader(first.Body)
			_, err = answer.ReadString('H')
			fatal(t, err)

			var here, there = map[string]*http.Response{}, map[string]*http.Response{}
			for accept := range wanted {
				address := path
				if accept == "AG-UI" {
					address += name[accept] + turn
				}
				here[accept], there[accept] = d.get(t, address, token, accept), elsewhere.get(t, address, token,
					accept)
			}
			close(hold)
			sent, err := io.ReadAll(answer)
			fatal(t, err)
			for accept, has := range wanted {
				read := without(whole(t, here[accept]))
				rest := read
				for _, piece := range has {
					before, after, found := strings.Cut(rest, piece)
					if !found {
						t.Fatalf("as %s there is no %q in %q of %q", accept, piece, before, read)
					}
					rest = after
				}
				if got := without(whole(t, there[accept])); got != read {
					t.Errorf("as %s it reads from another process %q, want %q", accept, got, read)
				}
				if got := whole(t, elsewhere.get(t, path+name[accept]+turn, token, accept)); got != read {
					t.Errorf("as %s it reads by its name %q, want %q", accept, got, read)
				}
				if (accept == form || accept == ask.accept && form != "AG-UI") &&
					!strings.HasSuffix(read, string(sent)) {
					t.Errorf("as it was asked for it reads %q, want %q", read, sent)
				}
			}
			// The request that is sent again gets what it got, and nothing beside it.
			_, again := d.post(t, "/api/chat/hospitality", token, ask.accept, json.RawMessage(raw))
			if !strings.HasSuffix(without(string(again)), without(string(sent))) ||
				strings.Contains(string(again), "\x1e") {
				t.Errorf("sent again it reads %q, want %q", again, sent)
			}
		})
	}
}

// A client that knows the last event it got goes on after it, with the request or
// without, and hears that there is nothing more.
func TestANativeStreamGoesOnAfterAnEvent(t *testing.T) {
	t.Parallel()
	org := localtest.NewOrg(t)
	d := open(t, script.Step{When: script.FromRouter, Text: "Hello."})
	id, turn := uuid.NewString(), uuid.NewString()
	body := map[string]any{"id": id, "turn": turn, "resumable": true, "messages": []any{user("hello")}}
	_, raw := d.post(t, "/api/chat", org.Manager.Token, "text/event-stream", body)
	frames := strings.SplitAfter(string(raw), "\n\n")
	frames = frames[:len(frames)-1]
	last := func(frame string) string {
		first, _, _ := strings.Cut(frame, "\n")
		return strings.TrimPrefix(first, "id: ")
	}
	ask := func(method, path, after string, sent any) (int, string) {
		var content io.Reader = http.NoBody
		if sent != nil {
			b, err := json.Marshal(sent)
			fatal(t, err)
			content = strings.NewReader(string(b))
		}
		r, err := http.NewRequestWithContext(t.Context(), method, d.url+path, content)
		fatal(t, err)
		for header, value := range map[string]string{"Authorization": "Bearer " + org.Manager.Token,
			"Accept": "text/event-stream", "Content-Type": "application/json", "Last-Event-ID": after} {
			r.Header.Set(header, value)
		}
		resp, err := http.DefaultClient.Do(r)
		fatal(t, err)
		defer func() { _ = resp.Body.Close() }()
		text, err := io.ReadAll(resp.Body)
		fatal(t, err)
		return resp.StatusCode, string(text)
	}
	path := "/api/chat/hospitality/" + id + "/stream"
	for i, frame := range frames {
		want, status := strings.Join(frames[i+1:], ""), http.StatusOK
		if want == "" {
			status = http.StatusNoContent
		}
		if got, text := ask("GET", path, last(frame), nil); got != status || text != want {
			t.Errorf("after event %d of %d it answers %d %q, want %d %q", i+1, len(frames), got, text, status, want)
		}
		if got, text := ask("POST", "/api/chat", last(frame), body); got != http.StatusOK || text != want {
			t.Errorf("sent again after event %d it answers %d %q, want %q", i+1, got, text, want)
		}
	}
	if got, text := ask("POST", "/api/chat", "another.0.1", body); got != http.StatusOK || text != string(raw) {
		t.Errorf("after another turn's event it answers %d %q", got, text)
	}
	if got, text := ask("GET", path, "another.0.1", nil); got != http.StatusNoContent || text != "" {
		t.Errorf("another turn's event is answered with %d %q", got, text)
	}
}

// A turn that goes on without its reader ends in the middle of a text when it is
// stopped after the reader left, or before.
func TestATurnWithoutAReaderIsStoppedAtOnce(t *testing.T) {
	t.Parallel()
	org := localtest.NewOrg(t)
	for _, first := range []string{"stop", "leave"} {
		never := make(chan struct{})
		d := open(t, script.Route("inventory"), script.Step{Text: "Once upon a time there was a hotel.", Hold: never,
			HoldAfter: 3})
		id := uuid.NewString()
		raw, err := json.Marshal(map[string]any{"id": id, "turn": uuid.NewString(), "resumable": true,
			"messages": []any{user("Tell a story")}})
		fatal(t, err)
		reading, leave := context.WithCancel(t.Context())
		r, err := http.NewRequestWithContext(reading, http.MethodPost, d.url+"/api/chat/hospitality",
			strings.NewReader(string(raw)))
		fatal(t, err)
		r.Header.Set("Authorization", "Bearer "+org.Manager.Token)
		r.Header.Set("Accept", "text/event-stream")
		resp, err := http.DefaultClient.Do(r)
		fatal(t, err)
		lines := bufio.NewScanner(resp.Body)
		for lines.Scan() && !strings.Contains(lines.Text(), "response_chunk") {
			continue
		}
		path := "/api/chat/hospitality/" + id
		follows := d.get(t, path+"/stream", org.Manager.Token, "text/event-stream")
		stop := func() { d.post(t, path+"/stop", org.Manager.Token, "", map[string]any{}) }
		steps := []func(){stop, leave}
		if first == "leave" {
			slices.Reverse(steps)
		}
		for _, step := range steps {
			step()
		}
		// The one who reads along sees the end.
		if got := without(whole(t, follows)); !strings.Contains(got, "response_chunk") ||
			strings.Contains(got, "event: complete") {
			t.Errorf("%s first: it reads %s", first, got)
		}
		_ = resp.Body.Close()
	}
}
