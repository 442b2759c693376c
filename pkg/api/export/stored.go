package export

import (
	"cmp"
	"encoding/json"
	"io"
	"net/http"
	"slices"

	"github.com/bellhop-ai/bellhop/pkg/api/conversations/stored"
	"github.com/bellhop-ai/bellhop/pkg/assistants"
	"github.com/bellhop-ai/bellhop/pkg/conversations"
	"github.com/bellhop-ai/bellhop/pkg/export"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/history"
	"github.com/bellhop-ai/bellhop/pkg/identity"
)

const (
	// storedPage is how many messages are read at a time, maxStored how many
	// bytes of text one file may have.
	storedPage = 500
	maxStored  = 32 << 20
)

func (h *Handler) stored(w http.ResponseWriter, r *http.Request) {
	f, err := h.openStored(r)
	h.send(w, r, f, err)
}

// openStored reads a kept conversation to its beginning before the first byte
// is written, so that one that cannot be read is a problem and not half a file.
func (h *Handler) openStored(r *http.Request) (file, error) {
	by, err := h.admit(r)
	if err != nil {
		return file{}, err
	}
	name := cmp.Or(r.URL.Query().Get("format"), "md")
	format, err := documentFormat(name)
	if err != nil {
		return file{}, err
	}
	return h.storedFile(r, by, r.PathValue("id"), name, format)
}

// storedFile is a kept conversation as a file of the format.
func (h *Handler) storedFile(r *http.Request, by identity.Caller, id, name string, format export.Format) (file,
	error) {
	d, err := h.cfg.Conversations.Details(r.Context(), by, id)
	if err != nil {
		return file{}, err
	}
	messages, err := h.whole(r, by, d.ID)
	if err != nil {
		return file{}, err
	}
	k := h.keep(by, d, messages)
	if err := k.doc.Check(); err != nil {
		return file{}, err
	}
	f := file{by: by, name: fileName(k.doc.Made, k.title, d.Code) + "." + name, kind: format.Type,
		write: func(w io.Writer) error { return format.Write(w, k.doc) }}
	if name == "json" {
		f.kind, f.write = "application/json; charset=utf-8", k.writeJSON
	}
	return f, nil
}

// whole returns all messages of a kept conversation, oldest first.
func (h *Handler) whole(r *http.Request, by identity.Caller, id string) ([]conversations.Message, error) {
	var pages [][]conversations.Message
	before, size := 0, 0
	for {
		m, err := h.cfg.Conversations.Messages(r.Context(), by, id, before, storedPage)
		if err != nil {
			return nil, err
		}
		for _, one := range m.Messages {
			size += len(one.Text)
		}
		if size > maxStored {
			e := fault.New(fault.TooLarge, "A conversation of more than %d MiB does not fit into one file.",
				maxStored>>20)
			e.Limit = "conversation_bytes"
			return nil, e
		}
		pages = append(pages, m.Messages)
		if m.Next == nil {
			break
		}
		before = *m.Next
	}
	slices.Reverse(pages)
	return slices.Concat(pages...), nil
}

// keeping is a kept conversation that was laid out.
type keeping struct {
	of    conversations.Detail
	title string // what people call the assistant
	place string // key of what it is about
	doc   export.Document
	texts []string // of the messages of doc, in their order
}

// keep lays a kept conversation out. No id of ours is in it.
func (h *Handler) keep(by identity.Caller, d conversations.Detail, messages []conversations.Message) keeping {
	k := keeping{of: d, title: d.Assistant}
	a, err := h.assistant(by, d.Assistant)
	if err == nil {
		k.title = a.Title
	}
	if d.Entity != nil {
		by, _ = by.Choose(*d.Entity, "")
		k.place = by.Entity.Key
	}
	where := d.Code
	if by.Entity.Name != "" {
		where = by.Entity.Name + " · " + d.Code
	}
	k.doc = export.Document{Title: cmp.Or(d.Title, "Conversation with "+k.title), Place: where, Made: h.now(by)}
	for i, l := range stored.Links(h.cfg.Keys, by, d.Conversation, messages) {
		m := k.message(a, messages[i], l)
		if len(m.Blocks) > 0 {
			k.doc.Messages, k.texts = append(k.doc.Messages, m), append(k.texts, messages[i].Text)
		}
	}
	return k
}

func (k keeping) message(a assistants.Profile, m conversations.Message, l history.Link) export.Message {
	out := export.Message{Person: m.Role == conversations.User, At: m.CreatedAt.In(k.doc.Made.Location())}
	if out.Person {
		out.Who, out.Blocks = cmp.Or(m.Name, "Somebody"), export.Text(m.Text)
		return out
	}
	out.Who, out.Blocks = k.title, export.Blocks(m.Text)
	if l.State == nil {
		out.Mark = notVerified
		return out
	}
	if label, ok := a.Label(l.State.Agent); ok {
		out.Who += " · " + cmp.Or(label, l.State.Agent)
	}
	parts := keptParts(m)
	for _, p := range parts {
		if p.table != nil {
			out.Blocks = export.AddTable(out.Blocks, *p.table)
		}
	}
	for _, p := range parts {
		blocks, placed := before(out.Blocks, p, parts)
		if !placed {
			blocks = append(blocks, p.besides()...)
		}
		out.Blocks = blocks
	}
	return out
}

// storedMessage is one message of a kept conversation in JSON.
type storedMessage struct {
	Role    string `json:"role"`
	Content string `json:"content"`
	account
}

// writeJSON writes the messages with who said them and when. It is for reading,
// and has neither ids nor seals: to go on with a kept conversation it is loaded.
func (k keeping) writeJSON(w io.Writer) error {
	messages := make([]storedMessage, len(k.doc.Messages))
	for i, m := range k.doc.Messages {
		role := conversations.Assistant
		if m.Person {
			role = conversations.User
		}
		messages[i] = storedMessage{string(role), k.texts[i], account{Who: m.Who, At: stamp(m.At), Mark: m.Mark}}
	}
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	return e.Encode(struct {
		Code      string          `json:"code"`
		Title     string          `json:"title"`
		Assistant string          `json:"assistant"`
		Entity    string          `json:"entityId,omitempty"` // its key
		People    []string        `json:"people"`
		Begun     string          `json:"createdAt"`
		Made      string          `json:"exportedAt"`
		Messages  []storedMessage `json:"messages"`
	}{k.of.Code, k.doc.Title, k.of.Assistant, k.place, k.of.People, stamp(k.of.CreatedAt.In(k.doc.Made.Location())),
		stamp(k.doc.Made), messages})
}
