package history_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/bellhop-ai/bellhop/pkg/history"
	"github.com/bellhop-ai/bellhop/pkg/llm"
)

// hotel is a dialogue with the shapes of real ones: a question of one word, a
// pasted letter, several reads at once, a preview and its receipt, a refusal.
func hotel(t *testing.T, k *history.Keys) []history.Message {
	t.Helper()
	call := func(name, args, result string) history.Step {
		return history.Step{Calls: []llm.Call{{ID: "c", Name: name, Arguments: args}},
			Results: []history.Result{{CallID: "c", Text: result}}}
	}
	both := call("get_bookings", `{"from":"2026-03-01","to":"2026-03-31"}`, `{"data":{"bookings":[`+
		strings.Repeat(`{"code":"K7Q2MX","guest":"Asha Rao","nights":2,"total":412.50},`, 40)+`{}]}}`)
	both.Calls = append(both.Calls, llm.Call{ID: "c", Name: "list_extras", Arguments: "{}"})
	both.Results = append(both.Results, history.Result{CallID: "c", Text: `{"data":{"extras":[]}}`})
	turns := []struct {
		question, answer string
		steps            []history.Step
	}{
		{"Which cabins do we have?", "Two. (a table)",
			[]history.Step{call("list_room_types", "{}", `{"data":{"rooms":[{"code":"COCO"},{"code":"MOSS"}]}}`)}},
		{"हिंदी में बताइए कि कल कौन आ रहा है", "कल कोई नहीं आ रहा है।",
			[]history.Step{call("list_arrivals", `{"day":"2026-03-05"}`, `{"data":{"guests":[]}}`)}},
		{"March?", "Forty-one bookings.", []history.Step{both, call("get_occupancy", `{"month":"2026-03"}`,
			`{"data":{"rate":0.71}}`)}},
		{"Please read this letter:\n" + strings.Repeat("We would like to come in May with two dogs, if that is all "+
			"right. ", 120) + "\nWhat do they want?", "To come in May with two dogs.", nil},
		{"Add an extra Kayak, 12.50 per guest", "Create the extra Kayak? (K7QM)",
			[]history.Step{call("create_extra", `{"name":"Kayak","price":12.5,"per":"guest"}`,
				"The person is asked.")}},
		{"yes", "✓ Added the extra Kayak (KAYAK): ₹12.50 per guest.",
			[]history.Step{call("create_extra", `{"name":"Kayak","price":12.5,"per":"guest"}`, `{"done":true}`)}},
		{"and delete Moss", "I may not do that.",
			[]history.Step{call("drop_everything", "{}", "Unknown tool: drop_everything")}},
		{"ok", "Anything else?", nil},
	}
	var messages []history.Message
	for _, turn := range turns {
		messages = append(messages, history.Message{Role: llm.User, Text: turn.question})
		seal, err := k.Seal(scope, k.Open(scope, messages), turn.answer, history.State{Agent: "inventory",
			Steps: turn.steps})
		if err != nil {
			t.Fatal(err)
		}
		messages = append(messages, history.Message{Role: llm.Assistant, Text: turn.answer, Seal: seal})
	}
	return messages
}

// unsealed returns the messages with the first n seals taken away.
func unsealed(messages []history.Message, n int) []history.Message {
	for i := range messages {
		if messages[i].Seal != "" && n > 0 {
			messages[i].Seal = ""
			n--
		}
	}
	return messages
}

// F-30: whatever the window, the provider gets a valid list.
func TestNoCutEverMakesAnInvalidHistory(t *testing.T) {
	k := keys(t, keySpec("k1"), noon)
	dialogues := map[string][]history.Message{"of many turns": dialogue(t, k, 24), "of a hotel": hotel(t, k),
		"with lost seals": unsealed(hotel(t, k), 5)}
	for name, all := range dialogues {
		for n := 1; n <= len(all); n++ {
			c := k.Open(scope, all[:n])
			for limit := 1; limit <= 60; limit++ {
				for _, tokens := range []int{200, 700, 0} {
					w := history.Window{Messages: limit, Tokens: tokens}
					for kind, prompt := range map[string][]llm.Message{"prompt": c.Prompt(w), "words": c.Words(w)} {
						if problem := invalid(prompt, w); problem != "" {
							t.Fatalf("%s %s of %d messages in a window of %+v: %s", kind, name, n, w, problem)
						}
						if last := prompt[len(prompt)-1].Text; last != all[n-1].Text &&
							!strings.Contains(last, "left out here") {
							t.Fatalf("%s %s of %d messages in a window of %+v lost the last message", kind, name, n, w)
						}
					}
				}
			}
		}
	}
}

// invalid says what a provider would refuse.
func invalid(prompt []llm.Message, w history.Window) string {
	if len(prompt) == 0 || len(prompt) > w.Messages {
		return fmt.Sprintf("it has %d messages", len(prompt))
	}
	if n := history.Size(prompt); w.Tokens > 0 && n > w.Tokens {
		return fmt.Sprintf("it has about %d tokens", n)
	}
	open := map[string]bool{}
	for i, m := range prompt {
		if m.Role != llm.ToolRole && len(open) > 0 {
			return fmt.Sprintf("message %d comes before a result", i)
		}
		if m.Role == llm.ToolRole {
			if !open[m.CallID] {
				return fmt.Sprintf("message %d answers no call", i)
			}
			delete(open, m.CallID)
		}
		for _, call := range m.Calls {
			open[call.ID] = true
		}
	}
	if len(open) > 0 {
		return "a call has no result"
	}
	return ""
}

// Between two moves of the cut each prompt begins with the one before, byte for
// byte, so that a provider need not read it again.
func TestAPromptBeginsWithTheOneBefore(t *testing.T) {
	k := keys(t, keySpec("k1"), noon)
	var all []history.Message
	for i := range 40 {
		all = append(all, history.Message{Role: llm.User, Text: fmt.Sprintf("question %d %s", i,
			strings.Repeat("word ", 37*i%200))})
		seal, err := k.Seal(scope, k.Open(scope, all), "answer", history.State{Steps: steps(i)})
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, history.Message{Role: llm.Assistant, Text: "answer", Seal: seal})
	}
	for _, w := range []history.Window{{Messages: 40}, {Messages: 2000, Tokens: 2000}, {Messages: 60, Tokens: 3000},
		{Messages: 2000, Tokens: 100_000}} {
		var before string
		kept, moved := 0, 0
		for n := 1; n <= len(all); n += 2 {
			prompt := k.Open(scope, all[:n]).Prompt(w)
			now := fmt.Sprint(prompt)
			switch {
			case strings.HasPrefix(now, strings.TrimSuffix(before, "]")):
				kept++
			default:
				moved++
			}
			before = now
			if !strings.HasPrefix(prompt[0].Text, "question 0") {
				t.Errorf("%+v: the first goal is gone: %q", w, prompt[0].Text)
			}
		}
		if moved*2 > kept || w.Tokens == 100_000 && moved > 0 {
			t.Errorf("%+v: the cut moved %d times and stood %d times", w, moved, kept)
		}
	}
}

// One huge message can't blow the prompt, and both its ends can be read.
func TestAHugeMessageIsReadWithoutItsMiddle(t *testing.T) {
	k := keys(t, keySpec("k1"), noon)
	tests := map[string]string{
		"letters": strings.Repeat("a", 250<<10), "digits": strings.Repeat("7", 250<<10),
		"characters of three bytes": strings.Repeat("ह", 80<<10),
	}
	for name, middle := range tests {
		t.Run(name, func(t *testing.T) {
			messages := append(dialogue(t, k, 3), history.Message{Role: llm.User, Text: "BEGIN" + middle + "END"},
				history.Message{Role: llm.Assistant, Text: "ok"},
				history.Message{Role: llm.User, Text: "BEGIN" + middle + "END"})
			for _, w := range []history.Window{{Messages: 40}, {Messages: 40, Tokens: 1000},
				{Messages: 1, Tokens: 1}} {
				prompt := k.Open(scope, messages).Prompt(w)
				if n := history.Size(prompt); n > max(200, w.Tokens) && w.Tokens > 0 || n > 32_000 {
					t.Errorf("%+v: about %d tokens", w, n)
				}
				last := prompt[len(prompt)-1].Text
				if !strings.HasPrefix(last, "BEGIN") || !strings.HasSuffix(last, "END") ||
					!strings.Contains(last, " characters are left out here") {
					t.Errorf("%+v: the last message is %.20q … %q", w, last, last[max(0, len(last)-20):])
				}
			}
		})
	}
}

// The estimates that docs and budgets rely on, worked out by hand.
func TestTokensAreEstimatedByTheirCharacters(t *testing.T) {
	for text, want := range map[string]int{"": 0, "a": 1, "four": 1, "two words": 3, "12": 1, `{"a":1}`: 4, "é": 1,
		"हिंदी": 5, "日本": 2} {
		if got := history.Tokens(text); got != want {
			t.Errorf("%q is %d tokens, want %d", text, got, want)
		}
	}
	if got := history.Clip("short", 2); got != "short" {
		t.Errorf("a short text became %q", got)
	}
}

// FuzzClip: what is cut is valid and no longer than it may be.
func FuzzClip(f *testing.F) {
	f.Add("some words, and then some more", 3)
	f.Add(strings.Repeat("日", 100), 20)
	f.Fuzz(func(t *testing.T, text string, tokens int) {
		tokens = 20 + (tokens&0xffff)%1000
		text = strings.ToValidUTF8(text, "")
		got := history.Clip(text, tokens)
		if strings.ToValidUTF8(got, "") != got || history.Tokens(got) > tokens+8 {
			t.Errorf("%q became %q: %d tokens, want %d", text, got, history.Tokens(got), tokens)
		}
	})
}
