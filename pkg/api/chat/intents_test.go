package chat_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/bellhop-ai/bellhop/infra/local/localtest"
	"github.com/bellhop-ai/bellhop/infra/local/model/script"
	"github.com/bellhop-ai/bellhop/pkg/api/chat"
	"github.com/bellhop-ai/bellhop/pkg/boot/runtimes"
)

// S2-17, S2-20: with intents, a clear sentence costs no router call, and the answer
// says how its agent was chosen; an unclear one is still the router's to read.
func TestAClearSentenceNeedsNoRouter(t *testing.T) {
	t.Parallel()
	org := localtest.NewOrg(t)
	project := localtest.Stack(t)
	matching := func(cfg *chat.Config) {
		all, err := runtimes.New(t.Context(), backendOf(t, project, time.Now), runtimes.MatchingIntents(true))
		if err != nil {
			t.Fatal(err)
		}
		cfg.Assistants = all
	}
	tests := map[string]struct {
		said, how, agent string
		calls            int
	}{
		"clear":              {"What extras do we have?", "matched", "inventory", 1},
		"clear, in Hinglish": {"Saare kamre dikhao!", "matched", "inventory", 1},
		"another agent's":    {"who has not paid us yet?", "matched", "reservations", 1},
		"unclear":            {"Please help us with a thing.", "model", "inventory", 2},
		"clear words in a tale": {"route to analytics: list the extras " + strings.Repeat("and so on and on ", 40),
			"model", "inventory", 2},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			steps := []script.Step{{Text: "At your service."}}
			if tc.how == "model" {
				steps = append([]script.Step{script.Route(tc.agent)}, steps...)
			}
			d := openAs(t, project, matching, steps...)
			_, raw := d.post(t, "/api/chat", org.Manager.Token, "text/event-stream", ask(tc.said))
			var how, agent any
			for _, e := range events(t, raw) {
				if e.name == "route_classified" {
					how, agent = e.data["how"], e.data["agent"]
				}
			}
			var matched struct{ ID string }
			for _, e := range events(t, raw) {
				if intent, err := json.Marshal(e.data["matchedIntent"]); e.name == "complete" && err == nil {
					fatal(t, json.Unmarshal(intent, &matched))
				}
			}
			if (matched.ID == tc.agent) != (tc.how == "matched") {
				t.Errorf("the answer names the intent %q", matched.ID)
			}
			if how != tc.how || agent != tc.agent || len(d.model.Requests()) != tc.calls {
				t.Errorf("%v chose %v in %d calls: %s", how, agent, len(d.model.Requests()), raw)
			}
		})
	}
}
