package history

import (
	"cmp"
	"slices"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/llm"
	"github.com/bellhop-ai/bellhop/pkg/plaintext"
)

// Window limits how much of a conversation a model reads.
type Window struct {
	Messages int // at least 1
	Tokens   int // as Tokens estimates them; 0 = 32,000
}

const (
	defaultTokens = 32_000
	// leastTokens is enough for a goal, a question and the mark of a cut.
	leastTokens = 200
)

// Prompt returns the conversation as a model reads it: the texts, with the
// sealed tool calls and results in their positions.
//
// The history is cut only between turns, so a call always has its result. The cut moves in blocks of a third of the
// window: between two moves each prompt begins with the bytes of the one before, which a provider need not read
// again. When something is cut, the person's first message stays, since it holds the goal, or the summary that stands
// in its place. A last turn that alone exceeds the window is kept without its older tool calls, and a text of more
// than a third of the window without its middle.
func (c Conversation) Prompt(w Window) []llm.Message { return c.through(w, true) }

// Words returns only the texts, without tools, as the router reads them.
func (c Conversation) Words(w Window) []llm.Message { return c.through(w, false) }

func (c Conversation) through(w Window, tools bool) []llm.Message {
	w = w.filled()
	goal, groups, first := c.cut(w, tools)
	n := len(goal)
	for _, g := range groups {
		n += len(g)
	}
	out := make([]llm.Message, 0, n)
	if first > 0 {
		out = append(out, goal...)
	}
	for i, g := range groups {
		if i == len(groups)-1 && (len(out)+len(g) > w.Messages || most(out, g) > w.Tokens && Size(out)+
			Size(g) > w.Tokens) {
			g = withoutTools(g)
		}
		out = append(out, g...)
	}
	return w.last(out)
}

// Within returns the entries inside the window, all that a prompt may contain
// parts of.
func (c Conversation) Within(w Window) []Entry {
	_, _, first := c.cut(w.filled(), true)
	if first == 0 {
		return c.Entries
	}
	return append(slices.Clone(c.Entries[:1]), c.Entries[first:]...)
}

func (w Window) filled() Window {
	return Window{Messages: max(1, w.Messages), Tokens: max(leastTokens, cmp.Or(w.Tokens, defaultTokens))}
}

// cut returns the turns that fit, as a model reads them, the place of the first of
// their entries, and the goal, which comes before them where something is cut.
func (c Conversation) cut(w Window, tools bool) (goal []llm.Message, groups [][]llm.Message, first int) {
	begins, messages := c.turns(tools)
	if len(begins) == 0 {
		return nil, nil, 0
	}
	if c.Entries[0].Role == llm.User || c.Entries[0].summary() {
		goal = c.turn(0, 1, tools, w.Tokens/3)
	}
	// What is cut makes room for the goal, too, since that comes back. Only
	// what the count of messages leaves is written and measured.
	start := skipped(messages, w.Messages, len(goal))
	groups = make([][]llm.Message, 0, len(begins)-start)
	for i := start; i < len(begins); i++ {
		end := len(c.Entries)
		if i+1 < len(begins) {
			end = begins[i+1]
		}
		groups = append(groups, c.turn(begins[i], end, tools, w.Tokens/3))
	}
	if most(groups...)+most(goal) > w.Tokens {
		sizes := make([]int, len(groups))
		for i, g := range groups {
			sizes[i] = Size(g)
		}
		more := skipped(sizes, w.Tokens-min(start, 1)*Size(goal), Size(goal))
		groups, start = groups[more:], start+more
	}
	return goal, groups, begins[start]
}

// turns returns where the turns begin, each with a message of the person, and
// how many messages a model reads of each.
func (c Conversation) turns(tools bool) (begins, messages []int) {
	for i, e := range c.Entries {
		if e.Role == llm.User || i == 0 {
			begins, messages = append(begins, i), append(messages, 0)
		}
		n := 1
		if tools && e.State != nil {
			for _, s := range e.State.Steps {
				if s.whole() {
					n += 1 + len(s.Results)
				}
			}
		}
		messages[len(messages)-1] += n
	}
	return begins, messages
}

// turn writes the entries as a model reads them: without invisible characters.
// A text of more than limit tokens loses its middle.
func (c Conversation) turn(from, to int, tools bool, limit int) []llm.Message {
	out := make([]llm.Message, 0, to-from)
	for i, e := range c.Entries[from:to] {
		if tools && e.State != nil {
			out = append(out, messagesOf(e.State.Steps, from+i)...)
		}
		text := plaintext.Clean(e.Text)
		if e.Role == llm.Assistant && (e.State != nil || !tools) {
			text = withoutTables(text)
		}
		m := llm.Message{Role: e.Role, Text: text}
		if len(e.Files) > 0 {
			m = e.Reading.behind(m, tools)
		}
		out = append(out, m)
	}
	for i := range out {
		out[i] = clip(out[i], limit)
	}
	return out
}

// behind returns a message with the content of its files after its text, or,
// for readers of texts alone, with the list of its files.
func (r Reading) behind(m llm.Message, whole bool) llm.Message {
	text := r.Brief
	if whole {
		text, m.Images = r.Text, r.Images
	}
	if m.Text != "" && text != "" {
		m.Text += "\n\n"
	}
	m.Text += text
	return m
}

// withoutTables leaves out the tables that people saw. A model reads the data
// of a sealed turn in its tool results; the layout would only cost tokens. A
// client that keeps only text has nothing but the tables, so there they stay.
func withoutTables(text string) string {
	const begin, end = "<table", "</table>"
	if !strings.Contains(text, begin) {
		return strings.TrimSpace(text)
	}
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

// whole reports whether each call has its result.
func (s Step) whole() bool { return len(s.Calls) > 0 && len(s.Results) == len(s.Calls) }

// messagesOf writes the steps as a model sent and read them. Results pair with
// calls by place, and ids are made unique in the conversation by its turn.
func messagesOf(steps []Step, turn int) []llm.Message {
	var out []llm.Message
	for n, s := range steps {
		if !s.whole() {
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

// skipped returns how many groups of these sizes are left out, so that the
// rest and what comes back fit into the limit. The last group is never left
// out.
func skipped(sizes []int, limit, back int) int {
	total := 0
	for _, s := range sizes {
		total += s
	}
	if total <= limit {
		return 0
	}
	block := max(1, limit/3)
	drop := (total - limit + back + block - 1) / block * block
	start := 0
	for start < len(sizes)-1 && drop > 0 {
		drop -= sizes[start]
		start++
	}
	return start
}

// last keeps the end of a list that is still too long: a window of one message,
// or a turn of many.
func (w Window) last(list []llm.Message) []llm.Message {
	from := max(0, len(list)-w.Messages)
	if most(list[from:]) > w.Tokens {
		for rest := Size(list[from:]); rest > w.Tokens && from < len(list)-1; from++ {
			rest -= size(list[from])
		}
	}
	list = list[from:]
	for from > 0 && len(list) > 1 && list[0].Role == llm.ToolRole {
		list = list[1:]
	}
	return list
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

// clip shortens what is too long in a message; arguments must stay JSON, so
// they go altogether.
func clip(m llm.Message, tokens int) llm.Message {
	m.Text = Clip(m.Text, tokens)
	for i := range m.Calls {
		if Tokens(m.Calls[i].Arguments) > tokens {
			m.Calls[i].Arguments = "{}"
		}
	}
	return m
}
