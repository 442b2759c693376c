package tools_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/bellhop-ai/bellhop/infra/local/localtest"
	"github.com/bellhop-ai/bellhop/pkg/agent"
	"github.com/bellhop-ai/bellhop/pkg/assistants"
	"github.com/bellhop-ai/bellhop/pkg/flow"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/part"
	"github.com/bellhop-ai/bellhop/pkg/prompt"
	"github.com/bellhop-ai/bellhop/pkg/render"
	"github.com/bellhop-ai/bellhop/pkg/supabase"
	"github.com/bellhop-ai/bellhop/pkg/supabase/control"
	"github.com/bellhop-ai/bellhop/pkg/tool"
)

// S1-2, S1-3, S1-35: the catalogue says what shows a tool's answer and how often
// it is tried again; and it lists what an agent has for this caller alone.
func TestTheCatalogueIsTheCallers(t *testing.T) {
	t.Parallel()
	find := tool.New(tool.Spec{Name: "find_flight", Effect: tool.Reads,
		Description: "Finds flights somewhere else.", Component: "FlightCard",
		Retry: tool.Retry{Most: 2, Delay: 1500 * time.Millisecond}},
		func(context.Context, identity.Caller, struct{}) (string, error) { return "AI101", nil })
	sets := tool.NewSets(2)
	runtime := runtimeOf(t, find)
	runtime.Adds = func(_ context.Context, by identity.Caller, a *agent.Agent) (*tool.Set, error) {
		if by.Role == identity.Viewer {
			return nil, nil
		}
		return sets.Set(a.Tools, []tool.Declaration{{Spec: tool.Spec{Name: "Who.Am.I", Effect: tool.Reads,
			Description: "Says who asks."},
			Schema: json.RawMessage(`{"type":"object","properties":{"loud":{"type":"boolean"}}}`),
			Run: func(_ context.Context, by identity.Caller, in tool.Raw) (any, error) {
				return fmt.Sprint(by.Role, string(in)), nil
			}}})
	}
	travel, err := flow.New(runtime)
	if err != nil {
		t.Fatal(err)
	}
	d, org := openWith(t, travel), localtest.NewOrg(t)
	localtest.Give(t, localtest.Stack(t), org.ID, "toy")
	listed := func(token string) string {
		status, raw := d.call(t, "GET", "/api/tools/toy", token, "")
		if status != http.StatusOK {
			t.Fatalf("status %d: %s", status, raw)
		}
		out := ""
		for _, l := range decode[struct {
			Tools []struct {
				Name, Component string
				Parameters      json.RawMessage
				RetryConfig     json.RawMessage
			}
		}](t, raw).Tools {
			out += fmt.Sprintf("%s %q %s; ", l.Name, l.Component, l.RetryConfig)
		}
		return out
	}
	own := `find_flight "FlightCard" {"maxRetries":2,"retryDelay":1500}; `
	name := tool.ModelName("Who.Am.I")
	if got := listed(org.Viewer.Token); got != own {
		t.Errorf("a viewer reads %s", got)
	}
	if got := listed(org.Manager.Token); got != own+name+` "" {"maxRetries":0,"retryDelay":0}; ` {
		t.Errorf("a manager reads %s", got)
	}
	status, raw := d.call(t, "POST", "/api/tools/toy/"+name, org.Manager.Token, `{"loud":true}`)
	if got := decode[answer](t, raw); status != http.StatusOK || string(got.Data) != `"manager{\"loud\":true}"` {
		t.Errorf("%d %s", status, raw)
	}
	if status, raw = d.call(t, "POST", "/api/tools/toy/"+name, org.Viewer.Token,
		`{}`); status != http.StatusNotFound {
		t.Errorf("another caller's tool: %d %s", status, raw)
	}
}

// F-50: what a third party writes happens at most once for a key, whatever is sent
// again; a retry gets a receipt, and an act of unknown outcome is not repeated.
func TestAThirdPartysWriteHappensOnce(t *testing.T) {
	t.Parallel()
	client, err := supabase.New(localtest.Config(t, localtest.Stack(t)))
	if err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	var tried []string
	act := tool.Act{Outbox: control.NewOutbox(client), Kind: "ledger",
		Attempt: func(_ context.Context, _ identity.Caller, key string, in tool.Raw) (any, string, error) {
			mu.Lock()
			defer mu.Unlock()
			tried = append(tried, string(in))
			if strings.Contains(string(in), "lost") {
				return nil, "", errors.New("connection reset")
			}
			return json.RawMessage(`{"number":7}`), "INV-7", nil
		}}
	write, err := tool.FromSchema(tool.Spec{Name: "Invoice.Note", Effect: tool.Writes},
		[]byte(`{"type":"object","properties":{"text":{"type":"string"}}}`), nil, tool.AtMostOnce(act))
	if err != nil {
		t.Fatal(err)
	}
	d, org := openWith(t, assistantOf(t, write)), localtest.NewOrg(t)
	localtest.Give(t, localtest.Stack(t), org.ID, "toy")
	post := func(key, body string) (int, []byte) {
		return d.call(t, "POST", "/api/tools/toy/"+write.Name(), org.Manager.Token, body, "Idempotency-Key", key)
	}
	for _, want := range []string{`{"number":7}`, `{"reference":"INV-7","done":true}`} {
		status, raw := post("note-0001", `{"text":"paid"}`)
		if got := decode[answer](t, raw); status != http.StatusOK || string(got.Data) != want {
			t.Errorf("%d %s, want %s", status, raw, want)
		}
	}
	for range 2 {
		status, raw := post("note-0002", `{"text":"lost"}`)
		refusal(t, status, raw, http.StatusServiceUnavailable, "outcome_unknown")
	}
	if got := strings.Join(tried, " "); got != `{"text":"paid"} {"text":"lost"}` {
		t.Errorf("tried were %s", got)
	}
	rows := localtest.SQL(t, `select string_agg(concat_ws(' ', kind, state, payload ->> 'tool'), ', ' order by
		started_at) as kept
		from public.outbox where org_id = $1`, org.ID)
	if got := rows[0]["kept"]; got != "ledger DONE Invoice.Note, ledger UNKNOWN Invoice.Note" {
		t.Errorf("the outbox has %v", got)
	}
}

// assistantOf is an assistant whose one agent has these tools, and whose answers
// have no parts.
func assistantOf(t *testing.T, tools ...tool.Tool) *flow.Runtime {
	t.Helper()
	r, err := flow.New(runtimeOf(t, tools...))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func runtimeOf(t *testing.T, tools ...tool.Tool) flow.Runtime {
	t.Helper()
	set, err := tool.NewSet(tools...)
	if err != nil {
		t.Fatal(err)
	}
	persona, err := prompt.Parse("flyer", "You find flights.")
	if err != nil {
		t.Fatal(err)
	}
	return flow.Runtime{
		Profile: assistants.Profile{Name: "toy", Title: "Toy", EntityKind: "property",
			AgentNames: []assistants.AgentName{{Name: "flyer", Label: "Flyer"}}},
		Flow:   flow.Func(func(context.Context, *flow.Turn) iter.Seq2[agent.Event, error] { return nil }),
		Agents: []*agent.Agent{{Name: "flyer", Label: "Flyer", Tools: set, Persona: persona, Rounds: 1, Window: 1}},
	}
}

// pictured is an output with a table and a part beside it.
type pictured struct{}

func (pictured) Table() render.Table {
	return render.Table{Columns: []render.Column{{Key: "day", Label: "Day"}},
		Rows: [][]render.Cell{{render.Text("Monday")}}}
}

func (pictured) Show() []part.Data {
	return []part.Data{part.Choices{Choices: []part.Choice{{Label: "By train", Words: "By train, please"}}}}
}

// An assistant whose tools say that they show what its profile does not name does
// not start; a part of which nothing is said is dropped where it comes up.
func TestPartsAreThoseOfTheProfile(t *testing.T) {
	t.Parallel()
	showing := func(kinds ...string) tool.Tool {
		return tool.New(tool.Spec{Name: "find_ways", Effect: tool.Reads, Description: "Finds ways to travel.",
			Shows: kinds},
			func(context.Context, identity.Caller, struct{}) (pictured, error) { return pictured{}, nil })
	}
	made := func(named []string, kinds ...string) (*flow.Runtime, error) {
		r := runtimeOf(t, showing(kinds...))
		r.Parts = named
		return flow.New(r)
	}
	if _, err := made(nil); err == nil || !strings.Contains(err.Error(), "kind table") {
		t.Errorf("without tables: %v", err)
	}
	if _, err := made([]string{"table"}, "choices"); err == nil || !strings.Contains(err.Error(), "kind choices") {
		t.Errorf("without choices: %v", err)
	}
	org := localtest.NewOrg(t)
	localtest.Give(t, localtest.Stack(t), org.ID, "toy")
	for name, tc := range map[string]struct {
		named, kinds []string
		want         string
	}{
		"stated":              {[]string{"table", "choices"}, []string{"choices"}, "table choices"},
		"not stated":          {[]string{"table", "choices"}, nil, "table choices"},
		"stated otherwise":    {[]string{"table", "link"}, []string{"link"}, "table"},
		"not of this profile": {[]string{"table"}, nil, "table"},
	} {
		r, err := made(tc.named, tc.kinds...)
		if err != nil {
			t.Fatal(err)
		}
		_, raw := openWith(t, r).call(t, "POST", "/api/tools/toy/find_ways", org.Manager.Token, `{}`)
		var kinds []string
		for _, p := range decode[answer](t, raw).Parts {
			kinds = append(kinds, p.Kind)
		}
		if got := strings.Join(kinds, " "); got != tc.want {
			t.Errorf("%s: shown are %q, want %q", name, got, tc.want)
		}
	}
}

// F-61, F-22: what fits the schema and makes no sense becomes no question.
func TestNobodyIsAskedAboutWhatMakesNoSense(t *testing.T) {
	t.Parallel()
	d, org := open(t), localtest.NewOrg(t)
	for name, tc := range map[string]struct{ tool, body, says string }{
		"a block in the year 9999": {"block_dates",
			`{"rooms":["COCO"],"start_date":"9999-01-01","end_date":"9999-01-03","reason":"maintenance"}`,
			"Is the year right?"},
		"a season long ago": {"set_seasonal_price",
			`{"name":"Old","start_date":"1999-01-01","end_date":"1999-02-01","weekday_price":1}`, "must be from 20"},
		"a look at the year 9999": {"check_all_availability", `{"check_in":"9999-01-01","check_out":"9999-01-02"}`,
			"must be from"},
		"a name that hides": {"create_extra", `{"name":"Ka\u200byak","price":1,"per":"guest"}`,
			"nobody sees (U+200B)"},
		"a name in two scripts": {"create_extra", `{"name":"K\u0430yak","price":1,"per":"guest"}`,
			"letters of two scripts"},
		"a code that hides": {"delete_extra", `{"extra":"KAYAK\udb40\udc41"}`, "nobody sees (U+E0041)"},
	} {
		status, raw := d.call(t, "POST", "/api/tools/hospitality/"+tc.tool, org.Manager.Token, tc.body)
		if says := refusal(t, status, raw, http.StatusBadRequest, "invalid"); !strings.Contains(says, tc.says) {
			t.Errorf("%s: %s", name, says)
		}
	}
	if rows := localtest.SQL(t, `select count(*) as n from proposals where org_id = $1`,
		org.ID); fmt.Sprint(rows[0]["n"]) != "0" {
		t.Errorf("%v questions were stored", rows[0]["n"])
	}
}
