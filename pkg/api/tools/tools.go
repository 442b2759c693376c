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

	"github.com/bellhop-ai/bellhop/pkg/assistants"
	"github.com/bellhop-ai/bellhop/pkg/consent"
	"github.com/bellhop-ai/bellhop/pkg/effect"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/httpx"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/limit"
	"github.com/bellhop-ai/bellhop/pkg/render"
	"github.com/bellhop-ai/bellhop/pkg/tool"
)

// Config is what the function needs; all of it is required but the gate.
type Config struct {
	Assistants []*assistants.Assistant
	Desk       *consent.Desk
	// Identify returns the caller of a verified token, with the role that the
	// database knows now.
	Identify httpx.Identify
	NewID    func() string
	// Gate bounds how often people and organisations may run tools; the zero
	// Gate does not.
	Gate limit.Gate
}

// Handler is the function's door.
type Handler struct {
	cfg Config
	mux *http.ServeMux
}

// New returns the door, or says in one sentence what is missing.
func New(cfg Config) (*Handler, error) {
	if len(cfg.Assistants) == 0 || cfg.Desk == nil || cfg.Identify == nil || cfg.NewID == nil {
		return nil, errors.New("tools: assistants, a desk, identities and ids are all required")
	}
	h := &Handler{cfg: cfg, mux: http.NewServeMux()}
	h.mux.HandleFunc("GET /api/tools/{assistant}", h.catalogue)
	h.mux.HandleFunc("POST /api/tools/{assistant}/{tool}", h.run)
	h.mux.HandleFunc("POST /api/confirmations/{id}", h.confirm)
	h.mux.HandleFunc("/", httpx.Nothing)
	return h, nil
}

// ServeHTTP answers below /api/tools and /api/confirmations.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) { h.mux.ServeHTTP(w, r) }

func (h *Handler) caller(r *http.Request) (identity.Caller, error) {
	return httpx.Caller(r, h.cfg.Identify)
}

func (h *Handler) assistant(name string) (*assistants.Assistant, error) {
	return assistants.Find(h.cfg.Assistants, name)
}

// listed is one tool of the catalogue.
type listed struct {
	Name        string          `json:"name"`
	Description string          `json:"description"`
	Effect      string          `json:"effect"`
	Agents      []string        `json:"agents"`
	Extension   bool            `json:"extension"`
	Parameters  json.RawMessage `json:"parameters"`
}

func (h *Handler) catalogue(w http.ResponseWriter, r *http.Request) {
	if _, err := h.caller(r); err != nil {
		httpx.Fail(w, r, err)
		return
	}
	a, err := h.assistant(r.PathValue("assistant"))
	if err != nil {
		httpx.Fail(w, r, err)
		return
	}
	out := []listed{}
	for _, e := range a.Tools() {
		s := e.Tool.Spec()
		out = append(out, listed{s.Name, s.Description, s.Effect.String(), e.Agents, s.Extension != "", e.Tool.Schema()})
	}
	httpx.JSON(w, http.StatusOK, map[string]any{"tools": out})
}

// answer is a tool's result for programs and for people.
type answer struct {
	Data  json.RawMessage `json:"data"`
	Table *render.Table   `json:"table"`
	HTML  string          `json:"html"`
	Text  string          `json:"text"`
}

func answerOf(r tool.Result) *answer {
	a := &answer{Data: r.Data, Table: r.Table, Text: r.Text}
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
	a, err := h.assistant(r.PathValue("assistant"))
	if err != nil {
		return 0, nil, err
	}
	entity := r.URL.Query().Get("entityId")
	by, ok := by.Choose(entity, a.EntityKind)
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
		p, err := h.cfg.Desk.Propose(r.Context(), by, consent.Where{Assistant: a.Name, Agent: entry.Agents[0], Thread: "tools", Turn: turn}, call)
		if err != nil {
			return 0, nil, err
		}
		return http.StatusAccepted, map[string]any{"confirmation": p.View()}, nil
	}
	ctx := effect.With(r.Context(), effect.Claim{Key: effect.Key(by.UserID, "tools:"+turn, 0, 0), ArgsHash: call.Hash, Tool: entry.Tool.Name(), Turn: turn, Assistant: a.Name})
	result, err := call.Run(ctx, by)
	if err != nil {
		return 0, nil, err
	}
	return http.StatusOK, answerOf(result), nil
}

// keyShape is what an idempotency key may look like: it travels in headers.
var keyShape = regexp.MustCompile(`^[A-Za-z0-9._:-]{8,100}$`)

// settlement is the body that answers a proposal.
type settlement struct {
	Decision string `json:"decision"`
	Phrase   string `json:"phrase"`
}

func (h *Handler) confirm(w http.ResponseWriter, r *http.Request) {
	out, err := h.settle(w, r)
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
	p, err := h.cfg.Desk.Find(r.Context(), by, r.PathValue("id"))
	if err != nil {
		return nil, err
	}
	switch body.Decision {
	case "reject":
		if p, err = h.cfg.Desk.Store.Reject(r.Context(), by, p.ID); err != nil {
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
	a, err := h.assistant(p.Assistant)
	if err != nil {
		return nil, err
	}
	entry, ok := a.Tool(p.Tool)
	if !ok {
		return nil, fault.New(fault.NotFound, "This can no longer be done here.").WithCode("unknown_tool")
	}
	by, ok = by.Choose(p.Entity, a.EntityKind)
	if !ok {
		return nil, fault.New(fault.Forbidden, "This belongs to a %s that you no longer see.", a.EntityKind)
	}
	// The person said yes, so the act is finished even when the reader goes.
	result, err := h.cfg.Desk.Execute(context.WithoutCancel(r.Context()), by, p, entry.Tool)
	if err != nil {
		return nil, err
	}
	p.State = consent.Consumed
	return map[string]any{"confirmation": p.View(), "result": answerOf(result)}, nil
}
