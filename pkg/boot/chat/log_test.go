package chat_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"github.com/bellhop-ai/bellhop/infra/local/localtest"
	"github.com/bellhop-ai/bellhop/infra/local/model/script"
	"github.com/bellhop-ai/bellhop/pkg/boot"
	"github.com/bellhop-ai/bellhop/pkg/boot/backend"
	"github.com/bellhop-ai/bellhop/pkg/boot/chat"
	"github.com/bellhop-ai/bellhop/pkg/boot/tools"
	"github.com/bellhop-ai/bellhop/pkg/httpx"
)

// planted are forty kinds of what must never be in a log.
func planted() map[string]string {
	return map[string]string{
		"OpenAI key": "sk-proj-Zq81LmN0pTrX5vY2wK9d", "Anthropic key": "sk-ant-api03-Rk2Lm9QzXw",
		"AWS key":    "AKIAZ7QX4PLMN2VB8T3C",
		"AWS secret": "wJq7rXUtnFEMIzK7MDENGzbPxRfiCYzEXAMPLEKQ", "Google key": "AIzaSyD9q2WxLmN7pTzR4vYk",
		"GitHub token": "ghp_9QmZx2LkWv7RtYp4Ns",
		"Slack token":  "xoxb-81726354-QzLmXw", "Stripe key": "sk_live_51QzXwLmNpRtVk",
		"secret key": "sb_secret_QmX81zLwPk92", "Twilio SID": "AC9f81c2d7e6b5a4f3",
		"SendGrid key": "SG.QzLmXwPk.81TrNvYs", "private key": "-----BEGIN PRIVATE KEY----- MIGHQzLm",
		"SSH key": "ssh-ed25519 AAAAC3QzLmXw", "PGP block": "-----BEGIN PGP MESSAGE----- hQEMQz",
		"JWT": "eyJhbGciOiJub25lIn0.eyJzdWIiOiJxeiJ9.QzLm", "session cookie": "sid=QzLmXw81Pk",
		"basic credentials": "Basic cXo6bG14dzgx", "password": "Tr0ub4dor&QzLm",
		"connection string": "postgres://qz:lmxw@db.qz.test/main",
		"signed address":    "https://files.qz.test/a?X-Amz-Signature=81c2d7",
		"IBAN":              "DE89370400440532013000", "BIC": "QZLMDEFFXXX", "Visa card": "4111111111111111",
		"Amex card": "378282246310005", "spaced card": "5500 0055 5555 5559",
		"card code": "CVV 8172", "US account": "routing 021000021", "UPI": "qzlm@okaxis",
		"bitcoin":  "1BoatSLRHtKNngkdXEeobR76b53LETtpyT",
		"passport": "K8172635", "Aadhaar": "2345 6789 0123", "PAN of India": "ABCPQ1234Z", "US SSN": "078-05-1120",
		"UK NI": "QQ123456C", "driver's licence": "DL-0420110149646",
		"e-mail": "asha.qzlm@example.test", "phone": "+91 98765 43210", "address": "81 Qzlm Lane",
		"birthday": "born 29-Feb-1988", "name": "Asha Qzlmwick",
	}
}

// safeBuffer is a log that many requests write.
type safeBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (s *safeBuffer) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(p)
}

func (s *safeBuffer) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.String()
}

// logged starts both handlers with a log that is kept, at its most talkative.
func logged(t *testing.T, model string) (address string, log *safeBuffer) {
	t.Helper()
	project := localtest.Stack(t)
	env := map[string]string{"OPENAI_BASE_URL": model, "OPENAI_API_KEY": "local", "OPENAI_PROFILE": "openai",
		"SEAL_KEYS": "k1:AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="}
	log = new(safeBuffer)
	s := &boot.Service{Name: "server", Log: zerolog.New(log).Level(zerolog.TraceLevel), Now: time.Now,
		Leaving: t.Context(),
		Env:     func(name string) (string, bool) { v, ok := env[name]; return v, ok }}
	s.SupabaseURL, s.PublishableKey, s.JWKS = project.URL(), project.Keys().Publishable, string(project.JWKS())
	s.ProofKeys = project.ProofKeys()
	b, err := backend.NewSealed(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	chatHandler, err := chat.New(t.Context(), b)
	if err != nil {
		t.Fatal(err)
	}
	direct, err := tools.New(t.Context(), b)
	if err != nil {
		t.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.Handle("/api/chat", chatHandler)
	mux.Handle("/api/chat/", chatHandler)
	mux.Handle("/api/tools/", direct)
	mux.Handle("/api/confirmations/", direct)
	server := httptest.NewServer(httpx.Wrap(mux, httpx.Config{Log: s.Log, NewID: s.NewID, Now: s.Now}))
	t.Cleanup(server.Close)
	return server.URL, log
}

// Forty kinds of secrets and of what identifies people, sent through every
// member, address and header, echoed by the model and by its errors, stored and
// refused by the database: none of them is in the log.
func TestTheLogHoldsNothingOfWhatPeopleSay(t *testing.T) {
	t.Parallel()
	secrets := planted()
	if len(secrets) != 40 {
		t.Fatalf("%d kinds are planted", len(secrets))
	}
	all := strings.Join(slices.Sorted(maps.Values(secrets)), " | ")
	quotedAll, err := json.Marshal(all)
	if err != nil {
		t.Fatal(err)
	}
	call := func(name, form string) script.Call {
		return script.Call{Name: name, Arguments: fmt.Sprintf(form, quotedAll)}
	}
	failure := func(status int) script.Step {
		return script.Step{When: script.FromRouter,
			Fault: script.Status(status, http.Header{"X-Request-Id": {secrets["AWS key"]}},
				fmt.Sprintf(`{"error":{"message":%s,"type":%s,"code":%s}}`, quotedAll, quotedAll, quotedAll))}
	}
	model := script.Start(t,
		failure(400), failure(401), failure(404), failure(422),
		script.Step{When: script.FromRouter, Text: all}, script.Step{Text: all}, // no greeting, so an agent answers
		script.Route("inventory"),
		script.Step{Calls: []script.Call{call("create_extra", `{"name":%s,"price":"x","per":%[1]s}`),
			call("no such tool", `{"a":%s}`), call("search_reservations", `{"guest_name":%s}`),
			{Name: "list_extras", Arguments: all}}},
		script.Step{Text: "I have added " + all},
	)
	address, log := logged(t, model.URL)
	org := localtest.NewOrg(t)
	send := func(method, path, token, body string, header map[string]string) {
		t.Helper()
		r, err := http.NewRequestWithContext(context.Background(), method, address+path, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Authorization", "Bearer "+token)
		for k, v := range header {
			r.Header.Set(k, v)
		}
		resp, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		if _, err := io.Copy(io.Discard, resp.Body); err != nil {
			t.Fatal(err)
		}
	}
	token := org.Manager.Token
	said := fmt.Sprintf(`{"messages":[{"role":"user","content":%s}]}`, quotedAll)
	for range 6 {
		send("POST", "/api/chat", token, said, map[string]string{"Accept": "text/event-stream",
			"Cookie": secrets["session cookie"], "User-Agent": secrets["e-mail"]})
	}
	for kind, secret := range secrets {
		quoted, err := json.Marshal(secret)
		if err != nil {
			t.Fatal(err)
		}
		in := url.PathEscape(secret)
		for _, path := range []string{"/api/chat/" + in, "/" + in, "/api/chat/hospitality/" + in + "/stop",
			"/api/tools/" + in + "/x", "/api/tools/hospitality/" + in,
			"/api/tools/hospitality/list_extras?entityId=" + url.QueryEscape(secret), "/api/confirmations/" + in} {
			send("POST", path, token, `{"decision":"approve"}`, nil)
		}
		send("POST", "/api/chat", secret, said, nil)
		send("POST", "/api/chat", token, fmt.Sprintf(`{"confirm":{"id":%s,"decision":%[1]s}}`, quoted),
			map[string]string{"Idempotency-Key": secret, "Origin": "https://" + strings.ReplaceAll(in, "%", "")})
		send("POST", "/api/chat", token, fmt.Sprintf(`{"id":%s,"turn":%[1]s,"agent":%[1]s,"entityId":%[1]s,`+
			`"messages":[{"role":%[1]s,"content":%[1]s}]}`, quoted), nil)
		send("POST", "/api/chat", token, `{"messages":[`+string(quoted), nil)
		for _, name := range []string{"create_extra", "search_reservations", "check_availability",
			"get_room_type_details", "block_dates"} {
			send("POST", "/api/tools/hospitality/"+name, token,
				fmt.Sprintf(`{"name":%s,"price":12,"per":"stay","guest_name":%[1]s,"check_in":%[1]s,`+
					`"check_out":%[1]s,"room":%[1]s,"room_type":%[1]s,"code":%[1]s}`, quoted), nil)
			send("POST", "/api/tools/hospitality/"+name, token, fmt.Sprintf(`{"name":%s,"price":12,"per":"stay"}`,
				quoted), nil)
		}
		if strings.Contains(log.String(), secret) {
			t.Errorf("%s: it is in the log", kind)
		}
	}
	text := log.String()
	if n := strings.Count(text, `"message":"request"`); n < 40*20 {
		t.Errorf("only %d requests were logged", n)
	}
	for kind, secret := range secrets {
		for _, form := range []string{secret, url.PathEscape(secret), url.QueryEscape(secret)} {
			if i := strings.Index(text, form); i >= 0 {
				from := strings.LastIndex(text[:i], "\n") + 1
				t.Errorf("%s: %q is in the log: %.600s", kind, form, text[from:])
				break
			}
		}
	}
	for _, field := range fields(t, text) {
		if !slices.Contains(allowed(), field) {
			t.Errorf("the log has a field %q that nobody allowed", field)
		}
	}
}

// allowed are all fields that a log line may have.
func allowed() []string {
	return []string{"level", "message", "time", "service", "request_id", "method", "path", "status", "bytes", "took",
		"code", "cause", "tool", "attempt", "again",
		"effect", "found", "known"}
}

func fields(t *testing.T, text string) []string {
	t.Helper()
	seen := map[string]bool{}
	for line := range strings.Lines(text) {
		var l map[string]any
		if err := json.Unmarshal([]byte(line), &l); err != nil {
			t.Fatalf("a line is no JSON: %s", line)
		}
		for k := range l {
			seen[k] = true
		}
	}
	return slices.Sorted(maps.Keys(seen))
}
