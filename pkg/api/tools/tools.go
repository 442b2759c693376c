// Package tools runs an assistant's tools without a model: for cards whose
// parameters a person changes, for forms, and for other programs. What needs
// consent in a chat needs it here too.
package tools

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strconv"

	"github.com/google/uuid"

	"github.com/bellhop-ai/bellhop/pkg/consent"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/flow"
	"github.com/bellhop-ai/bellhop/pkg/flow/direct"
	"github.com/bellhop-ai/bellhop/pkg/httpx"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/limit"
	"github.com/bellhop-ai/bellhop/pkg/part"
	"github.com/bellhop-ai/bellhop/pkg/render"
	"github.com/bellhop-ai/bellhop/pkg/tool"
)

// Config is what the function needs; all of it is required but Open and the gate.
type Config struct {
	Assistants []*flow.Assistant
	Consent    *consent.Service
	// Identify returns the caller of a verified token, with the role that the
	// database knows now.
	Identify httpx.Identify
	// Open, if not nil, returns the caller of a token as Identify does, and the caller's
	// proposal of an id, a uuid, in one request; no proposal where there is none.
	Open  func(ctx context.Context, token, id string) (identity.Caller, []consent.Proposal, error)
	NewID func() string
	// Gate bounds how often people and organisations may run tools; the zero
	// Gate does not.
	Gate limit.Gate
}

// Handler is the function's HTTP handler.
type Handler struct {
	cfg   Config
	tools direct.Tools
	mux   *http.ServeMux
}

// New returns the handler, or an error that names what is missing.
func New(cfg Config) (*Handler, error) {
	h := &Handler{cfg: cfg, tools: direct.Tools{Assistants: cfg.Assistants, Consent: cfg.Consent, NewID: cfg.NewID},
		mux: http.NewServeMux()}
	if cfg.Identify == nil || h.tools.Check() != nil {
		return nil, errors.New("tools: assistants, a consent service, identities and ids are all required")
	}
	h.mux.HandleFunc("GET /api/tools/{assistant}", h.catalogue)
	h.mux.HandleFunc("POST /api/tools/{assistant}/{tool}", h.run)
	h.mux.HandleFunc("POST /api/confirmations/{id}", h.confirm)
	h.mux.HandleFunc("/", httpx.Otherwise(h.mux, httpx.Fail))
	return h, nil
}

// ServeHTTP answers below /api/tools and /api/confirmations.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) { h.mux.ServeHTTP(w, r) }

func (h *Handler) caller(r *http.Request) (identity.Caller, error) {
	return httpx.Caller(r, h.cfg.Identify)
}

// listed is one tool of the catalogue.
type listed struct {
	Name        string          `json:"name"`
	Description string          `json:"description"`
	Effect      string          `json:"effect"`
	Allowed     bool            `json:"allowed"` // whether the caller may run it
	Agents      []string        `json:"agents"`
	Extension   bool            `json:"extension"`
	Parameters  json.RawMessage `json:"parameters"`
	// Component names what a page shows the answer with; "" leaves it to the page.
	Component string      `json:"component"`
	Retry     retryConfig `json:"retryConfig"`
}

// retryConfig says how often a tool that reads is tried again in a chat.
type retryConfig struct {
	MaxRetries int   `json:"maxRetries"`
	RetryDelay int64 `json:"retryDelay"` // milliseconds before the second attempt
}

func (h *Handler) catalogue(w http.ResponseWriter, r *http.Request) {
	by, err := h.caller(r)
	if err != nil {
		httpx.Fail(w, r, err)
		return
	}
	a, err := h.tools.Assistant(r.Context(), by, r.PathValue("assistant"))
	if err != nil {
		httpx.Fail(w, r, err)
		return
	}
	out := []listed{}
	for _, e := range a.Tools() {
		s := e.Tool.Spec()
		out = append(out, listed{
			s.Name, s.Description, s.Effect.String(), e.Tool.Allows(by.Role), e.Agents, s.Extension != "",
			e.Tool.Schema(),
			s.Component, retryConfig{s.Retry.Most, s.Retry.First().Milliseconds()},
		})
	}
	choices := a.Choices
	if choices == nil {
		choices = map[string]string{}
	}
	httpx.JSON(w, http.StatusOK, map[string]any{"tools": out, "choices": choices})
}

// answer is a tool's result for programs and for people. The table is whole;
// among the parts it may lack its last rows.
type answer struct {
	Data  json.RawMessage `json:"data"`
	Table *render.Table   `json:"table"`
	Parts []part.Part     `json:"parts"`
	HTML  string          `json:"html"`
	Text  string          `json:"text"`
}

// answerOf returns the answer without parts of kinds that the assistant's profile
// does not name, which are logged.
func answerOf(ctx context.Context, of *flow.Runtime, r tool.Result) *answer {
	r.Parts = slices.DeleteFunc(slices.Clone(r.Parts), func(p part.Part) bool {
		if of.Shows(p.Kind) {
			return false
		}
		r.Refused = errors.Join(r.Refused, part.Unnamed(p.Kind))
		return true
	})
	if r.Refused != nil {
		httpx.Note(ctx, r.Refused)
	}
	names := 0
	next := func() string {
		names++
		return "p" + strconv.Itoa(names)
	}
	a := &answer{Data: r.Data, Table: r.Table, Text: r.Text, Parts: append([]part.Part{}, r.Named(next)...)}
	if r.Table != nil {
		a.HTML = r.Table.HTML()
		if a.Text == "" {
			a.Text = r.Table.Plain()
		}
	}
	return a
}

func (h *Handler) run(w http.ResponseWriter, r *http.Request) {
	status, out, err := h.runTool(w, r)
	if q, ok := errors.AsType[*wanted](err); ok {
		httpx.FailAs(w, r, err, httpx.MediaProblem, func(f *fault.Error, status int) any {
			return wantedParts{httpx.ProblemOf(r, f, status), q.parts}
		})
		return
	}
	if err != nil {
		httpx.Fail(w, r, err)
		return
	}
	httpx.JSON(w, status, out)
}

// wanted is the error of a call that asks which record is meant, or for what is missing,
// with the parts in which it is answered.
type wanted struct {
	error
	parts []part.Part
}

func (w *wanted) Unwrap() error { return w.error }

// wantedParts refuses such a call.
type wantedParts struct {
	httpx.Problem
	Parts []part.Part `json:"parts"`
}

// withParts adds to an error the parts that its question has.
func withParts(ctx context.Context, of *flow.Runtime, err error) error {
	q, ok := errors.AsType[*tool.Question](err)
	if !ok {
		return err
	}
	return &wanted{err, answerOf(ctx, of, tool.Result{Parts: q.Parts()}).Parts}
}

func (h *Handler) runTool(w http.ResponseWriter, r *http.Request) (int, any, error) {
	by, err := h.caller(r)
	if err != nil {
		return 0, nil, err
	}
	if err := h.cfg.Gate.Admit(r.Context(), by); err != nil {
		return 0, nil, err
	}
	a, err := h.tools.Assistant(r.Context(), by, r.PathValue("assistant"))
	if err != nil {
		return 0, nil, err
	}
	var body json.RawMessage
	if _, err := httpx.ReadJSON(w, r, &body); err != nil {
		return 0, nil, err
	}
	got, err := h.tools.Run(r.Context(), by, a, direct.Call{
		Entity: r.URL.Query().Get("entityId"), Tool: r.PathValue("tool"), Arguments: body,
		Key: r.Header.Get("Idempotency-Key"),
	})
	switch {
	case err != nil:
		return 0, nil, withParts(r.Context(), a, err)
	case got.Proposal != nil:
		return http.StatusAccepted, map[string]any{"confirmation": got.Proposal.View()}, nil
	}
	return http.StatusOK, answerOf(r.Context(), a, got.Result), nil
}

// settlement is the body that answers a proposal.
type settlement struct {
	Decision string `json:"decision"`
	Phrase   string `json:"phrase"`
}

// askedAnew refuses an approval of what is no longer so, with the question that
// says what has changed.
type askedAnew struct {
	httpx.Problem
	Confirmation consent.View `json:"confirmation"`
}

func (h *Handler) confirm(w http.ResponseWriter, r *http.Request) {
	out, err := h.settle(w, r)
	if changed, ok := errors.AsType[*consent.Changed](err); ok {
		httpx.FailAs(w, r, err, httpx.MediaProblem, func(f *fault.Error, status int) any {
			return askedAnew{httpx.ProblemOf(r, f, status), changed.Proposal.View()}
		})
		return
	}
	if err != nil {
		httpx.Fail(w, r, err)
		return
	}
	httpx.JSON(w, http.StatusOK, out)
}

// open returns the caller, and what finds the proposal that the request answers.
func (h *Handler) open(r *http.Request) (identity.Caller, func() (consent.Proposal, error), error) {
	id := r.PathValue("id")
	if h.cfg.Open == nil || uuid.Validate(id) != nil {
		by, err := h.caller(r)
		return by, func() (consent.Proposal, error) { return h.tools.Consent.Find(r.Context(), by, id) }, err
	}
	var list []consent.Proposal
	by, err := httpx.Caller(r, func(ctx context.Context, token string) (by identity.Caller, err error) {
		by, list, err = h.cfg.Open(ctx, token, id)
		return by, err
	})
	return by, func() (consent.Proposal, error) { return consent.Found(by, list) }, err
}

func (h *Handler) settle(w http.ResponseWriter, r *http.Request) (any, error) {
	by, find, err := h.open(r)
	if err != nil {
		return nil, err
	}
	var body settlement
	if _, err := httpx.ReadJSON(w, r, &body); err != nil {
		return nil, err
	}
	p, err := find()
	if err != nil {
		return nil, err
	}
	if body.Decision != "approve" && body.Decision != "reject" {
		return nil, fault.New(fault.Invalid, `The decision must be "approve" or "reject".`)
	}
	done, err := h.tools.Settle(r.Context(), by, p, direct.Decision{
		Approve: body.Decision == "approve", Phrase: body.Phrase,
	})
	switch {
	case err != nil:
		return nil, err
	case done.Result == nil:
		return map[string]any{"confirmation": done.Proposal.View(), "result": nil}, nil
	}
	return map[string]any{
		"confirmation": done.Proposal.View(), "result": answerOf(r.Context(), done.Assistant, *done.Result),
	}, nil
}
