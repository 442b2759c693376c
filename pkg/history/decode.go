package history

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/llm"
	"github.com/bellhop-ai/bellhop/pkg/rawjson"
	"github.com/bellhop-ai/bellhop/pkg/speech"
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
	// Phrase is the reason that the client gave; it carries the typed phrase
	// where a write needs one.
	Phrase string
	// Tool and CallID are of the tool part that holds the answer, and MessageID of
	// its message.
	Tool, CallID, MessageID string
	// Doubled says that another part of the message answers the same question
	// differently, or for another call: the answer is ambiguous.
	Doubled bool
}

// Decoded is a request's list of messages, in one form.
type Decoded struct {
	Messages []Message
	// Parts says that the last message has parts, as UI messages do.
	Parts    bool
	Approval *Approval
}

// wireMessage keeps its members undecoded: one of a wrong type must not make
// the others unreadable, and duplicates must not be merged. As in
// encoding/json, the last of several counts.
type wireMessage struct {
	id, role, content, parts, toolCalls, seal, metadata, bellhop, source, attachments rawjson.Value
}

// member returns the place of a member, nil for one that we do not read. Case
// does not matter, as in encoding/json.
func (w *wireMessage) member(name []byte) *rawjson.Value {
	for _, m := range [...]struct {
		name  string
		place *rawjson.Value
	}{
		{"role", &w.role}, {"content", &w.content}, {"id", &w.id}, {"parts", &w.parts}, {"tool_calls", &w.toolCalls},
		{"seal", &w.seal}, {"metadata", &w.metadata}, {"bellhop", &w.bellhop}, {"source", &w.source},
		{"attachments", &w.attachments},
	} {
		if strings.EqualFold(m.name, string(name)) {
			return m.place
		}
	}
	return nil
}

type wirePart struct {
	Type     string          `json:"type"`
	ToolName string          `json:"toolName"`
	Text     string          `json:"text"`
	State    string          `json:"state"`
	CallID   string          `json:"toolCallId"`
	Approval json.RawMessage `json:"approval"`
	Source   json.RawMessage `json:"source"`
	raw      rawjson.Value
}

// Decode reads messages, as encoding/json cut them out of a request, in any
// accepted format: {role, content}, OpenAI's with content parts and tool calls,
// and UI messages with parts. A limit that is exceeded is a fault.TooLarge error
// that names it. Content that a client may not send is marked. A malformed last
// message is a fault.Invalid error, since it is what should be answered; an older
// one is marked like a forged one.
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
			if m.hasWholeFile() {
				e = fault.New(fault.TooLarge,
					"The file in message %d is too large to stand in it: %d bytes are the limit. Upload it first.", i+
						1, MaxMessageBytes)
			}
			e.Limit = "message_bytes"
			if last || !m.dropWholeFiles() {
				return d, e
			}
		}
		if len(m.Text) > maxCut && len(r) > MaxMessageBytes {
			// Text of the assistant must never make a request fail.
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
	v := rawjson.Of(raw)
	if !v.Is('{') {
		return Message{}, nil, fault.New(fault.Invalid, "Message %d is not an object with a role and a content.",
			number)
	}
	var w wireMessage
	for name, value := range v.Members() {
		if place := w.member(name); place != nil {
			*place = value
		}
	}
	id, _ := w.id.Text() // only a name; one of another form is none
	m := Message{ID: id}
	role, ok := w.role.Text()
	if !ok || role == "" {
		return m, nil, fault.New(fault.Invalid, "Message %d has no role.", number)
	}
	m.Role = llm.Role(role)
	parts, listed, ok := w.list()
	if !ok {
		return m, nil, fault.New(fault.Invalid, "The content of message %d is neither a text nor a list of parts.",
			number)
	}
	if listed {
		m.Text = joinText(parts)
	} else {
		m.Text, _ = w.content.Text()
	}
	switch m.Role {
	case llm.User, llm.Assistant:
		if present(w.toolCalls) || hasTools(parts) {
			m.Doubt = reasonForged
		}
	default:
		// A client that adds its own system message, as some do, is not
		// refused; the message is only not trusted.
		m.Doubt = reasonForged
	}
	m.Foreign, m.Spoken = w.foreign(parts)
	if m.Role == llm.User {
		m.Files = filesOf(parts, w.attachments)
	}
	m.seal(&w)
	if !listed || len(w.parts) == 0 || w.parts.IsNull() {
		parts = nil
	}
	return m, parts, nil
}

// foreign reports whether a client marks the message, or a part of its text, as
// not typed by the user: "source" is not "typed". It is spoken when all that is
// marked so is.
func (w *wireMessage) foreign(parts []wirePart) (foreign, spoken bool) {
	spoken = true
	look := func(mark rawjson.Value) {
		if !others(mark) {
			return
		}
		source, _ := mark.Text()
		foreign, spoken = true, spoken && source == speech.Source
	}
	look(w.source)
	look(within(w.metadata, "source"))
	for _, p := range parts {
		look(rawjson.Value(p.Source))
	}
	return foreign, foreign && spoken
}

// others reports whether a mark is of text that the user did not type.
func others(mark rawjson.Value) bool {
	source, _ := mark.Text()
	return present(mark) && source != "typed"
}

// within returns the last member of that name, if the value is an object that
// has one.
func within(v rawjson.Value, name string) (found rawjson.Value) {
	for key, value := range v.Members() {
		if strings.EqualFold(name, string(key)) {
			found = value
		}
	}
	return found
}

// seal takes the seal of the message. One that is no text is a claim, too. With
// a seal, visible calls are not a separate claim: clients keep and rewrite what
// they saw of a turn, and it is not read.
func (m *Message) seal(w *wireMessage) {
	if m.Role != llm.Assistant {
		return
	}
	claim := w.seal
	// UI messages have it in their metadata, Chat Completions in an extension.
	for _, place := range []rawjson.Value{w.metadata, w.bellhop} {
		if !present(claim) {
			claim = within(place, "seal")
		}
	}
	if !present(claim) {
		return
	}
	var ok bool
	if m.Seal, ok = claim.Text(); !ok {
		m.Seal = string(claim) // which no token looks like
	}
}

// list returns the message's list of parts, from any of its members, whether it
// has one, and whether its form is known.
func (w *wireMessage) list() (parts []wirePart, listed, ok bool) {
	list := w.parts
	if len(list) == 0 || list.IsNull() {
		list = w.content
		if list.Is('"') || len(list) == 0 || list.IsNull() {
			return nil, false, true
		}
	}
	if !list.Is('[') {
		return nil, true, false
	}
	parts = []wirePart{}
	for item := range list.Items() {
		// A part of an unknown form is ignored, and does not affect the others.
		if p, ok := partOf(item); ok {
			parts = append(parts, p)
		}
	}
	return parts, true, true
}

func partOf(v rawjson.Value) (wirePart, bool) {
	var p wirePart
	err := json.Unmarshal(v, &p)
	p.raw = v
	return p, err == nil
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
	var last *Approval
	for _, p := range slices.Backward(parts) {
		a, ok := p.approval(m.ID)
		switch {
		case !ok:
		case last == nil:
			last = &a
		case a.ID == last.ID && a != (Approval{a.ID, last.Approved, last.Phrase, last.Tool, last.CallID, m.ID, false}):
			last.Doubled = true
		}
	}
	return last
}

// approval reads the answer to a question that a tool part holds. A part of
// another kind answers nothing.
func (p wirePart) approval(message string) (Approval, bool) {
	var a struct {
		ID       string `json:"id"`
		Approved *bool  `json:"approved"`
		Reason   string `json:"reason"`
	}
	name, named := strings.CutPrefix(p.Type, "tool-")
	if p.Type == "dynamic-tool" {
		name, named = p.ToolName, true
	}
	if !named || p.State != "approval-responded" || json.Unmarshal(p.Approval, &a) != nil || a.Approved == nil {
		return Approval{}, false
	}
	return Approval{ID: a.ID, Approved: *a.Approved, Phrase: a.Reason, Tool: name, CallID: p.CallID,
		MessageID: message}, true
}

// present reports whether a member is there and not empty.
func present(v rawjson.Value) bool {
	return len(v) > 0 && !v.IsNull() && string(v) != "[]" && string(v) != `""`
}
