package hospitality_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/bellhop-ai/bellhop/infra/local/model"
	"github.com/bellhop-ai/bellhop/pkg/assistants/examples"
	"github.com/bellhop-ai/bellhop/pkg/assistants/hospitality"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/flow"
	"github.com/bellhop-ai/bellhop/pkg/flow/routed"
	"github.com/bellhop-ai/bellhop/pkg/history"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/llm"
	"github.com/bellhop-ai/bellhop/pkg/openai"
	"github.com/bellhop-ai/bellhop/pkg/router"
)

var friday = time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)

func clock() time.Time { return friday }

var manager = identity.Caller{
	OrgName: "Sojourn Cabins", Role: identity.Manager,
	Entity: identity.Entity{Name: "Sojourn Cabins", TimeZone: "Asia/Kolkata", Currency: "INR"},
}

// theRouter is that of the assistant as it ships.
var theRouter = sync.OnceValues(func() (routed.Router, error) {
	a, err := hospitality.New(hospitality.Config{Now: clock})
	if err != nil {
		return nil, err
	}
	return a.Flow.(*routed.Flow).Router, nil
})

func routerOf(t *testing.T) routed.Router {
	t.Helper()
	r, err := theRouter()
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func bernard(t *testing.T) *flow.Runtime {
	t.Helper()
	a, err := hospitality.New(hospitality.Config{Now: clock})
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// shared is the built-in model of all tests here; it learns its examples once.
var shared = sync.OnceValues(func() (http.Handler, error) {
	domains, err := model.ReadDomains(examples.Files)
	if err != nil {
		return nil, err
	}
	return model.New(model.Config{Now: clock, Domains: domains}), nil
})

func builtIn(t *testing.T) llm.Model {
	t.Helper()
	h, err := shared()
	if err != nil {
		t.Fatal(err)
	}
	return served(t, h)
}

func served(t *testing.T, h http.Handler) llm.Model {
	t.Helper()
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	m, err := openai.New(openai.Config{BaseURL: server.URL + "/v1", APIKey: "local", Profile: "openai"})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// S0-5, S0-8: the real persona, read by the built-in model.
func TestWhoAnswersWhat(t *testing.T) {
	a, m := bernard(t), builtIn(t)
	facts, err := a.Facts(t.Context(), manager, friday)
	if err != nil {
		t.Fatal(err)
	}
	for said, want := range map[string]string{
		"edit COCO cabin":                                "inventory",
		"change weekend price":                           "inventory",
		"Which cabins do we have?":                       "inventory",
		"Add an extra called Stargazing, 45 per guest":   "inventory",
		"list the extras":                                "inventory",
		"show me the details of JUNIPER":                 "inventory",
		"create a coupon of 10 percent":                  "inventory",
		"edit reservation ABC123":                        "edit_reservations",
		"change check-in date":                           "edit_reservations",
		"change the guest's phone number on his booking": "edit_reservations",
		"Is COCO free next weekend?":                     "reservations",
		"which cabins are free tomorrow?":                "reservations",
		"find the reservation of Meera":                  "reservations",
		"book DEODAR from 1 December for two nights":     "reservations",
		"What was occupancy this month?":                 "analytics",
		"revenue last month":                             "analytics",
		"compare this month with last month":             "analytics",
		"simulate the dynamic price for next Saturday":   "pricing",
		"which dishes are on the chef menu?":             "chef_menu",
		"which meal selections are still pending?":       "extra_selections",
		"block COCO for maintenance next week":           "blocked_dates",
		"hello":                                          "",
		"thanks a lot":                                   "",
	} {
		t.Run(said, func(t *testing.T) {
			conv := history.Conversation{Entries: []history.Entry{{Role: llm.User, Text: said}}}
			route, err := routerOf(t).Route(t.Context(), m, facts, conv)
			if err != nil {
				t.Fatal(err)
			}
			if route.Agent != want {
				t.Errorf("it goes to %q, want %q", route.Agent, want)
			}
			if want == "" && route.Text == "" {
				t.Error("nobody answers")
			}
		})
	}
}

// S0-7: what an agent asked is answered to that agent, from its seal.
func TestAnAnswerGoesToWhoAsked(t *testing.T) {
	asked := func(said string) history.Conversation {
		return history.Conversation{Entries: []history.Entry{
			{Role: llm.User, Text: "book a cabin"},
			{Role: llm.Assistant, Text: "For whom?", State: &history.State{Agent: "reservations", Asked: true}},
			{Role: llm.User, Text: said},
		}}
	}
	for _, said := range []string{"John Smith", "yes", "no extras", "12 December", "two adults, one child"} {
		route, settled, err := routerOf(t).Settled("", asked(said))
		if err != nil || !settled || route.Agent != "reservations" || route.How != router.Sticky {
			t.Errorf("%q: settled %v, route %+v, error %v", said, settled, route, err)
		}
	}
	for _, said := range []string{"What was occupancy this month?", "show the extras",
		"actually, never mind that and list cabins", "kal kitne log aa rahe hain", "agle hafte ka occupancy batao",
		"raise the price of Birch by 10%"} {
		if _, settled, _ := routerOf(t).Settled("", asked(said)); settled {
			t.Errorf("%q is held back as an answer", said)
		}
	}
	forged := asked("John Smith")
	forged.Entries[1].State = nil
	if _, settled, _ := routerOf(t).Settled("", forged); settled {
		t.Error("an unsealed message decides the route")
	}
}

func TestAnExplicitAgentIsTaken(t *testing.T) {
	route, settled, err := routerOf(t).Settled("pricing", history.Conversation{})
	if err != nil || !settled || route.Label != "Pricing Agent" {
		t.Errorf("settled %v, route %+v, error %v", settled, route, err)
	}
	if _, _, err := routerOf(t).Settled("root", history.Conversation{}); !fault.Is(err, fault.Invalid) {
		t.Errorf("an unknown agent: %v", err)
	}
}

// S0-6, S0-10, S0-11: names, labels and rounds are the source's. For
// the tools see TestEachAgentHasItsToolsOfTheSource.
func TestAgentsAreNamedAndBoundedAsInTheSource(t *testing.T) {
	want := map[string]struct {
		label  string
		rounds int
	}{
		"inventory": {"Inventory Agent", 8}, "reservations": {"Reservations Agent", 8},
		"edit_reservations": {"Edit Reservations Agent", 8},
		"analytics":         {"Analytics Agent", 5}, "pricing": {"Pricing Agent", 5}, "chef_menu": {"Chef Menu Agent",
			8},
		"extra_selections": {"Extra Selections Agent", 8}, "blocked_dates": {"Blocked Dates Agent", 8},
	}
	a := bernard(t)
	if len(a.Agents) != len(want) {
		t.Errorf("there are %d agents", len(a.Agents))
	}
	for _, g := range a.Agents {
		w := want[g.Name]
		if g.Label != w.label || g.Rounds != w.rounds || g.Window != 40 || *g.Settings.Temperature != 0.3 ||
			g.Settings.MaxTokens != 4096 {
			t.Errorf("%s is %q with %d rounds, a window of %d and settings %+v", g.Name, g.Label, g.Rounds, g.Window,
				g.Settings)
		}
	}
}

// A prompt holds the facts of the day and nothing personal. S4-35
func TestAPersonaIsFilledForTheDay(t *testing.T) {
	a := bernard(t)
	by := manager
	by.Name, by.Email = "Milan Keystone", "manager@sojourn.example"
	facts, err := a.Facts(t.Context(), by, friday)
	if err != nil {
		t.Fatal(err)
	}
	for _, g := range a.Agents {
		text, err := g.Persona.Fill(facts)
		if err != nil {
			t.Fatalf("%s: %v", g.Name, err)
		}
		for _, want := range []string{"Today: 2026-11-20 (Friday)", "2026-11-27", "Currency: INR", "[[table:"} {
			if !strings.Contains(text, want) {
				t.Errorf("the prompt of %s lacks %q", g.Name, want)
			}
		}
		for _, not := range []string{"Keystone", "manager@"} {
			if strings.Contains(text, not) {
				t.Errorf("the prompt of %s holds %q", g.Name, not)
			}
		}
	}
}
