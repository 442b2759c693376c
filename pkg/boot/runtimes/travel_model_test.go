package runtimes_test

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"

	"github.com/bellhop-ai/bellhop/infra/local/localtest"
	"github.com/bellhop-ai/bellhop/infra/local/model/script"
)

// toLisbon are the arguments of a search for a family of three.
const toLisbon = `{"origin":"London","destination":"Lisbon","departureDate":"2026-12-04","returnDate":"2026-12-06",` +
	`"passengerCount":3,"ages":[7]}`

// do sends a request that works, as a person, and returns the decoded answer.
func (b books) do(p localtest.Person, method, path string, body any) map[string]any {
	b.t.Helper()
	status, got := b.call(p, method, path, body)
	if status >= http.StatusMultipleChoices {
		b.t.Fatalf("%s %s: %d %v", method, path, status, got)
	}
	return got
}

// tool runs a tool by its own endpoint and returns the data of its answer.
func (a agency) tool(p localtest.Person, name, arguments string) map[string]any {
	a.t.Helper()
	got := a.do(p, http.MethodPost, "/api/tools/travel/"+name, json.RawMessage(arguments))
	data, _ := got["data"].(map[string]any)
	if data == nil {
		a.t.Fatalf("%s: %v", name, got)
	}
	return data
}

// sent counts the requests that the supplier got for a path.
func (a agency) sent(method, path string) (n int) {
	for _, c := range a.supplier.Calls() {
		if c.Method == method && strings.HasPrefix(c.Path, path) {
			n++
		}
	}
	return n
}

// step is one call of a tool by a scripted model.
func step(name, arguments string) script.Step {
	return script.Step{Calls: []script.Call{{Name: name, Arguments: arguments}}}
}

// S1-1, S1-4, S1-5, S1-6, S1-7, S1-8, S1-12, S1-21: the Responses API is asked with the
// instructions first and nothing kept at the provider; the call is run once its arguments
// are whole, its result goes back with all that was said before, and the answer goes on.
func TestATurnByTheResponsesAPI(t *testing.T) {
	t.Parallel()
	search := step("search_flights", toLisbon)
	search.Text = "One moment, I look."
	model := script.Start(t, search, script.Step{Text: "The cheapest flies on Friday."},
		script.Step{Text: "You are welcome."})
	b := newTravel(t, model.URL)
	b.do(b.org.Manager, http.MethodPatch, "/api/preferences", map[string]any{"preferredAirlines": []string{"TAP"}})
	c := b.as(b.org.Manager, "id", uuid.NewString())
	names, data := c.events("Flights to Lisbon from the 4th to the 6th, two of us and a child of 7")
	text, last := "", slices.Index(names, "tool_result")
	for _, frame := range data["response_chunk"] {
		var delta struct{ Text string }
		if err := json.Unmarshal(frame, &delta); err != nil {
			t.Fatal(err)
		}
		text += delta.Text
	}
	if last < 0 || !strings.Contains(text, "One moment, I look.") ||
		!strings.Contains(text, "The cheapest flies on Friday.") ||
		!slices.Contains(names[last:], "response_chunk") || !slices.Contains(names[:last], "response_chunk") {
		t.Errorf("%q by %v", text, names)
	}
	var began, ended struct {
		CallID, Tool string
		Success      bool
	}
	if len(data["executing_tool"]) != 1 || len(data["tool_result"]) != 1 ||
		json.Unmarshal(data["executing_tool"][0], &began) != nil || json.Unmarshal(data["tool_result"][0],
		&ended) != nil ||
		began.Tool != "search_flights" || ended.Tool != began.Tool || !ended.Success {
		t.Errorf("calls: %s %s", data["executing_tool"], data["tool_result"])
	}
	c.ask("Thank you")
	asked := model.Requests()
	if len(asked) != 3 || len(model.Violations()) > 0 {
		t.Fatalf("%d requests, %v", len(asked), model.Violations())
	}
	for i, r := range asked {
		var body struct {
			Model    string
			Store    *bool
			Previous *string `json:"previous_response_id"`
			Input    []struct{ Role string }
		}
		if err := json.Unmarshal(r.Body, &body); err != nil {
			t.Fatal(err)
		}
		first := r.Messages[0]
		if r.API != script.Responses || !r.Stream || body.Store == nil || *body.Store || body.Previous != nil ||
			body.Model != "gpt-4o-mini" || first.Role != "system" && first.Role != "developer" ||
			!r.Offers("search_hotels") || !r.Offers("block_travel_time") || !r.Offers("add_hotel_to_itinerary") {
			t.Errorf("request %d: %s %s %v", i, r.API, first.Role, body)
		}
		if _, context, ok := strings.Cut(first.Content, "\n\nUSER CONTEXT:\n"); !ok ||
			!strings.Contains(context, "Preferred Airlines: TAP") {
			t.Errorf("request %d begins with %s", i, first.Content)
		}
	}
	back := asked[1].Messages
	call, result := back[len(back)-2], back[len(back)-1]
	if len(call.ToolCalls) != 1 || call.ToolCalls[0].Name != "search_flights" || result.Role != "tool" ||
		result.ToolCallID != call.ToolCalls[0].ID || !strings.Contains(result.Content, "totalResults") {
		t.Errorf("handed back: %+v", back[1:])
	}
	if again := asked[2].Messages; len(again) <= len(back) ||
		!slices.ContainsFunc(again, func(m script.Message) bool { return m.Role == "tool" }) {
		t.Errorf("the next turn replays %d messages", len(again))
	}
	rows := localtest.SQL(t, `select role, tool_calls::text as calls from public.chat_messages where org_id = $1
		and role = 'assistant' order by created_at`, b.org.ID)
	if len(rows) != 2 {
		t.Fatalf("%v", rows)
	}
	var kept []map[string]any
	raw, _ := rows[0]["calls"].(string)
	if err := json.Unmarshal([]byte(raw), &kept); err != nil || len(kept) != 1 ||
		kept[0]["name"] != "search_flights" ||
		kept[0]["id"] == "" || kept[0]["arguments"] == nil {
		t.Errorf("kept: %s", raw)
	}
}

// S1-19, S1-20, S1-21, S1-34: the prompt has the person's preferences with the defaults of
// what they did not say, and the newest three of their past bookings; of a person who told
// nothing it has nothing. S1-25: the supplier is reached by the key of the environment.
func TestThePromptKnowsThePerson(t *testing.T) {
	t.Parallel()
	model := script.Start(t, anything("Gladly."))
	b := newTravel(t, model.URL)
	context := func(p localtest.Person) string {
		b.as(p).ask("I would like to go somewhere warm")
		asked := model.Requests()
		_, context, ok := strings.Cut(asked[len(asked)-1].Messages[0].Content, "\n\nUSER CONTEXT:")
		if !ok {
			t.Fatalf("%+v", asked[len(asked)-1].Messages[0])
		}
		return strings.TrimSpace(context)
	}
	if got := context(b.org.Viewer); got != "" {
		t.Errorf("of nothing: %q", got)
	}
	b.do(b.org.Manager, http.MethodPatch, "/api/preferences", map[string]any{"preferredCabinClass": "business",
		"dietaryRestrictions": []string{"vegetarian"}, "budgetPreferences": map[string]any{"flights": "premium",
			"accommodations": "luxury", "activities": "economy"}})
	first := context(b.org.Manager)
	for _, want := range []string{"Preferred Airlines: No specific preferences", "Usual Cabin Class: business",
		"Preferred Hotel Chains: No specific preferences", "Dietary Restrictions: vegetarian",
		"Accessibility Needs: None specified", "Travel Interests: None specified", "No recent bookings",
		"Budget Preferences: flights premium, accommodations luxury, activities economy"} {
		if !strings.Contains(first, want) {
			t.Errorf("no %q in %s", want, first)
		}
	}
	for _, past := range []string{
		`{"type":"hotel","title":"Casa Amarela","place":"Lisbon","date":"2026-02-03","endDate":"2026-02-06",` +
			`"rating":4,"feedback":"Ask for Rui."}`,
		`{"type":"flight","title":"London to Rome","date":"2026-09-10"}`,
		`{"type":"activity","title":"Fado evening","date":"2026-05-05","rating":5}`,
		`{"type":"flight","title":"London to Oslo","date":"2025-01-10"}`} {
		b.tool(b.org.Manager, "add_past_booking", past)
	}
	_, told, _ := strings.Cut(context(b.org.Manager), "Recent Travel History:\n")
	if want := "- flight: London to Rome, 2026-09-10\n- activity: Fado evening, 2026-05-05, rated 5 of 5\n" +
		"- hotel: Casa Amarela, 2026-02-03, rated 4 of 5"; told != want {
		t.Errorf("past bookings: %q", told)
	}
}
