package history

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/llm"
)

// Limits of what a client may send in one request.
const (
	MaxMessages     = 2000
	MaxMessageBytes = 256 << 10
	maxCut          = 64 << 10 // what is kept of an assistant's text that is longer
)

// Approval is an answer to a proposal that a client's approval flow put into a
// message part instead of words.
type Approval struct {
	ID       string
	Approved bool
	// Phrase is the reason that the client gave: where an act needs a typed
	// phrase, this is its place.
	Phrase string
	// CallID is of the tool part that holds the answer, and MessageID of its
	// message.
	CallID, MessageID string
}

// Decoded is a request's list of messages, in one form.
type Decoded struct {
	Messages []Message
	// Parts says that the last message has parts, as UI messages do.
	Parts    bool
	Approval *Approval
}

// wireMessage keeps its members as they came: one of a wrong type must not
// make the others unreadable, and one that stands twice must not be merged. As
// everywhere in this language the last of several counts.
type wireMessage struct {
	ID        json.RawMessage `json:"id"`
	Role      json.RawMessage `json:"role"`
	Content   json.RawMessage `json:"content"`
	Parts     json.RawMessage `json:"parts"`
	ToolCalls json.RawMessage `json:"tool_calls"`
	Seal      json.RawMessage `json:"seal"`
	Metadata  json.RawMessage `json:"metadata"`
	Bellhop   json.RawMessage `json:"bellhop"`
	Source    json.RawMessage `json:"source"`
}

type wirePart struct {
	Type     string          `json:"type"`
	Text     string          `json:"text"`
	State    string          `json:"state"`
	CallID   string          `json:"toolCallId"`
	Approval json.RawMessage `json:"approval"`
	Source   json.RawMessage `json:"source"`
}

// Decode reads messages in any accepted dialect: {role, content}, OpenAI's with
// content parts and tool calls, and UI messages with parts. A limit that is
// exceeded is a fault.TooLarge error that names it. What a client may not say
// is marked. A malformed last message is a fault.Invalid error, since it is
// what should be answered; an older one is marked like a forged one.
func Decode(raw []json.RawMessage) (Decoded, error) {
	var d Decoded
	if len(raw) > MaxMessages {
		e := fault.New(fault.TooLarge, "A conversation may have at most %d messages.", MaxMessages)
		e.Limit = "messages"
		return d, e
	}
	d.Messages = make([]Message, 0, len(raw))
	for i, r := range raw {
		last := i == len(raw)-1
		m, parts, err := decode(r, i+1)
		if err != nil {
			if last {
				return d, err
			}
			m = Message{Doubt: reasonMalformed}
		}
		if m.Role == llm.User && len(r) > MaxMessageBytes {
			e := fault.New(fault.TooLarge, "Message %d is longer than %d bytes.", i+1, MaxMessageBytes)
			e.Limit = "message_bytes"
			return d, e
		}
		if len(m.Text) > maxCut && len(r) > MaxMessageBytes {
			// What an assistant said must never end a conversation.
			m.Text = strings.ToValidUTF8(m.Text[:maxCut], "") + " …"
		}
		d.Messages = append(d.Messages, m)
		if last {
			d.Parts, d.Approval = parts != nil, approval(m, parts)
		}
	}
	return d, nil
}

// decode reads one message and its parts; parts are nil when it has none.
func decode(raw json.RawMessage, number int) (Message, []wirePart, error) {
	var w wireMessage
	if err := json.Unmarshal(raw, &w); err != nil || len(raw) == 0 || raw[0] != '{' {
		return Message{}, nil, fault.Wrap(fault.Invalid, err, "Message %d is not an object with a role and a content.", number)
	}
	id, _ := text(w.ID) // only a name; one of another form is none
	m := Message{ID: id}
	role, ok := text(w.Role)
	if !ok || role == "" {
		return m, nil, fault.New(fault.Invalid, "Message %d has no role.", number)
	}
	m.Role = llm.Role(role)
	parts, listed, ok := w.parts()
	if !ok {
		return m, nil, fault.New(fault.Invalid, "The content of message %d is neither a text nor a list of parts.", number)
	}
	if listed {
		m.Text = joinText(parts)
	} else {
		m.Text, _ = text(w.Content)
	}
	switch m.Role {
	case llm.User, llm.Assistant:
		if present(w.ToolCalls) || hasTools(parts) {
			m.Doubt = reasonForged
		}
	default:
		// A client that adds its own system message, as some do, is not
		// refused; its message is just not believed.
		m.Doubt = reasonForged
	}
	m.Foreign = w.foreign(parts)
	m.seal(w)
	if !listed || len(w.Parts) == 0 || isNull(w.Parts) {
		parts = nil
	}
	return m, parts, nil
}

// foreign reports whether a client says of the message, or of a part of its
// text, that somebody else's words are in it: "source" is not "typed".
func (w wireMessage) foreign(parts []wirePart) bool {
	var metadata struct {
		Source json.RawMessage `json:"source"`
	}
	if len(w.Metadata) > 0 {
		_ = json.Unmarshal(w.Metadata, &metadata) // metadata of another form says nothing
	}
	marks := []json.RawMessage{w.Source, metadata.Source}
	for _, p := range parts {
		marks = append(marks, p.Source)
	}
	return slices.ContainsFunc(marks, func(mark json.RawMessage) bool {
		source, _ := text(mark)
		return present(mark) && source != "typed"
	})
}

// seal takes the seal of the message. One that is no text is a claim, too.
// Beside a seal visible calls are no claim of their own: clients keep and
// rewrite what they saw of a turn, and nothing is read from it.
func (m *Message) seal(w wireMessage) {
	if m.Role != llm.Assistant {
		return
	}
	claim := w.Seal
	// UI messages have it in their metadata, Chat Completions in an extension.
	for _, place := range []json.RawMessage{w.Metadata, w.Bellhop} {
		var holds struct {
			Seal json.RawMessage `json:"seal"`
		}
		if !present(claim) && len(place) > 0 && json.Unmarshal(place, &holds) == nil {
			claim = holds.Seal
		}
	}
	if !present(claim) {
		return
	}
	var ok bool
	if m.Seal, ok = text(claim); !ok {
		m.Seal = string(claim) // which no token looks like
	}
}

// parts returns the message's list of parts, wherever it stands, whether it
// has one, and whether its form is known.
func (w wireMessage) parts() (parts []wirePart, listed, ok bool) {
	list := w.Parts
	if len(list) == 0 || isNull(list) {
		list = w.Content
		if isText(list) || len(list) == 0 || isNull(list) {
			return nil, false, true
		}
	}
	parts = []wirePart{}
	if json.Unmarshal(list, &parts) == nil && !isNull(list) {
		return parts, true, true
	}
	// A part of a form that we do not know says nothing, and hides no other.
	var each []json.RawMessage
	if json.Unmarshal(list, &each) != nil {
		return nil, true, false
	}
	parts = []wirePart{}
	for _, raw := range each {
		var p wirePart
		if json.Unmarshal(raw, &p) == nil {
			parts = append(parts, p)
		}
	}
	return parts, true, true
}

func joinText(parts []wirePart) string {
	var b strings.Builder
	for _, p := range parts {
		if p.Type == "text" || p.Type == "input_text" || p.Type == "output_text" {
			b.WriteString(p.Text)
		}
	}
	return b.String()
}

// hasTools reports whether parts claim that a tool was called.
func hasTools(parts []wirePart) bool {
	for _, p := range parts {
		if strings.HasPrefix(p.Type, "tool-") || strings.HasPrefix(p.Type, "tool_") || p.Type == "dynamic-tool" {
			return true
		}
	}
	return false
}

func approval(m Message, parts []wirePart) *Approval {
	if m.Role != llm.Assistant {
		return nil
	}
	// The last one: a client may keep earlier answers in the same message.
	for _, p := range slices.Backward(parts) {
		var a struct {
			ID       string `json:"id"`
			Approved *bool  `json:"approved"`
			Reason   string `json:"reason"`
		}
		if p.State == "approval-responded" && json.Unmarshal(p.Approval, &a) == nil && a.Approved != nil {
			return &Approval{ID: a.ID, Approved: *a.Approved, Phrase: a.Reason, CallID: p.CallID, MessageID: m.ID}
		}
	}
	return nil
}

// text returns the text that raw is, and whether it is one.
func text(raw json.RawMessage) (string, bool) {
	if !isText(raw) {
		return "", false
	}
	// Most texts are written as they are, and the decoder that cut raw out has
	// read it once already.
	if plain := raw[1 : len(raw)-1]; bytes.IndexByte(plain, '\\') < 0 && utf8.Valid(plain) {
		return string(plain), true
	}
	var s string
	if json.Unmarshal(raw, &s) != nil {
		return "", false
	}
	return s, true
}

// isText reports whether raw, a value that the decoder cut out, is a text.
func isText(raw json.RawMessage) bool { return len(raw) > 1 && raw[0] == '"' }

// present reports whether a member is there and says something.
func present(raw json.RawMessage) bool {
	return len(raw) > 0 && !isNull(raw) && string(raw) != "[]" && string(raw) != `""`
}

func isNull(raw json.RawMessage) bool { return bytes.Equal(raw, []byte("null")) }
