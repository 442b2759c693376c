package projects

import (
	"net/http"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/portfolio/projects"
)

// listed is the answer with all projects.
type listed struct {
	Projects []projects.Item `json:"projects"`
}

func (h *Handler) list(_ http.ResponseWriter, r *http.Request, by identity.Caller) (int, any, error) {
	items, err := h.cfg.Store.List(r.Context(), by)
	if items == nil {
		items = []projects.Item{}
	}
	return http.StatusOK, listed{items}, err
}

// beginning is the body that makes a project.
type beginning struct {
	Title string `json:"title"`
}

const maxKey = 200 // bytes of an Idempotency-Key

func (h *Handler) begin(w http.ResponseWriter, r *http.Request, by identity.Caller) (int, any, error) {
	var in beginning
	if err := read(w, r, &in); err != nil {
		return 0, nil, err
	}
	key := r.Header.Get("Idempotency-Key")
	if len(key) > maxKey || strings.ContainsFunc(key, func(c rune) bool { return c < ' ' || c > '~' }) {
		return 0, nil, fault.New(fault.Invalid, "The Idempotency-Key is at most %d printable letters.", maxKey)
	}
	if key == "" {
		key = h.cfg.NewID()
	}
	p, err := h.cfg.Store.Begin(r.Context(), by, key, in.Title)
	if err != nil {
		return 0, nil, err
	}
	w.Header().Set("Location", "/api/projects/"+p.Code)
	w.Header().Set("ETag", tag(p.Version))
	return http.StatusCreated, one{p}, nil
}

func (h *Handler) get(w http.ResponseWriter, r *http.Request, by identity.Caller) (int, any, error) {
	p, err := h.cfg.Store.Get(r.Context(), by, r.PathValue("code"))
	return answer(w, p, err)
}

// change is the body that changes a project.
type change struct {
	Version int `json:"version"`
	projects.Changes
}

func (h *Handler) change(w http.ResponseWriter, r *http.Request, by identity.Caller) (int, any, error) {
	var in change
	if err := read(w, r, &in); err != nil {
		return 0, nil, err
	}
	version, err := needVersion(r, in.Version)
	if err != nil {
		return 0, nil, err
	}
	p, err := h.cfg.Store.Update(r.Context(), by, r.PathValue("code"), version, in.Changes)
	return h.changed(w, r, by, p, err)
}

// history is the answer with the states that an undo leads back to.
type history struct {
	Versions []projects.Version `json:"versions"`
}

func (h *Handler) versions(_ http.ResponseWriter, r *http.Request, by identity.Caller) (int, any, error) {
	all, err := h.cfg.Store.Versions(r.Context(), by, r.PathValue("code"))
	if all == nil {
		all = []projects.Version{}
	}
	return http.StatusOK, history{all}, err
}

// at is a body that says which version was seen.
type at struct {
	Version int `json:"version"`
}

// undo leads back to the state before the last change. Where the client says which
// version it saw, a request that is sent again undoes nothing more.
func (h *Handler) undo(w http.ResponseWriter, r *http.Request, by identity.Caller) (int, any, error) {
	var in at
	if err := read(w, r, &in); err != nil {
		return 0, nil, err
	}
	version, err := versionOf(r, in.Version)
	if err != nil {
		return 0, nil, err
	}
	if version != 0 {
		if p, err := h.cfg.Store.Get(r.Context(), by, r.PathValue("code")); err != nil {
			return 0, nil, err
		} else if p.Version != version {
			return 0, nil, &stale{error: errChanged(), version: p.Version, project: &p}
		}
	}
	p, err := h.cfg.Store.Undo(r.Context(), by, r.PathValue("code"))
	return h.changed(w, r, by, p, err)
}

// errChanged is the refusal of what was asked for an older version.
func errChanged() error {
	return fault.New(fault.Conflict, "It was changed meanwhile. Look at it as it is now.").WithCode("changed")
}

// archiving is the body that hides a project, or brings it back.
type archiving struct {
	Archived *bool `json:"archived"`
}

func (h *Handler) archive(w http.ResponseWriter, r *http.Request, by identity.Caller) (int, any, error) {
	var in archiving
	if err := read(w, r, &in); err != nil {
		return 0, nil, err
	}
	if in.Archived == nil {
		return 0, nil, fault.New(fault.Invalid, "Say whether it is to be archived, as archived.")
	}
	p, err := h.cfg.Store.Archive(r.Context(), by, r.PathValue("code"), *in.Archived)
	return h.changed(w, r, by, p, err)
}
