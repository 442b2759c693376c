// Package stored reads stored messages and decides how much of them to believe:
// an answer that the server sealed is its own again, everything else is only
// quoted.
package stored

import (
	"encoding/json"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/conversations"
	"github.com/bellhop-ai/bellhop/pkg/history"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/llm"
)

// Location is where a message of a conversation stands.
func Location(by identity.Caller, c conversations.Conversation, message string) history.Location {
	return history.Location{Tenant: by.OrgID, Assistant: c.Assistant, Conversation: c.ID, Message: message}
}

// Link returns one stored message, as history.Keys.Chain takes it for by. What
// other people said is foreign: it is read, and it neither consents nor commands
// in by's name.
func Link(keys *history.Keys, by identity.Caller, c conversations.Conversation, m conversations.Message) history.Link {
	l := history.Link{Message: history.Message{ID: m.ID, Role: llm.User, Text: m.Text}}
	if m.Role == conversations.User {
		l.Foreign, l.Files = about(m.Metadata)
		l.Foreign = l.Foreign || m.UserID != by.UserID
		return l
	}
	l.Role = llm.Assistant
	if state, at, err := keys.OpenStored(Location(by, c, m.ID), m.Text, m.Token); err == nil {
		l.State, l.At = &state, at
	}
	return l
}

// Links returns stored messages in their order.
func Links(keys *history.Keys, by identity.Caller, c conversations.Conversation,
	messages []conversations.Message) []history.Link {
	links := make([]history.Link, len(messages))
	for i, m := range messages {
		links[i] = Link(keys, by, c, m)
	}
	return links
}

// Summary returns what stands for the beginning of a conversation, and whether
// there is anything. A project's own summary is preferred, unless only the
// conversation's can be believed.
func Summary(keys *history.Keys, by identity.Caller, d conversations.Detail, p *conversations.Project) (history.Link,
	bool) {
	texts := []string{d.Summary.Text}
	if p != nil {
		texts = []string{p.Summary, d.Summary.Text}
	}
	l := history.Link{Message: history.Message{ID: conversations.SummaryMessage, Role: llm.Assistant}}
	for _, text := range texts {
		if text == "" {
			continue
		}
		if state, at, err := keys.OpenStored(Location(by, d.Conversation, conversations.SummaryMessage), text,
			d.Summary.Token); err == nil {
			l.Text, l.State, l.At = text, &state, at
			return l, true
		}
		if l.Text == "" {
			l.Text = text
		}
	}
	return l, l.Text != ""
}

// Parts returns the parts of a message as a client had them, or nil.
func Parts(m conversations.Message) json.RawMessage {
	var metadata struct {
		Parts json.RawMessage `json:"parts"`
	}
	if len(m.Metadata) == 0 || json.Unmarshal(m.Metadata, &metadata) != nil || len(metadata.Parts) == 0 ||
		metadata.Parts[0] != '[' {
		return nil
	}
	return metadata.Parts
}

// about returns what stands beside a person's words.
func about(metadata json.RawMessage) (foreign bool, files []history.File) {
	var m struct {
		Foreign bool                 `json:"foreign"`
		Files   []conversations.File `json:"files"`
	}
	if len(metadata) == 0 || json.Unmarshal(metadata, &m) != nil {
		return false, nil
	}
	for _, f := range m.Files {
		if strings.HasPrefix(f.URL, history.UploadURL) {
			files = append(files, history.File{URL: f.URL})
		}
	}
	return m.Foreign, files
}
