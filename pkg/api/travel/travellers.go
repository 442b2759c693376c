package travel

import (
	"net/http"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/travel/travellers"
)

// travellerList is the answer with all travellers.
type travellerList struct {
	Travellers []travellers.Traveller `json:"travellers"`
}

// travellerAnswer is an answer with one.
type travellerAnswer struct {
	Traveller travellers.Traveller `json:"traveller"`
}

func (h *Handler) listTravellers(_ http.ResponseWriter, r *http.Request, by identity.Caller) (int, any, error) {
	all, err := h.cfg.Travellers.List(r.Context(), by)
	if all == nil {
		all = []travellers.Traveller{}
	}
	return http.StatusOK, travellerList{all}, err
}

func (h *Handler) getTraveller(w http.ResponseWriter, r *http.Request, by identity.Caller) (int, any, error) {
	all, err := h.cfg.Travellers.List(r.Context(), by)
	if err != nil {
		return 0, nil, err
	}
	for _, t := range all {
		if strings.EqualFold(t.Code, r.PathValue("code")) {
			return shown(w, http.StatusOK, t)
		}
	}
	return 0, nil, fault.New(fault.NotFound, "There is no such traveller of yours.").WithCode("unknown_traveller")
}

// shown answers with a traveller, and its version for If-Match.
func shown(w http.ResponseWriter, status int, t travellers.Traveller) (int, any, error) {
	w.Header().Set("ETag", tag(t.Version))
	return status, travellerAnswer{t}, nil
}

// travellerForm is the body that makes or replaces a profile.
type travellerForm struct {
	Self     bool                 `json:"self"`
	Title    string               `json:"title"`
	Gender   string               `json:"gender"`
	Given    string               `json:"givenName"`
	Family   string               `json:"familyName"`
	Born     calendar.Date        `json:"bornOn"`
	Email    string               `json:"email"`
	Phone    string               `json:"phone"`
	Passport *travellers.Passport `json:"passport"`
	Version  int                  `json:"version"`
}

// save keeps the form of a request as the traveller of that code.
func (h *Handler) save(w http.ResponseWriter, r *http.Request, by identity.Caller, code string) (travellers.Traveller,
	error) {
	var in travellerForm
	if err := read(w, r, &in); err != nil {
		return travellers.Traveller{}, err
	}
	if code != "" {
		version, err := needVersion(r, in.Version)
		if err != nil {
			return travellers.Traveller{}, err
		}
		in.Version = version
	}
	// The latest day that it is anywhere: a child born there today is not of the future.
	today := calendar.Of(h.cfg.Now().UTC()).AddDays(1)
	t, problems := travellers.Check(travellers.Traveller{Code: code, Self: in.Self, Title: in.Title, Gender: in.Gender,
		Given: in.Given, Family: in.Family, Born: in.Born, Email: in.Email, Phone: in.Phone, Passport: in.Passport,
		Version: in.Version}, today)
	if len(problems) > 0 {
		return t, refuse(fieldsOf(problems))
	}
	return h.cfg.Travellers.Save(r.Context(), by, t)
}

func (h *Handler) addTraveller(w http.ResponseWriter, r *http.Request, by identity.Caller) (int, any, error) {
	t, err := h.save(w, r, by, "")
	if err != nil {
		return 0, nil, err
	}
	w.Header().Set("Location", "/api/travellers/"+t.Code)
	return shown(w, http.StatusCreated, t)
}

func (h *Handler) saveTraveller(w http.ResponseWriter, r *http.Request, by identity.Caller) (int, any, error) {
	t, err := h.save(w, r, by, r.PathValue("code"))
	if err != nil {
		return 0, nil, err
	}
	return shown(w, http.StatusOK, t)
}

func (h *Handler) deleteTraveller(_ http.ResponseWriter, r *http.Request, by identity.Caller) (int, any, error) {
	version, err := versionOf(r, 0)
	if err != nil {
		return 0, nil, err
	}
	return http.StatusNoContent, nil, h.cfg.Travellers.Delete(r.Context(), by, r.PathValue("code"), version)
}
