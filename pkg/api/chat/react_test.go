package chat_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/bellhop-ai/bellhop/infra/local/localtest"
	"github.com/bellhop-ai/bellhop/infra/local/model/script"
	"github.com/bellhop-ai/bellhop/infra/local/nodetest"
)

// S2-42, S2-61, F-33, F-36, F-37: the React example of docs/streams.md in a browser, with
// the AI SDK's hook in both versions: it streams, approves (with a double
// click), rejects, stops, edits, asks anew, and is opened again, in the middle of an
// answer, after it, forged or not.
// What is done, and what is kept of it, is read from the database.
func TestReactIsServed(t *testing.T) {
	chromium := nodetest.Chromium(t)
	extra := func(name string) script.Step {
		return script.Step{Calls: []script.Call{{Name: "create_extra",
			Arguments: fmt.Sprintf(`{"name":%q,"price":30,"per":"night"}`, name)}}}
	}
	greet := func(text string) script.Step { return script.Step{When: script.FromRouter, Text: text} }
	resume, never := make(chan struct{}), make(chan struct{})
	var steps []script.Step
	for _, version := range []string{"ai6", "ai7"} {
		steps = append(steps,
			script.Route("inventory"), script.Step{Calls: []script.Call{{Name: "list_extras"}}},
			script.Step{Text: "Here they are, all of them.", Hold: resume, HoldAfter: 3},
			script.Route("inventory"), extra("Sauna "+version),
			script.Route("inventory"), extra("Gong"),
			script.Route("inventory"), script.Step{Text: "Once upon a time there was a hotel with cabins.",
				Hold: never, HoldAfter: 3},
			greet("Good day."),
			script.Route("inventory"), extra("Kayak"),
			script.Route("inventory"), script.Step{Text: "These."},
			script.Route("inventory"), script.Step{Text: "The same again."},
			script.Route("inventory"), script.Step{Text: "There was a hotel by a lake.", Hold: resume, HoldAfter: 3},
			script.Route("inventory"), script.Step{Text: "It stood in the snow.", Hold: resume, HoldAfter: 2},
			greet("You are welcome."),
			greet("With what?"),
			greet("Good day to you."),
		)
	}
	d := recording(t, steps...)
	org := localtest.NewOrg(t)
	localtest.SQL(t, `insert into public.extras (org_id, entity_id, name, price) values
		($1, $2, 'Picnic', 20), ($1, $2, '<img src=https://evil.example/x onerror=alert(1)>', 20)`, org.ID,
		org.Entity.ID)

	mux := http.NewServeMux()
	mux.HandleFunc("GET /extras", func(w http.ResponseWriter, _ *http.Request) {
		names := []any{}
		for _, row := range localtest.SQL(t,
			`select name from public.extras where org_id = $1 order by name collate "C"`, org.ID) {
			names = append(names, row["name"])
		}
		_ = json.NewEncoder(w).Encode(names)
	})
	mux.HandleFunc("POST /resume", func(w http.ResponseWriter, _ *http.Request) {
		select {
		case resume <- struct{}{}:
			w.WriteHeader(http.StatusNoContent)
		case <-time.After(time.Minute):
			http.Error(w, "the model holds nothing back", http.StatusConflict)
		}
	})
	control := httptest.NewServer(mux)
	t.Cleanup(control.Close)
	nodetest.Run(t, "testdata/ui", "react.mjs", 20, map[string]string{"url": d.url, "token": org.Manager.Token,
		"chromium": chromium, "control": control.URL})
	if left := d.model.Unused(); len(left) > 0 {
		t.Errorf("the model was not asked for %q", left)
	}
	if broken := d.model.Violations(); len(broken) > 0 {
		t.Errorf("the model would refuse: %q", broken)
	}
	// What is kept is what the page shows: a question that was edited is not in
	// it, nor an answer that another one was asked for.
	var want, got []string
	for _, version := range []string{"ai6", "ai7"} {
		want = append(want, "user: List the extras", "assistant: Here they are, all of them.",
			"user: Add an extra called Sauna "+version+", 30 per night", "assistant: ✓ Added the extra Sauna "+version+
				" (SAUNA-"+strings.ToUpper(version)+"): ₹30.00 per night.",
			"user: Add an extra called Gong, 5 per stay",
			"assistant: All right, I left it as it is. Nothing was changed.",
			"user: Tell me a long story", "user: hello again", "assistant: Good day.", "user: Which rooms are there?",
			"assistant: The same again.",
			"user: Tell me another long story", "assistant: There was a hotel by a lake.",
			"user: Tell me one more long story", "assistant: It stood in the snow.",
			"user: thank you", "assistant: You are welcome.", "user: so do it", "assistant: With what?", "user: hello",
			"assistant: Good day to you.")
	}
	for _, message := range stored(t, org) {
		first, _, _ := strings.Cut(message, "\n")
		got = append(got, first)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("kept is (-want +got):\n%s", diff)
	}
}

// The documentation shows the very file that the browser is driven with.
func TestTheReactExampleIsTheTestedOne(t *testing.T) {
	page, err := os.ReadFile("../../../docs/streams.md")
	if err != nil {
		t.Fatal(err)
	}
	example, err := os.ReadFile("testdata/ui/Chat.jsx")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(page), "```jsx\n"+string(example)+"```\n") {
		t.Error("docs/streams.md does not show testdata/ui/Chat.jsx as it is")
	}
}
