package travel

import (
	"net/http"
	"strconv"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/travel/preferences"
)

// preferencesAnswer is the answer with what the caller likes. Before anything is kept
// the version is 0.
type preferencesAnswer struct {
	Preferences preferences.Preferences `json:"preferences"`
}

// likes answers with preferences, and their version for If-Match.
func likes(w http.ResponseWriter, p preferences.Preferences) (int, any, error) {
	for _, list := range []*[]string{&p.Airlines, &p.HotelChains, &p.Dietary, &p.Accessibility, &p.Interests} {
		if *list == nil {
			*list = []string{}
		}
	}
	if p.Version > 0 {
		w.Header().Set("ETag", tag(p.Version))
	}
	return http.StatusOK, preferencesAnswer{p}, nil
}

func (h *Handler) preferences(w http.ResponseWriter, r *http.Request, by identity.Caller) (int, any, error) {
	p, _, err := h.cfg.Preferences.Get(r.Context(), by)
	if err != nil {
		return 0, nil, err
	}
	return likes(w, p)
}

// preferencesChange is the body that changes preferences; what it leaves out stays.
type preferencesChange struct {
	Version int `json:"version"`
	preferences.Changes
}

func (h *Handler) changePreferences(w http.ResponseWriter, r *http.Request, by identity.Caller) (int, any, error) {
	var in preferencesChange
	if err := read(w, r, &in); err != nil {
		return 0, nil, err
	}
	version, err := versionOf(r, in.Version)
	if err != nil {
		return 0, nil, err
	}
	c, problems := preferences.Check(in.Changes)
	if len(problems) > 0 {
		return 0, nil, refuse(fieldsOf(problems))
	}
	p, err := h.cfg.Preferences.Update(r.Context(), by, version, c)
	if err != nil {
		return 0, nil, err
	}
	return likes(w, p)
}

// forget deletes all that is remembered of the caller.
func (h *Handler) forget(_ http.ResponseWriter, r *http.Request, by identity.Caller) (int, any, error) {
	return http.StatusNoContent, nil, h.cfg.Preferences.Forget(r.Context(), by)
}

// decisionList is the answer with decisions.
type decisionList struct {
	Decisions []preferences.Decision `json:"decisions"`
}

// decisionAnswer is an answer with one.
type decisionAnswer struct {
	Decision preferences.Decision `json:"decision"`
}

const maxDecisions = 200 // of a person

func (h *Handler) decisions(_ http.ResponseWriter, r *http.Request, by identity.Caller) (int, any, error) {
	query := r.URL.Query()
	limit, err := limitOf(query.Get("limit"), maxDecisions)
	if err != nil {
		return 0, nil, err
	}
	all, err := h.cfg.Preferences.Decisions(r.Context(), by, query.Get("q"), limit)
	if all == nil {
		all = []preferences.Decision{}
	}
	return http.StatusOK, decisionList{all}, err
}

// limitOf reads how many are wanted at most; "" is all that there may be.
func limitOf(text string, most int) (int, error) {
	if text == "" {
		return most, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || n > most {
		return 0, fault.New(fault.Invalid, "The limit is a number from 1 to %d.", most)
	}
	return n, nil
}

// decisionForm is the body that makes a decision or changes one; nil members stay.
type decisionForm struct {
	Text  *string `json:"text"`
	About *string `json:"about"`
}

// over returns the decision with what the form says.
func (f decisionForm) over(d preferences.Decision) preferences.Decision {
	if f.Text != nil {
		d.Text = *f.Text
	}
	if f.About != nil {
		d.About = *f.About
	}
	return d
}

func (h *Handler) decide(w http.ResponseWriter, r *http.Request, by identity.Caller) (int, any, error) {
	d, err := h.saveDecision(w, r, by, preferences.Decision{})
	if err != nil {
		return 0, nil, err
	}
	w.Header().Set("Location", "/api/decisions/"+d.Code)
	return http.StatusCreated, decisionAnswer{d}, nil
}

func (h *Handler) changeDecision(w http.ResponseWriter, r *http.Request, by identity.Caller) (int, any, error) {
	all, err := h.cfg.Preferences.Decisions(r.Context(), by, "", maxDecisions)
	if err != nil {
		return 0, nil, err
	}
	for _, d := range all {
		if strings.EqualFold(d.Code, r.PathValue("code")) {
			d, err := h.saveDecision(w, r, by, d)
			return http.StatusOK, decisionAnswer{d}, err
		}
	}
	return 0, nil, fault.New(fault.NotFound, "There is no such decision of yours.").WithCode("unknown_decision")
}

// saveDecision keeps a decision with what the body of the request says.
func (h *Handler) saveDecision(w http.ResponseWriter, r *http.Request, by identity.Caller,
	d preferences.Decision) (preferences.Decision, error) {
	var in decisionForm
	if err := read(w, r, &in); err != nil {
		return d, err
	}
	d, problems := preferences.CheckDecision(in.over(d))
	if len(problems) > 0 {
		return d, refuse(fieldsOf(problems))
	}
	return h.cfg.Preferences.Decide(r.Context(), by, d)
}

func (h *Handler) undecide(_ http.ResponseWriter, r *http.Request, by identity.Caller) (int, any, error) {
	return http.StatusNoContent, nil, h.cfg.Preferences.Undecide(r.Context(), by, r.PathValue("code"))
}
