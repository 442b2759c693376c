// Package intents has the HTTP handler with which administrators keep their
// organisation's intents: the phrases by which clear sentences find their agent
// without a model, what was learnt from turns, and what a sentence would come to.
package intents

import (
	"cmp"
	"errors"
	"net/http"
	"unicode/utf8"

	"github.com/bellhop-ai/bellhop/pkg/assistants"
	"github.com/bellhop-ai/bellhop/pkg/business"
	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/httpx"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/intent"
	"github.com/bellhop-ai/bellhop/pkg/intents"
	"github.com/bellhop-ai/bellhop/pkg/limit"
	"github.com/bellhop-ai/bellhop/pkg/llm"
)

// Store is where intents are kept.
type Store interface {
	intents.Store
	intents.Editor
}

// Config is what the function needs; all of it is required but the gate.
type Config struct {
	Assistants []assistants.Profile
	// Default is the assistant of a request that names none.
	Default string
	// Base returns the model of an assistant's own phrases, nil for an assistant
	// without any.
	Base  func(assistant string) (*intent.Model, error)
	Store Store
	// Business keeps what assistants are told of companies and countries, and
	// Suggestions the questions that new conversations offer.
	Business    business.Store
	Suggestions business.Suggestions
	// Models are those that write phrases, and Meter bounds what they cost.
	Models llm.Models
	Meter  limit.Meter
	// Identify returns the caller of a verified token, with the role that the
	// database knows now.
	Identify httpx.Identify
	Now      calendar.Clock
	// Gate bounds how often people and organisations may ask; the zero Gate
	// does not.
	Gate limit.Gate
}

// Handler is the function's HTTP handler.
type Handler struct {
	cfg Config
	mux *http.ServeMux
}

// New returns the handler, or an error that names what is missing.
func New(cfg Config) (*Handler, error) {
	if len(cfg.Assistants) == 0 || cfg.Base == nil || cfg.Store == nil || cfg.Business == nil ||
		cfg.Suggestions == nil || cfg.Models == nil || cfg.Identify == nil || cfg.Now == nil {
		return nil, errors.New("intents: assistants, phrases, stores, models, identities and a clock are all required")
	}
	if _, err := assistants.Find(cfg.Assistants, cfg.Default); err != nil {
		return nil, errors.New("intents: the default assistant " + cfg.Default + " is not one of those given")
	}
	h := &Handler{cfg: cfg, mux: http.NewServeMux()}
	h.mux.HandleFunc("GET /api/intents", h.serve(h.list))
	h.mux.HandleFunc("PUT /api/intents/{name}", h.serve(h.save))
	h.mux.HandleFunc("DELETE /api/intents/{name}", h.serve(h.remove))
	h.mux.HandleFunc("GET /api/intents/suggestions", h.serve(h.suggestions))
	h.mux.HandleFunc("POST /api/intents/suggestions/{code}", h.serve(h.decide))
	h.mux.HandleFunc("GET /api/intents/analytics", h.serve(h.analytics))
	h.mux.HandleFunc("POST /api/intents/try", h.serve(h.try))
	h.mux.HandleFunc("POST /api/intents/generate", h.serve(h.generate))
	h.mux.HandleFunc("POST /api/intents/generate-batch", h.serve(h.generateBatch))
	h.mux.HandleFunc("GET /api/intents/business-contexts", h.serve(h.businesses))
	h.mux.HandleFunc("PUT /api/intents/business-contexts/{entity}", h.serve(h.saveBusiness))
	h.mux.HandleFunc("GET /api/intents/country-configs", h.serve(h.countries))
	h.mux.HandleFunc("PUT /api/intents/country-configs/{code}", h.serve(h.saveCountry))
	h.mux.HandleFunc("DELETE /api/intents/country-configs/{code}", h.serve(h.resetCountry))
	h.mux.HandleFunc("GET /api/intents/quick-suggestions", h.serve(h.quickSuggestions))
	h.mux.HandleFunc("PUT /api/intents/quick-suggestions", h.serve(h.setQuickSuggestions))
	// The source's names of three of them.
	h.mux.HandleFunc("POST /api/generate-intent", h.serve(h.generate))
	h.mux.HandleFunc("POST /api/generate-batch-intents", h.serve(h.generateBatch))
	h.mux.HandleFunc("GET /api/get-tool-analytics", h.serve(h.analytics))
	h.mux.HandleFunc("/", httpx.Otherwise(h.mux, httpx.Fail))
	return h, nil
}

// ServeHTTP answers at /api/intents and below.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) { h.mux.ServeHTTP(w, r) }

// maxName bounds what a client chooses: an assistant, an agent.
const maxName = 200

// serve admits administrators, and answers with what work returns; nil is 204.
func (h *Handler) serve(work func(w http.ResponseWriter, r *http.Request, by identity.Caller) (any,
	error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		by, err := httpx.Admit(r, h.cfg.Identify, h.cfg.Gate)
		if err == nil && by.Role != identity.Admin {
			err = fault.New(fault.Forbidden, "Only administrators see and change intents.").WithCode("admin_required")
		}
		var answer any
		if err == nil {
			by, _ = by.Choose("", "") // without a place, days are counted in UTC
			answer, err = work(w, r, by)
		}
		switch {
		case err != nil:
			httpx.Fail(w, r, err)
		case answer == nil:
			w.WriteHeader(http.StatusNoContent)
		default:
			httpx.JSON(w, http.StatusOK, answer)
		}
	}
}

// subject is the assistant that a request is about.
type subject struct {
	assistants.Profile
	base *intent.Model
}

// about returns the assistant of that name as the caller may use it, which must have
// phrases.
func (h *Handler) about(by identity.Caller, name string) (subject, error) {
	name = cmp.Or(name, h.cfg.Default)
	if len(name) > maxName {
		return subject{}, fault.New(fault.Unprocessable, "The assistant's name is longer than %d bytes.", maxName)
	}
	p, err := assistants.FindOf(by, h.cfg.Assistants, name)
	if err != nil {
		return subject{}, err
	}
	base, err := h.cfg.Base(name)
	if err != nil {
		return subject{}, fault.Wrap(fault.Internal, err, "The phrases of %s cannot be read.", p.Title)
	}
	if base == nil {
		return subject{}, fault.New(fault.NotFound, "%s has no intents.", p.Title).WithCode("no_intents")
	}
	return subject{p, base}, nil
}

// agentOf describes an agent as people know it.
type agentOf struct {
	Name  string `json:"name"`
	Label string `json:"label"`
}

func (s subject) agent(name string) agentOf {
	label, _ := s.Label(name)
	return agentOf{name, cmp.Or(label, name)}
}

// own is an organisation's intent as administrators see it.
type own struct {
	intents.Intent
	Label string `json:"label"` // of its agent
}

func (h *Handler) list(_ http.ResponseWriter, r *http.Request, by identity.Caller) (any, error) {
	s, err := h.about(by, r.URL.Query().Get("assistant"))
	if err != nil {
		return nil, err
	}
	kept, err := h.cfg.Store.Read(r.Context(), by, s.Name, "-", s.base.Threshold())
	if err != nil {
		return nil, err
	}
	answer := struct {
		Assistant  string             `json:"assistant"`
		Title      string             `json:"title"`
		Agents     []agentOf          `json:"agents"`
		Intents    []own              `json:"intents"`
		Threshold  float64            `json:"threshold"`
		Thresholds map[string]float64 `json:"thresholds"`
	}{Assistant: s.Name, Title: s.Title, Intents: []own{}, Threshold: s.base.Threshold(), Thresholds: kept.Thresholds}
	for _, name := range s.base.Intents() {
		answer.Agents = append(answer.Agents, s.agent(name))
	}
	for _, in := range kept.Intents {
		answer.Intents = append(answer.Intents, own{in, s.agent(in.Agent).Label})
	}
	return answer, nil
}

// body is an intent as it is sent.
type body struct {
	Assistant   string           `json:"assistant"`
	Name        string           `json:"name"` // the address names the one that is saved
	Agent       string           `json:"agent"`
	Description string           `json:"description"`
	Phrases     []intents.Phrase `json:"phrases"`
	Version     int              `json:"version"`
}

func (h *Handler) save(w http.ResponseWriter, r *http.Request, by identity.Caller) (any, error) {
	var req body
	if _, err := httpx.ReadJSON(w, r, &req); err != nil {
		return nil, err
	}
	s, err := h.about(by, req.Assistant)
	if err != nil {
		return nil, err
	}
	if req.Version < 0 {
		return nil, fault.New(fault.Unprocessable, "The version is a number from 0.").WithCode("bad_version")
	}
	kept, err := h.cfg.Store.Read(r.Context(), by, s.Name, "-", s.base.Threshold())
	if err != nil {
		return nil, err
	}
	in, err := intents.Check(intents.Intent{Name: r.PathValue("name"), Agent: req.Agent, Description: req.Description,
		Phrases: req.Phrases, Version: req.Version}, s.base, kept.Intents)
	if err != nil {
		return nil, err
	}
	if in.Version, err = h.cfg.Store.Save(r.Context(), by, s.Name, in); err != nil {
		return nil, err
	}
	in.UpdatedAt = h.cfg.Now()
	return own{in, s.agent(in.Agent).Label}, nil
}

func (h *Handler) remove(_ http.ResponseWriter, r *http.Request, by identity.Caller) (any, error) {
	s, err := h.about(by, r.URL.Query().Get("assistant"))
	if err != nil {
		return nil, err
	}
	name := r.PathValue("name")
	version, err := versionOf(r)
	if err != nil {
		return nil, err
	}
	if err := intents.CheckName(name); err != nil {
		return nil, err
	}
	return nil, h.cfg.Store.Delete(r.Context(), by, s.Name, name, version)
}

// readable refuses what is no text, or too long to be read.
func readable(what, text string, most int) error {
	if !utf8.ValidString(text) || utf8.RuneCountInString(text) > most {
		return fault.New(fault.Unprocessable, "The %s must be a text of at most %d letters.", what, most).
			WithCode("text_too_long")
	}
	return nil
}
