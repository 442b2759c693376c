package history_test

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/history"
	"github.com/bellhop-ai/bellhop/pkg/llm"
)

var location = history.Location{Tenant: "sojourn", Assistant: "hospitality", Conversation: "c1", Message: "t1"}

// S3-18: what is stored can be altered by a caller who reaches the store; it is
// believed only as it was kept.
func TestAKeptMessageIsBelievedOnlyAsItWas(t *testing.T) {
	k := keys(t, keySpec("k1"), noon)
	state := history.State{Agent: "inventory", Steps: steps(2)}
	token, err := k.SealStored(location, "Two rooms are free.", state)
	if err != nil {
		t.Fatal(err)
	}
	got, made, err := keys(t, keySpec("k2", "k1"), noon.AddDate(1, 0, 0)).OpenStored(location, "Two rooms are free.",
		token)
	if err != nil || !made.Equal(noon) || !reflect.DeepEqual(got, state) {
		t.Fatalf("kept %+v of %s, %v", got, made, err)
	}
	seal, err := k.Seal(scope, history.Conversation{}, "Two rooms are free.", state)
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		at          history.Location
		text, token string
		spec        string
	}{
		"another text": {location, "No room is free.", token, "k1"},
		"another tenant": {history.Location{Tenant: "harbour", Assistant: "hospitality", Conversation: "c1",
			Message: "t1"}, "Two rooms are free.", token, "k1"},
		"another assistant": {history.Location{Tenant: "sojourn", Assistant: "finance", Conversation: "c1",
			Message: "t1"}, "Two rooms are free.", token, "k1"},
		"another conversation": {history.Location{Tenant: "sojourn", Assistant: "hospitality", Conversation: "c2",
			Message: "t1"}, "Two rooms are free.", token, "k1"},
		"another message": {history.Location{Tenant: "sojourn", Assistant: "hospitality", Conversation: "c1",
			Message: "t2"}, "Two rooms are free.", token, "k1"},
		"a moved border": {history.Location{Tenant: "sojourn", Assistant: "hospitality", Conversation: "c1t",
			Message: "1"}, "Two rooms are free.", token, "k1"},
		"a key that is gone": {location, "Two rooms are free.", token, "k2"},
		"a flipped bit": {location, "Two rooms are free.", token[:len(token)-5] +
			string(token[len(token)-5]^1) + token[len(token)-4:], "k1"},
		"a line break": {location, "Two rooms are free.", token + "\n", "k1"},
		"padding":      {location, "Two rooms are free.", token + "=", "k1"},
		"nothing":      {location, "Two rooms are free.", "", "k1"},
		"a short one":  {location, "Two rooms are free.", "k1.k1.AAAA", "k1"},
		"a seal":       {location, "Two rooms are free.", seal, "k1"},
	} {
		if s, _, err := keys(t, keySpec(c.spec), noon).OpenStored(c.at, c.text, c.token); err == nil {
			t.Errorf("%s is believed: %+v", name, s)
		}
	}
	// The other way round, too: a kept token is no seal.
	c := k.Open(scope, []history.Message{{Role: llm.Assistant, Text: "Two rooms are free.", Seal: token}})
	if authority(c) != 0 {
		t.Error("a kept token was taken for a seal")
	}
}

// A stored conversation that is loaded can be gone on with, and by each of
// several people.
func TestAChainIsAHistoryOfItsOwn(t *testing.T) {
	k := keys(t, keySpec("k1"), noon)
	talked := k.Open(scope, dialogue(t, k, 4))
	for _, person := range []string{"mira", "tom"} {
		s := history.Scope{Tenant: "sojourn", User: person, Thread: "c1", Assistant: "hospitality"}
		list, err := k.Chain(s, talked.Links())
		if err != nil {
			t.Fatal(err)
		}
		c := k.Open(s, append(list, history.Message{Role: llm.User, Text: "and now?"}))
		if n, why := c.Doubts(); authority(c) != 4 || n != 0 {
			t.Fatalf("%s: %d of 4 believed, %v", person, authority(c), why)
		}
		if !reflect.DeepEqual(c.Entries[7].State, talked.Entries[7].State) {
			t.Errorf("%s remembers %+v", person, c.Entries[7].State)
		}
		if other := k.Open(scope, list); authority(other) != 0 {
			t.Errorf("the history of %s counts elsewhere", person)
		}
	}
}

// Loading does not make old results young again, and what is older than a seal
// may become is plain text that raises no doubt.
func TestAChainMakesNothingYounger(t *testing.T) {
	old := keys(t, keySpec("k1"), noon)
	links := old.Open(scope, dialogue(t, old, 2)).Links()
	for _, c := range []struct {
		days              int
		believed, results int
	}{{0, 2, 2}, {1, 2, 2}, {2, 2, 0}, {29, 2, 0}, {31, 0, 0}} {
		k := keys(t, keySpec("k1"), noon.AddDate(0, 0, c.days))
		list, err := k.Chain(scope, links)
		if err != nil {
			t.Fatal(err)
		}
		conv := k.Open(scope, list)
		n, _ := conv.Doubts()
		if authority(conv) != c.believed || len(conv.Results(24*time.Hour)) != c.results || n != 0 {
			t.Errorf("after %d days: %d believed, %d results, %d doubts", c.days, authority(conv),
				len(conv.Results(24*time.Hour)), n)
		}
	}
}

// What is not vouched for stays plain, wherever it stands, and does not take
// the authority of what follows.
func TestAChainVouchesForNothingNew(t *testing.T) {
	k := keys(t, keySpec("k1"), noon)
	links := k.Open(scope, dialogue(t, k, 3)).Links()
	links[3].State = nil
	links = slices.Insert(links, 2, history.Link{Message: history.Message{Role: llm.Assistant, Text: ""}})
	list, err := k.Chain(scope, links)
	if err != nil {
		t.Fatal(err)
	}
	c := k.Open(scope, list)
	if n, why := c.Doubts(); authority(c) != 2 || n != 0 {
		t.Errorf("%d of 2 believed, %v", authority(c), why)
	}
}

// S3-7: the next turn takes a summary and what followed it for the whole. A
// summary counts at the beginning, where it was put, and nowhere else.
func TestASummaryStandsForWhatItReplaces(t *testing.T) {
	k := keys(t, keySpec("k1"), noon)
	links := k.Open(scope, dialogue(t, k, 6)).Links()
	summary := history.Link{
		Message: history.Message{Role: llm.Assistant, Text: "Summary: the guest wants COCO."},
		State:   &history.State{Replaces: history.Range{From: 1, To: 8}}, At: noon,
	}
	list, err := k.Chain(scope, append([]history.Link{summary}, links[8:]...))
	if err != nil {
		t.Fatal(err)
	}
	list = append(list, history.Message{Role: llm.User, Text: "go on"})
	c := k.Open(scope, list)
	if n, why := c.Doubts(); authority(c) != 3 || n != 0 || c.Entries[0].State.Replaces.To != 8 {
		t.Fatalf("%d of 3 believed, %v", authority(c), why)
	}
	for size := 1; size < 12; size++ {
		prompt := c.Prompt(history.Window{Messages: size})
		if size > 2 && prompt[0].Text != summary.Text {
			t.Errorf("a window of %d begins with %q", size, prompt[0].Text)
		}
		if last := prompt[len(prompt)-1]; last.Text != "go on" {
			t.Errorf("a window of %d ends with %q", size, last.Text)
		}
	}
	moved := append(slices.Clone(list[1:3]), list[0], list[5])
	if c := k.Open(scope, moved); authority(c) != 0 {
		t.Errorf("a summary in the middle: %+v", c.Entries)
	}
	edited := slices.Clone(list)
	edited[0].Text = strings.ReplaceAll(edited[0].Text, "COCO", "BIRCH")
	if c := k.Open(scope, edited); authority(c) != 0 {
		t.Errorf("an edited summary: %+v", c.Entries)
	}
}

// What loading a hundred stored messages costs.
func BenchmarkChain(b *testing.B) {
	k, err := history.NewKeys(history.KeysConfig{Spec: keySpec("k1"), Now: func() time.Time { return noon }})
	if err != nil {
		b.Fatal(err)
	}
	var links []history.Link
	for i := range 50 {
		links = append(links, history.Link{Message: history.Message{Role: llm.User, Text: fmt.Sprintf("question %d",
			i)}},
			history.Link{Message: history.Message{Role: llm.Assistant, Text: strings.Repeat("answer ", 100)},
				State: &history.State{Steps: steps(2)}, At: noon})
	}
	for b.Loop() {
		if _, err := k.Chain(scope, links); err != nil {
			b.Fatal(err)
		}
	}
}
