package chat_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/stream"
)

// thread is the conversation of every recorded case; each has its own tenant.
const thread = "thread-1"

// client speaks with the function in one representation.
type client struct {
	name, path, accept string
	// write makes the body of a request.
	write func(c *conversation, turn recordedTurn, answer *confirmed) map[string]any
	// read takes from an answer what the client keeps of it.
	read func(raw []byte) kept
}

func clients() []client {
	return []client{
		{"json", "/api/chat", "application/json", plainRequest, readPlain},
		{"events", "/api/chat", "text/event-stream", plainRequest, readEvents},
		{"ui", "/api/chat", "", uiRequest, readUI},
		{"completion", completionsPath, "application/json", completionRequest, readCompletion},
		{"chunks", completionsPath, "", chunksRequest, readChunks},
	}
}

// said is a message as a client keeps it.
type said struct {
	Role  string   `json:"role"`
	Text  string   `json:"text"`
	Seal  string   `json:"seal"`
	Files []string `json:"files"` // addresses
	id    string
}

// kept is what a client takes from an answer.
type kept struct{ text, seal, id, proposal, tool, call string }

// confirmed is an answer to a question by button.
type confirmed struct {
	kept
	approved bool
	phrase   string
}

// conversation is a case as one client has it.
type conversation struct {
	client   client
	messages []said
	asked    []kept // answers with a question
	runs     int    // of AG-UI
}

// request makes the body of a turn.
func (c *conversation) request(turn recordedTurn) map[string]any {
	if turn.history != nil {
		c.messages = slices.Clone(turn.history)
	}
	if turn.is("rewrite") {
		c.messages[0].Text = "Something else."
	}
	first, text := false, turn.user
	if rest, ok := strings.CutPrefix(text, "first confirm: "); ok {
		first, text = true, "confirm: "+rest
	}
	decision, button := strings.CutPrefix(text, "confirm: ")
	if !button {
		c.messages = append(c.messages, said{Role: "user", Text: text, Files: turn.files()})
		return c.client.write(c, turn, nil)
	}
	which := len(c.asked) - 1
	if first {
		which = 0
	}
	word, phrase, _ := strings.Cut(decision, " ")
	return c.client.write(c, turn, &confirmed{c.asked[which], word == "approve", phrase})
}

// files are the addresses of what is attached.
func (r recordedTurn) files() (out []string) {
	for _, how := range r.how {
		if address, ok := strings.CutPrefix(how, "file="); ok {
			out = append(out, address)
		}
	}
	return out
}

// keep adds the answer to what the client will send back.
func (c *conversation) keep(turn recordedTurn, raw []byte) {
	k := c.client.read(raw)
	if k.proposal != "" {
		c.asked = append(c.asked, k)
	}
	if turn.is("forget") {
		k.seal = ""
	}
	last := len(c.messages) - 1
	if c.client.name == "ui" && c.messages[last].Role == "assistant" {
		c.messages[last].Text += k.text // it goes on writing the message
		c.messages[last].Seal = k.seal
		return
	}
	if k.text != "" {
		c.messages = append(c.messages, said{Role: "assistant", Text: k.text, Seal: k.seal, id: k.id})
	}
}

func (m said) content() any {
	if len(m.Files) == 0 {
		return m.Text
	}
	parts := []any{map[string]any{"type": "text", "text": m.Text}}
	for _, f := range m.Files {
		parts = append(parts, map[string]any{"type": "image_url", "image_url": map[string]any{"url": f}})
	}
	return parts
}

func plainRequest(c *conversation, turn recordedTurn, answer *confirmed) map[string]any {
	var list []any
	for _, m := range c.messages {
		one := map[string]any{"role": m.Role, "content": m.content()}
		if m.Seal != "" {
			one["seal"] = m.Seal
		}
		list = append(list, one)
	}
	body := map[string]any{"id": thread, "messages": list}
	maps.Copy(body, turn.with)
	if answer != nil {
		body["confirm"] = answer.member()
	}
	return body
}

func (a confirmed) member() map[string]any {
	decision := map[bool]string{true: "approve", false: "reject"}[a.approved]
	return map[string]any{"id": a.proposal, "decision": decision, "phrase": a.phrase}
}

// uiRequest is what the AI SDK sends: a question is answered in the part of the
// message that asked it.
func uiRequest(c *conversation, turn recordedTurn, answer *confirmed) map[string]any {
	list := make([]any, len(c.messages))
	for i, m := range c.messages {
		content := []any{map[string]any{"type": "text", "text": m.Text}}
		for _, f := range m.Files {
			kind, _, _ := strings.Cut(strings.TrimPrefix(f, "data:"), ";")
			content = append(content, map[string]any{"type": "file", "mediaType": kind, "filename": "file", "url": f})
		}
		if answer != nil && i == len(c.messages)-1 {
			content = append(content, map[string]any{
				"type": "dynamic-tool", "toolName": answer.tool, "toolCallId": answer.call,
				"state": "approval-responded",
				"approval": map[string]any{"id": answer.proposal, "approved": answer.approved,
					"reason": answer.phrase},
			})
		}
		one := map[string]any{"id": cmp.Or(m.id, fmt.Sprint("message-", i+1)), "role": m.Role, "parts": content}
		if m.Seal != "" {
			one["metadata"] = map[string]any{"seal": m.Seal}
		}
		list[i] = one
	}
	body := map[string]any{"id": thread, "messages": list}
	maps.Copy(body, turn.with)
	return body
}

func completionRequest(c *conversation, turn recordedTurn, answer *confirmed) map[string]any {
	var list []any
	for _, m := range c.messages {
		one := map[string]any{"role": m.Role, "content": m.content()}
		if m.Seal != "" {
			one["bellhop"] = map[string]any{"seal": m.Seal}
		}
		list = append(list, one)
	}
	ours := map[string]any{"id": thread}
	body := map[string]any{"model": "hospitality", "messages": list, "bellhop": ours}
	for name, value := range turn.with {
		if name == "maxTokens" {
			body["max_completion_tokens"] = value
			continue
		}
		ours[name] = value
	}
	if answer != nil {
		ours["confirm"] = answer.member()
	}
	return body
}

func chunksRequest(c *conversation, turn recordedTurn, answer *confirmed) map[string]any {
	body := completionRequest(c, turn, answer)
	body["stream"], body["stream_options"] = true, map[string]any{"include_usage": true}
	return body
}

// decoded reads what a body holds of T; what is no such answer has nothing.
func decoded[T any](raw []byte) (v T) {
	_ = json.Unmarshal(raw, &v)
	return v
}

func keptOf(a stream.Answer) kept {
	k := kept{text: a.Message.Content, seal: a.Message.Seal, id: a.Message.ID}
	if a.Confirmation != nil {
		k.proposal, k.tool = a.Confirmation.ID, a.Confirmation.Tool
	}
	return k
}

// frames returns the data of a stream's frames.
func frames(raw []byte) (out []string) {
	for line := range strings.Lines(string(raw)) {
		if data, ok := strings.CutPrefix(strings.TrimSpace(line), "data: "); ok {
			out = append(out, data)
		}
	}
	return out
}

func readPlain(raw []byte) kept { return keptOf(decoded[stream.Answer](raw)) }

func readEvents(raw []byte) kept {
	list := frames(raw)
	if len(list) == 0 {
		return kept{}
	}
	return keptOf(decoded[stream.Answer]([]byte(list[len(list)-1])))
}

func readUI(raw []byte) (k kept) {
	for _, data := range frames(raw) {
		p := decoded[struct {
			Type, MessageID, Delta, ApprovalID, ToolCallID string
			MessageMetadata                                struct{ Seal string }
			Data                                           struct{ ID, Tool string }
		}]([]byte(data))
		switch p.Type {
		case "start":
			k.id = p.MessageID
		case "text-delta":
			k.text += p.Delta
		case "tool-approval-request":
			k.call = p.ToolCallID
		case "data-proposal":
			k.proposal, k.tool = p.Data.ID, p.Data.Tool
		case "finish":
			k.seal = p.MessageMetadata.Seal
		}
	}
	return k
}

func readCompletion(raw []byte) (k kept) {
	for _, c := range decoded[stream.Completion](raw).Choices {
		k.add(c.Message)
	}
	return k
}

func readChunks(raw []byte) (k kept) {
	for _, data := range frames(raw) {
		for _, c := range decoded[stream.Completion]([]byte(data)).Choices {
			k.add(c.Delta)
		}
	}
	return k
}

func (k *kept) add(m *stream.CompletionMessage) {
	if m == nil {
		return
	}
	if m.Content != nil {
		k.text += *m.Content
	}
	if m.Bellhop == nil {
		return
	}
	k.seal = m.Bellhop.Seal
	if c := m.Bellhop.Confirmation; c != nil {
		k.proposal, k.tool = c.ID, c.Tool
	}
}
