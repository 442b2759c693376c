package agent_test

import (
	"strings"
	"testing"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/agent"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/llm"
)

// Where an assistant's answers may have forms as parts, those of a model's text become
// parts, and what is no whole form is left out; elsewhere they stay in the text.
//
// S2-50
func TestFormsOfAReplyBecomeParts(t *testing.T) {
	const params = "```params\n{\"title\":\"New invoice\",\"applied\":{\"customer\":\"Konkan\"}," +
		"\"pending\":{\"due_date\":\"When?\"}}\n```"
	const choice = "```clarification\n{\"question\":\"Which Konkan?\",\"type\":\"radio\",\"options\":[\"Mart\"," +
		"\"Retail\"]}\n```"
	for name, tc := range map[string]struct {
		said  string
		shows bool
		reply string
		parts []string
	}{
		"both": {"Nearly.\n" + params + "\n" + choice, true, "Nearly.",
			[]string{"params: New invoice\n- Customer: Konkan\n- Due date: still needed. When?",
				"clarification: Which Konkan?\n- Mart\n- Retail"}},
		"a form alone": {choice, true, "Which Konkan?", []string{"clarification: Which Konkan?\n- Mart\n- Retail"}},
		"fields alone": {params, true, "This is still needed.",
			[]string{"params: New invoice\n- Customer: Konkan\n- Due date: still needed. When?"}},
		"a broken one": {"So.\n```params\n{\"applied\": [\n```\n", true, "So.", nil},
		"in the text":  {"So.\n" + choice, false, "So.\n" + choice, nil},
	} {
		for _, live := range []bool{false, true} {
			run := agent.Run{Agent: &agent.Agent{Name: "unified", Label: "Munimji", Tools: (&hotel{}).set(t),
				Rounds: 3, Window: 40},
				By: identity.Caller{Role: identity.Manager}, System: "You are Munimji.", Live: live,
				Messages: []llm.Message{{Role: llm.User, Text: "go"}}, Model: &scripted{answers: []any{says(tc.said)}},
				Journal: &memory{}, Now: time.Now, Consent: (&hotel{}).open(),
				Sources: func() (said, results []string) { return nil, nil },
				Shows:   func(string) bool { return tc.shows }}
			var out agent.Outcome
			for e, err := range run.Events(t.Context()) {
				if err != nil {
					t.Fatalf("%s: %v", name, err)
				}
				if d, ok := e.(agent.Done); ok {
					out = d.Outcome
				}
			}
			var parts []string
			for _, p := range out.Parts {
				parts = append(parts, p.Kind+": "+p.Text)
			}
			if strings.TrimSpace(out.Reply) != tc.reply || strings.Join(parts, "\n") != strings.Join(tc.parts, "\n") {
				t.Errorf("%s: %q with %q", name, out.Reply, parts)
			}
			if len(tc.parts) > 0 && (!out.Asked || out.Parts[0].ID == "") {
				t.Errorf("%s: asked %v, %+v", name, out.Asked, out.Parts)
			}
		}
	}
}
