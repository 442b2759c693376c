package projects

import (
	"cmp"
	"net/http"

	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/httpx"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/portfolio/projects"
	"github.com/bellhop-ai/bellhop/pkg/portfolio/publish"
)

// publishing is the body that makes a project public.
type publishing struct {
	Version int `json:"version"`
	// DryRun only checks.
	DryRun bool `json:"dryRun"`
	// Slug is another one for the page, which leaves its old address.
	Slug string `json:"slug"`
}

// checked is what a check found, and the project that was checked.
type checked struct {
	Report  publish.Report   `json:"report"`
	Project projects.Project `json:"project"`
}

// unready is the refusal of a project that does not pass the check.
type unready struct {
	error
	checked
}

// Unwrap returns the refusal itself.
func (u *unready) Unwrap() error { return u.error }

// refusal is its body.
type refusal struct {
	httpx.Problem
	checked
}

// publish makes the page of a project public as it is now. The check is the same for
// everybody; a dry run ends with it.
func (h *Handler) publish(w http.ResponseWriter, r *http.Request, by identity.Caller) (int, any, error) {
	var in publishing
	if err := read(w, r, &in); err != nil {
		return 0, nil, err
	}
	dry := in.DryRun || r.URL.Query().Get("dry_run") == "1" || r.URL.Query().Get("dry_run") == "true"
	need := needVersion
	if dry {
		need = versionOf
	}
	version, err := need(r, in.Version)
	if err != nil {
		return 0, nil, err
	}
	code := r.PathValue("code")
	p, err := h.cfg.Store.Get(r.Context(), by, code)
	if err != nil {
		return 0, nil, err
	}
	if version != 0 && version != p.Version {
		return 0, nil, &stale{error: errChanged(), version: p.Version, project: &p}
	}
	if p.Status == projects.Archived && !dry {
		return 0, nil, fault.New(fault.Conflict, "The project is hidden. Bring it back before it is published.").
			WithCode("archived")
	}
	b, err := h.cfg.Store.Business(r.Context(), by)
	if err != nil {
		return 0, nil, err
	}
	report := publish.Validate(p, b)
	if !dry && !report.OK {
		missing := fault.New(fault.Unprocessable, "Some things are still missing before it can be published.")
		return 0, nil, &unready{missing.WithCode("not_publishable"), checked{report, p}}
	}
	if !dry {
		slug := cmp.Or(in.Slug, publish.SlugOf(p))
		p, err = h.cfg.Store.Publish(r.Context(), by, code, p.Version, slug, publish.Place(p))
		if err != nil {
			return h.changed(w, r, by, p, err)
		}
	}
	w.Header().Set("ETag", tag(p.Version))
	return http.StatusOK, checked{report, p}, nil
}

func (h *Handler) unpublish(w http.ResponseWriter, r *http.Request, by identity.Caller) (int, any, error) {
	var none struct{}
	if err := read(w, r, &none); err != nil {
		return 0, nil, err
	}
	p, err := h.cfg.Store.Unpublish(r.Context(), by, r.PathValue("code"))
	return h.changed(w, r, by, p, err)
}
