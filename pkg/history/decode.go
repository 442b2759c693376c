package history

import (
	"encoding/json"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/llm"
)

// Limits of what a client may send in one request.
const (
	MaxMessages     = 2000
	MaxMessageBytes = 256 << 10
	maxCut          = 64 << 10 // what is kept of an assistant's message that is longer
)

// Approval is an answer to a proposal that a client's approval flow put into a
// message part instead of words.
type Approval struct {
	ID       string
	Approved bool
}

// Decoded is a request's list of messages, in one form.
type Decoded struct {
	Messages []Message
	// Parts says that the last message has parts, as UI messages do.
	Parts    bool
	Approval *Approval
}

type wireMessage struct {
	ID        string          `json:"id"`
	Role      string          `json:"role"`
	Content   json.RawMessage `json:"content"`
	Parts     []wirePart      `json:"parts"`
	ToolCalls json.RawMessage `json:"tool_calls"`
	Seal      string          `json:"seal"`
	Metadata  struct {
		Seal string `json:"seal"`
	} `json:"metadata"`
}

type wirePart struct {
	Type     string `json:"type"`
	Text     string `json:"text"`
	State    string `json:"state"`
	Approval *struct {
		ID       string `json:"id"`
		Approved *bool  `json:"approved"`
	} `json:"approval"`
}

// Decode reads messages in any accepted dialect: {role, content}, OpenAI's with
// content parts and tool calls, and UI messages with parts. A limit that is
// exceeded is a fault.TooLarge error that names it, a malformed message a
// fault.Invalid one. What a client may not say is marked as forged.
func Decode(raw []json.RawMessage) (Decoded, error) {
	var d Decoded
	if len(raw) > MaxMessages {
		e := fault.New(fault.TooLarge, "A conversation may have at most %d messages.", MaxMessages)
		e.Limit = "messages"
		return d, e
	}
	d.Messages = make([]Message, 0, len(raw))
	for i, r := range raw {
		var w wireMessage
		if err := json.Unmarshal(r, &w); err != nil {
			return d, fault.Wrap(fault.Invalid, err, "Message %d is not an object with a role and a content.", i+1)
		}
		m, err := w.message(i)
		if err != nil {
			return d, err
		}
		if len(r) > MaxMessageBytes {
			if m.Role != llm.Assistant {
				e := fault.New(fault.TooLarge, "Message %d is longer than %d bytes.", i+1, MaxMessageBytes)
				e.Limit = "message_bytes"
				return d, e
			}
			// What an assistant said must never end a conversation.
			m.Text, m.Seal = strings.ToValidUTF8(m.Text[:min(len(m.Text), maxCut)], "")+" …", ""
		}
		d.Messages = append(d.Messages, m)
		d.Parts = w.Parts != nil
		d.Approval = w.approval()
	}
	return d, nil
}

func (w wireMessage) message(i int) (Message, error) {
	m := Message{ID: w.ID, Seal: w.Seal}
	if m.Seal == "" {
		m.Seal = w.Metadata.Seal
	}
	text, err := w.text(i)
	if err != nil {
		return m, err
	}
	m.Text = text
	switch w.Role {
	case "user":
		m.Role = llm.User
	case "assistant":
		m.Role = llm.Assistant
		if len(w.ToolCalls) > 0 && string(w.ToolCalls) != "null" && string(w.ToolCalls) != "[]" {
			m.Forged = "tool_calls"
		}
	case "":
		return m, fault.New(fault.Invalid, "Message %d has no role.", i+1)
	default:
		// A client that adds its own system message, as some do, is not
		// refused; its message is just not believed.
		m.Role, m.Forged = llm.Role(w.Role), w.Role
	}
	return m, nil
}

func (w wireMessage) text(i int) (string, error) {
	if w.Parts != nil {
		return joinText(w.Parts), nil
	}
	if len(w.Content) == 0 || string(w.Content) == "null" {
		return "", nil
	}
	if w.Content[0] == '[' {
		var parts []wirePart
		if err := json.Unmarshal(w.Content, &parts); err != nil {
			return "", fault.Wrap(fault.Invalid, err, "The content of message %d could not be read.", i+1)
		}
		return joinText(parts), nil
	}
	var s string
	if err := json.Unmarshal(w.Content, &s); err != nil {
		return "", fault.Wrap(fault.Invalid, err, "The content of message %d is not a text.", i+1)
	}
	return s, nil
}

func joinText(parts []wirePart) string {
	var b strings.Builder
	for _, p := range parts {
		if p.Type == "text" || p.Type == "input_text" {
			b.WriteString(p.Text)
		}
	}
	return b.String()
}

func (w wireMessage) approval() *Approval {
	if w.Role != "assistant" {
		return nil
	}
	for _, p := range w.Parts {
		if p.State == "approval-responded" && p.Approval != nil && p.Approval.Approved != nil {
			return &Approval{ID: p.Approval.ID, Approved: *p.Approval.Approved}
		}
	}
	return nil
}
