package summarize

import (
	"cmp"
	"context"
	"encoding/json"
	"net/http"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/assistants"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/history"
	"github.com/bellhop-ai/bellhop/pkg/httpx"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/llm"
	"github.com/bellhop-ai/bellhop/pkg/summary"
)

// request is a conversation in the body, in any dialect of chat.
type request struct {
	Messages  []json.RawMessage `json:"messages"`
	Query     string            `json:"query"` // the finance front end's
	Earlier   []json.RawMessage `json:"conversationHistory"`
	ID        string            `json:"id"`
	Assistant string            `json:"assistant"`
	// Prove is how many of the last messages stay as they are. Without it ten do,
	// or a third of a shorter conversation.
	Keep *int `json:"keep"`
}

// answer is what such a request gets.
type answer struct {
	Summary  string   `json:"summary"`
	KeyFacts []string `json:"keyFacts"`
	// Message is the sealed summary, null where there was nothing to sum up.
	Message json.RawMessage `json:"message"`
	// Messages is the summary and what was kept behind it, sealed anew: the
	// whole for the next turn.
	Messages []json.RawMessage `json:"messages"`
	Replaces *replaced         `json:"replaces"`
	// Unverified counts what a client claimed and no seal proves.
	Unverified int `json:"unverified"`
	// Stopped is why less was summed up than was asked for: "deadline", "steps",
	// or the code of a failure. What is left stays in Messages.
	Stopped string    `json:"stopped,omitempty"`
	Usage   llm.Usage `json:"usage"`
}

// replaced says for which messages of the conversation the summary stands.
type replaced struct {
	From     int `json:"from"` // the first is 1
	To       int `json:"to"`
	Messages int `json:"messages"`
}

const (
	// kept is how many messages stay where the request says nothing.
	kept = 10
	// mostSteps is how many calls of the model one request may take, corrections
	// aside.
	mostSteps = 32
)

func (h *Handler) messages(w http.ResponseWriter, r *http.Request) {
	a, err := h.summariseMessages(w, r)
	if err != nil {
		httpx.Fail(w, r, err)
		return
	}
	httpx.JSON(w, http.StatusOK, a)
}

func (h *Handler) summariseMessages(w http.ResponseWriter, r *http.Request) (answer, error) {
	by, err := h.admit(r)
	if err != nil {
		return answer{}, err
	}
	var req request
	if _, err := httpx.ReadJSON(w, r, &req); err != nil {
		return answer{}, err
	}
	t, err := h.open(by, req)
	if err != nil {
		return answer{}, err
	}
	ctx, done := h.lasting(r)
	defer done()
	return t.compact(ctx, h)
}

// conversation is an opened conversation of a request.
type conversation struct {
	by        identity.Caller
	assistant assistants.Profile
	scope     history.Scope
	raw       []json.RawMessage
	parts     bool
	conv      history.Conversation
	cut       int // so many entries are summed up
	old       int // so many of these are an earlier summary: 0 or 1
}

func (h *Handler) open(by identity.Caller, req request) (*conversation, error) {
	if len(req.ID) > maxName || len(req.Assistant) > maxName {
		return nil, fault.New(fault.Unprocessable, "A name is longer than %d bytes.", maxName)
	}
	t := &conversation{by: by, raw: req.Messages}
	if req.Query != "" || len(req.Earlier) > 0 {
		t.raw = req.Earlier
		if last, err := json.Marshal(map[string]string{"role": "user", "content": req.Query}); err == nil &&
			req.Query != "" {
			t.raw = append(t.raw[:len(t.raw):len(t.raw)], last)
		}
	}
	var err error
	if t.assistant, err = h.assistant(by, cmp.Or(req.Assistant, h.cfg.Default)); err != nil {
		return nil, err
	}
	if len(t.raw) == 0 {
		return nil, fault.New(fault.Invalid, "There is nothing to summarise: send messages.")
	}
	decoded, err := history.Decode(t.raw)
	if err != nil {
		return nil, err
	}
	t.parts = decoded.Parts
	t.scope = history.Scope{Tenant: by.OrgID, User: by.UserID, Thread: req.ID, Assistant: t.assistant.Name}
	t.conv = h.cfg.Keys.Open(t.scope, decoded.Messages)
	n := len(t.conv.Entries)
	if n > 0 {
		if s := t.conv.Entries[0].State; s != nil && !s.Replaces.None() {
			t.old = 1
		}
	}
	stay := min(kept, (n-t.old)/3)
	if req.Keep != nil {
		stay = *req.Keep
	}
	if stay < 0 || stay > history.MaxMessages {
		return nil, fault.New(fault.Invalid, "The member \"keep\" must lie between 0 and %d.", history.MaxMessages)
	}
	t.cut = max(t.old, n-stay)
	// What stays begins with a question, so that no answer stands without.
	for t.cut < n && t.cut > t.old && t.conv.Entries[t.cut].Role != llm.User {
		t.cut--
	}
	return t, nil
}

// compact makes the summary and seals the rest behind it.
func (t *conversation) compact(ctx context.Context, h *Handler) (answer, error) {
	unverified, _ := t.conv.Doubts()
	a := answer{KeyFacts: []string{}, Messages: make([]json.RawMessage, 0, len(t.conv.Entries)),
		Unverified: unverified}
	if t.cut <= t.old { // nothing to add to what there is
		for _, e := range t.conv.Entries {
			a.Messages = append(a.Messages, t.raw[e.Number])
		}
		return a, nil
	}
	made, stopped, used, err := t.summarise(ctx, h)
	a.Usage, a.Stopped = used, stopped
	if err != nil {
		return a, err
	}
	a.Summary, a.KeyFacts = made.Text(), made.FactTexts()
	a.Replaces = &replaced{From: 1, To: made.Covers, Messages: made.Covers}
	state := history.State{Replaces: history.Range{From: 1, To: made.Covers}}
	links := append([]history.Link{{Message: history.Message{Role: llm.Assistant, Text: a.Summary}, State: &state,
		At: h.cfg.Now()}}, t.conv.Links()[t.cut:]...)
	sealed, err := h.cfg.Keys.Chain(t.scope, links)
	if err != nil {
		return a, err
	}
	if a.Message, err = t.write(nil, sealed[0]); err != nil {
		return a, err
	}
	a.Messages = []json.RawMessage{a.Message}
	for i, m := range sealed[1:] {
		raw, err := t.write(t.raw[t.conv.Entries[t.cut+i].Number], m)
		if err != nil {
			return a, err
		}
		a.Messages = append(a.Messages, raw)
	}
	return a, nil
}

// summarise reads the messages in as many steps as it takes. Where not all can
// be read, those that were are summed up and the rest stays.
func (t *conversation) summarise(ctx context.Context, h *Handler) (made summary.Summary, stopped string,
	used llm.Usage, err error) {
	if t.old > 0 {
		// The seal proves that the text is one of ours.
		made, _ = summary.Read(t.conv.Entries[0].Text)
	}
	items := t.items()
	model, err := h.cfg.Service.Model(ctx, t.by, t.assistant.Name)
	if err != nil {
		return made, "", used, err
	}
	maker := summary.Maker{Model: model, Tokens: h.cfg.Service.Tokens, Report: h.cfg.Service.Dropped}
	for step := 0; len(items) > 0; step++ {
		end, bounded := ctx.Deadline()
		switch {
		case step == mostSteps:
			stopped = "steps"
		case step > 0 && bounded && time.Until(end) < summary.StepTime:
			stopped = "deadline"
		}
		if stopped != "" {
			break
		}
		n := maker.Fits(items)
		next, spent, err := maker.Add(ctx, made, items[:n])
		used = used.Add(spent.Usage)
		if err != nil && step == 0 {
			return made, "", used, err
		}
		if err != nil {
			httpx.Note(ctx, err)
			stopped = fault.From(err).PublicCode()
			break
		}
		made, items = next, items[n:]
	}
	t.cut -= len(items)
	return made, stopped, used, nil
}

// items are the messages that are to be summed up.
func (t *conversation) items() []summary.Item {
	out := make([]summary.Item, 0, t.cut)
	for _, e := range t.conv.Entries[t.old:t.cut] {
		item := summary.Item{Who: cmp.Or(t.by.Name, "user"), Text: e.Text, Doubtful: e.Foreign}
		if e.Role == llm.Assistant {
			item.Who, item.Doubtful = t.assistant.Title, e.State == nil
		}
		out = append(out, item)
	}
	return out
}

// write returns a message as its client knows them, with its new seal. raw is
// as it came, nil for a new one.
func (t *conversation) write(raw json.RawMessage, m history.Message) (json.RawMessage, error) {
	if m.Role != llm.Assistant && raw != nil {
		return raw, nil
	}
	fields := map[string]json.RawMessage{}
	if raw == nil {
		raw = t.form(m.Text)
	}
	if err := json.Unmarshal(raw, &fields); err != nil {
		return nil, err
	}
	delete(fields, "seal")
	metadata := map[string]json.RawMessage{}
	if json.Unmarshal(fields["metadata"], &metadata) == nil && metadata["seal"] != nil {
		delete(metadata, "seal")
		fields["metadata"] = encode(metadata)
	}
	if m.Seal != "" {
		if fields["parts"] != nil {
			metadata["seal"] = encode(m.Seal)
			fields["metadata"] = encode(metadata)
		} else {
			fields["seal"] = encode(m.Seal)
		}
	}
	return encode(fields), nil
}

// form is an assistant's message in the client's dialect.
func (t *conversation) form(text string) json.RawMessage {
	if t.parts {
		return encode(map[string]any{"id": "summary", "role": "assistant",
			"parts": []any{map[string]string{"type": "text", "text": text}}})
	}
	return encode(map[string]any{"role": "assistant", "content": text})
}

// encode writes texts, and lists and maps of them or of what was decoded.
func encode(v any) json.RawMessage {
	b, _ := json.Marshal(v) // of these it cannot fail
	return b
}
