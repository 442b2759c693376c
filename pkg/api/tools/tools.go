// Package tools runs an assistant's tools without a model: for cards whose
// parameters a person changes, for forms, and for other programs. What needs
// consent in a chat needs it here too.
package tools

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"regexp"
	"slices"
	"strconv"

	"github.com/bellhop-ai/bellhop/pkg/assistants"
	"github.com/bellhop-ai/bellhop/pkg/consent"
	"github.com/bellhop-ai/bellhop/pkg/effect"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/flow"
	"github.com/bellhop-ai/bellhop/pkg/httpx"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/limit"
	"github.com/bellhop-ai/bellhop/pkg/part"
	"github.com/bellhop-ai/bellhop/pkg/render"
	"github.com/bellhop-ai/bellhop/pkg/tool"
)

// Config is what the function needs; all of it is required but the gate.
type Config struct {
	Assistants []*flow.Assistant
	Consent    *consent.Service
	// Identify returns the caller of a verified token, with the role that the
	// database knows now.
	Identify httpx.Identify
	NewID    func() string
	// Gate bounds how often people and organisations may run tools; the zero
	// Gate does not.
	Gate limit.Gate
}

// Handler is the function's HTTP handler.
type Handler struct {
	cfg Config
	mux *http.ServeMux
}

// New returns the handler, or an error that names what is missing.
func New(cfg Config) (*Handler, error) {
	if len(cfg.Assistants) == 0 || cfg.Consent == nil || cfg.Identify == nil || cfg.NewID == nil {
		return nil, errors.New("tools: assistants, a consent service, identities and ids are all required")
	}
	h := &Handler{cfg: cfg, mux: http.NewServeMux()}
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

// assistant returns the assistant of that name with the tools that it has for the
// caller.
func (h *Handler) assistant(ctx context.Context, by identity.Caller, name string) (*flow.Runtime, error) {
	a, ok := flow.Find(h.cfg.Assistants, name)
	if !ok || !by.Has(name) {
		return nil, assistants.Unknown()
	}
	r, err := a.Runtime()
	if err != nil {
		return nil, err
	}
	return r.For(ctx, by)
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
	a, err := h.assistant(r.Context(), by, r.PathValue("assistant"))
	if err != nil {
		httpx.Fail(w, r, err)
		return
	}
	out := []listed{}
	for _, e := range a.Tools() {
		s := e.Tool.Spec()
		out = append(out, listed{
			s.Name, s.Description, s.Effect.String(), e.Tool.Allows(by.Role), e.Agents, s.Extension != "", e.Tool.Schema(),
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
	if err != nil {
		httpx.Fail(w, r, err)
		return
	}
	httpx.JSON(w, status, out)
}

func (h *Handler) runTool(w http.ResponseWriter, r *http.Request) (int, any, error) {
	by, err := h.caller(r)
	if err != nil {
		return 0, nil, err
	}
	if err := h.cfg.Gate.Admit(r.Context(), by); err != nil {
		return 0, nil, err
	}
	a, err := h.assistant(r.Context(), by, r.PathValue("assistant"))
	if err != nil {
		return 0, nil, err
	}
	entity := r.URL.Query().Get("entityId")
	by, ok := a.Choose(by, entity)
	if !ok {
		return 0, nil, fault.New(fault.NotFound, "Your organisation has no such %s.", a.EntityKind)
	}
	entry, ok := a.Tool(r.PathValue("tool"))
	if !ok {
		return 0, nil, fault.New(fault.NotFound, "%s has no such tool.", a.Title).WithCode("unknown_tool")
	}
	var body json.RawMessage
	if _, err := httpx.ReadJSON(w, r, &body); err != nil {
		return 0, nil, err
	}
	call, err := entry.Tool.Prepare(body)
	if err != nil {
		return 0, nil, err
	}
	// The key lets a client that lost the answer send the same again.
	turn := r.Header.Get("Idempotency-Key")
	if !keyShape.MatchString(turn) {
		turn = h.cfg.NewID()
	}
	if entry.Tool.Effect().Asks() {
		p, err := h.cfg.Consent.Propose(
			r.Context(),
			by,
			consent.Where{Assistant: a.Name, Agent: entry.Agents[0], Thread: "tools", Turn: turn},
			call,
		)
		if err != nil {
			return 0, nil, err
		}
		return http.StatusAccepted, map[string]any{"confirmation": p.View()}, nil
	}
	ctx := effect.With(
		r.Context(),
		effect.Claim{
			Key:       effect.Key(by.UserID, "tools:"+turn, 0, 0),
			ArgsHash:  call.Hash,
			Tool:      entry.Tool.Name(),
			Turn:      turn,
			Assistant: a.Name,
		},
	)
	result, err := call.Run(ctx, by)
	if err != nil {
		return 0, nil, err
	}
	return http.StatusOK, answerOf(ctx, a, result), nil
}

// keyShape is what an idempotency key may look like: it travels in headers.
var keyShape = regexp.MustCompile(`^[A-Za-z0-9._:-]{8,100}$`)

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

func (h *Handler) settle(w http.ResponseWriter, r *http.Request) (any, error) {
	by, err := h.caller(r)
	if err != nil {
		return nil, err
	}
	var body settlement
	if _, err := httpx.ReadJSON(w, r, &body); err != nil {
		return nil, err
	}
	p, err := h.cfg.Consent.Find(r.Context(), by, r.PathValue("id"))
	if err != nil {
		return nil, err
	}
	switch body.Decision {
	case "reject":
		if p, err = h.cfg.Consent.Store.Reject(r.Context(), by, p.ID); err != nil {
			return nil, err
		}
		return map[string]any{"confirmation": p.View(), "result": nil}, nil
	case "approve":
	default:
		return nil, fault.New(fault.Invalid, `The decision must be "approve" or "reject".`)
	}
	if err := p.Phrase(body.Phrase); err != nil {
		return nil, err
	}
	// A second approval gets the receipt of the first; its claim is taken.
	if err := p.Usable(); err != nil && p.State != consent.Consumed {
		return nil, err
	}
	a, err := h.assistant(r.Context(), by, p.Assistant)
	if err != nil {
		return nil, err
	}
	entry, ok := a.Tool(p.Tool)
	if !ok {
		return nil, fault.New(fault.NotFound, "This can no longer be done here.").WithCode("unknown_tool")
	}
	by, ok = a.Choose(by, p.Entity)
	if !ok {
		return nil, fault.New(fault.Forbidden, "This belongs to a %s that you no longer see.", a.EntityKind)
	}
	// The person said yes, so the act is finished even when the reader goes.
	result, err := h.cfg.Consent.Execute(context.WithoutCancel(r.Context()), by, p, entry.Tool)
	if err != nil {
		return nil, err
	}
	p.State = consent.Consumed
	return map[string]any{"confirmation": p.View(), "result": answerOf(r.Context(), a, result)}, nil
}
