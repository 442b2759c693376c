// Package travel has the HTTP handler for what a person needs to travel: the people who
// go, what they like, and their trips with the plans of them. All of it is the person's own
// but the pages of plans that the person shares.
package travel

import (
	"bytes"
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/assistants"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/httpx"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/limit"
	"github.com/bellhop-ai/bellhop/pkg/planner/page"
	"github.com/bellhop-ai/bellhop/pkg/planner/plans"
	"github.com/bellhop-ai/bellhop/pkg/travel/bookings"
	"github.com/bellhop-ai/bellhop/pkg/travel/customtools"
	"github.com/bellhop-ai/bellhop/pkg/travel/itinerary"
	"github.com/bellhop-ai/bellhop/pkg/travel/preferences"
	"github.com/bellhop-ai/bellhop/pkg/travel/travellers"
)

// Config is what the function needs; all of it is required but the base and the gate.
type Config struct {
	// Assistant is the name of the one that books travel, and Planner that of the one that
	// plans trips. To organisations that do not have it, its addresses lead nowhere; those
	// of trips are for both.
	Assistant, Planner string

	Travellers  travellers.Store
	Preferences preferences.Store
	Trips       itinerary.Store
	Bookings    bookings.Store
	CustomTools customtools.Store
	Plans       plans.Store
	Links       plans.Links
	// Base is the origin of public pages, "" for the host that is asked.
	Base string
	// Sender calls the tools that organisations define, when they are tried out.
	Sender customtools.Sender
	// Identify returns the caller of a verified token, with the role that the
	// database knows now.
	Identify httpx.Identify
	// NewID returns a new random id, for requests that name themselves by no key, and
	// NewToken a secret of at least 128 random bits, in letters that addresses may have.
	NewID, NewToken func() string

	Now func() time.Time
	// Gate bounds how often people and organisations may ask; the zero Gate
	// does not.
	Gate limit.Gate
}

// Handler is the function's HTTP handler.
type Handler struct {
	cfg      Config
	mux      *http.ServeMux
	policy   string // of public pages
	visitors *visitors
}

// New returns the handler, or an error that names what is missing.
func New(cfg Config) (*Handler, error) {
	if cfg.Assistant == "" || cfg.Planner == "" || cfg.Plans == nil || cfg.Links == nil ||
		cfg.Travellers == nil || cfg.Preferences == nil || cfg.Trips == nil ||
		cfg.Bookings == nil || cfg.CustomTools == nil || cfg.Sender == nil || cfg.Identify == nil ||
		cfg.NewID == nil || cfg.NewToken == nil || cfg.Now == nil {
		return nil, errors.New("travel: assistants, stores, identities, ids, tokens and a clock are all required")
	}
	policy, err := page.Policy()
	if err != nil {
		return nil, err
	}
	h := &Handler{cfg: cfg, mux: http.NewServeMux(), policy: policy, visitors: &visitors{now: cfg.Now}}
	h.mux.HandleFunc("GET /api/travellers", h.member(h.listTravellers))
	h.mux.HandleFunc("POST /api/travellers", h.member(h.addTraveller))
	h.mux.HandleFunc("GET /api/travellers/{code}", h.member(h.getTraveller))
	h.mux.HandleFunc("PUT /api/travellers/{code}", h.member(h.saveTraveller))
	h.mux.HandleFunc("DELETE /api/travellers/{code}", h.member(h.deleteTraveller))
	h.mux.HandleFunc("GET /api/preferences", h.member(h.preferences))
	h.mux.HandleFunc("PATCH /api/preferences", h.member(h.changePreferences))
	h.mux.HandleFunc("DELETE /api/preferences", h.member(h.forget))
	h.mux.HandleFunc("GET /api/decisions", h.member(h.decisions))
	h.mux.HandleFunc("POST /api/decisions", h.member(h.decide))
	h.mux.HandleFunc("PATCH /api/decisions/{code}", h.member(h.changeDecision))
	h.mux.HandleFunc("DELETE /api/decisions/{code}", h.member(h.undecide))
	h.mux.HandleFunc("GET /api/trips", h.either(h.trips))
	h.mux.HandleFunc("GET /api/trips/{code}", h.either(h.trip))
	h.mux.HandleFunc("GET /api/trips/{code}/calendar.ics", h.either(h.calendar))
	h.mux.HandleFunc("POST /api/trips/{code}/companions", h.either(h.share))
	h.mux.HandleFunc("DELETE /api/trips/{code}/companions", h.either(h.unshare))
	h.mux.HandleFunc("GET /api/travel-bookings", h.member(h.bookings))
	h.mux.HandleFunc("GET /api/searches", h.member(h.searches))
	h.mux.HandleFunc("GET /api/custom-tools", h.staff(h.customTools))
	h.mux.HandleFunc("POST /api/custom-tools", h.staff(h.defineTool))
	h.mux.HandleFunc("GET /api/custom-tools/{name}", h.staff(h.getCustomTool))
	h.mux.HandleFunc("PUT /api/custom-tools/{name}", h.staff(h.redefineTool))
	h.mux.HandleFunc("DELETE /api/custom-tools/{name}", h.staff(h.deleteCustomTool))
	h.mux.HandleFunc("POST /api/custom-tools/{name}/try", h.staff(h.tryCustomTool))
	h.planRoutes()
	h.mux.HandleFunc("/", httpx.Otherwise(h.mux, httpx.Fail))
	return h, nil
}

// ServeHTTP answers at the addresses of travellers, preferences and trips.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	// What is answered here is about people, and is kept by no cache on the way.
	w.Header().Set("Cache-Control", "no-store")
	h.mux.ServeHTTP(w, r)
}

// work answers a request of a member. A nil answer means that it was sent already.
type work func(w http.ResponseWriter, r *http.Request, by identity.Caller) (status int, answer any, err error)

// member lets f answer for members, of any role, of organisations that have the
// assistant: what is kept here is the person's own.
func (h *Handler) member(f work) http.HandlerFunc { return h.having(f, h.cfg.Assistant) }

// either is member for organisations that have one of the assistants of trips.
func (h *Handler) either(f work) http.HandlerFunc { return h.having(f, h.cfg.Assistant, h.cfg.Planner) }

// having lets f answer for members of organisations that have one of the assistants.
func (h *Handler) having(f work, names ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		by, err := httpx.Admit(r, h.cfg.Identify, h.cfg.Gate)
		if err == nil && !slices.ContainsFunc(names, by.Has) {
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
		case status == http.StatusNoContent:
			w.WriteHeader(status)
		case answer != nil:
			httpx.JSON(w, status, answer)
		}
	}
}

// refused is the refusal of a form, by field.
type refused struct {
	error
	fields []fieldProblem
}

// fieldProblem says what is wrong with a field, by its name in the body.
type fieldProblem struct {
	Field string `json:"field"`
	Text  string `json:"text"` // a sentence for people
}

// fieldsOf returns the problems that a package found as those of a form.
func fieldsOf[P travellers.Problem | preferences.Problem | customtools.Problem](problems []P) []fieldProblem {
	out := make([]fieldProblem, len(problems))
	for i, p := range problems {
		out[i] = fieldProblem(p)
	}
	return out
}

// Unwrap returns the refusal itself.
func (r *refused) Unwrap() error { return r.error }

// fields is its body.
type fields struct {
	httpx.Problem
	Fields []fieldProblem `json:"fields"`
}

// refuse returns the refusal of a form of which something is wrong.
func refuse(problems []fieldProblem) error {
	text := problems[0].Text
	if len(problems) > 1 {
		text += " There is more to correct."
	}
	return &refused{fault.New(fault.Unprocessable, "%s", text).WithCode("bad_fields"), problems}
}

// fail refuses a request.
func fail(w http.ResponseWriter, r *http.Request, err error) {
	if form, ok := errors.AsType[*refused](err); ok {
		httpx.FailAs(w, r, form.error, httpx.MediaProblem, func(f *fault.Error, status int) any {
			return fields{httpx.ProblemOf(r, f, status), form.fields}
		})
		return
	}
	httpx.Fail(w, r, err)
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
		// The cause is not kept: it may quote what the person wrote of themselves.
		return fault.Wrap(fault.Invalid, errors.New("the body has another form"),
			"The request's body is not the JSON that this address takes. Dates are written as 2026-01-15.")
	}
	return nil
}

// tag is a version as If-Match takes it.
func tag(version int) string { return strconv.Quote(strconv.Itoa(version)) }

// versionOf returns the version that the client saw, as it stands in the body or in
// If-Match; 0 where neither says it.
func versionOf(r *http.Request, version int) (int, error) {
	match := r.Header.Get("If-Match")
	if match == "" && version >= 0 {
		return version, nil
	}
	n, err := strconv.Atoi(strings.Trim(strings.TrimPrefix(match, "W/"), `"`))
	if err != nil || n < 1 || version != 0 && version != n {
		return 0, fault.New(fault.Invalid, "The version, in the body or as If-Match, is a number from 1.").
			WithCode("version_required")
	}
	return n, nil
}

// needVersion is versionOf where a change must say what it was made from.
func needVersion(r *http.Request, version int) (int, error) {
	version, err := versionOf(r, version)
	if err == nil && version == 0 {
		err = fault.New(fault.Invalid, "Say which version you saw, as version or in If-Match, so that no change is "+
			"lost that you made elsewhere.").WithCode("version_required")
	}
	return version, err
}
