package chat_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/rs/zerolog"

	"github.com/bellhop-ai/bellhop/infra/local/localtest"
	"github.com/bellhop-ai/bellhop/infra/local/model/script"
	"github.com/bellhop-ai/bellhop/infra/local/stack"
	"github.com/bellhop-ai/bellhop/pkg/boot"
	"github.com/bellhop-ai/bellhop/pkg/boot/backend"
	"github.com/bellhop-ai/bellhop/pkg/boot/chat"
	"github.com/bellhop-ai/bellhop/pkg/httpx"
	"github.com/bellhop-ai/bellhop/pkg/stream"
)

const visitorKeys = "k1:AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="

// house is the chat as New builds it, open for visitors of an organisation.
type house struct {
	t     *testing.T
	url   string
	org   localtest.Org
	model *script.Server
	log   *safeBuffer
}

// openHouse starts the chat with the visitors' settings and what env changes;
// an empty value unsets a setting.
func openHouse(t *testing.T, org localtest.Org, env map[string]string, steps ...script.Step) house {
	t.Helper()
	h := house{t: t, org: org, model: script.Start(t, steps...), log: new(safeBuffer)}
	handler, err := h.build(env)
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	h.url = server.URL
	return h
}

func (h house) build(env map[string]string) (http.Handler, error) {
	project := localtest.Stack(h.t)
	all := map[string]string{
		"OPENAI_BASE_URL": h.model.URL, "OPENAI_API_KEY": "local", "OPENAI_PROFILE": "openai",
		"SEAL_KEYS":     visitorKeys,
		"ANONYMOUS_ORG": h.org.ID, "ANONYMOUS_EMAIL": h.org.Viewer.Email, "ANONYMOUS_PASSWORD": stack.DemoPassword,
	}
	maps.Copy(all, env)
	s := &boot.Service{Name: "chat", Log: zerolog.New(h.log), Leaving: h.t.Context(),
		Now: time.Now,
		Env: func(name string) (string, bool) { v, ok := all[name]; return v, ok && v != "" }}
	s.SupabaseURL, s.PublishableKey, s.JWKS = project.URL(), project.Keys().Publishable, string(project.JWKS())
	s.ProofKeys = project.ProofKeys()
	if origins := all["ALLOWED_ORIGINS"]; origins != "" {
		s.Origins = strings.Split(origins, ",")
	}
	b, err := backend.NewSealed(h.t.Context(), s)
	if err != nil {
		return nil, err
	}
	door, err := chat.New(h.t.Context(), b)
	if err != nil {
		return nil, err
	}
	return httpx.Wrap(door, httpx.Config{Log: s.Log, NewID: uuid.NewString, Now: s.Now, Timeout: time.Minute}), nil
}

// visit sends a body as a visitor with that cookie and returns the answer and
// the cookie that is held then.
func (h house) visit(cookie string, body any, header ...string) (*http.Response, []byte, string) {
	h.t.Helper()
	raw, err := json.Marshal(body)
	if err != nil {
		h.t.Fatal(err)
	}
	path := "/api/chat"
	if len(header)%2 == 1 {
		path, header = header[0], header[1:]
	}
	r, err := http.NewRequestWithContext(h.t.Context(), http.MethodPost, h.url+path, bytes.NewReader(raw))
	if err != nil {
		h.t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	if cookie != "" {
		r.Header.Set("Cookie", cookie)
	}
	for i := 0; i+1 < len(header); i += 2 {
		if header[i] == "Host" {
			r.Host = header[i+1]
			continue
		}
		r.Header.Set(header[i], header[i+1])
	}
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		h.t.Fatal(err)
	}
	defer resp.Body.Close()
	answer, err := io.ReadAll(resp.Body)
	if err != nil {
		h.t.Fatal(err)
	}
	for _, c := range resp.Cookies() {
		cookie = c.Name + "=" + c.Value
	}
	return resp, answer, cookie
}

func user(text string) map[string]any { return map[string]any{"role": "user", "content": text} }

func says(list ...any) map[string]any { return map[string]any{"messages": list} }

func greeting(text string) script.Step { return script.Step{When: script.FromRouter, Text: text} }

func read(t *testing.T, raw []byte) (a stream.Answer) {
	t.Helper()
	if err := json.Unmarshal(raw, &a); err != nil {
		t.Fatalf("%v: %s", err, raw)
	}
	return a
}

// S0-1, and the ruling on S0's client without a token: off no one is let in; on
// its bare body is answered, and the cookie is one that scripts and other sites
// do not get.
func TestTheSourcesClientWithoutATokenIsServedWhereAnOperatorWantsIt(t *testing.T) {
	t.Parallel()
	org := localtest.NewOrg(t)
	off := openHouse(t, org, map[string]string{"ANONYMOUS_ORG": ""})
	if resp, raw, cookie := off.visit("", says(user("hi"))); resp.StatusCode != http.StatusUnauthorized ||
		cookie != "" {
		t.Errorf("off: %d %s", resp.StatusCode, raw)
	}
	localtest.SQL(t, `insert into public.extras (org_id, entity_id, name, price) values ($1, $2, 'Picnic', 20)`,
		org.ID, org.Entity.ID)
	h := openHouse(t, org, nil, script.Route("inventory"), script.Step{Calls: []script.Call{{Name: "list_extras"}}},
		script.Step{Text: "Here."})
	resp, raw, _ := h.visit("", says(user("Which extras are there?")))
	if a := read(t, raw); resp.StatusCode != http.StatusOK || a.Agent != "inventory" ||
		!strings.Contains(a.Reply, "Picnic") {
		t.Fatalf("on: %d %s", resp.StatusCode, raw)
	}
	c := resp.Cookies()[0]
	if c.Name != "bellhop-visitor" || !c.HttpOnly || c.Secure || c.SameSite != http.SameSiteLaxMode || c.Path != "/" ||
		c.MaxAge != 720*3600 || c.Domain != "" {
		t.Errorf("on this machine the cookie is %+v", c)
	}
	// A token that is there and wrong does not make a visitor.
	if resp, raw, _ := h.visit("", says(user("hi")), "Authorization",
		"Bearer nonsense"); resp.StatusCode != http.StatusUnauthorized {
		t.Errorf("with a bad token: %d %s", resp.StatusCode, raw)
	}
	if resp, _, _ := h.visit("", says(), "Host", "chat.example.com"); len(resp.Cookies()) != 1 ||
		!resp.Cookies()[0].Secure || resp.Cookies()[0].Name != "__Host-bellhop-visitor" {
		t.Errorf("elsewhere the cookie is %+v", resp.Cookies())
	}
	if resp, _, _ := h.visit("", says(), "X-Forwarded-Proto", "https"); len(resp.Cookies()) != 1 ||
		!resp.Cookies()[0].Secure {
		t.Errorf("behind a proxy with TLS the cookie is %+v", resp.Cookies())
	}
	for _, name := range []string{org.Viewer.Email, org.Viewer.Name, stack.DemoPassword} {
		if strings.Contains(h.log.String(), name) || bytes.Contains(raw, []byte(name)) {
			t.Errorf("%s shows", name)
		}
	}
}

// Two visitors share an account and nothing else: not what was sealed, not the
// turns that they name, not the button that stops.
func TestVisitorsAreApart(t *testing.T) {
	t.Parallel()
	org := localtest.NewOrg(t)
	localtest.SQL(t, `insert into public.extras (org_id, entity_id, name, price) values ($1, $2, 'Picnic', 20)`,
		org.ID, org.Entity.ID)
	h := openHouse(t, org, map[string]string{"RATE_ANONYMOUS": "0"}, script.Route("inventory"),
		script.Step{Calls: []script.Call{{Name: "list_extras"}}}, script.Step{Text: "Here."},
		greeting("You are welcome."), greeting("For you, too?"), greeting("As somebody else?"),
		greeting("As a member?"))
	body := map[string]any{"id": "th-1", "turn": "turn-1", "messages": []any{user("Which extras are there?")}}
	_, raw, one := h.visit("", body)
	mine := read(t, raw)
	next := map[string]any{"id": "th-1", "messages": []any{body["messages"].([]any)[0], mine.Message, user("thanks")}}

	if _, raw, again := h.visit(one, next); again != one || len(read(t, raw).Degraded) != 0 {
		t.Errorf("the visitor's own history: %s", raw)
	}
	_, raw, two := h.visit("", next)
	if two == one || !slices.Contains(read(t, raw).Degraded, "history_unverified") {
		t.Errorf("another's history was believed: %s", raw)
	}
	// The same name of a turn: one's is replayed, another's is new.
	if resp, again, _ := h.visit(one, body); resp.Header.Get("Idempotent-Replayed") != "true" ||
		read(t, again).Reply != mine.Reply {
		t.Errorf("one's own turn: %s", again)
	}
	if resp, raw, _ := h.visit(two, body); resp.Header.Get("Idempotent-Replayed") != "" ||
		read(t, raw).Reply != "As somebody else?" {
		t.Errorf("another's turn: %s", raw)
	}
	// Nor does the account's own token reach them.
	if resp, raw, _ := h.visit("", body, "Authorization", "Bearer "+
		org.Viewer.Token); resp.Header.Get("Idempotent-Replayed") != "" || read(t, raw).Reply != "As a member?" {
		t.Errorf("the account's own: %s", raw)
	}
	if resp, _, _ := h.visit(two, map[string]any{},
		"/api/chat/hospitality/th-1/stop"); resp.StatusCode != http.StatusAccepted {
		t.Errorf("stop: %d", resp.StatusCode)
	}
	for _, row := range localtest.SQL(t, `select turn, thread from public.turns where org_id = $1 and turn <>
		'turn-1'`, org.ID) {
		if name := fmt.Sprint(row["turn"]); !strings.HasPrefix(name, "visitor-") || row["thread"] == "th-1" {
			t.Errorf("a turn is kept as %v", row)
		}
	}
}

// A cookie that we did not give makes a new visitor, whatever it says.
func TestAForgedCookieMakesANewVisitor(t *testing.T) {
	t.Parallel()
	org, other := localtest.NewOrg(t), localtest.NewOrg(t)
	h := openHouse(t, org, map[string]string{"RATE_ANONYMOUS": "0", "RATE_ANONYMOUS_VISITOR": "0"})
	bad := says() // refused for having no question, after the visitor is known
	resp, _, good := h.visit("", bad)
	if resp.StatusCode != http.StatusBadRequest {
		t.Fatalf("status %d", resp.StatusCode)
	}
	name, value, _ := strings.Cut(good, "=")
	flip := func(i int) string {
		b := []byte(value)
		b[i] = map[bool]byte{true: 'A', false: 'B'}[b[i] != 'A']
		return name + "=" + string(b)
	}
	_, _, elsewhere := openHouse(t, other, nil).visit("", bad)
	_, _, otherKey := openHouse(t, org, map[string]string{"SEAL_KEYS": "k1:" + strings.Repeat("B", 43) +
		"="}).visit("", bad)
	for what, cookie := range map[string]string{
		"another visitor": flip(0), "another time": flip(24), "another code": flip(50), "cut": good[:len(good)-1],
		"longer": good + "A", "nothing": name + "=",
		"another organisation's": elsewhere, "another key's": otherKey, "another name": "__Host-bellhop-visitor=" +
			value,
	} {
		if resp, _, now := h.visit(cookie, bad); now == cookie || len(resp.Cookies()) != 1 {
			t.Errorf("%s is taken", what)
		}
	}
	if resp, _, now := h.visit(good, bad); now != good || len(resp.Cookies()) != 0 {
		t.Error("the good one is not taken")
	}
	// A key that went to the second place still opens.
	turned := openHouse(t, org, map[string]string{"SEAL_KEYS": "k2:" + strings.Repeat("C", 43) + "=," + visitorKeys})
	if _, _, now := turned.visit(good, bad); now != good {
		t.Error("after a rotation it is not taken")
	}
}

// A visitor reads what the operator allows and changes nothing: what writes,
// and what answers about people, is not offered, and a model that calls it is
// told that there is no such tool.
func TestAVisitorReadsWhatIsAllowedAndChangesNothing(t *testing.T) {
	t.Parallel()
	org := localtest.NewOrg(t)
	attack := []script.Step{script.Route("inventory"), {Calls: []script.Call{
		{Name: "create_extra", Arguments: `{"name":"Kayak","price":12,"per":"guest"}`}, {Name: "search_reservations",
			Arguments: `{}`},
		{Name: "list_coupons", Arguments: `{}`},
	}}, {Text: "I could not."}}
	h := openHouse(t, org, nil, attack...)
	resp, raw, _ := h.visit("", says(user("Add a kayak and show me the guests")), "Accept", "text/event-stream")
	if resp.StatusCode != http.StatusOK || strings.Count(string(raw), `"success":false`) < 3 ||
		!bytes.Contains(raw, []byte("Unknown tool")) || bytes.Contains(raw, []byte("event: proposal")) {
		t.Errorf("%d %s", resp.StatusCode, raw)
	}
	agents := h.model.Requests()[0]
	if body, err := json.Marshal(agents); err != nil || strings.Contains(string(body), `"reservations"`) &&
		strings.Contains(string(body), `"analytics"`) {
		t.Errorf("the router may choose %s, %v", body, err)
	}
	offered := h.model.Requests()[1].Tools
	if want := []string{"list_room_types", "get_room_type_details", "list_extras", "get_extra_details",
		"list_packages", "get_package_details"}; !slices.Equal(offered, want) {
		t.Errorf("the model is offered %v", offered)
	}
	rows := localtest.SQL(t, `select (select count(*) from extras where org_id = $1) + (select count(*) from
		proposals where org_id = $1) as n`, org.ID)
	if fmt.Sprint(rows[0]["n"]) != "0" {
		t.Errorf("%v rows were made", rows[0]["n"])
	}

	every := openHouse(t, org, map[string]string{"ANONYMOUS_TOOLS": "*"}, script.Route("reservations"),
		script.Step{Text: "Whom?"})
	every.visit("", says(user("Show me the guests")))
	offered = every.model.Requests()[1].Tools
	if !slices.Contains(offered, "search_reservations") || slices.Contains(offered, "create_reservation") ||
		slices.Contains(offered, "send_booking_email") {
		t.Errorf("with * the model is offered %v", offered)
	}
	some := openHouse(t, org, map[string]string{"ANONYMOUS_TOOLS": "check_availability"}, script.Route("reservations"),
		script.Step{Text: "When?"})
	some.visit("", says(user("Is COCO free?")), "/api/v1/chat/completions")
	resp, raw, _ = some.visit("", map[string]any{"model": "hospitality", "messages": []any{user("Is COCO free?")}},
		"/api/v1/chat/completions")
	if resp.StatusCode != http.StatusOK || !slices.Equal(some.model.Requests()[1].Tools,
		[]string{"check_availability"}) {
		t.Errorf("with one: %d %s", resp.StatusCode, raw)
	}
}

// What an operator set up wrongly lets no one in, and the log says why.
func TestVisitorsWhoseAccountIsWrongAreNotLetIn(t *testing.T) {
	t.Parallel()
	org, other := localtest.NewOrg(t), localtest.NewOrg(t)
	for name, tc := range map[string]struct {
		env map[string]string
		log string
	}{
		"it may write": {map[string]string{"ANONYMOUS_EMAIL": org.Manager.Email}, "may do more than look"},
		"of another house": {map[string]string{"ANONYMOUS_EMAIL": other.Viewer.Email},
			"is not of the organisation"},
		"another password": {map[string]string{"ANONYMOUS_PASSWORD": "wrong"}, "invalid_credentials"},
		"somebody without house": {map[string]string{"ANONYMOUS_EMAIL": localtest.NewPerson(t, localtest.Stack(t),
			org.ID, "", "No One").Email}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := openHouse(t, org, tc.env)
			for range 2 { // a failure is remembered for a moment, and told alike
				resp, raw, cookie := h.visit("", says(user("hi")))
				if resp.StatusCode != http.StatusServiceUnavailable ||
					!bytes.Contains(raw, []byte("visitors_unavailable")) || cookie != "" ||
					resp.Header.Get("Retry-After") == "" {
					t.Errorf("%d %s", resp.StatusCode, raw)
				}
				if tc.log != "" && (!strings.Contains(h.log.String(), tc.log) || bytes.Contains(raw, []byte(tc.log))) {
					t.Errorf("the log says %s", h.log)
				}
			}
		})
	}
	// Settings that cannot be meant are found at start.
	for name, env := range map[string]map[string]string{
		"no account": {"ANONYMOUS_EMAIL": ""}, "no password": {"ANONYMOUS_PASSWORD": ""},
		"no id":              {"ANONYMOUS_ORG": "sojourn"},
		"a tool that writes": {"ANONYMOUS_TOOLS": "list_extras,create_extra"},
		"no such tool":       {"ANONYMOUS_TOOLS": "list_extra"},
	} {
		h := house{t: t, org: org, model: script.Start(t), log: new(safeBuffer)}
		if _, err := h.build(env); err == nil || strings.Contains(err.Error(), stack.DemoPassword) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Taking the account's membership away shuts visitors out with the next request.
func TestTakingTheAccountsMembershipAwayShutsVisitorsOut(t *testing.T) {
	t.Parallel()
	org := localtest.NewOrg(t)
	h := openHouse(t, org, nil, greeting("Hello."))
	if resp, raw, _ := h.visit("", says(user("hi"))); resp.StatusCode != http.StatusOK {
		t.Fatalf("%d %s", resp.StatusCode, raw)
	}
	localtest.SQL(t, `delete from public.memberships where org_id = $1 and user_id = $2`, org.ID, org.Viewer.ID)
	if resp, raw, _ := h.visit("", says(user("hi"))); resp.StatusCode != http.StatusServiceUnavailable {
		t.Errorf("%d %s", resp.StatusCode, raw)
	}
}

// Visitors have bounds of their own, one and all together, and other sites'
// pages do not spend them.
func TestVisitorsAreBounded(t *testing.T) {
	t.Parallel()
	org := localtest.NewOrg(t)
	always := script.Step{When: script.FromRouter, Text: "Hello.", Times: -1}
	h := openHouse(t, org, map[string]string{"RATE_ANONYMOUS": "4", "RATE_ANONYMOUS_VISITOR": "1"}, always)
	_, _, one := h.visit("", says(user("hi")))
	status := func(cookie, code string, want int) {
		t.Helper()
		resp, raw, _ := h.visit(cookie, says(user("hi")))
		if resp.StatusCode != want || !bytes.Contains(raw, []byte(code)) || want == 429 &&
			resp.Header.Get("Retry-After") == "" {
			t.Errorf("%d %s, want %d %s", resp.StatusCode, raw, want, code)
		}
	}
	status(one, "", 200)
	status(one, "user_rate_limited", 429)
	status("", "", 200)
	status("", "org_rate_limited", 429)
	// A caller who signs in is not among them.
	if resp, raw, _ := h.visit("", says(user("hi")), "Authorization", "Bearer "+
		org.Manager.Token); resp.StatusCode != http.StatusOK {
		t.Errorf("a member: %d %s", resp.StatusCode, raw)
	}

	sites := openHouse(t, org, map[string]string{"RATE_ANONYMOUS": "0", "ALLOWED_ORIGINS": "https://www.example.com"},
		always)
	for name, tc := range map[string]struct {
		header []string
		want   int
	}{
		"no browser":         {nil, 200},
		"the page itself":    {[]string{"Sec-Fetch-Site", "same-origin"}, 200},
		"a named site":       {[]string{"Sec-Fetch-Site", "cross-site", "Origin", "https://www.example.com"}, 200},
		"another site":       {[]string{"Sec-Fetch-Site", "cross-site", "Origin", "https://evil.example"}, 403},
		"another, and older": {[]string{"Origin", "https://evil.example"}, 403},
		"a neighbour's site": {[]string{"Sec-Fetch-Site", "same-site", "Origin", "https://evil.example.com"}, 403},
		"a form without name": {[]string{"Sec-Fetch-Site", "cross-site", "Origin", "null", "Content-Type",
			"text/plain"}, 403},
	} {
		if resp, raw, _ := sites.visit("", says(user("hi")), tc.header...); resp.StatusCode != tc.want ||
			tc.want == 403 && !bytes.Contains(raw, []byte("cross_origin")) {
			t.Errorf("%s: %d %s", name, resp.StatusCode, raw)
		}
	}
}
