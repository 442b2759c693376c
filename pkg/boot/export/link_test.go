package export_test

import (
	"bytes"
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
	"github.com/bellhop-ai/bellhop/pkg/boot/backend"
	"github.com/bellhop-ai/bellhop/pkg/boot/export"
	"github.com/bellhop-ai/bellhop/pkg/httpx"
)

func TestMain(m *testing.M) { localtest.Main(m) }

// open is the real function on the real stack.
func open(t *testing.T) string {
	t.Helper()
	stack := localtest.Stack(t)
	env := map[string]string{"SEAL_KEYS": stack.SealKeys()}
	s := &boot.Service{Name: "export", Now: time.Now, Log: zerolog.Nop(), Env: func(name string) (string, bool) {
		v,
			ok := env[name]
		return v, ok
	}}
	s.SupabaseURL, s.PublishableKey, s.JWKS = stack.URL(), stack.Keys().Publishable, string(stack.JWKS())
	s.ProofKeys = stack.ProofKeys()
	b, err := backend.NewSealed(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	h, err := export.New(t.Context(), b)
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(httpx.Wrap(h, httpx.Config{Log: s.Log, NewID: uuid.NewString, Now: time.Now,
		Timeout: time.Minute}))
	t.Cleanup(server.Close)
	return server.URL
}

func do(t *testing.T, method, url, token, body string) (*http.Response, []byte) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	if token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	raw, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp, raw
}

// S2-64 (export-chat): a file that is too large for an answer leaves by an
// address; it is the file that the answer would have been.
func TestAFileMayLeaveByAnAddress(t *testing.T) {
	t.Parallel()
	url, org := open(t), localtest.NewOrg(t)
	body := `{"messages":[{"role":"user","content":"What do rooms cost?"},{"role":"assistant",` +
		`"content":"They cost **120**."}]}`
	for _, format := range []string{"md", "html", "json", "csv", "xlsx", "pdf"} {
		if format == "csv" {
			continue // needs a table; below
		}
		check(t, url+"/api/export?format="+format, org, body, format)
	}
	table := `{"columns":[{"key":"room","label":"Room"}],"rows":[["COCO"]]}`
	check(t, url+"/api/export/table?format=csv", org, table, "csv")
	check(t, url+"/api/export/table?format=xlsx", org, table, "xlsx")
	if resp, raw := do(t, "POST", url+"/api/export?format=docx&link=1", org.Viewer.Token,
		body); resp.StatusCode != 400 || !bytes.Contains(raw, []byte("unknown_format")) {
		t.Errorf("%d %s", resp.StatusCode, raw)
	}
}

func check(t *testing.T, url string, org localtest.Org, body, format string) {
	t.Helper()
	_, whole := do(t, "POST", url, org.Viewer.Token, body)
	resp, raw := do(t, "POST", url+"&link=1", org.Viewer.Token, body)
	var at struct {
		URL, Name, Type string
		Size            int
		ExpiresAt       time.Time
	}
	if err := json.Unmarshal(raw, &at); err != nil || resp.StatusCode != 200 ||
		!strings.HasSuffix(at.Name, "."+format) {
		t.Fatalf("%s: %d %s", format, resp.StatusCode, raw)
	}
	if left := time.Until(at.ExpiresAt); left < 50*time.Minute || left > 61*time.Minute {
		t.Errorf("%s: the address ends in %s", format, left)
	}
	fetched, content := do(t, "GET", at.URL, "", "")
	// Some formats tell the second in which they were made.
	same := bytes.Equal(content, whole) || format == "json" || format == "xlsx" || format == "pdf"
	if fetched.StatusCode != 200 || len(content) != at.Size || !same ||
		!strings.Contains(fetched.Header.Get("Content-Disposition"), at.Name) {
		t.Errorf("%s: %d, %d of %d bytes, %s", format, fetched.StatusCode, len(content), at.Size,
			fetched.Header.Get("Content-Disposition"))
	}
}
