package conversations

import (
	"cmp"
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/api/conversations/stored"
	"github.com/bellhop-ai/bellhop/pkg/consent"
	"github.com/bellhop-ai/bellhop/pkg/conversations"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/history"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	parts "github.com/bellhop-ai/bellhop/pkg/part"
)

// message is a kept message as chat takes it again.
type message struct {
	ID      string `json:"id"`
	Role    string `json:"role"`
	Content string `json:"content"`
	Seal    string `json:"seal,omitempty"`
	// Source is there when not all of it is the caller's own typing.
	Source      string       `json:"source,omitempty"`
	Attachments []attachment `json:"attachments,omitempty"`
	about
}

// attachment names an upload.
type attachment struct {
	ID string `json:"id"`
}

// uiMessage is the same with parts, as the AI SDK has it.
type uiMessage struct {
	ID       string          `json:"id"`
	Role     string          `json:"role"`
	Parts    json.RawMessage `json:"parts"`
	Metadata uiMetadata      `json:"metadata"`
}

type uiMetadata struct {
	Seal   string `json:"seal,omitempty"`
	Source string `json:"source,omitempty"`
	about
}

// about is what a page shows beside a message.
type about struct {
	// Name is of the person who said it, as it was then.
	Name  string `json:"name,omitempty"`
	Mine  bool   `json:"mine,omitempty"`
	Agent string `json:"agent,omitempty"`
	Label string `json:"label,omitempty"`
	// Verified says that the server wrote it. Without that an answer is only
	// quoted.
	Verified  bool       `json:"verified,omitempty"`
	CreatedAt *time.Time `json:"createdAt,omitempty"`
}

// loaded is what a client needs to go on with a conversation. Summary and
// messages, in this order, can be sent to chat as they are.
type loaded struct {
	Conversation view                   `json:"conversation"`
	Project      *conversations.Project `json:"project"`
	Summary      any                    `json:"summary"` // a message, or null
	Messages     []any                  `json:"messages"`
	Compacted    bool                   `json:"compacted"`
	Tokens       tokens                 `json:"tokens"`
	HasMore      bool                   `json:"hasMore"`
	Before       *int                   `json:"before"` // for the page of messages before these
	// Parts are those of the answers, by the ids of their messages. They are kept
	// for pages; what goes back to chat is the messages alone.
	Parts map[string][]parts.Part `json:"parts"`
	// Confirmation is what the last message asks, as long as the caller may
	// answer it.
	Confirmation *consent.View `json:"confirmation"`
}

type tokens struct {
	Budget    int `json:"budget"`
	Estimated int `json:"estimated"` // of the whole conversation
}

func (h *Handler) context(_ http.ResponseWriter, r *http.Request, by identity.Caller) (int, any, error) {
	q := r.URL.Query()
	b := conversations.ForModel()
	if q.Get("mode") == "ui" {
		b = conversations.ForPage()
	}
	ui, err := asUI(r)
	if err != nil {
		return 0, nil, err
	}
	load, err := h.cfg.Store.Load(r.Context(), by, r.PathValue("id"), q.Get("projectId"), b)
	if err != nil {
		return 0, nil, err
	}
	chosen, compacted := b.Choose(load)
	out := loaded{
		Conversation: h.viewOf(by, load.Detail), Project: load.Project, Messages: []any{}, Compacted: compacted,
		Parts:  map[string][]parts.Part{},
		Tokens: tokens{b.Tokens, load.Detail.EstimatedTokens}, HasMore: load.More || len(chosen) < len(load.Messages),
	}
	if out.HasMore && len(chosen) > 0 {
		out.Before = &chosen[0].Seq
	}
	links := stored.Links(h.cfg.Keys, by, load.Detail.Conversation, chosen)
	if summary, ok := stored.Summary(h.cfg.Keys, by, load.Detail, load.Project); ok && compacted {
		links = append([]history.Link{summary}, links...)
	}
	list, err := h.sealed(by, load.Detail.Conversation, links, chosen, ui)
	if err != nil {
		return 0, nil, err
	}
	if len(links) > len(chosen) {
		out.Summary, list = list[0], list[1:]
	}
	out.Messages = append(out.Messages, list...)
	if q.Get("mode") == "ui" {
		out.Parts = partsByMessage(links[len(links)-len(chosen):], chosen)
	}
	out.Confirmation, err = h.asked(r.Context(), by, load.Detail.Conversation, links)
	return http.StatusOK, out, err
}

// asked returns the question at the end of a conversation, if the caller can
// still answer it there.
func (h *Handler) asked(ctx context.Context, by identity.Caller, c conversations.Conversation,
	links []history.Link) (*consent.View, error) {
	if len(links) == 0 || h.cfg.Questions == nil {
		return nil, nil
	}
	last := links[len(links)-1]
	if last.State == nil || last.State.Proposal == "" {
		return nil, nil
	}
	p, err := h.cfg.Questions.Find(ctx, by, last.State.Proposal)
	switch {
	case fault.Is(err, fault.NotFound): // it was another user's
		return nil, nil
	case err != nil:
		return nil, err
	case p.Usable() != nil || p.Thread != c.ID:
		return nil, nil
	}
	view := p.View()
	return &view, nil
}

// part is a part of a conversation's messages.
type part struct {
	Messages []any                   `json:"messages"`
	Parts    map[string][]parts.Part `json:"parts"` // of the answers, by message
	Next     *int                    `json:"next"`  // for the page before
}

func (h *Handler) messages(_ http.ResponseWriter, r *http.Request, by identity.Caller) (int, any, error) {
	before, err := number(r, "before", 1<<30)
	if err != nil {
		return 0, nil, err
	}
	limit, err := number(r, "limit", 200)
	if err != nil {
		return 0, nil, err
	}
	ui, err := asUI(r)
	if err != nil {
		return 0, nil, err
	}
	d, err := h.cfg.Store.Details(r.Context(), by, r.PathValue("id"))
	if err != nil {
		return 0, nil, err
	}
	m, err := h.cfg.Store.Messages(r.Context(), by, d.ID, before, cmp.Or(limit, 50))
	if err != nil {
		return 0, nil, err
	}
	links := stored.Links(h.cfg.Keys, by, d.Conversation, m.Messages)
	list, err := h.sealed(by, d.Conversation, links, m.Messages, ui)
	return http.StatusOK, part{append([]any{}, list...), partsByMessage(links, m.Messages), m.Next}, err
}

// partsByMessage returns the parts of those answers that the server is known to
// have made.
func partsByMessage(links []history.Link, messages []conversations.Message) map[string][]parts.Part {
	found := map[string][]parts.Part{}
	for i, m := range messages {
		if links[i].State == nil {
			continue
		}
		if list := stored.Shown(m); len(list) > 0 {
			found[m.ID] = list
		}
	}
	return found
}

// asUI reports whether messages with parts are wanted.
func asUI(r *http.Request) (bool, error) {
	switch r.URL.Query().Get("format") {
	case "", "plain":
		return false, nil
	case "ui":
		return true, nil
	}
	return false, fault.New(fault.Invalid, "The format must be plain or ui.").WithCode("unknown_format")
}

// sealed writes links, of which the last ones are the kept messages, sealed
// anew for the caller.
func (h *Handler) sealed(by identity.Caller, c conversations.Conversation, links []history.Link,
	messages []conversations.Message, ui bool) ([]any, error) {
	scope := history.Scope{Tenant: by.OrgID, User: by.UserID, Thread: c.ID, Assistant: c.Assistant}
	chain, err := h.cfg.Keys.Chain(scope, links)
	if err != nil {
		return nil, err
	}
	summaries := len(links) - len(messages)
	list := make([]any, len(chain))
	for i, m := range chain {
		a := about{Verified: links[i].State != nil}
		var own json.RawMessage
		if i >= summaries {
			k := messages[i-summaries]
			a.Name, a.Agent, a.Label, a.CreatedAt = k.Name, k.Agent, k.Label, &k.CreatedAt
			a.Mine = k.UserID == by.UserID
			// What a client attached to an answer is that client's word: others
			// are not shown it.
			if a.Mine || k.Role == conversations.Assistant && len(c.People) == 1 {
				own = stored.Parts(k)
			}
		}
		source := ""
		if m.Foreign {
			source = "conversation"
		}
		if !ui {
			plain := message{ID: m.ID, Role: string(m.Role), Content: m.Text, Seal: m.Seal, Source: source, about: a}
			for _, f := range m.Files {
				plain.Attachments = append(plain.Attachments, attachment{strings.TrimPrefix(f.URL, history.UploadURL)})
			}
			list[i] = plain
			continue
		}
		if own == nil {
			if own, err = partsOf(m); err != nil {
				return nil, err
			}
		}
		list[i] = uiMessage{ID: m.ID, Role: string(m.Role), Parts: own, Metadata: uiMetadata{Seal: m.Seal,
			Source: source, about: a}}
	}
	return list, nil
}

// partsOf writes a message in parts. What an upload is called and what it is only
// the uploads endpoint knows.
func partsOf(m history.Message) (json.RawMessage, error) {
	var parts []map[string]string
	for _, f := range m.Files {
		parts = append(parts, map[string]string{"type": "file", "mediaType": "application/octet-stream", "url": f.URL})
	}
	if m.Text != "" || len(parts) == 0 {
		parts = append(parts, map[string]string{"type": "text", "text": m.Text})
	}
	return json.Marshal(parts)
}
