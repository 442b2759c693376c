package runtimes_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/google/uuid"

	"github.com/bellhop-ai/bellhop/infra/local/localtest"
	"github.com/bellhop-ai/bellhop/infra/local/model/script"
)

// S1-17: a card whose arguments a person changed is run as a turn without a model. Its answer
// is sealed and kept with the conversation, and what is said next understands it.
func TestACardIsRunAgain(t *testing.T) {
	t.Parallel()
	b := newTravel(t, "rules")
	b.travellers(b.org.Manager)
	id := uuid.NewString()
	c := b.as(b.org.Manager, "id", id)
	c.ask(family)
	c.more["run"] = map[string]any{"tool": "search_flights", "arguments": json.RawMessage(
		strings.ReplaceAll(toLisbon, "Lisbon", "Rome"))}
	c.messages = append(c.messages, map[string]any{"role": "user", "content": "destination: Rome", "source": "form"})
	again := c.ask("")
	delete(c.more, "run")
	var shown struct {
		Title  string
		Offers []struct{ Code, Hold string }
	}
	if again.Path != "direct" || again.Usage.Calls != 0 || !again.part(t, "flights", &shown) ||
		!strings.Contains(shown.Title, "Rome") {
		t.Fatalf("%+v %s", shown, again)
	}
	if book := c.ask("book the first one"); book.Confirmation == nil ||
		!strings.Contains(book.Reply, shown.Offers[0].Code) {
		t.Errorf("the next turn: %s", book)
	}
	rows := localtest.SQL(t, `select m.content, m.tool_calls::text as calls, m.token is not null as sealed from
		public.chat_messages m
		where m.org_id = $1 and m.role = 'assistant' order by m.seq`, b.org.ID)
	if len(rows) != 3 || rows[1]["sealed"] != true || !strings.Contains(fmt.Sprint(rows[1]["calls"]), "Rome") {
		t.Errorf("kept: %v", rows)
	}
	c.more["run"] = map[string]any{"tool": "no_such_tool", "arguments": map[string]any{}}
	c.messages = append(c.messages, map[string]any{"role": "user", "content": "something else", "source": "form"})
	if _, data := c.events(""); !strings.Contains(string(data["error"][0]), "unknown_tool") {
		t.Errorf("%s", data["error"])
	}
}

// S1-28, S1-32: where the person is is told for one request, changes what is hinted in it,
// and is kept nowhere.
func TestWhereThePersonIsIsForOneRequest(t *testing.T) {
	t.Parallel()
	model := script.Start(t, step("travel_hints", `{}`), script.Step{Text: "Leave soon."}, step("travel_hints", `{}`),
		script.Step{Text: "Nothing."})
	b := newTravel(t, model.URL)
	var shown struct{ Offers []struct{ Code string } }
	found := b.tool(b.org.Manager, "search_flights",
		`{"origin":"LHR","destination":"LIS","departureDate":"2026-11-22",`+
			`"departAfter":"09:00","departBefore":"15:00"}`)
	raw, err := json.Marshal(found)
	if err != nil || json.Unmarshal(raw, &shown) != nil || len(shown.Offers) == 0 {
		t.Fatalf("%v", found)
	}
	b.tool(b.org.Manager, "add_flight_to_itinerary", `{"offer":"`+shown.Offers[0].Code+`"}`)
	c := b.as(b.org.Manager, "id", uuid.NewString(), "location", map[string]any{"lat": 52.205337, "lon": 0.121817})
	c.ask("When do I have to leave?")
	delete(c.more, "location")
	c.ask("And is there anything else?")
	asked := model.Requests()
	here, later := asked[1].Last("tool").Content, asked[3].Last("tool").Content
	if here == later || !strings.Contains(here, "km") {
		t.Errorf("with a location: %s\nwithout: %s", here, later)
	}
	// Not the seconds of a time of day, nor a figure of four decimals.
	const digits = `(^|[^:0-9])(52\.2053|0\.12181)`
	if found := foundIn(t, digits); len(found) > 0 {
		t.Errorf("kept in %v", found)
	}
	if strings.Contains(b.logs.String(), "52.205") || strings.Contains(b.logs.String(), "0.1218") {
		t.Error("it is in the log")
	}
	for _, r := range asked {
		if strings.Contains(string(r.Body), "52.205") || strings.Contains(string(r.Body), "0.1218") {
			t.Errorf("it is in the prompt: %s", r.Last("").Content)
		}
	}
}

// S1-29, S1-33, S1-34: with the person's consent a decision is remembered in one conversation
// and stands in the prompt of another, until it is deleted.
func TestADecisionOutlivesItsConversation(t *testing.T) {
	t.Parallel()
	model := script.Start(t, step("remember_decision", `{"text":"no red-eye flights","about":"flights"}`),
		script.Step{Text: "Remembered."}, anything("Gladly."))
	b := newTravel(t, model.URL)
	b.do(b.org.Manager, http.MethodPatch, "/api/preferences", map[string]any{"learn": true})
	if a := b.as(b.org.Manager, "id", uuid.NewString()).ask("We said no red-eyes"); len(a.McpToolResults) != 1 ||
		!a.McpToolResults[0].Success {
		t.Fatal(a)
	}
	prompt := func(p localtest.Person) string {
		b.as(p, "id", uuid.NewString()).ask("Which flights to Lisbon suit us?")
		asked := model.Requests()
		return asked[len(asked)-1].Messages[0].Content
	}
	if got := prompt(b.org.Manager); !strings.Contains(got, "D-1 (flights, 2026-11-22): no red-eye flights") ||
		!strings.Contains(got, "agreed that preferences and decisions are remembered") {
		t.Error(got)
	}
	if got := prompt(b.org.Admin); strings.Contains(got, "no red-eye flights") ||
		!strings.Contains(got, "has not agreed") {
		t.Errorf("another person's prompt: %s", got)
	}
	b.do(b.org.Manager, http.MethodPatch, "/api/decisions/D-1",
		map[string]any{"text": "no night flights with the child"})
	if got := prompt(b.org.Manager); !strings.Contains(got, "no night flights with the child") ||
		strings.Contains(got, "red-eye flights") {
		t.Errorf("edited: %s", got)
	}
	b.do(b.org.Manager, http.MethodDelete, "/api/decisions/D-1", nil)
	if got := prompt(b.org.Manager); strings.Contains(got, "no night flights") {
		t.Errorf("deleted: %s", got)
	}
}

// S1-33: without consent nothing that was only mentioned is remembered: the person is asked,
// by a model's call and by rules, and a yes or the button does it.
func TestWhatIsMentionedIsNotRememberedUnasked(t *testing.T) {
	t.Parallel()
	decision := step("remember_decision", `{"text":"no red-eye flights","about":"flights"}`)
	model := script.Start(t, decision, script.Step{Text: "Shall I remember that?"}, decision,
		script.Step{Text: "Remembered."})
	kept := func(b agency) string {
		return fmt.Sprint(b.do(b.org.Manager, http.MethodGet, "/api/decisions", nil)["decisions"])
	}
	b := newTravel(t, model.URL)
	c := b.as(b.org.Manager, "id", uuid.NewString())
	var shown struct {
		Choices []struct {
			Tool      string
			Arguments json.RawMessage
		}
	}
	asked := c.ask("By the way, we said no red-eyes")
	if !asked.part(t, "choices", &shown) || len(shown.Choices) != 1 || shown.Choices[0].Tool != "remember_decision" ||
		kept(b) != "[]" {
		t.Fatalf("%s\n%+v, kept: %s", asked, shown, kept(b))
	}
	if c.ask("Yes, please"); !strings.Contains(kept(b), "no red-eye flights") {
		t.Errorf("after a yes: %s", kept(b))
	}
	b.tool(b.org.Manager, shown.Choices[0].Tool, string(shown.Choices[0].Arguments))
	if n := strings.Count(kept(b), "no red-eye flights"); n < 1 {
		t.Errorf("by the button: %s", kept(b))
	}

	r := newTravel(t, "rules")
	c = r.as(r.org.Manager, "id", uuid.NewString())
	if a := c.ask("we said no red-eyes"); !a.part(t, "choices", &shown) ||
		shown.Choices[0].Tool != "remember_decision" || kept(r) != "[]" {
		t.Errorf("by rules: %s, kept: %s", a, kept(r))
	}
	if a := c.ask("yes"); !strings.Contains(kept(r), "no red-eyes") {
		t.Errorf("after a yes, by rules: %s", a)
	}
	if a := c.ask("remember that we fly on Fridays"); !strings.Contains(kept(r), "fly on Fridays") {
		t.Errorf("asked for: %s", a)
	}
}
