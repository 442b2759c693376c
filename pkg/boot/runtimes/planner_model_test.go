package runtimes_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/google/uuid"

	"github.com/bellhop-ai/bellhop/infra/local/model/script"
)

// asks is a When: it accepts requests for an answer of the form of that name.
func asks(form string) func(script.Request) bool {
	return func(r script.Request) bool { return strings.Contains(string(r.Body), `"name":"`+form+`"`) }
}

// known is what the master fills in, of which each test changes something.
func known(change func(m map[string]any)) string {
	m := map[string]any{
		"mode": "CLARIFY", "intent": "update", "evidence": []any{}, "questions": []any{},
		"shortSummary": "Reading the trip", "nextStep": "The rest of the answers",
		"updatedTripContext": map[string]any{"origin": nil, "destinations": []string{},
			"dateRange": map[string]any{"start": nil, "end": nil, "nights": nil}, "travelers": nil, "budget": nil,
			"budgetLimit": nil, "preferences": map[string]any{"pace": nil, "interests": []string{},
				"dietary":    []string{},
				"hotelStyle": nil}, "mustDos": []string{}, "constraints": []string{}, "localOnly": false,
			"ownCar":   false,
			"excluded": []string{}},
	}
	change(m)
	out, err := json.Marshal(m)
	if err != nil {
		panic(err)
	}
	return string(out)
}

// S4-28, S4-29, S4-30, S4-39: an answer of the master that stays wrong ends the turn with
// the sentences of the source, and is recorded; nothing of the answer is shown.
func TestAnAnswerThatStaysWrong(t *testing.T) {
	t.Parallel()
	wrong := script.Step{Text: `{"mode":"PLAN_EVERYTHING","secret":"inner-detail"}`, When: asks("trip_planner")}
	tests := map[string]struct {
		step           script.Step
		error, details string
	}{
		"of another form": {wrong, "Failed to process message", "AI output validation failed"},
		"empty": {script.Step{Text: " ", When: asks("trip_planner")}, "No response from OpenAI",
			"ai_output_empty"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			model := script.Start(t, test.step, test.step, test.step)
			a := newPlanner(t, model.URL)
			c := a.as(a.org.Manager, "id", uuid.NewString())
			status, body := c.post(a.chat, "application/json", c.body("Lisbon, wherever the fado mood takes us"))
			var got struct{ Error, Details string }
			if err := json.Unmarshal(body, &got); err != nil {
				t.Fatal(err)
			}
			if status != http.StatusInternalServerError || got.Error != test.error || got.Details != test.details {
				t.Errorf("%d %s", status, body)
			}
			if strings.Contains(string(body), "inner-detail") || strings.Contains(string(body), "schema") {
				t.Errorf("the inside is shown: %s", body)
			}
			asked := model.Requests()
			if len(asked) != 3 {
				t.Fatalf("%d calls of the model", len(asked))
			}
			last := asked[2].Messages
			if back := last[len(last)-1]; back.Role != "user" || !strings.HasPrefix(back.Content, "ERROR: ") {
				t.Errorf("no correction was asked: %+v", back)
			}
			runs := a.runs(a.org.Manager, a.trip(a.org.Manager))
			if len(runs) != 1 || runs[0]["status"] != "error" || runs[0]["error"] != test.error ||
				!strings.Contains(runs[0]["userMessage"].(string), "fado") {
				t.Errorf("recorded: %v", runs)
			}
		})
	}
}

// S4-31, S4-39: limits and lost connections in the source's sentences.
func TestAModelThatIsBusyOrAway(t *testing.T) {
	t.Parallel()
	limited := script.Step{Fault: script.Status(http.StatusTooManyRequests, nil, "")}
	busy := script.Start(t, limited, limited, limited, limited)
	for _, test := range []struct {
		url, want string
		status    int
	}{
		{busy.URL, "OpenAI API rate limit exceeded. Please try again in a moment.", http.StatusTooManyRequests},
		{"http://127.0.0.1:9/v1", "Unable to connect to OpenAI. Please check your internet connection.",
			http.StatusServiceUnavailable},
	} {
		a := newPlanner(t, test.url)
		c := a.as(a.org.Manager, "id", uuid.NewString())
		status, body := c.post(a.chat, "application/json", c.body("Lisbon, wherever the fado mood takes us"))
		var got struct{ Error string }
		if err := json.Unmarshal(body, &got); err != nil || status != test.status || got.Error != test.want {
			t.Errorf("%d %s, %v", status, body, err)
		}
	}
}

// found are answers of the specialists, as models give them.
const (
	byTransport = `{"recommendations":[{"city":"Boston","option":"Coastal ferry","mode":"ferry","provider":"Harbour Ferries",
		"route":"New York to Boston","back":true,"distance":"350 km","minutes":260,"schedule":"hourly","costFrom":"40",
		"costTo":"70","currency":"USD","per":"person","tier":"low","bookingTips":"Book early","pros":["cheap"],
		"cons":["slow"],"localTransport":"T from South Station"}],"questionsForUser":["Is speed worth more to you?"],
		"assumptions":["Economy class"],"risks":["Snow may stop ferries"]}`
	byStay = `{"recommendations":[{"city":"Boston","name":"Quincy Garret","type":"guesthouse","location":"North End",
		"address":"","neighborhood":"North End","walkability":"10 minutes to the Freedom Trail","roomType":"double",
		"costFrom":"140","costTo":"190","currency":"USD","tier":"mid","amenities":["wifi"],"bookingPlatforms":["direct"],
		"bookingTips":"Ask for the back","pros":["quiet"],"cons":["stairs"],"bestFor":"walkers"}],"questionsForUser":[],
		"assumptions":["One room"],"risks":[]}`
	byFood = `{"recommendations":[{"city":"Boston","mealType":"dinner","name":"Lantern Chowder House","cuisine":"seafood",
		"location":"Boston","neighborhood":"North End","mustTryDishes":["chowder"],"costFrom":"22","costTo":"35",
		"currency":"USD","tier":"mid","dietaryOptions":[],"reservationNeeded":false,"hours":"","closedOn":[],"waitTime":"",
		"reservationTips":"","historicalNote":"","pros":["local"],"cons":["loud"],"bestFor":"couples","tips":""}],
		"questionsForUser":[],"assumptions":[],"risks":["Queues at weekends"]}`
)

// worded is what a model writes of an option.
func worded(mode, option, title string) script.Step {
	text, err := json.Marshal(map[string]any{"mode": mode, "optionId": option, "title": title,
		"description": "A weekend of history.", "highlights": []string{"The Freedom Trail"}, "dayTitles": []string{"",
			"", "", ""},
		"dayNotes": []string{"", "", "", ""}, "tags": []string{"history"}, "proposals": []any{}})
	if err != nil {
		panic(err)
	}
	return script.Step{Text: string(text), When: func(r script.Request) bool {
		return asks("trip_option")(r) && strings.Contains(string(r.Body), `\"`+option+`\"`) &&
			!strings.Contains(string(r.Body), "ERROR: ") == (mode != "FINALIZE" || title != corrected)
	}}
}

// corrected is the title of an answer that follows on a correction.
const corrected = "History corrected"

func bySpecialists() []script.Step {
	return []script.Step{{Text: byTransport, When: asks("transport_research")},
		{Text: byStay, When: asks("stay_research")},
		{Text: byFood, When: asks("food_research")}}
}

// S4-1, S4-2, S4-6, S4-7, S4-11, S4-17, S4-18, S4-19, S4-20, S4-21, S4-25, S4-26, S4-34, S4-35,
// S4-38, S4-40, S4-43: the whole scenario with a model, in at most eight calls of it besides
// one correction.
func TestALongWeekendWithAModel(t *testing.T) {
	t.Parallel()
	read := script.Step{When: asks("trip_planner"), Text: known(func(m map[string]any) {
		m["mode"] = "CONFIRM"
		c := m["updatedTripContext"].(map[string]any)
		c["constraints"] = []string{"nothing stuffy"}
		c["mustDos"] = []string{"the Freedom Trail"}
		c["budget"] = "high" // nobody said so
		m["evidence"] = []any{map[string]any{"field": "constraints", "words": "nothing stuffy"},
			map[string]any{"field": "budget", "words": "money is no object"}}
	})}
	steps := append([]script.Step{read}, bySpecialists()...)
	steps = append(steps, worded("CONFIRM", "opt-1", "Wrong mode"), worded("FINALIZE", "opt-1", corrected),
		worded("FINALIZE", "opt-2", "History in the middle"), worded("FINALIZE", "opt-3", "History in comfort"))
	model := script.Start(t, steps...)
	a := newPlanner(t, model.URL)
	who := a.org.Manager
	a.do(who, http.MethodPatch, "/api/preferences", map[string]any{"learn": true,
		"dietaryRestrictions": []string{"vegan"},
		"homeAirport":         "EDI"})
	c := a.as(who, "id", uuid.NewString())
	c.ask("I want to visit Boston for a long weekend, from New York")
	c.ask("12 to 15 February 2027, 2 people, mid-range budget")
	sum := c.ask("Moderate pace, we love history and food, must see the Freedom Trail, nothing stuffy if you can")
	if !strings.Contains(sum.Reply, "nothing stuffy") || !strings.Contains(sum.Reply, "mid") {
		t.Errorf("the summary: %s", sum.Reply)
	}
	names, frames := c.events("Yes, that's perfect!")
	if len(frames["executing_tool"]) != 3 || len(frames["tool_result"]) != 3 || names[len(names)-1] != "complete" {
		t.Fatalf("events %v", names)
	}
	var done answer
	if err := json.Unmarshal(frames["complete"][0], &done); err != nil {
		t.Fatal(err)
	}
	trip := a.trip(who)
	run := a.run(who, trip, "4")
	output, _ := run["output"].(map[string]any)
	if run["mode"] != "FINALIZE" || output["mode"] != "FINALIZE" || len(output["questions"].([]any)) != 0 ||
		output["shortSummary"] == "" || output["nextStep"] == "" || output["updatedTripContext"] == nil {
		t.Errorf("the run: %v", output)
	}
	tasks, _ := output["tasks"].([]any)
	if len(tasks) != 3 {
		t.Fatalf("%d tasks", len(tasks))
	}
	for i, of := range []string{"transport", "stay", "food"} {
		task := tasks[i].(map[string]any)
		text, _ := task["instructions"].(string)
		if task["taskId"] != "task-"+string(rune('1'+i)) || task["specialist"] != of {
			t.Errorf("task %d: %v", i, task)
		}
		for _, want := range []string{"Boston", "2027-02-12", "2 adults", "Freedom Trail", "mid"} {
			if !strings.Contains(text, want) {
				t.Errorf("the task of %s lacks %q: %s", of, want, text)
			}
		}
	}
	messages, _ := run["messages"].([]any)
	if len(messages) != 3 {
		t.Fatalf("%d messages of specialists are kept", len(messages))
	}
	set, err := json.Marshal(run["options"])
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{corrected, "History in the middle", "comparisonNote", "alternativeOptions", "tags",
		"Snow may stop ferries", "Is speed worth more to you?"} {
		if !strings.Contains(string(set), want) {
			t.Errorf("the options lack %q", want)
		}
	}
	kept, err := json.Marshal(messages)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"Coastal ferry", "Quincy Garret", "Lantern Chowder House", `"source":"model"`,
		`"source":"listed"`, `"source":"live"`} {
		if !strings.Contains(string(kept), want) {
			t.Errorf("the specialists' messages lack %q", want)
		}
	}
	asked := model.Requests()
	if len(asked) > 8+1 || len(model.Violations()) > 0 {
		t.Errorf("%d calls, %v", len(asked), model.Violations())
	}
	for _, r := range asked {
		text := string(r.Body)
		if strings.Contains(text, who.Email) || strings.Contains(text, "Edinburgh") ||
			strings.Contains(text, "EDI\"") {
			t.Errorf("something personal is in the prompt: %s", text)
		}
		if asks("transport_research")(r) && (len(r.Messages) != 2 || strings.Contains(text, "Yes, that's perfect")) {
			t.Errorf("a specialist reads more than its task: %+v", r.Messages)
		}
		if asks("trip_planner")(r) {
			if r.Temperature == nil || *r.Temperature != 0.7 || r.Model != "gpt-4o-mini" ||
				!strings.Contains(r.Messages[0].Content, "vegan") ||
				!strings.Contains(r.Messages[0].Content, "DO NOT ask these questions again") ||
				!strings.Contains(r.Messages[0].Content, "PRIORITY outstanding questions") {
				t.Errorf("the master is asked: %v %s %s", r.Temperature, r.Model, r.Messages[0].Content)
			}
		}
	}
}

// S4-22: two specialists of whom nothing comes leave a gap that is said, and plans are made
// of the rest.
func TestSpecialistsThatFail(t *testing.T) {
	t.Parallel()
	broken := script.Status(http.StatusInternalServerError, nil, "")
	huge := script.Step{Text: `{"recommendations":"` + strings.Repeat("x", 4<<20) + `"}`, When: asks("food_research")}
	steps := []script.Step{huge, huge, huge}
	for range 3 {
		steps = append(steps, script.Step{Fault: broken, When: asks("transport_research")},
			script.Step{Text: strings.ReplaceAll(byStay, "Boston", "Reykjavik"), When: asks("stay_research")})
	}
	for _, option := range []string{"opt-1", "opt-2", "opt-3"} {
		steps = append(steps, worded("FINALIZE", option, "Plan "+option))
	}
	model := script.Start(t, steps...)
	a := newPlanner(t, model.URL, "DUFFEL_API_KEY=")
	// A city that the guide does not list, and where nothing is live.
	c := a.as(a.org.Manager, "id", uuid.NewString())
	got := c.ask("Reykjavik from 5 to 8 March 2027 for two adults from Oslo, mid budget")
	card := c.plans(got)
	states := map[string]string{}
	for _, r := range card.Research {
		states[r.Specialist] = r.State
	}
	if states["transport"] != "failed" || states["food"] != "failed" || states["stay"] == "failed" {
		t.Errorf("research: %v", card.Research)
	}
	run := a.run(a.org.Manager, card.Trip, "1")
	kept, err := json.Marshal(run["messages"])
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(kept), `"error"`) || !strings.Contains(string(kept), `"message"`) ||
		run["status"] != "partial" || len(got.Degraded) == 0 {
		t.Errorf("%v, degraded %v: %.600s", run["status"], got.Degraded, kept)
	}
	if len(card.Options[0].Gaps) == 0 || len(card.Options[0].Days) != 4 {
		t.Errorf("gaps %v, %d days", card.Options[0].Gaps, len(card.Options[0].Days))
	}
}
