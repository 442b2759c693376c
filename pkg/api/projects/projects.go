// Package projects has the HTTP handler for the jobs that a contractor shows: the
// projects with their photos, the profile of the business, and the pages that are
// public.
package projects

import (
	"bytes"
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/assistants"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/httpx"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/limit"
	"github.com/bellhop-ai/bellhop/pkg/portfolio/page"
	"github.com/bellhop-ai/bellhop/pkg/portfolio/projects"
)

// Config is what the function needs; all of it is required but Base and the gate.
type Config struct {
	// Assistant is the name of the one that works on projects. Organisations that do
	// not have it have no projects.
	Assistant string
	Store     projects.Store
	Pages     projects.Pages
	// Base is the origin at which people find the public pages, such as
	// "https://example.com", without a slash at its end. "" is the host that a request
	// asks.
	Base string
	// Identify returns the caller of a verified token, with the role that the
	// database knows now.
	Identify httpx.Identify
	// NewID returns a new random id, for requests that name themselves by no key.
	NewID func() string
	// Gate bounds how often people and organisations may ask; the zero Gate
	// does not. The public pages have none.
	Gate limit.Gate
}

// Handler is the function's HTTP handler.
type Handler struct {
	cfg    Config
	mux    *http.ServeMux
	policy string // what public pages may load
}

// New returns the handler, or an error that names what is missing.
func New(cfg Config) (*Handler, error) {
	if cfg.Assistant == "" || cfg.Store == nil || cfg.Pages == nil || cfg.Identify == nil || cfg.NewID == nil {
		return nil, errors.New("projects: an assistant, stores, identities and ids are all required")
	}
	policy, err := page.Policy()
	if err != nil {
		return nil, err
	}
	h := &Handler{cfg: cfg, mux: http.NewServeMux(), policy: policy}
	h.mux.HandleFunc("GET /api/projects", h.member(h.list))
	h.mux.HandleFunc("POST /api/projects", h.writer(h.begin))
	h.mux.HandleFunc("GET /api/projects/{code}", h.member(h.get))
	h.mux.HandleFunc("PATCH /api/projects/{code}", h.writer(h.change))
	h.mux.HandleFunc("GET /api/projects/{code}/versions", h.member(h.versions))
	h.mux.HandleFunc("POST /api/projects/{code}/undo", h.writer(h.undo))
	h.mux.HandleFunc("POST /api/projects/{code}/images", h.writer(h.attach))
	h.mux.HandleFunc("PATCH /api/projects/{code}/images", h.writer(h.arrange))
	h.mux.HandleFunc("GET /api/projects/{code}/images/{id}", h.member(h.photo))
	h.mux.HandleFunc("DELETE /api/projects/{code}/images/{id}", h.writer(h.remove))
	h.mux.HandleFunc("POST /api/projects/{code}/publish", h.writer(h.publish))
	h.mux.HandleFunc("POST /api/projects/{code}/unpublish", h.writer(h.unpublish))
	h.mux.HandleFunc("POST /api/projects/{code}/archive", h.writer(h.archive))
	h.mux.HandleFunc("GET /api/business-profile", h.member(h.business))
	h.mux.HandleFunc("PUT /api/business-profile", h.writer(h.saveBusiness))
	h.mux.HandleFunc("GET /p/{site}", h.public(h.site))
	h.mux.HandleFunc("GET /p/{site}/{slug}", h.public(h.page))
	h.mux.HandleFunc("GET /p/{site}/sitemap.xml", h.public(h.sitemap))
	h.mux.HandleFunc("GET /p/{site}/robots.txt", h.public(h.robots))
	h.mux.HandleFunc("GET /p/{site}/photos/{file}", h.public(h.publicPhoto))
	h.mux.HandleFunc("/p/", httpx.Otherwise(h.mux, h.failPublic))
	h.mux.HandleFunc("/", httpx.Otherwise(h.mux, httpx.Fail))
	return h, nil
}

// ServeHTTP answers at /api/projects and /api/business-profile, and below /p/.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) { h.mux.ServeHTTP(w, r) }

// work answers a request of a member. A nil answer means that it was sent already.
type work func(w http.ResponseWriter, r *http.Request, by identity.Caller) (status int, answer any, err error)

// member lets f answer for members of organisations that have the assistant.
func (h *Handler) member(f work) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		by, err := httpx.Admit(r, h.cfg.Identify, h.cfg.Gate)
		if err == nil && !by.Has(h.cfg.Assistant) {
			err = assistants.Unknown()
		}
		var status int
		var answer any
		if err == nil {
			status, answer, err = f(w, r, by)
		}
		switch {
		case err != nil:
			fail(w, r, err)
		case answer != nil:
			httpx.JSON(w, status, answer)
		}
	}
}

// writer is member for those who may change something.
func (h *Handler) writer(f work) http.HandlerFunc {
	return h.member(func(w http.ResponseWriter, r *http.Request, by identity.Caller) (int, any, error) {
		if !by.Role.Writes() {
			return 0, nil, fault.New(fault.Forbidden, "Your role may look, but not change anything.").
				WithCode("role_required")
		}
		return f(w, r, by)
	})
}

// one is an answer with a project.
type one struct {
	Project projects.Project `json:"project"`
}

// answer answers with a project, and its version for If-Match.
func answer(w http.ResponseWriter, p projects.Project, err error) (int, any, error) {
	if err != nil {
		return 0, nil, err
	}
	w.Header().Set("ETag", tag(p.Version))
	return http.StatusOK, one{p}, nil
}

// changed is answer for a change, whose refusal tells what is there now.
func (h *Handler) changed(w http.ResponseWriter, r *http.Request, by identity.Caller, p projects.Project,
	err error) (int, any, error) {
	if err != nil && fault.From(err).Code == "changed" {
		if now, failed := h.cfg.Store.Get(r.Context(), by, r.PathValue("code")); failed == nil {
			err = &stale{error: err, version: now.Version, project: &now}
		}
	}
	return answer(w, p, err)
}

// tag is a version as If-Match takes it.
func tag(version int) string { return strconv.Quote(strconv.Itoa(version)) }

// stale is the refusal of a change to a version that is gone. It shows what is
// there now.
type stale struct {
	error
	version int
	project *projects.Project
	profile *projects.Business
}

// Unwrap returns the refusal itself.
func (s *stale) Unwrap() error { return s.error }

// conflict is its body.
type conflict struct {
	httpx.Problem
	Project *projects.Project  `json:"project,omitempty"`
	Profile *projects.Business `json:"profile,omitempty"`
}

// fail refuses a request.
func fail(w http.ResponseWriter, r *http.Request, err error) {
	if s, ok := errors.AsType[*stale](err); ok {
		w.Header().Set("ETag", tag(s.version))
		httpx.FailAs(w, r, s.error, httpx.MediaProblem, func(f *fault.Error, status int) any {
			return conflict{httpx.ProblemOf(r, f, status), s.project, s.profile}
		})
		return
	}
	if u, ok := errors.AsType[*unready](err); ok {
		httpx.FailAs(w, r, u.error, httpx.MediaProblem, func(f *fault.Error, status int) any {
			return refusal{httpx.ProblemOf(r, f, status), u.checked}
		})
		return
	}
	httpx.Fail(w, r, err)
}

// read decodes a body and refuses members that mean nothing here: one that is
// misspelt would be lost in silence. A request without a body changes nothing of into.
func read(w http.ResponseWriter, r *http.Request, into any) error {
	if r.ContentLength == 0 {
		return nil
	}
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

// versionOf returns the version that the client saw, as it stands in the body or in
// If-Match; 0 where neither says it.
func versionOf(r *http.Request, version int) (int, error) {
	if version < 0 {
		return 0, fault.New(fault.Invalid, "The version is a number from 1.").WithCode("version_required")
	}
	match := r.Header.Get("If-Match")
	if match == "" {
		return version, nil
	}
	n, err := strconv.Atoi(strings.Trim(strings.TrimPrefix(match, "W/"), `"`))
	if err != nil || n < 0 || version != 0 && version != n {
		return 0, fault.New(fault.Invalid, "If-Match must be the version that you saw.").WithCode("version_required")
	}
	return n, nil
}

// needVersion is versionOf where a change must say what it was made from.
func needVersion(r *http.Request, version int) (int, error) {
	version, err := versionOf(r, version)
	if err == nil && version == 0 {
		err = fault.New(fault.Invalid, "Say which version you saw, as version or in If-Match, so that no change of "+
			"another person is lost.").WithCode("version_required")
	}
	return version, err
}
