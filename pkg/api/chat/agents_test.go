package chat_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/bellhop-ai/bellhop/infra/local/localtest"
	"github.com/bellhop-ai/bellhop/infra/local/model/script"
	"github.com/bellhop-ai/bellhop/pkg/api/chat"
	"github.com/bellhop-ai/bellhop/pkg/api/tools"
)

// specialist is one of the hotel's agents as the chat endpoint has to show it: its
// label, its rounds and its tools, of which some are extensions.
type specialist struct {
	name, label              string
	rounds, tools, extension int
	told                     string // a part of what only this one is told
}

func specialists() []specialist {
	return []specialist{
		{"inventory", "Inventory Agent", 8, 21, 0, ""},
		{"reservations", "Reservations Agent", 8, 18, 7, "room → dates → guest → extras"},
		{"edit_reservations", "Edit Reservations Agent", 8, 9, 1, "1. Identify the booking"},
		{"analytics", "Analytics Agent", 5, 4, 0, ""},
		{"pricing", "Pricing Agent", 5, 4, 4, ""},
		{"chef_menu", "Chef Menu Agent", 8, 6, 0, ""},
		{"extra_selections", "Extra Selections Agent", 8, 5, 4, ""},
		{"blocked_dates", "Blocked Dates Agent", 8, 4, 3, ""},
	}
}

var described = regexp.MustCompile(`("type":"[a-z]+"),"description":"(?:[^"\\\\]|\\\\.)*"`)

// offered is the tools of a model's request, as they were sent, but for the
// descriptions of arguments: a set says once what several of its tools share.
func offered(t *testing.T, r script.Request) map[string]string {
	t.Helper()
	var body struct {
		Tools []struct{ Function json.RawMessage }
	}
	if err := json.Unmarshal(r.Body, &body); err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for _, one := range body.Tools {
		var f struct{ Name string }
		if err := json.Unmarshal(one.Function, &f); err != nil {
			t.Fatal(err)
		}
		out[f.Name] = described.ReplaceAllString(string(one.Function), "$1")
	}
	return out
}

// S0-1, S0-4, S0-6, S0-16, S0-19, S0-20, S0-25, S0-28, S0-32, S0-33, S0-34,
// S0-35, S0-47, S4-35: the router's one tool names the eight, each answers under its label
// with its own tools alone, 56 in all beside the extensions, and what two have
// is one definition. No model is told who asks.
func TestEachAgentAnswersAtTheDoorWithItsOwnTools(t *testing.T) {
	t.Parallel()
	org := localtest.NewOrg(t)
	definitions := map[string]string{}
	extensions := 0
	for _, want := range specialists() {
		d := open(t, script.Route(want.name), script.Step{Text: "At your service."})
		resp, raw := d.post(t, "/api/chat", org.Manager.Token, "", ask("Please."))
		if a := answer(t, raw); resp.StatusCode != http.StatusOK || a.Agent != want.name || a.Label != want.label {
			t.Fatalf("%s: status %d, %s", want.name, resp.StatusCode, raw)
		}
		asked := d.model.Requests()
		for _, r := range asked {
			if body := string(r.Body); strings.Contains(body, org.Manager.Email) ||
				strings.Contains(body, org.Manager.ID) {
				t.Errorf("%s: the model is told who asks", want.name)
			}
		}
		var choice struct {
			Parameters struct {
				Properties struct{ Agent struct{ Enum []string } }
			}
		}
		if err := json.Unmarshal([]byte(offered(t, asked[0])["route_to_agent"]), &choice); err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, one := range specialists() {
			names = append(names, one.name)
			told := asked[1].Messages[0].Content
			if one.told != "" && strings.Contains(told, one.told) != (one.name == want.name) {
				t.Errorf("%s is told %q", want.name, told)
			}
		}
		if got := choice.Parameters.Properties.Agent.Enum; !slices.Equal(got, names) {
			t.Errorf("the router may choose %v", got)
		}
		own := offered(t, asked[1])
		if len(own) != want.tools+want.extension {
			t.Errorf("%s has %d tools, want %d", want.name, len(own), want.tools+want.extension)
		}
		extensions += want.extension
		for name, definition := range own {
			if before, ok := definitions[name]; ok && before != definition {
				t.Errorf("%s of %s is not the others' %s", definition, want.name, before)
			}
			definitions[name] = definition
		}
	}
	if len(definitions)-extensions != 56 {
		t.Errorf("%d tools beside %d extensions", len(definitions), extensions)
	}
}

// S0-11, S0-12, S0-13, S0-14: each agent has its rounds, a tool of another's is
// unknown and said to the model, and the end says that it is none.
func TestEachAgentStopsAfterItsRounds(t *testing.T) {
	t.Parallel()
	org := localtest.NewOrg(t)
	for _, want := range specialists() {
		t.Run(want.name, func(t *testing.T) {
			t.Parallel()
			steps := []script.Step{script.Route(want.name)}
			for i := range 10 {
				steps = append(steps, script.Step{Calls: []script.Call{{Name: fmt.Sprintf("no_such_tool_%d", i)}}})
			}
			d := open(t, steps...)
			_, raw := d.post(t, "/api/chat", org.Manager.Token, "", ask("Please."))
			a, asked := answer(t, raw), d.model.Requests()
			// One request for the router, and one in which the last results are read.
			if a.Finish != "rounds" || len(asked) != 1+want.rounds+1 {
				t.Fatalf("it ends with %s after %d requests: %s", a.Finish, len(asked), a.Reply)
			}
			if !strings.Contains(a.Reply, "had to stop before this was finished") ||
				strings.Contains(a.Reply, "Done.") {
				t.Errorf("it says %q", a.Reply)
			}
			if last := asked[len(asked)-1].Last("tool"); last.ToolCallID == "" ||
				last.Content != fmt.Sprintf("Unknown tool: no_such_tool_%d", want.rounds-1) {
				t.Errorf("the model read %+v", last)
			}
		})
	}
}

// S0-2, S0-3, S0-10, S0-58: a client sends all it has; the router reads the last
// 20 messages of it, a specialist 40, or fewer where older ones leave several at once.
func TestLongHistoriesAreReadFromTheirEnd(t *testing.T) {
	t.Parallel()
	var list []any
	for i := range 60 {
		list = append(list, user(fmt.Sprintf("question %d", i)),
			map[string]any{"role": "assistant", "content": fmt.Sprintf("answer %d", i)})
	}
	d := open(t, script.Route("inventory"), script.Step{Text: "At your service."})
	body := map[string]any{"messages": append(list, user("the last question"))}
	resp, raw := d.post(t, "/api/chat", localtest.NewOrg(t).Manager.Token, "", body)
	if resp.StatusCode != http.StatusOK {
		t.Fatalf("status %d, %s", resp.StatusCode, raw)
	}
	for i, most := range []int{20, 40} {
		read := d.model.Requests()[i].Messages[1:]
		if len(read) > most || len(read) < most/2 || read[len(read)-1].Content != "the last question" {
			t.Errorf("request %d has %d messages, the last is %+v", i, len(read), read[len(read)-1])
		}
	}
}

// S0-14: after tools that worked, a blank answer is "Done."
func TestABlankAnswerAfterAToolIsDone(t *testing.T) {
	t.Parallel()
	look := script.Step{Calls: []script.Call{{Name: "list_extras"}}}
	d := open(t, script.Route("inventory"), look, script.Step{Text: "\n"})
	_, raw := d.post(t, "/api/chat", localtest.NewOrg(t).Manager.Token, "", ask("Extras?"))
	if a := answer(t, raw); strings.TrimSpace(a.Reply) != "Done." || a.Finish != "stop" {
		t.Errorf("it answers %s", raw)
	}
}

// S0-8: what is changed decides who answers. The router's prompt quotes none of
// these sentences; see TestTheRoutersPromptIsShort.
func TestACabinIsNoBooking(t *testing.T) {
	t.Parallel()
	m := newMorning(t)
	for said, agent := range map[string]string{
		"edit COCO cabin":         "inventory",
		"edit reservation ABC123": "edit_reservations",
		"change weekend price":    "inventory",
		"change check-in date":    "edit_reservations",
	} {
		m.thread, m.messages = uuid.NewString(), nil
		m.says(said, agent, "")
	}
}

// S0-28, S0-31, S0-49: a report's table is in the reply as the tool drew it, byte for
// byte, whatever the model writes around it, and its figures are in the parts.
func TestAReportReachesTheClientAsItIs(t *testing.T) {
	t.Parallel()
	org, project := localtest.NewOrg(t), localtest.Stack(t)
	localtest.SQL(t, `insert into public.room_types
		(org_id, entity_id, code, name, capacity, weekday_price, weekend_price)
		values ($1, $2, 'COCO', 'Coco & <b>', 2, 5000, 6000)`, org.ID, org.Entity.ID)
	p := backendOf(t, project, time.Now)
	h, err := tools.New(tools.Config{
		Assistants: assistantsOf(t, p), Consent: p.Consent, Identify: p.Identify, NewID: uuid.NewString,
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"get_occupancy_stats", "get_revenue_stats"} {
		path := "/api/tools/hospitality/" + name
		r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, path, strings.NewReader("{}"))
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Authorization", "Bearer "+org.Manager.Token)
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		var drawn struct{ HTML string }
		if err := json.Unmarshal(w.Body.Bytes(), &drawn); err != nil || !strings.HasPrefix(drawn.HTML, "<table") {
			t.Fatalf("%s: %v, %s", name, err, w.Body)
		}
		for _, said := range []string{"Here it is: [[table:t2a]] As you see.", "Ninety per cent."} {
			look := script.Step{Calls: []script.Call{{Name: name}}}
			d := openWith(t, p, func(*chat.Config) {}, script.Route("analytics"), look, script.Step{Text: said})
			_, raw := d.post(t, "/api/chat", org.Manager.Token, "", ask("How are we doing?"))
			if a := answer(t, raw); strings.Count(a.Reply, drawn.HTML) != 1 || strings.Count(a.Reply, "<table") != 1 {
				t.Errorf("%s: the reply is\n%s\nwithout\n%s", name, a.Reply, drawn.HTML)
			}
		}
	}
}
