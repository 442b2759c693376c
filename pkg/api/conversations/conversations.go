// Package conversations has the HTTP handler for stored conversations: lists of
// them, one to go on with, who takes part, and the history that a client wants
// kept.
//
// What is loaded here is sealed anew for the caller, so that it can be sent to
// chat as it is.
package conversations

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/assistants"
	"github.com/bellhop-ai/bellhop/pkg/consent"
	"github.com/bellhop-ai/bellhop/pkg/conversations"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/history"
	"github.com/bellhop-ai/bellhop/pkg/httpx"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/limit"
)

// Questions finds what a person was asked; it is what a consent.Service does.
type Questions interface {
	// Find returns the caller's proposal of that id, or a fault.NotFound error.
	Find(ctx context.Context, by identity.Caller, id string) (consent.Proposal, error)
}

// Config is what the function needs; all of it is required but the last two.
type Config struct {
	Assistants []assistants.Profile
	// Default is the assistant of a request that names none.
	Default string
	Keys    *history.Keys
	Store   conversations.Store
	// Identify returns the caller of a verified token, with the role that the
	// database knows now.
	Identify httpx.Identify
	// Questions brings a question back that is still open; nil does not.
	Questions Questions
	// Gate bounds how often people and organisations may ask; the zero Gate
	// does not.
	Gate limit.Gate
}

// Handler is the function's HTTP handler.
type Handler struct {
	cfg Config
	mux *http.ServeMux
	// projects stands apart, since a mux takes a pattern of it for one of
	// {id}.
	projects *http.ServeMux
}

// New returns the handler, or an error that names what is missing.
func New(cfg Config) (*Handler, error) {
	if len(cfg.Assistants) == 0 || cfg.Keys == nil || cfg.Store == nil || cfg.Identify == nil {
		return nil, errors.New("conversations: assistants, keys, a store and identities are all required")
	}
	h := &Handler{cfg: cfg, mux: http.NewServeMux(), projects: http.NewServeMux()}
	if _, err := assistants.Find(cfg.Assistants, cfg.Default); err != nil {
		return nil, errors.New("conversations: the default assistant " + cfg.Default + " is not one of those given")
	}
	h.mux.HandleFunc("GET /api/conversations", h.signedIn(h.list))
	h.mux.HandleFunc("POST /api/conversations", h.signedIn(h.open))
	h.mux.HandleFunc("GET /api/get-conversations", h.signedIn(h.named))
	h.mux.HandleFunc("POST /api/get-conversations", h.signedIn(h.named))
	h.projects.HandleFunc("GET /api/conversations/by-project/{projectId}", h.signedIn(h.byProject))
	h.mux.HandleFunc("GET /api/conversations/{id}", h.signedIn(h.details))
	h.mux.HandleFunc("PATCH /api/conversations/{id}", h.signedIn(h.change))
	h.mux.HandleFunc("DELETE /api/conversations/{id}", h.signedIn(h.remove))
	h.mux.HandleFunc("POST /api/conversations/{id}/restore", h.signedIn(h.restore))
	h.mux.HandleFunc("GET /api/conversations/{id}/context", h.signedIn(h.context))
	h.mux.HandleFunc("GET /api/conversations/{id}/messages", h.signedIn(h.messages))
	h.mux.HandleFunc("POST /api/conversations/{id}/messages", h.signedIn(h.append))
	h.mux.HandleFunc("GET /api/conversations/{id}/people", h.signedIn(h.people))
	h.mux.HandleFunc("POST /api/conversations/{id}/people", h.signedIn(h.addPerson))
	h.mux.HandleFunc("DELETE /api/conversations/{id}/people/{email}", h.signedIn(h.removePerson))
	for _, mux := range []*http.ServeMux{h.mux, h.projects} {
		mux.HandleFunc("/", httpx.Otherwise(mux, httpx.Fail))
	}
	return h, nil
}

const root, alias = "/api/conversations/", "/api/chat/sessions/"

// ServeHTTP answers at and below /api/conversations, and below
// /api/chat/sessions, where some clients know the same endpoints.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if rest, ok := strings.CutPrefix(r.URL.EscapedPath(), alias); ok {
		here := r.Clone(r.Context())
		here.URL.Path, here.URL.RawPath = root+strings.TrimPrefix(r.URL.Path, alias), root+rest
		r = here
	}
	if strings.HasPrefix(r.URL.Path, root+"by-project/") {
		h.projects.ServeHTTP(w, r)
		return
	}
	h.mux.ServeHTTP(w, r)
}

// signedIn lets f answer for the caller of the request's token, within the
// gate's rate. Nil is an answer without a body.
func (h *Handler) signedIn(f func(w http.ResponseWriter, r *http.Request, by identity.Caller) (int, any,
	error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		status, out, err := h.admitted(w, r, f)
		switch {
		case err != nil:
			fail(w, r, err)
		case out == nil:
			w.WriteHeader(status)
		default:
			httpx.JSON(w, status, out)
		}
	}
}

func (h *Handler) admitted(w http.ResponseWriter, r *http.Request, f func(w http.ResponseWriter, r *http.Request,
	by identity.Caller) (int, any, error)) (int, any, error) {
	by, err := httpx.Admit(r, h.cfg.Identify, h.cfg.Gate)
	if err != nil {
		return 0, nil, err
	}
	return f(w, r, by)
}

// assistant returns the one of that name, or the default one, if by has it.
func (h *Handler) assistant(by identity.Caller, name string) (assistants.Profile, error) {
	return assistants.FindOf(by, h.cfg.Assistants, cmp.Or(name, h.cfg.Default))
}

// entity returns the id of what was chosen by id or key; "" for no choice.
func entity(by identity.Caller, name, kind string) (string, error) {
	if name == "" {
		return "", nil
	}
	chosen, ok := by.Choose(name, kind)
	if !ok {
		return "", fault.New(fault.NotFound, "Your organisation has no such %s.",
			cmp.Or(kind, "place")).WithCode("entity_not_found")
	}
	return chosen.Entity.ID, nil
}

// read decodes a body and refuses members that mean nothing here: one that is
// misspelt would be lost in silence.
func read(w http.ResponseWriter, r *http.Request, into any) error {
	var whole json.RawMessage
	if _, err := httpx.ReadJSON(w, r, &whole); err != nil {
		return err
	}
	strict := json.NewDecoder(bytes.NewReader(whole))
	strict.DisallowUnknownFields()
	if err := strict.Decode(into); err != nil {
		return fault.Wrap(fault.Invalid, errors.New("the body has other members"),
			"The request's body is not the JSON that this address takes.")
	}
	return nil
}

// number reads a parameter; 0 when it is left out.
func number(r *http.Request, name string, most int) (int, error) {
	text := r.URL.Query().Get(name)
	if text == "" {
		return 0, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || n > most {
		return 0, fault.New(fault.Invalid, "%q must be a number from 1 to %d.", name, most)
	}
	return n, nil
}
