package chat_test

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/google/uuid"

	"github.com/bellhop-ai/bellhop/infra/local/localtest"
	"github.com/bellhop-ai/bellhop/infra/local/model/script"
)

// get asks for a thread's stream.
func (d door) get(t *testing.T, path, token, accept string) *http.Response {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, d.url+path, http.NoBody)
	fatal(t, err)
	r.Header.Set("Authorization", "Bearer "+token)
	r.Header.Set("Accept", accept)
	resp, err := http.DefaultClient.Do(r)
	fatal(t, err)
	t.Cleanup(func() { _ = resp.Body.Close() })
	return resp
}

// whole reads an answer to its end.
func whole(t *testing.T, resp *http.Response) string {
	t.Helper()
	b, err := io.ReadAll(resp.Body)
	fatal(t, err)
	return string(b)
}

// without returns a stream without the comments that keep it open.
func without(frames string) string { return strings.ReplaceAll(frames, ": still here\n\n", "") }

// A client that lost its connection in the middle of an answer reads it from the
// beginning and to its end, from the process that makes it and from another.
func TestAnAnswerIsReadAgainWhileItIsMade(t *testing.T) {
	const story = "Once upon a time there was a hotel with cabins."
	for name, form := range map[string]struct {
		accept   string
		message  any
		begins   string
		complete string
	}{
		"events": {"text/event-stream", user("Tell a story"), "event: response_chunk", "event: complete"},
		"the AI SDK's": {"*/*", map[string]any{"id": "u1", "role": "user",
			"parts": []any{map[string]any{"type": "text",
				"text": "Tell a story"}}}, `"type":"text-delta"`, `"type":"finish"`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			project, org := localtest.Stack(t), localtest.NewOrg(t)
			hold := make(chan struct{})
			d := openOn(t, project, script.Route("inventory"), script.Step{Text: story, Hold: hold, HoldAfter: 3})
			elsewhere := openOn(t, project)
			thread, turn := uuid.NewString(), uuid.NewString()
			path := "/api/chat/hospitality/" + thread + "/stream"
			token := org.Manager.Token
			if resp := d.get(t, path, token, form.accept); resp.StatusCode != http.StatusNoContent {
				t.Errorf("before the turn it answers %d", resp.StatusCode)
			}

			body, err := json.Marshal(map[string]any{"id": thread, "turn": turn, "resumable": true,
				"messages": []any{form.message}})
			fatal(t, err)
			reading, leave := context.WithCancel(t.Context())
			r, err := http.NewRequestWithContext(reading, http.MethodPost, d.url+"/api/chat/hospitality",
				strings.NewReader(string(body)))
			fatal(t, err)
			for header, value := range map[string]string{"Authorization": "Bearer " + token, "Accept": form.accept,
				"Content-Type": "application/json"} {
				r.Header.Set(header, value)
			}
			first, err := http.DefaultClient.Do(r)
			fatal(t, err)
			lines := bufio.NewScanner(first.Body)
			for lines.Scan() && !strings.Contains(lines.Text(), form.begins) {
				continue
			}
			leave()
			_ = first.Body.Close()

			here, there := d.get(t, path, token, form.accept), elsewhere.get(t, path, token, form.accept)
			if other := d.get(t, path, org.Admin.Token, form.accept); other.StatusCode != http.StatusNoContent {
				t.Errorf("another person reads %d", other.StatusCode)
			}
			close(hold)
			read := without(whole(t, here))
			if !strings.Contains(read, form.begins) || strings.Count(read, form.complete) != 1 ||
				!strings.Contains(read, "cabins") {
				t.Errorf("it reads %s", read)
			}
			if got := without(whole(t, there)); got != read {
				t.Errorf("from another process it reads %s, want %s", got, read)
			}
			// The client that knows the turn gets it for a while; for one that has the
			// answer there is nothing to go on with.
			if got := whole(t, d.get(t, path+"?turn="+turn, token, form.accept)); got != read {
				t.Errorf("by its name it reads %s, want %s", got, read)
			}
			if resp := d.get(t, path, token, form.accept); resp.StatusCode != http.StatusNoContent {
				t.Errorf("after the turn it answers %d", resp.StatusCode)
			}
			if resp := d.get(t, path+"?turn="+turn, org.Admin.Token,
				form.accept); resp.StatusCode != http.StatusNoContent {
				t.Errorf("another person gets the turn with %d", resp.StatusCode)
			}
		})
	}
}

// Without the wish to be read again a turn ends with its reader, and an odd name
// is refused.
func TestOnlyTurnsThatWantItAreReadAgain(t *testing.T) {
	t.Parallel()
	org := localtest.NewOrg(t)
	d := open(t, script.Step{When: script.FromRouter, Text: "Hello."})
	thread, turn := uuid.NewString(), uuid.NewString()
	d.post(t, "/api/chat", org.Manager.Token, "application/json", map[string]any{"id": thread, "turn": turn,
		"resumable": true, "messages": []any{user("hello")}})
	for path, want := range map[string]int{
		"hospitality/" + thread + "/stream?turn=" + turn:        http.StatusNoContent, // it was one document
		"hospitality/" + thread + "/stream?turn=a%20b":          http.StatusBadRequest,
		"hospitality/" + strings.Repeat("a", 300) + "/stream":   http.StatusBadRequest,
		"unknown/" + thread + "/stream":                         http.StatusNotFound,
		"hospitality/" + uuid.NewString() + "/stream?turn=none": http.StatusNoContent,
	} {
		if resp := d.get(t, "/api/chat/"+path, org.Manager.Token, "text/event-stream"); resp.StatusCode != want {
			t.Errorf("%s answers %d, want %d", path, resp.StatusCode, want)
		}
	}
}
