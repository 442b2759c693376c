package history

import (
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/llm"
)

// Prompt returns the conversation as a model reads it: what was said, with the
// sealed tool calls and results in their places, in at most limit messages.
//
// The history is cut only between turns, so a call never stands without its
// result. The cut moves in blocks of a third of the limit: between two moves
// each prompt begins with the bytes of the one before, which a provider need
// not read again. When something is cut, the person's first message stays, since it
// holds the goal. A last turn that alone exceeds the limit is kept without its
// older tool calls.
func (c Conversation) Prompt(limit int) []llm.Message {
	return window(c.groups(true), limit)
}

// Words returns only what was said, without tools, as the router reads it.
func (c Conversation) Words(limit int) []llm.Message {
	return window(c.groups(false), limit)
}

// groups cuts the conversation before each message of the person.
func (c Conversation) groups(tools bool) [][]llm.Message {
	var groups [][]llm.Message
	for i, e := range c.Entries {
		if e.Role == llm.User || len(groups) == 0 {
			// Capacity is not shared with the next group.
			groups = append(groups, nil)
		}
		last := len(groups) - 1
		if tools && e.State != nil {
			groups[last] = append(groups[last], messagesOf(e.State.Steps, i)...)
		}
		text := e.Text
		if e.Role == llm.Assistant && (e.State != nil || !tools) {
			text = withoutTables(text)
		}
		groups[last] = append(groups[last], llm.Message{Role: e.Role, Text: text})
	}
	return groups
}

// withoutTables leaves out the tables that people saw. A model reads the data
// of a sealed turn in its tool results; the layout would only cost tokens. A
// client that keeps only text has nothing but the tables, so there they stay.
func withoutTables(text string) string {
	const begin, end = "<table", "</table>"
	var b strings.Builder
	for {
		i := strings.Index(text, begin)
		if i < 0 {
			break
		}
		j := strings.Index(text[i:], end)
		if j < 0 {
			break
		}
		b.WriteString(strings.TrimRight(text[:i], " \n"))
		b.WriteString("\n(a table was shown here)\n")
		text = strings.TrimLeft(text[i+j+len(end):], "\n")
	}
	b.WriteString(text)
	return strings.TrimSpace(b.String())
}

// messagesOf writes the steps as a model sent and read them. Results pair with
// calls by place, and ids are made unique in the conversation by its turn.
func messagesOf(steps []Step, turn int) []llm.Message {
	var out []llm.Message
	for n, s := range steps {
		if len(s.Calls) == 0 || len(s.Results) != len(s.Calls) {
			continue
		}
		calls := make([]llm.Call, len(s.Calls))
		for i, call := range s.Calls {
			calls[i] = call
			calls[i].ID = CallID(turn, n, i)
		}
		out = append(out, llm.Message{Role: llm.Assistant, Text: s.Text, Calls: calls})
		for i, r := range s.Results {
			out = append(out, llm.Message{Role: llm.ToolRole, Text: r.Text, CallID: calls[i].ID})
		}
	}
	return out
}

func window(groups [][]llm.Message, limit int) []llm.Message {
	total := 0
	for _, g := range groups {
		total += len(g)
	}
	limit = max(1, limit)
	start := 0
	if total > limit {
		block := max(1, limit/3)
		// One more than the excess, since the first message comes back.
		drop := (total - limit + 1 + block - 1) / block * block
		for start < len(groups)-1 && drop > 0 {
			drop -= len(groups[start])
			start++
		}
	}
	var out []llm.Message
	if start > 0 && len(groups[0]) > 0 && groups[0][0].Role == llm.User {
		out = append(out, groups[0][0])
	}
	for i, g := range groups[start:] {
		if start+i == len(groups)-1 && len(out)+len(g) > limit {
			g = withoutTools(g)
		}
		out = append(out, g...)
	}
	// A limit of one message, or a last turn of many: what was said last wins.
	if len(out) > limit {
		out = out[len(out)-limit:]
		for len(out) > 1 && out[0].Role == llm.ToolRole {
			out = out[1:]
		}
	}
	return out
}

func withoutTools(group []llm.Message) []llm.Message {
	var out []llm.Message
	for _, m := range group {
		if m.Role != llm.ToolRole && len(m.Calls) == 0 {
			out = append(out, m)
		}
	}
	return out
}
