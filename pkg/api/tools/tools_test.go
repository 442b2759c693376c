package tools_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/rs/zerolog"

	"github.com/bellhop-ai/bellhop/infra/local/localtest"
	"github.com/bellhop-ai/bellhop/pkg/api/tools"
	"github.com/bellhop-ai/bellhop/pkg/boot"
	"github.com/bellhop-ai/bellhop/pkg/boot/backend"
	"github.com/bellhop-ai/bellhop/pkg/boot/runtimes"
	"github.com/bellhop-ai/bellhop/pkg/consent"
	"github.com/bellhop-ai/bellhop/pkg/flow"
	"github.com/bellhop-ai/bellhop/pkg/httpx"
	"github.com/bellhop-ai/bellhop/pkg/part"
	"github.com/bellhop-ai/bellhop/pkg/tool"
)

func TestMain(m *testing.M) { localtest.Main(m) }

// door is the real tools function on the real stack. There is no model in it.
type door struct{ url string }

func open(t *testing.T) door {
	t.Helper()
	return openWith(t, nil)
}

// openWith adds an assistant to those that ship, in the place of the one of its name.
func openWith(t *testing.T, also *flow.Runtime) door {
	t.Helper()
	stack := localtest.Stack(t)
	s := &boot.Service{Name: "tools", Now: time.Now, Log: zerolog.Nop()}
	s.SupabaseURL, s.PublishableKey, s.JWKS = stack.URL(), stack.Keys().Publishable, string(stack.JWKS())
	s.ProofKeys = stack.ProofKeys()
	p, err := backend.New(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	list, err := runtimes.New(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	if also != nil {
		list = slices.DeleteFunc(list, func(one *flow.Assistant) bool { return one.Name == also.Name })
		list = append(list, flow.Built(also))
	}
	h, err := tools.New(tools.Config{Assistants: list, Consent: p.Consent, Identify: p.Identify, Open: p.OpenProposal,
		NewID: uuid.NewString})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(httpx.Wrap(h, httpx.Config{Log: s.Log, NewID: uuid.NewString, Now: time.Now,
		Timeout: time.Minute}))
	t.Cleanup(server.Close)
	return door{server.URL}
}

// call sends a request and returns its status and body. It may be used beside
// the test's goroutine: what goes wrong is the status 0.
func (d door) call(t *testing.T, method, path, token, body string, header ...string) (int, []byte) {
	r, err := http.NewRequestWithContext(t.Context(), method, d.url+path, strings.NewReader(body))
	if err != nil {
		return 0, []byte(err.Error())
	}
	if token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		return 0, []byte(err.Error())
	}
	defer resp.Body.Close()
	var b bytes.Buffer
	if _, err := b.ReadFrom(resp.Body); err != nil {
		return 0, []byte(err.Error())
	}
	return resp.StatusCode, b.Bytes()
}

func decode[T any](t *testing.T, raw []byte) T {
	t.Helper()
	var v T
	if err := json.Unmarshal(raw, &v); err != nil {
		t.Fatalf("%s: %v", raw, err)
	}
	return v
}

type answer struct {
	Data  json.RawMessage `json:"data"`
	Table *struct {
		Title   string
		Columns []struct{ Key, Label string }
		Rows    [][]string
	} `json:"table"`
	HTML  string      `json:"html"`
	Text  string      `json:"text"`
	Parts []part.Part `json:"parts"`
}

type settled struct {
	Confirmation consent.View `json:"confirmation"`
	Result       *answer      `json:"result"`
}

const kayak = `{"name":"Kayak","price":12.5,"per":"guest"}`

// propose asks for a new extra and returns the question.
func (d door) propose(t *testing.T, token, body string) consent.View {
	t.Helper()
	status, raw := d.call(t, "POST", "/api/tools/hospitality/create_extra", token, body)
	if status != http.StatusAccepted {
		t.Fatalf("status %d: %s", status, raw)
	}
	return decode[settled](t, raw).Confirmation
}

func (d door) settle(t *testing.T, token, id, decision string) (int, []byte) {
	return d.call(t, "POST", "/api/confirmations/"+id, token, `{"decision":"`+decision+`"}`)
}

// written counts what the organisation has of extras, effects and audit lines.
func written(t *testing.T, org localtest.Org) string {
	t.Helper()
	rows := localtest.SQL(t, `select (select count(*) from extras where org_id = $1) as extras, (select count(*) from
		effects where org_id = $1) as effects,
		(select count(*) from audit where org_id = $1 and table_name = 'extras') as audits`, org.ID)
	return fmt.Sprintf("%v extras, %v effects, %v audits", rows[0]["extras"], rows[0]["effects"], rows[0]["audits"])
}

// refusal checks a problem document.
func refusal(t *testing.T, status int, raw []byte, wantStatus int, wantCode string) string {
	t.Helper()
	p := decode[httpx.Problem](t, raw)
	if status != wantStatus || p.Status != wantStatus || p.Code != wantCode || p.Detail == "" || p.RequestID == "" {
		t.Errorf("status %d, %s; want %d %s", status, raw, wantStatus, wantCode)
	}
	return p.Detail
}

// S1-17: a card can be drawn from the catalogue alone.
func TestTheCatalogueDescribesEveryTool(t *testing.T) {
	d, org := open(t), localtest.NewOrg(t)
	status, raw := d.call(t, "GET", "/api/tools/hospitality", org.Viewer.Token, "")
	if status != http.StatusOK {
		t.Fatalf("status %d: %s", status, raw)
	}
	list := decode[struct {
		Tools []struct {
			Name, Description, Effect string
			Agents                    []string
			Extension                 *bool
			Parameters                struct {
				Type                 string
				Properties           map[string]struct{ Description string }
				AdditionalProperties json.RawMessage
			}
		}
	}](t, raw).Tools
	effects, agents := map[string]string{}, map[string][]string{}
	for _, l := range list {
		if effects[l.Name] != "" {
			t.Errorf("%s is there twice", l.Name)
		}
		effects[l.Name], agents[l.Name] = l.Effect, l.Agents
		if l.Description == "" || len(l.Agents) == 0 || l.Extension == nil || l.Parameters.Type != "object" ||
			string(l.Parameters.AdditionalProperties) == "" {
			t.Errorf("%s is described as %+v", l.Name, l)
		}
		for name, p := range l.Parameters.Properties {
			if p.Description == "" {
				t.Errorf("nobody knows what %s of %s is", name, l.Name)
			}
		}
		if !slices.Contains([]string{"reads", "writes", "changes", "destroys", "critical"}, l.Effect) {
			t.Errorf("the effect of %s is %q", l.Name, l.Effect)
		}
	}
	if effects["list_extras"] != "reads" || effects["create_extra"] != "changes" {
		t.Errorf("the effects are %v", effects)
	}
	// S0-36, S0-37: who has which tool.
	if got := agents["list_room_types"]; !slices.Equal(got, []string{"inventory", "reservations", "edit_reservations",
		"blocked_dates"}) {
		t.Errorf("list_room_types is of %v", got)
	}
	if got := agents["create_extra"]; !slices.Equal(got, []string{"inventory"}) {
		t.Errorf("create_extra is of %v", got)
	}
}

// S1-17: data for programs, a table for people, its look, and a sentence.
func TestAReadingToolAnswersAtOnce(t *testing.T) {
	d, org := open(t), localtest.NewOrg(t)
	localtest.SQL(t, `insert into extras (org_id, entity_id, code, name, price, per, category) values ($1, $2,
		'TEA', 'Tea & <cake>', 45.10, 'guest', 'food')`, org.ID, org.Entity.ID)
	for who, token := range map[string]string{"a manager": org.Manager.Token, "a viewer": org.Viewer.Token} {
		status, raw := d.call(t, "POST", "/api/tools/hospitality/list_extras", token, `{}`)
		if status != http.StatusOK {
			t.Fatalf("%s: status %d: %s", who, status, raw)
		}
		a := decode[answer](t, raw)
		if !bytes.Contains(a.Data, []byte(`45.10`)) || a.Table == nil || len(a.Table.Rows) != 1 ||
			a.Text != "The property has one extra." {
			t.Errorf("%s: got %s", who, raw)
		}
		if !slices.Contains(a.Table.Rows[0], "Tea & <cake>") || !slices.Contains(a.Table.Rows[0], "₹45.10") {
			t.Errorf("%s: the row is %q", who, a.Table.Rows[0])
		}
		if !strings.HasPrefix(a.HTML, "<table") || !strings.Contains(a.HTML, "Tea &amp; &lt;cake&gt;") ||
			strings.Contains(a.HTML, "<cake>") {
			t.Errorf("%s: the table looks so: %s", who, a.HTML)
		}
		for _, id := range []string{org.ID, org.Entity.ID} {
			if bytes.Contains(raw, []byte(id)) {
				t.Errorf("%s: the id %s is in %s", who, id, raw)
			}
		}
	}
	empty := localtest.NewOrg(t)
	_, raw := d.call(t, "POST", "/api/tools/hospitality/list_extras", empty.Viewer.Token, `{}`)
	if a := decode[answer](t, raw); a.Table != nil || a.HTML != "" || a.Text != "The property has no extras." {
		t.Errorf("without extras it answers %s", raw)
	}
}

// F-14, F-67: an approval of what is no longer so is refused with the question
// that takes its place, and that one can be approved.
func TestAnApprovalOfWhatHasChangedAsksAnew(t *testing.T) {
	d, org := open(t), localtest.NewOrg(t)
	localtest.SQL(t, `insert into extras (org_id, entity_id, code, name, price) values ($1, $2, 'TEA', 'Tea', 45)`,
		org.ID, org.Entity.ID)
	_, raw := d.call(t, "POST", "/api/tools/hospitality/update_extra", org.Manager.Token, `{"extra":"TEA","price":50}`)
	old := decode[settled](t, raw).Confirmation
	localtest.SQL(t, `update extras set price = 46 where org_id = $1`, org.ID)
	status, raw := d.call(t, "POST", "/api/confirmations/"+old.ID, org.Manager.Token, `{"decision":"approve"}`)
	fresh := decode[struct {
		Code         string
		Confirmation consent.View
	}](t, raw)
	want := []tool.Line{{Label: "Price", Before: "₹45.00", After: "₹46.00"}}
	if status != http.StatusConflict || fresh.Code != "proposal_changed" ||
		!slices.Equal(fresh.Confirmation.Preview.Changed, want) {
		t.Fatalf("status %d: %s", status, raw)
	}
	if price := localtest.SQL(t, `select price::text from extras where org_id = $1`,
		org.ID)[0]["price"]; price != "46.00" {
		t.Errorf("the price is %v", price)
	}
	if bytes.Contains(raw, []byte(org.Entity.ID)) {
		t.Errorf("what it rests on is told: %s", raw)
	}
	if status, raw = d.call(t, "POST", "/api/confirmations/"+fresh.Confirmation.ID, org.Manager.Token,
		`{"decision":"approve"}`); status != http.StatusOK {
		t.Errorf("status %d: %s", status, raw)
	}
	if status, raw = d.call(t, "POST", "/api/confirmations/"+old.ID, org.Manager.Token,
		`{"decision":"approve"}`); status != http.StatusConflict {
		t.Errorf("the old question: status %d: %s", status, raw)
	}
}

func TestASignificantActIsAskedAndThenDoneOnce(t *testing.T) {
	d, org := open(t), localtest.NewOrg(t)
	q := d.propose(t, org.Manager.Token, kayak)
	if q.Tool != "create_extra" || q.Tier != "MEDIUM" || len(q.Code) != consent.CodeLength ||
		q.State != consent.Pending || time.Until(q.ExpiresAt) < 9*time.Minute {
		t.Errorf("the question is %+v", q)
	}
	if q.Preview.Title != "Add the extra Kayak" || !slices.Contains(q.Preview.Lines,
		tool.Line{Label: "Price per guest", After: "₹12.50"}) {
		t.Errorf("the preview is %+v", q.Preview)
	}
	if got := written(t, org); got != "0 extras, 0 effects, 0 audits" {
		t.Errorf("before the answer there are %s", got)
	}
	status, raw := d.settle(t, org.Manager.Token, q.ID, "approve")
	got := decode[settled](t, raw)
	if status != http.StatusOK || got.Confirmation.State != consent.Consumed || got.Result == nil ||
		!strings.HasPrefix(got.Result.Text, "Added the extra Kayak") {
		t.Errorf("status %d, %s", status, raw)
	}
	// F-37: a second approval gets the receipt of the first.
	status, raw = d.settle(t, org.Manager.Token, q.ID, "approve")
	if twice := decode[settled](t, raw); status != http.StatusOK || twice.Result == nil ||
		twice.Result.Text != got.Result.Text {
		t.Errorf("the second time: status %d, %s", status, raw)
	}
	// A no that comes too late does not undo it, and says so.
	status, raw = d.settle(t, org.Manager.Token, q.ID, "reject")
	if late := decode[settled](t, raw); status != http.StatusOK || late.Confirmation.State != consent.Consumed ||
		late.Result != nil {
		t.Errorf("a late no: %d %s", status, raw)
	}
	if got := written(t, org); got != "1 extras, 1 effects, 1 audits" {
		t.Errorf("at the end there are %s", got)
	}
}

// F-37
func TestClicksAtTheSameTimeMakeOneEffect(t *testing.T) {
	d, org := open(t), localtest.NewOrg(t)
	q := d.propose(t, org.Manager.Token, kayak)
	statuses := make([]int, 20)
	var wg sync.WaitGroup
	for i := range statuses {
		wg.Go(func() { statuses[i], _ = d.settle(t, org.Manager.Token, q.ID, "approve") })
	}
	wg.Wait()
	done := 0
	for _, s := range statuses {
		switch s {
		case http.StatusOK:
			done++
		case http.StatusConflict:
		default:
			t.Errorf("a click was answered with %d", s)
		}
	}
	if got := written(t, org); done < 1 || got != "1 extras, 1 effects, 1 audits" {
		t.Errorf("%d clicks say that it is done; there are %s", done, got)
	}
}

func TestANoIsANo(t *testing.T) {
	d, org := open(t), localtest.NewOrg(t)
	q := d.propose(t, org.Manager.Token, kayak)
	for range 2 {
		status, raw := d.settle(t, org.Manager.Token, q.ID, "reject")
		if got := decode[settled](t, raw); status != http.StatusOK || got.Confirmation.State != consent.Rejected ||
			got.Result != nil {
			t.Errorf("status %d, %s", status, raw)
		}
	}
	status, raw := d.settle(t, org.Manager.Token, q.ID, "approve")
	refusal(t, status, raw, 409, "proposal_rejected")
	if got := written(t, org); got != "0 extras, 0 effects, 0 audits" {
		t.Errorf("there are %s", got)
	}
}

// F-36, F-39, F-42
func TestAQuestionThatCannotBeAnsweredChangesNothing(t *testing.T) {
	d, org, other := open(t), localtest.NewOrg(t), localtest.NewOrg(t)
	ask := func(name string) string {
		return d.propose(t, org.Manager.Token, `{"name":"`+name+`","price":1,"per":"stay"}`).ID
	}
	older := ask("Newer")
	newer := ask("Newer")
	late := d.propose(t, org.Admin.Token, kayak).ID
	localtest.SQL(t, `update public.proposals set expires_at = clock_timestamp() where org_id = $1 and id =
		$2::text::uuid`, org.ID, late)
	tests := map[string]struct {
		token, id, body string
		status          int
		code            string
	}{
		"its time is over":        {org.Admin.Token, late, `{"decision":"approve"}`, 410, "proposal_expired"},
		"a newer one is there":    {org.Manager.Token, older, `{"decision":"approve"}`, 409, "proposal_superseded"},
		"a colleague's":           {org.Admin.Token, newer, `{"decision":"approve"}`, 404, "proposal_unknown"},
		"a colleague's, declined": {org.Admin.Token, newer, `{"decision":"reject"}`, 404, "proposal_unknown"},
		"a stranger's":            {other.Admin.Token, newer, `{"decision":"approve"}`, 404, "proposal_unknown"},
		"nobody's": {org.Manager.Token, uuid.NewString(), `{"decision":"approve"}`, 404,
			"proposal_unknown"},
		"an id of no form": {org.Manager.Token, "1%20or%201=1", `{"decision":"approve"}`, 404,
			"proposal_unknown"},
		"without a token":    {"", newer, `{"decision":"approve"}`, 401, "unauthorized"},
		"neither yes nor no": {org.Manager.Token, newer, `{"decision":"maybe"}`, 400, "invalid"},
		"without a decision": {org.Manager.Token, newer, `{}`, 400, "invalid"},
		"without a body":     {org.Manager.Token, newer, ``, 400, "invalid"},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			status, raw := d.call(t, "POST", "/api/confirmations/"+tc.id, tc.token, tc.body)
			refusal(t, status, raw, tc.status, tc.code)
		})
	}
	localtest.SQL(t, `update public.memberships set role = 'viewer' where org_id = $1 and user_id = $2::text::uuid`,
		org.ID, org.Manager.ID)
	status, raw := d.settle(t, org.Manager.Token, newer, "approve")
	refusal(t, status, raw, 403, "forbidden")
	if got := written(t, org); got != "0 extras, 0 effects, 0 audits" {
		t.Errorf("there are %s", got)
	}
}

func TestTwoQuestionsStandSideBySide(t *testing.T) {
	d, org := open(t), localtest.NewOrg(t)
	first := d.propose(t, org.Manager.Token, `{"name":"Kayak","price":1,"per":"stay"}`)
	second := d.propose(t, org.Manager.Token, `{"name":"Canoe","price":1,"per":"stay"}`)
	for _, q := range []string{first.ID, second.ID} {
		if status, raw := d.settle(t, org.Manager.Token, q, "approve"); status != http.StatusOK {
			t.Errorf("status %d, %s", status, raw)
		}
	}
	if got := written(t, org); got != "2 extras, 2 effects, 2 audits" {
		t.Errorf("there are %s", got)
	}
}

// S0-48: arguments are checked before anything runs, whatever a schema says.
func TestABadRequestIsRefusedWithASentence(t *testing.T) {
	d, org := open(t), localtest.NewOrg(t)
	token := org.Manager.Token
	tests := map[string]struct {
		method, path, token, body string
		status                    int
		code, says                string
	}{
		"the catalogue without a token": {"GET", "/api/tools/hospitality", "", "", 401, "unauthorized", "sign in"},
		"without a token": {"POST", "/api/tools/hospitality/list_extras", "", "{}", 401, "unauthorized",
			"sign in"},
		"with a token of nobody": {"POST", "/api/tools/hospitality/list_extras", "abc.def.ghi", "{}", 401,
			"unauthorized", ""},
		"an unknown assistant": {"POST", "/api/tools/astrology/list_extras", token, "{}", 404,
			"unknown_assistant", "assistant"},
		"its catalogue": {"GET", "/api/tools/astrology", token, "", 404, "unknown_assistant",
			"assistant"},
		"an unknown tool": {"POST", "/api/tools/hospitality/drop_everything", token, "{}", 404,
			"unknown_tool", "Bernard has no such tool"},
		"a name of the language": {"POST", "/api/tools/hospitality/constructor", token, "{}", 404,
			"unknown_tool", ""},
		"an unknown argument": {"POST", "/api/tools/hospitality/list_extras", token,
			`{"includeInactive":true}`, 400, "invalid", "includeInactive"},
		"an argument of another type": {"POST", "/api/tools/hospitality/list_extras", token,
			`{"include_inactive":"yes"}`, 400, "invalid", "include_inactive"},
		"a missing argument": {"POST", "/api/tools/hospitality/create_extra", token,
			`{"name":"Kayak","per":"guest"}`, 400, "invalid", "price"},
		"the same argument twice": {"POST", "/api/tools/hospitality/list_extras", token,
			`{"include_inactive":true,"include_inactive":false}`, 400, "invalid", "include_inactive"},
		"a price below zero": {"POST", "/api/tools/hospitality/create_extra", token,
			`{"name":"Kayak","price":-1,"per":"guest"}`, 400, "invalid", "below zero"},
		"a price with too many digits": {"POST", "/api/tools/hospitality/create_extra", token,
			`{"name":"Kayak","price":1.005,"per":"guest"}`, 400, "invalid", "decimals"},
		"no JSON": {"POST", "/api/tools/hospitality/list_extras", token, `name=x`, 400,
			"invalid", "JSON"},
		"a list": {"POST", "/api/tools/hospitality/list_extras", token, `[]`, 400, "invalid",
			"object"},
		"nested too deep": {"POST", "/api/tools/hospitality/list_extras", token,
			strings.Repeat("[", 40) + strings.Repeat("]", 40), 422, "unprocessable", "nested"},
		"a viewer who would write": {"POST", "/api/tools/hospitality/create_extra", org.Viewer.Token, kayak, 403,
			"forbidden", "look"},
		"another method": {"DELETE", "/api/tools/hospitality/list_extras", token, "", 405, "method_not_allowed",
			""},
		"another address": {"GET", "/api/tools", token, "", 404, "not_found", ""},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			status, raw := d.call(t, tc.method, tc.path, tc.token, tc.body)
			if says := refusal(t, status, raw, tc.status, tc.code); !strings.Contains(says, tc.says) {
				t.Errorf("it says %q, and not %q", says, tc.says)
			}
		})
	}
	if rows := localtest.SQL(t, `select 1 as one from public.proposals where org_id = $1`, org.ID); len(rows) > 0 ||
		written(t, org) != "0 extras, 0 effects, 0 audits" {
		t.Errorf("%d questions are left behind, and %s", len(rows), written(t, org))
	}
}

// The entity in an address is a choice among one's own, never a grant.
func TestAnEntityIsChosenAmongOnesOwn(t *testing.T) {
	d, org, other := open(t), localtest.NewOrg(t), localtest.NewOrg(t)
	hill := uuid.NewString()
	localtest.SQL(t, `insert into public.entities (org_id, id, kind, key, name, time_zone, currency, locale) values
		($1, $2::text::uuid, 'property', 'ZHILL', 'Hill House', 'Europe/Paris', 'EUR', 'fr-FR'),
		($1, $3::text::uuid, 'company', 'ABOOKS', 'Books', 'Asia/Kolkata', 'INR', 'en-IN')`, org.ID, hill,
		uuid.NewString())
	price := func(q consent.View) string {
		i := slices.IndexFunc(q.Preview.Lines, func(l tool.Line) bool { return l.Label == "Price per guest" })
		return q.Preview.Lines[i].After
	}
	tests := map[string]struct {
		choice string
		status int
		price  string
	}{
		"none: the first property":      {"", 202, "₹12.50"},
		"by key":                        {"ZHILL", 202, "€12.50"},
		"by id":                         {hill, 202, "€12.50"},
		"the first by key":              {"TST", 202, "₹12.50"},
		"a company is no property":      {"ABOOKS", 404, ""},
		"another organisation's":        {other.Entity.ID, 404, ""},
		"one that there is not":         {uuid.NewString(), 404, ""},
		"something like a query of SQL": {"TST%27%20or%20%271%27=%271", 404, ""},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			status, raw := d.call(t, "POST", "/api/tools/hospitality/create_extra?entityId="+tc.choice,
				org.Manager.Token, kayak)
			if status != tc.status {
				t.Fatalf("status %d: %s", status, raw)
			}
			if status == http.StatusAccepted {
				if got := price(decode[settled](t, raw).Confirmation); got != tc.price {
					t.Errorf("the price is %s, want %s", got, tc.price)
				}
			}
		})
	}
	// The proposal remembers for which one it was made.
	_, raw := d.call(t, "POST", "/api/tools/hospitality/create_extra?entityId=ZHILL", org.Manager.Token, kayak)
	if status, raw := d.settle(t, org.Manager.Token, decode[settled](t, raw).Confirmation.ID,
		"approve"); status != http.StatusOK {
		t.Fatalf("status %d: %s", status, raw)
	}
	rows := localtest.SQL(t, `select e.key from extras x join entities e on e.id = x.entity_id where x.org_id = $1`,
		org.ID)
	if len(rows) != 1 || rows[0]["key"] != "ZHILL" {
		t.Errorf("the extra is at %v", rows)
	}
}

func TestADoorSaysWhatItLacks(t *testing.T) {
	if _, err := tools.New(tools.Config{}); err == nil || !strings.Contains(err.Error(), "required") {
		t.Errorf("got %v", err)
	}
}
