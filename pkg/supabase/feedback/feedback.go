// Package feedback keeps in the project's database what people say of answers.
package feedback

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/feedback"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/supabase"
)

// Store is a feedback.Store and a feedback.Archive. It acts with the caller's own
// token.
type Store struct{ client *supabase.Client }

var (
	_ feedback.Store       = Store{}
	_ feedback.AnswerStore = Store{}
)

// New returns the store in the project of client.
func New(client *supabase.Client) Store { return Store{client} }

// row is what the functions of the database take, by the names of the columns.
type row struct {
	Message    string         `json:"message"`
	Rating     string         `json:"rating,omitempty"`
	Reason     string         `json:"reason,omitempty"`
	Comment    string         `json:"comment,omitempty"`
	Signal     string         `json:"signal,omitempty"`
	Weight     int            `json:"weight,omitempty"`
	Assistant  string         `json:"assistant"`
	Agent      string         `json:"agent"`
	Thread     string         `json:"thread"`
	Question   string         `json:"question"`
	Answer     string         `json:"answer"`
	Tools      []feedback.Use `json:"tools"`
	Path       string         `json:"path,omitempty"`
	Model      string         `json:"model,omitempty"`
	RequestID  string         `json:"requestId,omitempty"`
	AnsweredAt time.Time      `json:"answeredAt"`
}

func rowOf(a feedback.Answer, requestID string) row {
	kept := a.Bounded()
	tools := kept.Tools
	if tools == nil {
		tools = []feedback.Use{}
	}
	return row{
		Message: a.Key(), Assistant: kept.Assistant, Agent: kept.Agent, Thread: kept.Thread, Question: kept.Question,
		Answer: kept.Text,
		Tools:  tools, Path: kept.Path, Model: kept.Model, RequestID: requestID, AnsweredAt: kept.At,
	}
}

// Give keeps a rating; see feedback.Store. Sent twice it is kept once.
func (s Store) Give(ctx context.Context, by identity.Caller, a feedback.Answer, j feedback.Judgement,
	requestID string) error {
	r := rowOf(a, requestID)
	r.Rating, r.Reason, r.Comment = string(j.Rating), j.Reason, j.Comment
	return s.send(ctx, by, "feedback_give", r)
}

// Notice keeps a signal; see feedback.Store.
func (s Store) Notice(ctx context.Context, by identity.Caller, a feedback.Answer, sign feedback.Signal,
	requestID string) error {
	r := rowOf(a, requestID)
	r.Signal, r.Weight = string(sign), sign.Weight()
	return s.send(ctx, by, "feedback_notice", r)
}

// send calls a function that does the same only once, and calls it once more
// when the answer was lost.
func (s Store) send(ctx context.Context, by identity.Caller, function string, r row) error {
	c, args := s.client.As(by).Control(), supabase.Args{"p": r}
	_, err := supabase.Call[any](ctx, c, function, args)
	if err != nil && fault.From(err).Code == "outcome_unknown" && ctx.Err() == nil {
		_, err = supabase.Call[any](ctx, c, function, args)
	}
	return err
}

// List returns what by may see; see feedback.Store.
func (s Store) List(ctx context.Context, by identity.Caller, f feedback.Filter) (feedback.Page, error) {
	p := map[string]any{"limit": f.Limit}
	for name, value := range map[string]string{
		"rating": f.Rating, "reason": f.Reason, "source": f.Source, "signal": f.Signal, "assistant": f.Assistant,
		"agent": f.Agent,
		"user":  f.User, "text": f.Text, "beforeAt": f.After.At, "beforeId": f.After.ID,
	} {
		if value != "" {
			p[name] = value
		}
	}
	for name, moment := range map[string]time.Time{"from": f.From, "to": f.Before} {
		if !moment.IsZero() {
			p[name] = moment.Format(time.RFC3339Nano)
		}
	}
	raw, err := json.Marshal(p)
	if err != nil {
		return feedback.Page{}, fmt.Errorf("encode a filter of feedback: %w", err)
	}
	answer, err := supabase.Read[struct {
		Items  []feedback.Entry `json:"items"`
		Limit  int              `json:"limit"`
		Agents []feedback.Count `json:"agents"`
	}](ctx, s.client.As(by).Control(), "feedback_list", supabase.Args{"p": json.RawMessage(raw)})
	if err != nil {
		return feedback.Page{}, err
	}
	page := feedback.Page{Entries: answer.Items, Counts: answer.Agents, More: len(answer.Items) > answer.Limit}
	if page.More {
		page.Entries = page.Entries[:answer.Limit]
	}
	return page, nil
}

// Answer reads a stored answer; see feedback.Archive. A caller who takes no part in
// the conversation sees no row of it.
func (s Store) Answer(ctx context.Context, by identity.Caller, conversation, message string) (feedback.StoredAnswer,
	error) {
	none := fault.New(fault.NotFound, "There is no such answer in a conversation of yours.").
		WithCode("message_not_found")
	if uuid.Validate(conversation) != nil || strings.ContainsRune(message, 0) {
		return feedback.StoredAnswer{}, none
	}
	// An answer is called like its turn, and so the question is found with it.
	rows, err := supabase.Select[struct {
		Role     string `json:"role"`
		ClientID string `json:"client_id"`
		Content  string `json:"content"`
		Token    string `json:"token"`
	}](ctx, s.client.As(by), supabase.Query{
		Table: "chat_messages", Columns: "role,client_id,content,token", Limit: 3,
		Where: []supabase.Cond{
			supabase.Eq("session_id", conversation), supabase.IsNull("superseded_at"),
			supabase.Or(supabase.Eq("turn", message), supabase.Eq("client_id", message)),
		},
	})
	if err != nil {
		return feedback.StoredAnswer{}, err
	}
	var k feedback.StoredAnswer
	found := false
	for _, r := range rows {
		switch {
		case r.Role == "assistant" && r.ClientID == message:
			k.Text, k.Token, found = r.Content, r.Token, true
		case r.Role == "user":
			k.Question = r.Content
		}
	}
	if !found {
		return feedback.StoredAnswer{}, none
	}
	return k, nil
}
