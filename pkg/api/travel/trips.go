package travel

import (
	"bytes"
	"net/http"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/travel/bookings"
	"github.com/bellhop-ai/bellhop/pkg/travel/itinerary"
	"github.com/bellhop-ai/bellhop/pkg/travel/itinerary/calendarfile"
)

// tripList is the answer with trips; their items are left out.
type tripList struct {
	Trips []itinerary.Trip `json:"trips"`
}

// tripAnswer is an answer with one trip, and what does not fit in it.
type tripAnswer struct {
	Trip     itinerary.Trip `json:"trip"`
	Problems []tripProblem  `json:"problems"`
}

// tripProblem is what does not fit, as a sentence, and the codes of the items.
type tripProblem struct {
	Items []string `json:"items"`
	Text  string   `json:"text"`
}

func (h *Handler) trips(_ http.ResponseWriter, r *http.Request, by identity.Caller) (int, any, error) {
	all, err := h.cfg.Trips.Trips(r.Context(), by)
	out := []itinerary.Trip{}
	for _, t := range all {
		out = append(out, listed(t))
	}
	return http.StatusOK, tripList{out}, err
}

// listed returns a trip without nil lists.
func listed(t itinerary.Trip) itinerary.Trip {
	if t.Items == nil {
		t.Items = []itinerary.Item{}
	}
	return t
}

// laidOut answers with a trip, and its version for If-Match.
func laidOut(w http.ResponseWriter, t itinerary.Trip) (int, any, error) {
	w.Header().Set("ETag", tag(t.Version))
	problems := []tripProblem{}
	for _, p := range itinerary.Problems(t) {
		problems = append(problems, tripProblem{append([]string{}, p.Items...), p.Text})
	}
	return http.StatusOK, tripAnswer{listed(t), problems}, nil
}

func (h *Handler) trip(w http.ResponseWriter, r *http.Request, by identity.Caller) (int, any, error) {
	t, err := h.cfg.Trips.Trip(r.Context(), by, r.PathValue("code"))
	if err != nil {
		return 0, nil, err
	}
	return laidOut(w, t)
}

// calendarHost is the right side of the names of a calendar's events. It stays the same
// whatever address the function is asked at, so that an import finds its events again.
const calendarHost = "bellhop"

// calendar answers with a trip as a calendar file.
func (h *Handler) calendar(w http.ResponseWriter, r *http.Request, by identity.Caller) (int, any, error) {
	t, err := h.cfg.Trips.Trip(r.Context(), by, r.PathValue("code"))
	if err != nil {
		return 0, nil, err
	}
	// Written as a whole first, so that a failure is an answer of its own.
	var file bytes.Buffer
	if err := calendarfile.Write(&file, t, calendarfile.Options{Now: h.cfg.Now(), Host: calendarHost,
		Scope: by.OrgID}); err != nil {
		return 0, nil, err
	}
	w.Header().Set("Content-Type", calendarfile.Type)
	w.Header().Set("Content-Disposition", `attachment; filename="`+t.Code+`.ics"`)
	_, _ = w.Write(file.Bytes()) // the reader may be gone
	return http.StatusOK, nil, nil
}

// companionForm is the body that names a companion.
type companionForm struct {
	Email string `json:"email"`
}

func (h *Handler) share(w http.ResponseWriter, r *http.Request, by identity.Caller) (int, any, error) {
	var in companionForm
	if err := read(w, r, &in); err != nil {
		return 0, nil, err
	}
	if strings.TrimSpace(in.Email) == "" {
		return 0, nil, refuse([]fieldProblem{{"email", "Say the e-mail address of a member of your organisation."}})
	}
	t, err := h.cfg.Trips.Share(r.Context(), by, r.PathValue("code"), in.Email)
	if err != nil {
		return 0, nil, err
	}
	return laidOut(w, t)
}

func (h *Handler) unshare(w http.ResponseWriter, r *http.Request, by identity.Caller) (int, any, error) {
	name := r.URL.Query().Get("name")
	if name == "" {
		return 0, nil, fault.New(fault.Invalid, "Say who is to be taken back, as name in the address.")
	}
	t, err := h.cfg.Trips.Unshare(r.Context(), by, r.PathValue("code"), name)
	switch {
	case err != nil:
		return 0, nil, err
	case t.Code == "": // a companion who left sees the trip no more
		return http.StatusNoContent, nil, nil
	}
	return laidOut(w, t)
}

// bookingList is the answer with bookings.
type bookingList struct {
	Bookings []bookings.Booking `json:"bookings"`
}

const maxListed = 100

func (h *Handler) bookings(_ http.ResponseWriter, r *http.Request, by identity.Caller) (int, any, error) {
	query := r.URL.Query()
	limit, err := limitOf(query.Get("limit"), maxListed)
	if err != nil {
		return 0, nil, err
	}
	f := bookings.Filter{Text: query.Get("q"), Type: bookings.Type(query.Get("type")), Limit: limit}
	switch when := query.Get("when"); when {
	case "", "past", "upcoming":
		f.Past, f.Upcoming = when == "past", when == "upcoming"
	default:
		return 0, nil, fault.New(fault.Invalid, "The member when is past or upcoming.")
	}
	if f.Type != "" && f.Type != bookings.Flight && f.Type != bookings.Hotel && f.Type != bookings.Activity {
		return 0, nil, fault.New(fault.Invalid, "The type is flight, hotel or activity.")
	}
	all, err := h.cfg.Bookings.List(r.Context(), by, f)
	if all == nil {
		all = []bookings.Booking{}
	}
	return http.StatusOK, bookingList{all}, err
}

// searchList is the answer with searches; what was found is left out.
type searchList struct {
	Searches []bookings.Search `json:"searches"`
}

const newestSearches = 20

func (h *Handler) searches(_ http.ResponseWriter, r *http.Request, by identity.Caller) (int, any, error) {
	limit, err := limitOf(r.URL.Query().Get("limit"), maxListed)
	if err != nil {
		return 0, nil, err
	}
	if r.URL.Query().Get("limit") == "" {
		limit = newestSearches
	}
	all, err := h.cfg.Bookings.Searches(r.Context(), by, limit)
	if all == nil {
		all = []bookings.Search{}
	}
	return http.StatusOK, searchList{all}, err
}
