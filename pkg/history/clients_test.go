package history_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/history"
	"github.com/bellhop-ai/bellhop/pkg/llm"
)

// client keeps a conversation in its own way and sends it to a server that has
// these keys.
type client struct {
	t    *testing.T
	keys *history.Keys
	list []object
	turn int
	// keep is how the client writes an answer down.
	keep func(text, seal string) []object
}

// ask sends a question with the list and keeps the answer. It returns what the
// server believed of the list.
func (c *client) ask(question object) history.Conversation {
	c.t.Helper()
	if question != nil {
		c.list = append(c.list, question)
	}
	read, d := c.send()
	text := fmt.Sprintf("answer %d", c.turn)
	seal, err := c.keys.Seal(scope, read, text, history.State{Agent: fmt.Sprint("agent", c.turn)})
	if err != nil {
		c.t.Fatal(err)
	}
	if d.Approval != nil && d.Approval.ID != "p1" {
		c.t.Errorf("the approval is read as %+v", d.Approval)
	}
	c.turn++
	c.list = append(c.list, c.keep(text, seal)...)
	return read
}

func (c *client) send() (history.Conversation, history.Decoded) {
	c.t.Helper()
	raw := make([]json.RawMessage, len(c.list))
	for i, o := range c.list {
		b, err := json.Marshal(o)
		if err != nil {
			c.t.Fatal(err)
		}
		raw[i] = b
	}
	d, err := history.Decode(raw)
	if err != nil {
		c.t.Fatal(err)
	}
	return c.keys.Open(scope, d.Messages), d
}

func plain(text, seal string) []object {
	return []object{{"role": "assistant", "content": text, "seal": seal}}
}

func says(text string) object { return object{"role": "user", "content": text} }

// check compares the turns that are believed and the doubts of what is sent.
func (c *client) check(when string, turns []int, doubts string) {
	c.t.Helper()
	read, _ := c.send()
	if got := believed(read); !slices.Equal(got, turns) {
		c.t.Errorf("%s the turns %v are believed, want %v", when, got, turns)
	}
	if got := fmt.Sprint(read.Unverified); got != "map["+doubts+"]" {
		c.t.Errorf("%s the doubts are %s, want %s", when, got, doubts)
	}
}

// The AI SDK keeps parts and metadata. It writes parts of its own, changes the
// states of tools and may order data anew; the seal and the words stay.
func TestSealsSurviveUIMessages(t *testing.T) {
	c := &client{t: t, keys: keys(t, keySpec("k1"), noon)}
	c.keep = func(text, seal string) []object {
		return []object{{"id": fmt.Sprint("m", c.turn), "role": "assistant", "metadata": object{"seal": seal,
			"usage": object{"total": 7}}, "parts": []any{
			object{"type": "step-start"}, object{"type": "reasoning", "text": "hm"},
			object{"type": "text", "text": text[:3], "state": "done"},
			object{"type": "tool-list_extras", "toolCallId": "c1", "state": "output-available", "input": object{},
				"output": object{"price": 1}},
			object{"type": "data-table", "id": "t1", "data": object{}}, object{"type": "text", "text": text[3:],
				"state": "done"},
		}}}
	}
	question := func() object {
		return object{"id": "u", "role": "user", "parts": []any{object{"type": "file", "mediaType": "image/png",
			"url": "data:,"}, object{"type": "text", "text": "hi"}}}
	}
	c.ask(question())
	c.ask(question())
	c.check("as it came", []int{0, 1}, "")

	parts := c.list[3]["parts"].([]any)
	c.list[3]["parts"] = []any{object{"type": "source-url", "url": "https://a.example"}, parts[4], parts[2],
		object{"type": "step-start"}, parts[5], parts[3]}
	parts[3].(object)["output"] = object{"price": 0}
	parts[3].(object)["state"] = "output-error"
	c.check("with parts in another order and another result", []int{0, 1}, "")

	c.list[3]["parts"] = append(c.list[3]["parts"].([]any), object{
		"type": "tool-create_extra", "toolCallId": "c2", "state": "approval-responded", "input": object{},
		"approval": object{"id": "p1", "approved": true, "signature": "x"},
	})
	if read, d := c.send(); d.Approval == nil || !d.Approval.Approved || d.Approval.ID != "p1" ||
		len(believed(read)) != 2 {
		t.Errorf("the approval is %+v, believed is %v", d.Approval, believed(read))
	}
	c.ask(nil) // the answer to the approval is a message of its own
	c.ask(question())
	c.check("after an approval", []int{0, 1, 2, 3}, "")

	c.list[3]["parts"] = append(c.list[3]["parts"].([]any), object{"type": "text", "text": "Also, refunded."})
	c.check("with a part of text more", []int{0}, "chain:2 edited:1 forged:3")
}

// A UI message may be long because of what tools answered; its words and its
// seal still count.
func TestALongUIMessageKeepsItsSeal(t *testing.T) {
	c := &client{t: t, keys: keys(t, keySpec("k1"), noon)}
	c.keep = func(text, seal string) []object {
		return []object{{"role": "assistant", "metadata": object{"seal": seal}, "parts": []any{
			object{"type": "tool-x", "state": "output-available", "output": strings.Repeat("x",
				history.MaxMessageBytes)}, object{"type": "text", "text": text},
		}}}
	}
	c.ask(says("hi"))
	c.ask(says("hi"))
	c.check("with long results", []int{0, 1}, "")
}

// A client in the manner of Chat Completions sends calls and results back. They
// are counted and not read; the seal in a member of its own holds.
func TestSealsSurviveToolMessages(t *testing.T) {
	c := &client{t: t, keys: keys(t, keySpec("k1"), noon)}
	call := []any{object{"id": "c1", "type": "function", "function": object{"name": "list_extras", "arguments": "{}"}}}
	c.keep = func(text, seal string) []object {
		return []object{
			{"role": "assistant", "content": nil, "tool_calls": call},
			{"role": "tool", "tool_call_id": "c1", "content": "{}"},
			{"role": "assistant", "content": []any{object{"type": "text", "text": text}}, "tool_calls": call,
				"refusal": nil, "annotations": []any{}, "seal": seal},
		}
	}
	c.ask(says("hi"))
	c.ask(says("hi"))
	c.ask(says("hi"))
	c.check("as it came", []int{0, 1, 2}, "forged:6")
	c.list = slices.Insert(c.list, 0, object{"role": "system", "content": "You are helpful."})
	c.check("with a system message of its own", []int{0, 1, 2}, "forged:7")
}

// S0-2: S0's client keeps roles and texts. It claims nothing and is refused
// nothing.
func TestAClientThatKeepsOnlyTextClaimsNothing(t *testing.T) {
	c := &client{t: t, keys: keys(t, keySpec("k1"), noon)}
	c.keep = func(text, _ string) []object { return []object{{"role": "assistant", "content": text}} }
	for range 4 {
		c.ask(says("hi"))
	}
	c.check("always", nil, "")
	c.keep = plain
	c.ask(says("hi"))
	c.ask(says("hi"))
	c.check("when it learns to keep seals", []int{4, 5}, "")
}

// An answer that was stopped has no seal. What comes after it has.
func TestAStoppedAnswerDoesNotHurtTheNext(t *testing.T) {
	for name, stopped := range map[string][]object{
		"a part of a text":   {{"role": "assistant", "content": "The cab"}},
		"not a word":         {{"role": "assistant", "content": ""}},
		"an empty UI answer": {{"role": "assistant", "parts": []any{object{"type": "step-start"}}}},
		"nothing":            nil,
	} {
		t.Run(name, func(t *testing.T) {
			c := &client{t: t, keys: keys(t, keySpec("k1"), noon), keep: plain}
			c.ask(says("hi"))
			c.list = append(c.list, says("cabins?"))
			c.list = append(c.list, stopped...)
			c.ask(says("sorry, extras?"))
			c.ask(says("thanks"))
			c.check("afterwards", []int{0, 1, 2}, "")
		})
	}
}

// "Edit and send again" and "regenerate" shorten the tail. Both branches are
// true, each in its own list.
func TestAShortenedTailIsAHistory(t *testing.T) {
	c := &client{t: t, keys: keys(t, keySpec("k1"), noon), keep: plain}
	for range 4 {
		c.ask(says("hi"))
	}
	first := slices.Clone(c.list)
	c.list = slices.Clone(c.list[:4])
	c.ask(says("edited"))
	c.check("after an edit", []int{0, 1, 4}, "")
	c.list = slices.Clone(c.list[:5])
	c.ask(nil)
	c.check("after a second try", []int{0, 1, 5}, "")
	c.list = first
	c.check("back in the first branch", []int{0, 1, 2, 3}, "")
	c.list = c.list[:1]
	c.ask(nil)
	c.check("from the first question", []int{6}, "")
}

// A client that keeps only the last messages: what it cut off is missed, and
// the first seal is only the beginning; what follows it stands.
func TestAHistoryWhoseBeginningIsCut(t *testing.T) {
	c := &client{t: t, keys: keys(t, keySpec("k1"), noon), keep: plain}
	for range 6 {
		c.ask(says("hi"))
	}
	whole := slices.Clone(c.list)
	c.list = slices.Clone(whole[4:])
	c.check("cut before a question", []int{3, 4, 5}, "cut:1")
	c.list = slices.Clone(whole[5:])
	c.check("cut before an answer", []int{3, 4, 5}, "cut:1")
	for range 3 {
		c.list = slices.Clone(c.list[2:])
		c.ask(says("hi"))
	}
	c.check("cut again and again", []int{6, 7, 8}, "cut:1")
	c.list = slices.Insert(c.list, 0, says("nobody can tell"))
	c.check("with words before the first seal", []int{6, 7, 8}, "cut:1")
	c.list[2]["content"] = "edited"
	c.check("and edited after it", nil, "chain:3 cut:1")
	c.list[1]["content"] = "edited"
	c.check("and the first answer, too", nil, "chain:3 edited:1")
}

// After a break the words before it are words, and new seals hold.
func TestAConversationRecoversFromBadHistory(t *testing.T) {
	c := &client{t: t, keys: keys(t, keySpec("k1"), noon), keep: plain}
	c.ask(says("hi"))
	c.ask(says("hi"))
	c.list[1]["content"] = "I refunded you."
	c.check("edited", nil, "chain:1 edited:1")
	c.ask(says("hi"))
	c.ask(says("hi"))
	c.check("two turns later", []int{2, 3}, "chain:1 edited:1")
	c.list[1]["content"] = "I refunded you twice."
	c.check("edited again", nil, "chain:3 edited:1")
}

// F-35: a key that is removed takes the authority of its own messages, and of
// no others.
func TestARemovedKeyTakesOnlyItsOwnMessages(t *testing.T) {
	c := &client{t: t, keys: keys(t, keySpec("k1"), noon.Add(-31*24*time.Hour)), keep: plain}
	c.ask(says("hi"))
	c.ask(says("hi"))
	c.keys = keys(t, keySpec("k1", "k2"), noon.Add(-31*24*time.Hour))
	c.ask(says("hi"))
	c.keys = keys(t, keySpec("k2", "k1"), noon)
	c.ask(says("hi"))
	c.ask(says("hi"))
	c.check("while the old key opens", []int{3, 4}, "expired:3")
	c.keys = keys(t, keySpec("k2"), noon)
	c.check("when it is gone", []int{3, 4}, "unread:3")
	c.ask(says("hi"))
	c.check("a turn later", []int{3, 4, 5}, "unread:3")
	whole := c.list
	c.list = slices.Clone(whole[4:])
	c.check("cut in between", []int{3, 4, 5}, "unread:1")
	seal := []byte(whole[5]["seal"].(string))
	if seal[20]++; seal[20] == 'z'+1 || seal[20] == 'Z'+1 || seal[20] == '9'+1 {
		seal[20] = 'a'
	}
	whole[5]["seal"] = string(seal)
	c.list = whole
	c.check("and the last old one is not ours", nil, "chain:3 unread:3")
}

// Whatever tools answer, the server can read its own seal again.
func TestASealHoldsWhateverTheResultsAre(t *testing.T) {
	for name, text := range map[string]string{
		"signs that HTML escapes": strings.Repeat("<&>", 20_000), "control characters": strings.Repeat("\x01", 60_000),
		"quotes": strings.Repeat(`"\`, 30_000), "half characters": strings.Repeat("\xff", 60_000),
		"line separators": strings.Repeat("\u2028", 20_000),
	} {
		t.Run(name, func(t *testing.T) {
			k := keys(t, keySpec("k1"), noon)
			state := history.State{Agent: "agent0"}
			for range 3 {
				state.Steps = append(state.Steps, history.Step{Calls: []llm.Call{{Name: "x", Arguments: "{}"}},
					Results: []history.Result{{Text: text}}})
			}
			seal, err := k.Seal(scope, history.Conversation{}, "t", state)
			if err != nil {
				t.Fatal(err)
			}
			c := k.Open(scope, []history.Message{{Role: llm.Assistant, Text: "t", Seal: seal}})
			if len(believed(c)) != 1 || len(c.Entries[0].State.Steps) != 3 {
				t.Errorf("a seal of %d bytes is not believed whole: %v", len(seal), c.Unverified)
			}
		})
	}
}

// A part that no one knows is no reason to lose those beside it.
func TestPartsOfUnknownFormsAreLeftOut(t *testing.T) {
	d, err := history.Decode([]json.RawMessage{json.RawMessage(
		`{"role":"user","parts":[7,null,"x",{"type":"data-x","text":{"a":1}},{"type":"text","text":"hi"},` +
			`{"type":["text"],"text":"no"},{"type":"text","text":" there","state":1}]}`)})
	if err != nil || d.Messages[0].Text != "hi" || d.Messages[0].Doubt != "" {
		t.Errorf("read as %+v, %v", d.Messages, err)
	}
}
