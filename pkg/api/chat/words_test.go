package chat_test

import (
	"slices"
	"testing"

	"github.com/bellhop-ai/bellhop/infra/local/model/script"
	"github.com/bellhop-ai/bellhop/pkg/vocabulary"
)

// An assistant hears and checks its own domain's words: what a hotel's answers
// and claims are made of means nothing to one that flies kites.
func TestAnAssistantSpeaksItsOwnWords(t *testing.T) {
	t.Parallel()
	kiting := vocabulary.Words{
		Names: []string{"gusty"},
		Nouns: []vocabulary.Noun{{Object: "kite", Said: []string{"dragon"}}},
		Verbs: []vocabulary.Verb{{
			Tools: []string{"add_kite"}, English: []string{"launch"}, Done: []string{"launched"},
			Backed: []string{"add"},
		}},
	}
	add := script.Step{Calls: []script.Call{{Name: "add_kite", Arguments: `{"name":"Red"}`}}}
	for said, approved := range map[string]bool{
		"Launch the dragon, Gusty": true, "launch it": true, "add the kite": true,
		"book it": false, "yes Bernard": false, "go ahead with the booking": false,
	} {
		t.Run(said, func(t *testing.T) {
			t.Parallel()
			l := openLabOf(t, labParts{tools: kites, words: kiting}, script.Route("flyer"), add,
				script.Step{Text: "What do you mean?", Times: 2})
			_, raw := l.post(t, "/api/chat", l.org.Manager.Token, "",
				map[string]any{"id": "words-1", "messages": []any{user("A red kite")}})
			first := answer(t, raw)
			if first.Confirmation == nil {
				t.Fatalf("nothing is asked: %s", raw)
			}
			_, raw = l.post(t, "/api/chat", l.org.Manager.Token, "",
				map[string]any{"id": "words-1", "messages": []any{user("A red kite"), first.Message, user(said)}})
			if got := kitesOf(t, l.org); slices.Equal(got, []string{"Red"}) != approved || !approved && len(got) > 0 {
				t.Errorf("kites %q, %s", got, raw)
			}
		})
	}
	for said, corrected := range map[string]bool{
		"I have launched it.": true, "I have booked it.": false, "I have created it.": true,
	} {
		t.Run(said, func(t *testing.T) {
			t.Parallel()
			l := openLabOf(t, labParts{tools: kites, words: kiting}, script.Route("flyer"), script.Step{Text: said})
			_, raw := l.post(t, "/api/chat", l.org.Manager.Token, "",
				map[string]any{"messages": []any{user("A red kite")}})
			a := answer(t, raw)
			if slices.Contains(a.Degraded, "unbacked_claim") != corrected {
				t.Errorf("%q, degraded %v", a.Reply, a.Degraded)
			}
		})
	}
}
