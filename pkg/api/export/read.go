package export

import (
	"cmp"
	"encoding/json"
	"io"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/assistants"
	"github.com/bellhop-ai/bellhop/pkg/export"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/history"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/llm"
	"github.com/bellhop-ai/bellhop/pkg/render"
)

// request is the body of an export: a conversation in any dialect of chat, and
// tables that are not in it.
type request struct {
	Messages  []json.RawMessage `json:"messages"`
	Message   json.RawMessage   `json:"message"` // only the last one, as some clients send
	Query     string            `json:"query"`   // the finance front end's
	Earlier   []json.RawMessage `json:"conversationHistory"`
	ID        string            `json:"id"`
	Assistant string            `json:"assistant"`
	EntityID  string            `json:"entityId"`
	Title     string            `json:"title"`
	Tables    []tableBody       `json:"tables"`
	Parts     []partBody        `json:"parts"`
}

const (
	maxName      = 200 // bytes of what a client chooses: an id, a title
	notVerified  = "not verified"
	notTyped     = "not all of it typed"
	asClientSent = "This table is as the client sent it; it is not verified."
)

// messages returns the list of messages of whatever dialect was sent.
func (r request) messages() []json.RawMessage {
	list := r.Messages
	if r.Query != "" || len(r.Earlier) > 0 {
		list = r.Earlier
		if last, err := json.Marshal(
			map[string]string{"role": "user", "content": r.Query},
		); err == nil &&
			r.Query != "" {
			list = append(list[:len(list):len(list)], last)
		}
	}
	if len(list) == 0 && len(r.Message) > 0 {
		list = []json.RawMessage{r.Message}
	}
	return list
}

// conversation is a conversation that was read.
type conversation struct {
	assistant assistants.Profile
	agent     string // the label of the last that spoke and is known; "" for none
	by        identity.Caller
	req       request
	raw       []json.RawMessage
	doc       export.Document
}

// read opens the seals and lays the conversation out.
func (h *Handler) read(by identity.Caller, req request) (conversation, error) {
	t := conversation{req: req, raw: req.messages()}
	for what, text := range map[string]string{"id": req.ID, "assistant": req.Assistant, "entityId": req.EntityID,
		"title": req.Title} {
		if len(text) > maxName {
			return t, fault.New(fault.Unprocessable, "The member %q is longer than %d bytes.", what, maxName)
		}
	}
	var err error
	if t.assistant, err = h.assistant(by, cmp.Or(req.Assistant, h.cfg.Default)); err != nil {
		return t, err
	}
	if t.by, err = place(by, req.EntityID, t.assistant.EntityKind); err != nil {
		return t, err
	}
	if len(t.raw) == 0 && len(req.Tables) == 0 && len(req.Parts) == 0 {
		return t, fault.New(fault.Invalid, "There is nothing to export: neither messages nor tables.")
	}
	decoded, err := history.Decode(t.raw)
	if err != nil {
		return t, err
	}
	scope := history.Scope{Tenant: by.OrgID, User: by.UserID, Thread: req.ID, Assistant: t.assistant.Name}
	made := h.now(t.by)
	t.doc = export.Document{
		Title: cmp.Or(req.Title, "Conversation with "+t.assistant.Title),
		Place: t.by.Entity.Name,
		Made:  made,
	}
	for _, e := range h.cfg.Keys.Open(scope, decoded.Messages).Entries {
		t.add(e)
	}
	for _, b := range req.Tables {
		t.addTable(b.table())
	}
	t.addParts(req.Parts)
	return t, nil
}

// add lays one message out.
func (t *conversation) add(e history.Entry) {
	m := export.Message{Person: e.Role == llm.User}
	switch {
	case m.Person:
		m.Who, m.Blocks = cmp.Or(t.by.Name, "You"), export.Text(e.Text)
		if e.Foreign {
			m.Mark = notTyped
		}
	default:
		m.Who, m.Blocks, m.Mark = t.assistant.Title, export.Blocks(e.Text), notVerified
		if e.State != nil {
			m.Mark, m.At = "", e.At.In(t.doc.Made.Location())
			if label, ok := t.assistant.Label(e.State.Agent); ok {
				t.agent = cmp.Or(label, e.State.Agent)
				m.Who += " · " + t.agent
			}
		}
		parts := messageParts(t.raw[e.Number])
		for _, p := range parts {
			if p.table != nil {
				m.Blocks = addClaimed(m.Blocks, *p.table)
			}
		}
		for _, p := range parts {
			blocks, placed := before(m.Blocks, p, parts)
			if !placed {
				blocks = append(blocks, p.besides()...)
			}
			m.Blocks = blocks
		}
	}
	if len(m.Blocks) > 0 {
		t.doc.Messages = append(t.doc.Messages, m)
	}
}

// addTable puts a table that came beside the messages where a message shows its
// beginning, else behind them all.
func (t *conversation) addTable(table render.Table) {
	if len(table.Columns) == 0 {
		return
	}
	for i, m := range t.doc.Messages {
		before := len(m.Blocks)
		if blocks := addClaimed(m.Blocks, table); len(blocks) == before {
			t.doc.Messages[i].Blocks = blocks
			return
		}
	}
	table.Note = claimed(table.Note)
	t.doc.Beside = append(t.doc.Beside, export.Block{Table: &table})
}

// addParts puts parts that came beside the messages to the tables beside which
// they stand, else behind all messages.
func (t *conversation) addParts(parts []partBody) {
	for _, p := range parts {
		if p.table != nil {
			t.addTable(*p.table)
		}
	}
	for _, p := range parts {
		if p.table == nil && !t.place(p, parts) {
			t.doc.Beside = append(t.doc.Beside, p.besides()...)
		}
	}
}

// place puts a part in front of its table, wherever that is.
func (t *conversation) place(p partBody, parts []partBody) bool {
	for i, m := range t.doc.Messages {
		if blocks, placed := before(m.Blocks, p, parts); placed {
			t.doc.Messages[i].Blocks = blocks
			return true
		}
	}
	blocks, placed := before(t.doc.Beside, p, parts)
	t.doc.Beside = blocks
	return placed
}

// addClaimed adds a table for which no seal speaks, and says so on it. A table
// that the text shows already is not there twice.
func addClaimed(blocks []export.Block, table render.Table) []export.Block {
	table.Note = claimed(table.Note)
	return export.AddTable(blocks, table)
}

func claimed(note string) string {
	if note == "" {
		return asClientSent
	}
	return note + " " + asClientSent
}

// account is what the server knows of one message, for JSON.
type account struct {
	Who  string `json:"who"`
	At   string `json:"at,omitempty"`
	Mark string `json:"mark,omitempty"`
}

// stamp is a time in JSON, to the second.
func stamp(t time.Time) string { return t.Format("2006-01-02T15:04:05Z07:00") }

// writeJSON writes what chat takes, so that the file can be sent again: the
// messages as they came, with their seals. "about" is for readers.
func (t conversation) writeJSON(w io.Writer) error {
	said := make([]account, len(t.doc.Messages))
	for i, m := range t.doc.Messages {
		said[i] = account{Who: m.Who, Mark: m.Mark}
		if !m.At.IsZero() {
			said[i].At = stamp(m.At)
		}
	}
	messages := t.raw
	if messages == nil {
		messages = []json.RawMessage{}
	}
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	return e.Encode(struct {
		ID        string            `json:"id,omitempty"`
		Assistant string            `json:"assistant"`
		Entity    string            `json:"entityId,omitempty"` // its key
		Messages  []json.RawMessage `json:"messages"`
		Tables    []tableBody       `json:"tables,omitempty"`
		Parts     []partBody        `json:"parts,omitempty"`
		About     any               `json:"about"`
	}{t.req.ID, t.assistant.Name, t.by.Entity.Key, messages, t.req.Tables, t.req.Parts, map[string]any{
		"title": t.doc.Title, "place": t.doc.Place, "exportedAt": stamp(t.doc.Made), "said": said,
	}})
}
