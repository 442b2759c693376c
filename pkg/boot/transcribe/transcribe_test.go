package transcribe_test

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"io"
	"math"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/rs/zerolog"

	"github.com/bellhop-ai/bellhop/infra/local/localtest"
	"github.com/bellhop-ai/bellhop/infra/local/model"
	"github.com/bellhop-ai/bellhop/pkg/boot"
	"github.com/bellhop-ai/bellhop/pkg/boot/core"
	"github.com/bellhop-ai/bellhop/pkg/boot/transcribe"
	"github.com/bellhop-ai/bellhop/pkg/httpx"
)

func TestMain(m *testing.M) { localtest.Main(m) }

// open is the real function on the real stack, with the stand-in for a model.
func open(t *testing.T, name string) string {
	t.Helper()
	stack := localtest.Stack(t)
	ears := httptest.NewServer(model.New(model.Config{}))
	t.Cleanup(ears.Close)
	env := map[string]string{"OPENAI_BASE_URL": ears.URL + "/v1", "MOCK_OPENAI": "true", "TRANSCRIBE_MODEL": name}
	s := &boot.Service{Name: "transcribe", Now: time.Now, Log: zerolog.Nop(), Env: func(name string) (string,
		bool) {
		v, ok := env[name]
		return v, ok
	}}
	s.SupabaseURL, s.PublishableKey, s.JWKS = stack.URL(), stack.Keys().Publishable, string(stack.JWKS())
	s.ProofKeys = stack.ProofKeys()
	c, err := core.New(s)
	if err != nil {
		t.Fatal(err)
	}
	h, err := transcribe.New(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(httpx.Wrap(h, httpx.Config{Log: s.Log, NewID: uuid.NewString, Now: time.Now,
		Timeout: time.Minute}))
	t.Cleanup(server.Close)
	return server.URL + "/api/transcribe"
}

// tone is a second of 440 Hz as WAV with 8,000 samples of 16 bits.
func tone() []byte {
	var b bytes.Buffer
	b.WriteString("RIFF")
	_ = binary.Write(&b, binary.LittleEndian, uint32(36+16_000))
	b.WriteString("WAVEfmt ")
	_ = binary.Write(&b, binary.LittleEndian, struct {
		Size          uint32
		Tag, Channels uint16
		Rate, Bytes   uint32
		Align, Bits   uint16
	}{16, 1, 1, 8000, 16_000, 2, 16})
	b.WriteString("data")
	_ = binary.Write(&b, binary.LittleEndian, uint32(16_000))
	for i := range 8000 {
		_ = binary.Write(&b, binary.LittleEndian, int16(9000*math.Sin(2*math.Pi*440*float64(i)/8000)))
	}
	return b.Bytes()
}

func post(t *testing.T, url, token string) (int, string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, bytes.NewReader(tone()))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "audio/wav")
	r.Header.Set("Authorization", "Bearer "+token)
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

// S2-64: the function on the stack of a laptop, where a stand-in says that it
// cannot hear, as models of both families answer.
func TestAPersonOfTheProjectIsHeard(t *testing.T) {
	t.Parallel()
	org := localtest.NewOrg(t)
	const text = "This is the built-in stand-in, which cannot hear. It received a recording in wav of 16044 bytes " +
		"and 1.0 seconds. Please type instead."
	for _, name := range []string{"gpt-4o-mini-transcribe", "whisper-1"} {
		url := open(t, name)
		status, raw := post(t, url, org.Viewer.Token)
		var got struct {
			Text, Source, Model string
			Duration            float64
		}
		if err := json.Unmarshal([]byte(raw), &got); err != nil || status != 200 || got.Text != text ||
			got.Source != "speech" || got.Duration != 1 || got.Model != name {
			t.Errorf("%s: %d %s", name, status, raw)
		}
		status, raw = post(t, url+"?stream=true", org.Viewer.Token)
		if status != 200 || strings.Count(raw, "event: complete\n") != 1 ||
			!strings.Contains(raw, "event: transcript_chunk\n") {
			t.Errorf("%s, streamed: %d %s", name, status, raw)
		}
		if status, raw = post(t, url, "nobody"); status != 401 {
			t.Errorf("a stranger: %d %s", status, raw)
		}
	}
}

// F-56: recordings have a rate of their own, and count against the budget.
func TestRecordingsAreBounded(t *testing.T) {
	t.Parallel()
	org, url := localtest.NewOrg(t), open(t, "whisper-1")
	localtest.SQL(t, `insert into public.rate_limits (org_id, door, per_user, per_org) values ($1, 'transcribe', 1,
		0)`, org.ID)
	localtest.SQL(t, `insert into public.budgets (org_id, period, tokens) values ($1, 'day', 150)`, org.ID)
	if status, raw := post(t, url, org.Manager.Token); status != 200 {
		t.Fatalf("the first: %d %s", status, raw)
	}
	// One second at ten tokens.
	if rows := localtest.SQL(t, `select tokens from public.budget_use where org_id = $1`, org.ID); len(rows) != 1 ||
		rows[0]["tokens"] != int64(10) {
		t.Errorf("the budget has %v", rows)
	}
	if status, raw := post(t, url, org.Manager.Token); status != 429 || !strings.Contains(raw, "user_rate_limited") {
		t.Errorf("the second: %d %s", status, raw)
	}
	localtest.SQL(t, `update public.budgets set tokens = 100 where org_id = $1`, org.ID)
	if status, raw := post(t, url, org.Admin.Token); status != 429 || !strings.Contains(raw, "budget_exhausted") {
		t.Errorf("without room: %d %s", status, raw)
	}
}
