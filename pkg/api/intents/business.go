package intents

import (
	"cmp"
	"net/http"
	"strconv"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/assistants"
	"github.com/bellhop-ai/bellhop/pkg/business"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/httpx"
	"github.com/bellhop-ai/bellhop/pkg/identity"
)

func (h *Handler) businesses(_ http.ResponseWriter, r *http.Request, by identity.Caller) (any, error) {
	described, err := h.cfg.Business.Businesses(r.Context(), by)
	if err != nil {
		return nil, err
	}
	return struct {
		Businesses []business.Context `json:"businesses"`
	}{business.Of(by, described)}, nil
}

func (h *Handler) saveBusiness(w http.ResponseWriter, r *http.Request, by identity.Caller) (any, error) {
	var c business.Context
	if _, err := httpx.ReadJSON(w, r, &c); err != nil {
		return nil, err
	}
	c.Entity = r.PathValue("entity")
	if len(c.Entity) > maxName {
		return nil, fault.New(fault.Unprocessable, "The entity's key is longer than %d bytes.", maxName)
	}
	c, err := business.CheckContext(c)
	if err != nil {
		return nil, err
	}
	return h.cfg.Business.SaveBusiness(r.Context(), by, c)
}

func (h *Handler) countries(_ http.ResponseWriter, r *http.Request, by identity.Caller) (any, error) {
	list, err := h.cfg.Business.Countries(r.Context(), by)
	if err != nil {
		return nil, err
	}
	return struct {
		Countries []business.Country `json:"countries"`
	}{list}, nil
}

func (h *Handler) saveCountry(w http.ResponseWriter, r *http.Request, by identity.Caller) (any, error) {
	var c business.Country
	if _, err := httpx.ReadJSON(w, r, &c); err != nil {
		return nil, err
	}
	c.Code = r.PathValue("code")
	c, err := business.CheckCountry(c)
	if err != nil {
		return nil, err
	}
	return h.cfg.Business.SaveCountry(r.Context(), by, c)
}

func (h *Handler) resetCountry(_ http.ResponseWriter, r *http.Request, by identity.Caller) (any, error) {
	version, err := versionOf(r)
	if err != nil {
		return nil, err
	}
	return nil, h.cfg.Business.ResetCountry(r.Context(), by, r.PathValue("code"), version)
}

// versionOf returns the version of what is deleted.
func versionOf(r *http.Request) (int, error) {
	version, err := strconv.Atoi(r.URL.Query().Get("version"))
	if err != nil || version < 1 || version > 1_000_000_000 {
		return 0, fault.New(fault.Invalid, "The version that is deleted must be named: ?version=1.").
			WithCode("bad_version")
	}
	return version, nil
}

// Bounds of quick suggestions, as the database has them.
const (
	maxSuggestions = 12
	maxSuggestion  = 200
)

// quick are the questions that new conversations offer.
type quick struct {
	Assistant string `json:"assistant"`
	// Entity is the key of the entity for which they are, "" for all.
	Entity      string                `json:"entity"`
	Suggestions []business.Suggestion `json:"suggestions"`
}

// profile returns the assistant of that name as the caller may use it.
func (h *Handler) profile(by identity.Caller, name string) (assistants.Profile, error) {
	if len(name) > maxName {
		return assistants.Profile{}, fault.New(fault.Unprocessable, "The assistant's name is longer than %d bytes.",
			maxName)
	}
	return assistants.FindOf(by, h.cfg.Assistants, cmp.Or(name, h.cfg.Default))
}

func (h *Handler) quickSuggestions(_ http.ResponseWriter, r *http.Request, by identity.Caller) (any, error) {
	p, err := h.profile(by, r.URL.Query().Get("assistant"))
	if err != nil {
		return nil, err
	}
	own, err := h.cfg.Suggestions.Own(r.Context(), by)
	if err != nil {
		return nil, err
	}
	answer := struct {
		Assistant string  `json:"assistant"`
		Own       []quick `json:"own"`
		// Otherwise are the assistant's, which are offered where there are none.
		Otherwise []business.Suggestion `json:"otherwise"`
	}{Assistant: p.Name, Own: []quick{}, Otherwise: []business.Suggestion{}}
	for _, s := range own {
		if s.Assistant != p.Name {
			continue
		}
		at := -1
		for i, q := range answer.Own {
			if q.Entity == s.Entity {
				at = i
			}
		}
		if at < 0 {
			answer.Own, at = append(answer.Own, quick{Assistant: p.Name, Entity: s.Entity}), len(answer.Own)
		}
		answer.Own[at].Suggestions = append(answer.Own[at].Suggestions, s.Suggestion)
	}
	for _, text := range p.Suggestions {
		answer.Otherwise = append(answer.Otherwise, business.Suggestion{Text: text})
	}
	for _, text := range p.Changes {
		answer.Otherwise = append(answer.Otherwise, business.Suggestion{Text: text, Changes: true})
	}
	return answer, nil
}

func (h *Handler) setQuickSuggestions(w http.ResponseWriter, r *http.Request, by identity.Caller) (any, error) {
	var req quick
	if _, err := httpx.ReadJSON(w, r, &req); err != nil {
		return nil, err
	}
	p, err := h.profile(by, req.Assistant)
	if err != nil {
		return nil, err
	}
	if len(req.Suggestions) > maxSuggestions || len(req.Entity) > maxName {
		return nil, fault.New(fault.Unprocessable, "There are at most %d questions.", maxSuggestions).
			WithCode("too_many_suggestions")
	}
	list := make([]business.Suggestion, len(req.Suggestions))
	seen := map[string]bool{}
	for i, s := range req.Suggestions {
		if err := readable("question", s.Text, maxSuggestion); err != nil {
			return nil, err
		}
		s.Text = strings.Join(strings.Fields(s.Text), " ")
		if s.Text == "" || seen[s.Text] {
			return nil, fault.New(fault.Unprocessable, "Each question has words, and stands there once.").
				WithCode("bad_suggestion")
		}
		seen[s.Text], list[i] = true, s
	}
	if err := h.cfg.Suggestions.Set(r.Context(), by, p.Name, req.Entity, list); err != nil {
		return nil, err
	}
	return quick{p.Name, req.Entity, list}, nil
}
