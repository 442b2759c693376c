package transcribe_test

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/rs/zerolog"

	"github.com/bellhop-ai/bellhop/infra/local/localtest"
	"github.com/bellhop-ai/bellhop/pkg/boot"
	"github.com/bellhop-ai/bellhop/pkg/boot/core"
	"github.com/bellhop-ai/bellhop/pkg/boot/uploads"
	"github.com/bellhop-ai/bellhop/pkg/httpx"
)

// long is as many seconds of the tone.
func long(seconds int) []byte {
	one := tone()
	out := append(one[:44:44], bytes.Repeat(one[44:], seconds)...)
	binary.LittleEndian.PutUint32(out[4:], uint32(len(out)-8))
	binary.LittleEndian.PutUint32(out[40:], uint32(len(out)-44))
	return out
}

// request sends a body and returns the status and the answer.
func request(t *testing.T, method, url, token, kind string, body []byte) (int, string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, url, bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", kind)
	if token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	raw, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return res.StatusCode, string(raw)
}

// S2-64: a recording that is too large for a platform's bodies goes to the file
// store, and its id to the endpoint.
func TestALargeRecordingIsUploadedFirst(t *testing.T) {
	t.Parallel()
	stack, org := localtest.Stack(t), localtest.NewOrg(t)
	ears := open(t, "gpt-4o-mini-transcribe")
	s := &boot.Service{Name: "uploads", Now: time.Now, Log: zerolog.Nop()}
	s.SupabaseURL, s.PublishableKey, s.JWKS = stack.URL(), stack.Keys().Publishable, string(stack.JWKS())
	s.ProofKeys = stack.ProofKeys()
	c, err := core.New(s)
	if err != nil {
		t.Fatal(err)
	}
	h, err := uploads.New(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	door := httptest.NewServer(httpx.Wrap(h, httpx.Config{Log: s.Log, NewID: uuid.NewString, Now: time.Now,
		Timeout: time.Minute}))
	t.Cleanup(door.Close)
	sent := func(name string, content []byte) string {
		var begun struct{ ID, UploadURL string }
		status, raw := request(t, "POST", door.URL+"/api/uploads", org.Viewer.Token, "application/json",
			[]byte(`{"name":"`+name+`","size":9}`))
		if err := json.Unmarshal([]byte(raw), &begun); err != nil || status != 201 {
			t.Fatalf("%d %s", status, raw)
		}
		if status, raw = request(t, "PUT", begun.UploadURL, "", "application/octet-stream", content); status != 200 {
			t.Fatalf("%d %s", status, raw)
		}
		return begun.ID
	}
	heard := func(token, body string) (int, string) {
		return request(t, "POST", ears, token, "application/json", []byte(body))
	}
	talk := long(500) // 8 MB
	id := sent("talk.wav", talk)
	status, raw := heard(org.Viewer.Token, `{"upload":"`+id+`","language":"en"}`)
	if status != 200 || !strings.Contains(raw, "recording in wav of 8000044 bytes and 500.0 seconds") ||
		!strings.Contains(raw, `"language":"en"`) {
		t.Errorf("%d %s", status, raw)
	}
	if status, raw = heard(org.Viewer.Token, `{"upload":"`+id+`","stream":true}`); status != 200 ||
		strings.Count(raw, "event: complete\n") != 1 {
		t.Errorf("streamed: %d %s", status, raw)
	}
	for name, tc := range map[string]struct {
		token, body string
		status      int
		says        string
	}{
		"somebody else's": {org.Admin.Token, `{"upload":"` + id + `"}`, 404, "no_such_file"},
		"no id of ours":   {org.Viewer.Token, `{"upload":"../x"}`, 404, "no_such_file"},
		"nothing":         {org.Viewer.Token, `{}`, 404, "no_such_file"},
		"a text": {org.Viewer.Token, `{"upload":"` + sent("a.txt", []byte("Words")) + `"}`, 422,
			"“a.txt” is no recording."},
		"longer than ten": {org.Viewer.Token, `{"upload":"` + sent("b.wav", long(601)) + `"}`, 422,
			"longer than 10 minutes"},
		"cut off": {org.Viewer.Token, `{"upload":"` + sent("c.wav", talk[:4000]) + `"}`, 422, "cut off"},
		"an unknown member": {org.Viewer.Token, `{"upload":"` + id + `","response_format":"docx"}`, 400,
			"response_format"},
		"a number for an id": {org.Viewer.Token, `{"upload":7}`, 400, "invalid"},
	} {
		if status, raw := heard(tc.token, tc.body); status != tc.status || !strings.Contains(raw, tc.says) {
			t.Errorf("%s: %d %s", name, status, raw)
		}
	}
}
