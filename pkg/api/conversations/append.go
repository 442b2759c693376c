package conversations

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/api/conversations/stored"
	"github.com/bellhop-ai/bellhop/pkg/conversations"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/history"
	"github.com/bellhop-ai/bellhop/pkg/httpx"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/llm"
)

// appending is the body that has a history kept: all of it, as for a turn of
// chat, with its seals.
type appending struct {
	Messages []json.RawMessage `json:"messages"`
}

func (h *Handler) append(w http.ResponseWriter, r *http.Request, by identity.Caller) (int, any, error) {
	var body appending
	if _, err := httpx.ReadJSON(w, r, &body); err != nil {
		return 0, nil, err
	}
	decoded, err := history.Decode(body.Messages)
	if err != nil {
		return 0, nil, err
	}
	d, err := h.cfg.Store.Details(r.Context(), by, r.PathValue("id"))
	if err != nil {
		return 0, nil, err
	}
	opened, err := h.verified(by, d, decoded.Messages)
	if err != nil {
		return 0, nil, err
	}
	entries := make([]conversations.Entry, 0, len(opened.Entries))
	for _, e := range opened.Entries {
		if e.State != nil && !e.State.Replaces.None() {
			continue // a summary is kept as one
		}
		entry, err := h.entry(by, d.Conversation, e, decoded.Messages[e.Number], body.Messages[e.Number],
			len(entries) < e.Number)
		if err != nil {
			return 0, nil, err
		}
		entries = append(entries, entry)
	}
	if len(entries) == 0 {
		return 0, nil, fault.New(fault.Invalid, "There are no messages to keep.")
	}
	done, err := h.cfg.Store.Append(r.Context(), by, d.ID, entries)
	return http.StatusOK, done, err
}

// verified opens a history and refuses one with an answer that is not the
// server's own, in its place. The seals are bound to the conversation's id, or
// to what its owner's client called it.
func (h *Handler) verified(by identity.Caller, d conversations.Detail,
	messages []history.Message) (history.Conversation, error) {
	var c history.Conversation
	for _, thread := range []string{d.ID, d.Thread} {
		c = h.cfg.Keys.Open(history.Scope{Tenant: by.OrgID, User: by.UserID, Thread: thread, Assistant: d.Assistant},
			messages)
		if n, _ := c.Doubts(); n == 0 && !plainAnswer(c) {
			return c, nil
		}
	}
	return c, fault.New(fault.Unprocessable,
		"Not all answers in this history are verified, so nothing of it was kept.").WithCode("history_unverified")
}

func plainAnswer(c history.Conversation) bool {
	for _, e := range c.Entries {
		if e.Role == llm.Assistant && e.State == nil {
			return true
		}
	}
	return false
}

// entry is one message to keep. Where the beginning of a history is missing,
// messages are known by their ids alone.
func (h *Handler) entry(by identity.Caller, c conversations.Conversation, e history.Entry, m history.Message,
	raw json.RawMessage, shifted bool) (conversations.Entry, error) {
	out := conversations.Entry{Role: conversations.User, MessageID: m.ID, Text: e.Text, Foreign: e.Foreign,
		Tokens: history.Tokens(e.Text) + 4}
	if len(m.ID) > maxThread {
		return out, fault.New(fault.Unprocessable, "The id of a message may have at most %d bytes.", maxThread)
	}
	if m.ID == "" {
		if shifted {
			return out, fault.New(fault.Unprocessable,
				"Behind a summary every message needs its id.").WithCode("message_ids_required")
		}
		sum := sha256.Sum256(fmt.Appendf(nil, "%d %s %s", e.Number, e.Role, e.Text))
		out.MessageID = fmt.Sprintf("m-%x", sum[:12])
	}
	var beside struct {
		Parts json.RawMessage      `json:"parts,omitempty"`
		Files []conversations.File `json:"files,omitempty"`
	}
	var sent struct {
		Parts json.RawMessage `json:"parts"`
	}
	if json.Unmarshal(raw, &sent) == nil && len(sent.Parts) > 0 && sent.Parts[0] == '[' {
		beside.Parts = sent.Parts
	}
	for _, f := range m.Files {
		if e.Role == llm.User && strings.HasPrefix(f.URL, history.UploadURL) {
			beside.Files = append(beside.Files, conversations.File{URL: f.URL})
		}
	}
	if beside.Parts != nil || beside.Files != nil {
		metadata, err := json.Marshal(beside)
		if err != nil {
			return out, err
		}
		out.Metadata = metadata
	}
	if e.Role == llm.Assistant {
		out.Role = conversations.Assistant
		if a, err := h.assistant(by, c.Assistant); err == nil {
			if label, ok := a.Label(e.State.Agent); ok {
				out.Agent, out.Label = e.State.Agent, label
			}
		}
		for _, step := range e.State.Steps {
			for _, call := range step.Calls {
				out.Tokens += history.Tokens(call.Name) + history.Tokens(call.Arguments)
			}
			for _, result := range step.Results {
				out.Tokens += history.Tokens(result.Text)
			}
		}
		token, err := h.cfg.Keys.SealStored(stored.Location(by, c, out.MessageID), e.Text, *e.State)
		if err != nil {
			return out, err
		}
		out.Token = token
	}
	// What a client keeps of a tool's output counts, too.
	out.Tokens = max(out.Tokens, history.Tokens(string(beside.Parts)))
	return out, nil
}
