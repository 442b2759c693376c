// Package feedback has the HTTP handler with which users rate answers and
// administrators read what was said. Only an answer that was given can be rated:
// the conversation comes in the body, as for a turn of chat, and the seal of its
// last message proves it.
package feedback

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strings"

	"github.com/google/uuid"

	"github.com/bellhop-ai/bellhop/pkg/assistants"
	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/feedback"
	"github.com/bellhop-ai/bellhop/pkg/history"
	"github.com/bellhop-ai/bellhop/pkg/httpx"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/limit"
	"github.com/bellhop-ai/bellhop/pkg/llm"
)

// Config is what the function needs; all of it is required but the gate.
type Config struct {
	Assistants []assistants.Profile
	// Default is the assistant of a body that names none.
	Default string
	Keys    *history.Keys
	Store   feedback.Store
	// Answers has the conversations that are stored; nil where none are.
	Answers feedback.AnswerStore
	// Identify returns the caller of a verified token, with the role that the
	// database knows now.
	Identify httpx.Identify
	Now      calendar.Clock
	// Gate bounds how often people and organisations may ask; the zero Gate
	// does not.
	Gate limit.Gate
}

// Handler is the function's HTTP handler.
type Handler struct {
	cfg Config
	mux *http.ServeMux
}

// New returns the handler, or an error that names what is missing.
func New(cfg Config) (*Handler, error) {
	if len(cfg.Assistants) == 0 || cfg.Keys == nil || cfg.Store == nil || cfg.Identify == nil || cfg.Now == nil {
		return nil, errors.New("feedback: assistants, keys, a store, identities and a clock are all required")
	}
	h := &Handler{cfg: cfg, mux: http.NewServeMux()}
	if !h.knows(cfg.Default) {
		return nil, errors.New("feedback: the default assistant " + cfg.Default + " is not one of those given")
	}
	h.mux.HandleFunc("POST /api/feedback", func(w http.ResponseWriter, r *http.Request) {
		h.rate(w, r, cfg.Default)
	})
	// The finance front end's name of it.
	h.mux.HandleFunc("POST /api/submit-feedback", func(w http.ResponseWriter, r *http.Request) {
		h.rate(w, r, "finance")
	})
	h.mux.HandleFunc("GET /api/feedback", h.list)
	h.mux.HandleFunc("/", httpx.Otherwise(h.mux, httpx.Fail))
	return h, nil
}

// ServeHTTP answers at /api/feedback.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) { h.mux.ServeHTTP(w, r) }

func (h *Handler) knows(assistant string) bool {
	_, err := assistants.Find(h.cfg.Assistants, assistant)
	return err == nil
}

// admit returns the caller, and applies the rate limit.
func (h *Handler) admit(r *http.Request) (identity.Caller, error) {
	return httpx.Admit(r, h.cfg.Identify, h.cfg.Gate)
}

// request is the body of a rating: what is said, and the conversation up to and
// including the answer of which it is said, in any dialect of chat.
type request struct {
	Rating    feedback.Rating   `json:"rating"`
	Reason    string            `json:"reason"`
	Comment   string            `json:"comment"`
	Messages  []json.RawMessage `json:"messages"`
	Earlier   []json.RawMessage `json:"conversationHistory"` // the finance front end's
	ID        string            `json:"id"`
	Assistant string            `json:"assistant"`
	// ConversationID and MessageID name an answer of a stored conversation,
	// instead of messages.
	ConversationID string `json:"conversationId"`
	MessageID      string `json:"messageId"`
}

const maxName = 200 // bytes of what a client chooses: an id, an assistant

// rate takes a rating; usual is the assistant of a request that names none.
func (h *Handler) rate(w http.ResponseWriter, r *http.Request, usual string) {
	j, err := h.take(w, r, usual)
	if err != nil {
		httpx.Fail(w, r, err)
		return
	}
	httpx.JSON(w, http.StatusOK, j)
}

func (h *Handler) take(w http.ResponseWriter, r *http.Request, usual string) (feedback.Judgement, error) {
	by, err := h.admit(r)
	if err != nil {
		return feedback.Judgement{}, err
	}
	var req request
	if _, err := httpx.ReadJSON(w, r, &req); err != nil {
		return feedback.Judgement{}, err
	}
	req.Assistant = cmp.Or(req.Assistant, usual)
	j, err := feedback.Judgement{Rating: req.Rating, Reason: req.Reason, Comment: req.Comment}.Check()
	if err != nil {
		return j, err
	}
	a, err := h.rated(r.Context(), by, req)
	if err != nil {
		return j, err
	}
	return j, h.cfg.Store.Give(r.Context(), by, a, j, httpx.RequestID(r.Context()))
}

// rated returns the answer that is rated.
func (h *Handler) rated(ctx context.Context, by identity.Caller, req request) (feedback.Answer, error) {
	var none feedback.Answer
	for what, text := range map[string]string{"id": req.ID, "assistant": req.Assistant,
		"conversationId": req.ConversationID, "messageId": req.MessageID} {
		if len(text) > maxName {
			return none, fault.New(fault.Unprocessable, "The member %q is longer than %d bytes.", what, maxName)
		}
	}
	assistant := req.Assistant
	if _, err := assistants.FindOf(by, h.cfg.Assistants, assistant); err != nil {
		return none, err
	}
	list := req.Messages
	if len(list) == 0 {
		list = req.Earlier
	}
	if len(list) == 0 && req.ConversationID != "" {
		return h.stored(ctx, by, assistant, req)
	}
	return h.sealed(by, assistant, req.ID, list)
}

// stored returns an answer of a stored conversation, if the server's token
// beside it says that it is one.
func (h *Handler) stored(ctx context.Context, by identity.Caller, assistant string, req request) (feedback.Answer,
	error) {
	var none feedback.Answer
	if h.cfg.Answers == nil {
		return none, fault.New(fault.NotFound,
			"No conversations are stored here. Please send the messages.").WithCode("message_not_found")
	}
	if id, err := uuid.Parse(req.ConversationID); err == nil {
		req.ConversationID = id.String() // as it was when the token was made, however it is written
	}
	stored, err := h.cfg.Answers.Answer(ctx, by, req.ConversationID, req.MessageID)
	if err != nil {
		return none, err
	}
	location := history.Location{Tenant: by.OrgID, Assistant: assistant, Conversation: req.ConversationID,
		Message: req.MessageID}
	state, made, err := h.cfg.Keys.OpenStored(location, stored.Text, stored.Token)
	if err != nil {
		return none, fault.Wrap(fault.Unprocessable, err,
			"This answer cannot be verified as one that was given, so it was not rated.").WithCode("answer_unverified")
	}
	said := []history.Entry{{Role: llm.User, Text: stored.Question}, {Role: llm.Assistant, Text: stored.Text,
		State: &state, At: made}}
	return answer(assistant, req.ConversationID, said, 1), nil
}

// sealed returns the last message of a conversation, if its seal holds for this
// person, here and after these messages.
func (h *Handler) sealed(by identity.Caller, assistant, thread string, list []json.RawMessage) (feedback.Answer,
	error) {
	var none feedback.Answer
	decoded, err := history.Decode(list)
	if err != nil {
		return none, err
	}
	if n := len(decoded.Messages); n == 0 || decoded.Messages[n-1].Role != llm.Assistant {
		return none, fault.New(fault.Unprocessable,
			"Only an answer can be rated: it must be the last of the messages.").WithCode("not_an_answer")
	}
	conv := h.cfg.Keys.Open(history.Scope{Tenant: by.OrgID, User: by.UserID, Thread: thread, Assistant: assistant},
		decoded.Messages)
	last := len(conv.Entries) - 1
	if last >= 0 && isSummary(conv.Entries[last]) {
		return none, fault.New(fault.Unprocessable,
			"Only an answer can be rated, and this is a summary.").WithCode("not_an_answer")
	}
	if last < 0 || conv.Entries[last].State == nil || conv.Entries[last].Number != len(decoded.Messages)-1 {
		return none, unproven(conv)
	}
	return answer(assistant, thread, conv.Entries, last), nil
}

// unproven says why an answer cannot be rated.
func unproven(conv history.Conversation) error {
	_, reasons := conv.Doubts()
	why := "it has no seal"
	if len(reasons) > 0 {
		why = strings.Join(reasons, ", ")
	}
	return fault.New(fault.Unprocessable,
		"This answer cannot be verified as one that you were given (%s), so it was not rated.",
		why).WithCode("answer_unverified")
}

// isSummary reports whether the entry stands for others that were left out.
func isSummary(e history.Entry) bool { return e.State != nil && !e.State.Replaces.None() }

// answer describes the entry i, whose seal holds.
func answer(assistant, thread string, entries []history.Entry, i int) feedback.Answer {
	e := entries[i]
	a := feedback.Answer{
		Assistant: assistant, Agent: e.State.Agent, Thread: thread, Question: question(entries, i), Text: e.Text,
		Path: e.State.Path, Model: e.State.Model, At: e.At,
	}
	for _, step := range e.State.Steps {
		for n, call := range step.Calls {
			a.Tools = append(a.Tools, feedback.Use{Name: call.Name, OK: succeeded(step, n)})
		}
	}
	return a
}

// question returns what the person said directly before the entry i; "" where a
// button was pressed instead.
func question(entries []history.Entry, i int) string {
	if i > 0 && entries[i-1].Role == llm.User {
		return entries[i-1].Text
	}
	return ""
}

// succeeded reports whether a call brought data. Refusals and errors are
// sentences.
func succeeded(step history.Step, n int) bool {
	return n < len(step.Results) && strings.HasPrefix(step.Results[n].Text, "{")
}
