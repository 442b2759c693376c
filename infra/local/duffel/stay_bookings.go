package duffel

import (
	"fmt"
	"net/http"
	"net/mail"
	"slices"
	"strings"
	"time"
)

// quote is a rate whose price was confirmed by the hotel.
type quote struct {
	id     string
	held   *heldRate
	made   time.Time
	booked bool
}

func (q *quote) hotel() accommodation {
	return q.held.result.hotel.shown([]room{{Name: q.held.room, Beds: q.held.beds, Photos: []string{},
		Rates: []rate{q.held.rate}}})
}

func (q *quote) shown() map[string]any {
	r, st := q.held.rate, q.held.result.stay
	deposit, depositCur := (*string)(nil), (*string)(nil)
	if r.Payment == "deposit" {
		deposit, depositCur = pointer((r.total / 5).text(r.TotalCurrency)), &r.TotalCurrency
	}
	return map[string]any{
		"id": q.id, "check_in_date": st.in.Format(time.DateOnly), "check_out_date": st.out.Format(time.DateOnly),
		"accommodation": q.hotel(), "rooms": st.rooms, "guests": st.guests, "total_amount": r.Total,
		"total_currency": r.TotalCurrency, "base_amount": r.Base, "base_currency": r.BaseCurrency,
		"tax_amount":   r.Tax,
		"tax_currency": r.TaxCurrency, "fee_amount": r.Fee, "fee_currency": r.FeeCurrency,
		"due_at_accommodation_amount": r.There, "due_at_accommodation_currency": r.ThereCurrency,
		"deposit_amount": deposit, "deposit_currency": depositCur, "supported_loyalty_programme": nil,
		"expires_at": stamp(q.made.Add(expiry)), "created_at": stamp(q.made),
	}
}

func (s *Server) createQuote(r *request) (answer, *problem) {
	var in struct {
		RateID string `json:"rate_id"`
	}
	if p := r.into(&in); p != nil {
		return bad(p)
	}
	held := s.state.rates[in.RateID]
	switch {
	case in.RateID == "":
		return bad(required("/rate_id"))
	case held == nil:
		return bad(notFound())
	case !s.now().Before(held.result.expires()):
		return bad(rateUnavailable())
	}
	q := &quote{id: s.name("quo"), held: held, made: s.now()}
	s.state.quotes[q.id] = q
	return created(q.shown())
}

func rateUnavailable() *problem {
	return conflict("rate_unavailable", "Rate unavailable",
		"The rate is no longer available. Please search again and select another rate")
}

func (s *Server) getQuote(r *request) (answer, *problem) {
	q := s.state.quotes[r.PathValue("id")]
	if q == nil {
		return bad(notFound())
	}
	return ok(q.shown())
}

// booking is a stay that was bought.
type booking struct {
	id        string
	reference string
	quote     *quote
	made      time.Time
	cancelled *time.Time
	email     string
	phone     string
	guests    []stayGuest
	requests  string
	metadata  map[string]string
}

type stayGuest struct {
	Given  string `json:"given_name"`
	Family string `json:"family_name"`
}

func (b *booking) shown() map[string]any {
	st := b.quote.held.result.stay
	out := map[string]any{
		"id": b.id, "reference": b.reference, "status": "confirmed", "confirmed_at": stamp(b.made),
		"cancelled_at":  nil,
		"check_in_date": st.in.Format(time.DateOnly), "check_out_date": st.out.Format(time.DateOnly),
		"rooms":         st.rooms,
		"accommodation": b.quote.hotel(), "email": b.email, "phone_number": b.phone, "guests": b.guests,
		"metadata": b.metadata, "key_collection": nil, "supported_loyalty_programme": nil,
		"loyalty_programme_account_number": nil, "estimated_commission_amount": nil,
		"estimated_commission_currency":  nil,
		"accommodation_special_requests": b.requests, "live_mode": false,
	}
	if b.cancelled != nil {
		out["status"], out["cancelled_at"] = "cancelled", stamp(*b.cancelled)
	}
	return out
}

func (s *Server) createBooking(r *request) (answer, *problem) {
	var in struct {
		QuoteID  string            `json:"quote_id"`
		Email    string            `json:"email"`
		Phone    string            `json:"phone_number"`
		Guests   []stayGuest       `json:"guests"`
		Requests string            `json:"accommodation_special_requests"`
		Metadata map[string]string `json:"metadata"`
	}
	if p := r.into(&in); p != nil {
		return bad(p)
	}
	q := s.state.quotes[in.QuoteID]
	_, mailErr := mail.ParseAddress(in.Email)
	switch {
	case in.QuoteID == "":
		return bad(required("/quote_id"))
	case q == nil:
		return bad(notFound())
	case in.Email == "":
		return bad(required("/email"))
	case mailErr != nil:
		return bad(invalid("invalid_email_address", "/email", "Field 'email' must be a valid email address"))
	case in.Phone == "":
		return bad(required("/phone_number"))
	case !phoneForm.MatchString(in.Phone):
		return bad(invalid("invalid_phone_number", "/phone_number",
			"Field 'phone_number' must be in the E.164 format"))
	case len(in.Guests) == 0:
		return bad(required("/guests"))
	case q.booked:
		return bad(conflict("quote_already_booked", "Quote already booked", "The quote has already been booked"))
	case !s.now().Before(q.made.Add(expiry)):
		return bad(rateUnavailable())
	}
	for i, g := range in.Guests {
		if strings.TrimSpace(g.Given) == "" {
			return bad(required(fmt.Sprintf("/guests/%d/given_name", i)))
		}
		if strings.TrimSpace(g.Family) == "" {
			return bad(required(fmt.Sprintf("/guests/%d/family_name", i)))
		}
	}
	if p := checkMetadata(in.Metadata); p != nil {
		return bad(p)
	}
	q.booked = true
	b := &booking{id: s.name("bok"), quote: q, made: s.now(), email: in.Email, phone: in.Phone, guests: in.Guests,
		requests: in.Requests, metadata: in.Metadata}
	b.reference = fmt.Sprintf("DS%08d", seed(b.id)%100_000_000)
	s.state.bookings[b.id] = b
	s.state.bookIDs = append(s.state.bookIDs, b.id)
	s.events.send(s.event("stays.booking.created", b.id, b.shown()))
	return created(b.shown())
}

func (s *Server) getBooking(r *request) (answer, *problem) {
	b := s.state.bookings[r.PathValue("id")]
	if b == nil {
		return bad(notFound())
	}
	return ok(b.shown())
}

func (s *Server) listBookings(r *request) (answer, *problem) {
	list := []map[string]any{}
	for _, id := range slices.Backward(s.state.bookIDs) {
		list = append(list, s.state.bookings[id].shown())
	}
	part, m, p := page(r, list)
	if p != nil {
		return bad(p)
	}
	return answer{http.StatusOK, part, m}, nil
}

func (s *Server) cancelBooking(r *request) (answer, *problem) {
	b, now := s.state.bookings[r.PathValue("id")], s.now()
	switch {
	case b == nil:
		return bad(notFound())
	case b.cancelled != nil:
		return bad(conflict("already_cancelled", "Already cancelled", "The booking has already been cancelled"))
	case !now.Before(b.quote.held.result.stay.in.AddDate(0, 0, 1)):
		return bad(conflict("booking_not_cancellable", "Booking not cancellable", "The stay has begun"))
	}
	b.cancelled = &now
	s.events.send(s.event("stays.booking.cancelled", b.id, b.shown()))
	return ok(b.shown())
}

// Bookings returns the ids of all stays that were booked, the oldest first.
func (s *Server) Bookings() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.state.bookIDs)
}
