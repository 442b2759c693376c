// Package summarize has the HTTP handlers that summarize conversations: one
// that comes in the body, or one that is stored, because a user asks, because
// a page is left, because another server says so, or because it is time.
//
// The messages are never touched. What comes back first in the list is a sealed
// summary that names what it stands for; with what follows it a next turn has
// the whole.
package summarize

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"io"
	"net/http"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/assistants"
	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/history"
	"github.com/bellhop-ai/bellhop/pkg/httpx"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/limit"
	"github.com/bellhop-ai/bellhop/pkg/summary"
)

// Config is what the function needs; all of it is required but the gate.
type Config struct {
	Assistants []assistants.Profile
	// Default is the assistant of a body that names none.
	Default string
	Keys    *history.Keys
	// Identify returns the caller of a verified token, with the role that the
	// database knows now.
	Identify httpx.Identify
	// Service makes summaries, Store keeps those of stored conversations.
	Service summary.Service
	Store   Store
	// Now is the time at which summaries are made.
	Now calendar.Clock
	// Gate bounds how often people and organisations may ask; the zero Gate does
	// not.
	Gate limit.Gate
	// Reserve is kept back of a request's time to say what came of it.
	Reserve time.Duration
}

// Store is a summary.Store for people that also tells how far a summary is.
type Store interface {
	summary.Store
	// Status returns a fault.NotFound error for a conversation that is not by's.
	Status(ctx context.Context, by identity.Caller, id string) (summary.Status, error)
}

// Handler is the function's HTTP handler for users.
type Handler struct {
	cfg Config
	mux *http.ServeMux
}

// New returns the handler, or an error that names what is missing.
func New(cfg Config) (*Handler, error) {
	if len(cfg.Assistants) == 0 || cfg.Keys == nil || cfg.Identify == nil || cfg.Store == nil ||
		cfg.Service.Model == nil || cfg.Now == nil {
		return nil, errors.New("summarize: assistants, keys, identities, a store, a model and a clock are all " +
			"required")
	}
	h := &Handler{cfg: cfg, mux: http.NewServeMux()}
	if _, err := assistants.Find(cfg.Assistants, cfg.Default); err != nil {
		return nil, errors.New("summarize: the default assistant " + cfg.Default + " is not one of those given")
	}
	h.mux.HandleFunc("POST /api/summarize", h.messages)
	h.mux.HandleFunc("POST /api/summarize/{id}", func(w http.ResponseWriter, r *http.Request) {
		h.stored(w, r,
			r.PathValue("id"))
	})
	h.mux.HandleFunc("GET /api/summarize/{id}", h.status)
	h.mux.HandleFunc("POST /api/chat/sessions/{id}/summarize",
		func(w http.ResponseWriter, r *http.Request) { h.stored(w, r, r.PathValue("id")) })
	h.mux.HandleFunc("POST /api/ai/summarize-conversation",
		func(w http.ResponseWriter, r *http.Request) { h.stored(w, r, "") })
	h.mux.HandleFunc("/", httpx.Otherwise(h.mux, httpx.Fail))
	return h, nil
}

// ServeHTTP answers at and below /api/summarize, and at its other names.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) { h.mux.ServeHTTP(w, r) }

func (h *Handler) assistant(by identity.Caller, name string) (assistants.Profile, error) {
	return assistants.FindOf(by, h.cfg.Assistants, name)
}

// admit returns the caller, and applies the rate limit.
func (h *Handler) admit(r *http.Request) (identity.Caller, error) {
	by, err := h.identify(r)
	if err != nil {
		return by, err
	}
	return by, h.cfg.Gate.Admit(r.Context(), by)
}

func (h *Handler) identify(r *http.Request) (identity.Caller, error) {
	return httpx.Caller(r, h.cfg.Identify)
}

// lasting returns a context that the reader's going away does not end: a page
// that is being left sends its request and is gone. The request's time still
// bounds it.
func (h *Handler) lasting(r *http.Request) (context.Context, context.CancelFunc) {
	ctx := context.WithoutCancel(r.Context())
	if end, ok := r.Context().Deadline(); ok {
		return context.WithDeadline(ctx, end.Add(-h.cfg.Reserve))
	}
	return context.WithCancel(ctx)
}

// wish is the body of a request for a stored conversation. All of it may be left
// out where the address says which.
type wish struct {
	SessionID string `json:"sessionId"`
	ProjectID string `json:"projectId"`
	// Reason is why a client asks. "hidden" is a page that is left or put away:
	// then nothing is done while the conversation is short (S3-22).
	Reason string `json:"reason"`
}

// maxWish bounds such a body; a browser sends no more than 64 KiB on leaving.
const maxWish = 4 << 10

func (h *Handler) stored(w http.ResponseWriter, r *http.Request, id string) {
	s, status, err := h.summariseStored(w, r, id)
	if err != nil {
		httpx.Fail(w, r, err)
		return
	}
	httpx.JSON(w, status, s)
}

func (h *Handler) summariseStored(w http.ResponseWriter, r *http.Request, id string) (state, int, error) {
	by, err := h.admit(r)
	if err != nil {
		return state{}, 0, err
	}
	var body wish
	content := bufio.NewReader(http.MaxBytesReader(w, r.Body, maxWish))
	// A proxy may send nothing without saying so before.
	if _, err := content.Peek(1); !errors.Is(err, io.EOF) {
		r.Body = io.NopCloser(content)
		if _, err := httpx.ReadJSON(w, r, &body); err != nil {
			return state{}, 0, err
		}
	}
	ref := summary.Ref{ID: cmp.Or(id, body.SessionID), Project: body.ProjectID}
	over := -1
	switch {
	case ref.ID == "" && ref.Project == "":
		return state{}, 0, fault.New(fault.Invalid, "Say which conversation: sessionId or projectId.")
	case len(ref.ID) > maxName || len(ref.Project) > maxName:
		return state{}, 0, fault.New(fault.Unprocessable, "An id is longer than %d bytes.", maxName)
	case body.Reason == "hidden":
		over = summary.MostTokens
	case body.Reason != "" && body.Reason != "end" && body.Reason != "compact":
		return state{}, 0, fault.New(fault.Invalid,
			"The reason must be hidden, end or compact.").WithCode("unknown_reason")
	}
	ctx, done := h.lasting(r)
	defer done()
	result, err := h.cfg.Service.Run(ctx, h.cfg.Store, by, ref, over)
	if err != nil {
		return state{}, 0, err
	}
	now, err := h.cfg.Store.Status(context.WithoutCancel(r.Context()), by, result.ID)
	if err != nil {
		return state{}, 0, err
	}
	code := http.StatusOK
	if result.Outcome == summary.Running || result.Outcome == summary.Queued {
		code = http.StatusAccepted
	}
	s := h.state(by, now)
	s.Outcome = result.Outcome
	if result.Usage.Calls > 0 {
		s.Usage = &result.Usage
	}
	return s, code, nil
}

func (h *Handler) status(w http.ResponseWriter, r *http.Request) {
	by, err := h.identify(r)
	if err == nil {
		var now summary.Status
		if now, err = h.cfg.Store.Status(r.Context(), by, r.PathValue("id")); err == nil {
			httpx.JSON(w, http.StatusOK, h.state(by, now))
			return
		}
	}
	httpx.Fail(w, r, err)
}

// maxName bounds what a client chooses: an id.
const maxName = 200
