package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/rs/zerolog"

	"github.com/bellhop-ai/bellhop/infra/local/localtest"
	"github.com/bellhop-ai/bellhop/infra/local/stack"
	"github.com/bellhop-ai/bellhop/pkg/boot"
	"github.com/bellhop-ai/bellhop/pkg/httpx"
)

// sourceNames are the functions of the source, each with what its front end sends.
// A status is that of a model that refuses and of an organisation without books.
var sourceNames = []struct {
	name, method, body string
	status             int
	kind, has          string // content type and a part of the answer
}{
	{"realtime-cfo-agent", "POST", `{"query":"namaste","conversationHistory":[],"orgId":"elsewhere"}`, 200,
		"text/event-stream", "event: complete"},
	{"cfo-agent-api", "POST", `{"query":"namaste","intents":[],"businessContext":{}}`, 200, "text/event-stream",
		"event: complete"},
	{"munimji-agent", "POST", `{"query":"namaste"}`, 200, "application/json", `"reply"`},
	{"cfo-agent-mcp", "POST", `{"jsonrpc":"2.0","id":1,"method":"ping"}`, 200, "application/json", `"jsonrpc":"2.0"`},
	{"generate-intent", "POST", `{"assistant":"hospitality","name":"glimmer","agent":"pricing"}`, 502, "", `"code"`},
	{"generate-batch-intents", "POST", `{"assistant":"hospitality","intents":[]}`, 422, "", `"code"`},
	{"fetch-mcp-tools", "GET", "", 503, "", "remote_off"},
	{"fetch-mcp-tools", "POST", `{}`, 503, "", "remote_off"},
	{"test-with-mcp", "POST", `{"server":"ledger","tool":"get_bills"}`, 503, "", "remote_off"},
	{"get-conversations", "GET", "", 200, "application/json", `"conversations":[]`},
	{"get-conversations", "POST", `{"entityId":"BOOKS","limit":5}`, 200, "application/json", `"conversations":[]`},
	{"get-conversations", "POST", `{"conversationId":"00000000-0000-4000-8000-000000000000"}`, 404, "", `"code"`},
	{"get-tool-analytics", "GET", "", 200, "application/json", `"tools":[]`},
	{"submit-feedback", "POST", `{"rating":"up","messages":[{"role":"user","content":"hi"}]}`, 422, "",
		"not_an_answer"},
	{"export-chat", "POST", `{"format":"html","messages":[{"role":"user","content":"hi"}]}`, 200, "text/html",
		"Munimji"},
	{"upload-attachment", "POST", `{"name":"bill.pdf","type":"application/pdf","size":1000}`, 201, "application/json",
		`"uploadUrl"`},
	{"audio-transcribe", "POST", `{"upload":"00000000-0000-4000-8000-000000000000"}`, 404, "", `"code"`},
	{"create-user", "POST", `{"email":"%s","fullName":"Mira","role":"user"}`, 201, "application/json",
		`"role":"viewer"`},
	{"delete-user", "POST", `{"userId":"00000000-0000-4000-8000-000000000000"}`, 404, "", "unknown_user"},
	{"check-super-admin", "POST", "", 200, "application/json", `"isSuperAdmin":true`},
}

// named is the server with an organisation that has the finance assistant.
func named(t *testing.T, settings map[string]string) (url string, org localtest.Org) {
	t.Helper()
	project := localtest.Stack(t)
	org = localtest.NewOrg(t)
	localtest.Give(t, project, org.ID, "finance")
	localtest.SQL(t, `insert into public.entities (org_id, kind, key, name, time_zone, currency, locale)
		values ($1, 'company', 'BOOKS', 'The Company', 'Asia/Kolkata', 'INR', 'en-IN')`, org.ID)
	refusing := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		http.Error(w, `{"error":{"message":"no"}}`, http.StatusBadRequest)
	}))
	t.Cleanup(refusing.Close)
	env := map[string]string{"OPENAI_BASE_URL": refusing.URL + "/v1", "OPENAI_API_KEY": "local",
		"OPENAI_PROFILE": "openai", "SEAL_KEYS": "k1:" + strings.Repeat("A", 42) + "E=",
		"SUPABASE_SECRET_KEY": project.Keys().Secret}
	for name, value := range settings {
		env[name] = strings.NewReplacer("ORG", org.ID, "EMAIL", org.Viewer.Email).Replace(value)
	}
	s := &boot.Service{Name: "server", Log: zerolog.Nop(), Now: time.Now, Leaving: t.Context(),
		Env: func(name string) (string, bool) { v, ok := env[name]; return v, ok }}
	s.SupabaseURL, s.PublishableKey, s.JWKS = project.URL(), project.Keys().Publishable, string(project.JWKS())
	s.ProofKeys = project.ProofKeys()
	h, err := build(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(httpx.Wrap(h, httpx.Config{Log: s.Log, NewID: uuid.NewString, Now: s.Now,
		Timeout: time.Minute}))
	t.Cleanup(server.Close)
	return server.URL, org
}

func askNamed(t *testing.T, token, method, address, body string) (status int, kind, text string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, address, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	if strings.Contains(address, "mcp") {
		r.Header.Set("Accept", "application/json, text/event-stream")
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
	return resp.StatusCode, resp.Header.Get("Content-Type"), string(raw)
}

// S2-64, S2-67: the source's functions answer at their own paths.
func TestTheSourcesFunctionsAnswerAtTheirNames(t *testing.T) {
	url, org := named(t, nil)
	names := map[string]bool{}
	for _, one := range sourceNames {
		names[one.name] = true
		for _, root := range []string{"/api/", "/functions/v1/"} {
			body := one.body
			if strings.Contains(body, "%s") {
				body = fmt.Sprintf(body, uuid.NewString()+"@test.example")
			}
			status, kind, text := askNamed(t, org.Admin.Token, one.method, url+root+one.name, body)
			if status != one.status || !strings.Contains(kind, one.kind) || !strings.Contains(text, one.has) {
				t.Errorf("%s %s%s: %d %s %.300s", one.method, root, one.name, status, kind, text)
			}
			if status, _, text = askNamed(t, "", one.method, url+root+one.name, body); status != 401 {
				t.Errorf("%s%s without a sign-in: %d %.200s", root, one.name, status, text)
			}
		}
	}
	if len(names) != 17 {
		t.Errorf("there are %d names", len(names))
	}
	if status, _, text := askNamed(t, org.Viewer.Token, "GET", url+"/api/check-super-admin", ""); status != 200 ||
		!strings.Contains(text, `"isSuperAdmin":false`) {
		t.Errorf("a viewer: %d %s", status, text)
	}
	for _, name := range []string{"create-user", "delete-user", "fetch-mcp-tools", "generate-intent"} {
		for _, one := range sourceNames {
			if one.name != name {
				continue
			}
			body := strings.ReplaceAll(one.body, "%s", "mira@test.example")
			if status, _, text := askNamed(t, org.Manager.Token, one.method, url+"/api/"+name, body); status != 403 {
				t.Errorf("%s by a manager: %d %s", name, status, text)
			}
		}
	}
	lacks := localtest.NewOrg(t)
	for _, name := range []string{"realtime-cfo-agent", "cfo-agent-api", "munimji-agent", "cfo-agent-mcp"} {
		status, _, text := askNamed(t, lacks.Admin.Token, "POST", url+"/api/"+name,
			`{"query":"namaste","jsonrpc":"2.0","id":1,"method":"ping"}`)
		if status != 404 || !strings.Contains(text, "unknown_assistant") {
			t.Errorf("%s of an organisation without the assistant: %d %s", name, status, text)
		}
	}
	if status, _, _ := askNamed(t, org.Admin.Token, "POST", url+"/functions/v1/whatever", "{}"); status == 200 {
		t.Error("another name answers")
	}
}

// S2-61, S2-64: a conversation that is begun at one name is listed, read and exported
// at the others, by the person alone.
func TestAConversationByTheSourcesNames(t *testing.T) {
	url, org := named(t, nil)
	id := uuid.NewString()
	status, _, text := askNamed(t, org.Manager.Token, "POST", url+"/api/munimji-agent",
		fmt.Sprintf(`{"query":"namaste, I am the marmalade maker","conversationId":%q,"entityId":"BOOKS"}`, id))
	var turn struct{ ConversationID string }
	if err := json.Unmarshal([]byte(text), &turn); err != nil || status != 200 || turn.ConversationID == "" {
		t.Fatalf("%d %s", status, text)
	}
	byID := fmt.Sprintf(`{"conversationId":%q,"format":"md"}`, turn.ConversationID)
	for _, one := range []struct{ name, body, has string }{
		{"get-conversations", `{"entityId":"BOOKS"}`, "#MJ-0001"}, {"get-conversations", `{"search":"marmalade"}`,
			"#MJ-0001"},
		{"get-conversations", byID, "marmalade maker"}, {"export-chat", byID, "marmalade maker"},
	} {
		status, _, text := askNamed(t, org.Manager.Token, "POST", url+"/functions/v1/"+one.name, one.body)
		if status != 200 || !strings.Contains(text, one.has) {
			t.Errorf("%s %s: %d %s", one.name, one.body, status, text)
		}
		if _, _, text := askNamed(t, org.Viewer.Token, "POST", url+"/api/"+one.name, one.body); strings.Contains(text,
			"marmalade") || strings.Contains(text, "#MJ") {
			t.Errorf("%s for another person: %s", one.name, text)
		}
	}
}

// S2-69: without a sign-in there is small talk and help, and no tool.
func TestVisitorsOfMunimjiOnlyTalk(t *testing.T) {
	url, _ := named(t, map[string]string{"ANONYMOUS_ORG": "ORG", "ANONYMOUS_EMAIL": "EMAIL",
		"ANONYMOUS_PASSWORD": stack.DemoPassword, "RATE_ANONYMOUS": "0", "RATE_ANONYMOUS_VISITOR": "0"})
	for _, query := range []string{"namaste", "what can you do?", "who owes me money?", "create an invoice for 5000"} {
		status, _, text := askNamed(t, "", "POST", url+"/api/munimji-agent", fmt.Sprintf(`{"query":%q}`, query))
		if status != 200 || !strings.Contains(text, `"agent":"general_chat"`) || strings.Contains(text, `"tool"`) {
			t.Errorf("%s: %d %s", query, status, text)
		}
	}
	status, kind, text := askNamed(t, "", "POST", url+"/functions/v1/realtime-cfo-agent", `{"query":"namaste"}`)
	if status != 200 || !strings.Contains(kind, "event-stream") || !strings.Contains(text, "event: complete") {
		t.Errorf("realtime: %d %s %s", status, kind, text)
	}
	for _, one := range sourceNames {
		if strings.Contains(one.name, "agent") && one.name != "cfo-agent-mcp" {
			continue
		}
		if status, _, text := askNamed(t, "", one.method, url+"/api/"+one.name, one.body); status != 401 {
			t.Errorf("%s for visitors: %d %.200s", one.name, status, text)
		}
	}
}
