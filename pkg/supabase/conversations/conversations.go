// Package conversations keeps conversations in the project's database. All of
// it goes through SQL functions: no role writes the tables directly.
package conversations

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/conversations"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/supabase"
)

// Store is a conversations.Store. It acts with the caller's own token.
type Store struct{ client *supabase.Client }

var _ conversations.Store = Store{}

// New returns the conversations in the project of client.
func New(client *supabase.Client) Store { return Store{client} }

func (s Store) as(by identity.Caller) supabase.Conn { return s.client.As(by).Control() }

// RecordMessage keeps what a person says; see conversations.Recorder.
func (s Store) RecordMessage(ctx context.Context, by identity.Caller,
	w conversations.UserMessage) (conversations.Recorded, error) {
	p, err := document(messageOf(w))
	if err != nil {
		return conversations.Recorded{}, err
	}
	return again[conversations.Recorded](ctx, s.as(by), "conversation_say", p)
}

// Answer keeps a turn's answer; see conversations.Recorder.
func (s Store) Answer(ctx context.Context, by identity.Caller, a conversations.Answer) error {
	_, err := again[json.RawMessage](ctx, s.as(by), "conversation_answer", supabase.Args{"p": encodeAnswer(a)})
	return err
}

// Append keeps a history; see conversations.Store.
func (s Store) Append(ctx context.Context, by identity.Caller, id string,
	entries []conversations.Entry) (conversations.Appended, error) {
	list := make([]map[string]any, len(entries))
	for i, e := range entries {
		list[i] = map[string]any{
			"role": e.Role, "messageId": e.MessageID, "text": e.Text, "agent": e.Agent, "label": e.Label,
			"toolCalls": e.ToolCalls,
			"metadata":  e.Metadata, "token": e.Token, "tokens": e.Tokens, "foreign": e.Foreign,
		}
		if e.Role == conversations.User {
			list[i]["title"] = conversations.Title(e.Text)
		}
	}
	p, err := document(map[string]any{"id": id, "messages": list})
	if err != nil {
		return conversations.Appended{}, err
	}
	return again[conversations.Appended](ctx, s.as(by), "conversation_append", p)
}

// again calls a function that does the same only once, and calls it once more
// when the answer was lost.
func again[T any](ctx context.Context, c supabase.Conn, function string, args supabase.Args) (T, error) {
	out, err := supabase.Call[T](ctx, c, function, args)
	if err != nil && fault.From(err).Code == "outcome_unknown" && ctx.Err() == nil {
		return supabase.Call[T](ctx, c, function, args)
	}
	return out, err
}

// Open gets or makes a conversation; see conversations.Store.
func (s Store) Open(ctx context.Context, by identity.Caller, o conversations.Opening) (conversations.Detail, bool,
	error) {
	p, err := document(map[string]any{
		"assistant": o.Assistant, "prefix": o.Prefix, "entityId": o.EntityID, "projectId": o.ProjectID,
		"thread": o.Thread, "title": o.Title,
	})
	if err != nil {
		return conversations.Detail{}, false, err
	}
	answer, err := supabase.Call[struct {
		Conversation detail `json:"conversation"`
		IsNew        bool   `json:"isNew"`
	}](ctx, s.as(by), "conversation_open", p)
	return answer.Conversation.detail(), answer.IsNew, err
}

// List returns a page of conversations; see conversations.Store.
func (s Store) List(ctx context.Context, by identity.Caller, f conversations.Filter) (conversations.Page, error) {
	wanted := map[string]any{"assistant": f.Assistant, "entityId": f.EntityID, "query": f.Query, "deleted": f.Deleted}
	if f.Limit > 0 {
		wanted["limit"] = f.Limit
	}
	if c := f.Cursor; c != (conversations.Cursor{}) {
		wanted["until"], wanted["at"], wanted["after"] = c.Until, c.At, c.After
	}
	p, err := document(wanted)
	if err != nil {
		return conversations.Page{}, err
	}
	answer, err := supabase.Read[struct {
		Conversations []conversations.Conversation `json:"conversations"`
		Until         time.Time                    `json:"until"`
		Next          *conversations.Cursor        `json:"next"`
	}](ctx, s.as(by), "conversation_list", p)
	if answer.Next != nil {
		answer.Next.Until = answer.Until
	}
	return conversations.Page{Conversations: answer.Conversations, Next: answer.Next}, err
}

// Details returns a conversation; see conversations.Store.
func (s Store) Details(ctx context.Context, by identity.Caller, id string) (conversations.Detail, error) {
	d, err := supabase.Read[detail](ctx, s.as(by), "conversation_details", supabase.Args{"p_id": clean(id)})
	return d.detail(), err
}

// Load returns what a turn needs; see conversations.Store.
func (s Store) Load(ctx context.Context, by identity.Caller, id, project string,
	b conversations.Budget) (conversations.Load, error) {
	answer, err := supabase.Read[struct {
		conversations.Messages
		Conversation detail                 `json:"conversation"`
		Project      *conversations.Project `json:"project"`
	}](ctx, s.as(by), "conversation_context", supabase.Args{
		"p_id": clean(id), "p_project": clean(project), "p_most": b.Messages, "p_budget": b.Tokens, "p_sure": b.Recent,
	})
	return conversations.Load{
		Detail: answer.Conversation.detail(), Project: answer.Project, Messages: answer.Messages.Messages,
		More: answer.Next != nil,
	}, err
}

// Messages returns a part of a conversation; see conversations.Store.
func (s Store) Messages(ctx context.Context, by identity.Caller, id string, before, limit int) (conversations.Messages,
	error) {
	args := supabase.Args{"p_id": clean(id), "p_limit": limit}
	if before > 0 {
		args["p_before"] = before
	}
	return supabase.Read[conversations.Messages](ctx, s.as(by), "conversation_messages", args)
}

// Change changes a conversation; see conversations.Store.
func (s Store) Change(ctx context.Context, by identity.Caller, id string, version int,
	c conversations.Change) (conversations.Detail, error) {
	changes := map[string]any{}
	if c.Title != nil {
		changes["title"] = *c.Title
	}
	if c.Phase != nil {
		changes["phase"] = *c.Phase
	}
	if len(c.ExtractedData) > 0 {
		changes["extractedData"] = c.ExtractedData
	}
	args, err := document(changes)
	if err != nil {
		return conversations.Detail{}, err
	}
	args["p_id"], args["p_version"] = clean(id), version
	answer, err := supabase.Call[struct {
		Conversation detail `json:"conversation"`
		Changed      bool   `json:"changed"`
	}](ctx, s.as(by), "conversation_change", args)
	if err == nil && !answer.Changed {
		err = fault.New(fault.Conflict, "It was changed by somebody in the meantime, so nothing was done.").
			WithCode("changed")
	}
	return answer.Conversation.detail(), err
}

// Delete deletes a conversation, so that it can be restored; see conversations.Store.
func (s Store) Delete(ctx context.Context, by identity.Caller, id string) error {
	_, err := supabase.Call[json.RawMessage](ctx, s.as(by), "conversation_delete", supabase.Args{"p_id": clean(id)})
	return err
}

// Restore restores a conversation; see conversations.Store.
func (s Store) Restore(ctx context.Context, by identity.Caller, id string) (conversations.Detail, error) {
	d, err := supabase.Call[detail](ctx, s.as(by), "conversation_restore", supabase.Args{"p_id": clean(id)})
	return d.detail(), err
}

// People returns who takes part; see conversations.Store.
func (s Store) People(ctx context.Context, by identity.Caller, id string) ([]conversations.Person, error) {
	return supabase.Read[[]conversations.Person](ctx, s.as(by), "conversation_people",
		supabase.Args{"p_id": clean(id)})
}

// Add lets a colleague take part; see conversations.Store.
func (s Store) Add(ctx context.Context, by identity.Caller, id, email string) ([]conversations.Person, error) {
	return supabase.Call[[]conversations.Person](ctx, s.as(by), "conversation_people_add",
		supabase.Args{"p_id": clean(id), "p_email": clean(email)})
}

// Remove ends a participation; see conversations.Store.
func (s Store) Remove(ctx context.Context, by identity.Caller, id, email string) ([]conversations.Person, error) {
	return supabase.Call[[]conversations.Person](ctx, s.as(by), "conversation_people_remove",
		supabase.Args{"p_id": clean(id), "p_email": clean(email)})
}

// detail is app.conversation_json.
type detail struct {
	conversations.Conversation
	Thread         string          `json:"thread"`
	ExtractedData  json.RawMessage `json:"extractedData"`
	Summary        string          `json:"summary"`
	KeyFacts       json.RawMessage `json:"keyFacts"`
	SummaryThrough int             `json:"summaryThrough"`
	SummaryToken   string          `json:"summaryToken"`
	SummaryAt      *time.Time      `json:"summaryAt"`
	SummaryState   string          `json:"summaryState"`
}

func (d detail) detail() conversations.Detail {
	return conversations.Detail{
		Conversation: d.Conversation, Thread: d.Thread, ExtractedData: d.ExtractedData,
		Summary: conversations.Summary{Text: d.Summary, KeyFacts: d.KeyFacts, Through: d.SummaryThrough,
			Token: d.SummaryToken, At: d.SummaryAt, State: d.SummaryState},
	}
}

// document returns the arguments of a function that takes one document.
func document(p any) (supabase.Args, error) {
	raw, err := json.Marshal(p)
	if err != nil {
		return nil, fmt.Errorf("encode a conversation: %w", err)
	}
	return supabase.Args{"p": json.RawMessage(storable(raw))}, nil
}

// storable replaces U+0000, which PostgreSQL does not store, in a JSON text.
func storable(raw []byte) []byte {
	const nul = `\u0000`
	if !bytes.Contains(raw, []byte(nul)) {
		return raw
	}
	out := make([]byte, 0, len(raw))
	for i := 0; i < len(raw); i++ {
		switch {
		case raw[i] != '\\' || i+1 == len(raw):
			out = append(out, raw[i])
		case bytes.HasPrefix(raw[i:], []byte(nul)):
			out = append(out, `\ufffd`...)
			i += len(nul) - 1
		default: // what a backslash escapes is not looked at again
			out = append(out, raw[i], raw[i+1])
			i++
		}
	}
	return out
}

// clean is storable for a plain text.
func clean(s string) string { return strings.ReplaceAll(s, "\x00", "\ufffd") }
