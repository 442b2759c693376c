package transcribe_test

import (
	"context"
	"encoding/base64"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/bellhop-ai/bellhop/infra/local/nodetest"
	"github.com/bellhop-ai/bellhop/pkg/api/transcribe"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/identity"
)

// OpenAI's JavaScript client gets transcripts in each form that there is, and reads
// why it does not get another one.
func TestOpenAIsJavaScriptClientIsGivenTranscripts(t *testing.T) {
	t.Parallel()
	const said = "Is Coco free tonight?"
	timed := open(t, verbose([3]any{said, 0.01, -0.2}), "whisper-1")
	untimed := open(t, chosen{stream: events(said).answers[0], whole: `{"text":"` + said +
		`","usage":{"type":"tokens","input_tokens":30,"output_tokens":20,"total_tokens":50}}`},
		"gpt-4o-mini-transcribe")
	nodetest.Run(t, "../chat/testdata/openai", "audio.mjs", 20, map[string]string{"url": timed.url,
		"untimed": untimed.url,
		"token":   "asha", "sound": base64.StdEncoding.EncodeToString(wav(1, 0.3))})
}

// chosen answers by whether a stream is asked for.
type chosen struct{ stream, whole string }

func (c chosen) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	kind, text := "application/json", c.whole
	if r.FormValue("stream") == "true" {
		kind, text = "text/event-stream", c.stream
	}
	w.Header().Set("Content-Type", kind)
	_, _ = io.WriteString(w, text)
}

// keyring opens a session with one key.
type keyring struct{ token string }

func (k keyring) Token(_ context.Context, key identity.Secret) (identity.Secret, error) {
	if key.Reveal() != "bellhop_good" {
		return "", fault.New(fault.Unauthorized, "This API key is not valid.").WithCode("bad_key")
	}
	return identity.Secret(k.token), nil
}

// An API key is a bearer at the address of OpenAI's form, and nowhere else.
func TestAnAPIKeyOpensTranscriptions(t *testing.T) {
	t.Parallel()
	d := open(t, says("Hello."), "gpt-4o-mini-transcribe", func(c *transcribe.Config) { c.Sessions = keyring{"asha"} })
	for name, tc := range map[string]struct {
		path, key string
		status    int
		words     string
	}{
		"a key":              {"/api/v1/audio/transcriptions", "bellhop_good", 200, `"text":"Hello."`},
		"another key":        {"/api/v1/audio/transcriptions", "bellhop_bad", 401, `"type":"authentication_error"`},
		"the native address": {"/api/transcribe", "bellhop_good", 401, `"code":"unauthorized"`},
		"translations":       {"/api/v1/audio/translations", "bellhop_good", 404, `"type":"invalid_request_error"`},
	} {
		got := d.formTo(t, tc.path, tc.key, "note.wav", wav(1, 0.3), "model", "whisper-1")
		if got.status != tc.status || !strings.Contains(got.body, tc.words) {
			t.Errorf("%s: %d %s", name, got.status, got.body)
		}
	}
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, d.url+"/api/v1/audio/transcriptions", nil)
	if err != nil {
		t.Fatal(err)
	}
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	if res.StatusCode != http.StatusMethodNotAllowed || res.Header.Get("Allow") != "POST" {
		t.Errorf("GET answers %d, Allow %q", res.StatusCode, res.Header.Get("Allow"))
	}
}

// A model that fails after the first byte is an event that clients raise.
func TestAFailureInAStreamOfOpenAIsFormIsAnError(t *testing.T) {
	t.Parallel()
	d := open(t, &provider{answers: []string{`{"error":{"message":"no"}}`}, status: []int{500}},
		"gpt-4o-mini-transcribe")
	got := d.formTo(t, "/api/v1/audio/transcriptions", "asha", "note.wav", wav(1, 0.3), "stream", "true")
	if got.status != 200 || !strings.HasPrefix(got.body, `data: {"error":{"message":"`) ||
		!strings.Contains(got.body, `"type":"server_error"`) || strings.Contains(got.body, "transcript.text.done") {
		t.Errorf("%d %s", got.status, got.body)
	}
	// A body that is no form is refused before anything else.
	if got := d.send(t, "/api/v1/audio/transcriptions", "asha", "audio/wav",
		strings.NewReader("x")); got.status != 400 ||
		!strings.Contains(got.body, `"param":"file"`) {
		t.Errorf("%d %s", got.status, got.body)
	}
}
