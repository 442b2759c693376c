package projects

import (
	"net/http"

	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/portfolio/projects"
)

// profiled is an answer with the organisation's profile.
type profiled struct {
	Profile projects.Business `json:"profile"`
}

// business answers with the profile; its version is 0 before it is saved.
func (h *Handler) business(w http.ResponseWriter, r *http.Request, by identity.Caller) (int, any, error) {
	b, err := h.cfg.Store.Business(r.Context(), by)
	return profile(w, b, err)
}

func profile(w http.ResponseWriter, b projects.Business, err error) (int, any, error) {
	if err != nil {
		return 0, nil, err
	}
	w.Header().Set("ETag", tag(b.Version))
	return http.StatusOK, profiled{b}, nil
}

// saveBusiness saves the whole profile: what is left out is "".
func (h *Handler) saveBusiness(w http.ResponseWriter, r *http.Request, by identity.Caller) (int, any, error) {
	var in projects.Business
	if err := read(w, r, &in); err != nil {
		return 0, nil, err
	}
	var err error
	if in.Version, err = versionOf(r, in.Version); err != nil {
		return 0, nil, err
	}
	in.LogoSizes = nil // they are the logo's, and the store knows them
	b, err := h.cfg.Store.SaveBusiness(r.Context(), by, in)
	if err != nil && fault.From(err).Code == "changed" {
		if now, failed := h.cfg.Store.Business(r.Context(), by); failed == nil {
			err = &stale{error: err, version: now.Version, profile: &now}
		}
	}
	return profile(w, b, err)
}
