package specialists_test

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"strings"
	"sync"
	"testing"
	"time"

	standin "github.com/bellhop-ai/bellhop/infra/local/duffel"
	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/duffel"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/llm"
	"github.com/bellhop-ai/bellhop/pkg/planner/specialists"
	"github.com/bellhop-ai/bellhop/pkg/planner/trip"
	"github.com/bellhop-ai/bellhop/pkg/travel/places"
)

func now() time.Time { return time.Date(2026, 11, 23, 10, 0, 0, 0, time.UTC) }

var caller = identity.Caller{UserID: "0c6f0b2e", OrgID: "7d1a55e0", Name: "Quillwright"}

// place returns a city by its name.
func place(t *testing.T, name string) trip.Place {
	t.Helper()
	list := places.Lookup(name)
	if len(list) == 0 {
		t.Fatalf("there is no %s", name)
	}
	p := list[0]
	return trip.Place{Name: p.Name, Code: p.Code, Country: p.Country, Zone: p.Zone, Lat: p.Lat, Lon: p.Lon}
}

// journey is a trip for two of three nights in February, mid budget.
func journey(t *testing.T, from string, to ...string) trip.Context {
	t.Helper()
	c := trip.Context{Travellers: &trip.Travellers{Adults: 2}, Budget: trip.Mid,
		Dates: trip.DateRange{Start: date(t, "2027-02-12"), End: date(t, "2027-02-15")}}
	if from != "" {
		p := place(t, from)
		c.Origin = &p
	}
	for _, name := range to {
		c.Destinations = append(c.Destinations, place(t, name))
	}
	return c
}

func date(t *testing.T, s string) calendar.Date {
	t.Helper()
	d, err := calendar.Parse(s)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// supplied returns a configuration with both suppliers over the real protocol.
func supplied(t *testing.T) (specialists.Config, *standin.Server) {
	t.Helper()
	s, err := standin.Start(standin.Config{Token: "duffel_test_planner", Now: now})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	adapter, err := duffel.New(duffel.Config{APIKey: "duffel_test_planner", BaseURL: s.URL(), Now: now})
	if err != nil {
		t.Fatal(err)
	}
	return specialists.Config{Flights: adapter.Flights(), Stays: adapter.Stays(), Now: now}, s
}

// model is a scripted model. It gives the answers of a specialist in their order, the
// last one again and again, and keeps what it was asked.
type model struct {
	mu      sync.Mutex
	answers map[string][]string // by a word of the system prompt: "TransportAgent"
	asked   []llm.Request
}

func (m *model) ask(_ context.Context, r llm.Request) (llm.Answer, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.asked = append(m.asked, r)
	for agent, answers := range m.answers {
		if !strings.Contains(r.Messages[0].Text, agent) {
			continue
		}
		text := answers[0]
		if len(answers) > 1 {
			m.answers[agent] = answers[1:]
		}
		return llm.Answer{Text: text, Finish: llm.Stopped}, nil
	}
	return llm.Answer{}, fmt.Errorf("nothing is scripted for %.40q", r.Messages[0].Text)
}

// textsOf returns the names of the texts of a recommendation, listsOf those of the lists.
func textsOf(agent string) []string {
	return strings.Fields(map[string]string{
		"TransportAgent": "city option provider route distance schedule costFrom costTo bookingTips localTransport",
		"StayAgent": "city name type location address neighborhood walkability roomType costFrom costTo bookingTips " +
			"bestFor",
		"FoodAgent": "city name cuisine location neighborhood costFrom costTo hours waitTime reservationTips " +
			"historicalNote bestFor tips",
	}[agent])
}

func listsOf(agent string) []string {
	return strings.Fields(map[string]string{"TransportAgent": "pros cons",
		"StayAgent": "pros cons amenities bookingPlatforms",
		"FoodAgent": "pros cons mustTryDishes dietaryOptions closedOn"}[agent])
}

// answer writes a model's answer. Members that a recommendation leaves out are empty.
func answer(t *testing.T, agent string, recommendations ...map[string]any) string {
	t.Helper()
	form := map[string]any{"currency": "GBP", "tier": "mid"}
	for _, name := range textsOf(agent) {
		form[name] = ""
	}
	for _, name := range listsOf(agent) {
		form[name] = []string{}
	}
	switch agent {
	case "TransportAgent":
		form["mode"], form["back"], form["minutes"], form["per"] = "train", false, 0, "person"
	case "FoodAgent":
		form["mealType"], form["reservationNeeded"] = "dinner", false
	}
	all := []map[string]any{}
	for _, r := range recommendations {
		whole := maps.Clone(form)
		for k, v := range r {
			if _, known := whole[k]; !known {
				t.Fatalf("%s has no member %s", agent, k)
			}
			whole[k] = v
		}
		all = append(all, whole)
	}
	out, err := json.Marshal(map[string]any{"recommendations": all, "questionsForUser": []string{},
		"assumptions": []string{}, "risks": []string{}})
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// researched returns the output for one specialist.
func researched(t *testing.T, cfg specialists.Config, c trip.Context, s trip.Specialist) specialists.Output {
	t.Helper()
	for _, task := range specialists.Tasks(c) {
		if task.Specialist == s {
			return specialists.New(cfg).Research(t.Context(), caller, task, c)
		}
	}
	t.Fatalf("there is no task for %s", s)
	return specialists.Output{}
}

// pick returns the recommendations that fit.
func pick(o specialists.Output, fits func(specialists.Recommendation) bool) []specialists.Recommendation {
	var list []specialists.Recommendation
	for _, r := range o.Recommendations {
		if fits(r) {
			list = append(list, r)
		}
	}
	return list
}

func of(s specialists.Source) func(specialists.Recommendation) bool {
	return func(r specialists.Recommendation) bool { return r.Source == s }
}

// found is a task with its output.
type found struct {
	Task specialists.Task `json:"task"`
	specialists.Output
}

// all researches all tasks of a trip at the same time, as a turn does.
func all(t *testing.T, cfg specialists.Config, c trip.Context) []found {
	t.Helper()
	tasks := specialists.Tasks(c)
	outputs := make([]specialists.Output, len(tasks))
	var working sync.WaitGroup
	for i, task := range tasks {
		working.Go(func() { outputs[i] = specialists.New(cfg).Research(t.Context(), caller, task, c) })
	}
	working.Wait()
	list := make([]found, len(tasks))
	for i, o := range specialists.InCurrency(outputs, specialists.Currency(c, outputs)) {
		list[i] = found{tasks[i], o}
	}
	return list
}

// missing returns what an output says is missing, with its reasons.
func missing(o specialists.Output) string {
	var list []string
	for _, r := range o.Recommendations {
		if r.Error != "" {
			list = append(list, r.Message)
		}
	}
	return strings.Join(list, "\n")
}
