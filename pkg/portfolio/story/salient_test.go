package story_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/bellhop-ai/bellhop/pkg/portfolio/story"
)

// Of 300 messages with 20 facts among them all 20 are kept in 600 tokens.
func TestKeepsTheFactsOfALongConversation(t *testing.T) {
	t.Parallel()
	facts := []string{
		"The worktop is 38 mm oak.", "Her name is Mrs Okafor.", "We used Ancaster limestone.",
		"It took us eleven days.",
		"The house is in Harrogate.", "The beam weighed 300 kilos.", "We fitted fourteen sockets.",
		"The tiles came from Valencia.",
		"The boiler was made in 1998.", "We planted 46 hornbeams.", "The paint is Hague Blue.",
		"The joists were 2 inches out.",
		"It was finished in October.", "The handrail is brass.", "We laid it in a herringbone pattern.",
		"The pond holds 4,000 litres.",
		"The architect was Lena Brandt.", "The roof has 24 panels.", "We reused the old Yorkshire stone.",
		"The wall is 22 metres long.",
	}
	talk := []string{"ok", "yes that's fine", "thanks, that looks good",
		"can you make the title shorter please", "hmm not sure",
		"what do you need next?", "I uploaded 3 more photos", "go on", "that's right", "Show me the page",
		"it was hard work really",
		"they were nice people", "no, leave it like that", "could you write that again in 2 sentences", "great"}
	var messages []string
	for i := range 300 {
		if i%15 == 7 {
			messages = append(messages, talk[i%len(talk)]+". "+facts[i/15])
			continue
		}
		messages = append(messages, talk[(i*7)%len(talk)])
	}
	kept := story.Salient(messages, 600)
	for _, f := range facts {
		if !slices.Contains(kept, f) {
			t.Errorf("%q is lost", f)
		}
	}
	if i, j := slices.Index(kept, facts[0]), slices.Index(kept, facts[19]); i > j {
		t.Errorf("the facts are not in their order: %q", kept)
	}
	if size := len(strings.Join(kept, " ")) / 4; size > 600 {
		t.Errorf("%d tokens", size)
	}
}

// In a small budget the newest facts are kept, and what is said twice costs once.
func TestKeepsTheNewestFacts(t *testing.T) {
	t.Parallel()
	var messages []string
	for i := range 50 {
		messages = append(messages, fmt.Sprintf("The wall number %d is made of stone.", 100+i), "The floor is oak.")
	}
	kept := story.Salient(messages, 60)
	if !slices.Contains(kept, "The wall number 149 is made of stone.") || slices.Contains(kept,
		"The wall number 100 is made of stone.") {
		t.Errorf("kept %q", kept)
	}
	if n := len(kept); n < 4 || n > 7 {
		t.Errorf("%d sentences", n)
	}
	if got := story.Salient(nil, 10); len(got) != 0 {
		t.Errorf("%q of nothing", got)
	}
}
