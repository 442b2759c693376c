package intents_test

import (
	"bytes"
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
	"github.com/bellhop-ai/bellhop/infra/local/model/script"
	"github.com/bellhop-ai/bellhop/pkg/boot"
	"github.com/bellhop-ai/bellhop/pkg/boot/core"
	bootintents "github.com/bellhop-ai/bellhop/pkg/boot/intents"
	"github.com/bellhop-ai/bellhop/pkg/httpx"
)

func TestMain(m *testing.M) { localtest.Main(m) }

type object = map[string]any

// door is the intents function on the shared stack, with a scripted model.
type door struct{ url string }

func open(t *testing.T, steps ...script.Step) door {
	t.Helper()
	project := localtest.Stack(t)
	env := map[string]string{"OPENAI_BASE_URL": script.Start(t, steps...).URL, "OPENAI_API_KEY": "local",
		"OPENAI_PROFILE": "openai"}
	s := &boot.Service{Name: "intents", Log: zerolog.Nop(), Leaving: t.Context(),
		Now: func() time.Time { return time.Date(2026, 11, 2, 9, 0, 0, 0, time.UTC) },
		Env: func(name string) (string, bool) { v, ok := env[name]; return v, ok }}
	s.SupabaseURL, s.PublishableKey, s.JWKS = project.URL(), project.Keys().Publishable, string(project.JWKS())
	s.ProofKeys = project.ProofKeys()
	c, err := core.New(s)
	if err != nil {
		t.Fatal(err)
	}
	h, err := bootintents.New(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(httpx.Wrap(h, httpx.Config{Log: zerolog.Nop(), NewID: uuid.NewString, Now: time.Now,
		Timeout: time.Minute}))
	t.Cleanup(server.Close)
	return door{server.URL}
}

// call returns the answer, with the status and the code of a refusal.
func (d door) call(t *testing.T, method, path, token string, body any) (answer object, status int, code string) {
	t.Helper()
	var sent io.Reader
	if body != nil {
		raw, err := json.Marshal(body)
		if err != nil {
			t.Fatal(err)
		}
		sent = bytes.NewReader(raw)
	}
	r, err := http.NewRequestWithContext(t.Context(), method, d.url+path, sent)
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
	if len(raw) > 0 {
		if err := json.Unmarshal(raw, &answer); err != nil {
			t.Fatalf("%s: %v", raw, err)
		}
	}
	code, _ = answer["code"].(string)
	return answer, resp.StatusCode, code
}

func (d door) want(t *testing.T, status int, code, method, path, token string, body any) object {
	t.Helper()
	a, gotStatus, gotCode := d.call(t, method, path, token, body)
	if gotStatus != status || gotCode != code {
		t.Fatalf("%s %s: %d %q, want %d %q: %v", method, path, gotStatus, gotCode, status, code, a)
	}
	return a
}

func phrases(list ...string) []object {
	out := []object{}
	for _, p := range list {
		out = append(out, object{"phrase": p})
	}
	return out
}

// S2-17, S2-64, S2-65: an administrator keeps intents, and others don't see them.
func TestAnAdministratorKeepsIntents(t *testing.T) {
	t.Parallel()
	d, org, other := open(t), localtest.NewOrg(t), localtest.NewOrg(t)
	admin := org.Admin.Token
	if n := len(d.want(t, 200, "", "GET", "/api/intents", admin, nil)["agents"].([]any)); n != 8 {
		t.Errorf("there are %d agents", n)
	}
	in := object{"agent": "inventory", "description": "At night.", "phrases": phrases("what can we do at night",
		"raat ko kya karein", "  what can we   do at NIGHT ")}
	made := d.want(t, 200, "", "PUT", "/api/intents/at_night", admin, in)
	if made["version"] != 1.0 || len(made["phrases"].([]any)) != 2 || made["label"] != "Inventory Agent" {
		t.Errorf("made is %v", made)
	}
	d.want(t, 409, "intent_exists", "PUT", "/api/intents/at_night", admin, in)
	taken := d.want(t, 409, "phrase_taken", "PUT", "/api/intents/evening", admin, object{"agent": "pricing",
		"phrases": phrases("What can we do at night?")})
	if want := `stands in the intent \"at_night\" already`; !strings.Contains(fmt.Sprintf("%q", taken["detail"]),
		want) {
		t.Errorf("a phrase that is taken: %v", taken)
	}
	in["version"] = 1
	d.want(t, 200, "", "PUT", "/api/intents/at_night", admin, in)
	d.want(t, 409, "version_conflict", "PUT", "/api/intents/at_night", admin, in)
	for name, token := range map[string]string{"manager": org.Manager.Token, "viewer": org.Viewer.Token} {
		for path, method := range map[string]string{"/api/intents": "GET", "/api/intents/at_night": "PUT",
			"/api/intents/try": "POST", "/api/intents/suggestions": "GET", "/api/intents/analytics": "GET",
			"/api/generate-intent": "POST", "/api/generate-batch-intents": "POST", "/api/get-tool-analytics": "GET"} {
			if _, status, code := d.call(t, method, path, token, object{}); status != 403 || code != "admin_required" {
				t.Errorf("a %s gets %d %s at %s", name, status, code, path)
			}
		}
	}
	if list := d.want(t, 200, "", "GET", "/api/intents", other.Admin.Token, nil)["intents"].([]any); len(list) != 0 {
		t.Errorf("another organisation sees %v", list)
	}
	d.want(t, 401, "unauthorized", "GET", "/api/intents", "", nil)
	d.want(t, 404, "unknown_assistant", "GET", "/api/intents?assistant=oracle", admin, nil)
	d.want(t, 409, "version_conflict", "DELETE", "/api/intents/at_night?version=1", admin, nil)
	d.want(t, 204, "", "DELETE", "/api/intents/at_night?version=2", admin, nil)
	d.want(t, 404, "intent_not_found", "DELETE", "/api/intents/at_night?version=2", admin, nil)
}

// What is no intent is refused with a sentence.
func TestBadIntentsAreRefused(t *testing.T) {
	t.Parallel()
	d, org := open(t), localtest.NewOrg(t)
	tests := map[string]struct {
		method, path string
		body         any
		status       int
		code         string
	}{
		"no phrases": {"PUT", "/api/intents/x", object{"agent": "inventory"}, 422, "no_phrases"},
		"an emoji": {"PUT", "/api/intents/x", object{"agent": "inventory", "phrases": phrases("🙂")}, 422,
			"phrase_without_word"},
		"zero-width": {"PUT", "/api/intents/x", object{"agent": "inventory", "phrases": phrases("\u200b\u200d")},
			422, "phrase_without_word"},
		"10,000 letters": {"PUT", "/api/intents/x", object{"agent": "inventory",
			"phrases": phrases(strings.Repeat("a", 10_000))}, 422, "phrase_too_long"},
		"a file's phrase": {"PUT", "/api/intents/x", object{"agent": "pricing",
			"phrases": phrases("What extras do we have?")}, 409, "phrase_taken"},
		"homoglyphs of a file's phrase": {"PUT", "/api/intents/x", object{"agent": "pricing",
			"phrases": phrases("Whаt еxtras do we hаve?")},
			409, "phrase_taken"},
		"no agent": {"PUT", "/api/intents/x", object{"agent": "root", "phrases": phrases("a")}, 422,
			"unknown_agent"},
		"a name of another form": {"PUT", "/api/intents/Big%20One", object{"agent": "inventory",
			"phrases": phrases("a")}, 422, "bad_name"},
		"a version below nothing": {"PUT", "/api/intents/x", object{"agent": "inventory", "version": -1,
			"phrases": phrases("a")}, 422, "bad_version"},
		"a version that isn't there": {"PUT", "/api/intents/x", object{"agent": "inventory", "version": 7,
			"phrases": phrases("a thing")}, 409, "version_conflict"},
		"deleting no version": {"DELETE", "/api/intents/x", nil, 400, "bad_version"},
		"no such suggestion": {"POST", "/api/intents/suggestions/SUG-AAAAAA", object{"decision": "approve"},
			404, "suggestion_not_found"},
		"a suggestion with NUL": {"POST", "/api/intents/suggestions/%00", object{"decision": "reject"}, 404,
			"suggestion_not_found"},
		"neither yes nor no": {"POST", "/api/intents/suggestions/SUG-AAAAAA", object{"decision": "maybe"}, 422,
			"unknown_decision"},
		"an unknown status": {"GET", "/api/intents/suggestions?status=lost", nil, 400, "unknown_status"},
		"a year of days":    {"GET", "/api/intents/analytics?days=365", nil, 400, "bad_days"},
		"no intents to write for": {"POST", "/api/intents/generate-batch", object{"intents": []object{}}, 422,
			"batch_size"},
		"eleven intents": {"POST", "/api/generate-batch-intents", object{"intents": make([]object, 11)},
			422, "batch_size"},
		"a hundred phrases at once": {"POST", "/api/intents/generate", object{"name": "x", "agent": "inventory",
			"count": 100}, 422, "count"},
		"an endless sentence": {"POST", "/api/intents/try", object{"text": strings.Repeat("a", 20_001)}, 422,
			"text_too_long"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			a := d.want(t, tt.status, tt.code, tt.method, tt.path, org.Admin.Token, tt.body)
			if detail, _ := a["detail"].(string); !strings.HasSuffix(detail, ".") {
				t.Errorf("it says %q", detail)
			}
		})
	}
}

// S2-17, S2-20: what a sentence would come to, with all scores; bad sentences too.
func TestASentenceIsTried(t *testing.T) {
	t.Parallel()
	d, org := open(t), localtest.NewOrg(t)
	try := func(text string) object {
		return d.want(t, 200, "", "POST", "/api/intents/try", org.Admin.Token, object{"text": text})
	}
	a := try("What extras do we have?")
	literal := a["literal"].(object)
	if a["accepted"] != true || a["reason"] != "exact" || a["intent"].(object)["name"] != "inventory" ||
		literal["score"] != 0.95 || literal["accepted"] != true || literal["threshold"] != 0.85 ||
		len(a["best"].([]any)) != 3 {
		t.Errorf("a phrase is %v", a)
	}
	if a := try("Block COCO from 12/12/2026 for 2.5 lakh"); len(a["entities"].([]any)) < 2 {
		t.Errorf("the entities are %v", a["entities"])
	}
	for text, reason := range map[string]string{"🙂": "unsure", "": "empty", "\u200b": "empty",
		strings.Repeat("list the extras ", 700): "too_long", "Рrіcе of what": "unsure",
		"नमस्ते friend пока": "unsure"} {
		a := try(text)
		if a["accepted"] != false || (a["reason"] != reason && reason != "unsure") {
			t.Errorf("%.20q is %v", text, a)
		}
		if says, _ := a["wouldHappen"].(string); !strings.HasSuffix(says, "The router's model is asked.") {
			t.Errorf("%.20q: %q", text, says)
		}
	}
	d.want(t, 200, "", "PUT", "/api/intents/at_night", org.Admin.Token, object{"agent": "extra_selections",
		"phrases": phrases("glimmer the whole thing")})
	if a := try("Glimmer the WHOLE thing!"); a["own"] != "at_night" || a["accepted"] != true {
		t.Errorf("an own phrase is %v", a)
	}
}

// S2-64: the model writes phrases for one intent or for several; what an intent may not
// have is left out, and nothing is kept.
func TestPhrasesAreWritten(t *testing.T) {
	t.Parallel()
	org := localtest.NewOrg(t)
	d := open(t, script.Step{Text: `{"phrases":["glimmer the porch","Glimmer the porch!","What extras do we have?",` +
		`"🙂","raat ko glimmer karo"]}`}, script.Step{Text: `{"phrases":["What extras do we have?"]}`},
		script.Step{Text: `{"phrases":["swing the lantern"]}`})
	one := d.want(t, 200, "", "POST", "/api/generate-intent", org.Admin.Token, object{"name": "glimmer",
		"agent": "pricing"})
	if p := fmt.Sprint(one["phrases"]); p != "[map[phrase:glimmer the porch source:generated] map[phrase:raat ko "+
		"glimmer karo source:generated]]" ||
		len(one["refused"].([]any)) != 2 {
		t.Errorf("written is %v", one)
	}
	d.want(t, 502, "no_phrases_written", "POST", "/api/intents/generate", org.Admin.Token, object{"name": "glimmer",
		"agent": "pricing"})
	// One of a batch that cannot be doesn't take the others with it.
	batch := d.want(t, 200, "", "POST", "/api/generate-batch-intents", org.Admin.Token, object{"intents": []object{
		{"name": "bad name", "agent": "pricing"}, {"name": "swing", "agent": "inventory"}}})["intents"].([]any)
	if first, second := batch[0].(object), batch[1].(object); first["error"] == nil || second["error"] != nil ||
		len(second["phrases"].([]any)) != 1 {
		t.Errorf("the batch is %v", batch)
	}
	if list := d.want(t, 200, "", "GET", "/api/intents", org.Admin.Token, nil)["intents"].([]any); len(list) != 0 {
		t.Errorf("kept is %v", list)
	}
}

// S2-56, S2-57, S2-59, S2-64: what turns showed is seen, and a suggestion is approved
// with one request or rejected.
func TestSuggestionsAreDecided(t *testing.T) {
	t.Parallel()
	d, org, other := open(t), localtest.NewOrg(t), localtest.NewOrg(t)
	localtest.SQL(t, `with p as (
			insert into public.llm_path_patterns (org_id, assistant, hash, form, query, agents, occurrences)
			select $1, 'hospitality', sha256(f::bytea), f, f, '{"inventory": 12}', 12
			from unnest(array['glimmer the porch', 'what extras do we have', 'spoil the porch']) f returning id, query)
		insert into public.suggested_intents (org_id, assistant, pattern_id, agent, phrase, code)
		select $1, 'hospitality', id, case when query like 'what%' then 'pricing' else 'inventory' end, query,
			case left(query, 1) when 'g' then 'SUG-AAAAAA' when 'w' then 'SUG-BBBBBB' else 'SUG-CCCCCC' end from p`,
		org.ID)
	localtest.SQL(t, `insert into public.intent_routing_stats (org_id, assistant, intent, bucket, basis, total,
		success, failed, window_total, window_failed)
		values ($1, 'hospitality', 'inventory', 0.9, 'below', 80, 80, 0, 80, 0), ($1, 'hospitality', 'pricing', 0.95,
			'above', 20, 10, 10, 20, 10)`, org.ID)
	localtest.SQL(t, `insert into public.intent_observations (org_id, user_id, assistant, thread, question, hash,
		how, agent, intent, bucket, basis, success, counted, tools, ms, withdrawn)
		select $1, $2, 'hospitality', 't', sha256('q'), sha256('q'), case when n < 8 then 'matched' else 'model' end,
			'inventory', 'inventory', 0.95, 'above', n <> 0, true, '{list_extras}', 100, n = 0
		from generate_series(0, 9) n`, org.ID, org.Manager.ID)
	admin := org.Admin.Token
	report := d.want(t, 200, "", "GET", "/api/get-tool-analytics", admin, nil)
	thresholds := report["thresholds"].(object)
	if report["coverage"] != 0.8 || report["precision"] != 0.875 || thresholds["pricing"] != 1.0 ||
		thresholds["inventory"].(float64) > 0.91 || len(report["tools"].([]any)) != 1 ||
		len(report["unmatched"].([]any)) != 3 ||
		len(report["buckets"].([]any)) != 2 || len(report["charts"].([]any)) != 2 ||
		len(report["paths"].([]any)) != 2 {
		t.Errorf("the report is %v", report)
	}
	if tried := d.want(t, 200, "", "POST", "/api/intents/try", admin,
		object{"text": "what would a night in COCO cost in June"}); tried["threshold"] != 1.0 &&
		tried["intent"].(object)["name"] == "pricing" {
		t.Errorf("tried is %v", tried)
	}
	if list := d.want(t, 200, "", "GET", "/api/intents/suggestions", admin,
		nil)["suggestions"].([]any); len(list) != 3 {
		t.Errorf("suggested is %v", list)
	}
	d.want(t, 404, "suggestion_not_found", "POST", "/api/intents/suggestions/SUG-AAAAAA", other.Admin.Token,
		object{"decision": "approve"})
	done := d.want(t, 200, "", "POST", "/api/intents/suggestions/SUG-AAAAAA", admin, object{"decision": "approve"})
	if done["status"] != "approved" || done["intent"] != "inventory" {
		t.Errorf("approved is %v", done)
	}
	d.want(t, 409, "suggestion_decided", "POST", "/api/intents/suggestions/sug-aaaaaa", admin,
		object{"decision": "reject"})
	d.want(t, 409, "suggestion_decided", "POST", "/api/intents/suggestions/SUG-AAAAAA", admin,
		object{"decision": "approve"})
	// A phrase of another agent's file is not moved by an approval.
	d.want(t, 409, "phrase_taken", "POST", "/api/intents/suggestions/SUG-BBBBBB", admin, object{"decision": "approve"})
	d.want(t, 200, "", "POST", "/api/intents/suggestions/SUG-CCCCCC", admin, object{"decision": "reject"})
	if tried := d.want(t, 200, "", "POST", "/api/intents/try", admin,
		object{"text": "Glimmer the porch"}); tried["own"] != "inventory" {
		t.Errorf("the approved phrase is %v", tried)
	}
	for status, want := range map[string]int{"pending": 1, "approved": 1, "rejected": 1} {
		if n := len(d.want(t, 200, "", "GET", "/api/intents/suggestions?status="+status, admin,
			nil)["suggestions"].([]any)); n != want {
			t.Errorf("%d are %s", n, status)
		}
	}
}
