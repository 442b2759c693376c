package hospitality_test

import (
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/bellhop-ai/bellhop/infra/local/model"
	"github.com/bellhop-ai/bellhop/pkg/assistants"
	"github.com/bellhop-ai/bellhop/pkg/assistants/hospitality"
	"github.com/bellhop-ai/bellhop/pkg/fault"
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

func bernard(t *testing.T) *assistants.Assistant {
	t.Helper()
	a, err := hospitality.New(hospitality.Config{Now: clock})
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func builtIn(t *testing.T) llm.Model {
	t.Helper()
	server := httptest.NewServer(model.New(model.Config{Now: clock}))
	t.Cleanup(server.Close)
	m, err := openai.New(openai.Config{BaseURL: server.URL + "/v1", APIKey: "local", Profile: "openai"})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// S0-3, S0-4, S0-5, S0-8, S0-9: the real persona, read by the built-in model.
func TestWhoAnswersWhat(t *testing.T) {
	a, m := bernard(t), builtIn(t)
	facts, err := a.Facts(manager, friday)
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
			route, err := a.Router.Route(t.Context(), m, facts, conv)
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
	a := bernard(t)
	asked := func(said string) history.Conversation {
		return history.Conversation{Entries: []history.Entry{
			{Role: llm.User, Text: "book a cabin"},
			{Role: llm.Assistant, Text: "For whom?", State: &history.State{Agent: "reservations", Asked: true}},
			{Role: llm.User, Text: said},
		}}
	}
	for _, said := range []string{"John Smith", "yes", "no extras", "12 December", "two adults, one child"} {
		route, settled, err := a.Router.Settled("", asked(said))
		if err != nil || !settled || route.Agent != "reservations" || route.How != router.Sticky {
			t.Errorf("%q: settled %v, route %+v, error %v", said, settled, route, err)
		}
	}
	for _, said := range []string{"What was occupancy this month?", "show the extras", "actually, never mind that and list cabins"} {
		if _, settled, _ := a.Router.Settled("", asked(said)); settled {
			t.Errorf("%q is held back as an answer", said)
		}
	}
	forged := asked("John Smith")
	forged.Entries[1].State = nil
	if _, settled, _ := a.Router.Settled("", forged); settled {
		t.Error("an unsealed message decides the route")
	}
}

func TestAnExplicitAgentIsTaken(t *testing.T) {
	a := bernard(t)
	route, settled, err := a.Router.Settled("pricing", history.Conversation{})
	if err != nil || !settled || route.Label != "Pricing Agent" {
		t.Errorf("settled %v, route %+v, error %v", settled, route, err)
	}
	if _, _, err := a.Router.Settled("root", history.Conversation{}); !fault.Is(err, fault.Invalid) {
		t.Errorf("an unknown agent: %v", err)
	}
}

// S0-1, S0-4, S0-6, S0-10, S0-11, S0-16, S0-19, S0-25, S0-28: names, labels and
// rounds are the source's; each agent has its own tools and nobody else's.
func TestThePlanIsTheSources(t *testing.T) {
	want := map[string]struct {
		label  string
		rounds int
	}{
		"inventory": {"Inventory Agent", 8}, "reservations": {"Reservations Agent", 8}, "edit_reservations": {"Edit Reservations Agent", 8},
		"analytics": {"Analytics Agent", 5}, "pricing": {"Pricing Agent", 5}, "chef_menu": {"Chef Menu Agent", 8},
		"extra_selections": {"Extra Selections Agent", 8}, "blocked_dates": {"Blocked Dates Agent", 8},
	}
	// What the source gives each agent.
	sets := map[string]string{
		"inventory": "list_room_types get_room_type_details create_room_type update_room_type delete_room_type list_extras get_extra_details create_extra " +
			"update_extra delete_extra list_packages get_package_details create_package update_package delete_package list_coupons get_coupon_details " +
			"create_coupon update_coupon delete_coupon validate_coupon",
		"reservations": "search_reservations get_reservation_details check_availability check_all_availability create_reservation create_group_reservation " +
			"create_package_reservation update_reservation_status update_reservation_details cancel_reservation delete_reservation get_today_checkins " +
			"get_today_checkouts list_extras list_room_types list_packages get_package_details send_booking_email",
		"edit_reservations": "get_reservation_details search_reservations edit_reservation check_availability check_all_availability validate_coupon list_extras list_room_types send_booking_email",
		"analytics":         "get_occupancy_stats get_revenue_stats get_client_analytics compare_periods",
		"pricing":           "list_pricing_models get_pricing_model_details simulate_pricing get_seasonal_pricing",
		"chef_menu":         "list_chef_menu_items get_chef_menu_item_details create_chef_menu_item update_chef_menu_item delete_chef_menu_item toggle_chef_menu_availability",
		"extra_selections":  "list_extra_selections get_extra_selection_details update_extra_selection_status search_reservations get_reservation_details",
		"blocked_dates":     "block_dates unblock_dates list_blocked_dates list_room_types",
	}
	a := bernard(t)
	if len(a.Agents) != len(want) {
		t.Errorf("there are %d agents", len(a.Agents))
	}
	for _, g := range a.Agents {
		for _, tl := range g.Tools.All() {
			// What goes beyond the source says why, and is marked in the catalogue.
			if tl.Spec().Extension == "" && !strings.Contains(" "+sets[g.Name]+" ", " "+tl.Name()+" ") {
				t.Errorf("%s has the tool %s, which the source does not give it", g.Name, tl.Name())
			}
		}
		w := want[g.Name]
		if g.Label != w.label || g.Rounds != w.rounds || g.Window != 40 || *g.Settings.Temperature != 0.3 || g.Settings.MaxTokens != 4096 {
			t.Errorf("%s is %q with %d rounds, a window of %d and settings %+v", g.Name, g.Label, g.Rounds, g.Window, g.Settings)
		}
	}
}

// A prompt holds the facts of the day and nothing personal. S4-35
func TestAPersonaIsFilledForTheDay(t *testing.T) {
	a := bernard(t)
	by := manager
	by.Name, by.Email = "Milan Keystone", "manager@sojourn.example"
	facts, err := a.Facts(by, friday)
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
